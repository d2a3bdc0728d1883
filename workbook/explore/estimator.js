// The estimators of nwlab for the page, which draws moved points before Python does, or without it.

const OPERATIONS = {
  "+": (x, y) => x + y, "-": (x, y) => x - y, "*": (x, y) => x * y, "/": (x, y) => x / y, "**": (x, y) => x ** y,
};

// The function of u that a tree says: ["exp", ["-", 0, "u"]].
function functionOf(tree) {
  if (!Array.isArray(tree)) return tree === "u" ? (u) => u : () => tree;
  const operation = OPERATIONS[tree[0]] ?? Math[tree[0]], [one, other] = tree.slice(1).map(functionOf);
  return other ? (u) => operation(one(u), other(u)) : (u) => operation(one(u));
}

// The functions of a kernel that `on_page` of workbook.explore hands over: K(u), and log K(u), which does not underflow.
function kernelOf({ formula, support }) {
  const within = (u) => support === null || u <= support;
  const [profile, exponent] = [functionOf(formula), formula[0] === "exp" && functionOf(formula[1])];
  return { similarity: (u) => (within(u) ? profile(u) : 0),
    log: (u) => (!within(u) ? -Infinity : exponent ? exponent(u) : Math.log(profile(u))) };
}

// NaN where no key is within reach.
function softmax(scores) {
  const highest = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  const parts = scores.map((score) => Math.exp(score - highest));
  const sum = parts.reduce((one, other) => one + other, 0);
  return parts.map((part) => part / sum);
}

// leftOut: the number of a key that gets no weight.
const attentionWeights = (query, keys, { log }, width, leftOut) =>
  softmax(keys.map((key, i) => (i === leftOut ? -Infinity : log(Math.abs(query - key) / width))));
const average = (weights, values) => weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
const meanSquare = (apart) => apart.reduce((sum, each) => sum + each * each, 0) / apart.length;

// The weights of nwlab.local_linear; NaN where the keys within reach determine no line.
function lineWeights(query, keys, kernel, width) {
  const weights = attentionWeights(query, keys, kernel, width);
  const nearest = keys.reduce((best, key) => (Math.abs(key - query) < Math.abs(best - query) ? key : best));
  const steps = keys.map((key, i) => (weights[i] > 0 ? key - nearest : 0));
  const [centre, unit] = [average(weights, steps), Math.max(...steps.map(Math.abs)) || 1];
  const around = steps.map((step) => (step - centre) / unit);
  const tilt = (query - nearest - centre) / unit / average(weights, around.map((each) => each * each));
  return weights.map((weight, i) => (Number.isFinite(tilt) ? weight * (1 + around[i] * tilt) : NaN));
}
