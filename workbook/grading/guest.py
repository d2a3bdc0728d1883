"""What the sandbox sees of a course: no oracle, no solution, no judge, and exercises whose cells do nothing."""
import shutil
from pathlib import Path

import workbook
from workbook.course import Course

CHECKED = Path(workbook.__file__).parent / "checks"
CHECKS = ("answer.py", "quiet.py", "run.py", "tensors.py", "values.py")          # what runs a student's function
LEFT_OUT = ("exercises", "explore", "lesson")
NOTHING = '''"""Stands in for what a submission's cells do beside its answers: hints, figures, reports."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *arguments, **options: None
'''


def write(folder: Path, course: Course) -> None:
    """Write the copy into a new folder."""
    package, checks = folder / course.package, folder / "workbook" / "checks"
    shutil.copytree(course.folder, package, ignore=lambda where, names: {"__pycache__", *LEFT_OUT} & set(names))
    checks.mkdir(parents=True)
    for place in (checks.parent, checks):
        (place / "__init__.py").write_text("")
    for name in CHECKS:
        shutil.copy(CHECKED / name, checks / name)
    for name in ("course.py", "palette.py", "pictures.py"):
        shutil.copy(CHECKED.parent / name, checks.parent / name)
    (package / "exercises").mkdir()
    (package / "exercises" / "__init__.py").write_text("")
    for name in course.exercises:
        (package / "exercises" / name).mkdir()
        (package / "exercises" / name / "__init__.py").write_text(NOTHING)
        if (given := course.folder / "exercises" / name / "given.py").is_file():
            shutil.copy(given, package / "exercises" / name / "given.py")
    for name in ("lesson", "explore"):
        (package / f"{name}.py").write_text(NOTHING)
    shutil.copy(CHECKED.parent / "grading" / "inside.py", folder / "inside.py")
