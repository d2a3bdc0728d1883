"""A lesson in another language: the same code, cell by cell, and prose for as long as it is of today's English."""
import os
import re
from dataclasses import replace
from pathlib import Path

from workbook import language
from workbook.authoring.source import Lesson

_LINK = re.compile(r"""(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(#[\w-]+)?|(?<= src=")(?![a-z]+:)([^"]+)""")


def english(lesson: Lesson) -> dict[str, str]:
    """Key -> what is to be translated: title and summary under `about`, prose under the ids of its cells."""
    return {"about": f"{lesson.title}\n{lesson.summary}"} | {
        cell.id: cell.text for cell in lesson.cells if cell.kind == "markdown"}


def translated(lesson: Lesson, name: str) -> Lesson:
    """The lesson in a language. What is not translated as it stands today stays English, and is marked as that."""
    pieces = english(lesson)
    now = language.of_today(pieces, language.twin(lesson.path, name))
    title, _, summary = now.get("about", pieces["about"]).partition("\n")
    cells = [cell if cell.kind == "code" else replace(cell, text=now.get(cell.id) or _as_english(cell.text))
             for cell in lesson.cells]
    return replace(lesson, title=title, summary=summary.strip(), cells=cells)


def _as_english(text: str) -> str:
    """Prose marked as English for browsers and screen readers; not its headings, which begin sections of a page."""
    parts = [part.strip() for part in re.split(r"^(#{1,6} .+)$", text, flags=re.MULTILINE)]
    parts[::2] = [part and f'<div lang="en">\n\n{part}\n\n</div>' for part in parts[::2]]
    return "\n\n".join(filter(None, parts))


def relinked(text: str, folder: Path, to: Path, twins: dict[Path, Path]) -> str:
    """A text of one folder for another one. Where a link leads to a file that has a twin, it leads to that, whose
    headings are other ones."""
    def target(match: re.Match) -> str:
        path = Path(os.path.normpath(folder / (match[1] or match[3])))
        place = "" if path in twins else match[2] or ""
        return Path(os.path.relpath(twins.get(path, path), to)).as_posix() + place

    return _LINK.sub(target, text)


def pieces_of(text: str) -> dict[str, str]:
    """Key -> English of a text with headings; a heading alone needs no translation, but for the title of a page."""
    return {key: piece for key, piece in language.pieces(text)
            if "\n" in piece.strip() or key == "start" and piece.strip()}
