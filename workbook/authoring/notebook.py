"""From a lesson to a notebook file: the same bytes from the same text, on every machine."""
import os
import re
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from workbook.authoring.claims import without_marks
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import Lesson

LIMIT = 1_000_000  # bytes: beyond this, code hosts stop to show a notebook
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_TOKEN = re.compile(r"\{\{ *(\w+)(?::(\w+))? *\}\}")
_PART = re.compile(r"^(<!-- workbook: (.*?) -->\n)((?!<!-- workbook:).*\n)*?(<!-- /workbook -->)", flags=re.MULTILINE)
_MINUTES = re.compile(r"(exercises/(\w+)\.ipynb\),\s+)(\d+) minutes")


class Tokens:
    """What is written once and shown in many places: replaces ``{{notebook_table}}`` and the like in prose, seen from
    a folder that relative links start from.
    """

    def __init__(self, project: Project, lessons: list[Lesson], folder: Path, exercises: Iterable[Lesson] = ()):
        self.project, self.folder = project, folder
        self.lessons = {lesson.name: lesson for lesson in lessons}
        self.exercises = {exercise.name: exercise for exercise in exercises}

    def fill(self, text: str, path: Path, line: int = 1) -> str:
        """``text`` with its tokens replaced; ``path`` and ``line`` say where it stands, for messages."""
        def value(match: re.Match) -> str:
            name, argument = match.groups()
            where = (path, line + text[: match.start()].count("\n"))
            if name == "binder_badge":
                if argument not in (*self.lessons, *self.exercises):
                    raise BuildError(*where, f"{match[0]} should name a notebook: "
                                             f"{', '.join((*self.lessons, *self.exercises))}")
                folder = "notebooks" if argument in self.lessons else "exercises"
                return self.project.badge(f"{folder}/{argument}", self.folder)
            if argument is not None:
                raise BuildError(*where, f"unknown token {match[0]}; there are repository, minutes, notebook_table, "
                                         "exercise_table and binder_badge:NAME")
            if name == "minutes":                                  # of the notebook that the token stands in
                return str((self.lessons | self.exercises)[path.stem].minutes)
            if name == "notebook_table":
                return self._table("notebooks", "Lesson | What it is about", self.lessons)
            if name == "exercise_table":
                return self._table("exercises", "Exercise | What you do", self.exercises)
            return self.project.address if name == "repository" else match[0]  # {{a}} is fine to write in a formula

        return _TOKEN.sub(value, text)

    def _table(self, folder: str, head: str, lessons: dict[str, Lesson]) -> str:
        """Title, what and minutes of each, as Markdown; Binder too, once the workbook has a public address."""
        live = not self.project.is_placeholder
        rows = [f"| {head} | Minutes |" + " Live |" * live, "|---|---|--:|" + "---|" * live]
        for name, lesson in lessons.items():
            target = Path(os.path.relpath(self.project.root / folder / f"{name}.ipynb", self.folder)).as_posix()
            title, summary = (" ".join(text.split()).replace("|", "\\|") for text in (lesson.title, lesson.summary))
            number = f"{name.split('_')[0]} · " if folder == "notebooks" else ""
            binder = f" [Binder]({self.project.binder(f'{folder}/{name}')}) |"
            rows.append(f"| [{number}{title}]({target}) | {summary} | {lesson.minutes} |" + binder * live)
        return "\n".join(rows)


def fill_parts(text: str, tokens: Tokens, path: Path) -> str:
    """A page with its generated parts made anew: what stands between ``<!-- workbook: TEMPLATE -->`` and
    ``<!-- /workbook -->`` becomes the template with its tokens replaced, and after a link to an exercise
    ", 40 minutes" gets its minutes.
    """
    def part(match: re.Match) -> str:
        begin, template, _, end = match.groups()
        line = text[: match.start()].count("\n") + 1
        filled = tokens.fill(template, path, line)
        return f"{begin}\n{filled}\n\n{end}" if filled else f"{begin}\n{end}"

    closed = {match.start() for match in _PART.finditer(text)}
    for mark in re.finditer(r"^<!-- workbook:", text, flags=re.MULTILINE):
        if mark.start() not in closed:
            line = text[: mark.start()].count("\n") + 1
            raise BuildError(path, line, "this generated part is not closed by a line <!-- /workbook -->")

    def linked(match: re.Match) -> str:
        exercise = tokens.exercises.get(match[2])
        return f"{match[1]}{exercise.minutes if exercise else match[3]} minutes"

    return _MINUTES.sub(linked, _PART.sub(part, text))


def derive(lesson: Lesson, tokens: Tokens) -> NotebookNode:
    """The notebook of ``lesson``, not executed: its text, ids, tags and the same few metadata for all."""
    cells = []
    for cell in lesson.cells:
        metadata = dict(cell.metadata) | ({"tags": list(cell.tags)} if cell.tags else {})
        if cell.kind == "code":
            cells.append(v4.new_code_cell(cell.text, id=cell.id, metadata=metadata))
        else:
            text = without_marks(tokens.fill(cell.text, lesson.path, cell.line))
            cells.append(v4.new_markdown_cell(text, id=cell.id, metadata=metadata))
    notebook = v4.new_notebook(cells=cells, metadata=nbformat.from_dict(_METADATA | lesson.metadata))
    notebook.nbformat_minor = 5  # what has cell ids; a later nbformat may know more, and write more
    return notebook


def serialise(notebook: NotebookNode) -> str:
    """The text of a notebook file: sorted keys, one line per line, a newline at the end."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def read(path: Path) -> NotebookNode | None:
    """A stored notebook, or None where there is none or none that can be read."""
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
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def with_outputs_of(stored: NotebookNode, derived: NotebookNode) -> NotebookNode:
    """``derived`` with the outputs and execution counts that ``stored`` has for the same cells, in place."""
    by_id = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in derived.cells:
        if cell.cell_type == "code" and cell.id in by_id:
            cell.outputs, cell.execution_count = by_id[cell.id].outputs, by_id[cell.id].execution_count
    return derived
