// What is the same thing before and after is seen to travel: after a preset, an undo, a step that plays.

const GLIDE = 380; // milliseconds
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const easeOut = (time) => 1 - (1 - time) ** 2;

// A way from picture to picture. stops: frames with their `share` of the way, ascending from 0 to 1. draw(frame, share):
// called in each frame of the display, the last time with the share 1.
class Glide {
  constructor(player, stops, draw, { ms = GLIDE, ease = easeOut } = {}) {
    Object.assign(this, { player, stops, draw, ms, ease, begin: performance.now() });
    this.due = requestAnimationFrame(() => this.step());
  }

  step() {
    const { stops } = this;
    const time = (performance.now() - this.begin) / this.ms;
    if (time >= 1) return this.draw(stops.at(-1).frame, 1);
    const share = this.ease(time);
    const next = this.ahead(share);
    const [from, to] = [stops[next - 1], stops[next]];
    const part = (share - from.share) / (to.share - from.share);
    this.draw(this.player.between(from.frame, to.frame, part), share);
    this.due = requestAnimationFrame(() => this.step());
  }

  // The number of the stop that comes next.
  ahead(share = this.ease(Math.min((performance.now() - this.begin) / this.ms, 1))) {
    const next = this.stops.findIndex((stop) => stop.share > share);
    return next < 0 ? this.stops.length - 1 : next;
  }

  end() {
    cancelAnimationFrame(this.due);
  }
}

// Shapes between two lists of shapes, share from 0 to 1; the later ones where they do not consist of the same.
// array(id): what has this number.
function mix(from, to, share, array) {
  if (from.length !== to.length || to.some(([kind], i) => kind !== from[i][0])) return to;
  const along = (one, other, origins, none = NOWHERE) => one === other ? other : array(other).map((value, i) => {
    const before = valueAt(array(one), origins ? origins[i] : i);
    return before === none || value === none ? value : Math.round(before + share * (value - before));
  });
  const kinds = {
    path: ([, , x, y, codes], [kind, style, toX, toY, toCodes]) => {
      const origins = originsOf(array(toX), array(x), codes === -1 && toCodes === -1);
      return origins && `${array(codes)}` === `${array(toCodes)}` && [kind, style, along(x, toX, origins), along(y, toY, origins), toCodes];
    },
    stamp: ([, , , , , x, y, ...looks], [kind, style, outlineX, outlineY, codes, toX, toY, ...toLooks]) => {
      const origins = originsOf(array(toX), array(x), false);
      const same = looks.every((look, i) => array(look)?.length === array(toLooks[i])?.length);
      const mixed = toLooks.map((look, i) => (same && look !== -1 ? along(looks[i], look) : look));
      return origins && [kind, style, outlineX, outlineY, codes, along(x, toX, origins), along(y, toY, origins), ...mixed];
    },
    image: (before, [kind, clip, cells, table, down, across, columns, rows, ...box]) => {
      const [, , fromCells, fromTable, fromDown, fromAcross, fromColumns, fromRows, ...fromBox] = before;
      if (table !== fromTable || columns !== fromColumns || rows !== fromRows) return undefined;
      const places = (one, other) => (one === -1 || other === -1 ? other : along(one, other));
      return [kind, clip, along(fromCells, cells, null, array(table).length - 1), table,
        places(fromDown, down), places(fromAcross, across), columns, rows, ...box.map((to, i) => fromBox[i] + share * (to - fromBox[i]))];
    },
    words: ([, , , x, y], [kind, clip, colour, toX, toY, ...letters]) => {
      const moved = (one, other) => array(other).map((to) => to + Math.round((1 - share) * (array(one)[0] - array(other)[0])));
      return [kind, clip, colour, moved(x, toX), moved(y, toY), ...letters];
    },
  };
  return to.map((shape, i) => kinds[shape[0]]?.(from[i], shape) || shape);
}

// For each vertex of a line the place on an earlier one from which it comes, in numbers of vertices; nothing if they have
// nothing in common. open: whether both may be lines of different numbers of vertices.
function originsOf(to, from, open) {
  const last = from.length - 1;
  const isGraph = (x) => x.length > 2 && x.every((each, i) => i === 0 || x[i - 1] <= each);
  const some = Math.min(to.length, from.length);
  if (some > 1 && to.subarray(0, some).every((x, i) => x === from[i])) // one goes on where the other ends
    return Array.from(to, (_, i) => Math.min(i, last));
  if (open && isGraph(to) && isGraph(from)) { // of functions: at the same share of their width
    const stretch = (from[last] - from[0]) / (to.at(-1) - to[0] || 1);
    let i = 0;
    return Array.from(to, (x) => {
      const place = from[0] + (x - to[0]) * stretch;
      while (i < last - 1 && from[i + 1] < place) i++;
      return i + Math.min(Math.max((place - from[i]) / (from[i + 1] - from[i] || 1), 0), 1);
    });
  }
  if (to.length === from.length) return Array.from(to.keys());
  return open && some > 1 ? Array.from(to, (_, i) => (i * last) / (to.length - 1)) : undefined;
}

// The value at a place between two numbers of a list.
function valueAt(values, place) {
  const i = Math.floor(place);
  return place === i ? values[i] : values[i] + (place - i) * (values[i + 1] - values[i]);
}

