// The source of a figure on a page without a kernel: what `workbook.site.recording` wrote.

async function inflate(text) {
  const packed = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers from their differences.
function sums(differences) {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

// Frames of columns of differences: background, sentence, so many items, tables. -1: there are no more in a frame.
function framesOf([count, ...differences]) {
  const columns = differences.map(sums);
  return columns[0].map((_, i) => {
    const [background, sentence, ...rest] = columns.map((column) => column[i]);
    const some = (from, to) => rest.slice(from, to).filter((number) => number >= 0);
    return [background, some(0, count), sentence, some(count)];
  });
}

// Tables as `makeTable` takes them: their captions and heads, and then their columns.
function putTogether(made, ...columns) {
  return JSON.parse(made).map(([caption, head]) => {
    const [first, ...rest] = columns.splice(0, head.length).map((column) => column.split("\t"));
    return { caption, head, rows: first.map((name, i) => [name, ...rest.map((column) => column[i])]) };
  });
}

// before: the figure that the new one replaces, in the same state.
async function play(root, data, before) {
  const bytes = await inflate(data); // the length of the head, the head, and the bytes of its news
  const [length] = new Uint32Array(bytes.buffer, 0, 1);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  before?.stop();
  for (const one of [...root.childNodes]) if (!one.matches?.(".wb-recording")) one.remove();
  for (const grid of head.grids) grid.frames = framesOf(grid.frames);
  head.movable = head.grids.some(({ given }) => given);
  const controls = new Map(head.controls.map((control) => [control.name, control]));

  // --- which states are there: each is on a grid

  const nearestOf = (places, place) => places[nearest(places, place)];
  const fits = ({ settings }, at, but) =>
    Object.entries(settings).every(([name, place]) => name === but || at[name] === place);
  const gridOf = (at) => head.grids.find((grid) => fits(grid, at));

  // Those of all grids that differ from here in nothing else.
  function places(name, at) {
    const all = head.grids.filter((grid) => fits(grid, at, name));
    const found = all.flatMap(({ axes, settings }) => Object.fromEntries(axes)[name] ?? settings[name] ?? []);
    return [...new Set([at[name], ...found])].sort((one, other) => one - other);
  }

  function reach(at, change) {
    const wanted = { ...at, ...change };
    for (const [name, place] of Object.entries(change)) // of a slider with few: the nearest
      if (!gridOf(wanted) && controls.get(name).kind === "range") wanted[name] = nearestOf(places(name, at), place);
    const grid = gridOf(wanted);
    if (!grid) return undefined;
    for (const [name, places] of grid.axes) wanted[name] = nearestOf(places, wanted[name]);
    return wanted;
  }

  function frame(at) {
    const grid = gridOf(at);
    if (!grid?.axes.every(([name, places]) => places.includes(at[name]))) return undefined;
    return grid.frames[grid.axes.reduce((sum, [name, places]) => sum * places.length + places.indexOf(at[name]), 0)];
  }

  // The controls that never move: on each grid they have one place.
  const states = head.grids.map(({ settings }) => ({ ...head.start, ...settings }));
  const fixed = new Set([...controls.keys()].filter((name) => states.every((at) => places(name, at).length === 1)));

  const figure = showFigure(root, head, {
    places, reach, frame, fixed, meet, has: gridOf, interactions: gridOf,
    begin: () => reach(before?.at ?? head.start, {}) ?? head.start, width: () => head.width,
    words: () => (figure.points.past.length ? MOVED : undefined),
    tables: (fill) => fill(putTogether(...frame(figure.at)[3].map((number) => figure.player.held[number]))),
  });
  const { canvas, player, points } = figure;
  const [kinds, differences, sizes] = head.news;
  player.learn(sums(differences).map((id, i) => ({ kind: kinds[i], id, bytes: sizes[i] })), bytes.subarray(4 + length));
  Object.assign(canvas.style, { width: `${head.width / head.ratio}px`, aspectRatio: `${head.width} / ${head.height}` });

  // Drawn at the size in which it is shown: a picture that the browser makes smaller or larger is soft.
  let ratio = 0;
  function fit() {
    const shown = (canvas.getBoundingClientRect().width * devicePixelRatio) / head.width;
    if (!shown || shown === ratio) return;
    ratio = shown;
    Object.assign(canvas, { width: Math.round(ratio * head.width), height: Math.round(ratio * head.height) });
    player.resize(ratio);
    figure.redraw();
  }

  // --- points that are moved: the course's own program computes anew what the artists draw of them

  let recorded = before?.recorded() ?? null;
  if (before) Object.assign(points, { past: before.points.past }).set(before.points.movable);
  function meet(at) {
    const { movable, given } = gridOf(at);
    if (movable !== recorded) { // another sample, or a picture that is not computed here
      const same = JSON.stringify(movable?.places) === JSON.stringify(recorded?.places) && given && points.movable;
      if (!same) points.past = [];
      recorded = movable;
      points.set(given ? { ...movable, ...(same && { places: same.places, moved: same.moved }) } : null);
    }
    return points.past.length && points.movable ? { given, looks: head.looks, rest: [] } : null;
  }

  // A question asks for the state that shows its answer, { control: value }: taken if it, or nearly it, was recorded.
  function answer(state) {
    if (!Object.keys(state).every((name) => controls.has(name))) return false;
    const asked = Object.entries(state).map(([name, value]) => [name, positionOf(controls.get(name), value)]);
    const to = reach(figure.at, Object.fromEntries(asked)) ?? {};
    const near = ([name, place]) => Math.abs(to[name] - place) <= 0.05 * (controls.get(name).values.length - 1);
    if (!asked.every(near)) return false;
    figure.go(to, { motion: {} });
    return true;
  }

  // --- what is not recorded

  const rest = [...controls.values()].filter(({ name }) => fixed.has(name));
  const names = rest.map(({ text }) => text).join(", ");
  const folds = add(root, "div", { className: "wb-folds" });
  folds.append(root.querySelector(".wb-tables"));
  const fold = add(folds, "details");
  add(fold, "summary", { textContent: names ? translate("Only in JupyterLab: {names}", { names }) : translate("The live figure") });
  const others = add(fold, "div", { className: "wb-controls" });
  for (const control of rest) figure.addControl(others, control);
  const note = add(fold, "p", { textContent: translate("All of this, and your own data, can be moved in the live figure: ") });
  if (root.dataset.live) add(note, "a", { href: root.dataset.live, textContent: translate("open live, on Binder") });
  else note.append(translate("in JupyterLab."));
  fit();
  new ResizeObserver(fit).observe(canvas);
  addEventListener("resize", fit); // also where the page, or a slide, is shown larger or smaller as a whole
  return Object.assign(figure, { answer, recorded: () => recorded });
}

const MOVED = translate("You have moved points. The dots, the curves and the weights are computed from them; <b>undo</b> takes each move back, and <b>reset</b> all of them.");

// Light or dark as the page has chosen, or else as the reader's system has.
const dark = matchMedia("(prefers-color-scheme: dark)");
const whole = document.documentElement;
function light() {
  whole.dataset.jpThemeLight = whole.dataset.theme ? whole.dataset.theme === "light" : !dark.matches;
}
dark.onchange = light;
new MutationObserver(light).observe(whole, { attributeFilter: ["data-theme"] });
light();
// Show a figure, of its two recordings the one for a phone where there is little room, also once the phone is turned.
// load(narrow): its data, or a promise of it.
function keep(root, load) {
  let [figure, narrow, ready] = [null, null, Promise.resolve()];
  async function choose() {
    const now = root.clientWidth < 600;
    if (now === narrow || root.clientWidth === 0) return;
    narrow = now;
    try {
      figure = await play(root, await load(now), figure);
    } catch (error) {
      console.error("a recorded figure could not be shown", error);
      if (!root.querySelector("canvas, img"))
        add(root, "p", { textContent: translate("This figure could not be shown: this browser may be too old for it.") });
    }
  }
  new ResizeObserver(() => (ready = ready.then(choose))).observe(root);
  root.addEventListener("wb-show", (event) => figure?.answer(event.detail) && event.preventDefault());
}
for (const root of document.querySelectorAll(".wb-recorded:has(> .wb-recording)"))
  keep(root, (narrow) => root.querySelectorAll(".wb-recording")[Number(narrow)].textContent);
