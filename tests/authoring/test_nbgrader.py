"""nbgrader takes the exercises as they are: it makes an assignment of the solutions, autogrades, and scores.

Skipped where nbgrader is not installed; it is no part of the workbook.
"""

import logging
import os
import sys
from pathlib import Path

import pytest
from student_editions import EXERCISES, solution, solved, student

pytest.importorskip("nbgrader")

import nbformat  # noqa: E402
from nbgrader.apps import NbGraderAPI  # noqa: E402
from nbgrader.coursedir import CourseDirectory  # noqa: E402
from traitlets.config import Config  # noqa: E402


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that has released every exercise, and two students: one has solved them, one has done nothing."""
    root = tmp_path_factory.mktemp("course")
    for name in EXERCISES:
        write(root / "source" / "first" / f"{name}.ipynb", solution(name))
        write(root / "submitted" / "solver" / "first" / f"{name}.ipynb", solved(name))
        write(root / "submitted" / "sleeper" / "first" / f"{name}.ipynb", student(name))
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


def write(path, notebook):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def points(name: str) -> int:
    """What the check cells of an exercise are worth together."""
    marks = [cell.metadata.get("nbgrader", {}) for cell in student(name).cells]
    return sum(mark["points"] for mark in marks if mark.get("locked"))


def scores(course, who: str) -> dict[str, float]:
    _, api = course
    with api.gradebook as book:
        submission = book.find_submission("first", who)
        return {notebook.name: sum(grade.auto_score or 0 for grade in notebook.grades) for notebook in submission.notebooks}


def test_solutions_get_full_marks(course):
    assert scores(course, "solver") == {name: points(name) for name in EXERCISES}
    assert all(points(name) > 0 for name in EXERCISES)


def test_stubs_get_none(course):
    assert scores(course, "sleeper") == dict.fromkeys(EXERCISES, 0)


def test_its_own_student_edition_asks_for_the_same_and_tells_nothing(course):
    """nbgrader's stubs differ from ours in their words; what is graded, and what is hidden, does not."""
    root, _ = course
    for name in EXERCISES:
        made = nbformat.read(root / "release" / "first" / f"{name}.ipynb", as_version=4)
        ours = {cell.id: cell for cell in student(name).cells}
        for cell in made.cells:
            mark = cell.metadata.get("nbgrader")
            if mark and cell.cell_type == "code" and mark["solution"]:
                ours_bare = ours[cell.id].source.replace(_stub(ours[cell.id].source), "")
                theirs_bare = cell.source.replace("# YOUR CODE HERE", "").replace("raise NotImplementedError()", "")
                assert ours_bare.split() == theirs_bare.split(), cell.id
            elif mark and mark["locked"]:
                assert cell.source == ours[cell.id].source


def _stub(source: str) -> str:
    return "\n".join(line.strip() for line in source.splitlines() if line.strip().startswith("raise NotImplementedError("))


def test_the_question_in_words_waits_for_a_person(course):
    _, api = course
    with api.gradebook as book:
        submission = book.find_submission("first", "solver")
        for notebook in submission.notebooks:
            by_hand = [grade for grade in notebook.grades if grade.cell.name.startswith("answer")]
            assert by_hand and all(grade.auto_score is None for grade in by_hand), notebook.name
