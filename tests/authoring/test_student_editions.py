"""The notebooks that students get. What nbval says of solved and unsolved ones, tests/grading/test_verdicts.py asks."""
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from student_editions import EXERCISES, checks, code_cells, errors, nbval, run, student

from workbook import course
from workbook.authoring.exercise import telling_lines


def test_nbval_fails_a_cell_that_ran_out_of_time_by_name_and_what_follows_is_not_green(tmp_path):
    """Even where its code takes the interrupt for Ctrl-C, and ends without an error."""
    swallows = "import time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    pass"
    cells = [new_code_cell(source, execution_count=count, id=name)
             for count, (name, source) in enumerate([("train", swallows), ("after", "x = 1")], 1)]
    failed, printed = nbval(tmp_path, new_notebook(cells=cells), "--nbval-cell-timeout=2")
    assert set(failed) == {"train", "after"}
    assert "student.ipynb::Cell 0 (train) ran longer than 2 seconds and was interrupted" in printed
    assert "XPASS(strict)" in printed


def test_every_exercise_runs_untouched_but_for_its_checks(tmp_path):
    assert set(course.EXERCISES) == set(EXERCISES)
    untouched = {name: student(name) for name in EXERCISES}
    run(tmp_path, *untouched.values())
    for name, notebook in untouched.items():
        assert sorted(errors(notebook)) == sorted(checks(notebook)), name
        for text in errors(notebook).values():           # and nothing of where it was raised
            assert "not written yet" in text and ".py" not in text and "raise Check" not in text
        for cell in code_cells(notebook):
            shown = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            assert ("<summary>a hint</summary>" in shown) == (cell.id in errors(notebook)), (name, cell.id)
            assert "stderr" not in [output.get("name") for output in cell.outputs], "nbgrader scores that with zero"


@pytest.mark.parametrize("name", EXERCISES)
def test_no_hint_is_an_answer(name, sources):
    """That no answer stands in the notebook is what the build sees to."""
    exercise = next(exercise for exercise in sources.exercises if exercise.name == name)
    telling = ["".join(line.split()) for line in telling_lines(exercise)]
    for item in course.exercise(name).items:
        assert [hint for hint in item.hints if any(line in "".join(hint.split()) for line in telling)] == [], item.name
    assert telling and 3 <= len(checks(student(name))) <= 8
    assert any(cell.id == "answer" for cell in student(name).cells), "one question to be answered in words"
