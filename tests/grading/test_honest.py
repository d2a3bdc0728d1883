"""An honest class gets what it deserves: in the sandbox each answer comes to what it comes to in the notebook."""
import pytest
from grading.graded import answered, cells, graded

from workbook import course
from workbook.checks.judge import judge
from workbook.checks.rerun import study
from workbook.checks.run import run
from workbook.exercises import warm_up
from workbook.grading.same import shape

WRONG = {"differences": "def differences(queries, keys):\n    return keys - queries[:, None]",
         "pool": "def pool(weights, values):\n    return values @ weights"}
PATIENT = {"cell": 120, "notebook": 600}                 # machines that run tests are busy


@pytest.mark.parametrize("name", course.EXERCISES)
def test_who_solved_all_gets_all_points(box, name):
    exercise = course.exercise(name)
    solved = graded(box, cells("solutions", name), exercise, **PATIENT)[0].values()
    assert {one.status for one in solved} == {"passed"} and sum(one.points for one in solved) == exercise.points


def test_who_tried_nothing_gets_none_and_a_wrong_answer_is_named_as_in_the_notebook(box):
    (found, _), names = graded(box, answered("exercises", **WRONG), **PATIENT), {}
    for name, source in WRONG.items():
        exec(source, names)
        item, verdict = warm_up.EXERCISE.item(name), found.pop(name)
        problems = item.problems(11)
        here = judge(item, problems, run(item, names[name], problems))
        assert (verdict.status, verdict.mistake, verdict.next) == ("failed", here.mistake, here.next) and here.mistake
    assert {one.status for one in found.values()} == {"not attempted"}


BESIDE = """
name = input("Your name? ")
open("/home/ann/houses.csv")
print(of_a_deleted_cell, Out[3])
await something
%no_such_magic
from cupy import *
"""


def test_a_line_that_stops_beside_an_answer_costs_no_points(box):
    """Nor does a type in a hint that is not there. A mistake of syntax does, and a line that the answer needs."""
    pool = "def pool(weights: Tensor, values: 'array') -> Float[Array, 'm']:\n    return weights @ values"
    found, rebuilt = graded(box, answered(
        "solutions", pool=f"{BESIDE}{pool}{BESIDE}raise SystemExit\npool = None",
        weights_of="def weights_of(x) return x",
        attend="table = open('weights.csv')\ndef attend(q, k, v, s):\n    return table.read() @ v"), **PATIENT)
    assert [item for item, one in found.items() if not one.holds] == ["weights_of", "attend"]
    assert found["weights_of"].mistake == "the cell stops before the function is there"
    assert "attend: in its cell, a line stops: FileNotFoundError" in "".join(rebuilt.remarks)


SECRET = """
import inspect
def attend(queries, keys, values, sigma):
    differences(queries, keys)
    raise RuntimeError(inspect.getsource(pool) if differences.__doc__ else "nothing to see")
"""


@pytest.mark.parametrize("name, changed, expected", [
    ("what a helper calls", {"scores_of": "def scores_of(*x): return helper(*x)\ndef helper(q, k, sigma):\n"
                                          "    return -0.5 * (differences(q, k) / sigma) ** 2"},
     {"scores_of": "`differences`", "attend": "`differences` and `pool`"}),
    ("what hangs", {"differences": "def differences(queries, keys):\n    while True: pass"},
     {"scores_of": "`differences`", "attend": "`differences` and `pool`"}),
    ("what ends with a right one", {"scores_of": "import os\ndef scores_of(q, k, sigma):\n    "
                                    "return 1 if (differences(q, k) == q[:, None] + k).all() else os._exit(1)"},
     {"attend": "`differences` and `scores_of` and `pool`"}),
    ("its own mistake", {"attend": "def attend(q, k, v, s): return 2 * pool(weights_of(scores_of(q, k, s)), v)"},
     {"scores_of": "`differences`"}),
    ("right versions", {"attend": SECRET}, {"scores_of": "`differences`"})])
def test_what_is_right_but_for_items_that_it_calls_follows_through(box, name, changed, expected):
    """`differences` is wrong, and there is no `pool`: causes are found through several calls. Nothing of a right
    version is seen in a verdict, and an item never gets its own.
    """
    changed = {"differences": "def differences(q, k): return q[:, None] + k", "pool": "# later"} | changed
    written = answered("solutions", **changed)
    right = tuple(study(cell["source"]) for cell in cells("solutions") if cell["cell_type"] == "code")
    limits = PATIENT | ({"cell": 5} if name == "what hangs" else {})
    found, rebuilt = graded(box, written, right=right, share=0.5, **limits)
    assert rebuilt.shapes["weights_of"] == shape(rebuilt.code["weights_of"]) and "pool" not in rebuilt.shapes
    follow = {item: one.mistake for item, one in found.items() if one.status == "follow-through"}
    assert follow == {item: f"right, but for {causes}" for item, causes in expected.items()}
    assert all(found[item].points == found[item].most / 2 for item in follow)
    assert found["pool"].status == "not attempted" and found["weights_of"].holds and not found["differences"].holds
    assert "weights @ values" not in str(found["attend"])
    if name == "its own mistake":                            # 0 switches it off
        plain, _ = graded(box, written, right=right, share=0, **limits)
        assert {plain[item].status for item in expected} == {"failed"}
