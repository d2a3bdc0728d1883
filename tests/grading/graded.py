"""Results made by hand: of one student, and of a class with mixed results. No submission is run."""
import json
from functools import cache
from pathlib import Path

from nwlab.exercises import NAMES
from workbook.checks import hints
from workbook.checks.item import Verdict
from workbook.grading.results import Result

MASTERS = Path(__file__).parents[2] / "exercises"
WORDS = "I would say that it depends on the width.\nWith m ≠ n it stops."


def result(student="Ada", exercise="warm_up", *outcomes: Verdict, **more) -> Result:
    return Result(student, exercise, "state", outcomes or (passed("pool"), failed("attend")), **more)


def passed(item, points=1) -> Verdict:
    return Verdict(item, "passed", points, points)


def failed(item, mistake="the wrong axis", points=1, **texts) -> Verdict:
    return Verdict(item, "failed", 0, points, mistake, **texts)


@cache
def items(exercise: str) -> dict[str, int]:
    """The points of each item, as the notebook has them."""
    cells = json.loads((MASTERS / f"{exercise}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"].removeprefix("check-"): cell["metadata"]["nbgrader"]["points"]
            for cell in cells if cell["id"].startswith("check-") and "nbgrader" in cell["metadata"]}


def a_class(size: int) -> list[Result]:
    """Mixed results: answers of all kinds, common mistakes, words, and notebooks that are missing or late."""
    found = []
    for i in range(size):
        for exercise in NAMES[i % 3:]:
            outcomes = tuple(_outcome(exercise, item, points, i + place)
                             for place, (item, points) in enumerate(items(exercise).items()))
            code = {one.item: f"def {one.item}(queries, keys):\n    return queries + {i}\n" for one in outcomes}
            found.append(Result(f"Student {i}", exercise, "state", outcomes, WORDS * (i % 2),
                                ("handed in late",) * (i % 5 == 0), code, str(1000 + i)))
    return found


def _outcome(exercise: str, item: str, points: int, i: int) -> Verdict:
    if i % 4 < 2:
        return passed(item, points)
    if i % 4 == 2:
        return Verdict(item, ("not attempted", "timed out", "out of memory", "process died")[i // 4 % 4], 0, points)
    named = [(mistake, text) for (of, mistake), text in hints.advice(f"nwlab.exercises.{exercise}").items()
             if of == item and "{" not in mistake + text] or [("NaN where a number belongs", "")]
    mistake, advice = named[i // 8 % len(named)]
    return failed(item, mistake, points, next=advice, tried=f"{item}(queries, keys)\n  queries = [1. 2.]",
                  got="[[0.1 0.9]]    a NumPy array of shape (1, 2)", expected="[[0.2 0.8]]")
