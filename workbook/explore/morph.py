"""From the Gaussian kernel to scaled dot-product attention, term by term. Queries q (m, 2), keys k (n, 2)."""
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform

from nwlab.pooling import masked_softmax
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import QueryScene
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip
from workbook.figures.points import Points
from workbook.language import language, say

# The formula's pieces, in Matplotlib's mathtext. An @ is not shown: it stands for what is as high as the brackets.
OPEN, CLOSE = (formula.replace("@", r"\genfrac{}{}{0}{0}{@^{@^@}}{@_@}") for formula in (
    r"$\mathrm{softmax}\left(@\right.$", r"$\left.@\right)$"))
SQUARE = r"$-\,\dfrac{\Vert q-k\Vert^2}{2\sigma^2}$"
QUERY, KEY = r"$-\,\dfrac{\Vert q\Vert^2}{2\sigma^2}$", r"$-\,\dfrac{\Vert k\Vert^2}{2\sigma^2}$"
DOT, SCALED = r"$\dfrac{q\cdot k}{\sigma^2}$", r"$\dfrac{q\cdot k}{\sqrt{d}}$"
PROJECTED = r"$\dfrac{(W_q\,q)\cdot(W_k\,k)}{\sqrt{d}}$"
FONT = palette.style()["font.family"][-1]                 # has the letters of \mathregular, which the others lack
RANDOM = rf"\math{'rm' if language() == 'en' else 'regular'}{{{say('random')}}}"
DROPPED = {"query": 2, "key": 3}                        # dropped piece -> the step that drops it
PLAIN = {"(": say("makes shares\nthat add up to 1"), "square": say("how far k\nis from q"),     # said below the pieces
         "query": say("the same for\nall keys"), "dot": say("how far k\nis along q"),
         "key": say("how far k is\nfrom the middle")}
INKS = {"q": palette.QUERY_INK, "k": palette.KEY_INK}   # letter -> colour
LARGEST, GAP = 34, 0.2                                  # letters, in pixels; between pieces, in units of the letters
WHERE = [say("0\nkernel"), say("1\n3 terms"), say("2\ndrop ‖q‖"), say("3\ndrop ‖k‖"), say("4\nscale"),
         say("5\nattention")]
REACH = 1.75                                            # of the visible plane, up and down
D, ONE = 2, np.eye(2)
W_Q, W_K = np.random.default_rng(0).uniform(-1, 1, (2, D, D)) / np.sqrt(D)          # as in a new layer


class Step(NamedTuple):
    """One formula: its name, its pieces from left to right, and M (d, d), b and c as functions of w = 1/sigma^2, where
    the score is q M k - b |k|^2 / 2 - c |q|^2 / 2."""

    name: str
    pieces: dict[str, str]
    terms: Callable[[float], tuple[np.ndarray, float, float]]


STEPS = (
    Step(say("the Gaussian kernel"), {"square": SQUARE}, lambda w: (w * ONE, w, w)),
    Step(say("multiply out the square"), {"query": QUERY, "dot": r"$+\,$" + DOT, "key": KEY},
         lambda w: (w * ONE, w, w)),
    Step(say("drop the query's own term"), {"dot": DOT, "key": KEY}, lambda w: (w * ONE, w, 0)),
    Step(say("drop the keys' own term"), {"dot": DOT}, lambda w: (w * ONE, 0, 0)),
    Step(say("set σ² = √d"), {"dot": SCALED}, lambda w: (ONE / np.sqrt(D), 0, 0)),
    Step(say("attention with random W"), {"dot": PROJECTED, ")": CLOSE + rf"$\;\; W\;{RANDOM}$"},
         lambda w: (W_Q.T @ W_K / np.sqrt(D), 0, 0)),
)


def place_of(position: float) -> tuple[int, list[float]]:
    """The step to which a position from 0 to 5 belongs, and how much is done of its three beats, between rests."""
    step = math.ceil(round(position, 6))                # a slider may stop at 4.000000000000001
    done = round(10 * (position - step + 1), 5) if step else 10
    return step, [float(np.interp(done, beat, (0, 1))) for beat in ((1, 3), (3, 6), (6, 9))]


