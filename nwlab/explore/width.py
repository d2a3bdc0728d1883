"""The width under two sliders: fit, heatmap and error curves move together."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.bandwidth import loo_error
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.stage.parts import Fit, Heat, Stems, error_axes, name_curves, show_sample
from nwlab.explore.stage.sample import RegressionSample
from nwlab.kernels import get_kernel
from nwlab.local_linear import local_linear
from nwlab.pooling import attention_weights, effective_keys, nadaraya_watson


def width(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: how the width of the kernel shapes the fit, the attention heatmap and the error.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n, noise,
    seed and truth. sigma, kernel and query are where it starts. Returns an `Explorer`.
    """
    kernel, sample = get_kernel(kernel).name, RegressionSample(data)
    unit = sample.unit
    controls = {
        **make.width_sliders(sigma, unit), "kernel": make.kernel_choice(kernel),
        "query": make.query_slider(sample.queries, query), "line": make.switch("add local linear"),
        **make.sample_controls(sample, ("n", "noise", "seed", "truth")),
    }
    presets = {"needle": {"sigma": 0.03 * unit}, "just right": {"sigma": 0.2 * unit}, "river": {"sigma": 2.0 * unit}}
    rows = (("sigma", "_w", "kernel"), ("query", "line"), ("n", "noise", "seed", "truth"))
    return Explorer(WidthScene(sample), controls, presets, rows=rows)


def left_out_error(data, widths, kernel: str) -> np.ndarray:
    """The leave-one-out error at each width; not defined (NaN) for a single key, with none left to predict it from."""
    return loo_error(data.keys, data.values, widths, kernel) if len(data.keys) > 1 else np.full(len(widths), np.nan)


class WidthScene(Scene):
    label = "Fit, attention heatmap and error as the width of the kernel changes"
    layouts = (
        Layout(("fit heat", "stem curve"), (1.15, 1), (1.5, 1), height=560, gap_y=74),
        Layout(("fit heat curve", "stem heat curve"), (1.25, 1, 0.85), (2.4, 1), height=400, room=860, bare=("fit",)),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.fit = Fit(self, self.panels["fit"], second="local linear")
        self.stems = Stems(self, self.panels["stem"])
        self.heat = Heat(self, self.panels["heat"])
        self._make_curve(self.panels["curve"])
        self._curves_of = None

    def _make_curve(self, panel) -> None:
        error_axes(panel, "Error against width", "width σ")
        self.truth_curve, = panel.plot([], [], color=palette.MUTED, linestyle=(0, (5, 3)))
        self.loo_curve, = panel.plot([], [], color=palette.INK)
        self.now = panel.axvline(1.0, ymax=0.8, color=palette.KEY, linewidth=1.2, zorder=1)
        self.points, = panel.plot([], [], "o", color=palette.KEY, markersize=7, markeredgecolor=palette.PAPER)
        self.curve_words = name_curves(panel, ("leave-one-out", palette.INK), ("against the truth", palette.MUTED))
        self.move(self.now, self.points)

    def update(self, state: dict) -> str:
        if self.sample.draw(state):
            self._new_sample()
        data, sigma, kernel = self.sample.data, state["sigma"], state["kernel"]
        if self._curves_of != (id(data), kernel):
            self._new_curves(kernel)
        row, grid = self.row_of(state["query"]), self.fit.grid
        with words.empty_windows_said():
            weights = attention_weights(data.queries, data.keys, kernel, sigma)               # (m, n)
            self.fit.curve.set_data(grid, nadaraya_watson(grid, data.keys, data.values, kernel, sigma))
            lines = local_linear(grid, data.keys, data.values, kernel, sigma) if state["line"] else ()
        self.fit.second.set_data(grid if state["line"] else (), lines)
        if self.fit.words[3].get_visible() != state["line"]:
            self.fit.words[3].set_visible(state["line"])
            self.fit.spread_words()
            self.changed_background()
        answers = weights @ data.values
        self.fit.attend(weights[row])
        self.fit.ask(data.queries[row], answers[row])
        if self.stems.show(data.keys, weights[row], data.queries[row]):
            self.changed_background()
        self.heat.show(weights, row)
        loo = float(left_out_error(data, [sigma], kernel)[0])
        error = float(np.mean((answers - data.targets) ** 2))
        self.now.set_xdata([sigma, sigma])
        self.points.set_data([sigma, sigma], [loo if np.isfinite(loo) else np.nan, error])
        return self._sentence(data, sigma, kernel, weights, row, error, loo)

    def _new_sample(self) -> None:
        data = self.sample.data
        show_sample(data, self.fit, self.stems)
        self.heat.sample(data.queries, data.keys)
        self.changed_background()

    def _new_curves(self, kernel: str) -> None:
        data = self.sample.data
        unit = self.sample.extent / 5
        widths = np.geomspace(0.02 * unit, 5 * unit, 60)
        loo = left_out_error(data, widths, kernel)
        with words.empty_windows_said():
            truth = np.array([np.mean((nadaraya_watson(data.queries, data.keys, data.values, kernel, h) - data.targets) ** 2)
                              for h in widths])
        self.widths, self.loo = widths, loo
        self.loo_curve.set_data(widths, np.where(np.isfinite(loo), loo, np.nan))
        self.truth_curve.set_data(widths, truth)
        self.curve_words[1].set_visible(data.truth is not None)
        shown = np.concatenate([loo, truth])
        shown = shown[np.isfinite(shown) & (shown > 0)]
        if shown.size:
            self.panels["curve"].set_ylim(shown.min() / 1.4, shown.max() * 3.2)
        self.panels["curve"].set_xlim(widths[0], widths[-1])
        self._curves_of = (id(data), kernel)
        self.changed_background()

    def _sentence(self, data, sigma, kernel, weights, row, error, loo) -> str:
        effective = effective_keys(weights)
        m, n = weights.shape
        empty = int(np.isnan(effective).sum())
        typical = words.number(float(np.nanmedian(effective))) if empty < m else "no"
        kind = words.band(effective, n)
        parts = [f"Width σ = <b>{words.number(sigma)}</b> (w = 1/σ = <b>{words.number(1 / sigma)}</b>): a typical query "
                 f"attends to <b>{typical}</b> of {n} keys in effect, {kind}."]
        if not np.isfinite(get_kernel(kernel).std):
            parts[0] = f"The constant kernel has no width: every query attends to all {n} keys alike, a river."
        parts.append(words.gaps(empty, m).strip())
        errors = f"leave-one-out error <b>{words.number(loo)}</b>"
        if data.truth is not None and empty == 0:
            errors = f"Error against the truth <b>{words.number(error)}</b>, " + errors
        best = int(np.argmin(self.loo))
        if np.isfinite(self.loo[best]):
            errors += f" (smallest, {words.number(self.loo[best])}, near σ = {words.number(self.widths[best], 2)})"
        parts.append(errors[0].upper() + errors[1:] + ".")
        parts.append(f"At {words.at(data, data.queries[row])}: {words.arithmetic(weights[row], data.values)}.")
        return " ".join(part for part in parts if part)

    def dragged(self, panel, x, y, state):
        if panel == "curve":
            return {"sigma": float(np.clip(x, self.widths[0], self.widths[-1]))}
        return super().dragged(panel, x, y, state)
