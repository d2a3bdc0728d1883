"""Numbers near the ends of their dtype: widths of 1e-300, and what cannot be squared.

The estimators compute as their formulas say. Where a formula would overflow, underflow or divide zero by zero, it calls
a function of this file.
"""
import functools
import math

import numpy as np

from nwlab._engine.arrays import wants_gradient


def quiet(function):
    """Decorates a function in which infinity and zero are right answers, so that NumPy need not warn of them."""
    @functools.wraps(function)
    def silenced(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)
    return silenced


def in_dtype(x, dtype, xp):
    """x in that dtype; what is too large for it becomes infinite."""
    return x if x.dtype == dtype else quiet(xp.astype)(x, dtype)


def within(x, dtype, xp):
    """x, at least the smallest normal number of the dtype and at most the largest."""
    limits = xp.finfo(dtype)
    return xp.clip(x, float(limits.smallest_normal), float(limits.max))


@quiet
def length(gaps, xp):
    """sqrt(sum of gap^2) for a list of arrays of one shape: divided by the longest first, so that no square overflows
    or vanishes, and with a derivative of zero where all gaps are zero."""
    sizes = [xp.abs(gap) for gap in gaps]
    if len(sizes) == 1:
        return sizes[0]
    longest = sizes[0]
    for size in sizes[1:]:
        longest = xp.maximum(longest, size)
    longest = xp.where(longest > 0, longest, 1.0)
    squares = sum((gap / longest) ** 2 for gap in gaps)                              # 0, or from 1 to d
    # The root of 0 has no derivative: it is taken of 1 there, and not used.
    return longest * xp.where(squares == 0, 0.0, xp.sqrt(xp.where(squares == 0, 1.0, squares)))


def in_widths(x, width, xp):
    """x / width. Where a derivative is wanted, 1 / sqrt(width) goes in twice: 1 / width^2 could be infinite."""
    if isinstance(width, float) or not wants_gradient(x, width):
        return x / width
    root = 1 / xp.sqrt(width)
    return x * root * root


def bounded(x, width, xp):
    """x / width, so that a product of two such numbers is finite."""
    bound = math.sqrt(float(xp.finfo(x.dtype).max)) / 4
    return xp.clip(in_widths(x, width, xp), -bound, bound)


def lowest_exponent(dtype, xp) -> float:
    """exp of less is subnormal, or nearly, and takes fifty times as long: -700 for float64, -80 for float32."""
    return -700.0 if xp.finfo(dtype).bits >= 64 else -80.0
