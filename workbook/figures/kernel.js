// The source of a figure with a kernel: Python sends frames, and hears of controls and points that move.
//
// Each control is an attribute of the model, whose value is that of its option. While the frame of the present state is
// missing, the figure says that it is catching up. Python waits for a confirmation after every fourth message, so that
// nothing queues up, however fast a slider is dragged.

const NO_INTERACTIONS = { panels: [], keys: {}, movable: null };
const AT_REST = 100; // milliseconds after its last move, a control counts as at rest
const RESTARTED = translate("The kernel was restarted and no longer knows this figure: <b>run its cell again</b>.");

function render({ model, el }) {
  let interactions = NO_INTERACTIONS;
  let lost = false; // whether the kernel was restarted
  const about = structuredClone(model.get("about"));
  const figure = showFigure(el, about, {
    begin: () => Object.fromEntries(about.controls.map((one) => [one.name, positionOf(one, model.get(one.name))])),
    places: (name) => [...controls.get(name).labels.keys()], reach: (at, change) => ({ ...at, ...change }),
    has: () => true, frame: (at) => player.frames.get(figure.key(at)), words: () => (lost ? RESTARTED : undefined),
    interactions: () => interactions, width: () => canvas.width, tables: () => send({ type: "tables" }), moved, change,
    meet,
  });
  const { canvas, player, points, controls, later } = figure;
  el.classList.add(model.get("found_by"));
  canvas.style.height = `${about.height}px`; // keeps the page from jumping when the first frame arrives
  figure.showControls(); // a reader may move them before the first frame is here

  // "Run All" keeps the kernel busy, and no frame arrives before it is done: until then show what
  // the output shows.
  const { picture = "", sentence = "" } = model.get("preview");
  const background = `url(data:image/png;base64,${picture}) 0 0 / contain no-repeat`;
  Object.assign(canvas.style, { width: "100%", background });
  figure.say(sentence);

  // --- what Python is told, in the order in which the reader did it

  // As long as the page has the frames, Python is told of a moving control when it rests, or before any other message:
  // at each message JupyterLab lays out its bars again, which takes longer than painting a frame.
  const unsaved = new Set();
  function moved(names) {
    for (const name of names) unsaved.add(name);
    for (const name of names) model.set(name, figure.values()[name]); // whatever is linked to it follows at once
    if (player.frames.has(figure.key())) later("save", save, AT_REST);
    else queueMicrotask(save); // once all that this event moves has moved
  }
  function save() {
    if (!unsaved.size || waiting.length) return;
    unsaved.clear();
    model.save_changes();
  }

  // Python is told of a moved point once it has answered the change before, and then only of the point's last place.
  // With it comes the state in which it was moved; what is moved later waits.
  const waiting = [];
  let [sent, answered, looks] = [0, 0, {}];
  function change(change) {
    const begins = change[3] || (waiting.length > 0 && waiting.pop().change[3]);
    waiting.push({ state: figure.values(), change: [...change.slice(0, 3), begins] });
    queueMicrotask(tell); // after it is drawn, as each message holds the page up
  }
  // Until Python answers, the page draws moved points by itself, as far as it can.
  const isAnswered = () => answered >= sent && !waiting.length;
  function meet() {
    return isAnswered() || !Object.keys(looks).length ? null : { given: interactions.given, looks };
  }
  function tell() {
    if (waiting.length && answered >= sent) post({ type: "points", id: ++sent, ...waiting.shift() });
    save();
  }

  function send(message) {
    save();
    post(message);
  }
  function post(message) {
    try {
      model.send(message);
    } catch { // after a restart the kernel knows nothing of this figure
      lose();
    }
  }
  function lose() {
    lost = true; // also after what is still on its way to the picture
    figure.say(RESTARTED);
  }

  // --- what Python says

  // Controls have been moved elsewhere: in Python, in another view, or by a link, which may lie between two options. Or
  // a reader's own kernel is new in a menu.
  let followed = 0;
  function follow() {
    const change = {};
    for (const { name, labels, values } of model.get("about").controls) {
      const [control, value] = [controls.get(name), model.get(name)];
      control.labels.push(...labels.slice(control.labels.length));
      control.values = values;
      const position = unsaved.has(name) ? -1 : positionOf(control, value);
      if (position >= 0) change[name] = position;
      const option = position < 0 ? figure.values()[name] : values[position];
      if (option !== value) model.set(name, option);
    }
    const alone = performance.now() - followed > GLIDE; // and not one of many moves of somebody else's slider
    followed = performance.now();
    figure.go(change, { told: true, motion: figure.isFar(change) && alone ? {} : null });
  }
  const hear = () => queueMicrotask(follow); // once all that have changed together have changed
  function receive(message, buffers) {
    lost = false;
    if (message.type === "tables") figure.tables.fill(message.tables);
    else if (message.type === "cover") figure.cover();
    else if (message.type === "interactions") takeInteractions(message);
    else if (message.type === "frames") {
      [answered, looks] = [message.answered, message.looks];
      sent = Math.max(sent, answered); // another view may have told of changes
      takeFrames(message, buffers);
      tell();
      if (message.confirm) send({ type: "painted", id: message.id });
    }
  }
  function takeInteractions(message) {
    interactions = { ...interactions, ...message };
    if (isAnswered()) points.set(interactions.movable);
    if (!interactions.movable?.moved) points.past = [];
    figure.redraw();
  }
  let begun = false; // with a message that brings all: what another view got before, this one lacks
  function takeFrames(message, buffers) {
    begun ||= message.clear === "all";
    if (!begun) return;
    player.clear(message.clear);
    if (message.clear === "all") interactions = NO_INTERACTIONS;
    player.learn(message.news, buffers[0]);
    if (canvas.width !== message.width || canvas.height !== message.height)
      Object.assign(canvas, { width: message.width, height: message.height });
    const width = `${message.width / message.ratio}px`; // with less room than that the picture shrinks
    Object.assign(canvas.style, { width, height: "auto", background: "none" });
    const now = figure.key();
    if (isAnswered()) player.renew = null;
    for (const [name, frame] of Object.entries(message.frames)) {
      player.frames.set(name, frame);
      // A frame sent as "now" is painted even if the controls have moved on, but never over that of where they are.
      canvas.dataset.prepared = player.frames.size;
      if (name === now || (message.now && figure.shown !== now)) figure.paint(frame, name);
    }
  }

  // --- the page around it

  let wide = 0;
  const observer = new ResizeObserver(() => {
    if (el.clientWidth < 50 || el.clientWidth === wide) return;
    if (wide) canvas.style.width = `${el.clientWidth}px`; // the old picture fills it until the new one arrives
    later("settle", announce, wide ? 120 : 0);
  });
  function announce() {
    if (el.clientWidth < 50) return;
    wide = el.clientWidth;
    send({ type: "ready", width: wide, ratio: devicePixelRatio });
  }
  // Python prepares nothing for a figure that is out of sight.
  let visible = true;
  const sight = new IntersectionObserver((entries) => {
    if (entries.at(-1).isIntersecting === visible) return;
    visible = !visible;
    send({ type: "visible", visible });
  }, { rootMargin: "200px" });

  // Keys that a figure takes do not reach the front end, which would delete a cell or go to the next; Ctrl S or Shift
  // Enter do, and Python is told of everything before.
  const isOwn = ({ target, key, ctrlKey, metaKey, shiftKey }) => el.contains(target) &&
    (ctrlKey || metaKey ? key === "z" && target === canvas : !(shiftKey && key === "Enter"));
  function keydown(event) {
    const own = isOwn(event); // JupyterLab asks the element itself, as its selectors match whatever has the focus
    if (el.contains(event.target)) event.target.toggleAttribute("data-lm-suppress-shortcuts", own);
    if (!own) save();
  }
  el.addEventListener("keydown", (event) => isOwn(event) && event.stopPropagation());
  const whileShown = new AbortController();
  const early = { capture: true, signal: whileShown.signal }; // before their listeners, which are at the document
  window.addEventListener("keydown", keydown, early);
  for (const kind of ["pointerdown", "pointerup"]) window.addEventListener(kind, save, early);

  const listens = { "change:about": hear, comm_live_update: lose };
  for (const name of controls.keys()) listens[`change:${name}`] = hear;
  for (const [name, act] of Object.entries(listens)) model.on(name, act);
  const channel = model.widget_manager.get_model(model.get("channel").replace("IPY_MODEL_", ""));
  channel.then((channel) => {
    if (whileShown.signal.aborted) return;
    channel.on("msg:custom", receive);
    whileShown.signal.onabort = () => channel.off("msg:custom", receive);
    observer.observe(el); // Python is told that somebody listens
    sight.observe(el);
  });
  return () => {
    whileShown.abort();
    save();
    observer.disconnect();
    sight.disconnect();
    figure.stop();
    for (const [name, act] of Object.entries(listens)) model.off(name, act);
  };
}

export default { render };
