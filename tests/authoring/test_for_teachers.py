"""The teachers' page: its plans add up, and every notebook, heading, question, preset and exercise it names is there.

Its links are followed with all others, in test_links.
"""
import functools
import re
from pathlib import Path

import pytest
from live_figures import buttons, shared

from nwlab import explore
from nwlab.course import COURSE
from workbook.authoring.source import read_lesson
from workbook.lesson.questions import find

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "notebooks" / "for_teachers.md"
TEXT = PAGE.read_text(encoding="utf-8")
LESSONS, EXERCISES = (sorted((ROOT / room / "source").glob("*.md")) for room in ("notebooks", "solutions"))
# When it is asked for: not while tests are collected.
read = functools.cache(lambda path: read_lesson(path, COURSE.texts))

PLAN = re.compile(r"^\| 50 \| 90 \| \|\n\|[-:|]+\|\n((?:\|.*\n)+)", flags=re.MULTILINE)
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
PRESETS = re.compile(r"`explore\.(\w+)`: (\*[^*\n]+\*(?:, \*[^*\n]+\*)*)")
QUESTION = re.compile(r"`(\d\d)-([a-z0-9-]+)`")
CHECK = r"(?<=\b)check-\d+$"                              # a quiz is asked by the beginning of its questions' names
PLACED = re.compile(r"`(\d\d-[a-z0-9-]+)` in \*\*(.+?)\*\*")


def plans(text: str) -> list[list[list[str]]]:
    """The tables that are plans, as rows of [minutes of 50, minutes of 90, what]."""
    return [[[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
            for table in PLAN.findall(text)]


def presets(text: str) -> dict[str, set[str]]:
    """The presets named after each live figure."""
    found: dict[str, set[str]] = {}
    for name, listed in PRESETS.findall(text):
        found.setdefault(name, set()).update(ITALIC.findall(listed))
    return found


def block(name: str) -> str:
    """What the page says of one notebook, from its heading to the next."""
    start = TEXT.index(f"({name}.ipynb)\n")
    return TEXT[start:TEXT.index("\n## ", start)]


def headings(path: Path) -> dict[str, str]:
    """Each heading of a notebook with the text and code under it, its smaller headings included."""
    found, open_ones = {}, []                               # open_ones: (level, title), the heading we are in last
    for cell in read(path).cells:
        for line in cell.text.splitlines():
            match = re.match(r"(#+) (.+)", line) if cell.kind == "markdown" else None
            if match:
                open_ones = [(level, title) for level, title in open_ones if level < len(match[1])]
                open_ones.append((len(match[1]), match[2]))
            for _, title in open_ones:
                found[title] = found.get(title, "") + line + "\n"
    return found


def test_every_plan_adds_up():
    found = plans(TEXT)
    assert len(found) == len(re.findall(r"^\|[^\n]*50[^\n]*90[^\n]*\n\|[-:|]+\|$", TEXT, flags=re.MULTILINE))
    for rows in found:
        short, long, what = zip(*rows, strict=True)
        minutes = [sum(int(cell) for cell in column if cell != "–") for column in (short, long)]
        assert minutes == [50, 90], f"the plan that begins with {what[0]!r}"
        assert "–" not in long, "a row that no plan uses"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_notebook_has_its_plans_homework_and_misconceptions_and_what_they_name_is_there(path):
    name = path.stem
    assert f"## [{name[:2]} · {read(path).title}]({name}.ipynb)\n" in TEXT
    text, under = block(name), headings(path)
    assert len(plans(text)) == 1
    assert "**Leave with:**" in text and "\n- **Homework:**" in text
    misconceptions = re.findall(r'^- "(.+)": (.+)', text, flags=re.MULTILINE)
    assert len(misconceptions) >= 2
    for claim, met in misconceptions:
        assert QUESTION.search(met) or PRESETS.search(met) or BOLD.search(met), f"nothing meets {claim!r}"
    sections = {words for words in BOLD.findall(text) if not words.endswith(":")}
    assert sections and not sections - set(under)
    source = path.read_text(encoding="utf-8")
    for number, rest in QUESTION.findall(text):
        assert number == name[:2]
        assert re.search(rf'\("{number}-{re.sub(CHECK, "check", rest)}"[,)]', source)
    for question, section in PLACED.findall(text):
        asked = re.sub(CHECK, "check", question)
        assert f'("{asked}")' in under[section], f"{question} is not asked in {section!r}"


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_every_exercise_is_linked_with_its_title_and_minutes(path):
    link = f"[{read(path).title}](../exercises/{path.stem}.ipynb), "                  # the build holds the number
    assert re.search(re.escape(link) + r"\d+ minutes", TEXT.replace("\n  ", " ")), f"write into {PAGE.name}: {link}"


def test_every_question_is_one():
    for number, rest in QUESTION.findall(TEXT):             # outside of the plans too
        find(f"{number}-{rest}", COURSE.texts)                            # ValueError if there is no such question


def test_presets_are_buttons_of_their_live_figure_which_are_all_used_and_italics_are_presets_only():
    found = presets(TEXT)
    for name, named in found.items():
        assert not named - set(buttons(shared(name))), name
    assert set(explore.__all__) <= set(found) and set(ITALIC.findall(TEXT)) == set().union(*found.values())
