// A hand that lies where something can be dragged, until the reader touches anything of the figure. Once in a session it
// takes the control along its turns and back, if the frames of this way come soon and motion is not unwelcome.

const PACE = 30; // milliseconds for a position, and until it is painted
const TURN = 400; // milliseconds before it begins, and at a turn
const SOON = 80; // times that it asks for the frames, each after 100 milliseconds

// panels(): where drags move controls, in pixels of which the page has `scale()`; at(name): the position of a control;
// has(position): whether the frame is here; go(position): take the control there. Returns follow(), to be called after
// each change of the picture, and end(seen).
function showHand(canvas, [name, ...turns], { panels, scale, at, has, go }) {
  const handle = ({ control, box, x, y }) => // in pixels of the page
    [x?.[at(control)] ?? box[0], y?.[at(control)] ?? box[3]].map((each) => each * scale());
  let held = false; // whether the finger is on a handle that moves up and down: then it does not scroll the page
  canvas.addEventListener("pointerdown", ({ offsetX, offsetY }) => { // before the handle comes to the finger
    held = panels().some((panel) => panel.y && !panel.x && Math.abs(offsetY - handle(panel)[1]) < 3 * GRIP &&
      isIn(panel.box, offsetX / scale(), offsetY / scale(), 1 / scale()));
  }, true);
  canvas.addEventListener("touchstart", (event) => held && event.preventDefault(), { passive: false });
  const once = `hand: ${canvas.getAttribute("aria-label")}`;
  if (!name || sessionStorage[once] === "touched") return { follow() {}, end() {} };
  const hand = element("div", { className: "wb-hand", hidden: true });
  const sight = new IntersectionObserver((all) => all.at(-1).isIntersecting && begin(), { threshold: 0.7 });
  const touched = ({ target }) => target.closest?.(".wb-figure, .wb-recorded")?.contains(canvas) && end(true);
  let [way, timer] = [[], 0]; // way: the positions that are left

  function follow() {
    const panel = panels().find(({ control }) => control === name);
    hand.hidden = !panel;
    if (!panel) return;
    const [x, y] = handle(panel);
    hand.style.transform = `translate(${canvas.offsetLeft + x}px, ${canvas.offsetTop + y}px)`;
    hand.dataset.along = panel.x ? "x" : "y";
  }

  function begin(asked = 0) {
    sight.disconnect();
    const stops = [at(name), ...turns, at(name)];
    way = stops.slice(1).flatMap((to, leg) => {
      const side = Math.sign(to - stops[leg]);
      return Array.from({ length: Math.abs(to - stops[leg]) }, (_, i) => stops[leg] + side * (i + 1));
    });
    if (!hand.hidden && way.every(has)) timer = setTimeout(step, TURN);
    else {
      way = [];
      if (asked < SOON) timer = setTimeout(begin, 100, asked + 1);
    }
  }

  function step() {
    const place = way.shift();
    if (place === undefined) {
      sessionStorage[once] = "shown";
      return follow();
    }
    go(place);
    const next = () => requestAnimationFrame(() => hand.isConnected && step());
    timer = setTimeout(next, turns.includes(place) ? TURN : PACE);
  }

  // seen: it shall not come again.
  function end(seen) {
    if (seen) sessionStorage[once] = "touched";
    clearTimeout(timer);
    sight.disconnect();
    hand.remove();
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, touched, true);
  }
  canvas.after(hand);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, true);
  if (!sessionStorage[once] && !matchMedia("(prefers-reduced-motion: reduce)").matches) sight.observe(canvas);
  follow();
  return { follow, end };
}
