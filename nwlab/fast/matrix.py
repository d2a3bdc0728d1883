"""Gaussian averages from all pairs, with two features or more: but no (m, n, d) array, and little work a pair.

A block of queries at a time, in one array that stays in the cache: squared distances as one matrix product, exp, and
one more product, with a column of ones and the values, gives denominators and numerators. Where the width is narrow,
each row's smallest distance goes first, because exp(-d^2 / 2 h^2) of a far query is 0 / 0; and exp, which takes longer
than all else, is taken only of pairs that matter, if they are few.
"""
import numpy as np

from nwlab.fast.window import negligible

BLOCK = 1 << 16             # squared distances at a time
ROUNDING = 1.4e-13          # how far exponents may be off
FEW = 0.25                  # part of the pairs up to which it is quicker to pick them out


def averages(queries, keys, values, h, outlying=1.0, own=False):
    """The averages, a block of queries at a time: yields rows, (rows, c).

    ||q||^2 - 2 q k + ||k||^2 is one matrix product, and wrong by some eps times the squares. Measured from the middle
    that is too much only for narrow widths; then the distances that matter are taken again, from differences.

    outlying: how many times larger than usual a value may be, and make up for a small weight.
    own: queries are the keys, and each is left out of its own average: its distance is infinite.
    """
    n, eps = len(keys), np.finfo(float).eps
    middle = np.min(keys, axis=0) / 2 + np.max(keys, axis=0) / 2
    q, k = queries - middle, keys - middle
    squares_q, squares_k = np.sum(q * q, axis=1), np.sum(k * k, axis=1)
    largest = max(np.max(squares_q), np.max(squares_k))
    narrow = h * h < largest * eps / ROUNDING
    lowest = -negligible(n, outlying)
    reach = -2 * h * h * lowest + 16 * eps * largest                                # beyond the nearest, squared
    with_ones = np.column_stack([np.ones(n), values])                               # (n, 1 + c)
    columns = np.column_stack([-2 * q, squares_q, np.ones(len(q))])                 # (m, d + 2)
    rows_of_k = np.vstack([k.T, np.ones(n), squares_k])                             # (d + 2, n)
    if not narrow:                                                                  # then no exponent is below -1300,
        rows_of_k *= -0.5 / h / h                                                   # and with 600 more no exp under- or
        rows_of_k[-1] += 600                                                        # overflows
    block = np.empty((min(len(q), max(1, BLOCK // n)), n))
    for start in range(0, len(q), len(block)):
        rows = slice(start, min(start + len(block), len(q)))
        squared = np.matmul(columns[rows], rows_of_k, out=block[:rows.stop - start])            # (rows, n)
        mine = (np.arange(len(squared)), np.arange(start, start + len(squared))) if own else ([], [])
        squared[mine] = np.inf if narrow else -np.inf
        if not narrow:
            totals = np.exp(squared, out=squared) @ with_ones                       # (rows, 1 + c)
        elif np.count_nonzero(near := squared <= np.min(squared, axis=1, keepdims=True) + reach) < FEW * near.size:
            row, key = np.divmod(np.flatnonzero(near), n)
            apart = between(queries[rows].T, keys.T, row, key)
            first = np.flatnonzero(np.diff(row, prepend=-1))                        # each row has its nearest
            weights = _gaussian(apart - np.minimum.reduceat(apart, first)[row], h, lowest)
            totals = np.stack([np.add.reduceat(weights * column[key], first) for column in with_ones.T], axis=1)
        else:
            squared = between(queries[rows].T[:, :, None], keys.T[:, None, :])
            squared[mine] = np.inf
            squared -= np.min(squared, axis=1, keepdims=True)
            totals = _gaussian(squared, h, lowest) @ with_ones
        yield rows, totals[:, 1:] / totals[:, :1]


def between(queries, keys, row=..., key=...):
    """||q - k||^2 from differences, feature by feature: of all pairs, or of those that row and key name."""
    return sum((q[row] - k[key]) ** 2 for q, k in zip(queries, keys))


def _gaussian(squared, h, lowest):
    """exp(-squared / 2 h^2), in the same array, and not less than exp(lowest)."""
    squared *= -0.5 / h / h
    return np.exp(np.maximum(squared, lowest, out=squared), out=squared)
