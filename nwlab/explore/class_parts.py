"""Pieces of the two-classes figure: two densities with the verdicts between them, and the weights of one query by class."""
from __future__ import annotations

import math

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.ticker import MaxNLocator

from nwlab import palette
from nwlab.explore.class_sample import TIE
from nwlab.explore.stage.parts import Stems

COLOURS, MARKERS = (palette.MINUS, palette.PLUS), palette.CLASS_MARKERS     # always in the order -1, +1
LINES = ((0, (6, 2)), "-")                                  # how the two classes are drawn
JOINT, CONDITIONAL = "-", (0, (1.2, 1.4))                   # how the two comparisons are drawn


class DensityPanel:
    """Two densities, the strip of verdicts below them, the borders between the verdicts, and the query."""

    def __init__(self, scene, panel, title: str, border_line):
        self.panel = panel
        panel.set_title(title, loc="left")
        panel.set_ylabel("density")
        panel.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        panel.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=1)
        self.strip = panel.imshow(np.ones((2, 2, 4)), aspect="auto", interpolation="nearest", zorder=0.5)
        self.curves = [panel.plot([], [], color=colour, linestyle=line, linewidth=2.0, zorder=3)[0]
                       for colour, line in zip(COLOURS, LINES)]
        self.areas = [panel.fill([0, 0, 0], [0, 0, 0], color=colour, alpha=0.13, linewidth=0, zorder=2)[0]
                      for colour in COLOURS]
        self.dots = [panel.plot([], [], marker, color=colour, markersize=8, markeredgecolor=palette.PAPER, zorder=6)[0]
                     for colour, marker in zip(COLOURS, MARKERS)]
        self.borders = panel.vlines([], 0, 1, colors=palette.INK, linestyles=[border_line], linewidths=1.6, zorder=4,
                                    transform=panel.get_xaxis_transform())
        self.line = panel.axvline(0.0, ymax=0.86, zorder=1.5, **palette.QUERY_LINE)
        self.words = [panel.text(place, 0.985, "", transform=panel.transAxes, va="top", ha=align, color=colour)
                      for place, align, colour in zip((0.015, 0.985), ("left", "right"), COLOURS)]
        self.top = 0.0
        scene.move(self.strip, *self.areas, *self.curves, self.borders, self.line, *self.dots, *self.words)

    def show(self, x, densities, answers, borders, query, heights, texts) -> bool:
        """densities (2, g) at x (g,), answers (g,) whose sign is the verdict; returns whether the scale had to change."""
        for curve, area, density in zip(self.curves, self.areas, densities):
            curve.set_data(x, density)
            area.set_xy(np.column_stack([[x[0], *x, x[-1]], [0.0, *np.nan_to_num(density), 0.0]]))
        for dot, height in zip(self.dots, heights):
            dot.set_data([query], [height])
        for text, words_ in zip(self.words, texts):
            text.set_text(words_)
        self.line.set_xdata([query, query])
        self.borders.set_segments([((at, 0.0), (at, 0.86)) for at in borders])
        self.strip.set_data(_strip(answers))
        highest = float(np.nanmax(densities, initial=0.0)) or 1.0
        changed = not 0.35 * self.top < highest * 1.2 < self.top
        if changed:
            self.top = highest * 1.45
            self.panel.set_ylim(-0.14 * self.top, self.top)
            power = math.floor(math.log10(self.top))            # numbers far from one would run into the axis' name
            power = 0 if -2 <= power <= 2 else power
            self.panel.yaxis.set_major_formatter(lambda height, _: f"{height / 10.0**power:g}".replace("-", "−"))
            self.panel.set_ylabel("density" if power == 0 else f"density / $10^{{{power}}}$")
        self.strip.set_extent((x[0], x[-1], -0.14 * self.top, 0.0))
        return changed


def _strip(answers: np.ndarray) -> np.ndarray:
    """A picture (2, g, 4): the upper row is coloured where +1 wins, the lower where -1 does, both are tinted in a gap."""
    picture = np.zeros((2, len(answers), 4))
    picture[0, answers > TIE] = to_rgba(palette.PLUS)
    picture[1, answers < -TIE] = to_rgba(palette.MINUS)
    picture[:, np.isnan(answers)] = to_rgba(palette.EMPTY)
    return picture


class ClassStems(Stems):
    """Weight x label of one query: up for +1, down for -1; what is left of the sum is the answer."""

    def __init__(self, scene, panel):
        super().__init__(scene, panel, "Weights × labels")
        panel.set_ylabel("weight × label")
        self.heads.set(color=COLOURS[1], marker=MARKERS[1], markersize=4.5)
        self.below, = panel.plot([], [], MARKERS[0], color=COLOURS[0], markersize=4.0)
        scene.move(self.below)

    def show(self, keys, weights, x, beside=None) -> bool:
        changed = super().show(keys, weights, x, beside)
        self.stems.set_colors([COLOURS[int(weight > 0)] for weight in weights])
        for heads, side in ((self.heads, weights > 0), (self.below, weights < 0)):
            heads.set_data(keys[side], weights[side])
        return changed
