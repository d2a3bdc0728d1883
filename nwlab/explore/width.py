"""The width under two sliders: fit, heatmap and error curves move together."""
import numpy as np

from nwlab import palette
from nwlab.bandwidth import loo_error
from nwlab.explore import controls as make, words
from workbook.figures.hands import across
from workbook.figures.live import Explorer
from nwlab.explore.parts import Errors, FitScene, line
from nwlab.explore.sample import RegressionSample
from nwlab.kernels import get_kernel
from nwlab.pooling import effective_keys, nadaraya_watson


def width(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: how the width of the kernel shapes the fit, the attention heatmap and the error.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise, seed and truth. sigma, kernel and query are where it starts. Returns an `Explorer`.
    """
    sample = RegressionSample(data)
    unit = sample.unit
    width, w = make.width_and_kernel(sigma, kernel, unit)
    presets = {"needle": {"sigma": 0.03 * unit}, "just right": {"sigma": best_width(sample, kernel)},
               "river": {"sigma": 2.0 * unit}}
    return Explorer(
        WidthScene(sample), {**width, "query": make.query_slider(sample.queries, query)},
        {**make.sample_controls(sample, ("n", "noise", "seed", "truth")), **w}, presets=presets)


def left_out_error(data, widths, kernel: str) -> np.ndarray:
    """The leave-one-out error at each width; not defined (NaN) for a single key, with none left to predict it from."""
    if len(data.keys) == 1:
        return np.full(len(widths), np.nan)
    return loo_error(data.keys, data.values, bandwidths=widths, kernel=kernel)


def best_width(sample: RegressionSample, kernel) -> float:
    """The width of the slider with the smallest error: against the truth, or leave-one-out where that is not known."""
    data, widths = sample.data, make.round_numbers(0.05 * sample.unit, 5 * sample.unit)
    if data.truth is None:
        errors = left_out_error(data, widths, kernel)
    else:
        errors = [np.mean((nadaraya_watson(data.queries, data.keys, data.values, kernel=kernel, bandwidth=h,
                                           empty="nearest") - data.targets) ** 2) for h in widths]
    return widths[int(np.argmin(errors))]


class WidthScene(FitScene):
    label = "Fit, attention heatmap and error as the width of the kernel changes"
    invitation = "Drag the width: when does the curve copy the noise?"
    longest, movable = 310, "fit"
    lesson_asks = tuple({"noise": noise} for noise in (0.1, 1.0, 2.0))

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.errors = Errors(self, self.panels["curve"], "width σ",
                             ("leave-one-out", palette.INK), ("against the truth", palette.MUTED))
        self.truth_curve = self.move(line(self.panels["curve"], palette.MUTED, linestyle=(0, (5, 3))))
        self.loo_curve = self.move(line(self.panels["curve"]))

        self.shows(left_out=self.loo_curve, error=self.truth_curve, errors_now=self.errors.points)

    def given(self) -> dict:
        targets = [] if self.data.truth is None else self.data.targets.tolist()
        return {**super().given(), "targets": targets, "widths": self.loo_curve.get_xdata().tolist()}

    def drags(self):
        return super().drags() | {"curve": across("sigma")}

    def update(self, state: dict) -> str:
        data, sigma, kernel = self.data, state["sigma"], state["kernel"]
        if self.changed("kernel", kernel):
            self._new_curves(kernel)
        weights, row = self.pool(kernel, sigma), self.row_of(state["query"])                  # (m, n)
        self.show_row(weights, row)
        self.heat.show(weights, row)
        loo = float(left_out_error(data, [sigma], kernel)[0])
        error = float(np.mean((weights @ data.values - data.targets) ** 2))
        self.errors.show(sigma, [loo if np.isfinite(loo) else np.nan, error])
        return self._sentence(data, sigma, kernel, weights, row, error, loo)

    def _new_curves(self, kernel: str) -> None:
        data, unit = self.data, self.sample.unit
        widths = np.geomspace(0.02 * unit, 5 * unit, 40)
        loo = left_out_error(data, widths, kernel)
        answers = [nadaraya_watson(data.queries, data.keys, data.values, kernel=kernel, bandwidth=h) for h in widths]
        truth = np.mean((np.array(answers) - data.targets) ** 2, axis=1)
        self.loo_curve.set_data(widths, np.where(np.isfinite(loo), loo, np.nan))
        self.truth_curve.set_data(widths, truth)
        self.errors.words[1].set_visible(data.truth is not None)
        self.errors.limit(widths[[0, -1]], np.append(loo, truth), below=1.4, above=3.2)

    def _sentence(self, data, sigma, kernel, weights, row, error, loo) -> str:
        effective, (m, n) = effective_keys(weights), weights.shape
        empty = int(np.isnan(effective).sum())
        text = f"The width is {words.gist(f'σ = {words.bold(sigma)}')} (w = 1/σ = {words.bold(1 / sigma)})"
        if empty < m:
            text += f": {words.attends(effective, n)} ({words.band(effective, n)})"
        errors = f"The leave-one-out error is {words.bold(loo)}."
        if np.isfinite(error):
            errors = f"The {words.gist(f'error against the truth is {words.bold(error)}')}. {errors}"
        constant = not np.isfinite(get_kernel(kernel).std)
        return words.joined(words.no_width(n) if constant else text + ".", words.gaps(empty, m), errors,
                            words.worked_out(data, row, weights))
