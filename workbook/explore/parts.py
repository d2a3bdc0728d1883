"""What several scenes draw: the fit with its values, the weights as stems, the heatmap with its framed row."""
import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter
from matplotlib.transforms import (
    Affine2D,
    Bbox,
    BboxBase,
    IdentityTransform,
    ScaledTranslation,
    TransformedBbox,
    blended_transform_factory,
)

from nwlab import EmptyWindowWarning
from nwlab.kernels import get_kernel
from nwlab.pooling import attention_weights, nadaraya_watson
from workbook import palette
from workbook.explore.on_page import on_page
from workbook.explore.sample import key_limits, value_limits
from workbook.figures.interactions import Drag, across
from workbook.figures.live import Scene
from workbook.pictures import literal

HALO = {"facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5}      # behind words on an image

# A handle with two grooves, drawn on whatever can be dragged.
_HANDLE = Path([(-5, -8), (5, -8), (5, 8), (-5, 8), (-5, -8), (-1.5, -4), (-1.5, 4), (1.5, -4), (1.5, 4)],
               [1, 2, 2, 2, 79, 1, 2, 1, 2])


def grip(colour, turned: float = 0.0, size: float = 12.5) -> dict:
    """The style with which a line has a handle, turned by so many degrees, at its first point."""
    return {"marker": MarkerStyle(_HANDLE, transform=Affine2D().rotate_deg(turned)), "markersize": size,
            "markevery": [0], "color": colour, "markeredgecolor": palette.PAPER, "markeredgewidth": 0.8,
            "clip_on": False, "gid": "handle"}       # which a stored picture leaves out


def query_line(panel, top: float = 1.0, zorder: float = 1.5, **style):
    """An upright line with a handle at the axis; `stand` moves it."""
    return panel.axvline(1.0, ymax=top, zorder=zorder, **{**palette.QUERY_LINE, **grip(palette.QUERY), **style})


def stand(upright, x: float) -> None:
    """Move an upright line to x; one that is there already is not drawn again."""
    if upright.get_xdata()[0] != x:
        upright.set_xdata([x, x])


def broken_line(panel, colour, width: float, **style):
    """A line in pieces, still empty, to be set with `set_pieces`; it is no column of the tables."""
    return line(panel, colour, linewidth=width, solid_capstyle="butt", label="_nolegend_", **style)


def set_pieces(line, begins: np.ndarray, ends: np.ndarray) -> None:
    """Draw a line in pieces from `begins` to `ends`, (n, 2) each."""
    gaps = np.full(np.shape(begins), np.nan)
    line.set_data(*np.stack([begins, ends, gaps], axis=1).reshape(-1, 2).T)


def set_stems(line, keys: np.ndarray, weights: np.ndarray) -> None:
    """Draw a line in upright pieces from zero to the weights (n,), at the keys (n,)."""
    set_pieces(line, np.column_stack([keys, 0 * keys]), np.column_stack([keys, 0 * keys + weights]))


def tick(x: float) -> str:
    """A place on an axis as a short label: 0.0, 4.9, 1250."""
    return f"{x:.1f}" if abs(x) < 100 else f"{x:.0f}"


def short(x: float, _=None) -> str:
    """A number as a short label: 0.03, 300, 3k, 3M. Fits `set_major_formatter`."""
    if abs(x) >= 1e6:
        return f"{x / 1e6:g}M"
    return f"{x / 1e3:g}k" if abs(x) >= 1e3 else f"{x:g}"


def name_curves(panel, *names: tuple[str, str], across=0.03, right=0, down=14, ha="left") -> list:
    """Names of curves, (text, colour) each, in the corner of a panel: `right` points from it, `down` points apart."""
    style = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": ha, "va": "top"}
    return [panel.annotate(text, (across, 1.0), (right, -2 - down * line), color=colour, **style)
            for line, (text, colour) in enumerate(names)]


def label(panel, title: str, x: str = "", y: str = "", x_ink=palette.INK, y_ink=palette.INK, **settings) -> None:
    """Set the title and the names of the axes, each in its colour, and whatever `Axes.set` takes."""
    panel.set_title(title, loc="left")
    panel.set(**settings)
    panel.set_xlabel(x, color=x_ink)
    panel.set_ylabel(y, color=y_ink)


def line(panel, colour=palette.INK, **style):
    """A line that is still empty, to be set with `set_data`."""
    return panel.plot([], [], color=colour, **style)[0]


def marks(panel, colour, size: float, marker: str = "o", **style):
    """Marks without a line, with an edge in the colour of the paper, still empty."""
    style = {"markeredgecolor": palette.PAPER, **style}
    return whole(panel.plot([], [], marker, color=colour, markersize=size, **style)[0])


class Around(BboxBase):
    """The box of a panel with a margin, which follows the layout."""

    def __init__(self, panel):
        super().__init__()
        self.panel = panel

    def get_points(self):
        return self.panel.bbox.padded(self.panel.figure.dpi / 8).get_points()


def whole(artist):
    """Let marks at the edge of their panel be whole; returns them."""
    artist.set_clip_box(Around(artist.axes))
    return artist


def length_of(words) -> float:
    """The length of a text in screen pixels, also if it was drawn last at another resolution."""
    return words.get_window_extent(words.figure.canvas.get_renderer()).width


def corner(panel, text: str, colour, across: float = 0.015, ha: str = "left"):
    """A word at the upper edge of a panel."""
    return panel.text(across, 0.985, text, color=colour, transform=panel.transAxes, va="top", ha=ha)


def carry(words, x: float, y: float, **changes) -> None:
    """Move an annotation, which does not become stale by itself when its `xy` is set."""
    words.set(**changes)
    words.xy, words.stale = (x, y), True


class Note:
    """Words in a panel with a line to what they are about. at: their upper left corner in fractions of the panel, or,
    with ha="right", the upper right one."""

    def __init__(self, scene, panel, at=(0.03, 0.8), ha: str = "left"):
        self.about = np.nan, np.nan
        self.line = panel.add_line(Line2D([], [], color=palette.MUTED, linewidth=0.9, zorder=6, label="_nolegend_",
                                          transform=IdentityTransform()))
        self.words = panel.text(*at, "", ha=ha, va="top", linespacing=1.25, zorder=6, transform=panel.transAxes)
        scene.move(self.line, self.words)
        scene.hides(self.line, self.words)
        scene.when_placed.append(self.point_out)

    def say(self, words: str, x: float = np.nan, y: float = np.nan, at=None, **style) -> None:
        """Words about the place (x, y), in data coordinates; "" for no note. style: as in `Text.set`."""
        self.about = x, y
        self.words.set(text=words, position=at or self.words.get_position(), **style)
        self.point_out()

    def point_out(self) -> None:
        """Draw the line, in pixels, from the edge of the words to just before the place."""
        x, y = self.words.axes.transData.transform(self.about)
        unit = self.words.figure.dpi / 100
        if not self.words.get_text() or not np.isfinite(x + y):
            return self.line.set_data([], [])
        box = self.words.get_window_extent(self.words.figure.canvas.get_renderer()).padded(3 * unit)
        begin = np.array([np.clip(x, box.x0, box.x1), np.clip(y, box.y0, box.y1)])
        way = np.array([x, y]) - begin
        length = max(np.hypot(*way), 1e-9)
        self.line.set_data(*zip(begin, begin + way * max(1 - 6 * unit / length, 0.0)))


def error_axes(panel, across: str, title: str = "Mean squared error") -> None:
    """Make a panel one of errors: two logarithmic axes, with short tick labels at 1, 3, 10, 30 ..."""
    label(panel, title, across, xscale="log", yscale="log")     # without a name for y, where a heatmap's scale is
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
        axis.set_major_formatter(short)
        axis.set_minor_formatter(NullFormatter())


def dot_areas(weights: np.ndarray) -> np.ndarray:
    """Areas of dots that show weights (n,): an area for no weight, plus 300 times the weight."""
    return 14 + 300 * np.abs(weights)


class Fit:
    """The values as dots, larger with more weight, the truth, the estimate, the query and its answer."""

    def __init__(self, scene, panel, second: str | None, title: str):
        self.panel, self.limits = panel, (0.0, 1.0)
        panel.set_title(title, loc="left")
        self.truth, = panel.plot([], [], **palette.TRUTH_LINE)
        self.dots = whole(panel.scatter([], [], color=palette.VALUE, linewidths=0, zorder=2))
        self.second = line(panel, palette.LOCAL_LINEAR, linewidth=1.8, zorder=3)
        self.curve, = panel.plot([], [], zorder=4, **palette.ESTIMATE_LINE)
        self.line = query_line(panel)
        self.answer = marks(panel, palette.QUERY, 9, markeredgewidth=1.5, zorder=6, label="answer")
        names = {"values": palette.VALUE_INK, "estimate": palette.INK, "truth": palette.MUTED,
                 second: palette.LOCAL_LINEAR}
        self.words, self.note = [corner(panel, name, ink) for name, ink in names.items() if name], None
        scene.move(self.dots, self.second, self.curve, self.line, self.answer)
        scene.when_placed.append(self.spread_words)

    def with_note(self, scene) -> "Note":
        """Add a note at the upper right, beside or below the names of the curves; everything is drawn below it."""
        self.note = Note(scene, self.panel, at=(0.985, 0.985), ha="right")
        return self.note

    def is_right(self, x: np.ndarray) -> np.ndarray:
        """Which of the places x (k,) are below the note: in the right half of the panel, but not at its edge."""
        low, high = self.panel.get_xlim()
        return np.abs((x - low) / (high - low) - 0.7) < 0.2

    def spread_words(self) -> None:
        """Set the names side by side, in a second line if needed; everything is drawn below them."""
        across, up = (size / self.panel.figure.dpi * 100 for size in self.panel.bbox.size)
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
            self.note.words.set_y(y + 16 / up)
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
        self.panel.set_ylabel(literal(data.value_name), color=palette.VALUE_INK)
        self.dots.set_offsets(np.column_stack([data.keys, data.values]))
        self.grid = np.linspace(data.queries[0], data.queries[-1], 251)         # where curves are drawn
        self.truth.set_data((self.grid, data.truth(self.grid)) if data.truth else ([], []))
        self.words[2].set_visible(data.truth is not None)
        self.spread_words()

    def attend(self, weights: np.ndarray | None) -> None:
        """Make dots larger and darker with their weights (n,); all alike for None or NaN."""
        if weights is None or not np.all(np.isfinite(weights)):
            weights = np.zeros(len(self.dots.get_offsets()))
        self.dots.set_sizes(dot_areas(weights))
        strength = np.minimum(np.sqrt(np.abs(weights)), 1.0)[:, None]                                   # (n, 1)
        pale, dark = np.array([to_rgba(palette.VALUE, 0.92), to_rgba(palette.VALUE_INK, 0.92)])
        colours = np.where(weights[:, None] < 0, to_rgba(palette.NEGATIVE), pale + strength * (dark - pale))
        self.dots.set_facecolors(colours)

    def mark(self, x: float, answer: float) -> None:
        """Show the query x and its answer."""
        stand(self.line, x)
        self.answer.set_data([x], [answer])
        self.marked = x, answer


def visibly_negative(weights: np.ndarray) -> np.ndarray:
    """Which weights (n,) of a query are below zero by more than a thousandth of the largest."""
    return weights < -0.001 * np.max(np.abs(weights), initial=0.0)


class Stems:
    """The weights of one query, a stem for each key."""

    def __init__(self, scene, panel, title: str):
        self.scene, self.panel = scene, panel
        label(panel, title, y="weight α", y_ink=palette.KEY_INK)
        panel.yaxis.set_major_locator(MaxNLocator(2, steps=[1, 2, 5, 10]))
        panel.axhline(0.0, color=palette.FAINT, linewidth=0.8, zorder=0)
        self.stems = broken_line(panel, palette.KEY, 1.6)
        self.heads = marks(panel, palette.KEY, 3.6, markeredgecolor=palette.KEY)
        self.line = query_line(panel, zorder=0.5)
        scene.move(self.stems, self.heads, self.line)

    def show(self, keys: np.ndarray, weights: np.ndarray, x: float, beside: np.ndarray | None = None) -> None:
        """Draw stems at the keys (n,). beside: other weights for which the axis must have room."""
        shown = np.nan_to_num(weights)
        set_stems(self.stems, keys, shown)
        self.heads.set_data(keys, shown)
        stand(self.line, x)
        # The scale has few steps: so heights can be compared, and the background seldom changes.
        highest = max(shown.max(initial=0.0), 0.0 if beside is None else np.nanmax(beside, initial=0.0))
        top = next((s for s in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.05) if highest <= s * 0.99), 1.1 * float(highest))
        if self.panel.get_ylim() != (0.0, top):
            self.panel.set_ylim(0.0, top)
            self.scene.changed_background()


