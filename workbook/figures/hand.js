// A hand that lies where something can be dragged, until the reader touches anything of the figure. Once in a session it
// takes the control along its turns and back, if the frames of this way come soon and motion is not unwelcome.

const PACE = 30; // milliseconds for a position
const TURN = 400; // milliseconds before it begins, and at a turn
const SOON = 80; // times that it asks for the frames, each after 100 milliseconds

// panels(): where drags move controls, in pixels of which the page has `scale()`; at(): the position of the control;
// has(position): whether its frame is here; go(position): take the control there. Returns follow(), to be called after
// each change of the picture, and end(seen).
function showHand(canvas, [name, ...turns], { panels, scale, at, has, go }) {
  const once = `hand: ${canvas.getAttribute("aria-label")}`;
  if (!name || sessionStorage[once] === "touched") return { follow() {}, end() {} };
  const hand = element("div", { className: "wb-hand", hidden: true });
  const sight = new IntersectionObserver((all) => all.at(-1).isIntersecting && begin(), { threshold: 0.7 });
  const touched = ({ target }) => target.closest?.(".wb-figure, .wb-recorded")?.contains(canvas) && end(true);
  let [way, timer] = [[], 0]; // way: the positions that are left

  function follow() {
    const panel = panels().find(({ names }) => names[0] === name);
    hand.hidden = !panel;
    if (!panel) return;
    const [x, y] = [panel.x?.[at()] ?? panel.box[0], panel.y?.[at()] ?? panel.box[3]];
    const [left, top] = [canvas.offsetLeft + x * scale(), canvas.offsetTop + y * scale()];
    hand.style.transform = `translate(${left}px, ${top}px)`;
    hand.dataset.along = panel.x ? "x" : "y";
  }

  function begin(asked = 0) {
    sight.disconnect();
    const stops = [at(), ...turns, at()];
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
    timer = setTimeout(step, turns.includes(place) ? TURN : PACE);
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
