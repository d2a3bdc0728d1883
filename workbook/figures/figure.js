// A live figure: the picture, its sentence and its controls. It is the same in every front end and on pages without a
// kernel; only the source of its frames differs. The state is the positions of the controls by name, and their key in
// `dataset.key` of the canvas.

const PAUSE = 900; // milliseconds at a step where play rests
const MOST = 30; // states on the way
const FEW = 3; // positions that a control goes without a glide when it is moved elsewhere
const ASIDE = 6; // pixels after which a finger drags a handle, and does not scroll the page

// about: see `Explorer._describe` in live.py. source, an object:
//   begin()               the positions at first
//   reach(at, change)     the positions to which this change leads from here, or nothing
//   places(name, at)      the positions to which a control can go from here, ascending
//   has(at)               whether there is such a state
//   frame(at)             its frame, if it is here
//   meet(at)              called before: what moved points are drawn from (see moved.js), if the page has to draw them
//   interactions(at)      what drags and keys do: `panels` and `keys`, see `workbook.figures.interactions`
//   width()               of the picture, in the pixels of these
//   moved(names)          the reader has moved these controls
//   change(change)        the reader has moved a point, see `Points.change` in points.py
//   tables(fill)          asks for the numbers, as `makeTable` takes them
//   words()               what is said in place of the frame's sentence, if anything is
//   fixed                 the names of controls that never move; they are not shown
// A source need not have `moved`, `change` and `fixed`.
function showFigure(root, about, source) {
  root.classList.add("wb-figure");
  const canvas = add(root, "canvas", { className: "wb-canvas", tabIndex: about.keys.length ? 0 : -1,
    role: "application", ariaLabel: about.label }); // the sentence below says the rest
  add(root, "div", { className: "wb-late", textContent: translate("catching up …") });
  const sentence = new Sentence(root, about.longest, (name) => redraw({ lit: name }));
  const player = Object.assign(new Player(canvas), { seen: {} });
  const points = new MovablePoints(canvas, about.invitation, source.width, change);
  const controls = new Map(about.controls.map((control) => [control.name, control]));
  const timers = {};
  const later = (name, act, wait) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(act, wait);
  };
  let at = source.begin();
  const key = (places = at) => Object.values(places).join(",");
  const values = () => Object.fromEntries(about.controls.map(({ name, values }) => [name, values[at[name]]]));

  function say(words) {
    if (words === sentence.words) return;
    root.removeAttribute("data-travels"); // no longer pale
    sentence.say(words);
    later("ask", tables.ask, 600);
  }

  // --- from a move to its picture

  // told: whether the source knows of it; motion: how the picture travels there, as a Glide takes it, if it does; held:
  // positions of controls under the hand, which do not travel with it.
  function go(change, { told = false, motion = null, held: inHand = {} } = {}) {
    const to = source.reach(at, change);
    const names = Object.keys(to ?? {}).filter((name) => to[name] !== at[name]);
    if (!names.length) return;
    travel(motion);
    held = inHand;
    at = to;
    redraw();
    if (!told) source.moved?.(names);
  }

  let shown = null; // the key of the state in the picture, or to which it travels
  function redraw(change) { // of the player, beside the state
    Object.assign(player, change);
    const { given, looks, rest } = source.meet(at) ?? {};
    const all = given && recompute(points.movable.places, values(), given, !rest);
    player.renew = all ? renewing(player.held, looks, all, rest) : null;
    showControls(wish || glide ? inPicture : at); // they travel with the picture
    const frame = source.frame(at);
    if (frame) paint(frame, key());
    else root.dataset.late = true;
  }
  // Where the controls have been is forgotten, and where they go to now.
  function cover() {
    for (const one of [wish, glide]) if (one) one.covers = true;
    redraw({ seen: {}, at: {} });
  }
  function paint(frame, name) {
    const goal = player.renewed(frame);
    player.panels = source.interactions(at).panels;
    const change = name !== shown;
    shown = name;
    if (glide && !change && player.drawn) glide.stops.at(-1).frame = goal;
    else if (wish && name === key() && player.drawn) setOut(goal, name);
    else arrive(goal, name);
    root.dataset.late = name !== key();
  }
  function arrive(frame, name) {
    glide?.end();
    glide = null;
    root.removeAttribute("data-travels");
    canvas.dataset.key = name;
    player.visit(positionsIn(name));
    show(frame, wish ? positionsIn(name) : at);
  }
  // onWay: how far the control of the demonstration has come, if it is between two positions.
  function show(frame, places, onWay) {
    if (glide && !glide.covers) player.visit(places);
    player.draw(frame);
    canvas.dataset.frame = Number(canvas.dataset.frame ?? 0) + 1;
    say(source.words() ?? player.sentence(frame));
    showControls(places);
    handAt = onWay;
    demo.follow();
  }
  function positionsIn(name) {
    const places = name.split(",");
    return Object.fromEntries(Object.keys(at).map((control, i) => [control, Number(places[i])]));
  }

  // --- travelling: over the states on the way whose frames are here, and drawn in between

  let held = {};
  let inPicture = at; // the positions that the controls show
  let handAt; // see `show`
  const [demoed] = about.demo;
  let wish = null; // how the next picture travels to its place, if it does
  let glide = null; // the one that is on its way
  let due = null; // the preset of which only the first part has come
  function giveUp() { // what is due
    clearTimeout(timers.preset);
    if (!due) return;
    due = null;
    showControls(inPicture);
  }
  function travel(motion) {
    giveUp();
    wish = motion && !lessMotion.matches ? { asked: performance.now(), ...motion } : null;
    if (wish) return;
    glide?.end();
    glide = null;
  }
  function setOut(goal, name) {
    const [from, to] = [inPicture, positionsIn(name)];
    const stops = [{ share: 0, frame: player.drawn }, ...stopsBetween(from, to), { share: 1, frame: goal }];
    const how = { ...(stops.length > 2 ? pace(from, to) : { ease: slowAtBothEnds }), ...wish };
    root.toggleAttribute("data-travels", !how.ms && player.sentence(goal) !== sentence.words);
    glide?.end();
    glide = new Glide(player, stops, how, (frame, share) =>
      share < 1 ? show(frame, partWay(from, to, share), part(from[demoed], to[demoed], share)) : arrive(frame, name));
    wish = null;
  }
  // Over positions where play rests it rests, too, and each part of the way takes its time.
  function pace(from, to) {
    const { name, pauses } = about.controls.find(({ interval }) => interval) ?? { pauses: [] };
    const rests = pauses.map((place) => (place - from[name]) / (to[name] - from[name])).filter((share) => share > 0 && share < 1);
    const ends = [0, ...rests, 1].sort((one, other) => one - other);
    if (ends.length === 2) return { ease: slowAtBothEnds };
    const [each, ms] = [GLIDE + PAUSE, rests.length * (GLIDE + PAUSE) + GLIDE];
    const ease = (time) => {
      const part = Math.floor((time * ms) / each);
      return valueAt(ends, part + slowAtBothEnds(Math.min((time * ms - part * each) / GLIDE, 1)));
    };
    return { ms, ease };
  }
  // The state at this share of the way: sliders move along, unless a menu turns. among(name): only these places.
  function partWay(from, to, share, among = () => []) {
    const turns = about.controls.some(({ name, kind }) => kind !== "range" && from[name] !== to[name]);
    const moved = Object.entries(from).map(([name, place]) => {
      if (turns || place === to[name]) return [name, to[name]];
      const way = part(place, to[name], share);
      const places = among(name).filter((each) => (each - place) * (each - to[name]) <= 0); // never beyond
      return [name, places[nearest(places, way)] ?? Math.round(way)];
    });
    return Object.fromEntries(moved);
  }
  // States between whose frames are here, if nothing but sliders moves.
  function stopsBetween(from, to) {
    const moved = about.controls.filter(({ name }) => from[name] !== to[name]);
    if (player.renew || moved.some(({ kind, data }) => data || kind !== "range")) return []; // `renew` knows one state
    const ways = moved.map(({ name }) => source.places(name, from).filter((place) =>
      (place - from[name]) * (place - to[name]) < 0).map((place) => (place - from[name]) / (to[name] - from[name])));
    const all = ways.sort((one, other) => other.length - one.length)[0] ?? [];
    const stops = all.filter((_, i) => i % Math.ceil(all.length / MOST) === 0).map((share) => {
      const places = partWay(from, to, share, (name) => source.places(name, from));
      return { share, places, frame: source.frame(places) };
    });
    return stops.filter(({ frame }) => frame).sort((one, other) => one.share - other.share);
  }
  // A press of the hand holds the picture at the next state on its way, and so at the end if there is none.
  function hold() {
    giveUp();
    const stop = player.drawn ? glide?.ahead : null; // else Python has sent everything anew, and its frames are gone
    if (stop?.places) go(stop.places);
    else if (stop) arrive(stop.frame, shown);
  }

  // The reader has moved points, or takes that back.
  function change(how) {
    travel(["undo", "reset"].includes(how[0]) ? {} : null);
    source.change?.(how);
    points.apply(how);
    redraw();
  }

  // --- controls and buttons

  const shows = []; // functions that show where the controls are
  function addControl(place, control, make = makeControl) {
    const glides = control.kind !== "range" || control.data; // there is no way over states between
    const { row, show } = make(control, (position, jumps) => {
      const change = { [control.name]: position };
      const motion = glides || (jumps && isFar(change)) ? {} : null;
      go(change, motion ? { motion, held: { ...held, ...change } } : {});
    });
    place.append(row);
    if (control.interval) row.append(makePlay(control));
    shows.push((seen) => show(seen[control.name], source.places(control.name, at), whyNot(control, seen)));
  }
  const isFar = (change) => Object.entries(change).some(([name, place]) =>
    controls.get(name).kind !== "range" || Math.abs(place - at[name]) > FEW);
  function whyNot({ needs }, at) { // a control has no effect
    if (!needs || at[needs[0]] === needs[1]) return "";
    const { text, labels } = controls.get(needs[0]);
    return translate("Has an effect only with {control}: {option}", { control: text, option: labels[needs[1]] });
  }
  function showControls(places = at) {
    inPicture = { ...places, ...held };
    for (const show of shows) show(inPicture);
  }

  const some = about.controls.filter(({ name }) => !source.fixed?.has(name));
  const group = add(root, "div", { className: "wb-controls" });
  const row = add(root, "div", { className: "wb-buttons" });
  const more = add(root, "div", { className: "wb-more", hidden: true });
  for (const control of some) addControl(control.more ? more : group, control);
  for (const control of some) if (control.inverse) addControl(more, control, makeInverse);
  const button = (textContent, onclick) => add(row, "button", { type: "button", textContent, onclick });
  for (const [name, preset] of Object.entries(about.presets)) {
    const one = button(name, () => setPreset(preset));
    shows.push(() => {
      one.disabled = !source.has(preset);
      one.ariaCurrent = due ? due === preset : Object.keys(preset).every((name) => preset[name] === at[name]);
    });
  }
  // If its first control is a slider, this one moves first, and then the others: what each of them does is seen.
  function setPreset(preset) {
    const [first, ...others] = Object.keys(preset).filter((name) => preset[name] !== at[name]);
    const begins = others.length && !lessMotion.matches && controls.get(first).kind === "range" &&
      source.has({ ...at, [first]: preset[first] });
    go(begins ? { [first]: preset[first] } : preset, { motion: {} });
    if (!begins) return;
    due = preset;
    showControls(inPicture);
    later("preset", () => go(preset, { motion: {} }), GLIDE + PAUSE);
  }
  button(translate("reset"), () => {
    go(about.start, { motion: {} });
    if (points.movable?.moved) change(["reset", -1, null, true]);
    cover();
  });
  if (about.movable) {
    const undo = button(translate("undo"), () => change(["undo", -1, null, true]));
    shows.push(() => (undo.disabled = !points.movable?.moved));
  }
  shows.push(oneStop(...row.children));
  if (more.childElementCount) {
    const fold = button(about.fold, () => {
      more.hidden = !more.hidden;
      fold.ariaExpanded = !more.hidden;
    });
    Object.assign(fold, { className: "wb-fold", ariaExpanded: false });
  }
  const tables = tablesFold(() => source.tables(tables.fill));
  shows.push(() => (tables.fold.hidden = Boolean(source.words())));
  root.append(tables.fold);

  // A button that moves a control on, position by position, until its end; at once where less motion is preferred.
  function makePlay({ name, interval, pauses }) {
    let [timer, last] = [0, 0];
    const button = element("button", { type: "button", className: "wb-play" });
    const places = () => source.places(name, at);
    function stop() {
      clearTimeout(timer);
      timer = 0;
      Object.assign(button, { textContent: "▶", ariaLabel: translate("play") });
    }
    function step(wait) {
      const next = places()[places().indexOf(at[name]) + 1];
      if (!root.isConnected || at[name] !== last || next === undefined) return stop(); // the reader has moved it
      if (root.dataset.late !== "true") { // otherwise the picture of this step comes first
        last = next;
        go({ [name]: next }, { motion: { ms: Math.min(wait, GLIDE), ease: (time) => time } });
      }
      if (next === places().at(-1) && last === next) return stop();
      timer = setTimeout(step, wait + (pauses.includes(last) ? PAUSE : 0), wait);
    }
    button.onclick = () => {
      if (timer) return stop();
      const all = places(); // on a page some are left out: those that are there take their time
      if (lessMotion.matches) return go({ [name]: all.at(-1) });
      if (at[name] === all.at(-1)) go({ [name]: all[0] });
      last = at[name];
      const wait = (interval * (all.at(-1) - all[0])) / (all.length - 1);
      timer = setTimeout(step, wait, wait);
      Object.assign(button, { textContent: "❚❚", ariaLabel: translate("pause") });
    };
    stop();
    return button;
  }

  // --- drags and keys

  let grabbed = null; // the panel in which the drag began: it stays with this one
  let holds = false; // whether a finger holds a handle that moves up and down: like a dot, it must not scroll the page
  let waits; // where a finger began that may scroll the page, until it goes aside or is lifted
  function pointer(event) {
    const [ratio, [x, y]] = [points.pixels, points.at(event)];
    const under = source.interactions(at).panels.find((panel) =>
      isIn(panel.box, x, y, ratio) && source.places(panel.control, at).length > 1);
    if (event.type === "pointerdown") {
      canvas.setPointerCapture(event.pointerId);
      grabbed = under;
      const isUpright = under?.y && !under.x;
      holds = isUpright && Math.abs(y - handleIn(under, inPicture[under.control])[1]) < 3 * GRIP * ratio;
      waits = event.pointerType === "touch" && !holds ? event.clientX : undefined;
    }
    if (event.type === "pointercancel") grabbed = null; // the page scrolls
    if (Math.abs(event.clientX - waits) > ASIDE || event.type === "pointerup") waits = undefined;
    if (event.type === "pointermove" && event.buttons % 2 === 0) canvas.style.cursor = cursorOver(under);
    else if (grabbed && waits === undefined) {
      const change = { [grabbed.control]: nearestPlace(grabbed, x, y) };
      go(change, { motion: event.type === "pointerdown" && isFar(change) ? {} : null });
    }
    if (event.type === "pointerup") grabbed = null;
  }
  for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
    canvas.addEventListener(kind, pointer);
  const holdsStill = (event) => (holds || points.held >= 0) && event.preventDefault();
  canvas.addEventListener("touchstart", holdsStill, { passive: false });
  for (const kind of ["pointerdown", "keydown"]) // of what is in motion the hand takes hold where it is
    root.addEventListener(kind, ({ target }) => (target === canvas || target.type === "range") && hold(), true);
  canvas.addEventListener("keydown", (event) => {
    if (!about.keys.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return; // not the figure's
    event.preventDefault();
    const effect = source.interactions(at).keys[event.key];
    if (!effect) return;
    const [here, next, places] = [at[effect.name], effect.next[at[effect.name]], source.places(effect.name, at)];
    const beyond = places.filter((place) => (next > here ? place >= next : place <= next));
    if (next !== here && beyond.length) go({ [effect.name]: next > here ? beyond[0] : beyond.at(-1) });
  });

  const demo = showDemo(canvas, about.demo, {
    panels: () => (shown ? source.interactions(at).panels : []),
    scale: () => canvas.clientWidth / source.width(),
    at: (name) => handAt ?? inPicture[name],
    has: (position) => source.frame(source.reach(at, { [demoed]: position }) ?? at),
    go: (position, ms) => go({ [demoed]: position }, { motion: { ms } }),
  });

  return {
    canvas, player, points, controls, tables,
    later, say, go, isFar, key, values, redraw, cover, paint, addControl, showControls,
    get at() { return at; },
    get shown() { return shown; },
    stop() {
      glide?.end();
      demo.end(false);
      Object.values(timers).forEach(clearTimeout);
    },
  };
}

