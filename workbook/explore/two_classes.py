"""Two classes on a line: their densities, mixed by shares that are dragged, and Nadaraya-Watson of the labels."""
import math

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.transforms import Affine2D

from nwlab.data import RegressionData, from_arrays, make_classes
from nwlab.density import parzen_density
from nwlab.kernels import get_kernel
from nwlab.pooling import attention_weights, effective_keys
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import QueryScene, dot_areas
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say
from workbook.pictures import literal
from workbook.plots import kernel_name

# Pairs stand in the order -1, +1.
SIGNS, COLOURS, MARKERS = (-1, 1), (palette.MINUS, palette.PLUS), palette.CLASS_MARKERS
LINES = ((0, (6, 2)), "-")                                  # how the two classes are drawn
BORDER = 0.6                                                # height of the borders, as a share of the axis
TIE = 1e-9                                                  # an average closer to 0 is a tie, as rounding may be larger


def two_classes(data=None, **start) -> Explorer:
    """A live figure: where two classes part, and how that place changes with their shares.

    data: (points, labels) as `nwlab.make_classes` returns, any two labels will do; or what `read_csv` or `from_arrays`
    returns, whose values are the labels (more than two are split at their median). None draws samples under sliders.
    start: values of the controls share (of +1), sigma, query, kernel, n and seed.
    """
    return Explorer(TwoClassesScene(ClassSample(data)), start)


class ClassSample(Sample):
    """points (n,), labels (n,) of -1 and +1, shares (2,) and names (2,) of the classes."""

    drawn_by = ("share", "n", "seed")

    def __init__(self, data=None):
        self.names, self.key_name, low, high = ("−1", "+1"), "x", -4.0, 4.0
        if data is not None:
            points, labels, self.names, self.key_name = read_classes(data)
            self._count(points, labels)
            self.keep(points, 8)
            margin = 0.1 * np.ptp(points) or 0.5
            low, high = points.min() - margin, points.max() + margin
        self.grid, self.queries = np.linspace(low, high, 321), np.linspace(low, high, 81)

    def new(self, share: float, n: int, seed: int) -> None:
        self._count(*make_classes(n, share, seed=seed))

    def _count(self, points: np.ndarray, labels: np.ndarray) -> None:
        self.points, self.labels = points, labels
        self.shares = np.array([np.mean(labels == sign) for sign in SIGNS])
        self.both = bool(self.shares.min() > 0)


def read_classes(data) -> tuple[np.ndarray, np.ndarray, tuple[str, str], str]:
    """Points (n,) sorted, labels (n,) of -1.0 and +1.0, the names of the classes, the name of the axis; or ValueError.

    The smaller of two labels becomes -1; more than two are split at their median.
    """
    if isinstance(data, RegressionData):
        kinds = np.unique(data.values)
    elif isinstance(data, (tuple, list)) and len(data) == 2:
        kinds, codes = np.unique(data[1], return_inverse=True)
        data = from_arrays(data[0], codes if len(kinds) == 2 else data[1])
    else:
        raise ValueError(f"data: got {type(data).__name__}, expected (points, labels) as nwlab.make_classes returns, "
                         "or what nwlab.read_csv or nwlab.from_arrays returns")
    names, middle = ("−1", "+1"), 0.0
    if len(kinds) == 2:
        names = [words.number(kind) if isinstance(kind, np.number) else str(kind) for kind in kinds]
        middle = data.values.min()
    elif len(kinds) > 2:
        middle = float(np.median(data.values))
        names = [f"{data.value_name} {than} {words.number(middle)}" for than in ("≤", ">")]
    return data.keys, np.where(data.values > middle, 1.0, -1.0), names, data.key_name


def borders_between(x: np.ndarray, answers: np.ndarray) -> list[float]:
    """The places along x (g,) where the verdict changes: between opposite signs with no gap (NaN) between them."""
    decided = np.flatnonzero(np.abs(answers) > TIE)
    gaps = np.cumsum(np.isnan(answers))
    i, j = decided[:-1], decided[1:]
    turns = (answers[i] * answers[j] < 0) & (gaps[i] == gaps[j])
    i, j = i[turns], j[turns]
    return (x[i] + (x[j] - x[i]) * answers[i] / (answers[i] - answers[j])).tolist()


