"""The teaching pieces: what a choice says, what a reader without a kernel sees; every stored text is complete."""
import re
from importlib import metadata
from pathlib import Path

import ipywidgets
import pytest

from nwlab import lesson
from nwlab.lesson import environment, questions

FILES = sorted(questions.FOLDER.glob("*.md"))
ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "notebooks" / "source").glob("*.md"), *(ROOT / "solutions" / "source").glob("*.md")])
SKY = ("Which?", {"Green": "Look up.", "Blue": "", "Red": ""}, "B", "It *is* blue.")


def test_a_prediction_keeps_its_answer_until_one_has_chosen_and_folds_its_verdict_away():
    piece = lesson.predict(*SKY)
    assert piece.answered is None and piece.feedback.value == ""
    assert [button.description[0] for button in piece.buttons] == ["A", "B", "C"]
    assert "is blue" not in str([child.value for child in piece.children if hasattr(child, "value")])
    piece.buttons[0].click()
    before, fold = piece.feedback.value.split("<details>")
    assert "You said <b>A</b>" in before and "blue" not in before and "right" not in before
    assert "Look up." in fold and "<b>B</b> is right" in fold and "It <i>is</i> blue." in fold
    assert piece.answered == "wrong"


def test_another_choice_replaces_the_first_but_the_first_verdict_stays():
    piece = lesson.predict(*SKY)
    piece.buttons[2].click()
    piece.buttons[1].click()
    assert "You said <b>B</b>" in piece.feedback.value
    assert [button.description[0] for button in piece.buttons] == ["A", "●", "C"]
    assert "nwlab-chosen" in piece.buttons[1]._dom_classes and "nwlab-chosen" not in piece.buttons[2]._dom_classes
    assert piece.answered == "wrong"


@pytest.mark.parametrize("typed, words", [("2.5", "Yes"), ("2,45", "Yes"), ("5/2", "Yes"), ("2.6", "Yes"),
                                          ("3", "Too high"), (" −1 ", "Too low")])
def test_a_number_is_judged_at_once(typed, words):
    piece = lesson.predict_number("How much?", 2.5, 0.1, "Because.", "kg")
    piece.judge(typed)
    assert words in piece.feedback.value and "Because." in piece.feedback.value
    assert piece.answered == ("right" if words == "Yes" else "wrong")


@pytest.mark.parametrize("typed", ["", "many", "nan", "inf", "1/0", "1 2", "<b>"])
def test_what_is_no_number_is_said_kindly_and_not_counted(typed):
    piece = lesson.predict_number("How much?", 2.5)
    piece.judge(typed)
    assert "Type a number" in piece.feedback.value and piece.answered is None
    assert "'<b>'" not in piece.feedback.value


def test_a_quiz_answers_at_once_and_counts_first_tries():
    quiz = lesson.quiz(SKY, SKY)
    first, second = quiz.pieces
    assert "2 questions" in quiz.count.value
    first.buttons[0].click()
    told = first.feedback.value
    assert "Not quite" in told and "Look up." in told and "blue" not in told
    assert "0 right at the first try, 1 to go" in quiz.count.value
    first.buttons[1].click()
    assert "Yes." in first.feedback.value and first.buttons[1].description[0] == "✓"
    second.buttons[1].click()
    assert "1 of 2 right at the first try" in quiz.count.value


def test_a_court_speaks_of_claim_and_ruling():
    piece = lesson.court(*SKY)
    piece.buttons[1].click()
    assert "claim" in piece.words.value and "ruling" in piece.feedback.value


def test_markup_in_a_question_cannot_break_the_page():
    piece = lesson.predict("Is `a<b` & **c**?", ["x < y", "y"], "y", "`**not strong**`")
    assert piece.question.right == 1                                    # an answer may be given by its text
    assert "<code>a&lt;b</code> &amp; <b>c</b>" in piece.words.value
    assert piece.buttons[0].description.endswith("x < y")
    assert questions.inline("`**not strong**`") == "<code>**not strong**</code>"


@pytest.mark.parametrize("make", [lambda: lesson.predict(*SKY), lambda: lesson.quiz(SKY, SKY),
                                  lambda: lesson.predict_number("How much?", 2.5, why="It *is* blue.")])
def test_a_reader_without_a_kernel_sees_the_question_and_a_folded_answer(make):
    piece = make()
    assert isinstance(piece, ipywidgets.VBox)
    bundle = piece._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] and "blue" not in bundle["text/plain"] and "<" not in bundle["text/plain"]
    shown, _, folded = bundle["text/html"].partition("<details>")
    assert "It <i>is</i> blue." in folded and "blue" not in shown


