"""Only the keys whose weight can matter: sorted once, they lie side by side, and each query names a run of them.

Exact for every kernel that falls with distance: a compact kernel is zero beyond its support, and of the others the
weights that are left out add up to less than half a unit in the last place of the sum of the weights: the answer moves
by less than that part of the largest value. What is kept goes through the definition, `nwlab._engine.weights`.

Shapes: m queries, n keys, d features, c columns of values; r runs of keys a query, w keys in the longest of them.
"""
import math

import numpy as np

from nwlab._engine.weights import distance_between, scores_at, softmax

ENTRIES = 1 << 15           # distances that are worked on at a time: they should stay in the cache of a core


def runs_on_the_line(queries, keys, h, kernel, own=None):
    """For each query the keys that can matter, keys[first:last]: (m, 1) and (m, 1). keys (n,) sorted.

    own: (m,), the key that is the query itself and does not count; so the nearest *other* key decides how far to look.
    """
    q, k, n = queries.astype(float), keys.astype(float), len(keys)
    reach = np.full(len(q), kernel.support)                                         # in widths
    if math.isinf(kernel.support):
        negligible = math.log(2 * n / np.finfo(float).eps)
        with np.errstate(over="ignore"):
            reach = kernel.reach(nearest(q, k, own) / h, negligible)
    slack = 1e-6 * h + 4 * np.finfo(float).eps * np.abs(q)                          # a key too many does no harm
    with np.errstate(over="ignore"):
        reach = reach * h + slack
        first, last = np.searchsorted(k, q - reach), np.searchsorted(k, q + reach, side="right")
    return first[:, None], last[:, None]


def nearest(q, k, own=None):
    """The distance to the nearest key, or to the nearest other than `own`: (m,). k (n,) sorted."""
    n = len(k)
    right = np.searchsorted(k, q) if own is None else own + 1
    left = right - 1 if own is None else own - 1
    gap_left = np.where(left >= 0, q - k[np.maximum(left, 0)], math.inf)
    gap_right = np.where(right < n, k[np.minimum(right, n - 1)] - q, math.inf)
    return np.minimum(gap_left, gap_right)


def average(queries, keys, values, first, last, h, kernel, own=None):
    """The weighted averages (m, c) over each query's runs of keys, and which queries reached none (m,).

    queries (m, d), keys (n, d), values (n, c), first and last (m, r).
    """
    answer, unreached = np.empty((len(queries), values.shape[1]), values.dtype), np.zeros(len(queries), bool)
    for rows, distance, allowed, index in gathered(queries, keys, first, last, own):
        weights, unreached[rows] = softmax(scores_at(distance, h, kernel, allowed, np), np)     # (rows, r w)
        answer[rows] = np.matmul(weights[:, None, :], values[index])[:, 0]          # (rows, 1, r w) @ (rows, r w, c)
    return answer, unreached


def sums_of_profile(queries, keys, first, last, h, kernel):
    """sum over i of K(|q - k_i| / h), over each query's runs of keys: (m,)."""
    total = np.empty(len(queries), keys.dtype)
    for rows, distance, allowed, _ in gathered(queries, keys, first, last):
        with np.errstate(over="ignore", under="ignore"):
            total[rows] = np.sum(np.where(allowed, kernel.profile(distance / h, np), 0.0), axis=1)
    return total


def gathered(queries, keys, first, last, own=None):
    """Some queries at a time, longest runs first: which (rows,), distances, whether each counts, keys: (rows, r w)."""
    lengths = np.max(last - first, axis=1, initial=1)
    order, r, start = np.argsort(-lengths), first.shape[1], 0
    while start < len(order):
        w = int(lengths[order[start]])
        rows = order[start:start + max(1, ENTRIES // (r * w))]
        index = first[rows, :, None] + np.arange(w)                                 # (rows, r, w)
        allowed = (index < last[rows, :, None]).reshape(len(rows), -1)
        index = np.minimum(index, len(keys) - 1).reshape(len(rows), -1)
        if own is not None:
            allowed &= index != own[rows, None]
        distance = distance_between(lambda j: queries[rows, j, None] - keys[index, j], keys.shape[1])   # noqa: B023
        yield rows, distance, allowed, index
        start += len(rows)
