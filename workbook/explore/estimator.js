// The estimators of nwlab for pages without a kernel, where readers move points.

const PROFILES = { // K(u) below u = 1; of those that never end everywhere
  gaussian: (u) => Math.exp(-0.5 * u * u), exponential: (u) => Math.exp(-u), constant: () => 1,
  boxcar: () => 1, triangular: (u) => 1 - u, epanechnikov: (u) => 1 - u * u,
  biweight: (u) => (1 - u * u) ** 2, triweight: (u) => (1 - u * u) ** 3, tricube: (u) => (1 - u ** 3) ** 3,
  cosine: (u) => Math.sin((Math.PI / 2) * (1 - u)),
};

const similarity = (kernel, u) => u < 1 || ["gaussian", "exponential", "constant"].includes(kernel) ||
  (kernel === "boxcar" && u === 1) ? PROFILES[kernel](u) : 0;

// log K(|q - k| / width) of each key; shifted by the nearest key where K never ends, so that nothing underflows.
function attentionScores(query, keys, kernel, width) {
  const apart = keys.map((key) => Math.abs(query - key));
  const least = apart.reduce((one, other) => Math.min(one, other), Infinity);
  if (kernel === "gaussian") return apart.map((each) => -0.5 * ((each - least) / width) * ((each + least) / width));
  if (kernel === "exponential") return apart.map((each) => -(each - least) / width);
  return apart.map((each) => Math.log(similarity(kernel, each / width)));
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
