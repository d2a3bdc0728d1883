"""nbgrader takes the exercises as they are: it makes an assignment of the solutions, autogrades, and scores.

Skipped where nbgrader is not installed; it is no part of the workbook. Running every exercise takes long, so what a
student sees who runs it untouched is looked at here as well. Every solution is run by nbval, so a few are enough here.
"""
import logging
import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from student_editions import EXERCISES, checks, code_cells, errors, solution, solved, student

pytest.importorskip("nbgrader")
SOLVED = ("own_pooling", "parzen_equivalence", "warm_up")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that has released every exercise, and two students: one has solved some, one has done nothing."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    root = tmp_path_factory.mktemp("course")
    for folder, edition, names in (("source", solution, EXERCISES), ("submitted/solver", solved, SOLVED),
                                   ("submitted/sleeper", student, EXERCISES)):
        (root / folder / "first").mkdir(parents=True)
        for name in names:
            nbformat.write(edition(name), root / folder / "first" / f"{name}.ipynb")
    before = os.environ["PATH"]                          # nbgrader calls its tools by their bare names
    os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + before
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    config.ExecutePreprocessor.timeout = 60
    logging.disable(logging.WARNING)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    made = api.generate_assignment("first", create=True)
    assert made["success"], made.get("log") or made.get("error")
    for who in ("solver", "sleeper"):
        graded = api.autograde("first", who)
        assert graded["success"], graded.get("log") or graded.get("error")
    yield root, api
    logging.disable(logging.NOTSET)
    os.environ["PATH"] = before


def autograded(course, who: str, name: str):
    """A student's notebook as nbgrader has run it."""
    return nbformat.read(course[0] / "autograded" / who / "first" / f"{name}.ipynb", as_version=4)


def scores(course, who: str) -> dict[str, float]:
    with course[1].gradebook as book:
        submission = book.find_submission("first", who)
        return {notebook.name: sum(grade.auto_score or 0 for grade in notebook.grades)
                for notebook in submission.notebooks if who == "sleeper" or notebook.name in SOLVED}


def test_solutions_get_full_marks_and_stubs_none(course):
    marks = {name: [cell.metadata.get("nbgrader", {}) for cell in student(name).cells] for name in SOLVED}
    points = {name: sum(mark["points"] for mark in marks[name] if mark.get("locked")) for name in SOLVED}
    assert scores(course, "solver") == points and all(points.values())
    assert scores(course, "sleeper") == dict.fromkeys(EXERCISES, 0)


@pytest.mark.parametrize("name", EXERCISES)
def test_it_runs_from_top_to_bottom_untouched_but_for_its_checks(course, name):
    untouched = autograded(course, "sleeper", name)
    assert sorted(errors(untouched)) == sorted(checks(untouched))
    for text in errors(untouched).values():
        assert "not written yet" in text and "hint(" in text
    assert name not in SOLVED or errors(autograded(course, "solver", name)) == {}
    for cell in code_cells(untouched):                   # nbgrader scores any stderr with zero
        assert not [output for output in cell.outputs if output.get("name") == "stderr"], cell.id


@pytest.mark.parametrize("name", EXERCISES)
def test_its_own_student_edition_asks_for_the_same_and_tells_nothing(course, name):
    """nbgrader's stubs differ from ours in their words; what is graded, and what is hidden, does not."""
    made = nbformat.read(course[0] / "release" / "first" / f"{name}.ipynb", as_version=4)
    ours = {cell.id: cell for cell in student(name).cells}
    for cell in made.cells:
        mark = cell.metadata.get("nbgrader")
        if mark and cell.cell_type == "code" and mark["solution"]:
            our_code = re.sub(r"raise NotImplementedError\(.*", "", ours[cell.id].source)
            their_code = cell.source.replace("# YOUR CODE HERE", "").replace("raise NotImplementedError()", "")
            assert our_code.split() == their_code.split(), cell.id
        elif mark and mark["locked"]:
            assert cell.source == ours[cell.id].source


def test_the_question_in_words_waits_for_a_person(course):
    with course[1].gradebook as book:
        for notebook in book.find_submission("first", "solver").notebooks:
            by_hand = [grade for grade in notebook.grades if grade.cell.name.startswith("answer")]
            assert notebook.name not in SOLVED or by_hand and all(grade.auto_score is None for grade in by_hand)
