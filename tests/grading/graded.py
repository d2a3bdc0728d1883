"""Results made by hand: of one student, and of a class with mixed results. No submission is run."""
import json
import random
from functools import cache
from pathlib import Path

from nwlab.exercises import NAMES
from workbook.checks import hints
from workbook.checks.item import Verdict
from workbook.grading.results import Result

MASTERS = Path(__file__).parents[2] / "exercises"
FIRST = "Ada Björn Chloé Dmitri Emeka Fatima Grace Hugo Ines Jun Kavya Lars Mei Noor Otto".split()
LAST = "Ahmed Brown Costa Dubois Eriksen Fischer".split()
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


def a_class(size=30, seed=1) -> list[Result]:
    """Mixed results: good and weak students, common mistakes, cells that hang, notebooks that are missing or late."""
    dice = random.Random(seed)
    found = []
    for i in range(size):
        student, skill = f"{FIRST[i % len(FIRST)]} {LAST[i // len(FIRST) % len(LAST)]}", dice.betavariate(3, 1.2)
        for exercise in NAMES:
            if dice.random() > 0.75 + 0.3 * skill:
                continue
            outcomes = tuple(_outcome(dice, exercise, item, points, skill) for item, points in items(exercise).items())
            code = {one.item: f"def {one.item}(queries, keys):\n    return queries + {dice.random()}\n"
                    for one in outcomes if one.status != "not attempted"}
            words = WORDS if dice.random() < 0.3 + 0.6 * skill else ""
            remarks = ("handed in late",) if dice.random() < 0.05 else ()
            found.append(Result(student, exercise, "state", outcomes, words, remarks, code, 1.5, str(1000 + i)))
    return found


def _outcome(dice, exercise, item, points, skill) -> Verdict:
    if dice.random() < skill * 0.95:
        return passed(item, points)
    if dice.random() < 0.3:
        return Verdict(item, "not attempted", 0, points)
    if dice.random() < 0.08:
        return Verdict(item, dice.choice(("timed out", "out of memory", "process died")), 0, points)
    named = sorted((mistake, text) for (of, mistake), text in hints.advice(f"nwlab.exercises.{exercise}").items()
                   if of == item and "{" not in mistake + text) or [("NaN where a number belongs", "")]
    mistake, advice = named[min(int(dice.expovariate(1.0)), len(named) - 1)]
    tried = f"{item}(queries, keys) on the problem “five queries, four keys”\n  queries = [1. 2.]"
    return failed(item, mistake, points, next=advice, tried=tried, got="[[0.1 0.9]]    a NumPy array of shape (1, 2)",
                  expected="[[0.2 0.8]]    a NumPy array of shape (1, 2)")
