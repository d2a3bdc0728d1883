"""What a teacher reads the next morning: tables, pages, and a file for the points that are given by hand."""
from pathlib import Path

from workbook.grading import byhand
from workbook.grading.pages import pages
from workbook.grading.results import Result, write
from workbook.grading.roster import roster
from workbook.grading.tables import tables


def report(folder: Path, results: list[Result], masters: Path, names: tuple[str, ...] = (),
           ungraded: list[tuple[str, str, str]] = ()) -> list[str]:
    """Write all tables and pages into a folder; return what is wrong in by-hand.csv.

    masters: the folder of the exercises as handed out; names: their order. ungraded: (student, file, why) of what
    belongs to no exercise.
    """
    by_hand = folder / byhand.FILE
    whole, text, problems = byhand.read(by_hand, roster(results, masters, names))
    if text:                                                # a file that cannot be read is left as it is
        write(by_hand, text)
    for name, content in (tables(whole) | pages(whole, problems, ungraded)).items():
        write(folder / name, content)
    return problems
