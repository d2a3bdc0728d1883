"""Local linear beside Nadaraya-Watson: the bias at the borders, and the negative weights that remove it."""
import numpy as np

from nwlab.local_linear import local_linear, local_linear_weights
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene, Heat, visibly_negative
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say


def borders(data=None, **start) -> Explorer:
    """A live figure: local linear regression beside Nadaraya-Watson: answers, weight matrices, weights at a query.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls sigma, kernel, query, n, noise and seed.
    """
    return Explorer(BordersScene(data), start)


class BordersScene(FitScene):
    label = say("Local linear regression beside Nadaraya-Watson: two answers to one query, two matrices of weights")
    invitation = say("Drag the orange line: where does the ring leave the truth?")
    titles = {"fit": say("Two answers to one query"), "heat": say("Weights of the ring")}
    controls = {"sigma": make.width(0.4, inverse="w = 1/σ"), "kernel": make.kernel, "query": make.query}
    more = make.SAMPLE
    signed, second, demo = True, say("dot: local linear"), ("query", 0)
    down = ("heat", "lineheat")
    longest, movable, also_given, margin = 210, "fit", {"line": True}, 0.08
    layouts = (
        Layout(("fit fit", "heat lineheat"), (1, 1), (1.7, 1), height=600, gap_y=74, right=30),
        Layout(("fit heat", "fit lineheat"), (2, 1), (1, 1), height=390, room=WIDE, gap_x=84, gap_y=44,
               right=30, bare=("heat",)),
    )

    def __init__(self, data=None):
        super().__init__(data)
        left = {"query": self.queries[0]}
        self.presets = {say("left border"): left, say("wide, at the border"): {**left, "sigma": 1.2}}
        self.fit.words[1].set_text(say("ring: average (Nadaraya–Watson)"))
        self.fit.answer.set(markerfacecolor="none", markeredgecolor=palette.INK, markersize=14, markeredgewidth=3.5)
        self.line_heat = Heat(self.panels["lineheat"], say("Weights of the dot"), signed=True, shows="line matrix")
        self.heat.panel.set_xlabel("")

    def new_sample(self) -> None:
        super().new_sample()
        self.line_heat.sample(self.data)
        self.line_heat.panel.set_ylabel("")                 # both matrices have the same axes

    def look_of_weights(self, weights, record):
        looks = super().look_of_weights(weights, record)
        return looks and {**looks, "line matrix": looks["matrix"]}

    def update(self, state: dict) -> str:
        data, row, fit, grid = self.data, self.show_fit(state), self.fit, self.fit.grid
        options = {"kernel": state["kernel"], "bandwidth": state["sigma"]}
        line_weights = local_linear_weights(data.queries, data.keys, **options)                               # (m, n)
        fit.second.set_data(grid, local_linear(grid, data.keys, data.values, **options))
        answers, line_answers = self.weights @ data.values, line_weights @ data.values                        # (m,)
        seen = line_weights[row] if np.isfinite(line_answers[row]) else self.weights[row]
        fit.attend(np.where(visibly_negative(seen), seen, np.maximum(seen, 0.0)))
        fit.panel.marks("line answer", [data.queries[row]], [line_answers[row]], palette.LOCAL_LINEAR, 11, zorder=6,
                        markeredgecolor=palette.INK, markeredgewidth=1.5, shows="line answer")
        self.line_heat.show(line_weights, row)
        apart, weights = data.keys - (x := data.queries[row]), self.weights[row]                              # (n,)
        aside, ends = apart - weights @ apart, 1.5 * min(state["sigma"], np.ptp(data.keys)) * np.array([-1, 1])
        slope = (weights * aside) @ data.values / (weights @ aside**2 or 1.0)               # of the least-squares line
        fit.panel.line("tangent", x + ends, line_answers[row] + slope * ends, palette.LOCAL_LINEAR, linewidth=4.5,
                       alpha=0.4, zorder=3.2, solid_capstyle="butt", label="_nolegend_", shows="")
        wide = state["sigma"] * min(1.0, self.kernel.std) > 0.12 * np.ptp(data.keys)
        self._point_out(row, apart, answers[row], line_answers[row], slope, wide)
        return self._sentence(row, answers[row], line_answers[row], line_weights)

    def _point_out(self, row: int, apart: np.ndarray, answer: float, line: float, slope: float, wide: bool) -> None:
        """A note about the ring, `apart` (n,) from the keys; where the dot leaves it, one about the dot's line."""
        panel, x, weights, size = self.fit.panel, self.queries[row], self.weights[row], np.ptp(self.data.values)
        within, _ = panel.transLimits.transform((x, 0.0))
        near, pull = apart[weights > 0.1 * weights.max()], weights @ apart
        is_aside = abs(pull) > 0.4 * np.sqrt(weights @ apart**2)
        is_off = abs(answer - self.data.targets[row]) > 0.1 * size
        parts = near.any() and is_aside and abs(answer - line) >= 0.02 * size
        text = (say("only the key at\nthe query counts") if not near.any() else
                say("neighbours on both\nsides: pulls cancel") if not (is_aside or is_off) else
                (say("wide σ: far dots count") if wide else "") if not parts else
                say("higher dots on one side\npull the ring up") if answer > line and not wide else
                say("lower dots on one side\npull the ring down") if not wide else
                say("wide σ: far, higher dots\npull the ring up") if answer > line else
                say("wide σ: far, lower dots\npull the ring down")) if np.isfinite(line) else ""
        ha, inwards = ("left", 0.1) if within < 0.5 else ("right", -0.1)
        panel.note("")                                      # so that its old place is free
        panel.note(say("line along the large dots:\nthe brown dot is on it") if parts else "", x + 1.4 * pull,
                   line + slope * 1.4 * pull, name="line", near=(0.5 - inwards, 0.5), ha=ha, color=palette.LOCAL_LINEAR)
        self.note = panel.note(text, x, answer, va="bottom", near=(within + inwards, 0.12), ha=ha)

    def _sentence(self, row: int, answer: float, line: float, line_weights) -> str:
        data = self.data
        told = dict(place=words.at(data, self.queries[row]), answer=words.bold(answer), line=words.bold(line))
        text = (say("At {place}, neither has an answer: no key is within reach.", **told) if np.isnan(answer) else
                say("At {place}, Nadaraya–Watson answers {answer}, and local linear has no answer: the keys within "
                    "reach do not determine a line.", **told) if np.isnan(line) else
                say("At {place} the ring (an average) is {ring}, the brown dot (from a line) {dot}.", **told,
                    ring=self._miss(row, answer), dot=self._miss(row, line)) if data.truth else
                say("At {place} the ring, a local average, is at {answer}, the brown dot, on a local line, at {line}.",
                    **told))
        return words.joined(
            text,
            say("Purple dots tilt the line: the higher they are, the lower the brown dot ({negative}).",
                negative=words.negative(say("weights below zero")))
            if np.any(visibly_negative(line_weights[row])) else "",
            words.gaps(int(np.isnan(self.weights).any(axis=1).sum()), len(self.weights)))

    def _miss(self, row: int, found: float) -> str:
        off = found - self.data.targets[row]
        return (say("{off} too high") if off > 0 else say("{off} too low")).format(off=words.bold(abs(off), 2))
