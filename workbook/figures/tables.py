"""The numbers that a live figure shows, as tables, read from its artists."""
from collections.abc import Iterator

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from workbook import palette
from workbook.figures.words import number
from workbook.language import say
from workbook.pictures import plain

ACROSS = "across"                       # the `gid` of marks that show their x: one mark a row, at its y
ROWS, SIDE = 50, 20                     # at most so many rows of a table; rows or columns of an image


def tables(panels) -> list[dict]:
    """A table for each group of artists in the panels: {caption, head, rows}, all strings.

    A line or a scatter is a column; columns over the same x share a table. A column is named by the artist's label, or
    else by the words in the panel that have its colour, or else like the vertical axis. An image with a label is a
    table of its cells. Artists with the label "_nolegend_" are left out.
    """
    panels = sorted(panels, key=lambda panel: (-round(panel.get_position().y1, 3), panel.get_position().x0))   # as read
    return [table for panel in panels for table in (*_of_points(panel), *_of_pictures(panel))]


def _of_points(panel) -> Iterator[dict]:
    groups = {}                         # (x (n,), name of x, scales) -> {name: y (n,)}
    for artist in (*panel.lines, *panel.collections):
        x, y = _points(artist, panel)
        if not np.any(np.isfinite(y)) or artist.get_label() == "_nolegend_":
            continue
        scales = panel.get_xscale(), panel.get_yscale()
        place, name = plain(panel.get_xlabel()) or "x", _name(artist, panel)
        if artist.get_gid() == ACROSS:
            x, y, scales, place, name = y, x, scales[::-1], say("row"), _title(panel)
        groups.setdefault((tuple(x), place, scales), {}).setdefault(name, y)
    for (x, place, (across, up)), columns in groups.items():
        rows = _spread(len(x), ROWS)
        texts = [_in_words(np.array(x), rows, across), *(_in_words(y, rows, up) for y in columns.values())]
        yield {"caption": _caption(panel, (say("{shown} of {all} places"), len(rows), len(x))),
               "head": [place, *columns], "rows": [list(row) for row in zip(*texts)]}


def _points(artist, panel) -> np.ndarray:
    """The places of a line or a scatter, (2, n); n = 0 for one that is invisible or no data."""
    points = np.zeros((0, 2))
    if artist.get_visible() and isinstance(artist, PathCollection):
        points = artist.get_offsets()
    elif artist.get_visible() and isinstance(artist, Line2D) and artist.get_transform() == panel.transData:
        points = artist.get_xydata()
    return np.ma.filled(np.ma.asarray(points, float), np.nan).T


def _of_pictures(panel) -> Iterator[dict]:
    for image in panel.images:
        label = str(image.get_label())
        if not image.get_visible() or label.startswith("_"):            # it has no label
            continue
        cells = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
        rows, columns = (_spread(count, SIDE) for count in cells.shape)
        yield {"caption": _caption(panel, (say("{shown} of {all} rows"), len(rows), len(cells)),
                                   (say("{shown} of {all} columns"), len(columns), cells.shape[1])),
               "head": [label, *(str(j + 1) for j in columns)],
               "rows": [[str(i + 1), *row] for i, row in zip(rows, _in_words(cells, np.ix_(rows, columns)))]}


def _in_words(values: np.ndarray, chosen, scale: str = "linear") -> np.ndarray:
    """The chosen values as strings: of four digits, or on a linear scale with the decimals of four of the largest."""
    some = values[chosen]
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    if scale == "linear" and largest:
        decimals = min(3 - int(np.floor(np.log10(largest))), 300)                       # more than 308 give NaN
        some = some.round(decimals) + 0.0                                               # no −0
    return np.array([number(x, 4) for x in some.ravel().tolist()], dtype=object).reshape(some.shape)


def _spread(count: int, most: int) -> np.ndarray:
    """The indices 0 to count - 1, or `most` of them at equal steps with both ends."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)


def _name(artist, panel) -> str:
    colour = to_hex(np.atleast_2d(artist.get_facecolor())[0] if isinstance(artist, PathCollection)
                    else artist.get_color())
    words = {to_hex(palette.MARKS.get(text.get_color(), text.get_color())): text.get_text()
             for text in reversed(panel.texts)}
    label = str(artist.get_label())
    return plain(words.get(colour) or panel.get_ylabel() or _title(panel)) if label.startswith("_") else label


def _caption(panel, *parts: tuple[str, int, int]) -> str:
    """The title of the panel, and how much of each part is shown if that is not all."""
    return _title(panel) + "".join(say(" ({part})", part=text.format(shown=shown, all=count))
                                   for text, shown, count in parts if shown < count)


def _title(panel) -> str:
    return plain(panel.get_title("left"))

