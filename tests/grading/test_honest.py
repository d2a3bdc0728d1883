"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook.

All solved, nothing tried, the right and wrong answers of tests/exercises/answers, and the mistakes that items declare.
Of the last each notebook has one for each item; one notebook of wrong ones is enough for each day: NWLAB_HONEST=2
grades all, with two seeds.
"""
import importlib
import itertools
import os
from pathlib import Path

import pytest
from exercises.model_answers import complete, files

from nwlab.exercises import NAMES
from workbook.grading.mark import mark
from workbook.grading.rebuild import cells_of, rebuild
from workbook.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
SEEDS = int(os.environ.get("NWLAB_HONEST", 0))
SOME = slice(None) if SEEDS else slice(6, 7)             # the first have right answers, as the solutions do
STATUS = {"RIGHT": "passed", "WRONG": "failed", "DECLARED": "failed", "": "not attempted"}
ANSWERS = """import os, sys
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
DECLARED = ANSWERS.partition("from")[0] + """import workbook.checks, nwlab.exercises
workbook.checks.__path__.append("workbook/checks")
nwlab.exercises.__path__.insert(0, "nwlab/exercises")
sys.modules.pop("nwlab.exercises.{name}")
from exercises.model_answers import as_student
from nwlab.exercises.{name} import EXERCISE
{item} = as_student(EXERCISE.item("{item}"), EXERCISE.item("{item}").mistakes[{words}].wrong)
"""


def cells(folder, name):
    return cells_of((ROOT / folder / f"{name}.ipynb").read_bytes())


def graded(box, exercise, submitted, seed=11) -> dict:
    """{item: Verdict}."""
    box.limits = Limits(cell=120, notebook=600)              # machines that run tests are busy
    items = [item.name for item in exercise.items]
    return dict(zip(items, mark(box, exercise, rebuild(cells("exercises", exercise.name), submitted, items), seed)))


def students(answers, exercise) -> list[dict]:
    """{item: (RIGHT, WRONG or DECLARED, which one)}, a student each: the k-th has the k-th answer to each item."""
    each = []
    for item in exercise.items:
        several = {kind: getattr(answers, kind).get(item.name, ()) for kind in ("RIGHT", "WRONG")}
        several["DECLARED"] = range(len(item.mistakes) if item.oracle else 0)
        each.append([(item.name, (kind, which)) for kind, found in several.items() for which in found])
    return [dict(filter(None, row)) for row in itertools.zip_longest(*each)]


def written(name: str, student: dict) -> list[dict]:
    def source(item, kind, words) -> str:
        text = DECLARED if kind == "DECLARED" else ANSWERS
        return text.format(files=files(name), name=name, item=item, kind=kind, words=words)

    return [cell | {"source": source(item, *student[item])}
            if (item := cell["id"].removeprefix("write-")) in student else cell for cell in cells("exercises", name)]


def deserved(item, answers, kind="", words="") -> tuple[str, str]:
    """(status, what stands in the line of the mistake) of an answer of this kind."""
    line = ""
    if kind == "DECLARED" and not (item.slope or item.given or item.twice != 1000):
        line = item.mistakes[words].name
    elif kind in ("RIGHT", "WRONG") and isinstance(answer := getattr(answers, kind)[item.name][words], tuple):
        line = answer[1]
    return STATUS[kind], line


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_class_gets_its_points(box, name):
    exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
    solved = graded(box, exercise, cells("solutions", name)).values()
    assert {one.status for one in solved} == {"passed"} and sum(one.points for one in solved) == exercise.points
    assert {one.status for one in graded(box, exercise, cells("exercises", name)).values()} == {"not attempted"}
    answers = complete(importlib.import_module(f"exercises.answers.{name}"))
    for student, seed in itertools.product(students(answers, exercise)[SOME], range(SEEDS or 1)):
        verdicts = graded(box, exercise, written(name, student), seed)
        for item in exercise.items:
            verdict, answer = verdicts[item.name], student.get(item.name, ())
            status, line = deserved(item, answers, *answer)
            assert verdict.status == status, (answer, seed, verdict)
            assert seed or line in f"{item.name} does not hold yet: {verdict.mistake}", (answer, verdict)
