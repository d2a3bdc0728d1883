"""One submission of one exercise, to a verdict for each item: the child runs it, and it is judged out here.

A verdict's status is "passed", "failed", "not attempted", "timed out", "out of memory", "too many processes", "process
died", "output flood" or "unreadable". Its texts hold what a stranger's code says.
"""
import ast
import contextlib
import functools
import re
import time
from dataclasses import replace

from workbook.checks.item import Verdict
from workbook.checks.judge import judge
from workbook.grading import wire
from workbook.grading.rebuild import Rebuilt
from workbook.grading.sandbox import Ended, Sandbox

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
STOPPED = "the cell stops before the function is there"
NEEDS = "it needs another item: "      # how the mistake begins where a function calls one that is missing, or hangs
TIME_IS_UP = "this cell, or those before it, used up the time of the whole notebook: find the one that does not end"
LONG = 50_000                          # characters of a cell that is parsed: a megabyte takes 20 s and half a gigabyte


def mark(box: Sandbox, exercise, rebuilt: Rebuilt, seed: int) -> list[Verdict]:
    """A Verdict for each item, in order. Nothing that a submission does is raised here.

    A cell that ends its child costs only what is in it: a new child runs the others. An item that is lost in another
    cell's company is tried once more alone, as a thread or an alarm of the other may have ended it. So is one that
    fails in company of a cell that does more than define: it may have changed what all build on.
    """
    until = time.monotonic() + box.limits.notebook
    tried = [cell for cell in rebuilt.cells if cell["item"] not in rebuilt.untouched]
    sources = {cell["item"]: cell["source"] for cell in tried if cell["item"] and "source" in cell}
    done = {item.name: Verdict(item.name, "not attempted", 0, item.points)
            for item in exercise.items if item.name in rebuilt.untouched}
    cells, restarted = tried, False
    while any("function" in cell for cell in cells):
        ended, reason = _one_child(box, exercise, cells, seed, until, done)
        if ended is None:
            break
        if not restarted and not any(cell["item"] for cell in cells[:cells.index(ended) + 1]):
            box.close()                                     # no answer has run yet: the sandbox itself is broken
            restarted = True
            continue
        name = ended["item"] or next(cell["item"] for cell in cells if "function" in cell)   # a cell of the master's
        points = exercise.item(name).points
        done.setdefault(name, Verdict(name, reason, 0, points, next=TIME_IS_UP * (time.monotonic() >= until)))
        cells = [cell for cell in cells if cell is not ended and not ("function" in cell and cell["item"] in done)]
    for name, verdict in list(done.items()):
        needed = _needed(sources, name)
        company = [source for item, source in sources.items() if item not in needed]
        lost = verdict.status not in ("failed", "timed out") or verdict.mistake == STOPPED
        if verdict.status not in ("passed", "not attempted") and company and (lost or any(map(does_more, company))):
            alone = [cell for cell in tried
                     if cell["item"] in ("", name) or "source" in cell and cell["item"] in needed]
            _one_child(box, exercise, alone, seed, until, done)
    names = [item.name for item in exercise.items]
    return [_with_cause(done[name], done, sources, names[:place]) for place, name in enumerate(names)]


def _one_child(box, exercise, cells, seed, until, done) -> tuple[dict | None, str]:
    """Run the cells until all are done, or until one ends the child: that cell and why, or None."""
    cell, errors = None, {}
    try:
        with box.child(cell["source"] for cell in cells if "source" in cell) as child:
            for cell in cells:
                end = min(until, time.monotonic() + box.limits.cell)
                if "function" not in cell:
                    errors[cell["item"]] = wire.error(child.ask({"source": cell["source"]}, end))
                    continue
                item = exercise.item(cell["item"])
                problems = _problems(item, seed)
                got = child.ask(wire.request(item, problems), end)
                done[item.name] = _verdict(item, problems, got, errors.get(item.name, ""))
    except Ended as ended:
        return cell, str(ended)
    return None, ""


_problems = functools.lru_cache(200)(lambda item, seed: item.problems(seed))     # the same for the whole class


def _verdict(item, problems, got: bytes, stopped: str) -> Verdict:
    """The verdict on what a child sent. stopped: the exception with which the answer's cell ended, or ""."""
    try:
        answers = wire.answers(got, len(problems))
        raised = [f"{answer.error['type']}: {answer.error['message']}" for answer in answers if answer.error]
        if raised and raised[0].startswith("not callable") and stopped:     # the cell did not come to the function
            if not _is_of_memory(stopped):
                return Verdict(item.name, "failed", 0, item.points, mistake=STOPPED,
                               got=stopped, expected=f"a cell that defines {item.name}",
                               next="what does the last line of the message say?")
            raised = [stopped]
        if any(map(_is_of_memory, raised)):
            return Verdict(item.name, "out of memory", 0, item.points)
        return judge(item, problems, answers)
    except Exception as error:                              # an answer of a form that no honest run gives
        return Verdict(item.name, "unreadable", 0, item.points, got=f"{type(error).__name__}: {error}"[:400])


def _is_of_memory(raised: str) -> bool:
    return raised.startswith(("MemoryError", "_ArrayMemoryError")) or "can't allocate memory" in raised


def _needed(sources: dict[str, str], name: str) -> set[str]:
    """An item, and the items whose answers its code names, or that these name."""
    needed, new = set(), {name}
    while new:
        needed |= new
        words = set(re.findall(r"\w+", " ".join(sources.get(one, "") for one in new)))
        new = words & sources.keys() - needed
    return needed


def does_more(source: str) -> bool:
    """Whether a cell does more than to import and to define functions and classes, as far as that can be told."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        if len(source) < LONG:
            return not all(isinstance(node, DEFINITIONS)
                           or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                           for node in ast.parse(source).body)
    return True


def _with_cause(verdict: Verdict, done: dict[str, Verdict], sources: dict[str, str], earlier: list[str]) -> Verdict:
    """A verdict that names another item as its cause: one that is missing (a NameError says so), or that ended as
    this one did, and whose name stands in the code of this one."""
    missing, cause, how = re.match(r"NameError: name '(\w+)' is not defined", verdict.got), "", ""
    if missing and missing[1] in done and done[missing[1]].status != "passed":
        cause = how = missing[1]
    elif verdict.status not in ("passed", "failed", "not attempted", "unreadable") and verdict.next != TIME_IS_UP:
        words = re.findall(r"\w+", sources.get(verdict.item, ""))
        cause = next((one for one in earlier if one in words and done[one].status == verdict.status), "")
        how = f"{cause} ({verdict.status})"
    if not cause:
        return verdict
    return replace(verdict, mistake=NEEDS + how, next=f"solve `{cause}` first: this function calls it")
