"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook."""
import importlib

import pytest
from grading.graded import cells

from workbook.checks.judge import judge
from workbook.checks.run import run
from workbook.exercises import NAMES, warm_up
from workbook.grading.mark import mark
from workbook.grading.rebuild import rebuild
from workbook.grading.sandbox import Limits

WRONG = {"differences": "def differences(queries, keys):\n    return keys - queries[:, None]",
         "pool": "def pool(weights, values):\n    return values @ weights"}


def graded(box, exercise, submitted) -> dict:
    """{item: Verdict}."""
    box.limits = Limits(cell=120, notebook=600)              # machines that run tests are busy
    items = [item.name for item in exercise.items]
    return dict(zip(items, mark(box, exercise, rebuild(cells("exercises", exercise.name), submitted, items), seed=11)))


@pytest.mark.parametrize("name", NAMES)
def test_who_solved_all_gets_all_points(box, name):
    exercise = importlib.import_module(f"workbook.exercises.{name}").EXERCISE
    solved = graded(box, exercise, cells("solutions", name)).values()
    assert {one.status for one in solved} == {"passed"} and sum(one.points for one in solved) == exercise.points


def test_who_tried_nothing_gets_none_and_a_wrong_answer_is_named_as_in_the_notebook(box):
    written = [cell | {"source": WRONG.get(cell["id"].removeprefix("write-"), cell["source"])}
               for cell in cells("exercises", "warm_up")]
    found, names = graded(box, warm_up.EXERCISE, written), {}
    for name, source in WRONG.items():
        exec(source, names)
        item, verdict = warm_up.EXERCISE.item(name), found.pop(name)
        problems = item.problems(11)
        here = judge(item, problems, run(item, names[name], problems))
        assert (verdict.status, verdict.mistake, verdict.next) == ("failed", here.mistake, here.next) and here.mistake
    assert {one.status for one in found.values()} == {"not attempted"}
