"""How long a notebook takes is counted, never written."""
import functools
import re
from pathlib import Path

import pytest
from workshop import lesson, make_workshop

from nwlab.course import COURSE
from workbook.authoring.build import Sources, build
from workbook.authoring.minutes import minutes
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import read_lesson
from workbook.lesson.questions import starting_with

PROJECT = Project.find(COURSE)
# What slow readers took, code and predictions included: from, to.
MEASURED = {"05_where_one_width_fails": (75, 90), "12_classes_and_densities": (76, 76), "14_forum_court": (87, 87),
            "warm_up": (50, 60), "parzen_equivalence": (70, 70), "online_softmax": (75, 75), "sgd_bandwidth": (75, 75),
            "unit_sphere": (80, 80)}
SAID = re.compile(r"(?i)\bminutes: *\d|\b\d+ minutes\b|minutes[^.|]{0,20}\b\d+ min")


@functools.cache
def told() -> dict[str, int]:
    sources = Sources(PROJECT)
    return {one.name: one.minutes for one in (*sources.lessons, *(each.lesson for each in sources.exercises))}


@pytest.mark.parametrize("name", MEASURED)
def test_the_formula_gives_the_minutes_that_readers_took(name):
    low, high = MEASURED[name]
    assert low - 5 <= told()[name] <= high + 5


def counted(tmp_path: Path, text: str, more_points: int = 0) -> int:
    path = tmp_path / "01_x.md"
    path.write_text(lesson("# T\n\n" + text), encoding="utf-8")
    return minutes(read_lesson(path, COURSE.texts).cells, COURSE.texts, more_points)


CELL = "Look.\n\n```{code-cell} python\n%s\n```\n\n"
SOLVED = "def f():\n    ### BEGIN SOLUTION\n    # a remark\n    x = 1\n\n    return x\n    ### END SOLUTION"

TEXTS = COURSE.texts
TASK_WORDS, QUIZ_WORDS = (sum(len(" ".join([one.text, *one.options, one.why]).split())
                              for one in starting_with(name, TEXTS))
                          for name in ("00-gap", "05-check"))


@pytest.mark.parametrize(("text", "expected"), [                            # 20 minutes and more: a wrong rate shows
    ("word " * 2600, 20),
    ('<span class="a b c">word</span> ' * 2600, 20),                        # what nobody reads does not count
    (CELL % "1 + 1" * 100, 100 + 3 * 100 / 130),
    (CELL % "explore.width()" * 20, 160 + 2 * 20 / 130),
    (CELL % 'lesson.task("00-gap", mine)' * 40, 120 + (3 + TASK_WORDS) * 40 / 130),
    (CELL % 'lesson.quiz("05-check")' * 10, 7 * 10 / 4 + (2 + QUIZ_WORDS) * 10 / 130),
    (CELL % "f.check_g(g)" * 400, 2 * 400 / 130),                           # is part of writing it
    (CELL % SOLVED * 40, 2 * 0.75 * 40 + 3 * 40 / 130),                     # two lines each
    (("<!-- BEGIN SOLUTION (2 points) -->\n" + "word " * 1300 + "\n<!-- END SOLUTION -->\n\n+++\n\n") * 5, 35),
])
def test_each_part_of_the_formula_counts_as_the_readme_says(tmp_path, text, expected):
    assert abs(counted(tmp_path, text) - expected) <= 2.51


def test_the_points_of_hard_items_count(tmp_path):
    assert counted(tmp_path, "Words.", more_points=10) == 70


def test_no_source_and_no_page_says_minutes_that_nobody_counted(tmp_path):
    for path in [*PROJECT.notebooks.glob("source/*.md"), *PROJECT.solutions.glob("source/*.md")]:
        assert not SAID.search(path.read_text(encoding="utf-8")), path.name
    page = PROJECT.notebooks / "for_teachers.md"
    assert Sources(PROJECT).pages()[page] == page.read_text(encoding="utf-8"), "run `make build`"


def test_the_build_writes_and_says_them(tmp_path):
    long = "# Long\n\nAbout {{minutes}} minutes.\n\n" + "word " * 5200
    project = make_workshop(tmp_path, **{"00_long": long, "01_short": "# Short\n\n{{minutes}}\n"})
    said: list[str] = []
    build(project, say=said.append)
    assert "About 40 minutes." in (project.notebooks / "00_long.ipynb").read_text(encoding="utf-8")
    assert '"5"' in (project.notebooks / "01_short.ipynb").read_text(encoding="utf-8")
    assert "40 minutes" in said[0]


def test_a_question_that_there_is_not_stops_with_its_line(tmp_path):
    with pytest.raises(BuildError, match=r"01_x.md:13: question: got '01-nix'"):
        counted(tmp_path, CELL % 'lesson.predict("01-nix")')
