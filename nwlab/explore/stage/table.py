"""The arithmetic of one query as a table in the figure: weight x value = part, and the sum that is the answer."""
from __future__ import annotations

import math

import numpy as np

from nwlab import palette

LARGEST = 4                                             # weights with a row of their own; the others share one


class Table:
    """Three columns (weight, value, part), a row for each of the largest weights, one for all others, and the sum."""

    def __init__(self, scene, panel):
        self.panel = panel
        panel.set_axis_off()
        panel.set(xlim=(0, 1), ylim=(0, 1))
        panel.set_title("The answer, by hand", loc="left")
        colours = (palette.KEY_INK, palette.VALUE_INK, palette.INK)
        self.head = [self._cell(colour, text) for colour, text in zip(colours, ("α", "× value", "= part"))]
        self.cells = [[self._cell(colour) for colour in colours] for _ in range(LARGEST + 1)]
        self.total = [self._cell(palette.KEY_INK, weight="bold"), self._cell(palette.QUERY_INK, weight="bold")]
        self.rule, = panel.plot([], [], color=palette.MUTED, linewidth=0.9)
        self.empty = panel.text(0, 0, "", color=palette.QUERY_INK, va="top", linespacing=1.6)
        self.divisor = panel.text(0, 0, "", color=palette.INK, va="center", fontsize=9)
        scene.when_placed.append(self.spread)
        scene.move(*(cell for row in self.cells for cell in row), *self.total, self.empty, self.divisor)

    def _cell(self, colour, text="", **style):
        return self.panel.text(0, 0, text, color=colour, ha="right", va="center", **style)

    def spread(self) -> None:
        """Set rows and columns at distances in pixels."""
        dpi = self.panel.figure.dpi / 100
        width, height = self.panel.bbox.width / dpi, self.panel.bbox.height / dpi
        right = [x * min(width, 240) / width for x in (0.23, 0.65, 1.0)]
        row = min(30.0, (height + 20) / (LARGEST + 4))
        down = [1 - (row * i + 8) / height for i in range(LARGEST + 4)]
        for row, texts in enumerate([self.head, *self.cells]):
            for x, text in zip(right, texts):
                text.set_position((x, down[row]))
        for x, text in zip((right[0], right[2]), self.total):
            text.set_position((x, down[LARGEST + 2]))
        self.divisor.set_position((0.0, down[LARGEST + 3]))
        self.empty.set_position((0.0, down[1] + 8 / height))
        self.rule.set_data([0.0, right[2]], [(down[LARGEST + 1] + down[LARGEST + 2]) / 2] * 2)

    def show(self, weights: np.ndarray, values: np.ndarray, similarity: np.ndarray) -> None:
        """weights (n,), values (n,), and similarity (n,): K before it was divided by its sum. NaN weights: no key in reach."""
        for text in (text for row in self.cells for text in row):
            text.set_text("")
        if np.all(np.isfinite(weights)):
            self._fill(weights, values)
            self.empty.set_text("")
        else:
            self.empty.set_text("no key within reach:\nevery weight is 0/0,\nand there is no answer")
            self._write(self.total, ("0/0", "none"))
        total = float(similarity.sum())
        if total > 1e-300 or not np.all(np.isfinite(weights)):
            self._write([self.divisor], [f"α = K / {total:.3g}, the sum of K"])
        else:                                               # the weights are right all the same: see nwlab.pooling
            self._write([self.divisor], ["α = K / the sum of K, below 1e-300"])

    def _fill(self, weights, values) -> None:
        places = max(0, 2 - math.floor(math.log10(max(float(np.abs(values).max()), 1e-9))))
        parts = weights * values
        order = np.argsort(-weights, kind="stable")
        largest, others = order[:LARGEST], order[LARGEST:]
        largest, others = largest[weights[largest] > 0], others[weights[others] > 0]
        for row, i in zip(self.cells, largest):
            self._write(row, (f"{weights[i]:.3f}", f"{values[i]:.{places}f}", f"{parts[i]:.{places + 1}f}"))
        if len(others):
            self._write(self.cells[-1], (f"{weights[others].sum():.3f}", f"other {len(others)}",
                                         f"{parts[others].sum():.{places + 1}f}"))
        self._write(self.total, (f"{weights.sum():.3f}", f"{parts.sum():.{places + 1}f}"))

    @staticmethod
    def _write(cells, texts) -> None:
        for cell, text in zip(cells, texts):
            cell.set_text(text.replace("-", "−"))
