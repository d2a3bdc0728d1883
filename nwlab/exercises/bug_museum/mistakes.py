"""The bugs of `bug_museum`, a tuple for each room. Several rooms may show the bug of another."""
import math

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.bug_museum.problems import (
    answers_per_key, loss_and_slope, pool, predict_at, step_of_rho, weights,
)

AXIS = "the bug of room 1: the softmax runs over the queries", {"axis": 0}
OUTSIDE = "the bug of room 3: w stands outside the square", {"outside": True}
LOST = "the bug of room 6: w is lost, and these are the weights of w = 1", {"of_w": np.ones_like}
NO_HALF = "the squares are not halved", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}

ROWS = named(
    ("the exhibit, not repaired: the softmax runs over the queries", {"axis": 0}),
    ("the whole table sums to one, not each row", {"total": np.sum}),
    ("the whole table sums to one, not each row", {"axis": None}),
    ("not divided by the row's sum: these are not weights yet", {"total": np.ones_like}), right=softmax)

COLUMN = named(
    ("the exhibit, not repaired: w has no effect, every weight is 1/m",
     lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
    AXIS, LOST, NO_HALF, NO_MINUS, right=pool)

INSIDE = named(
    ("the exhibit, not repaired: w stands outside the square", {"outside": True}),
    AXIS, LOST, NO_HALF, NO_MINUS, right=weights)


def shifted(ws):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), ws, np.roll(ws, 1))


PER_KEY = named(
    ("the exhibit, not repaired: a shifted column meets its neighbour's w", {"of_w": shifted}),
    ("the point itself still counts", {"itself": None}),
    ("the score of the point itself is very low, but another may be lower", {"itself": -1e9}),
    ("the w of the query, not of the key", {"of_w": lambda ws: ws[:, None]}),
    NO_HALF, right=answers_per_key)


AT_TEST = named(
    ("the exhibit, not repaired: the queries are the keys",
     lambda keys, **at: predict_at(**at | {"keys": keys, "test_inputs": keys})),
    ("a diagonal is left out at test time too", {"itself": -math.inf}),
    ("the colleague's repair: the test inputs are standardised with their own mean and spread",
     {"of_inputs": np.asarray}),
    NO_HALF, right=predict_at)

SLOPE = named(
    ("the bug of this room: w has no effect", {"of_w": np.ones_like}),
    OUTSIDE, ("the point itself is not left out", {"itself": None}), NO_HALF,
    ("the slope is None: it is not the grad of the marked tensor", {"slope": lambda slope: None}), right=loss_and_slope)


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w


STEP = named(
    ("the step is made on w, not on rho", step_on_w),
    ("the chain rule is missing: rho moved by the slope of w", {"chain": False}),
    ("uphill: the loss grows", {"factor": 1.0}),
    ("the second number is rho, not w", lambda **at: (step_of_rho(**at)[0],) * 2), right=step_of_rho)
