"""How to read the attention heatmap: what the order of its rows, its band and its slope say."""
from dataclasses import replace

import numpy as np
from matplotlib.ticker import NullLocator

from nwlab.data import make_regression
from nwlab.pooling import effective_keys
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import FitScene, Heat, tick
from workbook.explore.sample import RegressionSample, key_limits
from workbook.figures.interactions import Drag
from workbook.figures.live import PHONE, WIDE, Explorer, Layout
from workbook.figures.panel import HALO, short
from workbook.figures.tables import ACROSS
from workbook.language import say

SORTED, PARTLY, SHUFFLED, TO_SCALE = say("sorted"), say("partly sorted"), say("shuffled"), say("to scale")
ORDERS = {
    SORTED: say("Sorted by position, near pairs lie along a line."),
    "crowded": say("Half of the keys <b>crowd at the left</b>: rows there have more in reach, most others fewer."),
    PARTLY: say("Both are on their way from shuffled to sorted, and each row takes its weights with it."),
    SHUFFLED: say("Both are <b>shuffled</b>, so near pairs lie anywhere, as in a starry sky. The weights and the fit "
                  "are the same. Drag the framed row back, or press play."),
    TO_SCALE: say("Both stand at their own x, so near pairs lie along a straight diagonal, however dense the keys "
                  "are."),
}
PIXELS = 400                                            # of each side of the heatmap to scale, about as on the page


