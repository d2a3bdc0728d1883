"""From the Gaussian kernel to scaled dot-product attention, term by term. Queries q (m, 2), keys k (n, 2)."""
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nwlab.pooling import masked_softmax
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import QueryScene
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip, length_of
from workbook.figures.points import Points

# Terms, in Matplotlib's mathtext.
OPEN, CLOSE, PLUS, SQUARE = "softmax (", ")", "+", r"$-\,\frac{\Vert q-k\Vert^2}{2\sigma^2}$"
QUERY, KEY = r"$-\,\frac{\Vert q\Vert^2}{2\sigma^2}$", r"$-\,\frac{\Vert k\Vert^2}{2\sigma^2}$"
DOT, SCALED = r"$\frac{q\cdot k}{\sigma^2}$", r"$\frac{q\cdot k}{\sqrt{d}}$"
PROJECTED = r"$\frac{(W_q\,q)\cdot(W_k\,k)}{\sqrt{d}}$"
DROPPED = {QUERY: 2, KEY: 3}                            # dropped term -> the step that drops it
HIGH, LOW = 0.64, 0.24                                  # heights of the formula, and of what was dropped
WHERE = {0: "\nkernel", 4: "\nattention"}                # added to the tick labels of these steps
REACH = 1.6                                             # of the visible plane, up and down
D, ONE = 2, np.eye(2)
W_Q, W_K = np.random.default_rng(0).uniform(-1, 1, (2, D, D)) / np.sqrt(D)          # as in a new layer


class Step(NamedTuple):
    """One formula: its name, its pieces from left to right, and M (d, d), b and c as functions of w = 1/sigma^2, where
    the score is q M k - b |k|^2 / 2 - c |q|^2 / 2."""

    name: str
    pieces: tuple[str, ...]
    terms: Callable[[float], tuple[np.ndarray, float, float]]


STEPS = (
    Step("the Gaussian kernel", (OPEN, SQUARE, CLOSE), lambda w: (w * ONE, w, w)),
    Step("multiply out the square", (OPEN, QUERY, PLUS, DOT, KEY, CLOSE), lambda w: (w * ONE, w, w)),
    Step("drop the query's own term", (OPEN, DOT, KEY, CLOSE), lambda w: (w * ONE, w, 0)),
    Step("drop the keys' own term", (OPEN, DOT, CLOSE), lambda w: (w * ONE, 0, 0)),
    Step("set σ² = √d", (OPEN, SCALED, CLOSE), lambda w: (ONE / np.sqrt(D), 0, 0)),
    Step("project, giving the width back", (OPEN, PROJECTED, CLOSE, r"$W=\frac{\sqrt[4]{d}}{\sigma}\,I$"),
         lambda w: (w * ONE, 0, 0)),                     # W_q^T W_k / sqrt(d), with both W as written
    Step("project at random", (OPEN, PROJECTED, CLOSE, "$W$ random"), lambda w: (W_Q.T @ W_K / np.sqrt(D), 0, 0)),
)


def place_of(position: float) -> tuple[int, float]:
    """The step to which a position from 0 to 6 belongs, and how much of it is done: at 2.25 a quarter of step 3."""
    step = math.ceil(round(position, 6))                # a slider may stop at 5.000000000000001
    return step, position - step + 1 if step else 1.0


def terms_at(position: float, sigma: float) -> list:
    """M, b and c at a position, between those of two steps: a term that is being dropped counts less and less."""
    step, done = place_of(position)
    return [done * new + (1 - done) * old for new, old in zip(*(
        STEPS[max(each, 0)].terms(sigma**-2) for each in (step, step - 1)))]


def scores_at(position: float, q, k, sigma) -> np.ndarray:
    """The scores (m, n) of queries q (m, d) and keys k (n, d)."""
    matrix, b, c = terms_at(position, sigma)
    return q @ matrix @ k.T - (b * np.sum(k**2, axis=1) + c * np.sum(q**2, axis=1)[:, None]) / 2


