"""The notebooks as stored: what their sources say, and what a reader sees who has not run anything.

Nothing is executed here: nbval does that once. It compares nothing in a notebook that was stored without outputs, and
passes; so that they hold outputs is asserted here.
"""
import json
import re
import statistics
from dataclasses import replace

import nbformat
import pytest

from workbook import course
from workbook.authoring import notebook
from workbook.authoring.build import check
from workbook.authoring.execute import WIDGET
from workbook.authoring.project import Project
from workbook.authoring.source import IGNORED, headings
from workbook.language import without_claims
from workbook.questions import questions

PROJECT = Project.find()
LESSONS = sorted(path.stem for path in PROJECT.notebooks.glob("source/*.md"))
SOLUTIONS = sorted(PROJECT.solutions.glob("*.ipynb"))
NOTEBOOKS = [*(PROJECT.notebooks / f"{name}.ipynb" for name in LESSONS), *SOLUTIONS]
DO = re.compile(r"lesson\.(predict|predict_number|court|quiz|task)\(|explore\.\w+\(")
LIMIT = 1_000_000                                        # bytes: code hosts do not show a larger notebook
MACHINE = re.compile(r"\bat 0x[0-9A-Fa-f]{6,}|/(home|Users|root|tmp)/")         # another at every run, or elsewhere
PICTURE = re.compile(r"plt\.show|explore\.\w+\(")


def pictures(output) -> list[str]:
    """The picture types of one output, HTML with a picture in it included."""
    return [kind for kind, content in output.get("data", {}).items()
            if kind.startswith("image/") or kind == "text/html" and "<img " in content]


def test_make_build_would_change_nothing_but_outputs(sources):
    problems = check(PROJECT, sources)
    assert not problems, "\n".join(["run `make build`:", *problems])
    assert LESSONS[0] == "00_start_here" and len(SOLUTIONS) == len(course.EXERCISES) > 0


@pytest.mark.parametrize(("part", "name"), [("text", "01-castle"), ("why", "01-castle"), ("options", "01-castle"),
                                            ("numbers", "01-average"), ("axes", "01-jump")])
def test_a_typo_mended_in_a_question_makes_a_notebook_that_shows_it_stale(part, name, sources, monkeypatch):
    def mended(question):
        value = getattr(question, part)
        return replace(question, **{part: f"New {value}" if part in ("text", "why") else (*value[1:], value[0], 1.0)})

    (edition,), read = sources.editions((name[:2],)), questions.read
    before = notebook.serialise(sources.derive(edition))
    monkeypatch.setattr(questions, "read", lambda *of: read(*of) | {name: mended(read(*of)[name])})
    assert notebook.serialise(sources.derive(edition)) != before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_reader_sees_an_executed_notebook(path):
    text = path.read_text(encoding="utf-8")
    nbformat.validate(json.loads(text))
    assert path.stat().st_size <= LIMIT and WIDGET not in text and "% claim" not in text
    stored = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    levels = [level for cell in stored.cells if cell.cell_type == "markdown" for level, _ in headings(cell.source)]
    assert levels[0] == 1 and 1 not in levels[1:], "the site takes a notebook's name from its one title"
    assert all(level <= before + 1 for before, level in zip(levels, levels[1:])), levels
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert "widgets" not in stored.metadata
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    # A notebook whose every output is ignored would never fail under nbval.
    assert any(cell.outputs and IGNORED not in cell.metadata.get("tags", []) for cell in code)
    for cell in code:
        # Beside a busy core small batches take twenty times as long on two threads.
        assert "import torch\n" not in cell.source or "torch.set_num_threads(1) " in cell.source, cell.id
        tags = set(cell.metadata.get("tags", []))
        assert ("asks" in cell.metadata) == bool(re.search(r"^lesson\.(?!check_)", cell.source, re.MULTILINE)), cell.id
        assert not tags & {"nbval-skip", "skip-execution"} and "NBVAL" not in cell.source, cell.id
        for output in cell.outputs:
            assert output.output_type != "error" or "raises-exception" in tags, cell.id
            assert output.get("name") != "stderr", cell.id
            words = str([value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")])
            assert not MACHINE.search(words + str(output.get("text")) + str(output.get("traceback"))), cell.id
            assert output.get("data", True) and (not pictures(output) or IGNORED in tags), cell.id
            if pictures(output):
                (text,) = re.findall(r'<img [^>]*?alt="([^"]*)"', output.data.get("text/html", ""))
                assert len(text) > 15, "run `make build`"
        # A figure cell of an exercise never raises, so a broken one would be stored in silence.
        assert ".show_" not in cell.source or any(map(pictures, cell.outputs)), f"{cell.id}: {cell.outputs}"
    assert any(pictures(output) for cell in code for output in cell.outputs)


def test_prose_introduces_every_code_cell_none_is_empty_and_none_has_become_prose(sources):
    for lesson in (*sources.lessons, *sources.exercises):
        for before, cell in zip(lesson.cells, lesson.cells[1:]):
            place = f"{cell.path}:{cell.line}"
            if cell.kind == "code":
                assert cell.text.strip() and before.kind == "markdown", place
            else:
                assert not re.search(r"\{code-?(cell|block)\}", cell.text, re.IGNORECASE), place


@pytest.mark.parametrize("name", LESSONS[1:])
def test_the_summary_of_a_lesson_has_its_formula_card(name, sources):
    lesson = next(lesson for lesson in sources.lessons if lesson.name == name)
    text = "\n\n".join(cell.text for cell in lesson.cells if cell.kind == "markdown")
    card, = re.findall(r'\n## Summary\n(?:(?!\n## ).)*<div class="wb-card">\n\n(.+?)\n\n</div>', text, flags=re.DOTALL)
    head, line, *rows = [row.strip("| ").split(" | ") for row in card.splitlines()]
    assert head[0] == "[Formula card](symbols.md)" and rows[-1][0] == "use it"
    assert {len(row) for row in (head, *rows)} == {2}


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_opens_with_its_picture_is_not_too_long_and_has_something_to_do_before_long(name, sources):
    """On the first screen stand a question, the imports, folded, what to do or to look for, and the picture."""
    lesson = next(lesson for lesson in sources.lessons if lesson.name == name)
    words = [len(without_claims(cell.text).split()) for cell in lesson.cells]
    assert lesson.minutes <= 90 and sum(words) <= 5000
    first = next(i for i, cell in enumerate(lesson.cells) if cell.kind == "code" and PICTURE.search(cell.text))
    above, picture = lesson.cells[:first], lesson.cells[first]
    assert sum(count for cell, count in zip(above, words) if cell.kind == "markdown") <= 110
    assert not re.search(r"^## |\*\*(You need|After this)", "\n".join(cell.text for cell in above), re.MULTILINE)
    assert sum("hide-input" in cell.tags for cell in above) == sum(cell.kind == "code" for cell in above) < 2
    assert "hide-input" in picture.tags or picture.text.splitlines()[-1].startswith("explore.")
    if name != LESSONS[0]:
        assert re.search(r"(?s)\A(?!.*^## ).*\*\*After this notebook.*\*\*You need", lesson.cells[first + 1].text)
    gaps = [0]                                           # words of prose between two things to do
    for cell, count in zip(lesson.cells, words):
        gaps[-1] += count if cell.kind == "markdown" else 0
        if cell.kind == "code" and DO.search(cell.text):
            gaps.append(0)
    assert name >= "08" or statistics.median(gaps) <= 250, gaps
