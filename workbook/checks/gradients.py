"""What torch alone can say of an answer: whether a gradient leads back from it, and whether that gradient is right."""
import numpy as np

from workbook.checks.cases import Finding, smallest
from workbook.checks.tensors import directions
from workbook.checks.values import describe, number, show


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
                   shown, got=got, expected=f"an answer from which torch finds the way back to {item.slope}")


def wrong_gradient(item, cases):
    """Right numbers, whose gradient does not say how they change when the argument is changed a little."""
    if not item.slope or not all(case.good and case.answer.slope for case in cases):
        return None
    bad, ratios = [], []
    for case in sorted((case for case in cases if case.answer.tried), key=lambda case: case.size):
        got = directions(case.answer.slope.data.size) @ case.answer.slope.data.ravel()
        behind, ahead, slack = case.answer.tried.data.T
        right = np.clip(got, np.minimum(behind, ahead), np.maximum(behind, ahead))     # at a kink either side will do
        if not np.all(np.abs(got - right) <= slack):
            bad.append((case, got, right))
        telling = np.abs(right) > 100 * slack
        ratios += list(got[telling] / right[telling])
    if not bad:
        return None
    case, got, right = bad[0]
    name, look = "part of the way back is cut", (f"`{item.slope}` reaches the answer on more than one way, as in a "
                                                "square written as a product, and one of them is cut: look for .item(),"
                                                " .detach(), .data, torch.no_grad() or torch.tensor(...) on the way")
    if not all(np.all(np.isfinite(got)) for _, got, _ in bad):
        name, look = "it is NaN or infinite", ("Is there a root, a logarithm or a quotient of 0, whose slope is "
                                               "infinite? NaN times 0 is NaN too, so `where` after it does not help: "
                                               "keep the 0 out of it before")
    elif len(ratios) > 1 and np.allclose(ratios, ratios[0], rtol=1e-3):
        name = f"it is {number(float(ratios[0]), 4)} times the right one" if ratios[0] else "it is 0 everywhere"
    where = "how steep it is along three directions:"
    if case.answer.slope.data.size == 1:
        where, got, right = "the gradient:", *(x[0] / directions(1)[0, 0] for x in (got, right))
    return Finding(f"the gradient with respect to {item.slope} is wrong: {name}", "the numbers are right, their slope "
                   f"is not. {look}", case, got=f"{where} {show(describe(got))}",
                   expected=f"{where} {show(describe(right))}")
