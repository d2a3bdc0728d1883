"""The judge: right answers hold, and the mistakes that any item knows are named, with words that say where to look."""
import sys

import numpy as np
import pytest
import torch
from small_items import axes, distances, loop, point_problems, row_means, table, total, unscaled, verdict

import nwlab
from nwlab.checks import Complaint, Item, Mistake, Problem
from nwlab.checks.answer import Answer
from nwlab.checks.judge import judge
from nwlab.checks.messages import failure_text
from nwlab.checks.run import run


def right(table, scale):
    return scale * table.mean(axis=1)


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


def test_the_judge_runs_nothing_of_the_students():
    calls = []

    def counted(table, scale):
        calls.append(1)
        return right(table, scale)

    asked = row_means().problems(0)
    answers = [Answer.from_dict(answer.to_dict()) for answer in run(row_means(), counted, asked)]
    count = len(calls)
    assert judge(row_means(), asked, answers).holds and len(calls) == count
    with pytest.raises(ValueError, match="answers: got 4, expected 5"):
        judge(row_means(), asked, answers[1:])


# --- what any item knows


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
    (lambda table, scale: np.array([3.0, 8.0, 4.0]), "the same answer to every problem", {}),
    (lambda table, scale: np.ones(len(table)), "the answer is 1 everywhere", {}),
    (loop, "a loop in Python", {"vectorised": True}),
    (lambda table, scale: scale * np.median(table, axis=1), "the median", {
        "mistakes": (Mistake("the median", "use all", lambda table, scale: scale * np.median(table, axis=1)),)}),
    (raising, "column 7", {"mistakes": (Mistake("column 7", "count again", lambda table, scale: table[:, 7]),)}),
    (lambda table, scale: np.where(table.sum(1) > 0, right(table, scale), 0.5), "4 of 5 problems hold", {}),
    (lambda table, scale: right(table, scale), "a number where NaN was asked", {
        "oracle": lambda table, scale: np.where(table.sum(1) > 0, loop(table, scale), np.nan)}),
    (lambda table, scale: table.T.copy(), "the wrong axis: rows and columns are swapped", {
        "oracle": lambda table, scale: table}),
])
def test_the_mistake_is_named(function, words, changes):
    found = verdict(function, row_means(**changes))
    assert not found.holds and words in found.line, failure_text(found)
    assert found.tried and found.came and found.next and found.line.startswith("row_means does not hold yet: ")


def test_swapped_rows_and_columns_of_a_square_table_are_seen():
    square = row_means(sized=None, oracle=lambda table, scale: scale * table,
                       make_problems=lambda rng: [Problem("square", {"table": rng.random((3, 3)), "scale": 1.0})])
    assert "rows and columns are swapped" in verdict(lambda table, scale: scale * table.T, square).line


@pytest.mark.parametrize("function, changes", [
    (right, {}), (loop, {}), (lambda table, scale: right(table.astype(np.float32), scale), {}),
    (lambda table, scale: torch.tensor(right(table, scale)), {"library": "any"}),
    (lambda table, scale: scale * table.mean(1), {"library": "torch"}),
    (by_nwlab, {"may_use": ("average_pooling",)}), (right, {"vectorised": True}),
])
def test_right_answers_hold_with_one_line(function, changes):
    found = verdict(function, row_means(**changes))
    assert found.holds, failure_text(found)
    assert found.line == "row_means holds: 5 problems, 2 points"
    assert bool(found.remark) == (function is loop)


def test_a_failure_says_tried_came_expected_next_in_this_order():
    found = verdict(lambda table, scale: np.where(table.sum(1) > 0, right(table, scale), 0.5), row_means())
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

    found = verdict(nearly, row_means(oracle=lambda table, scale: np.tile(loop(table, scale), 50), sized=None))
    assert "..." in found.came and "first difference at [70]: " in found.came and len(found.came) < 400


def test_what_was_printed_helps_to_find_the_mistake():
    def talking(table, scale):
        print("I have", table.shape)
        return table

    assert "it printed: I have (3, 2)" in verdict(talking, row_means()).came


