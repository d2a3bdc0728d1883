// What is the same thing before and after is seen to travel: after a preset, an undo, a step that plays.

const GLIDE = 400; // milliseconds; at least half of it where the picture at its end was waited for
const LEG = 190; // milliseconds, at least, in which one thing goes and another comes in its place
const FINE = 7; // stops, at least: over fewer a short way would go in jerks
const NEAR = 12; // eighths of a pixel: a mark so near to a line stands on it
const APART = 80; // eighths of a pixel: lines whose ends are further apart are not the same
const BENT = 4; // vertices of a line with few bends
const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const slowAtBothEnds = (time) => time * time * (3 - 2 * time); // so that it is seen what sets off, and where it ends

// A way from picture to picture. stops: frames with their `share` of the way, ascending from 0 to 1. asked: when it was
// asked for; ms: of a walk, in which notes and sentence keep up; covers: whether it does not count as seen.
// draw(frame, share): called in each frame of the display, last with the share 1.
class Glide {
  constructor(player, stops, { asked, ms: given, ease, covers }, draw) {
    const [begin, ms] = [performance.now(), given ?? GLIDE];
    Object.assign(this, { player, stops, ease, covers, draw, begin, ms: Math.max(ms / 2, ms + asked - begin) });
    Object.assign(this, { way: withCalmAxes(stops, LEG / ms), isWalk: given !== undefined });
    this.due = requestAnimationFrame(() => this.step());
  }

  // How much of the way is behind it now.
  get share() {
    return this.ease(Math.min((performance.now() - this.begin) / this.ms, 1));
  }

  step() {
    const { stops, way, share } = this;
    if (!this.player.drawn) return; // Python has sent everything anew: a whole picture comes
    if (share >= 1) return this.draw(stops.at(-1).frame, 1);
    const part = (from, to) =>
      ({ from: from.frame, to: to.frame, share: (share - from.share) / (to.share - from.share),
        isQuick: to.share - from.share < LEG / this.ms });
    const next = way.findIndex((stop) => stop.share > share);
    const [leg, whole] = [part(way[next - 1], way[next]), part(stops[0], stops.at(-1))];
    this.draw(this.player.between(leg, this.isWalk ? leg : whole), share);
    this.due = requestAnimationFrame(() => this.step());
  }

  // The stop that comes next.
  get ahead() {
    return this.stops.find((stop) => stop.share > this.share) ?? this.stops.at(-1);
  }

  end() {
    cancelAnimationFrame(this.due);
  }
}

// Those of the stops, if they are many, between which no other axes come within less than this share of the way.
function withCalmAxes(stops, least) {
  const [way, last] = [[stops[0]], stops.at(-1)];
  const isCalm = (from, to) => from.frame[0] === to.frame[0] || to.share - from.share >= least;
  if (stops.length < FINE && least >= LEG / GLIDE) return [...way, last];
  for (const stop of stops.slice(1, -1)) if (isCalm(way.at(-1), stop) && isCalm(stop, last)) way.push(stop);
  return [...way, last];
}

// An item between two items on a leg: {share, isQuick, array, lines}. array(id): what has this number. lines: see `linesOf`.
// Where they are not the same thing, what is in both stays or travels. The rest goes at once, and then the other comes,
// or covers it if it is a picture; on a quick leg the nearer one is shown.
function mix(from, to, { share, isQuick, array, lines }) {
  const between = (one, other) => (BETWEEN[other[0]] ? BETWEEN[other[0]](one, other, share, array, lines) : other);
  const isSame = from.length === to.length && to.every(([kind], i) => kind === from[i][0]);
  const nearer = share < 0.5 ? from : to;
  const shapes = isSame ? to.map((shape, i) => between(from[i], shape) ?? (isQuick ? nearer[i] : null)) : [null];
  if (!shapes.includes(null)) return shapes;
  if (isQuick) return nearer;
  const name = (shape) => (shape[0] === "words" ? array(shape[5]) : `${shape}`);
  let next = to[0]?.[0] === "note" ? from.length : 0; // a note goes as a whole
  const partners = to.map((shape) => {
    const i = from.findIndex((one, i) => i >= next && name(one) === name(shape));
    if (i >= 0) next = i + 1;
    return from[i];
  });
  const [goes, comes] = [from.filter((one) => !partners.includes(one)), to.filter((_, i) => !partners[i])];
  const covers = [goes, comes].every((shapes) => shapes.some(([kind]) => kind === "image"));
  const visible = (share) => Math.max(share, 0);
  return [...to.flatMap((shape, i) => (partners[i] ? [between(partners[i], shape)] : [])),
    ["faded", covers ? 1 : visible(1 - 4 * share), goes], ["faded", covers ? share : visible(1.5 * share - 0.5), comes]];
}

