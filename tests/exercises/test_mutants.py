"""That the two tools which measure how strict the checks are do so: `mutant_machine.py` and `frozen.py`."""
import numpy as np
from frozen import judge_all, newly_passing, own_sentence, right_refused
from mutant_machine import survivors
from small_items import total

from workbook.checks import Problem

SOURCE = '''
def total(w, values):
    """w times the sum of the squares."""
    return w * np.sum(values**2)
'''


def became(**changes):
    return dict(survivors(total(**changes), SOURCE, {"np": np}, range(2)))


def test_the_machine_prints_what_problems_let_pass_and_nothing_else():
    assert {"refused"} <= set(became().values()) <= {"refused", "same"}
    passed = became(by_hand=lambda rng: [Problem("two", {"w": np.array(1.0), "values": np.array([1.0, 1.0])})])
    found = {words.partition(": ")[2]: result for words, result in passed.items() if result.startswith("passes")}
    assert {"values ** 2 → values", "w * np.sum(values ** 2) → np.sum(values ** 2)"} <= set(found)
    assert "seeds [0, 1], differs on “two, w negated”" in found["w * np.sum(values ** 2) → np.sum(values ** 2)"]


def test_the_right_answers_that_were_collected_hold_and_a_sample_of_the_wrong_ones_is_judged_as_before():
    rows = judge_all([], wanted=lambda number, row: number % 60 == 0 or row["right"])
    right = [row for row in rows if row["right"]]
    assert len({(row["exercise"], row["item"]) for row in right}) >= 59 and not right_refused(rows)
    assert len(newly_passing(rows)) <= 3                                   # of 79: frozen.py itself allows 1 %
    common = [row for row in rows if row["common"]]
    assert sum(map(own_sentence, common)) >= 0.9 * len(common) > 0
