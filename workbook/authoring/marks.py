"""The marks around an answer, in code ``### BEGIN SOLUTION`` and in prose ``<!-- BEGIN SOLUTION (2 points) -->``.

What stands between them is in the solution only. A mark that is almost right would leave an answer in the hands of
those who should find it, so anything that looks like one and is none stops the build.
"""
import ast
import re
from dataclasses import dataclass

from workbook.authoring.source import Cell

STUB = 'raise NotImplementedError("write {name}, then run this cell again")'
ANSWER_HERE = "*Your answer: double-click here, write over this line, and press Shift+Enter.*"
_LOOKS_LIKE = re.compile(r"\b(begin|end)\W*solutions?\b", flags=re.IGNORECASE)
_MARKS = {  # of a kind of cell: what they look like, and how they are spelt
    "code": (re.compile(r"(?P<indent> *)### (?P<which>BEGIN|END) SOLUTION(?P<points>)$"),
             "'### BEGIN SOLUTION' or '### END SOLUTION'"),
    "markdown": (re.compile(r"(?P<indent>)<!-- (?P<which>BEGIN|END) SOLUTION(?: \((?P<points>\d+) points?\))? -->$"),
                 "'<!-- BEGIN SOLUTION (2 points) -->' or '<!-- END SOLUTION -->'"),
}


@dataclass(frozen=True)
class Region:
    """The lines of a cell from a BEGIN mark to its END, both counted from 0 and both included."""

    begin: int
    end: int
    indent: str
    points: int = 0

    def inner(self, lines: list[str]) -> list[str]:
        return lines[self.begin + 1 : self.end]


def find_regions(cell: Cell) -> list[Region]:
    """The regions of a cell; ``BuildError`` for a mark that is misspelt, unclosed, nested or wrongly indented."""
    mark, spelt = _MARKS[cell.kind]
    regions: list[Region] = []
    opened, begin = None, 0  # the BEGIN mark that waits for its END, and where it stands
    lines = cell.text.splitlines()
    for number, text in enumerate(lines):
        found = mark.match(text)
        if not found:
            if _LOOKS_LIKE.search(text):
                raise cell.problem(f"looks like a mark and is none: got {text.strip()!r}, expected {spelt} alone on "
                                   "its line", number)
        elif found["which"] == "BEGIN":
            if opened:
                raise cell.problem(f"BEGIN SOLUTION inside the one that began at line {cell.line + begin}", number)
            opened, begin = found, number
        elif not opened:
            raise cell.problem("END SOLUTION without a BEGIN SOLUTION above it in this cell", number)
        else:
            if found["indent"] != opened["indent"]:
                raise cell.problem(f"END SOLUTION is indented by {len(found['indent'])}, its BEGIN SOLUTION at line "
                                   f"{cell.line + begin} by {len(opened['indent'])}", number)
            regions.append(Region(begin, number, opened["indent"], int(opened["points"] or 0)))
            opened = None
    if opened:
        raise cell.problem("BEGIN SOLUTION without an END SOLUTION below it in this cell", begin)
    for region in regions:
        inner = region.inner(lines)
        if not any(line.strip() for line in inner):
            raise cell.problem("no answer between BEGIN SOLUTION and END SOLUTION", region.begin)
        for number, line in enumerate(inner, start=region.begin + 1):
            if line.strip() and not line.startswith(region.indent):
                raise cell.problem(f"{line.strip()!r} is indented less than the marks around it", number)
    return regions


def function_of(region: Region, cell: Cell) -> str:
    """The name of the innermost function around a region; ``BuildError`` where there is none."""
    tree, lines = _parsed(cell.text, cell, "this solution is no Python"), cell.text.splitlines()
    first = next(number for number in range(region.begin + 1, region.end) if lines[number].strip()) + 1
    around = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
              and node.lineno < first <= node.end_lineno and node.col_offset < len(region.indent)]
    if not around:
        raise cell.problem("a solution stands inside a function: outside of one, its stub would stop the notebook of a "
                           "student who has not begun", region.begin)
    return max(around, key=lambda node: node.lineno).name


def without_solutions(cell: Cell, regions: list[Region]) -> str:
    """The text of a cell as a student gets it."""
    lines = cell.text.splitlines()
    for region in reversed(regions):
        stub = STUB.format(name=function_of(region, cell)) if cell.kind == "code" else ANSWER_HERE
        lines[region.begin : region.end + 1] = [region.indent + stub]
    text = "\n".join(lines)
    if cell.kind == "code":
        _parsed(text, cell, "without its solution this cell is no Python")
    return text


def _parsed(text: str, cell: Cell, problem: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise cell.problem(f"{problem}: {error.msg}", (error.lineno or 1) - 1) from error
