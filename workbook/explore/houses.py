"""The first figure: six houses with known prices, and a pin for another one."""
import numpy as np
from matplotlib.patches import Polygon, Rectangle
from matplotlib.path import Path

from nwlab.data import RegressionData
from nwlab.pooling import attention_weights, effective_keys
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import HALO, Heat, Note, QueryScene, broken_line, carry, corner, line, marks, set_stems
from workbook.figures.live import WIDE, Explorer, Layout

NAMES = "ABCDEF"                                                # made up; lesson 01 uses A, C and E again
AREAS = np.array([60.0, 75.0, 90.0, 115.0, 130.0, 155.0])       # (6,) floor areas in m², the keys
PRICES = np.array([150.0, 240.0, 300.0, 280.0, 360.0, 450.0])   # (6,) in thousand euros, the values
QUERIES = np.arange(50.0, 171.0, 2.0)                           # (61,) places of the pin, in m²
WIDTHS = (3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30, 40, 50, 60)                                 # in m²
LEFT, BELL, HEAD = 45.0, 135.0, 52.0    # x of the axis of prices; heights of the bell and of the pin's head
DISC, SPOKE = 19.0, 14.0                # sizes at weight 1, in points: a disc on that axis, and a spoke

HOUSE = Path([(-1, -0.9), (1, -0.9), (1, 0.25), (1.3, 0.25), (0, 1.3), (-1.3, 0.25), (-1, 0.25), (-1, -0.9)],
             [1, 2, 2, 2, 2, 2, 2, 79])
PIN = Path([(0, 0), (-0.12, 0.25), (-0.36, 0.42), (-0.36, 0.64), (-0.36, 0.84), (-0.2, 1), (0, 1), (0.2, 1),
            (0.36, 0.84), (0.36, 0.64), (0.36, 0.42), (0.12, 0.25), (0, 0), (0, 0)], [1, *[4] * 12, 79])


def houses():
    """A live figure: a pin among six houses, and what a house of its floor area is worth.

    Spokes from the pin are as thick as the weights, and a bar of length 1 is divided by them. On the axis of prices,
    discs as large as the weights balance at the answer. Each place of the pin uncovers its row of the heatmap. Returns
    an `Explorer`.
    """
    area = "{:.0f} m²".format
    return Explorer(
        HousesScene(), {"query": make.pick("floor area", QUERIES, 100, area),
                        "sigma": make.pick("width σ", WIDTHS, 15, area)},
        presets={"nearest only": {"sigma": 3}, "neighbours": {"sigma": 15}, "all alike": {"sigma": 60},
                 "beyond F": {"query": 170}})


def glyph(panel, colour, size: float, shape, zorder: float):
    """A mark of this shape, not clipped, still without a place."""
    return broken_line(panel, colour, 0, linestyle="none", marker=shape, markersize=size, clip_on=False,
                       markeredgecolor=palette.PAPER, zorder=zorder)


