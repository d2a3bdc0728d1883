"""nwlab: Nadaraya-Watson kernel regression as attention pooling.

This needs NumPy and array-api-compat. What is learned is imported by name and needs torch: `nwlab.attention`,
`nwlab.block` and `nwlab.training`.
"""
from nwlab._engine.empty import EmptyWindowWarning
from nwlab.bandwidth import adaptive_bandwidth, loo_error, neighbour_bandwidth, select_bandwidth
from nwlab.data import RegressionData, from_arrays, load_engel, make_classes, make_regression, make_sphere, read_csv
from nwlab.density import parzen_density
from nwlab.kernels import KERNELS, Kernel
from nwlab.local_linear import local_linear, local_linear_weights
from nwlab.pooling import (
    attention_scores,
    attention_weights,
    average_pooling,
    effective_keys,
    masked_softmax,
    nadaraya_watson,
    nearest_pooling,
    nearest_weights,
)
from nwlab.sparse import entmax, sparsemax
from nwlab.uncertainty import interval, noise_level, standard_errors

__all__ = [
    "adaptive_bandwidth", "attention_scores", "attention_weights", "average_pooling", "effective_keys",
    "EmptyWindowWarning", "entmax", "from_arrays", "interval", "Kernel", "KERNELS", "load_engel", "local_linear",
    "local_linear_weights", "loo_error", "make_classes", "make_regression", "make_sphere", "masked_softmax",
    "nadaraya_watson", "nearest_pooling", "nearest_weights", "neighbour_bandwidth", "noise_level", "parzen_density",
    "read_csv", "RegressionData", "select_bandwidth", "sparsemax", "standard_errors",
]
