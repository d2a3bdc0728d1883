"""Questions that the page judges at once, in a notebook and without a kernel; and the outcome of a task in code."""
import html
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from workbook import course, palette, pictures
from workbook.language import joined, program, say, say_count
from workbook.questions import kept
from workbook.questions.questions import LETTERS, Question, inline, plain
from workbook.questions.widgets import Shown, still_open, view

HERE = Path(__file__).parent
SCRIPT = (HERE / "questions.js").read_text(encoding="utf-8")
SHEET = palette.style_sheet() + (HERE / "pieces.css").read_text(encoding="utf-8")
STYLE = f"<style>{SHEET}</style>"


class Questions(Shown, anywidget.AnyWidget):
    """Questions with options or for a number. `about`: all that the page needs. `given`: all answers to each so far.
    `shown`: {number of a question: {"guess": in words, "above" or "picture": see `let_figure_answer`}}.

    title: the words above the one question, or none above several, which are numbered and counted. waits: the words of
    the fold with the verdict on a choice; "" shows it at once, None never. fold: the words of a fold around all.
    """

    _esm = program(SCRIPT + "\nexport default { render: renderQuestions };")
    _css = SHEET
    about = traitlets.Dict().tag(sync=True)
    given = traitlets.List().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, questions: list[Question], title: str = "", waits: str | None = "", fold: str = ""):
        self.questions, self.titles = questions, [title] if title else [f"{i}" for i, _ in enumerate(questions, 1)]
        heads = [""] if title else [f"{number}. " for number in self.titles]
        pieces = [{"title": title, "text": f"{head}{inline(one.text)}"} | _responses(one, waits)
                  | ({"shows": {"figure": one.figure, "state": dict(one.state)}} if one.figure else {})
                  for head, one in zip(heads, questions)]
        self.has_answers, self.fold = waits is not None, fold
        counts = _counts(len(pieces)) if not title and waits == "" else None
        super().__init__(about={"pieces": pieces, "counts": counts} | ({"fold": fold} if fold else {}))
        self.on_msg(lambda _, message, __: self._show(**message))

    def _show(self, i: int, guess: str) -> None:
        self.shown = {**self.shown, str(i): {"guess": guess} | let_figure_answer(self.questions[i])}

    @traitlets.observe("given")
    def _keep(self, change) -> None:
        for i, (question, now) in enumerate(zip(self.questions, change.new)):
            before = change.old[i] if i < len(change.old) else []
            for answer in now[len(before):] if now[:len(before)] == before else now[-1:]:     # else of another view
                options = question.english or question.options
                kept.keep_answer(question.name, plain(options[answer]) if options else answer)

    def _repr_mimebundle_(self, **kwargs):
        """The live questions, and the questions in plain words for readers without a kernel."""
        named = [*zip(self.titles, self.questions)]
        shown = "\n".join(one.as_html(title, self.has_answers) for title, one in named)
        return {**view(self), "text/plain": "\n\n".join(f"{title}. {one.as_text()}" for title, one in named),
                "text/html": f"<details><summary>{self.fold}</summary>{shown}</details>" if self.fold else shown}


def let_figure_answer(question: Question) -> dict[str, str]:
    """Set the latest open figure of the question's kind that has all controls of its state: {"above": its CSS class}.

    {"picture": HTML} of that state if there is none.
    """
    state = dict(question.state)
    for figure in still_open():
        scene = getattr(figure, "scene", None)
        if type(scene).__module__.endswith(f".{question.figure}") and state.keys() <= figure.state.keys():
            figure.set(**state)
            return {"above": figure.found_by}
    figure = getattr(course.module("explore"), question.figure)(**state)
    sentence = figure.sentence_html                         # draws it
    picture = pictures.html(figure.camera.png(), figure.scene.label, beside=sentence)
    figure.close()
    return {"picture": picture}


def _responses(question: Question, waits: str | None) -> dict:
    """What the page shows of a question below its text, with the response to every answer."""
    why = f"<p>{inline(question.why)}</p>"
    if question.options:
        texts = [f"\t{plain(option)}" for option in question.options]
        found = [_to_choice(question, i, waits, why) for i in range(len(texts))]
        marks = ["●" if waits != "" else "✓" if i == question.right else "✗" for i in range(len(texts))]
        return {"names": [*map(str.__add__, LETTERS, texts)], "chosen": [*map(str.__add__, marks, texts)],
                "responses": [*map(_alert, found)], "right": question.right}
    if not question.numbers:
        raise ValueError(f"question {question.name!r}: got a sketch, expected options or a number")
    answer, unit = question.numbers[0], html.escape(question.unit)
    exact = say("It is {number}.", number=f"{answer:g} {unit}".rstrip().replace("-", "−"))
    fold = f"<details><summary>{say('Answer')}</summary><p>{exact}</p>{why}</details>"
    high, low = (_verdict(way, False, say("Try again, or open the answer.")) + fold
                 for way in (say("Too high."), say("Too low.")))
    found = {"exact": _verdict(say("Yes."), True) + why, "near": _verdict(say("Yes."), True, exact) + why,
             "high": high, "low": low,
             "none": say("Type a number first, like 2.5 or 1/3."),
             "other": say("Type a number, like 2.5 or 1/3. This is not one: ¤.")}   # what was typed is put in there
    return {"number": answer, "tolerance": question.tolerance, "unit": unit,
            "responses": {name: _alert(words) for name, words in found.items()}}


