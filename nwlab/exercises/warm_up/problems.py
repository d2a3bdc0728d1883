"""The problems of `warm_up`, and its oracles, true_...: the formulas of the text."""
import numpy as np

from nwlab.checks.item import Problem
from nwlab.checks.problems import single, softmax

AREAS, PRICES, SIGMA = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0]), 20.0
STREET = {"keys": AREAS, "values": PRICES, "sigma": SIGMA}
SQUARE = "with as many queries as keys a wrong axis runs without a message"


def draw(rng, m, n, sigma):
    """m queries among n keys in random order, values far from the keys. A width of 1 or 2 would hide mistakes."""
    keys = rng.permutation(np.linspace(0, 6, n)) + rng.uniform(-0.2, 0.2, n)
    return {"queries": rng.uniform(0.3, 5.7, m), "keys": keys, "values": rng.uniform(20, 90, n), "sigma": sigma}


def near_scores(rng, m, n):
    """Scores that lie close together."""
    return {"scores": -rng.uniform(0.1, 2.0, (m, n)) ** 2}


def positive_weights(rng, *shape):
    """Positive, and every row sums to one."""
    weights = rng.uniform(0.1, 2, shape) ** 2
    return weights / weights.sum(axis=-1, keepdims=True)


def pooling(rng, of_weights, of_values):
    """Weights and values of these shapes."""
    return {"weights": positive_weights(rng, *of_weights), "values": rng.uniform(20, 90, of_values)}


def rows(rng, m, n, sigma, column=False):
    """m queries with n keys each; column: the queries are (m, 1), not (m,)."""
    queries = rng.uniform(0.3, 5.7, (m, 1) if column else m)
    return {"queries": queries, "keys": rng.uniform(0, 6, (m, n)), "sigma": sigma}


def pairs(rng):
    """Queries, keys and values."""
    yield Problem("two queries, three houses", {"queries": np.array([100.0, 80.0]), **STREET})
    yield Problem("five queries, four keys", draw(rng, 5, 4, 0.8))
    yield Problem("four queries, four keys", draw(rng, 4, 4, 1.3), why=SQUARE)
    for name, m, n, sigma in (("query", 1, 7, 0.7), ("key", 7, 1, 0.9)):
        yield Problem(f"one {name}", draw(rng, m, n, sigma),
                      why=f"one {name} is still an array of shape (1,), and the table still has two axes")
    yield Problem("float32", single(draw(rng, 3, 5, 1.5)))


def score_problems(rng):
    yield Problem("two queries, three houses", {"scores": true_scores(np.array([100.0, 80.0]), AREAS, SIGMA)})
    yield Problem("four queries, six keys", near_scores(rng, 4, 6))
    yield Problem("five queries, five keys", near_scores(rng, 5, 5), why=SQUARE)
    yield Problem("one query", near_scores(rng, 1, 8))
    yield Problem("one key", near_scores(rng, 8, 1), why="the only key gets all of the weight, whatever its score is")
    yield Problem("a query far from all keys", {"scores": true_scores(np.array([100.0, 5000.0]), AREAS, SIGMA)},
                  why="exp of a score below −746 is 0 in the computer, so a row of such scores sums to 0, and 0/0 is "
                      "NaN. Only differences of scores matter: the nearest key has nearly all of the weight")
    yield Problem("large scores", {"scores": rng.uniform(0, 3, (3, 4)) + 1000},
                  why="exp of a score above 710 is infinite in the computer, and ∞/∞ is NaN. Only differences of "
                      "scores matter: these lie close together")
    far_apart = np.array([[-30000.0, 0.4, -1.3], [-1.0, 0.0, 2500.0], [1800, 0.2, 1798.5]])
    yield Problem("scores far apart in a row", {"scores": far_apart + rng.uniform(-0.1, 0.1, (3, 3))},
                  why="the mean or the middle of such a row is far below its largest score, and exp of what lies more "
                      "than 710 above is infinite. Only a row's largest score leaves no exponential larger than 1")
    yield Problem("scores around −500 and 500", {"scores": rng.uniform(0, 3, (2, 4)) + [[-500.0], [500.0]]},
                  why="exp of these is tiny or huge, but neither 0 nor infinite, and their quotients are what they "
                      "should be")
    yield Problem("float32", single(near_scores(rng, 3, 5)))


