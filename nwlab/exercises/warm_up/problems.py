"""The problems of `warm_up`, and its oracles, true_...: the formulas of the text."""
import numpy as np

from workbook.checks.item import Problem
from nwlab.exercises.common import single, size, softmax

AREAS, PRICES, SIGMA = np.array([60.0, 90.0, 130.0]), np.array([150.0, 300.0, 360.0]), 20.0
STREET = {"keys": AREAS, "values": PRICES, "sigma": SIGMA}
FAR_KEYS = np.append(AREAS, 130.0)
AXIS = "an axis of length 1 is still an axis"
SQUARE = "with as many queries as keys a wrong axis runs without a message"
TAKEN = "weights are taken as they are: they may be 0, their sum need not be one, and nothing has to be positive"


def signed(rng, n):
    """n numbers of both signs, far from 0 and from the keys."""
    return rng.uniform(20, 90, n) * rng.permutation(np.resize([1.0, -1.0], n))


def draw(rng, m, n, sigma):
    """m queries among n keys in random order, values far from the keys. A width of 1 or 2 would hide mistakes."""
    keys = rng.permutation(np.linspace(0, 6, n)) + rng.uniform(-0.2, 0.2, n)
    return {"queries": rng.uniform(0.3, 5.7, m), "keys": keys, "values": signed(rng, n), "sigma": sigma}


def near_scores(rng, m, n):
    """Scores that lie close together."""
    return {"scores": -rng.uniform(0.1, 2.0, (m, n)) ** 2}


def positive_weights(rng, *shape):
    """Positive, and every row sums to one."""
    weights = rng.uniform(0.1, 2, shape) ** 2
    return weights / weights.sum(axis=-1, keepdims=True)


def pooling(rng, of_weights, of_values):
    """Weights and values of these shapes."""
    return {"weights": positive_weights(rng, *of_weights),
            "values": signed(rng, np.prod(of_values)).reshape(of_values)}


def as_they_are(rng, of_weights, of_values):
    """Weights and values below 0, weights that are 0, and sums that are not one. Four queries."""
    weights, values = rng.uniform(-0.5, 1.5, of_weights), -rng.uniform(20, 90, of_values)
    weights[..., 0, :], weights[..., 1, :], weights[..., -1] = 0.0, -weights[..., 1, :], 0.0
    weights[..., 2:, :] = [[2.0], [0.1]] * abs(weights[..., 2:, :])                # one sum above 1, and one below
    return {"weights": weights, "values": values}


def rows(rng, m, n, sigma, column=False):
    """m queries with n keys each; column: the queries are (m, 1), not (m,)."""
    queries = rng.uniform(0.3, 5.7, (m, 1) if column else m)
    return {"queries": queries, "keys": rng.uniform(0, 6, (m, n)), "sigma": sigma}


def narrow(inputs):
    """For every seed the first query has two keys close by, and the lowest score is near −15 million."""
    inputs["queries"].flat[:2], inputs["keys"][..., :2] = [0.0, 6.6], [0.002, -0.003]
    return inputs


def other_units(small, large):
    """Two problems of inputs like these: with tiny values, and with large ones."""
    yield Problem("tiny values", small | {"values": 1e-14 * small["values"]}, why="an answer near 0 is not 0")
    yield Problem("a million", large | {"values": 1e5 * large["values"]}, why="prices in euros are large numbers")


