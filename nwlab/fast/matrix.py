"""Gaussian averages from all pairs, with two features or more: but no (m, n, d) array, and little work a pair.

A block of queries at a time: squared distances, less each row's smallest, times -1 / 2 h^2, exp, all in one array that
stays in the cache; then one matrix product with a column of ones and the values gives denominators and numerators.
The smallest goes first because exp(-d^2 / 2 h^2) of a far query or a narrow width is 0 / 0.
"""
import numpy as np

BLOCK = 1 << 16             # squared distances at a time
ROUNDING = 5e-14            # how far exponents may be off
NEAR = 80.0                 # differences of squares, in h^2, beyond which exp(-half of it) no longer matters


def averages(queries, keys, values, widths, own=False):
    """For each block of queries and each width: yields rows, which width, and the averages (rows, c).

    own: queries are the keys, and each is left out of its own average: its distance is infinite.
    """
    with_ones = np.column_stack([np.ones(len(keys)), values])                       # (n, 1 + c)
    for rows, squared in beyond_nearest(queries, keys, min(widths), max(widths), own):
        weights = np.empty_like(squared)
        for i, h in enumerate(widths):
            np.multiply(squared, -0.5 / h / h, out=weights)
            np.exp(np.maximum(weights, -700.0, out=weights), out=weights)           # exp of less is slow, and nothing
            totals = weights @ with_ones                                            # (rows, 1 + c)
            yield rows, i, totals[:, 1:] / totals[:, :1]


def beyond_nearest(queries, keys, narrowest, widest, own=False):
    """||q - k||^2 less the smallest in each row, a block of queries at a time: yields rows, (rows, n).

    ||q||^2 - 2 q k + ||k||^2 is one matrix product, and wrong by some eps times the squares. Measured from the middle
    that is too much only for widths below `careful`; pairs that matter at such widths are few, and taken again.
    """
    n, d = keys.shape
    middle = np.min(keys, axis=0) / 2 + np.max(keys, axis=0) / 2
    q, k = queries - middle, keys - middle
    squares_q, squares_k = np.sum(q * q, axis=1), np.sum(k * k, axis=1)
    careful = max(np.max(squares_q, initial=0.0), np.max(squares_k)) * np.finfo(float).eps / ROUNDING       # squared
    columns = np.column_stack([-2 * q, squares_q, np.ones(len(q))])                 # (m, d + 2)
    rows_of_k = np.vstack([k.T, np.ones(n), squares_k])                             # (d + 2, n)
    rounded = narrowest**2 < careful
    for start in range(0, len(q), max(1, BLOCK // n)):
        rows = slice(start, min(start + max(1, BLOCK // n), len(q)))
        squared = by_feature(queries[rows], keys) if rounded and d < 4 else columns[rows] @ rows_of_k
        mine = (np.arange(len(squared)), np.arange(start, rows.stop)) if own else ([], [])
        squared[mine] = np.inf
        if rounded and d >= 4:
            near = np.flatnonzero(squared < np.min(squared, axis=1, keepdims=True) + NEAR * min(careful, widest**2))
            if len(near) > 0.2 * squared.size:
                squared = by_feature(queries[rows], keys)
                squared[mine] = np.inf
            else:
                squared.flat[near] = np.sum((queries[start + near // n] - keys[near % n]) ** 2, axis=1)
        squared -= np.min(squared, axis=1, keepdims=True)
        yield rows, squared


def by_feature(queries, keys):
    """||q - k||^2 from differences, (m, n), feature by feature."""
    squared, gap = np.zeros((len(queries), len(keys))), np.empty((len(queries), len(keys)))
    for q, k in zip(queries.T, keys.T):
        np.subtract.outer(q, k, out=gap)
        squared += np.multiply(gap, gap, out=gap)
    return squared
