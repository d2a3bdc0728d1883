"""What a class answered to the questions of the lessons, and what it gained between the concept test's two forms."""
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from workbook import course
from workbook.questions.questions import VERDICTS, Question, every, plain

NUMBERS = ("right", "too low", "too high")              # what is counted of answers to a question for a number

Given = dict[Question, dict[int, list[int]]]            # question -> student -> which choices, the latest last


class Vote(NamedTuple):
    """choices: words -> (how many chose them first, how many last). again: how many of `n` answered more than once."""

    question: Question
    choices: dict[str, tuple[int, int]]
    n: int
    again: int


class Gain(NamedTuple):
    """question: in its form before. before, after: (how many were right, of how many). gain: of the `both` who answered
    both forms, what was gained of what could be, (after − before) / (1 − before) in shares right; None of nothing.
    """

    question: Question
    before: tuple[int, int]
    after: tuple[int, int]
    both: int
    gain: float | None


def given(answers: Iterable[Iterable[tuple[str, str, str]]]) -> Given:
    """The answers of each student, (when, question, choice), by question. Only what could be chosen is counted."""
    known = every(course.TEXTS)
    found: Given = {question: {} for question in known.values()}
    for student, theirs in enumerate(answers):
        for _, name, choice in sorted(set(theirs)):
            if name in known and (heard := _heard(known[name], choice)) is not None:
                found[known[name]].setdefault(student, []).append(heard)
    return found


def votes(found: Given) -> dict[str, list[Vote]]:
    """The questions that somebody answered, by the notebook that asks them."""
    notebooks: dict[str, list[Vote]] = {}
    for question, theirs in found.items():
        if theirs:
            first, last = (Counter(heard[place] for heard in theirs.values()) for place in (0, -1))
            choices = {words: (first[i], last[i]) for i, words in enumerate(_choices(question))}
            vote = Vote(question, choices, len(theirs), sum(len(heard) > 1 for heard in theirs.values()))
            notebooks.setdefault(question.name.partition("-")[0], []).append(vote)
    return notebooks


def gains(found: Given) -> list[Gain]:
    """For each question of the concept test, if somebody answered it before or after. The first answers count."""
    forms = [[(question, {student: heard[0] == question.right for student, heard in theirs.items()})
              for question, theirs in found.items() if question.name.startswith(form)] for form in course.CONCEPTS]
    gained = []
    for (question, before), (_, after) in zip(*forms):
        if before or after:
            both = before.keys() & after.keys()
            early, late = (sum(form[student] for student in both) for form in (before, after))
            gain = (late - early) / (len(both) - early) if early < len(both) else None
            counts = [(sum(form.values()), len(form)) for form in (before, after)]
            gained.append(Gain(question, *counts, len(both), gain))
    return gained


def _choices(question: Question) -> tuple[str, ...]:
    """What can be chosen; the right one is at `question.right`."""
    return tuple(map(plain, question.options)) or (VERDICTS if question.axes else NUMBERS)


def _heard(question: Question, choice: str) -> int | None:
    """Which choice it is; None for one that cannot be made, or was made in another edition of the question."""
    if not question.numbers:
        return _choices(question).index(choice) if choice in _choices(question) else None
    try:
        above, *below = choice.replace(",", ".").replace("−", "-").split("/")
        off = float(above) / float(*below or (1,)) - question.numbers[0]
    except (ValueError, TypeError, ZeroDivisionError):      # no number, also not one like 1/3
        return None
    return 0 if abs(off) <= question.tolerance + 1e-12 else 1 if off < 0 else 2
