"""From one submission of an exercise to a verdict for each item: a child runs it in the sandbox, this judges outside.

A verdict's status is "passed", "failed", "not attempted", "timed out", "out of memory", "process died" or
"unreadable". Its texts may contain what untrusted code has written.
"""
import contextlib
import functools
import re
import signal
import threading
import time
from dataclasses import replace
from typing import NamedTuple

from workbook.checks.item import Item, Verdict
from workbook.checks.judge import judge
from workbook.grading import wire
from workbook.grading.rebuild import Rebuilt
from workbook.grading.sandbox import Ended, Sandbox

TIME_IS_UP = "this cell and those before it used up the time of the whole notebook: find the one that does not end"
JUDGING = 60                           # seconds of processor time for the answers of one item; most take 0.01
OF_MEMORY = "MemoryError", "_ArrayMemoryError"                  # torch has no type of its own for that

problems_of = functools.lru_cache(200)(Item.problems)           # the same for the whole class


class Tried(NamedTuple):
    """A verdict, the type of the first exception of its function, whether its cell never defined the function, and
    whether it left on what counts its steps and memory.
    """

    verdict: Verdict
    error: str = ""
    missing: bool = False
    watched: bool = True


def mark(box: Sandbox, exercise, rebuilt: Rebuilt, seed: int) -> list[Verdict]:
    """A Verdict for each item, in order, and more `rebuilt.remarks`. If a cell ends its child, only it is lost: a new
    child runs the others.
    """
    until = time.monotonic() + box.limits.notebook
    cells = [cell for cell in rebuilt.cells if cell["item"] not in rebuilt.untouched]
    sources = {cell["item"]: cell["source"] for cell in cells if cell["item"] and "source" in cell}
    done = {item.name: Tried(Verdict(item.name, "not attempted", 0, item.points), missing=True)
            for item in exercise.items if item.name in rebuilt.untouched}
    while any("function" in cell for cell in cells):
        ended, reason = _one_child(box, exercise, seed, until, done, cells)
        if ended is None:
            break
        # A cell of the master's own belongs to no item: then the first item that is left gets the verdict.
        name = ended["item"] or next(cell["item"] for cell in cells if "function" in cell)
        advice = TIME_IS_UP if time.monotonic() >= until else ""
        verdict = Verdict(name, reason, 0, exercise.item(name).points, next=advice)
        done.setdefault(name, Tried(verdict, missing="source" in ended))
        cells = [cell for cell in cells if cell is not ended and not ("function" in cell and cell["item"] in done)]
    rebuilt.remarks += [f"{name}: its code switched off what counts steps and memory" for name, tried in done.items()
                        if not tried.watched]
    return [_with_cause(item.name, done, sources) for item in exercise.items]


def _one_child(box, exercise, seed, until, done, cells) -> tuple[dict | None, str]:
    """Run the cells in one child. Returns the cell that ended the child, and why; (None, "") if all were run."""
    cell, errors = None, {}
    try:
        with box.child(cell["source"] for cell in cells if "source" in cell) as child:
            for cell in cells:
                end = min(until, time.monotonic() + box.limits.cell)
                if "function" not in cell:
                    errors[cell["item"]] = wire.error(child.ask({"source": cell["source"]}, end))
                    continue
                item = exercise.item(cell["item"])
                problems = problems_of(item, seed)
                got = child.ask(wire.request(item, problems), end)
                done[item.name] = _judged(item, problems, got, errors.get(item.name))
    except Ended as ended:
        return cell, str(ended)
    return None, ""


def _judged(item, problems, got: bytes, cell_error: tuple[str, str] | None) -> Tried:
    """Judge what a child sent. cell_error: type and message of the exception that ended the cell of the answer."""
    try:
        answers = wire.answers(got, len(problems))
        errors = [(answer.error["type"], answer.error["message"]) for answer in answers if answer.error] or [("", "")]
        missing = errors[0][0] == "not callable" and cell_error is not None
        if missing:
            errors = [cell_error]
        if any(name in OF_MEMORY or "can't allocate memory" in message for name, message in errors):
            verdict = Verdict(item.name, "out of memory", 0, item.points)
        elif missing:
            verdict = Verdict(item.name, "failed", 0, item.points, "the cell stops before the function is there",
                              got=": ".join(cell_error), expected=f"a cell that defines {item.name}",
                              next="what does the last line of the message say?")
        else:
            with limited(JUDGING):
                verdict = judge(item, problems, answers)
        return Tried(verdict, errors[0][0], missing, all(answer.watched for answer in answers))
    except Exception as error:                              # an answer of a form that no honest run gives
        return Tried(Verdict(item.name, "unreadable", 0, item.points, got=f"{type(error).__name__}: {error}"[:400]))


@contextlib.contextmanager
def limited(seconds: float):
    """TimeoutError in what takes more processor time, again and again until it ends; without a limit in a thread."""
    def stop(*_):
        raise TimeoutError(f"to judge it took more than {seconds:g} seconds")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _with_cause(name: str, done: dict[str, Tried], sources: dict[str, str]) -> Verdict:
    """The verdict of an item. After a NameError, its cause is another item that the code uses but nothing defines."""
    verdict, error, *_ = done[name]
    words = re.findall(r"\w+", sources.get(name, ""))
    cause = next((other for other in words if other in done and done[other].missing), None)
    if verdict.status != "failed" or error != "NameError" or not cause:
        return verdict
    return replace(verdict, needs=cause, mistake=f"it needs another item: {cause}",
                   next=f"solve `{cause}` first: this function calls it")
