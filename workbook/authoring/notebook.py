"""From a lesson to a notebook file: the same bytes from the same text, on every machine."""
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from workbook import course
from workbook.authoring.project import BuildError
from workbook.authoring.source import Cell, Lesson
from workbook.language import without_claims
from workbook.questions.questions import starting_with

MEASURED = "measured"                                    # the tag of a cell that shows times or rounding errors
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_HEADING = re.compile(r"^## ", re.MULTILINE)
_ASKS = re.compile(r"^lesson\.(predict|predict_number|sketch|court)\(", re.MULTILINE)
_QUESTION = re.compile(r'^lesson\.\w+\((?:\w+, )?"([^"]+)"', re.MULTILINE)
_TAKES_PART = re.compile(r"^(lesson\.(?!case\()|explore\.)", re.MULTILINE)     # a case shows its ruling


def derive(lesson: Lesson, fill: Callable[[str, Path, int], str]) -> NotebookNode:
    """The notebook of a lesson, not executed. fill(text, path, line): replaces the placeholders in prose."""
    cells, asked = [], False                            # whether the section has asked for a guess so far
    for cell in lesson.cells:
        metadata = dict(cell.metadata)
        if cell.kind == "markdown":
            asked = asked and not _HEADING.search(cell.text)
        elif _ASKS.search(cell.text):
            asked = True
        elif asked and not lesson.metadata and not _TAKES_PART.search(cell.text):   # an exercise has metadata
            metadata["jupyter"] = {"outputs_hidden": True}          # until it is run: it would give the answer away
        if "hide-input" in cell.tags:
            metadata["jupyter"] = metadata.get("jupyter", {}) | {"source_hidden": True}
        if cell.tags:
            metadata["tags"] = list(cell.tags)
        if cell.kind == "code":
            if asks := _digest(cell):
                metadata["asks"] = asks
            cells.append(v4.new_code_cell(cell.text, id=cell.id, metadata=metadata))
        else:
            text = without_claims(fill(cell.text, lesson.path, cell.line))
            cells.append(v4.new_markdown_cell(text, id=cell.id, metadata=metadata))
    notebook = v4.new_notebook(cells=cells, metadata=nbformat.from_dict(_METADATA | lesson.metadata))
    notebook.nbformat_minor = 5                          # has cell ids; a later nbformat may write a later one
    return notebook


def _digest(cell: Cell) -> str:
    """Of all questions that a code cell asks: a notebook differs from its source when the text of one has changed."""
    try:
        asked = [starting_with(name, course.TEXTS) for name in _QUESTION.findall(cell.text)]
    except ValueError as error:
        raise cell.problem(str(error)) from None
    return hashlib.sha256(repr(asked).encode()).hexdigest()[:8] if asked else ""


def serialise(notebook: NotebookNode) -> str:
    """The text of a notebook file. ValidationError for what is no notebook."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def read(path: Path) -> NotebookNode:
    """A stored notebook. BuildError where there is none or none that can be read."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        raise BuildError(path, None, "there is no such notebook, or none that can be read: run `make build`") from None


def with_outputs_of(stored: NotebookNode, derived: NotebookNode) -> NotebookNode:
    """`derived`, with the outputs and execution counts of the cells of the same id in `stored`."""
    by_id = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in derived.cells:
        if cell.cell_type == "code" and cell.id in by_id:
            cell.outputs, cell.execution_count = by_id[cell.id].outputs, by_id[cell.id].execution_count
    return derived


def keep_measured(stored: NotebookNode, made: NotebookNode) -> None:
    """Put the stored outputs of the cells tagged `measured` back into `made`, which has just been run, as long as
    neither the cell nor the code above it changed: times differ from run to run."""
    by_id = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in (cell for cell in made.cells if cell.cell_type == "code"):
        old = by_id.get(cell.id)
        if old is None or old.source != cell.source:
            return
        if MEASURED in cell.metadata.get("tags", []):
            cell.outputs = old.outputs
