"""`build` makes the notebooks of all languages from their sources; `check` says where the stored ones differ from that.
"""
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from workbook import course, language
from workbook.authoring import notebook as notebooks
from workbook.authoring import translation
from workbook.authoring.exercise import read_exercise, solution_edition, student_edition
from workbook.authoring.placeholders import Placeholders, emptied
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import Lesson, read_lesson
from workbook.files import write


@dataclass(frozen=True)
class Edition:
    """One notebook to make: from which lesson, beside which English ones, executed or not, in which language."""

    lesson: Lesson
    home: Path
    executed: bool = True
    language: str = "en"

    @property
    def english(self) -> Path:
        return self.home / f"{self.lesson.name}.ipynb"

    @property
    def path(self) -> Path:
        return self.english if self.language == "en" else language.twin(self.english, self.language)


class Sources:
    """All that is written by hand, and the notebooks that are made from it."""

    def __init__(self, project: Project):
        self.project = project
        self.lessons = [read_lesson(path) for path in sorted(project.notebooks.glob("source/*.md"))]
        paths = {path.stem: path for path in sorted(project.solutions.glob("source/*.md"))}
        for name in set(paths) - set(course.EXERCISES):
            raise BuildError(paths[name], None, "workbook/course.py does not name it among the exercises, "
                                                f"{', '.join(course.EXERCISES)}")
        self.exercises = [read_exercise(paths[name]) for name in course.EXERCISES if name in paths]
        both = {name: [[translation.translated(one, name) if name != "en" else one for one in kind]
                       for kind in (self.lessons, self.exercises)] for name in language.NAMES}
        self.placeholders = {name: Placeholders(project, *kinds) for name, kinds in both.items()}
        self.twins = {name: dict(self._twins(name)) for name in language.NAMES}

    def _twins(self, name: str) -> Iterator[tuple[Path, Path]]:
        """(English notebook or page, its twin) for each that is translated."""
        project = self.project
        for lesson in (*self.lessons, *self.exercises):
            if language.twin(lesson.path, name).is_file():
                for folder in project.folders[:1] if lesson in self.lessons else project.folders[1:]:
                    yield folder / f"{lesson.name}.ipynb", folder / name / f"{lesson.name}.ipynb"
        for page in project.pages:
            if self.translation(page, name).is_file():
                yield page, page.with_suffix(f".{name}.md") if page == project.readme else language.twin(page, name)

    def derive(self, edition: Edition) -> NotebookNode:
        """The notebook of an edition, not executed."""
        fill = partial(self.placeholders[edition.language].fill, folder=edition.home)
        with language.speaking(edition.language):
            made = notebooks.derive(edition.lesson, fill)
        if edition.language != "en":
            twins = self.twins[edition.language]
            for cell in (cell for cell in made.cells if cell.cell_type == "markdown"):
                cell.source = translation.relinked(cell.source, edition.home, edition.path.parent, twins)
        there = {"en": edition.english} | {name: twins[edition.english] for name, twins in self.twins.items()
                                           if edition.english in twins}
        links = [f"[{language.NAMES[name]}]({Path(os.path.relpath(path, edition.path.parent)).as_posix()})"
                 for name, path in there.items() if name != edition.language]
        if links:
            title, _, rest = made.cells[0].source.partition("\n")
            made.cells[0].source = f"{title}\n\n{' '.join(links)}\n{rest}"
        return made

    def editions(self, names: tuple[str, ...] = (), spoken: str = "en") -> list[Edition]:
        """The notebooks called `names`, "04_width" or its number, "04"; by default all. BuildError for another name."""
        tables = self.placeholders[spoken]
        editions = [Edition(lesson, self.project.notebooks, language=spoken) for lesson in tables.lessons]
        with language.speaking(spoken):
            for exercise in tables.exercises:
                editions += [Edition(solution_edition(exercise), self.project.solutions, language=spoken),
                             Edition(student_edition(exercise), self.project.exercises, False, spoken)]
        known = {edition.lesson.name: edition.lesson.name.partition("_")[0] for edition in editions}
        for name in names:
            if name not in (*known, *known.values()):
                raise BuildError("build", None, f"got {name!r}, expected one of {', '.join(known)}, or its number")
        return [one for one in editions if not names or {one.lesson.name, known[one.lesson.name]} & {*names}
                if spoken == "en" or one.path in self.twins[spoken].values()]

    def in_all_languages(self, names: tuple[str, ...] = ()) -> list[Edition]:
        return [edition for spoken in self.placeholders for edition in self.editions(names, spoken)]

    def pages(self) -> dict[Path, str]:
        """Each page that is made from a text: the README with its generated parts made anew, and translated pages."""
        english, made = {page: page.read_text(encoding="utf-8") for page in self.project.pages}, {}
        made[self.project.readme] = self.placeholders["en"].fill_page(english[self.project.readme], self.project.readme)
        for name, twins in self.twins.items():
            for page, twin in ((page, twins[page]) for page in english if page in twins):
                text = language.in_place(emptied(english[page]), self.translation(page, name))
                with language.speaking(name):
                    text = self.placeholders[name].fill_page(text, page)
                made[twin] = translation.relinked(text, page.parent, twin.parent, twins)
        return made

    def translation(self, page: Path, name: str) -> Path:
        """Where the translation of a page is written."""
        return self.project.notebooks / "source" / name / page.name

    def pieces(self, name: str) -> dict[Path, dict[str, str]]:
        """Of each file in a language, translated or not yet, what is to be translated: key -> English."""
        texts = {self.translation(page, name): emptied(page.read_text(encoding="utf-8")) for page in self.project.pages}
        texts |= {language.twin(path, name): path.read_text(encoding="utf-8") for path in course.texts()}
        return {language.twin(lesson.path, name): translation.english(lesson)
                for lesson in (*self.lessons, *self.exercises)} | {
            path: translation.pieces_of(text) for path, text in texts.items()}

    def stale(self) -> list[str]:
        """A line for each piece of a translation that is missing or of another English: file, key, what is wrong."""
        return [f"{self.project.relative(path)}: {key} {wrong}" for name, twins in self.twins.items() if twins
                for path, english in self.pieces(name).items() for key, wrong in language.stale(english, path)]


