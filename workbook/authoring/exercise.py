"""One source, two editions: `solutions/source/NAME.md` becomes the solution and the student's notebook.

A cell is a *solution* (code with marks), a *check* (the one statement `NAME.check_ITEM(...)`), an *answer* (prose with
marks) or *given*; README.md shows how they are written.
"""
import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from workbook import course
from workbook.authoring.project import BuildError
from workbook.authoring.source import IGNORED, Cell, Lesson, read_lesson
from workbook.checks.rerun import ANSWER_HERE
from workbook.language import language, say, speaking

STUDENT_ONLY, WORKED = "student-only", "worked"          # tags
TELLING = 16                                             # letters: a line of so many or more gives an answer away
STUB = 'raise NotImplementedError("write {name}, then run this cell again")'
# A misspelt mark would show the answer to students, so a line that only looks like a mark stops the build.
_LOOKS_LIKE = re.compile(r"\b(begin|end)\W*solutions?\b", flags=re.IGNORECASE)
_ANSWER = {
    "code": re.compile(r"^(?P<indent> *)### BEGIN SOLUTION\n(?P<text>(?:.*\n)*?)(?P=indent)### END SOLUTION$", re.M),
    "markdown": re.compile(r"^<!-- BEGIN SOLUTION \((?P<points>\d+) points?\) -->\n(?P<text>(?:.*\n)*?)"
                           r"<!-- END SOLUTION -->$", re.M),
}
_MARKS = {"code": "### BEGIN SOLUTION and ### END SOLUTION, equally indented",
          "markdown": "<!-- BEGIN SOLUTION (2 points) --> and <!-- END SOLUTION -->"}


def read_exercise(path: Path) -> Lesson:
    """Read one source. BuildError if it breaks the format or shows an answer; ModuleNotFoundError without checks."""
    items = {item.name: item for item in course.exercise(path.stem).items}
    exercise = read_lesson(path)
    for cell in exercise.cells:
        _give_role(cell, items)
    taken: dict[str, int] = {}
    for cell in sorted(exercise.cells, key=lambda cell: cell.role != "given"):       # what has a role took its own id
        if cell.id in taken:
            raise cell.problem(f"the id {cell.id!r} is taken, at line {taken[cell.id]}")
        taken[cell.id] = cell.line
    for item in items:
        if f"check-{item}" not in taken:
            raise BuildError(path, None, f"has no check cell for {item!r}: {path.stem}.check_{item}(...)")
    given = "\n".join(_ANSWER[cell.kind].sub("", cell.text) for cell in exercise.cells if WORKED not in cell.tags)
    given = _bare(re.sub(r"^ *def .*", "", given, flags=re.MULTILINE))       # the head of a function may be shown
    for line in telling_lines(exercise):
        if _bare(line) in given:
            raise BuildError(path, None, f"gives an answer away: {line.strip()!r} stands between marks and elsewhere "
                                         f"in this file. Put it between marks, or tag a worked example [{WORKED}]")
    with speaking("en"):
        text = "\0".join(_without_solutions(cell) for cell in exercise.cells)
    exercise.metadata = {"version": hashlib.sha256(text.encode()).hexdigest()[:8]}
    return exercise


def _give_role(cell: Cell, items: dict) -> None:
    """Say what a cell is, and name a check after its item, a solution after its function: grades keep these names."""
    answers = _answers(cell)
    checked = re.findall(rf"^\s*{cell.path.stem}\.check_(\w+)\(", cell.text, flags=re.MULTILINE)
    if answers and cell.kind == "code":
        cell.role, cell.id = "solution", f"write-{_function_around(answers[0], cell)}"
    elif answers:
        if len(answers) > 1:
            raise cell.problem(f"a cell of prose holds one answer, got {len(answers)}", _line(answers[1]))
        cell.role, cell.id, cell.points = "answer", "answer", int(answers[0]["points"])
    elif checked and cell.kind == "code":
        if len(checked) != 1 or not re.fullmatch(r"\w+\.check_\w+\(.*\)", cell.text.strip(), flags=re.DOTALL):
            raise cell.problem("a check stands alone in its cell: one statement, one item")
        if checked[0] not in items:
            raise cell.problem(f"checks {checked[0]!r}, which the exercise {cell.path.stem} does not know; there are "
                               f"{', '.join(items)}")
        cell.role, cell.id, cell.points = "check", f"check-{checked[0]}", items[checked[0]].points


