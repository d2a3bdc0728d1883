"""Results made by hand: of one student, and of a class with mixed results. No submission is run."""
from pathlib import Path

from nwlab.exercises import NAMES
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


def a_class(size: int) -> list[Result]:
    """Mixed results: answers of all kinds, a common mistake, words, and notebooks that are missing or late."""
    wrong = {"next": "rows are queries: `axis=1`", "tried": "attend(queries, keys)\n  queries = [1. 2.]",
             "got": "[[0.1 0.9]]    a NumPy array of shape (1, 2)", "expected": "[[0.2 0.8]]"}
    kinds = [passed, passed, lambda item: failed(item, **wrong), lambda item: Verdict(item, "timed out", 0, 1)]
    return [Result(f"Student {i}", exercise, "state",
                   tuple(kinds[(i + place) % 4](item) for place, item in enumerate(("pool", "attend", "bridge"))),
                   WORDS * (i % 2), ("handed in late",) * (i % 5 == 0), {"pool": f"def pool(x):\n    return x + {i}\n"})
            for i in range(size) for exercise in NAMES[i % 3:]]
