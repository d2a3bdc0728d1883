"""What torch alone can say of an answer: whether a gradient leads back from it, and why torch refused to go on."""

import numpy as np

from nwlab.checks import values
from nwlab.checks.cases import Case, Finding, as_float64, smallest
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
            for direction in directions(start.numel()):
                step = 1e-6 * torch.from_numpy(direction).reshape(start.shape)
                ends = [weighed(function(start.detach() + sign * step)) for sign in (-1, 1)]
                found.append([(at - ends[0]).item() / 1e-6, (ends[1] - at).item() / 1e-6])
    except Exception:                                               # it may need a gradient itself
        return None
    return describe(np.array(found))


REFUSALS = {
    "cut": (
        "something cut the way back to {name}: backward() finds nothing that requires a gradient",
        "on the way from {name} to the loss every step has to be made by torch, on the tensor itself. .item(), "
        "float(...), .detach(), torch.tensor(...) and functions of math make a plain number, which forgets where it "
        "came from. And {name} must be marked with requires_grad before anything is computed from it"),
    "no gradient": (
        "the grad is None: backward leaves grad only at the tensor marked requires_grad",
        "at what is made from that tensor it leaves nothing, and without a call of backward() there is none at all. "
        "Mark {name}, compute from there, call backward(), and read the grad of {name}"),
    "asked numpy": (
        "a function of NumPy met a tensor that requires a gradient", "torch's message proposes detach(), but that "
        "would cut the way back: take the function of the same name from torch"),
    "second backward": (
        "the loss must be computed anew in each step", "each step changes the parameters, and an old loss knows "
        "nothing of that. Compute it inside the loop. (retain_graph, which torch's message proposes, would only repeat "
        "the first slope.)"),
    "in place": ("a tensor that requires a gradient is changed in place",
                 "write `{name} = {name} - ...`, which makes a new tensor, and not `{name} -= ...`"),
    "truth of a table": (
        "a whole {optional} met `if`", "`if {optional}:` asks a table for one truth. Whether there is a {optional} at "
        "all is asked with `if {optional} is not None:`"),
}


def refused(item, cases):
    """An exception with a well-known cause. A table met by `if` where nothing is optional is left to `forms.raised`."""
    optional = next((name for name in item.arguments if any(case.problem.inputs[name] is None for case in cases)), "")
    for case in sorted(cases, key=lambda case: case.size):
        cause, inputs = case.error.get("cause"), case.problem.inputs.items()
        if cause and (optional or cause != "truth of a table"):
            numbers = (name for name, x in inputs if isinstance(x, np.ndarray) and (x.dtype.kind, x.ndim) == ("f", 0))
            name = item.slope or next(numbers, "the parameters")     # one number is a tensor only to be learned
            mistake, look = (text.format(name=name, optional=optional) for text in REFUSALS[cause])
            return Finding(mistake, look, case)


def marks_an_input(item, cases):
    """An input of the caller that is marked after the call, where the caller had not marked it."""
    for case in cases:
        if case.answer.marked:
            name = case.answer.marked[0]
            return Finding(f"it marks the {name} of the caller", "requires_grad_() on the argument itself stays after "
                           "the call, and so does the slope in its .grad. The next backward adds to that: a second "
                           f"call with the same {name} gives twice the slope. Mark a copy without a record, "
                           f"{name}.detach().clone()", case,
                           came=f"after the call {name}.requires_grad is True, or a slope is left in {name}.grad",
                           expected=f"{name} as it was before the call")


def cut(item, cases):
    """No way back from what came to the argument by which a gradient will be asked."""
    lost = [case for case in cases if item.slope and not case.error and case.answer.slope is None]
    if not lost:
        return None
    right, shown = all(case.good for case in cases), smallest(lost)
    came = f"a tensor came, but its record does not lead back to {item.slope}"
    if shown.came.kind != "torch":
        came = "a plain number came, and that keeps no record of what it was computed from"
    return Finding(f"the way back to {item.slope} is cut", f"{'the numbers are right, but ' if right else ''}a "
                   f"gradient has to go from them back to {item.slope}. Use {item.slope} as it came, a tensor, from "
                   "the first line to the last: .item(), float(), .detach(), .data, NumPy, torch.tensor(...) and "
                   "torch.no_grad() cut the way, in your own functions that are called here too", shown, came=came,
                   expected=f"an answer from which torch finds the way back to {item.slope}")


