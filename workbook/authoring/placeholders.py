"""What is written once and shown in several places: `{{minutes}}`, how checks work, tables of the notebooks, badge."""
import os
import re
from pathlib import Path

from workbook import course
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import Lesson
from workbook.language import say

BADGE = "images/binder.svg"                              # our own, so that a page needs no other host for it
_PLACEHOLDER = re.compile(r"\{\{ *(\w{2,}) *\}\}")             # {{a}} is fine to write in a formula
_PART = re.compile(r"^(<!-- workbook: (.*?) -->\n)(?:(?!<!-- workbook:).*\n)*?(?=<!-- /workbook -->)", re.MULTILINE)


def emptied(text: str) -> str:
    """A page without what stands between its marks."""
    return _PART.sub(r"\1", text)


class Placeholders:
    """Replaces the placeholders in prose by what the sources say."""

    def __init__(self, project: Project, lessons: list[Lesson], exercises: list[Lesson]):
        self.project, self.lessons, self.exercises = project, lessons, exercises
        self.minutes = {lesson.name: str(lesson.minutes) for lesson in (*lessons, *exercises)}

    def fill(self, text: str, path: Path, line: int, folder: Path) -> str:
        """`text` with its placeholders replaced. BuildError for an unknown one.

        path, line: where the text stands, for messages and `{{minutes}}`. folder: where relative links start.
        """
        values = {"minutes": lambda: self.minutes[path.stem], "binder_badge": lambda: self._badge(folder),
                  "how_it_works": lambda: _how_it_works(path.stem),
                  "notebook_table": lambda: self._table(say("Lesson | What it is about"), self.lessons, folder),
                  "exercise_table": lambda: self._table(say("Exercise | What you do"), self.exercises, folder)}

        def value(match: re.Match) -> str:
            if match[1] in values:
                return values[match[1]]()
            raise BuildError(path, line + text[:match.start()].count("\n"),
                             f"unknown placeholder {match[0]}; there are {', '.join(values)}")

        return _PLACEHOLDER.sub(value, text)

    def fill_page(self, text: str, path: Path) -> str:
        """A page whose parts between `<!-- workbook: TEMPLATE -->` and `<!-- /workbook -->` are made anew."""
        def part(match: re.Match) -> str:
            filled = self.fill(match[2], path, text[:match.start()].count("\n") + 1, path.parent)
            return f"{match[1]}\n{filled}\n\n" if filled else f"{match[1]}\n"

        return _PART.sub(part, text)

    def _table(self, head: str, lessons: list[Lesson], folder: Path) -> str:
        """Title, summary and minutes of each, as Markdown."""
        rows = [f"| {head} | {say('Minutes')} |", "|---|---|--:|"]
        for lesson in lessons:
            is_lesson = lesson in self.lessons
            title, summary = (" ".join(text.split()).replace("|", "\\|") for text in (lesson.title, lesson.summary))
            number = f"{lesson.name.split('_')[0]} · " if is_lesson else ""
            link = self._from(folder, f"{'notebooks' if is_lesson else 'exercises'}/{lesson.name}.ipynb")
            rows.append(f"| [{number}{title}]({link}) | {summary} | {lesson.minutes} |")
        return "\n".join(rows)

    def _badge(self, folder: Path) -> str:
        """Binder's badge as Markdown, linked to the first notebook; "" without a public address."""
        link = self.project.launches(f"notebooks/{course.FIRST}").get("Binder")
        return f"[![Open on Binder]({self._from(folder, f'notebooks/{BADGE}')})]({link})" if link else ""

    def _from(self, folder: Path, place: str) -> str:
        """A relative link from a folder to a place in the checkout."""
        return Path(os.path.relpath(self.project.root / place, folder)).as_posix()


def _how_it_works(name: str) -> str:
    """What a student has to know in each exercise called `name`."""
    return say(
        "**How it works.** Write each stub, run it, and run the check below it: it tells you what was tried, what came "
        "back, what was expected, and where to look next. Check as often as you like. For a hint call "
        "`{name}.hint(\"{first}\", level=1)`: there are three for each function, and none is the answer. Helpers and "
        "imports may stand in cells of your own, and belong to your answer. Run All stops at the first check that "
        "does not hold yet; that is meant so.", name=name, first=course.exercise(name).items[0].name)
