// A demonstration of what can be dragged: a hand-shaped pointer beside a handle, until the reader touches the figure.
// Once in a session it moves the control to each of its turns and back, unless the reader prefers less motion, or the
// frames for it are not here within 8 seconds.

const PACE = 45; // milliseconds from one position to the next
const LEAST = 700; // milliseconds for a way, so that it is seen
const TURN = 400; // milliseconds of rest before it begins, and at each turn
const TRIES = 80; // how often it asks whether the frames are here, every 100 milliseconds

// name: of the control; turns: positions of it. panels(): the panels in which drags move controls, in pixels of the
// recording; scale(): pixels of the page in one of those; at(name): the position of a control, or how far it has come
// between two; has(position): whether the frame with this control there is here; go(position, ms): move it there in so
// many milliseconds. Returns follow(), to be called after each change of the picture, and end(seen), which removes the
// pointer.
function showDemo(canvas, [name, ...turns], { panels, scale, at, has, go }) {
  const once = `demo: ${canvas.getAttribute("aria-label")}`;
  if (!name || sessionStorage[once] === "touched") return { follow() {}, end() {} };
  const demo = element("div", { className: "wb-demo", hidden: true });
  const sight = new IntersectionObserver((all) => all.at(-1).isIntersecting && run(), { threshold: 0.7 });
  const touched = ({ target }) => target.closest?.(".wb-figure")?.contains(canvas) && end(true);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  function follow() {
    if (!demo.isConnected) return;
    const panel = panels().find(({ control }) => control === name);
    demo.hidden = !panel;
    if (!panel) return;
    const [x, y] = handleIn(panel, at(name)).map((each) => each * scale());
    demo.style.transform = `translate(${canvas.offsetLeft + x}px, ${canvas.offsetTop + y}px)`;
    demo.dataset.along = (panel.x ? "x" : "") + (panel.y ? "y" : "");
    demo.dataset.end = { 0: "first", [panel.x?.length - 1]: "last" }[at(name)] ?? "";
  }

  async function run() {
    sight.disconnect();
    for (let tries = 0; demo.hidden || !turns.every(has); tries++) {
      if (tries === TRIES) return;
      await wait(100);
    }
    await wait(TURN);
    for (const place of [...turns, at(name)]) {
      if (!demo.isConnected) return;
      const ms = Math.max(PACE * Math.abs(place - at(name)), LEAST);
      go(place, ms);
      await wait(ms + TURN);
    }
    sessionStorage[once] ??= "shown";
  }

  // seen: whether the reader has touched the figure, so that it need not come again in this session.
  function end(seen) {
    if (seen) sessionStorage[once] = "touched";
    sight.disconnect();
    demo.remove();
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, touched, true);
  }
  canvas.after(demo);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, true);
  if (!sessionStorage[once] && !lessMotion.matches) sight.observe(canvas);
  follow();
  return { follow, end };
}
