"""The mistakes that `warm_up` knows by name in its two items of PyTorch. They answer in NumPy, and raise as torch does."""
from __future__ import annotations

import functools

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.warm_up.mistakes import gaussian, softmax


def _in_torch(wrong):
    """Where NumPy says ValueError (of shapes that do not fit), torch says RuntimeError."""
    @functools.wraps(wrong)
    def raising(**inputs):
        try:
            return wrong(**inputs)
        except ValueError as error:
            raise RuntimeError(*error.args) from None

    return raising


def _turned(table):
    return np.swapaxes(table, 1, 2)


def _each_pair(weights, values):
    return weights[..., None] * values[:, None]


_MEET = "n has to meet n: in a product the last axis of the left one meets the last but one of the right one"

BATCHES = (
    Mistake("the mean of weight × value, not the sum", "pooling is a weighted *sum*: nothing is left to be divided by n",
            lambda weights, values: weights @ values / weights.shape[2]),
    Mistake("the weights are left out: average pooling", "every query of a batch gets the same answer", lambda weights, values:
            np.repeat(values.mean(axis=1, keepdims=True), weights.shape[1], axis=1)),
    Mistake("the weights are normalised once more", "pooling takes the weights as they are, also where a row does not sum to one",
            lambda weights, values: weights / weights.sum(axis=2, keepdims=True) @ values),
    Mistake("the weights are transposed: m meets n", _MEET, _in_torch(lambda weights, values: _turned(weights) @ values)),
    Mistake("the values are transposed: n meets c", _MEET, _in_torch(lambda weights, values: weights @ _turned(values))),
    Mistake("values @ weights: the wrong one is on the left", _MEET, _in_torch(lambda weights, values: values @ weights)),
    Mistake("the last two axes of the answer are swapped: (b, c, m)", "rows are queries here too: (b, m, c)",
            lambda weights, values: _turned(weights @ values)),
    Mistake("weight × value is not summed", "multiplying entry by entry lays tables on each other that do not belong together. A "
            "batched matrix product multiplies and sums", _in_torch(lambda weights, values: weights * values)),
    *(Mistake(f"weight × value entry by entry, then a sum over {over}", "entry by entry, (b, m, n) and (b, n, c) lay tables on each "
              "other that do not belong together. A batched matrix product multiplies and sums", _in_torch(
                  lambda weights, values, axis=axis: (weights * values).sum(axis=axis)))
      for over, axis in (("axis 0", 0), ("axis 1", 1), ("axis 2", 2), ("everything", None))),
    *(Mistake(f"the values have no axis for the queries, and the sum runs over axis {axis}", "(b, m, n, 1) meets (b, n, c), which is read "
              "as (1, b, n, c): so b stands under m, and batches meet queries. Write both shapes below each other",
              _in_torch(lambda weights, values, axis=axis: (weights[..., None] * values).sum(axis=axis))) for axis in (2, 1, 3)),
    Mistake("weight × value is not summed: (b, m, n, c)", "the axis of the keys has to vanish", _each_pair),
    *(Mistake(f"weight × value is summed over {over}, not over the keys", "the products are (b, m, n, c), and (b, m, c) is asked for: "
              "which axis has to vanish?", lambda weights, values, axis=axis: _each_pair(weights, values).sum(axis=axis))
      for axis, over in ((1, "the queries"), (3, "the parts of a value"), (0, "the batches"))),
    Mistake("a softmax of the weights", "they are weights already, and pooling takes them as they are", lambda weights, values:
            np.exp(weights) / np.exp(weights).sum(axis=2, keepdims=True) @ values),
    Mistake("the last axis is squeezed away", "it is there even if c is 1: (b, m, c)", lambda weights, values:
            (weights @ values)[..., 0] if values.shape[2] == 1 else weights @ values),
    Mistake("the first batch's weights are used for all", "each batch has weights of its own", lambda weights, values:
            weights[:1] @ values),
    Mistake("the first batch's values are used for all", "each batch has values of its own", lambda weights, values:
            weights @ values[:1]),
    Mistake("only the first batch is pooled", "the axis of the batches stays: (b, m, c)", lambda weights, values:
            weights[0] @ values[0]),
    Mistake("the batches are added up too", "only the axis of the keys vanishes. The axis of the batches stays: (b, m, c)",
            lambda weights, values: np.einsum("bmn,bnc->mc", weights, values)),
    Mistake("every batch of weights meets every batch of values", "batch 1 belongs to batch 1: (b, m, c), not (b, m, b, c)",
            lambda weights, values: np.tensordot(weights, values, axes=([2], [1]))),
    Mistake("every axis of length 1 is gone", "`squeeze()` without an axis takes away more than one thinks: (b, m, c) is asked "
            "for, also where m, c or b is 1", lambda weights, values: np.squeeze(weights @ values)),
)


