"""How sure is an answer? How far noise moves it, and between which limits the next value will lie.

A band is the answer plus and minus twice its standard error. It knows of the noise and nothing of the bias: where the
window is too wide for the curve, it misses the truth. An interval is for new *values*, which have noise of their own.
Shapes: m queries, n keys, d features, c columns of values. NumPy in, NumPy out; torch in, torch out.
"""
import math

from nwlab._engine import blocks
from nwlab._engine.arrays import device_of, holds, namespace_of, same_library
from nwlab._engine.empty import EMPTY, no_key_in_reach, report_empty
from nwlab._engine.extremes import in_dtype, quiet
from nwlab._engine.inputs import check_choice, check_inputs, check_number, check_weights
from nwlab._engine.weights import averages_of, pool, weights_of
from nwlab.kernels import get_kernel


@quiet
def standard_errors(weights, noise):
    """The standard deviation of each answer, given the keys: sqrt(sum of alpha_i^2 noise_i^2), (m,).

    weights (m, n), rows that sum to one; they may be negative, as those of `local_linear_weights`. noise: the standard
    deviation of the values around their mean, in their units, a number or one per key (n,). For one number this is
    noise / sqrt(effective keys). A row of NaN (an empty window) gives NaN. ValueError for noise that is negative.
    """
    weights, dtype = check_weights(weights)
    xp, n = namespace_of(weights), weights.shape[1]
    noise = same_library({"weights": weights[:0, :], "noise": noise})[1]["noise"]
    if tuple(noise.shape) not in ((), (n,)):
        raise ValueError(f"noise: got shape {tuple(noise.shape)}, expected a number or ({n},), one for each key")
    if not holds(xp.all(noise >= 0), otherwise=True):
        raise ValueError(f"noise: got {float(xp.min(noise)):g}, expected numbers of at least 0")
    if noise.ndim == 0:
        return in_dtype(noise * xp.sqrt(xp.sum(weights * weights, axis=1)), dtype, xp)
    unit = xp.where(xp.any(noise > 0), xp.max(noise), 1.0)                           # so that no square overflows
    return in_dtype(unit * xp.sqrt(xp.sum((weights * (noise / unit)) ** 2, axis=1)), dtype, xp)


@quiet
def noise_level(keys, values, *, kernel="gaussian", bandwidth=1.0):
    """The standard deviation of the noise, a number for values (n,), (c,) for values (n, c), in their units.

    sqrt(sum of residuals^2 / (n - 2 tr S + tr S S^T)): S (n, n) holds the weights at the keys, the residuals are
    (I - S) values, and the divisor is what noise of variance 1 leaves in them on average (Cleveland and Devlin 1988;
    Hastie and Tibshirani 1990, section 3.5). Too wide a window adds bias, and uneven noise gives one number between.
    ValueError where every key attends to itself alone, as a single one does, and all do at a tiny width.
    """
    kernel, inputs = get_kernel(kernel), check_inputs(keys, keys, values, bandwidth)
    xp, n = inputs.xp, inputs.shape[1]
    positions, centred = xp.arange(n, device=device_of(inputs.keys)), inputs.values - xp.mean(inputs.values, axis=0)

    def left_over(inputs):
        weights, _ = weights_of(inputs.replace(own=None), kernel)
        itself = xp.astype(inputs.own[:, None] == positions[None, :], weights.dtype)
        rest = itself - weights                                                      # rows of I - S: (m, n)
        return xp.matmul(rest, inputs.values), xp.sum(rest * rest, axis=1)           # (m, c), (m,)

    residuals, freedom = blocks.evaluate(left_over, inputs.replace(own=positions, values=centred))
    freedom = xp.sum(freedom)                                                        # n - 2 tr S + tr S S^T
    if not holds(freedom > n * xp.finfo(freedom.dtype).eps, otherwise=True):
        raise ValueError(f"bandwidth: got one at which each of {n} keys attends to itself alone, expected a wider one")
    levels = inputs.cast(xp.sqrt(xp.sum(residuals**2, axis=0) / freedom))            # (c,)
    return levels[0] if inputs.one_column else levels