def _answers(cell: Cell) -> list[re.Match]:
    """The answers of a cell, marks included. BuildError for a misspelt, unclosed, nested or wrongly indented mark."""
    answers = list(_ANSWER[cell.kind].finditer(cell.text))
    marks = {number for answer in answers for number in (_line(answer), _line(answer) + answer[0].count("\n"))}
    for number, line in enumerate(cell.text.splitlines()):
        if _LOOKS_LIKE.search(line) and number not in marks:
            raise cell.problem(f"{line.strip()!r} is no mark, or has no partner: expected {_MARKS[cell.kind]}, each "
                               "alone on its line", number)
    return answers


def _line(answer: re.Match) -> int:
    """The line of the cell, from 0, where an answer's first mark stands."""
    return answer.string[:answer.start()].count("\n")


def _function_around(answer: re.Match, cell: Cell) -> str:
    """The name of the innermost function around an answer. BuildError where there is none."""
    before = re.findall(r"^( *)def (\w+)", answer.string[:answer.start()], flags=re.MULTILINE)
    around = [name for indent, name in before if len(indent) < len(answer["indent"])]
    if not around:
        raise cell.problem("a solution stands inside a function: outside of one, its stub would stop the notebook of a "
                           "student who has not begun", _line(answer))
    return around[-1]


def _without_solutions(cell: Cell) -> str:
    """The text of a cell as a student gets it."""
    if cell.kind == "markdown":
        return _ANSWER["markdown"].sub(ANSWER_HERE[language()], cell.text)
    return _ANSWER["code"].sub(
        lambda answer: answer["indent"] + STUB.format(name=_function_around(answer, cell)), cell.text)


def telling_lines(exercise: Lesson) -> Iterator[str]:
    """The lines of the answers long enough to give one away; of an assignment or a return, what is computed."""
    for cell in exercise.cells:
        for line in (line for answer in _answers(cell) for line in answer["text"].splitlines()):
            line = line.partition("#")[0] if cell.kind == "code" else line
            computed = re.sub(r"^\s*(return\b|[\w, .\[\]]+ [-+*/@]?= )", "", line)
            yield from (each for each in {line, computed} if len(_bare(each)) >= TELLING)


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def solution_edition(exercise: Lesson) -> Lesson:
    """What an instructor reads: every cell as written, marks included."""
    cells = [_as_made(cell, cell.text) for cell in exercise.cells if STUDENT_ONLY not in cell.tags]
    title, _, rest = cells[0].text.partition("\n")
    note = say("*This is the edition with solutions. Students get [another one]({link}).*",
               link=f"../exercises/{exercise.name}.ipynb")
    cells[0] = replace(cells[0], text=f"{title}\n\n{note}\n{rest}".rstrip("\n"))
    return _edition(exercise, "solution", cells)


def student_edition(exercise: Lesson) -> Lesson:
    """What a student gets: stubs for solutions, and outputs that nbval never compares: they are the student's own."""
    cells = [_as_made(cell, _without_solutions(cell)) for cell in exercise.cells]
    for cell in cells:
        if cell.kind == "code":
            cell.tags = [*dict.fromkeys([*cell.tags, IGNORED])]
    return _edition(exercise, "student", cells)


def _edition(exercise: Lesson, edition: str, cells: list[Cell]) -> Lesson:
    """With metadata that say what the notebook is, for nbval and the grader, whatever its file will be called."""
    metadata = {"edition": edition, "exercise": exercise.name, **exercise.metadata}
    return replace(exercise, cells=cells, metadata={"workbook": metadata})


def _as_made(cell: Cell, text: str) -> Cell:
    """A cell of an edition, with nbgrader's metadata, schema 3."""
    graded = cell.role != "solution"
    mark = {"grade": graded, "grade_id": cell.id, "locked": cell.role == "check", "schema_version": 3,
            "solution": cell.role != "check", "task": False} | ({"points": cell.points} if graded else {})
    tags = [tag for tag in cell.tags if tag not in (STUDENT_ONLY, WORKED)]
    return replace(cell, text=text, tags=tags, metadata={} if cell.role == "given" else {"nbgrader": mark})