def _rows(queries, keys, sigma):
    return gaussian(queries.reshape(-1, 1) - keys, sigma)


def _squeezed(axes):
    """squeeze() of one query leaves no axis to add another behind. axes: on queries of how many axes it is used."""
    def wrong(queries, keys, sigma):
        if queries.size == 1 and queries.ndim in axes:
            raise IndexError
        return _rows(queries, keys, sigma)

    return wrong


_SQUEEZE = "squeeze() without an axis takes away every axis of length 1"
_BOTH = "print queries.shape beside keys.shape for both kinds of queries. What has to be true of the queries before they meet?"

ROWS = (
    Mistake("queries of shape (m,) meet the keys without an axis more", "(m,) is read as a row, (1, m): query j meets column j. "
            f"With m = n it runs and is wrong. {_BOTH}", _in_torch(lambda queries, keys, sigma: gaussian(queries - keys, sigma))),
    Mistake("an axis too many: queries of shape (m, 1) become (m, 1, 1)", "then the scores are (m, m, n), and a softmax over axis 1 "
            f"would run over the queries. {_BOTH}", lambda queries, keys, sigma: gaussian(queries[:, None] - keys, sigma)),
    Mistake("the queries are made a row, (1, m), not a column", "query i belongs to row i of the keys",
            _in_torch(lambda queries, keys, sigma: gaussian(queries.reshape(1, -1) - keys, sigma))),
    Mistake("each row holds all queries: repeated in the wrong order", "q₁ q₂ q₁ q₂ … is not q₁ q₁ … q₂ q₂ …. Print the repeated "
            "queries. A column needs no copies at all", lambda queries, keys, sigma:
            gaussian(np.tile(queries.ravel(), keys.shape[1]).reshape(keys.shape) - keys, sigma)),
    Mistake("one query: squeeze() leaves no axis", f"{_SQUEEZE}. With one query none is left", _squeezed((1, 2))),
    Mistake("one query of shape (1, 1): squeeze() leaves no axis", f"{_SQUEEZE}, both of (1, 1). Say which axis should go",
            _squeezed((2,))),
    Mistake("the first query is used for every row", "each row has a query of its own", lambda queries, keys, sigma:
            gaussian(queries.ravel()[0] - keys, sigma)),
    Mistake("every query meets every row of keys", "here each query has keys of its own: (m, n) scores, not (m, m, n)",
            lambda queries, keys, sigma: gaussian(queries.reshape(-1, 1, 1) - keys, sigma)),
    Mistake("the minus is missing", "scores above 0 that grow with the distance: the farthest key would get the most attention",
            lambda queries, keys, sigma: -_rows(queries, keys, sigma)),
    Mistake("the ½ is missing", "every score is twice the right one", lambda queries, keys, sigma: 2 * _rows(queries, keys, sigma)),
    Mistake("σ where σ² belongs", "the width stands inside the square", lambda queries, keys, sigma:
            sigma * _rows(queries, keys, sigma)),
    Mistake("σ is left out", "the scores do not depend on the width", lambda queries, keys, sigma: _rows(queries, keys, 1)),
    Mistake("these are weights already", "the softmax comes after the scores", lambda queries, keys, sigma:
            softmax(_rows(queries, keys, sigma))),
)
