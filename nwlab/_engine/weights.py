"""The steps from checked inputs to weights; `nwlab.pooling.weights_of` takes them in this order.

    distances(inputs)                        |q - k| of every pair (m, n), and the width that divides them
    scores_at(inputs, distance, width, ...)  log K(|q - k| / width), up to a constant in each row (m, n)
    softmax(scores)                          the weights (m, n), and which queries reached no key (m,)
    pool(weights, values)                    the weighted averages (m, c)

A Gaussian of a far query or a tiny width is 0/0 when it is computed as it is written. Here every row is first shifted
by its nearest key, in a form that squares nothing which could overflow. Shapes: m queries, n keys, d features.
"""
import math

import numpy as np

from nwlab._engine.arrays import detached, truth, wants_gradient


def distances(inputs):
    """Distances (m, n) and the width that divides them: u = distance / width.

    One width for all, or one a query, divides as it is. Widths that differ by key or feature are split into the
    smallest, which divides at the end, and ratios of at most one, which go into the distances: so a tiny width never
    makes u overflow before two distances have been compared.
    """
    xp, q, k, smallest = inputs.xp, inputs.queries, inputs.keys, inputs.width
    if inputs.kind in ("feature", "key"):
        smallest = xp.min(inputs.width)
    with np.errstate(over="ignore", under="ignore"):
        if k.shape[1] == 1:
            distance = xp.abs(q - xp.matrix_transpose(k))                            # (m, 1) - (1, n) -> (m, n)
        elif isinstance(q, np.ndarray):
            ratios = (smallest / inputs.width)[0] if inputs.kind == "feature" else [1] * k.shape[1]
            distance = distance_between(lambda j: np.subtract.outer(q[:, j], k[:, j]) * ratios[j], k.shape[1])
        else:
            gaps = q[:, None, :] - k[None, :, :]                                     # (m, n, d)
            if inputs.kind == "feature":
                gaps = gaps * (smallest / inputs.width)
            longest = xp.max(xp.abs(gaps), axis=-1, keepdims=True)                   # so that no square overflows
            longest = xp.where(longest > 0, longest, 1.0)
            squares = xp.sum((gaps / longest) ** 2, axis=-1)                         # 0, or from 1 to d
            # The root of 0 has no derivative: it is taken of 1 there, and not used.
            distance = longest[..., 0] * xp.where(squares == 0, 0.0, xp.sqrt(xp.where(squares == 0, 1.0, squares)))
        if inputs.kind == "key":
            distance = distance * (smallest / inputs.width)
    return distance, smallest


def distance_between(gap, d: int):
    """The length of vectors whose feature j is gap(j), NumPy arrays of one shape: never are all d of them kept.

    Where squares overflow or vanish they are taken again, of gaps divided by the longest.
    """
    if d == 1:
        return np.abs(gap(0))
    squares = sum(gap(j) ** 2 for j in range(d))
    limits = np.finfo(squares.dtype)
    odd = ~((squares > limits.smallest_normal / limits.eps) & (squares < math.inf))
    distance = np.sqrt(squares)
    if np.any(odd):
        gaps = np.stack([np.abs(gap(j)[odd]) for j in range(d)])
        longest = np.max(gaps, axis=0)
        distance[odd] = longest * np.linalg.norm(gaps / np.where(longest > 0, longest, 1), axis=0)
    return distance


def scaled_distances(inputs):
    """u = |q - k| / h for every pair: (m, n), infinite where that is too large a number."""
    distance, width = distances(inputs)
    with np.errstate(over="ignore", under="ignore"):
        return in_widths(distance, width, inputs.xp)


def in_widths(x, width, xp):
    """x / width. Where a derivative is asked for, 1 / sqrt(width) goes in twice: 1 / width^2 could be infinite."""
    if isinstance(width, float) or not wants_gradient(x, width):
        return x / width
    root = 1 / xp.sqrt(width)
    return x * root * root


def scores_at(inputs, distance, width, kernel, allowed):
    """log K(distance / width) up to a constant in each row: (m, n), minus infinity where not allowed or K is 0."""
    xp = inputs.xp
    with np.errstate(over="ignore", under="ignore"):
        if kernel.log_ratio is None:
            scores = kernel.log_profile(in_widths(distance, width, xp), xp)
        else:
            scores = relative_scores(distance, width, kernel, allowed, xp, inputs)
        return scores if allowed is None else xp.where(allowed, scores, -math.inf)


