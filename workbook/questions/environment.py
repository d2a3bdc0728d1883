"""Whether everything is installed that the notebooks need: a line for each package, with what to do if it is not."""
import sys
from importlib import metadata

from packaging.requirements import Requirement  # comes with ipykernel, which runs every notebook

from workbook import course
from workbook.language import say


def report() -> list[str]:
    """A line for each package that the notebooks need, and a summary."""
    problems = {need.name: _problem(need) for need in map(Requirement, metadata.requires(course.DISTRIBUTION))
                if _is_for_notebooks(need)}
    broken = ", ".join(name for name, problem in problems.items() if problem and name not in course.LATER)
    mend = say("Not everything is fine yet ({broken}). Mend it from the top down, then run this cell again.",
               broken=broken)
    return [*(f"{name + ' ':.<22} {problem or say('fine')}" for name, problem in problems.items()), "",
            mend if broken else say("All is well. You can go on.")]


def in_browser() -> bool:
    """Whether this Python is Pyodide, in a browser tab, without threads and without PyTorch."""
    return sys.platform == "emscripten"


def _is_for_notebooks(need: Requirement) -> bool:
    """Whether the notebooks need it on this machine."""
    if need.name == course.DISTRIBUTION or in_browser() and need.name in course.LATER:
        return False
    return not need.marker or any(need.marker.evaluate({"extra": extra}) for extra in ("", *course.EXTRAS))


def _problem(need: Requirement) -> str:
    """What is wrong with a package, and what mends it; "" if nothing is."""
    later = f" ({course.LATER[need.name]})" if need.name in course.LATER else ""
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
