"""The teaching pieces: what they say, what a reader without a kernel sees; every stored text is complete."""
import json
import re
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
from matplotlib.figure import Figure

import nwlab
from workbook import course, explore, language, lesson
from workbook.questions import kept, questions, sketch, widgets

STORED = course.TEXTS                   # of this workbook; each test has its own
FILES = sorted(STORED.glob("*.md"))
ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "notebooks" / "source").glob("*.md"), *(ROOT / "solutions" / "source").glob("*.md")])
SKY = "Which is `a<b` & **c**?\n\n- [ ] x < y\n  Look up.\n- [x] Blue\n- [ ] Red\n\nIt *is* blue."
TEXTS = f"""About.

## 07-sky-1

{SKY}

## 07-sky-2

{SKY}

## 07-much

How much?

= 2.5 ± 0.1 kg

It *is* blue.

## 07-nearest

Compute the weight of the nearest key.

= 0.5 ± 0.01

? Divide by the sum.

It is half of all.

## 07-three

Compute all three weights.

= 0.25, 0.5, 0.25 ± 0.01

They sum to one.

## 07-width

shows: houses sigma=60 query=100

{SKY}

## 07-pooled

shows: pooling how="k nearest" k=5 seed=0

How much?

= 0.5

Because.

## 07-line

Draw it.

~ width σ, K < 1

It *is* blue.
"""


@pytest.fixture(autouse=True)
def texts(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "_home", tmp_path / "notebooks")
    monkeypatch.setattr(kept, "unwritten", [])
    monkeypatch.delenv("NWLAB_PROGRESS", raising=False)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "07.md").write_text(TEXTS, encoding="utf-8")
    monkeypatch.setattr(course, "TEXTS", tmp_path)
    return tmp_path


def only(widget) -> dict:
    """What the page is told of the one question of a widget."""
    piece, = widget.about["pieces"]
    return piece


def test_a_prediction_folds_its_verdict_away_and_marks_what_was_chosen():
    piece = only(lesson.predict("07-sky-1"))
    assert [name[0] for name in piece["names"]] == ["A", "B", "C"] and {name[0] for name in piece["chosen"]} == {"●"}
    before, fold = piece["responses"][0].split("<details>")
    assert "You chose <b>A</b>" in before and "blue" not in before and "right" not in before
    assert "wb-wrong'><b>Not quite.</b> Look up. The answer is B, “Blue”." in fold and "It <i>is</i> blue." in fold
    assert "You chose <b>B</b>" in piece["responses"][1] and piece["right"] == 1
    assert "wb-right'><b>You were right.</b>" in piece["responses"][1] and "Not quite" not in piece["responses"][1]


def test_the_answer_to_a_number_comes_with_what_is_right_or_near_and_with_no_other():
    responses = only(lesson.predict_number("07-much"))["responses"]
    assert {name for name, words in responses.items() if "blue" in words} == {"exact", "near", "high", "low"}
    assert "Yes" in responses["exact"] and "It is" not in responses["exact"] and "It is 2.5 kg." in responses["near"]
    for name in ("high", "low"):
        assert f"wb-wrong'><b>Too {name}" in responses[name] and "blue" not in responses[name].partition("<details>")[0]


def test_a_quiz_answers_at_once_and_counts_first_tries_and_a_court_speaks_of_claim_and_ruling():
    about = lesson.quiz("07-sky").about
    wrong, right, _ = about["pieces"][0]["responses"]
    assert "wb-wrong'><b>Not quite" in wrong and "Look up." in wrong and "blue" not in wrong
    assert "wb-right'><b>Yes." in right
    assert [name[0] for name in about["pieces"][0]["chosen"]] == ["✗", "✓", "✗"]
    assert about["pieces"][1]["text"].startswith("2. ")
    counts = about["counts"]
    assert counts[0][0].startswith("2 questions.") and counts[0][1] == "0 right at the first try, 1 to go."
    assert counts[1][1].startswith("1 of 2 right at the first try. Come") and counts[2][0].endswith("the first try.")
    court = only(lesson.court("07-sky-1"))
    assert "claim" in court["title"] and "ruling" in court["responses"][1]
    lesson.case(figure := Figure(), "07-sky-1")
    assert figure.get_supxlabel() == "It is blue." and "blue" in figure.get_label()


def test_markup_in_a_question_cannot_break_the_page():
    piece = only(lesson.predict("07-sky-1"))
    assert "<code>a&lt;b</code> &amp; <b>c</b>" in piece["text"] and piece["names"][0].endswith("x < y")
    assert questions.inline("`**not strong**`") == "<code>**not strong**</code>"


