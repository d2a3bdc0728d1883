"""How `sgd_bandwidth` runs some functions in one problem each: with a marked w, or twice with the same rho.

Numbers alone do not show whether torch can go back from an answer to w, or whether the caller's rho was marked. So when
all numbers are right, one problem asks for that too, and an exception says what it found.
"""
from __future__ import annotations

from nwlab.checks.item import Mistake
from nwlab.exercises.own_pooling.probes import Probed

MARKED, TWICE = "a marked w", "the same ρ twice"        # names of problems
MARKED_W, TWICE_RHO = 0.8, 0.2                          # their w and rho, for every seed: no other problem has them


class WayBackIsCut(Exception):
    """Torch cannot go back from what came to w."""


class InputIsMarked(Exception):
    """The rho that was handed over requires a gradient now, or holds one."""


class ShapeOfOne(Exception):
    """(1,) where () was asked: what is computed from it cannot be stacked with tensors of shape ()."""


class Traced(Probed):
    """A probed item whose probe has a say only where everything else holds: wrong numbers are told first."""

    def answers(self, function, problems):
        """One Answer for each problem, as plain data."""
        from nwlab.checks.run import run

        plain = run(self, function, problems)
        return super().answers(function, problems) if self.judge(problems, plain).holds else plain


def around_w(function, problem):
    """With a marked w in the one problem: raises WayBackIsCut where no way leads from the answer to it."""
    def with_marked_w(w, *others):
        import torch

        leaf = w.clone().requires_grad_()
        try:
            answer = function(leaf.clone(), *others)                # a clone, as a leaf refuses to be changed in place
        except RuntimeError as error:
            if "requires grad" not in str(error) or isinstance(error, NotImplementedError):
                raise
            raise WayBackIsCut(f"torch says “{str(error).partition('. ')[0]}”") from error     # the rest advises .detach()
        if not isinstance(answer, torch.Tensor):
            raise WayBackIsCut("a plain number came, and that keeps no record of what it was computed from")
        if not answer.requires_grad or torch.autograd.grad(answer.sum(), leaf, allow_unused=True)[0] is None:
            raise WayBackIsCut("a tensor came, but its record does not lead back to w")
        return answer

    return with_marked_w if problem.name == MARKED else function


def around_rho(function, problem):
    """Asks twice with the same rho in the one problem, and gives the second answer: raises InputIsMarked."""
    def twice(rho, *others):
        function(rho, *others)
        answer = function(rho, *others)
        if rho.requires_grad or rho.grad is not None:
            left = "" if rho.grad is None else f", and its .grad is {rho.grad.item():.5g}"
            raise InputIsMarked(f"after two calls rho.requires_grad is {rho.requires_grad}{left}")
        return answer

    return twice if problem.name == TWICE else function


def around_slope(function, problem):
    """As `around_rho`; raises ShapeOfOne too, where `check` would let one number pass."""
    around = around_rho(function, problem)

    def with_shape(*inputs):
        answer = around(*inputs)
        if tuple(getattr(answer, "shape", ())) == (1,):
            raise ShapeOfOne("shape (1,) came")
        return answer

    return with_shape if problem.name == TWICE else function


def way_back(right):
    """The mistake of a function that is right but for its way back to w."""
    return Mistake("the way back to w is cut", "the numbers are right, but a gradient has to go from them back to w. Use w as it "
                   "came, a tensor, from the first line to the last: .item(), float(), .detach(), .data, NumPy, torch.tensor(...) "
                   "and torch.no_grad() cut the way, in your own functions that are called here too",
                   _raising(WayBackIsCut, right, "w", MARKED_W))


def marked_input(right):
    """The mistake of a function that is right but marks the caller's rho."""
    return Mistake("it marks the ρ of the caller", "requires_grad_() on the argument itself stays after the call, and so does "
                   "the slope in its .grad. The next backward adds to that: a second call with the same ρ gives twice the "
                   "slope. Mark a copy without a past, rho.detach().clone()", _raising(InputIsMarked, right, "rho", TWICE_RHO))


def shape_of_one(right):
    """The mistake of a slope that is right but has an axis."""
    return Mistake("an axis of length 1 too many: (1,)", "the number is right, but torch.stack will not take (1,) and () together "
                   "later. Is there a list with one number, as in torch.tensor([…])? A copy of ρ has shape (), and so has its .grad",
                   _raising(ShapeOfOne, right, "rho", TWICE_RHO))


def _raising(exception, right, name, special):
    def wrong(**inputs):
        if float(inputs[name]) == special:
            raise exception
        return right(**inputs)

    return wrong
