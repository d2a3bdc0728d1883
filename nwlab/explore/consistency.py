"""The consistency lab: the error against n, where the width stays, shrinks as theory advises, or shrinks too fast."""
import html

import numpy as np
from matplotlib.ticker import LogFormatterMathtext, LogLocator

from nwlab import palette
from nwlab.data import RegressionData
from nwlab.explore import controls as make, words
from workbook.figures.background import Jobs
from workbook.figures.hands import across
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import Fit, QueryScene, error_axes, line, name_curves, query_line, short
from nwlab.labs import consistency as theory
from nwlab.pooling import nadaraya_watson

EXPONENTS = {0.0: "0 (fixed)", 0.05: "0.05", 0.1: "0.1", 1 / 7: "1/7", 1 / 6: "1/6", 0.2: "1/5", 0.25: "1/4",
             0.3: "0.3", 0.4: "0.4", 0.5: "1/2", 0.6: "0.6", 0.7: "0.7", 0.8: "0.8", 0.9: "0.9", 1.0: "1"}
SEEDS = (10, 20, 40, 80, 160, 320, 640)
AT_ONCE = {1: 40, 2: 8, 3: 8}           # samples of each size before the first picture: a fraction of a second
SHOWN = 300                             # values drawn as dots, however many there are


def consistency(exponent=None, d=1, n=800, query=2.0, noise=0.5, curve="power"):
    """A live figure: how the error falls with n where the width is h50 (n/50)^(-exponent), in d = 1, 2 or 3 dimensions.

    exponent: where it starts, by default the theory's best, 1/(d+4). n: the size of the sample that is drawn. query:
    where its answer is shown. noise, curve: as in `nwlab.labs.consistency.Regression`; the truth averages the curve
    over the coordinates. Returns an `Explorer`.
    """
    if d not in tuple(AT_ONCE):
        raise ValueError(f"d: got {d!r}, expected 1, 2 or 3")
    exponent, scene = theory.best_exponent(d) if exponent is None else exponent, ConsistencyScene(noise, curve)
    rule = make.pick("exponent a", EXPONENTS, exponent, label=EXPONENTS.get, name="exponent")
    presets = {"fixed h": {"exponent": 0.0, "d": 1}, "theory's best": {"exponent": 0.2, "d": 1},
               "too fast": {"exponent": 1.0, "d": 1}, "two dimensions": {"exponent": 1 / 6, "d": 2},
               "three dimensions": {"exponent": 1 / 7, "d": 3}}
    scene.run(d, rule.value).work_until(AT_ONCE[d] * len(theory.SIZES))
    return Explorer(
        scene,
        {"exponent": rule, "n": make.pick("n", theory.SIZES, n), "query": make.query_slider(scene.queries, query),
         "d": make.choice("dimensions d", [("1", 1), ("2", 2), ("3", 3)], d)},
        {"seeds": make.pick("samples", SEEDS, 40)}, presets=presets)


