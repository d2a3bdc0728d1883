"""The mistakes of `simulated_error` in `consistency_rate`: at the borders, in the weights, in the mean of squares."""
from __future__ import annotations

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.consistency_rate.problems import SIDE


def measured(queries, truth, keys, values, h, margin, inside=np.all, scale=None, pool=None, error=None, score=None):
    """The simulated error with one thing wrong. inside: of an (m, d) table of truths. score: of squares and h."""
    squares = ((queries[:, None, :] - keys) ** 2).sum(axis=2)
    weights = np.exp(squares * (-1 / (2 * h**2) if scale is None else scale(h)) if score is None else score(squares, h))
    kept = inside((queries >= margin) & (queries <= SIDE - margin), axis=1) if inside else np.full(len(queries), True)
    answers = weights @ values / weights.sum(axis=1) if pool is None else pool(weights, values, kept)
    return np.mean((answers - truth)[kept] ** 2) if error is None else error(answers - truth, kept)


def simulated(name, says, **wrong):
    return Mistake(name, says, lambda **inputs: measured(**inputs, **wrong))


def middle_keys_only(queries, truth, keys, values, h, margin, inside=np.all):
    middle = np.all((keys >= margin) & (keys <= SIDE - margin), axis=1)
    return measured(queries, truth, keys[middle], values[middle], h, margin, inside)


def masked(name, says, mask):
    """mask: of queries and margin, an (m, d) table of truths."""
    return Mistake(name, says, lambda **i: measured(**i, inside=lambda table, axis: mask(i["queries"], i["margin"]).all(axis=axis)))


def columns(weights, values, kept):
    return weights / weights.sum(axis=0) @ values


INSIDE = "near a border the keys are on one side only, and the law does not hold: keep the queries that are inside"
SIMULATION = (
    simulated("the queries near the border count too", INSIDE, inside=None),
    simulated("a query counts if any of its features is inside", "it has to be inside in every one of them: all, not any", inside=np.any),
    simulated("the queries outside, not those inside", "turn the condition round: those that are inside count",
              inside=lambda table, axis: ~table.all(axis=axis)),
    simulated("only the first feature is looked at", "a query has to be inside in every one of its features",
              inside=lambda table, axis: table[:, 0]),
    Mistake("the upper border is forgotten", "the cube ends at 5 as well: at least margin away from both ends", lambda **i: measured(
        **i, inside=lambda table, axis: np.all(i["queries"] >= i["margin"], axis=1))),
    Mistake("the lower border is forgotten", "the cube begins at 0: at least margin away from both ends", lambda **i: measured(
        **i, inside=lambda table, axis: np.all(i["queries"] <= SIDE - i["margin"], axis=1))),
    masked("a query exactly on the edge is thrown away", "at *least* margin away: which comparison says that, > or >=?",
           lambda x, margin: (x > margin) & (x < SIDE - margin)),
    masked("a query exactly on the lower edge is thrown away", "at *least* margin away: which comparison says that, > or >=?",
           lambda x, margin: (x > margin) & (x <= SIDE - margin)),
    masked("a query exactly on the upper edge is thrown away", "at *least* margin away: which comparison says that, < or <=?",
           lambda x, margin: (x >= margin) & (x < SIDE - margin)),
    Mistake("every answer is NaN, as if your mask keeps no query", "a mean over no query is NaN. Print your mask, and the two ends between "
            "which a query has to lie: can any number pass both comparisons?", lambda **inputs: np.nan),
    masked("the distance from the middle is compared with margin", "margin is the distance from an end. With a margin of 0 your mask keeps "
           "no query: how far from the middle may one be?", lambda x, margin: np.abs(x - SIDE / 2) <= margin),
    masked("both comparisons point the same way: >=", "on some problems your mask keeps no query. A query lies between the two ends: above "
           "the one, below the other", lambda x, margin: (x >= margin) & (x >= SIDE - margin)),
    masked("both comparisons point the same way: <=", "on some problems your mask keeps no query. A query lies between the two ends: above "
           "the one, below the other", lambda x, margin: (x <= margin) & (x <= SIDE - margin)),
    Mistake("the keys near the border are thrown away", "all keys may answer. It is the queries that have to be inside", middle_keys_only),
    Mistake("the keys near the border are thrown away, and the queries there count", "it is the other way round: all keys may answer, and "
            "the queries have to be inside", lambda **i: middle_keys_only(**i, inside=None)),
    simulated("divided by all queries, not by those inside", "the mean runs over the queries that count: how many are these?",
              error=lambda gap, kept: np.sum(gap[kept] ** 2) / len(gap)),
    simulated("the sum, not the mean", "it is a mean over queries", error=lambda gap, kept: np.sum(gap[kept] ** 2)),
    simulated("the root of the error", "the mean squared error is asked for, so no root", error=lambda gap, kept:
              np.sqrt(np.mean(gap[kept] ** 2))),
    simulated("the absolute error, not the squared one", "square each difference", error=lambda gap, kept: np.mean(np.abs(gap[kept]))),
    simulated("the differences are not squared", "errors of opposite signs cancel: square each of them first", error=lambda gap, kept:
              np.mean(gap[kept])),
    simulated("the mean is squared, not the differences", "errors of opposite signs cancel: square first, then average",
              error=lambda gap, kept: np.mean(gap[kept]) ** 2),
    simulated("the variance of the differences: the bias is lost", "np.var takes the mean away first, and that is part of the error",
              error=lambda gap, kept: np.var(gap[kept])),
    simulated("h where h² belongs", "the distance is divided by h before it is squared", scale=lambda h: -1 / (2 * h)),
    simulated("squares is already squared, and you square it again", "squares holds the distance squared. Only h is still to be squared",
              score=lambda squares, h: -((squares / h) ** 2) / 2),
    simulated("squares is already squared, and you square squares / h² again", "squares holds the distance squared: divided by h² it "
              "is the square of distance / h", score=lambda squares, h: -((squares / h**2) ** 2) / 2),
    simulated("the ½ is missing", "a Gaussian of width h has ½ in front of the square", scale=lambda h: -1 / h**2),
    simulated("the minus is missing: the farthest keys weigh most", "a weight has to fall with the distance", scale=lambda h: 1 / (2 * h**2)),
    simulated("multiplied by h², not divided", "a wide window lets far keys count: divide the distance by h", scale=lambda h: -(h**2) / 2),
    simulated("the width is left out", "the distance is divided by h before it is squared", scale=lambda h: -1 / 2),
    simulated("the weights are not normalised", "the weights of a query have to sum to one", pool=lambda weights, values, kept: weights @ values),
    simulated("the wrong axis: the weights sum to one over the queries", "each query shares out a weight of 1 among the keys", pool=columns),
    simulated("the wrong axis: the weights sum to one over the queries inside", "each query shares out a weight of 1 among the keys",
              pool=lambda weights, values, kept: weights / weights[kept].sum(axis=0) @ values),
    simulated("every answer is the mean of the values", "the weights never reach the answers", pool=lambda weights, values, kept:
              np.full(len(kept), values.mean())),
)
