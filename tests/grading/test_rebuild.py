"""What is run of a submission is its answers, whatever else was changed in it: that costs no points."""
import json
import re
from functools import partial

import pytest
from grading.graded import ROOT, cells

from workbook import course
from workbook.checks.rerun import is_stub, plan, read, study
from workbook.exercises import warm_up
from workbook.grading.rebuild import rebuild

ITEMS = [item.name for item in warm_up.EXERCISE.items]
MASTER = cells("exercises")
SOLVED = json.loads((ROOT / "solutions/warm_up.ipynb").read_text())["cells"]
STUBS = {cell["id"]: cell for cell in json.loads((ROOT / "exercises/warm_up.ipynb").read_text())["cells"]}


def rebuilt(notebook):
    return rebuild(MASTER, read(json.dumps({"cells": notebook}).encode()).cells, ITEMS)


def run(notebook) -> tuple[list[str], list[str]]:
    """The sources that are run, and the items that are checked below them, in order."""
    found = rebuilt(notebook)
    steps = plan([study(source) for source in found.sources], ITEMS, found.answers).steps
    return [step.source for step in steps if step.source], [step.items[0] for step in steps if not step.source]


def edited(kind: str, change, notebook=SOLVED):
    """All cells, with those made of each cell of a kind in its place."""
    return [one for cell in notebook for one in (change(cell) if cell["id"].startswith(kind) else [cell])]


checks, answers = partial(edited, "check-"), partial(edited, "write-")
RIGHT = run(SOLVED)
CHANGED = {
    "checks edited": checks(lambda cell: [cell | {"source": "print('pool holds')"}]),
    "checks deleted": checks(lambda cell: []),
    "checks turned into text": checks(lambda cell: [cell | {"cell_type": "markdown"}]),
    "checks with the ids of answers": checks(
        lambda cell: [cell | {"id": "write" + cell["id"][5:], "cell_type": "markdown"}]),
    "checks first": sorted(SOLVED, key=lambda cell: not cell["id"].startswith("check-")),
    "nothing but answers": [cell for cell in SOLVED if cell["id"].startswith("write-")],
    "answers beside their stubs": answers(lambda cell: [STUBS[cell["id"]], cell, STUBS[cell["id"]]]),
    "ids lost": [cell | {"id": f"cell-{number}"} for number, cell in enumerate(SOLVED)],
    "ids and metadata lost": [cell | {"id": f"cell-{number}", "metadata": {}} for number, cell in enumerate(SOLVED)],
    "all with one id": [cell | {"id": "write-pool"} for cell in SOLVED],
    "experiments that no answer needs": answers(lambda cell: [
        cell, cell | {"id": "own", "source": "weights = pool(1, 2)\nfigure = plot(weights)\n%timeit pool(1, 2)"}]),
}


@pytest.mark.parametrize("change", CHANGED)
def test_the_same_cells_are_run_and_no_stub_becomes_an_answer(change):
    assert CHANGED[change] != SOLVED and len(RIGHT[0]) == len(ITEMS) + 1 and RIGHT[1] == ITEMS
    assert run(CHANGED[change]) == RIGHT
    if change.startswith("checks"):
        assert run(answers(lambda cell: [STUBS.get(cell["id"], cell)], CHANGED[change])) == ([], [])


def test_a_function_that_is_defined_again_is_checked_twice_and_one_above_counts_at_its_own_check():
    cheat = {"cell_type": "code", "id": "mine", "metadata": {}, "source": "def pool(weights, values): return 'passed'"}
    sources, checked = run([cheat, *SOLVED, cheat])
    assert sources.count(cheat["source"]) == 2 and checked == [*ITEMS, "pool"]


