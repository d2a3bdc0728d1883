"""One verdict: a kernel, the saved file, `hand_in`, `pytest --nbval` and `grade` say the same of each edit."""
import json
import re
import secrets

import nbformat
import pytest
from grading.graded import MASTERS
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from student_editions import code_cells, nbval_of, run, solved, student

from workbook.checks import hand_in, progress, rerun
from workbook.exercises import warm_up
from workbook.grading import grade
from workbook.grading.collect import handed_in

EXERCISE, ITEMS = warm_up.EXERCISE, [item.name for item in warm_up.EXERCISE.items]


def at(notebook, name: str) -> int:
    return next(n for n, cell in enumerate(notebook.cells) if cell.get("id") == name)


def cell(notebook, name: str):
    return notebook.cells[at(notebook, name)]


def own(notebook, after: str, source: str, new=new_code_cell) -> None:
    """A cell of the student's own below another one."""
    notebook.cells.insert(at(notebook, after) + 1, new(source, id=secrets.token_hex(4)))


def edited():
    """Answers in pieces, with magics, out of order, in a notebook of an older edition: all of them are right."""
    notebook, stubs = solved("warm_up"), student("warm_up")
    notebook.metadata.workbook.version = "an older one"
    cell(notebook, "worked").source += "\nprint('as it was last year')"
    own(notebook, "write-differences", cell(notebook, "write-differences").source)
    cell(notebook, "write-differences").source = cell(stubs, "write-differences").source
    own(notebook, "check-differences", "def squared(x):\n    return x ** 2")
    own(notebook, "write-scores_of", "def scores_of(queries, keys, sigma):\n"
                                     "    return -squared(differences(queries, keys) / sigma) / 2")
    cell(notebook, "write-scores_of").source = "# my first try is gone"
    cell(notebook, "write-weights_of").source = ("def weights_of(scores):\n    e = shifted(scores)\n"
                                                 "    return e / xp.sum(e, axis=1, keepdims=True)")
    own(notebook, "check-weights_of", "def shifted(x):\n    return xp.exp(x - x.max(axis=1, keepdims=True))")
    own(notebook, "predict-sums", "import numpy as xp")
    cell(notebook, "write-pool").source = (
        "%matplotlib inline\n%pip --version\n!pip --version\nnp.dot?\n" + cell(notebook, "write-pool").source)
    cell(notebook, "write-attend").source = "%%time\n" + cell(notebook, "write-attend").source
    cell(notebook, "write-pool_batches").source = (
        "%load_ext autoreload\n%autoreload 2\n" + cell(notebook, "write-pool_batches").source)
    cell(notebook, "imports").source += "\nfrom math import fsum as total_of"
    cell(notebook, "write-scores_of_rows").source += "    total_of([1.0])\n"
    own(notebook, "answer", "It may be wrong: where m = n, two axes look alike.", new_markdown_cell)
    cell(notebook, "write-pool").source += "    display(weights)\n    return np.array(list(weights @ values))\n"
    own(notebook, "check-pool", "list = [1, 2]")
    own(notebook, "worked", "import random\nrandom.random()")
    for count, each in enumerate(code_cells(notebook), 1):       # stored with what another run has shown
        each.execution_count, each.outputs = count, [new_output("stream", text="of another run\n")]
        if each.id.startswith("check-"):
            each.outputs.append(new_output("error", ename="CheckFailed", evalue="not yet", traceback=["not yet"]))
    return notebook


def unsolved():
    """No answer, and checks that are deleted or switched off: nothing holds."""
    notebook = student("warm_up")
    notebook.cells.pop(at(notebook, "check-differences"))
    cell(notebook, "check-scores_of").source = "# warm_up.check_scores_of(scores_of)"
    notebook.cells[at(notebook, "check-weights_of")] = new_markdown_cell("warm_up.check_weights_of(weights_of)")
    cell(notebook, "check-pool").source = "try:\n    warm_up.check_pool(pool)\nexcept BaseException:\n    pass"
    cell(notebook, "write-attend").source = "# later"
    cell(notebook, "check-pool_batches").source = "%tiem warm_up.check_pool_batches(pool_batches)"
    cell(notebook, "check-pool_batches").metadata.tags = ["nbval-skip"]
    cell(notebook, "write-scores_of_rows").source = ""
    return notebook


