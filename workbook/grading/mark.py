"""One submission of one exercise, to a verdict for each item: the child runs it, and it is judged out here.

A verdict's status is "passed", "failed", "not attempted", "timed out", "out of memory", "too many processes", "process
died", "output flood" or "unreadable". In its texts stands what a stranger's code says.
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

DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
STOPPED = "the cell stops before the function is there"
NEEDS = "it needs another item: "      # how the mistake begins where a function calls one that is not there, or hangs
SPENT = "this cell, or those before it, used up the time of the whole notebook: find the one that does not end"
LONG = 50_000                          # characters of a cell that is parsed


def mark(box: Sandbox, exercise, rebuilt: Rebuilt, seed: int) -> list[Verdict]:
    """A Verdict for each item, in order. Nothing that a submission does is raised here.

    A cell that ends its child costs what stands in it, and no more: a new child runs the others. An item that is lost
    in another cell's company is asked once more alone, for a thread or an alarm of the other may have ended it. So is
    one that fails in company of a cell that does more than define: it may have changed what all stand on.
    """
    until = time.monotonic() + box.limits.notebook
    tried = [cell for cell in rebuilt.cells if cell["item"] not in rebuilt.untouched]
    done = {item.name: Verdict(item.name, "not attempted", 0, item.points)
            for item in exercise.items if item.name in rebuilt.untouched}
    cells, fresh = tried, False
    while any("function" in cell for cell in cells):
        ended, reason = _one_child(box, exercise, cells, seed, until, done)
        if ended is None:
            break
        if not fresh and not any(cell["item"] for cell in cells[:cells.index(ended) + 1]):
            box.close()                                     # no answer has run yet: the sandbox itself is broken
            fresh = True
            continue
        name = ended["item"] or next(cell["item"] for cell in cells if "function" in cell)   # a cell of the master's
        item = exercise.item(name)
        done.setdefault(name, Verdict(name, reason, 0, item.points, next=SPENT * (time.monotonic() >= until)))
        cells = [cell for cell in cells if cell is not ended and not ("function" in cell and cell["item"] in done)]
    for name, one in list(done.items()):
        alone = _alone(tried, name) if one.status not in ("passed", "not attempted") else tried
        company = [cell for cell in tried if "source" in cell and cell not in alone]
        lost = one.status not in ("failed", "timed out") or one.mistake == STOPPED
        if company and (lost or any(does(cell["source"]) for cell in company)):
            _one_child(box, exercise, alone, seed, until, done)
    sources = {cell["item"]: cell["source"] for cell in tried if cell["item"] and "source" in cell}
    names = [item.name for item in exercise.items]
    return [_needing(done[name], done, [one for one in names[:place] if one in _names(sources.get(name, ""))])
            for place, name in enumerate(names)]


def _needing(outcome: Verdict, done: dict[str, Verdict], calls: list[str]) -> Verdict:
    """An outcome by its cause, where that is another item. calls: the earlier items that the code of this one names.

    The other one has not come to be (a NameError says so), or was lost as this one was.
    """
    missing, cause = re.match(r"NameError: name '(\w+)' is not defined", outcome.got), ""
    if missing and missing[1] in done and done[missing[1]].status != "passed":
        cause = how = missing[1]
    elif outcome.status not in ("passed", "failed", "not attempted", "unreadable") and outcome.next != SPENT:
        cause = next((one for one in calls if done[one].status == outcome.status), "")
        how = f"{cause} ({outcome.status})"
    if not cause:
        return outcome
    return replace(outcome, mistake=NEEDS + how, next=f"solve `{cause}` first: this function calls it")


def _names(source: str) -> set[str]:
    """The names that a cell reads or sets."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if (tree := _tree(source)) else set()


def _tree(source: str) -> ast.Module | None:
    """The syntax tree of a cell. None where it has none (it may be a cell of bash), or is longer than answers are.

    A megabyte takes twenty seconds and half a gigabyte, and this is not the sandbox.
    """
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.parse(source) if len(source) < LONG else None


def _alone(cells: list[dict], name: str) -> list[dict]:
    """The master's cells, an item's own, and the answers that its code names, or that these name."""
    sources = {cell["item"]: cell["source"] for cell in cells if cell["item"] and "source" in cell}
    needed, new = set(), {name}
    while new:
        needed |= new
        words = set(re.findall(r"\w+", " ".join(sources.get(one, "") for one in new)))
        new = {one for one in sources if one in words} - needed
    return [cell for cell in cells if not cell["item"] or cell["item"] == name
            or "source" in cell and cell["item"] in needed]


def does(source: str) -> bool:
    """Whether a cell does more than to import and to define functions and classes."""
    tree = _tree(source)
    return not tree or not all(
        isinstance(node, DEFINES) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for node in tree.body)


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
                got = child.ask(wire.asked(item, problems), end)
                done[item.name] = _judged(item, problems, got, errors.get(item.name, ""))
    except Ended as ended:
        return cell, str(ended)
    return None, ""


_problems = functools.lru_cache(200)(lambda item, seed: item.problems(seed))     # the same for the whole class


def _judged(item, problems, got: bytes, stopped: str) -> Verdict:
    """The verdict on what came. stopped: the exception with which the cell of the answer ended, or ""."""
    try:
        answers = wire.answers(got, len(problems))
    except wire.Unreadable as error:
        return Verdict(item.name, "unreadable", 0, item.points, got=str(error))
    raised = [f"{answer.error['type']}: {answer.error['message']}" for answer in answers if answer.error]
    if raised and raised[0].startswith("not callable") and stopped:         # the cell did not come to the function
        if not _of_memory(stopped):
            return Verdict(item.name, "failed", 0, item.points, mistake=STOPPED,
                           got=stopped, expected=f"a cell that defines {item.name}",
                           next="what does the last line of the message say?")
        raised = [stopped]
    if any(map(_of_memory, raised)):
        return Verdict(item.name, "out of memory", 0, item.points)
    try:
        return judge(item, problems, answers)
    except Exception as error:                              # an answer of a form that no honest run gives
        return Verdict(item.name, "unreadable", 0, item.points, got=f"{type(error).__name__}: {error}"[:400])


def _of_memory(raised: str) -> bool:
    return raised.startswith(("MemoryError", "_ArrayMemoryError")) or "can't allocate memory" in raised
