"""One source, two editions: ``solutions/source/NAME.md`` becomes the solution and the student's notebook.

Three kinds of cells are told apart by what stands in them:

* a *solution* has marks (see ``marks``) around what the student writes; the student gets a stub that raises when called,
* a *check* is the one statement ``NAME.check_ITEM(...)``; its points are those of ``nwlab.exercises.NAME``,
* an *answer* is prose with marks: a question to be answered in words, kept for a person to grade.

All others are given: to both editions, or, with the tag ``student-only`` or ``solution-only``, to one. These three carry
nbgrader's metadata (schema 3). A line of a solution that shows up anywhere in the student's notebook stops the build;
where it is meant to, in a worked example, the cell says so with the tag ``worked``.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from .errors import BuildError
from .marks import Region, find_regions, function_of, without_solutions
from .outputs import IGNORED
from .source import Cell, Lesson, read_lesson

STUDENT_ONLY, SOLUTION_ONLY, WORKED = "student-only", "solution-only", "worked"
TELLING = 16                                             # letters, blanks not counted, from which a line is an answer


@dataclass(frozen=True)
class Part:
    """A cell, what it is in an exercise ("solution", "check", "answer" or "given"), and its regions."""

    cell: Cell
    kind: str
    regions: list[Region]
    item: str = ""                                       # of a check
    points: int = 0


@dataclass(frozen=True)
class Exercise:
    """An exercise as written: its lesson, cell by cell."""

    lesson: Lesson
    parts: list[Part]

    @property
    def name(self) -> str:
        return self.lesson.name

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)


def read_exercise(path: Path) -> Exercise:
    """Read one source; ``BuildError`` with file and line for what does not follow the format, or gives the answer away."""
    lesson = read_lesson(path)
    items = _items(path)
    parts = [_part(cell, path, items) for cell in lesson.cells]
    _give_ids(parts, path)
    for item in items:
        if not any(part.item == item for part in parts):
            raise BuildError(path, None, f"has no check cell for {item!r}: {path.stem}.check_{item}(...)")
    exercise = Exercise(lesson, parts)
    for line, answer in leaks(exercise):
        raise BuildError(path, line, f"gives an answer away: {answer!r} stands between marks elsewhere in this file. Put it "
                                     f"between marks, or tag a worked example [{WORKED}]")
    return exercise


def solution_edition(exercise: Exercise) -> Lesson:
    """What an instructor reads: every cell as written, marks and all."""
    student = f"../exercises/{exercise.name}.ipynb"
    cells = [_as_cell(part, part.cell.text) for part in exercise.parts if STUDENT_ONLY not in part.cell.tags]
    first = cells[0]
    title, _, rest = first.text.partition("\n")
    note = f"*This is the edition with solutions. Students get [another one]({student}).*"
    cells[0] = replace(first, text=f"{title}\n\n{note}\n{rest}".rstrip("\n"))
    return replace(exercise.lesson, cells=cells, metadata=_about(exercise, "solution"))


def student_edition(exercise: Exercise) -> Lesson:
    """What a student gets: stubs for solutions. Outputs are never compared there, as they are the student's own."""
    path, cells = exercise.lesson.path, []
    for part in exercise.parts:
        if SOLUTION_ONLY in part.cell.tags:
            continue
        cell = _as_cell(part, without_solutions(part.cell, part.regions, path))
        if cell.kind == "code" and IGNORED not in cell.tags:
            cell = replace(cell, tags=[*cell.tags, IGNORED])
        cells.append(cell)
    return replace(exercise.lesson, cells=cells, metadata=_about(exercise, "student"))


def _about(exercise: Exercise, edition: str) -> dict:
    """What a notebook says of itself, for nbval and for whoever grades it, whatever the file is called by then."""
    return {"nwlab": {"edition": edition, "exercise": exercise.name}}


def leaks(exercise: Exercise) -> Iterator[tuple[int, str]]:
    """Yield the line of the source and the answer for each answer that the student's edition holds."""
    answers = {_bare(line): line.strip() for line in telling_lines(exercise)}
    for part in exercise.parts:
        if {SOLUTION_ONLY, WORKED} & set(part.cell.tags):
            continue
        hidden = {number for region in part.regions for number in range(region.begin, region.end + 1)}
        for number, text in enumerate(part.cell.text.splitlines()):
            if number not in hidden and not text.lstrip().startswith("def "):     # a head is given, its call no secret
                bare = _bare(text)
                for answer, shown in answers.items():
                    if answer in bare:
                        yield part.cell.line + number, shown