def moved():
    """All right, but an answer stands below its check; the file has lost its ids and metadata, and is of format 3."""
    notebook = solved("warm_up")
    answer = notebook.cells.pop(at(notebook, "write-pool"))
    notebook.cells.insert(at(notebook, "check-attend") + 1, answer)
    own(notebook, "check-pool_batches", "def pool_batches(*inputs):\n    return 'an experiment below the check'")
    notebook.metadata = nbformat.from_dict({"kernelspec": notebook.metadata.kernelspec})
    for each in notebook.cells:
        each.pop("id")
        each.metadata = nbformat.NotebookNode()
    notebook.nbformat_minor = 4
    return nbformat.convert(notebook, 3)


NOTEBOOKS = {"edited": (edited, ITEMS), "unsolved": (unsolved, []), "moved": (moved, ITEMS)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder for each notebook, which lies there, beside a plug-in that shuffles the tests."""
    folder = tmp_path_factory.mktemp("verdicts")
    (folder / "conftest.py").write_text("def pytest_collection_modifyitems(items):\n    items.reverse()")
    for name, (make, _) in NOTEBOOKS.items():
        notebook = make()
        (folder / name).mkdir()
        (folder / name / "warm_up.ipynb").write_text(nbformat.writes(notebook, version=nbformat.NO_CONVERT))
    return folder


@pytest.fixture(scope="module")
def verdicts(box, files):
    """{judge: {notebook: the items that hold}}, and the results of `grade`."""
    found = {judge: {} for judge in ("kernel", "saved file", "hand_in", "nbval", "grade")}
    notebooks = {name: nbformat.read(files / name / "warm_up.ipynb", 4) for name in NOTEBOOKS}
    for notebook in notebooks.values():                      # a student whose check failed runs it again in the end
        notebook.cells += [new_code_cell(one.source) for one in code_cells(notebook)
                           if re.fullmatch(r"warm_up\.check_(?!pool_batches)\w+\(\w+\)", one.source)]
    run(files, *notebooks.values())
    failed = nbval_of(files, *(f"{name}/warm_up.ipynb" for name in NOTEBOOKS))[0]
    results = {}
    for name, notebook in notebooks.items():
        shown = json.dumps([one.outputs for one in code_cells(notebook)])
        found["kernel"][name] = [item for item in ITEMS if f'"{item} holds: ' in shown]
        saved = (files / name / "warm_up.ipynb").read_bytes()
        dry = hand_in.dry_run(EXERCISE, rerun.read(saved).cells)
        found["saved file"][name] = [item for item in ITEMS if item in dry and dry[item].holds]
        lost = {test.rpartition("check-")[2].strip(")") for file, test in failed if name in file and "check-" in test}
        found["nbval"][name] = [item for item in ITEMS if item not in lost]
        with pytest.MonkeyPatch.context() as patched:        # in the session, there was an answer
            patched.setenv("NWLAB_PROGRESS", str(files / "session.txt"))
            progress.remember(EXERCISE, "pool", True)
            hand_in.hand_in(EXERCISE, files / name / "warm_up.ipynb", files / name)
        (files / name / "warm_up.ipynb").unlink()
    for one in (one for one in handed_in(files) if one.exercise):
        results[one.student] = grade.grade_one(one, grade.Settings(MASTERS, seed=3))
        found["grade"][one.student] = [each.item for each in results[one.student].outcomes if each.holds]
    return found | {"failed": failed, "results": results}


@pytest.mark.parametrize("notebook", NOTEBOOKS)
@pytest.mark.parametrize("judge", ["kernel", "saved file", "nbval", "grade"])
def test_every_judge_says_the_same(verdicts, notebook, judge):
    assert verdicts[judge][notebook] == NOTEBOOKS[notebook][1]


def test_nbval_says_which_check_is_lost(verdicts):
    names = {test for file, test in verdicts["failed"] if "unsolved" in file}
    assert {f"check-{item}" for item in ("differences", "scores_of", "weights_of", "pool", "pool_batches")} < names
    assert not [test for file, test in verdicts["failed"] if "unsolved" not in file]
    said = {test: text for (_, test), text in verdicts["failed"].items()}
    for item, what in (("differences", "missing"), ("pool", "changed or switched off"), ("weights_of", "turned into")):
        assert f"the check of {item} is {what}" in said[f"check-{item}"]
    assert [text for test, text in said.items() if "(check-pool_batches)" in test and "`%tiem` not found" in text]


def test_the_teacher_is_told_what_is_unusual(verdicts):
    results = verdicts["results"]
    assert "an older edition of the notebook (an older one; today's is " in "".join(results["edited"].remarks)
    assert results["edited"].words == "It may be wrong: where m = n, two axes look alike."
    assert {one.status for one in results["unsolved"].outcomes} == {"not attempted"}
    told = "pool: it held in the student's session, but not when the notebook is run from the top: not attempted"
    assert told in results["unsolved"].remarks
    assert results["moved"].remarks == ()
