"""The teachers' page: its plans add up, and every notebook, heading, question and exercise it names is there.

Its links are followed with all others, in test_links; that it names presets of every figure, and that those are
buttons, tests/explore/test_contract.py asserts.
"""
import re

import pytest

from workbook import course
from workbook.authoring import plans
from workbook.authoring.project import Project
from workbook.authoring.source import headings
from workbook.questions.questions import find

PROJECT = Project.find()
PAGE = PROJECT.notebooks / "for_teachers.md"
TEXT = PAGE.read_text(encoding="utf-8")
LESSONS = sorted(path.stem for path in PROJECT.notebooks.glob("source/*.md"))

PLANS = plans.read(TEXT)
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
PRESETS = re.compile(r"`explore\.\w+`: (\*[^*\n]+\*(?:, \*[^*\n]+\*)*)")
QUESTION = re.compile(r"`(\d\d)-([a-z0-9-]+)`")
CHECK = r"(?<=\b)check-\d+$"                             # a quiz is called by the beginning of its questions' names


def test_every_plan_adds_up_and_names_no_more_than_there_is_time_for():
    """Five minutes for each vote, and one for every other question and every preset."""
    assert {(plan.name, plan.minutes) for plan in PLANS} == {
        ("one_hour_five_stops", 60), *((name, minutes) for name in (*LESSONS, "one_lecture") for minutes in (50, 90))}
    for plan in PLANS:
        assert sum(minutes for minutes, _ in plan.rows) == plan.minutes, plan
        assert any(plans.votes(words) for _, words in plan.rows), f"{plan.name}, {plan.minutes}: nobody votes"
        for minutes, words in plan.rows:
            voted = plans.votes(words)
            assert all(find(name, course.TEXTS).options for name in voted)
            others = {"-".join(name) for name in QUESTION.findall(words)} - {*voted}
            presets = [preset for named in PRESETS.findall(words) for preset in ITALIC.findall(named)]
            assert 5 * len(voted) + len(others) + len(presets) <= minutes, (plan.name, plan.minutes, words)


def test_the_hour_has_five_stops_and_three_votes(sources):
    (hour,) = (plan for plan in PLANS if plan.minutes == 60)
    assert [words[:2] for _, words in hour.rows] == ["00", "02", "03", "06", "07"]
    assert sum(len(plans.votes(words)) for _, words in hour.rows) == 3
    there = [lesson for lesson in sources.lessons if f"`{lesson.name}.ipynb`" in hour.needs]
    assert len(there) == 5 and f" {sum(lesson.minutes for lesson in there)} minutes" in hour.needs


@pytest.mark.parametrize("name", LESSONS)
def test_every_notebook_has_its_plan_and_homework_and_what_they_name_is_there(name, sources):
    lesson = next(lesson for lesson in sources.lessons if lesson.name == name)
    head = f"## [{name[:2]} · {lesson.title}]({name}.ipynb)\n"
    assert head in TEXT
    text = TEXT.partition(head)[2].partition("\n## ")[0]
    plan = next(plan for plan in PLANS if plan.name == name)
    assert plan.leave and plan.homework
    assert f"`{name}.ipynb`" in plan.needs and f"; {lesson.minutes} minutes to go through it yourself." in plan.needs
    assert ("PyTorch" in plan.needs) == (name in course.NEEDS_MACHINE)
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
