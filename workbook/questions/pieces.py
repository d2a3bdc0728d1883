"""Questions as widgets: a choice, a number, a quiz; and the outcome of a task in code."""
import html
from pathlib import Path

import ipywidgets
import numpy as np

from workbook import palette
from workbook.questions.questions import LETTERS, Question, inline, plain, read_number
from workbook.questions.rerun import Shown, view


class Piece(Shown):
    """A question on the page, with the `_controls()` of its kind. `answered`: None, then "right" or "wrong"."""

    def __init__(self, question: Question, title: str, number: int = 0):
        self.question, self.title = question, title
        self.answered, self.on_answer = None, None
        head = f"{number}. " if number else ""
        title = f"<div class='wb-ask-title'>{html.escape(title)}</div>" if title else ""
        self.words = ipywidgets.HTML(f"{STYLE}{title}<div>{head}{inline(question.text)}</div>")
        self.feedback = ipywidgets.HTML()
        self.why = f"<p>{inline(question.why)}</p>"
        super().__init__([self.words, *self._controls(), self.feedback])
        self.add_class("wb-ask")

    def _say(self, words: str, right: bool | None) -> None:
        """Show feedback, and remember the first verdict; None for no verdict."""
        self.feedback.value = f"<div role='alert'>{words}</div>"
        if right is not None and self.answered is None:
            self.answered = "right" if right else "wrong"
        if self.on_answer:
            self.on_answer()

    def _repr_mimebundle_(self, **kwargs):
        """The live question, and the question in plain words for readers without a kernel."""
        return {**view(self), "text/plain": f"{self.title}. {self.question.as_text()}",
                "text/html": self.question.as_html(self.title)}


class Choice(Piece):
    """Options to press. waits: the words of the fold with the verdict; "" shows it at once."""

    def __init__(self, question: Question, title: str, waits: str = "", number: int = 0):
        if not question.options:
            raise ValueError(f"question {question.name!r}: got no options, expected at least two")
        self.waits, self.chosen = waits, None
        super().__init__(question, title, number)

    def _controls(self):
        self.buttons = [ipywidgets.Button(layout={"width": "auto", "height": "auto"}) for _ in self.question.options]
        for index, button in enumerate(self.buttons):
            button.on_click(lambda _, index=index: self.choose(index))
            button.add_class("wb-option")
        self._label_buttons()
        return [ipywidgets.VBox(self.buttons, layout={"align_items": "flex-start"})]

    def _label_buttons(self) -> None:
        for index, (button, option) in enumerate(zip(self.buttons, self.question.options)):
            mark = LETTERS[index]
            if index == self.chosen:
                mark = "●" if self.waits else "✓" if index == self.question.right else "✗"
            button.description = f"{mark}\u2003{plain(option)}"
            change_class = button.add_class if index == self.chosen else button.remove_class
            change_class("wb-chosen")

    def choose(self, index: int) -> None:
        """What pressing option `index` (from 0) does."""
        self.chosen, right = index, index == self.question.right
        self._label_buttons()
        remark = inline(self.question.remarks[index])
        if self.waits:
            wrong = "" if right else f"{remark or 'Not quite.'} "
            words = (f"You chose <b>{LETTERS[index]}</b>. Keep it in mind and go on to the experiment."
                     f"<details><summary>{self.waits}</summary>"
                     f"<p>{wrong}<b>{LETTERS[self.question.right]}</b> is right.</p>{self.why}</details>")
        elif right:
            words = f"<b>Yes.</b> {remark}{self.why}"
        else:
            words = f"<b>Not quite.</b> {remark or 'Read the question once more.'} Choose again."
        self._say(words, right)


class Number(Piece):
    """A number to type, judged at once."""

    def _controls(self):
        self.field = ipywidgets.Text(placeholder="a number", layout={"width": "120px"}, continuous_update=False)
        self.field.observe(lambda change: change["new"] and self.judge(), names="value")     # on Enter or on leaving it
        self.button = ipywidgets.Button(description="commit", layout={"width": "auto"})
        self.button.on_click(lambda _: self.judge())
        unit = ipywidgets.HTML(html.escape(self.question.unit))
        return [ipywidgets.HBox([self.field, unit, self.button], layout={"align_items": "center"})]

    def judge(self, text: str | None = None) -> None:
        """What committing to a number does."""
        if text is not None:
            self.field.value = text
        try:
            guess = read_number(self.field.value)
        except ValueError as error:
            return self._say(html.escape(str(error)), None)
        answer, unit = self.question.numbers[0], html.escape(self.question.unit)
        exact = f" It is {answer:g} {unit}".rstrip().replace("-", "−") + "."
        if abs(guess - answer) <= self.question.tolerance + 1e-12:
            self._say(f"<b>Yes.</b>{'' if guess == answer else exact}{self.why}", True)
        else:
            self._say(f"<b>Too {'high' if guess > answer else 'low'}.</b> Try again, or open the answer."
                      f"<details><summary>Answer</summary><p>{exact.strip()}</p>{self.why}</details>", False)


