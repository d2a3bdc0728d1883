"""Two classes on a line: their densities, mixed by shares that are dragged, and Nadaraya-Watson of the labels."""
import math

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle
from matplotlib.transforms import Affine2D

from nwlab.data import RegressionData, from_arrays, make_classes
from nwlab.density import integral, parzen_density
from nwlab.kernels import get_kernel
from nwlab.pooling import attention_weights
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import (
    Note,
    QueryScene,
    broken_line,
    carry,
    corner,
    dot_areas,
    grip,
    label,
    line,
    marks,
    query_line,
    set_stems,
    stand,
    whole,
)
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.pictures import literal

# Pairs stand in the order -1, +1.
SIGNS, COLOURS, MARKERS = (-1, 1), (palette.MINUS, palette.PLUS), palette.CLASS_MARKERS
LINES = ((0, (6, 2)), "-")                                  # how the two classes are drawn
BORDER = 0.6                                                # height of the borders, as a share of the axis
DOTTED = (0, (1.2, 1.4))                                    # line style of what is class-conditional
TIE = 1e-9                                                  # an average closer to 0 is a tie, as rounding may be larger


def two_classes(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: where two classes part, and how that place changes with their shares.

    data: (points, labels) as `nwlab.make_classes` returns, any two labels will do; or what `read_csv` or `from_arrays`
    returns, whose values are the labels (more than two are split at their median). None draws samples under
    sliders for the share of +1, n and seed. sigma, kernel and query are where it starts. Returns an `Explorer`.
    """
    kernel, sample = get_kernel(kernel), ClassSample(data)
    integral(kernel)                                        # ValueError for a kernel that is no density
    unit = sample.extent / 8
    sigma, share, drawn = 0.4 * unit if sigma is None else sigma, {}, {}
    presets = {"islands": {"sigma": 0.05 * unit}, "too wide": {"sigma": 2.5 * unit},
               "gaps": {"sigma": 0.1 * unit, "kernel": "boxcar"}}
    if not sample.fixed:
        share = {"share": make.slider("share of +1", 0.2, 0.02, 0.98, 0.02)}
        drawn = {"n": make.slider("n", 100, 10, 400, 1), "seed": make.slider("seed", 0, 0, 30, 1)}
        presets = {"balanced": {"share": 0.5}, "rare": {"share": 0.06}} | presets
    return Explorer(
        TwoClassesScene(sample),
        {**share, "sigma": make.log_slider("sigma", "width σ", sigma, 0.02 * unit, 8 * unit),
         "query": make.query_slider(sample.queries, 0.8 if query is None and share else query),
         "kernel": make.kernel_choice(kernel, lambda kernel: kernel.has_width)},
        drawn, presets=presets)


class ClassSample(Sample):
    """points (n,), labels (n,) of -1 and +1, shares (2,) and names (2,) of the classes."""

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

    def new(self, share: float, n: int, seed: int) -> None:
        self._count(*make_classes(n, share, seed=seed))

    def _count(self, points: np.ndarray, labels: np.ndarray) -> None:
        self.points, self.labels = points, labels
        self.shares = np.array([np.mean(labels == sign) for sign in SIGNS])
        self.both = bool(self.shares.min() > 0)


def read_classes(data) -> tuple[np.ndarray, np.ndarray, tuple[str, str], str]:
    """Points (n,) sorted, labels (n,) of -1.0 and +1.0, the names of the classes, the name of the axis; or ValueError.

    data: (points, labels), or a `RegressionData`, whose values are the labels. The smaller of two becomes -1; more than
    two are split at their median.
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
    label = "Two classes: joint densities, below them half of the class-conditional ones, shares, and Nadaraya-Watson"
    invitation = "Drag the bar: with fewer ▲, which border moves?"
    across = {"density": "query", "answer": "query"}
    longest = 240
    demo = ("share", 4)
    layouts = (
        Layout(("share", "density", "answer"), (1,), (22, 300, 150), height=620, gap_y=60, bare=("density",)),
        Layout(("share answer", "density answer"), (2, 1), (1, 13), height=412, room=WIDE, gap_y=66),
    )

    def __init__(self, sample: ClassSample):
        super().__init__(sample)
        self.names = [f"{mark} {name}" for mark, name in zip("●▲", sample.names)]
        if sample.fixed:                                        # no share to drag
            self.invitation = "Drag the width: where does the verdict turn?"
        self._make_density(self.panels["density"])
        self._make_share(self.panels["share"])
        self._make_answer(self.panels["answer"])
        for name in self.across:
            self.panels[name].set(xlim=(sample.grid[0], sample.grid[-1]), xlabel=literal(sample.axis))

    def _make_density(self, panel) -> None:
        """The joint densities, a strip with both verdicts, and below, upside down, the class-conditional densities."""
        label(panel, "Top: joint. Bottom: conditional", y="density", yticks=[])
        self.strip = panel.imshow(np.zeros((2, 2)), ListedColormap(["none", *COLOURS, palette.EMPTY]), aspect="auto",
                                  vmin=0, vmax=4, interpolation="none", zorder=0.5, label="_nolegend_")
        self.mirror, self.top, self.lines = Affine2D(), 0.0, [query_line(panel, 0.8, marker="", linewidth=1.0)]
        sides = panel.transData, self.mirror + panel.transData
        (self.curves, self.halves), (self.areas, self.half_areas) = zip(*(
            ([line(panel, colour, linestyle=style, zorder=3, transform=side) for colour, style in zip(COLOURS, LINES)],
             [panel.fill([0, 0, 0], [0, 0, 0], color=colour, alpha=0.16, linewidth=0, zorder=2, transform=side)[0]
              for colour in COLOURS]) for side in sides))
        self.borders = [broken_line(panel, palette.INK, 1.8, zorder=4, transform=side) for side in sides]
        self.border_names = [panel.annotate(name, (0, 0), (5, 0), textcoords="offset points", va=va, xycoords=side)
                             for name, va, side in zip(("top border", "bottom border"), ("top", "bottom"), sides)]
        self.words = [corner(panel, "", COLOURS[0]), corner(panel, "", COLOURS[1], 0.985, "right")]
        for across, ha, colour in zip((0.015, 0.985), ("left", "right"), COLOURS):
            panel.text(across, 0.015, "area ½", color=colour, ha=ha, transform=panel.transAxes)
        self.note = Note(self, panel)
        self.move(self.strip, *self.areas, *self.half_areas, *self.halves, *self.curves, *self.borders, *self.lines,
                  *self.border_names, *self.words)

    def _make_share(self, panel) -> None:
        panel.set_title(literal(f"Shares of {' and '.join(self.names)}"), loc="left")
        panel.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
        panel.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        self.bars = [panel.add_patch(Rectangle((0, 0), 1, 1, color=colour, linewidth=0)) for colour in COLOURS]
        self.grip = panel.scatter([0], [0], 150, palette.INK, marker=grip("")["marker"], clip_on=False,
                                  edgecolors=palette.PAPER, label="_nolegend_", visible=not self.sample.fixed)
        self.move(*self.bars, self.grip)

    def _make_answer(self, panel) -> None:
        label(panel, "Nadaraya–Watson", y="average label", ylim=(-1.3, 1.75))
        panel.set_yticks([-1, 0, 1], ["−1", "0", "+1"])
        panel.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=0)
        self.points = [whole(panel.scatter([], [], color=colour, marker=marker, linewidths=0, zorder=2))
                       for colour, marker in zip(COLOURS, MARKERS)]
        self.curve, = panel.plot([], [], zorder=4, **palette.ESTIMATE_LINE)
        self.conditional = line(panel, palette.MUTED, linewidth=2.0, linestyle=DOTTED, zorder=3)
        self.lines.append(query_line(panel, 0.86))
        self.answers = [marks(panel, palette.QUERY, size, zorder=6) for size in (9, 6)]
        corner(panel, "joint", palette.INK)
        corner(panel, "class-conditional", palette.MUTED, 0.985, "right")
        self.move(*self.points, self.conditional, self.curve, self.lines[1], *self.answers)

    def drags(self):
        return super().drags() | ({} if self.sample.fixed else {"share": Drag("share", x=lambda shares: 1 - shares)})

    def new_sample(self) -> None:
        shares = self.sample.shares
        for i, sign in enumerate(SIGNS):
            at = self.sample.points[self.sample.labels == sign]
            self.points[i].set_offsets(np.column_stack([at, np.full(len(at), sign)]))
            self.words[i].set_text(literal(f"{self.names[i]}, area {shares[i]:.2f}"))
            self.bars[i].set_bounds(i * shares[0], 0, shares[i], 1)
        self.grip.set_offsets([(shares[0], 0)])

    def update(self, state: dict) -> str:
        sample, kernel, sigma, query = self.sample, state["kernel"], state["sigma"], state["query"]
        points, labels = sample.points, sample.labels
        x = np.append(sample.grid, query)                                               # (g + 1,): the query is last
        weights = attention_weights(x, points, kernel=kernel, bandwidth=sigma)                           # (g + 1, n)
        answers = weights @ labels                                                      # (g + 1,)
        even = weights / np.where(labels > 0, *sample.shares[::-1])     # the same as scores - log n_c
        conditional = even @ labels / even.sum(axis=1) if sample.both else x * np.nan
        alone = np.array([parzen_density(sample.grid, points[labels == sign], kernel=kernel, bandwidth=sigma)
                          if sign in labels else sample.grid * np.nan for sign in SIGNS])                    # (2, g)
        self.found = [borders_between(sample.grid, some[:-1]) for some in (answers, conditional)]
        self._show_density(alone, answers[:-1], conditional[:-1])
        self.curve.set_data(sample.grid, answers[:-1])
        self.conditional.set_data(sample.grid, conditional[:-1])
        for upright in self.lines:
            stand(upright, query)
        for dot, answer in zip(self.answers, (answers[-1], conditional[-1])):
            dot.set_data([query], [answer])
        now = np.nan_to_num(weights[-1])
        for dots, sign in zip(self.points, SIGNS):
            dots.set_sizes(dot_areas(now[labels == sign]))
        return self._sentence(query, answers, conditional)

    def _show_density(self, alone: np.ndarray, *answers: np.ndarray) -> None:
        """alone (2, g): the class-conditional densities on the grid; answers: both average labels there, (g,) each."""
        joint, grid = np.nan_to_num(alone) * self.sample.shares[:, None], self.sample.grid
        for lines, areas, densities in ((self.curves, self.areas, joint), (self.halves, self.half_areas, alone / 2)):
            for curve, area, density in zip(lines, areas, densities):
                curve.set_data(grid, density)
                area.set_xy([(grid[0], 0.0), *zip(grid, np.nan_to_num(density)), (grid[-1], 0.0)])
        highest = float(np.nanmax([joint, alone / 1.5], initial=0.0)) or 1.0
        top = 2.0 ** math.ceil(math.log2(1.25 * highest))       # in powers of 2, so that it seldom changes
        if top != self.top:
            self.top = top
            self.panels["density"].set_ylim(-0.86 * top, top)
            self.strip.set_extent((grid[0], grid[-1], -0.14 * top, 0.0))
            self.mirror.clear().scale(1, -1).translate(0, -0.14 * top)
            self.changed_background()
        (one, *others), (other, *more) = (found or [math.nan] for found in self.found)
        sides = ("left", 5) if one > other else ("right", -5), ("right", -5) if one > other else ("left", 5)
        for upright, name, found, (ha, right) in zip(self.borders, self.border_names, self.found, sides):
            set_stems(upright, np.array(found), np.full(len(found), BORDER * top))
            carry(name, *found[:1] or [0.0], BORDER * top, visible=len(found) == 1, ha=ha, position=(right, 0))
        # 0 is a tie, without colour; 1 and 2 are verdicts; 3 is a gap, tinted.
        self.strip.set_data([np.where(np.isnan(some), 3, np.select([some > TIE, some < -TIE], [2, 1]))
                             for some in answers])
        middle = (one + other) / 2
        apart = not others and not more and abs(one - other) > 0.04 * np.ptp(grid)
        self.note.say("verdicts differ between them" if apart else "", ha="center",
                      at=((middle - grid[0]) / np.ptp(grid), 0.91) if apart else None)

    def _sentence(self, query: float, answers: np.ndarray, conditional: np.ndarray) -> str:
        """answers and conditional (g + 1,): the last one is that of the query."""
        sample, undecided = self.sample, float(np.isnan(answers[:-1]).mean())
        where = ["nowhere" if not borders else f"at {len(borders)} places (islands)" if len(borders) > 1 else
                 f"at {words.bold(borders[0])}" for borders in self.found]
        joint, other = (self._verdict(some[-1]) for some in (answers, conditional))
        return words.joined(
            f"At {words.query(f'{sample.axis} = {words.number(query)}')} " + (
                "<b>no point is within reach</b>: both densities are 0, and there is no verdict."
                if np.isnan(answers[-1]) else
                f"the verdict is joint {joint}, class-conditional {other}."),
            f"The joint verdict changes {where[0]}, the class-conditional one {where[1]}." if sample.both else
            f"One class has no points. The verdict changes {where[0]}.",
            f"There is no verdict on {undecided:.0%} of the axis." if undecided else "")

    def _verdict(self, answer: float) -> str:
        if abs(answer) <= TIE:
            return "<b>a tie</b>"
        return f'<b class="wb-{("minus", "plus")[int(answer > 0)]}">{self.names[int(answer > 0)]}</b>'
