"""Is everything here that the notebooks need? One plain line an item: fine, or what is wrong and how to mend it."""
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement           # comes with ipykernel, which runs every notebook

from workbook.course import Course
from workbook.lesson.browser import in_browser

FRONT_ENDS = {"ipywidgets": "@jupyter-widgets/jupyterlab-manager", "anywidget": "anywidget"}
RESTART = "then choose Kernel > Restart Kernel in the menu and run this cell again"


def report(course: Course, folder: Path | None = None) -> list[str]:
    """One line for each thing that the notebooks need, and a last one that sums up. folder: where the notebook runs."""
    folder, package = (folder or Path.cwd()).resolve(), course.folder.resolve().parent
    root = next((place for place in (folder, *folder.parents) if project_in(place).get("name") == course.package), None)
    about = project_in(root or package)
    extras = about.get("optional-dependencies", {})
    needs = [*about.get("dependencies", []), *(need for extra in course.extras for need in extras.get(extra, []))]
    problems = {"folder": _folder(course, folder, root)}
    problems |= {need.name: _package(need, course.later.get(need.name, "")) for need in map(Requirement, needs)}
    problems["live figures"] = _front_ends()
    broken = ", ".join(name for name, problem in problems.items() if problem and name not in course.later)
    mend = f"Not everything is fine yet ({broken}). Mend it from the top down, then run this cell again."
    return [*(f"{name + ' ':.<22} {problem or 'fine'}" for name, problem in problems.items()), "",
            mend if broken else "All is well. You can go on."]


def _folder(course: Course, folder: Path, root: Path | None) -> str:
    if root is None and project_in(course.folder.resolve().parent):
        return (f"this notebook runs in {folder}, outside the workbook: open notebooks/{course.first}.ipynb in the "
                "workbook's folder instead")
    if root and folder != root / "notebooks":
        return f"this notebook runs in {folder}, but belongs in {root / 'notebooks'}: move it there and open it again"
    return ""                                            # also for a notebook alone, as on Colab


def _package(need: Requirement, later: str) -> str:
    later = f" ({later})" if later else ""
    mend = f"run `%pip install \"{need}\"` in a cell, {RESTART}"
    try:
        version = metadata.version(need.name)
    except metadata.PackageNotFoundError:
        return f"is not installed{later}: {mend}"
    if need.specifier.contains(version, prereleases=True):
        return ""
    return f"is version {version}, but the workbook needs {str(need.specifier).lstrip('>=')} or newer{later}: {mend}"


def _front_ends() -> str:
    """What of the live figures runs in the page: JupyterLab reads it from the folders of its own environment."""
    if in_browser():                                     # where the page itself brings them
        return ""
    from jupyter_core.paths import jupyter_path          # comes with ipykernel too

    folders = [Path(folder) for folder in jupyter_path("labextensions")]
    missing = [name for name, front in FRONT_ENDS.items() if not any((folder / front).is_dir() for folder in folders)]
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
