"""What the judge and its finders look at: a problem beside its answer and the right one; and what a finder reports."""
import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

import numpy as np

from workbook.checks import hints, values
from workbook.checks.item import Item, Problem
from workbook.checks.values import Answer, Value, describe
from workbook.language import say

ORDINALS = say("first"), say("second"), say("third"), say("fourth"), say("fifth"), say("sixth")


@dataclass(eq=False)
class Case:
    """A problem, its answer, and the right answer (None where the item has only a judge of its own)."""

    item: Item
    problem: Problem
    answer: Answer
    right: Value | None
    got: Value | None = None       # what was returned; an array of numbers where a tuple of them is right is a tuple

    def __post_init__(self):
        value, right = self.got or self.answer.value or Value("NoneType"), self.right
        several = right is not None and right.kind == "tuple" and not any(x.shape for x in right.data)
        if several and value.numeric and value.shape == (len(right.data),):
            value = Value("tuple", data=tuple(replace(value, shape=(), data=x) for x in map(np.asarray, value.data)))
        self.got = value

    @cached_property
    def parts(self) -> "list[Case]":
        """A case for each part of a tuple; none where no tuple is right, or one with more or fewer things came back."""
        data, right = self.got.data, self.right
        if not (right and right.kind == "tuple" and isinstance(data, tuple) and len(data) == len(right.data)):
            return []
        return [replace(self, got=part, right=right) for part, right in zip(data, right.data)]

    @property
    def broken(self) -> bool:
        """Whether NaN or infinity came back where a finite number is right."""
        if self.parts:
            return any(part.broken for part in self.parts)
        got, right = self.floats() or (0.0, 0.0)
        return bool(np.any(~np.isfinite(got) & np.isfinite(right)))

    @cached_property
    def plain(self):
        """What was returned as arrays, numbers and tuples, for a judge of one's own."""
        return self.got.plain()

    @property
    def error(self) -> dict:
        return self.answer.error or {}

    def is_like(self, value: Value | str) -> bool:
        """Whether the answer is this value, or this exception (the name of its type)."""
        if isinstance(value, str) or self.error:
            raised = self.error.get("type")     # where NumPy raises a ValueError, torch does a RuntimeError
            return raised == value or (raised, value) == ("RuntimeError", "ValueError")
        return values.same(self.got, value, self.item.tolerance)

    @cached_property
    def good(self) -> bool:
        return self.right is None or self.is_like(self.right)

    def floats(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The answer and the right one as float64; None where they are not numbers of one shape."""
        if self.right and self.right.numeric and self.got.numeric and values.fits(self.got, self.right):
            return self.got.data.reshape(self.right.shape).astype(float), self.right.data.astype(float)

    def explains(self, cases: "list[Case]") -> bool:
        """Whether what is special about this problem explains the failure: it is the same in all problems that fail."""
        return bool(self.problem.why) and all(other.problem.why == self.problem.why for other in wrong(cases))

    @cached_property
    def size(self) -> int:
        """How many numbers there are among the inputs."""
        return sum(np.size(x) for x in self.problem.inputs.values())


@dataclass(frozen=True)
class Finding:
    """What a finder reports: the mistake by its name in findings.md or advice.md, and the case that shows it."""

    name: str
    case: Case
    values: dict = field(default_factory=dict)     # what fills the {braces} in the name and in the file's texts
    got: str = ""
    expected: str = ""
    advice: str = ""               # the heading in findings.md, if it is not the name
    bare: bool = False             # show neither inputs nor answers
    place: str = ""                # where in a tuple it is, in words
    shapes: bool = False           # of arrays only the shapes are shown, because their numbers do not matter

    def words(self, item) -> list[str]:
        """The mistake, where to look next, and what was expected ("" where no text says it)."""
        own = hints.advice(item.package).get((item.name, self.name)) if item.package else None
        ours = hints.advice(__package__, "findings.md")
        name, _ = own or ours.get(("any item", self.name), (self.name, ""))
        _, look = own or ours.get(("any item", self.advice or self.name), ("", ""))
        look, _, expected = look.partition(" Expected: ")
        known = {"item": item.name, "arguments": ", ".join(item.arguments), "returns": item.returns,
                 "slope": item.slope, "np": "torch" if item.library == "torch" else "np"}
        name, *others = (text.format(**known | self.values) for text in (name, look, self.expected or expected))
        return [name + self.place, *others]


def in_parts(finder):
    """The finder, which looks at each part of a tuple in turn where tuples are right."""
    def found_in_part(item, cases):
        for k, parts in enumerate(zip(*(case.parts for case in cases))):
            for found in finder(item, list(parts)):
                place = say(", in the {ordinal} of {n} results", ordinal=ORDINALS[k], n=len(cases[0].parts))
                yield replace(found, case=cases[parts.index(found.case)], place=place)
        yield from finder(item, cases)

    return found_in_part


def numbers(finder):
    """A finder of the sound cases and of `bad`, the wrong ones: asked if there are some and all answers are numbers."""
    @in_parts
    def found_in_numbers(item, cases):
        cases = sound(cases)
        bad = wrong(cases)
        if bad and all(case.floats() for case in cases):
            yield from finder(item, cases, bad)

    return found_in_numbers


def wrong(cases: list[Case]) -> list[Case]:
    return [case for case in cases if not case.good]


def sound(cases: list[Case]) -> list[Case]:
    """The cases without those that are broken, where these are fewer than half of the wrong ones; else all."""
    kept = [case for case in cases if not case.broken]
    return kept if 2 * len(wrong(kept)) > len(wrong(cases)) else cases


def predict(function, problem, change=lambda inputs: inputs) -> Value | str:
    """What a function of the inputs answers to a problem, or the name of the exception that it raises.

    change: takes the inputs and returns those that the function is given in their place.
    """
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            return describe(function(**change(as_float64(problem.inputs))))
        except Exception as error:
            return type(error).__name__


def slope_of(item, case) -> str:
    """With respect to what a gradient is asked for, in words."""
    scalars = [name for name, x in case.problem.inputs.items() if getattr(x, "shape", None) == ()]
    return item.slope or (scalars[0] if scalars else say("the parameters"))


def listed(words) -> str:
    """The words in a row: this and that."""
    return reduce(lambda before, last: say("{first} and {second}", first=before, second=last), words) if words else ""


def smallest(cases: list[Case]) -> Case:
    """The case with the fewest numbers in it; the first among equals."""
    return min(cases, key=lambda case: case.size)


def usual(cases: list[Case]) -> list[Case]:
    """The cases whose problems have nothing special."""
    return [case for case in cases if not case.problem.why]


def as_float64(inputs: dict) -> dict:
    """Copies of the inputs, arrays of numbers as float64, so that oracles and mistakes neither round nor truncate."""
    return {name: np.array(x, float if x.dtype.kind in "fi" else x.dtype) if isinstance(x, np.ndarray) else x
            for name, x in inputs.items()}
