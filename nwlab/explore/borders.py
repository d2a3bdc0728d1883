"""Local linear beside Nadaraya-Watson: what happens at the borders, and the negative weights that mend it."""
import numpy as np

from nwlab import palette
from nwlab.explore import controls as make, words
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import FitScene, Heat, Stems, marks, visibly_negative
from nwlab.explore.sample import RegressionSample
from nwlab.kernels import get_kernel
from nwlab.local_linear import local_linear, local_linear_weights


def borders(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: local linear regression beside Nadaraya-Watson: answers, weight matrices, weights at a query.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise and seed. sigma, kernel and query (by default the left border) are where it starts. Returns an `Explorer`.
    """
    sample = RegressionSample(data)
    unit = sample.unit
    left, middle, right = sample.queries[[0, int(len(sample.queries) * make.START), -1]]
    presets = {"left edge": {"query": left}, "middle": {"query": middle}, "right edge": {"query": right},
               "wide": {"query": left, "sigma": 1.2 * unit}}
    width, w = make.width_and_kernel(sigma, kernel, unit, start=0.3)
    return Explorer(
        BordersScene(sample), {**width, "query": make.query_slider(sample.queries, left if query is None else query)},
        {**make.sample_controls(sample), **w}, presets=presets)


class SignedStems(Stems):
    """Stems that change colour below zero."""

    colours = (palette.KEY, palette.NEGATIVE)


class SignedHeat(Heat):
    signed, frame = True, 1.2                               # a row at the border must not hide under its frame


class BordersScene(FitScene):
    label = "Local linear regression beside Nadaraya-Watson: two answers, two weight matrices, two rows of weights"
    invitation = "Drag the query inside: where do both agree?"
    titles = {"fit": "Two answers to one query", "stem": "Row", "heat": "Nadaraya–Watson"}
    stems_kind, heat_kind, second = SignedStems, SignedHeat, "local linear"
    across, down = ("fit", "stem", "linestem"), ("heat", "lineheat")
    longest, movable = 210, "fit"
    layouts = (
        Layout(("fit fit", "heat lineheat", "stem linestem"), (1, 1), (1.1, 1.2, 0.8), height=800, gap_y=74),
        Layout(("fit heat lineheat", "fit stem linestem"), (1.1, 1, 1), (2.1, 1), height=406, room=WIDE, gap_y=76),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.fit.words[1].set_text("Nadaraya–Watson")
        self.fit.answer.set(color=palette.INK, markersize=8)
        self.second_answer = self.move(marks(self.fit.panel, palette.LOCAL_LINEAR, 8, markeredgewidth=1.5, zorder=6))
        self.line_heat = SignedHeat(self, self.panels["lineheat"], "Local linear")
        self.line_stems = SignedStems(self, self.panels["linestem"], "Row")
        (stems, heads), (below, heads_below) = self.line_stems.sides
        self.shows(line=self.fit.second, line_answer=self.second_answer, line_matrix=self.line_heat.image,
                   line_stems=stems, line_heads=heads, stems_below=below, heads_below=heads_below)

    def new_sample(self) -> None:
        super().new_sample()
        self.line_heat.panel.set_ylabel("")                     # that of its neighbour; the scale's words stand there

    def given(self) -> dict:
        return {**super().given(), "line": True}

    def look_of_weights(self, weights, record):
        looks = super().look_of_weights(weights, record)
        return {**looks, "line matrix": looks["matrix"]}

    def update(self, state: dict) -> str:
        data, row, sigma, kernel = self.data, self.row_of(state["query"]), state["sigma"], state["kernel"]
        weights = self.pool(kernel, sigma)                                                    # (m, n)
        line_weights = local_linear_weights(data.queries, data.keys, kernel=kernel, bandwidth=sigma)           # (m, n)
        grid = self.fit.grid
        self.fit.second.set_data(grid, local_linear(grid, data.keys, data.values, kernel=kernel, bandwidth=sigma))
        answers, line_answers = weights @ data.values, line_weights @ data.values             # (m,)
        seen = line_weights[row] if np.isfinite(line_answers[row]) else weights[row]
        self.fit.attend(np.where(visibly_negative(seen), seen, np.maximum(seen, 0.0)))
        self.fit.mark(data.queries[row], answers[row])
        self.second_answer.set_data([data.queries[row]], [line_answers[row]])
        both = np.concatenate([weights[row], line_weights[row]])            # one scale for both rows
        for heat, stems, matrix in ((self.heat, self.stems, weights), (self.line_heat, self.line_stems, line_weights)):
            heat.show(matrix, row)
            stems.show(data.keys, matrix[row], data.queries[row], beside=both)
        return self._sentence(state, row, answers, line_answers, line_weights)

    def _sentence(self, state, row, answers, line_answers, line_weights) -> str:
        empty, singular = (int(np.isnan(some).sum()) for some in (answers, line_answers))
        negative = line_weights[row][visibly_negative(line_weights[row])]
        return words.joined(
            "" if np.isfinite(get_kernel(state["kernel"]).std) else
            "The constant kernel has no width: Nadaraya–Watson is the mean of all values, and local linear is the "
            "straight line of least squares through them.",
            self._at_the_query(row, answers[row], line_answers[row]),
            "" if not np.isfinite(line_answers[row]) else
            f"Here local linear has {words.negative('weights below zero')}, {words.number(negative.sum(), 2)} in sum, "
            "which a softmax can never give." if negative.size else
            "Here local linear gives no key a weight visibly below zero.",
            words.gaps(empty, len(answers)),
            f"<b>{words.some_queries(singular - empty, len(answers))} too few different keys within reach</b> for a "
            "line, so local linear has a gap there." if singular > empty else "")

    def _at_the_query(self, row: int, answer: float, line_answer: float) -> str:
        data = self.data
        place = {0: ", the left border", len(data.queries) - 1: ", the right border"}.get(row, "")
        at = f"At {words.at(data, data.queries[row])}{place},"
        if not np.isfinite(answer):
            return f"{at} neither has an answer: no key is within reach."
        line = f" and local linear {words.bold(line_answer)}"
        if not np.isfinite(line_answer):
            line = ", and local linear has no answer: the keys within reach do not determine a line"
        truth = "" if data.truth is None else f"; the truth is {words.number(data.targets[row])}"
        return f"{at} {words.gist(f'Nadaraya–Watson answers {words.bold(answer)}{line}')}{truth}."
