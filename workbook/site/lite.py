"""`lite`: JupyterLab with Python in a browser tab, from plain files. JupyterLite is the page, Pyodide is the Python.

Which files of Pyodide are needed stands in pyodide.json, an excerpt of Pyodide's own lock: names, versions, sha256. By
default the page takes them from Pyodide's public server; a folder that has them (see `download`) is copied instead, or
one with another edition of Pyodide and the lock of that.
"""
import hashlib
import io
import json
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path

import nbformat
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from workbook.authoring import notebook as notebooks
from workbook.authoring.build import Sources
from workbook.authoring.project import BuildError, Project, made_anew
from workbook.lesson.environment import FRONT_ENDS

PYODIDE = json.loads(Path(__file__).with_name("pyodide.json").read_text(encoding="utf-8"))
SERVER = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE['version']}/full/"
KERNEL = ("ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "piplite", "micropip")  # or the page fetches them
LOCK = "pyodide-lock.json"
EXTENSION = "@jupyterlite/pyodide-kernel-extension"
DATE = (1980, 1, 1, 0, 0, 0)            # the same content gives the same bytes
LEFT_OUT = {"__pycache__", "grading", "site"}
STARTUP = """from workbook.lesson.browser import explain
explain({sentences!r})
del explain
"""
ELSEWHERE = "PyTorch is not in the browser. This notebook runs {places}."


def build(project: Project, out: Path, pyodide: Path | None = None, say: Callable[[str], None] = print) -> None:
    """Write everything into the folder `out`, which is made anew. pyodide: a folder with what `download` fetches.

    BuildError where `out` holds something else, or a file of Pyodide is missing or not the one that was pinned.
    """
    with made_anew(out) as made:
        source, pins = made.parent / "source", _pins(pyodide)
        _write_contents(project, source / "contents")
        storage = f"{project.course.package} workbook"
        settings = {
            "pyodideUrl": "./static/pyodide/pyodide.mjs" if pyodide else f"{SERVER}pyodide.mjs",
            "disablePyPIFallback": True,
            "loadPyodideOptions": {
                "lockFileURL": "./static/python/pyodide-lock.json", "packages": [*KERNEL, project.course.package],
                "env": {"PYTHONSTARTUP": f"{_site_packages(pins)}/{project.course.package}_startup.py"}}}
        page = {"appName": project.course.title, "contentsStorageName": storage,
                "litePluginSettings": {f"{EXTENSION}:kernel": settings},
                "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"]}
        (source / "jupyter-lite.json").write_text(json.dumps(
            {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}), encoding="utf-8")
        _run_jupyterlite(source, made)
        wheels = made / "static" / "python"
        lock = _lock(project, wheels, pins, "../pyodide/" if pyodide else SERVER)
        (wheels / LOCK).write_text(json.dumps(lock), encoding="utf-8")
        if pyodide:
            _copy(pyodide, made / "static" / "pyodide", pins["core"] | _theirs(pins["packages"], lock["packages"]))
        keep = Path(__file__).with_name("keep.html").read_text(encoding="utf-8")
        notebooks.write(made / "keep.html", keep.replace("{{ storage }}", storage))
        for unused in made.glob("rspack*"):
            unused.unlink()
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    say(f"{out}: {size / 1e6:.1f} MB, Python from {'this folder' if pyodide else SERVER}")


def download(folder: Path, say: Callable[[str], None] = print) -> None:
    """Fetch the pinned files of Pyodide; what is there already stays. BuildError for a file that is not as pinned."""
    folder.mkdir(parents=True, exist_ok=True)
    files = PYODIDE["core"] | _theirs(PYODIDE["packages"])
    for number, (name, sha256) in enumerate(files.items(), 1):
        if not _is_right(folder / name, sha256):
            say(f"{number} of {len(files)}: {name}")
            part = folder / f"{name}.part"
            with urllib.request.urlopen(SERVER + name, timeout=60) as answer, part.open("wb") as file:
                shutil.copyfileobj(answer, file)
            if not _is_right(part, sha256):
                raise BuildError(part, None, "is not the file that was pinned: its sha256 differs")
            part.rename(folder / name)
    say(f"{folder}: all {len(files)} files of Pyodide {PYODIDE['version']}")


