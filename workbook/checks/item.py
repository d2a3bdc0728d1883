"""What an exercise is made of: plain data, which knows nothing of the engine. `workbook.checks` explains it."""
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial, wraps

import numpy as np

LARGE = 120                            # points, for which steps in Python are counted


@dataclass(frozen=True, eq=False)
class Problem:
    """One set of inputs."""

    name: str
    inputs: dict                   # by argument name, NumPy arrays, numbers, strings, or None
    why: str = ""                  # one sentence on what is special here, shown beside the expected answer
    large: bool = False            # whether steps in Python are counted, as it holds LARGE points and more


@dataclass(frozen=True)
class Mistake:
    """A mistake that students make, recognised by the wrong answer it gives."""

    name: str                      # completes "does not hold yet: ..."
    wrong: Callable                # like the oracle, of the inputs by name; it may raise, if the mistake does
    look: str = ""                 # where to look next, short of the solution; by default what advice.md says


def posed(arguments, *rows) -> list[Problem]:
    """A Problem for each row: its name, a value for each argument (a list becomes an array), and perhaps why."""
    return [Problem(name, {argument: np.array(x, float) if isinstance(x, list) else x
                           for argument, x in zip(arguments, row)}, *row[len(arguments):]) for name, *row in rows]


def named(*rows, of=lambda formula: formula, right=None) -> tuple[Mistake, ...]:
    """A Mistake for each row: its name, and what it answers, a function of the inputs.

    In its place may stand a formula, of which `of` makes that function, or a dict: the options with which `right` errs.
    """
    return tuple(Mistake(name, partial(right, **answer) if isinstance(answer, dict) else of(answer))
                 for name, answer in rows)


@dataclass(frozen=True)
class Complaint:
    """What a judge of one's own returns: what is wrong, and on which problem (its number) that is seen."""

    name: str
    problem: int = 0
    values: dict = field(default_factory=dict)     # what stands in {braces} in the name and in the texts of advice.md
    look: str = ""                 # where to look next; by default what advice.md says


def first_wrong(rows: Callable) -> Callable:
    """A judge of one's own, from a function that yields rows: whether it is wrong, and the parts of a Complaint."""
    @wraps(rows)
    def judge(*answers):
        return next((Complaint(*parts) for wrong, *parts in rows(*answers) if wrong), None)

    return judge


@dataclass(frozen=True)
class Verdict:
    """The result of an item, in words. Its texts stand in the order in which they are shown."""

    item: str
    status: str                    # "passed", "failed", or what `workbook.grading.mark` says beside
    points: int
    most: int                      # the points that there are
    mistake: str = ""
    tried: str = ""
    got: str = ""
    expected: str = ""
    why: str = ""
    next: str = ""
    line: str = ""
    needs: str = ""                        # another item that this one calls, and without which it cannot hold

    @property
    def holds(self) -> bool:
        return self.status == "passed"


@dataclass(frozen=True, eq=False)
class Item:
    """One checked function. ValueError, when made, for a declaration that would let wrong answers pass."""

    name: str                      # of the student's function
    title: str                     # two or three words, for lists
    returns: str                   # what the function returns, with its shape: follows "It returns: ", so no full stop
    arguments: tuple[str, ...]     # in the order in which the function takes them
    by_hand: Callable | tuple = ()     # rows as `posed` takes them; or what makes rows or Problems of a Generator
    oracle: Callable | None = None         # of the inputs by name (float64, NumPy): the right answer
    inputs: tuple = ()             # descriptions, `inputs.Inputs`: from each follow the problems of any such item
    points: int = 1
    mistakes: tuple[Mistake, ...] = ()
    library: str = "numpy"         # of the inputs and the answer; "any": inputs are NumPy, answers either
    loops: bool = True             # in Python; False: they are refused
    may_use: tuple[str, ...] = ()  # names of the course's functions that the student may call here
    optional: tuple[str, ...] = ()     # arguments that are left out of the call where the input is None
    tolerance: float | None = None     # a relative one, where rounding is not all that may differ
    exact_shape: bool = False      # True: (1,) where () is asked is a mistake
    slope: str = ""                # torch: the argument to which a right gradient must lead back from the answer
    given: dict = field(default_factory=dict)      # argument -> what makes of the input the object the student gets
    memory: bool = False           # True: `Answer.memory` is measured
    own_judge: Callable | None = None  # of problems, answers (plain data) and `Answer`s: a Complaint or None
    package: str = ""              # set by `Exercise` alone: where advice.md is found

    def __post_init__(self):
        if not (self.oracle or self.own_judge):
            raise ValueError(f"item {self.name!r}: expected an oracle, or own_judge")

    def problems(self, seed: int = 0) -> list[Problem]:
        """The problems of a seed, with the item's arguments only: always as many, and the same for the same seed."""
        rows = self.by_hand(np.random.default_rng(seed)) if callable(self.by_hand) else self.by_hand
        problems = [row if isinstance(row, Problem) else posed(self.arguments, row)[0] for row in rows]
        for number, inputs in enumerate(self.inputs):
            problems += inputs.problems(np.random.default_rng([seed, 2, number]), self.arguments)
        return [replace(problem, inputs={name: problem.inputs[name] for name in self.arguments})
                for problem in problems]


@dataclass(eq=False)
class Exercise:
    """The items of one exercise, in order. `publish` (see `notebook`) gives its package what a notebook calls."""

    package: str                   # where it stands, `__name__` of its __init__.py: "mycourse.exercises.warm_up"
    title: str
    items: tuple[Item, ...]

    @property
    def name(self) -> str:
        return self.package.rpartition(".")[2]

    def __post_init__(self):
        self.items = tuple(replace(item, package=self.package) for item in self.items)

    @property
    def points(self) -> int:
        return sum(item.points for item in self.items)

    def item(self, name: str) -> Item:
        """The item of that name. ValueError with the names that there are."""
        for item in self.items:
            if item.name == name:
                return item
        raise ValueError(f"item: got {name!r}, expected one of {', '.join(item.name for item in self.items)}")


def count(n: int, word: str) -> str:
    """1 point, 2 points."""
    return f"{n} {word}{'s' * (n != 1)}"