const part = (one, other, share) => one + share * (other - one);
const mixedPart = (one, other, share, array) =>
  one === other || one === -1 || other === -1 ? other : mixed(array(one), array(other), share);
const mixed = (one, other, share, none = NOWHERE) => one === other ? other : other.map((value, i) =>
  one[i] !== none && value !== none ? Math.round(part(one[i], value, share)) : share < 0.5 ? one[i] : value);

// For each kind of shape, but not for tags, the one between two of them, or null if they have nothing in common.
const BETWEEN = {
  path([, look, ...before], [kind, style, ...after], share, array) {
    const [one, other] = [before, after].map((places) => places.slice(0, 2).map(array));
    const isSame = `${array(before[2])}` === `${array(after[2])}`;
    const places = (isSame ? mixedPlaces(one, other, share) : null) ??
      (before[2] === -1 || after[2] === -1 ? mixedGraphs(one, other, share) : null); // also to a line with gaps
    return places && [kind, mixedStyle(look, style, share), ...places, (one[0].length > other[0].length ? before : after)[2]];
  },
  stamp([, look, ...before], [kind, style, ...after], share, array, lines) {
    const [one, other] = [before, after].map((parts) => parts.slice(3, 5).map(array));
    const isSeen = ([xs]) => xs.some((x) => x !== NOWHERE);
    if ((one[0].length !== other[0].length && after[5] !== -1) || isSeen(one) !== isSeen(other)) return null;
    const places = alongLines(one, other, share, lines) ?? mixedPlaces(one, other, share);
    const isSame = before[2] === after[2] && after[2] !== -1; // the shape, perhaps in another size
    const [outlineX, outlineY, sizes, colours] =
      [0, 1, 5, 6].map((i) => (isSame || i > 1 ? mixedPart(before[i], after[i], share, array) : after[i]));
    return places && [kind, mixedStyle(look, style, share), outlineX, outlineY, after[2], ...places, sizes, colours];
  },
  image([, , ...before], [kind, clip, cells, table, down, across, columns, rows, ...box], share, array) {
    if (table !== before[1] || columns !== before[4] || rows !== before[5]) return null;
    const places = [down, across].map((to, i) => mixedPart(before[2 + i], to, share, array));
    return [kind, clip, mixed(array(before[0]), array(cells), share, array(table).length - 1), table, ...places,
      columns, rows, ...box.map((to, i) => part(before[6 + i], to, share))];
  },
  words([kind, clip, colour, ...before], [, , , ...after], share, array) {
    const moved = (side) => {
      const [one, other] = [before[side], after[side]].map(array);
      return one.map((place) => Math.round(place + share * (other[0] - one[0])));
    };
    return array(before[2]) === array(after[2]) ? [kind, clip, colour, moved(0), moved(1), ...before.slice(2)] : null;
  },
};

function mixedStyle(one, other, share) {
  const colour = (one, other) => one === other || !one || !other ? other : `#${channels(one).map((each, i) =>
    Math.round(part(each, channels(other)[i], share)).toString(16).padStart(2, "0")).join("")}`;
  const [face, line, width, ...rest] = other;
  return [colour(one[0], face), colour(one[1], line), part(one[2], width, share), ...rest];
}

// Places [x, y] between as many others, or between a line and the one that goes on where it ends; null for others.
function mixedPlaces(one, other, share) {
  if (one[0].length === other[0].length) return [0, 1].map((side) => mixed(one[side], other[side], share));
  const tip = tipOf(one, other, share);
  const longer = one[0].length > other[0].length ? one : other;
  return tip === null ? null : longer.map((side) => side.map((_, i) => Math.round(valueAt(side, Math.min(i, tip)))));
}

