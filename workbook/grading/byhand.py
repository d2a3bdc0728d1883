"""Points that a person gives for answers in words, in REPORT/by-hand.csv. What stands in that file is never changed:
rows are only added at its end, and what cannot be understood is told with its line and stays."""
import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workbook.grading.roster import Mark, Roster, Student, wrote
from workbook.grading.tables import harmless, number, table

FILE, KEY = "by-hand.csv", "key.csv"
HEAD, KEY_HEAD = ("student", "exercise", "points", "comment"), ("code", "student", "page")


@dataclass(frozen=True)
class Sheet:
    """A CSV file as a person left it. rows: the line where each begins, and its cells by column. broken: why rows are
    missing, "" where none is; such a file is not added to."""

    text: str
    head: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]
    delimiter: str = ","
    broken: str = ""

    def with_rows(self, rows: Iterable[dict[str, str]]) -> str:
        """The text with these rows at its end, in the form that the file has."""
        if self.broken:
            return self.text
        line_end = "\r\n" if "\r\n" in self.text else "\n"
        added = io.StringIO()
        csv.writer(added, delimiter=self.delimiter, lineterminator=line_end).writerows(
            [row.get(name, "") for name in self.head] for row in rows)
        between = line_end if added.getvalue() and not self.text.endswith(("\n", "\r")) else ""
        return self.text + between + added.getvalue()


def sheet(path: Path, head: tuple[str, ...] = HEAD) -> Sheet:
    """Read a file, with the separators and byte order mark that spreadsheets write; a fresh one where there is none."""
    data = path.read_bytes() if path.exists() else b""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        return Sheet("", head, (), broken=f"line {line}: this is no UTF-8; expected a file saved as “CSV UTF-8”")
    if not text.strip("\ufeff\r\n "):
        return Sheet(table(head, []), head, ())
    first = text.lstrip("\ufeff").splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter, strict=True)
    columns, rows, line, broken = (), [], 1, ""
    try:
        columns = tuple(name.strip().lower() for name in next(reader))
        if missing := [name for name in head if name not in columns]:
            broken = f"line 1: got {first!r}; expected the columns {', '.join(head)} (missing: {', '.join(missing)})"
        line = reader.line_num + 1
        for row in () if broken else reader:
            if any(cell.strip() for cell in row):
                rows.append((line, dict.fromkeys(columns, "") | dict(zip(columns, row))))
            line = reader.line_num + 1
    except csv.Error as error:
        broken = f"line {line}: {error}; expected rows of CSV. What stands from here on is not counted"
    return Sheet(text, columns, tuple(rows), delimiter, broken)


def marks(path: Path, roster: Roster, codes: dict[str, Student]) -> tuple[dict[tuple[str, str], Mark], set, list[str]]:
    """(marks, which answers have a row, what is wrong). codes: students by code name, which may stand for a name."""
    known: dict[str, set[str]] = {}
    for student in roster.students:
        bare = next(iter(student.results.values())).student
        for name in (student.name, bare):
            known.setdefault(_name(name), set()).add(student.page)
    for code, student in codes.items():
        known.setdefault(code, set()).add(student.page)
    found, seen, lines, problems = {}, set(), {}, []
    read = sheet(path)
    for line, row in read.rows:
        text, exercise = row["points"].strip(), row["exercise"].strip()
        pages = known.get(_name(row["student"]), set())
        handed = [student.page for student in roster.students if student.page in pages and exercise in student.results]
        seen.update((page, exercise) for page in handed if len(handed) == 1)
        if not text:
            continue
        who, most = f"{row['student']!r}, {exercise!r}", roster.exercises[exercise].words if handed else 0
        points = float(text.replace(",", ".")) if re.fullmatch(r"[0-9]{1,6}([.,][0-9]{0,6})?", text) else -1.0
        if not handed:
            problems.append(f"line {line}: got {who}; expected a student and exercise of this report (the row stays)")
        elif len(handed) > 1:
            problems.append(f"line {line}: got {who}; expected a number too: {len(handed)} students have this name")
        elif not 0 <= points <= most:
            problems.append(f"line {line}: got the points {text!r} for {who}; expected a number from 0 to {most}")
        else:
            mark, key = Mark(points, row["comment"].strip()), (handed[0], exercise)
            if key in found and found[key].points != points:
                problems.append(f"line {line}: got the points {text!r} for {who}; expected those of line {lines[key]}, "
                                f"{number(found[key].points)}, which count")
            lines.setdefault(key, line)
            found.setdefault(key, mark)
    return found, seen, [f"{path.name}, {problem}" for problem in [*problems, *[read.broken] * bool(read.broken)]]


def with_new_rows(path: Path, roster: Roster, seen: set, named) -> str:
    """The file's text, with a row for each answer in words that has none. named: what a student is called there."""
    missing = [{"student": harmless(named(student)), "exercise": exercise} for exercise in roster.exercises
               for student in sorted(roster.students, key=named) if (student.page, exercise) not in seen
               and wrote(student, roster.exercises[exercise])]
    return sheet(path).with_rows(missing)


def codes(path: Path, roster: Roster, seed: int) -> tuple[dict[str, Student], str]:
    """({code name: student}, the text of key.csv). A code name that was given once stays, whatever else comes.

    SystemExit where the file cannot be read: without it, points under code names would lose their students.
    """
    key, found, added = sheet(path, KEY_HEAD), {}, []
    if key.broken:
        raise SystemExit(f"{path}, {key.broken}")
    for _, row in key.rows:
        if owner := next((student for student in roster.students if row["page"] in student.pages), None):
            found[row["code"]] = owner
    coded, taken = {student.page for student in found.values()}, {row["code"] for _, row in key.rows}
    for student in roster.students:
        if student.page not in coded:
            letters = base64.b32encode(hashlib.sha256(f"{seed} {student.page}".encode()).digest()).decode()
            code = next(letters[:size] for size in range(6, 40) if letters[:size] not in taken)
            taken.add(code)
            found[code] = student
            added.append({"code": code, "student": harmless(student.name), "page": student.page})
    return found, key.with_rows(added)


def _name(text: str) -> str:
    """A name as it is compared: a spreadsheet may have changed the spaces, and an apostrophe may guard it."""
    text = " ".join(text.split())
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
