"""From checked inputs to attention weights: `weights_of` is the definition. Its steps stand below it.

Computed as it is written, the score -0.5 u^2 of a far query loses the digits in which its keys differ, and at a tiny
width it overflows. So `log_kernel` measures each row from its nearest key, in a form that squares nothing which could
overflow. Shapes: m queries, n keys, d features, c columns of values.
"""
import math

import numpy as np

from nwlab._engine.arrays import detached, holds, wants_gradient
from nwlab._engine.extremes import length, lowest_exponent, quiet


@quiet
def weights_of(inputs, kernel, empty="nan"):
    """The weights (m, n), and which queries reached no key (m,): their rows are NaN, or with "nearest" that key's."""
    xp, allowed = inputs.xp, inputs.allowed()
    distance, width = distances(inputs)                                              # |q - k|: (m, n), and h
    scores = log_kernel(kernel, distance, width, allowed, inputs)                    # log K(|q - k| / h): (m, n)
    scores = scores if allowed is None else xp.where(allowed, scores, -math.inf)     # (m, n)
    weights, unreached = softmax(scores, xp)                                         # (m, n), (m,)
    if empty == "nearest" and holds(xp.any(unreached), otherwise=True):
        weights = xp.where(unreached[:, None], nearest_allowed(inputs, distance), weights)
    return weights, unreached


def averages_of(inputs, kernel, empty="nan"):
    """The weighted averages of the values (m, c), and which queries reached no key (m,)."""
    weights, unreached = weights_of(inputs, kernel, empty)                           # (m, n), (m,)
    return pool(weights, inputs.values, inputs.xp), unreached                        # (m, n) @ (n, c) -> (m, c)


@quiet
def distances(inputs):
    """Distances (m, n) and the width that divides them: u = distance / width.

    One width for all, or one a query, divides as it is. Widths that differ by key or feature are split into the
    smallest, which divides at the end, and ratios of at most one, which multiply the distances before: so a tiny width
    never makes u overflow before two distances have been compared.
    """
    xp, q, k, divisor = inputs.xp, inputs.queries, inputs.keys, inputs.width
    if inputs.kind in ("feature", "key"):
        divisor = xp.min(inputs.width)
    gaps = feature_gaps(q, k)                                                        # d arrays (m, n)
    if inputs.kind == "feature":
        gaps = [gap * (divisor / inputs.width[0, j]) for j, gap in enumerate(gaps)]
    distance = length(gaps, xp)
    return (distance * (divisor / inputs.width) if inputs.kind == "key" else distance), divisor


def feature_gaps(q, k) -> list:
    """q - k in each feature: d arrays (m, n), whose `length` is the distance."""
    return [q[:, j:j + 1] - k[:, j][None, :] for j in range(k.shape[1])]


@quiet
def scaled_distances(inputs):
    """u = |q - k| / h for every pair: (m, n), infinite where that is too large a number."""
    distance, width = distances(inputs)
    return in_widths(distance, width, inputs.xp)


def log_kernel(kernel, distance, width, allowed, inputs):
    """log K(distance / width): (m, n). For K(u) = exp(-u^p / p) up to a constant in each row; see `relative_scores`."""
    if kernel.power is not None:
        return relative_scores(distance, width, kernel.power, allowed, inputs.xp, inputs)
    xp, u = inputs.xp, in_widths(distance, width, inputs.xp)                         # (m, n)
    if kernel.ends or not kernel.has_width:
        return kernel.log_profile(u, xp)
    near = u < root_of_largest(u.dtype, xp)         # beyond, u^2 is infinite, and a derivative 0 * infinity
    return xp.where(near, kernel.log_profile(xp.where(near, u, 0.0), xp), -math.inf)


def relative_scores(distance, width, power, allowed, xp, inputs=None):
    """log K(u) - log K(u0) for K(u) = exp(-u^power / power), where u0 is the nearest allowed key's: (m, n).

    Softmax does not change when a row is shifted. Shifting before anything is squared or exponentiated, by the factors
    t = u - u0 and s = u + u0, keeps far queries and tiny widths exact: the score is -t for power 1 and -t s / 2 for
    power 2. Scores so low that exp would be subnormal are set to minus infinity. Those of keys that are not allowed are
    left for the caller to mask.

    inputs: the points, if the distances are theirs. Then no digit of k0 - k is lost on a line, however far q is.
    """
    nearest = xp.argmin(distance if allowed is None else xp.where(allowed, distance, math.inf), axis=1)      # (m,)
    if inputs is not None and inputs.shape[2] == 1 and inputs.kind != "key":
        k0 = xp.take(inputs.keys, nearest, axis=0)                                   # (m, 1)
        t, s = factors_on_a_line(inputs.queries, xp.matrix_transpose(inputs.keys), k0, power, xp)
    else:
        delta0 = xp.take_along_axis(distance, nearest[:, None], axis=1)              # (m, 1)
        t, s = distance - delta0, distance + delta0
    scores = log_ratio(t, s, width, power, xp)                                       # (m, n)
    kept = ~(detached(scores) < lowest_exponent(distance.dtype, xp))                 # a NaN stays one
    if not isinstance(width, float) and wants_gradient(distance, width):
        # Once more, for those that matter: the derivative of the others in the width may be 0 * infinity.
        scores = log_ratio(xp.where(kept, t, 0.0), xp.where(kept, s, 0.0), width, power, xp)
    return xp.where(kept, scores, -math.inf)


