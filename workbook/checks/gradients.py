"""What torch alone can say of an answer: whether a gradient leads back from it, and why torch refused to go on."""

import numpy as np

from workbook.checks import values
from workbook.checks.cases import Case, Finding, as_float64, smallest
from workbook.checks.tensors import directions
from workbook.checks.values import Value, describe


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
        if cause in REFUSALS and (optional or cause != "truth of a table"):
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
                           got=f"after the call {name}.requires_grad is True, or a slope is left in {name}.grad",
                           expected=f"{name} as it was before the call")


def cut(item, cases):
    """No way back from the answer to the argument by which a gradient will be asked."""
    lost = [case for case in cases if item.slope and not case.error and case.answer.slope is None]
    if not lost:
        return None
    right, shown = all(case.good for case in cases), smallest(lost)
    got = f"a tensor, but its record does not lead back to {item.slope}"
    if shown.got.kind in ("tuple", "list"):
        got = f"not every part of the answer has a record that leads back to {item.slope}"
    elif shown.got.kind != "torch":
        got = "a plain number, which keeps no record of what it was computed from"
    return Finding(f"the way back to {item.slope} is cut", f"{'the numbers are right, but ' if right else ''}a "
                   f"gradient has to go from them back to {item.slope}. In your lines, and in the functions that they "
                   "call, .item(), float(), .detach(), .data, NumPy, torch.tensor(...) and torch.no_grad() cut the way",
                   shown, got=got,
                   expected=f"an answer from which torch finds the way back to {item.slope}")


def wrong_slope(item, cases):
    """Right numbers whose gradient is not that of the oracle; or, without an oracle, not that of the numbers."""
    if not item.slope or not all(case.good and case.answer.slope for case in cases):
        return None
    bad, ratios = [], []
    for case in sorted(cases, key=lambda case: case.size):
        got, right, slack = _compared(item, case)
        if not np.all(np.abs(got - right) <= slack):
            bad.append((case, got, right))
        telling = np.abs(right) > 100 * slack
        ratios += list(got[telling] / right[telling])
    if not bad:
        return None
    case, got, right = bad[0]
    name, look = _which(item, np.concatenate([row[1].ravel() for row in bad]), np.array(ratios))
    shown = [values.show(describe(x)) for x in (got, right)]
    where = "the gradient" if case.answer.slope.data.size == got.size else "how steep it is along three directions:"
    return Finding(f"the gradient with respect to {item.slope} is wrong: {name}", f"the numbers are right, their slope "
                   f"is not. {look}", case, got=f"{where} {shown[0]}", expected=f"{where} {shown[1]}")


def _compared(item, case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradient that got, the right one, and by how much they may differ."""
    coarse, got = values.RELATIVE.get(case.coarsest, 1e-6), case.answer.slope.data
    if item.oracle:
        got, right = differences(item, case)
        numbers, at = np.sum(np.abs(_entries(case.right))), case.problem.inputs[item.slope]
        rounding = numbers / abs(float(at)) if _is_scale(at) else max(1.0, numbers)
        return got, right, 100 * coarse * np.max(np.abs(right), initial=0.0) + coarse * rounding
    if case.answer.tried is None:
        return got, got, np.array(np.inf)
    behind, ahead = case.answer.tried.data.T
    got = directions(got.size) @ got.ravel()
    right = np.clip(got, np.minimum(behind, ahead), np.maximum(behind, ahead))      # at a kink either side will do
    parts = case.got.data if case.got.kind in ("tuple", "list") else [case.got]
    off = 1e-4 if all(part.dtype == "float64" for part in parts) else 2e-2           # digits that a float32 answer has
    return got, right, off * (np.max(np.abs(right), initial=0.0) + 1)


def _which(item, got, ratios) -> tuple[str, str]:
    """What is wrong with a gradient, and where to look, from all gradients and their ratios to the right ones."""
    if not np.all(np.isfinite(got)):
        return ("it is NaN or infinite", "Is there a root, a logarithm or a quotient of 0, whose slope is infinite? "
                "NaN times 0 is NaN too, so `where` after it does not help: keep the 0 out of it before")
    if not np.any(got) and not np.any(ratios):
        return ("it is 0 everywhere", f"Every way from {item.slope} to the answer is cut (.item(), .detach(), .data, "
                "torch.tensor(...)), and what still leads back to it is multiplied by 0")
    if len(ratios) > 1 and np.allclose(ratios, ratios[0], rtol=1e-3):
        return (f"it is {values.number(float(ratios[0]), 4)} times the right one", f"`{item.slope}` stands in your "
                "formula more than once, as in a square written as a product, and one of the ways back is cut: look "
                "for .item(), .detach(), .data or torch.tensor(...) in a factor")
    return ("part of the way back is cut", f"`{item.slope}` reaches the answer on more than one way, as through the "
            "numerator and the denominator of the weights, and one of them is cut: look for .item(), .detach(), .data, "
            "torch.no_grad() or torch.tensor(...) on the way")


def _entries(value: Value) -> np.ndarray:
    """All numbers of an array, or of a tuple of arrays."""
    return np.concatenate([part.data.ravel() for part in (value.data if value.kind == "tuple" else [value])])


def _is_scale(at) -> bool:
    """Whether it is one number, not 0: then steps are in proportion to it, however large or small it is."""
    return np.ndim(at) == 0 and float(at) != 0


def differences(item, case: Case) -> tuple[np.ndarray, np.ndarray]:
    """The `gradient` of the answer, and what it should be, by central differences of the oracle.

    Of more than three entries both are taken along `directions`. Where a step is lost beside its number none is made.
    """
    inputs, got = as_float64(case.problem.inputs), case.answer.slope.data
    at = np.asarray(inputs[item.slope], dtype=float)
    step = 1e-5 * (abs(at) if _is_scale(at) else np.clip(abs(at), 1.0, 10.0))
    unit, step = step.max(initial=0.0), np.where(at + step == at, 0.0, step)

    def total(change):
        right = _entries(describe(item.oracle(**inputs | {item.slope: at + change})))
        return right @ np.cos(np.arange(right.size))

    steps = [step * along.reshape(at.shape) for along in (directions(at.size) if at.size > 3 else np.eye(at.size))]
    return (np.array([np.sum(got * each) for each in steps]) / unit,
            np.array([total(each) - total(-each) for each in steps]) / (2 * unit))
