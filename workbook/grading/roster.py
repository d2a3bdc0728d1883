"""The class as its pages and tables see it: students with their results, and what each exercise asks for."""
import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from workbook import course, language
from workbook.checks.item import Verdict
from workbook.grading.results import WORDS, Result
from workbook.grading.same import shape

LONG = 20_000                          # characters of a text that is shown
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class Assignment:
    """items: name -> points, in order. words: points of the answer in words, to this question; model: such an answer,
    "" where there is no solution, a paragraph a line. known: shapes of what was handed out and of the solution.
    """

    name: str
    title: str
    items: dict[str, int]
    words: int = 0
    question: str = ""
    model: str = ""
    known: frozenset[str] = frozenset()

    @property
    def most(self) -> int:
        return sum(self.items.values()) + self.words


class Row(NamedTuple):
    """A line of the list of the class. ids: numbers, logins; called: these, and forms of the name that a hand-in may
    have; late: see `Submission`.
    """

    line: int = 0
    name: str = ""
    ids: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    section: str = ""
    late: str = ""


@dataclass(frozen=True, eq=False)
class Student:
    """name: as it is shown; page: the name of this student's files; results: by exercise, in order.

    row: of the list of the class. other_files: whether somebody without results handed in what cannot be graded.
    """

    name: str
    page: str
    results: dict[str, Result]
    row: Row = Row()
    other_files: bool = False

    @property
    def total(self) -> float:
        return sum(result.points for result in self.results.values())

    @property
    def unread(self) -> bool:
        """Whether all that was handed in cannot be read: then there is no total."""
        return all(result.unread for result in self.results.values()) if self.results else self.other_files

    @property
    def waiting(self) -> int:
        """How many answers in words nobody has graded; they count as 0 in the total."""
        return sum(result.waits for result in self.results.values())


@dataclass(frozen=True)
class Roster:
    """missing: those in the list of the class who have handed in no notebook. strangers: who fit no row of it."""

    students: list[Student]
    exercises: dict[str, Assignment]
    missing: list[Student] = field(default_factory=list)
    strangers: list[Student] = field(default_factory=list)

    @property
    def most(self) -> int:
        return sum(exercise.most for exercise in self.exercises.values())

    @property
    def results(self) -> list[tuple[Student, Result]]:
        """Each result, with its student."""
        return [(student, result) for student in self.students for result in student.results.values()]

    @property
    def everybody(self) -> list[Student]:
        return sorted([*self.students, *self.missing], key=lambda student: (student.name.casefold(), student.page))

    def with_points(self, given: dict[tuple[tuple[str, str], str], tuple]) -> "Roster":
        """The same class with points given by hand: (points, reason, ...) by the key of a result and an item."""
        def changed(result: Result) -> Result:
            new = {one.item: given[result.key, one.item] for one in result.graded if (result.key, one.item) in given}
            return replace(
                result, by_hand={one.item: (one.points, new[one.item][1]) for one in result.graded if one.item in new},
                outcomes=tuple(replace(one, points=new[one.item][0]) if one.item in new else one
                               for one in result.outcomes),
                in_words=replace(result.in_words, points=new[WORDS][0], status="graded") if WORDS in new
                else result.in_words)

        return replace(self, students=[
            replace(student, results={name: changed(one) for name, one in student.results.items()})
            for student in self.students])


def roster(results: Iterable[Result], masters: Path, key: str = "") -> Roster:
    """The class of these results. masters: the folder of the exercises as handed out.

    key: without it nobody can tell the name of a student's page from the student's.
    """
    results = sorted(results, key=lambda one: (one.student, course.EXERCISES.index(one.exercise), one.number))
    items = {one.exercise: {outcome.item: outcome.most for outcome in one.outcomes} for one in reversed(results)}
    exercises = {name: assignment(name, items[name], masters) for name in course.EXERCISES if name in items}
    results = [replace(one, in_words=Verdict(WORDS, "not graded yet" if one.words else "no answer", 0, most))
               if (most := exercises[one.exercise].words) else one for one in results]
    return Roster(_students(results, key), exercises)


def forms(*texts: str) -> set[str]:
    """Letters and digits alone, in lower case; also of ASCII alone, as Canvas names files. "Participant 77" is 77."""
    bare = [re.sub(r"^participant\s+(?=\d)|[\W_]", "", unicodedata.normalize("NFC", text).casefold()) for text in texts]
    return {*bare, *(re.sub(r"[^a-z0-9]", "", text) for text in bare)} - {""}


def clean(text):
    """A text fit to be shown: not too long, with control characters and marks of direction as their numbers. Markup and
    what is no text stays as it is.
    """
    if type(text) is not str or len(text) <= LONG and text.isprintable():
        return text
    shown = INVISIBLE.sub(lambda one: f"\\u{ord(one[0]):04x}",
                          text[:LONG].replace("\r\n", "\n").replace("\r", "\n"))
    return shown if len(text) <= LONG else f"{shown}\n… and {len(text) - LONG} characters more"


def _students(results: list[Result], key: str) -> list[Student]:
    """Students by name, from results in that order. Those of one name and exercise with two numbers are two students'.

    Otherwise different numbers are one student's: Moodle gives everybody a new one in each assignment.
    """
    students = []
    for name, group in groupby(results, key=lambda one: one.student):
        theirs = [*group]
        several = max(Counter(one.exercise for one in theirs).values()) > 1
        shown = re.sub(r"\s", " ", clean(name)).strip() or "(no name)"
        for number in sorted({one.number for one in theirs}) if several else [""]:
            own = {one.exercise: one for one in theirs if not several or one.number == number}
            readable, _, digest = min(one.name for one in own.values()).rpartition("-")
            page = f"{readable}-{hashlib.sha256(f'{key}/{digest}'.encode()).hexdigest()[:16]}".lstrip("-")
            students.append(Student(f"{shown} ({clean(number)})" if number else shown, page, own))
    return sorted(students, key=lambda student: (student.name.casefold(), student.page))


def editions(name: str, masters: Path) -> tuple[Path, ...]:
    """The files of an exercise as it was handed out, of its solution, and of its translations; not all may exist."""
    master = masters / f"{name}.ipynb"
    return (master, masters.with_name("solutions") / master.name,
            *(language.twin(master, each) for each in language.NAMES))


def assignment(name: str, items: dict[str, int], masters: Path) -> Assignment:
    """An exercise with these items, from its notebook as handed out and its solution."""
    cells, right = (json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []
                    for path in editions(name, masters)[:2])
    answer, model = (next((cell for cell in those if cell.get("id") == "answer"), {"metadata": {}, "source": ""})
                     for those in (cells, right))
    points = answer["metadata"].get("nbgrader", {}).get("points", 0)
    question = re.split(r"(?m)^## In your words\s*", "".join(answer["source"]).partition("*Your answer")[0])[-1].strip()
    found = re.search(r"<!-- BEGIN SOLUTION.*?-->\s*(.*?)\s*<!-- END SOLUTION -->", "".join(model["source"]), re.S)
    texts = (re.sub(r"(?<!\n)\n(?!\n)", " ", text) for text in (question, found[1] if found else ""))
    known = frozenset(shape("".join(cell["source"]))[0] for cell in [*cells, *right]
                      if cell.get("id", "").startswith("write-"))
    return Assignment(name, course.exercise(name).title, items, points, *texts, known)
