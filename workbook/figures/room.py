"""Where in a panel nothing is drawn, so that words can stand there."""
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.collections import PathCollection

CELL = 3.0                              # pixels: side of the cells into which a panel is divided
APART = (4, 1)                          # cells from one place that is tried to the next, across and up
CROSSED = 3                             # cells: what the line from words to their place may cross, as any line does
_boxes = WeakKeyDictionary()            # see `_box_of`


def find_room(panel, box, about, but=()):
    """The lower left corner of the place nearest to `box` where nothing is drawn.

    All in pixels. about: the place (2,) to which a line leads from there, which should not run along other lines, or
    NaN for none. but: the words that are being placed, and do not count.
    """
    unit, begin = CELL * panel.figure.dpi / 100, panel.bbox.min
    drawn = cells_drawn(panel, unit, but)                                                    # (columns, rows)
    size, about = np.ceil(box.size / unit).astype(int), (about - begin) / unit
    last = np.maximum(np.array(drawn.shape) - size, 0)
    wanted = np.clip((box.min - begin) / unit, 0, last)
    across, up = (np.arange(at % step, end + 0.01, step) for at, end, step in zip(wanted, last, APART))
    corners = np.stack(np.meshgrid(across, up, indexing="ij"), axis=-1).reshape(-1, 2)       # (k, 2)
    sums = np.pad(drawn.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    (left, low), (right, high) = corners.astype(int).T, np.minimum(corners.astype(int) + size, drawn.shape).T
    covered = sums[right, high] - sums[left, high] - sums[right, low] + sums[left, low]      # cells, at each corner
    cost = 10.0 * covered + 1.01 * np.hypot(*(corners - wanted).T)
    if np.all(np.isfinite(about)):
        some = np.argsort(cost)[:200]
        ends = np.clip(about, corners[some], corners[some] + size)                           # of the lines
        lengths = np.maximum(np.hypot(*(about - ends).T), 1.0)
        shares = np.linspace(0.0, 1.0, 24)[:, None] * np.maximum(1 - 3 / lengths, 0.0)       # to just before the place
        x, y = np.moveaxis((ends + shares[..., None] * (about - ends)).astype(int), -1, 0)
        met = drawn[np.clip(x, 0, len(drawn) - 1), np.clip(y, 0, drawn.shape[1] - 1)].mean(axis=0)
        cost[some] += 4.0 * np.maximum(met * lengths - CROSSED, 0.0)
    return begin + corners[cost.argmin()] * unit


def cells_drawn(panel, unit: float, but=()) -> np.ndarray:
    """In which cells, `unit` pixels wide, lines, marks or words are drawn: (columns, rows), from the lower left."""
    shape, per_point = np.ceil(panel.bbox.size / unit).astype(int), panel.figure.dpi / 72
    drawn, lines, found = np.zeros(shape, dtype=bool), [np.full((1, 2), np.nan)], []
    for line in panel.lines:
        if line.get_visible() and len(line.get_xdata()):
            places = line.get_transform().transform(line.get_xydata())
            if line.get_linestyle() != "None":
                lines += [places, lines[0]]             # with a gap behind it
            if line.get_marker() not in ("None", "", None) and line.get_markevery() is None:
                found += _around(places, line.get_markersize() / 2 * per_point)
    for dots in panel.collections:
        if isinstance(dots, PathCollection) and dots.get_visible():
            places = panel.transData.transform(np.ma.filled(dots.get_offsets(), np.nan))
            found += _around(places, np.sqrt(dots.get_sizes()) / 2 * per_point)
    found.append(_between(np.concatenate(lines), unit))
    places = (np.concatenate(found) - panel.bbox.min) / unit
    x, y = places[np.all((places >= 0) & (places < shape), axis=1)].astype(int).T
    drawn[x, y] = True
    begin, axes = panel.bbox.min, (*panel.bbox.bounds, *panel.viewLim.extents)
    for words in panel.texts:
        if words.get_visible() and words not in but and words.get_text():
            (left, low), (right, high) = np.clip((_box_of(words, axes) - begin) / unit, 0, shape).astype(int)
            drawn[left:right, low:high] = True
    return drawn


def _box_of(words, axes: tuple) -> np.ndarray:
    """The corners (2, 2) of words in pixels, measured once for each text, place, and box and limits of the axes."""
    look = words.get_text(), *words.get_position(), *getattr(words, "xy", ()), *axes
    if _boxes.get(words, ("",))[0] != look:
        stale = words.stale
        _boxes[words] = look, words.get_window_extent(words.figure.canvas.get_renderer()).get_points()
        words.stale = stale                             # for an annotation it is set by that, which changed nothing
    return _boxes[words][1]


def _between(places: np.ndarray, unit: float) -> np.ndarray:
    """Places (k, 2) along the line through `places` (n, 2), at most a cell apart; NaN breaks the line."""
    steps = np.diff(places, axis=0)
    count = np.clip(np.nan_to_num(np.ceil(np.abs(steps).max(axis=1, initial=0.0) / unit)), 0, 1000).astype(int)
    piece = np.repeat(np.arange(len(steps)), count)
    share = (np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)) / count[piece]
    return places[:-1][piece] + share[:, None] * steps[piece]


def _around(places: np.ndarray, radii) -> list[np.ndarray]:
    """The places (n, 2), and others within their radii, a number or (n,)."""
    sides = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
    return [places, *(places + np.multiply.outer(share * radii, side) for share in (0.4, 0.8) for side in sides)]
