"""`--roster`: who is in the class, from a table of one's own, or as a platform exports it."""
import re
from dataclasses import replace
from pathlib import Path

from workbook.checks.item import count
from workbook.grading.manual import parse
from workbook.grading.roster import Roster, Row, Student, clean, forms

NAME = "student", "name", "names", "full name", "student name"
PARTS = ("first name", "first_name"), ("last name", "last_name", "surname")
IDS = ("id", "identifier", "number", "sid", "student id", "id number", "sis user id", "sis login id", "login",
       "username", "github_username", "email", "email address")
SECTION = "section", "sections", "section_name", "group", "groups"
LATENESS = "lateness (h:m:s)", "status"          # of Gradescope's scores, of Moodle's grading worksheet
UNITS = {"year": 525_600, "day": 1440, "hour": 60, "min": 1, "sec": 0}


def read(path: Path) -> list[Row]:
    """The rows of a table. SystemExit where it cannot be read or names nobody."""
    def first(*columns: str) -> str:
        return next((cells[column].strip() for column in columns if cells.get(column, "").strip()), "")

    try:
        *_, lines = parse(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SystemExit(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    found = []
    for line, cells in lines.items():
        ids = frozenset(forms(*(cells.get(column, "") for column in IDS)))
        name = clean(first(*NAME) or " ".join(first(*part) for part in PARTS).strip() or first(*IDS))
        words = re.split(r"[\s,]+", name)                                       # Doe, Jane is Jane Doe
        called = ids.union(forms(*("".join(words[n:] + words[:n]) for n in range(len(words)))))
        if name and not name.startswith("Points Possible") and name != "Student, Test":         # of Canvas
            found.append(Row(line, name, ids, called, clean(first(*SECTION)), _minutes(first(*LATENESS))))
    if not found:
        raise SystemExit(f"{path}: found no student; expected a first row with the column student, and perhaps section "
                         "and id, or a table of grades as Canvas, Moodle or Gradescope export it")
    return found


def with_names(roster: Roster, file: str, rows: list[Row], others: set[str]) -> tuple[Roster, list[str]]:
    """(the class with its sections and those who handed in nothing, what does not fit). others: who handed in something
    that could not be graded.
    """
    first: dict[frozenset, Row] = {}
    problems = [f"{file}, row {row.line}: {row.name!r} is in row {first[row.called].line} already; that row counts"
                for row in rows if first.setdefault(row.called, row) is not row]
    rows, taken, students, strangers = [*first.values()], {}, [], []
    if mixed := len(roster.exercises) > 1 and any(row.late for row in rows):
        problems.append(f"{file}: it says who was late for one assignment, and {len(roster.exercises)} exercises were "
                        "handed in; so its minutes are not used")
    for student in roster.students:
        results = student.results
        row = _row(rows, next(iter(results.values())).student, forms(*(one.number for one in results.values())))
        if row is None:
            strangers.append(student)
        elif row.line in taken:
            problems.append(f"{file}, row {row.line}: {row.name!r} fits the hand-ins of {taken[row.line]!r} and of "
                            f"{student.name!r}; it counts for the first")
        else:
            taken[row.line] = student.name
            if row.late and not mixed:
                results = {name: replace(one, late=row.late) for name, one in results.items()}
            student = replace(student, results=results, row=row)
        students.append(student)
    if strangers:
        fit = "fits" if len(strangers) == 1 else "fit"
        problems.append(f"{file}: {count(len(strangers), 'hand-in')} {fit} no row of the list, or more than one: "
                        f"{'; '.join(one.name for one in strangers)}; they may be among those missing")
    sent = {row.line for other in others if (row := _row(rows, other, set()))}
    missing = [Student(row.name, "", {}, row, row.line in sent) for row in rows if row.line not in taken]
    return replace(roster, students=students, missing=missing, strangers=strangers), problems


def _row(rows: list[Row], name: str, numbers: set[str]) -> Row | None:
    """The row of a student: by name; of several or none by number, or by a login that is the name."""
    own = forms(name)
    named = [row for row in rows if own & row.called]
    found = [named, *([row for row in named or rows if ids & row.ids] for ids in (numbers, own))]
    return next((those[0] for those in found if len(those) == 1), None)


def _minutes(text: str) -> str:
    """Whole minutes in "26:05:00" or "Submitted for grading - 1 day 2 hours late"; "" for none."""
    if clock := re.fullmatch(r"(\d+):(\d\d):\d\d", text):
        return str(60 * int(clock[1]) + int(clock[2]) or "")
    late = re.search(r"((?:\d+ (?:year|day|hour|min|sec)s? )+)late\b", text)
    return str(late and sum(int(n) * UNITS[unit] for n, unit in re.findall(r"(\d+) ([a-z]+?)s? ", late[1])) or "")
