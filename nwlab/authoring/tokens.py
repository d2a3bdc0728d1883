"""What is written once and shown in many places: tokens in prose, and the generated parts of the README."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .errors import BuildError
from .project import Project
from .source import Lesson

_TOKEN = re.compile(r"\{\{ *(\w+)(?::(\w+))? *\}\}")
_PART = re.compile(r"^(<!-- nwlab: (.*?) -->\n)((?!<!-- nwlab:).*\n)*?(<!-- /nwlab -->)", flags=re.MULTILINE)


class Tokens:
    """Replaces ``{{binder:NAME}}`` and the like, as seen from a folder that relative links start from."""

    def __init__(self, project: Project, lessons: list[Lesson], folder: Path):
        self.project, self.folder = project, folder
        self.lessons = {lesson.name: lesson for lesson in lessons}

    def fill(self, text: str, path: Path, line: int = 1) -> str:
        """Return ``text`` with its tokens replaced; ``path`` and ``line`` say where it stands, for messages."""

        def value(match: re.Match) -> str:
            name, argument = match.groups()
            where = (path, line + text[: match.start()].count("\n"))
            if name in ("binder", "binder_badge"):
                if argument not in self.lessons:
                    raise BuildError(*where, f"{match[0]} should name a notebook: {', '.join(self.lessons)}")
                binder = name == "binder"
                return self.project.binder(argument) if binder else self.project.badge(argument, self.folder)
            if argument is None and name == "repository":
                return self.project.address
            if argument is None and name == "notebook_table":
                return self.table()
            if argument is not None:
                raise BuildError(*where, f"unknown token {match[0]}; there are repository, notebook_table, "
                                         "binder:NAME and binder_badge:NAME")
            return match[0]  # {{a}} is a fine thing to write in a formula

        return _TOKEN.sub(value, text)

    def table(self) -> str:
        """Return the table of notebooks as Markdown: title, what, minutes, Binder."""
        rows = ["| Notebook | What it is about | Minutes | In the browser |", "|---|---|--:|---|"]
        for lesson in self.lessons.values():
            target = Path(os.path.relpath(self.project.notebooks / f"{lesson.name}.ipynb", self.folder)).as_posix()
            number = lesson.name.split("_")[0]
            rows.append(f"| [{number} · {_cell(lesson.title)}]({target}) | {_cell(lesson.summary)} | {lesson.minutes} "
                        f"| [Binder]({self.project.binder(lesson.name)}) |")
        if self.project.is_placeholder:
            rows += ["", "*The Binder links work once the public address stands in `pyproject.toml`, "
                         "`[project.urls]`, and `make build` has run.*"]
        return "\n".join(rows)


def fill_parts(text: str, tokens: Tokens, path: Path) -> str:
    """Return a page with its generated parts made anew: what stands between ``<!-- nwlab: TEMPLATE -->`` and
    ``<!-- /nwlab -->`` becomes the template with its tokens replaced.
    """

    def part(match: re.Match) -> str:
        begin, template, _, end = match.groups()
        line = text[: match.start()].count("\n") + 1
        return f"{begin}\n{tokens.fill(template, path, line)}\n\n{end}"

    closed = {match.start() for match in _PART.finditer(text)}
    for mark in re.finditer(r"^<!-- nwlab:", text, flags=re.MULTILINE):
        if mark.start() not in closed:
            line = text[: mark.start()].count("\n") + 1
            raise BuildError(path, line, "this generated part is not closed by a line <!-- /nwlab -->")
    return _PART.sub(part, text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
