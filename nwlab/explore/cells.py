"""The heatmap in any order, its cells to scale where they stand at their own x, and the effective keys beside its rows.

Matplotlib draws cells of unequal size as polygons (`pcolormesh`), too slow for a figure that follows the hand. Here the
matrix is read off at the centre of each pixel instead, and the result is an ordinary picture.
"""
from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import NullLocator

from nwlab import palette
from nwlab.explore.stage.parts import Heat, tick
from nwlab.explore.stage.sample import key_limits

SORTED, SHUFFLED, TO_SCALE = "sorted", "shuffled", "to scale"
PIXELS = 400                                            # a side of the picture to scale, about what it gets on the page


def cell_edges(points: np.ndarray, low: float, high: float) -> np.ndarray:
    """Where the cells of sorted points (n,) meet, halfway between neighbours: (n + 1,), from low to high."""
    return np.concatenate([[low], (points[1:] + points[:-1]) / 2, [high]])


def cell_at(edges: np.ndarray, x) -> np.ndarray:
    """The number of the cell, from 0, in which x lies; beyond the ends the first or the last."""
    return np.searchsorted(edges[1:-1], x, side="right")


def cells_of_pixels(edges: np.ndarray, pixels: int = PIXELS) -> np.ndarray:
    """Which cell the centre of each of `pixels` equal pixels lies in: (pixels,)."""
    centres = edges[0] + (np.arange(pixels) + 0.5) / pixels * (edges[-1] - edges[0])
    return cell_at(edges, centres)


class OrderedHeat(Heat):
    """The heatmap sorted, shuffled or to scale. `rows` (m,) names the query that each row shows, `columns` (n,) the key."""

    def arrange(self, data, order: str) -> None:
        """Put rows and columns in order, with the ticks and names that go with it."""
        m, n = len(data.queries), len(data.keys)
        self.rows, self.columns = np.arange(m), np.arange(n)
        if order == SHUFFLED:                           # the same shuffle each time: one can go back and forth
            dice = np.random.default_rng(1964)
            self.rows, self.columns = dice.permutation(m), dice.permutation(n)
        self.place = np.argsort(self.rows)              # the row of each query
        self._cells = np.ix_(self.rows, self.columns)
        self.row_edges, self.column_edges = np.arange(m + 1) + 0.5, np.arange(n + 1) + 0.5
        if order == TO_SCALE:
            low, high = key_limits(data, margin=0.0)
            if low == high:
                low, high = low - 0.5, high + 0.5
            self.row_edges = cell_edges(data.queries, low, high)
            self.column_edges = cell_edges(data.keys, low, high)
            self._cells = np.ix_(cells_of_pixels(self.row_edges), cells_of_pixels(self.column_edges))
        left, right, top, bottom = *self.column_edges[[0, -1]], *self.row_edges[[0, -1]]
        self.image.set_extent((left, right, bottom, top))
        self.panel.set(xlim=(left, right), ylim=(bottom, top))
        how = f" at their {data.key_name}" if order == TO_SCALE else f", {order}"
        self.panel.set_xlabel(f"keys{how}", color=palette.KEY_INK, labelpad=18 if order == SHUFFLED else 4)
        self.panel.set_ylabel(f"queries{how}", color=palette.QUERY_INK)
        for axis, count, (low, high) in ((self.panel.xaxis, n, (left, right)), (self.panel.yaxis, m, (top, bottom))):
            if order == SHUFFLED:                       # no number there would say anything
                axis.set_ticks([])
            elif order == SORTED:
                axis.set_ticks(numbers := sorted({1, (count + 1) // 2, count}), [str(x) for x in numbers])
            else:
                axis.set_ticks(places := [low, (low + high) / 2, high], [tick(x) for x in places])

    def show(self, weights: np.ndarray, row: int) -> None:
        """The weights (m, n) with queries and keys ascending, and the number of the query that is asked."""
        self.image.set_data(np.ma.masked_invalid(weights[self._cells]))
        self.spread_ink(weights)
        (top, bottom), (left, right) = self.row_edges[self.place[row] + np.arange(2)], self.column_edges[[0, -1]]
        self.row.set_bounds(left, top, right - left, bottom - top)

    def query_at(self, y: float) -> int:
        """The number of the query whose row lies at height y."""
        return int(self.rows[cell_at(self.row_edges, y)])

    @property
    def heights(self) -> np.ndarray:
        """Where the middle of each query's row is: (m,)."""
        return ((self.row_edges[1:] + self.row_edges[:-1]) / 2)[self.place]


class EffectiveKeys:
    """Beside a heatmap, a line for each row: how many keys its query in effect attends to, from 1 to n."""

    def __init__(self, scene, panel):
        self.panel = panel
        panel.set_title("Effective keys", loc="left")
        panel.set_xscale("log")
        panel.set_xlabel("1 / Σ α²", color=palette.KEY_INK)
        panel.xaxis.set_minor_locator(NullLocator())
        panel.yaxis.set_major_locator(NullLocator())
        self.lines = panel.add_collection(LineCollection([], colors="#7DB4DA", linewidths=1.4), autolim=False)
        self.heads, = panel.plot([], [], "o", color=palette.KEY, markersize=3.0)
        self.asked, = panel.plot([], [], "o", color=palette.QUERY, markersize=7, markeredgecolor=palette.PAPER, zorder=6)
        scene.move(self.lines, self.heads, self.asked)

    def arrange(self, n: int, limits: tuple[float, float]) -> None:
        """Room for 1 to n keys, and the rows of the heatmap: its vertical limits."""
        self.panel.set(xlim=(0.8, 1.25 * n), ylim=limits)
        ticks = [1] + [10] * (n >= 25) + [n] * (n > 1)
        self.panel.set_xticks(ticks, [str(x) for x in ticks])

    def show(self, effective: np.ndarray, heights: np.ndarray, row: int) -> None:
        """effective (m,) at the heights (m,) of the queries' rows; row is the number of the query that is asked."""
        self.lines.set_segments([((0.8, y), (x, y)) for x, y in zip(effective, heights)])
        self.heads.set_data(effective, heights)
        self.asked.set_data([effective[row]], [heights[row]])
