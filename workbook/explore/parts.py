"""What several scenes draw: the fit with its values, and the heatmap with its framed row."""
import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.ticker import FixedFormatter
from matplotlib.transforms import Bbox, ScaledTranslation, TransformedBbox, blended_transform_factory

from nwlab import EmptyWindowWarning
from nwlab.kernels import get_kernel
from nwlab.pooling import attention_weights
from nwlab.uncertainty import standard_errors
from workbook import palette
from workbook.explore import words
from workbook.explore.on_page import on_page
from workbook.explore.sample import RegressionSample, limits
from workbook.figures.interactions import Drag
from workbook.figures.live import Scene
from workbook.figures.panel import grip, length_of
from workbook.language import say
from workbook.pictures import literal
from workbook.plots import turned


def dot_areas(weights: np.ndarray) -> np.ndarray:
    """Areas of dots that show weights (n,): an area for no weight, plus 300 times the weight."""
    return 14 + 300 * np.abs(weights)


class Fit:
    """The values as dots, larger with more weight, the truth, the estimate, the query and its answer."""

    def __init__(self, panel, title: str, second: str | None = None, handle: float = 12.5):
        self.panel, self.limits, self.note = panel, (0.0, 1.0), None
        panel.label(title)
        self.truth, = panel.plot([], [], **palette.TRUTH_LINE)
        self.dots = panel.dots("values", np.zeros((0, 2)), [], palette.VALUE, zorder=2, shows="points")
        self.second = panel.line("second", [], [], palette.LOCAL_LINEAR, linewidth=1.8, zorder=3,
                                 shows="line" if second else None)
        self.curve = panel.line("estimate", [], [], zorder=4, shows="estimate", **palette.ESTIMATE_LINE)
        self.line = panel.upright("query", 1.0, markersize=handle)
        self.answer = panel.marks("answer", [], [], palette.QUERY, 9, markeredgewidth=1.5, zorder=6, shows="answer",
                                  label=say("answer"))
        names = {say("values"): palette.VALUE_INK, say("estimate"): palette.INK, say("truth"): palette.MUTED,
                 second: palette.LOCAL_LINEAR}
        self.words = [panel.corner(name, ink) for name, ink in names.items() if name]
        panel.scene.when_placed.append(self.spread_words)

    def point_out(self, text: str, *place) -> None:
        """A note at the upper right, beside or below the names of the curves; everything is drawn below it."""
        if self.note is None:
            self.note = self.panel.note("")
            self.spread_words()
        self.panel.note(text, *place, at=(0.985, self.top), ha="right")

    def is_right(self, x: np.ndarray) -> np.ndarray:
        """Which of the places x (k,) are below the note: in the right half of the panel, but not at its edge."""
        low, high = self.panel.get_xlim()
        return np.abs((x - low) / (high - low) - 0.7) < 0.2

    def spread_words(self) -> None:
        """Set the names side by side, in a second line if needed; everything is drawn below them."""
        across, up = (size / self.panel.figure.dpi * 100 for size in self.panel.bbox.size)
        name, room = self.panel.xaxis.label, (1 + 40 / across) * self.panel.bbox.width         # a long one is smaller
        name.set_fontsize(min(palette.STYLE["axes.labelsize"], name.get_fontsize() * room / max(length_of(name), 1)))
        x, y = 0.015, 0.985
        for text in self.words:
            if text.get_visible():
                length = length_of(text) / self.panel.bbox.width
                if x + length > 1.0 and x > 0.015:
                    x, y = 0.015, y - 16 / up
                text.set_position((x, y))
                x += length + 12 / across
        if self.note:                                   # it has two lines
            y -= (16 if x + 180 / across < 1 else 36) / up
            self.top = y + 16 / up
        self.leave_room(y - 20 / up)

    def leave_room(self, below: float) -> None:
        """Draw everything in the lower part of the panel, up to this share of its height."""
        low, high = self.limits
        self.panel.set_ylim(low, low + (high - low) / below)
        self.line.set_ydata([0.0, below])
        for curve in (self.curve, self.second):
            curve.set_clip_box(TransformedBbox(Bbox.from_extents(0.0, 0.0, 1.0, below), self.panel.transAxes))

    def sample(self, data, across, up) -> None:
        """Show a new sample: points, truth and names, with the limits across and up."""
        self.limits = up
        self.panel.set(xlim=across, xlabel=literal(data.key_name))
        self.panel.set_ylabel(literal(data.value_name), color=palette.VALUE_INK, **turned(data.value_name))
        self.dots.set_offsets(np.column_stack([data.keys, data.values]))
        self.grid = np.linspace(data.queries[0], data.queries[-1], 251)         # where curves are drawn
        self.truth.set_data((self.grid, data.truth(self.grid)) if data.truth else ([], []))
        self.words[2].set_visible(data.truth is not None)
        self.spread_words()

    def attend(self, weights: np.ndarray) -> None:
        """Make dots larger and darker with their weights (n,); all alike for NaN."""
        weights = np.nan_to_num(weights)
        strength = np.minimum(np.sqrt(np.abs(weights)), 1.0)[:, None]                                   # (n, 1)
        pale, dark = np.array([to_rgba(palette.VALUE, 0.92), to_rgba(palette.VALUE_INK, 0.92)])
        self.dots.set_sizes(dot_areas(weights))
        self.dots.set_facecolors(
            np.where(weights[:, None] < 0, to_rgba(palette.NEGATIVE), pale + strength * (dark - pale)))

    def mark(self, x: float, answer: float) -> None:
        """Show the query x and its answer."""
        self.marked = x, answer
        self.line.set_xdata([x, x])
        self.answer.set_data([x], [answer])


