"""What a stored output may hold: text that is the same everywhere, and pictures; nothing of one machine or session."""
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from workbook.authoring.source import IGNORED, Cell

WIDGET = "application/vnd.jupyter.widget-view+json"
_WIDGET_REPR = re.compile(r"[A-Z]\w*\((\w+=|\))")        # VBox(children=...) says nothing to anyone
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def tidy(outputs: list[NotebookNode], cell: Cell, private: list[str]) -> list[NotebookNode]:
    """The outputs of `cell` as they are stored, without widgets. BuildError for one that nbval or a reader would
    stumble over. private: the folders of this machine that no output may name.
    """
    shown = "picture" if any(map(pictures, outputs)) else ""
    for data in (output.get("data", {}) for output in outputs):
        if data.pop(WIDGET, None) is not None:
            shown = shown or "widget"
            if _WIDGET_REPR.match(data.get("text/plain", "")):
                del data["text/plain"]
    problems = [problem for output in outputs for problem in _problems(output, cell, private)]
    if shown and IGNORED not in cell.tags:
        problems.insert(0, f"shows a {shown}, so it needs :tags: [{IGNORED}]")
    if problems:
        raise cell.problem(f"cell {cell.id!r} {problems[0]}")
    return outputs


def pictures(output: NotebookNode) -> list[str]:
    """The picture types of one output, HTML with a picture in it included (`workbook.pictures` makes that)."""
    return [kind for kind, content in output.get("data", {}).items()
            if kind.startswith("image/") or kind == "text/html" and "<img " in content]


def _problems(output: NotebookNode, cell: Cell, private: list[str]) -> Iterator[str]:
    if not output.get("data", {"text": "of a stream or an error"}):
        yield ("shows a widget with neither a picture nor words, so a reader who has not run it sees nothing: "
               "give it a _repr_mimebundle_ with a picture or text")
    if output.get("name") == "stderr":
        yield f"writes to stderr: {output.text.strip()}"
    text = str([value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")]
               + [output.get("text"), output.get("traceback")])
    if IGNORED not in cell.tags and (address := _ADDRESS.search(text)):
        yield f"shows a memory address, which differs in every run: {address[0]!r}"
    yield from (f"names a folder of this machine, {folder!r}" for folder in private if folder in text)
