"""From the Gaussian kernel to scaled dot-product attention, a term at a time; queries q (m, d), keys k (n, d)."""
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nwlab import palette
from nwlab._engine.inputs import check_inputs, check_number
from nwlab.data import RegressionData, make_sphere
from nwlab.explore import controls as make, words
from workbook.figures.hands import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import Heat, QueryScene, Stems, corner, dot_areas, label, length_of, marks, name_curves, whole
from nwlab.explore.sample import Sample
from nwlab.pooling import effective_keys, masked_softmax

QUERIES = 30                                                # of the points drawn here

# Terms, in Matplotlib's mathtext.
DOT, KEY = r"$\frac{q\cdot k}{\sigma^2}$", r"$-\,\frac{\Vert k\Vert^2}{2\sigma^2}$"
PROJECTED = r"$\frac{(W_q\,q)\cdot(W_k\,k)}{\sqrt{d}}$"


class Step(NamedTuple):
    """One formula: its name, its terms, how many of them stand inside the softmax, and its scores(q, k, sigma)."""

    name: str
    terms: tuple[str, ...]
    inside: int
    scores: Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def squares(x):
    return np.sum(x**2, axis=-1)                                                     # (m, n, d) -> (m, n)


def scaled(q, k):
    """Scaled dot products (Vaswani et al. 2017)."""
    return q @ k.T / np.sqrt(q.shape[1])                                             # (m, d) @ (d, n) -> (m, n)


def projected_at_random(q, k, sigma):
    """As a new layer starts: W_q and W_k (d, d) uniform on +-1/sqrt(d), drawn once and for all."""
    d = q.shape[1]
    w_q, w_k = np.random.default_rng(0).uniform(-1, 1, (2, d, d)) / np.sqrt(d)
    return scaled(q @ w_q.T, k @ w_k.T)


STEPS = (
    Step("the Gaussian kernel", (r"$-\,\frac{\Vert q-k\Vert^2}{2\sigma^2}$",), 1,
         lambda q, k, sigma: -squares(q[:, None, :] - k[None, :, :]) / (2 * sigma**2)),
    Step("multiply out the square",
         (r"$-\,\frac{\Vert q\Vert^2}{2\sigma^2}$", r"$+\,\frac{q\cdot k}{\sigma^2}$", KEY), 3,
         lambda q, k, sigma: (-squares(q)[:, None] + 2 * q @ k.T - squares(k)[None, :]) / (2 * sigma**2)),
    Step("drop the query's own term", (DOT, KEY), 2,
         lambda q, k, sigma: (2 * q @ k.T - squares(k)[None, :]) / (2 * sigma**2)),
    Step("drop the keys' own term", (DOT,), 1, lambda q, k, sigma: q @ k.T / sigma**2),
    Step("set σ² = √d", (r"$\frac{q\cdot k}{\sqrt{d}}$",), 1, lambda q, k, sigma: scaled(q, k)),
    Step("project, giving the width back", (PROJECTED, r"$W=\frac{\sqrt[4]{d}}{\sigma}\,I$"), 1,
         lambda q, k, sigma: scaled(q * q.shape[1] ** 0.25 / sigma, k * q.shape[1] ** 0.25 / sigma)),
    Step("project at random", (PROJECTED, r"$W$ random"), 1, projected_at_random),
)


def place_of(position: float) -> tuple[int, float]:
    """Which step a position from 0 to 6 belongs to, and how much of it is done: 2.25 is a quarter of step 3."""
    step = math.ceil(round(position, 6))                # a slider may stop at 5.000000000000001
    return step, position - step + 1 if step else 1.0


def scores_at(position: float, q, k, sigma):
    """The scores (m, n) on the way from one formula to the next: a term that is dropped counts less and less."""
    step, done = place_of(position)
    scores = STEPS[step].scores(q, k, sigma)
    return scores if done == 1 else done * scores + (1 - done) * STEPS[step - 1].scores(q, k, sigma)


