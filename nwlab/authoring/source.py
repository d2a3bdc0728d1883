"""Read a lesson's text: front matter, cells, their lines and their ids.

The MyST is parsed by jupytext; what jupytext would accept in silence (a misspelt directive, an unknown option, two
cells of one name) stops here with file and line.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import ValidationError

from .errors import BuildError

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OPTIONS = {"name", "tags"}
_WRONG_OPTION = re.compile(r"^\s*(:tags:(?!\s*\[).*|:name:\s*[^A-Za-z_\s].*)$", flags=re.MULTILINE)


@dataclass
class Cell:
    """One cell of a lesson: its kind ("code" or "markdown"), its text, and where that text begins in the file."""

    kind: str
    text: str
    line: int  # of the first line of text, counted from 1
    id: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict = field(default_factory=dict)  # beside the tags: of an exercise, nbgrader's

    @property
    def opens_with(self) -> str | None:
        """The heading that a prose cell opens with, if any."""
        match = re.match(r"#{1,6}\s+(.+?)\s*#*\s*(?:\n|$)", self.text)
        return match[1] if self.kind == "markdown" and match else None

    @property
    def headings(self) -> list[str]:
        """All headings of a prose cell, in order; a ``#`` inside a fenced block is none."""
        if self.kind != "markdown":
            return []
        prose = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", self.text, flags=re.MULTILINE | re.DOTALL)
        return re.findall(r"^#{1,6}\s+(.+?)\s*#*\s*$", prose, flags=re.MULTILINE)


@dataclass
class Lesson:
    """A lesson as written: what the table says of it, and its cells with their ids."""

    path: Path
    title: str
    summary: str
    minutes: int
    cells: list[Cell]
    metadata: dict = field(default_factory=dict)  # of the notebook, beside what all have

    @property
    def name(self) -> str:
        return self.path.stem


def read_lesson(path: Path) -> Lesson:
    """Read one source; raises ``BuildError`` with file and line where it does not follow the format."""
    text = path.read_text(encoding="utf-8")
    about = _front_matter(path, text)
    cells = _cells(path, text)
    if not cells or not cells[0].text.startswith("# "):
        raise BuildError(path, cells[0].line if cells else None, "a lesson opens with prose, and that with '# Title'")
    _check(path, cells)
    _give_ids(path, cells)
    return Lesson(path, about["title"], about["summary"], about["minutes"], cells)


def _front_matter(path: Path, text: str) -> dict:
    match = re.match(r"---\n(.*?)\n---\n", text, flags=re.DOTALL)
    if not match:
        raise BuildError(path, 1, "expected YAML front matter between two lines '---'")
    try:
        about = (yaml.safe_load(match[1]) or {}).get("nwlab")
    except (yaml.YAMLError, AttributeError) as error:
        raise BuildError(path, 1, f"front matter is not a YAML mapping: {error}") from error
    wanted = {"title": str, "summary": str, "minutes": int}
    if not isinstance(about, dict) or set(about) != set(wanted):
        raise BuildError(path, 1, f"front matter needs nwlab: {{title, summary, minutes}}, got {about!r}")
    for key, kind in wanted.items():
        if not isinstance(about[key], kind) or not about[key]:
            raise BuildError(path, 1, f"front matter nwlab.{key} should be a {kind.__name__}, got {about[key]!r}")
    return about


def _cells(path: Path, text: str) -> list[Cell]:
    try:
        parsed = myst_to_notebook(text, add_source_map=True)
    except MystMetadataParsingError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise BuildError(path, int(line[1]) if line else None, str(error)) from error
    except ValidationError as error:  # the options of a cell are not of the kind that a notebook can hold
        wrong = _WRONG_OPTION.search(text)
        line, got = (text[: wrong.start(1)].count("\n") + 1, wrong[1]) if wrong else (None, error.message)
        raise BuildError(path, line, f"expected ':name: word' and ':tags: [word, word]', got {got!r}") from error
    lines = text.splitlines()
    cells = []
    for raw, start in zip(parsed.cells, parsed.metadata["source_map"], strict=True):
        line = _first_line(lines, start, raw.cell_type)
        if raw.cell_type == "raw":
            raise BuildError(path, line, "a lesson has prose and code cells, got a raw cell")
        if unknown := sorted(set(raw.metadata) - _OPTIONS):
            raise BuildError(path, line, f"a cell takes the options :name: and :tags:, got {', '.join(unknown)}")
        cells.append(Cell(raw.cell_type, raw.source, line, raw.metadata.get("name", ""), raw.metadata.get("tags", [])))
    return cells


def _first_line(lines: list[str], start: int, kind: str) -> int:
    """Return the line, from 1, where a cell's own text begins: after the options of code, after blank lines."""
    if kind == "code" and lines[start].startswith("---"):
        start = 1 + next(i for i in range(start + 1, len(lines)) if lines[i].startswith("---"))
    while start < len(lines) and (not lines[start].strip() or (kind == "code" and lines[start].startswith(":"))):
        start += 1
    return start + 1


def _check(path: Path, cells: list[Cell]) -> None:
    for before, cell in zip([None, *cells], cells, strict=False):
        if cell.kind == "code":
            if not cell.text.strip():
                raise BuildError(path, cell.line, "this code cell is empty")
            if before is None or before.kind == "code":
                raise BuildError(path, cell.line, "prose before code: introduce this code cell with a sentence")
        stray = re.search(r"^.*\{(code-?cell|code-?block)\}.*$", cell.text, flags=re.MULTILINE | re.IGNORECASE)
        if cell.kind == "markdown" and stray:
            line = cell.line + cell.text[: stray.start()].count("\n")
            raise BuildError(path, line, f"would be prose, not a cell; expected '```{{code-cell}}', got {stray[0]!r}")


def _give_ids(path: Path, cells: list[Cell]) -> None:
    """Give every cell its id: its name, or one derived from the nearest heading above it."""
    taken: dict[str, Cell] = {}
    for cell in cells:
        if cell.id:
            if not NAME.fullmatch(cell.id):
                raise BuildError(path, cell.line, f"a name has 1 to 64 letters, digits, - or _, got {cell.id!r}")
            if cell.id in taken:
                raise BuildError(path, cell.line, f"the name {cell.id!r} is taken, at line {taken[cell.id].line}")
            taken[cell.id] = cell
    section, count = "start", Counter()
    for cell in cells:
        if not cell.id:
            if cell.opens_with:
                wanted = slug(cell.opens_with)
            else:
                kind = "code" if cell.kind == "code" else "text"
                count[section, kind] += 1
                wanted = f"{section}-{kind}-{count[section, kind]}"
            cell.id = next(name for name in _candidates(wanted) if name not in taken)
            taken[cell.id] = cell
        if cell.headings:
            last = cell.headings[-1]
            section = cell.id if len(cell.headings) == 1 and cell.opens_with else slug(last)


def slug(heading: str) -> str:
    """Return a heading as a part of an id: plain lower-case letters, digits and hyphens, at most 48."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-") or "section"


def _candidates(wanted: str):
    yield wanted
    number = 2
    while True:
        yield f"{wanted}-{number}"
        number += 1
