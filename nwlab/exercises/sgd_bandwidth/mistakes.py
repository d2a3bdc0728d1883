"""What the mistakes of `sgd_bandwidth` give, in NumPy: each function takes a turn at one thing and leaves the rest right."""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.sgd_bandwidth.problems import true_loss, true_slope

# --- weights and losses


def table(w, queries, keys, half=0.5, outside=False):
    """The scores (m, n), with another factor, or with w outside the square."""
    differences = queries[:, None] - keys
    return -half * (differences**2 * w if outside else (differences * w) ** 2)


def softmax(scores, axis=1):
    """Over the keys; axis=0 over the queries."""
    parts = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return parts / parts.sum(axis=axis, keepdims=True)


def naive(w, keys):
    return softmax(table(w, keys, keys))


def left_out(w, keys, axis=1, **other):
    scores = table(w, keys, keys, **other)
    np.fill_diagonal(scores, -math.inf)
    return softmax(scores, axis)


def off_diagonal(weights):
    """The diagonal set to 0, when the softmax is over."""
    return weights * (1 - np.eye(len(weights)))


def unshifted(w, queries, keys, itself=True):
    """e to the power of each score over their sum, without subtracting the largest: 0/0 where all underflow."""
    parts = np.exp(table(w, queries, keys))
    parts = parts if itself else off_diagonal(parts)
    return parts / parts.sum(axis=1, keepdims=True)


def squares(weights, values):
    """The right loss of weights (n, n), right or wrong."""
    return np.sum((weights @ values - values) ** 2)


def _no_dust(x):
    """What cancels but for rounding is 0."""
    return x if abs(x) > 1e-12 else 0.0


def cut(w, keys, values, start):
    """The diagonal deleted from the weights, and one end of the values: columns meet values that are not theirs."""
    n = len(keys)
    rows = left_out(w, keys)[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    return np.sum((rows @ values[start:start + n - 1] - values) ** 2)


OUTSIDE = ("w stands outside the square", "the width belongs to the distance: multiply by w first, square then. Outside, w is a "
           "precision, and with w < 0 the farthest key would get the most")
NO_HALF = ("the ½ is missing", "the factor before the square is −½: it makes w the 1/σ of a Gaussian")
NO_MINUS = ("the minus is missing: far keys get the most attention", "near keys should have the highest score, which is 0")
AXIS = ("the softmax runs over the queries", "rows are queries, columns are keys. The weights of one query sum to one: which dim "
        "is that?")


def loss_mistakes(weights):
    """What can go wrong behind right weights(w, keys): the same for both losses."""
    def loss(last):
        return lambda w, keys, values: last(weights(w, keys) @ values - values, values)

    return (
        Mistake("the mean of the squared errors, not their sum", "the loss of this exercise adds the errors of all points up",
                loss(lambda errors, _: np.mean(errors**2))),
        Mistake("half of the loss", "some editions of the code take half the squares. The place of the minimum is the same, the "
                "slope is not: here it is the whole sum", loss(lambda errors, _: np.sum(errors**2) / 2)),
        Mistake("the errors are a table of all pairs, by accident", "one of the two, answers or values, has shape (n, 1), and "
                "(n, 1) − (n,) is (n, n). Both should be (n,): look for a [:, None] or a reshape", lambda w, keys, values:
                np.sum(((weights(w, keys) @ values)[:, None] - values) ** 2)),
        Mistake("weights times values were not added up", "* multiplies each weight with a value and leaves a table (n, n). The "
                "answer of a point is the sum along its row: that is what @ does", lambda w, keys, values:
                np.sum((weights(w, keys) * values - values) ** 2)),
        Mistake("the errors are added up first and squared then", "errors of both signs cancel in that sum. Square each one, then "
                "add", loss(lambda errors, _: _no_dust(np.sum(errors)) ** 2)),
        Mistake("the root of the sum", "the loss is the sum of squares itself: no root, no norm", loss(lambda errors, _: np.sqrt(
            np.sum(errors**2)))),
        Mistake("absolute errors, not squared ones", "square each error", loss(lambda errors, _: np.sum(np.abs(errors)))),
        Mistake("one error for each point, not their sum", "a loss is one number", loss(lambda errors, _: errors**2)),
        Mistake("the squares of the answers: nothing was subtracted", "the error of a point is its answer minus its own value",
                loss(lambda errors, values: np.sum((errors + values) ** 2))),
    )


# --- slope and path


def no_way_back(**inputs):
    """What backward does if nothing leads from the loss to rho."""
    raise RuntimeError


def as_torch(wrong):
    """Where shapes do not fit, torch raises a RuntimeError and NumPy a ValueError."""
    def raising(**inputs):
        try:
            return wrong(**inputs)
        except (ValueError, IndexError):
            raise RuntimeError from None

    return raising


def without_exp(rho, keys, values, leave_one_out):
    """The slope at w = rho: divided by rho, as `true_slope` would multiply by its w. Even in w, so |rho| will do."""
    size = abs(float(rho))
    if size == 0:
        return 0.0
    return math.copysign(1.0, rho) * true_slope(math.log(size), keys, values, leave_one_out, log=False)


def with_log(rho, keys, values, leave_one_out):
    """The slope at w = log(rho), divided by rho; NaN where rho has no logarithm."""
    if rho <= 0:
        return math.nan
    return without_exp(math.log(rho), keys, values, leave_one_out) / float(rho)


def path(rho, keys, values, leave_one_out, learning_rate, steps, sign=-1, log=True, summed=False, first_only=False,
         asked=None):
    """The path of w (steps + 1,), with one thing wrong at most."""
    rho, ws, total, first = float(rho), [math.exp(rho)], 0.0, None
    for _ in range(steps):
        place = asked(min(rho, 300.0)) if asked else rho
        step = slope(place, keys, values, leave_one_out, log) if not first_only or first is None else first
        first = step if first is None else first
        total = total + step if summed else step
        rho += sign * learning_rate * total
        ws.append(_exp(rho))
    return np.array(ws)


def path_of_w(rho, keys, values, leave_one_out, learning_rate, steps, log):
    """Steps taken in w itself, with the slope of w (log=False) or that of rho (log=True)."""
    ws = [math.exp(rho)]
    for _ in range(steps):
        w = ws[-1]
        size = max(abs(w), 1e-300)
        there = slope(math.log(size), keys, values, leave_one_out, log)
        ws.append(w - learning_rate * (there if log else math.copysign(there, there * w)))
    return np.array(ws)


def slope(rho, keys, values, leave_one_out, log=True):
    """As `true_slope`, but not beyond what a float holds."""
    return true_slope(max(-300.0, min(300.0, float(rho))), keys, values, leave_one_out, log)


def losses_on(ws, keys, values, leave_one_out):
    return np.array([true_loss(w, keys, values, leave_one_out) for w in ws])


def _exp(rho):
    return math.exp(rho) if rho < 709 else math.inf
