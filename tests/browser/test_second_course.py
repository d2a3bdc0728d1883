"""A second course, of one lesson, one figure and one exercise on another subject: `workbook` needs no kernel for it."""
import csv
import shutil
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from workbook.authoring.build import build, check
from workbook.authoring.project import Project
from workbook.checks import CheckFailed
from workbook.grading.grade import grade
from workbook.grading.results import load_all
from workbook.grading.sandbox import Limits
from workbook.site import site
from workbook.site.page import page
from workbook.site.shelf import Shelf

COURSE = Path(__file__).parents[1] / "workbook"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The course in a folder of its own, built."""
    folder = tmp_path_factory.mktemp("course") / "averages"
    shutil.copytree(COURSE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text('[project]\nname = "averages"\nurls = {Repository = "https://x.org/a/b"}\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder))
        patch.chdir(folder)
        project = Project(folder, import_module("averages.course").COURSE)
        build(project, say=str)
        yield project
    for name in [name for name in sys.modules if name.split(".")[0] == "averages"]:
        del sys.modules[name]


def test_it_is_built_and_the_student_gets_no_answer(project):
    assert check(project) == []
    assert "ordered" not in (project.exercises / "centre.ipynb").read_text(encoding="utf-8")


def test_an_answer_is_checked_and_a_mistake_named(project, capsys):
    centre = project.course.module("exercises.centre")
    centre.check_median(np.median)
    assert "median holds: 3 problems" in capsys.readouterr().out
    assert (project.root / ".averages-progress.txt").is_file()
    with pytest.raises(CheckFailed, match="the mean, not the median"):
        centre.check_median(np.mean)


def test_a_class_of_three_is_graded(project):
    solved = (project.solutions / "centre.ipynb").read_text(encoding="utf-8")
    wrong = solved.replace("ordered = sorted(values)", "return sum(values) / len(values)")
    untouched = (project.exercises / "centre.ipynb").read_text(encoding="utf-8")
    for name, text in (("ann", solved), ("bo", wrong), ("cy", untouched)):
        (project.root / "in" / name).mkdir(parents=True)
        (project.root / "in" / name / "centre.ipynb").write_text(text, encoding="utf-8")
    folder, out = project.root / "in", project.root / "out"
    grade(project.course, folder, out, project.exercises, 1, Limits(), False, "off")
    found = {one.student: [(verdict.points, verdict.status) for verdict in one.outcomes] for one in load_all(out)}
    assert found == {"ann": [(1, "passed")], "bo": [(0, "failed")], "cy": [(0, "not attempted")]}
    with (out / "summary.csv").open() as file:
        assert {row["student"]: row["total"] for row in csv.DictReader(file)} == {"ann": "1", "bo": "0", "cy": "0"}


def test_it_has_a_site_and_its_figure_moves_in_the_browser(project, jupyterlab):
    site.build(project, project.root / "site", shelf=Shelf(project.course, project.root / "shelf", 30), say=str)
    assert "Is it still in the middle?" in (project.root / "site/notebooks/00_middle.html").read_text(encoding="utf-8")
    (project.root / "figure.html").write_text(page(project.course, "middle", states=30), encoding="utf-8")
    seen = jupyterlab.another((project.root / "figure.html").as_uri())
    seen.get_by_role("button", name="far").click()
    seen.wait_for_function("document.querySelector('.wb-sentence').textContent === 'The mean is 6, the median 3.'")
