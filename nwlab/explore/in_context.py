"""A layer of attention that was trained on small tasks: its weights beside the best Gaussian's, step by step."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.explore.stage import controls as make, words
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.stage.parts import Fit, Heat, error_axes, label, line, marks, name_curves
from nwlab.pooling import attention_weights, nadaraya_watson

QUERIES = np.linspace(0.0, 5.0, 51)


def in_context(run=None, noise=0.3, n=50, query=2.5):
    """A live figure: what one softmax layer has learned from thousands of small regression tasks.

    run: what `nwlab.labs.in_context.train` returns; the figure starts before its first step. None: trained runs that
    come with the workbook, for many noise levels and numbers of tokens n. noise, n and query are where it starts (noise
    and n are those of the run, if there is one). Returns an `Explorer`. Besides the trained poolings this is the one
    live figure that imports torch.
    """
    from nwlab.labs import in_context_yardstick as yardstick     # imports torch, so not before it is needed

    if run is None:
        runs, steps, start = yardstick.shipped(), yardstick.STEPS, yardstick.STEPS[-1]
        controls = {"noise": make.pick("noise", yardstick.NOISES, noise, "250px", label="{:g}".format, name="noise"),
                    "n": make.pick("tokens n", yardstick.CONTEXTS, n, "220px", label="{:.0f}".format, name="n")}
    else:
        replay = yardstick.replay(run)
        runs, controls, steps, start = {(replay.noise, replay.n): replay}, {}, replay.steps, 0
    controls |= {"step": make.pick("training step", steps, start, "270px", label="{:.0f}".format),
                 "query": make.query_slider(QUERIES, query), "seed": make.slider("task", 0, 0, 30, 1, "180px")}
    last = float(steps[-1])
    presets = {"before training": {"step": 0.0}, "half-way": {"step": float(steps[len(steps) // 2])},
               "trained": {"step": last}}
    if run is None:
        presets |= {"little noise": {"noise": 0.1, "step": last}, "much noise": {"noise": 1.0, "step": last}}
    return Explorer(InContextScene(runs), controls, presets, rows=(("noise", "n", "step"), ("query", "seed")))


class InContextScene(Scene):
    label = "A trained attention layer: its fit, its weights beside the best Gaussian's, its error and its heatmap"
    across = ("fit", "bump")
    queries = QUERIES
    layouts = (
        Layout(("fit bump", "heat curve"), (1.15, 1), (1, 1), height=600, gap_y=78),
        Layout(("fit bump curve", "fit heat curve"), (1.25, 1, 0.95), (1, 1.15), height=470, gap_y=78, room=860),
    )

    def __init__(self, runs: dict):
        super().__init__()
        from nwlab.labs import in_context, in_context_yardstick

        self.runs, self.draw_tasks, self.yardstick = runs, in_context.draw_tasks, in_context_yardstick
        self.fit = Fit(self, self.panels["fit"], second="Nadaraya–Watson")
        self.fit.panel.set_title("One task, never seen", loc="left")
        self.fit.words[1].set_text("layer")
        self.fit.line.set_ydata([0.0, 0.84])            # below a second line of words
        self.heat = Heat(self, self.panels["heat"], "The layer's weights")
        self._make_bump(self.panels["bump"])
        self._make_curve(self.panels["curve"])

    def _make_bump(self, panel) -> None:
        label(panel, "At the query", "x of a token", "weight per unit of x", y_ink=palette.KEY_INK, xlim=(0, 5))
        panel.axhline(0.0, color=palette.FAINT, linewidth=0.8, zorder=0)
        self.bump = line(panel, palette.KEY, linewidth=5, alpha=0.5, zorder=3)
        self.gaussian = line(panel, palette.LOCAL_LINEAR, linewidth=1.6, linestyle=(0, (4, 2)), zorder=4)
        self.bump_line = panel.axvline(0.0, ymax=0.8, zorder=0.5, **palette.QUERY_LINE)
        name_curves(panel, ("layer", palette.KEY_INK), ("best Gaussian", palette.LOCAL_LINEAR), across=0.02)
        self.move(self.bump, self.gaussian, self.bump_line)

    def _make_curve(self, panel) -> None:
        error_axes(panel, "Error and width", "spread of the weights")
        self.kernel_curve = line(panel, palette.LOCAL_LINEAR)
        self.kernel_best = line(panel, palette.LOCAL_LINEAR, linestyle="", marker="o", markersize=12,
                                markerfacecolor="none")
        self.bayes = panel.axhline(1.0, color=palette.MUTED, linestyle=(0, (5, 3)), linewidth=1.3)
        self.path = line(panel, palette.KEY, marker=".", markersize=4, linewidth=0.9, alpha=0.55)
        widths = self.yardstick.WIDTHS
        self.kernel_spreads = np.array([self.yardstick.kernel_spread(float(width)).mean() for width in widths])
        self.now = marks(panel, palette.KEY, 8, zorder=5)
        name_curves(panel, ("layer, step by step", palette.KEY_INK), ("Nadaraya–Watson", palette.LOCAL_LINEAR),
                    ("best there is", palette.MUTED))
        self.move(self.now)

    def update(self, state: dict) -> str:
        run = self._run(state)
        step = int(np.argmin(np.abs(run.steps - state["step"])))
        layer, task = run.layers[step], (run.noise, run.n, state["seed"])
        if self.changed("run", id(run)):
            self._new_run(run)
        if self.changed("task", task):
            self._new_task(run, state["seed"])
        if self.changed("layer", (layer, task)):
            self.weights = self._weights(layer, QUERIES)                             # (m, n)
            self.fit.curve.set_data(self.fit.grid, self._weights(layer, self.fit.grid) @ self.data.values)
        row = self.row_of(state["query"])
        x, weights = float(QUERIES[row]), self.weights[row]
        few = 4 / len(weights)                          # so that weights that are all alike look pale and small
        self.fit.attend(weights, full=few)
        self.fit.ask(x, float(weights @ self.data.values))
        self.heat.show(self.weights, row, full=few)
        keys = self.yardstick.EVEN_KEYS.numpy()
        self.bump.set_data(keys, self.yardstick.profile(layer, [x])[0])
        self.gaussian.set_data(keys, attention_weights(x, keys, bandwidth=run.best)[0] / (keys[1] - keys[0]))
        self.bump_line.set_xdata([x, x])
        self.now.set_data([run.spreads[step]], [run.errors[step]])
        return self._sentence(run, step, layer, x, weights)

    def _run(self, state: dict):
        """The run that the state asks for; a reader's own is the only one."""
        return self.runs[state["noise"], int(state["n"])] if "noise" in state else next(iter(self.runs.values()))

    def _new_run(self, run) -> None:
        self.kernel_curve.set_data(self.kernel_spreads, run.kernel_errors)
        best = int(run.kernel_errors.argmin())
        self.kernel_best.set_data([self.kernel_spreads[best]], [run.kernel_errors[best]])
        self.bayes.set_ydata([run.bayes, run.bayes])
        self.path.set_data(run.spreads, run.errors)
        highest = max(run.errors.max(), run.kernel_errors.max())
        self.panels["curve"].set(xlim=(0.05, 2.2), ylim=(run.bayes / 1.5, highest * (highest / run.bayes) ** 0.5))
        self.panels["bump"].set_ylim(0.0, 0.56 / run.best)     # the Gaussian's peak is 0.40 / width; above are words
        self.changed_background()

    def _new_task(self, run, seed: int) -> None:
        self.data = data = self.draw_tasks(1, run.n, run.noise, run.length, seed=seed).one(0)
        seen = np.concatenate([data.values, data.targets])
        span = float(np.ptp(seen)) or 1.0
        self.fit.sample(data, (-0.1, 5.1), (seen.min() - 0.06 * span, seen.max() + 0.25 * span))
        self.fit.panel.set_xlabel("x")
        grid = self.fit.grid
        self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=run.best))
        self.heat.sample(QUERIES, data.keys)
        self.changed_background()

    def _weights(self, layer, queries) -> np.ndarray:
        import torch

        with torch.no_grad():
            layer(*(torch.as_tensor(x) for x in (queries, self.data.keys, self.data.values)))
        return layer.attention_weights.numpy()

    def _sentence(self, run, step: int, layer, x: float, weights) -> str:
        here = float(self.yardstick.spread(layer, [x])[0])
        after = "before training" if run.steps[step] == 0 else f"after {run.steps[step]} training steps"
        spread, least = words.key(words.bold(run.spreads[step], 2)), float(run.kernel_errors.min())
        return (f"Noise <b>{run.noise:g}</b>, <b>{run.n}</b> tokens, {after}: away from the borders the layer's "
                f"weights spread by {spread}; the best Gaussian has σ = {words.bold(run.best, 2)}. "
                f"Error {words.bold(run.errors[step], 2)}, Nadaraya–Watson's {words.number(least, 2)} "
                f"(ratio {words.bold(run.errors[step] / least)}). "
                f"At {words.query(f'x = {x:.1f}')} the weights spread by {words.number(here, 2)}: "
                f"{words.arithmetic(weights, self.data.values)}.")

    def dragged(self, panel, x, y, state):
        if panel == "curve":                            # the point of the path nearest to the pointer, on its axes
            run = self._run(state)
            away = np.log(run.spreads / max(x, 1e-9)) ** 2 + np.log(run.errors / max(y, 1e-9)) ** 2
            return {"step": float(run.steps[int(np.argmin(away))])}
        return super().dragged(panel, x, y, state)
