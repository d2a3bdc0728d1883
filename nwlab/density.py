"""Parzen windows: the density of the keys, which is the denominator of Nadaraya-Watson made to integrate to one."""
import numpy as np

from nwlab import fast
from nwlab._engine import blocks
from nwlab._engine.inputs import check_choice, check_inputs
from nwlab._engine.weights import scaled_distances
from nwlab.kernels import get_kernel


def parzen_density(queries, keys, *, kernel="gaussian", bandwidth=1.0, method="auto"):
    """(1/n) sum of K(|q - k_i| / h) / (h^d int K): (m,), per unit of length^d; it integrates to one.

    Inputs as for `attention_scores`; with a width per feature h^d becomes the product of the widths. Zero where no key
    is in reach: that is an answer, not a failure. Infinite where h^d is so small that the density is too large a
    number. ValueError for the constant kernel, which has no density. (Rosenblatt 1956, Parzen 1962.)
    `method` as for `nadaraya_watson`.
    """
    kernel, inputs = get_kernel(kernel), check_inputs(queries, keys, bandwidth=bandwidth)
    d = inputs.shape[2]
    constant = kernel.integral(d)

    def per_volume(density, inputs):
        """density / h^d, one side after another: the product h^d could be 0 where density / h^d is not."""
        with np.errstate(over="ignore", under="ignore"):
            for i in range(d):
                density = density / (inputs.width[:, i] if inputs.kind == "feature" else inputs.width) / inputs.unit
        return density

    def definition(inputs):
        density = kernel.profile(scaled_distances(inputs), inputs.xp) / constant     # (m, n)
        return (inputs.xp.mean(per_volume(density, inputs), axis=1),)                # (m,)

    total = fast.sums(inputs, kernel, check_choice("method", method, fast.METHODS))
    if total is not None:
        return inputs.given_back(per_volume(total / constant / inputs.shape[1], inputs))
    density, = blocks.evaluate(definition, inputs)
    return inputs.given_back(density)
