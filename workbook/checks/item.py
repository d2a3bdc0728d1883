"""What an exercise is made of: plain data, without the engine. README.md beside this explains it with an example."""
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from inspect import signature
from typing import NamedTuple

import numpy as np

from workbook.checks import hints
from workbook.language import say

LARGE = 120                            # points: from so many on, steps in Python are counted


@dataclass(frozen=True, eq=False)
class Problem:
    """One set of inputs."""

    name: str
    inputs: dict                   # argument name -> NumPy array, number, string, or None
    why: str = ""                  # one sentence on what is special here, shown beside the expected answer
    large: bool = False            # whether it has LARGE points or more: steps in Python are counted


class Mistake(NamedTuple):
    """A mistake that students make, recognised by the wrong answer it gives. advice.md says where to look next."""

    name: str                      # completes "does not hold yet: ..."
    wrong: Callable | dict         # takes the inputs by name, like the oracle; may raise what the mistake raises. Or
                                   # options with which the oracle errs


def posed(arguments, *rows) -> list[Problem]:
    """A Problem for each row: name, a value for each argument (a list becomes an array), and `why` if it is special."""
    return [Problem(name, {argument: np.array(x, float) if isinstance(x, list) else x
                           for argument, x in zip(arguments, row)}, *row[len(arguments):]) for name, *row in rows]


@dataclass(frozen=True)
class Verdict:
    """The result of an item, in words. Its texts stand in the order in which they are shown."""

    item: str
    status: str                    # "passed", "failed", or one that `workbook.grading.mark` adds
    points: float
    most: int                      # the points of the item
    mistake: str = ""
    tried: str = ""
    got: str = ""
    expected: str = ""
    why: str = ""
    next: str = ""
    line: str = ""

    @property
    def holds(self) -> bool:
        return self.status == "passed"


@dataclass(frozen=True, eq=False)
class Item:
    """One checked function. ValueError if it has neither an oracle nor an own_judge, since any answer would pass."""

    name: str                      # of the student's function
    _: KW_ONLY
    title: str = ""                # two or three words, for lists; this and the next two: as hints.md says
    returns: str = ""              # what the function returns, with its shape, without a full stop
    hints: tuple[str, ...] = ()    # three, from a nudge to nearly there
    arguments: tuple[str, ...] = ()    # of the function, in order; by default those that the oracle must be given
    by_hand: Callable | tuple = ()     # rows for `posed`; or a function of a Generator, yielding rows or Problems
    oracle: Callable | None = None     # takes the inputs by name (NumPy, float64), returns the right answer
    inputs: tuple = ()             # `inputs.Inputs`, from each of which problems are drawn
    points: int = 1
    mistakes: tuple = ()           # rows for `Mistake`
    library: str = "numpy"         # of the inputs and the answer; "any": inputs are NumPy, answers either
    loops: bool = True             # False: loops in Python are refused
    may_use: tuple[str, ...] = ()  # nwlab's functions that the student may call here
    tolerance: float | None = None     # relative; where right answers may differ by more than rounding
    slope: str = ""                # torch: the argument to which a right gradient must lead back from the answer
    given: dict = field(default_factory=dict)      # argument -> function of the input; its result is passed
    memory: bool = False           # True: `Answer.memory` is measured
    own_judge: Callable | None = None  # takes `cases.Case`s, yields rows: wrong, name of the mistake, case, {braces}
    package: str = ""              # set by `Exercise` alone: where advice.md is found

    def __post_init__(self):
        if not (self.oracle or self.own_judge):
            raise ValueError(f"item {self.name!r}: got neither, expected an oracle, or own_judge")
        if not self.arguments:
            parameters = signature(self.oracle).parameters.values()
            object.__setattr__(self, "arguments", tuple(one.name for one in parameters if one.default is one.empty
                                                        and one.kind is one.POSITIONAL_OR_KEYWORD))
        object.__setattr__(self, "mistakes", tuple(
            Mistake(name, partial(self.oracle, **wrong) if isinstance(wrong, dict) else wrong)
            for name, wrong in self.mistakes))

    def problems(self, seed: int = 0) -> list[Problem]:
        """The problems of a seed, with the item's arguments only. Their number is the same for every seed."""
        rows = self.by_hand(np.random.default_rng(seed)) if callable(self.by_hand) else self.by_hand
        problems = [row if isinstance(row, Problem) else posed(self.arguments, row)[0] for row in rows]
        for number, inputs in enumerate(self.inputs):
            problems += inputs.problems(np.random.default_rng([seed, 2, number]), self.arguments,
                                        whole=self.library != "torch")
        return [replace(problem, inputs={name: problem.inputs[name] for name in self.arguments})
                for problem in problems]


@dataclass(eq=False)
class Exercise:
    """The items of one exercise, in order. `publish` (see `notebook`) gives its package what a notebook calls."""

    package: str                   # where it stands, the `__package__` of its items.py: "workbook.exercises.warm_up"
    title: str
    items: tuple[Item, ...]        # ValueError if hints.md says nothing of one

    @property
    def name(self) -> str:
        return self.package.rpartition(".")[2]

    def __post_init__(self):
        about = hints.read(self.package)
        if missing := [item.name for item in self.items if item.name not in about]:
            raise ValueError(f"{self.package}: hints.md has no section '## {missing[0]}: title'")
        self.items = tuple(replace(item, package=self.package, **about[item.name]) for item in self.items)

    @property
    def points(self) -> int:
        return sum(item.points for item in self.items)

    def item(self, name: str) -> Item:
        """The item of that name. ValueError with the names that there are."""
        for item in self.items:
            if item.name == name:
                return item
        raise ValueError(say("item: got {name}, expected one of {names}", name=repr(name),
                             names=", ".join(item.name for item in self.items)))


def count(n: int, word: str) -> str:
    """1 point, 2 points."""
    return f"{n} {word}{'s' * (n != 1)}"
