"""What `lite` writes: each file that the page names is there, and packages are in the editions that were tested."""
import hashlib
import json
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from workbook import course, language
from workbook.authoring.build import Sources
from workbook.authoring.project import BuildError, Project, project_in
from workbook.site import lite, site
from workbook.site.shelf import Shelf


@pytest.fixture(scope="module")
def folder(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite") / "built"
    lite.build(Project(root), folder, say=str)
    return folder


@pytest.fixture(scope="module")
def packages(folder):
    return json.loads((folder / "static" / "python" / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]


def test_every_package_is_there_as_the_lock_says_and_needs_only_what_is_there(folder, packages):
    names = {canonicalize_name(name) for name in packages}
    assert {"nwlab", "numpy", "matplotlib", "ipywidgets", "anywidget", "pyodide-kernel"} <= names
    for name, package in packages.items():
        assert {canonicalize_name(need) for need in package["depends"]} <= names, name
        place = package["file_name"]
        if not place.startswith(lite.SERVER):
            wheel = (folder / "static" / "python" / place).read_bytes()
            assert hashlib.sha256(wheel).hexdigest() == package["sha256"], name
        else:
            assert re.fullmatch("[0-9a-f]{64}", package["sha256"])


def needed_by(name: str) -> set[str]:
    return {canonicalize_name(need.name) for need in map(Requirement, metadata.requires(name) or ())
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in course.EXTRAS)}


def test_what_an_installed_package_needs_is_there(packages):
    for name in lite.INSTALLED:
        in_pages = {"widgetsnbextension", "jupyterlab-widgets"}         # which no Python imports
        assert needed_by(name) <= packages.keys() | course.LATER.keys() | in_pages, name


def test_packages_are_in_the_editions_that_were_tested_or_within_our_bounds(root, packages):
    """Ours are as pinned. What comes compiled for Pyodide, and its own IPython, is within the bounds we promise."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    for name in ("anywidget", "array-api-compat", "comm", "ipywidgets", "psygnal"):
        assert packages[name]["version"] == pins[name], name
    assert packages["pyodide-kernel"]["version"] == pins["jupyterlite-pyodide-kernel"]
    about = project_in(root)
    needs = [Requirement(need) for need in about["dependencies"] + about["optional-dependencies"]["live"]]
    assert {need.name: packages[need.name]["version"] for need in needs
            if not need.specifier.contains(packages[need.name]["version"])} == {}


def test_notebooks_are_there_and_those_that_need_torch_say_so_first(root, folder):
    project, count = Project(root), 0
    for path in (path for pattern in ("*.ipynb", "zh/*.ipynb") for path in (*project.notebooks.glob(pattern),
                                                                            *project.exercises.glob(pattern))):
        name = project.relative(path).removesuffix(".ipynb")
        cells = json.loads((folder / "files" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        tab = urlsplit(project.tab(name))
        note = "浏览器里没有 PyTorch" if path.parent.name == "zh" else "PyTorch is not in the browser"
        assert (note in "".join(cells[0]["source"])) == (not tab.path), name
        if tab.path:
            assert (folder / tab.path).is_file() and (folder / "files" / parse_qs(tab.query)["path"][0]).is_file()
            count += 1
    assert count > 30


@pytest.mark.parametrize("spoken", language.NAMES)
def test_the_pages_of_what_runs_have_a_button_that_leads_there(root, folder, tmp_path, spoken):
    names, made = ("00_start_here", "09_in_context_regression", "warm_up"), tmp_path / spoken.removeprefix("en")
    with language.speaking(spoken):
        site._write_pages(Sources(Project(root)), made, names, True, Shelf(tmp_path / "figures"))
    runs_here = {"notebooks/00_start_here": 1, "notebooks/09_in_context_regression": 0, "exercises/warm_up": 1}
    for name, runs in runs_here.items():
        page = made / f"{name}.ipynb"
        first = "".join(json.loads(page.read_text(encoding="utf-8"))["cells"][0]["source"])
        found = re.findall(r'<a class="wb-run" href="([^?"]+)\?path=([^"]+)">', first)
        assert len(found) == runs, name
        for tab, path in found:
            place = (page.parent / tab).resolve().relative_to(tmp_path / "lite")
            assert Path(path) == Path(name).parent / made.relative_to(tmp_path) / page.name
            assert (folder / place).is_file() and (folder / "files" / path).is_file()


def test_a_download_keeps_what_is_right_fetches_the_rest_and_refuses_what_was_not_pinned(tmp_path, monkeypatch):
    server, folder, fetched = tmp_path / "server", tmp_path / "folder", []
    contents = {"pyodide.mjs": b"one", "numpy.whl": b"two"}
    for place in (server, folder):
        place.mkdir()
        for name, content in contents.items():
            (place / name).write_bytes(content)
    (folder / "numpy.whl").write_bytes(b"cut sh")
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setattr(lite, "SERVER", f"{server.as_uri()}/")
    monkeypatch.setattr(lite, "PINNED", sums)
    lite.download(folder, say=fetched.append)
    assert fetched[0] == "numpy.whl" and (folder / "numpy.whl").read_bytes() == b"two" and len(fetched) == 2
    (server / "numpy.whl").write_bytes(b"another")
    (folder / "numpy.whl").unlink()
    with pytest.raises(BuildError, match="numpy.whl: .*numpy.whl is not the file that was pinned"):
        lite.download(folder, say=str)