@quiet
def interval(queries, keys, values, *, level=0.9, kernel="gaussian", bandwidth=1.0, method="jackknife", spread=None,
             empty="nan"):
    """Limits (low, high) for a new value at each query: (m,) each for values (n,), (m, c) for values (n, c).

    With R_i the leave-one-out residuals |v_i - f_-i(k_i)| and r = ceil(level (n + 1)):
    "jackknife"   f(q) plus and minus the r-th smallest R_i. No guarantee, in practice close to `level`.
    "jackknife+"  from the r-th largest f_-i(q) - R_i to the r-th smallest f_-i(q) + R_i. If new points are drawn as the
                  old ones were and the width was not chosen by these values, at least 2 level - 1 of them lie inside:
                  on average over all queries, not at each, and proved without a spread only.
    spread: the width, in the units of the keys, over which the R_j of other keys are averaged to a local spread s; then
    R_i / s(k_i) takes the place of R_i and is multiplied by s(q). Where no other key is within that width, the nearest
    one's R_j is taken.

    bandwidth a number, (d,) per feature or (1, n) per key. Infinite limits where r > n (90 % needs 9 keys, 95 % 19), or
    where too many keys have no other key in reach. A query with no key in reach gets NaN and one EmptyWindowWarning;
    `empty` as for `attention_weights`. ValueError for fewer than 2 keys, for widths per query, whose residuals are not
    known, and for a spread where some key has no other in reach. (Barber, Candes, Ramdas and Tibshirani 2021; the local
    spread: Lei, G'Sell, Rinaldo, Tibshirani and Wasserman 2018.)
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    method = check_choice("method", method, ("jackknife", "jackknife+"))
    if not 0 < (level := check_number("level", level)) < 1:
        raise ValueError(f"level: got {level:g}, expected a number between 0 and 1, such as 0.9")
    inputs = check_inputs(queries, keys, values, bandwidth)
    if inputs.kind == "query":
        raise ValueError("bandwidth: got a width per query, expected one number, or a width per feature or per key")
    if (n := inputs.shape[1]) < 2:
        raise ValueError("keys: got 1, expected at least 2, so that leaving one out leaves one")
    xp, rank = inputs.xp, max(1, math.ceil(level * (n + 1) - 1e-9))
    left_out = inputs.replace(queries=inputs.keys, own=xp.arange(n, device=device_of(inputs.keys)))
    predicted, _ = blocks.evaluate(lambda some: averages_of(some, kernel, empty), left_out)
    reaches = xp.where(xp.isnan(predicted), math.inf, xp.abs(inputs.values - predicted))        # R: (n, c)
    if spread is not None:
        if holds(xp.any(reaches == math.inf), otherwise=False):
            raise ValueError("spread: got a key with no other in reach, which has no residual, expected a wider "
                             "bandwidth or empty='nearest'")
        residuals = {"values": reaches, "width": check_number("spread", spread, above=0), "kind": "number"}
        local, _ = blocks.evaluate(lambda some: averages_of(some, kernel, "nearest"), left_out.replace(**residuals))
        reaches = xp.where(reaches == 0, 0.0, reaches / local)

    def limits(inputs):
        weights, unreached = weights_of(inputs, kernel, empty)                       # (m, n), (m,)
        centre, reach = pool(weights, inputs.values, xp)[:, None, :], reaches[None, :, :]       # (m, 1, c), (1, n, c)
        if spread is not None:
            reach = reach * averages_of(inputs.replace(**residuals), kernel, "nearest")[0][:, None, :]      # (m, n, c)
        if method == "jackknife+":
            # f_-i = f + alpha_i / (1 - alpha_i) (f - v_i), but for the largest alpha, which may be 1.
            others = left_out.own[None, :] != xp.argmax(weights, axis=1)[:, None]    # (m, n)
            without, _ = averages_of(inputs.replace(mask=others), kernel, empty)     # (m, c)
            ratio = xp.where(others, weights / (1 - weights), 0.0)[..., None]        # (m, n, 1)
            centre = xp.where(others[..., None], centre + ratio * (centre - inputs.values[None, :, :]),
                              without[:, None, :])                                   # (m, n, c)
        unknown = xp.isnan(centre) | (reaches == math.inf)[None, :, :] | (rank > n)
        # The lower limit, side -1, is found in the same order among the negated numbers.
        ends = (xp.sort(xp.where(unknown, math.inf, reach + side * centre), axis=1)[:, min(rank, n) - 1, :] * side
                for side in (-1, 1))                                                 # (m, c)
        return *(xp.where(xp.isnan(weights[:, :1]), math.nan, end) for end in ends), unreached

    low, high, unreached = blocks.evaluate(limits, inputs)
    report_empty(unreached, empty, no_key_in_reach, kernel, inputs)
    return inputs.answer(low), inputs.answer(high)
