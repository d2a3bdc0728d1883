"""The steps from checked inputs to weights; `nwlab.pooling.weights_of` takes them in this order.

    distances(inputs)                        |q - k| of every pair (m, n), and the width that divides them
    scores_at(distance, width, kernel, ...)  log K(|q - k| / width), up to a constant in each row (m, n)
    softmax(scores)                          the weights (m, n), and which queries reached no key (m,)
    pool(weights, values)                    the weighted averages (m, c)

A Gaussian of a far query or a tiny width is 0/0 when it is computed as it is written. Here every row is first shifted
by its nearest key, in a form that squares nothing which could overflow. Shapes: m queries, n keys, d features.
"""
import math

import numpy as np


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
            distance = longest[..., 0] * xp.linalg.vector_norm(gaps / longest, axis=-1)
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
        return distance / width


def scores_at(distance, width, kernel, allowed, xp):
    """log K(distance / width) up to a constant in each row: (m, n), minus infinity where not allowed or K is 0."""
    with np.errstate(over="ignore", under="ignore"):
        if kernel.log_ratio is None:
            scores = kernel.log_profile(distance / width, xp)
        else:
            scores = relative_scores(distance, width, kernel, allowed, xp)
        return scores if allowed is None else xp.where(allowed, scores, -math.inf)


def relative_scores(distance, width, kernel, mask, xp):
    """log K relative to the nearest allowed key's, for kernels that never reach zero: the largest score is 0.

    Softmax does not change when a row is shifted. Shifting before anything is squared or exponentiated, by the factors
    t = (delta - delta0) / h and s = (delta + delta0) / h, keeps far queries and tiny widths exact: -t s / 2 for the
    Gaussian. Scores so low that exp would be subnormal are set to minus infinity (such exps are fifty times slower).
    """
    limits = xp.finfo(distance.dtype)
    largest = xp.asarray(float(limits.max), dtype=distance.dtype, device=distance.device)
    if mask is None:
        nearest = xp.min(distance, axis=1, keepdims=True)                            # (m, 1)
        gap = distance - nearest                                                     # (m, n)
    else:
        nearest = xp.min(xp.where(mask, distance, math.inf), axis=1, keepdims=True)
        nearest = xp.where(xp.isfinite(nearest), nearest, 0.0)                       # rows that are masked whole
        gap = xp.where(mask, distance - nearest, 0.0)
    t = gap / width
    s = xp.minimum((distance + nearest) / width, largest)                            # t is 0 at the nearest key, and
    scores = kernel.log_ratio(t, s)                                                  # 0 * infinity would be a NaN
    return xp.where(scores < lowest_exponent(limits.bits), -math.inf, scores)


def lowest_exponent(bits: int) -> float:
    """exp of less is subnormal, or nearly: -700 for float64, -80 for float32."""
    return -700.0 if bits >= 64 else -80.0


def softmax(scores, xp):
    """softmax over the last axis, and which rows hold no finite score; those rows are NaN."""
    highest = xp.max(scores, axis=-1, keepdims=True)
    empty = highest == -math.inf
    some_empty = bool(xp.any(empty))
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
    if not bool(xp.any(empty)):
        return xp.matmul(weights, values)
    return xp.where(empty, math.nan, xp.matmul(xp.where(empty, 0.0, weights), values))


def nearest_weights_at(distance, k, xp):
    """Weights (m, n) of the k nearest keys: 1/k each, where keys tied for the last places share them equally."""
    kth = kth_smallest(distance, k, xp)                                              # (m, 1)
    closer, tied = (xp.astype(which, distance.dtype) for which in (distance < kth, distance == kth))
    places = k - xp.sum(closer, axis=1, keepdims=True)                               # left for the tied ones
    return (closer + tied * places / xp.sum(tied, axis=1, keepdims=True)) / k


def kth_smallest(distance, k, xp):
    """The k-th smallest number of each row, (m, 1)."""
    if k == 1:
        return xp.min(distance, axis=1, keepdims=True)
    if isinstance(distance, np.ndarray):
        return np.partition(distance, k - 1, axis=1)[:, k - 1:k]
    return xp.sort(distance, axis=1)[:, k - 1:k]
