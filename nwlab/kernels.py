"""Kernels as values: how much weight a key at scaled distance u deserves.

A kernel here is its *profile*: a function K of the scaled distance u = |q - k| / h with K(0) = 1. A constant factor in
front of K cancels when weights are normalised, so it is left out, and only `parzen_density` asks for it
(`Kernel.integral`). The textbook forms come back as K(u) / K.integral(1): 1/sqrt(2 pi) for the Gaussian, 3/4 for
Epanechnikov, 1/2 for the boxcar.

One name to be careful with: max(0, 1 - |u|) is the *triangular* kernel; some public material calls it Epanechnikov.
The Epanechnikov kernel is the parabola 3/4 (1 - u^2) on |u| <= 1 (Epanechnikov 1969). Both are here, under their names.
"""
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nwlab._engine.arrays import namespace_of, real_array, truth


@dataclass(frozen=True, eq=False)
class Kernel:
    """A radial kernel profile: `kernel(u)` is K(|u|), `kernel.log(u)` its logarithm.

    name: what `KERNELS` calls it.
    formula: K(u) for u >= 0, in words a figure can show.
    shape: K on 0 <= u < support, as a function of (u, xp); xp is the array library of u.
    support: K is zero beyond this u (`math.inf` where it never is).
    std: standard deviation of K as a density over the line, sqrt(int u^2 K / int K). Infinite for the constant.
    log_shape: log K on the support, for kernels whose K may underflow. Default: the logarithm of `shape`.
    log_ratio: log K(u) - log K(u0) from (t, s, xp), t = u - u0 and s = u + u0, in a form that squares nothing. Kernels
        that never reach zero have one, so that their weights stay right where K itself underflows.
    adds_up: whether log K is a sum over features, as the Gaussian's is: then so is log_ratio.
    closed: whether a key at exactly u = support still counts (the boxcar says yes: |u| <= 1).
    reach: the largest u where K(u) is above exp(-e) K(u0), or a larger one, as a function of (u0, e). A kernel that
        never reaches zero and falls with distance can have one; then far keys need not be looked at.
    moments: how a group of far keys is described (`nwlab.fast`): the coefficients of K as a polynomial in u on its
        support, or "hermite" for the Gaussian.
    """

    name: str
    formula: str
    shape: Callable
    support: float
    std: float
    log_shape: Callable | None = None
    log_ratio: Callable | None = None
    adds_up: bool = False
    closed: bool = False
    reach: Callable | None = None
    moments: tuple[float, ...] | str | None = None

    def __call__(self, u):
        """K(|u|), in the shape, dtype and array library of u; a number gives a number. ValueError for NaN."""
        u, xp = _scaled_distance(u)
        return self.profile(u, xp)[()]

    def log(self, u):
        """log K(|u|), minus infinity where K is zero. Same shape, dtype and array library as u. ValueError for NaN."""
        u, xp = _scaled_distance(u)
        return self.log_profile(u, xp)[()]

    def profile(self, u, xp):
        """K(u) for an array u >= 0 of the library xp, unchecked."""
        with np.errstate(over="ignore", under="ignore"):
            if math.isinf(self.support):
                return self.shape(u, xp)
            inside = self._inside(u)
            return xp.where(inside, self.shape(xp.where(inside, u, 0.0), xp), 0.0)

    def log_profile(self, u, xp):
        """log K(u) for an array u >= 0 of the library xp, unchecked."""
        with np.errstate(over="ignore", divide="ignore"):
            if math.isinf(self.support):
                return self._log_shape(u, xp)
            inside = self._inside(u)
            # The outer `where` picks the value, the inner one keeps log(0) out of the gradient.
            return xp.where(inside, self._log_shape(xp.where(inside, u, 0.0), xp), -math.inf)

    def integral(self, d: int = 1) -> float:
        """int K(||u||) du over d dimensions: what K is divided by to become a density.

        In polar coordinates: the area of the unit sphere, 2 pi^(d/2) / Gamma(d/2), times int r^(d-1) K(r) dr.
        Raises ValueError for the constant kernel, whose integral is infinite.
        """
        if not math.isfinite(self.std):
            raise ValueError(f"kernel: got {self.name!r}, whose standard deviation is infinite, expected a kernel that "
                             "can be made a density")
        return 2 * math.exp(d / 2 * math.log(math.pi) - math.lgamma(d / 2) + _log_radial_moment(self, d))

    def _log_shape(self, u, xp):
        return self.log_shape(u, xp) if self.log_shape else xp.log(self.shape(u, xp))

    def _inside(self, u):
        return u <= self.support if self.closed else u < self.support

    def __reduce_ex__(self, protocol):
        """A kernel of the list is pickled as its name: its formulas are lambdas."""
        if KERNELS.get(self.name) is self:
            return get_kernel, (self.name,)
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"Kernel({self.name!r}: {self.formula})"


