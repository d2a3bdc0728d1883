"""The first figure: six houses with known prices, and a pin for another one."""
import numpy as np
from matplotlib.path import Path

from nwlab.data import RegressionData
from nwlab.pooling import attention_weights, effective_keys
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import Heat, QueryScene
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import HALO
from workbook.language import say, say_count

NAMES = "ABCDEF"                                                # made up; lesson 01 uses A, C and E again
AREAS = np.array([60.0, 75.0, 90.0, 115.0, 130.0, 155.0])       # (6,) floor areas in m², the keys
PRICES = np.array([150.0, 240.0, 300.0, 280.0, 360.0, 450.0])   # (6,) in thousand euros, the values
QUERIES = np.arange(50.0, 171.0, 2.0)                           # (61,) places of the pin, in m²
WIDTHS = (3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30, 40, 60, 120)                                # in m²
LEFT, BELL, HEAD, PALM = 45.0, 135.0, 52.0, 26.0    # x of the axis of prices; heights of bell, pin's head, and hand
DISC, SPOKE = 19.0, 14.0                # sizes at weight 1, in points: a disc on that axis, and a spoke

HOUSE = Path([(-1, -0.9), (1, -0.9), (1, 0.25), (1.3, 0.25), (0, 1.3), (-1.3, 0.25), (-1, 0.25), (-1, -0.9)],
             [1, 2, 2, 2, 2, 2, 2, 79])
PIN = Path([(0, 0), (-0.12, 0.25), (-0.36, 0.42), (-0.36, 0.64), (-0.36, 0.84), (-0.2, 1), (0, 1), (0.2, 1),
            (0.36, 0.84), (0.36, 0.64), (0.36, 0.42), (0.12, 0.25), (0, 0), (0, 0)], [1, *[4] * 12, 79])


def houses(**start) -> Explorer:
    """A live figure: a pin among six houses, and what a house of its floor area is worth.

    Spokes from the pin are as thick as the weights, and a bar of length 1 is divided by them. On the axis of prices,
    discs as large as the weights balance at the answer. Each place of the pin uncovers its row of the heatmap. start:
    values of the controls query and sigma.
    """
    return Explorer(HousesScene(), start)


