// What the artists of a figure draw after points were moved, by the names that `shows=...` gives to them: x and y in
// data coordinates, and weights or cells where weights decide their looks. places: the points [key, value]; given:
// `Scene.given`. isBrief: without the curves of errors, for which a hand would have to wait.
function recompute(places, state, given, isBrief) {
  return given.terms ? redrawPlane(places, state, given) : redrawFit(places, state, given, isBrief);
}

// The keys of `explore.morph`: scores q M k - b |k|² / 2, whose M and b lie between those of two neighbouring steps.
function redrawPlane(places, { step, sigma, query }, { circle, terms }) {
  const later = Math.ceil(step);
  const done = Math.min(Math.max((step - later + 0.7) / 0.3, 0), 1); // of the beat in which the weights change
  const [old, now] = [Math.max(later - 1, 0), later].map((each) =>
    terms[each][0].map((zero, i) => zero + (terms[each][1][i] - zero) / sigma ** 2));
  const [xx, xy, yx, yy, b] = now.map((each, i) => each + (1 - done) * (old[i] - each));
  const [x, y] = circle[query - 1];
  const [across, up] = [x * xx + y * yx, x * xy + y * yy]; // q M
  const scores = places.map(([kx, ky]) => across * kx + up * ky - (b * (kx * kx + ky * ky)) / 2);
  return { discs: () => ({ x: places.map(([kx]) => kx), y: places.map(([, ky]) => ky), weights: softmax(scores) }) };
}

function redrawFit(places, { sigma, h, query },
  { grid, queries, targets, widths, kernel: shown, stretch, first, gaussian, line, spread }, isBrief) {
  const [keys, values] = [0, 1].map((i) => [...places].sort((one, other) => one[0] - other[0]).map((place) => place[i]));
  const kernel = kernelOf(shown), width = stretch ? h * stretch : sigma; // `stretch`, of kernels: h becomes its width
  const row = attentionWeights(query, keys, kernel, width);
  const lineRow = line ? lineWeights(query, keys, kernel, sigma) : [];
  const isBelow = (weight) => weight < -0.001 * Math.max(...lineRow.map(Math.abs));
  const answers = (xs, kernel, width, weights = attentionWeights) =>
    xs.map((x) => average(weights(x, keys, kernel, width), values));
  const leftOut = (width) => meanSquare(keys.map((key, i) =>
    average(attentionWeights(key, keys, kernel, width, i), values) - values[i]));
  const error = (width) => meanSquare(answers(queries, kernel, width).map((answer, i) => answer - targets[i]));
  const matrix = (weights) => queries.map((x) => weights(x, keys, kernel, sigma));
  let counted = null;
  const effective = () => (counted ??= matrix(attentionWeights).map((weights) => 1 / average(weights, weights)));
  const rows = queries.map((_, i) => i + 1);
  const chosen = queries.reduce((best, x, i) => Math.abs(x - query) < Math.abs(queries[best] - query) ? i : best, 0);
  const pieces = (begins, ends) => begins.flatMap((begin, i) => [begin, ends[i], NaN]);
  return {
    points: () => ({ x: keys, y: values, weights: Number.isFinite(lineRow[0])
      ? lineRow.map((weight) => (isBelow(weight) ? weight : Math.max(weight, 0))) : row }),
    estimate: () => ({ x: grid, y: answers(grid, kernel, width) }),
    answer: () => ({ x: [query], y: [average(row, values)] }),
    matrix: () => ({ cells: matrix(attentionWeights) }),
    first: () => ({ x: grid, y: answers(grid, kernelOf(gaussian), first) }),          // of kernels, before changes
    sure: () => {                       // see `FitScene.show_band`
      const all = grid.map((x) => attentionWeights(x, keys, kernel, width));
      const centre = filled(grid, all.map((weights) => average(weights, values)));
      const edge = (sign) => all.map((weights, i) => centre[i] + sign * spread * Math.sqrt(average(weights, weights) || 0));
      return { x: [...grid, ...[...grid].reverse()], y: [...edge(1), ...edge(-1).reverse()] };
    },
    bar: () => ({ x: [query, query], y: [-1, 1].map((sign) => average(row, values) + sign * spread * Math.sqrt(average(row, row))) }),
    similarity: () => ({ x: keys.map((key) => key - query),
      y: keys.map((key) => kernel.similarity(Math.abs(key - query) / width)) }),
    line: () => ({ x: grid, y: answers(grid, kernel, sigma, lineWeights) }),
    "line answer": () => ({ x: [query], y: [average(lineRow, values)] }),
    "line matrix": () => ({ cells: matrix(lineWeights) }),
    ...!isBrief && {
      "left out": () => ({ x: widths, y: widths.map(leftOut) }),
      error: () => ({ x: widths, y: widths.map(error) }),
      "errors now": () => ({ x: [sigma, sigma], y: [leftOut(sigma), error(sigma)] }),
    },
    "effective keys": () => ({ x: effective(), y: rows }),
    "effective lines": () => ({ x: pieces(rows.map(() => 0.8), effective()), y: pieces(rows, rows) }),
    "effective now": () => ({ x: [effective()[chosen]], y: [rows[chosen]] }),
  };
}

// The numbers with a straight line over each gap, as `np.interp` draws it; zeros if there are no numbers.
function filled(xs, numbers) {
  const known = [...xs.keys()].filter((i) => Number.isFinite(numbers[i]));
  const line = [xs, numbers].map((all) => known.map((i) => all[i]));
  return xs.map((x) => (known.length ? heightAt(line, x) : 0));
}
