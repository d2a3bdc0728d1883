"""How to read the attention heatmap: what the order of its rows and its band say."""
from dataclasses import replace

import numpy as np
from matplotlib.ticker import NullLocator

from nwlab.data import make_regression
from nwlab.pooling import effective_keys
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene, Heat
from workbook.explore.sample import RegressionSample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import short
from workbook.figures.tables import ACROSS
from workbook.language import say

SORTED, PARTLY, SHUFFLED = say("sorted"), say("partly sorted"), say("shuffled")


def heatmap(data=None, **start) -> Explorer:
    """A live figure: how to read the attention heatmap, sorted or shuffled.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls sigma, sorted (from 0, shuffled, to 1), query, kernel, n, noise, seed and crowd.
    """
    return Explorer(HeatmapScene(data), start)


class ReadingSample(RegressionSample):
    drawn_by = (*RegressionSample.drawn_by, "crowd")

    def new(self, crowd: bool = False, **recipe) -> None:
        """crowd: move the lower half of the keys into the left fifth of their range, 0 to 5; the noise stays."""
        self.data = data = make_regression(**recipe)
        if crowd:
            keys = np.interp(data.keys, [0.0, np.median(data.keys), 5.0], [0.0, 1.0, 5.0])
            values = data.truth(keys) + (data.values - data.truth(data.keys))
            self.data = replace(data, keys=keys, values=values)


def order_of(k: int, share: float, seed: int) -> np.ndarray:
    """A permutation (k,) between a shuffle (share 0) and the sorted order (share 1)."""
    shuffle = np.random.default_rng(seed).permutation(k)
    return np.argsort((1 - share) * shuffle + share * np.arange(k), kind="stable")


