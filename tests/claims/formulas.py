"""What several claims compute by themselves: kernels, softmax, descents, and the loss of one w or of many.

Shapes: s samples, n keys, m queries.
"""
from functools import cached_property

import numpy as np

from nwlab import data

GRID = np.geomspace(0.05, 100, 100)     # of w
SHAPES = {                              # height at the distance u, area, standard deviation
    "gaussian": (lambda u: np.exp(-u * u / 2), np.sqrt(2 * np.pi), 1.0),
    "triangular": (lambda u: np.maximum(0, 1 - np.abs(u)), 1, 6**-0.5),
    "epanechnikov": (lambda u: np.maximum(0, 1 - u * u), 4 / 3, 5**-0.5),
    "boxcar": (lambda u: (np.abs(u) <= 1) * 1.0, 2, 3**-0.5),
}


def softmax(scores):
    """Over the last axis, (..., n); minus infinity gets no weight."""
    raw = np.exp(np.maximum(scores - scores.max(axis=-1, keepdims=True), -700.0)) * np.isfinite(scores)
    return raw / raw.sum(axis=-1, keepdims=True)


def gaussian(queries, keys, sigma, hidden=False):
    """Attention weights (m, n) on a line, or of queries (m, d) and keys (n, d). hidden (m, n): pairs without weight."""
    squares = ((np.asarray(queries)[:, None] - keys) / sigma) ** 2
    return softmax(np.where(hidden, -np.inf, -0.5 * (squares if squares.ndim == 2 else squares.sum(axis=2))))


def effective(weights):
    """Effective keys of each row, (..., n)."""
    return 1 / (weights**2).sum(axis=-1)


def by_sgd(slope, w, rate, steps):
    for _ in range(steps):
        w = w - rate * slope(w)
    return w


def by_adam(slope, w, rate, steps):
    first = second = 0.0
    for step in range(1, steps + 1):
        gradient = slope(w)
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        w = w - rate * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return w


def by_log(slope):
    """The slope by rho = log w, a function of rho."""
    return lambda rho: slope(np.exp(rho)) * np.exp(rho)


class Valleys:
    """The losses of samples, keys (s, n) and values (s, n), each point a query, and their slopes by w."""

    def __init__(self, keys, values, left_out=True):
        self.keys, self.values = keys, values
        self.squares = (keys[:, :, None] - keys[:, None, :]) ** 2                      # (s, n, n)
        self.allowed = ~np.eye(keys.shape[1], dtype=bool) | (not left_out)

    def weights(self, w):
        """(s, n, n) for w, a number, (s,) or, a w for each key, (s, n)."""
        each = w[:, None, :] if np.ndim(w) == 2 else np.asarray(w)[..., None, None]
        return softmax(np.where(self.allowed, -0.5 * self.squares * each**2, -np.inf))

    def at(self, w):
        """Losses (s,), and slopes (s,) or, for a w for each key, (s, n)."""
        weights = self.weights(w)
        answers = (weights @ self.values[:, :, None])[:, :, 0]
        residuals = answers - self.values
        change = weights * (self.values[:, None, :] - answers[:, :, None]) * self.squares
        change = -2 * (residuals[:, None, :] @ change)[:, 0]                           # (s, n)
        return (residuals**2).sum(axis=1), w * (change if np.ndim(w) == 2 else change.sum(axis=1))

    def slope(self, w):
        return self.at(w)[1]

    def optima(self, grid=GRID):
        return grid[np.argmin([self.at(w)[0] for w in grid], axis=0)]


class Samples:
    """`count` samples of the lessons' kind, each with a start uniform on 0..1."""

    def __init__(self, first, count, n=50):
        samples = [data.make_regression(n=n, seed=seed) for seed in range(first, first + count)]
        self.keys, self.values = (np.stack([getattr(s, name) for s in samples]) for name in ("keys", "values"))
        self.queries, self.truth = samples[0].queries, samples[0].targets
        self.asked = (self.queries[None, :, None] - self.keys[:, None, :]) ** 2        # (s, m, n)
        self.start = np.random.default_rng(first).uniform(size=count)
        self.left_out, self.kept = (Valleys(self.keys, self.values, left_out) for left_out in (True, False))

    @cached_property
    def optima(self):
        return self.left_out.optima()

    def curves(self, w):
        """Answers (s, m) for w, a number, (s,) or (s, n)."""
        each = w[:, None, :] if np.ndim(w) == 2 else np.asarray(w)[..., None, None]
        return (softmax(-0.5 * self.asked * each**2) @ self.values[:, :, None])[:, :, 0]

    def errors(self, w):
        """Against the truth, (s,)."""
        return ((self.curves(w) - self.truth) ** 2).mean(axis=1)

    def roughness(self, w):
        return np.sqrt((np.diff(self.curves(w), 2) ** 2).mean(axis=1))
