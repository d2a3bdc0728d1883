// Points of a figure that readers move with the mouse, with a finger, or with keys.

const REACH = { mouse: 12, pen: 12, touch: 16 }; // pixels around a point within which a press takes hold of it
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = 4; // pixels that an arrow key moves a point; five times as many with Shift
const HINT = translate(" Or drag a dot; double-click adds one. Keyboard: <kbd>P</kbd>"); // where there is room
const KEYS = translate("<kbd>P</kbd> picks a dot, arrows move it, <kbd>A</kbd> adds one, <kbd>Delete</kbd> removes it, <kbd>Ctrl Z</kbd> takes back."); // in place of the headline while the picture has the keyboard focus

let hints = 0;

// invitation: the headline above the picture. width(): the width of the picture in the pixels of `movable`, which
// describes the panel with the points, see `workbook.figures.interactions`. change([kind, point, place, begins]):
// called with each change that the reader makes, in the terms of `Points.change` in workbook/figures/points.py.
class MovablePoints {
  constructor(canvas, invitation, width, change) {
    Object.assign(this, { canvas, width, change, places: [], past: [], held: -1, picked: -1, begins: true });
    this.ring = element("div", { className: "wb-ring", hidden: true });
    this.hint = element("p", { className: "wb-headline", id: `wb-headline-${hints++}` });
    this.words = [HINT, KEYS].map((innerHTML) => element("span", { innerHTML, hidden: true }));
    this.hint.append(element("span", {}, element("b", { textContent: invitation }), this.words[0]), this.words[1]);
    canvas.setAttribute("aria-describedby", this.hint.id);
    const { place, say } = speaker(200);
    this.say = say;
    canvas.before(this.hint);
    canvas.after(this.ring, place);
    const acts = { pointerdown: "press", pointermove: "move", pointerup: "letGo", pointercancel: "letGo",
      pointerleave: "leave", dblclick: "add", keydown: "key", blur: "leave" };
    for (const [kind, act] of Object.entries(acts))
      canvas.addEventListener(kind, (event) => this.movable && this[act](event));
  }

  set(movable) {
    this.movable = movable;
    this.places = movable?.places ?? [];
    for (const words of this.words) {
      words.hidden &&= !movable; // once shown, it keeps its room
      words.classList.toggle("wb-idle", !movable);
    }
    if (this.held < 0 && this.picked >= 0) this.show(this.picked);
  }

  // Change the places as `Points.change` does. `past` has the places before each gesture.
  apply([kind, point, place, begins]) {
    const { movable, past } = this;
    let { places } = movable;
    if (kind === "undo") places = past.pop() ?? places;
    else if (kind === "reset") [places, this.past] = [past[0] ?? places, []];
    else {
      if (begins || !past.length) past.push(places);
      places = [...past.at(-1)];
      if (kind === "move") places[point] = place;
      else if (kind === "add") places.push(place);
      else if (places.length > 1) places.splice(point, 1);
    }
    this.set({ ...movable, places, moved: this.past.length > 0 });
  }

  // --- places: [x, y] in pixels of the picture, or in the units of the panel

  get pixels() { // of the picture in one of the page
    return this.width() / this.canvas.getBoundingClientRect().width;
  }

