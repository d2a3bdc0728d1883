"""What an exercise is made of: plain data, which knows nothing of the engine. `nwlab.checks` explains it."""
from __future__ import annotations

import keyword
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

LIBRARIES = ("numpy", "torch", "any")
SIZES = (8, 24)                        # the two sizes on which steps in Python are counted


@dataclass(frozen=True, eq=False)
class Problem:
    """One set of inputs. why: one sentence on what is special here, shown beside the expected answer.

    inputs: by argument name, NumPy arrays, numbers, strings, or None. size is set by `Item.problems` alone.
    """

    name: str
    inputs: dict
    why: str = ""
    size: int = 0


@dataclass(frozen=True)
class Mistake:
    """A mistake that students make, recognised by the wrong answer it gives.

    name: completes "does not hold yet: ...".  look: where to look next, short of the solution.
    wrong: like the oracle, a function of the inputs by name, that makes the mistake. It may raise, if the mistake does.
    """

    name: str
    look: str
    wrong: Callable


@dataclass(frozen=True)
class Complaint:
    """What a judge of one's own returns: what is wrong, seen on which problem (its number), and where to look next."""

    name: str
    look: str
    problem: int = 0
    expected: str = ""


@dataclass(frozen=True)
class Verdict:
    """What the judge found, in words. The fields stand in the order in which they are shown."""

    holds: bool
    line: str
    mistake: str = ""
    tried: str = ""
    came: str = ""
    expected: str = ""
    why: str = ""
    next: str = ""
    remark: str = ""


@dataclass(frozen=True, eq=False)
class Item:
    """One checked function. ValueError, when made, for a declaration that is incomplete."""

    name: str                          # of the student's function
    title: str                         # two or three words, for lists
    returns: str                       # what the function returns, with its shape: follows "It returns: ", so no full stop
    arguments: tuple[str, ...]         # in the order in which the function takes them
    make_problems: Callable            # of a numpy Generator: a list of Problems, always as many
    oracle: Callable | None            # of the inputs by name (float64, NumPy): the right answer
    points: int = 1
    mistakes: tuple[Mistake, ...] = ()
    library: str = "numpy"             # what the inputs are and the answer must be; "any": inputs are NumPy, answers either
    vectorised: bool = False           # True: a loop in Python fails; False: it passes, with a remark if `sized` is there
    sized: Callable | None = None      # of a Generator and n: inputs of that size, to count steps in Python on two sizes
    may_use: tuple[str, ...] = ()      # names of nwlab functions that the student may call here
    tolerance: float | None = None     # a relative one, where rounding is not all that may differ
    own_judge: Callable | None = None  # of the problems and the answers (plain data): a Complaint, or None if all holds;
                                       # where slope, given or twice is set, of the `Answer`s as a third argument too
    slope: str = ""                    # torch: the argument to which a gradient must lead back from the answer
    given: dict = field(default_factory=dict)    # argument -> a function that makes of the input what the student gets in
                                       # its place; what such an object has `noted`, a dict of plain data, is kept
    exact_shape: bool = False          # whether (1,) where () is asked is a mistake
    twice: bool = False                # whether a second call with the very same objects must give the same, and leave them unmarked

    def __post_init__(self):
        def refuse(what, got, expected):
            raise ValueError(f"item {self.name!r}, {what}: got {got}, expected {expected}")

        if not isinstance(self.name, str) or not self.name.isidentifier() or keyword.iskeyword(self.name):
            refuse("name", repr(self.name), "the name of a function")
        for part in ("title", "returns"):
            if not isinstance(getattr(self, part), str) or not getattr(self, part).strip():
                refuse(part, repr(getattr(self, part)), "words")
        if isinstance(self.arguments, str) or not all(isinstance(a, str) and a.isidentifier() for a in self.arguments):
            refuse("arguments", repr(self.arguments), 'a tuple of names, like ("x", "keys")')
        if not isinstance(self.points, int) or self.points < 1:
            refuse("points", repr(self.points), "a whole number of at least 1")
        if self.library not in LIBRARIES:
            refuse("library", repr(self.library), f"one of {', '.join(LIBRARIES)}")
        if self.oracle is None and self.own_judge is None:
            refuse("oracle", "None", "a function, or own_judge")
        if self.vectorised and self.sized is None:
            refuse("sized", "None", "a function of a Generator and n, as vectorised is True")
        if self.slope and (self.library != "torch" or self.slope not in self.arguments):
            refuse("slope", repr(self.slope), "one of the arguments, and library='torch'")
        if unknown := set(self.given) - set(self.arguments):
            refuse("given", repr(min(unknown)), f"one of {', '.join(self.arguments)}")
        names = [mistake.name for mistake in self.mistakes]
        if len(set(names)) < len(names):
            refuse("mistakes", f"two called {max(names, key=names.count)!r}", "different names")

    def problems(self, seed: int = 0) -> list[Problem]:
        """The problems of a seed: always as many, and the same for the same seed."""
        problems = list(self.make_problems(np.random.default_rng(seed)))
        if self.sized:
            rng = np.random.default_rng([seed, 1])
            problems += [Problem(f"size {n}", self.sized(rng, n), size=n) for n in SIZES]
        return problems

    def answers(self, function, problems: list[Problem]) -> list:
        """What the student's function says to the problems, as plain data: the one step that runs the student's code."""
        from nwlab.checks.run import run

        return run(self, function, problems)

    def judge(self, problems: list[Problem], answers: list) -> Verdict:
        """The verdict on answers. Runs nothing of the student's, so it may be called in another process."""
        from nwlab.checks.judge import judge

        return judge(self, problems, answers)


@dataclass(eq=False)
class Exercise:
    """The items of one exercise, in order. `nwlab.checks.notebook.publish` gives its package what a notebook calls."""

    name: str
    title: str
    items: tuple[Item, ...]

    def __post_init__(self):
        names = [item.name for item in self.items]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"exercise {self.name!r}: got two items called {name!r}, expected different names")
        if not names:
            raise ValueError(f"exercise {self.name!r}: got no items, expected at least one")

    @property
    def points(self) -> int:
        """What all items together are worth."""
        return sum(item.points for item in self.items)

    def item(self, name: str) -> Item:
        """The item of that name. ValueError with the names that there are."""
        for item in self.items:
            if item.name == name:
                return item
        raise ValueError(f"item: got {name!r}, expected one of {', '.join(item.name for item in self.items)}")
