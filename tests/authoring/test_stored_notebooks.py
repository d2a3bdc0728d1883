"""The stored notebooks are what their sources say, and what a reader should see who has not run anything.

Nothing is executed here: nbval does that once. It compares nothing in a notebook that was stored without outputs, and
passes; so that they hold outputs is asserted here.
"""
import json

import nbformat
import pytest

from nwlab.course import COURSE
from workbook.authoring.build import check
from workbook.authoring.notebook import LIMIT
from workbook.authoring.outputs import WIDGET, pictures
from workbook.authoring.project import Project
from workbook.authoring.source import IGNORED, headings

PROJECT = Project.find(COURSE)
SOLUTIONS = sorted(PROJECT.solutions.glob("*.ipynb"))
NOTEBOOKS = sorted([*PROJECT.notebooks.glob("[0-9][0-9]_*.ipynb"), *SOLUTIONS])


def test_make_build_would_change_nothing_but_outputs():
    problems = check(PROJECT)
    assert not problems, "\n".join(["run `make build`:", *problems])


def test_there_are_lessons():
    """An empty folder would pass the test above."""
    lessons = sorted(path.stem for path in (PROJECT.notebooks / "source").glob("*.md"))
    assert lessons[0] == "00_start_here" and len(NOTEBOOKS) == len(lessons) + len(SOLUTIONS) > len(lessons)
    numbers = [int(name[:2]) for name in lessons]
    assert numbers == sorted(set(numbers)), numbers


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_one_title_and_no_heading_skips_a_level(path):
    """The site takes the name in its list from the title, and numbers it, only where there is one."""
    cells = nbformat.read(path, as_version=nbformat.NO_CONVERT).cells
    levels = [level for cell in cells if cell.cell_type == "markdown" for level, _ in headings(cell.source)]
    assert levels[0] == 1 and 1 not in levels[1:]
    assert all(level <= before + 1 for before, level in zip(levels, levels[1:])), levels


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_reader_sees_an_executed_notebook(path):
    text = path.read_text(encoding="utf-8")
    nbformat.validate(json.loads(text))
    assert path.stat().st_size <= LIMIT and WIDGET not in text
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "widgets" not in notebook.metadata
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    # A notebook whose every output is ignored would never fail under nbval.
    assert any(cell.outputs and IGNORED not in cell.metadata.get("tags", []) for cell in code)
    for cell in code:
        tags = set(cell.metadata.get("tags", []))
        assert not tags & {"nbval-skip", "skip-execution"} and "NBVAL" not in cell.source, cell.id
        for output in cell.outputs:
            assert output.output_type != "error" or "raises-exception" in tags, cell.id
            assert output.get("name") != "stderr", cell.id
            assert output.get("data", True) and (not pictures(output) or IGNORED in tags), cell.id


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_every_figure_of_an_exercise_is_drawn(path):
    """A figure cell never raises, so a broken one would be stored in silence."""
    code = nbformat.read(path, as_version=nbformat.NO_CONVERT).cells
    drawn = [cell for cell in code if cell.cell_type == "code" and ".show_" in cell.source]
    assert drawn
    for cell in drawn:
        assert any(pictures(output) for output in cell.outputs), f"{cell.id}: {cell.outputs}"