class Heat:
    """The weights of all queries (rows) for all keys (columns), with a frame around the row of the chosen query, and
    their scale beside it, see `palette.weight_scale`."""

    signed, frame = False, 1.8                          # whether weights may be negative; line width of the frame

    def __init__(self, scene, panel, title: str):
        self.scene, self.panel = scene, panel
        label(panel, title, "key number", "query", palette.KEY_INK, palette.QUERY_INK)
        panel.spines[["top", "right"]].set_visible(True)
        colours = palette.signed_colours() if self.signed else palette.weight_colours()
        self.image = panel.imshow(np.zeros((2, 2)), cmap=colours.with_extremes(bad=palette.EMPTY), aspect="auto",
                                  norm=palette.weight_scale(self.signed), interpolation="none")     # the page scales it
        self.row = panel.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=palette.QUERY, zorder=5,
                                              linewidth=self.frame))
        self.grip, = panel.plot([0.0], [0.0], transform=panel.get_yaxis_transform(), zorder=6,
                                **grip(palette.QUERY, turned=90))
        inches = panel.figure.dpi_scale_trans + ScaledTranslation(1, 0, panel.transAxes)  # from the right edge
        panel.imshow(np.linspace(0, 1, 64)[:, None], cmap=colours, aspect="auto", origin="lower", interpolation="none",
                     extent=(0.03, 0.07, 0, 1), clip_on=False, label="_nolegend_",
                     transform=blended_transform_factory(inches, panel.transAxes))
        small = {"xycoords": "axes fraction", "textcoords": "offset points", "color": palette.KEY_INK, "fontsize": 9}
        self.scale = panel.annotate("+1" if self.signed else "1", (1, 1), (6, 0), va="top", **small)
        panel.annotate("−1" if self.signed else "0", (1, 0), (6, 0), **small)
        panel.annotate("√ scale", (1, 0), (6, 14), rotation=90, **small)
        scene.move(self.image, self.row, self.grip, self.scale)

    def sample(self, data) -> None:
        """Show new queries and keys, with the places of some queries beside their rows."""
        m, n = len(data.queries), len(data.keys)
        self.image.set_extent((0.5, n + 0.5, m - 0.5, -0.5))
        self.panel.set(xlim=(0.5, n + 0.5), ylim=(m - 0.5, -0.5))
        self.panel.set_xticks(sorted({1, max(1, round(n / 2)), n}))
        self.panel.set_ylabel(literal(f"query {data.key_name}"))
        self.image.set_label("query number by key number")      # what its table of numbers is called
        rows = sorted({0, round((m - 1) / 2), m - 1})
        self.panel.set_yticks(rows, [tick(data.queries[row]) for row in rows])

    def show(self, weights: np.ndarray, row: int) -> None:
        """Draw the matrix (m, n) with a frame around this row."""
        self.image.set_data(weights)
        self.frame_row(0.5, row - 0.5, weights.shape[1], 1.0)

    def frame_row(self, left: float, top: float, wide: float, high: float) -> None:
        if self.row.get_bbox().bounds != (left, top, wide, high):
            self.row.set_bounds(left, top, wide, high)
            self.grip.set_ydata([top + high / 2])


