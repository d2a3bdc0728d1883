"""Answers that are wrong in part: NaN or an exception on some problems, an axis too few or too many, right on the line only."""
import numpy as np
import pytest

from nwlab.checks import Item, Mistake, Problem
from nwlab.checks.messages import failure_text


def problems(rng):
    """Queries and keys on the line and in the plane."""
    for m, n in ((2, 3), (4, 5)):
        yield Problem(f"line {m}", {"q": rng.uniform(1, 2, m), "k": rng.uniform(3, 4, n), "h": 0.7})
    for m, n in ((3, 4), (5, 6)):
        yield Problem(f"plane {m}", {"q": rng.uniform(1, 2, (m, 2)), "k": rng.uniform(3, 4, (n, 2)), "h": 1.9 + m})


def axes(x):
    return x if x.ndim == 2 else x[:, None]


def distances(q, k, h):
    """|q - k|² / h, (m, n), for points on the line and in the plane."""
    return np.array([[sum((a - b)**2) / h for b in axes(k)] for a in axes(q)])


def unscaled(q, k, h):
    return distances(q, k, 1.0) + distances(q, k, 1.0)**2


def item(**changes):
    declared = {"name": "table", "title": "A table", "returns": "squared distance over h, (m, n)", "arguments": ("q", "k", "h"),
                "make_problems": problems, "oracle": distances,
                "mistakes": (Mistake("the wrong power", "which power is it?", unscaled),)}
    return Item(**(declared | changes))


def verdict(function, **changes):
    declared = item(**changes)
    asked = declared.problems(0)
    found = declared.judge(asked, declared.answers(function, asked))
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
    found = verdict(nan_in(unscaled, where))
    assert "the wrong power" in found.line and "which power is it? Then look at the problem" in found.next
    assert "what came is not finite" in found.next


@pytest.mark.parametrize("function", [distances, lambda q, k, h: distances(q, k, h)**2])
def test_nan_without_a_mistake_of_the_items_stays_nan(function):
    found = verdict(nan_in(function, last))
    assert "NaN where a number was asked" in found.line
    assert "NaN came on the problem “plane 5”: 0/0 or ∞/∞ makes it, or ∞ − ∞" in found.next
    assert "zero here" not in found.next and "window" not in found.next


def test_a_window_is_asked_about_where_the_item_talks_of_one():
    assert "a window without a key?" in verdict(nan_in(distances, last), returns="distances in the window, (m, n)").next


def test_infinity_is_told_with_what_makes_it():
    found = verdict(lambda q, k, h: distances(q, k, h) + (np.inf if len(q) == 5 else 0))
    assert "infinity where a number" in found.line and "divided by 0 makes it, or one too large" in found.next


def test_a_mistake_is_named_beside_an_exception():
    found = verdict(raise_in(unscaled, lambda q: len(q) == 5))
    assert "the wrong power" in found.line and "“plane 5” too: it raises ValueError" in found.next
    found = verdict(raise_in(lambda q, k, h: 2 * distances(q, k, h), lambda q: len(q) == 5))
    assert "every answer is 2 times" in found.line and "“plane 5” too: it raises ValueError" in found.next


def test_an_exception_on_some_problems_shows_the_smallest_and_says_what_is_known_of_the_others():
    found = verdict(raise_in(distances, lambda q: q.ndim == 2))
    assert "raises ValueError on some of the problems" in found.line and "“plane 3”" in found.tried
    assert "The other problems hold" in found.next
    found = verdict(raise_in(lambda q, k, h: distances(q, k, h)**3 + len(k), lambda q: q.ndim == 1))
    assert "ValueError" in found.line and "“line 2”" in found.tried and "raise nothing, but may be wrong" in found.next


def test_one_truth_value_of_many_is_explained():
    found = verdict(lambda q, k, h: max(0, distances(q, k, h)))
    assert "`np.maximum`" in found.next and "one truth value" in found.next
    found = verdict(lambda q, k, h: q if q > 0 and h else k, library="torch")
    assert "RuntimeError" in found.line and "`torch.maximum`" in found.next


@pytest.mark.parametrize("function", [lambda q, k, h: 0.0, lambda q, k, h: np.linalg.norm(distances(q, k, h))])
def test_one_number_for_an_array_is_a_question_of_shape(function):
    found = verdict(function)
    assert "one number where an array was asked" in found.line and "hard-coded" not in found.next
    assert "one number came where (2, 3) was asked: which axis does the sum, mean or norm run over?" in found.next
    assert "NaN" not in found.next and "`squeeze`" in found.next


def test_one_nan_for_an_array_is_asked_about():
    assert "one NaN, where one for each" in verdict(lambda q, k, h: np.nan if len(q) == 5 else distances(q, k, h)).next


def test_an_axis_of_features_has_to_be_summed_over():
    found = verdict(lambda q, k, h: (axes(q)[:, None] - axes(k))**2 / h)
    assert "(3, 4, 2) came, (3, 4) was expected: the axis of the 2 features has to be summed over" in found.next
    assert "axis of length 1 too many" in verdict(lambda q, k, h: distances(q, k, h)[..., None]).line
    assert "features" not in verdict(lambda q, k, h: np.stack([distances(q, k, h)] * 7, -1)).next


def test_a_squeezed_axis_is_asked_about():
    one = {"make_problems": lambda rng: [*problems(rng), Problem("one q", {"q": np.ones(1), "k": np.arange(3.0), "h": 1.0})]}
    found = verdict(lambda q, k, h: distances(q, k, h).squeeze(), **one)
    assert "an axis of length 1 is missing: (3,) where (1, 3)" in found.line and "`squeeze`" in found.next
    assert "is missing" not in verdict(lambda q, k, h: distances(q, k, h).sum(0), **one).line


@pytest.mark.parametrize("right_ndim, words", [(1, "right on the line, wrong in the plane"),
                                               (2, "wrong on the line, right in the plane"), (3, "changes from problem")])
def test_a_factor_of_the_plane_or_of_the_line_is_told(right_ndim, words):
    def function(q, k, h):
        return distances(q, k, h) * (1 if q.ndim == right_ndim else np.pi if right_ndim < 3 else len(q) * h)

    assert words in verdict(function).line