class OrderedHeat(Heat):
    def arrange(self, data, order: str, share: float) -> None:
        """Put rows and columns in order, with ticks and names; share: how far they are sorted, from 0 to 1."""
        m, n = len(data.queries), len(data.keys)
        self.rows, self.columns = order_of(m, share, seed=0), order_of(n, share, seed=1964)
        places = self.image.order = np.argsort(self.rows), np.argsort(self.columns)         # with which they travel
        self.heights = places[0] + 1                    # (m,): middles of queries' rows
        self.image.set_extent((0.5, n + 0.5, m + 0.5, 0.5))
        self.panel.set_xlabel(say("keys"), labelpad=20 if share < 1 else 4)     # its place stays
        self.panel.set_ylabel(say("queries"), labelpad=22.5 if share < 1 else 4)
        self.image.set_label(say("query by key, {order}", order=order))
        for axis, count in ((self.panel.xaxis, n), (self.panel.yaxis, m)):
            places = sorted({1, (count + 1) // 2, count}) if order == SORTED else []
            axis.set_ticks(places, places)

    def show(self, weights: np.ndarray, row: int) -> None:
        """Draw the weights (m, n), queries and keys ascending, with a frame around this query."""
        self.image.set_data(weights[np.ix_(self.rows, self.columns)])
        self.frame_row(0.5, self.heights[row] - 0.5, weights.shape[1], 1)


class HeatmapScene(FitScene):
    label = say("The attention heatmap, the effective number of keys of each row, and one row as a query in the fit")
    invitation = say("Drag the row: why does the blue run down to the right?")
    titles = {"fit": say("Big dots: averaged"), "heat": say("Weights, a row for each query")}
    controls = {"sigma": make.width(inverse="w = 1/σ"),
                "sorted": lambda _: make.pick(SORTED, np.linspace(0, 1, 13), 1, lambda share: f"{100 * share:.0f} %")}
    play = ("sorted", 67)
    more = {**make.SAMPLE, "crowd": make.of_sample(lambda _: make.switch(say("crowd half of the keys left"))),
            "query": make.query, "kernel": make.kernel}
    presets = {say("needle"): {"sigma": 0.03}, say("river"): {"sigma": 2.0}, SHUFFLED: {"sorted": 0.0}}
    sample_kind, heat_kind = ReadingSample, OrderedHeat
    keys = ("ArrowUp", "ArrowDown")
    longest, movable, demo = 260, "fit", ("query", 36, 8)
    lesson_asks = tuple({"sorted": step / 12} for step in range(0, 12, 2))
    layouts = (
        Layout(("heat count", "fit fit"), (1, 0.4), (1.4, 1), height=660, gap_y=76, right=30),
        Layout(("heat count fit",), (1.6, 0.42, 1.15), (1,), height=390, room=WIDE, gap_x=72),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.order, count = None, self.panels["count"]
        count.label(say("Effective keys"), say("how many count"), x_ink=palette.KEY_INK, xscale="log", yticks=[])
        count.xaxis.set_major_formatter(short)
        count.xaxis.set_minor_locator(NullLocator())

    def given(self) -> dict | None:
        return super().given() if self.order == SORTED else None    # rows and columns as redraw.js has them

    def update(self, state: dict) -> str:
        share = state["sorted"]
        self.order = order = {0.0: SHUFFLED, 1.0: SORTED}.get(share, PARTLY)
        n, panel = len(self.data.keys), self.panels["count"]
        if self.changed("arranged", (order, share)):
            self.heat.arrange(self.data, order, share)
            panel.set(xlim=(0.8, 1.25 * n), ylim=self.heat.panel.get_ylim())
            panel.set_xticks([1] + [10] * (n >= 25) + [n] * (n > 1))
        row = self.show_fit(state)
        heights, self.effective = self.heat.heights, effective_keys(self.weights)                    # (m,) each
        panel.pieces("lines", *(np.column_stack(np.broadcast_arrays(x, heights)) for x in (0.8, self.effective)),
                     "#7DB4DA", 1.4, shows="effective lines")
        self.heads = panel.marks("heads", self.effective, heights, palette.KEY, 3.0, markeredgecolor=palette.KEY,
                                 gid=ACROSS, shows="effective keys")
        self.now = panel.marks("now", self.effective[[row]], heights[[row]], palette.QUERY, 7, zorder=6,
                               label="_nolegend_", shows="effective now")
        return self._sentence(state["sigma"], order, row)

    def _sentence(self, sigma: float, order: str, row: int) -> str:
        """Point out in the fit what the width or the order did, and say it."""
        data, effective, (m, n) = self.data, self.effective, self.weights.shape
        x, answer = self.fit.marked
        place, band = words.at(data, x), words.band(sigma, effective, n)
        framed = say("The orange row, the query at {place}, has no key within reach, and so no answer.", place=place)
        if np.isfinite(answer):
            framed = say("The orange row, the query at {place}, averages about {effective} of {keys}: the answer is "
                         "{answer}.", place=place, effective=words.bold(effective[row], 2), keys=words.keys(n),
                         answer=words.bold(answer))
        note, at = say("in any order:\nthe same curve"), 165
        flat, some = np.sum(effective > 0.8 * n) > m / 2, np.sum(effective > 0) > m / 2        # NaN is neither
        if order == PARTLY:
            said = [say("Rows and columns are on their way from shuffled to sorted, and each row takes its weights "
                        "with it.")]
        elif order == SHUFFLED:
            said = [say("The blue is scattered like a starry sky.") if some and not flat else "",
                    say("Only the order of rows and columns is <b>shuffled</b>: weights, curve and answers are the "
                        "same. Play sorts them again.")]
        elif flat:
            said, note = [band, say("No diagonal is left, and the curve goes flat.")], say(
                "nearly all dots count:\nthe curve goes flat")
        elif np.sum(effective < 2.5) > m / 2:
            said, note = [band, say("The curve chases single dots.")], say("few dots count:\nthe curve chases them")
        else:
            note, at = say("the row's blue cells\nare the big dots"), None
            said = [say("The lower a row, the farther right it asks, and it averages the dots there: so the blue runs "
                        "down to the right.") if some else ""]
        if np.isnan(answer):
            note, at = say("no key in reach"), None
        self.fit.point_out(note, *((self.fit.grid[at], self.fit.curve.get_ydata()[at]) if at else ()))
        return words.joined(*said, words.gaps(int(np.isnan(effective).sum()), m), framed)

    def drags(self):
        rows = Drag("query", y=lambda queries: self.heat.heights)
        row, m = int(np.argmin(np.abs(self.heat.heights - self.now.get_ydata()))), len(self.queries)
        back = Drag("sorted", y=lambda shares: [np.argsort(order_of(m, share, seed=0))[row] + 1 for share in shares])
        return {"heat": rows if self.order == SORTED else back, "count": rows, "fit": Drag("query", x=np.asarray)}

    def step(self, positions, by):
        return self.heat.rows[super().step(self.heat.heights[positions] - 1, by)]  # to the next row as it is drawn