def scores_at(position: float, q, k, sigma) -> np.ndarray:
    """The scores (m, n) of queries q (m, d) and keys k (n, d) at a position: as a dropped term falls, in the second
    beat of a step, it counts less and less."""
    step, (_, done, _) = place_of(position)
    matrix, b, c = (done * new + (1 - done) * old for new, old in zip(*(
        STEPS[max(each, 0)].terms(sigma**-2) for each in (step, step - 1))))
    return q @ matrix @ k.T - (b * np.sum(k**2, axis=1) + c * np.sum(q**2, axis=1)[:, None]) / 2


def morph(**start) -> Explorer:
    """A live figure: the Gaussian kernel becomes scaled dot-product attention, term by term.

    Keys in the plane are dots as large as their weights after the step, with rings as large as before it. start:
    values of the controls step, sigma, spread (of the keys, off the circle), n, seed and query.
    """
    return Explorer(MorphScene(MorphPoints()), start)


class MorphPoints(Sample):
    """Queries q (m, 2) on the circle, numbered from 1 in `queries`, and keys, the `points`, on it or off it."""

    drawn_by = "spread", "n", "seed"
    queries = np.arange(1.0, 37.0)
    turns = np.deg2rad(10 * queries - 60)               # the ninth is at the upper right
    q = np.column_stack([np.cos(turns), np.sin(turns)])

    def new(self, spread: float, n: int, seed: int) -> None:
        aside, stretch = np.random.default_rng(seed).random((2, n))
        turns, lengths = 2 * np.pi * (np.arange(n) + aside) / n, 1 + spread * (2 * stretch - 1)
        places = np.column_stack([lengths * np.cos(turns), lengths * np.sin(turns)])
        self.points = Points(places[np.argsort((turns - self.turns[0]) % (2 * np.pi))])


def in_row(pieces: dict[str, str]) -> dict[str, tuple[np.ndarray, float, dict]]:
    """For each piece of a formula, in units of the letters, its place (2,), its right end, and the boxes of its marks.

    A mark is a letter, (font, letter, size, how many like it are before it), or a bar, ("", "", 0, how many). Its box
    is its left end, its baseline or lower edge, and the width and height of a bar.
    """
    row, end = {}, 0.0
    for name, piece in {"(": OPEN, **pieces, ")": pieces.get(")", CLOSE)}.items():
        made = MathTextParser("path").parse(piece, 72, FontProperties(family=FONT, size=100, math_fontfamily="stix"))
        glyphs = [((font.fname, chr(code), size / 100), (x, y, 0, 0)) for font, size, code, *_, x, y in made.glyphs]
        kinds, boxes = zip(*glyphs, *((("", "", 0), bar) for bar in made.rects))
        marks = {(*kind, kinds[:i].count(kind)): np.array(boxes[i]) / 100 for i, kind in enumerate(kinds)}
        inside = [marks.pop(mark)[0] for mark in [*marks] if mark[1] == "@"]
        begin = end - min(box[0] for box in marks.values()) if inside else end
        end = begin + min([made.width / 100, *(x for x in inside if x > end - begin)])
        row[name] = np.array([begin, 0.0]), end, marks
        end += GAP
    return row


class Piece(Artist):
    """Letters and bars, each in a colour of its own: (font, letter, size, colour, *box) as `in_row` has them."""

    def set_marks(self, marks) -> None:
        self.marks, self.stale = marks, True

    def draw(self, renderer) -> None:
        gc, unit = renderer.new_gc(), 72 * self.axes.bbox.width / self.axes.viewLim.width / renderer.dpi    # in points
        for font, letter, size, colour, x, y, width, height in self.marks:
            (x, y), (end, _) = self.axes.transData.transform([(x, y + height / 2), (x + width, 0)])
            gc.set_foreground(colour)
            if letter:
                renderer.draw_text(gc, x, renderer.height - y, letter, FontProperties(fname=font, size=size * unit), 0)
            else:
                gc.set_linewidth(height * unit)
                renderer.draw_path(gc, Path([(x, y), (end, y)]), IdentityTransform())
        self.stale = False