def wrong_slope(item, cases):
    """Right numbers whose gradient is not that of the oracle; or, without an oracle, not that of the numbers."""
    if not item.slope or not all(case.good and case.answer.slope for case in cases):
        return None
    bad, ratios = [], []
    for case in sorted(cases, key=lambda case: case.size):
        came, right, slack = _compared(item, case)
        if not np.all(np.abs(came - right) <= slack):
            bad.append((case, came, right))
        telling = np.abs(right) > 100 * slack
        ratios += list(came[telling] / right[telling])
    if not bad:
        return None
    case, came, right = bad[0]
    name, look = _which(item, np.concatenate([row[1].ravel() for row in bad]), np.array(ratios))
    shown = [values.show(describe(x)) for x in (came, right)]
    where = "the gradient" if item.oracle else "how steep it is along three directions:"
    return Finding(f"the gradient with respect to {item.slope} is wrong: {name}", f"the numbers are right, their slope "
                   f"is not. {look}", case, came=f"{where} {shown[0]}", expected=f"{where} {shown[1]}")


def _compared(item, case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradient that came, the right one, and by how much they may differ."""
    coarse, came = values.RELATIVE.get(case.coarsest, 1e-6), case.answer.slope.data
    if item.oracle:
        right, numbers = differences(item, case), np.sum(np.abs(_entries(case.right)))
        right = np.where(np.isnan(right), came, right)
        return came, right, 100 * coarse * np.max(np.abs(right), initial=0.0) + coarse * max(1.0, numbers)
    if case.answer.tried is None:
        return came, came, np.array(np.inf)
    behind, ahead = case.answer.tried.data.T
    came = directions(came.size) @ came.ravel()
    right = np.clip(came, np.minimum(behind, ahead), np.maximum(behind, ahead))      # at a kink either side will do
    return came, right, 1e-4 * np.max(np.abs(right), initial=0.0) + 1e-4


def _which(item, came, ratios) -> tuple[str, str]:
    """What is wrong with a gradient, and where to look, from all that came and their ratios to the right ones."""
    if not np.all(np.isfinite(came)):
        return ("it is NaN or infinite", "Is there a root, a logarithm or a quotient of 0, whose slope is infinite? "
                "NaN times 0 is NaN too, so `where` after it does not help: keep the 0 out of it before")
    if not np.any(came) and not np.any(ratios):
        return ("it is 0 everywhere", f"Every way from {item.slope} to the answer is cut (.item(), .detach(), .data, "
                "torch.tensor(...)), and what still leads back to it is multiplied by 0")
    if len(ratios) > 1 and np.allclose(ratios, ratios[0], rtol=1e-3):
        return (f"it is {values.number(float(ratios[0]), 4)} times the right one", f"{item.slope} stands in your "
                "formula more than once, as in a square written as a product, and one of the ways back is cut: look "
                "for .item(), .detach(), .data or torch.tensor(...) in a factor")
    return ("part of the way back is cut", f"{item.slope} reaches the answer on more than one way, as through the "
            "numerator and the denominator of the weights, and one of them is cut: look for .item(), .detach(), .data, "
            "torch.no_grad() or torch.tensor(...) on the way")


def _entries(value: Value) -> np.ndarray:
    """All numbers of an array, or of a tuple of arrays."""
    return np.concatenate([part.data.ravel() for part in (value.data if value.kind == "tuple" else [value])])


def differences(item, case: Case) -> np.ndarray:
    """What `gradient` should be, by central differences of the oracle; NaN where a step is lost beside the number."""
    inputs = as_float64(case.problem.inputs)
    at = np.asarray(inputs[item.slope], dtype=float)

    def total(change):
        right = _entries(describe(item.oracle(**inputs | {item.slope: np.asarray(at + change)})))
        return right @ np.cos(np.arange(right.size))

    slope = np.zeros(at.shape)
    for place in np.ndindex(at.shape):
        step = np.zeros(at.shape)
        step[place] = 1e-5 * min(max(1.0, abs(at[place])), 10.0)
        known = at[place] + step[place] != at[place]
        slope[place] = (total(step) - total(-step)) / (2 * step[place]) if known else np.nan
    return slope
