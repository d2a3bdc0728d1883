"""From the Gaussian kernel to scaled dot-product attention, one term of the formula at a time."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab._engine.inputs import check_inputs, check_number
from nwlab.data import RegressionData, make_sphere
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.morph_steps import STEPS, FormulaLine, place_of, scores_at
from nwlab.explore.stage.parts import Heat, Stems
from nwlab.pooling import effective_keys, masked_softmax

QUERIES = 30                                                # of the points drawn here
TINY = 1e-9                                                 # a difference of weights below it is rounding


def morph(data=None, step=3, sigma=None, query=8):
    """A live figure: the Gaussian kernel becomes scaled dot-product attention; the weights before and after each step.

    data: keys (n, d) that are their own queries, or what `nwlab.make_regression`, `read_csv` or `from_arrays` returns: both
    are centred at the mean of the keys; None draws points on or off a sphere. step (0 to 6, in between a term fades), sigma and query
    (its number, from 1) are where it starts. Returns an `Explorer`.
    """
    points = Points(data)
    queries, keys = points.place({"spread": 0.5, "d": 2, "n": 36, "seed": 0, "sphere": False})
    unit = 1.0 if data is None else float(np.sqrt(np.mean(keys**2) * keys.shape[1])) or 1.0
    last = len(STEPS) - 1
    if not 0 <= check_number("step", step) <= last:
        raise ValueError(f"step: got {step!r}, expected a number from 0 to {last}")
    controls = {"step": make.slider("step", float(step), 0.0, float(last), 0.25, "270px")}
    if data is None:
        controls["spread"] = make.slider("off the sphere", 0.5, 0.0, 0.9, 0.05, "260px")
    else:
        controls["sphere"] = make.switch("divide each point by its length")
    controls["sigma"] = make.log_slider("sigma", "width σ", 0.4 * unit if sigma is None else sigma, 0.05 * unit, 2 * unit, "230px")
    controls["query"] = make.pick("query", range(1, len(queries) + 1), query, "220px", label=lambda x: f"{x:.0f}", name="query")
    if data is None:
        controls |= {"d": make.slider("features d", 2, 2, 32, 1, "220px"), "n": make.slider("keys n", 36, 5, 100, 1, "200px"),
                     "seed": make.slider("seed", 0, 0, 30, 1, "180px")}
    on, off = ({"spread": 0.0}, {"spread": 0.5}) if data is None else ({"sphere": True}, {"sphere": False})
    presets = {"on the sphere": {"step": 3, **on}, "off the sphere": {"step": 3, **off}, "σ² = √d": {"step": 4, **on},
               "width given back": {"step": 5, **on}, "random projections": {"step": 6, **on}}
    rows = (("step", "spread", "sphere", "sigma"), ("query", "d", "n", "seed"))
    return Explorer(MorphScene(points), controls, presets, rows=rows)


class Points:
    """Queries (m, d) and keys (n, d): a reader's own, centred, or drawn on a sphere and moved off it."""

    def __init__(self, data=None):
        self.own = None
        if data is not None:
            queries, keys = (data.queries, data.keys) if isinstance(data, RegressionData) else (data, data)
            inputs = check_inputs(np.asarray(queries, dtype=float), np.asarray(keys, dtype=float))
            middle = inputs.keys.mean(axis=0)
            self.own = inputs.queries - middle, inputs.keys - middle

    def place(self, state: dict) -> tuple[np.ndarray, np.ndarray]:
        """The points for a state, sorted by their direction in the first two features."""
        if self.own is not None:
            return tuple(_sorted(_unit(points) if state["sphere"] else points) for points in self.own)
        m, n = QUERIES, int(state["n"])
        points = make_sphere(m + n, state["d"], seed=state["seed"])
        # Lengths have a generator of their own: the same directions, moved further as the slider goes.
        stretch = np.random.default_rng(1000 + state["seed"]).uniform(-1, 1, (m + n, 1))
        points = points * (1 + state["spread"] * stretch)
        return _sorted(points[:m]), _sorted(points[m:])


def _sorted(points):
    if points.shape[1] == 1:
        return points[np.argsort(points[:, 0], kind="stable")]
    return points[np.argsort(np.arctan2(points[:, 1], points[:, 0]), kind="stable")]


def _unit(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1.0)                              # a point at the middle stays there


