"""What the engine asks torch: the way back, a second call, and why torch refused."""
import numpy as np
import pytest
import torch
from small_items import total, verdict

from workbook.checks import Problem
from workbook.checks.messages import failure_text


def item(**changes):
    return total(**{"library": "torch", "slope": "w"} | changes)


def right(w, values):
    return w * torch.sum(values**2)


def marking(w, values):
    w.requires_grad_()
    torch.sum(w * values**2).backward()
    return w.grad / w.grad.detach() * right(w.detach(), values)


def backward_twice(w, values):
    loss = right(w.clone().requires_grad_(), values)
    loss.backward()
    loss.backward()


def grad_of_what_is_made(w, values):
    made = w.clone().requires_grad_() * 1
    right(made, values).backward()
    return 2 * made.grad


NO_SLOPE = {"slope": ""}
SQUARE = {"oracle": lambda w, values: float(w**2 * values.sum())}
TUPLE = {"oracle": lambda w, values: (w * values, float(w) ** 2)}
OWN = {"oracle": None, "own_judge": lambda cases: ()}
PART = "the gradient with respect to w is wrong: part of the way back is cut"


@pytest.mark.parametrize("function, changes", [
    (right, {}), (lambda w, values: sum(w * v * v for v in values), {}),
    (lambda w, values: right(w.float(), values.float()), {}), (lambda w, values: right(w, values).item(), NO_SLOPE),
    (lambda w, values: values.sum() * w**2, SQUARE), (lambda w, values: (w * values, w**2), TUPLE)])
def test_a_right_slope_holds(function, changes):
    assert verdict(function, item(**changes)).holds


@pytest.mark.parametrize("function, words, changes", [
    (lambda w, values: right(w, values).item(), "the way back to w is cut", {}),
    (lambda w, values: right(w.detach(), values), "the way back to w is cut", {}),
    (lambda w, values: (w * values, w.detach() * 1), "the way back to w is cut", OWN),
    (lambda w, values: torch.tensor(w.numpy() * 2), "a function of NumPy met a tensor that requires", {}),
    (lambda w, values: 2 * right(w, values).item(), "every answer is 2 times the right one", {}),
    (lambda w, values: values.sum() * w * w.detach(), PART, SQUARE),
    (lambda w, values: values.sum() * w**2 + 0 * torch.sqrt(w - w.detach()), "it is NaN or infinite", SQUARE),
    (lambda w, values: (values.detach() * w**2).sum() + values[0] * (w - w.detach()), PART, SQUARE),
    (lambda w, values: (w * values, w * w.detach()), "the gradient", TUPLE),
    (marking, "it changes its inputs (w)", NO_SLOPE),
    (lambda w, values: right(w, values).backward(), "something cut the way back to w: backward() finds", NO_SLOPE),
    (lambda w, values: np.exp(w.requires_grad_()), "a function of NumPy met a tensor", NO_SLOPE),
    (backward_twice, "the loss must be computed anew in each step", NO_SLOPE),
    (grad_of_what_is_made, "the grad is None: backward leaves grad only at the tensor marked", NO_SLOPE),
    (lambda w, values: w.clone().requires_grad_().mul_(2), "changed in place", NO_SLOPE),
    (lambda w, values: 2 * print(), "it raises TypeError", NO_SLOPE),           # None, but no gradient is read here
    (lambda w, values: w if values > 0 else 1, "it raises RuntimeError", NO_SLOPE),
])
def test_what_is_wrong_is_named(function, words, changes):
    found = verdict(function, item(**changes))
    assert words in found.line, failure_text(found)
    assert ("the numbers are right, but" in found.next) == words.startswith("the way back")
    assert ("x.detach().clone()" in found.next) == (function is marking)


@pytest.mark.parametrize("of_w, of_values", [(1e9, 1e-9), (1e-9, 1e9), (1e9, 1e9), (1e-9, 1e-9)])
def test_a_slope_is_compared_in_any_unit(of_w, of_values):
    def asked(rng):
        for n in (2, 5, 9):
            yield Problem(f"{n} values", {"w": np.array(of_w), "values": of_values * rng.uniform(1, 3, n)})

    def square(w, values):
        return w**2 * torch.sum(values**2)

    units = item(by_hand=asked, oracle=lambda w, values: w**2 * sum(values**2))
    assert verdict(square, units).holds
    assert PART in verdict(lambda w, values: square(w, values) * w.detach() / w, units).line


def test_what_is_kept_between_calls_is_noticed():
    """By one number for all sizes, and from one problem to the next."""
    kept = []

    def keeping(w, values):
        kept.append(len(values))
        return right(w, values) * (1 if len(kept) <= 3 else 2)

    assert "each call gives another answer" in verdict(keeping, item(slope="")).line
