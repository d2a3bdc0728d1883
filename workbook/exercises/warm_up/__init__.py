"""Warm-up: attention pooling from differences to batches, with the shape predicted before each line."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from workbook.exercises.common import softmax
from workbook.exercises.warm_up import figures
from workbook.exercises.warm_up import problems as p


def gaussian(gaps, sigma):
    return -0.5 * (gaps / sigma) ** 2


DIFFERENCES = named(
    ("no axis was added: (m,) meets (n,)", lambda queries, keys: queries - keys),
    ("the queries became a row, (1, m), not a column", lambda queries, keys: queries[None, :] - keys),
    ("the distances, without their sign", lambda queries, keys: abs(queries[:, None] - keys)))

FORMULAS = (
    ("the differences are not squared", lambda gaps, sigma: -0.5 * gaps / sigma**2),
    ("sigma is not squared", lambda gaps, sigma: -0.5 * gaps**2 / sigma))

SCORES = named(
    *FORMULAS,
    ("these are kernel values, exp of the scores", lambda gaps, sigma: np.exp(gaussian(gaps, sigma))),
    of=lambda formula: lambda queries, keys, sigma: formula(queries[:, None] - keys, sigma))

WEIGHTS = named(
    ("the wrong axis: the columns sum to one", {"axis": 0}),
    ("no shift: 0/0 or ∞/∞ gives NaN", {"shift": np.zeros_like}),
    ("one shift for the whole table", {"shift": np.max}), right=softmax)

POOL = named(
    ("the sum runs over the queries, not over the keys", lambda weights, values: weights.T @ values),
    ("the sum runs over the queries, not over the keys", lambda weights, values: values @ weights),
    ("it works for one shape of values only", lambda weights, values: (weights * values).sum(axis=1)),
    ("it works for one shape of values only", lambda weights, values: (weights[..., None] * values).sum(axis=1)),
    ("weight × value is not summed", lambda weights, values: weights * values))

ATTEND = named(
    ("sigma is not squared", lambda queries, keys, values, sigma: p.true_attend(queries, keys, values, sigma**0.5)),
    ("the softmax runs over the queries", {"weights": partial(softmax, axis=0)}),
    ("keys where values belong", lambda queries, keys, values, sigma: p.true_attend(queries, keys, keys, sigma)),
    right=p.true_attend)

BATCHES = named(
    ("weight × value is not summed", lambda weights, values: weights * values),
    ("the batches stand one below the other: an axis is lost",
     lambda weights, values: np.concatenate(list(weights @ values))))

ROWS = named(
    ("queries of shape (m,) meet the keys without an axis more", lambda queries, keys: queries - keys),
    ("an axis too many: queries of shape (m, 1) become (m, 1, 1)", lambda queries, keys: queries[:, None] - keys),
    ("`squeeze` drops the axis of a single query too", lambda queries, keys: queries.squeeze()[:, None] - keys),
    of=lambda gaps: lambda queries, keys, sigma: gaussian(gaps(queries, keys), sigma)) + named(
    *FORMULAS, of=lambda formula: lambda queries, keys, sigma: formula(queries.reshape(-1, 1) - keys, sigma))

EXERCISE = Exercise(__name__, "Warm-up: shapes first", (
    Item("differences", "All differences", "query − key for every pair, (m, n): rows are queries, columns are keys",
         ("queries", "keys"), p.pairs, p.true_differences, (p.PAIRS,),
         mistakes=DIFFERENCES, loops=False, library="any"),
    Item("scores_of", "Scores", "the score −½((query − key)/σ)² for every pair, (m, n)",
         ("queries", "keys", "sigma"), p.pairs, p.true_scores, (p.PAIRS,), mistakes=SCORES, library="any"),
    Item("weights_of", "Weights", "the softmax of each row of scores, (m, n): every row sums to one, without NaN, "
         "however large or small its scores are",
         ("scores",), p.tables_of_scores, softmax, (p.SCORES,), points=2, mistakes=WEIGHTS, library="any"),
    Item("pool", "Pooling", "the weighted sum of the values for each query: (m,) for values (n,), and (m, c) for "
         "values (n, c)", ("weights", "values"), p.pooling, p.true_pool, p.POOLED,
         mistakes=POOL, library="any"),
    Item("attend", "All together", "the answer of Nadaraya–Watson for each query, (m,)",
         ("queries", "keys", "values", "sigma"), p.attended, p.true_attend, (p.PAIRS,),
         mistakes=ATTEND, library="any"),
    Item("pool_batches", "A batch of tables",
         "the pooled values of each batch, (b, m, c), for weights (b, m, n) and values (b, n, c); torch can find the "
         "slope with respect to the weights", ("weights", "values"), p.streets, p.true_pool, (p.BATCHES,),
         mistakes=BATCHES, library="torch", slope="weights"),
    Item("scores_of_rows", "The unsqueeze puzzle", "the score −½((query − key)/σ)² of each query and each key in its "
         "own row, (m, n), for queries (m,) or (m, 1); torch can find the slope with respect to the queries",
         ("queries", "keys", "sigma"), p.MET, p.true_scores, p.ROWS, points=2, mistakes=ROWS, library="torch",
         slope="queries")))
publish(globals(), EXERCISE, figures)