def heatmap(data=None, **start) -> Explorer:
    """A live figure: how to read the attention heatmap, sorted, shuffled, or with each row and column at its own x.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls sigma, sorted (from 0, shuffled, to 1), query, kernel, scale (True: rows and columns to
    scale), n, noise, seed and crowd.
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


def cells_to_scale(points: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """The borders (n + 1,) of the cells of sorted points (n,), halfway between neighbours, from low to high; and the
    cell of each of `PIXELS` equal pixels, (PIXELS,)."""
    middles, centres = (points[1:] + points[:-1]) / 2, low + (np.arange(PIXELS) + 0.5) / PIXELS * (high - low)
    return np.concatenate([[low], middles, [high]]), np.searchsorted(middles, centres, side="right")


def order_of(k: int, share: float, seed: int) -> np.ndarray:
    """A permutation (k,) between a shuffle (share 0) and the sorted order (share 1)."""
    shuffle = np.random.default_rng(seed).permutation(k)
    return np.argsort((1 - share) * shuffle + share * np.arange(k), kind="stable")


class OrderedHeat(Heat):
    """The heatmap sorted, shuffled or to scale; to scale, it is an image with a weight for each pixel."""

    def arrange(self, data, order: str, share: float) -> None:
        """Put rows and columns in order, with ticks and names; share: how far they are sorted, from 0 to 1."""
        m, n = len(data.queries), len(data.keys)
        self.rows, self.columns = order_of(m, share, seed=0), order_of(n, share, seed=1964)
        self.place = np.argsort(self.rows)              # the row of each query
        self.image.order = () if order == TO_SCALE else (self.place, np.argsort(self.columns))  # so that they travel
        self.row_edges, self.column_edges = np.arange(m + 1) + 0.5, np.arange(n + 1) + 0.5
        cells = self.rows, self.columns
        if order == TO_SCALE:
            limits = key_limits(data, margin=0.0)
            (self.row_edges, self.column_edges), cells = zip(*(
                cells_to_scale(points, *limits) for points in (data.queries, data.keys)))
        self._cells = np.ix_(*cells)
        self.heights = (self.row_edges[1:] + self.row_edges[:-1])[self.place] / 2       # (m,): middles of queries' rows
        left, right, top, bottom = *self.column_edges[[0, -1]], *self.row_edges[[0, -1]]
        self.image.set_extent((left, right, bottom, top))
        self.panel.set(xlim=(left, right), ylim=(bottom, top))
        across, up, both = (text.format(order=order, name=data.key_name) for text in (
            (say("keys at their {name}"), say("queries at their {name}"), say("query by key at their {name}"))
            if order == TO_SCALE else (say("keys, {order}"), say("queries, {order}"), say("query by key, {order}"))))
        self.panel.set_xlabel(across, labelpad=18 if share < 1 else 4)
        self.panel.set_ylabel(up)
        self.image.set_label(both)
        for axis, count, (low, high) in ((self.panel.xaxis, n, (left, right)), (self.panel.yaxis, m, (top, bottom))):
            numbers, places = sorted({1, (count + 1) // 2, count}), [low, (low + high) / 2, high]
            shown, name = {SORTED: (numbers, str), TO_SCALE: (places, tick)}.get(order, ([], str))
            axis.set_ticks(shown, [name(x) for x in shown])

    def show(self, weights: np.ndarray, row: int) -> None:
        """Draw the weights (m, n), queries and keys ascending, with a frame around this query."""
        self.image.set_data(weights[self._cells])
        (top, bottom), (left, right) = self.row_edges[self.place[row] + np.arange(2)], self.column_edges[[0, -1]]
        self.frame_row(left, top, right - left, bottom - top)


class HeatmapScene(FitScene):
    label = say("The attention heatmap, the effective number of keys of each row, and one row as a query in the fit")
    invitation = say("Drag the orange row: which green dots does it average?")
    titles = {"fit": say("Big dots: averaged"), "stem": say("The framed row"), "heat": say("Attention weights")}
    controls = {"sigma": make.width(inverse="w = 1/σ"),
                "sorted": lambda _: make.pick(SORTED, np.linspace(0, 1, 13), 1, "{:.0%}".format)}
    play = ("sorted", 67)
    more = {**make.SAMPLE, "crowd": make.of_sample(lambda _: make.switch(say("crowd half of the keys left"))),
            "query": make.query, "kernel": make.kernel,
            "scale": lambda _: make.switch(TO_SCALE, needs=("sorted", 12))}
    presets = {say("needle"): {"sigma": 0.03}, say("river"): {"sigma": 2.0}, say("starry sky"): {"sorted": 0.0},
               say("crowded left"): {"crowd": True}}
    sample_kind, heat_kind, common_scale = ReadingSample, OrderedHeat, True
    keys = ("ArrowUp", "ArrowDown")
    longest, movable = 310, "fit"
    demo = ("query", 36, 8)
    lesson_asks = tuple({"sorted": step / 12} for step in range(0, 12, 2))
    layouts = (
        Layout(("heat", "fit", "stem", "count"), (1,), (240, 200, 130, 240), height=1000, gap_y=72),
        Layout(("heat heat count", "fit stem stem"), (1, 0.03, 0.7), (1.5, 1), height=660, room=PHONE, gap_y=76),
        Layout(("heat count fit", "heat count stem"), (2.1, 0.43, 0.95), (1.7, 1), height=394, room=WIDE, gap_x=60,
               bare=("fit",)),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.order, self.travels, count = None, False, self.panels["count"]
        count.label(say("Effective keys"), "1 / Σ α²", x_ink=palette.KEY_INK, xscale="log")
        count.xaxis.set_major_formatter(short)
        count.xaxis.set_minor_locator(NullLocator())
        count.yaxis.set_major_locator(NullLocator())

    def given(self) -> dict | None:
        return super().given() if self.order == SORTED else None    # rows and columns as redraw.js has them

    def update(self, state: dict) -> str:
        share = state["sorted"]
        order = {0.0: SHUFFLED, 1.0: TO_SCALE if state["scale"] else SORTED}.get(share, PARTLY)
        self.order, self.travels = order, share < 1
        if self.changed("arranged", (order, share)):
            self.heat.arrange(self.data, order, share)
            n, panel = len(self.data.keys), self.panels["count"]
            panel.set(xlim=(0.8, 1.25 * n), ylim=self.heat.panel.get_ylim())
            panel.set_xticks([1] + [10] * (n >= 25) + [n] * (n > 1))
        row = self.show_fit(state)
        self._show_count(row)
        self._show_note(row)
        return self._sentence("crowded" if order == SORTED and state.get("crowd") else order, row)

    def _show_count(self, row: int) -> None:
        """A line for each row of the heatmap: the effective number of keys of its query, from 1 to n."""
        heights, panel = self.heat.heights, self.panels["count"]
        self.effective = effective_keys(self.weights)                                                       # (m,)
        panel.pieces("lines", *(np.column_stack(np.broadcast_arrays(x, heights)) for x in (0.8, self.effective)),
                     "#7DB4DA", 1.4, shows="effective lines")
        self.heads = panel.marks("heads", self.effective, heights, palette.KEY, 3.0, markeredgecolor=palette.KEY,
                                 gid=ACROSS, shows="effective keys")
        self.now = panel.marks("now", self.effective[[row]], heights[[row]], palette.QUERY, 7, zorder=6,
                               label="_nolegend_", shows="effective now")
        # A line from the shuffled row to its answer, which stays where it was, if the panels are side by side.
        fit = self.fit.panel
        begin = fit.transData.inverted().transform(panel.transData.transform(self.now.get_xydata()))
        self.spoke = fit.line("spoke", *np.concatenate([begin, self.fit.answer.get_xydata()]).T, palette.QUERY,
                              linewidth=1.2, clip_on=False, zorder=5, label="_nolegend_",
                              visible=self.travels and panel.bbox.x1 < fit.bbox.x0)

    def _show_note(self, row: int) -> None:
        """A note at the darkest cell of the framed row."""
        weights = self.weights[row]                                                                         # (n,)
        most = int(np.argmax(weights))
        column = int(np.argmax(self.heat.columns == most)) + np.arange(2)
        text = say("darkest: the key nearest\nto this row's query")
        if np.isnan(weights[most]):
            text = say("no key in reach of\nthis row's query")
        elif self.effective[row] > 0.8 * len(weights):
            text = say("nearly all keys\ncount in this row")
        elif np.sum(weights > (1 - 1e-9) * weights[most]) > 1:
            text = say("all keys in reach\ncount alike")
        self.note = self.heat.panel.note(text, np.mean(self.heat.column_edges[column]), self.heat.heights[row],
                                         at=(0.98, 0.97), ha="right", bbox={**HALO, "pad": 1})

    def _sentence(self, order: str, row: int) -> str:
        data, effective, (m, n) = self.data, self.effective, self.weights.shape
        (x, answer), queries, keys = self.fit.marked, words.query(say("queries")), words.key(say("keys"))
        place, begin = words.at(data, x), say("Rows are {queries}, columns are {keys}.", queries=queries, keys=keys)
        if order in (SORTED, "crowded"):
            begin = words.band(effective, n) if self.kernel.has_width and order == SORTED else ""
        framed = say("The framed row, the query at {place}, has no key within reach, and so no answer.", place=place)
        if np.isfinite(answer):
            framed = say("The framed row, the query at {place}, effectively attends to {effective} of {keys}, and the "
                         "answer is {answer}.", place=place, effective=words.bold(effective[row]), keys=words.keys(n),
                         answer=words.bold(answer))
        return words.joined(
            begin, ORDERS[order], "" if self.kernel.has_width else words.no_width(self.kernel, n),
            words.gaps(int(np.isnan(effective).sum()), m), framed)

    def drags(self):
        rows = Drag("query", y=lambda queries: self.heat.heights)
        row, m = int(np.argmin(np.abs(self.heat.heights - self.now.get_ydata()))), len(self.queries)
        back = Drag("sorted", y=lambda shares: [np.argsort(order_of(m, share, seed=0))[row] + 1 for share in shares])
        return {"heat": back if self.travels else rows, "count": rows} | {
            panel: drag for panel, drag in super().drags().items() if panel != "heat"}

    def step(self, positions, by):
        return self.heat.rows[super().step(self.heat.place[positions], by)]  # to the next row as it is drawn
