// The browser's half of a live figure: it paints the frames that it has, and tells Python when a control moves.
//
// The key of a state is the positions of its controls. Python sends each frame with its key. While the frame of the
// present state is missing, the figure says that it is catching up. Python waits for a confirmation after every fourth
// message, so that nothing queues up, however fast a slider is dragged.

const NO_INTERACTIONS = { panels: [], keys: {}, movable: null };
const CATCHING_UP = 80; // milliseconds before the page says so; most frames arrive sooner
const ASK = 10; // milliseconds until the page checks again whether Python has answered
const AT_REST = 100; // milliseconds after its last move, a slider counts as at rest

function render({ model, el }) {
  el.classList.add("wb");
  const canvas = element("canvas", { className: "wb-canvas", tabIndex: model.get("handled_keys").length ? 0 : -1 });
  put(canvas, { role: "application", "aria-label": model.get("label") }); // the sentence below says the rest
  canvas.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys (delete cell, ...) stay out of the figure
  canvas.style.height = `${model.get("height")}px`; // keeps the page from jumping when the first frame arrives
  const late = element("div", { className: "wb-late", textContent: "catching up …", hidden: true });
  el.append(canvas, late);
  const sentence = new Sentence(el, model.get("longest"), (name) => redraw({ lit: name }));
  const tables = tablesFold(() => send({ type: "tables" }));
  el.append(tables.fold);
  const player = Object.assign(new Player(canvas), { seen: {} });
  const timers = {};
  const later = (name, act, wait) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(act, wait);
  };

  function say(words) {
    if (words === sentence.words) return;
    sentence.say(words);
    later("ask", tables.ask, 600);
  }

  function send(message) {
    saveAll();
    try {
      model.send(message);
    } catch { // after a restart the kernel knows nothing of this figure
      restarted();
    }
  }
  const restarted = () => say("The kernel was restarted and no longer knows this figure: <b>run its cell again</b>.");

  // "Run All" keeps the kernel busy, and no frame arrives before it is done: until then show the picture of the output.
  later("preview", async () => {
    const bytes = model.get("preview");
    if (canvas.dataset.frame || !bytes?.byteLength) return;
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    if (!canvas.dataset.frame) {
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.style.height = "auto";
      player.context.drawImage(image, 0, 0);
    }
    image.close();
  }, 400);

  // The models of the figure's controls by name; their positions are the key of the state.
  const controls = new Map();
  const unlisten = [];
  function listen(control, act, names = "change:index change:value") {
    control.on(names, act);
    unlisten.push(() => control.off(names, act));
  }
  // As long as the page has the frames, Python is told of a moving control when it rests, or before any other message:
  // at each message JupyterLab lays out its bars again, which takes longer than painting a frame.
  const unsaved = new Map();
  const saved = new Set(); // all controls whose changes are sent this way
  function saveAtRest(control) {
    saved.add(control);
    instead(control, "save_changes", (save) => (...how) => {
      unsaved.set(control, () => save.apply(control, how));
      if (player.frames.has(key())) later("save", saveAll, AT_REST);
      else queueMicrotask(saveAll); // a slider saves while it moves, before it has its new position
    });
    // While a slider is being moved, Python's answer to an earlier position would move it back.
    instead(control, "set_state", (set) => ({ ...state }) => {
      const ahead = { ...control._msg_buffer, ...(isUnsaved(control) && control._buffered_state_diff) };
      for (const name of ["index", "value"]) if (name in ahead) delete state[name];
      set.call(control, state);
    });
  }
  const isUnsaved = (control) => unsaved.has(control) || acts.some((one) => one.control === control);
  // Put a method made from the one before in its place. A second view of the figure wraps the method of the first, so a
  // view that is closed restores a method only if its own one is still in place.
  function instead(control, name, make) {
    const before = control[name];
    const own = make(before);
    control[name] = own;
    unlisten.push(() => {
      if (control[name] === own) control[name] = before;
    });
  }
  function saveAll() {
    const now = [...unsaved];
    unsaved.clear();
    for (const [control, act] of now) {
      if (acts.at(-1)?.control === control) acts.pop();
      acts.push({ control, act });
    }
    tell();
  }
  // Python may handle a control, a point and a button in three threads, and must be told of them in the order in which
  // the reader moved them. So a point or a button waits until Python is done with everything before it, and whatever
  // comes next waits until Python is done with the point or the button.
  const acts = []; // what the reader has done and Python has not been told
  let [sent, answered, pressed] = [0, 0, 0]; // changes of points; buttons that Python is handling
  const areSaved = () => ![...saved].some((control) => control._pending_msgs || control._msg_buffer);
  const isGone = () => [...saved].some((control) => control.comm_live === false);
  const isNext = ({ control }) => isGone() || (!pressed && answered >= sent && (control || areSaved()));
  function tell() {
    while (acts.length && isNext(acts[0])) acts.shift().act();
    if (acts.length) later("tell", tell, ASK);
  }
  function press(event) {
    saveAll();
    const button = event.target.closest?.(".widget-button"); // the fold and the play buttons work without Python
    if (!button || button.disabled || !el.closest(".wb-figure")?.contains(button) || event.heard) return;
    event.stopImmediatePropagation();
    const click = () => Object.assign(new MouseEvent("click", { bubbles: true }), { heard: true });
    const act = () => {
      if (button.disabled) return;
      pressed++;
      button.dispatchEvent(click());
    };
    acts.push({ act });
    tell();
  }
  async function findControls() {
    const all = await Promise.all(model.get("controls").map(async ([name, id]) =>
      [name, await model.widget_manager.get_model(id.replace("IPY_MODEL_", ""))]));
    for (const [name, control] of all) {
      controls.set(name, control);
      saveAtRest(control);
      listen(control, () => queueMicrotask(repaint)); // once all controls that this event moves have moved
      listen(control, () => control.comm_live === false && restarted(), "comm_live_update");
    }
    for (const id of model.get("play_buttons")) {
      const button = await model.widget_manager.get_model(id.replace("IPY_MODEL_", ""));
      button.on("change:playing", () => withoutMotion(button));
    }
    for (const [name, id, last] of model.get("twins")) {
      const [one, twin] = [controls.get(name), await model.widget_manager.get_model(id.replace("IPY_MODEL_", ""))];
      // The twin shows the same control in other units. The page moves it, and neither sends its position to Python nor
      // takes it from there: in Python the two are linked anyway.
      instead(twin, "save_changes", () => () => {
        twin._buffered_state_diff = {};
      });
      instead(twin, "set_state", (set) => ({ index, ...state }) => set.call(twin, state));
      listen(one, () => twin.set("index", last - one.get("index")));
      listen(twin, () => place(name, last - twin.get("index")));
    }
  }
  const ready = findControls().catch((error) => console.error("the controls were not found", error));
  const key = () => [...controls.values()].map(position).join(",");

  let shown = null; // the key of the state in the picture; painted: its frame as JSON
  let painted = "";
  const repaint = oncePerFrame(() => {
    const now = key();
    const frame = player.frames.get(now);
    if (!frame) behind(true);
    else if (shown !== now || painted !== JSON.stringify(frame)) show(frame, now);
    else behind(false);
    if (isGone()) restarted();
  });
  function redraw(change) {
    Object.assign(player, change);
    painted = "";
    repaint();
  }
  function show(frame, name) {
    const places = name.split(",");
    player.visit(Object.fromEntries([...controls.keys()].map((control, i) => [control, Number(places[i])])));
    player.draw(frame);
    shown = name;
    painted = JSON.stringify(frame);
    canvas.dataset.frame = Number(canvas.dataset.frame ?? 0) + 1;
    canvas.dataset.key = name;
    say(player.sentence(frame));
    behind(name !== key());
    demo.follow();
  }
  function behind(so) {
    el.dataset.late = so;
    if (!so) late.hidden = true;
    clearTimeout(timers.late);
    if (so) later("late", () => (late.hidden = el.dataset.late !== "true"), CATCHING_UP);
  }

  let queue = ready; // messages are handled in the order in which they were sent
  const next = (act) => {
    queue = queue.then(act).catch((error) => console.error("a message could not be handled", error));
  };
  function receive(message, buffers) {
    if (message.type === "tables") return tables.fill(message.tables);
    if (message.type === "pressed") {
      pressed = Math.max(pressed - 1, 0); // the button may have been pressed in another view
      return tell();
    }
    if (message.type === "cover") next(() => redraw({ seen: {} }));
    else if (message.type === "interactions") next(() => takeInteractions(message));
    else if (message.type === "frames") {
      next(() => takeFrames(message, buffers));
      next(() => {
        answered = message.answered;
        tell();
        if (message.confirm) send({ type: "painted", id: message.id });
      });
    }
  }
  function takeInteractions(message) {
    const first = interactions === NO_INTERACTIONS;
    interactions = { ...interactions, ...message };
    if (answered >= sent && !acts.some(({ change }) => change)) points.set(interactions.movable);
    player.panels = interactions.panels;
    if (first) redraw();
    demo.follow();
  }
  function takeFrames(message, buffers) {
    player.clear(message.clear);
    if (message.clear) painted = "";
    if (message.clear === "all") interactions = NO_INTERACTIONS;
    player.learn(message.news, buffers[0]);
    if (canvas.width !== message.width || canvas.height !== message.height || !canvas.dataset.frame) {
      canvas.width = message.width;
      canvas.height = message.height;
      canvas.style.width = `${message.width / message.ratio}px`;
      canvas.style.height = "auto"; // where there is less room than for the narrowest layout, the picture shrinks
    }
    const now = key();
    for (const [name, frame] of Object.entries(message.frames)) {
      player.frames.set(name, frame);
      // A frame sent as "now" is painted even if the controls have moved on, but never over the frame of where they
      // are.
      const same = shown === name && JSON.stringify(frame) === painted;
      canvas.dataset.prepared = player.frames.size;
      if (!same && (name === now || (message.now && shown !== now))) show(frame, name);
    }
  }

  // What drags and keys do: which control a drag in each panel moves, and to which position each key moves a control.
  let interactions = NO_INTERACTIONS;
  function place(name, at) {
    const control = controls.get(name);
    if (position(control) === at) return;
    moveTo(control, at);
    control.save_changes();
  }
  const drag = (panel, x, y) => place(panel.control, nearestPlace(panel, x, y));

  // Python is told of a moved point once it has answered the change before, and then only of the point's last place.
  const points = new MovablePoints(canvas, model.get("invitation"), () => canvas.width, (change) => {
    const [, , , begins] = change;
    saveAll();
    if (!begins && acts.at(-1)?.change) change[3] = acts.pop().change[3];
    acts.push({ change, act: () => send({ type: "points", id: ++sent, change }) });
    tell();
  });

  let grabbed = null; // the panel in which the drag began: it stays with this one
  function pointer(event) {
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    const [x, y] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
    const under = interactions.panels.find((panel) => isIn(panel.box, x, y, ratio));
    if (event.type === "pointerdown") {
      canvas.setPointerCapture(event.pointerId);
      grabbed = under;
    }
    if (event.buttons % 2 === 0) canvas.style.cursor = cursorOver(under);
    else if (grabbed) drag(grabbed, x, y);
  }
  for (const kind of ["pointerdown", "pointermove"]) canvas.addEventListener(kind, pointer);
  canvas.addEventListener("keydown", (event) => {
    if (!model.get("handled_keys").includes(event.key)) return; // all other keys, such as Tab, keep their meaning
    event.preventDefault();
    event.stopPropagation();
    const effect = interactions.keys[event.key];
    if (effect) place(effect.name, effect.next[position(controls.get(effect.name))]);
  });

  const [demoed] = model.get("demo");
  const keyAt = (place) => [...controls].map(([name, one]) => (name === demoed ? place : position(one))).join(",");
  const demo = showDemo(canvas, model.get("demo"), {
    panels: () => (shown ? interactions.panels : []),
    scale: () => canvas.clientWidth / canvas.width,
    at: (name) => position(controls.get(name)),
    has: (position) => player.frames.has(keyAt(position)),
    go: (position) => place(demoed, position),
  });

  let wide = 0;
  let naming;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(el.clientWidth);
    if (width < 50 || width === wide) return;
    if (wide) canvas.style.width = `${width}px`; // the old picture fills the new width until the new one arrives
    naming ??= keepNamed(el.closest(".wb-figure"));
    later("settle", announce, wide ? 120 : 0);
  });
  function announce() {
    const width = Math.floor(el.clientWidth);
    if (width < 50) return;
    wide = width;
    send({ type: "ready", width, ratio: window.devicePixelRatio || 1 });
  }

  // Notebook 7 takes the arrow keys from a slider, which JupyterLab does not. All other keys stay with the page.
  function keydown({ target, key }) {
    const arrow = key.startsWith("Arrow");
    if (target.closest?.(".wb-controls, .wb-more")) target.toggleAttribute("data-lm-suppress-shortcuts", arrow);
    if (!arrow) saveAll();
  }
  window.addEventListener("keydown", keydown, true); // before their listeners, which are at the document
  for (const kind of ["pointerdown", "pointerup"]) window.addEventListener(kind, saveAll, true);
  window.addEventListener("click", press, true);
  // Python prepares nothing for a figure that is out of sight.
  let visible = true;
  const sight = new IntersectionObserver((entries) => {
    if (entries.at(-1).isIntersecting === visible) return;
    visible = !visible;
    send({ type: "visible", visible });
  }, { rootMargin: "200px" });

  model.on("msg:custom", receive);
  observer.observe(el);
  sight.observe(el);
  return () => {
    saveAll();
    for (const { control, act } of acts) if (control) act();
    window.removeEventListener("keydown", keydown, true);
    for (const kind of ["pointerdown", "pointerup"]) window.removeEventListener(kind, saveAll, true);
    window.removeEventListener("click", press, true);
    observer.disconnect();
    demo.end(false);
    sentence.stop();
    naming?.disconnect();
    sight.disconnect();
    Object.values(timers).forEach(clearTimeout);
    for (const stop of unlisten) stop();
    model.off("msg:custom", receive);
  };
}

// The position of a control: the number of its option, or 0 and 1.
const position = (control) => control.get("index") ?? Number(control.get("value"));

const moveTo = (control, position) =>
  control.set(control.get("index") === undefined ? { value: position === 1 } : { index: position });

export default { render };
