"""The attention zoo: pick a learned pooling and watch it learn, beside Nadaraya-Watson at the leave-one-out width."""
import html
import math
from dataclasses import replace

import numpy as np

from nwlab import palette
from nwlab._engine.inputs import check_choice, check_count
from nwlab.data import make_regression
from nwlab.explore import controls as make, words
from workbook.figures.hands import across
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import Errors, FitScene, line, marks, name_curves, step_axis
from nwlab.explore.sample import RegressionSample
from nwlab.explore.zoo_runs import POINTS, POOLINGS, Split, Yardstick, ZooRun

LESSONS = {
    "dot product": "All points have the same length, so with a positive scale the dot product gives the weights of a "
                   "Gaussian of the distance.",
    "projected dot product": "That near means similar is not built in and has to be learned.",
    "additive": "Its scores do not depend on q − k alone: that near means similar has to be learned.",
    "a width per key": "Each width belongs to one stored key, so you cannot exchange the keys.",
}
REMEMBERED = 16             # trainings kept, so that going back to one costs nothing
PRESETS = (                 # name, pooling, points
    ("one width", "one width w", "on a line"),
    ("useless feature", "a width per feature", "line + useless feature"),
    ("additive", "additive", "on a line"),
    ("dot product off the sphere", "dot product", "on a line"),
    ("dot product on the circle", "dot product", "on a circle"),
)


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
    points, steps = check_choice("points", points, tuple(POINTS)), check_count("steps", steps, 1)
    sample = ZooSample(data)
    presets = {name: {"pooling": pooling, "points": points, "step": steps} for name, pooling, points in PRESETS}
    return Explorer(
        ZooScene(sample, steps, learning_rate, own),
        {"step": make.pick("training step", range(steps + 1), steps // 3),
         "query": make.query_slider(sample.queries, query), "pooling": make.dropdown("pooling", names, pooling)},
        {**make.sample_controls(sample), "points": make.choice("points", list(POINTS), points),
         "leave_one_out": make.switch("leave one out", True)}, presets=presets)


class ZooSample(RegressionSample):
    """A sample of which `data` is trained on, and `split` knows what is held out."""

    def __init__(self, data=None):
        super().__init__(data)
        if self.fixed:
            n = len(data.keys)
            held = np.isin(np.arange(n), np.random.default_rng(0).permutation(n)[:n // 4])
            self._split(*(replace(data, keys=data.keys[some], values=data.values[some]) for some in (~held, held)))

    def new(self, n: int, noise: float, seed: int) -> None:
        self._split(make_regression(n=n, noise=noise, seed=seed), make_regression(n=100, noise=noise, seed=1000 + seed))

    def _split(self, train, held) -> None:
        self.data, self.split = train, Split(train, held)


class ZooScene(FitScene):
    label = "A learned attention pooling: fit, weights and errors as it trains, beside Nadaraya-Watson"
    invitation = "Drag the training step: does learning beat Nadaraya–Watson?"
    second = "Nadaraya–Watson"
    longest = 490
    layouts = (
        Layout(("fit fit", "stem heat", "curve heat"), (1.05, 1), (1.5, 0.7, 1.25), height=720, gap_y=74),
        Layout(("fit heat curve", "stem heat curve"), (1.2, 1, 1.1), (2.4, 1), height=342, room=WIDE,
               bare=("fit",)),
    )

    def __init__(self, sample: ZooSample, steps: int, rate=None, own=None):
        super().__init__(sample)
        self.steps, self.rate = steps, rate
        self.poolings = {**POOLINGS, "your own": (0.05, lambda learned, n, d: own(n, d))}
        self._runs = {}
        self.fit.name("○ held out", palette.VALUE_INK)
        self.held = marks(self.panels["fit"], palette.VALUE, 3, markerfacecolor="none", markeredgecolor=palette.VALUE,
                          markeredgewidth=0.7, zorder=1)
        self.beside = self.move(line(self.panels["stem"], palette.LOCAL_LINEAR, linewidth=1.2, zorder=0.8))
        self._make_curve(self.panels["curve"])

    def drags(self):
        return super().drags() | {"curve": across("step")}

    def _make_curve(self, panel) -> None:
        names = [("training", palette.MUTED), ("dashed: against truth", palette.INK),
                 ("Nadaraya–Watson", palette.LOCAL_LINEAR)]
        self.errors = Errors(self, panel, "training step", *names)
        name_curves(panel, ("held out", palette.INK), across=0.5)
        step_axis(panel, self.steps, [round(self.steps * share) for share in (0, 0.1, 0.4, 1)])
        dashed = {"linestyle": (0, (5, 3))}
        self.yards = [panel.axhline(1.0, color=palette.LOCAL_LINEAR, linewidth=1.2, **style) for style in ({}, dashed)]
        self.curves = [line(panel, palette.MUTED, linewidth=1.2, label="training"), line(panel, label="held out"),
                       line(panel, label="against truth", **dashed)]

    @property
    def run(self) -> ZooRun:
        return self.work.jobs

    def update(self, state: dict) -> str:
        run, data, row = self._chosen_run(state), self.data, self.row_of(state["query"])
        run.work_until(1)                               # so that there is something to show
        self.work.want(run, run.steps + 1)
        if run.reached < 0:
            raise ValueError(f"training ended at once: {run.trouble}")
        step, m, grid = min(int(state["step"]), run.reached), len(data.queries), self.fit.grid
        weights = run.weights(np.concatenate([data.queries, grid]), step)                   # (m + 251, n)
        answers, weights, beside = weights @ data.values, weights[:m], self.yardstick.weights[row]
        self.fit.curve.set_data(grid, answers[m:])
        if self.changed("beside", row):
            self.beside.set_data(data.keys, beside)
        self.show_row(weights, row, beside=beside)
        self.heat.show(weights, row)
        errors = run.errors()
        self._show_errors(run, errors, step)
        return self._sentence(run, errors[step], step, weights, row)

    def _chosen_run(self, state: dict) -> ZooRun:
        """The training that the state asks for: the present one, an earlier one, or a new one begun now."""
        settings = *self.sample.recipe.items(), *(state[name] for name in ("pooling", "points", "leave_one_out"))
        run = self._runs.pop(settings, None)
        if run is None:
            run = ZooRun(self.sample.split, state["pooling"], POINTS[state["points"]], state["leave_one_out"],
                         int(state.get("seed", 0)), self.steps, self.rate, *self.poolings[state["pooling"]])
        self._runs[settings] = run
        if len(self._runs) > REMEMBERED:
            del self._runs[next(iter(self._runs))]
        return run

    def new_sample(self) -> None:
        split = self.sample.split
        keys, values = (np.concatenate([getattr(part, name) for part in split]) for name in ("keys", "values"))
        super().new_sample(replace(self.data, keys=np.sort(keys), values=values))           # room for all
        self.yardstick = Yardstick(split, self.sample.extent)
        self.held.set_data(split.held.keys, split.held.values)
        self.fit.second.set_data(self.fit.grid, self.yardstick.at(self.fit.grid) @ self.data.values)

    def _show_errors(self, run: ZooRun, errors: np.ndarray, step: int) -> None:
        self.errors.show(step, errors[step, 1:])
        if not self.changed("errors", (run, len(errors))):
            return
        for curve, column in zip(self.curves, errors.T):
            curve.set_data(np.arange(len(column)), column)
        levels = [self.yardstick.held, self.yardstick.truth]
        for yard, level in zip(self.yards, levels):
            yard.set_ydata([level, level])
        self.errors.words[1].set_visible(self.data.truth is not None)
        shown = np.append(errors, levels)
        shown = shown[np.isfinite(shown) & (shown > 0)]
        if shown.size:
            low, high = max(shown.min(), shown.max() * 1e-4), shown.max()
            self.panels["curve"].set_ylim(low / 1.3, high * (high / low) ** 0.5 * 1.5)
        self.changed_background()

    def _sentence(self, run: ZooRun, errors, step: int, weights, row: int) -> str:
        """For a step that was reached: weights (m, n) of the queries, row is the number of the chosen query."""
        training, held, _ = errors
        kind = {"line": "", "circle": " on a circle", "useless": " with a useless feature"}[run.points.kind]
        error = f"The {'leave-one-out' if run.leave_one_out else 'training'} error is {words.number(training)}"
        if np.isfinite(held):
            error += (f", the {words.gist(f'held-out error is {words.bold(held)}')}, and that of Nadaraya–Watson "
                      f"{words.number(self.yardstick.held)}")
        return words.joined(
            f"<b>{run.pooling[0].upper() + run.pooling[1:]}</b>{kind}, <b>{run.count}</b> "
            f"parameter{'s' * (run.count != 1)}, {words.gist(f'at step <b>{step}</b>')} of {run.steps}: "
            f"{learned(run, step)}",
            f"<b>Training: {run.reached} of {run.steps} steps are done.</b>" if run.done <= run.steps else
            f"<b>Training ended early</b>: {html.escape(run.trouble)}" if run.trouble else "",
            error + ".", lesson(run, step), words.worked_out(self.data, row, weights))


def learned(run: ZooRun, step: int) -> str:
    """The parameters in words, where there are few enough to say; widths in the units of x."""
    parameters, along = run.parameters(step), run.points.along
    if "scale" in parameters:
        scale = float(parameters["scale"])
        text = f"scale = {words.bold(scale)}"
        if run.points.kind == "circle" and scale > 0:
            text += f", like a Gaussian of width 1/√scale = {words.number(along / math.sqrt(scale))}"
        return text + "."
    if not {"w", "log_w"} & set(parameters) or run.pooling == "a width per key":
        return "all of them are learned."
    w = np.abs(parameters["w"]) if "w" in parameters else np.exp(np.minimum(parameters["log_w"], 700))
    if w.size == 1:
        return f"w = {words.bold(w.item() / along)}, which is a width of {words.number(along / max(w.item(), 1e-12))}."
    return f"w = {words.number(w[0])} and {words.number(w[1])} for the two features."


def lesson(run: ZooRun, step: int) -> str:
    """The one thing that this pooling, on these points, is here to show."""
    name, kind = run.pooling, run.points.kind
    if len(run.keys) == 1:
        return "There is only one key, and it gets all the weight whatever is learned."
    if not run.leave_one_out:
        return "Each point may attend to itself, so a small training error says nothing about new points."
    if name in ("dot product", "projected dot product") and kind != "circle":
        return ("A dot product does not measure distance: each query gives the most weight to the keys "
                "farthest out on one side.")
    if name == "a width per feature" and kind == "useless":
        first, second = np.abs(run.parameters(step)["w"])
        return (f"The w of the useless feature is {words.number(second / first, 2)} of the other, so it "
                f"{'hardly' if second < first / 4 else 'still'} counts.")
    return LESSONS.get(name, "")
