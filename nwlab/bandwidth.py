"""Choosing the width: leave-one-out error, rules of thumb, and widths that follow the density of the keys."""
import math
import warnings

import numpy as np

from nwlab import fast
from nwlab._engine import blocks
from nwlab._engine.arrays import as_float64, device_of, holds
from nwlab._engine.extremes import quiet
from nwlab._engine.inputs import check_choice, check_count, check_inputs, check_number, check_widths
from nwlab._engine.weights import distances, kth_smallest, scaled_distances
from nwlab.kernels import get_kernel


class EdgeOfSearchWarning(UserWarning):
    """The smallest leave-one-out error lies at the edge of the widths tried, or one key far from all others set it."""


def loo_error(keys, values, *, bandwidths, kernel="gaussian"):
    """Leave-one-out mean squared error at each width, (len(bandwidths),).

    Each point is predicted from the others: its own key is masked. keys (n,) or (n, d), values (n,) or (n, c), n >= 2,
    bandwidths (w,), or (w, d) with a width per feature, in the units of the keys. Infinite at a width where some point
    has no other key in reach. The shortcut residual_i / (1 - alpha_ii) is the same algebra with a 0/0 waiting at
    alpha_ii = 1; the masked form has none (Stone 1974).
    """
    kernel, inputs = get_kernel(kernel), check_inputs(keys, keys, values, leave_one_out=True)
    xp, d = inputs.xp, inputs.shape[2]
    widths = check_widths("bandwidths", bandwidths, inputs)
    kind = "feature" if widths.ndim == 2 and widths.shape[1] == d else "number"
    if widths.ndim > 1 and kind == "number":
        raise ValueError(f"bandwidths: got shape {tuple(widths.shape)}, expected (w,), one error for each width, or "
                         f"(w, {d}), a width per feature")
    widths = xp.reshape(widths, (-1, 1, d) if kind == "feature" else (-1,))

    @quiet
    def error(predicted, unreached):
        residuals = predicted - inputs.values                                        # (n, c)
        if unreached is not None:
            residuals = xp.where(unreached[:, None], math.inf, residuals)
        return xp.sum(residuals**2) / math.prod(inputs.values.shape)

    averages = fast.Averages(inputs, kernel)
    errors = [error(*averages.at(widths[i, ...], kind)) for i in range(widths.shape[0])]
    return inputs.cast(xp.stack(errors) if errors else xp.zeros(0, dtype=inputs.keys.dtype))


def select_bandwidth(keys, values=None, *, rule="loo", kernel="gaussian"):
    """A width by rule: a float, or from the density rules an array (d,), one per feature, if there are several.

    "loo": the width with the smallest `loo_error`, from a fraction of the gaps to twice the extent of the keys; an
    EdgeOfSearchWarning says if it lies at an end. "silverman": 0.9 A n^(-1/5), "scott": 1.059 A n^(-1/5), where A is
    the smaller of the standard deviation and the interquartile range / 1.349 (Silverman 1986, section 3.4; Scott 1992).
    In d dimensions both are s n^(-1/(d+4)) per feature, s the standard deviation, Silverman's times
    (4 / (d + 2))^(1/(d+4)). They never look at the values, and for another kernel they are divided by its standard
    deviation. ValueError for keys without spread, and for a kernel whose answer depends on no width.
    """
    kernel, rule = get_kernel(kernel), check_choice("rule", rule, ("loo", "silverman", "scott"))
    if rule == "loo" and values is None:
        raise ValueError("values: got None, expected the values of the keys, which rule='loo' predicts")
    inputs = check_inputs(keys, keys) if values is None else check_inputs(keys, keys, values)
    points = as_float64(inputs.keys)                                                 # (n, d)
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    points, extents = points - (low + high) / 2, high - low                          # centred; (d,)
    if not np.all(extents > 0):
        raise ValueError(f"keys: got {len(points)} with no spread in some feature, expected 2 or more that differ")
    if rule == "loo":
        if not kernel.has_width:
            raise ValueError(f"kernel: got {kernel.name!r}, whose answer is the same at every width, expected a kernel "
                             "that falls")
        extent = np.max(extents)
        width, doubt = _smallest_loo(points / extent, as_float64(inputs.values), kernel)
        width = float(width * extent)
        if doubt:
            warnings.warn(f"the leave-one-out error is smallest at {doubt}, {width:g}", EdgeOfSearchWarning,
                          stacklevel=2)
        return width
    if not math.isfinite(kernel.std):
        raise ValueError(f"kernel: got {kernel.name!r}, whose standard deviation is infinite, expected a kernel "
                         "with a finite one")
    widths = _rule_of_thumb(points / extents, rule) * extents / kernel.std
    if len(widths) == 1:
        return float(widths[0])
    return inputs.xp.asarray(widths, dtype=inputs.dtype, device=device_of(inputs.keys))


