"""The pieces of a lesson as widgets: a question, a prediction, a number, a court, a quiz."""
from __future__ import annotations

import html
from collections.abc import Callable

import ipywidgets

from nwlab import palette
from nwlab.lesson.questions import LETTERS, Question, find, inline, make, plain, read_number, starting_with
from nwlab.lesson.rerun import replace_earlier_run



def predict(question: str, options=None, answer=None, why: str = "") -> Piece:
    """A multiple-choice commitment. After the choice a fold opens on verdict and `why`; look at the experiment first.

    question: a name from the question files; or the question itself, and then
    options: a list of texts, or {text: remark}; a remark is shown to whoever chooses that option,
    answer: the letter of the right option ("A" for the first), or its text,
    why: the explanation. `code`, *emphasis* and **strong** are understood in all but the options.
    Raises ValueError for an unknown name or an answer that is no option.
    """
    question = find(question) if options is None else make(question, options, answer, why)
    return replace_earlier_run(Choice(question, "Predict", waits="You have looked? Open: were you right, and why"))


def predict_number(question: str, answer: float | None = None, tolerance: float = 0.0, why: str = "",
                   unit: str = "") -> Piece:
    """A number to commit to, judged at once: right within `tolerance`, or too high or too low; `why` follows.

    question: a name from the question files, or the question itself with all the others.
    """
    question = find(question) if answer is None else Question("", question, number=float(answer), unit=unit,
                                                              tolerance=float(tolerance), why=why)
    return replace_earlier_run(Number(question, "Predict"))


def court(claim: str, options=None, answer=None, why: str = "") -> Piece:
    """Forum court: a claim somebody made, your verdict, then the experiment, then the ruling. Arguments as `predict`."""
    question = find(claim) if options is None else make(claim, options, answer, why)
    waits = "You have seen the experiment? Open: the ruling"
    return replace_earlier_run(Choice(question, "Forum court: the claim", waits=waits))


def quiz(*questions) -> Quiz:
    """Several questions, each answered at once, and a line that counts.

    questions: names, beginnings of names ("01-check" for 01-check-1, 01-check-2 ...), or tuples of the arguments of
    `predict`.
    """
    found = []
    for question in questions:
        found += starting_with(question) if isinstance(question, str) else [make(*question)]
    return replace_earlier_run(Quiz(found))


