"""A million keys: the same averages as the definition's, by ways that do not look at every pair.

    window.py   only the keys whose weight can matter                     any kernel that falls with distance
    gauss.py    the fast Gauss transform: groups of keys, described       the Gaussian on the line
    compact.py  running sums of moments, cell by cell                     kernels that are polynomials on the line
    cells.py    a grid as wide as the kernel reaches                      compact kernels with two or three features
    matrix.py   all pairs, with little work each                          the Gaussian with two features or more

`average` and `sums` choose. They answer None where the definition itself is the way to go: few pairs, gradients, masks,
a width per feature, query or key, kernels that these ways do not know.
"""
import math

import numpy as np

from nwlab._engine.arrays import as_float64, library_of, wants_gradient
from nwlab.fast import cells, compact, gauss, matrix, window

METHODS = ("auto", "dense", "window", "fast")
SMALL = 1 << 15             # pairs up to which sorting and choosing take longer than the definition
LONG = 200                  # keys in the window of a far query, from which on far queries are taken together
# What takes how many nanoseconds; tests/benchmarks/estimator.py shows whether the choice is right.
DENSE, WINDOW, QUERY = 20.0, 25.0, 400.0        # a pair of the definition and of a window, and a query that has one
START, TERM, BOX = 3.5e5, 1.4, 1.2e3            # the transform: to begin with, a term of a series a point, a box
MOMENT, CELL = 30.0, 6e3                        # running sums: a moment of a key, a cell


def average(inputs, kernel, method="auto"):
    """The averages (m, c), weighted by the kernel, and which queries reach no key (m,); or None: take the definition.

    inputs checked (see `nwlab._engine.inputs.CheckedInputs`), with values; leave one out where `inputs.own` says so.
    """
    if not _applies(inputs, kernel, method):
        return None
    if inputs.shape[2] == 1:
        found = Line(inputs).average(float(inputs.width), kernel, method)
    elif math.isfinite(kernel.support):
        found = _by_cells(inputs, kernel)
    else:
        found = _by_matrix(inputs)
    return found and (inputs.xp.asarray(found[0], dtype=inputs.keys.dtype), inputs.xp.asarray(found[1]))


def sums(inputs, kernel, method="auto"):
    """sum over i of K(|q - k_i| / h): (m,), or None: take the definition."""
    if not _applies(inputs, kernel, method) or inputs.shape[2] > 1:
        return None
    total = Line(inputs).sums(float(inputs.width), kernel, method)
    return None if total is None else inputs.xp.asarray(total, dtype=inputs.keys.dtype)


def leave_one_out(inputs, widths, kernel, method="auto"):
    """Each point predicted from the others, at each of the widths, as far as there is a quick way.

    Yields which width (an index), which points, their predictions (rows, c), and which reach no other key (rows,).
    """
    if not (_applies(inputs, kernel, method) and len(widths)) or widths[0].ndim == 2 or wants_gradient(*widths):
        return
    widths = [float(h) for h in widths]
    if inputs.shape[2] == 1:
        line = Line(inputs)
        for i, h in enumerate(widths):
            if found := line.average(h, kernel, method):
                yield i, slice(None), *found
    elif kernel.moments == "hermite":
        points = _points(inputs)
        outlying = _outlying(points[2])
        for i, h in enumerate(widths):
            for rows, found in matrix.averages(*points, h, outlying, own=True) if _tame(inputs, h) else ():
                yield i, rows, found, np.zeros(len(found), bool)


def _applies(inputs, kernel, method) -> bool:
    m, n, d = inputs.shape
    if method == "dense" or m == 0 or method == "auto" and m * n <= SMALL:
        return False
    if library_of(inputs.keys) not in ("numpy", "torch") or str(inputs.keys.device) != "cpu":
        return False
    if inputs.mask is not None or inputs.kind != "number" or inputs.xp.finfo(inputs.keys.dtype).bits not in (32, 64):
        return False
    if wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
        return False
    if math.isfinite(kernel.support):
        return d <= 3
    return kernel.reach is not None if d == 1 else kernel.moments == "hermite" and _tame(inputs, float(inputs.width))


