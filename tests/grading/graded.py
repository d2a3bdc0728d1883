"""Exercises as they were handed out and solved, and results made by hand."""
import csv
import io
from pathlib import Path

from workbook.checks.item import Verdict
from workbook.checks.rerun import read
from workbook.exercises import warm_up
from workbook.grading.mark import mark
from workbook.grading.rebuild import Rebuilt, rebuild
from workbook.grading.results import Result
from workbook.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
MASTERS = ROOT / "exercises"
WORDS = "I would say that it depends on the width.\nWith m ≠ n it stops."


def cells(folder: str, name: str = "warm_up") -> tuple[dict, ...]:
    """The cells of a notebook in the folder "exercises" or "solutions"."""
    return read((ROOT / folder / f"{name}.ipynb").read_bytes()).cells


def answered(folder: str, name: str = "warm_up", **sources: str) -> list[dict]:
    """These cells, with sources as the answers to items."""
    return [cell | {"source": sources.get(cell["id"].removeprefix("write-"), cell["source"])}
            for cell in cells(folder, name)]


def graded(box, submitted, exercise=warm_up.EXERCISE, right=(), share=1.0, **limits) -> tuple[dict, Rebuilt]:
    """{item: Verdict}, and what these are of."""
    box.limits = Limits(**limits)
    rebuilt = rebuild(cells("exercises", exercise.name), submitted, [item.name for item in exercise.items])
    return {one.item: one for one in mark(box, exercise, rebuilt, 11, right, share)}, rebuilt


def result(student="Ada", exercise="warm_up", *outcomes: Verdict, **more) -> Result:
    options = {"number": "", "path": "", "outcomes": outcomes or (passed("pool"), failed("attend"))} | more
    return Result(student, exercise=exercise, **options)


def rows(text: str) -> list[list[str]]:
    """Of a table as spreadsheets read it."""
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def passed(item, points=1) -> Verdict:
    return Verdict(item, "passed", points, points)


def failed(item, mistake="the wrong axis", points=1, **texts) -> Verdict:
    return Verdict(item, "failed", 0, points, mistake, **texts)
