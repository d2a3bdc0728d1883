// What is the same thing before and after is seen to travel: after a preset, an undo, a step that plays.

const GLIDE = 380; // milliseconds; at least half of it where the picture at its end was waited for
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const slowAtTheEnd = (time) => 1 - (1 - time) ** 2;
const slowAtBothEnds = (time) => time * time * (3 - 2 * time); // so that the first steps of a training are seen

// A way from picture to picture. stops: frames with their `share` of the way, ascending from 0 to 1. asked: when it was
// asked for; covers: whether it does not count as seen. draw(frame, share): called in each frame of the display, last
// with the share 1.
class Glide {
  constructor(player, stops, { asked, ms = GLIDE, ease, covers }, draw) {
    const begin = performance.now();
    Object.assign(this, { player, stops, ease, covers, draw, begin, ms: Math.max(ms / 2, ms + asked - begin) });
    this.due = requestAnimationFrame(() => this.step());
  }

  // How much of the way is behind it now.
  get share() {
    return this.ease(Math.min((performance.now() - this.begin) / this.ms, 1));
  }

  step() {
    const { stops, share } = this;
    if (share >= 1) return this.draw(stops.at(-1).frame, 1);
    const next = this.ahead(share);
    const [from, to] = [stops[next - 1], stops[next]];
    const part = (share - from.share) / (to.share - from.share);
    this.draw(this.player.between(from.frame, to.frame, part), share);
    this.due = requestAnimationFrame(() => this.step());
  }

  // The number of the stop that comes next.
  ahead(share = this.share) {
    const next = this.stops.findIndex((stop) => stop.share > share);
    return next < 0 ? this.stops.length - 1 : next;
  }

  end() {
    cancelAnimationFrame(this.due);
  }
}

// Shapes between two lists of shapes, share from 0 to 1. Those that have nothing in common fade into each other.
// array(id): what has this number.
function mix(from, to, share, array) {
  const fade = (before, after) => [["faded", 1 - share], ...before, ["faded", share], ...after, ["faded", 1]];
  if (from.length !== to.length || to.some(([kind], i) => kind !== from[i][0])) return fade(from, to);
  const between = (one, other, part = share) => one + part * (other - one);
  const mixed = (one, other, origins, none = NOWHERE, part = share) => one === other ? other : array(other).map((value, i) => {
    const before = valueAt(array(one), origins ? origins[i] : i);
    return before === none || value === none ? value : Math.round(between(before, value, part));
  });
  const kinds = {
    path([, , ...before], [kind, style, x, y, codes]) {
      const open = codes === -1 && before[2] === -1; // a bend becomes straight, or the reverse: by the vertices of the bend
      const [one, other, part] = open && array(x).length < array(before[0]).length ? [[x, y], before, 1 - share] : [before, [x, y], share];
      const origins = originsOf(array(other[0]), array(one[0]), open);
      if (!origins || `${array(codes)}` !== `${array(before[2])}`) return undefined;
      return [kind, style, ...[0, 1].map((i) => mixed(one[i], other[i], origins, NOWHERE, part)), codes];
    },
    stamp(before, [kind, style, outlineX, outlineY, codes, x, y, ...looks]) {
      const origins = originsOf(array(x), array(before[5]), false);
      const mixes = (look, i) => look !== -1 && array(look).length === array(before[7 + i])?.length;
      const places = () => [mixed(before[5], x, origins), mixed(before[6], y, origins)];
      return origins && [kind, style, outlineX, outlineY, codes, ...places(),
        ...looks.map((look, i) => (mixes(look, i) ? mixed(before[7 + i], look) : look))];
    },
    image(before, [kind, clip, cells, table, down, across, columns, rows, ...box]) {
      if (table !== before[3] || columns !== before[6] || rows !== before[7]) return undefined;
      const places = (one, other) => (one === -1 || other === -1 ? other : mixed(one, other));
      return [kind, clip, mixed(before[2], cells, null, array(table).length - 1), table, places(before[4], down),
        places(before[5], across), columns, rows, ...box.map((to, i) => between(before[8 + i], to))];
    },
    words([kind, clip, colour, x, y, ...letters], [, , , toX, toY]) { // they change where the way ends
      const apart = (one, other) => [0, -1].map((end) => array(other).at(end) - array(one).at(end));
      const least = ([first, last]) => (Math.abs(first) < Math.abs(last) ? first : last); // so they keep their edge
      const moved = (one, other) => array(one).map((from) => from + share * least(apart(one, other)));
      return [kind, clip, colour, moved(x, toX), moved(y, toY), ...letters];
    },
  };
  return to.flatMap((shape, i) => {
    const mixed = kinds[shape[0]] ? kinds[shape[0]](from[i], shape) : shape;
    return mixed ? [mixed] : fade([from[i]], [shape]);
  });
}

// For each vertex of a line the place on an earlier line from which it comes, in numbers of vertices; nothing if they
// have nothing in common. open: whether lines of different numbers of vertices may have.
function originsOf(to, from, open) {
  const [last, some] = [from.length - 1, Math.min(to.length, from.length)];
  const isGraph = (x) => x[0] < x.at(-1) && x.every((each, i) => i === 0 || x[i - 1] <= each);
  if (some > 1 && to.subarray(0, some).every((x, i) => x === from[i])) // one goes on where the other ends
    return Array.from(to, (_, i) => Math.min(i, last));
  if (open && isGraph(to) && isGraph(from)) { // at the same share of their width
    const stretch = (from[last] - from[0]) / (to.at(-1) - to[0] || 1);
    let i = 0;
    return Array.from(to, (x) => {
      const place = from[0] + (x - to[0]) * stretch;
      while (i < last - 1 && from[i + 1] < place) i++;
      return i + Math.min(Math.max((place - from[i]) / (from[i + 1] - from[i] || 1), 0), 1);
    });
  }
  if (to.length === from.length || (open && some > 1))
    return Array.from(to, (_, i) => (i * last) / Math.max(to.length - 1, 1));
  return undefined;
}

// The value at a place between two numbers of a list.
function valueAt(values, place) {
  const i = Math.floor(place);
  return place === i ? values[i] : values[i] + (place - i) * (values[i + 1] - values[i]);
}

