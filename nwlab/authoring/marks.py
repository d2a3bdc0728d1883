"""The marks around an answer, in code ``### BEGIN SOLUTION`` and in prose ``<!-- BEGIN SOLUTION (2 points) -->``.

What stands between them is in the solution only. A mark that is almost right would leave an answer in the hands of
those who should find it, so anything that looks like one and is none stops the build.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import BuildError
from .source import Cell

STUB = 'raise NotImplementedError("write {name}, then run this cell again")'
ANSWER_HERE = "*Your answer: double-click here, write over this line, and press Shift+Enter.*"
_LOOKS_LIKE = re.compile(r"\b(begin|end)\W*solutions?\b", flags=re.IGNORECASE)
_CODE = re.compile(r"(?P<indent> *)### (?P<which>BEGIN|END) SOLUTION$")
_PROSE = re.compile(r"(?P<indent>)<!-- (?P<which>BEGIN|END) SOLUTION(?: \((?P<points>\d+) points?\))? -->$")


@dataclass(frozen=True)
class Region:
    """The lines of a cell from a BEGIN mark to its END, both counted from 0 and both included."""

    begin: int
    end: int
    indent: str
    points: int = 0

    def inner(self, lines: list[str]) -> list[str]:
        return lines[self.begin + 1 : self.end]


def find_regions(cell: Cell, path: Path) -> list[Region]:
    """Return the regions of a cell; ``BuildError`` for a mark that is misspelt, unclosed, nested or wrongly indented."""
    mark, spelt = (_CODE, "### BEGIN SOLUTION") if cell.kind == "code" else (_PROSE, "<!-- BEGIN SOLUTION (2 points) -->")
    regions: list[Region] = []
    opened, begin = None, 0  # the BEGIN mark that waits for its END, and where it stands
    lines = cell.text.splitlines()
    for number, text in enumerate(lines):
        found = mark.match(text)
        where = (path, cell.line + number)
        if not found:
            if _LOOKS_LIKE.search(text):
                raise BuildError(*where, f"looks like a mark and is none: got {text.strip()!r}, expected {spelt!r} or "
                                         f"{spelt.replace('BEGIN', 'END').replace(' (2 points)', '')!r} alone on its line")
        elif found["which"] == "BEGIN":
            if opened:
                raise BuildError(*where, f"BEGIN SOLUTION inside the one that began at line {cell.line + begin}")
            opened, begin = found, number
        elif not opened:
            raise BuildError(*where, "END SOLUTION without a BEGIN SOLUTION above it in this cell")
        else:
            if found["indent"] != opened["indent"]:
                raise BuildError(*where, f"END SOLUTION is indented by {len(found['indent'])}, its BEGIN SOLUTION at line "
                                         f"{cell.line + begin} by {len(opened['indent'])}")
            points = int(opened["points"]) if cell.kind == "markdown" and opened["points"] else 0
            regions.append(Region(begin, number, opened["indent"], points))
            opened = None
    if opened:
        raise BuildError(path, cell.line + begin, "BEGIN SOLUTION without an END SOLUTION below it in this cell")
    for region in regions:
        _check_inner(region, lines, cell, path)
    return regions


def _check_inner(region: Region, lines: list[str], cell: Cell, path: Path) -> None:
    inner = region.inner(lines)
    if not any(line.strip() for line in inner):
        raise BuildError(path, cell.line + region.begin, "no answer between BEGIN SOLUTION and END SOLUTION")
    for number, line in enumerate(inner, start=region.begin + 1):
        if line.strip() and not line.startswith(region.indent):
            raise BuildError(path, cell.line + number, f"{line.strip()!r} is indented less than the marks around it")


def function_of(region: Region, cell: Cell, path: Path) -> str:
    """Return the name of the innermost function around a region; ``BuildError`` where there is none."""
    try:
        tree = ast.parse(cell.text)
    except SyntaxError as error:
        raise BuildError(path, cell.line + (error.lineno or 1) - 1, f"this solution is no Python: {error.msg}") from error
    lines = cell.text.splitlines()
    first = next(number for number in range(region.begin + 1, region.end) if lines[number].strip()) + 1
    around = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
              and node.lineno < first <= node.end_lineno and node.col_offset < len(region.indent)]
    if not around:
        raise BuildError(path, cell.line + region.begin, "a solution stands inside a function: outside of one, its stub "
                                                         "would stop the notebook of a student who has not begun")
    return max(around, key=lambda node: node.lineno).name


def without_solutions(cell: Cell, regions: list[Region], path: Path) -> str:
    """Return the text of a cell as a student gets it."""
    lines = cell.text.splitlines()
    for region in reversed(regions):
        if cell.kind == "code":
            stub = [region.indent + STUB.format(name=function_of(region, cell, path))]
        else:
            stub = [ANSWER_HERE]
        lines[region.begin : region.end + 1] = stub
    text = "\n".join(lines)
    if cell.kind == "code":
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise BuildError(path, cell.line, f"without its solution this cell is no Python: {error.msg}") from error
    return text