// How far a line has come that goes on, or goes back, from one to the other: the number of a vertex, perhaps in between.
function tipOf(one, other, share) {
  const [from, to] = [one[0].length, other[0].length];
  const some = Math.max(Math.min(from, to) - 1, 1); // the last one may be new: vertices on a straight piece are left out
  const goesOn = from !== to && [0, 1].every((side) =>
    one[side].subarray(0, some).every((value, i) => Math.abs(value - other[side][i]) <= NEAR));
  return goesOn ? part(from - 1, to - 1, share) : null;
}

// Between two graphs, or lines with few bends, by the vertices of the one that has more; null for others.
function mixedGraphs(one, other, share) {
  const [count, less] = [one[0].length, other[0].length];
  if (count < less) return mixedGraphs(other, one, 1 - share);
  const isLevel = [0, -1].every((end) => Math.abs(one[0].at(end) - other[0].at(end)) <= APART);
  if (isLevel && isGraph(one) && isGraph(other)) {
    const stretch = (other[0].at(-1) - other[0][0]) / (one[0].at(-1) - one[0][0]);
    const there = one[0].map((x) => other[0][0] + (x - one[0][0]) * stretch);
    return [mixed(one[0], there, share), mixed(one[1], there.map((x) => heightAt(other, x)), share)];
  }
  if (count > BENT || less < 2) return null;
  return one.map((side, j) => mixed(side, side.map((_, i) => valueAt(other[j], (i * (less - 1)) / (count - 1))), share));
}

const isGraph = ([x]) => x[0] < x.at(-1) && x.every((each, i) => i === 0 || x[i - 1] <= each);

// The height of a graph here.
function heightAt([xs, ys], x) {
  const next = xs.findIndex((each) => each >= x);
  if (next <= 0) return next ? ys.at(-1) : ys[0];
  return valueAt(ys, next - (xs[next] - x) / (xs[next] - xs[next - 1] || 1));
}

// The value at a place between two numbers of a list.
function valueAt(values, place) {
  const i = Math.floor(place);
  return place === i ? values[i] : part(values[i], values[i + 1], place - i);
}

// The open lines of two frames, [before, after] each; first those that stay.
function linesOf({ from, to }, array) {
  const lineOf = (item) => (array(item) ?? []).find(([kind, , , , codes]) => kind === "path" && codes === -1)?.slice(2, 4);
  const pairs = to[1].map((item, i) => [lineOf(from[1][i]), lineOf(item)]);
  const moves = pairs.map(([one, other]) => `${one}` !== `${other}`);
  return [false, true].flatMap((so) => pairs.filter((_, i) => moves[i] === so))
    .map((pair) => pair.map((line) => line?.map(array)));
}

// Marks that stand on a graph before and after stay on it, and the one at the end of a line that goes on at its end.
function alongLines(one, other, share, lines) {
  const isEnd = ([x, y], line) => Math.hypot(line[0].at(-1) - x[0], line[1].at(-1) - y[0]) <= NEAR;
  if (one[0].length !== other[0].length) return null;
  for (const [before, after] of one[0].length === 1 ? lines : []) {
    const tip = before && after && isEnd(one, before) && isEnd(other, after) ? tipOf(before, after, share) : null;
    if (tip !== null) return (before[0].length > after[0].length ? before : after).map((side) => [Math.round(valueAt(side, tip))]);
  }
  const isOn = ([xs, ys], line) => line && isGraph(line) && xs.every((x, i) => {
    const heights = [x - NEAR, x, x + NEAR].map((x) => heightAt(line, x));
    return Math.min(...heights) - NEAR <= ys[i] && ys[i] <= Math.max(...heights) + NEAR;
  });
  const [before, after] = [one, other].map((marks, i) => lines.map((pair) => pair[i]).find((line) => isOn(marks, line)));
  if (!before || !after) return null;
  const off = ([xs, ys], line) => ys.map((y, i) => y - heightAt(line, xs[i]));
  const [above, below] = [off(one, before), off(other, after)];
  const xs = mixed(one[0], other[0], share);
  return [xs, xs.map((x, i) => Math.round(part(heightAt(before, x) + above[i], heightAt(after, x) + below[i], share)))];
}
