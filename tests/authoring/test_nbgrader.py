"""nbgrader takes the exercises as they are: it makes an assignment of the solutions, autogrades, and scores.

It runs one notebook, of which half is solved: that every solution holds is tested by nbval, and what every untouched
exercise says by test_student_editions.
"""
import logging
import os
import sys
from pathlib import Path

import nbformat
from student_editions import checks, code_cells, errors, solved, student

NAME = "warm_up"
LEFT = checks(student(NAME))[3:]                             # what the student has not written


def test_a_solution_gets_full_marks_a_stub_none_and_words_wait_for_a_person(tmp_path, monkeypatch):
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    half = solved(NAME, but=tuple(check.replace("check-", "write-") for check in LEFT))
    for folder, notebook in (("source", student(NAME, "solutions")), ("submitted/ada", half)):
        (tmp_path / folder / "first").mkdir(parents=True)
        nbformat.write(notebook, tmp_path / folder / "first" / f"{NAME}.ipynb")
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.db_url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    config.ExecutePreprocessor.timeout = 60
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)       # it calls its tools by name
    logging.disable(logging.WARNING)
    for step in (lambda: api.generate_assignment("first", create=True), lambda: api.autograde("first", "ada")):
        done = step()
        assert done["success"], done.get("log") or done.get("error")
    logging.disable(logging.NOTSET)
    with api.gradebook as book:
        [graded] = book.find_submission("first", "ada").notebooks
        scores = {grade.cell.name: grade.auto_score for grade in graded.grades}
    points = {cell.id: cell.metadata["nbgrader"]["points"] for cell in code_cells(student(NAME))
              if cell.id.startswith("check-")}
    assert all(points.values()) and scores == points | dict.fromkeys(LEFT, 0) | {"answer": None}
    ran = nbformat.read(tmp_path / "autograded" / "ada" / "first" / f"{NAME}.ipynb", as_version=4)
    assert set(errors(ran)) == set(LEFT) < set(points)
    assert all(output.get("name") != "stderr" for cell in code_cells(ran) for output in cell.outputs)
