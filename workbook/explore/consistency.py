"""The error as n grows, with a width that stays, shrinks as theory advises, or shrinks too fast."""
from functools import cache

import numpy as np

from nwlab.data import RegressionData
from nwlab.pooling import nadaraya_watson
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import Fit, QueryScene
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.labs import consistency as theory
from workbook.language import say

EXPONENTS = {0.0: say("0 (fixed)"), 0.05: "0.05", 0.1: "0.1", 1 / 7: "1/7", 1 / 6: "1/6", 0.2: "1/5", 0.25: "1/4",
             0.3: "0.3", 0.4: "0.4", 0.5: "1/2", 0.6: "0.6", 0.7: "0.7", 0.8: "0.8", 0.9: "0.9", 1.0: "1"}
SIZES, DIMENSIONS = np.array(theory.SIZES), (1, 2, 3)
CURVES = {say("error"): palette.INK, say("wobble (variance)"): palette.KEY_INK,
          say("gap (bias²)"): palette.NEGATIVE}
UP, FLOOR = (-2.6, 5.28), -2.34          # the axis of the fit, in all dimensions, and where its window is drawn
SHOWN = 300                             # values drawn as dots, however many there are


def consistency(**start) -> Explorer:
    """A live figure: how the error falls as n grows, where the width is h50 (n/50)^(-a), in one to three dimensions.

    start: values of the controls exponent, n, query and d.
    """
    return Explorer(ConsistencyScene(), start)


