"""Whether everything is installed that the notebooks need: a line for each package, with what to do if it is not."""
import sys
import tomllib
from importlib import metadata

from packaging.requirements import Requirement  # comes with ipykernel, which runs every notebook

from workbook import course
from workbook.language import say


def report() -> list[str]:
    """A line for each package that the notebooks need, and a summary."""
    needs = [need for need in _requirements() if need.name != course.DISTRIBUTION]
    if not needs:
        return [say("{package} is not installed, and no pyproject.toml beside it says what it needs.",
                    package=course.DISTRIBUTION)]
    if in_browser():                                     # PyTorch does not exist there
        needs = [need for need in needs if need.name not in course.LATER]
    problems = {need.name: _package(need, course.LATER.get(need.name, "")) for need in needs}
    broken = ", ".join(name for name, problem in problems.items() if problem and name not in course.LATER)
    mend = say("Not everything is fine yet ({broken}). Mend it from the top down, then run this cell again.",
               broken=broken)
    return [*(f"{name + ' ':.<22} {problem or say('fine')}" for name, problem in problems.items()), "",
            mend if broken else say("All is well. You can go on.")]


def _requirements() -> list[Requirement]:
    """The requirements for this machine, from the installed package or, if it is not installed, from pyproject.toml."""
    try:
        texts = metadata.requires(course.DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        file = course.FOLDER.parent / "pyproject.toml"
        if not file.is_file():
            return []
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        texts = sum((project["optional-dependencies"][extra] for extra in course.EXTRAS), project["dependencies"])
    return [need for need in map(Requirement, texts)
            if not need.marker or any(need.marker.evaluate({"extra": extra}) for extra in ("", *course.EXTRAS))]


def in_browser() -> bool:
    """Whether this Python is Pyodide, in a browser tab, without threads and without PyTorch."""
    return sys.platform == "emscripten"


def _package(need: Requirement, later: str) -> str:
    later = f" ({later})" if later else ""
    wanted = need.name + (f"[{','.join(sorted(need.extras))}]" if need.extras else "") + str(need.specifier)
    mend = say("run `%pip install \"{package}\"` in a cell, then choose Kernel > Restart Kernel in the menu and run "
               "this cell again", package=wanted)
    try:
        version = metadata.version(need.name)
    except metadata.PackageNotFoundError:
        return say("is not installed{later}: {mend}", later=later, mend=mend)
    if need.specifier.contains(version, prereleases=True):
        return ""
    return say("is version {version}, but the workbook needs {needed} or newer{later}: {mend}", version=version,
               needed=str(need.specifier).lstrip(">="), later=later, mend=mend)
