"""Attention pooling: a query meets key-value pairs, and the answer is a weighted average of the values.

    scores   a(q, k) = log K(|q - k| / h)                       (m, n)
    weights  alpha   = softmax of the scores over the keys      (m, n), each row sums to one
    answer   f(q)    = sum over i of alpha(q, k_i) v_i          (m,)

That is Nadaraya-Watson kernel regression (Nadaraya 1964, Watson 1964). Shapes in the letters of the notebooks:
m queries, n keys, d features, c columns of values. NumPy in, NumPy out; torch in, torch out, differentiable.
"""
import math

from nwlab import fast
from nwlab._engine import blocks
from nwlab._engine.arrays import namespace_of
from nwlab._engine.empty import EMPTY, NO_KEY_LEFT, no_key_in_reach, report_empty
from nwlab._engine.extremes import in_dtype, quiet
from nwlab._engine.inputs import check_choice, check_count, check_inputs, check_scores, check_values, check_weights
from nwlab._engine.weights import distances, nearest_weights_at, scaled_distances, softmax, weights_of
from nwlab.kernels import get_kernel


def attention_scores(queries, keys, *, kernel="gaussian", bandwidth=1.0):
    """log K(|q - k| / h) for every pair: (m, n), minus infinity where K is zero.

    queries (m,) or (m, d), keys (n,) or (n, d), bandwidth a number, (d,) per feature, (m, 1) per query or (1, n) per
    key, in the units of the keys. In d dimensions u = ||(q - k) / h||. ValueError for inputs that do not fit.
    """
    kernel, inputs = get_kernel(kernel), check_inputs(queries, keys, bandwidth=bandwidth)
    return inputs.cast(kernel.log_profile(scaled_distances(inputs), inputs.xp))


def masked_softmax(scores, mask=None):
    """softmax over the last axis, over the keys that `mask` allows (True = may attend). Rows sum to one.

    scores (..., n), real or minus infinity. A row in which nothing is left is NaN, with one EmptyWindowWarning.
    """
    scores, mask, dtype = check_scores(scores, mask)
    xp = namespace_of(scores)
    weights, empty = softmax(scores if mask is None else xp.where(mask, scores, -math.inf), xp)
    report_empty(empty, "nan", NO_KEY_LEFT)
    return in_dtype(weights, dtype, xp)


def attention_weights(queries, keys, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False, empty="nan"):
    """The attention weights alpha (m, n): row i says how query i shares its attention among the keys.

    Inputs as for `attention_scores`. mask broadcasts to (m, n), True = may attend; leave_one_out=True is short for "not
    the diagonal" and wants queries equal to keys. `empty` says what happens to a query with no key in reach: "nan" (its
    row is NaN, with one EmptyWindowWarning), "nearest" (the nearest allowed key takes all, measured like u in units of
    the width; ties share; ValueError if all are masked) or "raise" (ValueError).
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, bandwidth=bandwidth, mask=mask, leave_one_out=leave_one_out)
    weights, unreached = weights_of(inputs, kernel, empty)
    report_empty(unreached, empty, no_key_in_reach, kernel, inputs)
    return inputs.cast(weights)


def nadaraya_watson(queries, keys, values, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False,
                    empty="nan", method="auto"):
    """Kernel regression: for each query the average of the values, weighted by `attention_weights`.

    values (n,) gives (m,), values (n, c) gives (m, c). Everything else as for `attention_weights`. Unless gradients are
    wanted, the weights are made a block of queries at a time and never all kept, so that memory stays bounded.

    method: "dense" looks at every pair, "window" only at keys whose weight can matter, "fast" at groups of keys (see
    `nwlab.fast`), "auto" takes what should be quickest. All agree to rounding, relative to the largest value. The
    method is a preference: where it does not apply, another is used. Always "dense" are gradients; masks; widths per
    feature, query or key; kernels that never end, but for the Gaussian and the exponential; with several features, all
    kernels but the Gaussian.
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, values, bandwidth, mask, leave_one_out)

    answer, unreached = fast.Averages(inputs, kernel, empty, method).at(inputs.width, inputs.kind)
    report_empty(unreached, empty, no_key_in_reach, kernel, inputs)
    return inputs.answer(answer)


def average_pooling(queries, values):
    """The mean of the values, the same for every query: (m,) or (m, c). The constant kernel's answer."""
    inputs = check_values(queries, values)
    mean = inputs.xp.mean(inputs.values, axis=0)                            # (c,)
    return inputs.answer(mean + inputs.xp.zeros_like(inputs.queries[:, :1]))


def nearest_weights(queries, keys, *, k=1):
    """Weights (m, n) of the k nearest keys: 1/k each. Keys tied for the last places share them equally."""
    inputs = check_inputs(queries, keys)
    k = check_count("k", k, 1, inputs.shape[1])
    return inputs.cast(nearest_weights_at(distances(inputs)[0], k, inputs.xp))


def nearest_pooling(queries, keys, values, *, k=1):
    """The average of the values of the k nearest keys: (m,) or (m, c). Ties are averaged, never decided by order."""
    inputs = check_inputs(queries, keys, values)
    k = check_count("k", k, 1, inputs.shape[1])

    def average(inputs):
        weights = nearest_weights_at(distances(inputs)[0], k, inputs.xp)    # (m, n)
        return (inputs.xp.matmul(weights, inputs.values),)                  # (m, n) @ (n, c) -> (m, c)

    answer, = blocks.evaluate(average, inputs)
    return inputs.answer(answer)


@quiet
def effective_keys(weights):
    """How many keys each query in effect attends to: 1 / sum of alpha^2, (m,). One for a needle, n for the mean.

    weights (m, n), rows that sum to one. A row of NaN (an empty window) gives NaN. Kish's effective sample size.
    """
    weights, dtype = check_weights(weights)
    xp = namespace_of(weights)
    return in_dtype(1.0 / xp.sum(weights * weights, axis=1), dtype, xp)
