"""Read a lesson's text, which jupytext parses. What that would accept in silence is an error here, with file and line.
"""
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import NotebookNode, ValidationError

from workbook.authoring.project import BuildError

IGNORED = "nbval-ignore-output"                          # the tag of a cell whose output may vary
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass
class Cell:
    """One cell of a lesson: its kind ("code" or "markdown"), its text, and where that text begins in the file."""

    kind: str
    text: str
    path: Path                                           # of its source
    line: int                                            # of the first line of text, counted from 1
    id: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict = field(default_factory=dict)         # beside the tags: of an exercise, nbgrader's
    role: str = "given"                                  # in an exercise; see there
    points: int = 0

    def problem(self, message: str, number: int = 0) -> BuildError:
        """What is wrong in this line of the text, counted from 0."""
        return BuildError(self.path, self.line + number, message)


@dataclass
class Lesson:
    """A lesson as written: what the table of notebooks says of it, and its cells with their ids."""

    path: Path
    title: str
    summary: str
    minutes: int
    cells: list[Cell]
    metadata: dict = field(default_factory=dict)         # of the notebook, beside what all have

    @property
    def name(self) -> str:
        return self.path.stem


def read_lesson(path: Path) -> Lesson:
    """Read one source. BuildError with file and line if it breaks the format."""
    text = path.read_text(encoding="utf-8")
    try:
        parsed = myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, ValidationError) as error:         # options that no notebook can hold
        line = re.search(r"at line (\d+)", str(error))
        raise BuildError(path, int(line[1]) if line else None,
                         f"expected YAML, and options ':name: word' and ':tags: [word, word]': {error}") from error
    try:
        about = parsed.metadata["workbook"]
        title, summary, minutes = str(about["title"]), str(about["summary"]), int(about["minutes"])
    except (TypeError, ValueError, KeyError) as error:
        raise BuildError(path, 1, "expected YAML front matter between two lines '---' with workbook: {title, summary, "
                                  f"minutes}}, got {error}") from None
    cells = list(_cells(path, text, parsed))
    if not cells or not cells[0].text.startswith("# "):
        raise BuildError(path, cells[0].line if cells else None, "a lesson opens with prose that begins '# Title'")
    _give_ids(cells)
    return Lesson(path, title, summary, minutes, cells)


def _cells(path: Path, text: str, parsed: NotebookNode) -> Iterator[Cell]:
    lines = text.splitlines()
    for cell, start in zip(parsed.cells, parsed.metadata["source_map"], strict=True):
        is_code = cell.cell_type == "code"
        while start < len(lines) and (not lines[start].strip() or is_code and lines[start].startswith(":")):
            start += 1                                   # options of code, and blank lines
        unknown = sorted(set(cell.metadata) - {"name", "tags"})
        if unknown:
            raise BuildError(path, start + 1, f"a cell takes the options :name: and :tags:, got {', '.join(unknown)}")
        yield Cell(cell.cell_type, cell.source, path, start + 1, cell.metadata.get("name", ""),
                   cell.metadata.get("tags", []))


def _give_ids(cells: list[Cell]) -> None:
    """Give every cell its id: its name, or one derived from the nearest heading above it."""
    taken: dict[str, Cell] = {}
    for cell in (cell for cell in cells if cell.id):
        if not _NAME.fullmatch(cell.id):
            raise cell.problem(f"a name has 1 to 64 letters, digits, - or _, got {cell.id!r}")
        if cell.id in taken:
            raise cell.problem(f"the name {cell.id!r} is taken, at line {taken[cell.id].line}")
        taken[cell.id] = cell
    section = "start"
    for cell in cells:
        found = [_slug(words) for _, words in headings(cell.text)] if cell.kind == "markdown" else []
        opens = found and re.match(r"#{1,6}\s", cell.text)
        if not cell.id:
            name = found[0] if opens else f"{section}-{'code' if cell.kind == 'code' else 'text'}"
            first = name if opens else f"{name}-1"
            cell.id = next(each for each in (first, *(f"{name}-{n}" for n in range(2, 99))) if each not in taken)
            taken[cell.id] = cell
        if found:
            section = cell.id if len(found) == 1 and opens else found[-1]


def headings(prose: str) -> list[tuple[int, str]]:
    """All headings of a piece of Markdown, (level, words) in order, without lines `# ...` inside fenced blocks."""
    prose = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", prose, flags=re.MULTILINE | re.DOTALL)
    return [(len(marks), words) for marks, words in
            re.findall(r"^(#{1,6})\s+(.+?)\s*#*\s*$", prose, flags=re.MULTILINE)]


def _slug(heading: str) -> str:
    """A heading as a part of an id: plain lower-case letters, digits and hyphens, at most 48."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-") or "section"
