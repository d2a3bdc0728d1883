"""The estimate without the weight matrix: the same numbers as the definition, in bounded memory.

The full matrix of 20,000 queries by 100,000 keys is 16 GB. Nobody who asks only for the estimate needs it at once.
`evaluate` picks a method; each holds the definition in `pooling.py` to rounding, and tests keep them together.
"""
import math

import numpy as np

from nwlab._engine.arrays import as_float64, library_of, wants_gradient
from nwlab._engine.weights import bounded, lowest_exponent

WHOLE_BYTES = 1 << 18       # up to here (m, n, d) is one block
BLOCK_BYTES = 4 << 20       # one (rows, n, d) array of a block of the definition
TILE_BYTES = 2 << 20        # one tile of the in-place Gaussian: it should stay in the cache of a core
TILE_SPAN = 8.0             # how far apart the queries of a tile may be, in widths
SMALL_TILE = 1 << 12        # entries up to which a tile costs less than another turn of the loop
NEAR = 100.0                # coordinates in units of h up to which their squares lose no digit that matters


def evaluate(definition, inputs, gaussian=None) -> tuple:
    """`definition(inputs)`, a tuple of arrays with a row for each query, by whichever method suits the inputs.

    gaussian: the Gaussian kernel if the definition is the Nadaraya-Watson average with it, which has a short cut.
    """
    method = _method(inputs, gaussian)
    if method == "whole":
        return definition(inputs)
    if method == "line":
        return _gaussian_line(inputs), np.zeros(inputs.shape[0], dtype=bool)
    if method == "tiles":
        return _gaussian_tiles(inputs, gaussian), inputs.xp.zeros(inputs.shape[0], dtype=inputs.xp.bool)
    parts = [definition(inputs.block(rows)) for rows in row_blocks(inputs)]
    return tuple(inputs.xp.concat(column, axis=0) for column in zip(*parts, strict=True))


def _method(inputs, gaussian) -> str:
    """Which way to go: "whole" (with gradients, or small), "line", "tiles" or "rows". The door for faster methods."""
    m, n, d = inputs.shape
    short_cut = (gaussian is not None and d == 1 and inputs.kind == "number"
                 and inputs.mask is None and inputs.own is None)
    if m * n * d * 8 <= WHOLE_BYTES:
        near = short_cut and isinstance(inputs.keys, np.ndarray) and inputs.keys.dtype == np.float64
        return "line" if near and inputs.width > max(1e-100, 1e-6 * inputs.largest) else "whole"
    if wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
        return "whole"
    on_cpu = library_of(inputs.keys) in ("numpy", "torch") and str(inputs.keys.device) == "cpu"
    return "tiles" if short_cut and on_cpu and inputs.xp.finfo(inputs.keys.dtype).bits <= 64 else "rows"


