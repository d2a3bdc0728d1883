"""The lessons keep to a student's patience: not too long, a picture early, something to do before long."""
import functools
import re
import statistics

import pytest

from nwlab.course import COURSE
from workbook.authoring.claims import without_marks
from workbook.authoring.project import Project
from workbook.authoring.source import read_lesson

PROJECT = Project.find(COURSE)
SOURCES = PROJECT.notebooks / "source"
LESSONS = sorted(path.stem for path in SOURCES.glob("*.md"))
read = functools.cache(lambda name: read_lesson(SOURCES / f"{name}.md", COURSE.texts))     # not while collecting
DO = re.compile(r"lesson\.(predict|predict_number|court|quiz|task)\(|explore\.\w+\(")
PICTURE = re.compile(r"plt\.show|explore\.\w+\(")


def words(cell) -> int:
    return len(without_marks(cell.text).split())


@pytest.mark.parametrize("name", LESSONS)
def test_no_lesson_takes_more_than_an_hour_and_a_half(name):
    assert read(name).minutes <= 90
    assert sum(words(cell) for cell in read(name).cells) <= 5000


@pytest.mark.parametrize("name", LESSONS)
def test_the_first_picture_comes_within_the_first_fifth(name):
    cells = read(name).cells
    first = next(i for i, cell in enumerate(cells) if cell.kind == "code" and PICTURE.search(cell.text))
    assert sum(map(words, cells[:first])) <= 0.2 * sum(map(words, cells))


@pytest.mark.parametrize("name", [name for name in LESSONS if name < "08"])
def test_there_is_something_to_do_every_250_words(name):
    gaps = [0]
    for cell in read(name).cells:
        gaps[-1] += words(cell) if cell.kind == "markdown" else 0
        if cell.kind == "code" and DO.search(cell.text):
            gaps.append(0)
    assert statistics.median(gaps) <= 250, gaps


@pytest.mark.parametrize("path", [*SOURCES.glob("*.md"), *(PROJECT.solutions / "source").glob("*.md")],
                         ids=lambda path: path.stem)
def test_a_notebook_with_torch_keeps_to_one_thread(path):
    """Beside a busy core a batch of 50 samples takes twenty times as long on two, and a cell of 3 seconds a minute."""
    cells = [f"\n{cell.text}\n" for cell in read_lesson(path, COURSE.texts).cells if cell.kind == "code"]
    assert all("\ntorch.set_num_threads(1) " in cell for cell in cells if "\nimport torch\n" in cell)
