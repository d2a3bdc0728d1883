"""An attention layer trained on small regression tasks: its weights beside the best Gaussian's, step by step."""
import numpy as np

from nwlab.pooling import nadaraya_watson
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import (
    FitScene,
    Note,
    broken_line,
    error_axes,
    label,
    line,
    marks,
    name_curves,
    query_line,
    stand,
)
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout

QUERIES = np.linspace(0.0, 5.0, 51)


def in_context(run=None):
    """A live figure: what one softmax layer has learned from thousands of small regression tasks.

    run: what `workbook.labs.in_context.train` returns. None: trained runs that come with the workbook, for many noise
    levels and numbers of tokens n. It opens at the end of the training. Needs torch. Returns an `Explorer`.
    """
    from workbook.labs import in_context_yardstick as yardstick  # it imports torch, so only here

    if run is None:
        runs, drawn = yardstick.shipped(), {"noise": make.pick("noise", yardstick.NOISES, 0.3),
                                            "n": make.pick("tokens n", yardstick.CONTEXTS, 50)}
    else:
        replay = yardstick.replay(run)
        runs, drawn = {(replay.noise, replay.n): replay}, {}
    steps = next(iter(runs.values())).steps                      # of all runs
    step = make.pick("training step", steps, steps[-1])
    presets = {"before training": {"step": 0.0}, "half-way": {"step": float(steps[len(steps) // 2])}, "trained": {}}
    if run is None:
        presets |= {"little noise": {"noise": 0.1}, "much noise": {"noise": 1.0}}
    return Explorer(
        InContextScene(TaskSample(runs), yardstick, steps),
        {"step": step, "_play": make.play(step, 6000 // len(steps)), "query": make.query_slider(QUERIES, 2.5)},
        {**drawn, "seed": make.slider("task", 0, 0, 30, 1)}, presets=presets)


class TaskSample(Sample):
    """A task of the run that was trained with this noise and n; a reader's own run is the only one."""

    drawn_by = ("noise", "n", "seed")

    def __init__(self, runs: dict):
        super().__init__(5.0)
        self.runs, self.queries = runs, QUERIES

    def new(self, seed: int, noise: float | None = None, n: float = 0) -> None:
        from workbook.labs.in_context import draw_tasks

        self.run = next(iter(self.runs.values())) if noise is None else self.runs[noise, int(n)]
        self.data = draw_tasks(1, self.run.n, self.run.noise, self.run.length, seed=seed).one(0)


class InContextScene(FitScene):
    label = "A trained attention layer: its weights grow into the best Gaussian's; its fit, and its error by step"
    invitation = "Drag the training step left: how did this bump begin?"
    titles, second = {"fit": "A new task"}, "Nadaraya–Watson"
    across, demo = {"fit": "query", "bump": "query"}, ("step", 0)
    longest = 190
    layouts = (
        Layout(("bump bump", "steps steps", "fit curve"), (1, 1), (1.4, 0.08, 1), height=640, gap_y=72),
        Layout(("bump fit", "bump curve", "steps curve"), (1.9, 1), (1, 0.55, 0.12), height=420, gap_y=72, room=WIDE),
    )

    def __init__(self, sample: TaskSample, yardstick, steps: np.ndarray):
        super().__init__(sample)
        self.yardstick = yardstick                      # the module, which imports torch
        self.fit.words[1].set_text("layer")
        self.fit.line.set_alpha(0.5)
        self._make_steps(self.panels["steps"], steps)
        self._make_bump(self.panels["bump"])
        self._make_curve(self.panels["curve"])

    def _make_steps(self, panel, steps: np.ndarray) -> None:
        label(panel, "", "training step", xlim=(-0.3, len(steps) - 0.7), yticks=[])
        panel.spines["left"].set_visible(False)
        some = range(0, len(steps), max(len(steps) // 8, 1))  # so that their labels have room
        panel.set_xticks(some, [f"{steps[i]:g}" for i in some])
        panel.tick_params(axis="x", pad=5)                                                   # below the handle
        self.handle = self.move(query_line(panel, color=palette.KEY, markersize=14))

    def _make_bump(self, panel) -> None:
        label(panel, "Where the trained layer looks", "x of a token", "weight per unit of x",
              y_ink=palette.KEY_INK, xlim=(0, 5))
        panel.axhline(0.0, color=palette.FAINT, linewidth=0.8, zorder=0)
        self.earlier = broken_line(panel, palette.KEY, 1.0, alpha=0.4, zorder=2)
        self.bump = line(panel, palette.KEY, linewidth=7, alpha=0.55, zorder=3, label="layer")
        self.gaussian = line(panel, palette.LOCAL_LINEAR, linewidth=1.8, linestyle=(0, (4, 2)), zorder=4)
        self.bump_line = query_line(panel, 1, 0.5, alpha=0.5)        # it is not what the invitation is about
        name_curves(panel, ("layer", palette.KEY_INK), ("at earlier steps", palette.KEY),
                    ("best Gaussian", palette.LOCAL_LINEAR), across=0.98, ha="right")
        self.note = Note(self, panel)
        self.move(self.earlier, self.bump, self.gaussian, self.bump_line)

    def _make_curve(self, panel) -> None:
        error_axes(panel, "spread of the weights", "Error by step")
        self.kernel_curve = line(panel, palette.LOCAL_LINEAR)
        self.bayes = panel.axhline(1.0, color=palette.MUTED, linestyle=(0, (5, 3)), linewidth=1.3)
        self.path = line(panel, palette.KEY, marker=".", markersize=4, linewidth=0.9, alpha=0.55)
        self.kernel_spreads = [self.yardstick.spread(self.yardstick.Gaussian(width)).mean()
                               for width in self.yardstick.WIDTHS.tolist()]
        self.now = self.move(marks(panel, palette.KEY, 8, zorder=5))
        name_curves(panel, ("layer, step by step", palette.KEY_INK), ("Nadaraya–Watson", palette.LOCAL_LINEAR),
                    ("best possible", palette.MUTED))

    def update(self, state: dict) -> str:
        run, row, grid = self.sample.run, self.row_of(state["query"]), self.fit.grid
        step = int(np.argmin(np.abs(run.steps - state["step"])))
        layer, x, profile = run.layers[step], float(QUERIES[row]), self.yardstick.profile
        if self.changed("layer", layer):
            self.weights = self._weights(layer, QUERIES)                             # (m, n)
            self.fit.curve.set_data(grid, self._weights(layer, grid) @ self.data.values)
        self.show_query(x, self.weights[row])
        keys, now = self.yardstick.EVEN_KEYS.numpy(), profile(layer, [x])[0]         # (k,) each
        if self.changed("earlier", (x, run)):
            some = [[*profile(each, [x])[0, ::5], np.nan] for each in run.layers[::max(len(run.layers) // 9, 1)]]
            self.earlier.set_data(np.tile([*keys[::5], np.nan], len(some)), np.ravel(some))
            self.gaussian.set_data(keys, profile(self.yardstick.Gaussian(run.best), [x])[0])
        self.bump.set_data(keys, now)
        self.bump_line.set_xdata([x, x])
        self.now.set_data([run.spreads[step]], [run.errors[step]])
        stand(self.handle, step)
        self._point_out(run, step, x, now)
        return self._sentence(run, step)

    def _point_out(self, run, step: int, x: float, now: np.ndarray) -> None:
        left = x > 2
        at = int(np.clip(100 * (x - run.best if left else x + run.best), 0, len(now) - 1))
        found = abs(run.spreads[step] / run.best - 1) < 0.2
        self.note.say("the layer found\nthis by itself" if found else "it looks nearer\nto the query"
                      if run.steps[step] else "untrained, it looks\neverywhere", at / 100, now[at],
                      at=(0.04 if left else 0.96, 0.73), ha="left" if left else "right")

    def new_sample(self) -> None:
        super().new_sample()
        data, run, grid = self.data, self.sample.run, self.fit.grid
        self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=run.best))
        self.kernel_curve.set_data(self.kernel_spreads, run.kernel_errors)
        self.bayes.set_ydata([run.bayes, run.bayes])
        self.path.set_data(run.spreads, run.errors)
        highest = max(run.errors.max(), run.kernel_errors.max())
        self.panels["curve"].set(xlim=(0.05, 2.2), ylim=(run.bayes / 1.5, highest * (highest / run.bayes) ** 0.8))
        self.panels["bump"].set_ylim(0.0, 0.5 / run.best)      # the Gaussian's peak is 0.40 / width; words are above

    def _weights(self, layer, queries) -> np.ndarray:
        import torch

        with torch.no_grad():
            layer(*(torch.as_tensor(x) for x in (queries, self.data.keys, self.data.values)))
        return layer.attention_weights.numpy()

    def _sentence(self, run, step: int) -> str:
        after = f"After {run.steps[step]:g} training steps" if run.steps[step] else "Before training"
        spread = f"the layer's weights spread by {words.key(words.bold(run.spreads[step], 2))}"
        return (f"{after}, {spread} around the query, away from the borders. The best Gaussian for tasks of noise "
                f"{run.noise:g} and {run.n} tokens has σ = {words.bold(run.best, 2)}.")

    def drags(self):
        return super().drags() | {"steps": Drag("step", x=lambda steps: np.arange(len(steps)))}
