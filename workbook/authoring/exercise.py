"""One source, two editions: ``solutions/source/NAME.md`` becomes the solution and the student's notebook.

Cells are told apart by what stands in them: a *solution* is code with marks, a *check* the one statement
``NAME.check_ITEM(...)``, an *answer* prose with marks; all others are *given*. How they are written: README.md.
"""
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from workbook.authoring.marks import Region, find_regions, function_of, without_solutions
from workbook.authoring.project import BuildError
from workbook.authoring.source import IGNORED, Cell, Lesson, read_lesson
from workbook.course import Course

STUDENT_ONLY, WORKED = "student-only", "worked"
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
class ExerciseSource:
    """An exercise as written: its lesson, cell by cell."""

    lesson: Lesson
    parts: list[Part]


def read_exercise(path: Path, course: Course) -> ExerciseSource:
    """Read one source; ``BuildError`` with file and line for what breaks the format, or gives the answer away."""
    items = _items(path, course)
    lesson = read_lesson(path, course.texts, more_points=sum(item.points - 1 for item in items.values()))
    exercise = ExerciseSource(lesson, [_part(cell, items) for cell in lesson.cells])
    _give_ids(exercise.parts)
    for item in items:
        if not any(part.item == item for part in exercise.parts):
            raise BuildError(path, None, f"has no check cell for {item!r}: {path.stem}.check_{item}(...)")
    for line, answer in leaks(exercise):
        raise BuildError(path, line, f"gives an answer away: {answer!r} stands between marks elsewhere in this file. "
                                     f"Put it between marks, or tag a worked example [{WORKED}]")
    return exercise


def _items(path: Path, course: Course) -> dict:
    """The items that the exercise checks, by name."""
    try:
        items = course.exercise(path.stem).items
    except ModuleNotFoundError as error:
        if error.name != f"{course.package}.exercises.{path.stem}":
            raise
        expected = f"{course.package}/exercises/{path.stem}/"
        raise BuildError(path, None, f"has no checks: expected a package {expected}") from None
    return {item.name: item for item in items}


def _part(cell: Cell, items: dict) -> Part:
    regions = find_regions(cell)
    if cell.kind == "markdown":
        if len(regions) > 1:
            raise cell.problem("a cell of prose holds one answer: begin a new cell with +++", regions[1].begin)
        if regions and not regions[0].points:
            raise cell.problem("say what the answer is worth: <!-- BEGIN SOLUTION (2 points) -->", regions[0].begin)
        return Part(cell, "answer" if regions else "given", regions, points=regions[0].points if regions else 0)
    if regions:
        return Part(cell, "solution", regions)
    item = _checked_item(cell)
    if item is None:
        return Part(cell, "given", [])
    if item not in items:
        raise cell.problem(f"checks {item!r}, which the exercise {cell.path.stem} does not know; there are "
                           f"{', '.join(items)}")
    return Part(cell, "check", [], item, items[item].points)


def _checked_item(cell: Cell) -> str | None:
    """The item of a check cell. A check that does not stand alone in its cell stops the build."""
    called = re.findall(rf"^\s*{cell.path.stem}\.check_(\w+)\(", cell.text, flags=re.MULTILINE)
    if not called:
        return None
    statements = ast.parse(cell.text).body
    if len(statements) != 1 or len(called) != 1 or not isinstance(statements[0], ast.Expr):
        raise cell.problem("a check stands alone in its cell: one statement, one item")
    return called[0]


def _give_ids(parts: list[Part]) -> None:
    """A check is called by its item and a solution by its function, so that grades keep their names for ever."""
    taken = {part.cell.id: part.cell.line for part in parts if part.kind == "given"}
    for part in (part for part in parts if part.kind != "given"):
        name = f"check-{part.item}" if part.kind == "check" else "answer"
        if part.kind == "solution":
            name = f"write-{function_of(part.regions[0], part.cell)}"
        elif name in taken and part.kind == "answer":
            name += f"-{sum(id.startswith('answer') for id in taken) + 1}"
        if name in taken:
            raise part.cell.problem(f"the id {name!r} is taken, at line {taken[name]}")
        part.cell.id = name
        taken[name] = part.cell.line


def leaks(exercise: ExerciseSource) -> Iterator[tuple[int, str]]:
    """The line of the source and the answer, for each answer that the student's edition holds."""
    answers = {_bare(line): line.strip() for line in telling_lines(exercise)}
    for part in exercise.parts:
        if WORKED in part.cell.tags:
            continue
        hidden = {number for region in part.regions for number in range(region.begin, region.end + 1)}
        for number, text in enumerate(part.cell.text.splitlines()):
            if number not in hidden and not text.lstrip().startswith("def "):     # a head is given, its call no secret
                bare = _bare(text)
                for answer, shown in answers.items():
                    if answer in bare:
                        yield part.cell.line + number, shown


def telling_lines(exercise: ExerciseSource) -> Iterator[str]:
    """The lines of the answers long enough to give one away; of an assignment or a return, what is computed."""
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


def solution_edition(exercise: ExerciseSource) -> Lesson:
    """What an instructor reads: every cell as written, marks and all."""
    cells = [_as_cell(part, part.cell.text) for part in exercise.parts if STUDENT_ONLY not in part.cell.tags]
    title, _, rest = cells[0].text.partition("\n")
    note = ("*This is the edition with solutions. Students get [another one]"
            f"(../exercises/{exercise.lesson.name}.ipynb).*")
    cells[0] = replace(cells[0], text=f"{title}\n\n{note}\n{rest}".rstrip("\n"))
    return _edition(exercise, "solution", cells)


def student_edition(exercise: ExerciseSource) -> Lesson:
    """What a student gets: stubs for solutions. Outputs are never compared there, as they are the student's own."""
    cells = [_as_cell(part, without_solutions(part.cell, part.regions)) for part in exercise.parts]
    for cell in cells:
        if cell.kind == "code":
            cell.tags = [*dict.fromkeys([*cell.tags, IGNORED])]
    return _edition(exercise, "student", cells)


def _edition(exercise: ExerciseSource, edition: str, cells: list[Cell]) -> Lesson:
    """The notebook's metadata say what it is, for nbval and for whoever grades it, whatever the file is called then."""
    about = {"edition": edition, "exercise": exercise.lesson.name}
    return replace(exercise.lesson, cells=cells, metadata={"workbook": about})


def _as_cell(part: Part, text: str) -> Cell:
    tags = [tag for tag in part.cell.tags if tag not in (STUDENT_ONLY, WORKED)]
    if part.kind == "given":
        return replace(part.cell, text=text, tags=tags)
    graded = part.kind != "solution"
    mark = {"grade": graded, "grade_id": part.cell.id, "locked": part.kind == "check", "schema_version": 3,
            "solution": part.kind != "check", "task": False}
    if graded:
        mark["points"] = part.points
    return replace(part.cell, text=text, tags=tags, metadata={"nbgrader": mark})