  at({ clientX, clientY }) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [(clientX - left) * this.pixels, (clientY - top) * this.pixels];
  }

  inUnits([x, y]) {
    const { box: [left, top, right, bottom], origin, unit } = this.movable;
    const inside = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
    return inside.map((each, i) => (each - origin[i]) / unit[i]);
  }

  inPixels(place) {
    const { origin, unit } = this.movable;
    return place.map((each, i) => origin[i] + each * unit[i]);
  }

  // The number of the point that a pointer here takes hold of, or -1.
  near(here, pointer) {
    const apart = this.places.map((place) => Math.hypot(...this.inPixels(place).map((each, i) => each - here[i])));
    const best = nearest(apart, 0);
    return apart[best] <= (REACH[pointer] ?? REACH.mouse) * this.pixels ? best : -1;
  }

  // Draw a ring around a point, or at the given place; none for -1.
  show(point, place = point >= 0 && this.places[point] && this.inPixels(this.places[point])) {
    this.ring.hidden = !place;
    if (!place) return;
    const [x, y] = place.map((each) => each / this.pixels);
    Object.assign(this.ring.style, { left: `${this.canvas.offsetLeft + x}px`, top: `${this.canvas.offsetTop + y}px` });
  }

  // --- with the pointer

  press(event) {
    const here = this.at(event);
    this.picked = -1;
    this.held = event.button === 0 ? this.near(here, event.pointerType) : -1;
    this.show(this.held);
    if (this.held < 0) return;
    event.stopImmediatePropagation(); // nothing else is dragged
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.style.cursor = "grabbing";
    const point = this.inPixels(this.places[this.held]);
    Object.assign(this, { begins: true, from: here, apart: point.map((each, i) => each - here[i]) });
  }

  move(event) {
    const here = this.at(event);
    if (this.held < 0) {
      const over = event.buttons ? -1 : this.near(here, event.pointerType);
      this.show(over < 0 ? this.picked : over);
      if (over < 0) return;
      this.canvas.style.cursor = "grab";
      return event.stopImmediatePropagation();
    }
    event.stopImmediatePropagation();
    if (this.begins && Math.hypot(here[0] - this.from[0], here[1] - this.from[1]) < 3 * this.pixels) return;
    const place = [here[0] + this.apart[0], here[1] + this.apart[1]];
    this.show(this.held, place);
    this.step(isIn(this.movable.box, ...place, this.pixels) ? "move" : "remove", this.held, place);
  }

  letGo() {
    this.held = -1;
    this.canvas.style.cursor = "grab";
  }

  leave() {
    this.picked = -1;
    if (this.held < 0) this.show(-1);
  }

  add(event) {
    const here = this.at(event);
    if (this.near(here) >= 0 || !isIn(this.movable.box, ...here, this.pixels)) return;
    this.change(["add", -1, this.inUnits(here), true]);
  }

  // A step of a gesture. place: in pixels.
  step(kind, point, place) {
    this.change([kind, point, this.inUnits(place), this.begins]);
    this.begins = false;
  }

  // --- with keys: all moves of one point are undone together, however often an arrow was pressed

  key(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const [name, picked] = [key.toLowerCase(), this.picked];
    if (name === "z" && (ctrlKey || metaKey)) {
      this.change(["undo", -1, null, true]);
      this.begins = true; // an arrow moves the point anew
      this.say(translate("taken back"));
    } else if (ctrlKey || metaKey || altKey) return;
    else if (name === "p") this.pickNext(shiftKey ? -1 : 1);
    else if (name === "a") {
      const { box: [left, top, right, bottom] } = this.movable;
      this.change(["add", -1, this.inUnits([(left + right) / 2, (top + bottom) / 2]), true]);
      this.pick(this.places.length - 1);
    } else if (picked < 0) return;
    else if (STEPS[key]) {
      const far = STEP * (shiftKey ? 5 : 1) * this.pixels;
      const before = this.inPixels(this.places[picked]);
      this.step("move", picked, before.map((each, i) => each + far * STEPS[key][i]));
      this.tell();
    } else if (key === "Delete" || key === "Backspace") {
      this.change(["remove", picked, null, true]);
      this.picked = -1;
      this.say(translate("removed"));
    } else if (key === "Escape") this.picked = -1;
    else return;
    this.show(this.picked);
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // Pick the next point to the right or to the left; to begin with, the middle one.
  pickNext(step) {
    const order = this.places.map((_, i) => i).sort((i, j) => this.places[i][0] - this.places[j][0]);
    const now = order.indexOf(this.picked);
    this.pick(order.at(now < 0 ? Math.floor(order.length / 2) : (now + step) % order.length));
  }

  pick(point) {
    Object.assign(this, { picked: point, begins: true });
    this.tell();
  }

  tell() {
    const [x, y] = this.places[this.picked].map((each) => Number(each.toPrecision(3)));
    this.say(translate("dot {i} of {n}: x {x}, y {y}", { i: this.picked + 1, n: this.places.length, x, y }));
  }
}

