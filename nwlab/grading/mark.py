"""One submission of one exercise, to an outcome for each item: the child runs it, and the verdict falls out here."""
import functools
import time
from dataclasses import dataclass

from nwlab.checks.judge import judge
from nwlab.grading import wire
from nwlab.grading.rebuild import Rebuilt
from nwlab.grading.sandbox import Ended, Sandbox

SHOWN = ("mistake", "tried", "came", "expected", "why", "next")


@dataclass(frozen=True)
class Outcome:
    """What an item came to.

    status: "passed", "failed", "not attempted", "timed out", "out of memory", "too many processes", "process died",
    "output flood" or "unreadable". The texts are those of the verdict, with what a stranger's code says in them.
    """

    item: str
    status: str
    points: int
    most: int
    mistake: str = ""
    tried: str = ""
    came: str = ""
    expected: str = ""
    why: str = ""
    next: str = ""


def mark(box: Sandbox, exercise, rebuilt: Rebuilt, seed: int) -> list[Outcome]:
    """An Outcome for each item, in order. Nothing that a submission does is raised here.

    A cell that ends its child costs what stands in it, and no more: a new child runs the others.
    """
    until = time.monotonic() + box.limits.notebook
    cells = [cell for cell in rebuilt.cells if cell["item"] not in rebuilt.untouched]
    done = {item.name: Outcome(item.name, "not attempted", 0, item.points)
            for item in exercise.items if item.name in rebuilt.untouched}
    while any("function" in cell for cell in cells):
        ended, reason = _one_child(box, exercise, cells, seed, until, done)
        if ended is None:
            break
        name = ended["item"] or next(cell["item"] for cell in cells if "function" in cell)      # the master's cell: whose?
        item = exercise.item(name)
        done.setdefault(name, Outcome(name, reason, 0, item.points))
        cells = [cell for cell in cells if cell is not ended and not ("function" in cell and cell["item"] in done)]
    return [done[item.name] for item in exercise.items]


def _one_child(box, exercise, cells, seed, until, done) -> tuple[dict | None, str]:
    """Run the cells until all are done, or until one ends the child: that cell and why, or None."""
    cell = None
    try:
        with box.child() as child:
            for cell in cells:
                end = min(until, time.monotonic() + box.limits.cell)
                if "function" not in cell:
                    child.ask({"source": cell["source"]}, end)
                    continue
                item = exercise.item(cell["item"])
                problems = _problems(item, seed)
                came = child.ask(wire.asked(item, problems), end)
                done[item.name] = _judged(item, problems, came)
    except Ended as ended:
        return cell, str(ended)
    return None, ""


_problems = functools.lru_cache(200)(lambda item, seed: item.problems(seed))     # the same for the whole class


def _judged(item, problems, came: bytes) -> Outcome:
    try:
        answers = wire.answers(came, len(problems))
    except wire.Unreadable as error:
        return Outcome(item.name, "unreadable", 0, item.points, came=str(error))
    if any((answer.error or {}).get("type") == "MemoryError" or "can't allocate memory" in (answer.error or {}).get("message", "")
           for answer in answers):
        return Outcome(item.name, "out of memory", 0, item.points)
    try:
        verdict = judge(item, problems, answers)
    except Exception as error:                              # an answer of a form that no honest run gives
        return Outcome(item.name, "unreadable", 0, item.points, came=f"{type(error).__name__}: {error}"[:400])
    if verdict.holds:
        return Outcome(item.name, "passed", item.points, item.points)
    return Outcome(item.name, "failed", 0, item.points, *(getattr(verdict, name) for name in SHOWN))
