"""`lite`: JupyterLab with Python in a browser tab, from plain files. JupyterLite is the page, Pyodide is the Python.

pyodide.json, an excerpt of Pyodide's own lock, names the files that are needed, with versions and sha256. By default
the page takes them from Pyodide's public server; a folder that has them (see `download`) is copied instead.
"""
import hashlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import nbformat
from packaging.utils import canonicalize_name

from workbook import course, language
from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.project import BuildError, Project, made_anew
from workbook.files import packed, write
from workbook.language import say

PYODIDE = json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))
SERVER = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE['version']}/full/"
KERNEL = "ipykernel", "piplite", "pyodide_kernel"               # wheels of JupyterLite's kernel
INSTALLED = course.DISTRIBUTION, "array-api-compat", "anywidget", "comm", "ipywidgets", "psygnal"  # as installed here
EXTENSION = "@jupyterlite/pyodide-kernel-extension"
PINNED = PYODIDE["core"] | {package["file_name"]: package["sha256"] for package in PYODIDE["packages"].values()}
BROUGHT = Path(sys.prefix, "share", "jupyter", "labextensions")         # the parts of packages that run in the page
FRONT_ENDS = "jupyterlab_pygments", "@jupyter-widgets/jupyterlab-manager", "anywidget"
LEFT_OUT = {"__pycache__", "grading", "site"}
COMPILED = ".so", ".pyd", ".pyc"