def relative_scores(distance, width, kernel, mask, xp, inputs=None):
    """log K relative to the nearest allowed key's, for kernels that never reach zero: the largest score is about 0.

    Softmax does not change when a row is shifted. Shifting before anything is squared or exponentiated, by the factors
    t = (delta - delta0) / h and s = (delta + delta0) / h, keeps far queries and tiny widths exact: -t s / 2 for the
    Gaussian. Scores so low that exp would be subnormal are set to minus infinity (such exps are fifty times slower).

    inputs: the points, if the distances are theirs. A Gaussian adds up over features and t s = (k0 - k) (2q - k - k0),
    which loses no digit of k0 - k however far q is, and has all derivatives where q = k.
    """
    lowest = lowest_exponent(xp.finfo(distance.dtype).bits)
    learns = inputs is not None and wants_gradient(distance, width)
    nearest = xp.argmin(distance if mask is None else xp.where(mask, distance, math.inf), axis=1)    # (m,)
    on_a_line = inputs is not None and inputs.shape[2] == 1 and inputs.kind != "key"
    adds_up = inputs is not None and kernel.adds_up

    def scores_of(by_feature, kept=None):
        pairs = (_by_feature(inputs, nearest, xp) if by_feature else
                 [_by_distance(distance, nearest, inputs if on_a_line else None, xp)])
        total = 0.0
        for t, s in pairs:
            if kept is not None:
                t, s = xp.where(kept, t, 0.0), xp.where(kept, s, 0.0)
            total = total + kernel.log_ratio(bounded(t, width, xp), bounded(s, width, xp), xp)
        return total                                                                 # (m, n)

    scores = scores_of(by_feature=adds_up and on_a_line)
    if mask is not None:
        scores = xp.where(mask, scores, -math.inf)
    kept = ~(detached(scores) < lowest)                                              # a NaN stays one
    if learns:                         # once more, for those that matter: a derivative of others may be 0 * infinity
        scores = scores_of(adds_up, kept)
    return xp.where(kept, scores, -math.inf)


def _by_distance(distance, nearest, line, xp):
    """delta - delta0 and delta + delta0, each (m, n); line: the points, if there is one feature."""
    delta0 = xp.take_along_axis(distance, nearest[:, None], axis=1)                  # (m, 1)
    difference = distance - delta0
    if line is not None:
        q, k, k0 = line.queries, xp.matrix_transpose(line.keys), xp.take(line.keys, nearest, axis=0)
        side = xp.sign(q - k0)
        difference = xp.where((q - k) * side > 0, (k0 - k) * side, difference)       # both keys on one side of q
    return difference, distance + delta0


def _by_feature(inputs, nearest, xp):
    """Factors t and s of each feature, each (m, n), whose products add up to delta^2 - delta0^2."""
    k0, smallest = xp.take(inputs.keys, nearest, axis=0), xp.min(inputs.width)       # (m, d)
    for j in range(inputs.shape[2]):
        q, k, near = inputs.queries[:, j:j + 1], inputs.keys[:, j][None, :], k0[:, j:j + 1]
        t, s = near - k, (q - k) + (q - near)                                        # (m, n)
        if inputs.kind == "feature":
            ratio = smallest / inputs.width[0, j]
            t, s = t * ratio, s * ratio
        if inputs.kind == "key":
            ratio = smallest / inputs.width                                          # (1, n)
            ratio0 = xp.take(ratio[0, :], nearest)[:, None]                          # (m, 1)
            t = t * ratio + (q - near) * (ratio - ratio0)
            s = (q - k) * ratio + (q - near) * ratio0
        yield t, s


def bounded(x, width, xp):
    """x / width, so that a product of two such numbers is finite."""
    bound = math.sqrt(float(xp.finfo(x.dtype).max)) / 4
    return xp.clip(in_widths(x, width, xp), -bound, bound)


def lowest_exponent(bits: int) -> float:
    """exp of less is subnormal, or nearly: -700 for float64, -80 for float32."""
    return -700.0 if bits >= 64 else -80.0


def softmax(scores, xp):
    """softmax over the last axis, and which rows hold no finite score; those rows are NaN."""
    highest = xp.max(scores, axis=-1, keepdims=True)
    empty = highest == -math.inf
    some_empty = truth(xp.any(empty), True)
    if some_empty:
        # An empty row is computed as if its scores were 0 and replaced at the end: no 0/0, not even in a gradient.
        scores, highest = xp.where(empty, 0.0, scores), xp.where(empty, 0.0, highest)
    with np.errstate(over="ignore", under="ignore"):
        exps = xp.exp(scores - highest)
        weights = exps / xp.sum(exps, axis=-1, keepdims=True)
    return xp.where(empty, math.nan, weights) if some_empty else weights, empty[..., 0]


def pool(weights, values, xp):
    """weights (m, n) @ values (n, c) -> (m, c). Rows of NaN stay NaN, but leave the gradient of the values finite."""
    empty = xp.isnan(weights[:, :1])                                                 # (m, 1)
    if not truth(xp.any(empty), True):
        return xp.matmul(weights, values)
    return xp.where(empty, math.nan, xp.matmul(xp.where(empty, 0.0, weights), values))


def nearest_weights_at(distance, k, xp):
    """Weights (m, n) of the k nearest keys: 1/k each, where keys tied for the last places share them equally."""
    kth = kth_smallest(distance, k, xp)                                              # (m, 1)
    closer, tied = (xp.astype(which, distance.dtype) for which in (distance < kth, distance == kth))
    places = k - xp.sum(closer, axis=1, keepdims=True)                               # left for the tied ones
    return (closer + tied * places / xp.sum(tied, axis=1, keepdims=True)) / k


def nearest_allowed(distance, allowed, xp):
    """All weight (m, n) on the nearest key that may be attended to; ValueError where a row allows none."""
    if allowed is None:
        return nearest_weights_at(distance, 1, xp)
    if not truth(xp.all(xp.any(allowed, axis=1)), True):
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
