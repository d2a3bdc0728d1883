"""``make build``: every source becomes its notebook; ``--check``: would it become the one that is stored?"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from . import notebook as notebooks
from .errors import BuildError
from .pictures import common_ground, keep
from .project import Project
from .source import Lesson, read_lesson
from .tokens import Tokens, fill_parts

Say = Callable[[str], None]
Bar = Callable[[int, str], AbstractContextManager]


def read_lessons(project: Project) -> list[Lesson]:
    """Read all sources, in the order of their names."""
    return [read_lesson(path) for path in sorted((project.notebooks / "source").glob("*.md"))]


def build(project: Project, names: tuple[str, ...] = (), say: Say = print, bar: Bar | None = None) -> None:
    """Write and execute the notebooks called ``names`` (all, where none is given), and the generated parts of the
    README. Stops with ``BuildError`` at the first that fails; what is stored of it then stays as it was.
    """
    lessons = read_lessons(project)
    ground = common_ground(project)
    for lesson in _chosen(project, lessons, names):
        from .execute import execute  # here, so that a check needs no kernel

        started = time.monotonic()
        path = project.notebooks / f"{lesson.name}.ipynb"
        derived = notebooks.derive(lesson, project, lessons)
        count = sum(cell.kind == "code" for cell in lesson.cells)
        with bar(count, lesson.name) if bar else nullcontext(lambda _: None) as progress:
            execute(derived, lesson, project, progress)
        drawn = keep(derived, notebooks.read(path), ground)
        text = notebooks.serialise(derived)
        changed = notebooks.write(path, text)
        say(f"{project.relative(path).as_posix()}: {'written' if changed else 'unchanged'}, {count} code cells, "
            f"{drawn} new pictures, {len(text.encode()) / 1000:.0f} kB, {time.monotonic() - started:.0f} s")
    page = _page(project, lessons)
    if page is not None and notebooks.write(project.readme, page):
        say("README.md: written")
    if project.is_placeholder:
        say("note: the public address in pyproject.toml, [project.urls], is still a placeholder, and so are the links")


def check(project: Project, names: tuple[str, ...] = ()) -> list[str]:
    """Derive again, execute nothing, and return a line for everything that ``make build`` would change, but outputs."""
    lessons = read_lessons(project)
    problems = []
    for lesson in _chosen(project, lessons, names):
        path = project.notebooks / f"{lesson.name}.ipynb"
        where = project.relative(path).as_posix()
        stored = notebooks.read(path)
        if stored is None:
            problems.append(f"{where}: there is no such notebook, or none that can be read")
            continue
        derived = notebooks.with_outputs_of(stored, notebooks.derive(lesson, project, lessons))
        if notebooks.serialise(derived) != path.read_text(encoding="utf-8"):
            problems.append(f"{where}: {_first_difference(derived, stored, lesson, project)}")
    if not names:
        expected = {lesson.name for lesson in lessons}
        problems += [f"{project.relative(path).as_posix()}: has no source in notebooks/source"
                     for path in sorted(project.notebooks.glob("[0-9][0-9]_*.ipynb")) if path.stem not in expected]
        page = _page(project, lessons)
        if page is not None and page != project.readme.read_text(encoding="utf-8"):
            problems.append("README.md: its generated parts are not what the sources say")
    return problems


def _chosen(project: Project, lessons: list[Lesson], names: tuple[str, ...]) -> list[Lesson]:
    known = {lesson.name: lesson for lesson in lessons}
    wanted = [Path(name).stem for name in names] or list(known)
    for name in wanted:
        if name not in known:
            raise BuildError(Path("notebooks/source"), None,
                             f"has no lesson called {name!r}; there are {', '.join(known) or 'none'}")
    return [known[name] for name in wanted]


def _page(project: Project, lessons: list[Lesson]) -> str | None:
    if not project.readme.is_file():
        return None
    text = project.readme.read_text(encoding="utf-8")
    return fill_parts(text, Tokens(project, lessons, folder=project.root), project.readme)


def _first_difference(derived, stored, lesson: Lesson, project: Project) -> str:
    """Say where a stored notebook and its source part, by the line of the source."""
    source = project.relative(lesson.path).as_posix()
    for fresh, old, cell in zip(derived.cells, stored.cells, lesson.cells, strict=False):
        if (fresh.get("id"), fresh.cell_type, fresh.source, fresh.metadata) != (
            old.get("id"), old.cell_type, old.source, old.metadata
        ):
            return f"differs from its source at {source}:{cell.line} (cell {cell.id!r})"
    if len(derived.cells) != len(stored.cells):
        return f"has {len(stored.cells)} cells, its source {source} has {len(derived.cells)}"
    return f"differs from what {source} gives in its metadata or its layout"
