// The estimators of nwlab for pages without a kernel, where readers move points.

const OPERATIONS = {
  "+": (x, y) => x + y, "-": (x, y) => x - y, "*": (x, y) => x * y, "/": (x, y) => x / y, "**": (x, y) => x ** y,
};

// The function of u that a tree says: ["exp", ["-", 0, "u"]].
function functionOf(tree) {
  if (!Array.isArray(tree)) return tree === "u" ? (u) => u : () => tree;
  const operation = OPERATIONS[tree[0]] ?? Math[tree[0]], [one, other] = tree.slice(1).map(functionOf);
  return other ? (u) => operation(one(u), other(u)) : (u) => operation(one(u));
}

// A kernel as `on_page` of workbook.explore hands it over, with its functions: K(u), and log K(u), which does not underflow.
function kernelOf({ formula, support, power }) {
  const within = (u) => support === null || u <= support;
  const [profile, exponent] = [functionOf(formula), formula[0] === "exp" && functionOf(formula[1])];
  return { power, similarity: (u) => (within(u) ? profile(u) : 0),
    log: (u) => (!within(u) ? -Infinity : exponent ? exponent(u) : Math.log(profile(u))) };
}

// log K(|q - k| / width) of each key; of exp(-u^p / p) from the nearest key on, so that nothing underflows.
function attentionScores(query, keys, { power, log }, width) {
  const apart = keys.map((key) => Math.abs(query - key));
  const least = apart.reduce((one, other) => Math.min(one, other), Infinity);
  if (power === 2) return apart.map((each) => -0.5 * ((each - least) / width) * ((each + least) / width));
  if (power === 1) return apart.map((each) => -(each - least) / width);
  return apart.map((each) => log(each / width));
}

// NaN where no key is within reach.
function softmax(scores) {
  const highest = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  const parts = scores.map((score) => Math.exp(score - highest));
  const sum = parts.reduce((one, other) => one + other, 0);
  return parts.map((part) => part / sum);
}

const attentionWeights = (query, keys, kernel, width) => softmax(attentionScores(query, keys, kernel, width));
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
