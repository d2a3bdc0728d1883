"""What running a student's function asks of torch: inputs as tensors, marks, and gradients with what they should be."""
import numpy as np

from workbook.checks.values import Value, describe


def tensors(inputs: dict) -> dict:
    """The same inputs, arrays as tensors."""
    import torch

    return {name: torch.from_numpy(x) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def marked(inputs: dict) -> tuple[str, ...]:
    """The names of inputs that require a gradient, or hold one."""
    return tuple(name for name, x in inputs.items()
                 if getattr(x, "requires_grad", False) or getattr(x, "grad", None) is not None)


def gradient(answer, start) -> Value | None:
    """d (Σ answer_k cos k) / d start, or None. The cosines weigh the entries, so that errors of two do not cancel.

    A tuple has to lead back with each of its parts.
    """
    import torch

    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    if not parts or not all(isinstance(part, torch.Tensor) and part.requires_grad for part in parts):
        return None
    try:
        slope, = torch.autograd.grad(_weighed(answer), start, allow_unused=True)
    except RuntimeError:                                            # the student's code went back already
        return None
    return None if slope is None else describe(slope)


def _weighed(answer):
    """Σ answer_k cos k, of the entries of a tensor, or of all of a tuple's."""
    import torch

    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    entries = torch.cat([part.reshape(-1) for part in parts])
    return (entries * torch.cos(torch.arange(entries.numel(), dtype=entries.dtype))).sum()


def directions(size: int) -> np.ndarray:
    """(3, size): where `tried` goes."""
    return np.random.default_rng(0).normal(size=(3, size))


def tried(function, start) -> Value | None:
    """What the gradient should be, by tiny steps of the function itself; None if that cannot be measured.

    (3, 3): along each of `directions` the slope of Σ answer_k cos k behind start, ahead of it (at a kink they differ),
    and by how much a gradient may differ from that.
    """
    import torch

    if start.dtype != torch.float64:
        return None
    unit = float(start.abs()) if start.ndim == 0 and start != 0 else 1.0
    found = []
    try:
        with torch.no_grad():
            at = _weighed(function(start.detach().clone()))
            exact = at.dtype == torch.float64
            size, relative = (1e-6 * unit, 1e-4) if exact else (1e-3 * unit, 2e-2)     # float32 has few digits
            for direction in directions(start.numel()):
                step = size * torch.from_numpy(direction).reshape(start.shape)
                ends = [_weighed(function(start.detach() + sign * step)) for sign in (-1, 1)]
                found.append([(at - ends[0]).item() / size, (ends[1] - at).item() / size])
            rounding = relative * 1e-2 * at.abs().item() / unit
    except Exception:                                               # it may need a gradient itself
        return None
    steep = np.array(found)
    return describe(np.column_stack([steep, np.full(3, relative * np.abs(steep).max() + rounding)]))
