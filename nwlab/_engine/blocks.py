"""The estimate without the weight matrix: the same numbers as the definition, in bounded memory.

The full matrix of 20,000 queries by 100,000 keys is 16 GB. Nobody who asks only for the estimate needs it at once.
"""
from nwlab._engine.arrays import wants_gradient

WHOLE_BYTES = 1 << 18       # up to here (m, n, d) is one block
BLOCK_BYTES = 4 << 20       # one (rows, n, d) array of a block of the definition


def evaluate(definition, inputs) -> tuple:
    """`definition(inputs)`, a tuple of arrays with a row a query: whole (with gradients, or small) or in blocks."""
    m, n, d = inputs.shape
    if m * n * d * 8 <= WHOLE_BYTES or wants_gradient(inputs.queries, inputs.keys, inputs.values, inputs.width):
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
