"""What the judge and its finders look at: a problem beside its answer and the right answer, and what a finder reports."""
from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from nwlab.checks import values
from nwlab.checks.answer import Answer
from nwlab.checks.item import Item, Problem
from nwlab.checks.values import Value, coarsest_dtype, describe


@dataclass(eq=False)
class Case:
    """A problem, its answer, and what the answer should have been (None where the item has a judge of its own)."""

    item: Item
    problem: Problem
    answer: Answer
    right: Value | None
    coarsest: str

    @property
    def came(self) -> Value:
        return self.answer.value or Value("NoneType")

    @property
    def error(self) -> dict:
        return self.answer.error or {}

    def is_like(self, value: Value | str) -> bool:
        """Whether the answer is this value, or this exception (the name of its type)."""
        if isinstance(value, str) or self.error:
            return self.error.get("type") == value
        return values.same(self.came, value, self.coarsest, self.item.tolerance)

    def is_like_where_it_came(self, value: Value | str) -> bool:
        """Like `is_like`, leaving out what did not come: exceptions, and NaN or infinity where a finite number is right."""
        kept = self.kept()
        if kept is None or isinstance(value, str) or not value.numeric or value.shape != self.came.shape:
            return self.is_like(value) or bool(self.error)
        return bool(np.all(values.close(self.came, value, self.coarsest, self.item.tolerance)[kept]))

    def kept(self) -> np.ndarray | None:
        """Where the answer is as finite as the right one is; None where the two are no numbers of one shape."""
        if self.right is None or not (self.right.numeric and self.came.numeric) or self.came.shape != self.right.shape:
            return None
        came, right = (value.data.astype(float) for value in (self.came, self.right))
        return np.isfinite(came) | ~np.isfinite(right)

    @property
    def keeps_features(self) -> bool:
        """Whether the last axis is one too many, and is the last one of two inputs: the d of queries (m, d), keys (n, d)."""
        came, right = self.came.shape, self.right.shape
        owners = {np.shape(x) for x in self.problem.inputs.values() if np.ndim(x) > 1 and np.shape(x)[-1:] == came[-1:]}
        return len(owners) > 1 and came[:-1] == right and came[-1] > 1 and came[-1] not in right

    @property
    def good(self) -> bool:
        return self.right is None or self.is_like(self.right)

    @property
    def size(self) -> int:
        return sum(np.size(x) for x in self.problem.inputs.values())


@dataclass(frozen=True)
class Finding:
    """What a finder reports: the mistake in words, where to look next, and the case that shows it."""

    mistake: str
    next: str
    case: Case
    came: str = ""
    expected: str = ""
    why: str = ""


def cases_of(item: Item, problems: list[Problem], answers: list[Answer]) -> list[Case]:
    """Each problem with its answer and the oracle's. ValueError where there are not as many answers as problems."""
    if len(problems) != len(answers):
        raise ValueError(f"answers: got {len(answers)}, expected {len(problems)}, one for each problem")
    cases = []
    for problem, answer in zip(problems, answers):
        right = describe(item.oracle(**as_float64(problem.inputs))) if item.oracle else None
        cases.append(Case(item, problem, answer, right, coarsest_dtype(problem.inputs.values())))
    return cases


def smallest(cases: list[Case]) -> Case:
    """The counter-example with the fewest numbers in it; the first among equals."""
    return min(cases, key=lambda case: case.size)


def also(look: str, lost: list[Case]) -> str:
    """What a mistake says, and after it what else goes wrong, on which problem."""
    shown = smallest(lost)
    what = f"it raises {shown.error['type']}" if shown.error else "what came is not finite"
    stop = "" if look.endswith(("?", ".")) else "."
    return f"{look}{stop} Then look at the problem “{shown.problem.name}” too: {what} there"


def predict(function, problem: Problem) -> Value | str:
    """What a mistake answers to a problem, or the name of the exception that it raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return describe(function(**as_float64(problem.inputs)))
    except Exception as error:
        return type(error).__name__


def as_float64(inputs: dict) -> dict:
    """Copies of the inputs, floating-point arrays as float64: oracles and mistakes do not round as the student must."""
    return {name: np.array(x, float if x.dtype.kind == "f" else x.dtype) if isinstance(x, np.ndarray) else x
            for name, x in inputs.items()}
