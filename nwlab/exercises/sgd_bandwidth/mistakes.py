"""The mistakes that `sgd_bandwidth` knows by name, a tuple for each item. Most are the model with one thing changed."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import scores_of_w as scores, softmax
from nwlab.exercises.sgd_bandwidth.model import (
    attention, best, error, loss, losses, mask, path, slope, slope_in_w, squares, walk,
)

SCORES = named(
    ("w stands outside the square", {"outside": True}),
    ("the square is missing", {"square": np.abs}), ("the square is missing", {"square": np.asarray}),
    ("w multiplies the queries alone", lambda w, queries, keys: -0.5 * (queries[:, None] * w - keys) ** 2),
    ("the weights, not the scores", lambda **at: softmax(scores(**at))),
    right=lambda w, queries, keys, **how: scores(queries, keys, w, **how))


def forgotten(total):
    """An end of a loss without the square. total: np.sum or np.mean."""
    return "the square is forgotten", {"end": lambda answers, values: total(answers - values)}


def in_both_losses(leave_one_out):
    """What can go wrong behind the scores and the mask: the same for both losses."""
    return named(
        ("the softmax runs over the queries", {"axis": 0}),
        ("the whole table sums to one, not each row", {"axis": None}),
        ("the errors are a table of all pairs, by accident",
         {"end": lambda answers, values: squares(answers[:, None], values)}),
        forgotten(np.sum), right=partial(loss, leave_one_out=leave_one_out))


NAIVE = named(
    ("the point itself is left out already", {"leave_one_out": True}),
    ("the weights do not sum to one",
     lambda w, keys, values: squares(np.exp(scores(keys, keys, w)) @ values, values)),
    right=loss) + in_both_losses(leave_one_out=False)


MASK = named(
    ("the mask is the wrong way round: it is true on the diagonal", lambda n: ~mask(n)),
    ("only one side of the diagonal is true", lambda n: np.tri(n, k=-1, dtype=bool)),
    ("only one side of the diagonal is true", lambda n: ~np.tri(n, dtype=bool)),
    ("scores, not truth values", lambda n: np.where(mask(n), 0.0, -np.inf)),
    ("−1 and −2: ~ turned every bit of whole numbers round", lambda n: ~np.eye(n, dtype=int)))

LEFT_OUT = named(
    ("each point still attends to itself: this is the naive loss", loss),
    ("the mask is the wrong way round: each point attends only to itself", lambda **at: 0.0),
    ("the diagonal is set to 0 after the softmax, and the rows do not sum to one",
     lambda w, keys, values: squares(attention(w, keys, False) * mask(len(keys)) @ values, values)),
    ("NaN for every input: +∞ or 0 times ∞ among the scores", lambda **at: np.nan),
    right=loss) + in_both_losses(leave_one_out=True)

SLOPE = named(
    ("the slope with respect to w, not to ρ", lambda rho, **at: slope_in_w(np.exp(rho), **at)),
    ("the exponential is missing: ρ is used as w", lambda rho, **at: slope_in_w(rho, **at)),
    ("always the slope of the same loss", lambda **at: slope(**at | {"leave_one_out": False})),
    ("always the slope of the same loss", lambda **at: slope(**at | {"leave_one_out": True})),
    ("twice the slope, as where backward runs twice and .grad is not emptied in between",
     lambda **at: 2 * slope(**at)),
    ("the slope is multiplied by w once more", lambda rho, **at: np.exp(rho) * slope(rho, **at)),
    ("it returns nothing: None", lambda **at: None))

DESCEND = named(
    ("it walks uphill", lambda **at: path(**at | {"learning_rate": -at["learning_rate"]})),
    ("one step too many", lambda **at: path(**at | {"steps": at["steps"] + 1})),
    ("the path of ρ, not of w", lambda rho, **at: walk(rho, **at)),
    ("the slope at w is asked for, but slope takes ρ", lambda rho, **at: path(rho, **at, slope=lambda rho, *more: slope(
        np.exp(rho), *more))),
    ("every entry of the path is the last w", lambda **at: np.full(at["steps"] + 1, path(**at)[-1])),
    ("gradients add up: .grad is never emptied", {"summed": True}),
    ("the slope of the start is used for every step", {"stale": True}),
    ("always down the same loss", lambda **at: path(**at | {"leave_one_out": False})),
    ("always down the same loss", lambda **at: path(**at | {"leave_one_out": True})),
    ("the steps are taken in w, not in ρ", lambda rho, **at: walk(np.exp(rho), **at, slope=slope_in_w)), right=path)

BEST = named(
    ("the place in the grid, not the w that stands there", lambda **at: losses(**at).argmin()),
    ("the smallest loss, not the w that has it", lambda **at: losses(**at).min()),
    ("the largest w wins, as if no point were left out", {"leave_one_out": False}), right=best)

ERROR = named(
    ("the softmax runs over the queries", {"axis": 0}),
    ("the differences are a table of all pairs, by accident",
     {"end": lambda answers, truth: np.mean((answers[:, None] - truth) ** 2)}), forgotten(np.mean),
    ("the weights do not sum to one",
     lambda w, keys, values, queries, truth: np.mean((np.exp(scores(queries, keys, w)) @ values - truth) ** 2)),
    right=error)
