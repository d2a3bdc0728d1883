"""The three parts of a check: problems of a seed, answers as plain data, a judge that names the mistakes any item knows."""
import functools
import json
import random
import re
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import nwlab
from nwlab import checks
from nwlab.checks import CheckFailed, Complaint, Exercise, Item, Mistake, Problem
from nwlab.checks.run import Answer
from nwlab.checks.messages import failure_text

# --- a small item: the weighted mean of each row


def problems(rng):
    yield Problem("by hand", {"table": np.array([[1.0, 2.0], [3.0, 5.0], [0.0, 4.0]]), "scale": 2.0})
    yield Problem("larger", {"table": rng.uniform(1, 2, (5, 3)), "scale": 0.7}, why="five rows, three columns")
    yield Problem("a row of zeros", {"table": np.array([[1.0, 3.0, 2.0], [0.0, 0.0, 0.0]]), "scale": 1.5})


def oracle(table, scale):
    return np.array([scale * sum(row) / len(row) for row in table])


def item(**changes):
    declared = {"name": "row_means", "title": "Means of rows", "returns": "scale times the mean of each row, (m,)",
                "arguments": ("table", "scale"), "make_problems": problems, "oracle": oracle,
                "points": 2, "sized": lambda rng, n: {"table": rng.uniform(1, 2, (n, 2)), "scale": 3.0}}
    return Item(**(declared | changes))


def verdict(function, **changes):
    declared = item(**changes)
    asked = declared.problems(0)
    return declared.judge(asked, declared.answers(function, asked))


def right(table, scale):
    return scale * table.mean(axis=1)


def loop(table, scale):
    return np.array([scale * sum(row) / len(row) for row in table])


def stub(table, scale):
    raise NotImplementedError("write row_means")


def stub_of_a_helper(table, scale):
    raise NotImplementedError("write helper")


def mutating(table, scale):
    table *= scale
    return table.mean(axis=1)


def raising(table, scale):
    return table[:, 7].mean()


def leaving(table, scale):
    sys.exit("bye")


def by_nwlab(table, scale):
    return scale * nwlab.average_pooling(np.zeros(1), table.T)[0]


def only_first(table, scale):
    return np.array([3.0, 8.0, 4.0])


# --- problems


def test_problems_are_those_of_the_seed_and_always_as_many():
    declared = item()
    for seed in range(20):
        one, two = declared.problems(seed), declared.problems(seed)
        assert [p.name for p in one] == ["by hand", "larger", "a row of zeros", "size 8", "size 24"]
        assert all(np.array_equal(a.inputs["table"], b.inputs["table"]) for a, b in zip(one, two))
    assert not np.array_equal(declared.problems(0)[1].inputs["table"], declared.problems(1)[1].inputs["table"])


