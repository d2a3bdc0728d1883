"""Runs the student's function on the problems: the only place that runs student code. What it returns is plain data."""
import contextlib
import copy
import dis
import linecache
import os
import sys
import traceback
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from workbook import course
from workbook.checks.quiet import isolated, memory
from workbook.checks.values import MANY, Answer, Value, describe, same

KEEP = 400                             # characters of a message, or of what was printed
TWICE = 100                            # a call of at most so many steps in Python is repeated
USABLE = "given.py", "rerun.py"        # files with objects that a student's function is given, and with `display`


def run(item, function, problems) -> list[Answer]:
    """One Answer for each problem. What the function raises is caught, except KeyboardInterrupt."""
    if not callable(function):
        return [Answer(error={"type": "not callable", "message": describe(function).kind}) for _ in problems]
    calls = [_answer(item, function, problem) for problem in problems]
    backwards = [_gives_the_same(item, function, answer, inputs) for answer, inputs in reversed(calls)]
    return [replace(answer, again=again) for (answer, _), again in zip(calls, reversed(backwards))]


def _answer(item, function, problem) -> tuple[Answer, dict]:
    """The answer, and the objects that the function was given."""
    inputs = {name: handed(item, problem.inputs[name]) for name in item.arguments}
    inputs.update((name, make(inputs[name])) for name, make in item.given.items())
    watch = Watch(function)
    slope, peaks = None, []
    if item.slope:
        start = inputs[item.slope].requires_grad_()
        inputs[item.slope] = start.clone()                  # a tensor that is marked itself refuses changes in place
    with isolated() as printed:
        with memory(peaks) if item.memory else contextlib.nullcontext():
            value, returned, error = _called(function, inputs, watch)
        output = printed.getvalue()
        if item.slope and not error:
            slope = gradient(returned, start)
    floats = {name: x.astype(float) for name, x in problem.inputs.items() if np.ndim(x) and x.dtype.kind == "i"}
    if error and floats:                                    # of whole numbers, for instance torch takes no softmax
        return _answer(item, function, SimpleNamespace(inputs=problem.inputs | floats))     # as a problem in a sandbox
    plain = {name: x for name, x in inputs.items() if name not in item.given or isinstance(x, np.ndarray)}
    mutated = [name for name, x in plain.items()
               if not same(describe(x), describe(problem.inputs[name]), tolerance=0.0)
               or not error and name != item.slope                      # marked for a gradient, or with one
               and (getattr(x, "requires_grad", False) or getattr(x, "grad", None) is not None)]
    return Answer(
        value, error, tuple(mutated), tuple(dict.fromkeys(watch.used))[:MANY], watch.steps, output[:KEEP], slope,
        {name: copy.deepcopy(inputs[name].noted) for name in item.given if hasattr(inputs[name], "noted")},
        memory=sum(peaks), line=watch.line(), reads=watch.reads(),
        watched=watch.on and (error is not None or not item.memory or sum(peaks) > 0)), inputs


def handed(item, x):
    """A copy of an input; where an item is of torch, a tensor in place of an array."""
    if item.library != "torch" or not isinstance(x, (np.ndarray, np.generic)):
        return copy.deepcopy(x)
    import torch

    return torch.from_numpy(np.array(x))


def _gives_the_same(item, function, answer: Answer, inputs: dict) -> bool:
    """Whether the very same objects give the same answer again, after the function was called with all others."""
    if answer.error or answer.steps > TWICE:
        return True
    with isolated(seed=1):
        again, _, error = _called(function, inputs, Watch(function))
    return not error and same(again, answer.value)


def _called(function, inputs: dict, watch) -> tuple:
    """(what the function returned as a Value, the object itself, None), or (None, None, the exception `as_data`)."""
    tracer = sys.gettrace()
    sys.settrace(watch)
    try:
        returned = function(*inputs.values())
    except (Exception, SystemExit) as raised:
        return None, None, as_data(raised, watch.home)
    finally:
        watch.on = sys.gettrace() is watch
        sys.settrace(tracer)
    try:
        return describe(returned), returned, None
    except Exception:                                       # an object that pretends to be an array
        return Value(type(returned).__name__), returned, None


