// A recorded figure on a page: reads what `workbook.site.recording` wrote, and plays it by controls, drags and keys.

async function inflate(text) {
  const packed = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A recording: the length of its head, the head, and the bytes of its news as a Player takes them.
function read(bytes) {
  const [length] = new Uint32Array(bytes.slice(0, 4).buffer);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), bytes.subarray(4 + length)];
}

// Numbers from their differences.
function sums(differences) {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

// The news as a Player takes them.
function listed([kinds, differences, sizes]) {
  return sums(differences).map((id, i) => ({ kind: kinds[i], id, bytes: sizes[i] }));
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

async function play(root, data) {
  const [head, body] = read(await inflate(data));
  const live = root.dataset.live;
  const controls = new Map(head.controls.map((control) => [control.name, control]));
  let at = { ...head.start };

  const canvas = add(root, "canvas", { className: "wb-canvas", tabIndex: 0 });
  Object.assign(canvas.style, { width: `${head.width / head.ratio}px`, aspectRatio: `${head.width} / ${head.height}` });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", head.label);
  const sentence = new Sentence(root, head.longest, (name) => {
    player.lit = name;
    show();
  });
  const tables = tablesFold(() => tables.fill(putTogether(...now()[3].map((number) => held[number]))));
  const form = add(root, "form");
  root.append(tables.fold);
  let player = Object.assign(new Player(canvas), { seen: {} });
  player.learn(listed(head.news), body);
  for (const grid of head.grids) grid.frames = framesOf(grid.frames);
  const { held } = player;
  let [ratio, demo] = [0, null];

  // Drawn at the size in which it is shown: a picture that the browser makes smaller or larger is soft.
  function fit() {
    const shown = (canvas.getBoundingClientRect().width * devicePixelRatio) / head.width;
    if (!shown || shown === ratio) return;
    ratio = shown;
    Object.assign(canvas, { width: Math.round(ratio * head.width), height: Math.round(ratio * head.height) });
    player = Object.assign(new Player(canvas, ratio), { held, seen: player.seen });
    show();
  }

  // --- which state is shown

  const gridOf = (places) => head.grids.find((grid) =>
    Object.entries(grid.settings).every(([name, place]) => places[name] === place));
  // All places to which a control can go from here.
  const placesOf = (name) => {
    const all = head.grids.filter(({ settings }) =>
      Object.entries(settings).every(([other, place]) => other === name || at[other] === place));
    const places = all.flatMap(({ axes, settings }) => Object.fromEntries(axes)[name] ?? settings[name] ?? []);
    return [...new Set([at[name], ...places])].sort((one, other) => one - other);
  };
  const nearest = (places, place) => places.reduce((best, one, i) =>
    Math.abs(one - place) < Math.abs(places[best] - place) ? i : best, 0);

  function go(change) {
    const wanted = { ...at, ...change };
    let grid = gridOf(wanted);
    if (!grid) {
      for (const name in change) {
        const places = placesOf(name); // of a slider with few: the nearest
        if (controls.get(name).kind === "range") wanted[name] = places[nearest(places, change[name])];
      }
      grid = gridOf(wanted);
    }
    if (!grid) return;
    at = wanted;
    for (const [name, places] of grid.axes) at[name] = places[nearest(places, at[name])];
    show();
  }

  function now() {
    const grid = gridOf(at);
    return grid.frames[grid.axes.reduce((sum, [name, places]) => sum * places.length + places.indexOf(at[name]), 0)];
  }

  let asking = 0;
  const show = oncePerFrame(() => {
    const grid = gridOf(at);
    const frame = now();
    player.panels = grid.panels;
    player.visit(at);
    follow(grid);
    player.draw(frame);
    canvas.dataset.frame = Number(canvas.dataset.frame ?? 0) + 1;
    canvas.dataset.key = [...controls.keys()].map((name) => at[name]).join(",");
    for (const control of controls.values()) control.show();
    for (const button of form.querySelectorAll("button[data-name]")) button.disabled = !gridOf(head.presets[button.dataset.name]);
    sentence.say(points.past.length ? MOVED : player.sentence(frame));
    tables.fold.hidden = points.past.length > 0;
    undo.disabled = !points.past.length;
    clearTimeout(asking);
    asking = setTimeout(tables.ask, 600);
    demo?.follow();
  });

  // --- points that are moved: the course's own program computes anew what the artists draw of them

  const points = Object.assign(new MovablePoints(canvas, head.invitation, () => head.width, change), { past: [] });
  function change([kind, point, place, begins]) {
    const { past, movable } = points;
    if (begins && kind !== "undo") past.push(movable.places);
    const places = kind === "undo" ? past.pop() ?? movable.places : [...past.at(-1)];
    if (kind === "move") places[point] = place;
    else if (kind === "add") places.push(place);
    else if (kind === "remove" && places.length > 1) places.splice(point, 1);
    points.set({ ...movable, places });
    show();
  }
  function follow({ movable, given }) {
    if (movable !== points.of) { // another sample, or a picture that is not computed here
      const able = given && typeof recompute === "function";
      const same = JSON.stringify(movable?.places) === JSON.stringify(points.of?.places) && able && points.movable;
      if (!same) points.past = [];
      points.of = movable;
      points.set(able ? { ...movable, ...(same && { places: same.places }) } : null);
    }
    const state = Object.fromEntries([...controls.values()].map(({ name, values }) => [name, values[at[name]]]));
    const all = points.past.length && points.movable && recompute(points.movable.places, state, given);
    player.renew = all ? renewing(held, head.looks, all) : null;
  }

  // --- controls

  // Those that move: along an axis of some grid, or from one grid to another.
  const differs = (one, other) => Object.keys(one).filter((name) => name in other && one[name] !== other[name]);
  const moved = new Set(head.grids.flatMap((grid) => {
    const alone = head.grids.map(({ settings }) => differs(grid.settings, settings)).filter((names) => names.length === 1).flat();
    const other = [...alone, ...differs(grid.settings, head.start).filter((name) => controls.get(name).kind !== "range")];
    return [...grid.axes.filter(([, places]) => places.length > 1).map(([name]) => name), ...other];
  }));
  const rest = [...controls.values()].filter(({ name }) => !moved.has(name));
  const shown = [...controls.values()].filter(({ name }) => moved.has(name));
  for (const control of shown) if (!control.more) makeControl(form, control);
  if (head.play.length) makePlay(...head.play);
  const buttons = add(form, "div", { className: "wb-buttons" });
  for (const name of Object.keys(head.presets)) {
    const button = add(buttons, "button", { type: "button", textContent: name });
    button.dataset.name = name;
    button.onclick = () => go(head.presets[name]);
  }
  add(buttons, "button", { type: "button", textContent: "reset" }).onclick = () => {
    player.seen = {};
    [points.past, points.of] = [[], null];
    go(head.start);
  };
  const undo = add(buttons, "button", { type: "button", textContent: "undo", onclick: () => change(["undo"]) });
  undo.hidden = !head.grids.some(({ given }) => given);
  oneStop(buttons);
  if (shown.some(({ more }) => more)) {
    const more = add(form, "details");
    add(more, "summary", { textContent: "more" });
    for (const control of shown) if (control.more) makeControl(more, control);
  }
  form.onsubmit = (event) => event.preventDefault();
  const fold = add(root, "details");
  const names = rest.map(({ text, labels, name }) => `${text} ${labels[at[name]]}`).join(", ");
  add(fold, "summary", { textContent: names ? `Not recorded here: ${names}` : "The live figure" });
  const others = add(fold, "form");
  for (const control of rest) makeControl(others, control);
  const note = add(fold, "p", { textContent: "All of this, and your own data, can be moved in the live figure: " });
  if (live) add(note, "a", { href: live, textContent: "open live, on Binder" });
  else note.append("in JupyterLab.");

  function makeControl(form, control) {
    const { name, kind, text, labels } = control;
    const label = add(form, "label");
    add(label, "span", { textContent: text });
    let field;
    if (kind === "select") {
      field = add(label, "select");
      for (const one of labels) add(field, "option", { textContent: one });
      field.onchange = () => go({ [name]: field.selectedIndex });
    } else if (kind === "switch") {
      field = add(label, "input", { type: "checkbox" });
      label.prepend(field);
      field.onchange = () => go({ [name]: Number(field.checked) });
    } else {
      field = add(label, "input", { type: "range", min: 0, step: 1 });
      field.oninput = () => go({ [name]: control.places[field.value] });
    }
    field.name = name;
    const output = kind === "range" && add(label, "output");
    control.show = () => {
      const place = at[name];
      const available = (one) => one === at[name] || gridOf({ ...at, [name]: one });
      if (kind === "range") {
        control.places = placesOf(name);
        field.max = Math.max(control.places.length - 1, 1);
        field.value = control.places.indexOf(place);
        field.disabled = control.places.length < 2;
        output.textContent = labels[place];
        field.setAttribute("aria-valuetext", labels[place]);
      } else if (kind === "switch") {
        field.checked = place === 1;
        field.disabled = !available(1 - place);
      } else {
        for (const [one, option] of [...field.options].entries()) option.disabled = !available(one);
        field.selectedIndex = place;
        field.disabled = [...field.options].filter((option) => !option.disabled).length < 2;
      }
    };
  }

  // A button that moves a control on, step by step, until its end.
  function makePlay(name, interval) {
    const button = add(form, "button", { type: "button" });
    let timer = 0;
    function play(on) {
      clearInterval(timer);
      const { places } = controls.get(name); // some are left out: those that are there take their time
      timer = on ? setInterval(step, interval * (places.at(-1) - places[0]) / (places.length - 1)) : 0;
      button.textContent = on ? "❚❚ pause" : "▶ play";
    }
    function step() {
      const { places } = controls.get(name);
      const next = places[places.indexOf(at[name]) + 1];
      if (next === undefined) return play(false);
      go({ [name]: next });
      if (next === places.at(-1)) play(false);
    }
    button.onclick = () => {
      const end = controls.get(name).places.at(-1);
      if (!timer && at[name] === end) go({ [name]: controls.get(name).places[0] });
      play(!timer);
    };
    play(false);
  }

  // A question asks for the state that shows its answer, { control: value }: taken if it, or nearly it, was recorded.
  root.addEventListener("wb-show", (event) => {
    const [before, wanted] = [at, {}];
    for (const [name, value] of Object.entries(event.detail)) {
      if (!controls.has(name)) return;
      const { kind, values } = controls.get(name);
      wanted[name] = kind === "range" ? nearest(values, value) : values.indexOf(value);
    }
    go(wanted);
    const far = ([name, place]) => Math.abs(at[name] - place) > 0.05 * (controls.get(name).values.length - 1);
    if (Object.entries(wanted).some(far)) go(before);
    else event.preventDefault();
  });

  // --- drags and keys

  let grabbed = null;
  function point(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((each) => (each * head.width) / box.width);
    const under = gridOf(at).panels.find((panel) =>
      isIn(panel.box, x, y, head.width / box.width) && moves(panel.control));
    return { x, y, under };
  }
  const moves = (name) => gridOf(at).axes.some(([axis, places]) => axis === name && places.length > 1) || moved.has(name);
  const drag = (panel, x, y) => go({ [panel.control]: nearestPlace(panel, x, y) });
  canvas.onpointerdown = (event) => {
    const { x, y, under } = point(event);
    if (event.button !== 0 || !under) return;
    canvas.setPointerCapture(event.pointerId);
    grabbed = under;
    drag(grabbed, x, y);
  };
  canvas.onpointermove = (event) => {
    const { x, y, under } = point(event);
    if (grabbed) return drag(grabbed, x, y);
    canvas.style.cursor = cursorOver(under);
  };
  canvas.onpointerup = canvas.onpointercancel = () => (grabbed = null);
  canvas.onkeydown = (event) => {
    const grid = gridOf(at);
    const effect = grid.keys[event.key];
    if (!effect || event.ctrlKey || event.altKey || event.metaKey) return; // all others keep their meaning
    event.preventDefault();
    const places = placesOf(effect.name);
    const here = places.indexOf(at[effect.name]);
    const step = Math.sign(effect.next[at[effect.name]] - at[effect.name]);
    go({ [effect.name]: places[Math.min(Math.max(here + step, 0), places.length - 1)] });
  };
  go({});
  demo = showDemo(canvas, head.demo, {
    panels: () => gridOf(at).panels,
    scale: () => canvas.clientWidth / head.width,
    at: (name) => at[name],
    has: () => true,
    go: (place) => go({ [head.demo[0]]: place }),
  });
  new ResizeObserver(fit).observe(canvas);
  addEventListener("resize", fit); // also where the page, or a slide, is shown larger or smaller as a whole
}

const MOVED = "You have moved points. The dots, the curves and the weights are computed from them; <b>undo</b> " +
  "takes each move back, and <b>reset</b> all of them.";

// A function that puts other data into an item that has a name: x and y in data coordinates, or cells; and weights, for
// which `looks` says what a mark or a cell looks like. What was made for the frame before is forgotten.
let made = [];
function renewing(held, looks, all) {
  for (const name of made) delete held[name];
  made = [];
  const keep = (array) => {
    made.push(`made ${performance.now()} ${made.length}`);
    held[made.at(-1)] = array;
    return made.at(-1);
  };
  const eighths = (values, zero, unit, log) => Int16Array.from(values, (value) => {
    const pixel = zero + unit * (log ? Math.log10(value) : value);
    return Number.isFinite(pixel) ? Math.min(Math.max(Math.round(pixel * EIGHTHS), -32767), 32767) : NOWHERE;
  });
  return ([label, ...shapes]) => {
    const [kind, name, ...map] = label ?? [];
    if (kind !== "data" || (name && !all[name])) return undefined;
    const found = all[name]?.();
    if (!found) return []; // it cannot be computed here
    const look = held[looks[name]]?.at(-1); // of the weights ±(k / 1000)², from -1 to 1
    const level = (weight) => 1000 + Math.round(1000 * Math.sign(weight) * Math.sqrt(Math.min(Math.abs(weight), 1)));
    return shapes.map((shape, i) => {
      const numbers = [found].flat()[i] ?? found; // of several lines each has its own
      shape = [...shape];
      if (shape[0] === "image") {
        const [rows, none] = [numbers.cells, held[shape[3]].length - 1];
        shape[2] = keep(Uint8Array.from(rows.flat(), (weight) => held[look[2]][level(weight)] ?? none));
        [shape[4], shape[5]] = [rows[0].length, rows.length];
        return shape;
      }
      const [xs, ys] = [eighths(numbers.x, ...map.slice(0, 3)), eighths(numbers.y, ...map.slice(3))];
      if (shape[0] === "stamp") {
        [shape[5], shape[6]] = [keep(xs), keep(ys)];
        if (look) {
          const levels = numbers.weights.map((weight) => level(weight) || 1000);
          const colours = new Uint32Array(held[look[8]].buffer);
          shape[7] = keep(Int16Array.from(levels, (one) => held[look[7]][one]));
          shape[8] = keep(new Uint8Array(Uint32Array.from(levels, (one) => colours[one]).buffer));
        }
        return shape;
      }
      const seen = [...xs.keys()].filter((i) => xs[i] !== NOWHERE && ys[i] !== NOWHERE);
      const codes = seen.map((i, j) => (j && seen[j - 1] === i - 1 ? 2 : 1)); // a line, or a move after a gap
      const those = (all) => keep(Int16Array.from(seen, (i) => all[i]));
      return ["path", shape[1], those(xs), those(ys), keep(Uint8Array.from(codes))];
    });
  };
}

// Light or dark as the page has chosen, or else as the reader's system has.
const dark = matchMedia("(prefers-color-scheme: dark)");
const whole = document.documentElement;
function light() {
  whole.dataset.jpThemeLight = whole.dataset.theme ? whole.dataset.theme === "light" : !dark.matches;
}
dark.onchange = light;
new MutationObserver(light).observe(whole, { attributeFilter: ["data-theme"] });
light();
const isNarrow = (root) => root.clientWidth < 600;
for (const root of document.querySelectorAll(".wb-recorded:has(> .wb-recording)"))
  play(root, root.querySelectorAll(".wb-recording")[Number(isNarrow(root))].textContent).catch((error) => {
    console.error("the recorded figure could not be shown", error);
    add(root, "p", { textContent: "This figure could not be shown: this browser may be too old for it." });
  });
