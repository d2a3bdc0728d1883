"""What a stored output may hold: text that is the same everywhere, and pictures that last.

Outputs come from running the cells. Here they lose what belongs to one machine or one session, and everything that
would make nbval or a reader stumble later stops the build now.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from nbformat import NotebookNode

from .errors import BuildError
from .source import Cell

PNG = "image/png"
WIDGET = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"
_KEPT_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"pHYs", b"IDAT", b"IEND"}
_WIDGET_REPR = re.compile(r"\A[A-Z]\w*\((\w+=|\))")
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def tidy(outputs: list[NotebookNode], cell: Cell, path: Path, private: list[str]) -> list[NotebookNode]:
    """Return the outputs of ``cell`` as they are stored; raises ``BuildError`` for those that cannot be.

    ``path`` is the cell's source file and ``private`` the folders of this machine that no output may name.
    """
    shows_widget = any(has_widget(output) for output in outputs)
    kept = [_tidy_one(output) for output in outputs]
    for problem in _problems(kept, shows_widget, cell, private):
        raise BuildError(path, cell.line, f"cell {cell.id!r} {problem}")
    return kept


def pictures(output: NotebookNode) -> list[str]:
    """Return the picture types of one output."""
    return [kind for kind in output.get("data", {}) if kind.startswith("image/")]


def has_widget(output: NotebookNode) -> bool:
    return WIDGET in output.get("data", {})


def _tidy_one(output: NotebookNode) -> NotebookNode:
    data = output.get("data", {})
    if has_widget(output):
        del data[WIDGET]
        if PNG in data:
            data.pop("text/html", None)  # the same picture once more
        if _WIDGET_REPR.match(data.get("text/plain", "")):
            del data["text/plain"]  # VBox(children=(...)) says nothing to anyone
    if PNG in data:
        data[PNG] = plain_png(data[PNG])
    return output


def _problems(kept: list[NotebookNode], shows_widget: bool, cell: Cell, private: list[str]) -> Iterator[str]:
    shows_picture = any(pictures(output) for output in kept)
    if IGNORED not in cell.tags and (shows_picture or shows_widget):
        yield f"shows a {'picture' if shows_picture else 'widget'}, so it needs :tags: [{IGNORED}]"
    for output in kept:
        if not output.get("data", {"not": "data"}):
            yield ("shows a widget with neither a picture nor words, so a reader who has not run it sees nothing: "
                   "give it a _repr_mimebundle_ with image/png or text")
        if output.output_type == "stream" and output.name == "stderr" and "stderr-on-purpose" not in cell.tags:
            yield f"writes to stderr (tag it stderr-on-purpose if it should): {output.text.strip()}"
        text = "\n".join(_texts(output))
        if IGNORED not in cell.tags and _ADDRESS.search(text):
            yield f"shows a memory address, which differs in every run: {_ADDRESS.search(text)[0]!r}"
        for folder in private:
            if folder in text:
                yield f"names a folder of this machine, {folder!r}"


def _texts(output: NotebookNode) -> Iterator[str]:
    yield str(output.get("text", ""))
    yield "\n".join(output.get("traceback", []))
    for kind, value in output.get("data", {}).items():
        if not kind.startswith("image/"):
            yield str(value)


def plain_png(encoded: str) -> str:
    """Return a base64 PNG without what its writer added: software, version, date."""
    data = base64.b64decode(encoded)
    kept, at = [data[:8]], 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] in _KEPT_CHUNKS:
            kept.append(data[at : at + 12 + length])
        at += 12 + length
    return base64.b64encode(b"".join(kept)).decode("ascii")


def same_pixels(one: str, other: str) -> bool:
    """Whether two base64 PNGs show the same, however they were compressed."""
    if one == other:
        return True
    from PIL import Image  # comes with Matplotlib

    images = [Image.open(BytesIO(base64.b64decode(encoded))).convert("RGBA") for encoded in (one, other)]
    return images[0].size == images[1].size and images[0].tobytes() == images[1].tobytes()
