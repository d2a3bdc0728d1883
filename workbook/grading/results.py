"""What was handed in and what grading found, a file for each notebook: written whole or not at all, so that a run can
end at any moment.

REPORT/run.json holds what only the parent knows, the seed and the key to the names of the students' pages, and
REPORT/results/STUDENT/EXERCISE.json a Result.
"""
import hashlib
import json
import re
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from workbook.checks.item import Verdict
from workbook.files import write

WORDS = "in words"                     # in the place of an item: the answer in words


@dataclass(frozen=True)
class Submission:
    """What a student handed in for an exercise: the latest file. Or files of no known exercise: then `exercise` is "".

    number: the student's, where the platform gives one; else "", or the folder that tells two of the same name apart.
    cells: of the notebook; none if it cannot be read, and then the last of `remarks` says why. edition: see `Notebook`.
    held: the items that held in the student's session. answers: to questions, (when, question, choice). late: by how
    many minutes, or "late" where the platform says no more.
    """

    student: str
    number: str
    exercise: str
    path: str
    cells: tuple[dict, ...] = ()
    remarks: tuple[str, ...] = ()
    edition: str = ""
    held: tuple[str, ...] = ()
    answers: tuple[tuple[str, str, str], ...] = ()
    late: str = ""

    @property
    def name(self) -> str:
        """Of this student's files: what is readable of the student's name, and a hash."""
        readable = re.sub(r"[^A-Za-z0-9._-]+", "_", self.student).strip("._-")[:40]
        return f"{readable}-{self.digest}".lstrip("-")

    @property
    def digest(self) -> str:
        """Of the student: it sorts students in an order that does not follow their names."""
        return hashlib.sha256(f"{self.student}/{self.number}".encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.exercise


@dataclass(frozen=True)
class Result(Submission):
    """One graded notebook, without its cells. state: a hash of the submission and of all that grades it."""

    state: str = ""
    outcomes: tuple[Verdict, ...] = ()
    words: str = ""                        # the answer in words, for a person to grade; "" where there is none
    code: dict[str, str] = field(default_factory=dict)       # item -> the student's cell, for the pages
    shapes: dict[str, tuple[str, int]] = field(default_factory=dict)       # item -> the `same.shape` of that
    formerly: str = ""                     # the student's name in an earlier run, if the same hand-in had another then
    in_words: Verdict | None = None        # on the answer in words, where the exercise asks for one
    by_hand: dict[str, tuple[float, str]] = field(default_factory=dict)    # item, or WORDS -> points before, reason

    @property
    def graded(self) -> tuple[Verdict, ...]:
        """The verdicts on all that has points."""
        return (*self.outcomes, self.in_words) if self.in_words else self.outcomes

    @property
    def points(self) -> float:
        return sum(outcome.points for outcome in self.graded)

    @property
    def unread(self) -> bool:
        """Whether the hand-in cannot be read, and nobody has given points for it: then tables leave it blank."""
        return not self.code and not self.by_hand and all(one.status == "unreadable" for one in self.outcomes)

    @property
    def waits(self) -> bool:
        """Whether there is an answer in words that nobody has graded."""
        return bool(self.words) and WORDS not in self.by_hand


def place(report: Path, result: Result) -> Path:
    """The file of a result, which there need not be yet."""
    return report / "results" / result.name / f"{result.exercise}.json"


def save(report: Path, result: Result) -> None:
    """Write a result, in one step. OSError where that is refused."""
    write(place(report, result), json.dumps(asdict(result), indent=1))


def load_all(report: Path) -> list[Result]:
    """All results of a report that can be read, also those whose hand-in is gone."""
    found = []
    for path in sorted((report / "results").glob("*/*.json")):
        with suppress(OSError, ValueError, TypeError, KeyError):
            stored = json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))
            found.append(Result(**stored | {"outcomes": tuple(Verdict(**one) for one in stored["outcomes"]),
                                            "answers": tuple(map(tuple, stored["answers"]))}))
    return found


def secrets_of(report: Path) -> tuple[int, str]:
    """The seed of a report's problems and a key for the names of its pages: of an earlier run, or fresh ones."""
    path = report / "run.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known = {"seed": secrets.randbelow(2**40), "pages": secrets.token_hex(16)} | known
    write(path, json.dumps(known) + "\n")
    return known["seed"], known["pages"]
