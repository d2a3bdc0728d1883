"""Local linear beside Nadaraya-Watson: the bias at the borders, and the negative weights that remove it."""
import numpy as np

from nwlab.local_linear import local_linear, local_linear_weights
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene, Heat, visibly_negative
from workbook.explore.sample import key_limits
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say


def borders(data=None, **start) -> Explorer:
    """A live figure: local linear regression beside Nadaraya-Watson: answers, weight matrices, weights at a query.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls sigma, kernel, query, n, noise and seed.
    """
    return Explorer(BordersScene(data), start)


class SignedHeat(Heat):
    signed, frame, handle = True, 1.2, False                # so that it does not hide the first or last row


class BordersScene(FitScene):
    label = say("Local linear regression beside Nadaraya-Watson: two answers to one query, two matrices of weights")
    invitation = say("Drag the orange line: where does the ring leave the truth?")
    titles = {"fit": say("Two answers to one query"), "heat": say("Weights of the ring")}
    controls = {"sigma": make.width(0.4, inverse="w = 1/σ"), "kernel": make.kernel, "query": make.query}
    more = make.SAMPLE
    heat_kind, second, demo = SignedHeat, say("dot: local linear"), ("query", 0)
    down = ("heat", "lineheat")
    longest, movable, also_given = 265, "fit", {"line": True}
    layouts = (
        Layout(("fit fit", "heat lineheat"), (1, 1), (1.7, 1), height=600, gap_y=74, right=30),
        Layout(("fit heat", "fit lineheat"), (1.75, 1), (1, 1), height=390, room=WIDE, gap_x=84, gap_y=44,
               right=30, bare=("heat",)),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.presets = {say("left border"): {"query": self.queries[0]}, say("wide"): {"sigma": 1.2}}
        self.fit.words[1].set_text(say("ring: Nadaraya–Watson"))
        self.fit.answer.set(markerfacecolor="none", markeredgecolor=palette.INK, markersize=14, markeredgewidth=3.5)
        self.line_heat = SignedHeat(self.panels["lineheat"], say("Weights of the dot"), "line matrix")

    def new_sample(self) -> None:
        super().new_sample()
        self.line_heat.sample(self.data)
        self.fit.panel.set_xlim(key_limits(self.sample.drawn, 0.08))        # room beside the borders
        self.heat.panel.set_xlabel("")                      # both matrices have the same axes
        self.line_heat.panel.set_ylabel("")

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
        width = state["sigma"] * min(1.0, self.kernel.std)
        wide = width > 0.12 * np.ptp(data.keys) and row > 0 and data.truth is not None
        self._point_out(0 if wide else row, data.keys - data.queries[row], answers, line_answers, wide)
        return self._sentence(state["sigma"] if wide else None, row, answers, line_answers, line_weights)

    def _point_out(self, row: int, apart: np.ndarray, answers, line_answers, wide: bool) -> None:
        """A note about the ring, `apart` (n,) from the keys; or where the kernel is wide about the left border."""
        panel, x, targets = self.fit.panel, self.queries[row], self.data.targets
        left, right = panel.get_xlim()
        weights, within = self.weights[row], (x - left) / (right - left)
        near, pull = np.sign(apart[weights > 0.1 * weights.max()]), weights @ apart
        if wide:
            off = words.number(abs(answers[row] - targets[row]), 2)
            text = say("at the border the average\nmisses the truth by {off} (bar)", off=off)
        elif not near.any():
            text = say("only the key at\nthe query counts")
        elif abs(pull) <= 0.4 * np.sqrt(weights @ apart**2):
            text = say("neighbours on both\nsides: pulls cancel")
        elif abs(answers[row] - line_answers[row]) < 0.02 * np.ptp(self.data.values):
            text = say("here the two\nanswers nearly agree")
        else:
            text = (say("higher dots on one side\npull the ring up") if answers[row] > line_answers[row] else
                    say("lower dots on one side\npull the ring down"))
        panel.stems("miss", self.queries[:1], targets[0], answers[0], palette.INK, 5 * wide + 0.01, zorder=3.5)
        self.note = panel.note(text if np.isfinite(line_answers[row]) else "", x, answers[row], va="bottom",
                               near=(within + 0.1, 0.12) if within < 0.5 else (within - 0.1, 0.12),
                               ha="left" if within < 0.5 else "right")

    def _sentence(self, sigma: float | None, row: int, answers, line_answers, line_weights) -> str:
        """sigma: the width where it is said that the kernel is wide."""
        data, answer, line = self.data, answers[row], line_answers[row]
        told = dict(place=words.at(data, self.queries[row]), answer=words.bold(answer), line=words.bold(line))
        off, near = (words.bold(abs(each[0] - data.targets[0]), 2) for each in (answers, line_answers))
        text = (say("At {place}, neither has an answer: no key is within reach.", **told) if np.isnan(answer) else
                say("At {place}, Nadaraya–Watson answers {answer}, and local linear has no answer: the keys within "
                    "reach do not determine a line.", **told) if np.isnan(line) else
                say("At {place} the ring (an average) is {ring}, the dot (from a line) {dot}.", **told,
                    ring=self._miss(row, answer), dot=self._miss(row, line)) if data.truth else
                say("At {place} the ring, a local average, is at {answer}, the dot, on a local line, at {line}.",
                    **told))
        return words.joined(
            say("σ is wide ({sigma}), so far dots count: at the left border the average is off by {off}, the line by "
                "{near}.", sigma=words.bold(sigma), off=off, near=near) if sigma else "",
            text, say("Purple dots have {negative}: the higher they lie, the lower the answer.",
                      negative=words.negative(say("weights below zero")))
            if np.any(visibly_negative(line_weights[row])) else "",
            words.gaps(int(np.isnan(answers).sum()), len(answers)))

    def _miss(self, row: int, found: float) -> str:
        off = found - self.data.targets[row]
        return (say("{off} too high") if off > 0 else say("{off} too low")).format(off=words.bold(abs(off), 2))
