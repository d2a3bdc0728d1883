"""The way back of `bug_museum`'s torch rooms: what torch says when the gradient cannot reach its parameter, by name.

Many things raise a RuntimeError. So that the mistakes of these rooms are told by torch's message and not by the type
alone, the judge gives those exceptions types of their own. What the visitor reads keeps torch's words.
"""
from __future__ import annotations

import re
from dataclasses import replace

from nwlab.checks.item import Item, Mistake

TYPES = (("CutOff", "RuntimeError", "does not require grad"),
         ("NoGradient", "TypeError|AttributeError|RuntimeError", "NoneType"),
         ("AskedNumPy", "RuntimeError", r"numpy\(\) on Tensor that requires grad"))


class WayBack(Item):
    """An item whose exceptions are told apart by torch's words."""

    def judge(self, problems, answers):
        """The verdict. Pure, like the core's."""
        verdict = super().judge(problems, [_renamed(answer) for answer in answers])
        came = verdict.came
        for answer in answers:
            error = answer.error or {}
            if kind := _kind(error):
                came = came.replace(f"{kind}: ", f"{error['type']}: ", 1)
        return replace(verdict, came=came)


def _kind(error: dict) -> str:
    return next((kind for kind, types, words in TYPES if re.fullmatch(types, error.get("type", ""))
                 and re.search(words, error["message"])), "")


def _renamed(answer):
    kind = _kind(answer.error or {})
    return replace(answer, error=answer.error | {"type": kind}) if kind else answer


def _raises(kind: str):
    """A mistake's answer: the exception whose type has that name."""
    def wrong(**inputs):
        raise type(kind, (Exception,), {})

    return wrong


def mistakes(name: str) -> tuple[Mistake, ...]:
    """What cuts the way back to the parameter of that name."""
    return (
        Mistake(f"something cut the way back to {name}: backward() finds nothing that requires a gradient",
                f"on the way from {name} to the loss every step has to be made by torch, on the tensor itself. .item(), float({name}), "
                f".detach(), torch.tensor({name}) and functions of math make a plain number, which forgets where it came from. "
                f"And {name} has to be marked with requires_grad before anything is computed from it", _raises("CutOff")),
        Mistake("the grad is None: backward leaves grad only at the tensor marked requires_grad",
                "at what is made from that tensor it leaves nothing, and without a call of backward() there is none at all. "
                f"Mark {name}, then compute from it, call backward(), and read {name}.grad", _raises("NoGradient")),
        Mistake("a function of NumPy met a tensor that requires a gradient",
                "torch's message proposes detach(), but that would cut the way back: take the function of the same name from torch",
                _raises("AskedNumPy")),
    )
