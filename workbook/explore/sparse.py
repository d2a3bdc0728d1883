"""Softmax, entmax and sparsemax of the same scores: a key whose score is below a level gets no weight."""
import numpy as np
from matplotlib.patches import Rectangle

from nwlab._engine.inputs import check_number
from nwlab.pooling import attention_scores, nadaraya_watson
from nwlab.sparse import entmax
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import FitScene, Note, broken_line, grip, label, line, marks, set_pieces, stand
from workbook.explore.sample import RegressionSample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.pictures import literal

NAMES = {1.0: "softmax", 1.5: "entmax", 2.0: "sparsemax"}
WATER, BOTTOM = "#A9D3EE", -1.12          # colour of the water, and how deep it can be
KERNELS = {2.0: "the Epanechnikov kernel", 1.5: "the biweight kernel"}


def sparse(data=None, alpha=2.0, sigma=None, query=None):
    """A live figure: attention weights of softmax (alpha = 1), entmax and sparsemax (alpha = 2) on a Gaussian's scores.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise and seed. alpha, sigma (the width of the scores) and query are where it starts. Returns an `Explorer`.
    """
    sample = RegressionSample(data)
    unit = sample.unit
    if not 1 <= check_number("alpha", alpha) <= 2:
        raise ValueError(f"alpha: got {alpha!r}, expected a number from 1 to 2")
    presets = {name: {"alpha": value} for value, name in NAMES.items()}
    presets |= {"far too wide": {"alpha": 2.0, "sigma": 2 * unit}, "narrow": {"alpha": 2.0, "sigma": 0.1 * unit}}
    return Explorer(
        SparseScene(sample),
        {"alpha": make.slider("entmax's a", alpha, 1.0, 2.0, 0.05),
         "sigma": make.log_slider("sigma", "width σ", 0.5 * unit if sigma is None else sigma, 0.05 * unit, 5 * unit),
         "query": make.query_slider(sample.queries, query)},
        make.sample_controls(sample, ("n", "noise", "seed")), presets=presets)


