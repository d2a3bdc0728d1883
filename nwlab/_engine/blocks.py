"""A function of the inputs, evaluated for a block of queries at a time: the same numbers, in bounded memory.

The full matrix of 20,000 queries by 100,000 keys is 16 GB. Nobody who asks only for the estimate needs it at once.
"""
from nwlab._engine.arrays import wants_gradient

BLOCK_BYTES = 1 << 19       # one (rows, n, d) array of a block: several should stay in the cache


def evaluate(function, inputs) -> tuple:
    """`function(inputs)`, a tuple of arrays with a row for each query: in blocks, or whole if gradients are wanted."""
    m, n, d = inputs.shape
    rows = max(1, BLOCK_BYTES // (8 * n * d))
    if rows >= m or wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
        return function(inputs)
    parts = [function(inputs.block(slice(start, start + rows))) for start in range(0, m, rows)]
    return tuple(inputs.xp.concat(column, axis=0) for column in zip(*parts, strict=True))
