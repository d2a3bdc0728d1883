"""Is everything here that the notebooks need? One plain line an item: fine, or what is wrong and how to mend it."""
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement              # comes with ipykernel, which runs every notebook
from packaging.specifiers import SpecifierSet

from workbook.course import Course

FRONT_ENDS = {"ipywidgets": "@jupyter-widgets/jupyterlab-manager", "anywidget": "anywidget"}
RESTART = "then choose Kernel > Restart Kernel in the menu and run this cell again"


def report(course: Course, folder: Path | None = None, python=sys.version_info, version_of=metadata.version,
           shares=None, here: Path | None = None) -> list[str]:
    """One line for each thing that the notebooks need, and a last one that sums up. The arguments are what it looks at,
    so that tests can change it.
    """
    folder = (Path.cwd() if folder is None else Path(folder)).resolve()
    root = next((place for place in (folder, *folder.parents) if project_in(place).get("name") == course.package), None)
    here = here or course.folder.resolve().parent
    about = project_in(root or here)
    items = [("Python", _python(python, about.get("requires-python", ">=3.11"))),
             ("folder", _folder(course, folder, root, here)), (course.package, _own(course, root, here, version_of))]
    extras = about.get("optional-dependencies", {})
    needs = [*about.get("dependencies", []), *(need for extra in course.extras for need in extras.get(extra, []))]
    items += [(need.name, _package(need, version_of, course.later.get(need.name, "")))
              for need in map(Requirement, needs)]
    items.append(("live figures", _front_ends(shares)))
    broken = ", ".join(name for name, problem in items if problem and name not in course.later)
    mend = f"Not everything is fine yet ({broken}). Mend it from the top down, then run this cell again."
    return [*(f"{name + ' ':.<22} {problem or 'fine'}" for name, problem in items), "",
            mend if broken else "All is well. You can go on."]


def _python(version, wanted: str) -> str:
    if "{}.{}.{}".format(*version) in SpecifierSet(wanted):
        return ""
    least = wanted.lstrip(">= ")
    return (f"this is Python {version[0]}.{version[1]}, but the workbook needs {least} or newer: install it from "
            "python.org, then run `make lab` in the workbook's folder")


def _folder(course: Course, folder: Path, root: Path | None, here: Path) -> str:
    if root is None and not project_in(here):           # a notebook alone, as on Colab, with the package installed
        return ""
    if root is None:
        return (f"this notebook runs in {folder}, outside the workbook: open notebooks/{course.first}.ipynb in the "
                "workbook's folder instead")
    if folder != root / "notebooks":
        return f"this notebook runs in {folder}, but belongs in {root / 'notebooks'}: move it there and open it again"
    return ""


def _own(course: Course, root: Path | None, here: Path, version_of) -> str:
    if root is None or here == root:
        return ""
    if not project_in(here) and version_of(course.package) == project_in(root).get("version"):   # a hub's or Binder's
        return ""
    return (f"the package comes from {here}, not from this workbook: run `%pip install -e \"{root}\"` in a cell, "
            f"{RESTART}")


def _package(need: Requirement, version_of, later: str) -> str:
    later = f" ({later})" if later else ""
    mend = f"run `%pip install \"{need}\"` in a cell, {RESTART}"
    try:
        version = version_of(need.name)
    except metadata.PackageNotFoundError:
        return f"is not installed{later}: {mend}"
    if need.specifier.contains(version, prereleases=True):
        return ""
    return f"is version {version}, but the workbook needs {str(need.specifier).lstrip('>=')} or newer{later}: {mend}"


def _front_ends(shares) -> str:
    """The halves of the live figures that run in the page; JupyterLab reads them from its own environment's folders."""
    if shares is None:
        try:
            from jupyter_core.paths import jupyter_path
        except ModuleNotFoundError:
            return ("JupyterLab is not in the environment of this notebook's Python: close it and start it with "
                    "`make lab` in the workbook's folder")
        shares = jupyter_path("labextensions")
    missing = [name for name, front in FRONT_ENDS.items()
               if not any((Path(share) / front).is_dir() for share in shares)]
    if not missing:
        return ""
    return (f"JupyterLab lacks the part of {' and '.join(missing)} that runs in the page: run `%pip install "
            f"--force-reinstall --no-deps {' '.join(missing)} jupyterlab_widgets` in a cell, stop JupyterLab, start it "
            "again and reload this page")


def project_in(folder: Path) -> dict:
    """What a folder's pyproject.toml says of its project; nothing where there is none that can be read."""
    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, tomllib.TOMLDecodeError):
        return {}
