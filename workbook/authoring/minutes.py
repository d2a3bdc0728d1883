"""How long a notebook takes, counted from its source: README.md explains the formula under "Minutes"."""
import re
from collections.abc import Iterable
from pathlib import Path

from workbook.questions import questions

WORDS = 130                                              # that a slow reader reads in a minute
CELL, QUESTION, TASK, FIGURE = 1, 0.25, 3, 8             # minutes for each
LINE, WRITTEN, POINT = 0.75, 7, 7                        # of an exercise: a line of code, an answer in words, a point
QUESTIONS = re.compile(r'^lesson\.(predict|predict_number|sketch|court|quiz|task)\("([^"]+)"', flags=re.MULTILINE)
_ANSWER = re.compile(r"^ *(?:###|<!--) BEGIN SOLUTION.*?END SOLUTION[^\n]*$", flags=re.MULTILINE | re.DOTALL)
_FIGURE = re.compile(r"^explore\.", flags=re.MULTILINE)
_CHECK = re.compile(r"^\w+\.check_", flags=re.MULTILINE)


def minutes(cells: Iterable, texts: Path, more_points: int = 0) -> int:
    """The minutes of a notebook with these cells, to the nearest five.

    texts: the folder of the questions. more_points: those of an exercise's items beyond the first of each. BuildError
    for an unknown question.
    """
    words, total = 0, POINT * more_points
    for cell in cells:
        names = [name for _, name in QUESTIONS.findall(cell.text)]
        try:
            found = [question for name in names for question in questions.starting_with(name, texts)]
        except ValueError as error:
            raise cell.problem(str(error)) from None
        read = [_ANSWER.sub("", cell.text), *(text for one in found for text in (one.text, *one.options, one.why))]
        plain = re.sub(r"<[^>]+>", "", questions.without_claims(" ".join(read)))
        words += sum(bool(re.search(r"\w", word)) for word in plain.split())
        answers = _ANSWER.findall(cell.text)
        if cell.kind == "markdown":
            total += WRITTEN * len(answers)
        elif answers:
            lines = [line.strip() for answer in answers for line in answer.splitlines()]
            total += LINE * sum(bool(line) and not line.startswith("#") for line in lines)
        elif _FIGURE.search(cell.text):
            total += FIGURE
        elif found:
            total += TASK if "lesson.task(" in cell.text else QUESTION * len(found)
        elif not _CHECK.search(cell.text):
            total += CELL
    return max(5, 5 * round((words / WORDS + total) / 5))
