"""Every link in the README and the notebooks has a target, and the check would see one that had none."""
import pytest
from workshop import NUMBERS, START, make_workshop

from workbook.authoring.build import Sources, build
from workbook.authoring.links import all_links, broken_links, links_in


def problems(project, sources=None):
    return broken_links(project, all_links(sources or Sources(project)))


def test_every_link_of_this_workbook_has_a_target(sources):
    assert not (found := problems(sources.project, sources)), "\n".join(found)


def test_the_front_page_is_read_in_some_minutes_and_its_pictures_come_at_once(root):
    assert len((root / "README.md").read_text(encoding="utf-8").split()) <= 900
    pictures = [root / "notebooks/images" / name for name in ("houses.webp", "houses.png")]
    assert all(picture.stat().st_size <= 1_500_000 for picture in pictures)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    project = make_workshop(tmp_path_factory.mktemp("links"), **{
        "00_start_here": START, "01_numbers": NUMBERS.partition("A sum")[0]})
    build(project, say=str)
    return project


@pytest.mark.parametrize("good", [
    "[a](notebooks/01_numbers.ipynb)", "[a](#a-page)", "[a](notebooks)",
    "[a](https://example.org/x#y)", "[a](mailto:a@b.org)", "`[code](nowhere.md)`", "```\n[code](nowhere.md)\n```",
])
def test_a_good_link_passes(workshop, good):
    workshop.readme.write_text(f"# A page\n\n{good}\n", encoding="utf-8")
    assert problems(workshop) == []


@pytest.mark.parametrize(("bad", "says"), [
    ("![a](gone.png)", "'gone.png' leads to no file"),
    ("[a](notebooks/01_Numbers.ipynb)", "leads to no file"),
    ("[a](notebooks/01_numbers.ipynb#By-hand)", "leads to no heading; there are none"),
    ("[a](#b)", "leads to no heading; there are a-page"),
    ("[a](../outside.md)", "leads out of the repository"),
    ("[a](https://nohost)", "'https://nohost' should be a relative path, or start with https:// and name a host"),
    ("[a](htps://example.org)", "should be a relative path"),
    ("[a]()", "'' should be a relative path"),
    ('<img src="gone.png" alt="a">', "leads to no file"),
])
def test_a_bad_link_is_named(workshop, bad, says):
    workshop.readme.write_text(f"# A page\n\n{bad}\n", encoding="utf-8")
    (problem,) = problems(workshop)
    assert problem.startswith("README.md: ") and says in problem


def test_links_within_links_and_tables():
    text = "[![badge](https://a.b/c.svg)](https://d.e/f_(g)) and\n[x](y 'title')\n\n| [t](u) |\n|---|\n| [v](w) |\n"
    assert list(links_in(text)) == ["https://d.e/f_(g)", "https://a.b/c.svg", "y", "u", "w"]