def pool_problems(rng):
    yield Problem("two queries, three houses",
                  {"weights": np.array([[0.1, 0.7, 0.2], [0.4, 0.5, 0.1]]), "values": PRICES})
    yield Problem("four queries, six keys", pooling(rng, (4, 6), 6))
    yield Problem("two numbers for each key", pooling(rng, (2, 3), (3, 2)),
                  why="each key has two values, so the values are (n, 2), and each query gets two answers: (m, 2)")
    yield Problem("four queries, four keys", pooling(rng, (4, 4), 4), why=SQUARE)
    yield Problem("three queries, three keys, three numbers for each", pooling(rng, (3, 3), (3, 3)),
                  why="every axis has the same length: whatever is multiplied with whatever, it runs without a message")
    yield Problem("one query", pooling(rng, (1, 5), 5), why="one query gives one answer, in an array of shape (1,)")
    yield Problem("float32", single(pooling(rng, (3, 5), 5)))


def attend_problems(rng):
    yield from pairs(rng)
    yield Problem("a query far from all keys", {"queries": np.array([100.0, 5000.0]), **STREET},
                  why="far away the nearest house has all of the weight, so its price is the answer")
    yield Problem("a key far from the queries",
                  {"queries": np.array([100.0, 74.0]), "keys": np.append(AREAS, 5000.0),
                   "values": np.append(PRICES, 9000.0), "sigma": 0.5},
                  why="one score lies millions below the others. It must not matter: the nearest house has all of the "
                      "weight")


def batch_problems(rng):
    streets = np.stack([PRICES, PRICES[::-1] + 40])[:, :, None]
    yield Problem("two streets of three houses", {"weights": positive_weights(rng, 2, 2, 3), "values": streets})
    yield Problem("weights of 0.1, values 0 … 19",
                  {"weights": np.full((2, 1, 10), 0.1), "values": np.arange(20.0).reshape(2, 10, 1)})
    yield Problem("(2, 1, 4) and (2, 4, 6)",
                  {"weights": np.full((2, 1, 4), 0.1), "values": rng.uniform(20, 90, (2, 4, 6))},
                  why="these four weights sum to 0.4, and pooling takes them as they are")
    yield Problem("(3, 4, 5) and (3, 5, 2)", pooling(rng, (3, 4, 5), (3, 5, 2)))
    yield Problem("(3, 3, 3) and (3, 3, 3)", pooling(rng, (3, 3, 3), (3, 3, 3)),
                  why="every axis has the same length: a wrong one runs too")
    yield Problem("a batch of one", pooling(rng, (1, 4, 6), (1, 6, 2)), why="an axis of length 1 is still an axis")
    yield Problem("float32", single(pooling(rng, (2, 3, 4), (2, 4, 2))))


def row_problems(rng):
    houses = {"keys": np.array([[60.0, 90.0, 130.0], [70.0, 110.0, 140.0]]), "sigma": SIGMA}
    yield Problem("two queries, (2,)", {"queries": np.array([100.0, 80.0]), **houses})
    yield Problem("the same queries, (2, 1)", {"queries": np.array([[100.0], [80.0]]), **houses},
                  why="the queries are a column already, so the scores are the same as for shape (2,)")
    yield Problem("five queries with six keys each, (5,)", rows(rng, 5, 6, 0.8))
    yield Problem("five queries with six keys each, (5, 1)", rows(rng, 5, 6, 0.7, column=True))
    yield Problem("four queries with four keys each, (4,)", rows(rng, 4, 4, 1.3), why=SQUARE)
    yield Problem("four queries with four keys each, (4, 1)", rows(rng, 4, 4, 1.4, column=True), why=SQUARE)
    yield Problem("one query, (1,)", rows(rng, 1, 9, 0.9),
                  why="one query is still an array of shape (1,), and the table has two axes")
    yield Problem("one query, (1, 1)", rows(rng, 1, 9, 0.9, column=True), why="both axes of the queries have length 1")
    yield Problem("float32", single(rows(rng, 3, 5, 1.5)))


def true_differences(queries, keys):
    return queries[:, None] - keys                                             # (m, n)


def true_scores(queries, keys, sigma):
    """(m, n) for queries (m,) or (m, 1), and keys (n,), which all queries meet, or (m, n), a row for each."""
    return -0.5 * ((queries.reshape(-1, 1) - keys) / sigma) ** 2


def true_pool(weights, values):
    return weights @ values                                                    # (m,) or (m, c); of a batch (b, m, c)


def true_attend(queries, keys, values, sigma, weights=softmax):
    """(m,). May be wrong: weights, a function of the scores."""
    return weights(true_scores(queries, keys, sigma)) @ values
