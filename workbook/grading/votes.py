"""What a class answered to the questions of the lessons, and what it gained between the concept test's two forms."""
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from workbook import course
from workbook.questions.questions import VERDICTS, Question, every, plain

NUMBERS = ("right", "too low", "too high")              # what is counted of answers to a question for a number

Given = dict[str, dict[int, list[str]]]                 # question -> student -> choices, the latest last


@dataclass(frozen=True)
class Vote:
    """choices: words -> (how many chose them first, how many last). again: how many of `n` answered more than once."""

    question: Question
    choices: dict[str, tuple[int, int]]
    right: str
    n: int
    again: int


@dataclass(frozen=True)
class Gain:
    """before, after: (how many were right, of how many) in the two forms. gain: of the `both` who answered both forms,
    what was gained of what could be, (after − before) / (1 − before) in shares right; None where nothing could be.
    """

    question: Question
    before: tuple[int, int]
    after: tuple[int, int]
    both: int
    gain: float | None


def given(answers: Iterable[Iterable[tuple[str, str, str]]]) -> Given:
    """The answers of each student, (when, question, choice), by question. Only what could be chosen is counted."""
    known, found = every(course.TEXTS), {}
    for student, theirs in enumerate(answers):
        for _, name, choice in sorted(set(theirs)):
            if name in known and (heard := _heard(known[name], choice)):
                found.setdefault(name, {}).setdefault(student, []).append(heard)
    return found


def votes(found: Given) -> dict[str, list[Vote]]:
    """The questions that somebody answered, by the notebook that asks them."""
    notebooks: dict[str, list[Vote]] = {}
    for name, question in every(course.TEXTS).items():
        if theirs := [*found.get(name, {}).values()]:
            first, last = (Counter(choices[i] for choices in theirs) for i in (0, -1))
            choices = {words: (first[words], last[words]) for words in _choices(question)}
            again = sum(len(each) > 1 for each in theirs)
            vote = Vote(question, choices, _choices(question)[question.right], len(theirs), again)
            notebooks.setdefault(name.partition("-")[0], []).append(vote)
    return notebooks


def gains(found: Given) -> list[Gain]:
    """For each question of the concept test, if somebody answered it before or after. The first answers count."""
    known, gained = every(course.TEXTS), []
    before, after = course.CONCEPTS
    for question in [known[name] for name in known if name.startswith(f"{before}-")]:
        early, late = (_right(each, found) for each in (question, known[after + question.name.removeprefix(before)]))
        if early or late:
            both = early.keys() & late.keys()
            first, last = (sum(form[student] for student in both) for form in (early, late))
            gain = (last - first) / (len(both) - first) if first < len(both) else None
            gained.append(Gain(question, *((sum(form.values()), len(form)) for form in (early, late)), len(both), gain))
    return gained


def _right(question: Question, found: Given) -> dict[int, bool]:
    """Student -> whether the first answer was right."""
    right = _choices(question)[question.right]
    return {student: choices[0] == right for student, choices in found.get(question.name, {}).items()}


def _choices(question: Question) -> tuple[str, ...]:
    """What can be chosen; the right one is at `question.right`."""
    return tuple(map(plain, question.options)) or (VERDICTS if question.axes else NUMBERS)


def _heard(question: Question, choice: str) -> str:
    """The answer as it is counted; "" for one that cannot be given, or was given to another edition of the question."""
    if not question.numbers:
        return choice if choice in _choices(question) else ""
    try:
        above, *below = choice.replace(",", ".").replace("−", "-").split("/")
        off = float(above) / float(*below or (1,)) - question.numbers[0]
    except (ValueError, TypeError, ZeroDivisionError):      # no number, also not one like 1/3
        return ""
    return NUMBERS[0 if abs(off) <= question.tolerance + 1e-12 else 1 if off < 0 else 2]
