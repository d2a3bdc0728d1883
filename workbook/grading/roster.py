"""The class as reports see it: students with their results, what each exercise asks for, and texts fit to be shown."""
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from workbook.grading.results import Result, place

LONG = 20_000                          # characters of a text that is shown
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class Assignment:
    """items: points by name, in order. words: the points of the answer in words; cell: where it is asked for."""

    name: str
    title: str
    items: dict[str, int]
    words: int = 0
    cell: str = ""

    @property
    def question(self) -> str:
        """What the cell asks, a paragraph a line: it stands between the heading and the line to write over."""
        asked = re.split(r"(?m)^## In your words\s*", self.cell.partition("*Your answer")[0])[-1].strip()
        return re.sub(r"(?<!\n)\n(?!\n)", " ", asked)

    @property
    def most(self) -> int:
        return sum(self.items.values()) + self.words


@dataclass(frozen=True)
class Student:
    """name: as it is shown; page: what the files of this student are called; results: by exercise, in order."""

    name: str
    page: str
    results: dict[str, Result]

    @property
    def pages(self) -> set[str]:
        """What the files would be called by any of the numbers that a platform gave this student."""
        return {_page(result) for result in self.results.values()}


@dataclass(frozen=True)
class Mark:
    """What a person gave for an answer in words."""

    points: float
    comment: str = ""


@dataclass
class Roster:
    """marks: by the student's page and the exercise."""

    students: list[Student]
    exercises: dict[str, Assignment]
    marks: dict[tuple[str, str], Mark] = field(default_factory=dict)

    @cached_property
    def most(self) -> int:
        return sum(exercise.most for exercise in self.exercises.values())

    def points(self, student: Student, exercise: str) -> float | None:
        """All points of a student for an exercise; None where it was not handed in."""
        if exercise not in student.results:
            return None
        mark = self.marks.get((student.page, exercise))
        return student.results[exercise].points + (mark.points if mark else 0)

    def total(self, student: Student) -> float:
        return sum(self.points(student, exercise) for exercise in student.results)

    def waits(self, student: Student, exercise: str) -> bool:
        """Whether an answer in words is there that nobody has graded."""
        return wrote(student, self.exercises[exercise]) and (student.page, exercise) not in self.marks

    def waiting(self, student: Student) -> int:
        return sum(self.waits(student, exercise) for exercise in self.exercises)


def wrote(student: Student, exercise: Assignment) -> bool:
    """Whether there is an answer in words that gives points."""
    return bool(exercise.words and exercise.name in student.results and student.results[exercise.name].words)


def roster(found: Iterable[Result], masters: Path, names: tuple[str, ...] = ()) -> Roster:
    """The class of these results. masters: the folder of the exercises as they were handed out; names: their order."""
    found = sorted(map(_cleaned, found), key=lambda one: (one.student, one.number, one.exercise))
    order = sorted({one.exercise for one in found}, key=lambda name: (name not in names, [*names, name].index(name)))
    exercises = {name: _exercise(name, next(one for one in found if one.exercise == name), masters) for name in order}
    found = [replace(one, words=_own(one.words, exercises[one.exercise].cell)) for one in found]
    return Roster(_students(found, order), exercises)


def clean(text: str) -> str:
    """A text that shows by their numbers characters that no XML may hold, or that turn the direction of others."""
    shown = UNSEEN.sub(lambda one: f"\\u{ord(one[0]):04x}", text[:LONG].replace("\r\n", "\n").replace("\r", "\n"))
    return shown if len(text) <= LONG else f"{shown}\n… and {len(text) - LONG} characters more"


def _cleaned(result: Result) -> Result:
    outcomes = (replace(one, **{name: clean(text) for name, text in vars(one).items() if isinstance(text, str)})
                for one in result.outcomes)
    code = {item: clean(text) for item, text in result.code.items()}
    return replace(result, outcomes=tuple(outcomes), words=clean(result.words), code=code,
                   remarks=tuple(map(clean, result.remarks)))


def _students(found: list[Result], order: list[str]) -> list[Student]:
    """Students by name. Numbers tell those of one name apart, where an exercise is there twice under that name.

    Otherwise they are one student: Moodle numbers a student anew in each assignment.
    """
    by_name: dict[str, list[Result]] = {}
    for one in found:
        by_name.setdefault(one.student, []).append(one)
    students = []
    for name, theirs in by_name.items():
        twice = max(Counter(one.exercise for one in theirs).values()) > 1
        shown = re.sub(r"\s", " ", clean(name)).strip() or "(no name)"
        for number in sorted({one.number for one in theirs}) if twice else [""]:
            results = {one.exercise: one for one in sorted(theirs, key=lambda one: order.index(one.exercise))
                       if not twice or one.number == number}
            page = min(map(_page, results.values()))
            students.append(Student(f"{shown} ({clean(number)})" if number else shown, page, results))
    return sorted(students, key=lambda student: (student.name.casefold(), student.page))


def _page(result: Result) -> str:
    return place(Path(), result.student, result.number, result.exercise).parent.name


def _exercise(name: str, result: Result, masters: Path) -> Assignment:
    """What the notebook as it was handed out says of the exercise; without one, what the result says."""
    items = {outcome.item: outcome.most for outcome in result.outcomes}
    try:
        cells = json.loads((masters / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    except FileNotFoundError:
        return Assignment(name, name, items)
    title = next(iter(re.findall(r"(?m)^# (.+)", "".join(cells[0]["source"]))), name)
    answer = next((cell for cell in cells if cell.get("id") == "answer"), None)
    if not answer:
        return Assignment(name, title, items)
    points = answer["metadata"].get("nbgrader", {}).get("points", 0)
    return Assignment(name, title, items, points, "".join(answer["source"]))


def _own(words: str, cell: str) -> str:
    """What a student wrote into the cell of the answer: its lines that were not there before."""
    given = {line.strip() for line in cell.splitlines()}
    return "\n".join(line for line in words.splitlines() if line.strip() not in given).strip("\n")
