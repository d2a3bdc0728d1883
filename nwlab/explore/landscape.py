"""The loss as a landscape over w, and a training run as a ball on it that can be replayed step by step."""
from __future__ import annotations

import ipywidgets
import numpy as np

from nwlab import palette
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.descent import ADAM, SGD, Valley, descend
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.stage.parts import Fit, Heat, short
from nwlab.explore.stage.sample import RegressionSample, key_limits, value_limits
from nwlab.pooling import attention_weights, nadaraya_watson

STEPS = np.unique(np.concatenate([np.arange(21), np.arange(20, 60, 2), np.arange(60, 100, 5), np.arange(100, 301, 10)]))
"""The steps that the slider stops at; every step between them is taken too."""


def landscape(data=None):
    """A live figure: the loss of one learned width at every w, with and without leave-one-out, and a run of training on it.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for noise and
    seed. Gradients of your own data are those of keys and values in round units near their spread (the sentence names
    them), so that learning rates mean about the same for all data. Returns an `Explorer`.
    """
    sample = RegressionSample(data)
    unit = _round_unit(sample.extent / 5) if sample.fixed else 1.0
    controls = {"step": make.pick("step", STEPS, 5, "330px", label=lambda x: f"{x:.0f}", name="step"),
                "_play": ipywidgets.Play(max=len(STEPS) - 1, value=5, interval=150, show_repeat=False),
                "optimiser": make.choice("", [SGD, ADAM], SGD),
                "rate": make.log_slider("rate", "learning rate", 0.5, 0.001, 5.0, "250px"),
                "start": make.log_slider("start", "start w", 0.5 / unit, 0.01 / unit, 50 / unit, "230px"),
                "left_out": make.switch("leave one out", True), "loss": make.choice("loss", ["full", "half"], "full")}
    ipywidgets.link((controls["_play"], "value"), (controls["step"], "index"))
    controls |= make.sample_controls(sample, ("noise", "seed"))
    converged = {"optimiser": ADAM, "rate": 0.05, "step": 300}
    presets = {"the old run": {}, "converged": converged, "runs away": converged | {"left_out": False},
               "slides to 0": converged | {"start": 0.1 / unit}}
    rows = (("_play", "step", "optimiser", "rate"), ("start", "left_out", "loss"), ("noise", "seed"))
    return Explorer(LandscapeScene(sample, unit), controls, presets, rows=rows)