def _pins(pyodide: Path | None) -> dict:
    """What we know of Pyodide: from pyodide.json, or from the lock that lies in the folder."""
    if not (pyodide and (pyodide / LOCK).is_file()):
        return PYODIDE
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    packages = {canonicalize_name(name): package for name, package in lock["packages"].items()}
    core = {*PYODIDE["core"], "pyodide.asm.js"} & {path.name for path in pyodide.iterdir()}     # .js until 0.29
    return {"info": lock["info"], "core": dict.fromkeys(sorted(core), ""), "packages": packages}


def _theirs(packages: dict, names: Iterable[str] | None = None) -> dict[str, str]:
    """File name -> sha256 of the packages that come with Pyodide: of all, or of those called `names`."""
    return {each["file_name"]: each["sha256"] for name, each in packages.items() if names is None or name in names}


def _copy(source: Path, target: Path, files: dict[str, str]) -> None:
    if wrong := [name for name, sha256 in files.items() if not _is_right(source / name, sha256)]:
        raise BuildError(source, None, f"lacks, or has another edition of, {', '.join(wrong)}: "
                         f"`lite --download {source}` fetches what is missing")
    target.mkdir(parents=True)
    for name in files:
        shutil.copyfile(source / name, target / name)


def _write_contents(project: Project, folder: Path) -> None:
    """Lessons and exercises; on top of those that do not run here, where they do."""
    for edition in Sources(project).editions():
        if edition.folder != project.solutions:
            stored = edition.stored()
            name = project.relative(edition.path).removesuffix(".ipynb")
            if edition.lesson.name in project.course.needs_machine:
                note = ELSEWHERE.format(places=_elsewhere(project, name))
                stored.cells.insert(0, nbformat.v4.new_markdown_cell(f"> **{note}**", id="not-in-a-browser"))
            stored.metadata["edition"] = hashlib.sha256(notebooks.serialise(stored).encode()).hexdigest()[:16]
            notebooks.write(folder / f"{name}.ipynb", notebooks.serialise(stored))
    for path in [*project.notebooks.glob("*.md"), *(project.notebooks / "images").glob("*.svg")]:
        place = folder / project.relative(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


def _elsewhere(project: Project, name: str) -> str:
    machine = "on your machine, where `make lab` opens it"
    if project.is_placeholder:
        return machine
    return ", ".join([*(f"on [{where}]({link})" for where, link in project.launches(name).items()),
                      f"or {machine} ({project.address})"])


def _lock(project: Project, folder: Path, pins: dict, server: str) -> dict:
    """Write the wheels that Pyodide lacks into a folder; the lock of all that the course and its kernel need."""
    folder.mkdir(parents=True)
    course, lock = project.course, {}
    sentence = ELSEWHERE.format(places=_elsewhere(project, f"notebooks/{course.first}"))
    own = {f"{course.package}_startup.py": STARTUP.format(sentences=dict.fromkeys(course.later, sentence)).encode()}
    for package in (course.package, "workbook"):
        own |= _folder_files(project.root / package, LEFT_OUT)
    kernel = {canonicalize_name(path.name.split("-")[0]): path for path in _kernel_wheels()}

    def add(name: str, extras: Iterable[str] = ()) -> None:
        name = canonicalize_name(name)
        if name in lock:
            return
        if name in pins["packages"]:
            lock[name] = entry = dict(pins["packages"][name])
            entry["file_name"] = server + entry["file_name"]
        elif name in kernel and name != "widgetsnbextension":           # which is there in its own edition
            lock[name] = entry = _entry(name, kernel[name].name.split("-")[1], kernel[name].read_bytes(), folder)
        else:
            try:
                found = metadata.distribution(name)
            except metadata.PackageNotFoundError:
                raise BuildError(project.root, None, f"the browser needs {name}, which is not installed here") from None
            needs = [need.name for need in map(Requirement, found.requires or ())
                     if (need.marker is None or any(need.marker.evaluate({"extra": e}) for e in ("", *extras)))
                     and need.name not in course.later]
            content = own if name == canonicalize_name(course.package) else _installed_files(found)
            lock[name] = entry = _entry(name, found.version, _wheel(found, content), folder, needs)
        for need in entry["depends"]:
            add(need)

    add(course.package, course.extras)
    for name in KERNEL:
        add(name)
    return {"info": pins["info"], "packages": lock}


def _entry(name: str, version: str, wheel: bytes, folder: Path, needs: Iterable[str] = ()) -> dict:
    """What a lock says of a wheel, which is written into the folder. Its name changes with its content, as caches of
    browsers and servers ask for."""
    sha256, file = hashlib.sha256(wheel).hexdigest(), f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    (folder / sha256[:8]).mkdir(exist_ok=True)
    (folder / sha256[:8] / file).write_bytes(wheel)
    with zipfile.ZipFile(folder / sha256[:8] / file) as archive:
        tops = {part.split("/")[0].removesuffix(".py") for part in archive.namelist()}
    return {"name": name, "version": version, "file_name": f"../python/{sha256[:8]}/{file}", "sha256": sha256,
            "install_dir": "site", "package_type": "package", "unvendored_tests": False,
            "imports": sorted(top for top in tops if top.isidentifier()), "depends": [*map(canonicalize_name, needs)]}


def _wheel(distribution: metadata.Distribution, files: dict[str, bytes]) -> bytes:
    """A wheel for any Python, of files by name. The same files give the same bytes."""
    about = f"{distribution.metadata['Name'].replace('-', '_')}-{distribution.version}.dist-info"
    files |= {f"{about}/METADATA": (distribution.read_text("METADATA") or "").encode(),
              f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: workbook\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
              f"{about}/RECORD": b""}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _folder_files(folder: Path, left_out: set[str]) -> dict[str, bytes]:
    return {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and not left_out & set(path.relative_to(folder).parts)}


def _installed_files(distribution: metadata.Distribution) -> dict[str, bytes]:
    """What an installed package consists of. BuildError where it has compiled parts that no Python file replaces."""
    names = {file.as_posix() for file in distribution.files or ()}
    for name in names:
        module = name.partition(".")[0]
        if name.endswith((".so", ".pyd")) and f"{module}.py" not in names and not module.endswith("__mypyc"):
            raise BuildError(distribution.metadata["Name"], None, f"{name} is compiled for this machine, and Pyodide "
                             "has no package of that name")
    return {file.as_posix(): Path(file.locate()).read_bytes() for file in distribution.files or ()
            if file.suffix not in (".so", ".pyd", ".pyc") and ".." not in file.parts
            and not file.parts[0].endswith(".dist-info")}


def _kernel_wheels() -> list[Path]:
    """The wheels that come with JupyterLite's kernel."""
    return sorted((_front_end(EXTENSION) / "static" / "pypi").glob("*.whl"))


def _front_end(name: str) -> Path:
    """Where the part of a package lies that runs in the page."""
    from jupyter_core.paths import jupyter_path

    for folder in jupyter_path("labextensions"):
        if Path(folder, name, "package.json").is_file():
            return Path(folder, name)
    raise ModuleNotFoundError(name=name)


def _site_packages(pins: dict) -> str:
    return f"/lib/python{'.'.join(pins['info']['python'].split('.')[:2])}/site-packages"


def _run_jupyterlite(source: Path, made: Path) -> None:
    ours = [str(_front_end(name)) for name in (EXTENSION, "jupyterlab_pygments", *FRONT_ENDS.values())]
    settings = {"contents": ["contents"], "apps": ["lab", "notebooks", "tree"], "output_dir": str(made),
                "no_sourcemaps": True, "no_libarchive": True, "federated_extensions": ours,
                "ignore_sys_prefix": ["federated_extensions"]}              # of which some are for our tests alone
    (source / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": settings}), encoding="utf-8")
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=source)
    if done.returncode:
        raise BuildError(source, None, f"JupyterLite could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def _is_right(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256 in ("", hashlib.sha256(path.read_bytes()).hexdigest())
