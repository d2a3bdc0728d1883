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


@pytest.mark.parametrize("function", [
    right, lambda w, values: sum(w * v * v for v in values), lambda w, values: right(w.float(), values.float())])
def test_a_right_slope_holds(function):
    assert verdict(function, item()).holds
    assert verdict(lambda w, values: right(w, values).item(), item(slope="")).holds     # nobody asks for a slope


@pytest.mark.parametrize("function, line", [
    (lambda w, values: right(w, values).item(), "the way back to w is cut"),
    (lambda w, values: right(w.detach(), values), "the way back to w is cut"),
    (lambda w, values: torch.tensor(w.numpy() * 2), "a function of NumPy met a tensor that requires"),
    (lambda w, values: 2 * right(w, values).item(), "every answer is 2 times the right one"),
])
def test_the_way_back_is_asked_for_after_named_numbers(function, line):
    found = verdict(function, item())
    assert line in found.line, failure_text(found)
    assert ("the numbers are right" in found.next) == line.startswith("the")


@pytest.mark.parametrize("of_w, of_values", [(1e9, 1e-9), (1e-9, 1e9), (1e9, 1e9), (1e-9, 1e-9)])
def test_a_slope_is_compared_in_any_unit(of_w, of_values):
    def asked(rng):
        for n in (2, 5, 9):
            yield Problem(f"{n} values", {"w": np.array(of_w), "values": of_values * rng.uniform(1, 3, n)})

    def square(w, values):
        return w**2 * torch.sum(values**2)

    units = item(by_hand=asked, oracle=lambda w, values: w**2 * sum(values**2))
    assert verdict(square, units).holds
    assert "part of the way back is cut" in verdict(lambda w, values: square(w, values) * w.detach() / w, units).line


def test_an_input_that_is_marked_is_told():
    def marking(w, values):
        w.requires_grad_()
        torch.sum(w * values**2).backward()
        return w.grad / w.grad.detach() * right(w.detach(), values)

    twice = item(slope="")
    found = verdict(marking, twice)
    assert "it changes its inputs (w)" in found.line and "x.detach().clone()" in found.next
    assert verdict(right, twice).holds


def test_what_is_kept_between_calls_is_noticed():
    """By one number for all sizes, and from one problem to the next."""
    kept = []

    def keeping(w, values):
        kept.append(len(values))
        return right(w, values) * (1 if len(kept) <= 3 else 2)

    assert "each call gives another answer" in verdict(keeping, item(slope="")).line


@pytest.mark.parametrize("function, words", [
    (lambda w, values: values.sum() * w * w.detach(), "part of the way back is cut"),
    (lambda w, values: values.sum() * w**2 + 0 * torch.sqrt(w - w.detach()), "it is NaN or infinite"),
    (lambda w, values: (values.detach() * w**2).sum() + values[0] * (w - w.detach()), "part of the way back is cut"),
])
def test_a_wrong_gradient_says_which(function, words):
    square = item(oracle=lambda w, values: float(w**2 * values.sum()))
    found = verdict(function, square)
    assert f"the gradient with respect to w is wrong: {words}" in found.line, failure_text(found)
    assert verdict(lambda w, values: values.sum() * w**2, square).holds


def test_both_parts_of_a_tuple_lead_back():
    own = {"oracle": None, "own_judge": lambda cases: ()}
    assert "is cut" in verdict(lambda w, values: (w * values, w.detach() * 1), item(**own)).line
    two = item(oracle=lambda w, values: (w * values, float(w) ** 2))
    assert verdict(lambda w, values: (w * values, w**2), two).holds
    assert "the gradient" in verdict(lambda w, values: (w * values, w * w.detach()), two).line


def once(w, values):
    w = w.clone().requires_grad_()
    loss = right(w, values)
    loss.backward()
    loss.backward()


def grad_of_what_is_made(w, values):
    w = w.clone().requires_grad_()
    made = w * 1
    right(made, values).backward()
    return 2 * made.grad


@pytest.mark.parametrize("function, words", [
    (lambda w, values: right(w, values).backward(), "something cut the way back to w: backward() finds nothing"),
    (lambda w, values: np.exp(w.requires_grad_()), "a function of NumPy met a tensor"),
    (once, "the loss must be computed anew in each step"),
    (grad_of_what_is_made, "the grad is None: backward leaves grad only at the tensor marked"),
    (lambda w, values: w.clone().requires_grad_().mul_(2), "changed in place"),
    (lambda w, values: 2 * print(), "it raises TypeError"),                     # None, but no gradient is read here
    (lambda w, values: w if values > 0 else 1, "it raises RuntimeError"),
])
def test_torchs_refusals_are_named(function, words):
    assert words in verdict(function, item(slope="")).line