def morph(data=None, step=3, sigma=None, query=8):
    """A live figure: the Gaussian kernel becomes scaled dot-product attention; the weights before and after each step.

    data: keys (n, d) that are their own queries, or what `nwlab.make_regression`, `read_csv` or `from_arrays` returns:
    both are centred at the mean of the keys; None draws points on or off a sphere. step (0 to 6, in between a term
    fades), sigma and query (its number, from 1) are where it starts. Returns an `Explorer`.
    """
    points, last = MorphPoints(data), len(STEPS) - 1
    unit = 1.0 if data is None else float(np.sqrt(np.mean(points.k**2) * points.k.shape[1])) or 1.0
    if not 0 <= check_number("step", step) <= last:
        raise ValueError(f"step: got {step!r}, expected a number from 0 to {last}")
    sigma = 0.4 * unit if sigma is None else sigma
    if data is None:
        on, off = {"spread": 0.0}, {"spread": 0.5}
        lengths = {"spread": make.slider("off the sphere", 0.5, 0.0, 0.9, 0.05)}
        drawn = {"d": make.slider("features d", 2, 2, 32, 1),
                 "n": make.slider("keys n", 36, 5, 100, 1), "seed": make.slider("seed", 0, 0, 30, 1)}
    else:
        on, off, drawn = {"sphere": True}, {"sphere": False}, {}
        lengths = {"sphere": make.switch("divide each point by its length")}
    presets = {"on the sphere": {"step": 3, **on}, "off the sphere": {"step": 3, **off}, "σ² = √d": {"step": 4, **on},
               "width given back": {"step": 5, **on}, "random W": {"step": 6, **on}}
    return Explorer(
        MorphScene(points), {"step": make.slider("step", float(step), 0.0, float(last), 0.25),
                             "sigma": make.log_slider("sigma", "width σ", sigma, 0.05 * unit, 2 * unit),
                             "query": make.pick("query", points.queries, query)},
        {**lengths, **drawn}, presets=presets)


class MorphPoints(Sample):
    """Queries q (m, d) and keys k (n, d): a reader's own, centred, or drawn on a sphere and moved off it.

    They are sorted by their direction in the first two features; `queries` are their numbers, from 1.
    """

    drawn_by = ("spread", "d", "n", "seed", "sphere")
    key_name = "number"                                 # what the axes of the heatmaps count

    def __init__(self, data=None):
        self.fixed, self.recipe = data is not None, None
        if self.fixed:
            queries, keys = (data.queries, data.keys) if isinstance(data, RegressionData) else (data, data)
            inputs = check_inputs(np.asarray(queries, dtype=float), np.asarray(keys, dtype=float))
            self.own = inputs.queries - inputs.keys.mean(axis=0), inputs.keys - inputs.keys.mean(axis=0)
            self.new()
        else:
            self.new(spread=0.5, d=2, n=36, seed=0)

    def new(self, spread: float = 0.0, d: int = 1, n: int = 0, seed: int = 0, sphere: bool = False) -> None:
        if self.fixed:
            queries, keys = (_unit(points) if sphere else points for points in self.own)
        else:
            points = make_sphere(QUERIES + n, d, seed=seed)
            # Lengths have a generator of their own: the same directions, moved further as the slider goes.
            stretch = np.random.default_rng(1000 + seed).uniform(-1, 1, (QUERIES + n, 1))
            queries, keys = np.split(points * (1 + spread * stretch), [QUERIES])
        self.q, self.k = _sorted(queries), _sorted(keys)
        self.queries, self.keys = (np.arange(1.0, len(points) + 1) for points in (self.q, self.k))


def _sorted(points):
    by = points[:, 0] if points.shape[1] == 1 else np.arctan2(points[:, 1], points[:, 0])
    return points[np.argsort(by, kind="stable")]


def _unit(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1.0)                              # a point at the middle stays there


def _flat(points):
    """The first two features (n, 2); a single one lies on a line."""
    return np.pad(points, ((0, 0), (0, 1)))[:, :2]


class FormulaLine:
    """One formula as a row of terms, some of them on a tint: Matplotlib's mathtext has no colours of its own."""

    def __init__(self, panel):
        self.panel, self.corner = panel, (0.0, 0.5)
        style = {"transform": panel.transAxes, "va": "center", "fontsize": 12, "color": palette.INK}
        self.texts = [panel.text(0, 0.5, "", **style) for _ in range(7)]
        self.texts[0].set(fontsize=10, color=palette.MUTED)

    def show(self, name: str, step, changed=()) -> None:
        """Show the formula of a step, with the terms that are `changed` on a tint. None shows nothing."""
        pieces = []
        if step is not None:
            terms = [(term, term in changed) for term in step.terms]
            pieces = [(name, False), ("softmax (", False), *terms[:step.inside], (")", False), *terms[step.inside:]]
        for text in self.texts:
            piece, marked = pieces.pop(0) if pieces else ("", False)
            box = {"facecolor": palette.FAINT, "edgecolor": "none", "pad": 3} if marked else None
            text.set(text=piece, visible=bool(piece), bbox=box)
        self.spread(*self.corner)

    def spread(self, x: float, y: float) -> None:
        """Set the pieces side by side from (x, y), fractions of the panel; call when the panel has its size."""
        self.corner = x, y
        ratio = self.panel.figure.dpi / 100                  # pixels of the screen in one of the layout
        across = self.panel.bbox.width / ratio
        at = x * across
        for i, text in enumerate(self.texts):
            if text.get_visible():
                text.set_position((at / across, y))
                at += 52 if i == 0 else length_of(text) / ratio + 6


