"""Attention pooling: a query meets key-value pairs, and the answer is a weighted average of the values.

    scores   a(q, k) = log K(|q - k| / h)                       (m, n)
    weights  alpha   = softmax of the scores over the keys      (m, n), each row sums to one
    answer   f(q)    = sum over i of alpha(q, k_i) v_i          (m,)

That is Nadaraya-Watson kernel regression (Nadaraya 1964, Watson 1964). Shapes in the letters of the notebooks:
m queries, n keys, d features, c columns of values. NumPy in, NumPy out; torch in, torch out, differentiable.
"""
import math
import warnings

from nwlab import fast
from nwlab._engine import blocks
from nwlab._engine.arrays import detached, namespace_of, same_library, truth
from nwlab._engine.inputs import (
    check_choice, check_count, check_inputs, check_number, check_scores, check_weights, in_dtype, power_of_two,
    restored,
)
from nwlab._engine.weights import (
    distances, nearest_allowed, nearest_weights_at, pool, scaled_distances, scores_at, softmax,
)
from nwlab.kernels import get_kernel

EMPTY = ("nan", "nearest", "raise")
WIDEN = "Widen the bandwidth, or pass empty='nearest'."


class EmptyWindowWarning(UserWarning):
    """Some query has no key within its kernel's reach: there is nothing to average, and the answer is NaN."""


def attention_scores(queries, keys, *, kernel="gaussian", bandwidth=1.0):
    """log K(|q - k| / h) for every pair: (m, n), minus infinity where K is zero.

    queries (m,) or (m, d), keys (n,) or (n, d), bandwidth a number, (d,) per feature, (m, 1) per query or (1, n) per
    key, in the units of the keys. In d dimensions u = ||(q - k) / h||. ValueError for inputs that do not fit.
    """
    kernel, inputs = get_kernel(kernel), check_inputs(queries, keys, bandwidth=bandwidth)
    return inputs.given_back(kernel.log_profile(scaled_distances(inputs), inputs.xp))


def masked_softmax(scores, mask=None):
    """softmax over the last axis, over the keys that `mask` allows (True = may attend). Rows sum to one.

    scores (..., n), real or minus infinity. A row in which nothing is left is NaN, with one EmptyWindowWarning.
    """
    scores, mask, dtype = check_scores(scores, mask)
    xp = namespace_of(scores)
    weights, empty = softmax(scores if mask is None else xp.where(mask, scores, -math.inf), xp)
    report_empty(empty, "nan", lambda: ("no key left, as each is masked or has score minus infinity", ""), xp)
    return in_dtype(weights, dtype, xp)


def attention_weights(queries, keys, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False, empty="nan"):
    """The attention weights alpha (m, n): row i says how query i shares its attention among the keys.

    Inputs as for `attention_scores`. mask (m, n), True = may attend; leave_one_out=True is short for "not the
    diagonal" and wants queries equal to keys. `empty` says what happens to a query with no key in reach: "nan" (its
    row is NaN, with one EmptyWindowWarning), "nearest" (the nearest allowed key takes all, measured like u in units of
    the width) or "raise" (ValueError).
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, bandwidth=bandwidth, mask=mask, leave_one_out=leave_one_out)
    weights, unreached = weights_of(inputs, kernel, empty)
    report_empty(unreached, empty, lambda: _why_empty(kernel, inputs), inputs.xp)
    return inputs.given_back(weights)


def weights_of(inputs, kernel, empty="nan"):
    """The weights (m, n), and which queries reached no key (m,): their rows are NaN or the nearest key's."""
    xp, allowed = inputs.xp, inputs.allowed()                               # (m, n), or None: every key
    distance, width = distances(inputs)                                     # |q - k| (m, n) and h
    scores = scores_at(inputs, distance, width, kernel, allowed)            # log K(|q - k| / h), up to a shift a row
    weights, unreached = softmax(scores, xp)                                # (m, n), (m,)
    if empty == "nearest" and truth(xp.any(unreached), True):
        weights = xp.where(unreached[:, None], nearest_allowed(distance, allowed, xp), weights)
    return weights, unreached


