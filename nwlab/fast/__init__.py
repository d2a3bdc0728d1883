"""A million keys: the same averages, by methods that do not look at every pair, or do little work for each.

    window.py   only the keys whose weight can matter                     kernels that end, Gaussian, exponential
    gauss.py    the fast Gauss transform: groups of keys, described       the Gaussian on a line
    compact.py  running sums of moments, cell by cell                     polynomials that end, on a line
    line.py     sorted points, and the choice between these three
    pairs.py    all pairs, with little work each                          the Gaussian: few pairs, or several features

Where none of these applies, `Averages` takes the dense method, `nwlab._engine.weights.averages_of`: few pairs other
than float64 in NumPy, gradients, masks, a width per feature, query or key, and all other kernels.
"""
from functools import cached_property, partial
from typing import Any

import numpy as np

from nwlab._engine import blocks
from nwlab._engine.arrays import as_float64, library_of, wants_gradient
from nwlab._engine.extremes import in_dtype, quiet
from nwlab._engine.inputs import check_choice
from nwlab._engine.weights import averages_of
from nwlab.fast import pairs
from nwlab.fast.window import outlying

METHODS = ("auto", "dense", "window", "fast")
SMALL = 1 << 15             # few pairs: up to here sorting and choosing take longer than the dense method


class Averages:
    """The averages of one kernel between the same points, for as many widths as are needed."""

    def __init__(self, inputs, kernel, empty="nan", method="auto"):
        """ValueError for an unknown method."""
        self.inputs, self.kernel, self.empty, self.method = inputs, kernel, empty, method
        self.dense = partial(averages_of, kernel=kernel, empty=empty)
        self.evaluator = _evaluator(inputs, kernel, check_choice("method", method, METHODS))

    def at(self, width, kind):
        """The averages (m, c), and which queries reach no key (m,) or None, at a width of a kind in `CheckedInputs`."""
        inputs = self.inputs
        plain = kind == "number" and (isinstance(width, float) or not wants_gradient(width))
        quick = self._quick(float(width)) if plain and self.evaluator != "dense" else None
        if quick is None:
            return blocks.evaluate(self.dense, inputs.replace(width=width, kind=kind))
        answer, unreached = quick
        if not isinstance(inputs.keys, np.ndarray):
            answer = inputs.xp.asarray(answer, device=inputs.keys.device)
            unreached = None if unreached is None else inputs.xp.asarray(unreached, device=inputs.keys.device)
        answer = in_dtype(answer, inputs.keys.dtype, inputs.xp)
        if self.empty == "nearest" and unreached is not None and inputs.xp.any(unreached):
            answer[unreached] = blocks.evaluate(self.dense, inputs.replace(width=width, kind=kind).block(unreached))[0]
        return answer, unreached

    @quiet
    def _quick(self, h) -> tuple[Any, Any] | None:
        """As `at`, or None where no quick way has all digits."""
        if self.evaluator == "line":
            return self.line.average(h, self.kernel, self.method)
        inputs, largest = self.inputs, self.inputs.largest
        if not (largest < 1e100 and 1e-100 < h < 1e100):                            # so that squares are numbers
            return None
        if self.evaluator == "pairs":
            return pairs.averages(*self.points, h, inputs.own is not None), None
        if not h > 1e-6 * largest:                                                  # "few", and no digits are lost
            return None
        if inputs.own is None:
            squares = (inputs.queries - inputs.keys.T) ** 2                         # |q - k|^2: (m, n)
            if (answer := pairs.average_of(squares, inputs.values, h)) is not None:
                return answer, None
        return pairs.average_of(self.relative_squares, inputs.values, h), None

    @cached_property
    def line(self):
        from nwlab.fast.line import Line  # imported when there is much to do

        return Line(self.inputs)

    @cached_property
    def relative_squares(self):
        return pairs.relative_squares(self.inputs)

    @cached_property
    def points(self):
        queries, keys, values = self.inputs.queries, self.inputs.keys, self.inputs.values
        return as_float64(queries), as_float64(keys), as_float64(values), outlying(as_float64(values))


def _evaluator(inputs, kernel, method) -> str:
    """"line", "pairs", "few" (pairs on a line) or "dense"."""
    (m, n, d), keys, gaussian = inputs.shape, inputs.keys, kernel.power == 2
    if method == "dense" or m == 0 or inputs.mask is not None:
        return "dense"
    if method == "auto" and m * n <= SMALL:
        return "few" if gaussian and d == 1 and isinstance(keys, np.ndarray) and keys.dtype == np.float64 else "dense"
    if (library_of(keys) not in ("numpy", "torch") or str(keys.device) != "cpu"
            or wants_gradient(inputs.queries, keys, inputs.values)):
        return "dense"
    if d == 1:
        return "line" if kernel.power is not None or kernel.ends else "dense"
    return "pairs" if gaussian else "dense"