class FormulaLine:
    """The formula. Each piece is an artist, whose marks move when the formula changes, and which falls if dropped."""

    def __init__(self, panel):
        self.panel, self.rows = panel, [in_row(step.pieces) for step in STEPS]
        below = in_row({"query": QUERY, "key": KEY})
        for name, step in DROPPED.items():              # the key's term falls straight down
            for row in self.rows[step:]:
                row[name] = below[name][0] - below["key"][0] + self.rows[2]["key"][0] - (0, 1), *below[name][1:]
        panel.set(yticks=[])
        panel.spines["left"].set_visible(False)

    def spread(self) -> None:
        """Set the unit, the size of the letters, and the places on the axis below, when the panel has its size."""
        width, height = self.panel.bbox.size / self.panel.figure.dpi * 100
        unit = min(LARGEST, 0.98 * width / max(end for row in self.rows for _, end, _ in row.values()))
        self.panel.set(xlim=(0, width / unit), ylim=(-0.6 * height / unit, 0.4 * height / unit))
        self.roomy = unit > 30 and height > 200
        self.down, self.ticks = 0.36 * height / unit, np.linspace(22, width - 22, len(STEPS)) / unit
        self.panel.set_xticks(self.ticks, WHERE)

    def show(self, position: float) -> None:
        """In the first beat of a step the bracket moves, or a piece is struck through; in the second new letters come,
        or the piece falls; in the third the others close up."""
        panel, (step, (first, middle, last)), low = self.panel, place_of(position), self.panel.get_ylim()[0]
        panel.line("track", [np.interp(position, range(len(STEPS)), self.ticks), self.ticks[0]], [low, low],
                   linewidth=3, label="_nolegend_", **grip(palette.INK, size=13))
        panel.words("name", 0, 1, say("Step {step}: {name}", step=step, name=STEPS[step].name), (0, -12.6),
                    "axes fraction", weight="bold")
        for name in dict.fromkeys(name for row in self.rows for name in row):
            rows, drop, marks = (self.rows[max(step - 1, 0)], self.rows[step]), DROPPED.get(name, len(STEPS)), []
            before, after = (row[name][2] if name in row else {} for row in rows)
            begin, *_, end = [row[name][0] for row in rows if name in row] * 2 or np.zeros((2, 2))
            moved = middle**6 if step == drop else last if step in DROPPED.values() else first
            struck = first if step == drop else step > drop
            (x, y), leaving, coming = begin + (moved, moved ** (1 / 3)) * (end - begin), 1 - first, middle  # down first
            if step == 1:                               # the square parts into two terms, the third comes up between
                leaving, coming = float(middle == 0), first if name == "dot" else float(middle > 0)
                x -= (1 - middle) ** 2 * (rows[1]["key"][1] - rows[0]["square"][1]) if name == "key" else 0
                y -= 2.4 * (1 - last) / self.down if name == "dot" else 0
            for mark in before | after:
                old, new = before.get(mark, after.get(mark)), after.get(mark, before.get(mark))
                opacity = 1.0 if mark in before and mark in after else leaving if mark in before else coming
                if opacity:
                    colour = *palette.rgb(palette.MUTED if struck else INKS.get(mark[1], palette.INK)), opacity
                    marks.append((*mark[:3], colour, *old + moved * (new - old) + (x, y * self.down, 0, 0)))
            panel.show(name, lambda: panel.add_artist(Piece()), marks=tuple(marks), visible=bool(marks))
            said = name == "(" or self.roomy and position <= 4 and (first == 0 or last == 1)      # where it rests
            panel.words(("plain", name), x + 0.1, y * self.down - 1.15, PLAIN.get(name, ""), fontsize=9,
                        va="top", color=palette.MUTED, visible=bool(said and marks))
            if name in DROPPED:
                cross = x + np.array([0.1, 0.1 + struck * 2.8]), y * self.down - 0.35 + np.array([0, 1.2 * struck])
                panel.line(("stroke", name), *cross, palette.MUTED, linewidth=1, visible=struck > 0, label="_nolegend_")


