"""Two classes on a line: joint and class-conditional Parzen densities, and Nadaraya-Watson of the labels."""
import math

import numpy as np
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.ticker import MaxNLocator

from nwlab import palette
from nwlab._engine.inputs import check_number
from nwlab.data import RegressionData, make_classes
from nwlab.density import integral, parzen_density
from nwlab.explore import controls as make, words
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import (
    QueryScene, Stems, broken_line, corner, dot_areas, label, line, marks, query_line, set_stems, stand, whole)
from nwlab.explore.sample import Sample
from nwlab.kernels import KERNELS, get_kernel
from nwlab.pooling import attention_weights

# Pairs stand in the order -1, +1.
SIGNS, COLOURS, MARKERS = (-1, 1), (palette.MINUS, palette.PLUS), palette.CLASS_MARKERS
LINES = ((0, (6, 2)), "-")                                  # how the two classes are drawn
JOINT, CONDITIONAL = "-", (0, (1.2, 1.4))                   # how the two comparisons are drawn
TIE = 1e-9                                                  # closer to 0 than this is no verdict, only rounding
SEPARATION = 2.0                                            # between the middles of the classes drawn here


def two_classes(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: where two classes part, by joint and by class-conditional densities, and with which errors.

    data: (points, labels) as `nwlab.make_classes` returns, any two labels will do; or what `read_csv` or `from_arrays`
    returns, whose values are the labels (more than two values are split at their median). None draws samples under
    sliders for the share of +1, n and seed. sigma, kernel and query are where it starts. Returns an `Explorer`.
    """
    kernel, sample = get_kernel(kernel), ClassSample(data)
    integral(kernel)                                        # ValueError for a kernel that is no density
    unit = sample.extent / 8
    sigma, share, drawn = 0.4 * unit if sigma is None else sigma, {}, {}
    if query is None:
        query = float(np.median(sample.points)) if sample.fixed else 0.4
    presets = {"islands": {"sigma": 0.05 * unit}, "too wide": {"sigma": 2.5 * unit},
               "gaps": {"sigma": 0.1 * unit, "kernel": "boxcar"}}
    if not sample.fixed:
        share = {"share": make.slider("share of +1", 0.2, 0.02, 0.98, 0.01)}
        drawn = {"n": make.slider("n", 100, 10, 400, 1), "seed": make.slider("seed", 0, 0, 30, 1)}
        presets = {"balanced": {"share": 0.5}, "rare": {"share": 0.06}} | presets
    return Explorer(
        TwoClassesScene(sample),
        {"sigma": make.log_slider("sigma", "width σ", sigma, 0.02 * unit, 8 * unit), **share,
         "query": make.query_slider(sample.queries, query),
         "kernel": make.kernel_choice(kernel, [name for name in KERNELS if name != "constant"])},
        drawn, presets=presets)


class ClassSample(Sample):
    """points (n,), labels (n,) of -1 and +1, shares (2,) and names (2,) of the classes, and how wrong a rule is."""

    drawn_by = ("share", "n", "seed")

    def __init__(self, data=None):
        self.names, self.axis, low, high, points = ("−1", "+1"), "x", -4.0, 4.0, None
        if data is not None:
            points, labels, self.names, self.axis = read_classes(data)
            self._count(points, labels)
            margin = 0.1 * np.ptp(points) or 0.5
            low, high = points.min() - margin, points.max() + margin
        super().__init__(8.0, points)
        self.grid, self.queries = np.linspace(low, high, 321), np.linspace(low, high, 81)
        edges = np.concatenate([[-math.inf], (self.grid[1:] + self.grid[:-1]) / 2, [math.inf]])
        below = [[math.erf((x - sign * SEPARATION / 2) / math.sqrt(2)) / 2 for x in edges] for sign in SIGNS]
        self.masses = np.diff(below)                        # (2, g): of the classes drawn here, around each grid point

    def new(self, share: float, n: int, seed: int) -> None:
        self._count(*make_classes(n, share, SEPARATION, seed))

    def _count(self, points: np.ndarray, labels: np.ndarray) -> None:
        self.points, self.labels = points, labels
        positive = self.labels > 0
        self.shares = np.array([1 - positive.mean(), positive.mean()])
        self.both = bool(self.shares.min() > 0)
        self.counts = np.where(positive, positive.sum(), (~positive).sum())     # (n,): how many share the point's label

    def errors(self, answers: np.ndarray, balanced: np.ndarray) -> tuple[float, float, float] | None:
        """The shares of points that get the wrong verdict by the signs of answers (g,) and of balanced (g,), and the
        share that gets none by answers. Exact, as the classes drawn here are known; None for a reader's own, and if a
        class is absent.
        """
        if self.fixed or not self.both:
            return None
        minus, plus = self.shares[:, None] * self.masses / self.masses.sum(axis=1, keepdims=True)           # (g,) each
        wrong = (float(minus[rule > TIE].sum() + plus[rule < -TIE].sum()) for rule in (answers, balanced))
        return *wrong, float((minus + plus)[~(np.abs(answers) > TIE)].sum())            # NaN: no point within reach


def read_classes(data) -> tuple[np.ndarray, np.ndarray, tuple[str, str], str]:
    """Points (n,) sorted, labels (n,) of -1.0 and +1.0, the names of the two classes, and the name of the axis.

    data: (points, labels) with two different labels, the smaller becomes -1; or a `RegressionData`, whose values are
    the labels, or are split at their median where they are more than two. Anything else raises ValueError.
    """
    measured = isinstance(data, RegressionData)
    if not measured and not (isinstance(data, (tuple, list)) and len(data) == 2):
        raise ValueError(f"data: got {type(data).__name__}, expected (points, labels) as nwlab.make_classes returns, "
                         "or what nwlab.read_csv or nwlab.from_arrays returns")
    points, labels = (data.keys, data.values) if measured else (np.asarray(data[0], dtype=float), np.asarray(data[1]))
    if points.ndim != 1 or points.size == 0 or labels.shape != points.shape:
        raise ValueError(f"data: got points of shape {points.shape} and labels of shape {labels.shape}, expected (n,)")
    if not np.all(np.isfinite(points)):
        raise ValueError("data: got NaN or infinity among the points, expected finite numbers")
    kinds, names = np.unique(labels), ("−1", "+1")
    if len(kinds) <= 2:
        positive = labels == kinds[-1] if len(kinds) == 2 else np.full(len(labels), kinds[0] in (1, True))
        names = tuple(map(_name, kinds)) if len(kinds) == 2 else names
    elif measured:
        middle = float(np.median(labels))
        positive = labels > middle
        names = tuple(f"{data.value_name} {than} {words.number(middle)}" for than in ("≤", ">"))
    else:
        raise ValueError(f"data: got {len(kinds)} different labels, expected two")
    order = np.argsort(points, kind="stable")
    return points[order], np.where(positive[order], 1.0, -1.0), names, data.key_name if measured else "x"


def _name(kind) -> str:
    if not isinstance(kind, np.number):
        return str(kind)
    number = check_number("labels", kind)
    return words.minus(f"{number:+g}" if abs(number) == 1 else f"{number:g}")


def borders_between(x: np.ndarray, answers: np.ndarray) -> list[float]:
    """Where the verdict changes along x (g,): between neighbours of opposite sign with no gap (NaN) between them."""
    decided = np.flatnonzero(np.abs(answers) > TIE)
    gaps = np.cumsum(np.isnan(answers))
    i, j = decided[:-1], decided[1:]
    turns = (answers[i] * answers[j] < 0) & (gaps[i] == gaps[j])
    i, j = i[turns], j[turns]
    return (x[i] + (x[j] - x[i]) * answers[i] / (answers[i] - answers[j])).tolist()


class DensityPanel:
    """Two densities, the strip of verdicts below them, the borders between the verdicts, and the query."""

    def __init__(self, scene, panel, title: str, border_line):
        self.scene, self.panel, self.top = scene, panel, 0.0
        power = -round(math.log10(scene.sample.extent / 8))         # so that the ticks are numbers near one
        label(panel, title, y=f"density / $10^{{{power}}}$" if power else "density")
        panel.yaxis.set_major_formatter(lambda height, _: words.minus(f"{height / 10.0**power:g}"))
        panel.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        panel.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=1)
        self.strip = panel.imshow(np.zeros((2, 2)), ListedColormap(["none", *COLOURS, palette.EMPTY]), aspect="auto",
                                  vmin=0, vmax=4, interpolation="none", zorder=0.5, label="_nolegend_")
        self.curves = [line(panel, colour, linestyle=style, linewidth=2.0, zorder=3)
                       for colour, style in zip(COLOURS, LINES)]
        self.areas = [panel.fill([0, 0, 0], [0, 0, 0], color=colour, alpha=0.13, linewidth=0, zorder=2)[0]
                      for colour in COLOURS]
        self.dots = [marks(panel, colour, 8, marker, zorder=6) for colour, marker in zip(COLOURS, MARKERS)]
        self.borders = broken_line(panel, palette.INK, 1.6, linestyle=border_line, zorder=4,
                                   transform=panel.get_xaxis_transform())
        self.line = query_line(panel, 0.86)
        self.words = [corner(panel, "", COLOURS[0]), corner(panel, "", COLOURS[1], 0.985, "right")]
        scene.move(self.strip, *self.areas, *self.curves, self.borders, self.line, *self.dots, *self.words)

    def show(self, x, densities, answers, borders, query, heights, texts) -> None:
        """densities (2, g) at x (g,), answers (g,) whose sign is the verdict, heights (2,) at the query."""
        for curve, area, density in zip(self.curves, self.areas, densities):
            curve.set_data(x, density)
            above = np.column_stack([x, np.nan_to_num(density)])
            area.set_xy(np.concatenate([[(x[0], 0.0)], above, [(x[-1], 0.0)]]))
        for dot, height, word, text in zip(self.dots, heights, self.words, texts):
            dot.set_data([query], [height])
            word.set_text(text)
        stand(self.line, query)
        set_stems(self.borders, np.array(borders), 0.86)
        # Numbers of colours: above where +1 wins, below where -1 does, both tinted in a gap.
        verdicts = np.where(np.isnan(answers), 3.0, [2 * (answers > TIE), answers < -TIE])
        if not np.array_equal(verdicts, self.strip.get_array()):
            self.strip.set_data(verdicts)
        highest = float(np.nanmax(densities, initial=0.0)) or 1.0
        top = 2.0 ** math.ceil(math.log2(1.2 * highest))        # in steps, so that it seldom changes
        if top != self.top:
            self.top = top
            self.panel.set_ylim(-0.14 * self.top, self.top)
            self.strip.set_extent((x[0], x[-1], -0.14 * self.top, 0.0))
            self.scene.changed_background()


class ClassStems(Stems):
    """Weight x label of one query: up for +1, down for -1; what is left of the sum is the answer."""

    colours, markers, sizes = COLOURS[::-1], MARKERS[1::-1], (4.5, 4.0)
    below_zero = staticmethod(lambda weights: weights < 0)


class TwoClassesScene(QueryScene):
    label = "Two classes: joint and class-conditional densities, Nadaraya-Watson of the labels, weights at the query"
    invitation = "Drag the share of +1: which border moves?"
    across = ("joint", "conditional", "answer", "stem")
    longest = 440
    layouts = (
        Layout(("joint joint", "conditional conditional", "answer stem"), (1.2, 1), (1, 1, 1), height=800, gap_y=74),
        Layout(("joint answer", "conditional stem"), (1.25, 1), (1, 1), height=370, room=WIDE, gap_y=72),
    )

    def __init__(self, sample: ClassSample):
        super().__init__(sample)
        if sample.fixed:                                        # there is no share to drag
            self.invitation = "Drag the width: where does the verdict turn?"
        self.joint = DensityPanel(self, self.panels["joint"], "Joint: each class with its share", JOINT)
        self.conditional = DensityPanel(self, self.panels["conditional"], "Class-conditional: each alone",
                                        CONDITIONAL)
        self._make_answer(self.panels["answer"])
        self.stems = ClassStems(self, self.panels["stem"], "Weights × labels")
        self.panels["stem"].set_ylabel("weight × label")
        for panel in self.panels.values():
            panel.set(xlim=(sample.grid[0], sample.grid[-1]), xlabel=sample.axis)

    def _make_answer(self, panel) -> None:
        label(panel, "Nadaraya–Watson", y="average label", ylim=(-1.3, 1.75))
        panel.set_yticks([-1, 0, 1], ["−1", "0", "+1"])
        panel.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=0)
        self.points = [whole(panel.scatter([], [], color=colour, marker=marker, linewidths=0, zorder=2))
                       for colour, marker in zip(COLOURS, MARKERS)]
        self.curve, = panel.plot([], [], zorder=4, **palette.ESTIMATE_LINE)
        self.balanced = line(panel, palette.MUTED, linewidth=2.0, linestyle=CONDITIONAL, zorder=3)
        self.line = query_line(panel, 0.86)
        self.answers = [marks(panel, palette.QUERY, size, zorder=6) for size in (9, 6)]
        corner(panel, "as mixed ━", palette.INK)
        corner(panel, "balanced ┅", palette.MUTED, 0.985, "right")
        self.move(*self.points, self.balanced, self.curve, self.line, *self.answers)

    def new_sample(self) -> None:
        for dots, sign in zip(self.points, SIGNS):
            at = self.sample.points[self.sample.labels == sign]
            dots.set_offsets(np.column_stack([at, np.full(len(at), float(sign))]))

    def update(self, state: dict) -> str:
        sample, kernel, sigma, query = self.sample, state["kernel"], state["sigma"], state["query"]
        points, labels = sample.points, sample.labels
        x = np.append(sample.grid, query)                                               # (g + 1,): the query is last
        weights = attention_weights(x, points, kernel=kernel, bandwidth=sigma)                           # (g + 1, n)
        answers = weights @ labels                                                      # (g + 1,)
        even = weights / sample.counts                      # not summing to one: as if the classes were equally large
        balanced = even @ labels / even.sum(axis=1) if sample.both else x * np.nan
        alone = np.array([parzen_density(x, points[labels == sign], kernel=kernel, bandwidth=sigma)
                          if sign in labels else x * np.nan
                          for sign in SIGNS])                                               # (2, g + 1)
        joint = np.nan_to_num(alone) * sample.shares[:, None]
        grid, self.found = x[:-1], [borders_between(x[:-1], some[:-1]) for some in (answers, balanced)]
        areas = [f"{share:.2f}" for share in sample.shares], ["1" if share else "0" for share in sample.shares]
        for panel, some, verdicts, found, under in zip(
                (self.joint, self.conditional), (joint, alone), (answers, balanced), self.found, areas):
            panel.show(grid, some[:, :-1], verdicts[:-1], found, query, some[:, -1],
                       [f"{mark} {name}: area {area}" for mark, name, area in zip("●▲", sample.names, under)])
        self.curve.set_data(grid, answers[:-1])
        self.balanced.set_data(grid, balanced[:-1])
        stand(self.line, query)
        for dot, answer in zip(self.answers, (answers[-1], balanced[-1])):
            dot.set_data([query], [answer])
        now = np.nan_to_num(weights[-1])
        for dots, sign, colour in zip(self.points, SIGNS, COLOURS):
            strength = now[labels == sign]
            dots.set_sizes(dot_areas(strength))
            ink = np.tile(to_rgba(colour), (len(strength), 1))                                      # (n, 4)
            ink[:, 3] = 0.76 + 0.2 * np.sqrt(strength)
            dots.set_facecolor(ink)
        self.stems.show(points[now > 0], (now * labels)[now > 0], query)
        text = self._at(query, now, answers[-1], balanced[-1])
        wrong = self._wrong(sample.errors(answers[:-1], balanced[:-1]))
        return f"{text} {self._where()} {wrong}"

    def _at(self, query, weights, answer, balanced) -> str:
        """Both verdicts at the query, with the sums that they come from."""
        at = f"At {words.gist(words.query(f'{self.sample.axis} = {words.number(query)}'))}"
        if np.isnan(answer):
            return f"{at} <b>no point is within reach</b>: both densities are 0, and there is no verdict."
        minus, plus = (float(weights[self.sample.labels == sign].sum()) for sign in SIGNS)
        plus, minus = round(plus, 3), round(minus, 3)       # of what is shown, so that a reader finds the same
        found = f"= <b>{words.minus(f'{plus - minus:.3f}')}</b>"
        text = (f"{at} the weights of {self._name(1)} add up to {plus:.3f} and those of {self._name(0)} to "
                f"{minus:.3f}. The answer is {plus:.3f} − {minus:.3f} {words.gist(found)}, "
                f"so the {words.gist(f'joint verdict is {self._verdict(answer)}')}.")
        if not self.sample.both:
            return text + " One class has no points, so there is no class-conditional density to compare with."
        word = "too" if self._verdict(answer) == self._verdict(balanced) else "instead"
        return f"{text} By the class-conditional densities it is {self._verdict(balanced)} {word}."

    def _name(self, index: int) -> str:
        return f'<span class="wb-{("minus", "plus")[index]}">{"●▲"[index]} {self.sample.names[index]}</span>'

    def _verdict(self, answer: float) -> str:
        return "<b>a tie</b>" if abs(answer) <= TIE else f"<b>{self._name(int(answer > 0))}</b>"

    def _where(self) -> str:
        """How many borders there are, and where if there are few."""
        where = ["nowhere" if not borders else f"at {len(borders)} places (islands)" if len(borders) > 1 else
                 f"at {words.bold(borders[0])}" for borders in self.found]
        if not self.sample.both:
            return f"The joint verdict changes {where[0]}."
        return f"The joint verdict changes {where[0]}, the class-conditional one {where[1]}."

    def _wrong(self, errors) -> str:
        """How often the verdicts of both comparisons are wrong."""
        if errors is None:
            return ""
        joint, conditional, undecided = errors
        return (f"The joint verdict is {words.gist(f'wrong for <b>{joint:.1%}</b>')} of the points and the "
                f"class-conditional one for <b>{conditional:.1%}</b>."
                + (f" There is no verdict for {undecided:.1%}." if undecided > 0.0005 else ""))
