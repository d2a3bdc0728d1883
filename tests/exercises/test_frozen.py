"""Are the checks as strict as they were? Judges wrong and right answers that were collected before a change of them.

The right ones and every sixtieth wrong one; with NWLAB_FROZEN=1 all of them. They stand in frozen.jsonl.xz. The wrong
ones are those of answers/, every mistake that an item declared, and mutants of the model answers (some fifty an item,
first those that few problems refuse); the right ones are those of answers/. The first line holds the modules that some
of them need, by path. Then a line each:

    exercise, item, origin    where it comes from
    source                    defines a function of the item's name, or fetches it from one of those modules
    right                     whether it is a right answer
    passed, sentence          the verdict on it when it was collected, for seed 0
    common                    whether it is one of the two or three slips that a teacher expects
Most wrong ones that passed already are the model answer in other words; the rest is tolerated.
"""
import json
import lzma
import os
import re
from pathlib import Path

from workbook.checks.judge import judge
from workbook.checks.run import run
from workbook.course import exercise
from workbook.grading.mark import limited
from workbook.grading.rebuild import of_today

STEP = 1 if os.environ.get("NWLAB_FROZEN") else 60
SECONDS = 60                           # of processor time for one answer: what takes longer counts as refused
# The words of the general comparison in findings.md: a change there needs one here.
GENERAL = re.compile(r"\d+ of \d+ problems hold, “|the numbers differ from the right ones")


def judged(row: dict, folder: Path) -> dict:
    """The row with today's verdict: whether it `passes`, and the sentence `now` on what is wrong."""
    home, item = {"__name__": "student"}, exercise(row["exercise"]).item(row["item"])
    problems = item.problems(0)
    notebook = folder / "frozen_code" / "notebooks" / f"{row['exercise']}.py"       # right functions, and the data
    try:
        with limited(SECONDS):
            exec(notebook.read_text(encoding="utf-8"), home)
            exec(compile(row["source"], "student", "exec"), home)
            found = judge(item, problems, run(item, home[row["item"]], problems))
            return row | {"passes": found.holds, "now": found.mistake}
    except Exception as error:
        return row | {"passes": False, "now": f"neither passed nor refused: {error!r}"}


def test_right_answers_hold_and_wrong_ones_are_judged_as_before(tmp_path, monkeypatch):
    with lzma.open(Path(__file__).with_name("frozen.jsonl.xz"), "rt", encoding="utf-8") as lines:
        modules, *rows = map(json.loads, lines)
    for path, text in modules.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(of_today(text), encoding="utf-8")        # they were collected before the move
    monkeypatch.syspath_prepend(tmp_path)
    rows = [judged(row, tmp_path) for number, row in enumerate(rows) if number % STEP == 0 or row["right"]]
    assert len({(row["exercise"], row["item"]) for row in rows if row["right"]}) >= 59
    assert [row for row in rows if row["right"] and not row["passes"]] == []
    refused = [row for row in rows if not row["right"] and not row["passed"]]
    newly = [row for row in refused if row["passes"]]
    assert len(newly) <= max(3, 0.01 * len(refused)), newly
    common = [row for row in rows if row["common"]]
    unsaid = [row for row in common if row["passes"] or GENERAL.match(row["now"])]
    assert len(unsaid) <= 0.1 * len(common) > 0, unsaid