def test_a_sketch_has_the_truth_at_equal_steps_and_the_places_of_its_dots_and_ticks():
    about = lesson.sketch("07-line", [1.0, 10.0, 1000.0], [2.0, 4.0, 8.0], points=([10.0], [6.0]), log=True).about
    span = 6.0 * (1 + 2 * 0.12)
    heights = np.array(about["truth"]) * span + about["low"]
    assert heights[[0, 20, 40, 60]] == pytest.approx([2.0, 4.0, 6.0, 8.0], abs=0.01)
    assert about["dots"] == [[pytest.approx(1 / 3, abs=1e-4), pytest.approx((6 - about["low"]) / span, abs=1e-4)]]
    assert about["ticks"][0] == [[round(k / 3, 4), str(10**k)] for k in range(4)] and about["xs"][20] == "10"
    assert about["names"] == ["width σ", "K &lt; 1"] and "<i>is</i>" in about["why"]
    rounded = np.nextafter([2.0, 4.0, 8.0], 0)           # as another processor may round them
    assert lesson.sketch("07-line", [1.0, 10.0, 1000.0], rounded, points=([10.0], [6.0]), log=True).about == about
    for wrong, message in ((("07-much", [1, 2], [1, 2]), "which has no axes"),
                           (("07-line", [2, 1], [1, 2]), "x ascending"), (("07-line", [1, 2], [1, np.nan]), "finite")):
        with pytest.raises(ValueError, match=message):
            lesson.sketch(*wrong)


@pytest.mark.parametrize("make, name", [("predict", "07-sky-1"), ("quiz", "07-sky"), ("predict_number", "07-much"),
                                        ("sketch", "07-line")])
def test_a_reader_without_a_kernel_sees_the_question_and_a_folded_answer(make, name):
    piece = getattr(lesson, make)(name, *([[0, 1]] * 2 if make == "sketch" else []))
    assert isinstance(piece, ipywidgets.DOMWidget)
    bundle = piece._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] and "blue" not in bundle["text/plain"]
    shown, _, folded = re.sub('data-sketch="[^"]*"', "", bundle["text/html"]).partition("<details>")    # is not seen
    assert "It <i>is</i> blue." in folded and "blue" not in shown