class HousesScene(QueryScene):
    label = "Six houses by floor area and price, a pin where yours stands, and the weights that make its price"
    invitation = "Drag the pin: what is this house worth?"
    longest = 200
    across = {"houses": "query"}
    queries = QUERIES
    demo = ("query", 8, 45)                             # to 66 and to 140 m²
    layouts = (
        Layout(("houses", "bar", "heat"), (1,), (230, 22, 130), height=580, gap_y=60),
        Layout(("houses heat", "bar heat"), (2.05, 1), (11, 1), height=404, room=WIDE, gap_x=70, gap_y=60),
    )

    def __init__(self):
        super().__init__()
        self._draw_houses(self.panels["houses"])
        self._draw_pin(self.panels["houses"])
        self._draw_bar(self.panels["bar"])
        self._draw_heat(self.panels["heat"])

    def _move_together(self, name: str, *artists) -> None:
        """The marks of one house: while the reader points at its term in the formula, all other marks are faint."""
        self.tags |= dict.fromkeys(artists, ["named", name])
        self.move(*artists)

    def _draw_houses(self, panel) -> None:
        panel.set_title("Six houses and their prices", loc="left")
        panel.set(xlim=(LEFT, LEFT + 130), ylim=(0, 620), yticks=[])
        panel.set_xlabel("floor area in m²", color=palette.KEY_INK)
        panel.set_xticks(AREAS, [f"{area:.0f}" for area in AREAS], color=palette.KEY_INK)
        panel.tick_params(axis="x", length=0)
        panel.spines["left"].set_linewidth(1.6)
        corner(panel, "price in thousand €", palette.VALUE_INK)
        for_numbers = {"color": palette.KEY, "linestyle": "none"}  # for the tables: each house is drawn by itself
        panel.plot(AREAS, PRICES, label="price in thousand €", **for_numbers)
        self.column, = panel.plot(AREAS, PRICES, label="weight α", **for_numbers)
        self.spokes, self.discs, middle = [], [], {"ha": "center", "zorder": 6}
        for name, area, price in zip(NAMES, AREAS, PRICES):
            self.spokes.append(broken_line(panel, palette.KEY, 1, zorder=2, alpha=0.55))
            self.discs.append(glyph(panel, palette.KEY, 1, "o", 7))
            self.discs[-1].set_data([LEFT], [price])
            house = glyph(panel, palette.VALUE_INK, 26, HOUSE, 5)
            house.set_data([area], [price])
            letter = panel.text(area, price - 6, name, color=palette.PAPER, va="center", size=9, weight=700, **middle)
            worth = panel.annotate(f"{price:.0f}", (area, price), (0, 11), textcoords="offset points", va="bottom",
                                   color=palette.VALUE_INK, bbox={**HALO, "alpha": 1}, **middle)
            self._move_together(name, self.spokes[-1], self.discs[-1], house, letter, worth)

    def _draw_pin(self, panel) -> None:
        self.bell = panel.add_patch(Polygon(np.zeros((2, 2)), facecolor=palette.KEY + "1A", edgecolor=palette.KEY))
        self.stems = broken_line(panel, palette.KEY, 1.6, zorder=1.5)
        self.curve = line(panel, palette.INK, linewidth=2.2, zorder=2.5, label="estimate")
        self.way = broken_line(panel, palette.QUERY, 1.3, zorder=3)
        self.arrow = broken_line(panel, palette.KEY_INK, 1.2, zorder=3, marker="|", markersize=7)
        self.note = Note(self, panel, at=(0.018, 0.89))
        self.answer = marks(panel, palette.QUERY, 9, markeredgewidth=1.5, zorder=8, label="answer")
        self.fulcrum = glyph(panel, palette.QUERY, 10, ">", 8)
        self.pin = glyph(panel, palette.QUERY, 46, PIN, 9)
        beside = {"textcoords": "offset points", "va": "center", "zorder": 9}
        query = {"color": palette.QUERY_INK, "weight": "bold", **beside}
        self.question = panel.annotate("?", (0, 0), (0, 0), ha="center", **{**query, "color": palette.PAPER})
        self.sigma = panel.annotate("σ", (0, 0), (-5, 0), color=palette.KEY_INK, ha="right", fontsize=12, **beside)
        self.worth = panel.annotate("", (0, 0), (-14, 0), ha="right", fontsize=12, annotation_clip=False, **query)
        self.area = panel.annotate("", (0, 0), (11, 0), bbox={**HALO, "alpha": 1}, **query)
        self.tags[self.curve] = ["visited", "houses"]
        self.move(self.curve, self.bell, self.stems, self.way, self.arrow, self.sigma, self.answer,
                  self.fulcrum, self.pin, self.question, self.worth, self.area)

    def _draw_bar(self, panel) -> None:
        panel.set_title("Weights α: six shares of 1", loc="left")
        panel.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
        panel.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        panel.spines[:].set_visible(False)
        self.shares, self.letters = [], []
        for name in NAMES:
            self.shares.append(panel.add_patch(Rectangle((0, 0), 0, 1, edgecolor=palette.PAPER, linewidth=1.5)))
            self.letters.append(panel.text(0, 0.46, name, ha="center", va="center", weight="bold"))
            self._move_together(name, self.shares[-1], self.letters[-1])

    def _draw_heat(self, panel) -> None:
        self.heat = Heat(self, panel, "Each query is a row")
        self.heat.sample(RegressionData(AREAS, PRICES, QUERIES, QUERIES, None, 0.0))
        panel.set(xlabel="house", ylabel="floor area of the query")
        panel.set_xticks(range(1, 7), NAMES)
        panel.set_yticks([0, 25, 60], ["50", "100", "170"])
        for part in (*panel.texts, panel.images[-1]):                       # its scale, as the bar has the same colours
            part.set_visible(False)
        panel.text(0.5, 0.02, "Sweep the pin:\neach place adds its row.", color=palette.MUTED, ha="center", size=9,
                   transform=panel.transAxes, zorder=-1)                    # until the rows cover it
        self.tags[self.heat.image] = ["visited", "heat"]
        self.move(*panel.spines.values())                                   # above the rows

    def update(self, state: dict) -> str:
        query, sigma = state["query"], state["sigma"]
        if self.changed("sigma", sigma):
            self.weights = attention_weights(QUERIES, AREAS, bandwidth=sigma)                               # (61, 6)
            places = np.linspace(50, 170, 241)
            self.curve.set_data(places, attention_weights(places, AREAS, bandwidth=sigma) @ PRICES)
        row = self.row_of(query)
        weights = self.weights[row]                                                                         # (6,)
        answer, effective = float(weights @ PRICES), float(effective_keys(weights[None])[0])
        self.heat.show(self.weights, row)
        self._show_pin(query, sigma, answer)
        self._show_weights(query, weights)
        self._show_note(query, weights, answer, effective)
        return self._sentence(query, weights, answer, effective)

    def _show_pin(self, query: float, sigma: float, answer: float) -> None:
        around = np.linspace(-3, 3, 61)
        bell = np.column_stack([query + sigma * around, BELL * np.exp(-around**2 / 2)])
        self.bell.set_xy([(bell[0, 0], 0), *bell, (bell[-1, 0], 0)])
        set_stems(self.stems, AREAS, BELL * np.exp(-((query - AREAS) / sigma) ** 2 / 2))
        self.arrow.set_data([query - sigma, query], [BELL * np.exp(-0.5)] * 2)
        carry(self.sigma, query - sigma, BELL * np.exp(-0.5))
        self.pin.set_data([query], [0])
        carry(self.question, query, HEAD)
        side, ha = (11, "left") if query < 148 else (-11, "right")          # where there is room
        carry(self.area, query, HEAD, text=f"{query:.0f} m²", position=(side, 0), ha=ha)
        self.way.set_data([query, query, LEFT], [HEAD, answer, answer])
        self.answer.set_data([query], [answer])
        self.fulcrum.set_data([LEFT - 1.5], [answer])
        carry(self.worth, LEFT, answer, text=f"{answer:.0f}")

    def _show_weights(self, query: float, weights: np.ndarray) -> None:
        self.column.set_ydata(weights)
        ends, colours = np.cumsum(weights), self.heat.image.cmap(np.sqrt(weights))
        for i in range(6):
            self.letters[i].set_visible(weights[i] > 0.06)
            for artist in (self.spokes[i], self.discs[i], self.shares[i]):
                artist.set_visible(weights[i] > 0.003)
            self.spokes[i].set(data=([query, AREAS[i]], [HEAD, PRICES[i]]), linewidth=SPOKE * weights[i])
            self.discs[i].set_markersize(DISC * np.sqrt(weights[i]))
            self.shares[i].set(bounds=(ends[i] - weights[i], 0, weights[i], 1), facecolor=colours[i])
            self.letters[i].set(x=ends[i] - weights[i] / 2, color=palette.PAPER if weights[i] > 0.3 else palette.INK)

    def _show_note(self, query: float, weights: np.ndarray, answer: float, effective: float) -> None:
        most, about = int(np.argmax(weights)), (query, answer)
        if effective > 5:
            note = "all six houses count,\nthe near ones still most"
        elif query > AREAS[-1]:
            note = "no house is larger:\nthe answer is at most F"
        elif query < AREAS[0]:
            note = "no house is smaller:\nthe answer is at least A"
        else:
            about = AREAS[most], PRICES[most] + 70                          # above the price of that house
            note = f"{NAMES[most]} is most like it,\nso it counts most"
            if weights[most] > 0.97:
                note = f"{NAMES[most]} counts almost alone:\nthe answer is near it"
        self.note.say(note, *about)

    def _sentence(self, query: float, weights: np.ndarray, answer: float, effective: float) -> str:
        terms = [f'<span data-mark="{name}">{words.key(f"{weight:.2f}")} × {words.value(f"{price:.0f}")}</span>'
                 for name, weight, price in zip(NAMES, weights, PRICES)]
        formula = f"f({words.query(f'{query:.0f}')}) = {' + '.join(terms)} = <b>{words.query(f'{answer:.0f}')}</b>"
        most, count = words.value(NAMES[int(np.argmax(weights))]), words.bold(effective, 2)
        return (f'<span class="wb-formula">{formula}</span> '
                f"House {most} counts most, with {words.bold(100 * weights.max(), 2)} % of the weight; "
                f"in effect, {count} {'house counts' if count == words.bold(1) else 'houses count'}.")
