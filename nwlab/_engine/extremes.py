"""Numbers near the ends of their dtype: lengths whose squares overflow, exponents too low for exp."""
import functools

import numpy as np


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


@quiet
def length(gaps, xp):
    """sqrt(sum of gap^2) for a list of arrays of one shape: divided by the longest first, so that no square overflows
    or vanishes, and with a derivative of zero where all gaps are zero."""
    sizes = [xp.abs(gap) for gap in gaps]
    if len(sizes) == 1:
        return sizes[0]
    longest = functools.reduce(xp.maximum, sizes)
    longest = xp.where(longest > 0, longest, 1.0)
    squares = sum((gap / longest) ** 2 for gap in gaps)                              # 0, or from 1 to d
    # The root of 0 has no derivative: it is taken of 1 there, and not used.
    return longest * xp.where(squares == 0, 0.0, xp.sqrt(xp.where(squares == 0, 1.0, squares)))


def lowest_exponent(dtype, xp) -> float:
    """exp of less is subnormal, or nearly, and takes fifty times as long: -700 for float64, -80 for float32."""
    return -700.0 if xp.finfo(dtype).bits >= 64 else -80.0
