// What a page draws of moved points by itself: without a kernel, or until Python answers.

// A function that puts other data into an item that has a name: x and y in data coordinates, or cells; and weights, for
// which `looks` says what a mark or a cell looks like. rest: what becomes of an item that cannot be computed here.
function renewing(held, looks, all, rest) {
  const eighths = (values, zero, unit, log) => Int16Array.from(values, (value) => {
    const pixel = zero + unit * (log ? Math.log10(value) : value);
    return Number.isFinite(pixel) ? Math.min(Math.max(Math.round(pixel * EIGHTHS), -32767), 32767) : NOWHERE;
  });
  return ([label, ...shapes]) => {
    const [kind, name, ...map] = label ?? [];
    if (kind === "note") return rest; // it cannot be said here
    if (kind !== "data" || (name && !all[name])) return undefined;
    const found = all[name]?.();
    if (!found) return rest;
    const look = held[looks[name]]?.at(-1); // of the weights ±(k / 1000)², from -1 to 1
    const level = (weight) => 1000 + Math.round(1000 * Math.sign(weight) * Math.sqrt(Math.min(Math.abs(weight), 1)));
    const renewed = shapes.map((shape) => {
      shape = [...shape];
      if (shape[0] === "image") {
        const [rows, none] = [found.cells, held[shape[3]].length - 1];
        shape[2] = Uint8Array.from(rows.flat(), (weight) => held[look[2]][level(weight)] ?? none);
        shape.splice(4, 4, -1, -1, rows[0].length, rows.length);
        return shape;
      }
      const [xs, ys] = [eighths(found.x, ...map.slice(0, 3)), eighths(found.y, ...map.slice(3))];
      if (shape[0] === "stamp") {
        [shape[5], shape[6]] = [xs, ys];
        if (look) {
          const levels = found.weights.map((weight) => level(weight) || 1000);
          const colours = new Uint32Array(held[look[8]].buffer);
          shape[7] = Int16Array.from(levels, (one) => held[look[7]][one]);
          shape[8] = new Uint8Array(Uint32Array.from(levels, (one) => colours[one]).buffer);
        }
        return shape;
      }
      const seen = [...xs.keys()].filter((i) => xs[i] !== NOWHERE && ys[i] !== NOWHERE);
      const goesOn = seen.map((i, j) => j > 0 && seen[j - 1] === i - 1); // and has no gap before
      const codes = goesOn.indexOf(false, 1) < 0 ? -1 : Uint8Array.from(goesOn, (on) => (on ? 2 : 1));
      const those = (all) => Int16Array.from(seen, (i) => all[i]);
      return ["path", shape[1], those(xs), those(ys), codes];
    });
    return [label, ...renewed];
  };
}
