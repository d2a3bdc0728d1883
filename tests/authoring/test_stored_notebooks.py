"""What a reader sees who has not run anything: executed cells, no error, pictures instead of widgets.

nbval compares nothing in a notebook that was stored without outputs, and passes; so this is asserted here.
"""

import json
from pathlib import Path

import nbformat
import pytest

from nwlab.authoring.notebook import LIMIT
from nwlab.authoring.outputs import WIDGET, pictures
from nwlab.authoring.source import IGNORED

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted([*(ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"), *(ROOT / "solutions").glob("*.ipynb")])


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def code(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_is_valid_and_small(path):
    nbformat.validate(json.loads(path.read_text(encoding="utf-8")))
    assert path.stat().st_size <= LIMIT


def test_was_executed_once_from_top_to_bottom(code):
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_holds_no_error_and_no_warning(code):
    for cell in code:
        tags = cell.metadata.get("tags", [])
        for output in cell.outputs:
            assert output.output_type != "error" or "raises-exception" in tags, cell.id
            assert output.get("name") != "stderr" or "stderr-on-purpose" in tags, cell.id


def test_holds_no_widget_and_no_widget_state(path, code):
    assert WIDGET not in path.read_text(encoding="utf-8")
    assert "widgets" not in nbformat.read(path, as_version=nbformat.NO_CONVERT).metadata
    assert not [cell.id for cell in code for output in cell.outputs if not output.get("data", True)]


def test_pictures_are_tagged_and_nothing_is_skipped(code):
    for cell in code:
        tags = set(cell.metadata.get("tags", []))
        assert not any(pictures(output) for output in cell.outputs) or IGNORED in tags, cell.id
        assert not tags & {"nbval-skip", "skip-execution"} and "NBVAL" not in cell.source, cell.id


def test_something_is_compared(code):
    """A notebook whose every output is ignored would never fail under nbval."""
    assert any(cell.outputs and IGNORED not in cell.metadata.get("tags", []) for cell in code)


def test_every_figure_of_an_exercise_is_drawn(path, code):
    """A figure cell never raises, so a broken one would be stored in silence."""
    if path.parent.name == "solutions":
        drawn = [cell for cell in code if ".show_" in cell.source]
        assert drawn
        for cell in drawn:
            assert any(pictures(output) for output in cell.outputs), f"{cell.id}: {cell.outputs}"