def _to_choice(question: Question, i: int, waits: str | None, why: str) -> str:
    is_right, remark = i == question.right, inline(question.remarks[i])
    if waits is None:
        return say("You chose <b>{letter}</b>. The lessons will say whether it is right.", letter=LETTERS[i])
    if waits:
        answer = say("The answer is {letter}, “{option}”.", letter=LETTERS[question.right],
                     option=inline(question.options[question.right].rstrip(".。")))
        verdict = _verdict(say("You were right."), True) if is_right else _verdict(
            say("Not quite."), False, joined(remark, answer))
        chosen = say("You chose <b>{letter}</b>. Keep it in mind and go on to the experiment.", letter=LETTERS[i])
        return f"{chosen}<details><summary>{waits}</summary>{verdict}{why}</details>"
    if is_right:
        return _verdict(say("Yes."), True, remark) + why
    remark = remark or say("Read the question once more.")
    return _verdict(say("Not quite."), False, joined(remark, say("Choose again.")))


def _verdict(words: str, is_right: bool, more: str = "") -> str:
    """The verdict with its sign, which the style sheet draws, and what follows it."""
    return f"<p class='wb-verdict wb-{'right' if is_right else 'wrong'}'>{joined(f'<b>{words}</b>', more)}</p>"


def _alert(words: str) -> str:
    return f"<div role='alert'>{words}</div>"


def _counts(n: int) -> list[list[str]]:
    """The line below n questions, for [so many right, so many wrong] at the first try."""
    def line(right: int, wrong: int) -> str:
        if right + wrong == 0:
            return say_count("{n} question. A wrong answer costs nothing: it says what to think about again.",
                             "{n} questions. A wrong answer costs nothing: it says what to think about again.", n)
        if right + wrong < n:
            return say("{right} right at the first try, {left} to go.", right=right, left=n - right - wrong)
        if right == n:
            return say("{n} of {n} right at the first try.", n=n)
        return say("{right} of {n} right at the first try. Come back to the others tomorrow: that is how they stick.",
                   right=right, n=n)

    return [[line(right, wrong) for wrong in range(n - right + 1)] for right in range(n + 1)]


class TaskOutcome:
    """Whether a task is `solved`, with the words that a cell shows. answer: the text in a fold. picture: HTML."""

    def __init__(self, solved: bool, words: str, answer: str = "", picture: str = ""):
        self.solved, self.words, self.answer, self.picture = solved, words, answer, picture

    def __repr__(self) -> str:
        return plain(self.words)

    def _repr_html_(self) -> str:
        words = inline(self.words)
        if self.answer:
            words = (f"<div class='wb-ask-title'>{say('Your turn')}</div>{words}"
                     f"<details><summary>{say('Answer')}</summary><p>{inline(self.answer)}</p></details>")
        else:
            words = f"<p class='wb-verdict wb-{'right' if self.solved else 'wrong'}'>{words}</p>"
        return f"{STYLE}<div role='alert' class='wb-ask'>{words}{self.picture}</div>"


def judged(question: Question, answer) -> TaskOutcome:
    """Is `answer`, a number or an array, what the task asks for? ValueError for a question that asks for no number."""
    if not question.numbers:
        raise ValueError(f"question: got {question.name!r}, which asks for no number, expected the name of a task")
    if answer is ...:
        numbers = ", ".join(f"{number:g}" for number in question.numbers).replace("-", "−")
        words = joined(question.text, say("Write it in place of the three dots and run the cell again."))
        return TaskOutcome(False, words, f"**{numbers}.** {question.why}")
    problem = _problem(question, answer)
    if not problem:
        shown = let_figure_answer(question) if question.figure else {}
        look = say("The figure above shows it now.") if "above" in shown else ""
        words = f"**{say('Yes.')}** {joined(question.why, look)}".rstrip()
        return TaskOutcome(True, words, picture=shown.get("picture", ""))
    return TaskOutcome(False, f"**{say('Not yet.')}** {joined(problem, question.hint)}".rstrip())


def _problem(question: Question, answer) -> str:
    """What is wrong with an answer; "" if nothing is."""
    try:
        numbers = np.asarray(answer.detach() if hasattr(answer, "detach") else answer, dtype=float)
    except (TypeError, ValueError):
        return say("Your answer is of type {type}; a number or an array of numbers was expected.",
                   type=type(answer).__name__)
    expected = np.array(question.numbers) if len(question.numbers) > 1 else np.array(question.numbers[0])
    if numbers.shape != expected.shape:
        got, wanted = (say("an array of shape {shape}", shape=array.shape) if array.shape else say("one number")
                       for array in (numbers, expected))
        return say("You have {got}; {wanted} was expected.", got=got, wanted=wanted)
    wrong = np.flatnonzero(~(np.abs(numbers - expected) <= question.tolerance + 1e-12))
    if not len(wrong):
        return ""
    got, right = numbers.flat[wrong[0]], expected.flat[wrong[0]]
    which = say("Number {i} of {n}", i=wrong[0] + 1, n=expected.size) if expected.shape else say("Your number")
    if np.isnan(got):
        return say("{which} is NaN, which is not a number.", which=which)
    if got > right:
        return say("{which} is {number}, which is too high.", which=which, number=f"{got:.4g}")
    return say("{which} is {number}, which is too low.", which=which, number=f"{got:.4g}")