def neighbour_bandwidth(queries, keys, *, k=10):
    """A width per query, (m, 1): the distance to its k-th nearest key. A boxcar of it is k-NN pooling if no keys tie.

    Zero distances (k keys at the query itself) become the smallest positive one, so that the width can be used.
    """
    inputs = check_inputs(queries, keys)
    xp, k = inputs.xp, check_count("k", k, 1, inputs.shape[1])
    distance, _ = distances(inputs)                                                  # (m, n)
    widths = kth_smallest(distance, k, xp)
    if not holds(xp.all(widths > 0), otherwise=False):
        if not holds(xp.any(distance > 0), otherwise=True):
            raise ValueError("keys: got keys that all coincide with the queries, expected some distance between them")
        widths = xp.where(widths > 0, widths, xp.min(xp.where(distance > 0, distance, math.inf)))
    return inputs.cast(widths)


def adaptive_bandwidth(keys, *, bandwidth, kernel="gaussian", sensitivity=0.5):
    """A width per key, (1, n): narrow where keys are dense, wide where they are sparse (Silverman 1986, section 5.3).

    h_i = h (p_i / g)^(-sensitivity): p the Parzen density at each key with width h, g its geometric mean.
    bandwidth is a number, sensitivity a number from 0 (one width for all) to 1; Silverman and Abramson advise 1/2.
    """
    kernel, inputs = get_kernel(kernel), check_inputs(keys, keys, bandwidth=bandwidth)
    if inputs.kind != "number":
        raise ValueError(f"bandwidth: got shape {np.shape(bandwidth)}, expected one number to start from")
    xp, sensitivity = inputs.xp, check_number("sensitivity", sensitivity, low=0, high=1)

    @quiet
    def mean_similarity(inputs):
        return (xp.mean(kernel.profile(scaled_distances(inputs), xp), axis=1),)      # (m,), at least 1/n: its own key

    density, = blocks.evaluate(mean_similarity, inputs)
    log_density = xp.log(density)                                                    # + a constant that cancels
    factors = xp.exp(-sensitivity * (log_density - xp.mean(log_density)))            # (n,)
    return inputs.cast((inputs.width * factors)[None, :])


@quiet
def _rule_of_thumb(points: np.ndarray, rule: str) -> np.ndarray:
    """Widths (d,) for points (n, d) and a Gaussian kernel."""
    n, d = points.shape
    s = np.std(points, axis=0, ddof=1)
    factor = n ** (-1 / (d + 4))
    if d > 1:
        return s * factor * ((4 / (d + 2)) ** (1 / (d + 4)) if rule == "silverman" else 1.0)
    quartiles = np.subtract(*np.percentile(points, [75, 25], axis=0)) / 1.349
    spread = np.minimum(s, np.where(quartiles > 0, quartiles, s))                    # A; ties may empty the quartiles
    return spread * factor * {"silverman": 0.9, "scott": 1.059}[rule]


@quiet
def _smallest_loo(points, values, kernel) -> tuple[float, str]:
    """The width with the smallest error, and in words what is doubtful about it."""
    values = values / max(np.max(np.abs(values)), np.finfo(float).tiny)              # so that no square overflows
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    ordered = np.sort(points, axis=0)
    gaps = ordered[1:] - ordered[:-1]
    gaps = gaps[gaps > 0]
    usual = min(extent, 20 * len(points) * float(np.median(gaps)))                   # one far key moves no median
    low, high = max(float(np.min(gaps)) / 4, usual * 1e-4), 2 * extent
    at_an_edge = {low: "the narrowest of the widths that were tried", high: "the widest of the widths that were tried"}
    far_key = ""
    for count in (80, 17, 17, 17):                                 # the curve may have several dips; then around one
        widths = np.geomspace(low, high, count)
        errors = loo_error(points, values, bandwidths=widths, kernel=kernel)
        if count == 80 and not np.any(np.isfinite(errors[widths < usual])):
            far_key = "a width set by a key that is far from all others and would else have none in reach"
        best = int(np.argmin(errors))
        low, high = widths[max(best - 1, 0)], widths[min(best + 1, count - 1)]
    return float(widths[best]), far_key or at_an_edge.get(float(widths[best]), "")
