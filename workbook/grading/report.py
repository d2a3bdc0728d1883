"""What an instructor reads the next morning, made from the results: tables, pages, and what is to be graded by hand."""
import json
from pathlib import Path

import click

from workbook.grading import byhand, unknown
from workbook.grading.roster import roster
from workbook.grading.pages import pages
from workbook.grading.results import Result, seed_of, write
from workbook.grading.tables import tables

WRITTEN = "report.json"                # which files a report wrote, so that those of students who vanished can go


def report(folder: Path, found: list[Result], masters: Path, names: tuple[str, ...] = (),
           anonymous: bool = False) -> list[str]:
    """Write all tables and pages into the report's folder, and return what is wrong in by-hand.csv.

    masters: the folder of the exercises as they were handed out; names: their order.
    anonymous: the pages of answers in words, and new rows of by-hand.csv, name no student; key.csv says who is who.
    """
    whole, by_hand, key = roster(found, masters, names), folder / byhand.FILE, folder / byhand.KEY
    codes, key_text = {}, ""
    if anonymous or key.exists():
        codes, key_text = byhand.codes(key, whole, seed_of(folder, None))
    code_of = {student.page: code for code, student in reversed(codes.items())}
    named = (lambda student: code_of[student.page]) if anonymous else (lambda student: student.name)
    whole.marks, seen, problems = byhand.marks(by_hand, whole, codes)
    added = {byhand.KEY: key_text, byhand.FILE: byhand.with_new_rows(by_hand, whole, seen, named)}
    for name, text in added.items():
        if text:                                              # a file that cannot be read is left as it is
            write(folder / name, text)
    _replace(folder, tables(whole) | pages(whole, problems, named, unknown.load(folder)))
    return problems


def tell(problems: list[str]) -> None:
    """Say what is wrong in by-hand.csv."""
    for problem in problems:
        click.secho(problem, err=True, fg="yellow")


def _replace(folder: Path, files: dict[str, str]) -> None:
    """Write these files, and remove those of the last report that are not among them. Nothing else is touched."""
    try:
        earlier = set(json.loads((folder / WRITTEN).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        earlier = set()
    write(folder / WRITTEN, json.dumps(sorted(earlier | set(files)), indent=0) + "\n")
    for name, text in files.items():
        write(folder / name, text)
    for name in earlier - set(files):
        path = folder / name
        if path.resolve().is_relative_to(folder.resolve()):
            path.unlink(missing_ok=True)
    write(folder / WRITTEN, json.dumps(sorted(files), indent=0) + "\n")