class HousesScene(QueryScene):
    label = say("Six houses by floor area and price, a pin where yours stands, and the weights that make its price")
    invitation = say("Drag the pin: what is this house worth?")
    longest, queries = 200, QUERIES
    across = {"houses": Drag("query", x=np.asarray, y=lambda places: np.full(len(places), PALM))}  # at the pin
    controls = {"query": lambda _: make.pick(say("floor area"), QUERIES, 100, "{:.0f} m²".format, colour="query"),
                "sigma": lambda _: make.pick(say("width σ"), WIDTHS, 15, "{:.0f} m²".format, colour="key")}
    presets = {say("nearest only"): {"sigma": 3}, say("all alike"): {"sigma": 120}, say("beyond F"): {"query": 170}}
    demo = ("query", 8, 45)                             # to 66 and to 140 m²
    layouts = (
        Layout(("houses", "bar", "heat"), (1,), (230, 22, 130), height=580, gap_y=60, right=30),
        Layout(("houses heat", "bar heat"), (2.05, 1), (11, 1), height=408, room=WIDE, gap_x=70, gap_y=74, right=30),
    )

    def __init__(self):
        super().__init__()
        panel, bar, heat = (self.panels[name] for name in ("houses", "bar", "heat"))
        panel.label(say("Six houses and their prices"), say("floor area in m²"), x_ink=palette.KEY_INK,
                    xlim=(LEFT, LEFT + 144), ylim=(0, 620), yticks=[])
        panel.set_xticks(AREAS, [f"{area:.0f}" for area in AREAS], color=palette.KEY_INK)
        panel.tick_params(axis="x", length=0, pad=8)
        panel.spines["left"].set(visible=True, linewidth=1.6)
        panel.corner(say("price in thousand €"), palette.VALUE_INK)
        for_numbers = {"color": palette.KEY, "linestyle": "none"}  # for the tables: each house is drawn by itself
        panel.plot(AREAS, PRICES, label=say("price in thousand €"), **for_numbers)
        self.column, = panel.plot(AREAS, PRICES, label=say("weight α"), **for_numbers)
        bar.label(say("Weights α: six shares of 1"), xlim=(0, 1), ylim=(0, 1), yticks=[])
        bar.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        bar.spines[:].set_visible(False)
        self.heat = Heat(heat, say("Each place adds a row"))
        self.heat.sample(RegressionData(AREAS, PRICES, QUERIES, QUERIES, None, 0.0))
        heat.set(xlabel=say("house"), ylabel=say("floor area of the query"))
        heat.set_xticks(range(1, 7), NAMES)
        heat.set_yticks([0, 25, 60], ["50", "100", "170"])
        for part in (*heat.texts, heat.images[-1]):                         # its scale, as the bar has the same colours
            part.set_visible(False)
        self.tags[self.heat.image] = ["visited", "heat"]
        self.move(*heat.spines.values())                                    # above the rows

    def update(self, state: dict) -> str:
        query, sigma = state["query"], state["sigma"]
        row, places = self.row_of(query), np.linspace(50, 170, 241)         # every fourth is a query
        all_weights = attention_weights(places, AREAS, bandwidth=sigma)                                     # (241, 6)
        weights = all_weights[4 * row]                                                                      # (6,)
        answer, effective = float(weights @ PRICES), float(effective_keys(weights[None])[0])
        self.curve = self.panels["houses"].line("estimate", places, all_weights @ PRICES, linewidth=2.2, zorder=2.5,
                                                label=say("estimate"))
        self.tags[self.curve] = ["visited", "houses"]
        self.heat.show(all_weights[::4], row)
        self._show_pin(query, sigma, answer)
        self._show_weights(query, weights, answer)
        self._show_note(query, weights, answer, effective)
        return self._sentence(query, weights, answer, effective)

    def _show_pin(self, query: float, sigma: float, answer: float) -> None:
        panel, around = self.panels["houses"], np.linspace(-3, 3, 61)
        bell, shoulder = BELL * np.exp(-around**2 / 2), BELL * np.exp(-0.5)
        x = query + sigma * around
        self.bell = panel.area("bell", [(x[0], 0), *zip(x, bell), (x[-1], 0)], facecolor=palette.KEY + "1A",
                               edgecolor=palette.KEY)
        panel.stems("stems", AREAS, 0, BELL * np.exp(-((query - AREAS) / sigma) ** 2 / 2), palette.KEY, 1.6, zorder=1.5)
        panel.line("way", [query, query, LEFT], [HEAD, answer, answer], palette.QUERY, linewidth=1.3, zorder=3,
                   solid_capstyle="butt", label="_nolegend_")
        side = -1 if query - sigma > LEFT + 5 else 1                        # where there is room
        panel.line("arrow", [query + side * sigma, query], [shoulder] * 2, palette.KEY_INK, linewidth=1.2, zorder=3,
                   marker="|", markersize=7, solid_capstyle="butt", label="_nolegend_")
        self.answer = panel.marks("answer", [query], [answer], palette.QUERY, 9, markeredgewidth=1.5, zorder=8,
                                  label=say("answer"))
        panel.marks("fulcrum", [LEFT - 1.5], [answer], palette.QUERY, 10, ">", zorder=8, clip_on=False,
                    label="_nolegend_")
        panel.marks("pin", [query], [0], palette.QUERY, 46, PIN, zorder=9, clip_on=False, label="_nolegend_")
        panel.words("σ", query + side * sigma, shoulder, "σ", (5 * side, 5), color=palette.KEY_INK, size=12,
                    ha="right" if side < 0 else "left", va="center", zorder=9)
        bold = {"va": "center", "zorder": 9, "weight": "bold"}
        panel.words("?", query, HEAD, "?", (0, 0), ha="center", color=palette.PAPER, **bold)
        self.worth = panel.words("worth", LEFT, answer, f"{answer:.0f}", (-14, 0), ha="right", fontsize=12,
                                 annotation_clip=False, color=palette.QUERY_INK, **bold)
        end = bool((LEFT + 144 - query) * panel.bbox.width < 58 * panel.figure.dpi)
        self.area = panel.words("area", query, HEAD, f"{query:.0f} m²", (-11, 2) if end else (11, 7),
                                ha=("left", "right")[end], bbox={**HALO, "alpha": 0.9}, color=palette.QUERY_INK, **bold)

    def _show_weights(self, query: float, weights: np.ndarray, answer: float) -> None:
        """The marks of each house: while the reader points at its term in the formula, all other marks are faint."""
        self.column.set_ydata(weights)
        panel, bar, middle = self.panels["houses"], self.panels["bar"], {"ha": "center", "zorder": 6}
        ends, colours, halo = np.cumsum(weights), self.heat.image.cmap(np.sqrt(weights)), {**HALO, "alpha": 1}
        self.spokes, self.discs, self.shares = [], [], []
        glyph, size = {"clip_on": False, "label": "_nolegend_"}, min(26, panel.bbox.width / panel.figure.dpi * 100 / 13)
        for i, (name, area, price, weight) in enumerate(zip(NAMES, AREAS, PRICES, weights)):
            seen = {"visible": weight > 0.003}
            lifted = area < query and 30 < answer - price < 75              # onto the line of the answer
            self.spokes.append(panel.line(("spoke", i), [query, area], [HEAD, price], palette.KEY, zorder=2, alpha=0.55,
                                          linewidth=SPOKE * weight, solid_capstyle="butt", label="_nolegend_", **seen))
            self.discs.append(panel.marks(("disc", i), [LEFT], [price], palette.KEY, DISC * np.sqrt(weight), zorder=7,
                                          **glyph, **seen))
            self.shares.append(bar.box(i, ends[i] - weight, 0, weight, 1, edgecolor=palette.PAPER, linewidth=1.5,
                                       facecolor=colours[i], **seen))
            marks = (self.spokes[i], self.discs[i], self.shares[i],
                     panel.marks(("house", i), [area], [price], palette.VALUE_INK, size, HOUSE, zorder=5, **glyph),
                     panel.words(("name", i), area, price - 6, name, color=palette.PAPER, va="center", size=9,
                                 weight=700, **middle),
                     panel.words(("price", i), area, answer if lifted else price, f"{price:.0f}",
                                 (0, 3 if lifted else 11), va="bottom", bbox=halo, color=palette.VALUE_INK, **middle),
                     bar.words(("letter", i), ends[i] - weight / 2, 0.46, name, ha="center", va="center", weight="bold",
                               color=palette.PAPER if weight > 0.3 else palette.INK, visible=weight > 0.06))
            self.tags |= dict.fromkeys(marks, ["named", name])

    def _show_note(self, query: float, weights: np.ndarray, answer: float, effective: float) -> None:
        most = int(np.argmax(weights))
        about = AREAS[most], PRICES[most] + 80                              # above the price of that house
        if effective > 5.95:
            note, about = say("all six nearly alike:\nnear their mean, 297"), (query, answer)
        elif query > AREAS[-1]:
            note, about = say("no house is larger:\nthe answer is at most F"), ()
        elif query < AREAS[0]:
            note = say("no house is smaller:\nthe answer is at least A")
        else:
            note = (say("{house} counts almost alone:\nthe answer is near it", house=NAMES[most])
                    if weights[most] > 0.97 else say("{house} is most like it,\nso it counts most", house=NAMES[most]))
        self.note = self.panels["houses"].note(note, *about, near=(0.018, 0.89) if query < 148 else (0.34, 0.99))

    def _sentence(self, query: float, weights: np.ndarray, answer: float, effective: float) -> str:
        terms = [f'<span data-mark="{name}">{words.key(f"{weight:.2f}")} × {words.value(f"{price:.0f}")}</span>'
                 for name, weight, price in zip(NAMES, weights, PRICES)]
        formula = f"f({words.query(f'{query:.0f}')}) = {' + '.join(terms)} ≈ <b>{words.query(f'{answer:.0f}')}</b>"
        number = words.bold(effective, 2)
        count = say_count("{number} house counts", "{number} houses count", 1 if number == words.bold(1) else 2,
                          number=number)
        return words.joined(f'<span class="wb-formula">{formula}</span>', say(
            "Far houses count nearly as much as near ones, about a sixth each: the answer is near the mean price, "
            "{mean}.",
            mean=words.bold(PRICES.mean(), 3)) if effective > 5.95 else say(
            "House {most} counts most, with {share} % of the weight; in effect, {count}.",
            most=words.value(NAMES[int(np.argmax(weights))]), share=words.bold(100 * weights.max(), 2), count=count))
