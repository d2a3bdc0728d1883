// Draws the frames of a figure as Python recorded them.
//
// A frame is [background, items, sentence], all by number: what has a number is stored once. The background is a list
// of items, an item a list of shapes. `frames` has the frames by the key of their state. Coordinates are in eighths of
// a pixel, counted from the top. In place of its number an item or an array may stand itself: then it is drawn once.

class Player {
  constructor(canvas) {
    Object.assign(this, { canvas, ratio: 1, context: canvas.getContext("2d"), panels: [] });
    this.clear("all");
  }

  // Draw at another size from now on. ratio: pixels of the canvas in one pixel of the recording.
  resize(ratio) {
    Object.assign(this, { ratio, made: new Map(), backgrounds: new Map() });
  }

  clear(what) {
    if (!what) return;
    this.frames = new Map();
    if (what !== "all") return;
    this.held = [];
    this.drawn = null; // the frame in the picture
    this.resize(this.ratio);
  }

  // Store what a message brings: a list of {kind, id, bytes}, and their contents one after the other in the buffer.
  learn(news, buffer) {
    const bytes = new Uint8Array(buffer.buffer ?? buffer, buffer.byteOffset ?? 0, buffer.byteLength);
    const held = this.held;
    let start = 0;
    for (const { kind, id, bytes: count } of news) {
      const part = bytes.slice(start, start + count);
      start += count;
      if (kind === "i16") held[id] = new Int16Array(part.buffer);
      else if (kind === "rgba") held[id] = new Uint32Array(part.buffer);
      else if (kind === "u8") held[id] = part;
      else if (kind === "text") held[id] = new TextDecoder().decode(part);
      else held[id] = JSON.parse(new TextDecoder().decode(part));
    }
  }

  sentence(frame) {
    return this.held[frame[2]];
  }

  draw(frame) {
    this.drawn = frame;
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    if (Array.isArray(frame[0])) this.put(frame[0]);
    else this.context.drawImage(this.background(frame[0]), 0, 0);
    this.put(frame[1]);
  }

  // The frame with what `renew` makes of its items now.
  renewed([background, items, ...rest]) {
    return [background, items.map((item) => this.renew?.(this.held[item]) ?? item), ...rest];
  }

  // A frame on a leg of the way: {from, to, share, isQuick}, two frames, a share from 0 to 1 and whether it is too short
  // for what goes and comes. whole: the way of notes and of the sentence.
  between(leg, whole) {
    const array = (id) => this.array(id);
    const lines = linesOf(leg, array);
    const mixed = (one, other, way) => (one === other ? other : mix(array(one) ?? [], array(other), { ...way, array, lines }));
    const [under, over] = [leg.from, leg.to].map(([ground]) => array(ground));
    const items = whole.to[1].map((goal, i) => {
      const way = array(goal)[0]?.[0] === "note" ? whole : leg;
      return mixed(way.from[1][i], way.to[1][i], way);
    });
    const near = whole.share >= TOLD ? whole.to : whole.from;
    return [under === over ? leg.to[0] : over.map((item, i) => mixed(under[i], item, leg)), items, ...near.slice(2)];
  }

  array(id) {
    return typeof id === "object" ? id : this.held[id];
  }

