"""Kernels: how much weight a key at scaled distance u deserves.

A kernel is one formula: K(u) of the scaled distance u = |q - k| / h, with K(0) = 1. A constant factor cancels when
weights are normalised, and only a density needs it (`nwlab.density`): the textbook forms are K(u) divided by the
integral of K, which is sqrt(2 pi) for the Gaussian, 4/3 for Epanechnikov, 2 for the boxcar.

One name to be careful with: max(0, 1 - |u|) is the *triangular* kernel; some public material calls it Epanechnikov.
The Epanechnikov kernel is the parabola 3/4 (1 - u^2) on |u| <= 1 (Epanechnikov 1969). Both are here, under their names.
"""
import math
from dataclasses import dataclass
from functools import cached_property

from nwlab._engine import formulas
from nwlab._engine.arrays import holds, namespace_of, real_array
from nwlab._engine.extremes import quiet


@dataclass(frozen=True)
class Kernel:
    """A radial kernel: `kernel(u)` is K(|u|), `kernel.log(u)` its logarithm. All else follows from the formula.

    name: its key in `KERNELS`.
    formula: K(u) for 0 <= u <= support, as Python writes it with u, pi and functions of the array library.
    support: K is zero beyond this u; `math.inf` if it never is.
    ValueError for a formula that cannot be computed, is not 1 at u = 0, or is negative where it is tried.
    """

    name: str
    formula: str
    support: float = math.inf

    def __post_init__(self):
        formulas.check(self.formula, self.support)

    def __call__(self, u):
        """K(|u|), in the shape, dtype and array library of u; a number gives a number. ValueError for NaN."""
        return _at_distance(self.profile, u)

    def log(self, u):
        """log K(|u|), minus infinity where K is zero. Same shape, dtype and array library as u. ValueError for NaN."""
        return _at_distance(self.log_profile, u)

    def profile(self, u, xp):
        """K(u) for an array u >= 0 of the library xp, unchecked."""
        return self._within_support(formulas.value, u, xp, beyond=0.0)

    def log_profile(self, u, xp):
        """log K(u) for an array u >= 0 of the library xp, unchecked. Where K is exp(...), it does not underflow."""
        return self._within_support(formulas.log_value, u, xp, beyond=-math.inf)

    @quiet
    def _within_support(self, function, u, xp, beyond):
        if not self.ends:
            return function(self.formula, u, xp)
        inside = u <= self.support
        return xp.where(inside, function(self.formula, xp.where(inside, u, 0.0), xp), beyond)

    @property
    def ends(self) -> bool:
        """Whether K is zero beyond some distance, so that a query may reach no key."""
        return self.support < math.inf

    @cached_property
    def has_width(self) -> bool:
        """Whether the width matters. For the constant kernel it does not: every query gets the mean."""
        return self.ends or formulas.polynomial(self.formula) != (1,)

    @cached_property
    def std(self) -> float:
        """Standard deviation of K as a density on the line, sqrt(int u^2 K / int K); infinite if int u^2 K is."""
        second = formulas.log_moment(self, 2)
        return math.exp((second - formulas.log_moment(self, 0)) / 2) if second < math.inf else math.inf

    @cached_property
    def power(self) -> int | None:
        """p where K(u) = exp(-u^p / p) with p = 1 or 2: its weights stay right where K underflows; None for others."""
        if self.ends or (exponent := formulas.exponent(self.formula)) is None:
            return None
        return {(0, -1): 1, (0, 0, -0.5): 2}.get(formulas.polynomial(exponent))

    @cached_property
    def polynomial(self) -> tuple | None:
        """Coefficients in u, the constant first, where K is a polynomial up to its support; None for all others."""
        return formulas.polynomial(self.formula) if self.ends else None


KERNELS: dict[str, Kernel] = {kernel.name: kernel for kernel in (
    Kernel("gaussian", "exp(-u**2/2)"),
    Kernel("boxcar", "1", support=1),
    Kernel("constant", "1"),
    Kernel("triangular", "1 - u", support=1),
    Kernel("epanechnikov", "1 - u**2", support=1),
    Kernel("biweight", "(1 - u**2)**2", support=1),
    Kernel("triweight", "(1 - u**2)**3", support=1),
    Kernel("tricube", "(1 - u**3)**3", support=1),
    Kernel("cosine", "sin(pi*(1 - u)/2)", support=1),
    Kernel("exponential", "exp(-u)"),
)}
"""Every kernel by name; add your own `Kernel` to it, or pass one wherever a name is accepted."""


def get_kernel(kernel: str | Kernel) -> Kernel:
    """The kernel of that name; a `Kernel` is returned as it is. An unknown one raises ValueError with the names."""
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise ValueError(f"kernel: got {kernel!r}, expected one of {', '.join(KERNELS)} or a nwlab.Kernel")
    return KERNELS[kernel]


def _at_distance(function, u):
    u = real_array("u", u)
    xp = namespace_of(u)
    if holds(xp.any(xp.isnan(u)), otherwise=False):
        raise ValueError("u: got NaN, expected scaled distances")
    return function(xp.abs(u), xp)[()]