def level_line(position: float, q, sigma: float, key) -> np.ndarray:
    """The curve (121, 2) on which keys get the same weight from the query q (2,) as this key (2,) does.

    With a = q M it is a circle around a / b through the key, or, for b = 0, the line through it perpendicular to a.
    """
    matrix, b, _ = terms_at(position, sigma)
    a, along = q @ matrix, np.linspace(-1, 1, 121)[:, None] * 3 * REACH
    if b == 0:
        return key + along * (-a[1], a[0]) / np.linalg.norm(a)
    spoke = key - a / b
    radius = max(np.linalg.norm(spoke), 1e-9)
    turn = np.clip(along / radius, -np.pi, np.pi)
    return a / b + np.cos(turn) * spoke + np.sin(turn) * (-spoke[1], spoke[0])


def morph(**start):
    """A live figure: the Gaussian kernel becomes scaled dot-product attention, term by term.

    Keys in the plane are dots as large as their weights after the step, with rings as large as before it. Two curves
    show where a key gets as much weight as the one whose weight changes most: a circle becomes a straight line. start:
    values of the controls step, sigma, spread (of the keys, off the circle), n, seed and query. Returns an `Explorer`.
    """
    return Explorer(MorphScene(MorphPoints(2.0)), start)


class MorphPoints(Sample):
    """Queries q (m, 2) on the circle, and keys, the `points`, on it or off it, both sorted by direction at first.

    `queries` are the numbers of the queries, from 1.
    """

    drawn_by, unit = ("spread", "n", "seed"), 1.0
    queries = np.arange(1.0, 37.0)
    turns = np.deg2rad(10 * queries - 60)               # the ninth is at the upper right
    q = np.column_stack([np.cos(turns), np.sin(turns)])

    def new(self, spread: float, n: int, seed: int) -> None:
        aside, stretch = np.random.default_rng(seed).random((2, n))
        turns, lengths = 2 * np.pi * (np.arange(n) + aside) / n, 1 + spread * (2 * stretch - 1)
        places = np.column_stack([lengths * np.cos(turns), lengths * np.sin(turns)])
        self.points = Points(places[np.argsort((turns - self.turns[0]) % (2 * np.pi))])


class FormulaLine:
    """The formula. Each piece is an artist, which moves when the formula changes, and falls when it is dropped."""

    def __init__(self, panel):
        self.panel = panel
        panel.set(yticks=[], ylim=(0, 1))
        panel.spines["left"].set_visible(False)
        self.pieces = dict.fromkeys(piece for step in STEPS for piece in step.pieces)

    def spread(self) -> None:
        """Find where each piece of each formula begins, in pixels of the page, when the panel has its size."""
        ratio, probe = self.panel.figure.dpi / 100, self.panel.text(0, 0, "")
        width, self.height = self.panel.bbox.size / ratio
        self.panel.set_xlim(0, width)
        self.steps = np.linspace(22, width - 22, len(STEPS))            # places on the axis below
        self.panel.set_xticks(self.steps, [f"step {step}{WHERE.get(step, '')}" for step in range(len(STEPS))])
        for self.size in range(26, 9, -1):              # the largest letters that fit
            for piece in self.pieces:
                probe.set(text=piece, fontsize=self.size)
                self.pieces[piece] = length_of(probe) / ratio + self.size / 2
            ends = [np.cumsum([self.pieces[piece] for piece in step.pieces]) for step in STEPS]
            if max(end[-1] for end in ends) <= width:
                break
        probe.remove()
        self.begins = [dict(zip(step.pieces, [0.0, *end])) for step, end in zip(STEPS, ends)]
        self.floor = {QUERY: self.pieces[OPEN], KEY: self.pieces[OPEN] + self.pieces[QUERY]}

    def show(self, position: float) -> None:
        """First a dropped piece falls, then the others move together."""
        step, done = place_of(position)
        panel = self.panel
        panel.line("track", [np.interp(position, range(len(STEPS)), self.steps), self.steps[0]], [0, 0], linewidth=3,
                   label="_nolegend_", **grip(palette.INK, size=15))
        panel.words("name", 0, 0.97, f"Step {step}: {STEPS[step].name}", transform=panel.transAxes, size=12, va="top")
        panel.words("dropped", 0, LOW, "dropped:" if position > 1 else "dropped: nothing yet", color=palette.MUTED,
                    va="center")
        old, new = self.begins[max(step - 1, 0)], self.begins[step]
        earlier, later = max(0.0, 1 - 2 * done), max(0.0, 2 * done - 1)
        for piece, length in self.pieces.items():
            fall, y, seen = float(np.clip(2 * (step - DROPPED.get(piece, 9) + done), 0, 1)), HIGH, 1.0
            if fall:
                begin = self.begins[DROPPED[piece] - 1][piece]
                x, y = begin + fall**2 * (self.floor[piece] - begin), HIGH - fall**2 * (HIGH - LOW)
            else:
                begin, end = old.get(piece, new.get(piece, 0.0)), new.get(piece, old.get(piece, 0.0))
                x = begin + later * (end - begin)
                seen = (piece in old) * (piece in new or earlier) or (piece in new) * later
            panel.words(piece, x, y, piece, va="center", fontsize=self.size, alpha=seen, visible=seen > 0,
                        color=palette.MUTED if fall else palette.INK)
            if piece in DROPPED:
                crossed = min(1.0, 3 * fall)
                panel.line(("stroke", piece), x + crossed * np.array([0, length - 8]),
                           y + crossed * np.array([-9, 9]) / self.height, palette.MUTED, linewidth=1.2,
                           visible=fall > 0, label="_nolegend_")


