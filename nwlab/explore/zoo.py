"""The attention zoo: pick a learned pooling and watch it learn, beside Nadaraya-Watson at the leave-one-out width."""
from __future__ import annotations

import ipywidgets
import numpy as np

from nwlab import palette
from nwlab._engine.inputs import check_choice, check_count
from nwlab.explore.stage import controls as make
from nwlab.explore import zoo_words
from nwlab.explore.stage.live import Layout, Scene
from nwlab.explore.stage.patient import PatientExplorer
from nwlab.explore.stage.parts import Fit, Heat, Stems, error_axes
from nwlab.explore.stage.sample import RegressionSample, key_limits, value_limits
from nwlab.explore.zoo_runs import POINTS, POOLINGS, Run, Split, Yardstick

REMEMBERED = 16             # trainings kept, so that going back to one costs nothing


def zoo(data=None, pooling="one width w", points="on a line", query=None, steps=300, learning_rate=None, own=None):
    """A live figure: a learned pooling as it trains, its fit, its weights and its errors, beside Nadaraya-Watson.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns, of which a quarter is held out; None draws
    samples under sliders for n, noise and seed, with a hundred more points held out. pooling and points: names of the
    choices in the figure. own: a pooling of yours, a function of (n, d) that returns a `nwlab.attention.LearnedPooling`
    for n keys with d features; it joins the others as "your own" and is shown first. learning_rate: None for one that
    suits each pooling; steps: how many of Adam. Needs torch. Returns an `Explorer`.
    """
    if own is not None and not callable(own):
        raise ValueError(f"own: got {type(own).__name__}, expected a function of (n, d) that returns a pooling")
    names = [*POOLINGS, *(["your own"] if own else [])]
    pooling = check_choice("pooling", "your own" if own else pooling, tuple(names))
    points, steps, sample = check_choice("points", points, tuple(POINTS)), check_count("steps", steps, 1), RegressionSample(data)
    queries = sample.queries
    controls = {
        "step": make.pick("training step", range(steps + 1), steps // 3, "330px", label=str, name="step"),
        "pooling": ipywidgets.Dropdown(options=names, value=pooling, description="pooling", layout={"width": "250px"},
                                       style={"description_width": "max-content"}),
        "query": make.query_slider(queries, query),
        "points": make.choice("points", list(POINTS), points),
        "leave_one_out": make.switch("leave one out", True),
    }
    controls |= make.sample_controls(sample)
    presets = {
        "one width": {"pooling": "one width w", "points": "on a line"},
        "run away": {"pooling": "one width, as log w", "points": "on a line", "leave_one_out": False},
        "useless feature": {"pooling": "a width per feature", "points": "line + useless feature"},
        "every key its own": {"pooling": "a width per key", "points": "on a line"},
        "additive": {"pooling": "additive", "points": "on a line"},
        "dot product off the sphere": {"pooling": "dot product", "points": "on a line"},
        "dot product on the circle": {"pooling": "dot product", "points": "on a circle"},
    }
    presets = {name: {**values, "step": steps} for name, values in presets.items()}
    rows = (("step", "pooling"), ("query", "points", "leave_one_out"), ("n", "noise", "seed"))
    return PatientExplorer(ZooScene(sample, steps, learning_rate, own), controls, presets, rows=rows)


class ZooScene(Scene):
    label = "A learned attention pooling: fit, weights and errors as it trains, beside Nadaraya-Watson"
    keys = ("ArrowLeft", "ArrowRight")
    layouts = (
        Layout(("fit fit", "stem heat", "curve heat"), (1.05, 1), (1.5, 0.7, 1.25), height=720, gap_y=74),
        Layout(("fit heat curve", "stem heat curve"), (1.2, 1, 0.95), (2.4, 1), height=420, room=860),
    )

    def __init__(self, sample: RegressionSample, steps: int, rate=None, own=None):
        super().__init__()
        self.sample, self.steps, self.rate = sample, steps, rate
        self.own = None if own is None else lambda learned, n, d: own(n, d)
        self.patience, self.busy = None, False          # see PatientExplorer
        self.run, self._runs, self._sample_seen = None, {}, 0
        self.fit = Fit(self, self.panels["fit"], second="Nadaraya–Watson")
        self.fit.name("held out", palette.VALUE)
        self.held, = self.panels["fit"].plot([], [], "o", markersize=3, markerfacecolor="none", zorder=1,
                                             markeredgecolor=palette.VALUE, markeredgewidth=0.7, alpha=0.45)
        self.stems = Stems(self, self.panels["stem"])
        self.beside, = self.panels["stem"].plot([], [], color=palette.LOCAL_LINEAR, linewidth=1.2, zorder=0.8)
        self.heat = Heat(self, self.panels["heat"])
        self.move(self.beside)
        self._make_curve(self.panels["curve"])

    def _make_curve(self, panel) -> None:
        error_axes(panel, "Error while it learns", "training step")
        panel.set_xscale("function", functions=(_root, np.square))          # the first steps matter most
        panel.set(xlim=(0, self.steps), xticks=[round(self.steps * share) for share in (0, 0.1, 0.4, 1)])
        dashes = (0, (5, 3))
        self.yard_held = panel.axhline(1.0, color=palette.LOCAL_LINEAR, linewidth=1.2)
        self.yard_truth = panel.axhline(1.0, color=palette.LOCAL_LINEAR, linewidth=1.2, linestyle=dashes)
        self.curves = [panel.plot([], [], **look)[0] for look in (
            {"color": palette.MUTED, "linewidth": 1.2}, {"color": palette.INK}, {"color": palette.INK, "linestyle": dashes})]
        self.now = panel.axvline(0.0, ymax=0.66, color=palette.KEY, linewidth=1.2, zorder=1)
        self.marks, = panel.plot([], [], "o", color=palette.KEY, markersize=7, markeredgecolor=palette.PAPER, zorder=5)
        self.curve_words = [
            panel.annotate(text, (across, 1.0), xycoords="axes fraction", xytext=(0, -2 - 14 * line), va="top",
                           textcoords="offset points", color=colour)
            for text, across, line, colour in (("training", 0.03, 0, palette.MUTED), ("held out", 0.5, 0, palette.INK),
                                               ("dashed: against truth", 0.03, 1, palette.INK),
                                               ("Nadaraya–Watson", 0.03, 2, palette.LOCAL_LINEAR))]
        self.move(self.now, self.marks)

    def stop(self) -> None:
        if self.run is not None:
            self.run.stop()

    def placed(self, layout: Layout) -> None:
        self.fit.spread_words()
        self.panels["fit"].tick_params(labelbottom=layout.room == 0)

    def update(self, state: dict) -> str:
        if self.sample.draw(state):
            self._new_sample(state)
        run, data = self._chosen_run(state), self.split.train
        row = int(np.argmin(np.abs(data.queries - state["query"])))
        self.busy = run.busy                            # before what it has reached is read: the last step is not missed
        self.stems.line.set_xdata([data.queries[row]] * 2)
        if run.reached < 0:
            self._show_nothing(row)
            return zoo_words.nothing(run)
        step = min(int(state["step"]), run.reached)
        weights = run.weights(np.concatenate([data.queries, self.grid]), step)              # (m + 251, n)
        m = len(data.queries)
        answers = weights @ data.values
        weights, curve = weights[:m], answers[m:]
        self.fit.curve.set_data(self.grid, curve)
        self.fit.attend(weights[row])
        self.fit.ask(data.queries[row], answers[row])
        self.beside.set_data(data.keys, self.yardstick.weights[row])
        if self.stems.show(data.keys, weights[row], data.queries[row], beside=self.yardstick.weights[row]):
            self.changed_background()
        full, highest = float(np.median(weights.max(axis=1))), float(weights.max())         # of a typical query, of all
        self.heat.show(weights, row, full)
        if (ink := self.heat.image.get_clim()[1]) < highest:
            self.heat.scale.set_text(f"full ink: {ink:.2f} and above")
        else:
            self.heat.scale.set_text(f"largest: {highest:.2f}")
        errors = run.errors()
        self._show_errors(run, errors, step)
        return zoo_words.sentence(run, self.busy, self.split, self.yardstick, state, errors, step, weights, row)

    def _show_nothing(self, row: int) -> None:
        """No step was reached, as training has only begun or went wrong at once: nothing to pool with."""
        data = self.split.train
        for line in (self.fit.curve, self.fit.answer, self.stems.heads, self.beside, self.marks, *self.curves):
            line.set_data((), ())
        self.stems.stems.set_segments([])
        self.fit.attend(None)
        self.heat.show(np.full((len(data.queries), len(data.keys)), np.nan), row)
        self._errors_shown = None
        self.changed_background()

    def _chosen_run(self, state: dict) -> Run:
        """The training that the state asks for: the present one, an earlier one, or a new one begun now."""
        settings = (self._sample_seen, *(state[name] for name in ("pooling", "points", "leave_one_out")))
        run = self._runs.get(settings)
        if run is None:
            own = self.own if state["pooling"] == "your own" else None
            run = Run(self.split, state["pooling"], POINTS[state["points"]], state["leave_one_out"],
                      int(state.get("seed", 0)), self.steps, self.rate, own).start()
            self._runs[settings] = run
            run.wait(self.patience)
        elif self.patience is None:
            run.wait()
        if run is not self.run:
            if self.run is not None and self.run.busy:  # nobody waits for the one before any more
                self.stop()
                self._runs = {key: kept for key, kept in self._runs.items() if kept is not self.run}
            self.run, self._errors_shown = run, None
            while len(self._runs) > REMEMBERED:
                del self._runs[next(iter(self._runs))]
        return run

    def _new_sample(self, state: dict) -> None:
        self.split = split = (Split.of(self.sample.data) if self.sample.fixed else
                              Split.drawn(*(state[name] for name in ("n", "noise", "seed"))))
        self._sample_seen += 1
        self.yardstick = Yardstick(split, self.sample.extent)
        data, everything = split.train, split.everything
        limits = key_limits(everything)
        self.fit.sample(data, limits, value_limits(everything, headroom=0.3))
        self.fit.spread_words()
        self.held.set_data(split.held_keys, split.held_values)
        self.grid = np.linspace(data.queries[0], data.queries[-1], 251)
        self.fit.second.set_data(self.grid, self.yardstick.at(self.grid) @ data.values)
        self.panels["stem"].set(xlim=limits, xlabel=f"{data.key_name}, with its keys")
        self.heat.sample(data.queries, data.keys)
        self.changed_background()

    def _show_errors(self, run: Run, errors: np.ndarray, step: int) -> None:
        self.now.set_xdata([step, step])
        self.marks.set_data([step, step], errors[step, 1:])
        if self._errors_shown == len(errors):
            return
        self._errors_shown = len(errors)
        for line, column in zip(self.curves, errors.T):
            line.set_data(np.arange(len(column)), column)
        for line, level in ((self.yard_held, self.yardstick.held), (self.yard_truth, self.yardstick.truth)):
            line.set_ydata([level, level])
        self.curve_words[2].set_visible(run.split.train.truth is not None)
        shown = np.append(errors, [self.yardstick.held, self.yardstick.truth])
        shown = shown[np.isfinite(shown) & (shown > 0)]
        if shown.size:
            low, high = max(shown.min(), shown.max() * 1e-4), shown.max()
            self.panels["curve"].set_ylim(low / 1.3, high * (high / low) ** 0.5 * 1.5)
        self.changed_background()

    def dragged(self, panel, x, y, state):
        queries = self.split.train.queries
        if panel in ("fit", "stem"):
            return {"query": float(np.clip(x, queries[0], queries[-1]))}
        if panel == "heat":
            return {"query": float(queries[int(np.clip(round(y), 0, len(queries) - 1))])}
        if panel == "curve":
            return {"step": float(np.clip(round(x), 0, self.steps))}
        return None

    def typed(self, key, state):
        queries = self.split.train.queries
        row = int(np.argmin(np.abs(queries - state["query"]))) + (1 if key == "ArrowRight" else -1)
        return {"query": float(queries[np.clip(row, 0, len(queries) - 1)])}


def _root(x):
    return np.sqrt(np.maximum(x, 0.0))
