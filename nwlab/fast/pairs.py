"""Gaussian averages from all pairs, with little work a pair: few points on a line, or any number with more features.

On the line, each row's smallest squared distance is subtracted first where it is large, in a form that keeps digits.
With more features, a block of queries at a time, in one array that stays in the cache: squared distances as one matrix
product, exp, and one more product, with a column of ones and the values, gives denominators and numerators. Where the
width is narrow, each row's smallest distance is subtracted first, because exp(-d^2 / 2 h^2) of a far query is 0 / 0;
and exp, which takes longer than all else, is taken only of pairs that matter.
"""
import numpy as np

from nwlab.fast.window import negligible

BLOCK = 1 << 16             # squared distances at a time
ROUNDING = 1.4e-13          # how far exponents may be off


def relative_squares(inputs):
    """|q - k|^2 - |q - k0|^2, where k0 is the nearest key that counts: (m, n), infinite where a key does not."""
    q, k, allowed = inputs.queries, inputs.keys.T, inputs.allowed()                 # (m, 1), (1, n)
    ahead = q - k                                                                   # (m, n)
    distance = np.abs(ahead) if allowed is None else np.where(allowed, np.abs(ahead), np.inf)
    k0 = k[0, distance.argmin(axis=1)][:, None]                                     # (m, 1)
    relative = (k0 - k) * (ahead + (q - k0))
    return relative if allowed is None else np.where(allowed, relative, np.inf)


def average_of(squares, values, h):
    """The averages (m, c) for squared distances or `relative_squares`, in as few steps as the formula has.

    None if a query is some twenty widths away from all keys or more: then only relative squares keep the digits.
    """
    weights = np.exp(squares * (-0.5 / h**2))
    totals = weights.sum(axis=1)[:, None]
    return weights.dot(values) / totals if totals.min() > 1e-90 else None


def averages(queries, keys, values, outlying, h, leave_one_out=False):
    """The averages (m, c) with two features or more.

    ||q||^2 - 2 q k + ||k||^2 is one matrix product, and wrong by some eps times the squares. Measured from the middle
    that is too much only for narrow widths; then the distances that matter are taken again, from differences.

    outlying: how many times larger than usual a value may be, which makes up for a small weight.
    leave_one_out: queries are the keys, and each is left out of its own average: its distance is infinite.
    """
    m, n, eps = len(queries), len(keys), np.finfo(float).eps
    middle = np.min(keys, axis=0) / 2 + np.max(keys, axis=0) / 2
    q, k = queries - middle, keys - middle
    q_squared, k_squared = np.sum(q * q, axis=1), np.sum(k * k, axis=1)
    largest = max(np.max(q_squared), np.max(k_squared))
    narrow = h * h < largest * eps / ROUNDING
    lowest = -negligible(n, outlying)
    reach = -2 * h * h * lowest + 16 * eps * largest                                # beyond the nearest, squared
    columns = np.column_stack([np.ones(n), values])                                 # (n, 1 + c)
    augmented_q = np.column_stack([-2 * q, q_squared, np.ones(m)])                  # (m, d + 2)
    augmented_k = np.vstack([k.T, np.ones(n), k_squared])                           # (d + 2, n)
    if not narrow:                                                                  # then no exponent is below -1300,
        augmented_k *= -0.5 / h / h                                                 # and with 600 more no exp under- or
        augmented_k[-1] += 600                                                      # overflows
    answer, block = np.empty((m, values.shape[1])), np.empty((min(m, max(1, BLOCK // n)), n))
    for start in range(0, m, len(block)):
        rows = slice(start, min(start + len(block), m))
        squared = np.matmul(augmented_q[rows], augmented_k, out=block[:rows.stop - start])      # (rows, n)
        if leave_one_out:
            squared[np.arange(len(squared)), np.arange(start, rows.stop)] = np.inf if narrow else -np.inf
        if narrow:
            near = squared <= np.min(squared, axis=1, keepdims=True) + reach
            row, key = np.divmod(np.flatnonzero(near), n)                           # pairs that matter, row by row
            apart = sum((x[row] - y[key]) ** 2 for x, y in zip(queries[rows].T, keys.T))        # ||q - k||^2, again
            first = np.flatnonzero(np.diff(row, prepend=-1))                        # each row has its nearest
            apart -= np.minimum.reduceat(apart, first)[row]
            weights = np.exp(np.maximum(-0.5 / h / h * apart, lowest))
            totals = np.stack([np.add.reduceat(weights * column[key], first) for column in columns.T], axis=1)
        else:
            totals = np.exp(squared, out=squared) @ columns                         # (rows, 1 + c)
        answer[rows] = totals[:, 1:] / totals[:, :1]
    return answer
