"""What is known of a kernel beyond its formula. A kernel without an entry is computed as it is written."""
from nwlab.kernels import KERNELS

POWER = {KERNELS["gaussian"]: 2, KERNELS["exponential"]: 1}
"""p, where K(u) = exp(-u^p / p): its weights stay right where K itself underflows, and far keys need no look."""

POLYNOMIAL = {
    KERNELS["boxcar"]: (1,),
    KERNELS["triangular"]: (1, -1),
    KERNELS["epanechnikov"]: (1, 0, -1),
    KERNELS["biweight"]: (1, 0, -2, 0, 1),
    KERNELS["triweight"]: (1, 0, -3, 0, 3, 0, -1),
    KERNELS["tricube"]: (1, 0, 0, -3, 0, 0, 3, 0, 0, -1),
}
"""The coefficients of K as a polynomial in u on its support, the constant first: then moments describe a group."""