def pairs(rng):
    """Queries, keys and values."""
    yield Problem("two queries, three houses", {"queries": np.array([100.0, 80.0]), **STREET})
    yield Problem("five queries, four keys", draw(rng, 5, 4, 0.8))
    yield Problem("many queries, few keys", draw(rng, size(rng, 13), size(rng, 5), rng.uniform(0.6, 0.9)))
    yield Problem("few queries, many keys", draw(rng, size(rng, 3), size(rng, 14), rng.uniform(0.6, 0.9)))
    yield Problem("four queries, four keys", draw(rng, 4, 4, 1.3), why=SQUARE)
    for name, m, n, sigma in (("query", 1, 7, 0.7), ("key", 7, 1, 0.9)):
        yield Problem(f"one {name}", draw(rng, m, n, sigma),
                      why=f"one {name} is still an array of shape (1,), and the table still has two axes")
    low = draw(rng, 5, 4, 0.9)
    low |= {"keys": low["keys"] - 4, "queries": np.append(low["queries"][:3] - 4, [-2.5, 8.0]), "values": -PRICES[0] -
            low["values"]}
    yield Problem("keys and values below 0", low, why="areas may be measured from their mean, and so may prices")
    home = draw(rng, 6, 5, 1.1)
    home["keys"][0] = home["keys"][4]
    home["queries"][1:5] = home["keys"][1:5] + [0.0, 5e-9, 5e-5, 0.0]
    yield Problem("queries at the keys", home, why="a difference may be 0, or nearly, and two keys may be equal: then "
                                                   "both count")
    yield Problem("a narrow width", narrow(draw(rng, 3, 6, 0.0012)), why="scores may be as low as −10 000 000")
    wide = draw(rng, 4, 6, 2.5e7)
    yield Problem("a wide width", wide | {"values": abs(wide["values"])}, why="scores may be all close to 0")
    yield Problem("float32", single(draw(rng, 3, 5, 1.5)))


def table_problems(rng):
    yield from pairs(rng)
    yield Problem("a castle", {"queries": np.array([100.4, 5000.3]), **STREET},
                  why="a castle of 5000 m² is far from all keys, and its scores are low: −30 000 is right")


def score_problems(rng):
    yield Problem("two queries, three houses", {"scores": true_scores(np.array([100.0, 80.0]), AREAS, SIGMA)})
    yield Problem("four queries, six keys", near_scores(rng, 4, 6))
    yield Problem("many queries, few keys", near_scores(rng, size(rng, 13), size(rng, 4)))
    yield Problem("few queries, many keys", {"scores": rng.uniform(-2, 2, (size(rng, 3), size(rng, 14)))})
    yield Problem("five queries, five keys", near_scores(rng, 5, 5), why=SQUARE)
    yield Problem("one query", near_scores(rng, 1, 8))
    yield Problem("one key", near_scores(rng, 8, 1), why="the only key gets all of the weight, whatever its score is")
    yield Problem("equal scores", {"scores": np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 0.0]])},
                  why="equal scores have equal weights, and scores may be 0")
    yield Problem("scores from 0 to −24", {"scores": rng.permuted(np.tile(np.linspace(-24, 0, 12), (2, 1)), axis=1)},
                  why="exp(−24) is small, but it is not 0")
    yield Problem("a query far from all keys", {"scores": true_scores(np.array([100.0, 2e4]), FAR_KEYS, SIGMA)},
                  why="exp of a score below −746 is 0 in the computer, so a row of such scores sums to 0, and 0/0 is "
                      "NaN. Only differences of scores matter: the two nearest keys share the weight")
    yield Problem("large scores", {"scores": rng.uniform(0, 3, (3, 4)) + 1000},
                  why="exp of a score above 710 is infinite in the computer, and ∞/∞ is NaN. Only differences of "
                      "scores matter: these lie close together")
    far_apart = rng.uniform(-0.1, 0.1, (4, 13))
    far_apart[:, [0, 11, 12]] += [[-30000, 900.4, -1.3], [-1, 0, 2500], [1800, 0.2, 900.5], [1200.6, 1200, -900]]
    yield Problem("scores far apart in a row", {"scores": far_apart},
                  why="the mean or the middle of such a row is far below its largest score, and exp of what lies more "
                      "than 710 above is infinite. Only a row's largest score leaves no exponential larger than 1")
    brink = rng.uniform(0, 3, (4, 4)) + [[-500.0], [500.0], [-742.0], [706.3]]
    brink[3, :2] = 709.4, 709.2
    yield Problem("scores around ±500 and at the brink", {"scores": brink},
                  why="exp of these is neither 0 nor infinite yet, but near −742 it has lost its digits, and near 708 "
                      "the sum of four of them is infinite")
    yield Problem("float32", single(near_scores(rng, 3, 5)))