def _tame(inputs, h) -> bool:
    """Whether squares of coordinates and of the width are safe from overflow."""
    return inputs.largest < 1e100 and 1e-100 < h < 1e100


class Line:
    """Queries and keys on the line, sorted once for as many widths as are asked for."""

    def __init__(self, inputs):
        queries, keys = np.asarray(inputs.queries)[:, 0], np.asarray(inputs.keys)[:, 0]
        order = np.argsort(keys, kind="stable")
        self.own = None if inputs.own is None else np.arange(len(keys))             # sorted, each is still its own key
        self.order = order if self.own is not None else np.argsort(queries, kind="stable")
        self.q, self.k = queries[self.order], keys[order]                           # (m,), (n,)
        self.v = np.empty((len(keys), 0)) if inputs.values is None else np.asarray(inputs.values)[order]    # (n, c)
        self.farthest = max(abs(float(x)) for ends in (self.q, self.k) for x in ends[[0, -1]])
        self.columns = np.vstack([np.ones(len(keys)), self.v.T]).T                  # (n, 1 + c), each column in a row
        self.outlying = _outlying(self.v)
        self.sample = np.linspace(0, len(self.q) - 1, min(len(self.q), 50)).astype(int)     # says how long windows are

    def average(self, h, kernel, method="auto"):
        """The averages (m, c) and which queries reach no key (m,), in the order in which the queries came; or None."""
        way = self.choose(h, kernel, method)
        if way == "dense":
            return None
        if way == "window":
            answer, unreached = self._window(slice(None), h, kernel)
        else:
            totals, _, unreached, doubtful = self._fast(h, kernel)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                answer = totals[:, 1:] / totals[:, :1]
            answer[unreached] = math.nan
            if len(doubtful):
                answer[doubtful] = self._window(doubtful, h, kernel)[0]
        return self._as_they_came(answer), self._as_they_came(unreached)

    def sums(self, h, kernel, method="auto"):
        """sum over i of K(|q - k_i| / h): (m,), in the order in which the queries came; or None."""
        way = self.choose(h, kernel, method)
        if way == "dense":
            return None
        doubtful, total = np.arange(len(self.q)), np.zeros(len(self.q))
        if way == "fast":
            totals, factor, unreached, doubtful = self._fast(h, kernel)
            total = np.where(unreached, 0.0, totals[:, 0] * factor)
        if len(doubtful):
            first, last = window.runs_on_the_line(self.q[doubtful], self.k, h, kernel)
            total[doubtful] = window.sums_of_profile(self.q[doubtful, None], self.k[:, None], first, last, h, kernel)
        return self._as_they_came(total)

    def choose(self, h, kernel, method="auto") -> str:
        """"dense", "window" or "fast": what is asked for, if it can be had, or what should take least time."""
        m, n, columns = len(self.q), *self.columns.shape
        can_be_fast = bool(kernel.moments) and 1e-100 < h < 1e100 and self.farthest / h < 2.0**50
        widths = float(self.k[-1] - self.k[0]) / h
        can_be_fast &= widths < 2.0**28
        if method != "auto":
            return "window" if method == "fast" and not can_be_fast else method
        first, last = window.runs_on_the_line(self.q[self.sample], self.k, h, kernel, self.outlying,
                                              None if self.own is None else self.sample)
        cost = {"dense": DENSE * m * n, "window": m * (QUERY + WINDOW * float(np.mean(last - first)))}
        if can_be_fast and kernel.moments == "hermite":
            boxes = min(n, widths) + min(m, widths)
            cost["fast"] = START + columns * (TERM * gauss.ORDER * (m + n) + BOX * boxes)
        elif can_be_fast:
            moments = columns * len(kernel.moments) * (n + 2 * m)
            cost["fast"] = START + QUERY * m + MOMENT * moments + CELL * min(n, 4 * widths)
        return min(cost, key=cost.get)

    def _window(self, rows, h, kernel):
        q, own = self.q[rows], None if self.own is None else self.own[rows]
        first, last = window.runs_on_the_line(q, self.k, h, kernel, self.outlying, own)
        return window.average(q[:, None], self.k[:, None], self.v, first, last, h, kernel, own)

    def _fast(self, h, kernel):
        """sum of K columns (m, c), up to a factor (m,); which queries reach no key (m,); which are for windows."""
        q, k, columns = self.q.astype(float), self.k.astype(float), self.columns
        if kernel.moments != "hermite":
            first, last, middle = compact.window_edges(self.q, self.k, self.k.dtype.type(h), kernel)
            count, runs = last - first, [(first, middle, 1), (middle, last, -1)]
            if self.own is not None:
                count, runs = count - 1, [(first, self.own, 1), (self.own + 1, last, -1)]
            elif not any(kernel.moments[1::2]):                                     # even: one side is as the other
                runs = [(first, last, 1)]
            totals = compact.sums(q, k, columns, h, kernel.moments, runs)
            return totals, 1.0, count <= 0, np.flatnonzero((totals[:, 0] < compact.TRUSTED * count) & (count > 0))
        totals, factor = gauss.sums(q, k, columns, h), np.ones(len(q))
        enough = gauss.TRUSTED * len(k) * self.outlying
        if self.own is None:
            doubtful = np.flatnonzero(totals[:, 0] < enough)
        else:
            totals = totals - columns                                               # out with one's own weight K(0) = 1
            cancelled = np.any(np.abs(columns) > 100 * np.abs(totals), axis=1)      # ... unless little is left then
            doubtful = np.flatnonzero(cancelled | (totals[:, 0] < max(enough, 1.0)))
        if len(doubtful) and self.own is None:
            runs = window.runs_on_the_line(q[doubtful], k, h, kernel, self.outlying)
            if np.mean(runs[1] - runs[0]) >= LONG:
                totals[doubtful], factor[doubtful] = window.shared(q[doubtful], k, columns, *runs, h, kernel)
                doubtful = doubtful[np.isnan(totals[doubtful, 0])]
        return totals, factor, np.zeros(len(q), bool), doubtful

    def _as_they_came(self, x):
        result = np.empty_like(x)
        result[self.order] = x
        return result


