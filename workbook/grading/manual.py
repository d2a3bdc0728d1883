"""What a teacher writes: who is in the class (`--roster`), and points by hand, for answers in words in
REPORT/by-hand.csv, for items in REPORT/override.csv.

by-hand-EXERCISE.csv, which the page of the answers saves, counts like by-hand.csv. What stands in these files is never
changed: rows are only added at the end. A row that cannot be understood is reported with its number, as a spreadsheet
shows it, and stays.
"""
import csv
import io
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from workbook.checks.item import count
from workbook.grading.results import WORDS
from workbook.grading.roster import Roster, Row, Student, clean, forms
from workbook.grading.tables import harmless, table

NAME = "student", "name", "names", "full name", "student name"
PARTS = ("first name", "first_name"), ("last name", "last_name", "surname")
IDS = ("id", "identifier", "number", "sid", "student id", "id number", "sis user id", "sis login id", "login",
       "username", "github_username", "email", "email address")
SECTION = "section", "sections", "section_name", "group", "groups"
LATENESS = "lateness (h:m:s)", "status"          # of Gradescope's scores, of Moodle's grading worksheet
UNITS = {"year": 525_600, "day": 1440, "hour": 60, "min": 1, "sec": 0}
FILE, COLUMNS = "by-hand.csv", ("student", "exercise", "points", "comment")
OVERRIDE, REASONS = "override.csv", ("student", "item", "points", "reason")


def parse(data: bytes, columns: tuple[str, ...] = ()) -> tuple[str, list[str], dict[int, dict[str, str]]]:
    """(the separator, the columns, each row by its number). ValueError: why it is no table."""
    try:
        text = data.decode("utf-8-sig")
        first = text.partition("\n")[0].strip()
        separator = max(",;\t", key=first.count)
        head, *rows = [*csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)] or [[]]
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8; save it as “CSV UTF-8”") from None
    except csv.Error as error:
        raise ValueError(error) from None
    head = [name.strip().lower() for name in head]
    if not {*columns} <= {*head}:
        raise ValueError(f"its first row is {first!r}; expected the columns {', '.join(columns)}")
    return separator, head, {number: dict.fromkeys(head, "") | dict(zip(head, row))
                             for number, row in enumerate(rows, 2) if any(map(str.strip, row))}


def class_list(path: Path) -> list[Row]:
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


def with_points(folder: Path, roster: Roster) -> tuple[Roster, dict[str, str], list[str]]:
    """(the class with these points, the texts of the files to write, what is wrong in the files).

    by-hand.csv has a row for each answer in words. A file that cannot be read is left as it is; no points in it count.
    """
    named = [(result.formerly, result) for _, result in roster.results if result.formerly]
    named += [(student.name, result) for student, result in roster.results]
    homes = Counter(item for exercise in roster.exercises.values() for item in exercise.items)
    known = {(_name(name), what): (one.key, verdict) for name, one in named for verdict in one.graded
             for what in ([one.exercise] if verdict.item == WORDS else [f"{one.exercise}/{verdict.item}", verdict.item])
             if homes[what] < 2}
    given, texts, problems = {}, {}, []
    listed = set()                                           # whose answers have a row
    for path in (folder / FILE, *sorted(folder.glob("by-hand?*.csv")), folder / OVERRIDE):
        columns = REASONS if path.name == OVERRIDE else COLUMNS
        data = path.read_bytes() if path.exists() else b""
        if not data.strip():
            texts[path.name] = table(columns, [])
            data = texts[path.name].encode()
        try:
            separator, head, rows = parse(data, columns)
        except ValueError as error:
            problems.append(f"{path.name} cannot be read, and no points in it are counted: {error}")
            continue
        found = {number: _count(row, path.name, columns, known, given, listed,
                                [student.name for student in roster.everybody
                                 if forms(row["student"]) & student.row.called]) for number, row in rows.items()}
        problems += [f"{path.name}, row {number}: {problem}" for number, problem in found.items() if problem]
        new = [{"student": harmless(student.name), "exercise": exercise} for exercise in roster.exercises
               for student, result in roster.results if result.exercise == exercise and result.words
               and (result.key, WORDS) not in listed]
        if new and path.name == FILE:
            text, added = data.decode(), io.StringIO()
            line_end = "\r\n" if "\r\n" in text else "\n"
            csv.DictWriter(added, head, delimiter=separator, lineterminator=line_end).writerows(new)
            texts[FILE] = text + line_end * (not text.endswith(("\n", "\r"))) + added.getvalue()
    return roster.with_points(given), texts, problems


def _count(row: dict[str, str], file: str, columns: tuple, known: dict, given: dict, listed: set, names: list) -> str:
    """Count the points of a row, or say what is wrong with it. names: whom the list of the class may mean."""
    said, column, what, reason = row["points"].strip(), columns[1], row[columns[1]].strip(), row[columns[3]]
    whole = [row["student"], *names[:len(names) == 1]]
    key, verdict = next((known[_name(name), what] for name in whole if (_name(name), what) in known), (None, None))
    if verdict and (verdict.item == WORDS) != (column == "exercise"):      # each file has its own kind
        verdict = None
    target = verdict and (key, verdict.item)
    listed.add(target)
    if not said and column == "exercise":
        return ""
    value = float(said.replace(",", ".")) if re.fullmatch(r"\d{1,6}([.,]\d{0,6})?", said, re.A) else -1
    if not verdict:
        hint = ", EXERCISE/ITEM where several exercises have that item" if column == "item" else ""
        those, said = sorted({name for name, _ in known}), _name(row["student"])
        near = [name for name in names if _name(name) in those] or get_close_matches(said, those)
        would = f"; {' or '.join(map(repr, near))} would count" if near and said not in those else ""
        return (f"got {row['student']!r}, {what!r}; expected a student and {column} of this report{hint} "
                f"(the row stays){would}")
    if not 0 <= value <= verdict.most:
        return f"got the points {said!r} for {row['student']!r}; expected a number from 0 to {verdict.most}"
    found = value, _plain(reason)
    if target in given and (given[target][2] == file or given[target][:2] != found):
        return f"an earlier row has points for {row['student']!r}, {what!r}; those count"
    given.setdefault(target, (*found, file))
    return ""


def _name(text: str) -> str:
    """A name to compare: without the spaces that a spreadsheet may have added, accents in one form."""
    return _plain(unicodedata.normalize("NFC", " ".join(text.split())))


def _plain(text: str) -> str:
    """A text without the apostrophe of `harmless`."""
    text = text.strip()
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