class MorphScene(QueryScene):
    lesson_asks = tuple({"step": 4, "spread": 0.0, "sigma": sigma} for sigma in (0.2, 0.8, 1.6))
    label = ("The Gaussian kernel turns into scaled dot-product attention: formula, points and weights before and "
             "after a step")
    across, down = (), ("before", "now")
    longest = 300
    layouts = (
        Layout(("formula formula", "before now", "points stem"), (1, 1), (0.42, 1.2, 1), height=740, gap_y=76),
        Layout(("formula formula formula", "points before now", "stem before now"), (1, 1, 1), (0.16, 1.3, 0.8),
               height=394, room=WIDE, gap_y=66),
    )

    def __init__(self, sample: MorphPoints):
        super().__init__(sample)
        self.before_heat = Heat(self, self.panels["before"], "Weights before")
        self.now_heat = Heat(self, self.panels["now"], "and after")
        self._make_points(self.panels["points"])
        panel = self.panels["stem"]
        self.stems = Stems(self, panel, "One row")
        self.stems.line.set_visible(False)                  # the stems stand at keys' numbers: the query has no place
        hollow = {"markerfacecolor": "none", "markeredgecolor": palette.INK, "markeredgewidth": 1}
        self.rings = self.move(marks(panel, palette.INK, 6.5, **hollow))
        name_curves(panel, ("● after", palette.KEY_INK), ("○ before", palette.INK), across=1.0, ha="right")
        panel.set_xlabel("keys, sorted by direction", color=palette.KEY_INK)
        self.panels["formula"].set_axis_off()
        self.lines = FormulaLine(self.panels["formula"]), FormulaLine(self.panels["formula"])

    def _make_points(self, panel) -> None:
        label(panel, "Keys sized by weight")
        panel.set_aspect("equal", anchor="N")
        turn = np.linspace(0, 2 * np.pi, 181)
        self.circle, = panel.plot(np.cos(turn), np.sin(turn), color=palette.MUTED, linewidth=1, zorder=1,
                                  label="_nolegend_")
        self.dots = whole(panel.scatter([], [], color=palette.KEY, linewidths=0, alpha=0.75, zorder=3))
        self.query_mark = marks(panel, palette.QUERY, 8, "D", zorder=5)
        corner(panel, "query", palette.QUERY_INK, 0.02)
        corner(panel, "keys", palette.KEY_INK, 0.98, ha="right")
        self.move(self.dots, self.query_mark)

    def placed(self, layout: Layout) -> None:
        if not layout.room:                                 # it has no axis: its words begin where the figure does
            box, left = self.panels["formula"].get_position(), 0.12 / self.figure.get_figwidth()
            self.panels["formula"].set_position((left, box.y0, box.x1 - left, box.height))
        for line, beside, above in zip(self.lines, ((0.0, -0.4), (0.5, -0.4)), ((0.0, 0.76), (0.0, 0.14))):
            line.spread(*(beside if layout.room else above))

    def update(self, state: dict) -> str:
        step, _ = place_of(state["step"])
        if self.changed("step", step):
            self._new_formula(step)
        before, now = self.weights(state)                                            # (m, n) each
        row, keys = self.row_of(state["query"]), self.sample.keys
        self.before_heat.show(before, row)
        self.now_heat.show(now, row)
        self.rings.set_data(keys, before[row])
        self.stems.show(keys, now[row], 0.0, beside=before[row])
        self.dots.set_sizes(dot_areas(now[row]))
        self.query_mark.set_data(*_flat(self.sample.q[row:row + 1]).T)
        return self._sentence(state, before, now, row)

    def drags(self):
        x, y = _flat(self.sample.q).T
        return super().drags() | {"points": Drag("query", x=lambda _: x, y=lambda _: y)}

    def weights(self, state: dict) -> tuple[np.ndarray, np.ndarray]:
        """The weights (m, n) before this step and after it."""
        before, points = max(place_of(state["step"])[0] - 1, 0), (self.sample.q, self.sample.k)
        return tuple(masked_softmax(scores_at(x, *points, state["sigma"])) for x in (before, state["step"]))

    def new_sample(self) -> None:
        sample = self.sample
        (m, d), n, flat = sample.q.shape, len(sample.k), _flat(sample.k)
        for heat in (self.before_heat, self.now_heat):
            heat.sample(sample)
            rows = sorted({0, (m - 1) // 2, m - 1})
            heat.panel.set_yticks(rows, [str(row + 1) for row in rows])
        self.panels["stem"].set_xlim(0, n + 1)
        self.dots.set_offsets(flat)
        reach = 1.12 * max(np.abs(flat).max(), np.abs(_flat(sample.q)).max()) or 1.0
        if not sample.fixed:
            reach = 1.1 * (1 + max(0.5, sample.recipe["spread"]))   # mostly the same, so that the eye can compare
        self.circle.set_visible(not sample.fixed or sample.recipe["sphere"])
        self.panels["points"].set(xlim=(-reach, reach), ylim=(-reach, 1.3 * reach),         # room for the words
                                  xlabel="feature 1" + (f" of {d}" if d > 2 else ""),
                                  ylabel="feature 2" if d > 1 else "")

    def _new_formula(self, step: int) -> None:
        old, new = STEPS[max(step - 1, 0)], STEPS[step]
        dropped = [term for term in old.terms if _bare(term) not in map(_bare, new.terms)]
        added = [term for term in new.terms if _bare(term) not in map(_bare, old.terms)]
        self.lines[0].show("before", old if step else None, dropped)
        self.lines[1].show(f"step {step}", new, added)
        self.panels["formula"].set_title(f"Step {step}: {new.name}", loc="left")
        self.changed_background()

    def _sentence(self, state, before, now, row) -> str:
        (step, done), difference = place_of(state["step"]), float(np.abs(now - before).max())
        way = "" if done == 1 else f", {done:.0%} of the way"
        change = words.gist(f"largest change of a weight is <b>{_small(difference)}</b>")
        query = words.gist(words.query(f"Query {row + 1}"))
        return words.joined(
            f"<b>{words.gist(f'Step {step}: {STEPS[step].name}{way}')}.</b>",
            f"The {change}." if step else "",
            self._why(step, state["sigma"], before, now),
            f"{query} effectively attends to {words.bold(effective_keys(now)[row])} of {words.keys(now.shape[1])}.")

    def _why(self, step: int, sigma: float, before, now) -> str:
        lengths, d = np.linalg.norm(self.sample.k, axis=1), self.sample.k.shape[1]
        own_term = (f"All keys have length {words.number(lengths[0])}, so their own term is the same for all of them "
                    "and cancels too.")
        if np.ptp(lengths) > 1e-9 * lengths.max():
            longer = np.mean((now - before) @ lengths)
            own_term = ("The keys' own term holds long keys back: where it is dropped, the attended key is "
                        f"{words.number(abs(longer), 2)} {'longer' if longer >= 0 else 'shorter'} on average.")
        return (
            "The nearest keys get the largest weights, whatever their length.",
            "The score is the same number, now written as three terms. Nothing changes but rounding.",
            "The query's own term is the same number for all keys of a row, and adding a number to a whole row does "
            "not change its softmax. So nothing changes, on the sphere or off it.",
            own_term,
            f"√d = {words.number(d**0.5)} takes the place of σ² = {words.number(sigma**2)}. This is the same formula "
            "at another temperature: the larger it is, the softer are the weights.",
            f"W<sub>q</sub> = W<sub>k</sub> = {words.number(d**0.25 / sigma)} × identity undoes the √d, and the "
            "weights of step 3 are back. So the projections can do the work of the width.",
            "This is how a new layer starts: chance decides what counts as similar. Only training gives it a meaning.",
        )[step]


def _bare(term: str) -> str:
    """A term without the plus sign that it has only where another stands before it."""
    return term.replace(r"+\,", "")


def _small(difference: float) -> str:
    return "0 (rounding apart)" if difference < 1e-9 else words.number(difference, 2)
