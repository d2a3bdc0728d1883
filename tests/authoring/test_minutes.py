"""How long a notebook takes is counted, never written."""
import pytest
from workshop import lesson, make_workshop

from nwlab.course import COURSE
from workbook.authoring.build import build
from workbook.authoring.minutes import minutes
from workbook.authoring.source import read_lesson
from workbook.lesson.questions import starting_with

# What slow readers took, code and predictions included: from, to.
MEASURED = {"05_where_one_width_fails": (75, 90), "12_classes_and_densities": (76, 76), "14_forum_court": (87, 87),
            "warm_up": (50, 60), "parzen_equivalence": (70, 70), "online_softmax": (75, 75), "sgd_bandwidth": (75, 75),
            "unit_sphere": (80, 80)}


@pytest.mark.parametrize("name", MEASURED)
def test_the_formula_gives_the_minutes_that_readers_took(name, sources):
    low, high = MEASURED[name]
    assert low - 5 <= int(sources.tokens.minutes[name]) <= high + 5


CELL = "Look.\n\n```{code-cell} python\n%s\n```\n\n"
SOLVED = "def f():\n    ### BEGIN SOLUTION\n    # a remark\n    x = 1\n\n    return x\n    ### END SOLUTION"
TASK_WORDS, QUIZ_WORDS = (sum(len(" ".join([one.text, *one.options, one.why]).split())
                              for one in starting_with(name, COURSE.texts)) for name in ("00-gap", "05-check"))


@pytest.mark.parametrize(("text", "more_points", "expected"), [             # 20 minutes and more: a wrong rate shows
    ("word " * 2600, 0, 20),
    ('<span class="a b c">word</span> ' * 2600, 0, 20),                     # what nobody reads does not count
    (CELL % "1 + 1" * 100, 0, 100 + 3 * 100 / 130),
    (CELL % "explore.width()" * 20, 0, 160 + 2 * 20 / 130),
    (CELL % 'lesson.task("00-gap", mine)' * 40, 0, 120 + (3 + TASK_WORDS) * 40 / 130),
    (CELL % 'lesson.quiz("05-check")' * 10, 0, 7 * 10 / 4 + (2 + QUIZ_WORDS) * 10 / 130),
    (CELL % "f.check_g(g)" * 400, 0, 2 * 400 / 130),                        # is part of writing it
    (CELL % SOLVED * 40, 0, 2 * 0.75 * 40 + 3 * 40 / 130),                  # two lines each
    (("<!-- BEGIN SOLUTION (2 points) -->\n" + "word " * 1300 + "\n<!-- END SOLUTION -->\n\n+++\n\n") * 5, 0, 35),
    ("Words.", 10, 70),
])
def test_each_part_of_the_formula_counts_as_the_readme_says(tmp_path, text, more_points, expected):
    path = tmp_path / "01_x.md"
    path.write_text(lesson("# T\n\n" + text), encoding="utf-8")
    counted = minutes(read_lesson(path, COURSE.texts).cells, COURSE.texts, more_points)
    assert abs(counted - expected) <= 2.51


def test_the_build_writes_and_says_them(tmp_path):
    project = make_workshop(tmp_path, **{"00_long": "# Long\n\nAbout {{minutes}} minutes.\n\n" + "word " * 5200})
    project.readme.write_text("(../exercises/none.ipynb), 7 minutes\n", encoding="utf-8")
    lines: list[str] = []
    build(project, say=lines.append)
    assert "About 40 minutes." in (project.notebooks / "00_long.ipynb").read_text(encoding="utf-8")
    assert "40 minutes" in lines[0]
