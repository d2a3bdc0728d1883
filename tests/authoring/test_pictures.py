"""Pictures for those who do not see them: alternative texts that are still there in an export, and words beside."""
import base64
import io
import re

import matplotlib
import nbformat
import numpy as np
import pytest
from live_figures import shared
from matplotlib.figure import Figure
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from PIL import Image

import nwlab
from nwlab import plots
from nwlab.course import COURSE
from workbook import pictures
from workbook.authoring.outputs import pictures as pictures_of
from workbook.authoring.outputs import tidy
from workbook.authoring.project import Project
from workbook.authoring.source import IGNORED, Cell
from workbook.site.cells import PICTURE, Cells
from workbook.site.shelf import Shelf

PROJECT = Project.find(COURSE)
NOTEBOOKS = sorted([*PROJECT.notebooks.glob("[0-9][0-9]_*.ipynb"), *PROJECT.solutions.glob("*.ipynb")])
MISSING = "No description has been provided"             # what nbconvert writes where there is none
LESSON = """import nwlab
import matplotlib.pyplot as plt
from nwlab import explore, plots

plots.use_style()
fig, ax = plt.subplots()
plots.fit(ax, nwlab.make_regression())
plt.show()
explore.width()"""


def alternative_texts(page: str) -> list[str]:
    return re.findall(r'<img [^>]*?alt="([^"]*)"', page)


def test_an_export_of_a_notebook_that_ran_says_what_its_pictures_show():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LESSON)])
    NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    tidy(notebook.cells[0].outputs, Cell("code", "shown", LESSON, 1, tags=(IGNORED,)), [])
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert MISSING not in page and alternative_texts(page) == [
        "y (0 to 4) against x (0 to 5); shown: values, truth.",
        "Fit, attention heatmap and error as the width of the kernel changes"]
    assert 'The width is <span class="wb-gist">σ = <b>0.25</b></span>' in page, "the sentence is missing"


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


def test_a_wide_picture_has_two_pixels_for_each_that_a_page_shows_and_is_shown_no_wider(monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append(bundle["text/html"]))
    for inches, fine in ((7.4, False), (10.0, True), (12.0, True)):
        figure = Figure(figsize=(inches, 3.0))
        figure.subplots().plot([1, 2])
        pictures._show(figure)
        words, doubled, encoded = PICTURE.search(shown[-1]).groups()
        pixels, _ = Image.open(io.BytesIO(base64.b64decode(encoded))).size
        page = Cells(Shelf(COURSE, tmp_path), "", "").picture(words, doubled, encoded)
        on_page = int(re.search(r' width="(\d+)"', page)[1])
        assert on_page <= pictures.WIDEST and pixels - (1 + fine) * on_page in (0, 1)


def test_a_stored_live_figure_has_no_handles_and_says_how_to_move_it():
    figure = shared("width")
    assert figure._repr_mimebundle_()["text/html"].endswith("<em>Run this cell to move it.</em></p></div>")
    stored = np.asarray(Image.open(io.BytesIO(figure.canvas.preview)).convert("RGB"))
    here, there = (np.sum(np.abs(each - (213.0, 94.0, 0.0)).sum(axis=2) < 60)                           # of the query
                   for each in (stored, figure.camera.pixels()[..., :3]))
    assert 0 < here < there
