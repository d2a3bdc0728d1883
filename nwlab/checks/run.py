"""Runs the student's function on the problems: the only place that runs student code. What it returns is plain data."""
from __future__ import annotations

import copy
import functools
import inspect
import linecache
import sys
from dataclasses import dataclass

import numpy as np

from nwlab.checks.quiet import undisturbed
from nwlab.checks.values import Value, describe

KEEP = 400                             # characters of a message, or of what was printed


@dataclass(frozen=True, eq=False)
class Answer:
    """What came back on one problem.

    error: {"type", "message", "line", "where"} of an exception; type "not callable" and "arguments" are ours.
    mutated: inputs that were changed. used: nwlab's functions that were called. steps: Python-level calls and lines in
    the student's code. warnings: their texts. printed: what was printed meanwhile.
    """

    value: Value | None = None
    error: dict | None = None
    mutated: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    steps: int = 0
    warnings: tuple[str, ...] = ()
    printed: str = ""

    @property
    def kind(self) -> str:
        return self.value.kind if self.value else ""

    @property
    def dtype(self) -> str:
        return self.value.dtype if self.value else ""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape if self.value else ()

    def to_dict(self) -> dict:
        """As JSON can hold it."""
        return {"value": self.value.to_dict() if self.value else None, "error": self.error, "mutated": list(self.mutated),
                "used": list(self.used), "steps": self.steps, "warnings": list(self.warnings), "printed": self.printed}

    @classmethod
    def from_dict(cls, stored: dict) -> Answer:
        """The inverse of `to_dict`."""
        return cls(Value.from_dict(stored["value"]) if stored["value"] else None, stored["error"],
                   tuple(stored["mutated"]), tuple(stored["used"]), stored["steps"], tuple(stored["warnings"]),
                   stored["printed"])


def run(item, function, problems) -> list[Answer]:
    """One Answer for each problem. Nothing that the function does escapes, but for KeyboardInterrupt."""
    refused = _cannot_be_called(item, function)
    return [Answer(error=refused) if refused else _answer(item, function, problem) for problem in problems]


def inputs_for(item, problem) -> list:
    """Copies of a problem's inputs, in the order of the arguments and in the item's library."""
    inputs = [copy.deepcopy(problem.inputs[name]) for name in item.arguments]
    if item.library == "torch":
        import torch

        inputs = [torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in inputs]
    return inputs


def _answer(item, function, problem) -> Answer:
    inputs, value, error = inputs_for(item, problem), None, None
    watch = Watch(function)
    with undisturbed() as (printed, warned):
        before = sys.gettrace()
        sys.settrace(watch)
        try:
            returned = function(*inputs)
        except (Exception, SystemExit) as raised:
            error = _told(raised, watch.home)
        else:
            sys.settrace(before)
            try:
                value = describe(returned)
            except Exception:                                   # an object that pretends to be an array
                value = Value(type(returned).__name__)
        finally:
            sys.settrace(before)
    changed = [name for name, now in zip(item.arguments, inputs) if not _unchanged(now, problem.inputs[name])]
    return Answer(value, error, tuple(changed), tuple(dict.fromkeys(watch.used)), watch.steps,
                  tuple(dict.fromkeys(str(w.message)[:KEEP] for w in warned)), printed.getvalue()[:KEEP])


class Watch:
    """A trace function: counts steps in the student's own code, and notes which functions of nwlab it calls."""

    def __init__(self, function):
        self.home = _globals_of(function)
        self.used: list[str] = []
        self.steps = 0

    def __call__(self, frame, event, arg):
        if _is_nwlab(frame):
            name = frame.f_code.co_qualname.removesuffix(".__call__")
            if not _is_nwlab(frame.f_back) and "<" not in name:
                self.used.append(name)
        elif frame.f_globals is self.home:
            self.steps += 1
            return self._step
        return None

    def _step(self, frame, event, arg):
        self.steps += event == "line"
        return self._step


def _is_nwlab(frame) -> bool:
    name = (frame.f_globals.get("__name__") or "") if frame else ""
    return (name == "nwlab" or name.startswith("nwlab.")) and not name.startswith(("nwlab.checks", "nwlab.exercises"))


def _globals_of(function):
    """The globals of the student's code: of the function within a partial, a decorator, np.vectorize or an object."""
    for _ in range(10):
        if hasattr(function, "__globals__") and not hasattr(function, "__wrapped__"):
            return function.__globals__
        inner = next((getattr(function, name) for name in ("__wrapped__", "func", "pyfunc", "__func__")
                      if hasattr(function, name)), None)
        if inner is None:
            return getattr(vars(type(function)).get("__call__"), "__globals__", None)      # an object that is called
        function = inner


def _cannot_be_called(item, function) -> dict | None:
    if not callable(function):
        value = describe(function)
        return {"type": "not callable", "message": value.kind, "line": "", "where": ""}
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*item.arguments)
    except TypeError:
        name = getattr(function, "__name__", item.name) if not isinstance(function, functools.partial) else item.name
        return {"type": "arguments", "message": f"{name}{signature}", "line": "", "where": ""}
    return None


def _told(raised: BaseException, home) -> dict:
    """An exception as plain data, with the deepest line of the student's own code on the way to it."""
    line, where, step = "", "", raised.__traceback__
    while step is not None:
        frame = step.tb_frame
        if frame.f_globals is home:
            line = linecache.getline(frame.f_code.co_filename, step.tb_lineno, frame.f_globals).strip()
            where = frame.f_code.co_name
        step = step.tb_next
    return {"type": type(raised).__name__, "message": str(raised)[:KEEP], "line": line[:KEEP], "where": where}


def _unchanged(now, before) -> bool:
    now, before = describe(now), describe(before)
    if not before.numeric:
        return now.to_dict() == before.to_dict()
    return now.shape == before.shape and np.array_equal(now.data, before.data, equal_nan=before.data.dtype.kind == "f")
