"""What the inputs of `warm_up` are, the traps of its subject, and its oracles: the formulas of the text."""
import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, numbers, positive
from workbook.checks.item import Problem
from workbook.exercises.common import score_traps, softmax

AREAS, PRICES, SIGMA = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0]), 20.0
STREET = {"keys": AREAS, "values": PRICES, "sigma": SIGMA}
ON_A_KEY = "the first query equals a key: their difference is 0"
ASKED = (Problem("two queries, three houses", {"queries": np.array([100.0, 80.0]), **STREET}),
         Problem("one query on a key", {"queries": np.array([90.0, 70.0]), **STREET}, ON_A_KEY))
CASTLE = ("a query far from all keys", [5000, 80], [60, 130, 130], [150, 300, 360], SIGMA, "its best score lies near "
          "−30 000, and exp of that is 0. The two nearest houses are equally far away, and share the weight")
HOUSES = (
    ("two queries, three houses", [[0.1, 0.7, 0.2], [0.4, 0.5, 0.1]], PRICES),
    ("whole weights", np.array([[1, 0, 2], [0, -3, 1]]), [0.5, 2.25, -1], f"weights may be whole numbers. {WHOLE}"))
STREETS = ("two streets of three houses", [[[0.1, 0.7, 0.2]], [[0.4, 0.5, 0.1]]],
           np.stack([PRICES, PRICES[::-1] + 40])[:, :, None]),
MET = ("one query on a key", [100, 80], [[60, 100, 130], [60, 90, 130]], SIGMA, ON_A_KEY),

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
    yield "two queries, three houses", scores_of(np.array([100.0, 80.0]), AREAS, SIGMA)
    yield from score_traps(rng)


def scores_of(queries, keys, sigma):
    """(m, n) for queries (m,) or (m, 1), and keys (n,), which all queries meet, or (m, n), a row for each."""
    return -0.5 * ((queries.reshape(-1, 1) - keys) / sigma) ** 2


def pool(weights, values):
    return weights @ values                                                    # (m,) or (m, c); of a batch (b, m, c)


def attend(queries, keys, values, sigma, weights=softmax):
    """(m,). May be wrong: weights, a function of the scores."""
    return weights(scores_of(queries, keys, sigma)) @ values
