"""The problems and the oracles of `warm_up`: loops over queries and keys, one number at a time."""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Problem

AREAS, PRICES, SIGMA = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0]), 20.0
SQUARE = "with as many queries as keys a wrong axis runs without a message"

# --- problems. No width is 1 or 2, nor a query equally far from two keys: mistakes would hide there


def street(queries=(100.0, 80.0)):
    return {"queries": np.array(queries), "keys": AREAS, "values": PRICES, "sigma": SIGMA}


def draw(rng, m, n, sigma):
    """m queries among n keys in random order, values far from the keys."""
    keys = rng.permutation(np.linspace(0, 6, n)) + rng.uniform(-0.2, 0.2, n)
    return {"queries": rng.uniform(0.3, 5.7, m), "keys": keys, "values": rng.uniform(20, 90, n), "sigma": sigma}


def single(inputs):
    """The same in float32."""
    return {name: x.astype(np.float32) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def _problems(rng):
    yield Problem("two queries, three houses", street())
    yield Problem("five queries, four keys", draw(rng, 5, 4, 0.8))
    yield Problem("four queries, four keys", draw(rng, 4, 4, 1.3), why=SQUARE)
    yield Problem("one query", draw(rng, 1, 7, 0.7),
                  why="one query is still an array of shape (1,), and the table still has two axes")
    yield Problem("one key", draw(rng, 7, 1, 0.9),
                  why="one key is still an array of shape (1,), and the table still has two axes")
    yield Problem("float32", single(draw(rng, 3, 5, 1.5)))


def with_inputs(*names):
    """The problems, and a size, with these inputs alone."""
    def problems(rng):
        return [Problem(p.name, {name: p.inputs[name] for name in names}, p.why) for p in _problems(rng)]

    def sized(rng, n):
        inputs = draw(rng, n, n, 1.4)
        return {name: inputs[name] for name in names}

    return {"arguments": names, "make_problems": problems, "sized": sized}


def score_problems(rng):
    def scores(m, n, spread=2.0):
        return {"scores": -rng.uniform(0.1, spread, (m, n)) ** 2}

    yield Problem("two queries, three houses", {"scores": true_scores(**_without_values(street()))})
    yield Problem("four queries, six keys", scores(4, 6))
    yield Problem("five queries, five keys", scores(5, 5), why=SQUARE)
    yield Problem("one query", scores(1, 8))
    yield Problem("one key", scores(8, 1), why="the only key gets all of the weight, whatever its score is")
    yield Problem("a query far from all keys", {"scores": true_scores(**_without_values(street((100.0, 5000.0))))},
                  why="exp of a score below −746 is 0 in the computer, so a row of such scores sums to 0, and 0/0 is NaN. Only "
                      "differences of scores matter: the nearest key has nearly all of the weight")
    yield Problem("large scores", {"scores": rng.uniform(0, 3, (3, 4)) + 1000},
                  why="exp of a score above 710 is infinite in the computer, and ∞/∞ is NaN. Only differences of scores matter: "
                      "these lie close together")
    yield Problem("scores far apart in a row", {"scores": np.array([[-30000.0, 0.4, -1.3], [-1.0, 0.0, 2500.0], [1800, 0.2, 1798.5]])
                                                + rng.uniform(-0.1, 0.1, (3, 3))},
                  why="the mean or the middle of such a row is far below its largest score, and exp of what lies more than 710 above "
                      "is infinite. Only a row's largest score leaves no exponential larger than 1")
    yield Problem("scores around −500 and 500", {"scores": rng.uniform(0, 3, (2, 4)) + [[-500.0], [500.0]]},
                  why="exp of these is tiny or huge, but neither 0 nor infinite, and their quotients are what they should be")
    yield Problem("float32", single(scores(3, 5)))


def sized_scores(rng, n):
    return {"scores": -rng.uniform(0.1, 2, (n, n)) ** 2}


def weights_for(rng, *shape):
    """Positive, and every row sums to one."""
    weights = rng.uniform(0.1, 2, shape) ** 2
    return weights / weights.sum(axis=-1, keepdims=True)


def pool_problems(rng):
    def problem(m, n, *c):
        return {"weights": weights_for(rng, m, n), "values": rng.uniform(20, 90, (n, *c))}

    yield Problem("two queries, three houses", {"weights": np.array([[0.1, 0.7, 0.2], [0.4, 0.5, 0.1]]), "values": PRICES})
    yield Problem("four queries, six keys", problem(4, 6))
    yield Problem("two numbers for each key", problem(2, 3, 2),
                  why="each key has two values, so the values are (n, 2), and each query gets two answers: (m, 2)")
    yield Problem("four queries, four keys", problem(4, 4), why=SQUARE)
    yield Problem("three queries, three keys, three numbers for each", problem(3, 3, 3), why="every axis has the same length: "
                  "whatever is multiplied with whatever, it runs without a message")
    yield Problem("one query", problem(1, 5), why="one query gives one answer, in an array of shape (1,)")
    yield Problem("float32", single(problem(3, 5)))


def sized_pool(rng, n):
    return {"weights": weights_for(rng, n, n), "values": rng.uniform(20, 90, n)}


def attend_problems(rng):
    yield from _problems(rng)
    yield Problem("a query far from all keys", street((100.0, 5000.0)),
                  why="far away the nearest house has all of the weight, so its price is the answer")
    yield Problem("a key far from the queries", {"queries": np.array([100.0, 74.0]), "keys": np.append(AREAS, 5000.0),
                                                 "values": np.append(PRICES, 9000.0), "sigma": 0.5},
                  why="one score lies millions below the others. It must not matter: the nearest house has all of the weight")


def sized_attend(rng, n):
    return draw(rng, n, n, 1.4)


def batch_problems(rng):
    def problem(b, m, n, c):
        return {"weights": weights_for(rng, b, m, n), "values": rng.uniform(20, 90, (b, n, c))}

    yield Problem("two streets of three houses", {"weights": weights_for(rng, 2, 2, 3), "values": np.stack(
        [PRICES, PRICES[::-1] + 40])[:, :, None]})
    yield Problem("weights of 0.1, values 0 … 19", {"weights": np.full((2, 1, 10), 0.1),
                                                   "values": np.arange(20.0).reshape(2, 10, 1)})
    yield Problem("(2, 1, 4) and (2, 4, 6)", {"weights": np.full((2, 1, 4), 0.1), "values": rng.uniform(20, 90, (2, 4, 6))},
                  why="these four weights sum to 0.4, and pooling takes them as they are")
    yield Problem("(3, 4, 5) and (3, 5, 2)", problem(3, 4, 5, 2))
    yield Problem("(3, 3, 3) and (3, 3, 3)", problem(3, 3, 3, 3), why="every axis has the same length: a wrong one runs too")
    yield Problem("a batch of one", problem(1, 4, 6, 2), why="an axis of length 1 is still an axis")
    yield Problem("float32", single(problem(2, 3, 4, 2)))


def sized_batches(rng, n):
    return {"weights": weights_for(rng, n, 2, 3), "values": rng.uniform(20, 90, (n, 3, 2))}


def row_problems(rng):
    def problem(m, n, sigma, column=False):
        queries = rng.uniform(0.3, 5.7, (m, 1) if column else m)
        return {"queries": queries, "keys": rng.uniform(0, 6, (m, n)), "sigma": sigma}

    yield Problem("two queries, (2,)", {"queries": np.array([100.0, 80.0]), "sigma": SIGMA,
                                        "keys": np.array([[60.0, 90.0, 130.0], [70.0, 110.0, 140.0]])})
    yield Problem("the same queries, (2, 1)", {"queries": np.array([[100.0], [80.0]]), "sigma": SIGMA,
                                               "keys": np.array([[60.0, 90.0, 130.0], [70.0, 110.0, 140.0]])},
                  why="the queries are a column already, so the scores are the same as for shape (2,)")
    yield Problem("five queries with six keys each, (5,)", problem(5, 6, 0.8))
    yield Problem("five queries with six keys each, (5, 1)", problem(5, 6, 0.7, column=True))
    yield Problem("four queries with four keys each, (4,)", problem(4, 4, 1.3), why=SQUARE)
    yield Problem("four queries with four keys each, (4, 1)", problem(4, 4, 1.4, column=True), why=SQUARE)
    yield Problem("one query, (1,)", problem(1, 9, 0.9),
                  why="one query is still an array of shape (1,), and the table has two axes")
    yield Problem("one query, (1, 1)", problem(1, 9, 0.9, column=True), why="both axes of the queries have length 1")
    yield Problem("float32", single(problem(3, 5, 1.5)))


def sized_rows(rng, n):
    return {"queries": rng.uniform(0, 6, n), "keys": rng.uniform(0, 6, (n, 3)), "sigma": 1.4}


def _without_values(inputs):
    return {name: x for name, x in inputs.items() if name != "values"}


# --- oracles


def true_differences(queries, keys):
    """(m, n)"""
    return np.array([[q - k for k in keys.tolist()] for q in queries.tolist()])


def score(q, k, sigma):
    return -((q - k) / sigma) ** 2 / 2


def true_scores(queries, keys, sigma):
    """(m, n)"""
    return np.array([[score(q, k, sigma) for k in keys.tolist()] for q in queries.tolist()])


def true_weights(scores):
    """(m, n), rows sum to one."""
    rows = []
    for row in scores.tolist():
        shifted = [math.exp(s - max(row)) for s in row]
        rows.append([e / math.fsum(shifted) for e in shifted])
    return np.array(rows)


def true_pool(weights, values):
    """(m,) or (m, c)"""
    if values.ndim == 1:
        return np.array([math.fsum(w * v for w, v in zip(row, values.tolist())) for row in weights.tolist()])
    return np.stack([true_pool(weights, column) for column in values.T], axis=1)


def true_attend(queries, keys, values, sigma):
    """(m,)"""
    return true_pool(true_weights(true_scores(queries, keys, sigma)), values)


def true_batches(weights, values):
    """(b, m, c)"""
    return np.stack([true_pool(*one) for one in zip(weights, values)])


def true_rows(queries, keys, sigma):
    """(m, n) for queries (m,) or (m, 1) and keys (m, n)."""
    return np.array([[score(q, k, sigma) for k in row] for q, row in zip(queries.ravel().tolist(), keys.tolist())])