class MorphScene(QueryScene):
    lesson_asks = tuple({"step": 4, "spread": a, "sigma": s} for a in (0.0, 0.4) for s in (0.2, 0.8, 1.6))
    label = say("The Gaussian kernel turns into scaled dot-product attention: formula, and dots as large as weights")
    invitation = say("Drag the step: do the nearest dots still count most?")
    controls = {"step": lambda _: make.slider(say("step"), 0.0, 0.0, len(STEPS) - 1.0, 0.1),
                "sigma": make.width(0.4, 0.05, 2)}
    play = "step", 150, 10, 20, 30, 40                  # it rests at whole steps
    more = {"spread": lambda _: make.slider(say("off the sphere"), 0.4, 0.0, 0.4, 0.05),
            "n": lambda _: make.slider(say("keys n"), 16, 5, 60, 1),
            "seed": lambda _: make.slider(say("seed"), 12, 0, 30, 1),
            "query": lambda _: make.pick(say("query"), MorphPoints.queries, 9, colour="query")}
    presets = {say("drop the query's own term"): {"step": 2}, say("drop the keys' own term"): {"step": 3}}
    demo, across, movable, longest = ("step", 30), {}, "keys", 215
    layouts = (
        Layout(("formula", "keys"), (1,), (150, 308), height=600, gap_y=66),
        Layout(("formula keys",), (1.5, 1), (1,), height=394, room=WIDE, gap_x=84, right=30),
    )

    def __init__(self, sample: MorphPoints):
        super().__init__(sample)
        self.when_placed.append(self._fit_panels)
        self.formula, panel = FormulaLine(self.panels["formula"]), self.panels["keys"]
        panel.label(say("Larger dots count more"), say("key number"))
        panel.spines[:].set_visible(False)
        panel.xaxis.label.set_visible(False)
        panel.set(xticks=[], yticks=[], ylim=(0.1 - REACH, 0.1 + REACH))
        turn = np.linspace(0, 2 * np.pi, 181)
        panel.plot(np.cos(turn), np.sin(turn), color=palette.FAINT, linewidth=1.2, zorder=1, label="_nolegend_")
        panel.words("query", 0, 0, say("◆ query"), (0, -3), "axes fraction", color=palette.QUERY_INK, va="top")

    def given(self) -> dict:
        """The queries, and for each step M (row by row) and b at w = 0 and at w = 1, as they are linear in w."""
        terms = [[[*np.ravel(matrix), float(b)] for matrix, b, _ in map(step.terms, (0.0, 1.0))] for step in STEPS]
        return {"circle": self.sample.q.tolist(), "terms": terms}

    def look_of_weights(self, weights, record):
        discs = self.panels["keys"].show("discs", None, sizes=16 + 3200 * np.abs(weights),
                                         offsets=np.zeros((len(weights), 2)))
        return {"discs": record(discs)}

    def _fit_panels(self) -> None:
        """Give the panels the room that the axes they lack would have, and place the formula."""
        panel, (width, height) = self.panels["keys"], self.figure.get_size_inches()
        box = panel.get_position()                      # it has no axes
        panel.set_position((box.x0 - 0.54 / width, 0.3 / height, box.width + 0.54 / width, box.y1 - 0.3 / height))
        panel.set_xlim(np.array([-REACH, REACH]) * np.divide(*panel.bbox.size))
        box = self.panels["formula"].get_position()     # it has no axis on the left, and no title
        self.panels["formula"].set_position((0.1 / width, box.y0, box.x1 - 0.1 / width, 1 - box.y0))
        self.formula.spread()

    def update(self, state: dict) -> str:
        place, sigma, row = state["step"], state["sigma"], self.row_of(state["query"])
        step, (_, begun, _) = place_of(place)
        self.formula.show(place)
        query, keys = self.sample.q[row], self.sample.points.places
        before, now = (masked_softmax(scores_at(at, query[None], keys, sigma))[0] for at in (max(step - 1, 0), place))
        change, differs = now - before, bool(np.abs(now - before).max() > 1e-9)
        key, nearest = np.argmax(np.abs(change) if differs else now), np.argmin(np.linalg.norm(keys - query, axis=1))
        panel, (x, y), bare = self.panels["keys"], keys[key], {"label": "_nolegend_"}
        opened = {"shows": "", "visible": place > 2}    # before, no dot changes
        for name, column in ((say("length"), np.linalg.norm(keys, axis=1)), (say("weight before"), before),
                             (say("weight after"), now)):
            panel.line(("column", name), np.arange(1.0, len(keys) + 1), column, linestyle="none", label=name)
        panel.words("ring", 0, 0, say("○ before") if differs else "", (0, 11), "axes fraction")
        self.discs = panel.dots("discs", keys, 16 + 3200 * now, palette.KEY, alpha=0.8, zorder=3, shows="discs", **bare)
        self.rings = panel.dots("rings", keys, 16 + 3200 * before, palette.INK, facecolors="none", zorder=4, shows="",
                                linewidths=np.clip(900 * (np.abs(change) - 0.003), 0.01, 1.1), visible=differs, **bare)
        panel.line("way", [0, x], [0, y], palette.KEY, linewidth=1.3, zorder=2.5, **opened, **bare)
        way, side = keys[key] / max(np.hypot(x, y), 1e-9), math.copysign(11, x * query[1] - y * query[0])
        panel.words("length", *0.4 * way, "‖k‖", (side * way[1], -side * way[0]), color=palette.KEY_INK, ha="center",
                    va="center", **opened)              # not on the query's side
        panel.marks("ray", [0, query[0]], [0, query[1]], palette.QUERY, 10, "D", linestyle="-", markevery=[1],
                    linewidth=1.3, zorder=5, **bare)
        inside = now[key] > 0.06                        # else it stands beyond its ring, seen from the middle
        beside = keys[key] + (not inside) * (0.12 + 0.5 * np.sqrt(before[key])) * way
        panel.words("number", *beside, str(key + 1), ha="center", va="center", zorder=6, weight="bold", shows="",
                    color=palette.PAPER if inside else palette.KEY_INK)
        right, up, ha = x >= 0, y >= 0.5, "right" if x >= 0 else "left"     # a corner with a free way to the key
        shrinks = say("nearest:\nit shrinks") if step == 3 and key != nearest and change[nearest] < -0.01 else ""
        panel.note(shrinks, *keys[nearest], near=(0.6 - 0.4 * right, up), name="nearest")
        note = self._note(step, key, change[key] if differs else 0.0) if begun or step < 3 else ""
        self.note = panel.note(note, x, y, near=(right, up), ha=ha, va="top" if up else "bottom")
        return self._sentence(step, key, nearest, before, now, differs, begun)

    def drags(self):
        x, y = self.sample.q.T
        track = Drag("step", x=lambda steps: np.interp(steps, range(len(STEPS)), self.formula.ticks))
        return super().drags() | {"formula": track, "keys": Drag("query", x=lambda _: x, y=lambda _: y)}

    def step(self, positions, by):
        return (positions + by) % len(positions)                                     # round the circle

    def _note(self, step: int, key: int, change: float) -> str:
        if not change:
            return (say("nearest, so it\ncounts most"), say("the same number:\nno dot changes"),
                    say("same for all keys:\nno dot changes"), say("keys equally long:\nno dot changes"))[min(step, 3)]
        if step == 3 and (np.linalg.norm(self.sample.points.places[key]) > 1) == (change > 0):
            return say("far from the\nmiddle: it grows") if change > 0 else say("near the\nmiddle: it shrinks")
        return say("this dot\ngrows most") if change > 0 else say("this dot\nshrinks most")

    def _sentence(self, step: int, key: int, nearest: int, before, now, differs, begun) -> str:
        change = (say("Key {key} goes from a share of {old} to {new}.", key=key + 1, old=words.bold(before[key], 2),
                      new=words.bold(now[key], 2)) if differs else "")
        rank = (say("The nearest key still counts most.") if now[nearest] > now.max() - 0.005 else
                say("The nearest key no longer counts most.")) if step > 2 and begun else ""
        why = (say("Each dot is a key: the nearer, the larger. Multiplied out, the square has three terms, and "
                "transformers drop two of them. Drag to see whether that changes who counts."),
               say("The squared distance is written as three terms, the same in sum. Next, two of them are dropped."),
               say("The term is the same for all keys: without it the shares, which add up to 1, stay as they are."),
               say("It held back keys far from the middle (large ‖k‖). Without it, of two keys the farther out gains.")
               if np.ptp(np.linalg.norm(self.sample.points.places, axis=1)) > 1e-9 else
               say("All keys are equally long, so it is the same for each."),
               say("√d takes the place of σ². Here d = 2: two numbers make a key."),
               say("This is scaled dot-product attention in a new layer: chance decides what is similar."))[step]
        return words.joined(say("<b>Step {step}: {name}.</b>", step=step, name=STEPS[step].name), why, rank, change)
