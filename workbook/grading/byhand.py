"""Points that a person gives for answers in words, in REPORT/by-hand.csv.

What stands in that file is never changed. Rows are only added at its end; a row that cannot be understood is reported
with its number, as a spreadsheet shows it, and stays.
"""
import csv
import io
import re
from pathlib import Path

from workbook.grading.results import Result
from workbook.grading.roster import Roster
from workbook.grading.tables import harmless, number, table

FILE = "by-hand.csv"
COLUMNS = ("student", "exercise", "points", "comment")


def parse(text: str) -> tuple[str, list[str], dict[int, dict[str, str]]]:
    """(the separator, the columns, each row by its number and columns), as spreadsheets write them; or csv.Error."""
    text = text.lstrip("\ufeff")
    first = text.partition("\n")[0].strip()
    separator, found = max(",;\t", key=first.count), []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            found.append(row)
    except csv.Error as error:
        raise csv.Error(f"row {len(found) + 1}: {error}") from None
    columns = [name.strip().lower() for name in found[0]]
    if missing := ", ".join(name for name in COLUMNS if name not in columns):
        raise csv.Error(f"row 1: got {first!r}; expected the columns {', '.join(COLUMNS)} (missing: {missing})")
    return separator, columns, {place: dict.fromkeys(columns, "") | dict(zip(columns, row))
                                for place, row in enumerate(found, 1) if place > 1 and any(map(str.strip, row))}


def read(path: Path, roster: Roster) -> tuple[Roster, str, list[str]]:
    """(the class with these points, the file's text, what is wrong in it).

    The text has a row for each answer in words; it is "" where the file cannot be read, and then no points count.
    """
    data = path.read_bytes() if path.exists() else b""
    try:
        text = data.decode() if data.strip() else table(COLUMNS, [])
        separator, columns, rows = parse(text)
    except (UnicodeDecodeError, csv.Error) as error:
        why = "it is not UTF-8; save it as “CSV UTF-8”" if isinstance(error, UnicodeDecodeError) else error
        return roster, "", [f"{path.name} cannot be read, and no points in it are counted: {why}"]
    by_name: dict[tuple[str, str], list[Result]] = {}
    for student in roster.students:
        for result in student.results.values():
            for name in {_name(student.name), _name(result.student)}:
                by_name.setdefault((name, result.exercise), []).append(result)
    listed, marked, problems = set(), {}, []
    for place, row in rows.items():
        points, exercise = row["points"].strip(), row["exercise"].strip()
        results = by_name.get((_name(row["student"]), exercise), [])
        who = f"{row['student']!r}, {exercise!r}"
        if len(results) == 1:
            listed.add(results[0].key)
        if not points:
            continue
        most = roster.exercises[exercise].words if results else 0
        value = float(points.replace(",", ".")) if re.fullmatch(r"\d{1,6}([.,]\d{0,6})?", points, re.A) else -1
        if not results:
            problem = f"got {who}; expected a student and exercise of this report (the row stays)"
        elif len(results) > 1:
            problem = f"got {who}; expected a number too: {len(results)} students have this name"
        elif not 0 <= value <= most:
            problem = f"got the points {points!r} for {who}; expected a number from 0 to {most}"
        elif marked.setdefault(results[0].key, (value, row["comment"].strip(), place))[0] != value:
            earlier, _, where = marked[results[0].key]
            problem = (f"got the points {points!r} for {who}; expected those of row {where}, {number(earlier)}, "
                       "which count")
        else:
            continue
        problems.append(f"{path.name}, row {place}: {problem}")
    new = [{"student": harmless(name), "exercise": exercise} for exercise in roster.exercises
           for name, result in roster.answers(exercise) if result.key not in listed]
    if new:                                                  # in the form that the file has
        added, line_end = io.StringIO(), "\r\n" if "\r\n" in text else "\n"
        csv.DictWriter(added, columns, delimiter=separator, lineterminator=line_end).writerows(new)
        text += line_end * (not text.endswith(("\n", "\r"))) + added.getvalue()
    return roster.with_points(marked), text, problems


def _name(text: str) -> str:
    """A name as it is compared: a spreadsheet may have changed the spaces, and an apostrophe may guard it."""
    text = " ".join(text.split())
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
