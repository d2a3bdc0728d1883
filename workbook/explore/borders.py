"""Local linear beside Nadaraya-Watson: the bias at the borders, and the negative weights that remove it."""
import numpy as np

from nwlab.local_linear import local_linear, local_linear_weights
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
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
    titles = {"fit": say("Two answers, a ring and a dot"), "heat": "Nadaraya–Watson"}
    controls = {"sigma": make.width(0.4, inverse="w = 1/σ"), "kernel": make.kernel, "query": make.query}
    more = make.SAMPLE
    heat_kind, second, demo = SignedHeat, say("local linear"), ("query", 0)
    down = ("heat", "lineheat")
    longest, movable, also_given = 245, "fit", {"line": True}
    layouts = (
        Layout(("fit fit", "heat lineheat"), (1, 1), (1.7, 1), height=600, gap_y=74),
        Layout(("fit heat", "fit lineheat"), (1.75, 1), (1, 1), height=412, room=WIDE, gap_x=84, gap_y=44,
               bare=("heat",)),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.presets = {say("left border"): {"query": self.queries[0]}, say("wide"): {"sigma": 1.2}}
        self.fit.words[1].set_text("Nadaraya–Watson")
        self.fit.words.append(self.fit.panel.corner(say("weight below zero"), palette.NEGATIVE_INK))
        self.fit.answer.set(markerfacecolor="none", markeredgecolor=palette.INK, markersize=14, markeredgewidth=3.5)
        self.line_heat = SignedHeat(self.panels["lineheat"], say("Local linear"), "line matrix")

    def new_sample(self) -> None:
        super().new_sample()
        self.line_heat.sample(self.data)
        self.fit.panel.set_xlim(key_limits(self.sample.drawn, 0.08))        # room beside the borders
        self.heat.panel.set_xlabel("")                      # both matrices have the same axes
        self.line_heat.panel.set_ylabel("")

    def look_of_weights(self, weights, record):
        looks = super().look_of_weights(weights, record)
        return {**looks, "line matrix": looks["matrix"]}

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
        self.wide = state["sigma"] > 0.2 * np.ptp(data.keys)
        self._point_out(data.queries[row], self.weights[row], answers[row], line_answers[row])
        return self._sentence(state["sigma"], row, answers, line_answers, line_weights)

    def _point_out(self, x: float, weights: np.ndarray, answer: float, line_answer: float) -> None:
        """A note about the ring: on which side the weights (n,) are, and whether values rise there."""
        apart, (left, right) = self.data.keys - x, self.fit.panel.get_xlim()
        near, pull = np.sign(apart[weights > 0.1 * weights.max()]), weights @ apart
        note = (say("only the key at\nthe query counts") if not near.any() else
                say("far dots count as well:\nthe ring's curve flattens") if self.wide else
                say("neighbours on both\nsides: pulls cancel"))
        if abs(pull) > 0.4 * np.sqrt(weights @ apart**2):
            note = (say("higher dots on one side\npull the ring up") if answer > line_answer else
                    say("lower dots on one side\npull the ring down"))
            if abs(answer - line_answer) < 0.02 * np.ptp(self.data.values):
                note = say("here the two\nanswers nearly agree")
        within = (x - left) / (right - left)
        place, ha = (within + 0.1, "left") if within < 0.5 else (within - 0.1, "right")
        self.note = self.fit.panel.note(note if np.isfinite(line_answer) else "", x, answer, near=(place, 0.2), ha=ha,
                                        va="bottom")

    def _sentence(self, sigma, row, answers, line_answers, line_weights) -> str:
        negative = np.isfinite(line_answers[row]) and np.any(visibly_negative(line_weights[row]))
        return words.joined(
            self._at_the_query(sigma, row, answers[row], line_answers[row]),
            say("The truth is {truth}.", truth=words.bold(self.data.targets[row])) if self.data.truth else "",
            say("At the left border Nadaraya–Watson misses the truth by {off}, local linear by {line}.", **{
                name: words.bold(abs(each[0] - self.data.targets[0]), 2)
                for name, each in zip(("off", "line"), (answers, line_answers))})
            if self.wide and self.data.truth and not negative else "",
            say("Local linear gives the purple dots {negative}, which a softmax can never give.",
                negative=words.negative(say("weights below zero"))) if negative else "",
            words.gaps(int(np.isnan(answers).sum()), len(answers)))

    def _at_the_query(self, sigma: float, row: int, answer: float, line_answer: float) -> str:
        place = words.at(self.data, self.queries[row])
        if not np.isfinite(answer):
            return say("At {place}, neither has an answer: no key is within reach.", place=place)
        places = {"place": place, "answer": words.bold(answer), "line": words.bold(line_answer),
                  "sigma": words.bold(sigma)}
        if not np.isfinite(line_answer):
            return say("At {place}, Nadaraya–Watson answers {answer}, and local linear has no answer: the keys within "
                       "reach do not determine a line.", **places)
        return words.joined(
            say("σ is wide ({sigma}), so far dots count as well.", **places) if self.wide else "",
            say("At {place} the ring (Nadaraya–Watson) is at {answer}, the dot (local linear) at {line}.", **places))
