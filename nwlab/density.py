"""Parzen windows: the density of the keys, which is the denominator of Nadaraya-Watson made to integrate to one."""
import math
from functools import lru_cache

import numpy as np

from nwlab._engine import blocks
from nwlab._engine.extremes import quiet
from nwlab._engine.inputs import check_inputs
from nwlab._engine.weights import scaled_distances
from nwlab.kernels import Kernel, get_kernel


def parzen_density(queries, keys, *, kernel="gaussian", bandwidth=1.0):
    """(1/n) sum of K(|q - k_i| / h) / (h^d int K): (m,), per unit of length^d; it integrates to one.

    Inputs as for `attention_scores`; with a width per feature h^d becomes the product of the widths. Zero where no key
    is in reach: that is an answer, not a failure. Infinite where h^d is so small that the density is too large a
    number. ValueError for the constant kernel, which has no density. (Rosenblatt 1956, Parzen 1962.)
    """
    kernel, inputs = get_kernel(kernel), check_inputs(queries, keys, bandwidth=bandwidth)
    constant, d = integral(kernel, inputs.shape[2]), inputs.shape[2]

    def per_volume(density, inputs):
        """density / h^d, one side after another: the product h^d could be 0 where density / h^d is not."""
        for i in range(d):
            density = density / (inputs.width[:, i] if inputs.kind == "feature" else inputs.width)
        return density

    @quiet
    def definition(inputs):
        density = kernel.profile(scaled_distances(inputs), inputs.xp) / constant     # (m, n)
        return (inputs.xp.mean(per_volume(density, inputs), axis=1),)                # (m,)

    density, = blocks.evaluate(definition, inputs)
    return inputs.cast(density)


def integral(kernel: Kernel, d: int = 1) -> float:
    """int K(||u||) du over d dimensions: what K is divided by to become a density.

    In polar coordinates: the area of the unit sphere, 2 pi^(d/2) / Gamma(d/2), times int r^(d-1) K(r) dr.
    Raises ValueError for the constant kernel, whose integral is infinite.
    """
    if not math.isfinite(kernel.std):
        raise ValueError(f"kernel: got {kernel.name!r}, whose standard deviation is infinite, expected a kernel that "
                         "can be made a density")
    return 2 * math.exp(d / 2 * math.log(math.pi) - math.lgamma(d / 2) + _log_radial_moment(kernel, d))


@lru_cache(maxsize=256)
def _log_radial_moment(kernel: Kernel, d: int) -> float:
    """log of int over r of r^(d-1) K(r), by Gauss-Legendre; exact to rounding for the polynomial profiles."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    reach, pieces = (kernel.support, 1) if math.isfinite(kernel.support) else (60.0 + 2.0 * d, 40)
    edges = np.linspace(0.0, reach, pieces + 1)
    low, high = edges[:-1, None], edges[1:, None]
    r = low + (high - low) * (nodes + 1) / 2                                         # (pieces, nodes)
    log_integrand = (d - 1) * np.log(r) + kernel.log_profile(r, np)
    top = np.max(log_integrand)                          # r^(d-1) alone would overflow in many dimensions
    return float(top + np.log(np.sum((high - low) / 2 * weights * np.exp(log_integrand - top))))
