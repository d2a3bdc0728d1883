"""The fast Gauss transform: sums of Gaussians on the line without looking at every pair.

    sums(q) = sum over i of exp(-(q - k_i)^2 / 2 h^2) column_i            for m queries and n keys: m + n steps, not m n

The idea: keys are grouped, and the group is described by a few numbers. The line is cut into boxes about 0.7 h wide.

    1. moments     of the keys of a box about its middle: sum of column y^a / a!, for a = 0 ... ORDER - 1
    2. translate   the moments of a box, seen from another box, are a Taylor series about the other's middle
                   (its coefficients are Hermite functions, the derivatives of the Gaussian)
    3. evaluate    a query looks up its box and puts its own place into the series

(L. Greengard and J. Strain, The fast Gauss transform, SIAM J. Sci. Stat. Comput. 12, 1991. In many dimensions:
C. Yang, R. Duraiswami, N. Gumerov and L. Davis, Improved fast Gauss transform, ICCV 2003.)

How exact? A series broken off after ORDER terms is wrong by less than 0.5^p / sqrt(p!) exp(-D^2 / 4) for a key D widths
away, 1e-19 exp(-D^2 / 4); a key beyond REACH widths is left out.

Shapes: m queries, n keys, c columns, b boxes, p = ORDER.
"""
import math

import numpy as np

ORDER = 24          # terms of a series
REACH = 10.5        # how many widths away a box is still looked at: exp(-REACH^2 / 2) is 1e-24
BOXES, POINTS = 256, 1 << 14        # worked on at a time: they should stay in the cache of a core
SUM_OF_ORDERS = np.add.outer(np.arange(ORDER), np.arange(ORDER))                    # a + b
FACTORIALS = np.array([float(math.factorial(a)) for a in range(ORDER)])


def sums(queries, keys, columns, h):
    """sum over i of exp(-(q - k_i)^2 / 2 h^2) columns[i]: (m, c). queries (m,) and keys (n,) sorted, columns (n, c)."""
    side = box_side(h)
    q_boxes, q_box, x = boxes_of(queries, side, h)
    k_boxes, k_box, y = boxes_of(keys, side, h)
    described = moments(y, k_box, columns)                                          # (c, b, p)
    return evaluate(x, q_box, translate(described, k_boxes, q_boxes, side / h))


def box_side(h: float) -> float:
    """The power of two in (h / 2, h]: middles of boxes are its multiples, so k - middle loses no digit anywhere."""
    return 2.0 ** math.floor(math.log2(h))


def boxes_of(points, side, h):
    """The boxes that sorted points (n,) lie in: their numbers (b,), whose is which (n,), places in widths (n,)."""
    number = np.rint(points / side)                                                 # the box around number * side
    first = np.concatenate([[True], number[1:] != number[:-1]])[:len(points)]
    return number[first], np.cumsum(first) - 1, (points - number * side) / h


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


def translate(described, k_boxes, q_boxes, side):
    """Taylor series (c, boxes of queries, p) from moments (c, boxes of keys, p); side: of a box, in widths."""
    c, b, p = described.shape
    described = np.concatenate([described, np.zeros((c, 1, p))], axis=1)            # one more: the box without a key
    far = min(math.ceil(REACH / side), int(max(q_boxes[-1], k_boxes[-1]) - min(q_boxes[0], k_boxes[0])))
    steps = np.arange(-far, far + 1)
    matrix = seen_from(steps * side).reshape(-1, p)                                 # (steps p, p)
    series = np.empty((c, len(q_boxes), p))
    for start in range(0, len(q_boxes), BOXES):
        some = slice(start, start + BOXES)
        wanted = q_boxes[some, None] - steps                                        # (boxes, steps)
        source = np.minimum(np.searchsorted(k_boxes, wanted), b - 1)
        source = np.where(k_boxes[source] == wanted, source, b)
        for column in range(c):
            series[column, some] = described[column][source].reshape(len(source), -1) @ matrix
    return series


def seen_from(distance):
    """The matrices (steps, p, p) that turn moments into the Taylor series about a middle that far away, (steps,).

    exp(-(D + x - y)^2 / 2) = sum over a and b of y^a / a! x^b / b! (-1)^b He_{a+b}(D) exp(-D^2 / 2), with Hermite's
    polynomials He_0 = 1, He_1 = D, He_{j+1} = D He_j - j He_{j-1}.
    """
    hermite = np.empty((2 * ORDER - 1, len(distance)))
    hermite[0] = np.exp(-0.5 * distance**2)
    hermite[1] = distance * hermite[0]
    for j in range(1, 2 * ORDER - 2):
        np.multiply(distance, hermite[j], out=hermite[j + 1])
        hermite[j + 1] -= j * hermite[j - 1]
    matrices = hermite.T[:, SUM_OF_ORDERS]
    matrices *= (-1.0) ** np.arange(ORDER) / FACTORIALS
    return matrices


def evaluate(x, box, series):
    """Each query's place put into the series of its box, by Horner: (m, c). x (m,), box (m,), series (c, b, p)."""
    result, by_order = np.empty((len(x), len(series))), np.ascontiguousarray(np.moveaxis(series, -1, 0))     # (p, c, b)
    for start in range(0, len(x), POINTS):
        place, where = x[start:start + POINTS], box[start:start + POINTS]
        for c in range(len(series)):
            total = by_order[-1, c].take(where)
            for b in range(ORDER - 2, -1, -1):
                total *= place
                total += by_order[b, c].take(where)
            result[start:start + POINTS, c] = total
    return result