def visibly_negative(weights: np.ndarray) -> np.ndarray:
    """Which weights (n,) of a query are below zero by more than a thousandth of the largest."""
    return weights < -0.001 * np.max(np.abs(weights), initial=0.0)


class Heat:
    """The weights of all queries (rows) for all keys (columns), with a frame around the row of the chosen query, and
    their scale beside it, see `palette.weight_scale`. signed: whether weights may be negative; then it has no handle,
    which would hide its first or last row."""

    frame = 1.2                                         # width of its line, in points

    def __init__(self, panel, title: str, signed: bool = False, shows: str = "matrix"):
        self.panel, self.signed = panel, signed
        panel.label(title, say("key number"), say("query"), palette.KEY_INK, palette.QUERY_INK)
        panel.grid(False)
        panel.tick_params(axis="y", pad=9)              # beside the handle
        colours = palette.signed_colours() if signed else palette.weight_colours()
        image = panel.imshow(np.zeros((2, 2)), cmap=colours.with_extremes(bad=palette.EMPTY), aspect="auto",
                             norm=palette.weight_scale(signed), interpolation="none")          # the page scales it
        self.image = panel.show("matrix", lambda: image, shows=shows)
        inches = panel.figure.dpi_scale_trans + ScaledTranslation(1, 0, panel.transAxes)  # from the right edge
        panel.imshow(np.linspace(image.norm.vmin, 1, 64)[:, None], cmap=colours, norm=image.norm, aspect="auto",
                     origin="lower", interpolation="none", extent=(0.03, 0.07, 0, 1), clip_on=False, label="_nolegend_",
                     transform=blended_transform_factory(inches, panel.transAxes))
        small = {"xycoords": "axes fraction", "textcoords": "offset points", "color": palette.KEY_INK, "fontsize": 9}
        self.scale = panel.annotate("+1" if signed else "1", (1, 1), (6, 0), va="top", **small)
        panel.annotate("−1" if signed else "0", (1, 0), (6, 0), **small)
        panel.annotate(say("weight"), (1, 0), (6, 16), rotation=90, **small)

    def sample(self, data) -> None:
        """Show new queries and keys, with the places of some queries beside their rows."""
        m, n = len(data.queries), len(data.keys)
        self.image.set_extent((0.5, n + 0.5, m - 0.5, -0.5))         # limits follow
        self.panel.set_xticks(sorted({1, max(1, round(n / 2)), n}))
        self.panel.set_ylabel(literal(say("query {name}", name=data.key_name)))
        self.image.set_label(say("query number by key number"))      # what its table of numbers is called
        rows = sorted({0, round((m - 1) / 2), m - 1})
        names = [f"{x:.1f}" if abs(x) < 100 else f"{x:.0f}" for x in data.queries[rows]]
        self.panel.yaxis.set(ticks=rows, major_formatter=FixedFormatter(names))     # known ones are not drawn again

    def show(self, weights: np.ndarray, row: int) -> None:
        """Draw the matrix (m, n) with a frame around this row, so high that all of a thin row is seen in it."""
        m, n = weights.shape
        self.image.set_data(weights)
        pixels = self.panel.bbox.height / self.panel.figure.dpi * 100 / m
        high = max(7.0, pixels + self.frame * 100 / 72) / pixels             # in rows; at least 7 pixels
        self.frame_row(0.5, row - high / 2, n, high)

    def frame_row(self, left: float, top: float, wide: float, high: float) -> None:
        self.row = self.panel.box("row", left, top, wide, high, fill=False, edgecolor=palette.QUERY, zorder=5,
                                  linewidth=self.frame, clip_on=False)
        self.panel.line("grip", [0.0], [top + high / 2], visible=not self.signed, zorder=6,
                        transform=self.panel.get_yaxis_transform(), **grip(palette.QUERY))


class QueryScene(Scene):
    """A scene about one of its `queries`, which readers choose by drags and arrow keys.

    across: panel -> the control along its horizontal axis, or what a drag there does. down: the panels whose rows, from
    0, are the queries.
    """

    keys = ("ArrowLeft", "ArrowRight")
    keyed = "query"
    across: dict[str, str | Drag] = {"fit": "query"}
    down: tuple[str, ...] = ("heat",)
    unspoken = (EmptyWindowWarning,)

    @property
    def queries(self) -> np.ndarray:
        """The queries (m,) to choose from, ascending."""
        return self.sample.queries

    def row_of(self, x: float) -> int:
        """The index of the query nearest to x."""
        return int(np.argmin(np.abs(self.queries - x)))

    def drags(self):
        sideways = {panel: each if isinstance(each, Drag) else Drag(each, x=np.asarray)
                    for panel, each in self.across.items()}
        return sideways | {panel: Drag("query", y=lambda queries: np.arange(len(queries))) for panel in self.down}