class QueryScene(Scene):
    """A scene about one of its `queries`, which readers choose by drags and arrow keys.

    across: panel -> the control along its horizontal axis. down: the panels whose rows, from 0, are the queries.
    """

    keys = ("ArrowLeft", "ArrowRight")
    keyed = "query"
    across: dict[str, str] = {"fit": "query", "stem": "query"}
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
        sideways = {panel: across(control) for panel, control in self.across.items()}
        return sideways | {panel: Drag("query", y=lambda queries: np.arange(len(queries))) for panel in self.down}


class FitScene(QueryScene):
    """A sample and its fit; the weights of one query in a panel "stem", and those of all in "heat", if there are such.

    titles: of these panels. second: the name of a second estimate in the fit.
    """

    titles: dict[str, str] = {}
    heat_kind = Heat
    second: str | None = None

    def __init__(self, sample):
        super().__init__(sample)
        panels, titles = self.panels, {"fit": "Each answer averages near dots", "stem": "Weights at the query",
                                       "heat": "All weights", **self.titles}
        self.fit = Fit(self, panels["fit"], self.second, titles["fit"])
        self.stems = Stems(self, panels["stem"], titles["stem"]) if "stem" in panels else None
        self.heat = self.heat_kind(self, panels["heat"], titles["heat"]) if "heat" in panels else None
        self.shows(points=self.fit.dots, estimate=self.fit.curve, answer=self.fit.answer)
        if self.stems:
            self.shows(stems=self.stems.stems, heads=self.stems.heads)
        if self.heat:
            self.shows(matrix=self.heat.image)

    @property
    def data(self):
        return self.sample.data

    def new_sample(self) -> None:
        """Show the sample in all panels, with limits that stay the same while points are moved."""
        drawn = self.sample.drawn if self.movable else self.data
        across = key_limits(drawn)
        self.fit.sample(self.data, across, value_limits(drawn))
        if self.stems:
            self.stems.panel.set(xlim=across, xlabel=literal(f"{self.data.key_name}, with its keys"))
        if self.heat:
            self.heat.sample(self.data)

    def new_points(self) -> None:
        if len(self.data.keys) != len(self.fit.dots.get_offsets()):     # the heatmap has other columns
            self.new_sample()
            return self.changed_background()
        self.fit.dots.set_offsets(np.column_stack([self.data.keys, self.data.values]))

    def given(self) -> dict | None:
        kernel = on_page(self.kernel) if self.movable else None
        return kernel and {"grid": self.fit.grid.tolist(), "queries": self.queries.tolist(), "kernel": kernel}

    def look_of_weights(self, weights, record):
        if self.given() is None:
            return {}
        places = self.fit.dots.get_offsets()
        self.fit.dots.set_offsets(np.zeros((len(weights), 2)))
        self.fit.attend(weights)
        looks = {"points": record(self.fit.dots)}
        if self.heat:
            self.heat.image.set_data(weights[None])
            looks["matrix"] = record(self.heat.image)
        self.fit.dots.set_offsets(places)
        return looks

    def pool(self, kernel, sigma: float) -> np.ndarray:
        """Draw the curve of Nadaraya-Watson; returns the weights (m, n) of the queries."""
        data, grid = self.data, self.fit.grid
        if self.changed("pool", (kernel, sigma)):
            self.kernel = get_kernel(kernel)
            self.fit.curve.set_data(grid, nadaraya_watson(grid, data.keys, data.values, kernel=kernel, bandwidth=sigma))
            self.pooled = attention_weights(data.queries, data.keys, kernel=kernel, bandwidth=sigma)
        return self.pooled

    def show_query(self, x: float, weights: np.ndarray, beside: np.ndarray | None = None) -> None:
        """Show the query x and its weights (n,), in the fit and as stems; beside: see `Stems.show`."""
        self.fit.attend(weights)
        self.fit.mark(x, float(weights @ self.data.values))
        if self.stems:
            self.stems.show(self.data.keys, weights, x, beside)
