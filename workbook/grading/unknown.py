"""What was handed in and is not graded, as nobody can tell which exercise it is: REPORT/unknown.csv."""
from pathlib import Path

import click

from workbook.grading import byhand
from workbook.grading.collect import READING, Handed
from workbook.grading.roster import clean
from workbook.grading.results import write
from workbook.grading.tables import table

FILE, HEAD = "unknown.csv", ("student", "file", "status", "why")
NAMELESS = "neither the notebook nor its name says which exercise it is"
SAID = 10                              # files that are named at a terminal


def save(report: Path, handed: list[Handed]) -> None:
    """Write the table, and say at the terminal what stands in it."""
    rows = [tuple(map(clean, (one.student, "/".join(found.parts), *_why(found))))
            for one in handed for found in one.files]
    write(report / FILE, table(HEAD, rows))
    if rows:
        said = [f"  {file}: {status}, {why}" for _, file, status, why in rows[:SAID]]
        more = [f"  and {len(rows) - SAID} more"] * (len(rows) > SAID)
        click.secho("\n".join(["Handed in, but not graded (the page of the class lists them too):", *said, *more]),
                    err=True, fg="yellow")


def _why(found) -> tuple[str, str]:
    try:
        found.read()
    except READING as error:
        return "unreadable", str(error)
    return "unknown", NAMELESS


def load(report: Path) -> list[dict[str, str]]:
    """The rows of the table, by column; none where there is none."""
    return [row for _, row in byhand.sheet(report / FILE, HEAD).rows]
