"""A small task inside a lesson: a line of code that the student writes, judged by its result."""
import numpy as np

from workbook.lesson.pieces import STYLE
from workbook.lesson.questions import Question, inline, plain


def judged(question: Question, answer) -> "TaskOutcome":
    """Is `answer`, a number or an array, what the task asks for? ValueError for a question that asks for no number."""
    if not question.numbers:
        raise ValueError(f"question: got {question.name!r}, which asks for no number, expected the name of a task")
    return TaskOutcome(*_judge(question, answer))


class TaskOutcome:
    """What became of a task: `solved`, and the words for it, shown when a cell ends with it."""

    def __init__(self, solved: bool, words: str):
        self.solved, self.words = solved, words

    def __repr__(self) -> str:
        return plain(self.words)

    def _repr_html_(self) -> str:
        return f"{STYLE}<div role='alert' class='wb-ask'>{inline(self.words)}</div>"


def _judge(question: Question, answer) -> tuple[bool, str]:
    if answer is ...:
        return False, f"**Your turn.** {question.text} Write it in place of the three dots and run the cell again."
    hint = f" {question.hint}" if question.hint else ""
    try:
        numbers = np.asarray(answer.detach() if hasattr(answer, "detach") else answer, dtype=float)
    except (TypeError, ValueError):
        got = type(answer).__name__
        return False, f"**Not yet.** Your answer is of type {got}; a number or an array of numbers was expected.{hint}"
    expected = np.array(question.numbers)
    wanted = () if len(expected) == 1 else expected.shape
    if numbers.shape != wanted:
        asked = f"an array of shape {wanted}" if wanted else "one number"
        got = f"an array of shape {numbers.shape}" if numbers.shape else "one number"
        return False, f"**Not yet.** You have {got}; {asked} was expected.{hint}"
    wrong = ~(np.abs(numbers - expected) <= question.tolerance + 1e-12)
    if not wrong.any():
        return True, f"**Yes.** {question.why}"
    first = int(np.flatnonzero(wrong.ravel())[0])
    got, right = numbers.ravel()[first], expected[first]
    which = f"Number {first + 1} of {len(expected)}" if wanted else "Your number"
    side = f"{got:.4g}, which is too {'high' if got > right else 'low'}"
    return False, f"**Not yet.** {which} is {'NaN, which is not a number' if np.isnan(got) else side}.{hint}"
