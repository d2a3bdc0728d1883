"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook.

Four students an exercise: all solved, nothing tried, and two of whose answers each has one mistake made by program.
"""
import importlib
import itertools
from pathlib import Path

import mutant_machine
import pytest

from nwlab.checks.item import Problem
from nwlab.checks.judge import judge
from nwlab.checks.run import run
from nwlab.exercises import NAMES
from nwlab.grading.mark import mark
from nwlab.grading.rebuild import cells_of, rebuild
from nwlab.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
SEED = 11


def cells(folder, name):
    return cells_of((ROOT / folder / f"{name}.ipynb").read_bytes())


def graded(box, exercise, submitted):
    box.limits = Limits()
    rebuilt = rebuild(cells("exercises", exercise.name), submitted, [item.name for item in exercise.items])
    return rebuilt, {one.item: one for one in mark(box, exercise, rebuilt, SEED)}


def in_the_notebook(exercise, rebuilt) -> dict[str, bool]:
    """{item: whether its check holds}, all cells run in this process, but for those that only show something."""
    space = {"__name__": "__main__"}
    for cell in rebuilt.cells:
        if "source" in cell and not any(f"{word}." in cell["source"] for word in (exercise.name, "lesson")):
            exec(cell["source"], space)
    found = {}
    for item in exercise.items:
        problems: list[Problem] = item.problems(SEED)
        found[item.name] = judge(item, problems, run(item, space[item.name], problems)).holds
    return found


def with_mistakes(exercise, number: int) -> list[dict]:
    """The solution's cells with one mistake in each answer, such that the cell can stand alone."""
    submitted = {cell["id"]: cell for cell in cells("solutions", exercise.name)}
    for item in exercise.items:
        made = [source for source in mutant_machine.mutants(exercise.name, item).values() if "machine" not in source]
        source = next(itertools.islice(itertools.cycle(made), 5 + 12 * number, None))
        submitted[f"write-{item.name}"] |= {"source": source}
    return list(submitted.values())


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_class(box, name):
    exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
    _, solved = graded(box, exercise, cells("solutions", name))
    assert {one.status for one in solved.values()} == {"passed"}
    assert sum(one.points for one in solved.values()) == exercise.points
    _, untouched = graded(box, exercise, cells("exercises", name))
    assert {one.status for one in untouched.values()} == {"not attempted"}
    for number in range(1 if name == "own_pooling" else 2):              # whose training takes seconds
        rebuilt, mistaken = graded(box, exercise, with_mistakes(exercise, number))
        assert {item: one.status == "passed" for item, one in mistaken.items()} == in_the_notebook(exercise, rebuilt)
        assert all(one.mistake for one in mistaken.values() if one.status == "failed")
        assert {one.status for one in mistaken.values()} <= {"passed", "failed"}
