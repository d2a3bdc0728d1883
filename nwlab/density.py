"""Parzen windows: the density of the keys, which is the denominator of Nadaraya-Watson made to integrate to one."""
import math

from nwlab._engine import blocks, formulas
from nwlab._engine.extremes import quiet
from nwlab._engine.inputs import check_inputs
from nwlab._engine.weights import scaled_distances
from nwlab.kernels import Kernel, get_kernel


def parzen_density(queries, keys, *, kernel="gaussian", bandwidth=1.0):
    """(1/n) sum of K(|q - k_i| / h) / (h^d int K): (m,), per unit of length^d; it integrates to one.

    Inputs as for `attention_scores`; with a width per feature h^d becomes the product of the widths. Zero where no key
    is in reach: that is an answer, not a failure. Infinite where h^d is so small that the density is too large a
    number. ValueError for a kernel without a finite integral, as the constant. (Rosenblatt 1956, Parzen 1962.)
    """
    kernel, inputs = get_kernel(kernel), check_inputs(queries, keys, bandwidth=bandwidth)
    d = inputs.shape[2]
    side = math.exp(log_integral(kernel, d) / d)                                     # int K = side^d

    @quiet
    def mean_density(inputs):
        density = kernel.profile(scaled_distances(inputs), inputs.xp)                # (m, n)
        for i in range(d):              # one side after another: a power of d could be 0 or infinite
            density = density / (side * (inputs.width[:, i] if inputs.kind == "feature" else inputs.width))
        return (inputs.xp.mean(density, axis=1),)                                    # (m,)

    density, = blocks.evaluate(mean_density, inputs)
    return inputs.cast(density)


def log_integral(kernel: Kernel, d: int = 1) -> float:
    """log of int K(||u||) du over d dimensions: what K is divided by to become a density.

    In polar coordinates: the area of the unit sphere, 2 pi^(d/2) / Gamma(d/2), times int r^(d-1) K(r) dr.
    ValueError where it is infinite, as it is for the constant kernel.
    """
    log_moment = formulas.log_moment(kernel, d - 1)
    if not log_moment < math.inf:
        raise ValueError(f"kernel: got {kernel.name!r}, whose integral over {d} dimension{'s' * (d > 1)} is infinite, "
                         "expected a kernel that can be made a density")
    return math.log(2) + d / 2 * math.log(math.pi) - math.lgamma(d / 2) + log_moment