class MorphScene(QueryScene):
    lesson_asks = tuple({"step": 4, "spread": 0.0, "sigma": sigma} for sigma in (0.2, 0.8, 1.6))
    label = ("The Gaussian kernel turns into scaled dot-product attention: formula, and keys as dots as large as "
             "their weights after a step")
    invitation = "Drag the step: which blue dots grow as the formula shrinks?"
    controls = {"step": lambda _: make.slider("step", 3.0, 0.0, len(STEPS) - 1.0, 0.1), "_play": make.play("step", 100),
                "sigma": make.width(0.4, 0.05, 2)}
    more = {"spread": lambda _: make.slider("off the sphere", 0.4, 0.0, 0.4, 0.05),
            "n": lambda _: make.slider("keys n", 16, 5, 60, 1), "seed": lambda _: make.slider("seed", 7, 0, 30, 1),
            "query": lambda _: make.pick("query", MorphPoints.queries, 9)}
    presets = {"on the sphere": {"step": 3, "spread": 0.0}, "off the sphere": {"step": 3, "spread": 0.4},
               "σ² = √d": {"step": 4, "spread": 0.0}, "width given back": {"step": 5, "spread": 0.0},
               "random W": {"step": 6, "spread": 0.0}}
    demo, across, movable, longest = ("step", 20), {}, "keys", 200
    layouts = (
        Layout(("formula", "keys"), (1,), (150, 308), height=600, gap_y=66),
        Layout(("formula keys",), (1.25, 1), (1,), height=404, room=WIDE, gap_x=84),
    )

    def __init__(self, sample: MorphPoints):
        super().__init__(sample)
        self.when_placed.append(self._fit_panels)
        self.formula, panel = FormulaLine(self.panels["formula"]), self.panels["keys"]
        panel.label("Dot size: weight; ring: before", "key number")
        panel.spines[:].set_visible(False)
        panel.xaxis.label.set_visible(False)
        panel.set(xticks=[], yticks=[], ylim=(-REACH, REACH))
        turn = np.linspace(0, 2 * np.pi, 181)
        panel.plot(np.cos(turn), np.sin(turn), color=palette.FAINT, linewidth=1.2, zorder=1, label="_nolegend_")
        self.columns = [panel.plot([], [], color=palette.KEY, linestyle="none", label=name)[0]      # for the numbers
                        for name in ("length", "weight before", "weight after")]
        panel.names(("◆ query", palette.QUERY_INK), ("– – equal weight", palette.MUTED), down=15)

    def given(self) -> dict:
        """The queries, and for each step M (row by row) and b at w = 0 and at w = 1, as they are linear in w."""
        terms = [[[*np.ravel(matrix), float(b)] for matrix, b, _ in map(step.terms, (0.0, 1.0))] for step in STEPS]
        return {"circle": self.sample.q.tolist(), "terms": terms}

    def look_of_weights(self, weights, record):
        self.discs.set_sizes(16 + 3200 * np.abs(weights))
        self.discs.set_offsets(np.zeros((len(weights), 2)))
        looks = {"discs": record(self.discs)}
        self.discs.set_offsets(self.sample.points.places)
        return looks

    def _fit_panels(self) -> None:
        """Give the panels the room that the axes they lack would have, and place the formula."""
        panel, (width, height) = self.panels["keys"], self.figure.get_size_inches()
        box = panel.get_position()                      # it has no axes
        left = box.x0 - 0.54 / width
        panel.set_position((left, 0.1 / height, box.x1 - left, box.y1 - 0.1 / height))
        panel.set_xlim(np.array([-REACH, REACH]) * np.divide(*panel.bbox.size))
        box = self.panels["formula"].get_position()     # it has no axis on the left, and no title
        self.panels["formula"].set_position((0.1 / width, box.y0, box.x1 - 0.1 / width, 1 - box.y0))
        self.formula.spread()

    def update(self, state: dict) -> str:
        position, sigma, row = state["step"], state["sigma"], self.row_of(state["query"])
        step, _ = place_of(position)
        self.formula.show(position)
        query, keys, positions = self.sample.q[row], self.sample.points.places, (max(step - 1, 0), position)
        before, now = (masked_softmax(scores_at(at, query[None], keys, sigma))[0] for at in positions)          # (n,)
        change, differs = now - before, bool(np.abs(now - before).max() > 1e-9)
        key = int(np.argmax(np.abs(change) if differs else now))
        panel, (x, y), quiet = self.panels["keys"], keys[key], {"label": "_nolegend_"}
        numbers = np.arange(1.0, len(keys) + 1)
        for column, height in zip(self.columns, (np.linalg.norm(keys, axis=1), before, now)):
            column.set_data(numbers, height)
        for colour, style, at in zip((palette.MUTED, palette.KEY), ({"linewidth": 0.85, "linestyle": (0, (5, 3))},
                                                                     {"linewidth": 1.1}), positions):
            panel.line(colour, *level_line(at, query, sigma, keys[key]).T, colour, zorder=2, shows="", **quiet, **style)
        self.discs = panel.dots("discs", keys, 16 + 3200 * now, palette.KEY, alpha=0.8, zorder=3, shows="discs",
                                **quiet)
        self.rings = panel.dots("rings", keys, 16 + 3200 * before, palette.INK, facecolors="none", linewidths=1.1,
                                zorder=4, shows="", **quiet)
        panel.marks("ray", [0, query[0]], [0, query[1]], palette.QUERY, 10, "D", linestyle="-", markevery=[1],
                    linewidth=1.3, zorder=5, **quiet)
        right, up = x >= 0, y >= 0 and x >= 0           # in the corner on the side of the key
        self.note = panel.note(self._note(step, key, change[key] if differs else 0.0), x, y,
                               at=(right, 0.99 if up else 0.01), ha="right" if right else "left",
                               va="top" if up else "bottom")
        return self._sentence(step, key, before, now, differs)

    def drags(self):
        x, y = self.sample.q.T
        track = Drag("step", x=lambda steps: np.interp(steps, range(len(STEPS)), self.formula.steps))
        return super().drags() | {"formula": track, "keys": Drag("query", x=lambda _: x, y=lambda _: y)}

    def step(self, positions, by):
        return (positions + by) % len(positions)                                     # round the circle

    def _note(self, step: int, key: int, change: float) -> str:
        if not change:
            return ("nearest, so it\ncounts most", "nearest, so it\ncounts most",
                    "the same for all:\nno weight moves", "all as long: no\nweight moves")[min(step, 3)]
        long = np.linalg.norm(self.sample.points.places[key]) > 1
        if step == 3 and long == (change > 0):
            return "grows most:\na long key" if long else "shrinks most:\na short key"
        return "this dot\ngrows most" if change > 0 else "this dot\nshrinks most"

    def _sentence(self, step: int, key: int, before, now, differs: bool) -> str:
        change = f"Key {key + 1} goes from {words.bold(before[key], 2)} to {words.bold(now[key], 2)}."
        if not differs:
            change = "No weight changes." if step else f"Key {key + 1} gets {words.bold(now[key], 2)}."
        why = ("Softmax turns scores into weights: the nearest keys get the largest, whatever their length.",
               "It is the same score, written as three terms.",
               "The query's own term is the same for every key of a row, so the softmax does not see it.",
               "The keys' own term held long keys back." if differs else
               "All keys are equally long, so their own term is the same for each.",
               "√d takes the place of σ²: the same formula at another temperature.",
               "The projections undo the √d, and the weights of step 3 are back: they can do the work of the width.",
               "A new layer starts like this: chance decides what counts as similar.")[step]
        return words.joined(f"<b>Step {step}: {STEPS[step].name}.</b>", why, change)
