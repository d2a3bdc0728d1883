// A hand that shows once in a session what can be dragged: when the figure comes into view it takes a control along its
// stops. It stays away from readers who prefer less motion, and leaves as soon as they touch anything of the figure.

const PACE = 30; // milliseconds for a position

// panels(): where drags move controls, in pixels of which the page has `scale()`; has(position): whether its frame is
// here; go(position): take the control there. Returns what ends it.
function showHand(canvas, [name, ...stops], { panels, scale, has, go }) {
  const once = `hand: ${canvas.getAttribute("aria-label")}`;
  if (!name || sessionStorage[once] || matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const way = stops.slice(1).flatMap((to, leg) => {
    const side = Math.sign(to - stops[leg]);
    return Array.from({ length: Math.abs(to - stops[leg]) }, (_, i) => stops[leg] + side * (i + 1));
  });
  const hand = element("div", { className: "wb-hand" });
  const sight = new IntersectionObserver((all) => all.at(-1).isIntersecting && step(stops[0]), { threshold: 0.7 });
  const touched = ({ target }) => target.closest?.(".wb-figure, .wb-recorded")?.contains(canvas) && end();
  let timer = 0;

  function step(place = way.shift()) {
    clearTimeout(timer);
    if (place === undefined) return end();
    const panel = panels().find(({ names, x }) => x && names[0] === name);
    const begins = !hand.isConnected;
    if (begins && !(panel && way.every(has))) return void (timer = setTimeout(step, PACE, place));
    sight.disconnect();
    if (begins) canvas.after(hand);
    else go(place);
    const [left, top] = [panel.x[place], panel.box[3]].map((each) => each * scale());
    hand.style.transform = `translate(${canvas.offsetLeft + left}px, ${canvas.offsetTop + top}px)`;
    timer = setTimeout(step, begins || stops.slice(1, -1).includes(place) ? 400 : PACE); // it rests where it turns
  }

  function end(seen = true) {
    if (seen) sessionStorage[once] = "seen";
    clearTimeout(timer);
    sight.disconnect();
    hand.remove();
    removeEventListener("resize", end);
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, touched, true);
  }
  addEventListener("resize", end); // which would leave it beside its place
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, true);
  sight.observe(canvas);
  return end;
}