def build(project: Project, names: tuple[str, ...] = (), say: Callable[[str], None] = print) -> list[str]:
    """Make the notebooks called `names`, or all, and the README; before them the words and letters of the code, where
    this package lies in the project. BuildError at the first that fails; it stays as is. Returns what else has to be
    built, as `check` says it."""
    from workbook.authoring import catalogue, letters  # here, as a check needs neither Babel nor a font

    of_code = course.FOLDER.resolve().is_relative_to(project.root.resolve())
    for name in (name for name in language.NAMES if of_code and name != "en"):
        for line in catalogue.build(course.FOLDER / name, name):
            say(f"workbook/{name}/workbook.po: {line}")
        letters.cut(course.FOLDER / name / "letters.otf", letters.needed(name))
    sources = Sources(project)
    for edition in sources.in_all_languages(names):
        lesson, made = edition.lesson, sources.derive(edition)
        if edition.executed and any(cell.kind == "code" for cell in lesson.cells):
            from workbook.authoring.execute import execute  # here, so that a check needs no kernel

            edition.path.parent.mkdir(exist_ok=True)     # the kernel begins there
            execute(made, lesson, edition.path.parent)
            with suppress(BuildError):                   # a notebook that is not there yet has measured nothing
                notebooks.keep_measured(notebooks.read(edition.english), made)
        changed = write(edition.path, notebooks.serialise(made))
        say(f"{project.relative(edition.path)}: {'written' if changed else 'unchanged'}")
    for page, text in sources.pages().items():
        if write(page, text):
            say(f"{project.relative(page)}: written")
    for line in sources.stale():
        say(line)
    return check(project, sources) if names else []      # other notebooks show this one's title and minutes


def check(project: Project, sources: Sources | None = None) -> list[str]:
    """A line for everything that `build` would change, except outputs that only a run can tell. Nothing is executed."""
    sources = sources or Sources(project)
    editions, problems = sources.in_all_languages(), []
    for edition in editions:
        where, made = project.relative(edition.path), sources.derive(edition)
        try:
            stored = notebooks.read(edition.path)
        except BuildError as error:
            problems.append(f"{where}: {error.message}")
            continue
        if edition.executed:
            made = notebooks.with_outputs_of(stored, made)
        if notebooks.serialise(made) != edition.path.read_text(encoding="utf-8"):
            problems.append(f"{where}: differs from what {project.relative(edition.lesson.path)}, its questions and "
                            f"tables make now: run `python -m workbook build {edition.lesson.name}`")
    stored = [path for folder in project.folders for path in (*folder.glob("*.ipynb"), *folder.glob("??/*.ipynb"))]
    problems += [f"{project.relative(path)}: has no source"
                 for path in sorted(set(stored) - {edition.path for edition in editions})]
    problems += [f"{project.relative(page)}: its generated parts are not what the sources say"
                 for page, text in sources.pages().items() if not page.is_file() or page.read_text("utf-8") != text]
    return problems
