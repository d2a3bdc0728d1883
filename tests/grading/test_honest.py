"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook.

All solved, nothing tried, and for each item a wrong answer of tests/exercises/answers, or a right one if it has none.
"""
import importlib
from pathlib import Path

import pytest
from exercises.model_answers import complete, files

from nwlab.exercises import NAMES
from workbook.grading.mark import mark
from workbook.grading.rebuild import cells_of, rebuild
from workbook.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
ANSWER = """import os, sys
for path, text in {files}.items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)
sys.path.insert(0, os.getcwd())
from exercises.answers import {name} as answers
from exercises.model_answers import complete
if "model" not in answers.RIGHT["{item}"]: complete(answers)
{item} = answers.{kind}["{item}"][{words!r}]
if isinstance({item}, tuple): {item}, _ = {item}
"""


def cells(folder, name):
    return cells_of((ROOT / folder / f"{name}.ipynb").read_bytes())


def graded(box, exercise, submitted) -> dict:
    """{item: Verdict}."""
    box.limits = Limits(cell=120, notebook=600)              # machines that run tests are busy
    items = [item.name for item in exercise.items]
    return dict(zip(items, mark(box, exercise, rebuild(cells("exercises", exercise.name), submitted, items), seed=11)))


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_class_gets_its_points(box, name):
    exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
    solved = graded(box, exercise, cells("solutions", name)).values()
    assert {one.status for one in solved} == {"passed"} and sum(one.points for one in solved) == exercise.points
    assert {one.status for one in graded(box, exercise, cells("exercises", name)).values()} == {"not attempted"}
    answers, sources, expected = complete(importlib.import_module(f"exercises.answers.{name}")), {}, {}
    for item in (item.name for item in exercise.items):
        kind = "WRONG" if answers.WRONG.get(item) else "RIGHT"
        words, answer = list(getattr(answers, kind)[item].items())[-1]
        sources[f"write-{item}"] = ANSWER.format(files=files(name), name=name, item=item, kind=kind, words=words)
        expected[item] = "failed" if kind == "WRONG" else "passed", answer[1] if isinstance(answer, tuple) else ""
    written = [cell | {"source": sources.get(cell["id"], cell["source"])} for cell in cells("exercises", name)]
    for item, verdict in graded(box, exercise, written).items():
        status, line = expected[item]
        assert verdict.status == status and line in f"{item} does not hold yet: {verdict.mistake}", verdict