@pytest.mark.parametrize("wrong, words", [
    (("Q?", ["a"], "A"), "options: got 1"),
    (("Q?", ["a", "b"], "C"), "answer: got 'C'"),
    (("Q?", ["a", "b"], 1), "answer: got 1"),
    (("00-no-such-question",), "expected one of 00-"),
    (("99-x",), "expected one of 00"),
])
def test_a_question_that_cannot_be_is_refused(wrong, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        lesson.predict(*wrong)


@pytest.mark.parametrize("body, words", [
    ("Q?\n\n- [x] a\n- [x] b\n\nWhy.", "2 options marked"),
    ("Q?\n\n- [ ] a\n- [ ] b\n\nWhy.", "0 options marked"),
    ("Q?\n\n- [x] a\n- [ ] b\n", "no explanation"),
    ("- [x] a\n- [ ] b\n\nWhy.", "no question"),
    ("Q?\n\n= about 3\n\nWhy.", "expected '= 1.5"),
])
def test_an_incomplete_text_is_named(tmp_path, monkeypatch, body, words):
    (tmp_path / "07.md").write_text(f"About.\n\n## 07-sky\n\n{body}\n", encoding="utf-8")
    monkeypatch.setattr(questions, "FOLDER", tmp_path)
    questions.read.cache_clear()
    try:
        with pytest.raises(ValueError, match=f"07.md, question 07-sky: .*{re.escape(words)}"):
            questions.read("07")
    finally:
        questions.read.cache_clear()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_stored_question_is_complete(path):
    found = questions.read(path.stem).values()
    assert found
    for question in found:
        assert question.text and question.why, question.name
        for index, remark in enumerate(question.remarks):       # one for each wrong option, and none else
            assert bool(remark) != (index == question.right), question.name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_question_is_asked_and_every_one_asked_exists(path):
    asked = re.findall(r"lesson\.(\w+)\(\"(\w+-[\w-]+)\"[,)]", path.read_text(encoding="utf-8"))
    found = []
    for kind, name in asked:
        meant = questions.starting_with(name) if kind == "quiz" else [questions.find(name)]
        found += [question.name for question in meant]
    assert len(found) == len(set(found))
    number = path.stem[:2] if path.stem[:2].isdigit() else path.stem
    if (questions.FOLDER / f"{number}.md").is_file():
        assert set(found) == set(questions.read(number))


def test_right_answers_are_not_always_at_the_same_place():
    rights = [q.right for path in FILES for q in questions.read(path.stem).values() if q.options]
    assert max(rights.count(index) for index in set(rights)) < 0.6 * len(rights)


def _report(**changes):
    return environment.report(**({"folder": ROOT / "notebooks"} | changes))


def versions(**other):
    """Every package in its newest version, but for these."""
    def version_of(name):
        if other.get(name, "") is None:
            raise metadata.PackageNotFoundError
        return other.get(name, "999")
    return version_of


def test_a_healthy_set_up_is_told_without_versions():
    lines = _report()
    assert lines[-1] == "All is well: go on."
    assert all(line.endswith(" fine") for line in lines[:-2]) and not re.search(r"\d", "".join(lines))


def test_an_old_python_an_old_package_and_a_missing_one_are_named_with_the_command():
    assert "this is Python 3.9, the workbook needs 3.11 or newer" in _report(python=(3, 9, 1))[0]
    lines = _report(version_of=versions(numpy="1.26.4", ipywidgets=None))
    told = {line.split(" .")[0]: line for line in lines}
    assert "version 1.26.4, the workbook needs 2 or newer" in told["numpy"]
    assert '%pip install "numpy>=2"' in told["numpy"]
    assert "is not installed" in told["ipywidgets"] and "%pip install" in told["ipywidgets"]
    assert "(ipywidgets, numpy)" in lines[-1]


def test_torch_can_wait():
    lines = _report(version_of=versions(torch=None))
    assert any("needed from notebook 06 on" in line for line in lines) and lines[-1] == "All is well: go on."


def test_missing_front_ends_are_named(tmp_path):
    (tmp_path / "anywidget").mkdir()
    line = next(line for line in _report(shares=[tmp_path]) if line.startswith("live figures"))
    assert "ipywidgets" in line and "of anywidget" not in line


def test_a_notebook_elsewhere_is_told_where_it_belongs(tmp_path):
    assert "outside the workbook" in _report(folder=tmp_path)[1]
    assert "move it there" in _report(folder=ROOT)[1]
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "nwlab"\n', encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    assert "not from this workbook" in _report(folder=tmp_path / "notebooks")[2]


@pytest.mark.parametrize("version, numbers", [("2.13.0+cpu", (2, 13, 0)), ("2", (2,)), ("4.2.0rc1", (4, 2, 0))])
def test_versions_are_read_as_numbers(version, numbers):
    assert environment._numbers(version) == numbers
