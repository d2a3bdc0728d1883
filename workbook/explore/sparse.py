"""Softmax, entmax and sparsemax of the same scores: a key whose score is below a level gets no weight."""
import numpy as np

from nwlab.pooling import attention_scores, nadaraya_watson
from nwlab.sparse import entmax
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip
from workbook.language import say

WATER = "#D0E7F6"


def sparse(data=None, **start) -> Explorer:
    """A live figure: attention weights of softmax (alpha = 1), entmax and sparsemax (alpha = 2) on a Gaussian's scores.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls alpha, sigma (the width of the scores), query, n, noise, seed and nothing: the score of a key
    that says nothing, whose value is 0, is log(nothing) for every query.
    """
    return Explorer(SparseScene(data), start)


class SparseScene(FitScene):
    label = say("How near keys are to one query, the level under which none gets weight, and the fit")
    invitation = say("Drag the level down and up: which keys drown?")
    titles, beside, lesson_asks = {"fit": say("The fit")}, ("level",), ({"sigma": 2.0},)
    controls = {"alpha": lambda _: make.slider(say("sharpness"), 2.0, 1.0, 2.0, 0.05),
                "sigma": make.width(0.5, 0.05, 5), "query": make.query}
    more = {"nothing": lambda _: make.slider(say("c of a key that says nothing"), 0.0, 0.0, 3.0, 0.1), **make.SAMPLE}
    presets = {say("softmax"): {"alpha": 1.0}, say("narrow"): {"sigma": 0.1}}
    demo, second, longest = ("alpha", 8), "softmax", 200
    layouts = (Layout(("level fit",), (1.6, 1), (1,), height=370, room=WIDE),)

    def __init__(self, data=None):
        super().__init__(data)
        self.panels["level"].label(say("What stands out has weight"), y=say("nearness"), ylim=(0, 1.2), yticks=[])
        self.panels["level"].yaxis.label.set(y=1, ha="right")                       # above the handle

    def weigh(self, x, state):
        return entmax(self.scores_of(x, state), alpha=state["alpha"])[:, :-1]

    def scores_of(self, x, state):
        """The scores of queries x (k,) for all keys, and then for the key that says nothing: (k, n + 1)."""
        scores = attention_scores(x, self.data.keys, bandwidth=state["sigma"])
        nothing = np.log(state["nothing"]) if state["nothing"] else -np.inf
        return np.column_stack([scores, np.full(len(scores), nothing)])

    def update(self, state: dict) -> str:
        data, grid, row = self.data, self.fit.grid, self.show_fit(state)
        if self.changed("softmax", state["sigma"]):
            self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=state["sigma"]))
        self.few = (self.weights[row] > 0).sum() <= min(3, len(data.keys) / 4)
        radius = self._show_level(state["alpha"], state["sigma"], row, self.scores_of(self.queries[[row]], state)[0])
        return self._sentence(state["alpha"], row, radius, state["nothing"])

    def _show_level(self, alpha: float, sigma: float, row: int, scores) -> float:
        """Draw the kernel of each key and the level; returns the radius beyond which keys get no weight.

        The kernel is exp(score), as a share of the highest: where it is below the level, the score is below τ.
        """
        keys, x, weights, panel = self.data.keys, self.queries[row], self.weights[row], self.panels["level"]
        low, high = panel.get_xlim()
        grid = np.append(np.linspace(low, high, 201), np.nan)                                # a gap keeps its vertices
        self.scores, highest, right = scores, scores.max(), int(x < (low + high) / 2)
        depth = self.depth_of(alpha)
        *heights, nothing = np.exp(scores - highest)
        nothing, level = nothing or -0.2, np.exp(-depth)
        panel.upright("query", x, marker="", zorder=2.7)
        panel.line("scores", grid, np.exp(-highest - ((grid - x) / sigma) ** 2 / 2), palette.MUTED, linewidth=1.4,
                   zorder=2.8)
        panel.stems("heights", keys, 0.0, np.array(heights), palette.KEY, 2.8)               # from the ground
        panel.box("water", low, 0.0, high - low, level, zorder=2.5, facecolor=WATER)
        sizes = np.where(weights > 0, 40 + 600 * weights, 26)
        panel.dots("tops", np.column_stack([keys, heights]), sizes, palette.KEY, zorder=3,
                   clip_box=panel.bbox, linewidths=0.8, edgecolors=palette.PAPER)
        panel.box("over", low, 0.0, high - low, level, zorder=3.2, facecolor=WATER, alpha=0.6)
        panel.stems("nothing bar", [x], -0.2, [nothing], palette.INK, 2.8, zorder=3.3)
        panel.marks("nothing", [x], [nothing], palette.INK, 8, zorder=4, clip_box=panel.bbox)
        self.fit.panel.marks("nothing", [x], [0.0 if nothing > 0 else self.fit.limits[0] - 1], palette.INK, 8,
                             zorder=7, clip_box=self.fit.panel.bbox)
        self.level = panel.line("level", [low, high], [level, level], linewidth=1.8, zorder=3.5, **grip(palette.INK))
        drowned = level > 0.2 and np.any(weights == 0)
        panel.note(say("under water:\nweight 0") if drowned else "", name="drowned", va="bottom", zorder=5,
                   near=(0.75 if right else 0.03, 0.03), bbox=None)
        panel.note(say("water level τ") if alpha > 1 else "", name="name", va="bottom", zorder=3,
                   near=(0.13, level / 1.2))
        best = weights.argmax()
        text, place = say("the higher above water,\nthe more weight"), (keys[best], (level + heights[best]) / 2)
        if nothing > level:
            text, place = say("a new key:\nvalue 0"), (x, nothing)
        elif alpha == 1:
            text = say("no water left: all keys stand out,\nfar ones a little, but never 0")
            aside = np.abs(keys - x - sigma * (2 * right - 1)).argmin()                      # where the note has room
            place = keys[aside], heights[aside]
        elif self.few:
            text = say("the hill is narrow (σ = {sigma}):\nfew keys stand out", sigma=words.number(sigma))
        self.note = panel.note(text, *place, near=(0.92, 0.98), ha="right")
        return sigma * np.sqrt(2 * max(0.0, depth - highest))

    def drags(self):
        level = np.vectorize(lambda alpha: np.exp(-self.depth_of(alpha)))
        return super().drags() | {"level": Drag("alpha", y=level)}

    def depth_of(self, alpha: float) -> float:
        """How far τ is below the highest score, as it follows from the highest weight; infinite for softmax."""
        highest = entmax(self.scores, alpha=alpha).max()
        return highest ** (alpha - 1) / (alpha - 1) if alpha > 1 else np.inf

    def _sentence(self, alpha, row, radius, nothing) -> str:
        weights, keys = self.weights[row], words.keys(len(self.data.keys))
        place, kept = words.at(self.data, self.queries[row]), (weights > 0).sum()
        count = say("Only keys nearer than {radius} get weight at {place}: {kept} of {keys}.", kept=words.bold(kept),
                    keys=keys, place=place, radius=words.bold(radius)) if alpha > 1 else ""
        if nothing and weights.sum() < 0.995:
            return words.joined(
                say("A key that says nothing is added at each query. Its value is 0 and it takes {taken} of the "
                    "weight, so it pulls the curve down.", taken=words.bold(1 - weights.sum())), count)
        if alpha == 1:
            return say("The lower the sharpness, the fewer keys drown. At <b>1</b>, called softmax, none does: all "
                       "{keys} count at {place}.", keys=keys, place=place)
        if self.few:
            return words.joined(
                count, say("The water falls until the weights sum to 1. Averages of so few make a rugged curve."))
        return words.joined(count, say("At sharpness <b>{a}</b> this is called {name}.", a=f"{alpha:g}",
                                       name="sparsemax" if alpha == 2 else "entmax"))
