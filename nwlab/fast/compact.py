"""Compact kernels on a line, by running sums: a window of keys is described by its moments.

A kernel that is a polynomial on its support needs of a group of keys only the sums of column y^a, y = k - middle:

    sum over the group of K((q - k) / h) column = sum over a of C_a(q - middle) moment_a

Neighbouring queries share a middle, and sums that run over the keys around it: a window's moments are the difference of
two of them. Sums over all keys would cancel: with a million keys nothing is left of the digits.

Shapes: m queries, n keys, both sorted; c columns, p coefficients of the polynomial.
"""
import math

import numpy as np

from nwlab.fast.window import runs

LARGEST, DEGREE = 8, 9      # sum of |coefficient| and degree of a polynomial: with larger ones digits would be lost
SIDE = 0.7                  # queries within so many widths share a middle: more would be quicker, and lose digits
TRUSTED = 0.02              # sum of weights / number of keys summed, below which rounding could show


def describes(kernel) -> bool:
    """Whether moments describe a group of keys to this kernel."""
    polynomial = kernel.polynomial
    return (polynomial is not None and kernel.support <= 1 and len(polynomial) <= DEGREE + 1
            and sum(map(abs, polynomial)) <= LARGEST)


def window_edges(queries, keys, h, kernel):
    """first, last and split, (m,) each: keys[first:last] are the window of a query, keys[first:split] those left of it.

    Exactly the keys that have weight, as "dense" rounds it: a bisection looks at those within rounding of the edge.
    """
    def reached(index):
        return kernel.profile(np.abs(queries - keys[np.minimum(index, len(keys) - 1)]) / h, np) > 0

    split = np.searchsorted(keys, queries)
    (outer_first, outer_last), (inner_first, inner_last) = (runs(queries, keys, h, kernel, slack=slack)
                                                            for slack in (1e-6, -1e-6))
    first = _first_where(reached, outer_first, np.clip(inner_first, outer_first, split))
    last = _first_where(lambda i: ~reached(i), np.clip(inner_last, split, outer_last), outer_last)
    return first, last, split


def _first_where(condition, low, high):
    """The first index from low to high, (m,) each, where a condition holds that goes on to hold; high if none."""
    while np.any(low < high):
        half = (low + high) // 2
        yes = condition(half) | (low == high)
        low, high = np.where(yes, low, half + 1), np.where(yes, half, high)
    return low


def sums(queries, keys, columns, h, polynomial, parts):
    """sum over each run of K(|q - k_i| / h) columns[i]: (m, c), and how many keys its running sums went over: (m,).

    parts: triples (first (m,), last (m,), sign): keys[first:last], for which |q - k| is sign * (q - k); sign may be
    either where the polynomial is even.
    """
    result, over, p = np.zeros((len(queries), columns.shape[1])), np.empty(len(queries)), len(polynomial)
    parts = [(first, last, _in_powers_of_y(polynomial, sign)) for first, last, sign in parts]
    cell = np.rint(queries / (SIDE * h))
    starts = np.flatnonzero(np.diff(cell, prepend=np.nan))
    for start, end in zip(starts, np.append(starts[1:], len(queries))):
        rows, middle = slice(start, end), cell[start] * (SIDE * h)
        low, high = parts[0][0][rows].min(), parts[-1][1][rows].max()
        x, y = (queries[rows] - middle) / h, (keys[low:high] - middle) / h
        running = np.zeros((len(y) + 1, p, columns.shape[1]))                       # before each key, and at the end
        np.cumsum(np.vander(y, p, increasing=True)[:, :, None] * columns[low:high, None, :], axis=0, out=running[1:])
        for first, last, matrix in parts:
            moments = running[last[rows] - low] - running[first[rows] - low]        # (rows, p, c)
            result[rows] += np.einsum("ma,mac->mc", np.vander(x, p, increasing=True) @ matrix, moments)
        over[rows] = high - low
    return result, over


def _in_powers_of_y(polynomial, sign):
    """The matrix (p, p) with sum over j of polynomial_j (sign (x - y))^j = sum over i and a of x^i matrix[i, a] y^a."""
    p = len(polynomial)
    matrix = np.zeros((p, p))
    for j, coefficient in enumerate(polynomial):
        for a in range(j + 1):
            matrix[j - a, a] += coefficient * sign**j * math.comb(j, a) * (-1) ** a
    return matrix
