"""What the mistakes of `unit_sphere` answer: each function here is wrong on purpose."""
from __future__ import annotations

import numpy as np


def dots(queries, keys):
    return queries @ keys.T                                                             # (m, n)


def squares(queries, keys):
    return np.sum((queries[:, None] - keys) ** 2, axis=2)                               # (m, n)


def unit(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1)


def softmax(scores, axis=1, shift="row"):
    """A softmax with the shift asked for, by name or a number, and a sum along axis (None: the whole table)."""
    shifts = {"row": lambda: scores.max(axis=1, keepdims=True), "column": lambda: scores.max(axis=0, keepdims=True),
              "table": scores.max, "row's mean": lambda: scores.mean(axis=1, keepdims=True),
              "row's size": lambda: np.abs(scores).max(axis=1, keepdims=True)}
    e = np.exp(scores - (shifts[shift]() if isinstance(shift, str) else shift))
    return e / e.sum(axis=axis, keepdims=axis is not None)


def without_keepdims(queries, keys, sigma, shift_keeps, sum_keeps):
    """The maximum and the sum of each row as (m, 1), or, where they do not keep their axis, as (m,)."""
    scores = dots(queries, keys) / sigma**2
    e = np.exp(scores - scores.max(axis=1, keepdims=shift_keeps))
    return e / e.sum(axis=1, keepdims=sum_keeps)


def over_queries(queries, keys, sigma):
    scores = dots(queries, keys) / sigma**2
    return softmax(scores, axis=0, shift="column")


def undivided(queries, keys, sigma):
    scores = dots(queries, keys) / sigma**2
    return np.exp(scores - scores.max(axis=1, keepdims=True))


def proportional(queries, keys, sigma):
    scores = dots(queries, keys) / sigma**2
    return scores / scores.sum(axis=1, keepdims=True)


def gaussian(queries, keys, sigma):
    return softmax(-squares(queries, keys) / (2 * sigma**2))


def products(queries, keys, sigma):
    return softmax(dots(queries, keys) / sigma**2)


def gap(queries, keys, sigma):
    """The Gaussian's weights less those of the products, (m, n)."""
    return gaussian(queries, keys, sigma) - products(queries, keys, sigma)


def largest(differences):
    """A number, or several; what is rounding only is 0, as in the oracle."""
    return differences * 1.0 if np.max(np.abs(differences)) > 1e-6 else 0.0 * differences


def lengths_squared(keys):
    return np.sum(keys**2, axis=1)                                                      # (n,)
