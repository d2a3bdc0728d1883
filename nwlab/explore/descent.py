"""Gradient descent on one learned width in closed form: quick enough to train anew whenever a slider moves, without torch."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SGD, ADAM = "SGD on w", "Adam on log w"


class Valley:
    """The loss and its slope by w, for keys (n,) and values (n,); left_out: no point attends to itself."""

    def __init__(self, keys, values, left_out: bool):
        n = len(keys)
        squares = (keys[:, None] - keys[None, :]) ** 2                                # (n, n)
        self.allowed = 1.0 - np.eye(n) if left_out and n > 1 else np.ones((n, n))
        nearest = np.where(self.allowed > 0, squares, np.inf).min(axis=1, keepdims=True)
        self.further = np.where(self.allowed > 0, squares - nearest, 0.0)             # only differences count in a softmax
        self.values, self.columns = values, np.stack([np.ones(n), values], axis=1)    # (n,), (n, 2)

    def at(self, w: float) -> tuple[float, float]:
        """The sum of squared residuals at w, and its derivative.

        d alpha_ij / dw = -w alpha_ij (s_ij - sum_k alpha_ik s_ik), with s the squared distances.
        """
        w = float(np.clip(w, -1e100, 1e100))                                          # its square stays a number
        raw = np.exp(np.maximum(-0.5 * w * w * self.further, -700.0)) * self.allowed  # (n, n)
        total, sums = (raw @ self.columns).T                                          # (n,) each
        moment, moments = ((raw * self.further) @ self.columns).T
        answers = sums / total
        residuals = answers - self.values
        slopes = -w * (moments - moment * answers) / total
        return float(residuals @ residuals), float(2 * residuals @ slopes)


@dataclass(frozen=True)
class Run:
    """w, loss and slope d loss / dw at every step, (T+1,) each. Index 0 is the start."""

    w: np.ndarray
    loss: np.ndarray
    slope: np.ndarray


def descend(valley: Valley, start: float, optimiser: str, rate: float, scale: float, steps: int) -> Run:
    """Gradient descent as `nwlab.training.fit` does it, in closed form: SGD on w, or Adam on log w (Kingma and Ba 2015).

    scale: 1 for the full squared loss, 0.5 for half of it. A step that is too large throws w to where the loss is flat,
    so that a run can go astray, but never leaves the numbers.
    """
    rows, w, first, second = [], start, 0.0, 0.0
    for step in range(steps + 1):
        loss, slope = (scale * x for x in valley.at(w))
        rows.append((w, loss, slope))
        if optimiser == SGD:
            w = w - rate * slope
        else:
            gradient = slope * w                                                      # by log w
            first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
            move = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.999 ** (step + 1))) + 1e-8)
            w = float(np.exp(np.clip(np.log(w) - rate * move, -200, 200)))
    return Run(*np.array(rows).T)
