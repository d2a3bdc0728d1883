"""The two classes under the sliders: drawn anew when share, n or seed move, or a reader's own and fixed."""
from __future__ import annotations

import math

import numpy as np

from nwlab._engine.inputs import check_number
from nwlab.data import RegressionData, make_classes
from nwlab.explore.stage import words
from nwlab.pooling import attention_scores, masked_softmax

TIE = 1e-9                                              # closer to 0 than this is no verdict, only rounding
MOST_LEFT_OUT = 500                                     # leave-one-out takes n x n weights at every frame
SEPARATION = 2.0


class ClassSample:
    """points (n,), labels (n,) of -1 and +1, what the classes are called, and how wrong a rule is.

    shares (2,) and names (2,) stand in the order -1, +1. grid is where curves are drawn, queries what a slider offers.
    """

    def __init__(self, data=None):
        self.fixed, self._drawn = data is not None, None
        if self.fixed:
            self.points, self.labels, self.names, self.axis = read_classes(data)
            low, high = self.points.min(), self.points.max()
            margin = 0.1 * (high - low) or 0.5
            low, high = low - margin, high + margin
            self._new()
        else:
            self.names, self.axis, low, high = ("−1", "+1"), "x", -4.0, 4.0
        self.extent = (float(np.ptp(self.points)) or 1.0) if self.fixed else 8.0
        self.grid, self.queries = np.linspace(low, high, 321), np.linspace(low, high, 81)
        if not self.fixed:                              # the share of each class that lies in each cell of the grid
            edges = np.concatenate([[-math.inf], (self.grid[1:] + self.grid[:-1]) / 2, [math.inf]])
            self._mass = np.array([np.diff([math.erf((edge - sign * SEPARATION / 2) / math.sqrt(2)) / 2 for edge in edges])
                                   for sign in (-1, 1)])                                        # (2, g)

    def draw(self, state: dict) -> bool:
        """Bring the sample up to the state; True if it changed (and at the first call)."""
        recipe = tuple(state.get(name) for name in ("share", "n", "seed"))
        if recipe == self._drawn:
            return False
        self._drawn = recipe
        if not self.fixed:
            share, n, seed = recipe
            self.points, self.labels = make_classes(n, share, SEPARATION, seed)
            self._new()
        return True

    def _new(self) -> None:
        positive = self.labels > 0
        self.shares = np.array([1 - positive.mean(), positive.mean()])
        self.both = bool(self.shares.min() > 0)
        self.counts = np.where(positive, positive.sum(), (~positive).sum())     # (n,): how many share each point's label

    def errors(self, answers: np.ndarray, balanced: np.ndarray, kernel: str, sigma: float) -> np.ndarray | None:
        """Of each rule and class, the share with the wrong verdict and with none: (rule, class, 2).

        The classes drawn here are known, so their share is exact, from the signs of answers and balanced (g,) on the
        grid. A reader's own are judged by leave-one-out. None where a class is absent or leave-one-out would be slow.
        """
        if not self.both:
            return None
        if not self.fixed:
            return np.array([[_wrong_and_none(some, sign, mass / mass.sum()) for sign, mass in zip((-1, 1), self._mass)]
                             for some in (answers, balanced)])
        n = len(self.points)
        if n > MOST_LEFT_OUT:
            return None
        others = ~np.eye(n, dtype=bool)
        scores = attention_scores(self.points, self.points, kernel, sigma)                      # (n, n)
        same = self.labels[:, None] == self.labels[None, :]
        left = np.maximum(self.counts[None, :] - same, 1)                       # a class has lost the point left out
        with words.empty_windows_said():
            rules = [masked_softmax(some, others) @ self.labels for some in (scores, scores - np.log(left))]
        return np.array([[_wrong_and_none(rule[self.labels == sign], sign, 1 / np.count_nonzero(self.labels == sign))
                          for sign in (-1, 1)] for rule in rules])


def _wrong_and_none(answers: np.ndarray, sign: int, mass) -> tuple[float, float]:
    """How much of the mass gets the other sign's verdict, and how much gets none (a gap or a tie)."""
    decided = np.abs(answers) > TIE                     # NaN is not
    return float(np.sum((decided & (answers * sign < 0)) * mass)), float(np.sum(~decided * mass))


def read_classes(data) -> tuple[np.ndarray, np.ndarray, tuple[str, str], str]:
    """Points (n,) sorted, labels (n,) of -1.0 and +1.0, the names of the two classes, and the name of the axis.

    data: (points, labels) with two different labels, the smaller becomes -1; or a `RegressionData`, whose values are
    the labels, or are split at their median where they are more than two. Anything else raises ValueError.
    """
    if isinstance(data, RegressionData):
        points, labels, axis = data.keys, data.values, data.key_name
    elif isinstance(data, (tuple, list)) and len(data) == 2:
        points, labels, axis = np.asarray(data[0], dtype=float), np.asarray(data[1]), "x"
    else:
        raise ValueError(f"data: got {type(data).__name__}, expected (points, labels) as nwlab.make_classes returns, or what "
                         "nwlab.read_csv or nwlab.from_arrays returns")
    if points.ndim != 1 or points.size == 0 or labels.shape != points.shape:
        raise ValueError(f"data: got points of shape {points.shape} and labels of shape {labels.shape}, expected both (n,)")
    if not np.all(np.isfinite(points)):
        raise ValueError("data: got NaN or infinity among the points, expected finite numbers")
    kinds = np.unique(labels)
    if len(kinds) <= 2:
        positive = labels == kinds[-1] if len(kinds) == 2 or kinds[0] in (1, True) else np.zeros(len(labels), dtype=bool)
        names = [_name(kind) for kind in kinds] if len(kinds) == 2 else ["−1", "+1"]
    elif isinstance(data, RegressionData):
        middle = float(np.median(labels))
        positive = labels > middle
        names = [f"{data.value_name} {than} {words.number(middle)}" for than in ("≤", ">")]
    else:
        raise ValueError(f"data: got {len(kinds)} different labels, expected two")
    order = np.argsort(points, kind="stable")
    return points[order], np.where(positive[order], 1.0, -1.0), tuple(names), axis


def _name(kind) -> str:
    if not isinstance(kind, np.number):
        return str(kind)
    number = check_number("labels", kind)
    return (f"{number:+g}" if abs(number) == 1 else f"{number:g}").replace("-", "−")