def _scaled_distance(u):
    u = real_array("u", u)
    xp = namespace_of(u)
    if truth(xp.any(xp.isnan(u)), False):
        raise ValueError("u: got NaN, expected scaled distances")
    return xp.abs(u), xp


@lru_cache(maxsize=256)
def _log_radial_moment(kernel: Kernel, d: int) -> float:
    """log of int over r of r^(d-1) K(r), by Gauss-Legendre; exact to rounding for the polynomial profiles."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    reach, pieces = (kernel.support, 1) if math.isfinite(kernel.support) else (60.0 + 2.0 * d, 40)
    edges = np.linspace(0.0, reach, pieces + 1)
    low, high = edges[:-1, None], edges[1:, None]
    r = low + (high - low) * (nodes + 1) / 2                                    # (pieces, nodes)
    log_integrand = (d - 1) * np.log(r) + kernel.log_profile(r, np)
    top = np.max(log_integrand)                          # r^(d-1) alone would overflow in many dimensions
    return float(top + np.log(np.sum((high - low) / 2 * weights * np.exp(log_integrand - top))))


# cos(pi u / 2) to the last digit, as a Taylor series
_COSINE = tuple(0.0 if j % 2 else (-1) ** (j // 2) * (math.pi / 2) ** j / math.factorial(j) for j in range(25))
_ALL = (
    Kernel("gaussian", "exp(-u²/2)", lambda u, xp: xp.exp(-0.5 * u * u), math.inf, 1.0,
           log_shape=lambda u, xp: -0.5 * u * u, log_ratio=lambda t, s, xp: -0.5 * t * s, adds_up=True,
           reach=lambda u0, e: np.hypot(u0, math.sqrt(2 * e)), moments="hermite"),
    Kernel("boxcar", "1 for u ≤ 1", lambda u, xp: xp.ones_like(u), 1.0, 1 / math.sqrt(3), closed=True, moments=(1,)),
    Kernel("constant", "1", lambda u, xp: xp.ones_like(u), math.inf, math.inf, closed=True),
    Kernel("triangular", "1 - u for u < 1", lambda u, xp: 1 - u, 1.0, 1 / math.sqrt(6), moments=(1, -1)),
    Kernel("epanechnikov", "1 - u² for u < 1", lambda u, xp: (1 - u) * (1 + u), 1.0, 1 / math.sqrt(5),
           moments=(1, 0, -1)),
    Kernel("biweight", "(1 - u²)² for u < 1", lambda u, xp: ((1 - u) * (1 + u)) ** 2, 1.0, 1 / math.sqrt(7),
           moments=(1, 0, -2, 0, 1)),
    Kernel("triweight", "(1 - u²)³ for u < 1", lambda u, xp: ((1 - u) * (1 + u)) ** 3, 1.0, 1 / 3,
           moments=(1, 0, -3, 0, 3, 0, -1)),
    Kernel("tricube", "(1 - u³)³ for u < 1", lambda u, xp: (1 - u**3) ** 3, 1.0, math.sqrt(35 / 243),
           moments=(1, 0, 0, -3, 0, 0, 3, 0, 0, -1)),
    Kernel("cosine", "cos(πu/2) for u < 1", lambda u, xp: xp.sin(math.pi / 2 * (1 - u)), 1.0,
           math.sqrt(1 - 8 / math.pi**2), moments=_COSINE),
    Kernel("exponential", "exp(-u)", lambda u, xp: xp.exp(-u), math.inf, math.sqrt(2),
           log_shape=lambda u, xp: -u, log_ratio=lambda t, s, xp: -t, reach=lambda u0, e: u0 + e),
)
KERNELS: dict[str, Kernel] = {kernel.name: kernel for kernel in _ALL}
"""Every kernel by name; add your own `Kernel` to it, or pass one wherever a name is accepted."""


def get_kernel(kernel: str | Kernel) -> Kernel:
    """The kernel of that name; a `Kernel` is returned as it is. An unknown one raises ValueError with the names."""
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise ValueError(f"kernel: got {kernel!r}, expected one of {', '.join(KERNELS)} or a nwlab.Kernel")
    return KERNELS[kernel]
