"""The teaching pieces: what a choice says, what a reader without a kernel sees; every stored text is complete."""
import re
from importlib import metadata
from pathlib import Path

import ipywidgets
import pytest

from nwlab import lesson
from nwlab.course import COURSE
from workbook.lesson import environment, questions

FILES = sorted(COURSE.texts.glob("*.md"))
ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "notebooks" / "source").glob("*.md"), *(ROOT / "solutions" / "source").glob("*.md")])
SKY = ("Which?", {"Green": "Look up.", "Blue": "", "Red": ""}, "B", "It *is* blue.")


def test_a_prediction_keeps_its_answer_until_one_has_chosen_and_folds_the_first_verdict_away():
    piece = lesson.predict(*SKY)
    assert piece.answered is None and piece.feedback.value == ""
    assert [button.description[0] for button in piece.buttons] == ["A", "B", "C"]
    assert "is blue" not in str([child.value for child in piece.children if hasattr(child, "value")])
    piece.buttons[0].click()
    before, fold = piece.feedback.value.split("<details>")
    assert "You chose <b>A</b>" in before and "blue" not in before and "right" not in before
    assert "Look up." in fold and "<b>B</b> is right" in fold and "It <i>is</i> blue." in fold
    piece.buttons[1].click()                                            # another choice; the first verdict stays
    assert "You chose <b>B</b>" in piece.feedback.value and piece.answered == "wrong"
    assert [button.description[0] for button in piece.buttons] == ["A", "●", "C"]
    assert ["wb-chosen" in button._dom_classes for button in piece.buttons] == [False, True, False]


@pytest.mark.parametrize("typed, words", [
    *((typed, "Yes") for typed in ("2.5", "2,45", "5/2", "2.6")), ("3", "Too high"), (" −1 ", "Too low"),
    *((typed, "Type a number") for typed in ("", "many", "nan", "inf", "1/0", "1 2", "<b>"))])
def test_a_number_is_judged_at_once_and_what_is_none_is_said_kindly_and_not_counted(typed, words):
    piece = lesson.predict_number("How much?", 2.5, 0.1, "Because.", "kg")
    piece.judge(typed)
    assert words in piece.feedback.value and "'<b>'" not in piece.feedback.value
    assert ("Because." in piece.feedback.value) == (words != "Type a number")
    assert piece.answered == {"Yes": "right", "Type a number": None}.get(words, "wrong")


def test_a_quiz_answers_at_once_and_counts_first_tries_and_a_court_speaks_of_claim_and_ruling():
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
    court = lesson.court(*SKY)
    court.buttons[1].click()
    assert "claim" in court.words.value and "ruling" in court.feedback.value


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
    ("Q?\n\n- [x] a\n- [x] b\n\nWhy.", "07.md, question 07-sky: .*2 options marked"),
    ("Q?\n\n- [ ] a\n- [ ] b\n\nWhy.", "07.md, question 07-sky: .*0 options marked"),
    ("Q?\n\n- [x] a\n- [ ] b\n", "07.md, question 07-sky: .*no explanation"),
    ("- [x] a\n- [ ] b\n\nWhy.", "07.md, question 07-sky: .*no question"),
    ("Q?\n\n= about 3\n\nWhy.", "07.md, question 07-sky: .*expected '= 1.5"),
])
def test_a_question_that_cannot_be_is_refused_and_an_incomplete_text_is_named(tmp_path, monkeypatch, wrong, words):
    if isinstance(wrong, str):
        (tmp_path / "07.md").write_text(f"About.\n\n## 07-sky\n\n{wrong}\n", encoding="utf-8")
        monkeypatch.setattr(lesson._pieces, "texts", tmp_path)
        wrong = ("07-sky",)
    with pytest.raises(ValueError, match=words):
        lesson.predict(*wrong)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_stored_question_is_complete(path):
    found = questions.read(path.stem, COURSE.texts).values()
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
        meant = questions.starting_with(name, COURSE.texts) if kind == "quiz" else [questions.find(name, COURSE.texts)]
        found += [question.name for question in meant]
    assert len(found) == len(set(found))
    number = path.stem[:2] if path.stem[:2].isdigit() else path.stem
    if (COURSE.texts / f"{number}.md").is_file():
        assert set(found) == set(questions.read(number, COURSE.texts))


def test_right_answers_are_not_always_at_the_same_place():
    rights = [q.right for path in FILES for q in questions.read(path.stem, COURSE.texts).values() if q.options]
    assert max(rights.count(index) for index in set(rights)) < 0.6 * len(rights)


def report(**changes):
    return environment.report(COURSE, **({"folder": ROOT / "notebooks"} | changes))


def versions(**other):
    """Every package in its newest version, but for these."""
    def version_of(name):
        if other.get(name, "") is None:
            raise metadata.PackageNotFoundError
        return other.get(name, "999")
    return version_of


def test_a_healthy_set_up_is_told_without_versions_and_torch_can_wait():
    lines = report()
    assert lines[-1] == "All is well. You can go on."
    assert all(line.endswith(" fine") for line in lines[:-2]) and not re.search(r"\d", "".join(lines))
    lines = report(version_of=versions(torch=None))
    assert any("you need it from notebook 06 on" in line for line in lines)
    assert lines[-1] == "All is well. You can go on."


def test_what_is_old_missing_or_elsewhere_is_named_with_what_mends_it(tmp_path):
    assert report(version_of=versions(torch="2.13.0+cpu"))[-1] == "All is well. You can go on."
    assert "this is Python 3.9, but the workbook needs 3.11 or newer" in report(python=(3, 9, 1))[0]
    lines = report(version_of=versions(numpy="1.26.4", ipywidgets=None))
    told = {line.split(" .")[0]: line for line in lines}
    assert "version 1.26.4, but the workbook needs 2 or newer" in told["numpy"]
    assert '%pip install "numpy>=2"' in told["numpy"]
    assert "is not installed" in told["ipywidgets"] and "%pip install" in told["ipywidgets"]
    assert "(numpy, ipywidgets)" in lines[-1]
    (tmp_path / "anywidget").mkdir()
    line = next(line for line in report(shares=[tmp_path]) if line.startswith("live figures"))
    assert "ipywidgets" in line and "of anywidget" not in line
    assert "outside the workbook" in report(folder=tmp_path)[1] and "move it there" in report(folder=ROOT)[1]
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "nwlab"\nversion = "0.1.0"\n', encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    assert "not from this workbook" in report(folder=tmp_path / "notebooks")[2]


def test_a_package_that_a_hub_or_colab_installed_is_as_good(tmp_path):
    """Colab opens a notebook alone; on a hub the package lies in the environment and the notebooks at home."""
    installed, home = tmp_path / "site-packages", tmp_path / "home"
    assert report(folder=home, here=installed)[-1] == "All is well. You can go on."
    (home / "notebooks").mkdir(parents=True)
    (home / "pyproject.toml").write_text('[project]\nname = "nwlab"\nversion = "0.1.0"\n', encoding="utf-8")
    for version, mended in (("0.1.0", True), ("0.0.9", False)):
        line = report(folder=home / "notebooks", here=installed, version_of=versions(nwlab=version))[2]
        assert line.endswith("fine") == mended and ("not from this workbook" in line) != mended
