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
        plain = gaussian and inputs.mask is None and inputs.own is None and inputs.kind == "number"
        if plain and is_near(inputs, inputs.width):
            return gaussian_of(squares(inputs), inputs.width, inputs.values)
        return definition(inputs)
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


def is_near(inputs, width) -> bool:
    """Whether a Gaussian of this width is computed as it is written: few points on a line, in NumPy's float64, that are
    not so many widths from the origin that digits are lost, nor so large that a square overflows."""
    m, n, d = inputs.shape
    return (d == 1 and m * n * 8 <= WHOLE_BYTES and isinstance(inputs.keys, np.ndarray)
            and inputs.keys.dtype == np.float64 and max(1e-100, 1e-6 * inputs.largest) < width < 1e100)


def squares(inputs, allowed=None):
    """|q - k|^2 - |q - k0|^2, where k0 is the nearest allowed key: (m, n), infinite where not allowed; on a line."""
    q, k = inputs.queries, inputs.keys.T                                             # (m, 1), (1, n)
    ahead = q - k                                                                    # (m, n)
    distance = np.abs(ahead) if allowed is None else np.where(allowed, np.abs(ahead), np.inf)
    nearest = k[0, distance.argmin(axis=1)][:, None]                                 # (m, 1): k0
    found = (nearest - k) * (ahead + (q - nearest))
    return found if allowed is None else np.where(allowed, found, np.inf)


def gaussians(inputs, allowed, widths):
    """Yields which width (an index) and the `gaussian_of` it, for all that are near; the squares are made once."""
    near = [i for i, width in enumerate(widths) if is_near(inputs, width)]
    found = squares(inputs, allowed) if near else None
    yield from ((i, gaussian_of(found, widths[i], inputs.values)) for i in near)


def gaussian_of(squares, width, values) -> tuple:
    """Nadaraya-Watson with a Gaussian, (m, c), in as few steps as the formula has; and that it reaches a key, (m,)."""
    weights = np.exp(squares * (-0.5 / width**2))
    return (weights @ values) / weights.sum(axis=1, keepdims=True), np.zeros(len(weights), dtype=bool)
