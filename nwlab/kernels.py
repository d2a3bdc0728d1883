"""Kernels: how much weight a key at scaled distance u deserves.

A kernel here is its *profile*: a function K of the scaled distance u = |q - k| / h with K(0) = 1. A constant factor in
front of K cancels when weights are normalised, so it is left out, and only a density needs it (`nwlab.density`). The
textbook forms are K(u) divided by the integral of K: by sqrt(2 pi) for the Gaussian, 4/3 for Epanechnikov, 2 for the
boxcar.

One name to be careful with: max(0, 1 - |u|) is the *triangular* kernel; some public material calls it Epanechnikov.
The Epanechnikov kernel is the parabola 3/4 (1 - u^2) on |u| <= 1 (Epanechnikov 1969). Both are here, under their names.
"""
import math
from collections.abc import Callable
from dataclasses import dataclass

from nwlab._engine.arrays import holds, namespace_of, real_array
from nwlab._engine.extremes import quiet


@dataclass(frozen=True, eq=False)
class Kernel:
    """A radial kernel: `kernel(u)` is K(|u|), `kernel.log(u)` its logarithm.

    name: its key in `KERNELS`.
    formula: K(u) for u >= 0, as figures print it.
    shape: K on 0 <= u <= support, a function of (u, xp), where xp is the array library of u.
    support: K is zero beyond this u; `math.inf` if it never is.
    std: standard deviation of K as a density on the line, sqrt(int u^2 K / int K); infinite for the constant.
    log_shape: log K on the support, for a kernel whose K underflows. By default the logarithm of `shape`.
    """

    name: str
    formula: str
    shape: Callable
    support: float
    std: float
    log_shape: Callable | None = None

    def __call__(self, u):
        """K(|u|), in the shape, dtype and array library of u; a number gives a number. ValueError for NaN."""
        u, xp = _scaled_distance(u)
        return self.profile(u, xp)[()]

    def log(self, u):
        """log K(|u|), minus infinity where K is zero. Same shape, dtype and array library as u. ValueError for NaN."""
        u, xp = _scaled_distance(u)
        return self.log_profile(u, xp)[()]

    @quiet
    def profile(self, u, xp):
        """K(u) for an array u >= 0 of the library xp, unchecked."""
        if math.isinf(self.support):
            return self.shape(u, xp)
        inside = u <= self.support
        return xp.where(inside, self.shape(xp.where(inside, u, 0.0), xp), 0.0)

    @quiet
    def log_profile(self, u, xp):
        """log K(u) for an array u >= 0 of the library xp, unchecked."""
        inside = u <= self.support
        u = xp.where(inside, u, 0.0)
        if self.log_shape is not None:
            return xp.where(inside, self.log_shape(u, xp), -math.inf)
        k = self.shape(u, xp)
        inside = inside & (k > 0)
        # The outer `where` picks the value, the inner one keeps log(0) out of the gradient.
        return xp.where(inside, xp.log(xp.where(inside, k, 1.0)), -math.inf)

    def __reduce_ex__(self, protocol):
        """A kernel of the list is pickled as its name, because its formula is a lambda."""
        if KERNELS.get(self.name) is self:
            return get_kernel, (self.name,)
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"Kernel({self.name!r}: {self.formula})"


_ALL = (
    Kernel("gaussian", "exp(-u²/2)", lambda u, xp: xp.exp(-0.5 * u * u), math.inf, 1.0,
           log_shape=lambda u, xp: -0.5 * u * u),
    Kernel("boxcar", "1 for u ≤ 1", lambda u, xp: xp.ones_like(u), 1.0, 1 / math.sqrt(3)),
    Kernel("constant", "1", lambda u, xp: xp.ones_like(u), math.inf, math.inf),
    Kernel("triangular", "1 - u for u < 1", lambda u, xp: 1 - u, 1.0, 1 / math.sqrt(6)),
    Kernel("epanechnikov", "1 - u² for u < 1", lambda u, xp: (1 - u) * (1 + u), 1.0, 1 / math.sqrt(5)),
    Kernel("biweight", "(1 - u²)² for u < 1", lambda u, xp: ((1 - u) * (1 + u)) ** 2, 1.0, 1 / math.sqrt(7)),
    Kernel("triweight", "(1 - u²)³ for u < 1", lambda u, xp: ((1 - u) * (1 + u)) ** 3, 1.0, 1 / 3),
    Kernel("tricube", "(1 - u³)³ for u < 1", lambda u, xp: (1 - u**3) ** 3, 1.0, math.sqrt(35 / 243)),
    Kernel("cosine", "cos(πu/2) for u < 1", lambda u, xp: xp.sin(math.pi / 2 * (1 - u)), 1.0,
           math.sqrt(1 - 8 / math.pi**2)),
    Kernel("exponential", "exp(-u)", lambda u, xp: xp.exp(-u), math.inf, math.sqrt(2), log_shape=lambda u, xp: -u),
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


def _scaled_distance(u):
    u = real_array("u", u)
    xp = namespace_of(u)
    if holds(xp.any(xp.isnan(u)), otherwise=False):
        raise ValueError("u: got NaN, expected scaled distances")
    return xp.abs(u), xp