  put(items) {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const item of items) {
      this.context.save();
      this.shapes(this.array(item));
      this.context.restore();
    }
  }

  // Each kind of shape has its method, but for two tags: `data`, of an item that `renew` can draw from other data, and
  // `note`, of words about the picture with a line to their place.
  shapes(shapes) {
    for (const [kind, ...shape] of shapes) this[kind]?.(...shape);
  }

  // The background of this number as one picture; the last few are kept.
  background(number) {
    const { canvas, context, backgrounds } = this;
    let picture = backgrounds.get(number);
    if (!picture) {
      picture = new OffscreenCanvas(canvas.width, canvas.height);
      this.context = picture.getContext("2d");
      this.put(this.held[number]);
      this.context = context;
      if (backgrounds.size >= 12) backgrounds.delete(backgrounds.keys().next().value);
      backgrounds.set(number, picture);
    }
    return picture;
  }

  // A tag: the item is one of the marks of this name, which are faint while the reader points at another name.
  named(name) {
    if (this.lit && this.lit !== name) this.context.globalAlpha *= 0.12;
  }

  // Shapes on their way in or out.
  faded(share, shapes) {
    this.context.save();
    this.context.globalAlpha *= share;
    this.shapes(shapes);
    this.context.restore();
  }

  // A tag: of the item only the part is shown where the control has been that a drag in this panel moves.
  visited(panel) {
    if (!this.seen) return;
    const { control, box: [left, top, right, bottom], x, y } = this.panels.find(({ name }) => name === panel) ?? NO_PANEL;
    const places = x ?? y;
    const edge = (i, j) => Math.round((places[i] + (places[j] ?? 2 * places[i] - places[2 * i - j])) / 2);
    this.context.beginPath();
    this.seen[control]?.forEach((_, i) => {
      const [from, to] = [edge(i, i - 1), edge(i, i + 1)];
      if (x) this.context.rect(from, top, to - from, bottom - top);
      else this.context.rect(left, from, right - left, to - from);
    });
    this.context.clip();
  }

  // The controls have come to these positions. A quick drag skips some, which count as visited too.
  visit(at) {
    for (const [name, to] of Object.entries(at)) {
      const from = Math.abs(to - this.at?.[name]) <= HASTE ? this.at[name] : to;
      this.seen[name] ??= [];
      const seen = this.seen[name];
      for (let i = Math.min(from, to); i <= Math.max(from, to); i++) seen[i] = true;
    }
    this.at = at;
  }

  // Begin a shape with a style: [face, line, width, dashes, offset of the dashes, cap, join, clip], 0 for none.
  begin([face, line, width, dashes, offset, cap, join, clip]) {
    const { context } = this;
    context.save();
    this.clip(clip);
    if (face) context.fillStyle = face;
    if (!line) return;
    const lineWidth = width < 1.25 ? Math.min(width, 1) : width; // at most 1 is ten times as fast
    Object.assign(context, { strokeStyle: line, lineWidth, lineDashOffset: offset, lineCap: cap, lineJoin: join });
    context.setLineDash(dashes || []);
  }

  clip(box) {
    if (!box) return;
    this.context.beginPath();
    this.context.rect(...box);
    this.context.clip();
  }

  // Paths and small pictures, which take long to make, are made once if all their parts have numbers.
  once(kind, parts, make) {
    if (parts.some((part) => ArrayBuffer.isView(part))) return make();
    const name = `${kind} ${parts}`;
    if (!this.made.has(name)) {
      if (this.made.size > 4000) this.made.clear();
      this.made.set(name, make());
    }
    return this.made.get(name);
  }

  trace(parts, unit) {
    return this.once("path", parts, () => trace(...parts.map((part) => this.array(part)), unit));
  }

  path(style, xs, ys, codes) {
    const { context } = this;
    this.begin(style);
    const path = this.trace([xs, ys, codes], EIGHTHS);
    if (style[0]) context.fill(path);
    if (style[1]) context.stroke(path);
    context.restore();
  }

  // One shape at many places, with sizes and colours (four bytes each) of its face if they differ.
  stamp(style, outlineX, outlineY, codes, xs, ys, sizes, colours) {
    const { context, ratio } = this;
    this.begin(style);
    const shape = this.trace([outlineX, outlineY, codes], 256);
    const [x, y, size, colour] = [xs, ys, sizes, colours].map((id) => this.array(id));
    for (let i = 0; i < x.length; i++) {
      if (x[i] === NOWHERE || y[i] === NOWHERE) continue;
      const scale = size ? size[i] / EIGHTHS : 1;
      context.setTransform(ratio * scale, 0, 0, ratio * scale, (ratio * x[i]) / EIGHTHS, (ratio * y[i]) / EIGHTHS);
      if (colour) {
        const [red, green, blue, alpha] = colour.subarray(4 * i, 4 * i + 4);
        context.fillStyle = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
      }
      if (style[0]) context.fill(shape);
      if (style[1]) context.stroke(shape);
    }
    context.restore();
  }

  // A picture. cells: of each one the number of its colour in the table. down, across: the place of each row and each
  // column in eighths, if they are not in order.
  image(clip, cells, table, down, across, columns, rows, x, y, width, height) {
    const { context } = this;
    const plain = this.once("image", [cells, table], () => {
      const colours = Uint32Array.from(this.array(cells), (number) => this.held[table][number]);
      return small(columns, rows, new Uint8ClampedArray(colours.buffer));
    });
    const picture = down === -1 ? plain : this.once("arranged", [cells, table, down, across], () =>
      arranged(plain, this.array(down), this.array(across)));
    context.save();
    this.clip(clip);
    context.imageSmoothingEnabled = false;
    context.translate(x, y);
    context.scale(width / picture.width, height / picture.height); // upside down where the height is negative
    context.drawImage(picture, 0, 0);
    context.restore();
  }

  // Words, letter by letter, in a colour. Before the letters stands the text, by which `mix` compares them.
  words(clip, colour, xs, ys, _, ...letters) {
    const { context, held } = this;
    context.save();
    this.clip(clip);
    letters.forEach((letter, i) => {
      const picture = this.once("letter", [letter, colour], () => coloured(held[letter], colour));
      context.drawImage(picture, this.array(xs)[i], this.array(ys)[i]);
    });
    context.restore();
  }
}

