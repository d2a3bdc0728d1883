// The estimator of nwlab.pooling where no Python runs: what figures draw of points that were moved on a page.

const PROFILES = { // K(u) below u = 1, or everywhere
  boxcar: () => 1, constant: () => 1, triangular: (u) => 1 - u, epanechnikov: (u) => 1 - u * u,
  biweight: (u) => (1 - u * u) ** 2, triweight: (u) => (1 - u * u) ** 3, tricube: (u) => (1 - u ** 3) ** 3,
  cosine: (u) => Math.sin((Math.PI / 2) * (1 - u)),
};

// log K(|q - k| / width) of each key; shifted by the nearest key where K never ends, so that nothing underflows.
function attentionScores(query, keys, kernel, width) {
  const apart = keys.map((key) => Math.abs(query - key));
  const least = apart.reduce((one, other) => Math.min(one, other), Infinity);
  if (kernel === "gaussian") return apart.map((each) => -0.5 * ((each - least) / width) * ((each + least) / width));
  if (kernel === "exponential") return apart.map((each) => -(each - least) / width);
  const reaches = (u) => kernel === "constant" || u < 1 || (kernel === "boxcar" && u === 1);
  return apart.map((each) => (reaches(each / width) ? Math.log(PROFILES[kernel](each / width)) : -Infinity));
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

// What the artists of a figure draw, by the names that nwlab.explore gives to them: x and y in data coordinates, weights
// or cells where their look follows weights. places: the points [key, value]; given: what does not depend on them.
function recompute(places, { sigma, kernel, query }, { grid, queries, targets, widths = [] }) {
  const [keys, values] = [0, 1].map((i) => [...places].sort((one, other) => one[0] - other[0]).map((place) => place[i]));
  const answer = (x, width = sigma) => average(attentionWeights(x, keys, kernel, width), values);
  const leftOut = (width) => meanSquare(keys.map((key, i) => {
    const others = (all) => all.filter((_, j) => j !== i);
    return average(attentionWeights(key, others(keys), kernel, width), others(values)) - values[i];
  }));
  const error = (width) => meanSquare(queries.map((x, i) => answer(x, width) - targets[i]));
  const matrix = queries.map((x) => attentionWeights(x, keys, kernel, sigma));
  const row = attentionWeights(query, keys, kernel, sigma);
  const effective = matrix.map((weights) => 1 / average(weights, weights));
  const rows = queries.map((_, i) => i + 1);
  const chosen = queries.reduce((best, x, i) => Math.abs(x - query) < Math.abs(queries[best] - query) ? i : best, 0);
  const pieces = (begins, ends) => begins.flatMap((begin, i) => [begin, ends[i], NaN]);
  return {
    points: { x: keys, y: values, weights: row },
    estimate: { x: grid, y: grid.map((x) => answer(x)) },
    answer: { x: [query], y: [answer(query)] },
    stems: { x: pieces(keys, keys), y: pieces(keys.map(() => 0), row) },
    heads: { x: keys, y: row },
    matrix: { cells: matrix },
    "left out": { x: widths, y: widths.map(leftOut) },
    error: { x: widths, y: widths.map(error) },
    "errors now": { x: [sigma, sigma], y: widths.length ? [leftOut(sigma), error(sigma)] : [] },
    "effective keys": { x: effective, y: rows },
    "effective lines": { x: pieces(rows.map(() => 0.8), effective), y: pieces(rows, rows) },
    "effective now": { x: [effective[chosen]], y: [rows[chosen]] },
  };
}
