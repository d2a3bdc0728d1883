"""Each hostile answer comes to the status it deserves, harms no earlier answer, and leaves nothing for the next."""
import contextlib
import json
import time

import pytest
from grading import hostile
from grading.graded import answered, cells, graded

from workbook.grading.sandbox import Ended, Limits, Sandbox

BEFORE, AFTER = "differences", "scores_of_rows"          # handed in too, with the hostile answer between them
OTHERS = {BEFORE, AFTER}


@pytest.fixture(scope="module")
def patience(box):
    """Seconds for a cell that will not end: three times what a whole honest notebook takes on this machine."""
    for _ in range(2):                                       # the first imports torch
        begun = time.monotonic()
        graded(box, cells("solutions"))
    return max(1.5, 3 * (time.monotonic() - begun))


def outcomes(box, source, quick=None):
    """{item: status}. quick: with one answer, and so many seconds for it."""
    written = {f"write-{item}" for item in {"pool"} | (set() if quick else OTHERS)}
    found = [cell for cell in answered("solutions", pool=source)
             if not cell["id"].startswith("write-") or cell["id"] in written]
    verdicts, _ = graded(box, found, memory=1 << 30, **({"cell": quick} if quick else {}))
    return {item: one.status for item, one in verdicts.items()}


@pytest.mark.parametrize("name", hostile.CELLS)
def test_a_hostile_answer(box, name, patience):
    source, expected = hostile.CELLS[name]
    right = OTHERS if expected != "timed out" else set()
    found = outcomes(box, source, patience if expected == "timed out" else None)
    if name in hostile.SPOIL_WHAT_FOLLOWS:
        found[AFTER] = "passed"
    assert found == {
        item: expected if item == "pool" else "passed" if item in right else "not attempted" for item in found}, name


def test_limits_hold_without_walls():
    """A cell without end needs no patience where no other cell runs under the same limit."""
    with contextlib.closing(Sandbox(Limits(walls=False, memory=1 << 29))) as box:
        for name in "ignores all signals, then loops", "os._exit in the cell":
            source, reason = hostile.CELLS[name]
            until = time.monotonic() + (0.5 if reason == "timed out" else 60)
            with box.child(until=until) as ask, pytest.raises(Ended, match=reason):
                ask({"source": source})
        for source in hostile.CELLS["a fork"][0], "x = bytearray(1 << 28)":
            with box.child() as ask:
                assert json.loads(ask({"source": source})) == {"error": None}
        with box.child() as ask, pytest.raises(Ended, match="out of memory"):
            ask({"source": "x = []\nwhile True: x.append(bytearray(2**24))"})


def test_an_answer_that_switches_off_what_counts_its_steps_is_remarked(box):
    cheats = answered("solutions", pool=hostile.called("import sys; sys.settrace(None)"))
    found, rebuilt = graded(box, cheats)
    assert {one.status for one in found.values()} == {"passed"}
    assert [remark.partition(":") for remark in rebuilt.remarks] == [
        (item, ":", " its code switched off what counts steps and memory") for item in ("pool", "attend")]