class ConsistencyScene(QueryScene):
    label = say("The error against the number of keys, with its two parts, and one sample with its fit")
    invitation = say("Drag n up: how many points cut the error to a tenth?")
    controls = {"exponent": lambda _: make.pick(say("how fast h shrinks, a"), EXPONENTS, 0.2, EXPONENTS.get),
                "n": lambda _: make.pick("n", SIZES, 100)}
    play = ("n", 700)
    more = {"query": lambda figure: make.query(figure, 2.0),
            "d": lambda _: make.dropdown(say("dimensions d"), [(str(d), d) for d in DIMENSIONS], 1)}
    presets = {say("fixed h"): {"exponent": 0.0, "n": SIZES[-1]}, say("too fast"): {"exponent": 1.0, "n": SIZES[-1]}}
    across, demo = {"fit": "query", "error": "n"}, ("n", 6)
    slow, longest = ("d",), 190
    layouts = (Layout(("error fit",), (1.8, 1), (1,), height=370, room=WIDE),)
    queries = np.linspace(theory.LOW, theory.HIGH, 51)

    def __init__(self):
        super().__init__()
        self.problems = {d: theory.Regression(d=d) for d in DIMENSIONS}
        self.run = cache(lambda d, exponent: theory.run(                # the errors with one rule (9, s), kept
            self.problems[d], theory.shrinking(self.problems[d], exponent), seeds=40 if d == 1 else 20))
        error, highest = self.panels["error"], sum(self.problems[1].parts(50, self.problems[1].best_width(50)))
        error.label(say("Mean squared error = wobble + gap"), say("number of points n"), xscale="log", yscale="log",
                    xlim=(40, 99_000), ylim=(highest / 3000, highest * 40))
        error.set_yticks([1, 0.1, 0.01, 0.001, 1e-4, 1e-5], ["1", "0.1", "0.01", "0.001", "0.0001", "0.00001"])
        error.set_xticks([50, 200, 800, 3200, 12800], ["50", "200", "800", "3,200", "12,800"])
        error.set_xticks([], minor=True)
        error.tick_params(axis="x", pad=5)              # below the handle
        error.names_in_a_row(*CURVES.items())
        error.words("theory's", 0.03, 0.92, say("dashed: with h as advised"), (0, -2), "axes fraction", va="top",
                    color=palette.LOCAL_LINEAR)
        self.fit = Fit(self.panels["fit"], say("Some dots of a sample"))
        self.fit.line.set_alpha(0.5)                    # it is not what the invitation is about
        self.fit.truth.set(linewidth=8, linestyle="-", alpha=0.4)       # seen also under the curve
        self.fit.words[2].set_text(say("truth (broad)"))

    def update(self, state: dict) -> str:
        d, a, n = state["d"], state["exponent"], int(state["n"])
        if self.changed("d", d):
            self._new_dimension(d)
        run, reached, best = self.run(d, a), SIZES[SIZES <= n], theory.best_exponent(d)
        means, last, slope = np.mean(run, axis=2), len(reached) - 1, theory.theory_slope(a, d)           # means (3, 9)
        shift = np.exp(np.random.default_rng(0).uniform(-0.12, 0.12, run.error.shape[1]))
        errors, panel = run.error[:len(reached)], self.panels["error"]
        panel.line("dots", np.outer(reached, shift).ravel(), errors.ravel(), palette.MUTED, alpha=0.72, markersize=4,
                   marker=".", linestyle="none", markeredgewidth=0, label="_nolegend_")     # spread: so all are seen
        self.curves = [panel.line(name, reached, mean[:len(reached)], CURVES[name], label=name, marker="o",
                                  markersize=4, zorder=2 + i / 10, linewidth=(0, 3.5, 3.5, 1.2)[i])
                       for name, mean, i in zip(CURVES, means[[0, 2, 1]], (3, 2, 1))]
        foretold = means[0, 0] * (reached / SIZES[0]) ** theory.theory_slope(best, d)       # all rules begin there
        self.expected = panel.line("theory", reached, foretold, palette.LOCAL_LINEAR, linestyle=(0, (5, 3)), zorder=2.4,
                                   label=say("expected"))
        tenth = np.mean(self.run(d, best).error[1]) / 10        # of the error at n = 100
        panel.line("tenth", [SIZES[1], 99_000], [tenth, tenth], palette.MUTED, linestyle=":", label="_nolegend_")
        panel.words("a tenth", 1, tenth, say("a tenth\nof {error}", error=words.number(10 * tenth)), (-2, 3),
                    panel.get_yaxis_transform(), ha="right", va="bottom", color=palette.MUTED)
        self.now = panel.upright("now", n, 0.7, zorder=0.5, color=palette.FAINT, linewidth=5, markersize=14,
                                 markerfacecolor=palette.KEY)
        self._sample(d, n, a, state["query"])
        advised = np.mean(self.run(1, theory.best_exponent(1)).error, axis=1)[last]      # in one dimension
        large, times = n > theory.LARGE, f"{means[0, 1] / means[0, -1]:.0f}"
        text = (say("with {n} points the wobble has\nfallen, but the gap stays", n=n) if large and a == 0 else
                say("with {n} points the gap has\nfallen, but not the wobble", n=n) if large and slope == 0 else
                say("error {times} times smaller\nthan with 100 points", times=times) if n == SIZES[-1] else "")
        panel.note(text, n, means[0, last], name="why", near=(0.5, 0.8))
        return words.joined(
            say("In {d} dimensions points lie far apart, so more of them help less than in one.", d=d) if d > 1 else
            say("The window's width h shrinks as theory advises: with more points it can be narrower.")
            if a == best and not large else
            say("h stays as wide as at n = 50, so the curve stays as flat as there (the gap): in the end more data "
                "no longer helps.") if a == 0 else
            say("The more points, the nearer the estimate comes to the truth: the window's width h shrinks as theory "
                "advises, so both parts of the error fall.")
            if a == best else
            say("The width h shrinks too slowly, and so does the gap.") if a < best else
            say("With {n} points h is the same for every a: what a does is seen with more.", n=n) if not last else
            say("The width h shrinks too fast: windows soon hold fewer points than is best.") if slope else
            say("The width h shrinks too fast: windows gain no more points, so the curve wobbles on."),
            say("At n = <b>{n}</b> the error is {error}, <b>{times}</b> times as large as with h as advised.", n=n,
                error=words.number(means[0, last]), times=words.number(means[0, last] / advised, 2))
            if d == 1 and means[0, last] > 1.1 * advised else
            say("At n = <b>{n}</b> the error is <b>{error}</b> on average.", n=n, error=words.number(means[0, last])))

    def _new_dimension(self, d: int) -> None:
        truth, grid = lambda x: self.problems[d].truth(self._cut(d, x)), np.linspace(theory.LOW, theory.HIGH, 101)
        data = RegressionData(grid[:1], truth(grid)[:1], grid, truth(grid), truth, self.problems[d].noise)
        self.fit.sample(data, (theory.LOW - 0.05, theory.HIGH + 0.05), UP)
        self.fit.panel.words("cut", 0.97, 0.2, say("a cut through the middle") if d > 1 else "", color=palette.MUTED,
                             ha="right", transform=self.fit.panel.transAxes)

    @staticmethod
    def _cut(d: int, x) -> np.ndarray:
        """Points (m, d) on a line through the middle of the cube, along its first coordinate."""
        return np.column_stack([x, np.full((len(x), d - 1), (theory.LOW + theory.HIGH) / 2)])

    def _sample(self, d: int, n: int, a: float, x: float) -> None:
        """Draw the sample of n with seed 0: dots, fit along the cut, query and its effective keys."""
        h = theory.shrinking(self.problems[d], a)(n)
        if self.changed("sample", (d, h, n)):
            self.drawn = keys, values = self.problems[d].sample(n, 0)
            grid = np.linspace(theory.LOW, theory.HIGH, 201 if d == 1 else 61)
            self.fit.curve.set_data(grid, nadaraya_watson(self._cut(d, grid), keys, values, bandwidth=h))
        keys, values = self.drawn
        weights = theory.gaussian_weights(self._cut(d, [x]), keys, h)[0]                 # (n,)
        shown = np.union1d(np.arange(min(n, SHOWN)), np.argsort(weights)[-60:])  # and those with the largest weights
        self.fit.dots.set_offsets(np.column_stack([keys[shown, 0], values[shown]]))
        self.fit.attend(weights[shown])
        self.fit.mark(x, float(weights @ values))
        panel, truth = self.fit.panel, self.problems[d].truth
        self.reach = panel.line("reach", [x - h, x + h], [FLOOR, FLOOR], palette.KEY, linewidth=5, zorder=5,
                                solid_capstyle="butt", marker="|", markersize=11, markeredgewidth=2)
        advised = theory.shrinking(self.problems[d], theory.best_exponent(d))(n)
        grid, fit = self.fit.curve.get_data()
        outline = np.column_stack([[*grid, *grid[::-1]], [*fit, *truth(self._cut(d, grid[::-1]))]])
        panel.area("gap", outline, zorder=3, color=palette.NEGATIVE, linewidth=1, visible=h > 1.01 * advised)
        effective, stays = words.number(1 / float(weights @ weights)), a == 0 and n > theory.LARGE
        text = (say("gap: h = {h} is\n{times} times too wide", h=words.number(h), times=round(h / advised))
                if stays else
                say("h {times} times too narrow:\npoints that count: {n}", times=round(advised / h), n=effective)
                if advised > 2 * h else say("window h = {h}:\n{n} points count", h=words.number(h), n=effective))
        place = (outline[2] + outline[-3]) / 2 if stays else (x + h, FLOOR)
        self.width = panel.note(text, *place, near=(0.97, 0.17), ha="right",
                                color=palette.NEGATIVE if stays else palette.KEY_INK)
