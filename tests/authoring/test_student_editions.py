"""The notebooks that students get: untouched, solved, saved, half solved. nbval tells which is which, cell by cell."""

import re

import nbformat
import pytest
from student_editions import EXERCISES, checks, code_cells, errors, nbval, run, solution, solved, student

from nwlab.authoring.build import Sources
from nwlab.authoring.exercise import TELLING, telling_lines
from nwlab.authoring.project import Project


@pytest.fixture(params=EXERCISES)
def name(request):
    return request.param


def test_there_is_a_notebook_for_every_exercise():
    from nwlab.exercises import NAMES as named

    assert set(named) == set(EXERCISES) and len(EXERCISES) == 8


def test_untouched_it_runs_from_top_to_bottom_but_for_its_checks(name, tmp_path):
    notebook = run(student(name), tmp_path)
    assert sorted(errors(notebook)) == sorted(checks(notebook))
    for text in errors(notebook).values():
        assert "not written yet" in text and "hint(" in text
    for cell in code_cells(notebook):                    # nbgrader scores any stderr with zero
        assert not [output for output in cell.outputs if output.get("name") == "stderr"], cell.id


def test_nbval_tells_untouched_solved_saved_and_half_solved_apart(name, tmp_path):
    todo = checks(student(name))
    half_of = todo[: max(1, len(todo) // 2)]
    own = solved(name)
    for cell in code_cells(own):
        if cell.id.startswith("write-"):                 # a student's own prints and retries
            cell.source += "\nprint('my own note')\nimport random; random.random()"
    own.cells.insert(3, nbformat.v4.new_code_cell("import time; time.time()"))
    writes = [cell.id for cell in code_cells(student(name)) if cell.id.startswith("write-")]
    half = solved(name, but=tuple(writes[len(writes) // 2:]))
    found = nbval(tmp_path, untouched=student(name), fresh=solved(name), saved=run(own, tmp_path), half=half,
                  saved_half=run(half, tmp_path))
    assert sorted(found["untouched"]) == sorted(todo)
    for report in found["untouched"].values():
        assert "not written yet" in report, report       # and what to do stands there
    assert found["fresh"] == {} and found["saved"] == {}
    open_items = set(errors(run(half, tmp_path)))
    assert open_items <= set(todo) and half_of
    assert set(found["half"]) == set(found["saved_half"]) == open_items != set()
    assert len(open_items) < len(todo) or len(writes) == 1


def test_no_answer_is_in_it(name, root):
    exercise = next(e for e in Sources(Project(root)).exercises if e.lesson.name == name)
    lines = [line for cell in student(name).cells for line in cell.source.splitlines()]
    text = re.sub(r"\s+", "", "\n".join(line for line in lines if not line.lstrip().startswith("def ")))
    shown_on_purpose = re.sub(r"\s+", "", "".join(p.cell.text for p in exercise.parts if p.kind == "given"))
    telling = [re.sub(r"\s+", "", line) for line in telling_lines(exercise)]
    assert telling and all(len(line) >= TELLING for line in telling)
    assert [line for line in telling if line in text and line not in shown_on_purpose] == []
    assert "SOLUTION" not in (root / "exercises" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert all(not cell.outputs and cell.execution_count is None for cell in code_cells(student(name)))


def test_no_hint_is_an_answer(name, root):
    from importlib import import_module

    from nwlab.checks import hints

    exercise = next(e for e in Sources(Project(root)).exercises if e.lesson.name == name)
    telling = [re.sub(r"\s+", "", line) for line in telling_lines(exercise)]
    for item in import_module(f"nwlab.exercises.{name}").ITEMS:
        for hint in hints.read(name)[item.name]:
            bare = re.sub(r"\s+", "", hint)
            assert [line for line in telling if line in bare] == [], f"{item.name}: {hint}"


def test_the_two_editions_have_the_same_graded_cells(name):
    def graded(notebook):
        return {cell.id: cell.metadata["nbgrader"] for cell in notebook.cells if "nbgrader" in cell.metadata}

    assert graded(student(name)) == graded(solution(name)) != {}
    assert 3 <= len(checks(student(name))) <= 8
    assert any(cell.id == "answer" for cell in student(name).cells), "one question to be answered in words"