class SparseScene(FitScene):
    label = "Scores of one query with the level under which no key gets weight, the weights, and the fit"
    invitation = "Drag the water level: which dots go under water?"
    titles = {"fit": "The fit", "stem": "Weights at the query"}
    demo = ("alpha", 6)
    second = "softmax"
    longest = 150
    layouts = (
        Layout(("level", "stem", "fit"), (1,), (1.5, 0.7, 1), height=640, gap_y=74),
        Layout(("level fit", "level stem"), (1.65, 1), (1.4, 1), height=418, room=WIDE, gap_y=66),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        panel = self.panels["level"]
        label(panel, "What stands out has weight", y="(a − 1) × score, the highest 0", ylim=(BOTTOM, 0.22))
        self.scores = line(panel, palette.MUTED, linewidth=1.4)
        self.below = marks(panel, palette.MUTED, 5, markeredgewidth=0.8)
        self.heights = broken_line(panel, palette.KEY, 2.8, zorder=3)
        self.above = marks(panel, palette.KEY, 8, zorder=4)
        self.water = panel.add_patch(Rectangle((0, BOTTOM), 1, 1, facecolor=WATER, alpha=0.55, zorder=2.5))
        self.level = line(panel, palette.INK, linewidth=1.8, zorder=3.5)
        self.level.set(**grip(palette.INK, turned=90))
        self.drowned = panel.text(0.03, 0.05, "", transform=panel.transAxes, zorder=3)
        self.name = panel.text(0.13, 0, "", va="bottom", transform=panel.get_yaxis_transform(), zorder=3)
        self.note = Note(self, panel, at=(0.985, 0.98), ha="right")
        self.level_line = panel.axvline(1.0, zorder=1.5, **palette.QUERY_LINE)
        self.move(self.level_line, self.scores, self.below, self.water, self.heights, self.above, self.level,
                  self.drowned, self.name)

    def new_sample(self) -> None:
        super().new_sample()
        self.panels["level"].set(xlim=self.fit.panel.get_xlim(), xlabel=literal(self.data.key_name))

    def update(self, state: dict) -> str:
        alpha, sigma, row = state["alpha"], state["sigma"], self.row_of(state["query"])
        data, grid = self.data, self.fit.grid
        if self.changed("curve", (alpha, sigma)):
            self.weights = entmax(attention_scores(data.queries, data.keys, bandwidth=sigma), alpha=alpha)     # (m, n)
            self.fit.curve.set_data(grid, entmax(attention_scores(grid, data.keys, bandwidth=sigma), alpha=alpha)
                                    @ data.values)
        if self.changed("softmax", sigma):
            self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=sigma))
        self.show_query(self.queries[row], self.weights[row])
        return self._sentence(alpha, row, self._show_level(alpha, sigma, row))

    def _show_level(self, alpha: float, sigma: float, row: int) -> float:
        """Draw the scores, the level and the heights above it; returns the radius beyond which keys get no weight."""
        data, x, weights = self.data, self.queries[row], self.weights[row]
        low, high = self.panels["level"].get_xlim()
        grid, factor = np.linspace(low, high, 201), max(alpha - 1, 0.02)
        self.u2 = u2 = ((data.keys - x) / sigma) ** 2 / 2                                    # (n,)
        gaps, most, kept = factor * (u2.min() - u2), int(weights.argmax()), weights > 0
        level = self.level_of(weights[most], alpha)
        radius = sigma * np.sqrt(2 * (u2.min() - level / factor))
        self.scores.set_data(grid, factor * (u2.min() - ((grid - x) / sigma) ** 2 / 2))
        self.below.set_data(data.keys[~kept], np.where(gaps > BOTTOM, gaps, np.nan)[~kept])
        self.above.set_data(data.keys[kept], gaps[kept])
        feet = np.column_stack([data.keys[kept], np.full(kept.sum(), level)])
        set_pieces(self.heights, feet, np.column_stack([data.keys[kept], gaps[kept]]))
        self.level.set_data([low, high], [level, level])
        self.water.set_bounds(low, BOTTOM, high - low, level - BOTTOM)
        self.drowned.set_text("under water:\nweight 0" if level > BOTTOM + 0.15 else "")
        self.drowned.set(**{"x": 0.03, "ha": "left"} if x > (low + high) / 2 else {"x": 0.97, "ha": "right"})
        self.name.set(text="level τ" if alpha > 1 else "", y=level + 0.01)
        power = "above the water" if alpha == 2 else f"to the power {1 / factor:.3g}"
        self.note.say(f"weight = height\n{power}" if alpha > 1 else "softmax, no water:\nevery key gets weight",
                      data.keys[most], level / 2)
        stand(self.level_line, x)
        return radius

    def drags(self):
        def levels(alphas: np.ndarray) -> list[float]:
            if self.changed("scores", self.u2.tobytes()):                # a drag of the level changes no score
                self.levels = [self.level_of(entmax(-self.u2, alpha=alpha).max(), alpha) for alpha in alphas]
            return self.levels

        return super().drags() | {"level": Drag("alpha", y=levels)}

    @staticmethod
    def level_of(highest: float, alpha: float) -> float:
        """The level, measured from the highest score, as it follows from the highest weight; for softmax the bottom."""
        return -highest ** (alpha - 1) if alpha > 1 else BOTTOM

    def _sentence(self, alpha, row, radius) -> str:
        where, count = words.at(self.data, self.queries[row]), words.bold((self.weights[row] > 0).sum())
        begin = f"a = <b>{alpha:g}</b>, {NAMES.get(alpha, 'entmax')}"
        if alpha == 1:
            return f"{begin}: every key gets some weight at {where}."
        kernel = KERNELS.get(alpha, f"the kernel (1 − u²)^{1 / (alpha - 1):.3g}")
        return (f"{begin}: {count} of {words.keys(len(self.data.keys))} get weight at {where}. "
                f"These are the weights of {kernel} with a radius of {words.bold(radius)}.")
