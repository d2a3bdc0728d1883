"""Six houses, a pin, and what a house is worth by its likeness to those whose price is known: the first figure of all."""
import numpy as np
from matplotlib.path import Path
from matplotlib.patches import Polygon, Rectangle

from nwlab import palette
from nwlab.data import RegressionData
from nwlab.explore import controls as make, words
from nwlab.explore.parts import Heat, QueryScene, broken_line, corner, length_of, line, marks, set_stems
from nwlab.pooling import attention_weights, effective_keys
from workbook.figures.controls import check_number
from workbook.figures.live import PHONE, WIDE, Explorer, Layout

NAMES = "ABCDEF"
AREAS = np.array([60.0, 75.0, 90.0, 115.0, 130.0, 155.0])                   # (6,) floor areas in m², the keys
PRICES = np.array([150.0, 240.0, 300.0, 280.0, 360.0, 450.0])               # (6,) in thousand euros, the values; made up
QUERIES = np.arange(50.0, 171.0, 2.0)                                       # (61,) where the pin can stand
GRID = np.linspace(50.0, 170.0, 241)                                        # where the curve is drawn
WIDTHS = (3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30, 40, 50, 60)         # of the kernel, in m²
LEFT = 45.0                             # where the axis of prices stands
BELL, HEAD, DISC, SPOKE = 135.0, 52.0, 19.0, 14.0       # heights of bell and pin; points of a disc and a spoke of weight 1