class MorphScene(Scene):
    label = "The Gaussian kernel turns into scaled dot-product attention: formula, points and weights before and after a step"
    keys = ("ArrowLeft", "ArrowRight")
    layouts = (
        Layout(("formula formula", "before now", "points stem"), (1, 1), (0.42, 1.2, 1), height=740, gap_y=76),
        Layout(("formula formula formula", "points before now", "points stem stem"), (1.05, 1, 1), (0.16, 1.2, 0.8),
               height=560, room=860, gap_y=76),
    )

    def __init__(self, points: Points):
        super().__init__()
        self.points = points
        self.before_heat = Heat(self, self.panels["before"], "Weights before")
        self.now_heat = Heat(self, self.panels["now"], "Weights after")
        self._make_points(self.panels["points"])
        panel = self.panels["stem"]
        self.stems = Stems(self, panel, "One row")
        self.stems.line.set_visible(False)                  # the stems stand at keys' numbers: the query has no place
        self.rings, = panel.plot([], [], "o", color=palette.INK, markerfacecolor="none", markersize=6.5, markeredgewidth=1)
        self.move(self.rings)
        self.words = [panel.annotate(text, (1, 1), xycoords="axes fraction", xytext=(0, 5),
                                     textcoords="offset points", ha="right", color=colour, fontsize=9)
                      for text, colour in (("● after", palette.KEY_INK), ("○ before", palette.INK))]
        panel.set_xlabel("keys, sorted by direction", color=palette.KEY_INK)
        self.panels["formula"].set_axis_off()
        self.lines = FormulaLine(self.panels["formula"]), FormulaLine(self.panels["formula"])
        self._drawn = self._said = None

    def _make_points(self, panel) -> None:
        panel.set_title("Keys sized by weight", loc="left")
        panel.set_aspect("equal", anchor="N")
        turn = np.linspace(0, 2 * np.pi, 181)
        self.circle, = panel.plot(np.cos(turn), np.sin(turn), color=palette.MUTED, linewidth=1, zorder=1)
        self.dots = panel.scatter([], [], color=palette.KEY, linewidths=0, alpha=0.75, zorder=3)
        self.asked, = panel.plot([], [], "D", color=palette.QUERY, markersize=8, markeredgecolor=palette.PAPER, zorder=5)
        panel.text(0.02, 0.985, "query", color=palette.QUERY_INK, transform=panel.transAxes, va="top")
        panel.text(0.98, 0.985, "keys", color=palette.KEY_INK, transform=panel.transAxes, va="top", ha="right")
        self.move(self.dots, self.asked)

    def placed(self, layout: Layout) -> None:
        for line, beside, above in zip(self.lines, ((0.0, 0.3), (0.5, 0.3)), ((0.0, 0.76), (0.0, 0.14))):
            line.spread(*(beside if layout.room else above))
        for word, outside, inside in zip(self.words, ((0, 5), (-46, 5)), ((-2, -11), (-2, -23))):
            word.set_position(outside if layout.room else inside)

    def update(self, state: dict) -> str:
        recipe = tuple(state.get(name) for name in ("spread", "sphere", "d", "n", "seed"))
        if recipe != self._drawn:
            self._drawn = recipe
            self._new_points(state)
        step, _ = place_of(state["step"])
        if step != self._said:
            self._said = step
            self._new_formula(step)
        first, before, now = self.weights(state)                                     # (m, n) each
        row = self._row(state)
        self.before_heat.show(before, row)
        self.now_heat.show(now, row)
        full = max(self.before_heat.image.get_clim()[1], self.now_heat.image.get_clim()[1])
        for heat, matrix in ((self.before_heat, before), (self.now_heat, now)):
            heat.image.set_clim(0.0, full)                  # one scale of ink, so that the two can be compared
            heat.scale.set_text(f"largest: {matrix.max():.2f}")
        numbers = np.arange(1, now.shape[1] + 1)
        self.rings.set_data(numbers, before[row])
        if self.stems.show(numbers, now[row], 0.0, beside=before[row]):
            self.changed_background()
        self.dots.set_sizes(12 + 260 * now[row] / now[row].max())
        self.asked.set_data(*([x] for x in self._flat(self.q[row:row + 1])[0]))
        return self._sentence(state, first, before, now, row)

    def weights(self, state: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The weights (m, n) of the Gaussian kernel, before this step, and after it."""
        before = max(place_of(state["step"])[0] - 1, 0)
        return tuple(masked_softmax(scores_at(x, self.q, self.k, state["sigma"])) for x in (0, before, state["step"]))

    def _new_points(self, state: dict) -> None:
        self.q, self.k = self.points.place(state)
        (m, d), n = self.q.shape, len(self.k)
        for heat in (self.before_heat, self.now_heat):
            heat.sample(np.arange(1, m + 1), np.arange(1, n + 1))
            rows = sorted({0, (m - 1) // 2, m - 1})
            heat.panel.set_yticks(rows, [str(row + 1) for row in rows])
        self.panels["stem"].set_xlim(0, n + 1)
        self.dots.set_offsets(self._flat(self.k))
        panel, reach = self.panels["points"], 1.12 * max(np.abs(self._flat(x)).max() for x in (self.q, self.k)) or 1.0
        if self.points.own is None:
            reach = 1.1 * (1 + max(0.5, state["spread"]))   # mostly the same, so that the eye can compare
        self.circle.set_visible(self.points.own is None or state["sphere"])
        panel.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel="feature 1" + (f" of {d}" if d > 2 else ""),
                  ylabel="feature 2" if d > 1 else "")
        self.changed_background()

    def _new_formula(self, step: int) -> None:
        old, new = STEPS[max(step - 1, 0)], STEPS[step]
        self.lines[0].say("before", old, new.terms) if step else self.lines[0].say("", None, ())
        self.lines[1].say(f"step {step}", new, old.terms if step else new.terms)
        self.panels["formula"].set_title(f"Step {step}: {new.name}", loc="left")
        self.changed_background()

    @staticmethod
    def _flat(points):
        """The first two features (n, 2); a single one lies on a line."""
        return np.column_stack([points[:, 0], points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))])

    def _row(self, state: dict) -> int:
        return int(np.clip(round(state["query"]) - 1, 0, len(self.q) - 1))

    def _sentence(self, state, first, before, now, row) -> str:
        (step, done), difference = place_of(state["step"]), float(np.abs(now - before).max())
        parts = [f"<b>Step {step}: {STEPS[step].name}{'' if done == 1 else f', {done:.0%} of the way'}.</b>"]
        if step:
            parts.append(f"Largest difference of weights: <b>{_small(difference)}</b>.")
        parts.append(("At its end: " if step > 3 and done < 1 else "") + self._why(step, state["sigma"], before, now, done))
        if step > 1:
            parts.append(f"Against the Gaussian kernel of step 0: <b>{_small(float(np.abs(now - first).max()))}</b>.")
        effective, gained = effective_keys(now)[row], now[row] - before[row]
        at = f"{words.query(f'Query {row + 1}')} attends to <b>{words.number(effective)}</b> of {now.shape[1]} keys in effect"
        if np.abs(gained).max() > TINY:
            i = int(np.argmax(np.abs(gained)))
            at += (f"; most changed is {words.key(f'key {i + 1}')}, of length {words.number(float(np.linalg.norm(self.k[i])))}: "
                   f"from {words.number(float(before[row, i]), 2)} to {words.number(float(now[row, i]), 2)}")
        return " ".join([*parts, at + "."])

    def _why(self, step: int, sigma: float, before, now, done: float) -> str:
        lengths, d = np.linalg.norm(self.k, axis=1), self.k.shape[1]
        alike = np.ptp(lengths) <= 1e-9 * lengths.max()
        if step == 3 and alike:
            return (f"All keys have length {words.number(float(lengths[0]))}, so their own term is the same for all of them: "
                    "it cancels too.")
        if step == 3:
            longer = np.sum(now * lengths, axis=1).mean() - np.sum(before * lengths, axis=1).mean()
            return (f"The keys' lengths run from {words.number(float(lengths.min()))} to {words.number(float(lengths.max()))}, "
                    f"and {'nothing' if done == 1 else 'less'} holds the long ones back: the attended key is "
                    f"{words.number(abs(float(longer)), 2)} {'longer' if longer >= 0 else 'shorter'} on average.")
        return {
            0: "Keys near the query get the most, whatever their length.",
            1: "The same number, written as three terms: nothing changes but rounding.",
            2: "It is the same number for all keys of a row, and a softmax does not see what is added to a whole row: "
               "no difference, on the sphere or off it.",
            4: f"√d = {words.number(d**0.5)} takes the place of σ² = {words.number(sigma**2)}: the same formula "
               + _temperature(sigma**2, d**0.5),
            5: f"W<sub>q</sub> = W<sub>k</sub> = {words.number(d**0.25 / sigma)} × identity undoes the √d: the weights of step 3 "
               "are back. Projections can hold the width.",
            6: "So a new layer begins, with a similarity made of chance. Only training gives it a meaning.",
        }[step]

    def dragged(self, panel, x, y, state):
        if panel in ("before", "now"):
            return {"query": float(np.clip(round(y), 0, len(self.q) - 1) + 1)}
        if panel == "points":
            return {"query": float(np.argmin(np.sum((self._flat(self.q) - (x, y)) ** 2, axis=1)) + 1)}
        return None

    def typed(self, key, state):
        return {"query": float(np.clip(state["query"] + (1 if key == "ArrowRight" else -1), 1, len(self.q)))}


def _small(difference: float) -> str:
    return "0 (rounding apart)" if difference < TINY else words.number(difference, 2)


def _temperature(before: float, after: float) -> str:
    if np.isclose(before, after):
        return "at the same temperature."
    return "at a higher temperature, so softer." if after > before else "at a lower temperature, so sharper."
