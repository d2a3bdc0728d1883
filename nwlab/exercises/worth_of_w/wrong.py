"""A pooling that can be wrong in many ways: from it the mistakes of `worth_of_w` are made. Fast, so figures use it too."""
from __future__ import annotations

import numpy as np


def total(residuals):
    return np.sum(residuals**2)


def absolute(residuals):
    return np.mean(np.abs(residuals))


def root(residuals):
    return np.sqrt(np.mean(residuals**2))


def mean_squared(residuals):
    return np.mean(residuals) ** 2


def scores(queries, keys, w, outside=False, divide=False, half=0.5, sign=-1.0):
    """(m, n). outside: w is not squared; divide: w is taken for a width."""
    gaps = np.subtract.outer(queries, keys)
    return sign * half * (gaps**2 * w if outside else (gaps / w if divide else gaps * w) ** 2)


def softmax(table, axis=-1, shift=True):
    with np.errstate(all="ignore"):
        shares = np.exp(table - table.max(axis=axis, keepdims=True) if shift else table)
        return shares / shares.sum(axis=axis, keepdims=True)


def answers(queries, keys, values, w, axis=-1, shift=True, **how):
    """(m,)"""
    return softmax(scores(queries, keys, w, **how), axis, shift) @ values


def left_out(keys, values, w, itself="out", axis=-1, shift=True, normalise=True, ones=False, **how):
    """Each point's answer to itself, (n,). itself: "out", "keep", "zero" (not renormalised), "twins" (all at its place out)."""
    table, own = scores(keys, keys, w, **how), np.eye(len(keys), dtype=bool)
    if itself == "twins":
        own = np.equal.outer(keys, keys)
    if itself in ("out", "twins"):
        table = np.where(own, -np.inf, table)
    weights = softmax(table, axis, shift) if normalise and not ones else ~own * 1.0 if ones else np.exp(table)
    return (np.where(own, 0.0, weights) if itself == "zero" else weights) @ values


def left_out_errors(ws, keys, values, measure=lambda residuals: np.mean(residuals**2), **how):
    """(g,)"""
    return np.array([measure(left_out(keys, values, w, **how) - values) for w in ws])


def best(ws, keys, values, **how):
    return ws[np.argmin(left_out_errors(ws, keys, values, **how))]


def error(queries, targets, keys, values, w, measure=lambda residuals: np.mean(residuals**2), **how):
    return measure(answers(queries, keys, values, w, **how) - targets)


def rules(queries, targets, keys, values, fixed_w, ws, choose=None, measured=error):
    """(s, 2). choose(ws, keys, values): the w of one sample."""
    choose = choose or best
    return np.array([[measured(queries, targets, k, v, w) for w in (fixed_w, choose(ws, k, v))] for k, v in zip(keys, values)])


def slope(w, keys, values, factor, itself="out", mean=True, times_w=True, residual=True, outside=False, total=np.sum, shift=True):
    """The slope of the summed loss by the formula, with pieces left out.

    mean: also "columns" or "flat", a wrong axis, or "plain", without weights. outside: also "scores", there alone.
    residual: also "answers", without the values.
    """
    squares = np.subtract.outer(keys, keys) ** 2
    table = -0.5 * squares * (w if outside else w**2)
    own = squares == 0 if itself == "twins" else np.eye(len(keys), dtype=bool)
    weights = softmax(table if itself == "keep" else np.where(own, -np.inf, table), shift=shift)
    found = weights @ values
    centre = (weights * squares).sum(axis=0 if mean == "columns" else 1, keepdims=mean != "flat") if mean else 0.0
    if mean == "plain":
        centre = squares.mean(axis=1, keepdims=True)
    change = -(weights * (squares - centre)) @ values * (0.5 if outside is True else w if times_w else 1.0)
    return factor * 2 * total((found if residual == "answers" else found - values if residual else 1.0) * change)


def steps(w, keys, values, learning_rate, factor, count=5, sign=-1.0, stale=False, again=False, **how):
    """(count + 1,) by the formula. stale: the slope at the start is used for every step; again: each step starts there."""
    path = [float(w)]
    for _ in range(count):
        at = path[0] if stale else path[-1]
        path.append((path[0] if again else path[-1]) + sign * learning_rate * slope(at, keys, values, factor, **how))
    return np.array(path)


def whole_steps(w, keys, values, learning_rate, factor):
    """(6,), kept in an array of whole numbers."""
    path = np.zeros(6, dtype=int)
    path[0] = w
    for step in range(5):
        path[step + 1] = path[step] - learning_rate * slope(path[step], keys, values, factor)
    return path
