"""The width of the kernel: how fit, heatmap and errors change with it."""
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from nwlab.pooling import effective_keys, nadaraya_watson
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.explore.sample import COUNT, FreshSamples, left_out_error
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say

APART = 1.5                             # a width is too narrow or too wide if it differs by this factor from the best


def width(data=None, **start) -> Explorer:
    """A live figure: how the width of the kernel shapes the fit, the attention heatmap and the error.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns, or "engel", which a page without a kernel
    can show; None draws samples under sliders. start: values of the controls sigma, query, band (of two standard
    errors), kernel, n, noise and seed.
    """
    return Explorer(WidthScene(data), start)


class WidthScene(FitScene):
    label = say("Fit, attention heatmap and error as the width of the kernel changes")
    invitation = say("Drag the blue width: when is it too narrow, when too wide?")
    controls = {"sigma": make.width(inverse="w = 1/σ"), "query": make.query,
                "band": make.of_sample(lambda _: make.switch(say("band ± 2 errors")))}
    more = {**make.SAMPLE, "kernel": make.kernel}
    presets = {say("needle"): {"sigma": 0.03}, say("river"): {"sigma": 2.0}}
    longest, movable, handle = 270, "fit", 9                         # smaller than the handle of the width
    across, demo = {"fit": "query", "curve": "sigma"}, ("sigma", 25)
    lesson_asks = tuple({"noise": noise} for noise in (0.1, 1.0, 2.0))
    layouts = (
        Layout(("fit fit", "curve heat"), (1, 1), (1.7, 1), height=560, gap_y=70, right=30),
        Layout(("fit heat", "fit curve"), (2.1, 1), (1, 1), height=390, room=WIDE, gap_x=84, gap_y=68, right=30),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.curve = self.panels["curve"]
        self.curve.label_errors(say("width σ"), say("Error"))
        self.curve.xaxis.label.set_color(palette.KEY_INK)
        self.fit.words.append(self.fit.panel.corner(say("below: bands that miss it"), palette.NEGATIVE_INK))
        self.names = self.curve.names((say("leave-one-out"), palette.INK), (say("against the truth"), palette.MUTED))

    def update(self, state: dict) -> str:
        data, sigma, kernel, curve = self.data, state["sigma"], state["kernel"], self.curve
        self.now = curve.upright("now", sigma, 0.66, color=palette.KEY, linewidth=1.2, markersize=13, zorder=1)
        if self.changed("kernel", kernel):
            self._new_curves(kernel)
        held = self._show_band(self.show_fit(state), state)
        loo = float(left_out_error(data, [sigma], kernel)[0])
        error = float(np.mean((self.weights @ data.values - data.targets) ** 2))
        self.errors = curve.marks("errors", [sigma] * 2, [loo if np.isfinite(loo) else np.nan, error], palette.KEY, 7,
                                  shows="errors now")
        self._show_note(sigma)
        effective = effective_keys(self.weights)                                                        # (m,)
        return words.joined(
            words.band(sigma, effective, len(data.keys)), self.said_error(),
            say("The leave-one-out error, each dot predicted from the others, is {error}.", error=words.bold(loo)),
            words.gaps(int(np.isnan(effective).sum()), len(effective)), words.answer(data, *self.fit.marked), held)

    def _show_band(self, row: int, state: dict) -> str:
        """Show the band, with a strip at its foot: how many fresh bands miss the truth; returns its sentence."""
        shown = state.get("band", False)
        self.show_band(row, 2 * self.data.noise if shown else None)
        if shown and self.changed("held", (state["kernel"], state["sigma"])):
            off, errors = FreshSamples(**self.sample.recipe).bands(self.kernel, state["sigma"])         # (m, COUNT)
            self.held = np.sum(np.abs(off) <= 2 * errors, axis=1)                                       # (m,)
        share = self.held / COUNT if shown else np.ones(len(self.queries))
        self.fit.panel.show("strip", self._new_strip, data=1 - share[None], visible=shown)
        if self.changed("band", shown):
            self.fit.words[-1].set_visible(shown)
            self.fit.spread_words()
        return "" if not shown else say("There {held} of {count} fresh bands hold the truth.",
                                        held=words.bold(self.held[row]), count=COUNT)

    def _new_strip(self):
        panel, (first, *_, last) = self.fit.panel, self.queries
        half = (last - first) / (len(self.queries) - 1) / 2
        colours = LinearSegmentedColormap.from_list("misses", [palette.PAPER, palette.NEGATIVE])
        return panel.imshow(np.zeros((1, 2)), cmap=colours, vmin=0, vmax=1, aspect="auto", interpolation="none",
                            extent=(first - half, last + half, 0.005, 0.045), transform=panel.get_xaxis_transform(),
                            label="_nolegend_", zorder=1.2)

    def _new_curves(self, kernel) -> None:
        """Draw the errors at all widths, and find the best. The limits stay the same while a reader moves points."""
        data, unit = self.data, self.sample.unit
        widths = np.geomspace(0.02 * unit, 5 * unit, 40)
        left_out = left_out_error(data, widths, kernel)
        left_out[np.isinf(left_out)] = np.nan           # where it is not defined
        answers = [nadaraya_watson(data.queries, data.keys, data.values, kernel=kernel, bandwidth=h) for h in widths]
        off = np.mean((np.array(answers) - data.targets) ** 2, axis=1)
        self.curve.line("truth", widths, off, palette.MUTED, linestyle=(0, (5, 3)), shows="error")
        self.curve.line("left out", widths, left_out, shows="left out")
        self.also_given = {"targets": data.targets.tolist() if data.truth else [], "widths": widths.tolist()}
        self.names[1].set_visible(data.truth is not None)
        known = off if data.truth else left_out
        self.best = widths[int(np.argmin(np.nan_to_num(known, nan=np.inf)))]
        self.aim = data.truth or (lambda x: nadaraya_watson(x, data.keys, data.values, kernel=kernel, empty="nearest",
                                                            bandwidth=self.best))
        seen = np.concatenate([left_out, off])
        seen = seen[np.isfinite(seen) & (seen > 0)]
        if seen.size and not self.sample.points.past:
            self.curve.set(xlim=widths[[0, -1]], ylim=(seen.min() / 4, seen.max() * 8))

    def _show_note(self, sigma: float) -> None:
        """Say it where the curve is farthest from the truth, or else from the estimate with the best width."""
        x, y = self.fit.curve.get_data()
        off = self.aim(x) - y
        if np.isnan(off).all():
            return self.fit.point_out("")
        if sigma * APART < self.best:
            at = np.nanargmax(np.abs(off) * self.fit.is_right(x))
            text = say("too narrow:\nhere it follows single dots")
        elif sigma > self.best * APART:
            at = np.nanargmax(off)
            beside = self.aim(np.clip(x[at] + np.array([-1, 1]) * sigma, x[0], x[-1]))
            text = (say("too wide:\nhere it flattens the peak") if np.all(beside < self.aim(x[at:at + 1])) else
                    say("too wide:\nhere it runs too low"))
        elif self.data.truth is None:
            return self.fit.point_out(say("near the smallest error\nat dots left out"))
        else:
            at, text = len(x) * 4 // 5, say("about right:\nnear the truth")
        self.fit.point_out(text, x[at], y[at])
