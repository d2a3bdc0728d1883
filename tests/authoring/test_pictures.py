"""Pictures for those who do not see them: alternative texts that are still there in an export, and words beside."""
import re

import matplotlib
import nbformat
import pytest
from matplotlib.figure import Figure
from nbconvert import HTMLExporter

import nwlab
from nwlab import plots
from nwlab.course import COURSE
from workbook import pictures
from workbook.authoring.outputs import pictures as pictures_of
from workbook.authoring.project import Project

PROJECT = Project.find(COURSE)
NOTEBOOKS = sorted([*PROJECT.notebooks.glob("[0-9][0-9]_*.ipynb"), *PROJECT.solutions.glob("*.ipynb")])
MISSING = "No description has been provided"             # what nbconvert writes where there is none


def alternative_texts(page: str) -> list[str]:
    return re.findall(r'<img [^>]*?alt="([^"]*)"', page)


def test_an_export_says_what_its_pictures_show():
    page, _ = HTMLExporter().from_filename(PROJECT.notebooks / "02_kernels_and_weights.ipynb")
    texts = alternative_texts(page)
    assert MISSING not in page and len(texts) > 2 and all(len(text) > 15 for text in texts)
    assert '<span class="wb-gist">' in page, "the sentence of the live figure is missing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_stored_picture_has_an_alternative_text(path):
    drawn = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])
             if pictures_of(output)]
    for output in drawn:
        [text] = alternative_texts(output.data.get("text/html", ""))
        assert len(text) > 15 and MISSING not in text, "run `make build`"
    assert drawn


def test_a_figure_is_put_into_words():
    figure = Figure()
    with matplotlib.rc_context():
        left, right = figure.subplots(1, 2)
        plots.heatmap(left, nwlab.attention_weights([0.0, 1.0], [0.0, 1.0, 2.0]))
        right.set(title="errors", xlabel=r"$\sigma$", ylabel="error", xscale="log", xlim=(1, 100), ylim=(0, 2))
        right.plot([1, 10], [1, 2], label="ours")
        right.legend()
    words = pictures.in_words(figure)
    assert words.startswith("2 panels. 1: queries, by index (")
    assert " against keys, by index (0 to 2); a heatmap of 2 × 3. " in words
    assert "2: errors; error (0.00 to 2.00) against" in words and words.endswith("logarithmic); shown: ours.")
    figure.set_label("Errors < 2")
    assert pictures.in_words(figure) == "Errors < 2"
    assert alternative_texts(pictures.html(b"png", "Errors < 2", width=9)) == ["Errors &lt; 2"]
