"""Every link in the README and the notebooks has a target, and the check would see one that had none."""

import pytest
from workshop import NUMBERS, START, make_workshop

from nwlab.course import COURSE
from workbook.authoring.build import build
from workbook.authoring.links import broken_links, links_in
from workbook.authoring.project import Project


def test_every_link_of_this_workbook_has_a_target(root):
    problems = broken_links(Project(root, COURSE))
    assert not problems, "\n".join(problems)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    project = make_workshop(tmp_path_factory.mktemp("links"), **{
        "00_start_here": START, "01_numbers": NUMBERS.partition("A sum")[0]})
    build(project, say=str)
    return project


@pytest.mark.parametrize("good", [
    "[a](notebooks/01_numbers.ipynb)", "[a](notebooks/01_numbers.ipynb#By-hand)", "[a](#a-page)", "[a](notebooks)",
    "[a](https://example.org/x#y)", "[a](mailto:a@b.org)", "`[code](nowhere.md)`", "```\n[code](nowhere.md)\n```",
    "[a][1]\n\n[1]: README.md", '<a href="README.md">a</a>', '[a](README.md "with a title")', "![a](<README.md>)",
])
def test_a_good_link_passes(workshop, good):
    workshop.readme.write_text(f"# A page\n\n{good}\n", encoding="utf-8")
    assert broken_links(workshop) == []


@pytest.mark.parametrize(("bad", "says"), [
    ("[a](gone.md)", "'gone.md' leads to no file"),
    ("![a](gone.png)", "'gone.png' leads to no file"),
    ("[a](Notebooks/01_numbers.ipynb)", "leads to no file"),
    ("[a](notebooks/01_Numbers.ipynb)", "leads to no file"),
    ("[a](notebooks/01_numbers.ipynb#by-hand)", "leads to no heading; there are By-hand, Numbers"),
    ("[a](#b)", "leads to no heading; there are a-page"),
    ("[a](../outside.md)", "leads out of the repository"),
    ("[a](/etc/hosts)", "leads out of the repository"),
    ("[a](https://nohost)", "names no host"),
    ("[a](htps://example.org)", "should be a relative path or start with https://"),
    ("[a]()", "a link without a target"),
    ("[a][1]\n\n[1]: gone.md", "leads to no file"),
    ('<img src="gone.png" alt="a">', "leads to no file"),
])
def test_a_bad_link_is_named_with_its_line(workshop, bad, says):
    workshop.readme.write_text(f"# A page\n\n{bad}\n", encoding="utf-8")
    (problem,) = broken_links(workshop)
    line = 5 if "[1]:" in bad else 3
    assert problem.startswith(f"README.md:{line}: ") and says in problem


def test_a_notebook_is_told_by_its_source(tmp_path):
    make_workshop(tmp_path, **{"00_start_here": START.replace("01_numbers.ipynb#By-hand", "01_gone.ipynb")})
    broken = broken_links(Project(tmp_path, COURSE))
    assert "notebooks/source/00_start_here.md:12: '01_gone.ipynb' leads to no file" in broken


def test_links_with_brackets_and_titles():
    found = links_in("[![badge](https://a.b/c.svg)](https://d.e/f_(g)) and [x](y 'title')")
    assert [target for _, target in found] == ["https://a.b/c.svg", "https://d.e/f_(g)", "y"]
