"""What is stored below a cell: whether it shows the questions as their texts are now, and when a build keeps it."""
import base64
import html
import io
import json
import re
from collections.abc import Iterator

import numpy as np
from IPython.core.formatters import DisplayFormatter
from nbformat import NotebookNode
from PIL import Image, ImageFilter

from workbook import course, pictures
from workbook.checks.item import count

MEASURED = "measured"                                    # the tag of a cell that shows times or rounding errors
_ASKED = re.compile(r'^lesson\.(predict|predict_number|sketch|court|quiz|task|case)\("([^"]+)"', flags=re.MULTILINE)
_PNG = re.compile(r"iVBORw0KGgo[A-Za-z0-9+/=]*")         # as every PNG in base64 begins
_NUMBER = re.compile(r"\d[\d,]*(\.\d+)?(e[-+]?\d+)?( (µs|ms|s)\b)?")
_FAINT, _FEW = 64, 0.02                                  # levels of 255, and a share of the pixels


def stale_questions(notebook: NotebookNode) -> Iterator[str]:
    """The questions, as their cells name them, whose text is not the one that a notebook's outputs show."""
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        for kind, name in _ASKED.findall(cell.source)[-1:]:             # a cell shows the last
            if kind == "task" and "= ..." not in cell.source:           # its output is about the cell's own answer
                continue
            try:
                shown = any(_says(kind, name, output.data) for output in cell.outputs if "data" in output)
            except ValueError:                                          # of another kind, as a run explains
                shown = False
            if not shown:
                yield name


def stale_checks(notebook: NotebookNode, exercise) -> list[str]:
    """The items whose number of problems is not the one that a solved notebook's outputs say."""
    said = "\n".join(output.get("data", output).get("text/plain", output.get("text", ""))
                     for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)
    return [item.name for item in exercise.items
            if f"{item.name} holds: {count(len(item.problems()), 'problem')}, " not in said]


def _says(kind: str, name: str, data: dict) -> bool:
    """Whether the output `data` of the call lesson.KIND("NAME", ...) is what the question's text makes now."""
    if kind == "case":
        claim, ruling = map(pictures.plain, course.module("lesson").claim_and_ruling(name))
        words = data.get("text/plain", "")
        return words.startswith(claim) and words.endswith(ruling)
    points = ([0, 1], [0, 1]) if kind == "sketch" else ()               # the cell's own come from what it computes
    made, _ = DisplayFormatter().format(getattr(course.module("lesson"), kind)(name, *points))
    return all(_words(data.get(mime, "")) == _words(made[mime]) for mime in ("text/plain", "text/html"))


def _words(text: str) -> tuple[str, list]:
    """An output without its style sheet and the data of a sketch, and of those data the words."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    about = re.search(r'data-sketch="([^"]*)"', text)
    words = json.loads(html.unescape(about[1])) if about else {}
    return text.replace(about[0], "") if about else text, [words.get(key) for key in ("head", "why", "names")]


def keep_outputs(stored: NotebookNode, made: NotebookNode) -> None:
    """Put the stored outputs back where those of the notebook `made`, which has just been run, show nothing new.

    A picture with the same pixels is nothing new. Where neither the cell nor the code above it changed, nor is one that
    only rounding on another processor makes different, nor are other numbers in a cell tagged `measured`.
    """
    by_id, unchanged = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}, True
    for cell in (cell for cell in made.cells if cell.cell_type == "code"):
        old = by_id.get(cell.id)
        unchanged = unchanged and old is not None and old.source == cell.source
        measured = unchanged and MEASURED in cell.metadata.get("tags", [])
        for before, now in zip(old.outputs if old else [], cell.outputs):
            for part in {"data", "text"} & set(before) & set(now):
                if _looks_the_same(before[part], now[part], unchanged, measured):
                    now[part] = before[part]


def _looks_the_same(before: dict | str, now: dict | str, unchanged: bool, measured: bool) -> bool:
    before, now = (json.dumps(part, sort_keys=True, ensure_ascii=False) for part in (before, now))
    words = [_PNG.sub("", text) for text in (before, now)]
    if measured:
        return _NUMBER.sub("0", words[0]) == _NUMBER.sub("0", words[1])
    pairs = zip(_PNG.findall(before), _PNG.findall(now))
    return words[0] == words[1] and all(_same_picture(*pair, unchanged) for pair in pairs)


def _same_picture(before: str, now: str, unchanged: bool) -> bool:
    """Whether two PNGs, in base64, have the same pixels; or if `unchanged` at least up to what moves a faint edge."""
    if before == now:
        return True
    both = [Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA") for png in (before, now)]
    if both[0].size != both[1].size:
        return False
    difference = np.abs(np.subtract(*both, dtype=int)).max(axis=-1)                       # (height, width)
    brightest, darkest = ([np.array(image.filter(each(3))) for image in both]
                          for each in (ImageFilter.MaxFilter, ImageFilter.MinFilter))
    inside = np.equal(brightest, darkest).all(axis=(0, -1))             # of areas of one colour in both, not on an edge
    return not difference.any() or (unchanged and difference.max() <= _FAINT and np.mean(difference > 1) <= _FEW
                                    and not np.any(difference[inside] > 1))
