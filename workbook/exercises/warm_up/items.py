"""The items of `warm_up`, their inputs, the traps of its subject, and its oracles: the formulas of the text."""
from functools import partial

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, numbers, positive
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises.common import score_traps, softmax
from workbook.language import say

AREAS, PRICES, SIGMA = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0]), 20.0
STREET = {"keys": AREAS, "values": PRICES, "sigma": SIGMA}
ON_A_KEY = say("the first query equals a key: their difference is 0")
ASKED = (Problem(say("two queries, three houses"), {"queries": np.array([100.0, 80.0]), **STREET}),
         Problem(say("one query on a key"), {"queries": np.array([90.0, 70.0]), **STREET}, ON_A_KEY))
CASTLE = (say("a query far from all keys"), [5000, 80], [60, 130, 130], [150, 300, 360], SIGMA,
          say("its best score lies near −30 000, and exp of that is 0. The two nearest houses are equally far away, "
              "and share the weight"))
HOUSES = (
    (say("two queries, three houses"), [[0.1, 0.7, 0.2], [0.4, 0.5, 0.1]], PRICES),
    (say("whole weights"), np.array([[1, 0, 2], [0, -3, 1]]), [0.5, 2.25, -1],
     say("weights may be whole numbers. {whole}", whole=WHOLE)))
STREETS = (say("two streets of three houses"), [[[0.1, 0.7, 0.2]], [[0.4, 0.5, 0.1]]],
           np.stack([PRICES, PRICES[::-1] + 40])[:, :, None]),
MET = (say("one query on a key"), [100, 80], [[60, 100, 130], [60, 90, 130]], SIGMA, ON_A_KEY),

PAIRS = Inputs({"queries": numbers("m"), "keys": numbers("n"), "values": numbers("n", low=-40, high=90),
                "sigma": positive()}, units=("queries keys sigma", "values"))
SCORES = Inputs({"scores": numbers("m", "n", low=-4, high=0)})
POOLED = tuple(Inputs({"weights": numbers("m", "n", low=-0.5, high=1.5), "values": numbers(*axes, low=-40, high=90)},
                      units=("values",)) for axes in (("n",), ("n", "c")))   # weights as they are: no sum is one
BATCHES = Inputs({"weights": numbers("b", "m", "n", low=-0.5, high=1.5),
                  "values": numbers("b", "n", "c", low=-40, high=90)}, units=("values",))
ROWS = tuple(Inputs({"queries": numbers("m", *one), "keys": numbers("m", "n"), "sigma": positive()},
                    units=("queries keys sigma",)) for one in ((), (1,)))


def tables_of_scores(rng):
    yield say("two queries, three houses"), scores_of(np.array([100.0, 80.0]), AREAS, SIGMA)
    yield from score_traps(rng)


def scores_of(queries, keys, sigma):
    """(m, n) for queries (m,) or (m, 1), and keys (n,), which all queries meet, or (m, n), a row for each."""
    return -0.5 * ((queries.reshape(-1, 1) - keys) / sigma) ** 2


def pool(weights, values):
    return weights @ values                                                    # (m,) or (m, c); of a batch (b, m, c)


def attend(queries, keys, values, sigma, weights=softmax):
    """(m,). May be wrong: weights, a function of the scores."""
    return weights(scores_of(queries, keys, sigma)) @ values


NOT_SQUARED = ("the differences are not squared",
               lambda queries, keys, sigma: -0.5 * (queries.reshape(-1, 1) - keys) / sigma**2)

EXERCISE = Exercise(__package__, say("Warm-up: shapes first"), (
    Item("differences", by_hand=ASKED, oracle=lambda queries, keys: queries[:, None] - keys, inputs=(PAIRS,),
         loops=False, library="any", mistakes=(
        ("no axis was added: (m,) meets (n,)", lambda queries, keys: queries - keys),
        ("the queries became a row, (1, m), not a column", lambda queries, keys: queries[None, :] - keys))),
    Item("scores_of", by_hand=ASKED, oracle=scores_of, inputs=(PAIRS,), library="any", mistakes=(NOT_SQUARED,)),
    Item("weights_of", points=2, by_hand=tables_of_scores, oracle=softmax, inputs=(SCORES,), library="any"),
    Item("pool", by_hand=HOUSES, oracle=pool, inputs=POOLED, library="any", mistakes=(
        ("the sum runs over the queries, not over the keys", lambda weights, values: weights.T @ values),
        ("the sum runs over the queries, not over the keys", lambda weights, values: values @ weights),
        ("it works for one shape of values only", lambda weights, values: (weights * values).sum(axis=1)),
        ("weight × value is not summed", lambda weights, values: weights * values))),
    Item("attend", by_hand=(*ASKED, CASTLE), oracle=attend, inputs=(PAIRS,), library="any", mistakes=(
        ("the softmax runs over the queries", {"weights": partial(softmax, axis=0)}),)),
    Item("pool_batches", by_hand=STREETS, oracle=pool, inputs=(BATCHES,), library="torch", slope="weights",
         mistakes=(("weight × value is not summed", lambda weights, values: weights * values),)),
    Item("scores_of_rows", points=2, by_hand=MET, oracle=scores_of, inputs=ROWS, library="torch", slope="queries",
         mistakes=(
             ("queries of shape (m,) meet the keys without an axis more",
              lambda queries, keys, sigma: -0.5 * ((queries - keys) / sigma) ** 2),
             ("`squeeze` drops the axis of a single query too",
              lambda queries, keys, sigma: scores_of(queries.squeeze()[:, None], keys, sigma)), NOT_SQUARED))))
