"""Each hostile answer comes to the status it deserves, takes no other item with it, and leaves nothing for the next."""
from pathlib import Path

import pytest
from grading import hostile

from nwlab.exercises import warm_up
from nwlab.grading.mark import mark
from nwlab.grading.rebuild import cells_of, rebuild
from nwlab.grading.sandbox import Limits

ROOT = Path(__file__).resolve().parents[2]
EXERCISE, ITEMS = warm_up.EXERCISE, [item.name for item in warm_up.EXERCISE.items]
MASTER = cells_of((ROOT / "exercises/warm_up.ipynb").read_bytes())
SOLVED = cells_of((ROOT / "solutions/warm_up.ipynb").read_bytes())
OTHERS = {"differences", "scores_of_rows"}               # handed in too: one before and one after the hostile answer


def outcomes(box, source, quick):
    """{item: status}. quick: with one answer, and a second and a half for it."""
    written = {f"write-{item}" for item in {"pool"} | (set() if quick else OTHERS)}
    cells = [cell | {"source": source} if cell["id"] == "write-pool" else cell for cell in SOLVED
             if not cell["id"].startswith("write-") or cell["id"] in written]
    box.limits = Limits(cell=1.5, memory=1 << 30) if quick else Limits(memory=1 << 30)
    return {one.item: one.status for one in mark(box, EXERCISE, rebuild(MASTER, cells, ITEMS), seed=5)}


@pytest.mark.parametrize("name", hostile.CELLS)
def test_a_hostile_answer(box, name):
    source, expected = hostile.CELLS[name]
    came = outcomes(box, source, quick=expected == "timed out")
    assert came["pool"] == expected, name
    right = OTHERS if expected != "timed out" else set()
    assert came == {item: expected if item == "pool" else "passed" if item in right else "not attempted"
                    for item in ITEMS}, name


def test_an_answer_that_calls_one_that_is_not_there_says_so(box):
    cells = [cell for cell in SOLVED if cell["id"] != "write-pool"]
    box.limits = Limits()
    came = {one.item: one for one in mark(box, EXERCISE, rebuild(MASTER, cells, ITEMS), seed=5)}
    assert came["pool"].status == "not attempted" and came["attend"].mistake == "it needs another item: pool"
    assert {came[item].status for item in ITEMS if item not in ("pool", "attend")} == {"passed"}
