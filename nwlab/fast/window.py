"""Only the keys whose weight can matter: sorted once, they lie side by side, and each query names a run of them.

Exact for every kernel that falls with distance: a compact kernel is zero beyond its support, and of the others the
weights that are left out add up to less than half a unit in the last place of the sum of the weights: the answer moves
by less than that part of the largest value. What is kept is weighted as `nwlab._engine.weights` does it.

Shapes: m queries, n keys, d features, c columns of values; r runs of keys a query, w keys in the longest of them.
"""
import math

import numpy as np

from nwlab._engine.weights import bounded, distance_between, lowest_exponent

ENTRIES = 1 << 14           # distances that are worked on at a time: they should stay in the cache of a core


def runs_on_the_line(queries, keys, h, kernel, outlying=1.0, own=None):
    """For each query the keys that can matter, keys[first:last]: (m, 1) and (m, 1). keys (n,) sorted.

    outlying: how many times larger than usual a value may be, and make up for a small weight.
    own: (m,), the key that is the query itself and does not count; so the nearest *other* key decides how far to look.
    """
    q, k, n = queries.astype(float), keys.astype(float), len(keys)
    reach = np.full(len(q), kernel.support)                                         # in widths
    if math.isinf(kernel.support):
        with np.errstate(over="ignore"):
            reach = kernel.reach(np.abs(q - k[nearest(q, k, own)]) / h, negligible(n, outlying))
    slack = 1e-6 * h + 4 * np.finfo(float).eps * np.abs(q)                          # a key too many does no harm
    with np.errstate(over="ignore"):
        reach = reach * h + slack
        first, last = np.searchsorted(k, q - reach), np.searchsorted(k, q + reach, side="right")
    return first[:, None], last[:, None]


def negligible(n, outlying=1.0) -> float:
    """How far a log weight may be below the largest of n before it no longer matters."""
    return min(math.log(2 * n / np.finfo(float).eps) + math.log(outlying), -lowest_exponent(64))


def nearest(q, k, own=None):
    """Which key is the nearest, or the nearest other than `own`: (m,). k (n,) sorted."""
    n = len(k)
    right = np.searchsorted(k, q) if own is None else own + 1
    left = right - 1 if own is None else own - 1
    at_left = (right == n) | ((left >= 0) & (q - k[left] < k[np.minimum(right, n - 1)] - q))
    return np.where(at_left, left, right)


def average(queries, keys, values, first, last, h, kernel, own=None):
    """The weighted averages (m, c) over each query's runs of keys, and which queries reached none (m,).

    queries (m, d), keys (n, d), values (n, c), first and last (m, r).
    """
    answer, unreached = np.empty((len(queries), values.shape[1]), values.dtype), np.zeros(len(queries), bool)
    k0 = None if kernel.log_ratio is None else keys[nearest(queries[:, 0], keys[:, 0], own)]        # (m, 1)
    for rows, distance, allowed, index in gathered(queries, keys, first, last, own):
        line = k0 is not None and (queries[rows], keys[index, 0], k0[rows])
        weights = weights_of(distance, allowed, h, kernel, line)                    # (rows, r w), not normalised
        total = np.sum(weights, axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):                                         # 0 / 0: no key in reach
            answer[rows] = np.matmul(weights[:, None, :], values[index])[:, 0] / total
        unreached[rows] = total[:, 0] == 0
    return answer, unreached


def shared(q, k, columns, first, last, h, kernel):
    """Gaussian sums (m, c), up to a factor (m,), for queries in line that see much the same keys; NaN for others.

    exp(-(q - k)^2 / 2 h^2) is exp(-(q - k0)^2 / 2 h^2), which is that factor, times exp(-(p - k)^2 / 2 h^2) in parts of
    k0's, times exp(x y), with p among the queries, k0 its nearest key, x = q - p and y = k - k0 in widths. The second
    is taken once for all these queries, and of the third a series, as long as x y is small; else each half of the
    queries is tried by itself. q (m,), k (n,) sorted, columns (n, c).
    """
    totals, factor, todo = np.full((len(q), columns.shape[1]), math.nan), np.ones(len(q)), [slice(0, len(q))]
    while todo:
        rows = todo.pop()
        run, middle = slice(np.min(first[rows]), np.max(last[rows])), (rows.start + rows.stop) // 2
        k0 = k[nearest(q[middle:middle + 1], k)]
        x, y = (q[rows] - q[middle]) / h, (k[run] - k0) / h
        if np.max(np.abs(x)) * max(-y[0], y[-1]) <= 1.5:
            term = weights_of(np.abs(q[middle] - k[run]), True, h, kernel, (q[middle], k[run], k0)) * columns[run].T
            total, power = np.zeros((len(x), len(term))), np.ones((len(x), 1))
            for a in range(1, 25):
                total += power * np.sum(term, axis=1)
                term, power = term * y, power * (x / a)[:, None]
            totals[rows], factor[rows] = total, kernel.profile(np.abs(q[rows] - k0) / h, np)
        elif len(x) > 16:
            todo += [slice(rows.start, middle), slice(middle, rows.stop)]
    return totals, factor


def weights_of(distance, allowed, h, kernel, line=None):
    """K of the distances (rows, w), in parts of the nearest allowed key's if K never reaches zero: (rows, w).

    line: for such a kernel, on the line, the queries (rows, 1), their keys (rows, w) and the nearest of them k0
    (rows, 1): k0 - k loses no digit, however far q.
    """
    with np.errstate(over="ignore", under="ignore"):
        if kernel.log_ratio is None:
            return np.where(allowed, kernel.profile(distance / h, np), 0.0)
        q, k, k0 = line
        if kernel.adds_up:
            t, s = k0 - k, (q - k) + (q - k0)
        else:
            side, delta0 = np.sign(q - k0), np.abs(q - k0)
            t = np.where((q - k) * side > 0, (k0 - k) * side, distance - delta0)    # both keys on one side of q
            s = distance + delta0
        found = kernel.log_ratio(bounded(t, h, np), bounded(s, h, np), np)
        lowest = lowest_exponent(np.finfo(distance.dtype).bits)                     # exp of less is slow, and nothing
        return np.exp(np.clip(found, lowest, 0.0)) * allowed


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
