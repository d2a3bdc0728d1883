"""nbgrader takes the exercises as they are: it makes an assignment of the solutions, autogrades, and scores.

Skipped where nbgrader is not installed; it is no part of the workbook. It runs one notebook, of which half is solved:
that every solution holds is asked by nbval, and what every untouched exercise says by test_student_editions.
"""
import logging
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from student_editions import EXERCISES, checks, code_cells, errors, solution, solved, student

pytestmark = pytest.mark.skipif(not find_spec("nbgrader"), reason="nbgrader is not installed")
NAME = "warm_up"
LEFT = checks(student(NAME))[3:]                             # what the student has not written


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that has released every exercise, and half of one as a student handed it in, graded."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    root = tmp_path_factory.mktemp("course")
    half = solved(NAME, but=tuple(check.replace("check-", "write-") for check in LEFT))
    for folder, editions in (("source", {name: solution(name) for name in EXERCISES}), ("submitted/ada", {NAME: half})):
        (root / folder / "first").mkdir(parents=True)
        for name, notebook in editions.items():
            nbformat.write(notebook, root / folder / "first" / f"{name}.ipynb")
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    config.ExecutePreprocessor.timeout = 60
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    logging.disable(logging.WARNING)
    with pytest.MonkeyPatch.context() as patch:          # nbgrader calls its tools by their bare names
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        for step in (lambda: api.generate_assignment("first", create=True), lambda: api.autograde("first", "ada")):
            done = step()
            assert done["success"], done.get("log") or done.get("error")
    logging.disable(logging.NOTSET)
    return root, api


def test_a_solution_gets_full_marks_a_stub_none_and_words_wait_for_a_person(course):
    root, api = course
    with api.gradebook as book:
        graded = {notebook.name: {grade.cell.name: grade.auto_score for grade in notebook.grades}
                  for notebook in book.find_submission("first", "ada").notebooks}
    points = {cell.id: cell.metadata["nbgrader"]["points"] for cell in code_cells(student(NAME))
              if cell.id.startswith("check-")}
    assert all(points.values()) and graded[NAME] == points | dict.fromkeys(LEFT, 0) | {"answer": None}
    ran = nbformat.read(root / "autograded" / "ada" / "first" / f"{NAME}.ipynb", as_version=4)
    assert set(errors(ran)) == set(LEFT) < set(points)
    assert all(output.get("name") != "stderr" for cell in code_cells(ran) for output in cell.outputs)


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