class Quiz(Shown):
    """Questions judged at once, and a line that counts the right ones."""

    def __init__(self, questions: list[Question]):
        self.pieces = [(Choice if question.options else Number)(question, "", number=i)
                       for i, question in enumerate(questions, start=1)]
        self.count = ipywidgets.HTML(STYLE)
        self.count.add_class("wb-ask-count")
        for piece in self.pieces:
            piece.on_answer = self._recount
        self._recount()
        super().__init__([*self.pieces, self.count])

    def _recount(self) -> None:
        answers = [piece.answered for piece in self.pieces]
        right, wrong, n = answers.count("right"), answers.count("wrong"), len(answers)
        if right + wrong == 0:
            words = f"{n} question{'s' * (n != 1)}. A wrong answer costs nothing: it says what to think about again."
        elif right + wrong < n:
            words = f"{right} right at the first try, {n - right - wrong} to go."
        else:
            words = f"{right} of {n} right at the first try." + (
                "" if right == n else " Come back to the others tomorrow: that is how they stick.")
        self.count.value = f"{STYLE}{words}"

    def _repr_mimebundle_(self, **kwargs):
        numbered = [(f"{i}", piece.question) for i, piece in enumerate(self.pieces, start=1)]
        return {**view(self), "text/plain": "\n\n".join(f"{i}. {question.as_text()}" for i, question in numbered),
                "text/html": "\n".join(question.as_html(i) for i, question in numbered)}


# Every colour is JupyterLab's own, so that both themes are right.
STYLE = f"<style>{palette.style_sheet()}{Path(__file__).with_name('pieces.css').read_text(encoding='utf-8')}</style>"


class TaskOutcome:
    """Whether a task is `solved`, with the words that a cell shows. answer: the text in a fold, or ""."""

    def __init__(self, solved: bool, words: str, answer: str = ""):
        self.solved, self.words, self.answer = solved, words, answer

    def __repr__(self) -> str:
        return plain(self.words)

    def _repr_html_(self) -> str:
        fold = f"<details><summary>Answer</summary><p>{inline(self.answer)}</p></details>" if self.answer else ""
        return f"{STYLE}<div role='alert' class='wb-ask'>{inline(self.words)}{fold}</div>"


def judged(question: Question, answer) -> TaskOutcome:
    """Is `answer`, a number or an array, what the task asks for? ValueError for a question that asks for no number."""
    if not question.numbers:
        raise ValueError(f"question: got {question.name!r}, which asks for no number, expected the name of a task")
    if answer is ...:
        numbers = ", ".join(f"{number:g}" for number in question.numbers).replace("-", "−")
        return TaskOutcome(False, f"**Your turn.** {question.text} Write it in place of the three dots and run the "
                                  "cell again.", f"**{numbers}.** {question.why}")
    problem = _problem(question, answer)
    if not problem:
        return TaskOutcome(True, f"**Yes.** {question.why}")
    return TaskOutcome(False, f"**Not yet.** {problem} {question.hint}".rstrip())


def _problem(question: Question, answer) -> str:
    """What is wrong with an answer; "" if nothing is."""
    try:
        numbers = np.asarray(answer.detach() if hasattr(answer, "detach") else answer, dtype=float)
    except (TypeError, ValueError):
        return f"Your answer is of type {type(answer).__name__}; a number or an array of numbers was expected."
    expected = np.array(question.numbers) if len(question.numbers) > 1 else np.array(question.numbers[0])
    if numbers.shape != expected.shape:
        got, wanted = (f"an array of shape {array.shape}" if array.shape else "one number"
                       for array in (numbers, expected))
        return f"You have {got}; {wanted} was expected."
    wrong = np.flatnonzero(~(np.abs(numbers - expected) <= question.tolerance + 1e-12))
    if not len(wrong):
        return ""
    got, right = numbers.flat[wrong[0]], expected.flat[wrong[0]]
    which = f"Number {wrong[0] + 1} of {expected.size}" if expected.shape else "Your number"
    if np.isnan(got):
        return f"{which} is NaN, which is not a number."
    return f"{which} is {got:.4g}, which is too {'high' if got > right else 'low'}."