def pool_problems(rng):
    yield Problem("two queries, three houses",
                  {"weights": np.array([[0.1, 0.7, 0.2], [0.4, 0.5, 0.1]]), "values": PRICES})
    yield Problem("four queries, six keys", pooling(rng, (4, 6), 6))
    m, n = size(rng, 13), size(rng, 3)
    yield Problem("many queries, few keys", pooling(rng, (m, n), n))
    yield Problem("two numbers for each key", pooling(rng, (2, 3), (3, 2)),
                  why="each key has two values, so the values are (n, 2), and each query gets two answers: (m, 2)")
    yield Problem("many queries, few keys, many numbers", pooling(rng, (m, n), (n, size(rng, 16))),
                  why="c may be larger than n, and m too")
    yield Problem("few queries, many keys, two numbers", pooling(rng, (3, m), (m, 2)), why="n may be larger than m")
    yield Problem("one number for each key, (n, 1)", pooling(rng, (5, 4), (4, 1)),
                  why="values of shape (n, 1) have two axes, so the answers have two: (m, 1)")
    yield Problem("four queries, four keys", pooling(rng, (4, 4), 4), why=SQUARE)
    yield Problem("three queries, three keys, three numbers for each", pooling(rng, (3, 3), (3, 3)),
                  why="every axis has the same length: whatever is multiplied with whatever, it runs without a message")
    yield Problem("one query", pooling(rng, (1, 5), 5), why="one query gives one answer, in an array of shape (1,)")
    yield Problem("one key", pooling(rng, (5, 1), 1), why="one key has all the weight: each answer is its value")
    for of_values in ((6,), (6, 4)):
        yield Problem(f"weights as they are, values {of_values}", as_they_are(rng, (4, 6), of_values), why=TAKEN)
    yield from other_units(pooling(rng, (4, 5), 5), pooling(rng, (2, 3), 3))
    yield Problem("float32", single(pooling(rng, (3, 5), 5)))


def attend_problems(rng):
    yield from pairs(rng)
    yield Problem("a query far from all keys", {"queries": np.array([100.0, 2e4]), "keys": FAR_KEYS, "values":
                                                np.append(PRICES, 600.0), "sigma": SIGMA},
                  why="far away the nearest houses have all of the weight: here there are two of the same size, and "
                      "they share it")
    yield Problem("a key far from the queries",
                  {"queries": np.array([100.0, 74.0]), "keys": np.append(AREAS, 5000.0),
                   "values": np.append(PRICES, 9000.0), "sigma": 0.5},
                  why="one score lies millions below the others. It must not matter: the nearest house has all of the "
                      "weight")
    yield Problem("equal values", {"queries": np.array([80.0, 100.0]), **STREET, "values": np.zeros(3)},
                  why="if all values are 0, so are the answers")
    yield from other_units(draw(rng, 4, 5, 0.9), draw(rng, 5, 4, 0.9))


