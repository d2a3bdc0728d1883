"""The mistakes that `warm_up` knows by name, beside what any item knows. They use NumPy, those of torch items too."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.warm_up.problems import true_attend


def gaussian(gaps, sigma):
    return -0.5 * (gaps / sigma) ** 2


def row_sums(exps):
    """The sums without `keepdims`, (m,)."""
    return exps.sum(axis=1)


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
    ("one shift for the whole table", {"shift": np.max}),
    ("(m,) meets (m, n): an axis was lost", {"total": row_sums}),
    ("(m,) meets (m, n): an axis was lost", {"shift": lambda scores: scores.max(axis=1), "total": row_sums}),
    right=softmax)

POOL = named(
    ("the sum runs over the queries, not over the keys", lambda weights, values: weights.T @ values),
    ("the sum runs over the queries, not over the keys", lambda weights, values: values @ weights),
    ("it works for one shape of values only", lambda weights, values: (weights * values).sum(axis=1)),
    ("it works for one shape of values only", lambda weights, values: (weights[..., None] * values).sum(axis=1)),
    ("weight × value is not summed", lambda weights, values: weights * values))

ATTEND = named(
    ("sigma is not squared", lambda queries, keys, values, sigma: true_attend(queries, keys, values, sigma**0.5)),
    ("the softmax runs over the queries", {"weights": partial(softmax, axis=0)}),
    ("keys where values belong", lambda queries, keys, values, sigma: true_attend(queries, keys, keys, sigma)),
    right=true_attend)

BATCHES = named(
    ("n does not meet n", lambda weights, values: weights.swapaxes(1, 2) @ values),
    ("n does not meet n", lambda weights, values: values @ weights),
    ("weight × value is not summed", lambda weights, values: weights * values),
    ("the batches stand one below the other: an axis is lost",
     lambda weights, values: np.concatenate(list(weights @ values))))

ROWS = named(
    ("queries of shape (m,) meet the keys without an axis more", lambda queries, keys: queries - keys),
    ("an axis too many: queries of shape (m, 1) become (m, 1, 1)", lambda queries, keys: queries[:, None] - keys),
    ("`squeeze` drops the axis of a single query too", lambda queries, keys: queries.squeeze()[:, None] - keys),
    of=lambda gaps: lambda queries, keys, sigma: gaussian(gaps(queries, keys), sigma)) + named(
    *FORMULAS, of=lambda formula: lambda queries, keys, sigma: formula(queries.reshape(-1, 1) - keys, sigma))
