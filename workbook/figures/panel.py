"""The panels of a live figure. All that they show has a name: the first call makes it, later ones change what is new.

So `update` of a scene says what is seen, once, and nothing is drawn again that looks as before.
"""
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.ticker import LogLocator, NullFormatter
from matplotlib.transforms import Bbox, IdentityTransform, TransformedBbox

from workbook import palette
from workbook.figures.room import find_room

HALO = {"facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5}      # behind words on what is drawn


def grip(colour, size: float = 11.0) -> dict:
    """The style with which a line has a handle, which can be dragged, at its first point."""
    return {"marker": "o", "markersize": size, "markevery": [0], "color": colour, "markeredgecolor": palette.PAPER,
            "markeredgewidth": 1.6, "clip_on": False, "gid": "handle"}          # which a stored picture leaves out


def short(x: float, _=None) -> str:
    """A number as a short label: 0.03, 300, 3k, 3M. Fits `set_major_formatter`."""
    if abs(x) >= 1e6:
        return f"{x / 1e6:g}M"
    return f"{x / 1e3:g}k" if abs(x) >= 1e3 else f"{x:g}"


def length_of(words) -> float:
    """The length of a text in screen pixels, also if it was drawn last at another resolution."""
    return words.get_window_extent(words.figure.canvas.get_renderer()).width


class Note(Text):
    """Words about what a panel shows, with a line to their place."""

    def __init__(self, panel):
        super().__init__(family=palette.style()["font.family"])
        self.line = Line2D([], [], color=palette.MUTED, linewidth=0.9, transform=IdentityTransform(),
                           clip_box=panel.bbox)
        panel.add_artist(self)
        panel.scene.tags[self] = ["note", ""]

    def set_ends(self, ends):
        """Set the ends of the line, in pixels: x and y, or nothing."""
        self.line.set_data(*ends)
        self.stale = True

    def draw(self, renderer):
        self.line.set_visible(self.get_visible())
        self.line.draw(renderer)
        super().draw(renderer)


class Panel(Axes):
    """The axes of a scene. `shown` has its artists that move, by name.

    What the methods take beside data, colour and size are properties as in `Artist.set`, which may change with each
    call; `shows` names the data for redraw.js, see `Scene.given`, with "" for what the page cannot draw by itself.
    """

    def __init__(self, scene, name: str):
        super().__init__(scene.figure, (0, 0, 1, 1), label=name)
        self.scene, self.shown = scene, {}
        self.around = TransformedBbox(Bbox.from_extents(-0.1, -0.1, 1.1, 1.1), self.transAxes)

    def __getitem__(self, name):
        """The artist of this name."""
        return self.shown[name][0]

    def show(self, name, make: Callable, shows: str | None = None, moves: bool = True, **now):
        """The artist of this name, which make() returns at first, with these properties now. moves: whether it is drawn
        above axes and titles; what seldom changes need not move."""
        if name not in self.shown:
            self.shown[name] = self.scene.move(make()) if moves else make(), {}
            if shows is not None and self.scene.movable:
                self.scene.tags[self.shown[name][0]] = ["data", shows]
        artist, before = self.shown[name]
        for key, value in now.items():
            if key not in before or not _same(before[key], value):
                before[key] = value
                getattr(artist, f"set_{key}")(value)
        return artist

    def text(self, *args, **style):
        """As in Matplotlib, but with our letters whenever it is called."""
        return super().text(*args, **{"family": palette.style()["font.family"], **style})

    def annotate(self, *args, **style):
        """As `text`."""
        return super().annotate(*args, **{"family": palette.style()["font.family"], **style})

    def line(self, name, x, y, colour=palette.INK, **style):
        return self.show(name, lambda: self.add_line(Line2D([], [])), data=(x, y), **{"color": colour, **style})

    def pieces(self, name, begins, ends, colour, linewidth: float, **style):
        """A line in pieces from `begins` to `ends`, (n, 2) each; it is no column of the tables."""
        style = {"solid_capstyle": "butt", "label": "_nolegend_", "linewidth": linewidth, **style}
        places = np.stack([begins, ends, np.full(np.shape(begins), np.nan)], axis=1).reshape(-1, 2)      # (3n, 2)
        return self.line(name, *places.T, colour, **style)

    def stems(self, name, x, low, high, colour, linewidth: float, **style):
        """Upright pieces at x (n,) from `low` to `high`, (n,) or a number each."""
        begins, ends = (np.column_stack([x, 0 * np.asarray(x) + y]) for y in (low, high))
        return self.pieces(name, begins, ends, colour, linewidth, **style)

    def marks(self, name, x, y, colour, size: float, marker="o", **style):
        """Marks without a line, whole at the edge of the panel, with an edge in the colour of the paper."""
        style = {"markeredgecolor": palette.PAPER, "linestyle": "none", "clip_box": self.around, **style}
        return self.line(name, x, y, colour, marker=marker, markersize=size, **style)

    def dots(self, name, places, sizes, colour, marker="o", **style):
        """Dots without an edge at `places` (n, 2), with these areas (n,)."""
        return self.show(name, lambda: self.scatter([], [], marker=marker), offsets=places, sizes=sizes,
                         **{"color": colour, "linewidths": 0, "clip_box": self.around, **style})

    def upright(self, name, x: float, top: float = 1.0, **style):
        """An upright line at x, with a handle at the axis, up to this share of the height; by default the query's."""
        style = {"zorder": 1.5, **palette.QUERY_LINE, **grip(palette.QUERY), **style}
        return self.show(name, lambda: self.axvline(1.0), data=([x, x], [0.0, top]), **style)

    def area(self, name, outline, **style):
        """A polygon with this outline (n, 2)."""
        return self.show(name, lambda: self.add_patch(Polygon(np.zeros((2, 2)))), xy=outline, **style)

    def box(self, name, left: float, bottom: float, wide: float, high: float, **style):
        return self.show(name, lambda: self.add_patch(Rectangle((0, 0), 1, 1)), bounds=(left, bottom, wide, high),
                         **style)

    def words(self, name, x: float, y: float, text: str, beside: tuple | None = None, xycoords="data", **style):
        """Words at the place (x, y), or so many points `beside` it."""
        if beside is None:
            return self.show(name, lambda: self.text(0, 0, ""), text=text, position=(x, y), **style)
        words = self.show(name, lambda: self.annotate("", (0, 0), (0, 0), xycoords, "offset points"), text=text,
                          position=beside, **style)
        if words.xy != (x, y):
            words.xy, words.stale = (x, y), True        # it does not become stale by itself
        return words

    def note(self, text: str, x: float = np.nan, y: float = np.nan, at=(0.03, 0.8), name="note", near=None, **style):
        """Words with a line to the place `about` which they are, (x, y); "" for no note. at: their upper left corner in
        fractions of the panel, or with ha="right" the upper right one. near: such a corner; they stand as near to it as
        nothing else is drawn, and have a halo, as there may be no such place. So show them last."""
        style = {"va": "top", "linespacing": 1.25, "zorder": 6, "transform": self.transAxes, **style}
        style = {"bbox": HALO, **style} if near else style
        words = self.show(name, lambda: Note(self), text=text, **style)
        words.about, ends, unit = (x, y), ([], []), self.figure.dpi / 100
        place = self.transData.transform(words.about)
        if text and near:
            anchor = self.transAxes.transform(words.get_position())
            box = words.get_window_extent(self.figure.canvas.get_renderer()).padded(3 * unit)
            wanted = box.translated(*(self.transAxes.transform(near) - anchor))
            corner = find_room(self, wanted, place, (words,))
            at = tuple(self.transAxes.inverted().transform(anchor + corner - box.min))
        self.show(name, None, position=at)
        if text and np.all(np.isfinite(place)):         # in pixels, from the edge of the words to just before the place
            box = words.get_window_extent(self.figure.canvas.get_renderer()).padded(3 * unit)
            begin = np.clip(place, box.min, box.max)
            length = max(np.hypot(*(place - begin)), 1e-9)
            ends = np.transpose([begin, begin + (place - begin) * max(1 - 6 * unit / length, 0.0)])
        return self.show(name, None, ends=ends)

    def names(self, *names: tuple[str, str], across=0.03, ha="left") -> list:
        """Names of curves, (text, colour) each, one below the other in the upper corner."""
        style = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": ha, "va": "top"}
        return [self.annotate(text, (across, 1.0), (0, -2 - 14 * line), color=colour, **style)
                for line, (text, colour) in enumerate(names)]

    def names_in_a_row(self, *names: tuple[str, str]) -> None:
        """Names of curves, (text, colour) each, one beside the other in the upper left corner."""
        before = self.names(names[0])[0]
        for text, colour in names[1:]:
            before = self.annotate(text, (1, 1), (10, 0), xycoords=before, textcoords="offset points", va="top",
                                   color=colour)

    def corner(self, text: str, colour, across: float = 0.015, ha: str = "left"):
        """A word at the upper edge, which does not move."""
        return self.text(across, 0.985, text, color=colour, transform=self.transAxes, va="top", ha=ha)

    def label(self, title: str, x: str = "", y: str = "", x_ink=palette.INK, y_ink=palette.INK, **settings) -> None:
        """Set the title and the names of the axes, each in its colour, and whatever `Axes.set` takes."""
        self.set_title(title, loc="left", **palette.TITLE)
        self.set(**settings)
        self.set_xlabel(x, color=x_ink)
        self.set_ylabel(y, color=y_ink)

    def label_errors(self, across: str, title: str) -> None:
        """Make it a panel of errors: two logarithmic axes, with short tick labels at 1, 3, 10, 30 ..."""
        self.label(title, across, xscale="log", yscale="log")        # without a name for y, where a heatmap's scale is
        for axis in (self.xaxis, self.yaxis):
            axis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
            axis.set_major_formatter(short)
            axis.set_minor_formatter(NullFormatter())


def _same(one, other) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(map(_same, one, other))
    if isinstance(one, (np.ndarray, list)) or isinstance(other, (np.ndarray, list)):
        return np.array_equal(one, other)
    return one is other or one == other
