"""What an instructor reads the next morning, made from the results alone."""
import csv
import io
from pathlib import Path

from nwlab.grading.results import Result, write


def report(folder: Path, found: list[Result]) -> None:
    """Write all tables and pages into the report's folder."""
    rows = [(one.student, one.exercise, outcome.item, outcome.points, outcome.most, outcome.status, outcome.mistake)
            for one in found for outcome in one.outcomes]
    write(folder / "grades.csv", table(("student", "exercise", "item", "points", "max", "status", "mistake"), rows))


def table(head, rows) -> str:
    """Rows as CSV that a spreadsheet may open: a text that it would take for a formula gets an apostrophe in front."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *(map(harmless, row) for row in rows)])
    return file.getvalue()


def harmless(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip()[:1] in ("=", "+", "-", "@", "\t", "\r") and cell else cell
