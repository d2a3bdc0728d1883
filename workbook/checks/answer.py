"""What the student's function returned, raised or did on one problem, as plain data."""
from dataclasses import dataclass, field

from workbook.checks.values import Value

VALUES = ("value", "slope")


@dataclass(frozen=True, eq=False)
class Answer:
    """What one call of the student's function gave."""

    value: Value | None = None
    error: dict | None = None          # "type", "message", "line" and "where" of an exception; of what is no function:
                                       # the type "not callable", and as message what it is instead
    mutated: tuple[str, ...] = ()      # inputs that were changed, or marked with requires_grad
    used: tuple[str, ...] = ()         # functions of the course's package that were called
    steps: int = 0                     # Python-level calls and lines in the student's code
    printed: str = ""                  # what was printed meanwhile
    slope: Value | None = None         # d (Σ answer_k cos k) / d `Item.slope`; None where torch finds no way back to it
    noted: dict = field(default_factory=dict)      # what the objects of `Item.given` noted, by argument name
    again: bool = True                 # whether a second call gave the same, if there was one (`run.TWICE`)
    memory: int = 0                    # the peak of bytes held at once, measured if `Item.memory` says so
    reads: dict = field(default_factory=dict)      # names of the notebook in the code that ran, and their types

    def to_dict(self) -> dict:
        """As JSON can hold it."""
        stored = dict(vars(self))
        for name in VALUES:
            stored[name] = stored[name] and stored[name].to_dict()
        return stored

    @classmethod
    def from_dict(cls, stored: dict) -> "Answer":
        """The inverse of `to_dict`."""
        plain = {name: tuple(part) if isinstance(part, list) else part for name, part in stored.items()}
        for name in VALUES:
            plain[name] = stored[name] and Value.from_dict(stored[name])
        return cls(**plain)
