"""Only the keys whose weight can matter: sorted once, they lie side by side, and each query has a run of them.

Exact for every kernel that falls with distance: a compact kernel is zero beyond its support, and of the others the
weights that are left out add up to less than half a unit in the last place of the sum of the weights: the answer moves
by less than that part of the largest value. What is kept is weighted as `nwlab._engine.weights` does it.

Shapes: m queries and n keys on a line, keys sorted; c columns of values; w keys in the longest run of a block.
"""
import math

import numpy as np

from nwlab._engine.extremes import lowest_exponent, quiet
from nwlab._engine.weights import factors_on_a_line, log_ratio

ENTRIES = 1 << 14           # distances that are worked on at a time: they should stay in the cache of a core


@quiet
def runs(queries, keys, h, kernel, outlying=1.0, own=None, slack=1e-6):
    """The keys that can matter to each query, keys[first:last]: first (m,), last (m,).

    outlying: how many times larger than usual a value may be, which makes up for a small weight.
    own: (m,), the key that is the query itself and is left out; then the nearest *other* key decides how far to look.
    slack: widths that are added to the reach, as a key too many does no harm; below 0, all keys of a run matter.
    """
    q, k, n = queries.astype(float), keys.astype(float), len(keys)
    reach = kernel.support                                                          # in widths
    if kernel.power is not None:            # K(reach) is negligible beside K of the nearest: u^p = u0^p + p * exponent
        u0, exponent = np.abs(q - k[nearest(q, k, own)]) / h, negligible(n, outlying)
        reach = u0 + exponent if kernel.power == 1 else np.hypot(u0, math.sqrt(2 * exponent))
    reach = reach * h + slack * h + math.copysign(4 * np.finfo(float).eps, slack) * np.abs(q)
    return np.searchsorted(k, q - reach), np.searchsorted(k, q + reach, side="right")


def negligible(n, outlying=1.0) -> float:
    """How far a log weight may be below the largest of n before it no longer matters."""
    return min(math.log(2 * n / np.finfo(float).eps) + math.log(outlying), -lowest_exponent(np.float64, np))


def outlying(values) -> float:
    """How many times larger the largest |value| of a column is than one in the middle; a far key may matter as much."""
    size = np.abs(values)
    middle = np.median(size, axis=0)
    ratio = np.where(middle > 0, np.max(size, axis=0) / np.where(middle > 0, middle, 1), 1.0)           # (c,)
    return float(np.max(ratio, initial=1.0))


def nearest(q, k, own=None):
    """Which key is the nearest, or the nearest other than `own`: (m,)."""
    n = len(k)
    right = np.searchsorted(k, q) if own is None else own + 1
    left = right - 1 if own is None else own - 1
    at_left = (right == n) | ((left >= 0) & (q - k[left] < k[np.minimum(right, n - 1)] - q))
    return np.where(at_left, left, right)


def average(queries, keys, values, first, last, h, kernel, own=None):
    """The weighted averages (m, c) over each query's run of keys, and which queries reach none (m,)."""
    answer, unreached = np.empty((len(queries), values.shape[1]), values.dtype), np.zeros(len(queries), bool)
    power = kernel.power
    k0 = None if power is None else keys[nearest(queries, keys, own)]               # (m,)
    for rows, index, allowed in gathered(first, last, len(keys), own):
        q, k = queries[rows, None], keys[index]                                     # (rows, 1), (rows, w)
        if k0 is None:
            weights = np.where(allowed, kernel.profile(np.abs(q - k) / h, np), 0.0)
        else:                                                                       # in parts of the nearest key's
            t, s = factors_on_a_line(q, k, k0[rows, None], power, np)
            exponents = log_ratio(t, s, h, power, np)
            # exp of less than the lowest is slow, and nothing
            weights = np.exp(np.clip(exponents, lowest_exponent(keys.dtype, np), 0.0)) * allowed
        total = np.sum(weights, axis=1, keepdims=True)
        answer[rows] = np.matmul(weights[:, None, :], values[index])[:, 0] / total  # 0 / 0 is NaN: no key in reach
        unreached[rows] = total[:, 0] == 0
    return answer, unreached


def gathered(first, last, n, own=None):
    """Some queries at a time, those with the longest runs first: yields which queries (rows,), the numbers of their
    keys (rows, w), and whether each of these counts (rows, w)."""
    lengths = np.maximum(last - first, 1)
    order, start = np.argsort(-lengths), 0
    while start < len(order):
        w = int(lengths[order[start]])
        rows = order[start:start + max(1, ENTRIES // w)]
        index = first[rows, None] + np.arange(w)                                    # (rows, w)
        allowed = index < last[rows, None]
        if own is not None:
            allowed &= index != own[rows, None]
        yield rows, np.minimum(index, n - 1), allowed
        start += len(rows)