def test_what_is_changed_in_an_own_cell_belongs_to_the_answer():
    own = ("TABLE = {}\nfrom math import *", "TABLE['a'] = 1", "TABLE.update(b=2)", "if True:\n    TABLE['a'] = 2",
           "for i in 'ab':\n    TABLE.pop(i)", "fill(TABLE)", "np.put(TABLE, 0, 1)", "fill(table=TABLE)",
           "[TABLE.setdefault(i, []).append(1) for i in 'ab']", "torch.set_default_dtype(torch.float64)",
           "def begin():\n    global TABLE\n    TABLE = {}\nbegin()", "for i in 'ab':\n    benchmark(pool)",
           "sin.show()", "OTHER['a'] = 1", "print(TABLE)", "x = TABLE.keys()", "def other(): TABLE['a'] = 3")
    table = [{"cell_type": "code", "id": f"own-{n}", "source": source} for n, source in enumerate(own)]
    reads = answers(lambda cell: [cell | {"source": "def pool(w, v): return helper(w)\nhelper = lambda x: TABLE[x]"}]
                    if cell["id"] == "write-pool" else [cell])
    sources, _ = run([*table, *reads])
    assert [source for source in own if source in sources] == [*own[:11]]


def test_a_builtin_that_is_redefined_below_its_check_is_the_builtin_there():
    """As in a notebook that is run from its first cell to its last. What is needed may stand below all the same."""
    below = checks(lambda cell: [cell, cell | {"id": "own", "source": "sum = 3"}][:1 + (cell["id"] == "check-pool")])
    found = answers(lambda cell: [cell | {"source": "def pool(w, v): return sum(w * v)"}]
                    if cell["id"] == "write-pool" else [cell], below)
    assert run(found)[1] == [*ITEMS[:4], "pool", *ITEMS[4:]]


@pytest.mark.parametrize("name", course.EXERCISES)
def test_every_stub_is_told_from_every_solution(name):
    for folder in ("exercises", "solutions"):
        for cell in cells(folder, name):
            if cell["id"].startswith("write-"):
                assert is_stub(cell["source"], cell["id"][6:]) == (folder == "exercises"), cell["id"]
                below = cell["source"] + f"\ndef {cell['id'][6:]}(x):\n    return x\n"
                off = [re.sub("(raise Not.*)", by, cell["source"])
                       for by in (r"# \1", r"'''\n    \1'''", r"return\n    \1", r"if 0:\n    \1", r"try:\n    \1")]
                assert not any(is_stub(source, cell["id"][6:]) for source in (below, *off))


def test_a_mistake_in_the_syntax_makes_no_stub_of_an_answer_without_an_id():
    broken = answers(lambda cell: [{"cell_type": "code", "id": "mine", "source": f"def {cell['id'][6:]}(x) return x"}])
    assert run(broken)[1] == ITEMS


def test_an_answer_of_an_older_edition_finds_what_has_moved_and_that_is_noted():
    older = "from nwlab.exercises import warm_up\n    from nwlab import nadaraya_watson, plots\nimport nwlab.palette\n"
    found = rebuilt(answers(lambda cell: [cell | {"source": older + "".join(cell["source"])}]))
    sources = [source for source in found.sources if "nadaraya_watson, plots" in source or "workbook.palette" in source]
    assert len(sources) == len(ITEMS) and "older edition" in found.remarks[0]
    assert all(source.startswith("from workbook.exercises import warm_up\n    from nwlab import nadaraya_watson\n"
                                 "    from workbook import plots\nimport workbook.palette\n") for source in sources)


def test_long_cells_are_rebuilt():
    """That took hours once."""
    lines = 2_000_000 // len(ITEMS)                      # 14 MB of all, and no more than 20 are read
    long = answers(lambda cell: [cell | {"source": "\n" * lines + "x = 1\n" * lines + "".join(cell["source"])}])
    found = rebuilt(long)
    assert plan([study(source)._replace(source=source + "x = 1\n" * lines + "\n" * lines) for source in RIGHT[0]],
                ITEMS, found.answers).steps
    assert not any(is_stub(source, item) for source in found.sources for item in ITEMS)


def test_a_missing_cell_of_the_words_is_noted_and_one_without_metadata_is_found():
    assert "the cell of the answer in words is missing" in rebuilt(CHANGED["nothing but answers"]).remarks
    found = rebuilt(CHANGED["ids and metadata lost"])
    assert not found.remarks and found.words == rebuilt(SOLVED).words != ""
    chinese = json.dumps(CHANGED["ids and metadata lost"]).replace("## In your words", "## 用自己的话说")
    assert not rebuilt(json.loads(chinese)).remarks
