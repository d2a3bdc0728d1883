"""Reading a lesson: lines, ids, placeholders, and what stops it."""
from functools import partial

import pytest
from workshop import NUMBERS, make_workshop

from workbook.authoring.notebook import derive
from workbook.authoring.placeholders import Placeholders
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import read_lesson

CODE = "```{code-cell} python\nx = 1\n```\n"


def read(folder, body=NUMBERS):
    """The lesson with this body, and its notebook."""
    project = make_workshop(folder, **{"01_numbers": body})
    found = read_lesson(project.notebooks / "source" / "01_numbers.md")
    return found, derive(found, partial(Placeholders(project, [found], []).fill, folder=project.notebooks))


def ids(folder, body):
    return [cell.id for cell in read(folder, body)[0].cells]


def test_ids_are_names_or_come_from_the_heading_above(tmp_path):
    assert ids(tmp_path, NUMBERS + f"\nMore.\n\n+++\n\n## By hand\n\nAgain.\n\n{CODE}\nAnd.\n\n{CODE}") == [
        "numbers", "the-sum", "by-hand-text-1", "by-hand-code-1", "by-hand-text-2", "by-hand-code-2", "by-hand-text-3",
        "by-hand", "by-hand-code-3", "by-hand-text-4", "by-hand-code-4",
    ]


def test_ids_are_valid_and_unique_whatever_the_headings(tmp_path):
    heads = ["σ", "Σ α", "Width & Höhe", "x" * 90, "x" * 90, "the-sum"]
    sections = "".join(f"\n+++\n\n## {head}\n\ntext\n\n{CODE}" for head in heads)
    found = ids(tmp_path, "# T\n" + sections + NUMBERS[NUMBERS.index("\nA sum"):])
    assert len(set(found)) == len(found) and "width-hohe" in found
    assert all(1 <= len(name) <= 64 and name.replace("-", "").isalnum() and name.isascii() for name in found)


@pytest.mark.parametrize(("body", "line", "says"), [
    ("Text first.\n", 8, "opens with prose"),
    ("# T\n\n```{code-cell} python\n:name: a b\n\nx\n```\n", 13, "letters, digits"),
    ("# T\n\n```{code-cell} python\n:color: red\n\nx\n```\n", 13, ":name: and :tags:, got color"),
    ("# T\n\n```{code-cell} python\n:tags: hidden\n\nx\n```\n", None, ":tags: [word, word]': 'hidden'"),
    ("# T\n\nA.\n\n```{code-cell}\n:name: a\nx\n```\n\nB.\n\n```{code-cell}\n:name: a\ny\n```\n", 21, "is taken"),
    ("# T\n\nA.\n\n```{code-cell}\nlesson.predict(\"01-nix\")\n```\n", 13, "question: got '01-nix'"),
    ("# T\n\nSee {{bidner_badge}}.\n", 10, "unknown placeholder {{bidner_badge}}; there are minutes, binder_badge"),
])
def test_a_mistake_stops_with_file_and_line(tmp_path, body, line, says):
    with pytest.raises(BuildError) as caught:
        read(tmp_path, body)
    assert says in str(caught.value) and "01_numbers.md:" in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["# T\n", "---\nworkbook: {title: T}\n---\n# T\n",
                                  "---\nworkbook: {title: T, summary: S, minutes: x}\n---\n# T\n"])
def test_front_matter_is_checked(tmp_path, text):
    path = tmp_path / "01_x.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BuildError, match=r"01_x.md:1: expected YAML front matter .* \{title, summary, minutes\}"):
        read_lesson(path)


def test_placeholders_become_text_and_formulas_stay(tmp_path):
    text = read(tmp_path, "# T\n\n$\\frac{{a}}{b}$ {{minutes}} {{binder_badge}}\n")[1].cells[0].source
    assert "$\\frac{{a}}{b}$ 5 [![Open on Binder](images/binder.svg)](http" in text
    assert text.endswith("?urlpath=lab/tree/notebooks/00_start_here.ipynb)")


def test_a_project_is_found_from_any_folder_in_it_and_needs_an_address(tmp_path, monkeypatch):
    text = '[project]\nname = "nwlab"\n[project.urls]\nRepository = ""\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    (tmp_path / "deep" / "inside").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "inside")
    project = Project.find()
    assert project.root == tmp_path
    with pytest.raises(BuildError, match="pyproject.toml, Repository: got '', expected OWNER/NAME"):
        _ = project.address
