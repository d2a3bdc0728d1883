"""The notebooks that students get: untouched, solved, saved, half solved. nbval tells which is which, cell by cell.

That every exercise runs untouched and solved is seen where nbgrader runs them, in test_nbgrader.
"""
import re
from importlib import import_module

import nbformat
import pytest
from student_editions import EXERCISES, checks, code_cells, errors, nbval, run, solution, solved, student

from nwlab.authoring.build import Sources
from nwlab.authoring.exercise import TELLING, telling_lines
from nwlab.authoring.project import Project
from nwlab.checks import hints
from nwlab.exercises import NAMES


@pytest.fixture(params=EXERCISES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def sources(root):
    """Every exercise as written, by name."""
    return {exercise.lesson.name: exercise for exercise in Sources(Project(root)).exercises}


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_there_is_a_notebook_for_every_exercise():
    assert set(NAMES) == set(EXERCISES) and len(EXERCISES) == 8


def test_nbval_tells_untouched_solved_saved_and_half_solved_apart(tmp_path, name="parzen_equivalence"):
    todo = checks(student(name))
    own = solved(name)
    for cell in code_cells(own):
        if cell.id.startswith("write-"):                 # a student's own prints and retries
            cell.source += "\nprint('my own note')\nimport random; random.random()"
    own.cells.insert(3, nbformat.v4.new_code_cell("import time; time.time()"))
    writes = [cell.id for cell in code_cells(student(name)) if cell.id.startswith("write-")]
    half = solved(name, but=tuple(writes[len(writes) // 2:]))
    saved_half = run(half, tmp_path)
    found = nbval(tmp_path, untouched=student(name), fresh=solved(name), saved=run(own, tmp_path), half=half,
                  saved_half=saved_half)
    assert sorted(found["untouched"]) == sorted(todo)
    for report in found["untouched"].values():
        assert "not written yet" in report, report       # and what to do stands there
    assert found["fresh"] == {} and found["saved"] == {}
    open_items = set(errors(saved_half))
    assert open_items < set(todo) and set(found["half"]) == set(found["saved_half"]) == open_items != set()


def test_no_answer_is_in_it(name, root, sources):
    lines = [line for cell in student(name).cells for line in cell.source.splitlines()]
    text = bare("".join(line for line in lines if not line.lstrip().startswith("def ")))
    shown_on_purpose = bare("".join(part.cell.text for part in sources[name].parts if part.kind == "given"))
    telling = [bare(line) for line in telling_lines(sources[name])]
    assert telling and all(len(line) >= TELLING for line in telling)
    assert [line for line in telling if line in text and line not in shown_on_purpose] == []
    assert "SOLUTION" not in (root / "exercises" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert all(not cell.outputs and cell.execution_count is None for cell in code_cells(student(name)))


def test_no_hint_is_an_answer(name, sources):
    telling = [bare(line) for line in telling_lines(sources[name])]
    for item in import_module(f"nwlab.exercises.{name}").ITEMS:
        for hint in hints.read(name)[item.name]:
            assert [line for line in telling if line in bare(hint)] == [], f"{item.name}: {hint}"


def test_the_two_editions_have_the_same_graded_cells(name):
    def graded(notebook):
        return {cell.id: cell.metadata["nbgrader"] for cell in notebook.cells if "nbgrader" in cell.metadata}

    assert graded(student(name)) == graded(solution(name)) != {}
    assert 3 <= len(checks(student(name))) <= 8
    assert any(cell.id == "answer" for cell in student(name).cells), "one question to be answered in words"
