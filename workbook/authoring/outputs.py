"""What a build stored below a cell, held against the texts of the questions."""
import html
import json
import re
from collections.abc import Iterator

from IPython.core.formatters import DisplayFormatter
from nbformat import NotebookNode

from workbook import pictures
from workbook.course import Course
from workbook.lesson import Lessons

_ASKED = re.compile(r'^lesson\.(predict|predict_number|sketch|court|quiz|task|case)\("([^"]+)"', flags=re.MULTILINE)


def stale_questions(notebook: NotebookNode, course: Course) -> Iterator[str]:
    """The questions, as their cells name them, whose text is not the one that a notebook's outputs show."""
    lessons = Lessons(course)
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        for kind, name in _ASKED.findall(cell.source)[-1:]:             # a cell shows the last
            if kind == "task" and "= ..." not in cell.source:           # its output is about the cell's own answer
                continue
            try:
                shown = any(_says(kind, name, output.data, lessons) for output in cell.outputs if "data" in output)
            except ValueError:                                          # of another kind, as a run explains
                shown = False
            if not shown:
                yield name


def _says(kind: str, name: str, data: dict, lessons: Lessons) -> bool:
    """Whether the output `data` of the call lesson.KIND("NAME", ...) is what the question's text makes now."""
    if kind == "case":
        claim, ruling = map(pictures.plain, lessons.claim_and_ruling(name))
        words = data.get("text/plain", "")
        return words.startswith(claim) and words.endswith(ruling)
    points = ([0, 1], [0, 1]) if kind == "sketch" else ()               # the cell's own come from what it computes
    made, _ = DisplayFormatter().format(getattr(lessons, kind)(name, *points))
    return all(_words(data.get(mime, "")) == _words(made[mime]) for mime in ("text/plain", "text/html"))


def _words(text: str) -> tuple[str, list]:
    """An output without its style sheet and the data of a sketch, and of those data the words."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    about = re.search(r'data-sketch="([^"]*)"', text)
    words = json.loads(html.unescape(about[1])) if about else {}
    return text.replace(about[0], "") if about else text, [words.get(key) for key in ("head", "why", "names")]
