"""The sample under the sliders: drawn anew when n, noise, seed or truth move, or a reader's own and fixed."""
from __future__ import annotations

import numpy as np

from nwlab.data import RegressionData, make_regression


class RegressionSample:
    """Remembers the last sample drawn, so that moving a width draws none."""

    def __init__(self, data: RegressionData | None = None):
        if data is not None and not isinstance(data, RegressionData):
            raise ValueError(f"data: got {type(data).__name__}, expected what nwlab.make_regression, nwlab.read_csv or "
                             "nwlab.from_arrays returns")
        self.fixed, self._drawn = data is not None, None
        self.data = data if self.fixed else make_regression()

    def draw(self, state: dict) -> bool:
        """Bring `data` up to the state; True if it changed (and at the first call)."""
        recipe = {name: state[name] for name in ("n", "noise", "truth", "seed") if name in state}
        if self._drawn == recipe:
            return False
        if not self.fixed:
            self.data = make_regression(**recipe)
        self._drawn = recipe
        return True

    @property
    def queries(self) -> np.ndarray:
        """The queries (m,): they stay while samples come and go."""
        return self.data.queries

    @property
    def unit(self) -> float:
        """A fifth of the extent, 1 for the samples drawn here: widths and presets are multiples of it."""
        return self.extent / 5

    @property
    def extent(self) -> float:
        """From the smallest to the largest key, never zero; 5 for the samples drawn here, as on low..high = 0..5."""
        return (float(np.ptp(self.data.keys)) or 1.0) if self.fixed else 5.0


def value_limits(data: RegressionData, headroom: float = 0.2) -> tuple[float, float]:
    """Limits of the vertical axis: all values and the truth, with room above for words."""
    shown = np.concatenate([data.values, data.targets[np.isfinite(data.targets)]])
    low, high = float(shown.min()), float(shown.max())
    span = (high - low) or 1.0
    return low - 0.06 * span, high + headroom * span


def key_limits(data: RegressionData, margin: float = 0.02) -> tuple[float, float]:
    """Limits of the horizontal axis: all keys and queries."""
    low = min(data.keys[0], data.queries[0])
    high = max(data.keys[-1], data.queries[-1])
    span = (high - low) or 1.0
    return float(low - margin * span), float(high + margin * span)
