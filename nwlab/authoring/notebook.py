"""From a lesson to a notebook file: the same bytes from the same text, on every machine."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from .errors import BuildError
from .source import Lesson
from .tokens import Tokens

LIMIT = 1_000_000  # bytes: beyond this, code hosts stop to show a notebook
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def derive(lesson: Lesson, tokens: Tokens) -> NotebookNode:
    """Return the notebook of ``lesson``, not executed: its text, ids, tags and the same few metadata for all."""
    cells = []
    for cell in lesson.cells:
        metadata = dict(cell.metadata) | ({"tags": list(cell.tags)} if cell.tags else {})
        if cell.kind == "code":
            cells.append(v4.new_code_cell(cell.text, id=cell.id, metadata=metadata))
        else:
            text = tokens.fill(cell.text, lesson.path, cell.line)
            cells.append(v4.new_markdown_cell(text, id=cell.id, metadata=metadata))
    notebook = v4.new_notebook(cells=cells, metadata=nbformat.from_dict(_METADATA | lesson.metadata))
    notebook.nbformat_minor = 5  # what has cell ids; a later nbformat may know more, and write more
    return notebook


def serialise(notebook: NotebookNode) -> str:
    """Return the text of a notebook file: sorted keys, one line per line, a newline at the end."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def read(path: Path) -> NotebookNode | None:
    """Return a stored notebook, or None where there is none or none that can be read."""
    try:
        stored = nbformat.reads(path.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
    except (OSError, ValueError, nbformat.ValidationError):
        return None
    return stored if stored.get("nbformat") == 4 else None


def write(path: Path, text: str) -> bool:
    """Write ``text`` to ``path`` whole or not at all; returns whether anything changed."""
    data = text.encode("utf-8")
    if path.suffix == ".ipynb" and len(data) > LIMIT:
        raise BuildError(path, None, f"would have {len(data):,} bytes, expected at most {LIMIT:,}: "
                                     "fewer or smaller pictures")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)  # mkstemp's is for secrets
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


def with_outputs_of(stored: NotebookNode, derived: NotebookNode) -> NotebookNode:
    """Return ``derived`` with the outputs and execution counts that ``stored`` has for the same cells, in place."""
    by_id = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in derived.cells:
        if cell.cell_type == "code" and cell.id in by_id:
            cell.outputs = by_id[cell.id].outputs
            cell.execution_count = by_id[cell.id].execution_count
    return derived
