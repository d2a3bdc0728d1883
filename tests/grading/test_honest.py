"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook.

All solved, nothing tried, answers with a mistake made by program, the right and wrong answers of
tests/exercises/answers, and the mistakes that items declare. Of the last two each notebook has one for each item, and
beside the solution one notebook of wrong ones is enough for each day: NWLAB_HONEST=2 grades all, with two seeds,
twice, and compares with what the check says in this process.
"""
import importlib
import itertools
import os
from pathlib import Path

import mutant_machine
import pytest
from exercises.model_answers import as_student, complete, files

from workbook.checks.item import Problem
from workbook.checks.judge import judge
from workbook.checks.run import run
from nwlab.exercises import NAMES
from workbook.grading.mark import mark
from workbook.grading.rebuild import cells_of, rebuild
from workbook.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
SEED = 11
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


def graded(box, exercise, submitted, seed=SEED):
    box.limits = Limits(cell=120, notebook=600)              # machines that run tests are busy
    rebuilt = rebuild(cells("exercises", exercise.name), submitted, [item.name for item in exercise.items])
    return rebuilt, {one.item: one for one in mark(box, exercise, rebuilt, seed)}


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


def with_mistakes(exercise) -> list[dict]:
    """The solution's cells with one mistake in each answer, such that the cell can stand alone."""
    submitted = {cell["id"]: cell for cell in cells("solutions", exercise.name)}
    for item in exercise.items:
        made = [source for source in mutant_machine.mutants(exercise.name, item).values() if "machine" not in source]
        source = next(itertools.islice(itertools.cycle(made), 5, None))
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
    rebuilt, mistaken = graded(box, exercise, with_mistakes(exercise))
    assert {item: one.status == "passed" for item, one in mistaken.items()} == in_the_notebook(exercise, rebuilt)
    assert all(one.mistake for one in mistaken.values() if one.status == "failed")
    assert {one.status for one in mistaken.values()} <= {"passed", "failed"}


def students(told, exercise) -> list[dict]:
    """{item: (RIGHT, WRONG or DECLARED, which one)}, a student each: the k-th has the k-th answer to each item."""
    each = []
    for item in exercise.items:
        several = {kind: getattr(told, kind).get(item.name, ()) for kind in ("RIGHT", "WRONG")}
        several["DECLARED"] = range(len(item.mistakes) if item.oracle else 0)
        each.append([(item.name, (kind, which)) for kind, found in several.items() for which in found])
    return [dict(filter(None, row)) for row in itertools.zip_longest(*each)]


def written(name: str, student: dict) -> list[dict]:
    def source(item, kind, words) -> str:
        text = DECLARED if kind == "DECLARED" else ANSWERS
        return text.format(files=files(name), name=name, item=item, kind=kind, words=words)

    return [cell | {"source": source(item, *student[item])}
            if (item := cell["id"].removeprefix("write-")) in student else cell for cell in cells("exercises", name)]


def disagreements(item, one, seed: int, told, kind="", words="") -> list[str]:
    """What is wrong with an outcome, where the list of answers says of what kind the answer is."""
    if kind == "DECLARED":
        mistake = item.mistakes[words]
        answer = as_student(item, mistake.wrong), "" if item.slope or item.given or item.twice != 1000 else mistake.name
    else:
        answer = getattr(told, kind)[item.name][words] if kind else None
    function, line = answer if isinstance(answer, tuple) else (answer, "")
    found = [] if one.status == STATUS[kind] else [f"deserved {STATUS[kind]!r}"]
    if not seed and line not in f"{item.name} does not hold yet: {one.mistake}":
        found.append(f"deserved {line!r}")
    if SEEDS and kind:
        problems = item.problems(seed)
        here = judge(item, problems, run(item, function, problems))
        if (here.holds, here.mistake) != (one.status == "passed", one.mistake):
            found.append(f"in this process {here.line}")
    return [f"{item.name}, {kind} {words!r}, seed {seed}: {one.status}, {one.mistake!r}; {why}" for why in found]


@pytest.mark.parametrize("name", NAMES)
def test_the_answers_of_the_exercises_get_their_points(box, name):
    exercise = importlib.import_module(f"nwlab.exercises.{name}").EXERCISE
    told, wrong = complete(importlib.import_module(f"exercises.answers.{name}")), []
    for student, seed in itertools.product(students(told, exercise)[SOME], range(SEEDS or 1)):
        _, came = graded(box, exercise, written(name, student), seed)
        for item in exercise.items:
            wrong += disagreements(item, came[item.name], seed, told, *student.get(item.name, ()))
        if SEEDS and graded(box, exercise, written(name, student), seed)[1] != came:
            wrong.append(f"{student}, seed {seed}: another outcome the second time")
    assert not wrong, "\n".join(wrong)
