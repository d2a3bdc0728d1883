"""What is run of a notebook is the master and its answers, so whatever else was changed in it costs no points."""
import json
from pathlib import Path

import pytest

from nwlab.exercises import warm_up
from workbook.grading.mark import does_more
from workbook.grading.rebuild import cells_of, rebuild

ROOT = Path(__file__).resolve().parents[2]
ITEMS = [item.name for item in warm_up.EXERCISE.items]
MASTER = cells_of((ROOT / "exercises/warm_up.ipynb").read_bytes())
SOLVED = json.loads((ROOT / "solutions/warm_up.ipynb").read_text())["cells"]
CHEAT = {"cell_type": "code", "id": "mine", "metadata": {}, "source": "def pool(weights, values): return 'passed'"}


def rebuilt(cells):
    return rebuild(MASTER, cells_of(json.dumps({"cells": cells}).encode()), ITEMS)


def checks(change):
    """All cells, with those made of each check in its place."""
    return [one for cell in SOLVED for one in (change(cell) if cell["id"].startswith("check-") else [cell])]


def answers(change):
    return [one for cell in SOLVED for one in (change(cell) if cell["id"].startswith("write-") else [cell])]


STUBS = {cell["id"]: cell for cell in json.loads((ROOT / "exercises/warm_up.ipynb").read_text())["cells"]}
CHANGED = {
    "checks edited": checks(lambda cell: [cell | {"source": "print('pool holds')"}]),
    "checks deleted": checks(lambda cell: []),
    "checks three times": checks(lambda cell: [cell] * 3),
    "checks turned into text": checks(lambda cell: [cell | {"cell_type": "markdown"}]),
    "checks that nobody compares": checks(lambda cell: [cell | {"source": "# NBVAL_SKIP\n" + "".join(cell["source"])}]),
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
}


@pytest.mark.parametrize("change", CHANGED)
def test_the_same_cells_are_run(change):
    right = rebuilt(SOLVED)
    assert CHANGED[change] != SOLVED and len(right.cells) > 2 * len(ITEMS) and not right.remarks
    found = rebuilt(CHANGED[change])
    assert (found.cells, found.untouched) == (right.cells, set())


@pytest.mark.parametrize("change", ["checks edited", "checks deleted", "checks three times", "all upside down"])
def test_checks_that_were_changed_make_no_right_answer_of_a_stub(change):
    assert rebuilt([STUBS.get(cell["id"], cell) if cell["id"].startswith("write-") else cell
                    for cell in CHANGED[change]]).untouched == set(ITEMS)


def test_marks_of_nbval_are_taken_out_of_answers_and_make_no_answer_of_a_stub():
    def marked(cell):
        return cell | {"source": "# NBVAL_IGNORE_OUTPUT\n" + "".join(cell["source"])}

    solved = rebuilt(answers(lambda cell: [marked(cell)]))
    assert not solved.untouched and not any("NBVAL" in cell.get("source", "") for cell in solved.cells if cell["item"])
    assert rebuilt(answers(lambda cell: [marked(STUBS[cell["id"]])])).untouched == set(ITEMS)


def test_the_answer_in_words_is_found_where_all_ids_are_lost():
    found = rebuilt(CHANGED["ids and metadata lost"])
    assert found.words and found.words == rebuilt(SOLVED).words
    assert "answer: its id is lost; found by its heading" in found.remarks


def test_an_answer_whose_id_many_cells_have_is_the_one_that_defines_it():
    assert rebuilt([cell | {"id": "write-pool"} for cell in SOLVED]).cells == rebuilt(SOLVED).cells


def test_a_mistake_in_the_syntax_makes_no_stub_of_an_answer_without_an_id():
    broken = answers(lambda cell: [{"cell_type": "code", "id": "mine", "source": f"def {cell['id'][6:]}(x) return x"}])
    assert not rebuilt(broken).untouched


def test_long_cells_are_rebuilt_and_not_parsed():
    """The one took hours, the other gigabytes."""
    lines = 2_000_000 // len(ITEMS)                      # 14 MB of all, and no more than 20 are read

    def long(cell):
        return cell | {"source": "\n" * lines + "x = 1\n" * lines + "".join(cell["source"])}

    found = rebuilt(answers(lambda cell: [long(cell)])).cells
    assert all(does_more(cell["source"]) for cell in found if cell["item"] and "source" in cell)


def test_what_was_unusual_is_said():
    said = {change: rebuilt(cells).remarks for change, cells in CHANGED.items()}
    assert not said["checks edited"] and not said["all upside down"]
    assert "write-pool: 2 cells have this id; the last one that was changed counts" in said["answers twice"]
    assert "write-pool: its id is lost; found by its function" in said["ids and metadata lost"]
