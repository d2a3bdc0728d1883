"""What torch alone can say of an answer: whether a gradient leads back from it, and whether that gradient is right."""
import numpy as np

from workbook.checks.cases import Finding, as_float64, smallest
from workbook.checks.values import describe, show

DIRECTIONS, STEP = 3, 1e-6


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
    """No way back from the answer to the argument by which a gradient will be asked for."""
    lost = [case for case in cases if item.slope and not case.error and case.answer.slope is None]
    if lost:
        right = all(case.good for case in cases)
        return Finding(f"the way back to {item.slope} is cut", f"{'the numbers are right, but ' if right else ''}a "
                       f"gradient has to go from them back to {item.slope}. In your lines, and in the functions that "
                       "they call, .item(), float(), .detach(), .data, NumPy, torch.tensor(...) and torch.no_grad() "
                       "cut the way", smallest(lost), expected=f"an answer from which torch finds the way back to "
                       f"{item.slope}, with each of its parts")


def wrong_gradient(item, cases):
    """Right numbers, whose gradient does not say how they change when the argument is changed a little."""
    if not (item.slope and item.oracle and all(case.good and case.answer.slope for case in cases)):
        return None
    for case in sorted((case for case in cases if case.coarsest == "float64"), key=lambda case: case.size):
        along = np.random.default_rng(0).normal(size=(DIRECTIONS, case.answer.slope.data.size))
        got, (right, slack) = along @ case.answer.slope.data.ravel(), _changes(item, case.problem, along)
        if np.all(np.abs(got - right) <= slack):
            continue
        name, look = "part of the way back is cut", (
            f"`{item.slope}` reaches the answer on more than one way, as in a square written as a product, and one of "
            "them is cut: look for .item(), .detach(), .data, torch.no_grad() or torch.tensor(...) on the way")
        if not np.all(np.isfinite(got)):
            name, look = "it is NaN or infinite", (
                "Is there a root, a logarithm or a quotient of 0, whose slope is infinite? NaN times 0 is NaN too, so "
                "`where` after it does not help: keep the 0 out of it before")
        where = "how steep it is along three directions:"
        if along.shape[1] == 1:
            where, got, right = "the gradient:", *(x[0] / along[0, 0] for x in (got, right))
        return Finding(f"the gradient with respect to {item.slope} is wrong: {name}", "the numbers are right, their "
                       f"slope is not. {look}", case, got=f"{where} {show(describe(got))}",
                       expected=f"{where} {show(describe(right))}")


def _changes(item, problem, along) -> tuple[np.ndarray, float]:
    """How steep Σ right_k cos k is along each direction, by central differences, and by how much that may be off."""
    inputs = as_float64(problem.inputs)
    start = inputs[item.slope]
    unit = float(abs(start)) if start.ndim == 0 and start else 1.0

    def total(step):
        entries = describe(item.oracle(**inputs | {item.slope: start + step})).numbers()
        return np.cos(np.arange(len(entries))) @ entries

    steps = [STEP * unit * direction.reshape(start.shape) for direction in along]
    steep = np.array([total(step) - total(-step) for step in steps]) / (2 * STEP * unit)
    return steep, 1e-4 * np.abs(steep).max() + 1e-6 * abs(total(0.0)) / unit
