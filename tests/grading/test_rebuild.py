"""What is run of a notebook is the master and its answers, so whatever else was changed in it costs no points."""
import json

import pytest
from grading.graded import ROOT, cells

from workbook.exercises import warm_up
from workbook.grading.rebuild import cells_of, rebuild

ITEMS = [item.name for item in warm_up.EXERCISE.items]
MASTER = cells("exercises")
SOLVED = json.loads((ROOT / "solutions/warm_up.ipynb").read_text())["cells"]
STUBS = {cell["id"]: cell for cell in json.loads((ROOT / "exercises/warm_up.ipynb").read_text())["cells"]}
CHEAT = {"cell_type": "code", "id": "mine", "metadata": {}, "source": "def pool(weights, values): return 'passed'"}


def rebuilt(notebook):
    return rebuild(MASTER, cells_of(json.dumps({"cells": notebook}).encode()), ITEMS)


def checks(change):
    """All cells, with those made of each check in its place."""
    return [one for cell in SOLVED for one in (change(cell) if cell["id"].startswith("check-") else [cell])]


def answers(change, notebook=SOLVED):
    return [one for cell in notebook for one in (change(cell) if cell["id"].startswith("write-") else [cell])]


RIGHT = rebuilt(SOLVED)
CHANGED = {
    "checks edited": checks(lambda cell: [cell | {"source": "print('pool holds')"}]),
    "checks deleted": checks(lambda cell: []),
    "checks turned into text": checks(lambda cell: [cell | {"cell_type": "markdown"}]),
    "checks with the ids of answers": checks(
        lambda cell: [cell | {"id": "write" + cell["id"][5:], "cell_type": "markdown"}]),
    "checks first": sorted(SOLVED, key=lambda cell: not cell["id"].startswith("check-")),
    "all upside down": SOLVED[::-1],
    "nothing but answers": [cell for cell in SOLVED if cell["id"].startswith("write-")],
    "cells added": [CHEAT, *SOLVED, CHEAT],
    "answers twice": answers(lambda cell: [cell, cell]),
    "answers beside their stubs": answers(lambda cell: [STUBS[cell["id"]], cell, STUBS[cell["id"]]]),
    "ids lost": [cell | {"id": f"cell-{number}"} for number, cell in enumerate(SOLVED)],
    "ids and metadata lost": [cell | {"id": f"cell-{number}", "metadata": {}} for number, cell in enumerate(SOLVED)],
    "all with one id": [cell | {"id": "write-pool"} for cell in SOLVED],
}


@pytest.mark.parametrize("change", CHANGED)
def test_the_same_cells_are_run_and_no_stub_becomes_an_answer(change):
    assert CHANGED[change] != SOLVED and len(RIGHT.cells) > 2 * len(ITEMS) and not RIGHT.remarks
    found = rebuilt(CHANGED[change])
    assert (found.cells, found.untouched) == (RIGHT.cells, set())
    if change.startswith(("checks", "all upside")):
        assert rebuilt(answers(lambda cell: [STUBS.get(cell["id"], cell)], CHANGED[change])).untouched == set(ITEMS)


def test_a_mistake_in_the_syntax_makes_no_stub_of_an_answer_without_an_id():
    broken = answers(lambda cell: [{"cell_type": "code", "id": "mine", "source": f"def {cell['id'][6:]}(x) return x"}])
    assert not rebuilt(broken).untouched


def test_an_answer_of_an_older_edition_finds_what_has_moved_and_that_is_noted():
    older = "from nwlab.exercises import warm_up\n    from nwlab import nadaraya_watson, plots\nimport nwlab.palette\n"
    found = rebuilt(answers(lambda cell: [cell | {"source": older + "".join(cell["source"])}]))
    sources = [cell["source"] for cell in found.cells if cell["item"] and "source" in cell]
    assert len(sources) == len(found.remarks) == len(ITEMS) and "older edition" in found.remarks[0]
    assert all(source.startswith("from workbook.exercises import warm_up\n    from nwlab import nadaraya_watson\n"
                                 "    from workbook import plots\nimport workbook.palette\n") for source in sources)


def test_long_cells_are_rebuilt():
    """That took hours once."""
    lines = 2_000_000 // len(ITEMS)                      # 14 MB of all, and no more than 20 are read
    long = answers(lambda cell: [cell | {"source": "\n" * lines + "x = 1\n" * lines + "".join(cell["source"])}])
    assert not rebuilt(long).untouched


def test_a_cell_that_is_missing_is_noted():
    remarks = {change: rebuilt(notebook).remarks for change, notebook in CHANGED.items()}
    assert not remarks["checks edited"] and not remarks["all upside down"]
    assert "answer: this cell is missing" in remarks["nothing but answers"]
    assert RIGHT.words and rebuilt(CHANGED["ids and metadata lost"]).words == RIGHT.words