def nadaraya_watson(queries, keys, values, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False,
                    empty="nan", method="auto"):
    """Kernel regression: for each query the average of the values, weighted by `attention_weights`.

    values (n,) gives (m,), values (n, c) gives (m, c). Everything else as for `attention_weights`. Where no gradient is
    asked for, the weights are made a block at a time and never all kept, so that memory stays bounded.

    method: "dense" looks at every pair, "window" only at keys whose weight can matter, "fast" at groups of keys (see
    `nwlab.fast`), "auto" takes what should be quickest. They agree to rounding, relative to the largest value. It is a
    wish, and what cannot be had is replaced without a word: by "dense" with gradients, masks, a width for each feature,
    query or key, or a kernel without another way; "fast" by "window" where keys cannot be grouped, as for exp(-u).
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, values, bandwidth, mask, leave_one_out)

    def definition(inputs):                                                 # the two lines that everything is about
        weights, unreached = weights_of(inputs, kernel, empty)              # (m, n)
        return pool(weights, inputs.values, inputs.xp), unreached           # (m, n) @ (n, c) -> (m, c)

    quick = fast.average(inputs, kernel, check_choice("method", method, fast.METHODS))
    answer, unreached = quick or blocks.evaluate(definition, inputs, gaussian=kernel.moments == "hermite")
    if quick and empty == "nearest" and bool(inputs.xp.any(unreached)):
        answer[unreached] = blocks.evaluate(definition, inputs.block(unreached))[0]
    report_empty(unreached, empty, lambda: _why_empty(kernel, inputs), inputs.xp)
    return inputs.outgoing(answer)


def average_pooling(queries, values):
    """The mean of the values for every query, whatever it asks: (m,) or (m, c). The constant kernel's answer."""
    xp, arrays, magnitudes, dtype = same_library({"queries": queries, "values": values})
    q, v = arrays["queries"], arrays["values"]
    if q.ndim > 2:
        raise ValueError(f"queries: got shape {tuple(q.shape)}, expected (m,) or (m, d)")
    v = xp.reshape(v, (1,)) if v.ndim == 0 else v
    if v.ndim > 2 or v.shape[0] == 0:
        raise ValueError(f"values: got shape {tuple(v.shape)}, expected (n,) or (n, c) with at least one value")
    unit = power_of_two(magnitudes["values"], v.shape[0], v, xp)
    mean = in_dtype(restored(xp.mean(v / unit, axis=0), unit, xp), dtype, xp)
    return xp.broadcast_to(mean, (q.shape[0] if q.ndim else 1, *v.shape[1:])) + 0.0      # + 0: an array of its own


def nearest_weights(queries, keys, *, k=1):
    """Weights (m, n) of the k nearest keys: 1/k each. Keys tied for the last places share them equally."""
    inputs = check_inputs(queries, keys)
    k = check_count("k", k, 1, inputs.shape[1])
    return inputs.given_back(nearest_weights_at(distances(inputs)[0], k, inputs.xp))


def nearest_pooling(queries, keys, values, *, k=1):
    """The average of the values of the k nearest keys: (m,) or (m, c). Ties are averaged, never decided by order."""
    inputs = check_inputs(queries, keys, values)
    k = check_count("k", k, 1, inputs.shape[1])

    def definition(inputs):
        weights = nearest_weights_at(distances(inputs)[0], k, inputs.xp)    # (m, n)
        return (inputs.xp.matmul(weights, inputs.values),)                  # (m, n) @ (n, c) -> (m, c)

    answer, = blocks.evaluate(definition, inputs)
    return inputs.outgoing(answer)


def effective_keys(weights):
    """How many keys each query in effect attends to: 1 / sum of alpha^2, (m,). One for a needle, n for the mean.

    weights (m, n), rows that sum to one. A row of NaN (an empty window) gives NaN. Kish's effective sample size.
    """
    weights, dtype = check_weights(weights)
    xp = namespace_of(weights)
    return in_dtype(1.0 / xp.sum(weights * weights, axis=1), dtype, xp)


def noise_band(weights, noise):
    """The standard deviation that noise in the values gives each answer: noise * sqrt(sum of alpha^2), (m,).

    weights (m, n), rows that sum to one; noise, the standard deviation of each value around the truth, in units of the
    values. That is noise / sqrt(effective keys). The bias is not in it: it is a spread and no bound of the error.
    """
    noise = check_number("noise", noise)
    if noise < 0:
        raise ValueError(f"noise: got {noise:g}, expected a standard deviation of at least 0")
    return noise / effective_keys(weights) ** 0.5


def report_empty(unreached, empty, why, xp) -> None:
    """One warning, or one error, for all queries without an answer; why() gives the reason and what would help.

    To be called straight from a public function: the warning points at that function's caller.
    """
    if empty == "nearest" or not truth(xp.any(unreached), False):
        return
    reason, remedy = why()
    count = int(xp.sum(xp.astype(unreached, xp.int64)))
    text = f"{count} of {math.prod(unreached.shape)} queries {'has' if count == 1 else 'have'} {reason}"
    if empty == "raise":
        raise ValueError(f"queries: {text}. {remedy}".rstrip())
    warnings.warn(f"{text}: there the answer is NaN. {remedy}".rstrip(), EmptyWindowWarning, stacklevel=3)


def _why_empty(kernel, inputs) -> tuple[str, str]:
    if math.isinf(kernel.support):
        return "no key that the mask allows" if inputs.mask is not None else "no key with a weight above zero", ""
    reach = f"no key within reach of the {kernel.name} kernel"
    if inputs.kind == "number":
        h = float(detached(inputs.width)) * inputs.unit
        reach += f" (bandwidth {h:g}, reach {kernel.support * h:g})"
    if inputs.mask is not None or inputs.own is not None:
        reach += " among those it may attend to"
    return reach, WIDEN
