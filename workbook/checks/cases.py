"""What the judge and its finders look at: a problem beside its answer and the right one; and what a finder reports."""
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from workbook.checks import values
from workbook.checks.answer import Answer
from workbook.checks.item import Item, Problem
from workbook.checks.values import Value


@dataclass(eq=False)
class Case:
    """A problem, its answer, and what the answer should have been (None where the item has a judge of its own).

    Nothing of it changes, and every finder asks: what costs time is worked out once.
    """

    item: Item
    problem: Problem
    answer: Answer
    right: Value | None

    @cached_property
    def got(self) -> Value:
        value = self.answer.value or Value("NoneType")
        several = self.right is not None and self.right.kind == "tuple" and not any(x.shape for x in self.right.data)
        if several and value.numeric and value.shape == (len(self.right.data),):        # an array holds numbers too
            return Value("tuple", data=tuple(replace(value, shape=(), data=x) for x in map(np.asarray, value.data)))
        return value

    @cached_property
    def coarsest(self) -> str:
        return values.coarsest_dtype(self.problem.inputs.values())

    @property
    def error(self) -> dict:
        return self.answer.error or {}

    def is_like(self, value: Value | str) -> bool:
        """Whether the answer is this value, or this exception (the name of its type)."""
        if isinstance(value, str) or self.error:
            raised = self.error.get("type")     # where NumPy raises a ValueError, torch does a RuntimeError
            return raised == value or (raised, value) == ("RuntimeError", "ValueError")
        return values.same(self.got, value, self.coarsest, self.item.tolerance)

    @cached_property
    def good(self) -> bool:
        return self.right is None or self.is_like(self.right)

    @property
    def numeric(self) -> bool:
        """Whether the answer and the right one are numbers that can be compared."""
        return self.right is not None and self.right.numeric and self.got.numeric

    def floats(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The answer and the right one as float64; None where the two are no numbers of one shape."""
        if self.numeric and values.fits(self.got, self.right):
            return self.got.data.reshape(self.right.shape).astype(float), self.right.data.astype(float)

    @cached_property
    def size(self) -> int:
        return sum(np.size(x) for x in self.problem.inputs.values())


@dataclass(frozen=True)
class Finding:
    """What a finder reports: the mistake in words, where to look next, and the case that shows it."""

    mistake: str
    next: str
    case: Case
    got: str = ""
    expected: str = ""
    bare: bool = False             # True: there is nothing to be shown beside the words
    shapes: bool = False           # True: of arrays the shapes alone are shown, as the numbers in them do not matter


def wrong(cases: list[Case]) -> list[Case]:
    """Those that are not what was asked."""
    return [case for case in cases if not case.good]


def smallest(cases: list[Case]) -> Case:
    """The counter-example with the fewest numbers in it; the first among equals."""
    return min(cases, key=lambda case: case.size)


def usual(cases: list[Case]) -> list[Case]:
    """Those in which nothing is special."""
    return [case for case in cases if not case.problem.why and case.coarsest not in values.RELATIVE]


def clearest(bad: list[Case]) -> Case:
    """The counter-example to show: nothing in it is special, unless only a special one is small enough to be read."""
    plain = smallest(usual(bad) or bad)
    return plain if plain.size <= 2 * values.WHOLE else smallest(bad)


def bears(case: Case, cases: list[Case]) -> bool:
    """Whether what is special about a problem bears on its failure: it does if all that fail have it in common."""
    return bool(case.problem.why) and all(other.problem.why == case.problem.why for other in wrong(cases))


def beside(look: str, lost: list[Case], cases: list[Case]) -> str:
    """Where to look next for a mistake, and after it what else goes wrong, and how often."""
    error = smallest(lost).error
    what = f"it raises {error['type']}" if error else "NaN or infinity comes back"
    stop = "" if look.endswith(("?", ".")) else "."
    return f"{look}{stop} Beside that, {what} on {len(lost)} of {len(cases)} problems"


def as_float64(inputs: dict) -> dict:
    """Copies of the inputs, floating-point arrays as float64: oracles and mistakes do not round as the student must."""
    return {name: np.array(x, float if x.dtype.kind == "f" else x.dtype) if isinstance(x, np.ndarray) else x
            for name, x in inputs.items()}