// Whether a place is in a panel's box, or near enough to meet a handle at its edge.
function isIn([left, top, right, bottom], x, y, ratio) {
  return left - GRIP * ratio <= x && x <= right + GRIP * ratio && top - GRIP * ratio <= y && y <= bottom + GRIP * ratio;
}

// The number of the option whose place in a panel is nearest, along x, along y or both; places repeat after `count`.
function nearestPlace({ x, y, count }, pointerX, pointerY) {
  const apart = (x ?? y).map((_, i) => Math.hypot(x ? x[i] - pointerX : 0, y ? y[i] - pointerY : 0));
  return nearest(apart, 0) % count;
}

// Where the handle of a control at this position, or between two, is in a panel: at its left or lower edge if it moves
// in one direction.
const handleIn = ({ box, x, y }, position) => [x ? valueAt(x, position) : box[0], y ? valueAt(y, position) : box[3]];

const cursorOver = (panel) => ["", "ew-resize", "ns-resize", "move"][(panel?.x ? 1 : 0) + (panel?.y ? 2 : 0)];

function small(columns, rows, pixels) {
  const picture = new OffscreenCanvas(columns, rows);
  picture.getContext("2d").putImageData(new ImageData(pixels, columns, rows), 0, 0);
  return picture;
}

// A picture with its rows and columns at other places, in eighths; on their way there it is drawn eight times as large.
function arranged(picture, down, across) {
  const { width, height } = picture;
  const unit = [...down, ...across].every((place) => place % EIGHTHS === 0) ? 1 : EIGHTHS;
  const [rows, all] = [width, unit * width].map((wide) => new OffscreenCanvas(wide, unit * height).getContext("2d"));
  const here = (place) => (place * unit) / EIGHTHS;
  for (const [i, y] of down.entries()) rows.drawImage(picture, 0, i, width, 1, 0, here(y), width, unit);
  for (const [j, x] of across.entries())
    all.drawImage(rows.canvas, j, 0, 1, unit * height, here(x), 0, unit, unit * height);
  return all.canvas;
}

const channels = (colour) => [1, 3, 5, 7].map((start) => parseInt(colour.slice(start, start + 2), 16));

// A letter as a picture in a colour: its columns and rows in two bytes each, then its ink.
function coloured(letter, colour) {
  const [columns, rows] = [letter[0] + 256 * letter[1], letter[2] + 256 * letter[3]];
  const [red, green, blue, alpha] = channels(colour);
  const pixels = new Uint8ClampedArray(4 * rows * columns);
  letter.subarray(4).forEach((ink, i) => {
    pixels.set([red, green, blue, (ink * alpha) / 255], 4 * i);
  });
  return small(columns, rows, pixels);
}

const NOWHERE = -32768;
const NO_PANEL = { box: [] };
const HASTE = 12; // positions that one quick drag may skip
const EIGHTHS = 8; // of a pixel
const TOLD = 0.75; // of a way: from here on the sentence's numbers are nearly those of the picture
const GRIP = 8; // pixels around a panel in which a handle at its edge can be dragged

// A path from coordinates and Matplotlib's codes: 1 move, 2 line, 3 and 4 curves, 79 close; without codes one line.
function trace(xs, ys, codes, unit) {
  const path = new Path2D();
  for (let i = 0; i < xs.length; i++) {
    const at = (j) => [xs[j] / unit, ys[j] / unit];
    const code = codes ? codes[i] : i ? 2 : 1;
    if (code === 1) path.moveTo(...at(i));
    else if (code === 2) path.lineTo(...at(i));
    else if (code === 3) path.quadraticCurveTo(...at(i), ...at(++i));
    else if (code === 4) path.bezierCurveTo(...at(i), ...at(++i), ...at(++i));
    else if (code === 79) path.closePath();
  }
  return path;
}

