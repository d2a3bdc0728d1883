"""What running a student's function asks of torch: inputs as tensors, marks, and the gradient of the answer."""
import numpy as np

from workbook.checks.values import Value, describe


def tensors(inputs: dict) -> dict:
    """The same inputs, arrays as tensors."""
    import torch

    return {name: torch.from_numpy(x) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def marked(x) -> bool:
    """Whether it requires a gradient, or holds one."""
    return getattr(x, "requires_grad", False) or getattr(x, "grad", None) is not None


def gradient(answer, start) -> Value | None:
    """d (Σ answer_k cos k) / d start, or None. The cosines weight the entries, so that errors of two do not cancel.

    A tuple has to lead back with each of its parts.
    """
    import torch

    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    if not parts or not all(isinstance(part, torch.Tensor) and part.requires_grad for part in parts):
        return None
    entries = torch.cat([part.reshape(-1) for part in parts])
    total = (entries * torch.cos(torch.arange(entries.numel(), dtype=entries.dtype))).sum()
    try:
        slope, = torch.autograd.grad(total, start, allow_unused=True)
    except RuntimeError:                                            # the student's code went back already
        return None
    return None if slope is None else describe(slope)