class Piece(ipywidgets.VBox):
    """A question in the page. `answered` is None, then "right" or "wrong" at the first try."""

    def __init__(self, question: Question, title: str, number: int = 0):
        self.question, self.title = question, title
        self.answered: str | None = None
        self.on_answer: Callable[[], None] | None = None
        head = f"{number}. " if number else ""
        self.words = ipywidgets.HTML(
            f"{_STYLE}<div class='nwlab-ask-title'>{html.escape(title)}</div>" if title else _STYLE)
        self.words.value += f"<div>{head}{inline(question.text)}</div>"
        self.feedback = ipywidgets.HTML()
        super().__init__([self.words, *self._controls(), self.feedback])
        self.add_class("nwlab-ask")

    def _controls(self) -> list[ipywidgets.Widget]:
        raise NotImplementedError

    def _say(self, words: str, right: bool | None) -> None:
        """Show feedback, and remember the first verdict; None is no verdict."""
        self.feedback.value = f"<div role='alert'>{words}</div>"
        if right is not None and self.answered is None:
            self.answered = "right" if right else "wrong"
        if self.on_answer:
            self.on_answer()

    def _repr_mimebundle_(self, **kwargs):
        """The live question, and beside it the question in plain words for readers without a kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle = bundle[0] if isinstance(bundle, tuple) else bundle
        title = f"{self.title}. " if self.title else ""
        return {**bundle, "text/plain": title + self.question.as_text(), "text/html": self.question.as_html(self.title)}


class Choice(Piece):
    """Options to press. `waits`: the verdict is folded away under these words; "" says it at once."""

    def __init__(self, question: Question, title: str, waits: str = "", number: int = 0):
        if not question.options:
            raise ValueError(f"question {question.name or question.text!r}: got no options, expected at least two")
        self.waits, self.chosen = waits, None
        super().__init__(question, title, number)

    def _controls(self):
        self.buttons = []
        for index in range(len(self.question.options)):
            button = ipywidgets.Button(layout={"width": "auto", "height": "auto"})
            button.on_click(lambda _, index=index: self.choose(index))
            button.add_class("nwlab-option")
            self.buttons.append(button)
        self._name_buttons()
        return [ipywidgets.VBox(self.buttons, layout={"align_items": "flex-start"})]

    def _name_buttons(self) -> None:
        for index, (button, option) in enumerate(zip(self.buttons, self.question.options)):
            mark = LETTERS[index]
            if index == self.chosen:
                mark = "●" if self.waits else "✓" if index == self.question.right else "✗"
            button.description = f"{mark}\u2003{plain(option)}"

    def choose(self, index: int) -> None:
        """What pressing option `index` (from 0) does."""
        question, right = self.question, index == self.question.right
        self.chosen = index
        self._name_buttons()
        for other, button in enumerate(self.buttons):
            (button.add_class if other == index else button.remove_class)("nwlab-chosen")
        remark = inline(question.remarks[index])
        why = f"<p>{inline(question.why)}</p>" if question.why else ""
        correct = f"<b>{LETTERS[question.right]}</b> is right."
        if self.waits:
            verdict = f"<b>{LETTERS[index]}</b> is right." if right else f"{remark or 'Not quite.'} {correct}"
            words = (f"You said <b>{LETTERS[index]}</b>. Keep it in mind and go on to the experiment."
                     f"<details><summary>{self.waits}</summary><p>{verdict}</p>{why}</details>")
        elif right:
            words = f"<b>Yes.</b> {remark}{why}"
        else:
            words = f"<b>Not quite.</b> {remark or 'Read the question once more.'} Choose again."
        self._say(words, right)


class Number(Piece):
    """A number to type, judged at once."""

    def _controls(self):
        self.field = ipywidgets.Text(placeholder="a number", layout={"width": "120px"}, continuous_update=False)
        self.field.observe(lambda change: change["new"] and self.judge(), names="value")     # Enter, or leaving it
        self.button = ipywidgets.Button(description="commit", layout={"width": "auto"})
        self.button.on_click(lambda _: self.judge())
        unit = ipywidgets.HTML(html.escape(self.question.unit))
        return [ipywidgets.HBox([self.field, unit, self.button], layout={"align_items": "center"})]

    def judge(self, text: str | None = None) -> None:
        """What committing to a number does."""
        if text is not None:
            self.field.value = text
        question = self.question
        try:
            guess = read_number(self.field.value)
        except ValueError as error:
            return self._say(html.escape(str(error)), None)
        right = abs(guess - question.number) <= question.tolerance + 1e-12
        unit = f" {html.escape(question.unit)}" if question.unit else ""
        exact = f"{question.number:g}{unit}".replace("-", "−")
        why = f"<p>{inline(question.why)}</p>" if question.why else ""
        if right:
            about = "" if guess == question.number else f" It is {exact}."
            self._say(f"<b>Yes.</b>{about}{why}", True)
        else:
            side = "high" if guess > question.number else "low"
            self._say(f"<b>Too {side}.</b> Try again, or open the answer."
                      f"<details><summary>Answer</summary><p>It is {exact}.</p>{why}</details>", False)


class Quiz(ipywidgets.VBox):
    """Questions answered at once, and a line that counts."""

    def __init__(self, questions: list[Question]):
        self.pieces = [(Choice if question.options else Number)(question, "", number=i)
                       for i, question in enumerate(questions, start=1)]
        self.count = ipywidgets.HTML(_STYLE)
        self.count.add_class("nwlab-ask-count")
        for piece in self.pieces:
            piece.on_answer = self._recount
        self._recount()
        super().__init__([*self.pieces, self.count])

    def _recount(self) -> None:
        answers = [piece.answered for piece in self.pieces]
        right, wrong, n = answers.count("right"), answers.count("wrong"), len(answers)
        if right + wrong == 0:
            words = f"{n} questions. Wrong answers cost nothing: each says what to think about again."
        elif right + wrong < n:
            words = f"{right} right at the first try, {n - right - wrong} to go."
        else:
            words = f"{right} of {n} right at the first try." + (
                "" if right == n else " Come back to the others tomorrow: that is when it sticks.")
        self.count.value = f"{_STYLE}{words}"

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle = bundle[0] if isinstance(bundle, tuple) else bundle
        numbered = [(f"{i}", piece.question) for i, piece in enumerate(self.pieces, start=1)]
        return {**bundle, "text/plain": "\n\n".join(f"{i}. {question.as_text()}" for i, question in numbered),
                "text/html": "\n".join(question.as_html(i) for i, question in numbered)}


# Every colour is JupyterLab's own, so that both themes are right.
_STYLE = f"<style>{palette.style_sheet()}</style>" + """<style>
.nwlab-ask { border-left: 3px solid var(--jp-brand-color1, #1976d2); padding: 2px 0 2px 14px; margin: 8px 0 12px;
  max-width: 60em; overflow: visible; }
.nwlab-ask .widget-html-content, .nwlab-ask-count .widget-html-content { line-height: 1.5; white-space: normal;
  font-size: var(--jp-content-font-size1, 14px); color: var(--jp-content-font-color1, #1f2328); height: auto; }
.nwlab-ask .widget-html, .nwlab-ask-count.widget-html { height: auto; }
.nwlab-ask p { margin: 6px 0 0; }
.nwlab-ask-title { font-weight: 600; color: var(--jp-brand-color1, #1976d2); }
.nwlab-ask .jupyter-button.nwlab-option { white-space: normal; text-align: left; line-height: 1.4; min-height: 30px;
  padding: 4px 14px 4px 10px; font-size: var(--jp-content-font-size1, 14px); color: var(--jp-ui-font-color0, #000);
  background: var(--jp-layout-color2, #eee); border: 1px solid var(--jp-border-color1, #bbb); border-radius: 3px; }
.nwlab-ask .jupyter-button:focus-visible, .nwlab-ask summary:focus-visible {
  outline: 2px solid var(--jp-brand-color1, #1976d2); outline-offset: 1px; }
.nwlab-ask .jupyter-button.nwlab-chosen { border-color: var(--jp-brand-color1, #1976d2); border-width: 2px; }
.nwlab-ask summary { cursor: pointer; color: var(--jp-content-link-color, #0066cc); margin-top: 4px; }
.nwlab-ask code { padding: 1px 4px; }
</style>"""
