"""``make build``: every source becomes its notebooks; ``--check``: would it become those that are stored?"""
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from workbook.authoring import notebook as notebooks
from workbook.authoring.claims import ledger
from workbook.authoring.exercise import read_exercise, solution_edition, student_edition
from workbook.authoring.notebook import Tokens, fill_parts
from workbook.authoring.outputs import keep
from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import Lesson, read_lesson


@dataclass(frozen=True)
class Edition:
    """One notebook to make: from which lesson, in which folder, and whether it is executed and keeps its outputs."""

    lesson: Lesson
    folder: Path
    executed: bool = True

    @property
    def path(self) -> Path:
        return self.folder / f"{self.lesson.name}.ipynb"

    @property
    def code_cells(self) -> int:
        return sum(cell.kind == "code" for cell in self.lesson.cells)


class Sources:
    """Everything that is written by hand, and the notebooks that it makes."""

    def __init__(self, project: Project):
        self.project, names = project, project.course.exercises
        ledger(project)  # every claim has its test, and every test its claim
        self.lessons = [read_lesson(path, project.course.texts)
                        for path in sorted((project.notebooks / "source").glob("*.md"))]
        sources = sorted((project.solutions / "source").glob("*.md"))
        for path in sources:
            if path.stem not in names:
                raise BuildError(path, None, f"the course does not name it among its exercises, {', '.join(names)}")
        sources.sort(key=lambda path: names.index(path.stem))
        self.exercises = [read_exercise(path, project.course) for path in sources]

    def derive(self, edition: Edition):
        """The notebook of an edition, not executed."""
        return notebooks.derive(edition.lesson, self.tokens(edition.folder))

    def tokens(self, folder: Path) -> Tokens:
        return Tokens(self.project, self.lessons, folder, [exercise.lesson for exercise in self.exercises])

    def editions(self, names: tuple[str, ...] = ()) -> list[Edition]:
        """The notebooks of the sources called ``names``, by default of all; ``BuildError`` for an unknown name."""
        made = [Edition(lesson, self.project.notebooks) for lesson in self.lessons]
        for exercise in self.exercises:
            made += [Edition(solution_edition(exercise), self.project.solutions),
                     Edition(student_edition(exercise), self.project.exercises, executed=False)]
        known = list(dict.fromkeys(edition.lesson.name for edition in made))
        for name in names:
            if Path(name).stem not in known:
                raise BuildError(Path("notebooks/source"), None,
                                 f"has no lesson called {name!r}; there are {', '.join(known) or 'none'}")
        wanted = {Path(name).stem for name in names} or set(known)
        return [edition for edition in made if edition.lesson.name in wanted]

    def pages(self) -> dict[Path, str]:
        """The README and the pages beside the notebooks, with their generated parts made anew."""
        paths = [path for path in (self.project.readme, *sorted(self.project.notebooks.glob("*.md"))) if path.is_file()]
        return {path: fill_parts(path.read_text(encoding="utf-8"), self.tokens(path.parent), path) for path in paths}


def build(project: Project, names: tuple[str, ...] = (), say: Callable[[str], None] = print,
          bar: Callable[[int, str], AbstractContextManager] | None = None) -> None:
    """Write the notebooks called ``names`` (by default all), executed but for the students' exercises, and the
    generated parts of the pages. Stops with ``BuildError`` at the first that fails; what is stored of it then stays.
    """
    sources = Sources(project)
    for edition in sources.editions(names):
        started = time.monotonic()
        derived = sources.derive(edition)
        if edition.executed and edition.code_cells:
            _run(edition, derived, project, bar)
        text = notebooks.serialise(derived)
        changed = notebooks.write(edition.path, text)
        say(f"{project.relative(edition.path)}: {'written' if changed else 'unchanged'}, "
            f"{edition.lesson.minutes} minutes for a student, {edition.code_cells} code cells, "
            f"{len(text.encode()) / 1000:.0f} kB, {time.monotonic() - started:.0f} s")
    for path, text in sources.pages().items():
        if notebooks.write(path, text):
            say(f"{project.relative(path)}: written")
    for problem in check(project, sources=sources) if names else ():   # other notebooks' tables show titles, minutes
        say(f"note: {problem}")
    if project.is_placeholder:
        say("note: links to Binder appear once the public address stands in pyproject.toml, [project.urls]")


def _run(edition: Edition, derived, project: Project, bar) -> None:
    """Execute a notebook in place, and keep the pictures that are still true."""
    from workbook.authoring.execute import execute  # here, so that a check needs no kernel

    with bar(edition.code_cells, edition.lesson.name) if bar else nullcontext(lambda _: None) as progress:
        execute(derived, edition.lesson, project, progress, edition.folder)
    keep(derived, notebooks.read(edition.path), project)


def check(project: Project, names: tuple[str, ...] = (), sources: Sources | None = None) -> list[str]:
    """Derive again, execute nothing, and return a line for everything that ``make build`` would change, but outputs."""
    sources, problems = sources or Sources(project), []
    editions = sources.editions(names)
    for edition in editions:
        where = project.relative(edition.path)
        stored = notebooks.read(edition.path)
        if stored is None:
            problems.append(f"{where}: there is no such notebook, or none that can be read")
            continue
        derived = sources.derive(edition)
        if edition.executed:
            derived = notebooks.with_outputs_of(stored, derived)
        if notebooks.serialise(derived) != edition.path.read_text(encoding="utf-8"):
            problems.append(f"{where}: differs from what {project.relative(edition.lesson.path)} and the tables in "
                            f"it make now: run `{project.course.command} build {edition.lesson.name}`")
    if not names:
        made = {edition.path for edition in editions}
        stored = [*project.notebooks.glob("[0-9][0-9]_*.ipynb"), *project.solutions.glob("*.ipynb"),
                  *project.exercises.glob("*.ipynb")]
        problems += [f"{project.relative(path)}: has no source" for path in sorted(stored) if path not in made]
        problems += [f"{project.relative(path)}: its generated parts are not what the sources say"
                     for path, text in sources.pages().items() if text != path.read_text(encoding="utf-8")]
    return problems
