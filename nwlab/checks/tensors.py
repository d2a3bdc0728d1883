"""What running a student's function asks of torch: inputs as tensors, gradients, marks, and why torch refused."""
import numpy as np

from nwlab.checks.values import Value, describe


def tensors(inputs: dict) -> dict:
    """The same inputs, arrays as tensors."""
    import torch

    return {name: torch.from_numpy(x) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def refusal(kind: str, message: str, names: tuple[str, ...] = ()) -> str:
    """Which of torch's refusals it is, or "". names: what the code that raised reads; a `.grad`, if one is missing."""
    if "is ambiguous" in message:                                   # NumPy says so too
        return "truth of a table"
    if "NoneType" in message and "grad" in names:
        return "no gradient"
    if kind != "RuntimeError":
        return ""
    known = {"does not require grad": "cut", "numpy() on Tensor that requires grad": "asked numpy",
             "backward through the graph a second time": "second backward",
             "modified by an inplace operation": "second backward", "leaf Variable that requires grad": "in place"}
    return next((cause for words, cause in known.items() if words in message), "")


def gradient(answer, start) -> Value | None:
    """d (Σ answer_k cos k) / d start, or None. The cosines weigh the entries, so that errors of two do not cancel."""
    import torch

    if not isinstance(answer, torch.Tensor) or not answer.requires_grad:
        return None
    total = (answer.reshape(-1) * torch.cos(torch.arange(answer.numel(), dtype=answer.dtype))).sum()
    try:
        slope, = torch.autograd.grad(total, start, allow_unused=True)
    except RuntimeError:                                            # the student's code went back already
        return None
    return None if slope is None else describe(slope)


def marked(inputs: dict) -> tuple[str, ...]:
    """The names of inputs that require a gradient, or hold one."""
    return tuple(name for name, x in inputs.items()
                 if getattr(x, "requires_grad", False) or getattr(x, "grad", None) is not None)
