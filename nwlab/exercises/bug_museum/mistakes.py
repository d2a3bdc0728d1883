"""The bugs of `bug_museum`, a tuple for each room. Several rooms may show the bug of another."""
import math
from functools import partial

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
    ("the shift is taken along the row, but the sum runs over the queries",
     {"total": lambda powers: powers.sum(axis=0)}),
    ("not divided by the row's sum: these are not weights yet", {"total": np.ones_like}), right=softmax)

COLUMN = named(
    ("the exhibit, not repaired: w has no effect, every weight is 1/m",
     lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
    ("every answer is the mean of the values: w still has no effect",
     lambda queries, keys, values, w: np.full(len(queries), values.mean())),
    AXIS, LOST, NO_HALF, NO_MINUS, right=pool)

INSIDE = named(
    ("the exhibit, not repaired: w stands outside the square", {"outside": True}),
    ("w is squared twice", {"of_w": np.square}), AXIS, LOST, NO_HALF, NO_MINUS, right=weights)


def shifted(ws, by=0):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] (by=-1: ws[1:]) meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), np.roll(ws, by), np.roll(ws, by + 1))


PER_KEY = named(
    ("the exhibit, not repaired: a shifted column meets its neighbour's w", {"of_w": shifted}),
    ("the columns are shifted the other way", {"of_w": partial(shifted, by=-1)}),
    ("the point itself still counts", {"itself": None}),
    ("the score of the point itself is very low, but another may be lower", {"itself": -1e6}),
    ("the score of the point itself is very low, but another may be lower", {"itself": -1e9}),
    ("the w of the query, not of the key", {"of_w": lambda ws: ws[:, None]}),
    ("the mask is the wrong way round: each point attends only to itself", lambda ws, keys, values: values.copy()),
    ("the mask comes after the softmax: the rows do not sum to one",
     lambda ws, keys, values: (weights(keys, keys, ws) * (1 - np.eye(len(ws)))) @ values),
    NO_HALF, right=answers_per_key)


def of_test_inputs(test_inputs, keys):
    return test_inputs.mean(), test_inputs.std()


def untouched(test_inputs, keys):
    return 0.0, 1.0


AT_TEST = named(
    ("the exhibit, not repaired: the queries are the keys",
     lambda keys, **at: predict_at(**at | {"keys": keys, "test_inputs": keys})),
    ("a diagonal is left out at test time too", {"itself": -math.inf}),
    ("the colleague's repair: the test inputs are standardised with their own mean and spread",
     {"of_inputs": of_test_inputs}),
    ("nothing is divided by the spread of the keys, but w was learned for standardised keys",
     {"of_inputs": untouched, "of_keys": untouched}),
    ("only the keys are standardised, the test inputs are not", {"of_inputs": untouched}),
    NO_HALF, right=predict_at)

SLOPE = named(
    ("the bug of this room: w has no effect", {"of_w": np.ones_like}),
    ("the number w reaches the scores, its gradient does not", {"of_w": np.real}),
    OUTSIDE, ("the point itself is not left out", {"itself": None}), NO_HALF,
    ("the slope is None: it is not the grad of the marked tensor", {"slope": lambda slope: None}),
    ("slope first, loss second", lambda **at: loss_and_slope(**at)[::-1]),
    ("the mean of the squared errors, not their sum",
     lambda **at: tuple(number / len(at["keys"]) for number in loss_and_slope(**at))), right=loss_and_slope)


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w


STEP = named(
    ("the step is made on w, not on rho", step_on_w),
    ("the rate is missing", lambda **at: step_of_rho(**at | {"rate": 1.0})),
    ("the chain rule is missing: rho moved by the slope of w", {"chain": False}),
    ("the slope is multiplied by w once more",
     lambda rho, **at: step_of_rho(rho, **at | {"rate": at["rate"] * math.exp(rho)})),
    ("uphill: the loss grows", {"factor": 1.0}), ("nothing moved", {"factor": 0.0}),
    ("the second number is rho, not w", lambda **at: (step_of_rho(**at)[0],) * 2),
    ("the w from before the step", lambda **at: (step_of_rho(**at)[0], math.exp(at["rho"]))), right=step_of_rho)
