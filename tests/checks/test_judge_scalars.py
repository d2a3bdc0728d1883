"""Items whose answer is one number, and items of torch: what the judge may say about these, and what it may not."""
import numpy as np
import torch

from nwlab.checks import Item, Problem


def problems(rng):
    for n in (2, 5, 9):
        yield Problem(f"{n} values", {"w": np.array(1.5), "values": rng.uniform(1, 3, n)})


def item(library):
    return Item(name="total", title="A sum", returns="w times the sum of the squares", arguments=("w", "values"), library=library,
                make_problems=problems, oracle=lambda w, values: float(w * sum(v * v for v in values)))


def verdict(function, library="numpy"):
    declared = item(library)
    asked = declared.problems(0)
    return declared.judge(asked, declared.answers(function, asked))


def test_single_numbers_are_never_said_to_be_in_proportion():
    """One number is in proportion to any other, so that says nothing about a factor."""
    found = verdict(lambda w, values: w * np.sum(values**3))
    assert not found.holds and "factor" not in found.line and "proportion" not in found.next


def test_a_constant_factor_of_single_numbers_is_still_seen():
    assert "every answer is 2 times" in verdict(lambda w, values: 2 * w * np.sum(values**2)).line
    assert "every answer is 1/len(values) times" in verdict(lambda w, values: w * np.mean(values**2)).line


def test_nearly_right_is_no_factor():
    found = verdict(lambda w, values: w * np.sum(values**2) * (1 + 1e-6 * len(values)))
    assert not found.holds and "nearly right" in found.line and "approximate" in found.next


def test_what_was_tried_is_told_in_the_items_library():
    found = verdict(lambda w, values: torch.sum(values**3), "torch")
    assert "1.5    torch, shape (), float64" in found.tried and "torch, shape (2,), float64" in found.tried
    assert "torch" not in verdict(lambda w, values: np.sum(values**3)).tried


def test_nan_everywhere_is_nan_and_not_hard_coded():
    line = verdict(lambda w, values: np.nan).line
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
        problems = declared.problems(0)
        assert words in declared.judge(problems, declared.answers(function, problems)).line
