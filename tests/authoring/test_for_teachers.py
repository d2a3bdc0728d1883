"""The teachers' page: its plans add up, and every notebook, heading, question and exercise it names is there.

Its links are followed with all others, in test_links; that it names presets of every figure, and that those are
buttons, tests/explore/test_contract.py asserts.
"""
import re

import pytest

from workbook import course
from workbook.authoring.project import Project
from workbook.authoring.source import headings
from workbook.questions.questions import find

PROJECT = Project.find()
PAGE = PROJECT.notebooks / "for_teachers.md"
TEXT = PAGE.read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in PROJECT.notebooks.glob("source/*.md"))

PLAN = re.compile(r"^\| 50 \| 90 \| \|\n\|[-:|]+\|\n((?:\|.*\n)+)", flags=re.MULTILINE)
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
PRESETS = re.compile(r"`explore\.\w+`: (\*[^*\n]+\*(?:, \*[^*\n]+\*)*)")
QUESTION = re.compile(r"`(\d\d)-([a-z0-9-]+)`")
CHECK = r"(?<=\b)check-\d+$"                             # a quiz is called by the beginning of its questions' names


def test_every_plan_adds_up():
    plans = PLAN.findall(TEXT)
    assert len(plans) == len(re.findall(r"^\|[^\n]*50[^\n]*90[^\n]*\n\|[-:|]+\|$", TEXT, flags=re.MULTILINE))
    for plan in plans:
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in plan.splitlines()]
        short, long, what = zip(*rows, strict=True)
        minutes = [sum(int(cell) for cell in column if cell != "–") for column in (short, long)]
        assert minutes == [50, 90] and "–" not in long, f"the plan that begins with {what[0]!r}"


@pytest.mark.parametrize("name", LESSONS)
def test_every_notebook_has_its_plan_and_homework_and_what_they_name_is_there(name, sources):
    lesson = next(lesson for lesson in sources.lessons if lesson.name == name)
    head = f"## [{name[:2]} · {lesson.title}]({name}.ipynb)\n"
    assert head in TEXT
    text = TEXT.partition(head)[2].partition("\n## ")[0]
    assert len(PLAN.findall(text)) == 1
    assert "**Leave with:**" in text and "\n- **Homework:**" in text
    named = {words for words in BOLD.findall(text) if not words.endswith(":")}
    assert named and named <= {
        words for cell in lesson.cells if cell.kind == "markdown" for _, words in headings(cell.text)}
    source = lesson.path.read_text(encoding="utf-8")
    for number, rest in QUESTION.findall(text):
        assert number == name[:2] and re.search(rf'\("{number}-{re.sub(CHECK, "check", rest)}"[,)]', source)


def test_every_exercise_is_linked_with_its_title_and_minutes(sources):
    for lesson in sources.exercises:
        link = f"[{lesson.title}](../exercises/{lesson.name}.ipynb), {lesson.minutes} minutes"
        assert link in TEXT.replace("\n  ", " "), f"write into {PAGE.name}: {link}"


def test_every_question_is_one_and_italics_are_presets_only():
    for number, rest in QUESTION.findall(TEXT):          # outside of the plans too
        find(f"{number}-{rest}", course.TEXTS)           # ValueError if there is no such question
    assert set(ITALIC.findall(TEXT)) == {preset for named in PRESETS.findall(TEXT) for preset in ITALIC.findall(named)}
