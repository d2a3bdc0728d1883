"""The copy of nwlab that the sandbox sees: no oracle, no solution, no judge, and exercises whose cells do nothing."""
import shutil
from pathlib import Path

import nwlab
from nwlab.exercises import NAMES

PACKAGE = Path(nwlab.__file__).parent
CHECKS = ("answer.py", "quiet.py", "run.py", "tensors.py", "values.py")          # what runs a student's function
LEFT_OUT = ("authoring", "checks", "exercises", "explore", "grading", "lesson", "pages")
NOTHING = '''"""Stands in for what a submission's cells do beside its answers: hints, figures, reports."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *arguments, **options: None
'''


def write(folder: Path) -> None:
    """Write the copy into a new folder."""
    package = folder / "nwlab"
    shutil.copytree(PACKAGE, package, ignore=lambda where, names: {"__pycache__", *LEFT_OUT} & set(names))
    (package / "checks").mkdir()
    (package / "checks" / "__init__.py").write_text("")
    for name in CHECKS:
        shutil.copy(PACKAGE / "checks" / name, package / "checks" / name)
    (package / "exercises").mkdir()
    (package / "exercises" / "__init__.py").write_text("")
    for name in NAMES:
        (package / "exercises" / name).mkdir()
        (package / "exercises" / name / "__init__.py").write_text(NOTHING)
        if (given := PACKAGE / "exercises" / name / "given.py").is_file():
            shutil.copy(given, package / "exercises" / name / "given.py")
    for name in ("lesson", "explore"):
        (package / f"{name}.py").write_text(NOTHING)
    shutil.copy(PACKAGE / "grading" / "inside.py", folder / "inside.py")
