"""Where the panels of a live figure stand: in pixels, so that letters and gaps keep their size in every room."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """Where the panels of a scene stand when at least `room` pixels are there.

    mosaic: a string a row, a word a column; a panel that spans rows or columns is named in all of them, "." is empty.
    columns, rows: how the room between the gaps is shared. All other numbers are pixels. left, bottom, right and top are
    the margins of the figure, gap_x and gap_y lie between panels and hold their labels. bare: panels that stand so close
    above another with the same horizontal axis that they have no numbers below.
    """

    mosaic: tuple[str, ...]
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    height: int
    room: int = 0
    left: int = 66
    right: int = 14
    top: int = 30
    bottom: int = 46
    gap_x: int = 70
    gap_y: int = 56
    bare: tuple[str, ...] = ()

    def boxes(self, width: int) -> dict[str, tuple[float, float, float, float]]:
        """Each panel's (left, bottom, width, height) as fractions of a figure `width` pixels wide."""
        xs = _edges(self.columns, self.left, width - self.right, self.gap_x)
        ys = _edges(self.rows, self.top, self.height - self.bottom, self.gap_y)          # from the top
        names = [row.split() for row in self.mosaic]
        boxes = {}
        for name in {name for row in names for name in row} - {"."}:
            cells = [(i, j) for i, row in enumerate(names) for j, other in enumerate(row) if other == name]
            rows, columns = [i for i, _ in cells], [j for _, j in cells]
            x0, x1 = xs[min(columns)][0], xs[max(columns)][1]
            y0, y1 = ys[min(rows)][0], ys[max(rows)][1]
            boxes[name] = (x0 / width, 1 - y1 / self.height, (x1 - x0) / width, (y1 - y0) / self.height)
        return boxes


def _edges(shares, start: float, stop: float, gap: float) -> list[tuple[float, float]]:
    unit = (stop - start - gap * (len(shares) - 1)) / sum(shares)
    edges = []
    for share in shares:
        edges.append((start, start + share * unit))
        start += share * unit + gap
    return edges
