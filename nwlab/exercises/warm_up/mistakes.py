"""The mistakes that `warm_up` knows by name, beside what any item knows. They use NumPy, those of torch items too."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.warm_up.problems import SIGMA, true_attend


def gaussian(gaps, sigma):
    return -0.5 * (gaps / sigma) ** 2


DIFFERENCES = named(
    ("no axis was added: (m,) meets (n,)", lambda queries, keys: queries - keys),
    ("the queries became a row, (1, m), not a column", lambda queries, keys: queries[None, :] - keys),
    ("the distances, without their sign", lambda queries, keys: abs(queries[:, None] - keys)),
    ("the differences are squared", lambda queries, keys: (queries[:, None] - keys) ** 2),
    ("both became columns: (m, 1) meets (n, 1)", lambda queries, keys: queries[:, None] - keys[:, None]),
    ("sums, not differences", lambda queries, keys: queries[:, None] + keys),
    ("products, not differences", lambda queries, keys: queries[:, None] * keys))

FORMULAS = (
    ("the differences are not squared", lambda gaps, sigma: -0.5 * gaps / sigma**2),
    ("sigma is not squared", lambda gaps, sigma: -0.5 * gaps**2 / sigma),
    ("nothing is squared", lambda gaps, sigma: -0.5 * gaps / sigma),
    ("nothing is squared", lambda gaps, sigma: gaps / sigma),
    ("these are kernel values, exp of the scores", lambda gaps, sigma: np.exp(gaussian(gaps, sigma))),
    ("these are weights already", lambda gaps, sigma: softmax(gaussian(gaps, sigma))),
    ("sizes where squares belong", lambda gaps, sigma: -0.5 * abs(gaps / sigma)),
    ("it is multiplied by sigma**2, not divided", lambda gaps, sigma: -0.5 * gaps**2 * sigma**2),
    ("sigma is not used: the width is always 20", lambda gaps, sigma: gaussian(gaps, SIGMA)))

SCORES = named(*FORMULAS, of=lambda formula: lambda queries, keys, sigma: formula(queries[:, None] - keys, sigma)
               ) + named(("the squares are subtracted", lambda queries, keys, sigma:
                          -0.5 * (queries[:, None] ** 2 - keys**2) / sigma**2))

WEIGHTS = named(
    ("the wrong axis: the columns sum to one", {"axis": 0}),
    ("the whole table sums to one", {"axis": None}),
    ("the whole table sums to one", {"total": np.sum}),
    ("no shift: 0/0 or ∞/∞ gives NaN", {"shift": np.zeros_like}),
    ("one shift for the whole table", {"shift": np.max}),
    ("one shift for the whole table", {"shift": lambda scores: abs(scores).max()}),
    ("the shift is the largest size, not the largest score",
     {"shift": lambda scores: abs(scores).max(axis=1, keepdims=True)}),
    ("the shift is the mean of the row", {"shift": lambda scores: scores.mean(axis=1, keepdims=True)}),
    ("the shift is the smallest score of the row", {"shift": lambda scores: scores.min(axis=1, keepdims=True)}),
    ("the shift is the first or the last score of the row", {"shift": lambda scores: scores[:, :1]}),
    ("the shift is the first or the last score of the row", {"shift": lambda scores: scores[:, -1:]}),
    ("the largest score is added, not subtracted", {"shift": lambda scores: -scores.max(axis=1, keepdims=True)}),
    ("the shift is the largest score of each column", {"shift": lambda scores: scores.max(axis=0)}),
    ("only the exponentials of the sum are shifted",
     lambda scores: np.exp(scores) / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)),
    ("only the exponentials above are shifted, not those of the sum",
     lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True)) / np.exp(scores).sum(axis=1, keepdims=True)),
    ("the scores are clipped, not shifted",
     lambda scores: softmax(np.clip(scores, -700, 700), shift=np.zeros_like)),
    ("no exponential: the scores are divided by their sum", lambda scores: scores / scores.sum(axis=1, keepdims=True)),
    ("a minus too many: the lowest score gets the largest weight", lambda scores: softmax(-scores)),
    ("the sums are (m,), not (m, 1)", {"shift": np.zeros_like, "total": lambda exps: exps.sum(axis=1)}),
    ("the sum is taken over the queries", {"total": lambda exps: exps.sum(axis=0)}),
    ("the NaN is hidden, not avoided: 0 stands in its place",
     lambda scores: np.nan_to_num(softmax(scores, shift=np.zeros_like))),
    *(("the NaN is hidden, not avoided: a small number in the denominator",
       {"shift": np.zeros_like, "total": lambda exps, small=small: exps.sum(axis=1, keepdims=True) + small})
      for small in (1e-12, 1e-10, 1e-9, 1e-8)),
    ("the sums are (m,), not (m, 1)", {"total": lambda exps: exps.sum(axis=1)}),
    ("the largest scores are (m,), not (m, 1)", {"shift": lambda scores: scores.max(axis=1)}),
    ("the largest scores and the sums are (m,), not (m, 1)",
     {"shift": lambda scores: scores.max(axis=1), "total": lambda exps: exps.sum(axis=1)}),
    ("the normalisation is missing", {"total": np.ones_like}), right=softmax)

POOL = named(
    ("the weights are left out: average pooling",
     lambda weights, values: np.full_like(weights, 1 / len(values)) @ values),
    ("the wrong axis: the sum runs over the queries", lambda weights, values: weights.T @ values),
    ("the wrong axis: the sum runs over the queries", lambda weights, values: (weights * values).sum(axis=0)),
    ("values @ weights: the values meet the queries", lambda weights, values: values @ weights),
    ("it works for values (n,) only", lambda weights, values: (weights * values).sum(axis=1)),
    ("it works for values (n, c) only", lambda weights, values: (weights[..., None] * values).sum(axis=1)),
    ("weight × value is not summed", lambda weights, values: weights * values),
    ("a softmax of the weights", lambda weights, values: softmax(weights) @ values),
    ("the weights are normalised once more",
     lambda weights, values: weights / weights.sum(axis=1, keepdims=True) @ values),
    ("the largest weight takes all", lambda weights, values: values[weights.argmax(axis=1)]))

ATTEND = named(
    ("sigma is not used: the width is always 20",
     lambda queries, keys, values, sigma: true_attend(queries, keys, values, SIGMA)),
    ("sigma is not squared",
     lambda queries, keys, values, sigma: true_attend(queries, keys, values, sigma**0.5)),
    ("the scores are missing: a softmax of the differences",
     lambda queries, keys, values, sigma: softmax(queries[:, None] - keys) @ values),
    ("the scores are missing: a softmax of the differences",
     lambda queries, keys, values, sigma: softmax((queries[:, None] - keys) / sigma) @ values),
    ("a minus too many: the farthest key gets the largest weight", {"weights": lambda scores: softmax(-scores)}),
    ("the softmax runs twice", {"weights": lambda scores: softmax(softmax(scores))}),
    ("the softmax runs over the queries", {"weights": partial(softmax, axis=0)}),
    ("keys where values belong", lambda queries, keys, values, sigma: true_attend(queries, keys, keys, sigma)),
    ("values where keys belong", lambda queries, keys, values, sigma: true_attend(queries, values, values, sigma)),
    ("queries and keys are swapped", lambda queries, keys, values, sigma: true_attend(keys, queries, values, sigma)),
    ("the normalisation is missing", {"weights": np.exp}),
    ("the softmax is missing: the values are pooled with the scores", {"weights": np.asarray}),
    ("NaN far from all keys: no shift", {"weights": partial(softmax, shift=np.zeros_like)}), right=true_attend)

BATCHES = named(
    ("the mean of weight × value, not the sum", lambda weights, values: weights @ values / weights.shape[2]),
    ("the weights are normalised once more",
     lambda weights, values: weights / weights.sum(axis=2, keepdims=True) @ values),
    ("the weights are transposed: m meets n", lambda weights, values: weights.swapaxes(1, 2) @ values),
    ("the values are transposed: n meets c", lambda weights, values: weights @ values.swapaxes(1, 2)),
    ("values @ weights: the wrong one is on the left", lambda weights, values: values @ weights),
    ("weight × value is not summed", lambda weights, values: weights * values),
    ("a softmax of the weights", lambda weights, values: softmax(weights) @ values),
    ("the batches are added up", lambda weights, values: (weights @ values).sum(axis=0)),
    ("each batch meets the values of all batches", lambda weights, values: weights @ values.sum(axis=0)),
    ("only the first batch is pooled", lambda weights, values: weights[0] @ values[0]),
    ("the batches stand one below the other: an axis is lost",
     lambda weights, values: np.concatenate(list(weights @ values))),
    ("the sum runs over the queries, not over the keys",
     lambda weights, values: (weights[..., None] * values[:, None]).sum(axis=1)))

ROWS = named(
    ("queries of shape (m,) meet the keys without an axis more", lambda queries, keys: queries - keys),
    ("an axis too many: queries of shape (m, 1) become (m, 1, 1)", lambda queries, keys: queries[:, None] - keys),
    ("`squeeze` drops the axis of a single query too", lambda queries, keys: queries.squeeze()[:, None] - keys),
    ("the queries are made a row, (1, m), not a column", lambda queries, keys: queries.reshape(1, -1) - keys),
    ("each row holds all queries: repeated in the wrong order",
     lambda queries, keys: np.tile(queries.ravel(), keys.shape[1]).reshape(keys.shape) - keys),
    ("the keys of all rows are met", lambda queries, keys: queries.reshape(-1, 1, 1) - keys),
    of=lambda gaps: lambda queries, keys, sigma: gaussian(gaps(queries, keys), sigma)) + named(
    *FORMULAS, of=lambda formula: lambda queries, keys, sigma: formula(queries.reshape(-1, 1) - keys, sigma))
