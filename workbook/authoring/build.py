"""`build` makes the notebooks from their sources; `check` says where the stored ones differ from that."""
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from workbook import course
from workbook.authoring import notebook as notebooks
from workbook.authoring.exercise import read_exercise, solution_edition, student_edition
from workbook.authoring.outputs import keep_outputs
from workbook.authoring.placeholders import Placeholders
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import Lesson, read_lesson
from workbook.files import write


@dataclass(frozen=True)
class Edition:
    """One notebook to make: from which lesson, in which folder, and whether it is executed."""

    lesson: Lesson
    folder: Path
    executed: bool = True

    @property
    def path(self) -> Path:
        return self.folder / f"{self.lesson.name}.ipynb"

    def stored(self) -> NotebookNode:
        """The notebook as it was built. BuildError where it was not."""
        stored = notebooks.read(self.path)
        if stored is None:
            raise BuildError(self.path, None, "is missing or cannot be read: run `make build`")
        return stored


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
        self.placeholders = Placeholders(project, self.lessons, self.exercises)

    def derive(self, edition: Edition) -> NotebookNode:
        """The notebook of an edition, not executed."""
        return notebooks.derive(edition.lesson, partial(self.placeholders.fill, folder=edition.folder))

    def editions(self, names: tuple[str, ...] = ()) -> list[Edition]:
        """The notebooks called `names`, "04_width" or its number, "04"; by default all. BuildError for another name."""
        editions = [Edition(lesson, self.project.notebooks) for lesson in self.lessons]
        for exercise in self.exercises:
            editions += [Edition(solution_edition(exercise), self.project.solutions),
                         Edition(student_edition(exercise), self.project.exercises, executed=False)]
        known = {edition.lesson.name: edition.lesson.name.partition("_")[0] for edition in editions}
        for name in names:
            if name not in (*known, *known.values()):
                raise BuildError("build", None, f"got {name!r}, expected one of {', '.join(known)}, or its number")
        return [one for one in editions if not names or {one.lesson.name, known[one.lesson.name]} & {*names}]

    def readme(self) -> str:
        """The README with its generated parts made anew."""
        return self.placeholders.fill_page(self.project.readme.read_text(encoding="utf-8"), self.project.readme)


def build(project: Project, names: tuple[str, ...] = (), say: Callable[[str], None] = print) -> list[str]:
    """Make the notebooks called `names`, or all, and the README. BuildError at the first that fails; it stays as is.

    Returns what else has to be built, as `check` says it.
    """
    sources = Sources(project)
    for edition in sources.editions(names):
        lesson, made = edition.lesson, sources.derive(edition)
        code_cells = sum(cell.kind == "code" for cell in lesson.cells)
        if edition.executed and code_cells:
            from workbook.authoring.execute import execute  # here, so that a check needs no kernel

            execute(made, lesson, edition.folder)
            if stored := notebooks.read(edition.path):
                keep_outputs(stored, made)
        text = notebooks.serialise(made)
        changed = write(edition.path, text)
        say(f"{project.relative(edition.path)}: {'written' if changed else 'unchanged'}, "
            f"{lesson.minutes} minutes for a student, {code_cells} code cells, {len(text.encode()) / 1000:.0f} kB")
    if write(project.readme, sources.readme()):
        say("README.md: written")
    return check(project, sources) if names else []      # other notebooks show this one's title and minutes


def check(project: Project, sources: Sources | None = None) -> list[str]:
    """A line for everything that `build` would change, except outputs that only a run can tell. Nothing is executed."""
    sources = sources or Sources(project)
    editions, problems = sources.editions(), []
    for edition in editions:
        where, stored, made = project.relative(edition.path), notebooks.read(edition.path), sources.derive(edition)
        if stored is None:
            problems.append(f"{where}: there is no such notebook, or none that can be read")
            continue
        if edition.executed:
            made = notebooks.with_outputs_of(stored, made)
        if notebooks.serialise(made) != edition.path.read_text(encoding="utf-8"):
            problems.append(f"{where}: differs from what {project.relative(edition.lesson.path)}, its questions and "
                            f"tables make now: run `python -m workbook build {edition.lesson.name}`")
    stored = [*project.notebooks.glob("[0-9][0-9]_*.ipynb"), *project.solutions.glob("*.ipynb"),
              *project.exercises.glob("*.ipynb")]
    problems += [f"{project.relative(path)}: has no source"
                 for path in sorted(set(stored) - {edition.path for edition in editions})]
    if sources.readme() != project.readme.read_text(encoding="utf-8"):
        problems.append("README.md: its generated parts are not what the sources say")
    return problems