def telling_lines(exercise: Exercise) -> Iterator[str]:
    """The lines of the answers that are long enough to give one away; of an assignment or a return, what is computed."""
    for part in exercise.parts:
        lines = part.cell.text.splitlines()
        for region in part.regions:
            for line in region.inner(lines):
                line = line.partition("#")[0] if part.kind == "solution" else line
                computed = re.sub(r"^\s*(return\b|[\w, .\[\]]+ [-+*/@]?= )", "", line)
                for candidate in {line, computed}:
                    if len(_bare(candidate)) >= TELLING:
                        yield candidate


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _items(path: Path) -> dict:
    try:
        items = importlib.import_module(f"nwlab.exercises.{path.stem}").ITEMS
    except ModuleNotFoundError as error:
        if error.name != f"nwlab.exercises.{path.stem}":
            raise
        raise BuildError(path, None, f"has no checks: expected nwlab/exercises/{path.stem}.py") from None
    return {item.name: item for item in items}


def _part(cell: Cell, path: Path, items: dict) -> Part:
    regions = find_regions(cell, path)
    if cell.kind == "markdown":
        if len(regions) > 1:
            raise BuildError(path, cell.line + regions[1].begin, "a cell of prose holds one answer: begin a new cell with +++")
        if regions and not regions[0].points:
            raise BuildError(path, cell.line + regions[0].begin, "say what the answer is worth: <!-- BEGIN SOLUTION (2 points) -->")
        return Part(cell, "answer" if regions else "given", regions, points=regions[0].points if regions else 0)
    if regions:
        return Part(cell, "solution", regions)
    item = _checked_item(cell, path)
    if item is None:
        return Part(cell, "given", [])
    if item not in items:
        raise BuildError(path, cell.line, f"checks {item!r}, which nwlab.exercises.{path.stem} does not know; there are "
                                          f"{', '.join(items)}")
    return Part(cell, "check", [], item, items[item].points)


def _checked_item(cell: Cell, path: Path) -> str | None:
    """The item of a check cell. A check that does not stand alone in its cell stops the build."""
    called = re.findall(rf"^\s*{path.stem}\.check_(\w+)\(", cell.text, flags=re.MULTILINE)
    if not called:
        return None
    statements = ast.parse(cell.text).body
    if len(statements) != 1 or len(called) != 1 or not isinstance(statements[0], ast.Expr):
        raise BuildError(path, cell.line, "a check stands alone in its cell: one statement, one item")
    return called[0]


def _give_ids(parts: list[Part], path: Path) -> None:
    """A check is called by its item and a solution by its function, so that grades keep their names for ever."""
    taken = {part.cell.id: part.cell.line for part in parts if part.kind == "given"}
    for part in parts:
        if part.kind == "given":
            continue
        names = {"check": f"check-{part.item}", "answer": "answer"}
        name = names.get(part.kind) or f"write-{function_of(part.regions[0], part.cell, path)}"
        if part.kind == "answer" and name in taken:
            name = f"answer-{sum(id.startswith('answer') for id in taken) + 1}"
        if name in taken:
            raise BuildError(path, part.cell.line, f"the id {name!r} is taken, at line {taken[name]}")
        part.cell.id = name
        taken[name] = part.cell.line


def _as_cell(part: Part, text: str) -> Cell:
    tags = [tag for tag in part.cell.tags if tag not in (STUDENT_ONLY, SOLUTION_ONLY, WORKED)]
    if part.kind == "given":
        return replace(part.cell, text=text, tags=tags)
    graded = part.kind != "solution"
    mark = {"grade": graded, "grade_id": part.cell.id, "locked": part.kind == "check", "schema_version": 3,
            "solution": part.kind != "check", "task": False}
    if graded:
        mark["points"] = part.points
    return replace(part.cell, text=text, tags=tags, metadata={"nbgrader": mark})
