"""What the problems and oracles of several exercises are made with."""
import numpy as np


def single(inputs: dict) -> dict:
    """The arrays in float32."""
    return {name: x.astype(np.float32) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def softmax(table, axis=-1):
    """Of each row, or along another axis, or (None) over the whole table: written out, as the oracles trust nobody."""
    powers = np.exp(table - table.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
