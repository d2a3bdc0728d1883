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

    def __init__(self, project: Project, lessons: list[Lesson], folder: Path, exercises: list[Lesson] = ()):
        self.project, self.folder = project, folder
        self.lessons = {lesson.name: lesson for lesson in lessons}
        self.exercises = {exercise.name: exercise for exercise in exercises}

    def fill(self, text: str, path: Path, line: int = 1) -> str:
        """Return ``text`` with its tokens replaced; ``path`` and ``line`` say where it stands, for messages."""

        def value(match: re.Match) -> str:
            name, argument = match.groups()
            where = (path, line + text[: match.start()].count("\n"))
            if name in ("binder", "binder_badge"):
                if argument not in (*self.lessons, *self.exercises):
                    raise BuildError(*where, f"{match[0]} should name a notebook: "
                                             f"{', '.join((*self.lessons, *self.exercises))}")
                target = f"{'notebooks' if argument in self.lessons else 'exercises'}/{argument}"
                binder = name == "binder"
                return self.project.binder(target) if binder else self.project.badge(target, self.folder)
            if argument is None and name == "repository":
                return self.project.address
            if argument is None and name == "notebook_table":
                return self.table()
            if argument is None and name == "exercise_table":
                return self.exercise_table()
            if argument is not None:
                raise BuildError(*where, f"unknown token {match[0]}; there are repository, notebook_table, "
                                         "exercise_table, binder:NAME and binder_badge:NAME")
            return match[0]  # {{a}} is a fine thing to write in a formula

        return _TOKEN.sub(value, text)

    def table(self) -> str:
        """Return the table of notebooks as Markdown: title, what, minutes, Binder."""
        rows = ["| Notebook | What it is about | Minutes | In the browser |", "|---|---|--:|---|"]
        for lesson in self.lessons.values():
            target = self._seen(self.project.notebooks / f"{lesson.name}.ipynb")
            number = lesson.name.split("_")[0]
            rows.append(f"| [{number} · {_cell(lesson.title)}]({target}) | {_cell(lesson.summary)} | {lesson.minutes} "
                        f"| [Binder]({self.project.binder(f'notebooks/{lesson.name}')}) |")
        if self.project.is_placeholder:
            rows += ["", "*The Binder links work once the public address stands in `pyproject.toml`, "
                         "`[project.urls]`, and `make build` has run.*"]
        return "\n".join(rows)

    def exercise_table(self) -> str:
        """Return the table of exercises as Markdown: title, what, minutes, Binder."""
        rows = ["| Exercise | What you do | Minutes | In the browser |", "|---|---|--:|---|"]
        for exercise in self.exercises.values():
            target = self._seen(self.project.exercises / f"{exercise.name}.ipynb")
            rows.append(f"| [{_cell(exercise.title)}]({target}) | {_cell(exercise.summary)} | {exercise.minutes} "
                        f"| [Binder]({self.project.binder(f'exercises/{exercise.name}')}) |")
        return "\n".join(rows)

    def _seen(self, path: Path) -> str:
        """A file as a link from the folder of these tokens names it."""
        return Path(os.path.relpath(path, self.folder)).as_posix()


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
