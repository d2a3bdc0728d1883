"""What crosses the wall: whatever a stranger sends is read as answers or refused."""
import contextlib
import json

import numpy as np
import pytest

from workbook import course
from workbook.checks.cases import as_float64
from workbook.checks.run import KEEP
from workbook.checks.values import Answer, describe
from workbook.grading import mark, wire
from workbook.grading.sandbox import LONGEST

ITEMS = [item for name in course.EXERCISES for item in course.exercise(name).items if item.oracle]
HONEST = Answer(describe(np.arange(3.0)), steps=3).to_dict()
NESTED: list = []
for _ in range(20):
    NESTED = [NESTED]


def sent(answer) -> bytes:
    return json.dumps({"answers": [answer]}).encode()


def array(**change) -> bytes:
    return sent(HONEST | {"value": HONEST["value"] | change})


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.package}-{item.name}")
def test_right_answers_as_lists_are_read_whole(item):
    right = [item.oracle(**as_float64(problem.inputs)) for problem in item.problems(seed=3)]
    parts = [part if isinstance(part, tuple) else (part,) for part in right]
    lists = [Answer(describe([np.asarray(x).tolist() for x in one])).to_dict() for one in parts]
    data = json.dumps({"answers": lists}).encode()
    answers = wire.answers(data, len(lists))
    assert len(data) < LONGEST and [one.to_dict() for one in answers] == lists
    assert all(whole(one.value) for one in answers)


def whole(value) -> bool:
    return value.data is not None and (value.kind != "list" or all(map(whole, value.data)))


@pytest.mark.parametrize("thing", [
    (np.array([1.0, np.nan, -np.inf]), True, 3, "text", None, (1.0, [2, {"a": np.array([[True]])}]), np.float32(2)),
    "x" * 10_000, NESTED, {"x" * 10_000: {number: 1.0 for number in range(3000)}}, [0.0] * 3000, ((0.0,) * 999,) * 3,
    np.zeros(2, [(f"a field {number}", float) for number in range(500)]), np.zeros((500, 500)), 1 + 2j, 10**30,
], ids=lambda thing: type(thing).__name__)
def test_whatever_an_answer_is_made_of_is_read_as_it_was(thing):
    answer = Answer(describe(thing), None, ("keys",), ("nwlab.pool",), 7, "x", slope=describe(np.ones(2)),
                    noted={"attend": {"at": [[0.5] * 24] * 3000}}, again=False)
    assert wire.answers(sent(answer.to_dict()), 1)[0].to_dict() == answer.to_dict()


def test_what_takes_long_to_judge_is_unreadable(monkeypatch):
    """Even where what judges goes on after an exception."""
    def judge(*_):
        with contextlib.suppress(TimeoutError):
            while True:
                pass
        while True:
            pass

    monkeypatch.setattr(mark, "judge", judge)
    monkeypatch.setattr(mark, "JUDGING", 0.2)
    job = mark._Job(None, course.exercise("warm_up"), 3, [])
    found = job.check(lambda asked: json.dumps({"answers": [HONEST] * len(asked["problems"])}).encode(), "pool")
    assert found.status == "unreadable" and found.got.endswith("took more than 0.2 seconds")


def test_texts_are_cut_before_anything_is_matched_against_them():
    error = dict.fromkeys(("type", "message", "line", "where"), "|" * 300_000)
    (read,) = wire.answers(sent(HONEST | {"error": error, "printed": error["line"], "line": error["line"]}), 1)
    assert {len(text) for text in (*read.error.values(), read.printed, read.line)} == {KEEP}


@pytest.mark.parametrize("data", [
    b"", b"\xff", b"NaN", b'{"answers": NaN}', b"[" * 100_000, sent(None), sent({}) * 2,
    array(shape=[2]), array(shape=[-3]), array(shape=[2**70]), array(data=["1e9"] * 3), array(data=[None] * 3),
    array(kind="numpy", dtype="int64"), sent(HONEST | {"more": 1}),
    json.dumps({"answers": [HONEST] * 2}).encode(), json.dumps({"answers": HONEST}).encode(),
])
def test_a_lie_is_refused(data):
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)):
        wire.answers(data, 1)