HALO = {"facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
HOUSE = Path([(-1, -0.9), (1, -0.9), (1, 0.25), (1.3, 0.25), (0, 1.3), (-1.3, 0.25), (-1, 0.25), (-1, -0.9)],
             [1, 2, 2, 2, 2, 2, 2, 79])
PIN = Path([(0, 0), (-0.12, 0.25), (-0.36, 0.42), (-0.36, 0.64), (-0.36, 0.84), (-0.2, 1), (0, 1), (0.2, 1),
            (0.36, 0.84), (0.36, 0.64), (0.36, 0.42), (0.12, 0.25), (0, 0), (0, 0)],
           [1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 79])


def houses(sigma=15, query=100):
    """A live figure: a pin among six houses, and what a house of its floor area is worth.

    Spokes from the pin are as thick as the weights; a bar of length 1 is cut into them; on the axis of prices the answer
    is the point at which they balance. Each place of the pin uncovers its row of the heatmap.

    sigma (3 to 60 m²) and query (50 to 170 m²) are where it starts. Returns an `Explorer`.
    """
    label = "{:.0f} m²".format
    check_number("sigma", sigma, above=0)
    return Explorer(
        HousesScene(), {"query": make.pick("floor area", QUERIES, query, label, name="query"),
                        "sigma": make.pick("width σ", WIDTHS, sigma, label, name="sigma")},
        presets={"only the nearest": {"sigma": 3}, "its neighbours": {"sigma": 15}, "all alike": {"sigma": 60},
                 "larger than all": {"query": 170}})


def shaped(panel, colour, size: float, shape: Path, **style):
    """A mark of this shape, still without its place."""
    return line(panel, colour, linestyle="none", marker=shape, markersize=size, markeredgecolor=palette.PAPER,
                clip_on=False, label="_nolegend_", **style)


def carry(words, x: float, y: float) -> None:
    """Bring an annotation to another place, of which it does not tell by itself."""
    words.xy, words.stale = (x, y), True


class HousesScene(QueryScene):
    label = "Six houses by floor area and price, a pin where yours stands, and the weights that make its price"
    longest = 200
    across, down = ("houses",), ("heat",)
    queries = QUERIES
    hand = ("query", 100, 66, 140, 100)
    layouts = (
        Layout(("houses", "bar", "heat"), (1,), (230, 22, 130), height=580, gap_y=60),
        Layout(("houses heat", "bar heat"), (2.05, 1), (11, 1), height=404, room=WIDE, gap_x=70, gap_y=60),
    )

    def __init__(self):
        super().__init__()
        self.place_of_note = (0.0, 0.0)
        self._make_houses(self.panels["houses"])
        self._make_bar(self.panels["bar"])
        self.heat = Heat(self, self.panels["heat"], "Each query is a row")
        self.heat.sample(RegressionData(AREAS, PRICES, QUERIES, QUERIES, None, 0.0, "floor area in m²"))
        panel = self.heat.panel
        panel.set_xticks(range(1, 7), NAMES)
        panel.set_yticks([0, 25, 60], ["50", "100", "170"])
        panel.set(xlabel="house", ylabel="floor area of the query")
        for part in (*panel.texts, panel.images[-1]):                       # its scale: the bar has the same colours
            part.set_visible(False)
        panel.text(0.5, 0.25, "Sweep the pin:\neach place adds its row.", color=palette.MUTED, ha="center",
                   transform=panel.transAxes, zorder=-1)                    # what the rows cover
        self.tags[self.heat.image] = ["visited", "heat"]

    def _make_houses(self, panel) -> None:
        panel.set(xlim=(LEFT, LEFT + 130), ylim=(0, 620), yticks=[])
        self.invitation = panel.set_title("Drag the pin: what is this house worth?", loc="left")
        panel.set_xlabel("floor area in m²", color=palette.KEY_INK)
        panel.set_xticks(AREAS, [f"{area:.0f}" for area in AREAS], color=palette.KEY_INK)
        panel.tick_params(axis="x", length=0)
        panel.spines["left"].set_linewidth(1.6)
        corner(panel, "price in thousand €", palette.VALUE_INK)
        for price in (100, 200, 300, 400):
            panel.axhline(price, color=palette.FAINT, linewidth=0.7, zorder=0)
        self.bell = panel.add_patch(Polygon(np.zeros((2, 2)), facecolor=palette.KEY + "1A", edgecolor=palette.KEY))
        self.curve = line(panel, palette.INK, linewidth=2.2, zorder=2.5, label="estimate")
        self.stems = broken_line(panel, palette.KEY, 1.6, zorder=1.5)
        self.way = line(panel, palette.QUERY, linewidth=1.3, zorder=3, label="_nolegend_")
        self.arrow = line(panel, palette.KEY_INK, linewidth=1.2, zorder=3, label="_nolegend_", marker="|", markersize=7)
        self.sigma = panel.annotate("σ", (0, 0), (-5, 0), textcoords="offset points", color=palette.KEY_INK, ha="right",
                                    va="center", style="italic", fontsize=12)
        self.leader = line(panel, palette.MUTED, linewidth=0.9, zorder=3, label="_nolegend_")
        self.note = panel.text(LEFT + 2.3, 482, "", color=palette.INK, zorder=3, linespacing=1.25)
        self.move(self.bell, self.stems, self.way, self.arrow, self.sigma, self.leader, self.note)
        self.uncover(self.curve)
        self.spokes, self.discs = [], []
        for name, area, price in zip(NAMES, AREAS, PRICES):
            self.spokes.append(line(panel, palette.KEY, alpha=0.55, solid_capstyle="butt", label="_nolegend_", zorder=2))
            self.discs.append(marks(panel, palette.KEY, 1, zorder=7, clip_on=False, label="_nolegend_"))
            house = shaped(panel, palette.VALUE_INK, 26, HOUSE, zorder=5)
            house.set_data([area], [price])
            letter = panel.text(area, price - 6, name, color=palette.PAPER, weight="bold", ha="center", va="center",
                                fontsize=9, zorder=6)
            worth = panel.annotate(f"{price:.0f}", (area, price), (0, 11), textcoords="offset points", ha="center",
                                   va="bottom", color=palette.VALUE_INK, zorder=6, bbox=HALO)
            self.move_together(name, self.spokes[-1], self.discs[-1], house, letter, worth)
        column = {"color": palette.KEY, "linestyle": "none"}        # for the numbers: each house is drawn by itself
        panel.plot(AREAS, PRICES, label="price in thousand €", **column)
        self.column, = panel.plot(AREAS, PRICES, label="weight α", **column)
        self.answer = marks(panel, palette.QUERY, 9, markeredgewidth=1.5, zorder=8, label="answer")
        self.fulcrum = marks(panel, palette.QUERY, 10, ">", zorder=8, clip_on=False, label="_nolegend_")
        self.pin = shaped(panel, palette.QUERY, 46, PIN, zorder=9)
        style = {"textcoords": "offset points", "color": palette.QUERY_INK, "weight": "bold", "va": "center"}
        self.worth = panel.annotate("", (LEFT, 0), (-14, 0), ha="right", fontsize=12, annotation_clip=False, **style)
        self.area = panel.annotate("", (0, HEAD), (11, 0), zorder=9, **style)
        self.question = panel.text(0, HEAD, "?", color=palette.PAPER, weight="bold", ha="center", va="center", zorder=10)
        self.move(self.answer, self.fulcrum, self.pin, self.worth, self.area, self.question)

    def _make_bar(self, panel) -> None:
        panel.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
        panel.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        panel.set_title("Weights α: six shares of 1", loc="left")
        panel.spines[:].set_visible(False)
        self.shares, self.letters = [], []
        for name in NAMES:
            self.shares.append(panel.add_patch(Rectangle((0, 0), 0, 1, edgecolor=palette.PAPER, linewidth=1.5)))
            self.letters.append(panel.text(0, 0.46, name, ha="center", va="center", weight="bold"))
            self.move_together(name, self.shares[-1], self.letters[-1])

    def placed(self, layout) -> None:
        panel, (width, _) = self.panels["houses"], self.figure.get_size_inches() * 100
        across = panel.get_position().width * width                         # pixels of the page
        begin = 56 if width < PHONE else 0                                  # left of the panel, where letters need room
        self.invitation.set_x(-begin / across)
        self.invitation.set_fontsize(min(16, (across + begin + 50 * (layout.room > 0)) / 27))
        self.point_out()

    def update(self, state: dict) -> str:
        query, sigma = state["query"], state["sigma"]
        if self.changed("sigma", sigma):
            self.weights = attention_weights(QUERIES, AREAS, bandwidth=sigma)                               # (61, 6)
            self.curve.set_data(GRID, attention_weights(GRID, AREAS, bandwidth=sigma) @ PRICES)
        row = self.row_of(query)
        self.heat.show(self.weights, row)
        weights = self.weights[row]                                                                         # (6,)
        answer = float(weights @ PRICES)
        self._show_pin(query, sigma, answer)
        self._show_weights(query, sigma, weights)
        self._show_note(query, weights, answer)
        return self._sentence(query, weights, answer)

    def _show_pin(self, query: float, sigma: float, answer: float) -> None:
        around = np.linspace(-3, 3, 61)
        bell = np.column_stack([query + sigma * around, BELL * np.exp(-around**2 / 2)])
        self.bell.set_xy([(bell[0, 0], 0), *bell, (bell[-1, 0], 0)])
        self.arrow.set_data([query - sigma, query], [BELL * np.exp(-0.5)] * 2)
        carry(self.sigma, query - sigma, BELL * np.exp(-0.5))
        self.pin.set_data([query], [0])
        self.answer.set_data([query], [answer])
        self.fulcrum.set_data([LEFT - 1.5], [answer])
        self.way.set_data([query, query, LEFT], [HEAD, answer, answer])
        carry(self.worth, LEFT, answer)
        self.worth.set_text(f"{answer:.0f}")
        carry(self.area, query, HEAD)
        self.area.set_text(f"{query:.0f} m²")
        side = -1 if query > 148 else 1
        self.area.set_position((11 * side, 0))
        self.area.set_ha("right" if side < 0 else "left")
        self.question.set_x(query)

    def _show_weights(self, query: float, sigma: float, weights: np.ndarray) -> None:
        self.column.set_ydata(weights)
        set_stems(self.stems, AREAS, BELL * np.exp(-((query - AREAS) / sigma) ** 2 / 2))
        ends, seen = np.cumsum(weights), weights > 0.003
        colours = self.heat.image.cmap(np.sqrt(weights))
        for i, (area, price) in enumerate(zip(AREAS, PRICES)):
            for artist in (self.spokes[i], self.discs[i], self.shares[i]):
                artist.set_visible(seen[i])
            self.letters[i].set_visible(weights[i] > 0.06)
            if not seen[i]:
                continue
            self.spokes[i].set_data([query, area], [HEAD, price])
            self.spokes[i].set_linewidth(SPOKE * weights[i])
            self.discs[i].set_data([LEFT], [price])
            self.discs[i].set_markersize(DISC * np.sqrt(weights[i]))
            self.shares[i].set_bounds(ends[i] - weights[i], 0, weights[i], 1)
            self.shares[i].set_facecolor(colours[i])
            self.letters[i].set_x(ends[i] - weights[i] / 2)
            self.letters[i].set_color(palette.PAPER if weights[i] > 0.3 else palette.INK)

    def _show_note(self, query: float, weights: np.ndarray, answer: float) -> None:
        most = int(np.argmax(weights))
        place = AREAS[most], PRICES[most] + 76                              # above the price of that house
        if weights[most] > 0.97:
            note = f"only {NAMES[most]} counts:\nthe answer is its price"
        elif effective_keys(weights[None])[0] > 5:
            note, place = "all count almost alike,\nwherever the pin stands", (query, answer + 14)
        elif not AREAS[0] <= query <= AREAS[-1]:
            size, side = ("larger", "below F") if query > AREAS[-1] else ("smaller", "above A")
            note, place = f"no {size} house is known:\nthe answer stays {side}", (query, answer + 14)
        else:
            note = f"{NAMES[most]} is most like it,\nso it counts most"
        self.note.set_text(note)
        self.place_of_note = place
        self.point_out()

    def point_out(self) -> None:
        """A line from the note to what it is about: straight down, or from the end of its words."""
        (x, y), panel = self.place_of_note, self.panels["houses"]
        end = LEFT + 4 + length_of(self.note) / panel.bbox.width * np.ptp(panel.get_xlim())
        start = (max(x, LEFT + 3.5), 474) if x < end else (end, 502)
        self.leader.set_data(*zip(start, (x, y)))

    def _sentence(self, query: float, weights: np.ndarray, answer: float) -> str:
        terms = " + ".join(f'<span data-mark="{name}">{words.key(f"{weight:.2f}")} × {words.value(f"{price:.0f}")}</span>'
                           for name, weight, price in zip(NAMES, weights, PRICES))
        formula = f"f({words.query(f'{query:.0f}')}) = {terms} = <b>{words.query(f'{answer:.0f}')}</b>"
        most = NAMES[int(np.argmax(weights))]
        return (f'<span class="wb-formula">{words.gist(formula)}</span> '
                f"House {words.value(most)} counts most, with {words.bold(100 * weights.max(), 2)} % of the weight; "
                f"in effect, {words.bold(effective_keys(weights[None])[0], 2)} houses count.")
