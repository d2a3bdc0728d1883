"""What came back from the student's function on one problem, as plain data."""
from __future__ import annotations

from dataclasses import dataclass, field

from nwlab.checks.values import Value


@dataclass(frozen=True, eq=False)
class Answer:
    """What came back on one problem.

    error: {"type", "message", "line", "where", "cause"} of an exception; type "not callable" and "arguments" are ours,
    and so is cause: "" or one of the refusals that `nwlab.checks.torch` knows.
    mutated: inputs that were changed. used: nwlab's functions that were called. steps: Python-level calls and lines in
    the student's code. warnings: their texts. printed: what was printed meanwhile.
    marked: inputs that require a gradient after the call, or hold one, though they came without. slope: the gradient of
    Σ answer_k cos k by the argument `Item.slope`; None where torch finds no way back to it. noted: what the objects of
    `Item.given` noted, by argument name. again: whether a second call gave the same (`Item.twice`).
    """

    value: Value | None = None
    error: dict | None = None
    mutated: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    steps: int = 0
    warnings: tuple[str, ...] = ()
    printed: str = ""
    marked: tuple[str, ...] = ()
    slope: Value | None = None
    noted: dict = field(default_factory=dict)
    again: bool = True

    @property
    def dtype(self) -> str:
        return self.value.dtype if self.value else ""

    def to_dict(self) -> dict:
        """As JSON can hold it."""
        return vars(self) | {name: (part := getattr(self, name)) and part.to_dict() for name in ("value", "slope")}

    @classmethod
    def from_dict(cls, stored: dict) -> Answer:
        """The inverse of `to_dict`."""
        plain = {name: tuple(part) if isinstance(part, list) else part for name, part in stored.items()}
        return cls(**plain | {name: stored[name] and Value.from_dict(stored[name]) for name in ("value", "slope")})