def gradient(answer, start) -> Value | None:
    """d (Σ answer_k cos k) / d start. The cosines weight the entries, so that errors in two of them do not cancel.

    None where torch finds no way back; from a tuple, it must find one from each part.
    """
    import torch

    parts = answer if isinstance(answer, (tuple, list)) else [answer]
    if not parts or not all(isinstance(part, torch.Tensor) and part.requires_grad for part in parts):
        return None
    entries = torch.cat([part.reshape(-1) for part in parts])
    total = (entries * torch.cos(torch.arange(entries.numel(), dtype=entries.dtype))).sum()
    try:
        slope, = torch.autograd.grad(total, start, allow_unused=True)
    except RuntimeError:                                            # the student's code has called backward already
        return None
    return None if slope is None else describe(slope)


class Watch:
    """A trace function: counts steps in the student's own code, and notes which functions of nwlab it calls.

    The count is for honest code. It misses what runs in C, in another thread or in code with other globals (`exec`).
    """

    def __init__(self, function):
        self.home = getattr(inmost(function), "__globals__", None)      # the globals of the student's code
        self.used: list[str] = []
        self.codes: dict = {}                               # of the student's functions that ran, by id
        self.steps = 0
        self.end = None                                     # file and line of what returned last
        self.on = True                                      # until the student's code sets another trace function

    def __call__(self, frame, event, arg):
        if frame.f_globals is self.home:
            self.steps += 1
            self.codes[id(frame.f_code)] = frame.f_code
            return self._step
        name = frame.f_code.co_qualname.removesuffix(".__call__")
        if self._is_ours(frame) and "<" not in name and self._is_called_by_the_student(frame):
            self.used.append(name)

    def _is_called_by_the_student(self, frame) -> bool:
        """Also by way of a library. Not from our own code, nor when an earlier cell's figure is collected."""
        while frame := frame.f_back:
            if self._is_ours(frame) or frame.f_code.co_name == "__del__":
                return False
            if frame.f_globals is self.home:
                return True
        return True

    def _step(self, frame, event, arg):
        self.steps += event == "line"
        if event == "return":
            self.end = frame.f_code.co_filename, frame.f_lineno
        return self._step

    def line(self) -> str:
        """The line with which the student's function ended."""
        return linecache.getline(*self.end, self.home).strip()[:KEEP] if self.end else ""

    def reads(self) -> dict[str, str]:
        """The names of the notebook in the code that ran, with the type of what each stands for."""
        names = [line.argval for code in self.codes.values() for line in dis.get_instructions(code)
                 if line.opname == "LOAD_GLOBAL"]
        return {name: type(self.home[name]).__name__ for name in names if name in self.home}

    def _is_ours(self, frame) -> bool:
        """Whether its file is one of nwlab or of this package; an oracle's is, also with other globals."""
        file = frame.f_code.co_filename if frame else ""
        return file.startswith(OURS) and not file.endswith(USABLE)


OURS = tuple(os.path.join(folder, "") for folder in course.PACKAGES)     # the folders of code that is no student's


def inmost(function):
    """The function inside a decorator, a partial or np.vectorize."""
    for _ in range(10):
        inner = [getattr(function, name) for name in ("__wrapped__", "func", "pyfunc") if hasattr(function, name)]
        function = inner[0] if inner else function
    return function


def as_data(raised: BaseException, home) -> dict:
    """An exception as plain data, with the deepest line of the student's own code on the way to it."""
    line, where = "", ""
    for frame, number in traceback.walk_tb(raised.__traceback__):
        if frame.f_globals is home:
            line = linecache.getline(frame.f_code.co_filename, number, frame.f_globals).strip()
            where = frame.f_code.co_name
    try:
        message = str(raised)
    except Exception:                                       # an exception that cannot be shown
        message = ""
    return {"type": type(raised).__name__[:100], "message": message[:KEEP], "line": line[:KEEP], "where": where}
