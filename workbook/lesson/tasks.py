"""A small task inside a lesson: a line of code that the student writes, judged by its result."""
import numpy as np

from workbook.lesson.pieces import STYLE
from workbook.lesson.questions import Question, inline, plain


class TaskOutcome:
    """Whether a task is `solved`, and the words for it, shown when a cell ends with it. answer: what is folded away."""

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
    verdict = f"{got:.4g}, which is too {'high' if got > right else 'low'}"
    return f"{which} is {'NaN, which is not a number' if np.isnan(got) else verdict}."