def in_widths(x, width, xp):
    """x / width. Where a derivative is wanted, 1 / sqrt(width) goes in twice: 1 / width^2 could be infinite."""
    if isinstance(width, float) or not wants_gradient(x, width):
        return x / width
    root = 1 / xp.sqrt(width)
    return x * root * root


def root_of_largest(dtype, xp) -> float:
    """A bound below which products of two numbers are finite, and a few of them added."""
    return math.sqrt(float(xp.finfo(dtype).max)) / 4


def log_ratio(t, s, width, power, xp):
    """log K(u) - log K(u0) for K(u) = exp(-u^power / power), from t / width = u - u0 and s / width = u + u0."""
    bound = root_of_largest(t.dtype, xp)                                             # so that no product is infinite
    t, s = (xp.clip(in_widths(x, width, xp), -bound, bound) for x in (t, s))
    return -t if power == 1 else -0.5 * t * s


def factors_on_a_line(q, k, k0, power, xp):
    """|q - k| - |q - k0| and |q - k| + |q - k0|, for power 2 up to a common sign, in a form that keeps k0 - k exact."""
    ahead, ahead0 = q - k, q - k0
    if power == 2:
        return k0 - k, ahead + ahead0
    side = xp.sign(ahead0)
    difference = xp.where(ahead * side > 0, (k0 - k) * side, xp.abs(ahead) - xp.abs(ahead0))     # one side of q, or two
    return difference, xp.abs(ahead) + xp.abs(ahead0)


@quiet
def softmax(scores, xp):
    """softmax over the last axis, and which rows hold no finite score; those rows are NaN."""
    highest = xp.max(scores, axis=-1, keepdims=True)
    empty = highest == -math.inf
    some_empty = holds(xp.any(empty), otherwise=True)
    if some_empty:
        # An empty row is computed as if its scores were 0 and replaced at the end: no 0/0, not even in a gradient.
        scores, highest = xp.where(empty, 0.0, scores), xp.where(empty, 0.0, highest)
    exps = xp.exp(scores - highest)
    weights = exps / xp.sum(exps, axis=-1, keepdims=True)
    return xp.where(empty, math.nan, weights) if some_empty else weights, empty[..., 0]


@quiet
def pool(weights, values, xp):
    """weights (m, n) @ values (n, c) -> (m, c). Rows of NaN stay NaN, but leave the gradient of the values finite."""
    empty = xp.isnan(weights[:, :1])                                                 # (m, 1)
    if not holds(xp.any(empty), otherwise=True):
        return xp.matmul(weights, values)
    return xp.where(empty, math.nan, xp.matmul(xp.where(empty, 0.0, weights), values))


def nearest_weights_at(distance, k, xp):
    """Weights (m, n) of the k nearest keys: 1/k each, where keys tied for the last places share them equally."""
    kth = kth_smallest(distance, k, xp)                                              # (m, 1)
    closer, tied = (xp.astype(which, distance.dtype) for which in (distance < kth, distance == kth))
    places = k - xp.sum(closer, axis=1, keepdims=True)                               # left for the tied ones
    return (closer + tied * places / xp.sum(tied, axis=1, keepdims=True)) / k


def nearest_allowed(inputs, distance):
    """All weight (m, n) on the nearest key that may be attended to; ValueError where a row allows none."""
    xp, allowed = inputs.xp, inputs.allowed()
    if allowed is None:
        return nearest_weights_at(distance, 1, xp)
    if not holds(xp.all(xp.any(allowed, axis=1)), otherwise=True):
        raise ValueError("mask: got a row that hides every key, expected at least one key for each query, as "
                         "empty='nearest' needs one to fall back on")
    return nearest_weights_at(xp.where(allowed, distance, math.inf), 1, xp)


def kth_smallest(distance, k, xp):
    """The k-th smallest number of each row, (m, 1)."""
    if k == 1:
        return xp.min(distance, axis=1, keepdims=True)
    if isinstance(distance, np.ndarray):
        return np.partition(distance, k - 1, axis=1)[:, k - 1:k]
    return xp.sort(distance, axis=1)[:, k - 1:k]
