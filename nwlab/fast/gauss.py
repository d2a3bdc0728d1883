"""The fast Gauss transform: sums of Gaussians on the line without looking at every pair.

    sums(q) = sum over i of exp(-(q - k_i)^2 / 2 h^2) column_i            for m queries and n keys: m + n steps, not m n

The idea: keys are grouped, and the group is described by a few numbers. The line is cut into boxes h wide.

    1. moments     of the keys of a box about its middle: sum of column y^a / a!, for a = 0 ... ORDER - 1
    2. translate   the moments of a box, seen from another box, are a Taylor series about the other's middle
                   (its coefficients are Hermite functions, the derivatives of the Gaussian)
    3. evaluate    a query looks up its box and puts its own place into the series

(L. Greengard and J. Strain, The fast Gauss transform, SIAM J. Sci. Stat. Comput. 12, 1991. In many dimensions:
C. Yang, R. Duraiswami, N. Gumerov and L. Davis, Improved fast Gauss transform, ICCV 2003.)

Precision: a series cut off after p = ORDER terms changes the sum, for each key D widths away, by less than
0.5^p / sqrt(p!) exp(-D^2 / 4), which is 1e-19 exp(-D^2 / 4). Only keys more than REACH widths away are left out.

Shapes: m queries, n keys, c columns, b boxes, p = ORDER.
"""
import math
from functools import cache

import numpy as np

ORDER = 24          # terms of a series
REACH = 11          # boxes on either side that are looked at: exp(-REACH^2 / 2) is 5e-27
TRUSTED = 1e-11     # sum of weights a key, below which what is left out or broken off could show
BOXES, POINTS = 256, 1 << 14        # worked on at a time: they should stay in the cache of a core
FACTORIALS = np.array([float(math.factorial(a)) for a in range(ORDER)])


def sums(queries, keys, columns, h):
    """sum over i of exp(-(q - k_i)^2 / 2 h^2) columns[i]: (m, c). queries (m,) and keys (n,) sorted, columns (n, c)."""
    low, extent = keys[0] - 2 * REACH * h, keys[-1] - keys[0] + 4 * REACH * h
    unit = 2.0 ** math.ceil(math.log2(extent) + 1)
    origin = int(low / unit) * unit                                                 # so round that points lose no digit
    queries = np.clip(queries, low, low + extent)                                   # farther out all sums are zero
    q_boxes, q_box, x = boxes_of(queries - origin, h)
    k_boxes, k_box, y = boxes_of(keys - origin, h)
    described = moments(y, k_box, columns)                                          # (c, b, p)
    return evaluate(x, q_box, translate(described, k_boxes, q_boxes))


def boxes_of(points, h):
    """The boxes of sorted points (n,): their numbers (b,), each point's index into these and its place in widths (n,).

    A box is h wide, and its middle number * h. With h in two parts the products are exact, up to 2^31 boxes or nearly.
    """
    fraction, exponent = math.frexp(h)
    high = math.ldexp(round(fraction * 2**22), exponent - 22)
    number = np.rint(points / h)
    first = np.concatenate([[True], number[1:] != number[:-1]])[:len(points)]
    return number[first], np.cumsum(first) - 1, (points - number * high - number * (h - high)) / h


def moments(y, box, columns):
    """sum over the keys of each box of column y^a / a!: (c, b, p). y (n,) places about the middle, box (n,) sorted."""
    starts = np.flatnonzero(np.diff(box, prepend=-1))
    term = np.array(columns.T, dtype=float, order="C")                              # (c, n), a copy
    result = np.empty((len(term), len(starts), ORDER))
    for a in range(ORDER):
        if a:
            term *= y
        result[:, :, a] = np.add.reduceat(term, starts, axis=1)
    return result / FACTORIALS


def translate(described, k_boxes, q_boxes):
    """Taylor series (c, boxes of queries, p) from moments (c, boxes of keys, p)."""
    c, b, p = described.shape
    described = np.concatenate([described, np.zeros((c, 1, p))], axis=1)            # one more: the box without a key
    far = min(REACH, int(max(q_boxes[-1], k_boxes[-1]) - min(q_boxes[0], k_boxes[0])))
    steps, matrix = np.arange(-far, far + 1), seen_from(far).reshape(-1, p)         # (steps,), (steps p, p)
    series = np.empty((c, len(q_boxes), p))
    for start in range(0, len(q_boxes), BOXES):
        some = slice(start, start + BOXES)
        wanted = q_boxes[some, None] - steps                                        # (boxes, steps)
        source = np.minimum(np.searchsorted(k_boxes, wanted), b - 1)
        source = np.where(k_boxes[source] == wanted, source, b)
        for column in range(c):
            series[column, some] = described[column].take(source, axis=0).reshape(len(source), -1) @ matrix
    return series


@cache
def seen_from(far):
    """The matrices (steps, p, p) that turn moments into the Taylor series about a middle D = -far ... far widths away.

    exp(-(D + x - y)^2 / 2) = sum over a and b of y^a / a! x^b / b! (-1)^b He_{a+b}(D) exp(-D^2 / 2), with Hermite's
    polynomials He.
    """
    distance = np.arange(-far, far + 1.0)
    hermite = np.polynomial.hermite_e.hermevander(distance, 2 * ORDER - 2) * np.exp(-0.5 * distance**2)[:, None]
    a_and_b = np.add.outer(np.arange(ORDER), np.arange(ORDER))
    return hermite[:, a_and_b] * (-1.0) ** np.arange(ORDER) / FACTORIALS


def evaluate(x, box, series):
    """Each query's place put into the series of its box, by Horner: (m, c). x (m,), box (m,), series (c, b, p)."""
    result, by_order = np.empty((len(series), len(x))), np.ascontiguousarray(np.moveaxis(series, -1, 0))     # (p, c, b)
    for start in range(0, len(x), POINTS):
        some = slice(start, start + POINTS)
        total = by_order[-1].take(box[some], axis=1)                                # (c, points)
        for coefficients in by_order[-2::-1]:
            total *= x[some]
            total += coefficients.take(box[some], axis=1)
        result[:, some] = total
    return result.T
