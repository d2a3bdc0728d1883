"""Read a lesson's text: front matter, cells, their lines and their ids.

The MyST is parsed by jupytext; what jupytext would accept in silence (a misspelt directive, an unknown option, two
cells of one name) stops here with file and line.
"""
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path

import yaml
from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import ValidationError

from workbook.authoring.minutes import ASKED, minutes
from workbook.authoring.project import BuildError
from workbook.lesson.questions import starting_with

IGNORED = "nbval-ignore-output"                          # the tag of a cell whose output may vary
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OPTIONS = {"name", "tags"}
_WRONG_OPTION = re.compile(r"^\s*(:tags:(?!\s*\[).*|:name:\s*[^A-Za-z_\s].*)$", flags=re.MULTILINE)


@dataclass
class Cell:
    """One cell of a lesson: its kind ("code" or "markdown"), its text, and where that text begins in the file."""

    kind: str
    text: str
    path: Path  # of its source
    line: int  # of the first line of text, counted from 1
    id: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict = field(default_factory=dict)  # beside the tags: of an exercise, nbgrader's

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
    metadata: dict = field(default_factory=dict)  # of the notebook, beside what all have

    @property
    def name(self) -> str:
        return self.path.stem


def read_lesson(path: Path, texts: Path, more_points: int = 0) -> Lesson:
    """Read one source; raises ``BuildError`` with file and line where it does not follow the format.

    more_points: those of an exercise's items beyond the first of each, which take longer.
    """
    text = path.read_text(encoding="utf-8")
    about, cells = _front_matter(path, text), _cells(path, text)
    if not cells or not cells[0].text.startswith("# "):
        raise BuildError(path, cells[0].line if cells else None, "a lesson opens with prose, and that with '# Title'")
    _check(cells, texts)
    _give_ids(cells)
    return Lesson(path, cells=cells, minutes=minutes(cells, texts, more_points), **about)


def _front_matter(path: Path, text: str) -> dict:
    match = re.match(r"---\n(.*?)\n---\n", text, flags=re.DOTALL)
    if not match:
        raise BuildError(path, 1, "expected YAML front matter between two lines '---'")
    try:
        about = (yaml.safe_load(match[1]) or {}).get("workbook")
    except (yaml.YAMLError, AttributeError) as error:
        raise BuildError(path, 1, f"front matter is not a YAML mapping: {error}") from error
    wanted = {"title": str, "summary": str}
    if not isinstance(about, dict) or set(about) != set(wanted):
        raise BuildError(path, 1, f"front matter needs workbook: {{title, summary}}, got {about!r}")
    for key, kind in wanted.items():
        if not isinstance(about[key], kind) or not about[key]:
            raise BuildError(path, 1, f"front matter workbook.{key} should be a {kind.__name__}, got {about[key]!r}")
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
        name, tags = raw.metadata.get("name", ""), raw.metadata.get("tags", [])
        cells.append(Cell(raw.cell_type, raw.source, path, line, name, tags))
    return cells


def _first_line(lines: list[str], start: int, kind: str) -> int:
    """The line, from 1, where a cell's own text begins: after the options of code, after blank lines."""
    if kind == "code" and lines[start].startswith("---"):
        start = 1 + next(i for i in range(start + 1, len(lines)) if lines[i].startswith("---"))
    while start < len(lines) and (not lines[start].strip() or (kind == "code" and lines[start].startswith(":"))):
        start += 1
    return start + 1


def _check(cells: list[Cell], texts: Path) -> None:
    for before, cell in zip([None, *cells], cells):
        if cell.kind == "code":
            if not cell.text.strip():
                raise cell.problem("this code cell is empty")
            if before is None or before.kind == "code":
                raise cell.problem("prose before code: introduce this code cell with a sentence")
        stray = re.search(r"^.*\{(code-?cell|code-?block)\}.*$", cell.text, flags=re.MULTILINE | re.IGNORECASE)
        for asked in ASKED.finditer(cell.text) if cell.kind == "code" else ():
            try:
                starting_with(asked[2], texts)
            except ValueError as error:
                raise cell.problem(str(error), cell.text[: asked.start()].count("\n")) from None
        if cell.kind == "markdown" and stray:
            raise cell.problem(f"would be prose, not a cell; expected '```{{code-cell}}', got {stray[0]!r}",
                               cell.text[: stray.start()].count("\n"))


def _give_ids(cells: list[Cell]) -> None:
    """Give every cell its id: its name, or one derived from the nearest heading above it."""
    taken: dict[str, Cell] = {}
    for cell in cells:
        if cell.id:
            if not NAME.fullmatch(cell.id):
                raise cell.problem(f"a name has 1 to 64 letters, digits, - or _, got {cell.id!r}")
            if cell.id in taken:
                raise cell.problem(f"the name {cell.id!r} is taken, at line {taken[cell.id].line}")
            taken[cell.id] = cell
    section, so_far = "start", Counter()
    for cell in cells:
        found = [words for _, words in headings(cell.text)] if cell.kind == "markdown" else []
        opens = found and re.match(r"#{1,6}\s", cell.text)
        if not cell.id:
            if opens:
                wanted = slug(found[0])
            else:
                wanted = f"{section}-{'code' if cell.kind == 'code' else 'text'}"
                so_far[wanted] += 1
                wanted += f"-{so_far[wanted]}"
            candidates = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
            cell.id = next(name for name in candidates if name not in taken)
            taken[cell.id] = cell
        if found:
            section = cell.id if len(found) == 1 and opens else slug(found[-1])


def headings(prose: str) -> list[tuple[int, str]]:
    """All headings of a piece of Markdown, (level, words) in order; a ``#`` inside a fenced block is none."""
    prose = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", prose, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"^(#{1,6})\s+(.+?)\s*#*\s*$", prose, flags=re.MULTILINE)
    return [(len(marks), words) for marks, words in found]


def slug(heading: str) -> str:
    """A heading as a part of an id: plain lower-case letters, digits and hyphens, at most 48."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-") or "section"
