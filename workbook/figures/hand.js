// A hand that shows once in a session what can be dragged: when the figure comes into view it takes a control along its
// stops. It stays away from readers who prefer less motion, and leaves as soon as they touch anything of the figure.

const PACE = 28; // milliseconds for a position

// hand: [control, its position at each stop]. panel(): where a drag moves it, in pixels of which the page has `scale()`;
// has(position): whether its frame is here; go(position): take the control there. Returns what ends it.
function showHand(canvas, [name, ...stops], { panel, scale, has, go }) {
  const once = `hand: ${canvas.getAttribute("aria-label")}`;
  if (!name || sessionStorage[once] || matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const hand = element("div", { className: "wb-hand" });
  const sight = new IntersectionObserver((all) => all.at(-1).isIntersecting && wait(), { threshold: 0.7 });
  const low = Math.min(...stops);
  const way = Array.from({ length: Math.max(...stops) - low + 1 }, (_, i) => low + i);
  let [leg, since] = [1, 0];

  function wait(now) {
    if (!stops.length) return;
    requestAnimationFrame(now && panel() && way.every(has) ? begin : wait);
  }

  function begin(now) {
    sight.disconnect();
    canvas.after(hand);
    since = now + 600; // it rests before it moves
    step(now);
  }

  function step(now) {
    if (!stops.length) return;
    const [from, to] = stops.slice(leg - 1);
    const share = Math.min(Math.max((now - since) / (PACE * Math.abs(to - from)), 0), 1);
    const place = Math.round(from + (to - from) * share * share * (3 - 2 * share));
    go(place);
    const { x, box } = panel();
    const [left, top] = [canvas.offsetLeft + x[place] * scale(), canvas.offsetTop + box[3] * scale()];
    hand.style.transform = `translate(${left}px, ${top}px)`;
    if (share === 1) [leg, since] = [leg + 1, now + 150];
    if (leg === stops.length) end();
    else requestAnimationFrame(step);
  }

  function end() {
    if (hand.isConnected) sessionStorage[once] = "shown";
    sight.disconnect();
    stops = [];
    hand.remove();
    for (const kind of TOUCHES) removeEventListener(kind, touched, true);
  }
  function touched({ target }) {
    if (!target.closest?.(".wb-figure, .wb-recorded")?.contains(canvas)) return;
    sessionStorage[once] = "not wanted";
    end();
  }
  for (const kind of TOUCHES) addEventListener(kind, touched, true);
  sight.observe(canvas);
  return end;
}

const TOUCHES = ["pointerdown", "keydown"];
