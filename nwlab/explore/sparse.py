"""Softmax, entmax and sparsemax on the same scores: below a level a key gets no weight, and that is a kernel."""
import numpy as np
from matplotlib.patches import Rectangle

from nwlab import palette
from nwlab._engine.inputs import check_number
from nwlab.explore import controls as make, words
from nwlab.explore.parts import FitScene, broken_line, corner, label, line, marks, query_line, set_pieces, stand
from nwlab.explore.sample import RegressionSample
from nwlab.pooling import attention_scores, nadaraya_watson
from nwlab.sparse import entmax
from workbook.figures.live import WIDE, Explorer, Layout

NAMES = {1.0: "softmax", 1.5: "entmax", 2.0: "sparsemax"}
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
    sigma = 0.5 * unit if sigma is None else sigma
    presets = {name: {"alpha": value} for value, name in NAMES.items()}
    presets |= {"far too wide": {"alpha": 2.0, "sigma": 2 * unit}, "narrow": {"alpha": 2.0, "sigma": 0.1 * unit}}
    return Explorer(
        SparseScene(sample),
        {"alpha": make.slider("entmax's α", alpha, 1.0, 2.0, 0.05),
         "sigma": make.log_slider("sigma", "width σ", sigma, 0.05 * unit, 5 * unit),
         "query": make.query_slider(sample.queries, query)},
        make.sample_controls(sample, ("n", "noise", "seed")), presets=presets)


class SparseScene(FitScene):
    label = "Scores of one query with the level under which no key gets weight, the weights, and the fit"
    invitation = "Drag α or the query: which keys lose all their weight?"
    titles = {"fit": "The fit", "stem": "Weights at the query"}
    across, down = ("level", "fit", "stem"), ()
    second = "softmax"
    longest = 220
    layouts = (
        Layout(("level", "stem", "fit"), (1,), (1.5, 0.8, 1.2), height=760, gap_y=74),
        Layout(("level fit", "level stem"), (1.55, 1), (1.5, 1), height=418, room=WIDE, gap_y=66),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        panel = self.panels["level"]
        label(panel, "Only above the level is weight", y="(α − 1) · score, below the highest", ylim=(-1.12, 0.2))
        self.scores = line(panel, palette.MUTED, linewidth=1.4)
        self.below = marks(panel, palette.MUTED, 5, markeredgewidth=0.8)
        self.heights = broken_line(panel, palette.KEY, 2.4, zorder=3)
        self.above = marks(panel, palette.KEY, 8, zorder=4)
        self.level = line(panel, palette.INK, linewidth=1.6, zorder=2)
        self.water = panel.add_patch(Rectangle((0, -3), 1, 1, facecolor=palette.FAINT, alpha=0.6, zorder=0))
        self.note = corner(panel, "", palette.KEY_INK)
        self.level_line = query_line(panel, 0.9)
        self.outline = line(self.panels["stem"], palette.INK, linewidth=1.2, linestyle=(0, (4, 2)))
        self.move(self.water, self.level_line, self.scores, self.below, self.heights, self.above, self.level, self.note,
                  self.outline)

    def new_sample(self) -> None:
        super().new_sample()
        self.panels["level"].set(xlim=self.fit.panel.get_xlim(), xlabel=self.data.key_name)

    def update(self, state: dict) -> str:
        alpha, sigma, row = state["alpha"], state["sigma"], self.row_of(state["query"])
        data, grid = self.data, self.fit.grid
        if self.changed("curve", (alpha, sigma)):
            self.weights = entmax(attention_scores(data.queries, data.keys, bandwidth=sigma), alpha=alpha)     # (m, n)
            self.fit.curve.set_data(grid, entmax(attention_scores(grid, data.keys, bandwidth=sigma), alpha=alpha)
                                    @ data.values)
        if self.changed("softmax", sigma):
            self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=sigma))
        self.show_row(self.weights, row)
        return self._sentence(alpha, sigma, row, self._show_level(alpha, sigma, row))

    def _show_level(self, alpha: float, sigma: float, row: int) -> float:
        """Scores, level and heights above it; returns the radius beyond which a key gets no weight."""
        data, x, weights = self.data, self.queries[row], self.weights[row]
        low, high = self.panels["level"].get_xlim()
        grid, factor = np.linspace(low, high, 201), max(alpha - 1, 0.02)
        u2 = ((data.keys - x) / sigma) ** 2 / 2                                              # (n,)
        gaps, most, kept = factor * (u2.min() - u2), int(weights.argmax()), weights > 0
        level = gaps[most] - weights[most] ** factor if alpha > 1 else -3.0                  # -3: not to be seen
        radius = sigma * np.sqrt(2 * (u2.min() - level / factor))
        self.scores.set_data(grid, factor * (u2.min() - ((grid - x) / sigma) ** 2 / 2))
        self.below.set_data(data.keys[~kept], gaps[~kept])
        self.above.set_data(data.keys[kept], gaps[kept])
        feet = np.column_stack([data.keys[kept], np.full(kept.sum(), level)])
        set_pieces(self.heights, feet, np.column_stack([data.keys[kept], gaps[kept]]))
        self.level.set_data([low, high], [level, level])
        self.water.set_bounds(low, -3.0, high - low, level + 3.0)
        power = "above the level" if alpha == 2 else f"to the power {1 / factor:.3g}"
        self.note.set_text(f"softmax has no level (scores × {factor:g})" if alpha == 1 else f"weight = height {power}")
        stand(self.level_line, x)
        self._show_outline(alpha, grid, x, radius, weights[most], data.keys[most])
        return radius

    def _show_outline(self, alpha, grid, x, radius, highest, nearest) -> None:
        """The kernel (1 - u²)^p with its radius, as high as the weights."""
        if alpha == 1:
            self.outline.set_data([], [])
            return
        power = 1 / (alpha - 1)

        def profile(at):
            return np.maximum(1 - ((at - x) / radius) ** 2, 0.0) ** power

        self.outline.set_data(grid, highest * profile(grid) / profile(nearest))

    def _sentence(self, alpha, sigma, row, radius) -> str:
        data, count = self.data, int((self.weights[row] > 0).sum())
        name = NAMES.get(alpha, "entmax")
        text = f"{words.gist(f'α = <b>{alpha:g}</b>, {name}')}: "
        if alpha == 1:
            text += f"every key gets some weight at {words.at(data, self.queries[row])}. "
        else:
            kernel = KERNELS.get(alpha, f"the kernel (1 − u²)^{1 / (alpha - 1):.3g}")
            text += (f"{words.gist(words.key(f'<b>{count}</b>'))} of {words.keys(len(data.keys))} get weight at "
                     f"{words.at(data, self.queries[row])}. These are the weights of {kernel} with a radius of "
                     f"{words.bold(radius)}. ")
        if data.truth is not None:
            error = np.mean((self.weights @ data.values - data.targets) ** 2)
            soft = nadaraya_watson(data.queries, data.keys, data.values, bandwidth=sigma)
            text += (f"The error against the truth is {words.gist(words.bold(error))}; softmax has "
                     f"{words.number(np.mean((soft - data.targets) ** 2))}.")
        return text