class FitScene(QueryScene):
    """A sample and its fit; the weights of all queries in a panel "heat", if there is one.

    The estimate is `weigh(x, state) @ values`. titles: of the panels. beside: panels with the horizontal axis of the
    fit. margin: of this axis. signed: see `Heat`. second: the name of a second estimate. handle: the size of the
    query's. also_given: what redraw.js needs for one figure only.
    """

    titles: dict[str, str] = {}
    beside: tuple[str, ...] = ()
    sample_kind, heat_kind, signed = RegressionSample, Heat, False
    second: str | None = None
    margin, handle, spread = 0.02, 12.5, None
    also_given: dict = {}

    def __init__(self, data=None):
        super().__init__(self.sample_kind(data))
        titles = {"fit": say("Each answer averages near dots"), "heat": say("All weights"), **self.titles}
        self.fit = Fit(self.panels["fit"], titles["fit"], self.second, self.handle)
        self.heat = self.heat_kind(self.panels["heat"], titles["heat"], self.signed) if "heat" in self.panels else None

    def new_sample(self) -> None:
        """Show the sample in all panels, with limits that stay the same while points are moved."""
        self.data = self.sample.data
        self.fit.sample(self.data, *limits(self.sample.drawn, self.margin))
        for name in self.beside:
            self.panels[name].set(xlim=self.panels["fit"].get_xlim(), xlabel=literal(self.data.key_name))
        if self.heat:
            self.heat.sample(self.data)

    def given(self) -> dict | None:
        kernel = on_page(self.kernel) if self.movable else None
        return kernel and {"grid": self.fit.grid.tolist(), "queries": self.queries.tolist(), "kernel": kernel,
                           "spread": self.spread, **self.also_given}

    def look_of_weights(self, weights, record):
        if self.given() is None:
            return {}
        self.fit.dots.set_offsets(np.zeros((len(weights), 2)))
        self.fit.attend(weights)
        looks = {"points": record(self.fit.dots)}
        if self.heat:
            self.heat.image.set_data(weights[None])
            looks["matrix"] = record(self.heat.image)
        return looks

    def said_error(self) -> str:
        """The sentence about the error against the truth; "" where that is not known."""
        if self.data.truth is None:
            return ""
        error = np.mean((self.weights @ self.data.values - self.data.targets) ** 2)
        return say("The error against the truth is {error}.", error=words.bold(error))

    def weigh(self, x: np.ndarray, state: dict) -> np.ndarray:
        """The weights (k, n) of queries x (k,)."""
        return attention_weights(x, self.data.keys, kernel=self.kernel, bandwidth=state["sigma"])

    def show_band(self, row: int, spread: float | None) -> None:
        """A band around the curve, and a bar at the query: spread × the length of the weights on each side; or none.

        In an empty window the band has no width.
        """
        shown, grid, panel = spread is not None, self.fit.grid, self.fit.panel
        self.spread = spread if shown else 1.0
        centre, half = self.fit.curve.get_ydata(), standard_errors(self.on_grid, self.spread)
        some = np.isfinite(centre) | np.isnan(centre).all()
        centre, half = np.interp(grid, grid[some], np.nan_to_num(centre[some])), np.nan_to_num(half)
        panel.area("sure", np.column_stack([[*grid, *grid[::-1]], [*(centre + half), *(centre - half)[::-1]]]),
                   color=palette.INK, alpha=0.2, closed=False, linewidth=0, zorder=1, visible=shown, shows="sure")
        x, answer = self.fit.marked
        half = standard_errors(self.weights[row:row + 1], self.spread)[0]
        panel.line("bar", [x, x], [answer - half, answer + half], palette.QUERY, linewidth=4.5, zorder=5, visible=shown,
                   solid_capstyle="butt", label="_nolegend_", shows="bar")

    def show_fit(self, state: dict) -> int:
        """Show the curve and the `weights` (m, n), in the fit and as a heatmap; returns the query's row."""
        if self.changed("weights", state | {"query": None}):
            self.kernel = get_kernel(state.get("kernel", "gaussian"))
            self.weights = self.weigh(self.queries, state)
            self.on_grid = self.weigh(self.fit.grid, state)
            self.fit.curve.set_data(self.fit.grid, self.on_grid @ self.data.values)
        row = self.row_of(state["query"])
        x, weights = self.queries[row], self.weights[row]
        self.fit.dots.set_offsets(np.column_stack([self.data.keys, self.data.values]))
        self.fit.attend(weights)
        self.fit.mark(x, float(weights @ self.data.values))
        if self.heat:
            self.heat.show(self.weights, row)
        return row