@pytest.mark.parametrize("changes, words", [
    ({"name": "row means"}, "name: got 'row means'"),
    ({"returns": ""}, "returns: got ''"),
    ({"points": 0}, "points: got 0"),
    ({"library": "jax"}, "library: got 'jax'"),
    ({"oracle": None}, "oracle: got None, expected a function, or own_judge"),
    ({"vectorised": True, "sized": None}, "sized: got None"),
    ({"arguments": "table"}, "arguments: got 'table'"),
    ({"mistakes": (Mistake("a", "b", oracle),) * 2}, "two called 'a'"),
])
def test_an_incomplete_declaration_is_refused(changes, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        item(**changes)


def test_an_exercise_refuses_two_items_of_one_name_and_none():
    with pytest.raises(ValueError, match="two items called 'row_means'"):
        Exercise("means", "Means", items=(item(), item()))
    with pytest.raises(ValueError, match="got no items"):
        Exercise("means", "Means", items=())


# --- answers


def test_answers_are_plain_data():
    def many(table, scale):
        return {"a": (np.array([1.0, np.nan, np.inf]), 3, True), "b": torch.ones(2, dtype=torch.float32), "c": [None, "x"]}

    for answer in item().answers(many, item().problems(0)):
        stored = json.dumps(answer.to_dict(), allow_nan=False)
        again = Answer.from_dict(json.loads(stored))
        assert json.dumps(again.to_dict(), allow_nan=False) == stored
        a, b = again.value.data["a"], again.value.data["b"]
        assert np.array_equal(a.data[0].data, [1, np.nan, np.inf], equal_nan=True)
        assert (b.kind, b.dtype, b.shape) == ("torch", "float32", (2,)) and a.data[2].data[()] is np.True_


class Nasty:
    shape, dtype = (2,), "float64"

    def __array__(self, *arguments, **options):
        raise RuntimeError("no")


@pytest.mark.parametrize("thing", [Nasty(), object(), 10**30, 1j, np.array(["a"]), np.array([None]), np.zeros(300_000), int])
def test_what_is_no_plain_data_keeps_its_type_alone(thing):
    answer = item().answers(lambda table, scale: thing, item().problems(0))[0]
    assert answer.value.data is None and json.dumps(answer.to_dict(), allow_nan=False)


def test_students_get_copies():
    asked = item().problems(0)
    before = [p.inputs["table"].copy() for p in asked]
    assert all(answer.mutated == ("table",) for answer in item().answers(mutating, asked))
    assert all(np.array_equal(p.inputs["table"], b) for p, b in zip(asked, before))


def test_an_exception_is_told_with_the_students_line():
    answer = item().answers(raising, item().problems(0))[0]
    assert answer.error["type"] == "IndexError" and "return table[:, 7].mean()" in answer.error["line"]
    assert answer.error["where"] == "raising"


def test_nothing_around_a_check_changes(capfd):
    import matplotlib.pyplot as plt

    def noisy(table, scale):
        print("out")
        print("err", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        np.random.random()
        random.random()
        torch.rand(1)
        plt.figure()
        np.zeros(1) / 0
        sys.settrace(None)
        return right(table, scale) + 0 * np.random.random()

    def tracer(frame, event, arg):
        return None

    state = np.random.get_state()[2], random.getstate(), torch.random.get_rng_state().tolist(), plt.get_fignums()
    sys.settrace(tracer)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            answers = item().answers(noisy, item().problems(0))
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    assert state == (np.random.get_state()[2], random.getstate(), torch.random.get_rng_state().tolist(), plt.get_fignums())
    assert capfd.readouterr() == ("", "")
    assert answers[0].printed == "out\n" and "careful" in answers[0].warnings


def test_random_answers_are_the_same_in_every_check():
    def guess(table, scale):
        return np.random.random(len(table)) + torch.rand(1).item() + random.random()

    one, two = (item().answers(guess, item().problems(0)) for _ in range(2))
    assert [a.to_dict() for a in one] == [a.to_dict() for a in two]


def test_an_interrupt_goes_through():
    def interrupted(table, scale):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        item().answers(interrupted, item().problems(0))
    assert sys.gettrace() is None


@pytest.mark.parametrize("function, grows", [
    (right, False), (loop, True), (lambda table, scale: np.array(list(map(lambda row: scale * row.mean(), table))), True),
    (lambda table, scale: np.apply_along_axis(lambda row: scale * row.mean(), 1, table), True),
    (lambda table, scale: np.fromiter((scale * row.mean() for row in table), float), True),
])
def test_steps_in_python_are_counted(function, grows):
    small, large = item().answers(function, item().problems(0))[-2:]
    assert (large.steps > small.steps) == grows


def test_steps_are_counted_within_partials_and_objects_too():
    class Looping:
        def __call__(self, table, scale):
            return loop(table, scale)

    def with_power(power, table, scale):
        return loop(table, scale)**power

    for function in (Looping(), functools.partial(with_power, 1)):
        assert "a loop in Python" in verdict(function, vectorised=True).line


def test_the_judge_runs_nothing_of_the_students():
    calls = []

    def counted(table, scale):
        calls.append(1)
        return right(table, scale)

    asked = item().problems(0)
    answers = [Answer.from_dict(answer.to_dict()) for answer in item().answers(counted, asked)]
    count = len(calls)
    assert item().judge(asked, answers).holds and len(calls) == count
    with pytest.raises(ValueError, match="answers: got 4, expected 5"):
        item().judge(asked, answers[1:])


# --- mistakes that every item knows


@pytest.mark.parametrize("function, words, changes", [
    (stub, "not written yet", {}),
    (stub_of_a_helper, "it calls helper, which is not written yet", {}),
    (np.ones(3), "is not a function", {}),
    (lambda table: 0, "it takes other arguments", {}),
    (raising, "it raises IndexError", {}),
    (leaving, "it raises SystemExit", {}),
    (lambda table, scale: None, "it returns nothing", {}),
    (by_nwlab, "it calls nwlab's own average_pooling", {}),
    (mutating, "it changes its inputs (table)", {}),
    (lambda table, scale: torch.tensor(right(table, scale)), "torch where NumPy was asked", {}),
    (lambda table, scale: (scale * table.mean(1)).numpy(), "NumPy where torch was asked", {"library": "torch"}),
    (lambda table, scale: right(table, scale).tolist(), "a list where an array was asked", {}),
    (lambda table, scale: "many", "text where an array was asked", {}),
    (lambda table, scale: scale * table.mean(), "one number where an array was asked", {}),
    (lambda table, scale: scale * table.mean(0), "the wrong axis", {}),
    (lambda table, scale: scale * table.mean(1, keepdims=True), "an axis of length 1 too many", {}),
    (lambda table, scale: scale * table.sum(1, keepdims=True) / np.full(len(table), table.shape[1]),
     "broadcasts by accident: (3, 3) where (3,)", {}),
    (lambda table, scale: scale * (table / table).mean(1), "NaN where a number was asked", {}),
    (lambda table, scale: 2 * right(table, scale), "every answer is 2 times the right one", {}),
    (lambda table, scale: -right(table, scale), "the sign is flipped", {}),
    (lambda table, scale: table.mean(1), "every answer is 1/scale times the right one", {}),
    (lambda table, scale: scale * right(table, scale), "every answer is scale times the right one", {}),
    (lambda table, scale: len(table) * right(table, scale), "every answer is len(table) times", {}),
    (lambda table, scale: scale * table.sum(1), "a factor is wrong that changes", {}),
    (lambda table, scale: right(table, scale) + 1, "every answer is 1 more than", {}),
    (only_first, "the same answer to every problem", {}),
    (lambda table, scale: np.ones(len(table)), "the answer is 1 everywhere", {}),
    (loop, "a loop in Python", {"vectorised": True}),
    (lambda table, scale: scale * np.median(table, axis=1), "the median", {
        "mistakes": (Mistake("the median", "use all", lambda table, scale: scale * np.median(table, axis=1)),)}),
    (raising, "column 7", {"mistakes": (Mistake("column 7", "count again", lambda table, scale: table[:, 7]),)}),
    (lambda table, scale: np.where(table.sum(1) > 0, right(table, scale), 0.5), "4 of 5 problems hold", {}),
    (lambda table, scale: right(table, scale), "a number where NaN was asked", {
        "oracle": lambda table, scale: np.where(table.sum(1) > 0, oracle(table, scale), np.nan)}),
    (lambda table, scale: table.T.copy(), "the wrong axis: rows and columns are swapped", {
        "oracle": lambda table, scale: table}),
])
def test_the_mistake_is_named(function, words, changes):
    found = verdict(function, **changes)
    assert not found.holds and words in found.line, failure_text(found)
    assert found.tried and found.came and found.next and found.line.startswith("row_means does not hold yet: ")


def test_swapped_rows_and_columns_of_a_square_table_are_seen():
    square = item(sized=None, oracle=lambda table, scale: scale * table,
                  make_problems=lambda rng: [Problem("square", {"table": rng.random((3, 3)), "scale": 1.0})])
    asked = square.problems(0)
    found = square.judge(asked, square.answers(lambda table, scale: scale * table.T, asked))
    assert "rows and columns are swapped" in found.line


@pytest.mark.parametrize("function, changes", [
    (right, {}), (loop, {}), (lambda table, scale: right(table.astype(np.float32), scale), {}),
    (lambda table, scale: torch.tensor(right(table, scale)), {"library": "any"}),
    (lambda table, scale: scale * table.mean(1), {"library": "torch"}),
    (by_nwlab, {"may_use": ("average_pooling",)}), (right, {"vectorised": True}),
])
def test_right_answers_hold_with_one_line(function, changes):
    found = verdict(function, **changes)
    assert found.holds, failure_text(found)
    assert found.line == "row_means holds: 5 problems, 2 points"
    assert bool(found.remark) == (function is loop)


def test_a_failure_says_tried_came_expected_next_in_this_order():
    found = verdict(lambda table, scale: np.where(table.sum(1) > 0, right(table, scale), 0.5))
    text = failure_text(found)
    places = [text.index(words) for words in (
        "row_means does not hold yet", "What was tried", "a row of zeros", "shape (2, 3), float64", "What came back",
        "[3 0.5]    shape (2,), float64", "What was expected, and why", "[3 0]    shape (2,), float64", "Where to look next")]
    assert places == sorted(places)


def test_large_answers_are_shortened_and_their_first_difference_shown():
    def nearly(table, scale):
        answer = np.tile(right(table, scale), 50)
        answer[70] += 1e-7
        return answer

    found = verdict(nearly, oracle=lambda table, scale: np.tile(oracle(table, scale), 50), sized=None)
    assert "..." in found.came and "first difference at [70]: " in found.came and len(found.came) < 400


def test_what_was_printed_helps_to_find_the_mistake():
    def talking(table, scale):
        print("I have", table.shape)
        return table

    assert "it printed: I have (3, 2)" in verdict(talking).came


def test_a_judge_of_ones_own_gets_plain_data():
    def sums_to_one(asked, answers):
        for i, answer in enumerate(answers):
            if not np.allclose(answer["weights"].sum(1), 1):
                return Complaint("a row does not sum to one", "divide by the sum", i, "rows that sum to one")

    open_ended = {"oracle": None, "own_judge": sums_to_one, "sized": None}
    assert verdict(lambda table, scale: {"weights": np.full(table.shape, 1 / table.shape[1])}, **open_ended).holds
    found = verdict(lambda table, scale: {"weights": table}, **open_ended)
    assert "a row does not sum to one" in found.line and found.expected == "rows that sum to one"
    assert "not written yet" in verdict(stub, **open_ended).line and "returns nothing" in verdict(print, **open_ended).line
    broken = verdict(lambda table, scale: table[:, 99], **open_ended)      # no oracle: in words what is asked for, and once
    assert broken.expected and f"{broken.expected}\n{broken.why}".count(broken.expected) == 1


def test_tuples_texts_numbers_and_truths_are_compared():
    changes = {"oracle": lambda table, scale: (len(table), "wide" if scale > 1 else "narrow", scale > 1), "sized": None}
    assert verdict(lambda table, scale: [len(table), "wide" if scale > 1 else "narrow", scale > 1], **changes).holds
    assert "2 things where 3" in verdict(lambda table, scale: (1, 2), **changes).line
    assert "a number where a tuple" in verdict(lambda table, scale: 1.0, **changes).line
    assert not verdict(lambda table, scale: (len(table), "narrow", scale > 1), **changes).holds


def test_one_number_may_be_an_array_of_one():
    changes = {"oracle": lambda table, scale: scale, "sized": None}
    assert verdict(lambda table, scale: np.array([scale]), **changes).holds
    assert "an array where one number" in verdict(lambda table, scale: np.full(2, scale), **changes).line


def test_the_documented_example_works(capsys):
    example, figures, _ = checks.__doc__.split("Writing an exercise")[1].split("::\n", 3)[1:]
    names = {"__name__": "average_pooling"}
    for code in (figures, example):
        indented = [line.removeprefix("    ") for line in code.splitlines() if not line or line.startswith("    ")]
        exec("\n".join(indented), names)
        names["figures"] = SimpleNamespace(**names)
    names["check_average"](lambda values: values.mean())
    with pytest.raises(CheckFailed, match="the median, not the mean"):
        names["check_average"](np.median)
    assert "average holds: 6 problems, 1 point" in capsys.readouterr().out
