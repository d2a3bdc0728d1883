"""What running a student's function asks of torch: inputs as tensors, gradients, marks, and why torch refused."""
import numpy as np

from workbook.checks.values import Value, describe


def tensors(inputs: dict) -> dict:
    """The same inputs, arrays as tensors."""
    import torch

    return {name: torch.from_numpy(x) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def refusal(kind: str, message: str, names: tuple[str, ...] = ()) -> str:
    """Which of torch's refusals it is, or "". names: what the code that raised reads; a `.grad`, if one is missing."""
    if "is ambiguous" in message:                                   # NumPy says so too
        return "truth of a table"
    if "integer scalar" in message and {"max", "min"} & set(names):
        return "two for an axis"
    if "NoneType" in message and "grad" in names:
        return "no gradient"
    if kind != "RuntimeError":
        return ""
    known = {"does not require grad": "cut", "numpy() on Tensor that requires grad": "asked numpy",
             "backward through the graph a second time": "second backward",
             "modified by an inplace operation": "second backward", "leaf Variable that requires grad": "in place"}
    return next((cause for words, cause in known.items() if words in message), "")


def gradient(answer, start) -> Value | None:
    """d (Σ answer_k cos k) / d start, or None. The cosines weigh the entries, so that errors of two do not cancel.

    A tuple has to lead back with each of its parts.
    """
    import torch

    total = weighed(answer)
    if total is None or not total.requires_grad or not all(
            part.requires_grad for part in (answer if isinstance(answer, (tuple, list)) else (answer,))):
        return None
    try:
        slope, = torch.autograd.grad(total, start, allow_unused=True)
    except RuntimeError:                                            # the student's code went back already
        return None
    return None if slope is None else describe(slope)


def marked(inputs: dict) -> tuple[str, ...]:
    """The names of inputs that require a gradient, or hold one."""
    return tuple(name for name, x in inputs.items()
                 if getattr(x, "requires_grad", False) or getattr(x, "grad", None) is not None)


def weighed(answer):
    """Σ answer_k cos k, of the entries of a tensor, or of all of a tuple's; None for anything else."""
    import torch

    parts = answer if isinstance(answer, (tuple, list)) and answer else [answer]
    if not all(isinstance(part, torch.Tensor) for part in parts):
        return None
    entries = torch.cat([part.reshape(-1) for part in parts])
    return (entries * torch.cos(torch.arange(entries.numel(), dtype=entries.dtype))).sum()


def directions(size: int) -> np.ndarray:
    """(3, size): where `tried` goes."""
    return np.random.default_rng(0).normal(size=(3, size))


def tried(function, start) -> Value | None:
    """(3, 2): how steep Σ answer_k cos k is, behind and ahead of start, along `directions`. None if it cannot be said.

    With no oracle the student's own numbers say what the gradient should be. At a kink the two sides differ.
    """
    import torch

    if start.dtype != torch.float64:
        return None
    found = []
    try:
        with torch.no_grad():
            at = weighed(function(start.detach().clone()))
            size = 1e-6 if at.dtype == torch.float64 else 1e-3      # a tiny step is lost among the digits of float32
            for direction in directions(start.numel()):
                step = size * torch.from_numpy(direction).reshape(start.shape)
                ends = [weighed(function(start.detach() + sign * step)) for sign in (-1, 1)]
                found.append([(at - ends[0]).item() / size, (ends[1] - at).item() / size])
    except Exception:                                               # it may need a gradient itself
        return None
    return describe(np.array(found))