def batch_problems(rng):
    streets = np.stack([PRICES, PRICES[::-1] + 40])[:, :, None]
    yield Problem("two streets of three houses", {"weights": positive_weights(rng, 2, 2, 3), "values": streets})
    yield Problem("weights of 0.1, values 0 … 19",
                  {"weights": np.full((2, 1, 10), 0.1), "values": np.arange(20.0).reshape(2, 10, 1)})
    yield Problem("(2, 1, 4) and (2, 4, 6)",
                  {"weights": np.full((2, 1, 4), 0.1), "values": rng.uniform(20, 90, (2, 4, 6))},
                  why="these four weights sum to 0.4, and pooling takes them as they are")
    yield Problem("(3, 4, 5) and (3, 5, 2)", pooling(rng, (3, 4, 5), (3, 5, 2)))
    b, m, n, c = size(rng, 26), size(rng, 13), size(rng, 5), size(rng, 16)
    yield Problem("more queries than keys", pooling(rng, (4, m, n), (4, n, c)))
    yield Problem("many keys", pooling(rng, (2, 3, m), (2, m, 4)))
    yield Problem("many streets, one number", pooling(rng, (b, 5, 3), (b, 3, 1)), why="c may be 1, and b large")
    yield Problem("(3, 3, 3) and (3, 3, 3)", pooling(rng, (3, 3, 3), (3, 3, 3)),
                  why="every axis has the same length: a wrong one runs too")
    yield Problem("a batch of one", pooling(rng, (1, 4, 6), (1, 6, 2)), why=AXIS)
    yield Problem("one of everything", pooling(rng, (1, 1, 1), (1, 1, 1)), why=AXIS)
    yield Problem("weights as they are", as_they_are(rng, (3, 4, 5), (3, 5, 2)), why=TAKEN)
    yield from other_units(pooling(rng, (2, 4, 5), (2, 5, 1)), pooling(rng, (2, 3, 2), (2, 2, 3)))
    yield Problem("float32", single(pooling(rng, (2, 3, 4), (2, 4, 2))))


def row_problems(rng):
    houses = {"keys": np.array([[60.0, 90.0, 130.0], [70.0, 110.0, 140.0]]), "sigma": SIGMA}
    yield Problem("two queries, (2,)", {"queries": np.array([100.0, 80.0]), **houses})
    yield Problem("the same queries, (2, 1)", {"queries": np.array([[100.0], [80.0]]), **houses},
                  why="the queries are a column already, so the scores are the same as for shape (2,)")
    yield Problem("five queries with six keys each, (5,)", rows(rng, 5, 6, 0.8))
    yield Problem("five queries with six keys each, (5, 1)", rows(rng, 5, 6, 0.7, column=True))
    few, many = size(rng, 3), size(rng, 26)
    for column, shape in ((False, "(m,)"), (True, "(m, 1)")):
        yield Problem(f"more queries than keys, {shape}", rows(rng, many, few, rng.uniform(0.6, 0.9), column))
        yield Problem(f"more keys than queries, {shape}", rows(rng, few, many, rng.uniform(0.6, 0.9), column))
    yield Problem("four queries with four keys each, (4,)", rows(rng, 4, 4, 1.3), why=SQUARE)
    yield Problem("four queries with four keys each, (4, 1)", rows(rng, 4, 4, 1.4, column=True), why=SQUARE)
    yield Problem("one query, (1,)", rows(rng, 1, 9, 0.9),
                  why="one query is still an array of shape (1,), and the table has two axes")
    yield Problem("one query, (1, 1)", rows(rng, 1, 9, 0.9, column=True), why="both axes of the queries have length 1")
    for column, shape in ((False, "(6,)"), (True, "(6, 1)")):
        yield Problem(f"one key each, {shape}", rows(rng, 6, 1, 0.9, column), why="the keys are a column too: (6, 1)")
    yield Problem("one query with one key, (1,)", rows(rng, 1, 1, 0.9), why="the table has two axes, of length 1")
    yield Problem("one query with one key, (1, 1)", rows(rng, 1, 1, 0.9, True), why="every axis has length 1")
    for column in (False, True):
        low = rows(rng, 5, 6, 1.1, column)
        low |= {"queries": low["queries"] - 3, "keys": low["keys"] - 3}
        low["queries"][:2], low["keys"][0, :4] = [[-2.0], [1.0]] if column else [-2.0, 1.0], [-2.0, 1.0, 5e-5 - 2, -1.9]
        yield Problem(f"below 0, and at the keys, {low['queries'].shape}", low, why="a difference may be 0, or nearly")
    yield Problem("a narrow width", narrow(rows(rng, 3, 4, 0.0012)), why="scores may be as low as −10 000 000")
    yield Problem("a wide width", rows(rng, 4, 3, 2.5e7, True), why="scores may be all close to 0")
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
