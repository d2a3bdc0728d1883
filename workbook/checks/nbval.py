"""What nbval does with the notebooks of this workbook. A pytest plug-in, for nbval only.

In a student's notebook what counts is whether a check raises: outputs are the student's own and not compared, and no
tag or comment switches a check off. One that is missing or changed fails; one that stands above what it checks is run
below it, as in grading. In any notebook a magic that there is not fails, and so does a cell that ran out of time: code
that takes nbval's interrupt for Ctrl-C ("stop early, keep what you have") would pass, unfinished. And the cells of a
notebook stay together in their order where another plug-in shuffles the tests.
"""
import re

import pytest

from workbook import course
from workbook.checks import rerun
from workbook.language import say

CALL = re.compile(r"^\s*(\w+)\.check_(\w+)\((\w+)\)\s*$")


class LostCheck(pytest.Item):
    """Fails in the place of a check that is not in a student's notebook as it was handed out, and says `why`."""

    def runtest(self):
        pytest.fail(self.why, pytrace=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items):
    result = yield                                              # what shuffles has done so
    notebooks = {}
    for item in items:
        if hasattr(item, "cell"):
            notebooks.setdefault(item.parent, []).append(item)
    for notebook, cells in notebooks.items():
        cells.sort(key=lambda item: item.cell_num)
        cells[:] = [_named(item) for item in cells]
        if exercise := _exercise(notebook.nb):
            cells[:] = _students(exercise, notebook, cells)
    items[:] = [one for item in items
                for one in (notebooks.pop(item.parent, []) if hasattr(item, "cell") else [item])]
    return result


def _named(item):
    """The same cell, its name with that of its item."""
    called = CALL.match(_without_comments(item.cell.source))
    name = f"check-{called[2]}" if called else item.cell.metadata.get("name") or item.cell.get("id", "")
    named = type(item).from_parent(item.parent, name=f"Cell {item.cell_num} ({name})", cell_num=item.cell_num,
                                   cell=item.cell, options=item.options)
    named.reportinfo = lambda: (named.path, 0, named.name)
    return named


def _exercise(notebook):
    """The exercise of a student's notebook, also of one that has lost its metadata; None for any other notebook."""
    about = notebook.metadata.get("workbook", {})
    texts = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    names = [about.get("exercise"), *re.findall(r"^from workbook\.exercises import (\w+)", texts, re.M)]
    known = [name for name in names if name in course.EXERCISES]
    return course.exercise(known[0]) if known and about.get("edition", "student") == "student" else None


def _students(exercise, notebook, cells: list) -> list:
    """The cells of a student's notebook in the order in which they are run, and what is lost of its checks."""
    names = [item.name for item in exercise.items]
    ready = rerun.plan([rerun.study(item.cell.source) for item in cells], names, {}).ready
    places, lost = {}, dict.fromkeys(names)
    for number, item in enumerate(cells):
        item.options["check"] = False
        called = CALL.match(_without_comments(item.cell.source))
        if called or item.cell.metadata.get("nbgrader", {}).get("locked"):
            item.options["skip"] = item.options["check_exception"] = False
        if called and called[1] == exercise.name and called[2] == called[3]:
            places[item] = max(number, ready.get(called[2], 0) + 0.5)
            lost.pop(called[2], None)
    cells = sorted(cells, key=lambda item: places.get(item, item.cell_num))
    for name in lost:
        call = f"{exercise.name}.check_{name}({name})"
        kinds = {cell.cell_type for cell in notebook.nb.cells if f"check_{name}(" in cell.source}
        what = (say("changed or switched off") if "code" in kinds else say("turned into text") if kinds
                else say("missing"))
        cells.append(LostCheck.from_parent(notebook, name=f"check-{name}"))
        cells[-1].why = say("the check of {name} is {what}: expected a cell of code with {call} and nothing else",
                            name=name, what=what, call=call)
    return cells


def _without_comments(source: str) -> str:
    return re.sub(r"^[ \t]*#.*$|[ \t]+#.*$", "", source, flags=re.M)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = getattr(item.parent, "timed_out", None)            # of nbval's notebooks; None for any other test
    result = yield                                              # raises where the cell failed
    if before is False and item.parent.timed_out:
        pytest.fail(say("{cell} ran longer than {seconds} seconds and was interrupted: it did not finish, even though "
                        "it raised nothing", cell=item.nodeid,
                        seconds=f"{item.config.option.nbval_cell_timeout:g}"), pytrace=False)
    for output in getattr(item, "test_outputs", ()):
        if output.get("name") == "stderr" and output.text.startswith("UsageError"):
            pytest.fail(f"{item.nodeid}: {output.text}", pytrace=False)
    return result