class ConsistencyScene(QueryScene):
    label = "Error against the number of keys, its two parts, and one sample with its fit"
    invitation = "Drag n: does the error fall as fast as theory says?"
    slow = ("exponent", "d", "seeds")
    longest = 400
    layouts = (
        Layout(("error parts", "fit fit"), (1, 1), (1.15, 1), height=600, gap_y=70),
        Layout(("error parts fit",), (1, 1, 1.15), (1,), height=380, room=WIDE),
    )
    queries = np.linspace(theory.LOW, theory.HIGH, 51)

    def __init__(self, noise: float, curve):
        super().__init__()
        self.problems = {d: theory.Regression(d=d, noise=noise, curve=curve) for d in AT_ONCE}
        self.starts = {d: problem.best_width(theory.SIZES[0]) for d, problem in self.problems.items()}
        self.rules = {}                                 # (d, exponent) -> Jobs: kept, so going back is instant
        error, parts, fit = (self.panels[name] for name in ("error", "parts", "fit"))
        dashes = {"color": palette.LOCAL_LINEAR, "linestyle": (0, (5, 3))}
        self.dots, = error.plot([], [], ".", color=palette.MUTED, alpha=0.72, markersize=4, markeredgewidth=0,
                                 label="_nolegend_")                    # they are moved apart, so that all are seen
        self.line = line(error, marker="o", markersize=4)
        self.expected, = error.plot([], [], **dashes)
        self.bias, self.variance = (line(parts, colour, marker="o", markersize=4)
                                    for colour in (palette.NEGATIVE, palette.KEY))
        self.formulas = [parts.plot([], [], zorder=3, label=f"theory of the {part}", **dashes)[0]
                         for part in ("bias²", "variance")]
        names = [("mean of samples", palette.INK), ("theory's slope", palette.LOCAL_LINEAR)], [
            ("variance", palette.KEY_INK), ("bias²", palette.NEGATIVE), ("theory", palette.LOCAL_LINEAR)]
        self.now = []
        for panel, title, curves in zip((error, parts), ("Mean squared error", "Bias² and variance"), names):
            error_axes(panel, "number of keys n", title)
            name_curves(panel, *curves, across=0.98, ha="right")
            self.now.append(query_line(panel, 0.82, 0.5, color=palette.FAINT, linewidth=5,
                                       markerfacecolor=palette.MUTED))
            panel.set(xticks=[50, 200, 800, 3200, 12800], xlim=(40, 16000))
            panel.set_xticks([], minor=True)
            panel.xaxis.set_major_formatter(short)
            panel.yaxis.set_major_locator(LogLocator())
            panel.yaxis.set_major_formatter(LogFormatterMathtext())
        self.fit = Fit(self, fit, None, "One of the samples")
        self.fit.name("width h", palette.KEY_INK)
        self.fit.name("grey: not measured", palette.MUTED)
        self.reach = line(fit, palette.KEY, linewidth=5, solid_capstyle="butt", zorder=5)
        for low, high in ((theory.LOW, theory.LOW + theory.MARGIN), (theory.HIGH - theory.MARGIN, theory.HIGH)):
            fit.axvspan(low, high, color=palette.FAINT, alpha=0.4, linewidth=0, zorder=0)
        self.move(self.dots, self.line, self.expected, self.bias, self.variance, *self.formulas, *self.now, self.reach)

    def drags(self):
        return super().drags() | {panel: across("n") for panel in ("error", "parts")}

    def width(self, d: int, exponent: float, n) -> float:
        """h = h50 (n/50)^(-exponent)."""
        return self.starts[d] * (n / theory.SIZES[0]) ** -exponent

    def run(self, d: int, exponent: float) -> Jobs:
        """What has been measured with one rule; job by job, a sample of each size in turn."""
        def one(job: int):
            seed, size = divmod(job, len(theory.SIZES))
            n = theory.SIZES[size]
            return theory.measure(self.problems[d], n, self.width(d, exponent, n), seed)

        return self.rules.setdefault((d, exponent), Jobs(one))

    def update(self, state: dict) -> str:
        d, a, n, seeds = state["d"], state["exponent"], int(state["n"]), int(state["seeds"])
        if self.changed("d", d):
            self._new_dimension(d)
        run, sizes = self.run(d, a), np.array(theory.SIZES)
        self.work.want(run, seeds * len(sizes))
        whole = min(run.done // len(sizes), seeds)                  # seeds that have been through every size
        found = np.array(run.results[:whole * len(sizes)]).reshape(whole, len(sizes), 4)
        error = found[..., 0]                                       # (seeds, sizes)
        means = found.mean(axis=0) if whole else np.full((len(sizes), 4), np.nan)
        shift = np.exp(np.random.default_rng(0).uniform(-0.12, 0.12, (whole, 1)))
        self.dots.set_data((sizes * shift).ravel(), error.ravel())
        for curve, mean in zip((self.line, self.bias, self.variance), means.T):
            curve.set_data(sizes, mean)
        self._theory(d, a, sizes, means[-1, 0])
        for here in self.now:
            here.set_xdata([n, n])
        kept = self._sample(d, a, n, state["query"])
        return self._sentence(d, a, n, seeds, whole, means, kept)

    def _new_dimension(self, d: int) -> None:
        problem = self.problems[d]
        highest = problem.theory_error(theory.SIZES[0], self.starts[d])
        for name in ("error", "parts"):
            self.panels[name].set_ylim(highest / 3000, highest * 25)
        grid = np.linspace(theory.LOW, theory.HIGH, 101)
        curve, noise = problem.truth(self._cut(d, grid)), problem.noise
        low, high = curve.min() - 3 * noise, curve.max() + 3 * noise
        self.floor, span = low - 0.02 * (high - low), high - low
        data = RegressionData(grid[:1], curve[:1], grid, curve, lambda x: problem.truth(self._cut(d, x)), noise)
        self.fit.sample(data, (theory.LOW - 0.05, theory.HIGH + 0.05), (low - 0.06 * span, high))
        self.panels["fit"].set_xlabel({1: "x", 2: "x₁, where x₂ = 2.5", 3: "x₁, where x₂ = x₃ = 2.5"}[d])
        self.changed_background()

    @staticmethod
    def _cut(d: int, x) -> np.ndarray:
        """Points (m, d) on a line through the middle of the cube, along its first coordinate."""
        points = np.full((len(x), d), (theory.LOW + theory.HIGH) / 2)
        points[:, 0] = x
        return points

    def _theory(self, d: int, a: float, sizes, last: float) -> None:
        """The two parts by their formulas; and a line of the theory's slope through the last mean error."""
        problem, h = self.problems[d], self.width(d, a, sizes)
        big_a, big_b = problem.constants()
        parts = big_a * h**4, np.minimum(big_b / (sizes * h**d), problem.noise**2)       # one key is left in the end
        for curve, part in zip(self.formulas, parts, strict=True):
            curve.set_data(sizes, part)
        last = last if np.isfinite(last) else parts[0][-1] + parts[1][-1]
        self.expected.set_data(sizes, last * (sizes / sizes[-1]) ** theory.theory_slope(a, d))

    def _sample(self, d: int, a: float, n: int, x: float) -> float:
        """The sample of n with seed 0: its dots, its fit along the cut, its query; returns the effective keys there."""
        h = self.width(d, a, n)
        if self.changed("sample", (d, a, n)):
            self.drawn = keys, values = self.problems[d].sample(n, 0)
            grid = np.linspace(theory.LOW, theory.HIGH, 201 if d == 1 else 61)
            self.fit.curve.set_data(grid, nadaraya_watson(self._cut(d, grid), keys, values, bandwidth=h))
        keys, values = self.drawn
        weights = theory.gaussian_weights(self._cut(d, [x]), keys, h)[0]                 # (n,)
        shown = np.union1d(np.arange(min(n, SHOWN)), np.argsort(weights)[-60:])          # and whatever counts most
        self.fit.dots.set_offsets(np.column_stack([keys[shown, 0], values[shown]]))
        kept = 1 / float(weights @ weights)
        self.fit.attend(weights[shown])
        self.fit.mark(x, float(weights @ values))
        self.reach.set_data([x - h, x + h], [self.floor, self.floor])
        return kept

    def _sentence(self, d, a, n, seeds, whole, means, kept) -> str:
        h = words.key(words.number(self.width(d, a, n)))
        at = words.gist(f"at n = <b>{n}</b>")
        rule = (f"The width is {words.number(self.starts[d])} · (n/50)^(−{EXPONENTS[a]}): {at} that is {h}, and" if a
                else f"The width stays {h}: {at}")
        keys = words.key(f"{words.bold(kept)} keys")
        parts = [f"{rule} the {words.query('query')} effectively attends to {keys}."]
        if whole:
            mean = words.number(means[theory.SIZES.index(n), 0])
            parts.append(f"At this n {words.gist(f'the error is <b>{mean}</b>')} on average.")
            slope = words.gist(f"the slope of the error is <b>{_signed(theory.slope(theory.SIZES, means[:, 0]))}</b>")
            parts.append(f"From n = {theory.LARGE} on, {slope}; for large n, theory says "
                         f"<b>{_signed(theory.theory_slope(a, d))}</b>.")
        if whole < seeds:
            parts.append(f"{whole} of {seeds} samples of each size are done so far.")
        if self.work.failure:
            parts.append(f"The work has stopped with an error: {html.escape(self.work.failure)}.")
        return " ".join([*parts, _verdict(a, d)])


def _signed(x: float) -> str:
    return f"{x + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "−")


def _verdict(a: float, d: int) -> str:
    """What the exponent does to the two parts, in words."""
    if a == 0:
        return "The width stays the same, so the bias stays too: more data reduces only the variance."
    if a * d >= 1:
        return ("The windows shrink at least as fast as keys arrive, so they never hold more keys: bias² goes to 0, "
                "but the variance does not.")
    return f"Both parts go to 0. For large n they fall equally fast at a = 1/{d + 4}, and no other a does better."
