"""Pictures for those who do not see them: alternative texts that are still there in an export, and words beside."""
import re

import matplotlib
import nbformat
import pytest
from matplotlib.figure import Figure
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import nwlab
from nwlab import plots
from nwlab.course import COURSE
from workbook import pictures
from workbook.authoring.outputs import pictures as pictures_of
from workbook.authoring.outputs import tidy
from workbook.authoring.project import Project
from workbook.authoring.source import IGNORED, Cell

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