def _outlying(values) -> float:
    """How many times larger the largest |value| of a column is than one in the middle; a far key may matter as much."""
    size = np.abs(values)
    middle = np.median(size, axis=0)
    with np.errstate(over="ignore"):
        ratio = np.where(middle > 0, np.max(size, axis=0) / np.where(middle > 0, middle, 1), 1.0)       # (c,)
    return float(np.max(ratio, initial=1.0))


def _by_cells(inputs, kernel):
    queries, keys, values = (np.asarray(x) for x in (inputs.queries, inputs.keys, inputs.values))
    h = float(inputs.width)
    order, first, last = cells.sort_by_cell(queries, keys, kernel.support * h)
    if np.mean(np.sum(last - first, axis=1)) * WINDOW > DENSE * len(keys):
        return None
    own = None if inputs.own is None else np.argsort(order)
    return window.average(queries, keys[order], values[order], first, last, h, kernel, own)


def _by_matrix(inputs):
    points, answer = _points(inputs), np.empty((inputs.shape[0], inputs.values.shape[1]))
    for rows, found in matrix.averages(*points, float(inputs.width), _outlying(points[2]), inputs.own is not None):
        answer[rows] = found
    return answer, np.zeros(len(answer), bool)


def _points(inputs):
    return [as_float64(x) for x in (inputs.queries, inputs.keys, inputs.values)]
