"""Compact kernels on the line, by running sums: a window is a few groups of keys, each described by its moments.

A kernel that is a polynomial on its support needs of a group of keys only the sums of column y^a, y = k - middle:

    sum over the group of K((q - k) / h) column = sum over a of C_a(q - middle) moment_a

The line is cut into cells a quarter to half a width wide. A window is the end of one cell, some whole cells, and the
beginning of another: sums that run from either end of each cell, never differences of sums that run over all keys.
Those cancel: with a million keys, or one value far above the others, nothing is left of the digits.
"""
import math

import numpy as np

ROWS = 1 << 14              # queries at a time
TRUSTED = 0.05              # sum of weights a key in the window, below which rounding could show


def window_edges(queries, keys, h, kernel):
    """keys[first:last] is the window of each query, (m,) and (m,): exactly the keys to which the kernel gives weight.

    "Exactly" as the definition rounds it: searched where the edge should be, looked at, and bisected where rounding put
    it elsewhere. keys (n,) sorted.
    """
    n = len(keys)

    def outside(q, index):
        with np.errstate(over="ignore", under="ignore"):
            return ~(kernel.profile(np.abs(q - keys[index]) / h, np) > 0)

    edges = []
    middle = np.searchsorted(keys, queries)
    for side in (-1, 1):
        edge = np.searchsorted(keys, queries + side * kernel.support * h, side="left" if side < 0 else "right")
        edge = np.clip(edge, *((0, middle) if side < 0 else (middle, n)))
        below, above = outside(queries, np.maximum(edge - 1, 0)), outside(queries, np.minimum(edge, n - 1))
        if side < 0:                                                                # first key inside, at or left of q
            wrong = ((edge > 0) & ~below) | ((edge < middle) & above)
        else:                                                                       # first key outside, right of q
            wrong = ((edge < n) & ~above) | ((edge > middle) & below)
        q, low, high = queries[wrong], *((0, middle[wrong]) if side < 0 else (middle[wrong], n))
        low, high = np.broadcast_to(low, len(q)).copy(), np.broadcast_to(high, len(q)).copy()
        while np.any(low < high):
            half = (low + high) // 2
            right = outside(q, np.minimum(half, n - 1)) == (side < 0)               # the edge lies further right
            right = right & (low < high)
            low, high = np.where(right, half + 1, low), np.where(right | (low >= high), high, half)
        edge[wrong] = low
        edges.append(edge)
    return edges[0], edges[1], middle


def sums(queries, keys, columns, h, polynomial, runs):
    """sum over each run of K(|q - k_i| / h) columns[i]: (m, c). keys (n,) sorted, columns (n, c).

    runs: triples (first (m,), last (m,), sign): keys[first:last], for which |q - k| is sign * (q - k); sign may be
    either where the polynomial is even. A run begins or ends where its cell does, for it is wider than a cell.
    """
    side = 2.0 ** math.floor(math.log2(h) - 1)
    number = np.rint(keys / side)
    starts = np.flatnonzero(np.diff(number, prepend=np.nan))
    ends, cell = np.append(starts[1:], len(keys)), np.cumsum(np.diff(number, prepend=number[:1]) != 0)
    middle = number[starts] * side
    from_left, from_right = running_sums((keys - middle[cell]) / h, columns, len(polynomial), starts, ends)
    whole = from_left[ends - 1]                                                     # (cells, p, c)

    result = np.zeros((len(queries), columns.shape[1]))
    for begin in range(0, len(queries), ROWS):
        rows = slice(begin, begin + ROWS)
        for first, last, sign in runs:
            coefficients = in_powers_of_y(polynomial, sign)                         # (p, p)

            def add(which, group, at, coefficients=coefficients, rows=rows):
                """A group's part of the sum: moments group[at] of the cells `of`, for the queries `which`."""
                at, of = at
                x = (queries[rows][which] - middle[of]) / h
                c = np.vander(x, len(polynomial), increasing=True) @ coefficients
                result[rows][which] += np.einsum("ma,mac->mc", c, group[at])

            low, high = first[rows], last[rows]
            some = np.flatnonzero(low < high)
            low, high = low[some], high[some] - 1                                   # first and last key of the run
            left, right = cell[low], cell[high]
            begins = (left == right) & (low == starts[left])                        # beginning of a cell, and no more
            add(some[~begins], from_right, (low[~begins], left[~begins]))
            ends_in = begins | (left < right)
            add(some[ends_in], from_left, (high[ends_in], right[ends_in]))
            for step in range(1, int(np.max(right - left, initial=0))):
                between = left + step < right
                add(some[between], whole, (left[between] + step, left[between] + step))
    return result


def running_sums(y, columns, p, starts, ends):
    """sum of column y^a, a < p, over the keys from the beginning of the cell, and to its end: (n, p, c) each."""
    powers = np.vander(y, p, increasing=True)[:, :, None] * columns[:, None, :]     # (n, p, c)
    from_left, from_right = np.empty_like(powers), np.empty_like(powers)
    for start, end in zip(starts, ends):
        np.cumsum(powers[start:end], axis=0, out=from_left[start:end])
        np.cumsum(powers[start:end][::-1], axis=0, out=from_right[start:end][::-1])
    return from_left, from_right


def in_powers_of_y(polynomial, sign):
    """The matrix (p, p) with sum over j of polynomial_j (sign (x - y))^j = sum over i and a of x^i matrix[i, a] y^a."""
    p = len(polynomial)
    matrix = np.zeros((p, p))
    for j, coefficient in enumerate(polynomial):
        for a in range(j + 1):
            matrix[j - a, a] += coefficient * sign**j * math.comb(j, a) * (-1) ** a
    return matrix
