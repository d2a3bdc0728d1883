"""Queries and keys on a line, sorted once for as many widths as are needed, and the choice of the method."""
import math

import numpy as np

from nwlab.fast import compact, gauss, window

# Measured nanoseconds of each step; tests/floor/test_fast.py holds which method they lead to.
DENSE, WINDOW, QUERY = 20.0, 25.0, 400.0        # a pair of dense, a pair of a window, a query with its window
START, TERM, BOX = 3.5e5, 1.4, 1.2e3            # "fast": once; the transform: a term of a point's series, a box
MOMENT, CELL = 9.0, 4e4                         # running sums: a moment of a point, queries that share a middle


class Line:
    """Sorted queries q (m,), keys k (n,) and values v (n, c)."""

    def __init__(self, inputs):
        queries, keys = np.asarray(inputs.queries)[:, 0], np.asarray(inputs.keys)[:, 0]
        order = np.argsort(keys, kind="stable")
        self.own = None if inputs.own is None else np.arange(len(keys))             # sorted, each is still its own key
        self.order = order if self.own is not None else np.argsort(queries, kind="stable")
        self.q, self.k = queries[self.order], keys[order]
        self.v = np.asarray(inputs.values)[order]
        self.columns = np.vstack([np.ones(len(keys)), self.v.T]).T                  # (n, 1 + c), each column in a row
        self.outlying = window.outlying(self.v)
        self.sample = np.linspace(0, len(self.q) - 1, min(len(self.q), 50)).astype(int)     # shows how long windows are

    def average(self, h, kernel, method):
        """The averages (m, c) and which queries reach no key (m,), in the caller's order; None for "dense"."""
        method = self.method_for(h, kernel, method)
        if method == "dense":
            return None
        found = self._window(slice(None), h, kernel) if method == "window" else self._grouped(h, kernel)
        answer, unreached = (np.empty_like(x) for x in found)
        answer[self.order], unreached[self.order] = found
        return answer, unreached

    def method_for(self, h, kernel, method) -> str:
        """"dense", "window" or "fast": the method that is named, if it applies, or the one that should be quickest."""
        m, (n, c) = len(self.q), self.columns.shape
        farthest = max(abs(float(x)) for ends in (self.q, self.k) for x in ends[[0, -1]])
        widths = float(self.k[-1] - self.k[0]) / h
        gaussian, moderate = kernel.power == 2, 1e-100 < h < 1e100 and farthest / h < 2.0**50 and widths < 2**28
        groups = moderate and (gaussian or compact.describes(kernel))
        if method != "auto":
            return "window" if method == "fast" and not groups else method
        own = None if self.own is None else self.own[self.sample]
        first, last = window.runs(self.q[self.sample], self.k, h, kernel, self.outlying, own)
        cost = {"dense": DENSE * m * n, "window": m * (QUERY + WINDOW * float(np.mean(last - first)))}
        if groups and gaussian:
            boxes = min(n, widths) + min(m, widths)
            cost["fast"] = START + c * (TERM * gauss.ORDER * (m + n) + BOX * boxes)
        elif groups:
            products = c * len(kernel.polynomial) * (4 * n + 2 * m)
            cost["fast"] = START + QUERY * m + MOMENT * products + CELL * min(m, widths / compact.SIDE)
        return min(cost, key=cost.__getitem__)

    def _window(self, rows, h, kernel):
        q, own = self.q[rows], None if self.own is None else self.own[rows]
        first, last = window.runs(q, self.k, h, kernel, self.outlying, own)
        return window.average(q, self.k, self.v, first, last, h, kernel, own)

    def _grouped(self, h, kernel):
        if kernel.power == 2:
            totals, unreached, doubtful = self._transform(h)
        else:
            totals, unreached, doubtful = self._running_sums(h, kernel)
        answer = totals[:, 1:] / totals[:, :1]
        answer[unreached] = math.nan
        if len(doubtful):
            answer[doubtful] = self._window(doubtful, h, kernel)[0]
        return answer, unreached

    def _transform(self, h):
        """sum of K columns (m, 1 + c), which queries reach no key (m,), and the numbers of those left to windows."""
        q, k, columns = self.q.astype(float), self.k.astype(float), self.columns
        totals, enough = gauss.sums(q, k, columns, h), gauss.TRUSTED * len(k) * self.outlying
        doubtful = totals[:, 0] < enough
        if self.own is not None:
            totals = totals - columns                                               # without one's own weight K(0) = 1
            cancelled = np.any(np.abs(columns) > 100 * np.abs(totals), axis=1)      # ... unless little is left then
            doubtful = cancelled | (totals[:, 0] < max(enough, 1.0))
        return totals, np.zeros(len(q), bool), np.flatnonzero(doubtful)

    def _running_sums(self, h, kernel):
        """The same for a compact kernel."""
        polynomial = kernel.polynomial
        first, last, split = compact.window_edges(self.q, self.k, self.k.dtype.type(h), kernel)
        count, parts = last - first, [(first, split, 1), (split, last, -1)]
        if self.own is not None:
            count, parts = count - 1, [(first, self.own, 1), (self.own + 1, last, -1)]
        elif not any(polynomial[1::2]):                                             # even: one side is as the other
            parts = [(first, last, 1)]
        totals, over = compact.sums(self.q.astype(float), self.k.astype(float), self.columns, h, polynomial, parts)
        doubtful = (totals[:, 0] < compact.TRUSTED * over) & (count > 0)
        return totals, count <= 0, np.flatnonzero(doubtful)
