"""A small task inside a lesson: what it says of what a student may write."""
import numpy as np
import pytest

from nwlab import lesson

TEXTS = """About.

## 01-nearest

Compute the weight of the nearest key.

= 0.5 ± 0.01

? Divide by the sum.

It is half of all.

## 01-three

Compute all three weights.

= 0.25, 0.5, 0.25 ± 0.01

They sum to one.

## 01-choice

Which?

- [x] this
- [ ] that

Because.
"""


@pytest.fixture(autouse=True)
def texts(tmp_path, monkeypatch):
    (tmp_path / "01.md").write_text(TEXTS, encoding="utf-8")
    monkeypatch.setattr(lesson._pieces, "texts", tmp_path)


@pytest.mark.parametrize("name, answer, words", [
    ("01-nearest", ...,
     "Your turn. Compute the weight of the nearest key. Write it in place of the three dots and run the cell again."),
    ("01-nearest", 0.7, "Not yet. Your number is 0.7, which is too high. Divide by the sum."),
    ("01-nearest", np.nan, "Not yet. Your number is NaN, which is not a number. Divide by the sum."),
    ("01-nearest", None, "Not yet. Your number is NaN, which is not a number. Divide by the sum."),
    ("01-nearest", "half",
     "Not yet. Your answer is of type str; a number or an array of numbers was expected. Divide by the sum."),
    ("01-nearest", [0.5], "Not yet. You have an array of shape (1,); one number was expected. Divide by the sum."),
    ("01-three", [0.25, 0.4, 0.35], "Not yet. Number 2 of 3 is 0.4, which is too low."),
    ("01-three", [[0.25], [0.5], [0.25]],
     "Not yet. You have an array of shape (3, 1); an array of shape (3,) was expected."),
    ("01-three", 0.5, "Not yet. You have one number; an array of shape (3,) was expected."),
])
def test_what_is_missing_is_said(name, answer, words):
    verdict = lesson.task(name, answer)
    assert not verdict.solved and repr(verdict) == words and words.partition(". ")[2] in verdict._repr_html_()


def test_right_answers_of_any_array_library():
    torch = pytest.importorskip("torch")
    assert lesson.task("01-nearest", 0.505).solved
    assert lesson.task("01-nearest", torch.tensor(0.5, requires_grad=True)).solved
    verdict = lesson.task("01-three", np.array([0.25, 0.5, 0.25], dtype=np.float32))
    assert verdict.solved and repr(verdict) == "Yes. They sum to one."


def test_a_question_that_asks_for_no_number_is_no_task():
    with pytest.raises(ValueError, match="'01-choice', which asks for no number"):
        lesson.task("01-choice", 1.0)