class LandscapeScene(Scene):
    label = "The loss over w with a training run on it, the fit, and the attention heatmap before, now and after"
    keys = ("ArrowLeft", "ArrowRight")
    layouts = (
        Layout(("land land land land land land", "fit fit fit track track track", "before before now now after after"),
               (1,) * 6, (1.25, 1, 1), height=760, gap_x=62, gap_y=70),
        Layout(("land land fit fit", "before now after track"), (1,) * 4, (1.3, 1), height=580, gap_x=62, gap_y=70, room=860),
    )

    def __init__(self, sample: RegressionSample, unit: float):
        super().__init__()
        self.sample, self.unit, self._run_of = sample, unit, None
        self.fit = Fit(self, self.panels["fit"])
        self.fit.panel.set_title("The fit now", loc="left")
        for unused in (self.fit.line, self.fit.answer):
            unused.set_visible(False)
        self.heats = [Heat(self, self.panels[name], name.capitalize()) for name in ("before", "now", "after")]
        for heat in self.heats:
            heat.row.set_visible(False)
            heat.panel.set_xlabel("keys", color=palette.KEY_INK)
            heat.panel.set_ylabel("queries" if heat is self.heats[0] else "", color=palette.QUERY_INK)
        self._make_land(self.panels["land"])
        track = self.panels["track"]
        track.set_title("Loss against step", loc="left")
        track.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0.0)), np.square))
        track.set(xlabel="step", xlim=(0, STEPS[-1]))
        track.set_xticks([0, 5, 20, 50, 100, 200, 300])
        track.yaxis.set_major_formatter(short)
        self.track, = track.plot([], [], color=palette.INK)
        self.here, = track.plot([], [], "o", color=palette.KEY, markersize=9, markeredgecolor=palette.PAPER)
        self.move(self.here)

    def _make_land(self, panel) -> None:
        panel.set_title("Loss against w", loc="left")
        panel.set(xscale="log", xlabel="w, sharper to the right")
        panel.xaxis.set_major_formatter(short)
        panel.yaxis.set_major_formatter(short)
        self.curves = [panel.plot([], [], color=colour)[0] for colour in (palette.MUTED, palette.INK)]
        self.best, = panel.plot([], [], "D", color=palette.INK, markersize=6, markeredgecolor=palette.PAPER, zorder=4)
        self.rest, = panel.plot([], [], color=palette.KEY, linewidth=1, alpha=0.35)
        self.path, = panel.plot([], [], "o-", color=palette.KEY, linewidth=1.3, markersize=3.5, zorder=5)
        self.ball, = panel.plot([], [], "o", color=palette.KEY, markersize=12, markeredgecolor=palette.PAPER, zorder=6)
        self.move(self.rest, self.path, self.ball)
        for line, (text, colour) in enumerate([("leave-one-out, ◆ its optimum", palette.INK), ("no point left out", palette.MUTED),
                                               ("the run", palette.KEY_INK)]):
            panel.annotate(text, (1.0, 1.0), xycoords="axes fraction", xytext=(-4, -2 - 15 * line), va="top", ha="right",
                           textcoords="offset points", color=colour)

    def placed(self, layout: Layout) -> None:
        self.fit.spread_words()

    def update(self, state: dict) -> str:
        fresh = self.sample.draw(state)
        if fresh:
            self._new_sample()
        settings = tuple(state[name] for name in ("optimiser", "rate", "start", "left_out", "loss"))
        if fresh or settings != self._run_of:
            self._new_run(state)
            self._run_of = settings
        step, data = min(int(state["step"]), len(self.run.w) - 1), self.sample.data
        w = self.run.w[step] / self.unit
        self._show_weights(self.heats[1], w)
        grid = np.linspace(data.queries[0], data.queries[-1], 251)
        self.fit.curve.set_data(grid, self._pooled(grid, w))
        self.path.set_data(self.across[:step + 1], self.heights[:step + 1])
        self.ball.set_data([self.across[step]], [self.heights[step]])
        self.here.set_data([step], [self.heights[step]])
        return self._sentence(state, step, w)

    def _pooled(self, queries, w):
        data = self.sample.data
        return nadaraya_watson(queries * w, data.keys * w, data.values)

    def _new_sample(self) -> None:
        data, n = self.sample.data, len(self.sample.data.keys)
        spread = float(data.values.std())
        self.value_unit = _round_unit(spread) if self.sample.fixed and spread > 0 else 1.0
        middle = data.keys.mean()
        points = (data.keys - middle) / self.unit, (data.values - data.values.mean()) / self.value_unit
        self.valleys = {left_out: Valley(*points, left_out) for left_out in (False, True)}
        self.grid = np.geomspace(0.005, 200, 200)
        self.land = {left_out: np.array([valley.at(w)[0] for w in self.grid]) for left_out, valley in self.valleys.items()}
        low = int(self.land[True].argmin())
        near = np.geomspace(self.grid[max(low - 1, 0)], self.grid[min(low + 1, len(self.grid) - 1)], 41)
        close = [self.valleys[True].at(w)[0] for w in near]
        self.optimum, self.smallest = float(near[np.argmin(close)]), float(min(close))
        self.inside = n > 1 and 0 < low < len(self.grid) - 1 and self.smallest < self.land[True][[0, -1]].min() * (1 - 1e-6)
        self.fit.sample(data, key_limits(data), value_limits(data))
        self.fit.panel.set_xlabel(data.key_name)
        self.fit.attend(None)
        self.fit.spread_words()
        for heat in self.heats:
            heat.sample(data.queries, data.keys)
        for heat in self.heats[1:]:
            heat.panel.set_yticks([])
        self.changed_background()

    def _new_run(self, state: dict) -> None:
        half, left_out, square = 0.5 if state["loss"] == "half" else 1.0, state["left_out"], self.value_unit**2
        self.run = descend(self.valleys[left_out], state["start"] * self.unit, state["optimiser"], state["rate"], half,
                           int(STEPS[-1]))
        for curve, which in zip(self.curves, (False, True)):
            curve.set_data(self.grid / self.unit, half * square * self.land[which])
            curve.set(linewidth=2.6 if which == left_out else 1.2, alpha=1.0 if which == left_out else 0.8)
        self.best.set_data([self.optimum / self.unit], [half * square * self.smallest])
        self.best.set_visible(self.inside)
        self.across = np.clip(np.abs(self.run.w), self.grid[0], self.grid[-1]) / self.unit        # a ball beyond stays in sight
        self.heights = square * self.run.loss
        self.rest.set_data(self.across, self.heights)
        left, right = (max(float(np.max(land[part])) for land in self.land.values()) for part in (slice(0, 100), slice(100, None)))
        top = half * square * max(1.12 * left, 1.4 * right, 1e-12)                               # room for words on the right
        self.panels["land"].set(xlim=(self.grid[0] / self.unit, self.grid[-1] / self.unit), ylim=(-0.03 * top, top))
        self.panels["land"].set_ylabel(f"{'half the ' if half < 1 else ''}sum of squares")
        self.panels["track"].set(ylim=(-0.03 * top, top))
        self.track.set_data(np.arange(len(self.heights)), self.heights)
        for heat, at in ((self.heats[0], 0), (self.heats[2], -1)):
            self._show_weights(heat, self.run.w[at] / self.unit)
        shown = STEPS[STEPS < len(self.run.w)]
        self.errors = np.array([self._error(self.run.w[step] / self.unit) for step in shown])
        self.changed_background()

    def _show_weights(self, heat: Heat, w: float) -> None:
        data = self.sample.data
        heat.show(attention_weights(data.queries * w, data.keys * w), 0)                             # (m, n)
        heat.scale.set_text(f"w = {words.number(w, 2)}")

    def _error(self, w: float) -> float:
        data = self.sample.data
        return float(np.mean((self._pooled(data.queries, w) - data.targets) ** 2)) if data.truth else np.nan

    def _sentence(self, state, step: int, w: float) -> str:
        run, optimum = self.run, self.optimum / self.unit
        slope = run.slope[step] * self.value_unit**2 * self.unit
        inverse = f" (1/w = <b>{words.number(1 / w)}</b>)" if w else ""
        parts = [f"Step <b>{step}</b> of {state['optimiser']}: w = <b>{words.number(w)}</b>{inverse}, "
                 f"loss <b>{words.number(self.heights[step])}</b>, its slope here {words.number(slope, 2)}."]
        if abs(run.w[step]) > self.grid[-1]:
            parts.append("The ball has left the picture: so far out the loss is nearly flat, and little brings it back.")
        ratio = abs(w) / optimum
        if len(self.sample.data.keys) == 1:
            parts.append("A single key: there is nobody to predict it from, and nothing to learn.")
        elif not self.inside:
            parts.append("No w between 0 and ∞ has the smallest leave-one-out loss here.")
        elif 0.8 <= ratio <= 1.2:
            parts.append(f"That is within 20 % of the leave-one-out optimum, w = {words.number(optimum)}.")
        else:
            far = f"{words.number(ratio, 2)} times the" if ratio > 0.02 else "nearly 0, far below the"
            parts.append(f"That is {far} leave-one-out optimum, w = {words.number(optimum)}.")
        if not state["left_out"]:
            parts.append("Every point attends to itself, so the loss that this run follows falls to 0 as w grows.")
        if self.sample.data.truth:
            shown = STEPS[:len(self.errors)]
            low = int(np.argmin(self.errors))
            parts.append(f"Error against the truth <b>{words.number(self._error(w))}</b>; the smallest in all steps is "
                         f"{words.number(self.errors[low])}, at step {shown[low]}.")
        if self.sample.fixed:
            parts.append(f"Gradients are taken with {self.sample.data.key_name} in units of {words.number(self.unit)} and "
                         f"{self.sample.data.value_name} in units of {words.number(self.value_unit)}.")
        return " ".join(parts)

    def dragged(self, panel, x, y, state):
        if panel == "land":
            return {"start": x}
        return {"step": x} if panel == "track" else None

    def typed(self, key, state):
        at = int(np.argmin(np.abs(STEPS - state["step"]))) + (1 if key == "ArrowRight" else -1)
        return {"step": float(STEPS[np.clip(at, 0, len(STEPS) - 1)])}


def _round_unit(x: float) -> float:
    """The power of ten nearest to x, in ratio."""
    return float(10.0 ** np.round(np.log10(x)))