def row_blocks(inputs) -> list[slice]:
    """Slices of the queries, so that (rows, n, d) stays within BLOCK_BYTES; all of them where a gradient is wanted."""
    m, n, d = inputs.shape
    if wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
        return [slice(0, m)]
    rows = max(1, BLOCK_BYTES // (8 * n * d))
    return [slice(start, min(start + rows, m)) for start in range(0, max(m, 1), rows)]


def _gaussian_line(inputs):
    """Nadaraya-Watson with a Gaussian on the line, (m, c), in one piece: for few points that are not too many widths
    from the origin, in as few steps as the formula has. NumPy only.
    """
    q, k = inputs.queries, inputs.keys.T                                             # (m, 1), (1, n)
    ahead = q - k                                                                    # (m, n)
    nearest = k[0, np.abs(ahead).argmin(axis=1)][:, None]                            # (m, 1): k0
    scores = (nearest - k) * (ahead + (q - nearest))                                 # (q - k)^2 - (q - k0)^2
    scores *= -0.5 / inputs.width**2
    weights = np.exp(scores, out=scores)
    return (weights @ inputs.values) / weights.sum(axis=1, keepdims=True)            # (m, n) @ (n, c) -> (m, c)


def _gaussian_tiles(inputs, gaussian):
    """Nadaraya-Watson with a Gaussian on the line, (m, c): sorted, shifted, and worked in place a tile at a time.

    After sorting, neighbouring queries have their keys side by side. Keys that would change the answer by less than
    half a unit in the last place are not visited: their weights all together, times the largest |value|, stay below
    that part of the smallest |value|. Values of exactly zero do not count as smallest.
    """
    keys, queries, values = (as_float64(x) for x in (inputs.keys, inputs.queries, inputs.values))
    h = float(as_float64(inputs.width))
    order, q_order = np.argsort(keys[:, 0]), np.argsort(queries[:, 0])
    k, v, q = keys[order, 0], values[order], queries[q_order, 0]                     # (n,), (n, c), (m,)
    m, n = len(q), len(k)
    right = np.clip(np.searchsorted(k, q), min(1, n - 1), n - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(q - k[left] <= k[right] - q, k[left], k[right])               # (m,)

    negligible = math.log(2 * n / np.finfo(np.float64).eps) + _log_range(v)
    negligible = min(negligible, -lowest_exponent(64))                               # exp of less is 0 all the same
    with np.errstate(over="ignore"):
        reach = np.hypot(q - nearest, h * math.sqrt(2 * negligible))                 # (m,)
        first, last = np.searchsorted(k, q - reach), np.searchsorted(k, q + reach, side="right")

    answer, room = np.empty((m, v.shape[1])), max(TILE_BYTES // 8, n)
    tile, ones, start = np.empty(room), np.ones(n), 0
    while start < m:
        stop = _tile_end(start, q, first, last, room, TILE_SPAN * h)
        reached = slice(first[start], last[stop - 1])
        weights = _tile_of_weights(q[start:stop], k[reached], nearest[start:stop], h, gaussian, tile)
        answer[start:stop] = (weights @ v[reached]) / (weights @ ones[reached])[:, None]     # quicker than a sum
        start = stop
    result = np.empty_like(answer)
    result[q_order] = answer
    return inputs.xp.asarray(result, dtype=inputs.keys.dtype)


def _log_range(values) -> float:
    """How many times larger the largest |value| of a column is than its smallest but zero, as a logarithm."""
    size = np.abs(values)                                                            # (n, c)
    smallest = np.min(np.where(size > 0, size, math.inf), axis=0)                    # (c,)
    ranges = np.log(np.maximum(np.max(size, axis=0), np.finfo(float).tiny)) - np.log(smallest)
    return float(np.max(np.maximum(ranges, 0.0), initial=0.0))


def _tile_of_weights(q, k, nearest, h: float, gaussian, tile):
    """exp of the scores relative to the nearest key, (queries, keys), not normalised; made in `tile` where possible.

    With k0 the key nearest to q, the score is 0 at k0 and negative elsewhere:

        [ (q - k0)^2 - (q - k)^2 ] / (2 h^2)  =  2q k - k^2 + k0 (k0 - 2q)      with q, k and k0 in units of h sqrt(2)

    which is one matrix product of three columns with three rows. Measured from the middle of the tile, these numbers
    are usually small and lose no digits; where they are not, differences are taken as the definition takes them.
    """
    unit, middle = h * math.sqrt(2), k[len(k) // 2]
    farthest = max(k[-1] - middle, middle - k[0], q[-1] - middle, middle - q[0])
    if not (1e-150 < h and farthest < NEAR * h):
        with np.errstate(over="ignore", under="ignore"):
            q, k, nearest = q[:, None], k[None, :], nearest[:, None]
            scores = gaussian.log_ratio(bounded(nearest - k, h, np), bounded((q - k) + (q - nearest), h, np))
            return np.exp(np.where(scores < lowest_exponent(64), -math.inf, scores))
    q, k, nearest = ((x - middle) / unit for x in (q, k, nearest))
    columns = np.stack([2 * q, np.full_like(q, -1.0), nearest * (nearest - 2 * q)], axis=1)      # (queries, 3)
    rows = np.stack([k, k * k, np.ones_like(k)])                                                 # (3, keys)
    weights = tile[:len(q) * len(k)].reshape(len(q), len(k))
    np.matmul(columns, rows, out=weights)
    if min(weights[0, 0], weights[0, -1], weights[-1, 0], weights[-1, -1]) < lowest_exponent(64):    # at the corners
        np.copyto(weights, -math.inf, where=weights < lowest_exponent(64))           # so that exp meets no subnormals
    return np.exp(weights, out=weights)


def _tile_end(start: int, q, first, last, room: int, span: float) -> int:
    """The largest `stop` for which queries start..stop lie within `span` and fit into a tile with all keys they reach.

    Queries further apart share a tile as long as it stays small.
    """
    def size(stop):
        return (stop - start) * (last[stop - 1] - first[start])

    stop = min(int(np.searchsorted(q, q[start] + span, side="right")), start + max(1, room // size(start + 1)))
    while stop - start > 1 and size(stop) > room:
        stop = start + (stop - start + 1) // 2
    while stop < len(q) and size(wider := min(2 * stop - start, len(q))) <= min(SMALL_TILE, room):
        stop = wider
    return stop