class TwoClassesScene(QueryScene):
    label = say("Two classes: joint densities, below them halves of the class-conditional ones, shares, the averages")
    invitation = say("Drag the share of ▲: when is the orange query judged ●?")
    across = {"density": "query", "answer": "query"}
    controls = {"share": make.of_sample(lambda _: make.slider(say("share of +1"), 0.5, 0.06, 0.94, 0.02,
                                                              colour="plus")),
                "sigma": make.width(0.4, 0.02, 8),
                "query": lambda figure: make.query(figure, None if figure.scene.sample.fixed else 0.4),
                "kernel": make.kernel}
    more = {"n": make.of_sample(lambda _: make.slider("n", 200, 10, 400, 1)),
            "seed": make.of_sample(lambda _: make.slider(say("seed"), 24, 0, 30, 1))}
    longest, demo, lesson_asks = 175, ("share", 2), ({"share": 0.2, "sigma": 2.5}, {"kernel": "epanechnikov"})
    layouts = (
        Layout(("share", "density", "answer"), (1,), (22, 300, 150), height=600, gap_y=56, bare=("density",)),
        Layout(("share answer", "density answer"), (2, 1), (1, 13), height=390, room=WIDE, gap_y=40),
    )

    def __init__(self, sample: ClassSample):
        super().__init__(sample)
        self.presets = {say("rare ▲"): {"share": 0.2}, say("narrow"): {"sigma": 0.05}}
        self.names = [f"{mark} {name}" for mark, name in zip("●▲", sample.names)]
        self.mirror, self.top = Affine2D(), 0.0
        if sample.fixed:                                        # no share to drag
            self.invitation = say("Drag the width: where does the verdict turn?")
        share, density, answer = self.panels.values()
        density.label(say("Points near: the higher hill wins"))
        self.strip = self.move(density.imshow(                  # both verdicts
            np.zeros((2, 2)), ListedColormap(["none", *COLOURS, palette.EMPTY]), aspect="auto", vmin=0, vmax=4,
            interpolation="none", zorder=0.5, alpha=0.6, label="_nolegend_"))
        share.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        answer.label(say("Average label: ▲ if above 0"), ylim=(-1.3, 1.75))
        answer.set_yticks([-1, 0, 1], ["−1", "0", "+1"])
        answer.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=0)
        for panel in (density, answer):
            panel.set(xlim=(sample.grid[0], sample.grid[-1]), xlabel=literal(sample.key_name))

    def drags(self):
        return super().drags() | ({} if self.sample.fixed else {"share": Drag("share", x=np.asarray)})

    def new_sample(self) -> None:
        share, shares = self.panels["share"], self.sample.shares
        self.bars = [share.box(i, (1 - i) * shares[1], 0, shares[i], 1, color=COLOURS[i], linewidth=0) for i in (0, 1)]
        share.dots("handle", [(shares[1], 0)], [150], palette.INK, edgecolors=palette.PAPER,
                   linewidths=1.5, clip_on=False, label="_nolegend_", visible=not self.sample.fixed)
        for i, ha in ((1, "left"), (0, "right")):
            name = say("{name}: {share} %", name=self.names[i], share=f"{100 * shares[i]:.0f}")
            y, va = (1.3, "bottom") if i or sum(map(len, self.names)) < 20 else (-0.3, "top")       # below a long one
            share.words(("name", i), 1 - i, y, literal(name), va=va, ha=ha, color=COLOURS[i])

    def update(self, state: dict) -> str:
        sample, query, kernel = self.sample, state["query"], get_kernel(state["kernel"])
        options = {"kernel": kernel, "bandwidth": state["sigma"]}
        points, labels, panel = sample.points, sample.labels, self.panels["answer"]
        x = np.append(sample.grid, query)                                               # (g + 1,): the query is last
        weights = attention_weights(x, points, **options)                                                # (g + 1, n)
        answers = weights @ labels                                                      # (g + 1,)
        even = weights / np.where(labels > 0, *sample.shares[::-1])     # the same as scores - log n_c
        conditional = even @ labels / even.sum(axis=1) if sample.both else x * np.nan
        alone = np.array([parzen_density(sample.grid, points[labels == sign], **options) if sign in labels else
                          sample.grid * np.nan for sign in SIGNS])                                           # (2, g)
        self.found = [borders_between(sample.grid, some[:-1]) for some in (answers, conditional)]
        self.narrow = len(self.found[0]) > 3 and np.nanmedian(effective_keys(weights)) < 12
        self.differ = sample.both and sample.shares[0] != sample.shares[1]      # else below is as above
        self._show_density(query, alone, answers[:-1], conditional[:-1])
        for each, y, va, text in ((self.panels["density"], 0.985, "top", say("above: points counted as they are")),
                                  (self.panels["density"], 0.015, "bottom", say("below, mirrored: as if half were ▲")),
                                  (panel, 0.985, "top", say("dotted: as if half were ▲"))):
            each.words(text, 0.015, y, text, va=va, transform=each.transAxes, color=palette.MUTED, visible=self.differ)
        now, reach = np.nan_to_num(weights[-1]), kernel.support * state["sigma"] if kernel.ends else 0.0
        for each, low, high in (self.panels["density"], -0.68 * self.top, 1.28 * self.top), (panel, -1.3, 2.62):
            each.box("reach", query - reach, low, 2 * reach, high, color=palette.QUERY, alpha=0.2, linewidth=0)
        self.points = [
            panel.dots(mark, np.column_stack([points, labels])[labels == sign], dot_areas(now[labels == sign]), colour,
                       mark, zorder=2) for sign, colour, mark in zip(SIGNS, COLOURS, MARKERS)]
        self.curve = panel.line("joint", sample.grid, answers[:-1], zorder=4, **palette.ESTIMATE_LINE)
        self.conditional = panel.line("conditional", sample.grid, conditional[:-1], palette.MUTED, linewidth=2.0,
                                      linestyle=(0, (1.2, 1.4)), zorder=3)
        panel.upright("query", query, 0.86)
        none, inks = np.isnan(answers[-1]), (palette.QUERY, palette.PAPER)      # no answer: an empty ring in the middle
        face, edge = inks[::-1] if none else inks
        self.answers = [panel.marks(size, [query], [0.0 if none else some[-1]], face, size, zorder=6,
                                    markeredgecolor=edge, label="_nolegend_" if none else "_")
                        for size, some in ((9, answers), (6, conditional))]
        self._point_out(query, answers, conditional)
        return self._sentence(query, answers[-1], conditional[-1], kernel_name(kernel), reach)

    def _show_density(self, query: float, alone: np.ndarray, *answers: np.ndarray) -> None:
        """Joint densities, both verdicts, upside down the densities of classes, `alone`; an arrow between borders."""
        grid, panel, found = self.sample.grid, self.panels["density"], self.found[0]
        joint = np.nan_to_num(alone) * self.sample.shares[:, None]
        highest = float(np.nanmax([joint, alone / 1.5], initial=0.3 * (not self.sample.fixed))) or 1.0
        top = 2.0 ** math.ceil(math.log2(1.25 * highest))       # in powers of 2, the same at all presets
        if top != self.top:
            self.top = top
            panel.set(ylim=(-0.92 * top, top), yticks=[-0.06 * top], yticklabels=[say("verdict")])
            self.strip.set_extent((grid[0], grid[-1], -0.12 * top, 0.0))
            self.mirror.clear().scale(1, -1).translate(0, -0.12 * top)
        self.curves = self._show_side("bottom", panel.transData, joint, self.found[0])
        self.halves = self._show_side("top", self.mirror + panel.transData, alone / 2, self.found[1])
        panel.words("border", np.clip(sum(found[-1:]), *grid[[0, 270]]) + 0.01 * np.ptp(grid), BORDER * top,
                    say("{n} borders", n=len(found)) if found[1:] else say("border") if found else "")
        panel.stems("query", [query], -0.56 * top, 0.44 * top, palette.QUERY, 2.0, zorder=1.5)   # below the arrow
        # 0 is a tie, without colour; 1 and 2 are verdicts; 3 is a gap, tinted.
        self.strip.set_data([np.where(np.isnan(some), 3, np.select([some > TIE, some < -TIE], [2, 1]))
                             for some in answers])
        end, begin = np.ravel(self.found) if [*map(len, self.found)] == [1, 1] else (np.nan, np.nan)
        head = np.clip(end - begin, -0.03 * np.ptp(grid), 0.03 * np.ptp(grid))
        across, up = (begin, *[end - head] * 2, end, *[end - head] * 2, begin), (85, 85, 79, 87, 95, 89, 89)
        panel.area("arrow", np.column_stack([across, BORDER * top / 100 * np.array(up)]), color=palette.INK, zorder=4)

    def _show_side(self, va: str, side, densities: np.ndarray, borders: list[float]) -> list:
        """The densities (2, g) of both classes, and their borders, thin if many, with the transform `side`."""
        grid, panel = self.sample.grid, self.panels["density"]
        for i, density in enumerate(np.nan_to_num(densities) if va == "bottom" else ()):
            panel.area(("area", va, i), [(grid[0], 0.0), *zip(grid, density), (grid[-1], 0.0)], color=COLOURS[i],
                       alpha=0.16, linewidth=0, zorder=2, transform=side)
        seen = va == "bottom" or self.differ
        panel.stems(("borders", va), borders if seen else [], 0, BORDER * self.top, palette.INK,
                    0.8 if self.narrow else 1.8, zorder=4, transform=side)
        return [panel.line((va, i), grid, densities[i], COLOURS[i], linestyle=LINES[i], zorder=3, transform=side,
                           visible=seen) for i in (0, 1)]

    def _point_out(self, query: float, answers, conditional) -> None:
        """A note where there is no verdict, or only one, or at the query who wins there, and why."""
        grid, gaps, found = self.sample.grid, np.isnan(answers), self.found[0]
        text, x, height = "", query, 0.44 * self.top * (not gaps.any())
        first, last = ("●▲"[int(some[-1] > 0)] for some in (answers, conditional))
        if gaps.any():
            text, x = say("no point near:\nno verdict"), query if gaps[-1] else grid[gaps[:-1]][3 * gaps.sum() // 4]
        elif not found and np.any(np.abs(answers) > TIE):
            at = int(np.abs(answers[:-1]).argmin())
            text = say("{name} is higher even here:\none verdict above") if self.differ else (
                say("{name} is higher even here:\none verdict"))
            text = text.format(name=self.names[int(answers.sum() > 0)])
            x, height = grid[at], max(curve.get_ydata()[at] for curve in self.curves)
        elif min(abs(answers[-1]), abs(conditional[-1])) > TIE:
            text = (say("σ is so narrow that single\npoints flip the verdict") if self.narrow else
                    say("here {first} wins") if first == last else
                    say("fewer {last}, so a lower hill:\nhere {first} wins") if len(found) > 1 else
                    say("fewer {last}, so a lower hill: the border\nmoves, and here {first} wins"))
            text = text.format(first=first, last=last)
        self.note = self.panels["density"].note(text, x, height, ha="right", near=(0.98, 0.75))

    def _sentence(self, query: float, answer: float, conditional: float, kernel: str, reach: float) -> str:
        sample, place = self.sample, words.at(self.sample, query)
        first, last = map(self._verdict, (answer, conditional))
        if np.isnan(answer):
            return say("The {kernel} kernel looks only {reach} to each side (orange band). At {place} <b>no point lies "
                       "there</b>, so there is no verdict.", place=place, kernel=kernel, reach=words.number(reach))
        rare = int(sample.shares[1] < 0.5)                      # which class it is
        where, other = (say("nowhere") if not borders else
                        say("at {n} places (islands)", n=len(borders)) if len(borders) > 1 else
                        say("at {border}", border=words.bold(borders[0])) for borders in self.found)
        return words.joined(
            say("One class has no points, so every verdict is {joint}.", joint=first) if not sample.both else
            say("σ is narrow: each point makes a bump of its own, so <b>the verdict flips</b> from point to point.")
            if self.narrow else
            say("{share} of the points are {name}, so above its hill is lower than below: the border is {where}; "
                "below, as if half were ▲, {other}.",
                share=f"{100 * sample.shares[rare]:.3g} %", name=self.names[rare], where=where, other=other)
            if self.differ else say("Each class has half of the points: the border is {where}.", where=where),
            "" if not sample.both else
            say("At {place} it is {joint}.", place=place, joint=first) if not self.differ else
            say("At {place} it is {joint} either way.", place=place, joint=first) if first == last else
            say("At {place} it is {joint} above, {other} below.", place=place, joint=first, other=last))

    def _verdict(self, answer: float) -> str:
        if abs(answer) <= TIE:
            return say("<b>a tie</b>")
        return f'<b class="wb-{("minus", "plus")[int(answer > 0)]}">{self.names[int(answer > 0)]}</b>'
