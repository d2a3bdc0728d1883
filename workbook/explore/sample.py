"""The sample of a figure: drawn whenever n, noise or seed change, or a reader's own; and fresh ones like it."""
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nwlab.bandwidth import loo_error
from nwlab.data import RegressionData, load_engel, make_regression
from nwlab.pooling import attention_scores, masked_softmax
from workbook.figures.points import Points

COUNT = 100                             # of fresh samples


class Sample:
    """A sample that is drawn again only if one of the controls that it depends on has changed.

    Subclasses list these controls in `drawn_by`; `new` gets the values of those that the figure has. fixed: whether
    the data are a reader's own. unit: of widths, of which those of presets are multiples.
    """

    drawn_by: tuple[str, ...] = ()
    fixed, unit, recipe = False, 1.0, None

    def draw(self, state: dict) -> bool:
        """Draw the sample of this state; returns whether it is a new one, as it is at the first call."""
        recipe, before = {name: state[name] for name in self.drawn_by if name in state}, self.recipe
        if recipe and recipe != before:
            self.new(**recipe)
        self.recipe = recipe
        return recipe != before

    def keep(self, keys: np.ndarray, parts: float) -> None:
        """Keep a reader's own data, whose unit is one of so many parts of the extent of their keys (n,)."""
        self.fixed, self.unit = True, (float(np.ptp(keys)) or 1.0) / parts


class RegressionSample(Sample):
    """`data` drawn by `nwlab.make_regression`, a reader's own or "engel". All samples have the same queries (m,).

    `points` are its keys and values (n, 2), which readers move; `drawn` is the sample as it was drawn, and `places` is
    where its points are in `data`.
    """

    drawn_by, places = ("n", "noise", "seed"), None

    def __init__(self, data: RegressionData | str | None = None):
        data = load_engel() if isinstance(data, str) and data == "engel" else data
        if data is not None and not isinstance(data, RegressionData):
            raise ValueError(f"data: got {type(data).__name__}, expected what nwlab.make_regression, nwlab.read_csv or "
                             'nwlab.from_arrays returns, or "engel"')
        if data is not None:
            self.keep(data.keys, 5)
        self.data = data or make_regression()
        self.queries = self.data.queries

    def new(self, **recipe) -> None:
        self.data = make_regression(**recipe)

    def draw(self, state: dict) -> bool:
        if super().draw(state):
            self.drawn, self.points = self.data, Points(np.column_stack([self.data.keys, self.data.values]))
        before, self.places = self.places, self.points.places
        keys, values = self.places[np.argsort(self.places[:, 0], kind="stable")].T
        self.data = replace(self.drawn, keys=keys, values=values)
        return before is not self.places


@lru_cache(8)                           # drawn once for each recipe
class FreshSamples:
    """COUNT samples with a recipe of `make_regression`, and how far the answers of each are off the truth."""

    def __init__(self, seed: int, **recipe):
        drawn = [make_regression(**recipe, seed=COUNT * (seed + 1) + i) for i in range(COUNT)]
        self.queries, self.targets, self.noise = drawn[0].queries, drawn[0].targets, drawn[0].noise
        self.keys, self.values = (np.stack([getattr(one, name) for one in drawn]) for name in ("keys", "values"))

    def bands(self, kernel, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """How far answers are off the truth, and their standard errors, both (m, COUNT); NaN in an empty window."""
        scores = attention_scores(self.queries, self.keys.ravel(), kernel=kernel, bandwidth=sigma)
        weights = masked_softmax(scores.reshape(len(scores), *self.keys.shape))                     # (m, COUNT, n)
        off = np.einsum("msn,sn->ms", weights, self.values) - self.targets[:, None]
        return off, self.noise * np.sqrt(np.einsum("msn,msn->ms", weights, weights))


def left_out_error(data, widths, kernel) -> np.ndarray:
    """The leave-one-out error at each width (k,); NaN for a single key, as there is none left to predict it from."""
    if len(data.keys) == 1:
        return np.full(len(widths), np.nan)
    return loo_error(data.keys, data.values, bandwidths=widths, kernel=kernel)


def limits(data: RegressionData, margin: float = 0.02) -> tuple[tuple[float, float], tuple[float, float]]:
    """Limits of the horizontal axis, with this margin: all keys and queries; of the vertical one: values and truth."""
    known = data.targets[np.isfinite(data.targets)]
    return _with_margin([*data.keys, *data.queries], margin), _with_margin([*data.values, *known], 0.06)


def _with_margin(shown: list[float], margin: float) -> tuple[float, float]:
    """The smallest and the largest, with a margin, a share of their distance, on both sides; never equal."""
    low, high = min(shown), max(shown)
    if low == high:
        low, high = low - 0.5, high + 0.5
    room = margin * (high - low)
    return float(low - room), float(high + room)