def test_a_judge_of_ones_own_gets_plain_data():
    def sums_to_one(asked, answers):
        for i, answer in enumerate(answers):
            if not np.allclose(answer["weights"].sum(1), 1):
                return Complaint("a row does not sum to one", "divide by the sum", i, "rows that sum to one")

    open_ended = {"oracle": None, "own_judge": sums_to_one, "sized": None}
    assert verdict(lambda table, scale: {"weights": np.full(table.shape, 1 / table.shape[1])}, row_means(**open_ended)).holds
    found = verdict(lambda table, scale: {"weights": table}, row_means(**open_ended))
    assert "a row does not sum to one" in found.line and found.expected == "rows that sum to one"
    assert "not written yet" in verdict(stub, row_means(**open_ended)).line and "returns nothing" in verdict(print, row_means(**open_ended)).line
    broken = verdict(lambda table, scale: table[:, 99], row_means(**open_ended))      # no oracle: in words what is asked for, and once
    assert broken.expected and f"{broken.expected}\n{broken.why}".count(broken.expected) == 1


def test_tuples_texts_numbers_and_truths_are_compared():
    changes = {"oracle": lambda table, scale: (len(table), "wide" if scale > 1 else "narrow", scale > 1), "sized": None}
    assert verdict(lambda table, scale: [len(table), "wide" if scale > 1 else "narrow", scale > 1], row_means(**changes)).holds
    assert "2 things where 3" in verdict(lambda table, scale: (1, 2), row_means(**changes)).line
    assert "a number where a tuple" in verdict(lambda table, scale: 1.0, row_means(**changes)).line
    assert not verdict(lambda table, scale: (len(table), "narrow", scale > 1), row_means(**changes)).holds


def test_one_number_may_be_an_array_of_one():
    changes = {"oracle": lambda table, scale: scale, "sized": None}
    assert verdict(lambda table, scale: np.array([scale]), row_means(**changes)).holds
    assert "an array where one number" in verdict(lambda table, scale: np.full(2, scale), row_means(**changes)).line


# --- where a part of the answers raises, or is not finite


def refused(function, **changes):
    found = verdict(function, table(**changes))
    assert not found.holds, failure_text(found)
    return found


def nan_in(function, where):
    def partly(q, k, h):
        answer = function(q, k, h)
        answer[where(q)] = np.nan
        return answer

    return partly


def raise_in(function, where):
    def partly(q, k, h):
        if where(q):
            raise ValueError("no")
        return function(q, k, h)

    return partly


def last(q):
    return np.full(len(q), len(q) == 5)


def first_row(q):
    return np.arange(len(q)) == 0


@pytest.mark.parametrize("where", [last, first_row])
def test_an_items_own_mistake_is_named_beside_nan(where):
    found = refused(nan_in(unscaled, where))
    assert "the wrong power" in found.line and "which power is it? Then look at the problem" in found.next
    assert "what came is not finite" in found.next


@pytest.mark.parametrize("function", [distances, lambda q, k, h: distances(q, k, h)**2])
def test_nan_without_a_mistake_of_the_items_stays_nan(function):
    found = refused(nan_in(function, last))
    assert "NaN where a number was asked" in found.line
    assert "NaN came on the problem “plane 5”: 0/0 or ∞/∞ makes it, or ∞ − ∞" in found.next
    assert "zero here" not in found.next and "window" not in found.next


def test_a_window_is_asked_about_where_the_item_talks_of_one():
    assert "a window without a key?" in refused(nan_in(distances, last), returns="distances in the window, (m, n)").next


def test_infinity_is_told_with_what_makes_it():
    found = refused(lambda q, k, h: distances(q, k, h) + (np.inf if len(q) == 5 else 0))
    assert "infinity where a number" in found.line and "divided by 0 makes it, or one too large" in found.next


def test_a_mistake_is_named_beside_an_exception():
    found = refused(raise_in(unscaled, lambda q: len(q) == 5))
    assert "the wrong power" in found.line and "“plane 5” too: it raises ValueError" in found.next
    found = refused(raise_in(lambda q, k, h: 2 * distances(q, k, h), lambda q: len(q) == 5))
    assert "every answer is 2 times" in found.line and "“plane 5” too: it raises ValueError" in found.next


def test_an_exception_on_some_problems_shows_the_smallest_and_says_what_is_known_of_the_others():
    found = refused(raise_in(distances, lambda q: q.ndim == 2))
    assert "raises ValueError on some of the problems" in found.line and "“plane 3”" in found.tried
    assert "The other problems hold" in found.next
    found = refused(raise_in(lambda q, k, h: distances(q, k, h)**3 + len(k), lambda q: q.ndim == 1))
    assert "ValueError" in found.line and "“line 2”" in found.tried and "raise nothing, but may be wrong" in found.next


