"""Points that a person gives for answers in words, in REPORT/by-hand.csv.

What stands in that file is never changed: rows are only added at its end. A row that cannot be understood is reported
with its number, as a spreadsheet shows it, and stays.
"""
import csv
import io
import re
from pathlib import Path

from workbook.grading.roster import Roster
from workbook.grading.tables import harmless, table

FILE = "by-hand.csv"
COLUMNS = ("student", "exercise", "points", "comment")


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
    found = [(student.name, result) for student in roster.students for result in student.results.values()]
    results = {(_name(result.formerly), result.exercise): result for _, result in found if result.formerly}
    results |= {(_name(name), result.exercise): result for name, result in found}
    listed, marked, problems = set(), {}, []
    for number, row in rows.items():
        points, exercise = row["points"].strip(), row["exercise"].strip()
        result = results.get((_name(row["student"]), exercise))
        if result:
            listed.add(result.key)
        if not points:
            continue
        most = roster.exercises[exercise].words if result else 0
        value = float(points.replace(",", ".")) if re.fullmatch(r"\d{1,6}([.,]\d{0,6})?", points, re.A) else -1
        if not result:
            problem = (f"got {row['student']!r}, {exercise!r}; expected a student and exercise of this report "
                       "(the row stays)")
        elif not 0 <= value <= most:
            problem = f"got the points {points!r} for {row['student']!r}; expected a number from 0 to {most}"
        elif result.key in marked:
            problem = f"an earlier row has points for {row['student']!r}, {exercise!r}; those count"
        else:
            marked[result.key] = value, row["comment"].strip()
            continue
        problems.append(f"{path.name}, row {number}: {problem}")
    new = [{"student": harmless(name), "exercise": exercise} for exercise in roster.exercises
           for name, result in roster.answers(exercise) if result.key not in listed]
    if new:                                                  # in the form that the file has
        line_end = "\r\n" if "\r\n" in text else "\n"
        if not text.endswith(("\n", "\r")):
            text += line_end
        added = io.StringIO()
        csv.DictWriter(added, columns, delimiter=separator, lineterminator=line_end).writerows(new)
        text += added.getvalue()
    return roster.with_points(marked), text, problems


def parse(text: str) -> tuple[str, list[str], dict[int, dict[str, str]]]:
    """(the separator, the columns, each row by its number), as spreadsheets write them; or csv.Error."""
    text = text.lstrip("\ufeff")
    first = text.partition("\n")[0].strip()
    separator = max(",;\t", key=first.count)
    head, *rows = [*csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)] or [[]]
    columns = [name.strip().lower() for name in head]
    if not {*COLUMNS} <= {*columns}:
        raise csv.Error(f"its first row is {first!r}; expected the columns {', '.join(COLUMNS)}")
    return separator, columns, {number: dict.fromkeys(columns, "") | dict(zip(columns, row))
                                for number, row in enumerate(rows, 2) if any(map(str.strip, row))}


def _name(text: str) -> str:
    """A name to compare: without the spaces that a spreadsheet may have added, or the apostrophe of `harmless`."""
    text = " ".join(text.split())
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
