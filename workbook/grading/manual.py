"""Points that a person gives: for answers in words in REPORT/by-hand.csv, for items in REPORT/override.csv.

by-hand-EXERCISE.csv, which the page of the answers saves, counts like by-hand.csv. What stands in these files is never
changed: rows are only added at the end. A row that cannot be understood is reported with its number, as a spreadsheet
shows it, and stays.
"""
import csv
import io
import re
import unicodedata
from collections import Counter
from difflib import get_close_matches
from pathlib import Path

from workbook.grading.results import WORDS
from workbook.grading.roster import Roster, forms
from workbook.grading.tables import harmless, table

FILE, COLUMNS = "by-hand.csv", ("student", "exercise", "points", "comment")
OVERRIDE, REASONS = "override.csv", ("student", "item", "points", "reason")


def read(folder: Path, roster: Roster) -> tuple[Roster, dict[str, str], list[str]]:
    """(the class with these points, the texts of the files to write, what is wrong in the files).

    by-hand.csv has a row for each answer in words. A file that cannot be read is left as it is; no points in it count.
    """
    named = [(result.formerly, result) for _, result in roster.results if result.formerly]
    named += [(student.name, result) for student, result in roster.results]
    answers = {(_name(name), one.exercise): (one.key, one.in_words) for name, one in named if one.in_words}
    homes = Counter(item for exercise in roster.exercises.values() for item in exercise.items)
    items = {(_name(name), item): (one.key, outcome) for name, one in named
             for outcome in one.outcomes for item in (f"{one.exercise}/{outcome.item}", outcome.item)
             if item not in homes or homes[item] == 1}
    given, texts, problems = {}, {}, []
    listed = set()                                           # whose answers have a row
    for path in (folder / FILE, *sorted(folder.glob("by-hand?*.csv")), folder / OVERRIDE):
        columns, known = (REASONS, items) if path.name == OVERRIDE else (COLUMNS, answers)
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


def _name(text: str) -> str:
    """A name to compare: without the spaces that a spreadsheet may have added, accents in one form."""
    return _plain(unicodedata.normalize("NFC", " ".join(text.split())))


def _plain(text: str) -> str:
    """A text without the apostrophe of `harmless`."""
    text = text.strip()
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text
