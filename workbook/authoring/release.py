"""`release`: the students' edition of the whole workbook, without solutions, sources and tests.

The folder can be a repository of its own: nbgitpuller takes it as it is. A later release writes the same files, and a
file that has not changed keeps its bytes.
"""
import shutil
from pathlib import Path

from workbook.authoring.build import Edition, Sources
from workbook.authoring.project import BuildError, Project

FILES = ("LICENSE", "constraints.txt", "environment.yml", "postBuild", "start", "pyproject.toml",
         "notebooks/bibliography.md")
FOLDERS = ("workbook", "notebooks/images")
LEFT_OUT = ("__pycache__", "grading", "site")
MARK = ".workbook-release"                               # stands in a folder that may be written anew


def release(project: Project, out: Path) -> int:
    """Write the students' edition into a folder; the number of files. A `.git` folder in it stays, so that a release
    is a commit. BuildError where the folder holds something else, or lies in the checkout.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise BuildError(out, None, "is a folder with other files: name a new one, or empty it")
    if out.resolve().is_relative_to(project.root) and not out.resolve().is_relative_to(project.root / "build"):
        raise BuildError(out, None, "lies in the repository itself: name a folder outside of it")
    editions = [edition for edition in Sources(project).editions() if edition.folder != project.solutions]
    for old in out.iterdir() if out.is_dir() else ():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name in (project.course.package, *FOLDERS):
        shutil.copytree(project.root / name, out / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in (*FILES, *(project.relative(edition.path) for edition in editions)):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(project.root / name, out / name)
    tables = {kind: _table([edition for edition in editions if edition.folder == folder], project)
              for kind, folder in (("lessons", project.notebooks), ("exercises", project.exercises))}
    readme = Path(__file__).with_name("release.md").read_text(encoding="utf-8")
    (out / "README.md").write_text(readme.format(**vars(project.course) | tables), encoding="utf-8")
    note = f"made by {project.course.command} release; changes here are overwritten\n"
    (out / MARK).write_text(note, encoding="utf-8")
    return sum(path.is_file() for path in out.rglob("*") if ".git" not in path.parts)


def _table(editions: list[Edition], project: Project) -> str:
    rows = [f"| [{edition.lesson.title}]({project.relative(edition.path)}) | {edition.lesson.summary} "
            f"| {edition.lesson.minutes} |" for edition in editions]
    return "\n".join(["| | What it is about | Minutes |", "|---|---|--:|", *rows])
