"""The mistakes that `sgd_bandwidth` knows by name, a tuple for each item. Most are the model with one thing changed."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import scores_of_w as scores
from nwlab.exercises.sgd_bandwidth.model import (
    attention, best, error, loss, losses, mask, path, slope_in_w, squares, walk,
)

SCORES = named(
    ("w stands outside the square", {"outside": True}),
    ("the square is missing", {"square": np.abs}), ("the square is missing", {"square": np.asarray}),
    right=lambda w, queries, keys, **how: scores(queries, keys, w, **how))


def forgotten(total):
    """An end of a loss without the square. total: np.sum or np.mean."""
    return "the square is forgotten", {"end": lambda answers, values: total(answers - values)}


def in_both_losses(leave_one_out):
    """What can go wrong behind the scores and the mask: the same for both losses."""
    return named(
        ("the softmax runs over the queries", {"axis": 0}), forgotten(np.sum),
        right=partial(loss, leave_one_out=leave_one_out))


NAIVE = in_both_losses(leave_one_out=False)

MASK = named(
    ("the mask is the wrong way round: it is true on the diagonal", lambda n: ~mask(n)),
    ("scores, not truth values", lambda n: np.where(mask(n), 0.0, -np.inf)))

LEFT_OUT = named(
    ("each point still attends to itself: this is the naive loss", loss),
    ("the mask is the wrong way round: each point attends only to itself", lambda **at: 0.0),
    ("the diagonal is set to 0 after the softmax, and the rows do not sum to one",
     lambda w, keys, values: squares(attention(w, keys, False) * mask(len(keys)) @ values, values)),
    right=loss) + in_both_losses(leave_one_out=True)

SLOPE = named(
    ("the slope with respect to w, not to ρ", lambda rho, **at: slope_in_w(np.exp(rho), **at)),
    ("the exponential is missing: ρ is used as w", lambda rho, **at: slope_in_w(rho, **at)))

DESCEND = named(
    ("it walks uphill", lambda **at: path(**at | {"learning_rate": -at["learning_rate"]})),
    ("one step too many", lambda **at: path(**at | {"steps": at["steps"] + 1})),
    ("the steps are taken in w, not in ρ", lambda rho, **at: walk(np.exp(rho), **at, slope=slope_in_w)), right=path)

BEST = named(
    ("the place in the grid, not the w that stands there", lambda **at: losses(**at).argmin()),
    ("the smallest loss, not the w that has it", lambda **at: losses(**at).min()),
    ("the largest w wins, as if no point were left out", {"leave_one_out": False}), right=best)

ERROR = named(("the softmax runs over the queries", {"axis": 0}), forgotten(np.mean), right=error)