@pytest.mark.parametrize("text, words", [
    ("Q?\n\n- [x] a\n\nWhy.", "07.md, question 07-sky: got 1 options"),
    ("Q?\n\n- [x] a\n- [x] b\n\nWhy.", "2 marked"), ("Q?\n\n- [x] a\n- [ ] b\n", "no explanation"),
    ("- [x] a\n- [ ] b\n\nWhy.", "no question"), ("Q?\n\n= about 3\n\nWhy.", "expected a text.*'= 1.5"),
    ("Q?\n\n~ x, y\n\nWhy.", "'07-sky': got a sketch, expected options"),
    ("shows: width sigma = 5\n\nQ?\n\n= 3\n\nWhy.", "got 'shows: width sigma = 5', expected a figure and values"),
])
def test_an_incomplete_text_is_named(texts, text, words):
    (texts / "07.md").write_text(f"About.\n\n## 07-sky\n\n{text}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        lesson.predict("07-sky")


@pytest.mark.parametrize("text, words", [
    ("问？\n\n- [x] 是\n- [ ] 否\n  看。", r"right: got 0 in the translation, expected 1"),
    ("问？\n\n= 3", r"right: got 0"), ("问？\n\n- [ ] 是\n- [x] 否", "07-sky': expected the same remarks"),
])
def test_a_translation_that_would_be_judged_otherwise_is_named(texts, text, words):
    english = "## 07-sky\n\nQ?\n\n- [ ] a\n  Look.\n- [x] b\n\nWhy.\n"
    (texts / "zh").mkdir()
    (texts / "07.md").write_text(english, encoding="utf-8")
    (texts / "zh" / "07.md").write_text(f"% of {language.stamp(english)} 07-sky\n## 07-sky\n\n{text}\n\n因为。\n",
                                        encoding="utf-8")
    with language.speaking("zh"), pytest.raises(ValueError, match=words):
        lesson.predict("07-sky")


def test_an_answer_is_kept_with_its_question_and_time_and_nothing_else(texts, monkeypatch):
    quiz, number = lesson.quiz("07-sky"), lesson.predict_number("07-much")
    drawn = lesson.sketch("07-line", [0, 1], [0, 1])
    quiz.given = [[1], []]
    quiz.given = [[1], [0]]
    quiz.given = [[1, 2], [0]]
    quiz.given = [[0], []]                                # from a second view of the same output
    number.given = [["2,4 " + 300 * "x"]]
    drawn.given = ["Close"]
    place = texts / "notebooks" / ".nwlab-progress.txt"
    lines = [json.loads(line) for line in place.read_text().split("\n") if line]
    assert [(one["question"], one["choice"]) for one in lines] == [
        ("07-sky-1", "Blue"), ("07-sky-2", "x < y"), ("07-sky-1", "Red"), ("07-sky-1", "x < y"),
        ("07-much", "2,4 " + 196 * "x"), ("07-line", "Close")]
    assert all(one.keys() == {"question", "choice", "when"} for one in lines)
    for verdict in questions.VERDICTS:
        assert f'"{verdict}"' in sketch.SCRIPT
    for moved in "notebooks", "notebooks/zh":                 # the lessons, and the folder that hands in
        (texts / moved).mkdir(exist_ok=True)
        place = place.rename(texts / moved / place.name)
        for folder in "exercises", "exercises/zh":
            monkeypatch.setattr(kept, "_home", texts / folder)
            assert kept.answers() == sorted(lines, key=lambda one: (one["when"], one["question"], one["choice"]))


def test_an_answer_outlives_damage_and_a_folder_that_nobody_may_write_to(texts, monkeypatch):
    file = texts / "notebooks" / ".nwlab-progress.txt"
    file.write_bytes(b'{"question": "07-a", "choice": ["x"], "when": 1}\n[1]\n{"question": "cut')
    lesson.predict("07-sky-1").given = [[0]]
    monkeypatch.setenv("NWLAB_PROGRESS", "missing/folder/file")
    lesson.predict("07-sky-2").given = [[2]]
    assert [one["choice"] for one in kept.answers()] == ["Red"]
    monkeypatch.delenv("NWLAB_PROGRESS")
    assert sorted(one["choice"] for one in kept.answers()) == ["Red", "x < y"]


def test_an_unknown_name_is_answered_with_those_there_are():
    for name, words in (("07-x", "expected one of 07-sky-1"), ("99-x", "expected one of 07")):
        with pytest.raises(ValueError, match=words):
            lesson.predict(name)
    with pytest.raises(ValueError, match="'07-sky-1', which asks for no number"):
        lesson.task("07-sky-1", 1.0)


# --- the figure answers


def answer(piece, guess: str = "Red") -> dict:
    """What is shown of an answer to the only question of a widget, which the page reports as valid."""
    piece._handle_custom_msg({"i": 0, "guess": guess}, [])
    return piece.shown["0"]


@pytest.fixture
def kernel(monkeypatch):
    """A kernel without figures."""
    monkeypatch.setattr(widgets, "_made", [])


def test_the_latest_open_figure_of_the_kind_takes_the_state_that_shows_the_answer(kernel):
    old, figure, closed, other = explore.houses(), explore.houses(), explore.houses(), explore.width()
    closed.close()
    piece, width = lesson.predict("07-width"), other.state
    assert only(piece)["shows"] == {"figure": "houses", "state": {"sigma": 60, "query": 100}}
    shown = answer(piece)
    assert figure.state == {"query": 100.0, "sigma": 60.0} and old.state["sigma"] == 15 and other.state == width
    assert shown["guess"] == "Red" and shown["above"] == figure.found_by
    for each in (old, figure, other):
        each.close()
    assert "data:image/png" in answer(piece)["picture"] and "292" in answer(piece)["picture"], "none is open: drawn"


def test_a_figure_of_a_readers_own_data_does_not_answer_for_the_sample_of_the_lesson(kernel):
    course_figure, own = explore.pooling(), explore.pooling(nwlab.from_arrays([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]))
    verdict, before = lesson.task("07-pooled", 0.4), course_figure.state
    assert course_figure.state == before and "above" not in repr(verdict), "a wrong answer moves nothing"
    verdict = lesson.task("07-pooled", 0.5)
    assert course_figure.state["k"] == 5 and own.state["k"] != 5
    assert repr(verdict) == "Yes. Because. The figure above shows it now."
    for each in (course_figure, own):
        each.close()
    assert "data:image/png" in lesson.task("07-pooled", 0.5)._repr_html_()


def test_every_stored_state_is_one_that_its_figure_can_take():
    figures = {}
    for question in questions.every(STORED).values():
        if question.figure:
            figure = figures.setdefault(question.figure, getattr(explore, question.figure)())
            figure.set(**dict(question.state))
            for control, value in question.state:
                close = value if isinstance(value, str | bool) else pytest.approx(value, rel=0.05, abs=0.02)
                assert figure.state[control] == close, (question.name, control)
    assert len(figures) >= 7
    for figure in figures.values():
        figure.close()


# --- a small task


@pytest.mark.parametrize("name, answer, words", [
    ("07-nearest", ...,
     "Compute the weight of the nearest key. Write it in place of the three dots and run the cell again."),
    ("07-nearest", 0.7, "Not yet. Your number is 0.7, which is too high. Divide by the sum."),
    ("07-nearest", None, "Not yet. Your number is NaN, which is not a number. Divide by the sum."),
    ("07-nearest", "half",
     "Not yet. Your answer is of type str; a number or an array of numbers was expected. Divide by the sum."),
    ("07-nearest", [0.5], "Not yet. You have an array of shape (1,); one number was expected. Divide by the sum."),
    ("07-three", [0.25, 0.4, 0.35], "Not yet. Number 2 of 3 is 0.4, which is too low."),
    ("07-three", 0.5, "Not yet. You have one number; an array of shape (3,) was expected."),
])
def test_what_a_task_still_lacks_is_said(name, answer, words):
    verdict = lesson.task(name, answer)
    assert not verdict.solved and repr(verdict) == words and words.partition(". ")[2] in verdict._repr_html_()
    fold = "<details><summary>Answer</summary><p><b>0.5.</b> "
    assert (fold in verdict._repr_html_()) == (answer is ...) == ("<details>" in verdict._repr_html_())


def test_right_answers_to_a_task_from_any_array_library():
    torch = pytest.importorskip("torch")
    assert lesson.task("07-nearest", 0.505).solved
    assert lesson.task("07-nearest", torch.tensor(0.5, requires_grad=True)).solved
    verdict = lesson.task("07-three", np.array([0.25, 0.5, 0.25], dtype=np.float32))
    assert verdict.solved and repr(verdict) == "Yes. They sum to one."


# --- the stored questions


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_wrong_option_has_its_remark_and_no_right_one(path):
    found = questions.read(path.stem, STORED).values()
    assert found
    with language.speaking("zh"):
        questions.read(path.stem, STORED)                     # what is judged is the same
    for question in found:
        assert [bool(remark) for remark in question.remarks] == [
            index != question.right for index in range(len(question.options))], question.name


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_question_is_asked_once(path):
    names = re.findall(r"lesson\.\w+\(\"(\w+-[\w-]+)\"[,)]", path.read_text(encoding="utf-8"))
    found = [question.name for name in names for question in questions.starting_with(name, STORED)]
    assert len(found) == len(set(found))
    found = [name for name in found if not name.startswith(course.CONCEPTS)]      # asked in 00 and in 11
    number = path.stem[:2] if path.stem[:2].isdigit() else path.stem
    if (STORED / f"{number}.md").is_file():
        assert set(found) == set(questions.read(number, STORED))


def test_the_concept_test_has_two_forms_that_differ_in_words_and_places_and_tells_nothing_before(monkeypatch):
    monkeypatch.setattr(course, "TEXTS", STORED)
    forms = before, after = [lesson.concept_test(form) for form in course.CONCEPTS]
    assert [[one.name.partition("-")[2][2:] for one in form.questions] for form in forms][0] == [
        one.name.partition("-")[2][2:] for one in after.questions] and len(before.questions) == 12
    for early, late in zip(before.questions, after.questions):
        assert early.right != late.right and len(early.options) == len(late.options) == 4 and early.text != late.text
    for form in forms:
        lengths = [[len(option) for option in one.options] for one in form.questions]
        ranks = [sorted(each).index(each[one.right]) for each, one in zip(lengths, form.questions)]
        assert {*np.bincount([one.right for one in form.questions])} == {3} and np.bincount(ranks).max() < 9
        assert form.about["fold"] and form.about["counts"] is None
        told = str([piece["responses"] for piece in form.about["pieces"]]) + form._repr_mimebundle_()["text/html"]
        assert all((questions.inline(one.why) in told) == (form is after) for one in form.questions)
    texts = (STORED / "concepts.md").read_text(encoding="utf-8")
    assert not re.search(r"\b(quer(y|ies)|keys?|kernel|attention|bandwidth|σ)\b", texts.partition("## ")[2])


def test_a_right_answer_is_told_by_neither_its_place_nor_its_length():
    """Of all questions with three options: once B was right in six of ten, and "Half ..." wherever it was offered."""
    asked = [one for path in FILES for one in questions.read(path.stem, STORED).values() if len(one.options) == 3]
    for place in range(3):
        assert 0.25 < np.mean([one.right == place for one in asked]) < 0.42
    assert np.mean([len(one.options[one.right]) == max(map(len, one.options)) for one in asked]) < 0.45
    half = [place == one.right for one in asked for place, text in enumerate(one.options) if text.startswith("Half")]
    assert 1 <= sum(half) < len(half) / 2
    bare = [[not re.search(":|, as |, because |, since ", option) for option in one.options] for one in asked]
    alone = [which[one.right] for which, one in zip(bare, asked) if sum(which) == 1]      # one option lacks a reason
    assert 1 <= sum(alone) < len(alone) / 2