def build(project: Project, out: Path, pyodide: Path | None = None, say: Callable[[str], None] = print) -> None:
    """Write everything into the folder `out`, which is made anew; BuildError where that holds something else. pyodide:
    a folder with what `download` fetches."""
    with made_anew(out) as made:
        source = made.parent / "source"
        _write_contents(project, source / "contents")
        storage = f"{course.DISTRIBUTION} workbook"
        packages = [*PYODIDE["packages"], *map(canonicalize_name, KERNEL), *INSTALLED]     # or the page fetches them
        settings = {
            "pyodideUrl": "./static/pyodide/pyodide.mjs" if pyodide else f"{SERVER}pyodide.mjs",
            "disablePyPIFallback": True,
            "loadPyodideOptions": {"lockFileURL": "./static/python/pyodide-lock.json", "packages": packages}}
        page = {"appName": course.TITLE, "contentsStorageName": storage,
                "litePluginSettings": {f"{EXTENSION}:kernel": settings},
                "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"]}
        write(source / "jupyter-lite.json", json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": page}))
        _run_jupyterlite(source, made)
        if pyodide:
            for name in PYODIDE["core"]:
                write(made / "static" / "pyodide" / name, (pyodide / name).read_bytes())
        lock = _lock(made / "static" / "python", pyodide)
        write(made / "static" / "python" / "pyodide-lock.json", json.dumps(lock))
        keep = Path(__file__).with_name("keep.html").read_text(encoding="utf-8")
        write(made / "keep.html", keep.replace("{{ storage }}", storage))
    say(f"{out}: written, with Python from {'this folder' if pyodide else SERVER}")


def download(folder: Path, say: Callable[[str], None] = print) -> None:
    """Fetch the pinned files of Pyodide that are not in the folder yet. BuildError for one that is not as pinned."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, sha256 in PINNED.items():
        file = folder / name
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
            say(name)
            urllib.request.urlretrieve(SERVER + name, file)
            if hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
                raise BuildError(file, None, f"{SERVER}{name} is not the file that was pinned")
    say(f"{folder}: all files of Pyodide {PYODIDE['version']}")


def _write_contents(project: Project, folder: Path) -> None:
    """Lessons and exercises; those that do not run here begin with a note that says where they do."""
    sources = Sources(project)
    for edition in sources.in_all_languages():
        if edition.home != project.solutions:
            stored = notebooks.read(edition.path)
            name = project.relative(edition.path).removesuffix(".ipynb")
            if edition.lesson.name in course.NEEDS_MACHINE:
                with language.speaking(edition.language):
                    note = _needs_machine(project, name)
                stored.cells.insert(0, nbformat.v4.new_markdown_cell(note, id="not-in-a-browser"))
            stored.metadata["edition"] = hashlib.sha256(notebooks.serialise(stored).encode()).hexdigest()[:16]
            write(folder / f"{name}.ipynb", notebooks.serialise(stored))
    pages = [page for page in sources.pages() if page.parent != project.root]
    for path in {*project.notebooks.glob("*.md"), *pages, *(project.notebooks / "images").glob("*.svg")}:
        write(folder / project.relative(path), path.read_bytes())


def _needs_machine(project: Project, name: str) -> str:
    """The note above a notebook that does not run in a browser tab."""
    links = ", ".join(f"[{where}]({link})" for where, link in project.launches(name).items())
    if links:
        return say("> **PyTorch is not in the browser. This notebook runs on {links}, or on your machine, where `make "
                   "lab` opens it ({address}).**", links=links, address=project.address)
    return say("> **PyTorch is not in the browser. This notebook runs on your machine, where `make lab` opens it.**")


def _lock(folder: Path, pyodide: Path | None) -> dict:
    """Write the wheels that no server of Pyodide sends into a folder; the lock of all that is needed."""
    lock = {}
    for name, pinned in PYODIDE["packages"].items():
        file = pinned["file_name"]
        lock[name] = pinned | (_written(file, (pyodide / file).read_bytes(), folder) if pyodide
                               else {"file_name": SERVER + file})
    wheels = {path.name: path.read_bytes() for name in KERNEL
              for path in BROUGHT.glob(f"{EXTENSION}/static/pypi/{name}-*.whl")}
    for name in INSTALLED:
        found, module = metadata.distribution(name), name.replace("-", "_")
        folders = course.PACKAGES if name == course.DISTRIBUTION else [Path(find_spec(module).origin).parent]
        wheels[f"{module}-{found.version}-py3-none-any.whl"] = _wheel(found, folders)
    for file, wheel in wheels.items():
        name, version, *_ = file.split("-")
        lock[canonicalize_name(name)] = _written(file, wheel, folder) | {
            "name": canonicalize_name(name), "version": version, "install_dir": "site", "package_type": "package",
            "unvendored_tests": False, "depends": [], "imports": []}        # all are loaded when the page opens
    return {"info": PYODIDE["info"], "packages": lock}


def _written(file: str, wheel: bytes, folder: Path) -> dict:
    """Write a wheel; where it lies, for the lock. The hash in its path keeps caches from serving an older one."""
    sha256 = hashlib.sha256(wheel).hexdigest()
    write(folder / sha256[:8] / file, wheel)
    return {"file_name": f"../python/{sha256[:8]}/{file}", "sha256": sha256}


def _wheel(distribution: metadata.Distribution, folders: Iterable[Path]) -> bytes:
    """A wheel for any Python of what a tab needs of a distribution's packages. The same files give the same bytes."""
    about = f"{distribution.metadata['Name'].replace('-', '_')}-{distribution.version}.dist-info"
    wheel = b"Wheel-Version: 1.0\nGenerator: workbook\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {f"{about}/METADATA": (distribution.read_text("METADATA") or "").encode(), f"{about}/WHEEL": wheel,
             f"{about}/RECORD": b""}
    for folder in folders:
        kept = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in COMPILED)
        files |= {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in kept
                  if not LEFT_OUT & {*path.relative_to(folder).parts}}
    return packed(dict(sorted(files.items())))


def _run_jupyterlite(source: Path, made: Path) -> None:
    ours = [str(BROUGHT / name) for name in (EXTENSION, *FRONT_ENDS)]
    settings = {"contents": ["contents"], "apps": ["lab", "notebooks", "tree"], "output_dir": str(made),
                "no_sourcemaps": True, "no_libarchive": True, "federated_extensions": ours,
                "ignore_sys_prefix": ["federated_extensions"]}              # of which some are for our tests alone
    write(source / "jupyter_lite_config.json", json.dumps({"LiteBuildConfig": settings}))
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=source)
    if done.returncode:
        raise BuildError(source, None, f"JupyterLite could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
