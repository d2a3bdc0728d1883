"""Pooling with nothing to learn: a mean of the k nearest values, from one to all, or of all softly weighted."""
import numpy as np
from matplotlib.collections import LineCollection

from nwlab.pooling import attention_weights, nearest_weights
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import HALO
from workbook.language import say


def pooling(data=None, **start) -> Explorer:
    """A live figure: which values an answer averages, those of the k nearest keys, or all of them, softly weighted.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls how ("k nearest" or "soft"), k (1: the nearest alone; n: the mean of all), sigma (the width
    of the soft one), query, n, noise and seed.
    """
    return Explorer(PoolingScene(data), start)


def number_of_keys(figure):
    n = len(figure.scene.sample.data.keys)
    return make.pick("k", [*range(1, min(n, 50) + 1), *[n] * (n > 50)], min(n, 20), colour="key", needs=("how", 0))


class PoolingScene(FitScene):
    label = say("A fit, spokes from one answer to the values that it averages, and the heatmap of all weights")
    invitation = say("Drag the query along: when does its answer jump?")
    controls = {"k": number_of_keys, "sigma": make.width(needs=("how", 1)),
                "how": lambda _: make.dropdown(say("pooling"), [(say("k nearest"), "k nearest"),
                                                                 (say("softly weighted"), "soft")], "k nearest")}
    more = {**make.SAMPLE, "query": make.query}
    presets = {say("everyone alike"): {"how": "k nearest", "k": 10**9},
               say("one neighbour"): {"how": "k nearest", "k": 1}, say("five neighbours"): {"how": "k nearest", "k": 5},
               say("soft"): {"how": "soft"}}
    demo, longest = ("query", 36, 8), 170
    titles = {"fit": say("An average of the linked dots")}
    lesson_asks = tuple({"how": "k nearest", "k": 5, "seed": seed} for seed in (1, 2, 3))
    layouts = (Layout(("fit heat",), (1.8, 1), (1,), height=390, room=WIDE, gap_x=84, right=30),)

    def __init__(self, data=None):
        super().__init__(data)
        self.fit.words.append(self.fit.panel.corner(say("weights"), palette.KEY_INK))

    def weigh(self, x, state):
        if state["how"] == "soft":
            return attention_weights(x, self.data.keys, bandwidth=state["sigma"])
        return nearest_weights(x, self.data.keys, k=min(state["k"], len(self.data.keys)))

    def update(self, state: dict) -> str:
        data, row, panel = self.data, self.show_fit(state), self.fit.panel
        how, k = state["how"], min(state["k"], len(data.keys))
        if self.changed("pooling", (how, state["k"], state["sigma"])):      # as the curve was, in show_fit
            self.error = self.said_error()
            self._show_curve(state, k)
        side, ha = (-8, "right") if row > 0.1 * len(self.queries) else (8, "left")      # the hand is to the right
        panel.words("query name", self.queries[row], 0.05, say("query"), (side, 0), panel.get_xaxis_transform(), ha=ha,
                    color=palette.QUERY_INK, bbox=HALO)
        weights, (answer,) = self.weights[row], self.fit.answer.get_xydata()
        self.spokes = panel.show(
            "spokes", lambda: panel.add_collection(LineCollection([]), autolim=False), colors=palette.KEY, alpha=0.5,
            zorder=2.5, segments=[(answer, end) for end in self.fit.dots.get_offsets()],
            linewidths=np.where(weights > 0.002, 0.6 + 8 * weights, 0.002))     # all, so that each grows where it is
        return words.joined(self._in_words(how, k, len(data.keys)), self.error, words.answer(data, *self.fit.marked))

    def _show_curve(self, state: dict, k: int) -> None:
        """Draw the curve, with a note at its highest step, or far out if it has none."""
        how, (x, y) = state["how"], self.fit.curve.get_data()
        if how != "soft":
            x = np.linspace(x[0], x[-1], 1501)          # so many that steps are upright
            y = self.weigh(x, state) @ self.data.values
            self.fit.curve.set_data(x, y)
        at, far = int(np.argmax(np.abs(np.diff(y)) * self.fit.is_right(x[1:]))), len(x) * 4 // 5
        if how == "soft":
            self.fit.point_out(say("weights change bit by bit,\nso there are no steps"), x[far], y[far])
        elif k == len(self.data.keys):
            self.fit.point_out(say("all dots count alike:\none flat line"), x[far], y[far])
        else:
            self.fit.point_out(say("from dot to dot:\nit copies the noise") if k == 1 else
                               say("few dots, high steps:\none leaves, one joins") if k < 0.2 * len(self.data.keys) else
                               say("a step: one dot leaves\nthe average, one joins"), x[at], (y[at] + y[at + 1]) / 2)

    def _in_words(self, how: str, k: int, n: int) -> str:
        if n == 1:
            return say("There is only one key. It gets all the weight, so its value is the answer to every query.")
        if how == "soft":
            return say("Soft weights: the nearer a key is, the more it counts, so the curve has no steps.")
        if k == n:
            return say("All <b>{n}</b> keys get the same weight: every query gets the mean of the values.", n=n)
        tie = say("Keys that tie share the place.") if np.any(np.count_nonzero(self.weights, 1) > k) else ""
        nearest = say("The <b>{k}</b> nearest of {n} keys get the same weight, all others none.", k=k, n=n)
        if k == 1:
            nearest = say("Only <b>1</b> key counts, the nearest: each answer copies one dot, noise and all.")
        few = 1 < k <= 0.1 * n and not self.sample.fixed
        return words.joined(nearest, tie, say("Far dots do not flatten the curve.") if few else "")
