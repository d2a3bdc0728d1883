"""The estimate without the weight matrix: the same numbers as the definition, in bounded memory.

The full matrix of 20,000 queries by 100,000 keys is 16 GB. Nobody who asks only for the estimate needs it at once.
"""
import numpy as np

from nwlab._engine.arrays import wants_gradient

WHOLE_BYTES = 1 << 18       # up to here (m, n, d) is one block
BLOCK_BYTES = 1 << 19       # one (rows, n, d) array of a block of the definition: several should stay in the cache


def evaluate(definition, inputs, gaussian=False) -> tuple:
    """`definition(inputs)`, a tuple of arrays with a row a query: whole (with gradients, or small) or in blocks.

    gaussian: whether the definition is the Nadaraya-Watson average with a Gaussian, which few points have quicker.
    """
    m, n, d = inputs.shape
    if m * n * d * 8 <= WHOLE_BYTES:
        near = (gaussian and d == 1 and inputs.kind == "number" and inputs.mask is None and inputs.own is None
                and isinstance(inputs.keys, np.ndarray) and inputs.keys.dtype == np.float64
                and inputs.width > max(1e-100, 1e-6 * inputs.largest))
        return (_gaussian_line(inputs), np.zeros(m, dtype=bool)) if near else definition(inputs)
    if wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
        return definition(inputs)
    parts = [definition(inputs.block(rows)) for rows in row_blocks(inputs)]
    return tuple(inputs.xp.concat(column, axis=0) for column in zip(*parts, strict=True))


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
