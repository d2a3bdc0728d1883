"""Points that a person gives for answers in words, in REPORT/by-hand.csv.

What stands in that file is never changed. Rows are only added at its end; a row that cannot be understood is reported
with its line, and stays.
"""
import csv
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from workbook.grading.results import Result
from workbook.grading.roster import Roster
from workbook.grading.tables import harmless, number, table

FILE = "by-hand.csv"
COLUMNS = ("student", "exercise", "points", "comment")


@dataclass
class Sheet:
    """The file as a person left it. rows: the line where each begins, and its cells by column.

    broken: why rows are missing, "" where none is; nothing is added to such a file.
    """

    text: str
    delimiter: str = ","
    columns: tuple[str, ...] = COLUMNS
    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    broken: str = ""


def parse(data: bytes) -> Sheet:
    """The file's content, with the separators and the byte order mark that spreadsheets write."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        return Sheet("", broken=f"line {line}: this is not UTF-8; expected a file saved as “CSV UTF-8”")
    bare = text.lstrip("\ufeff")
    if not bare.strip():
        return Sheet(table(COLUMNS, []))
    first = bare.splitlines()[0]
    sheet, line = Sheet(text, max(",;\t", key=first.count)), 1
    reader = csv.reader(io.StringIO(bare, newline=""), delimiter=sheet.delimiter, strict=True)
    try:
        for row in reader:
            if line == 1:
                sheet.columns = tuple(name.strip().lower() for name in row)
                if missing := ", ".join(name for name in COLUMNS if name not in sheet.columns):
                    raise csv.Error(f"got {first!r}; expected the columns {', '.join(COLUMNS)} (missing: {missing})")
            elif any(cell.strip() for cell in row):
                sheet.rows.append((line, dict.fromkeys(sheet.columns, "") | dict(zip(sheet.columns, row))))
            line = reader.line_num + 1
    except csv.Error as error:
        sheet.broken = f"line {line}: {error}. What stands from here on is not counted"
    return sheet


def read(path: Path, roster: Roster, anonymous: bool = False) -> tuple[Roster, str, list[str]]:
    """(the class with these points, the file's text, what is wrong in it).

    The text has a row for each answer in words; new rows are under code names where `anonymous`.
    """
    sheet = parse(path.read_bytes() if path.exists() else b"")
    by_name: dict[tuple[str, str], list[Result]] = {}
    for student in roster.students:
        for result in student.results.values():
            for name in {_name(each) for each in (student.name, result.student, result.code_name)}:
                by_name.setdefault((name, result.exercise), []).append(result)
    listed, marked, problems = set(), {}, []
    for line, row in sheet.rows:
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
        elif marked.setdefault(results[0].key, (value, row["comment"].strip(), line))[0] != value:
            earlier, _, where = marked[results[0].key]
            problem = (f"got the points {points!r} for {who}; expected those of line {where}, {number(earlier)}, "
                       "which count")
        else:
            continue
        problems.append(f"line {line}: {problem}")
    new = [{"student": harmless(name), "exercise": exercise} for exercise in roster.exercises
           for name, result in roster.answers(exercise, anonymous) if result.key not in listed]
    text, added = sheet.text, io.StringIO()
    if new and not sheet.broken:                             # in the form that the file has
        line_end = "\r\n" if "\r\n" in text else "\n"
        csv.DictWriter(added, sheet.columns, delimiter=sheet.delimiter, lineterminator=line_end).writerows(new)
        text += line_end * (not text.endswith(("\n", "\r"))) + added.getvalue()
    problems = [f"{path.name}, {problem}" for problem in (*problems, sheet.broken) if problem]
    return roster.with_points(marked), text, problems


def _name(text: str) -> str:
    """A name as it is compared: a spreadsheet may have changed the spaces, and an apostrophe may guard it."""
    text = " ".join(text.split())
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