def test_one_truth_value_of_many_is_explained():
    found = refused(lambda q, k, h: max(0, distances(q, k, h)))
    assert "`np.maximum`" in found.next and "one truth value" in found.next
    found = refused(lambda q, k, h: q if q > 0 and h else k, library="torch")
    assert "RuntimeError" in found.line and "`torch.maximum`" in found.next


@pytest.mark.parametrize("function", [lambda q, k, h: 0.0, lambda q, k, h: np.linalg.norm(distances(q, k, h))])
def test_one_number_for_an_array_is_a_question_of_shape(function):
    found = refused(function)
    assert "one number where an array was asked" in found.line and "hard-coded" not in found.next
    assert "one number came where (2, 3) was asked: which axis does the sum, mean or norm run over?" in found.next
    assert "NaN" not in found.next and "`squeeze`" in found.next


def test_one_nan_for_an_array_is_asked_about():
    assert "one NaN, where one for each" in refused(lambda q, k, h: np.nan if len(q) == 5 else distances(q, k, h)).next


def test_an_axis_of_features_has_to_be_summed_over():
    found = refused(lambda q, k, h: (axes(q)[:, None] - axes(k))**2 / h)
    assert "(3, 4, 2) came, (3, 4) was expected: the axis of the 2 features has to be summed over" in found.next
    assert "axis of length 1 too many" in refused(lambda q, k, h: distances(q, k, h)[..., None]).line
    assert "features" not in refused(lambda q, k, h: np.stack([distances(q, k, h)] * 7, -1)).next


def test_a_squeezed_axis_is_asked_about():
    one = {"make_problems": lambda rng: [*point_problems(rng), Problem("one q", {"q": np.ones(1), "k": np.arange(3.0), "h": 1.0})]}
    found = refused(lambda q, k, h: distances(q, k, h).squeeze(), **one)
    assert "an axis of length 1 is missing: (3,) where (1, 3)" in found.line and "`squeeze`" in found.next
    assert "is missing" not in refused(lambda q, k, h: distances(q, k, h).sum(0), **one).line


# --- single numbers


def test_single_numbers_are_never_said_to_be_in_proportion():
    """One number is in proportion to any other, so that says nothing about a factor."""
    found = verdict(lambda w, values: w * np.sum(values**3), total())
    assert not found.holds and "factor" not in found.line and "proportion" not in found.next


def test_a_constant_factor_of_single_numbers_is_still_seen():
    assert "every answer is 2 times" in verdict(lambda w, values: 2 * w * np.sum(values**2), total()).line
    assert "every answer is 1/len(values) times" in verdict(lambda w, values: w * np.mean(values**2), total()).line


def test_nearly_right_is_no_factor():
    found = verdict(lambda w, values: w * np.sum(values**2) * (1 + 1e-6 * len(values)), total())
    assert not found.holds and "nearly right" in found.line and "approximate" in found.next


def test_what_was_tried_is_told_in_the_items_library():
    found = verdict(lambda w, values: torch.sum(values**3), total(library="torch"))
    assert "1.5    torch, shape (), float64" in found.tried and "torch, shape (2,), float64" in found.tried
    assert "torch" not in verdict(lambda w, values: np.sum(values**3), total()).tried


def test_nan_everywhere_is_nan_and_not_hard_coded():
    line = verdict(lambda w, values: np.nan, total()).line
    assert "NaN" in line and "same answer" not in line


def test_an_input_that_is_a_number_here_and_an_array_there_names_no_factor():
    """It cannot: neither its length nor its value is there everywhere. Nor can a number that is 0 somewhere."""
    def made(rng):
        yield Problem("a number", {"w": 2.0, "n": 4.0, "edge": 0.0})
        yield Problem("an array", {"w": 3.0, "n": np.array([5.0, 6.0]), "edge": 1.0})
        yield Problem("another", {"w": 5.0, "n": np.array([7.0, 8.0, 9.0]), "edge": 2.0})

    declared = Item(name="scaled", title="Scaled", returns="w times n", arguments=("w", "n", "edge"), make_problems=made,
                    oracle=lambda w, n, edge: w * np.asarray(n))
    for function, words in ((lambda w, n, edge: w * w * n, "w times"), (lambda w, n, edge: n * n, "does not hold yet")):
        assert words in verdict(function, declared).line
