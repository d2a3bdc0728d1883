"""What a reader's environment lacks is named; pip, conda and Binder get the same workbook."""
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from workbook import course
from workbook.questions import environment

CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def pins(root):
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def requirements(project, *extras):
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return {need.name: need for need in map(Requirement, chain(*lists)) if need.name != "nwlab"}


def test_conda_gets_what_pip_gets_in_the_same_range_with_python_and_jupyterlab_as_tested(project, root, pins):
    environment = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))
    specs = dict(re.fullmatch(r"([a-z0-9-]+)(.*)", spec).groups() for spec in environment["dependencies"])
    needs = requirements(project, "live", "torch", "lab", "instructor")
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert set(specs) == {CONDA_NAMES.get(name, name) for name in needs} | {"hatchling", "python", "pip"}
    for name, need in needs.items():
        assert name == "jupyterlab" or specs[CONDA_NAMES.get(name, name)] == str(need.specifier), need
    assert f"{pins['jupyterlab']}.".startswith(specs["jupyterlab"].removeprefix("=") + ".")
    assert project["requires-python"].removeprefix(">") == specs["python"]


def test_what_colab_installs_brings_no_second_lab_and_leaves_its_widgets_alone(project):
    needs = requirements(project, "live", "torch")
    assert "7.7.1" in needs["ipywidgets"].specifier and not {"jupyterlab", "notebook", "jupyter"} & set(needs)


def test_everything_needed_is_pinned_in_its_range_and_takes_the_oldest_python_promised(project, pins):
    """A pin that needs 3.11.5 keeps pip searching for half an hour on a Debian that has 3.11.2."""
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    for one in importlib.metadata.distributions():
        if pins.get(one.name) == one.version.partition("+")[0]:
            wanted = one.metadata.get("Requires-Python") or ""
            assert oldest in SpecifierSet(wanted), f"{one.name} {wanted}"
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    for name, need in requirements(project, "live", "torch", "lab", "instructor", "test").items():
        assert Version(pinned[canonicalize_name(name)]) in need.specifier, f"{need} is pinned otherwise"


@pytest.mark.skipif(os.name != "posix", reason="Binder runs bash")
def test_binder_plans_an_image_with_our_scripts_and_start_caps_threads_and_hands_over(root, tmp_path):
    hiding = ("Dockerfile", "binder", ".binder", "apt.txt", "requirements.txt", "runtime.txt")
    assert not [name for name in hiding if (root / name).exists()], "Binder would read these instead of ours"
    assert all(os.access(root / name, os.X_OK) for name in ("postBuild", "start", ".ci/run"))
    code = "import os, sys; print(os.environ['OMP_NUM_THREADS'], sys.argv[1:])"
    command = [root / "start", sys.executable, "-c", code, "a b", "c"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1 ['a b', 'c']\n"
    pytest.importorskip("repo2docker", reason="jupyter-repo2docker, which says what Binder would do, is not installed")
    for name in ("environment.yml", "postBuild", "start", "pyproject.toml"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", tmp_path]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, check=True)
    assert "Building conda environment for python=3.11" in done.stdout and "\nRUN ./postBuild\n" in done.stdout
    assert 'ENV R2D_ENTRYPOINT="${REPO_DIR}/start"' in done.stdout


@pytest.fixture
def report(monkeypatch):
    """The report; every package is of the newest version but those named, of which None is missing."""
    def made(**versions):
        def version(name):
            if versions.get(name, "") is None:
                raise importlib.metadata.PackageNotFoundError
            return versions.get(name, "999")

        if versions:
            monkeypatch.setattr(environment.metadata, "version", version)
        return environment.report()

    return made


def test_a_healthy_set_up_is_reported_without_versions_and_torch_can_wait(report):
    lines = report()
    assert all(line.endswith(" fine") for line in lines[:-2]) and not re.search(r"\d", "".join(lines))
    assert any("you need it from notebook 07 on" in line for line in report(torch=None))
    for found in (lines, report(torch="2.13.0+cpu"), report(torch=None)):
        assert found[-1] == "All is well. You can go on."


def test_what_is_old_or_missing_is_named_with_what_mends_it(report):
    lines = report(numpy="1.26.4", ipywidgets=None)
    by_name = {line.split(" .")[0]: line for line in lines}
    assert "version 1.26.4, but the workbook needs 2 or newer" in by_name["numpy"]
    assert '%pip install "numpy>=2"' in by_name["numpy"]
    assert "is not installed" in by_name["ipywidgets"] and "(numpy, ipywidgets)" in lines[-1]


def test_what_it_says_to_run_can_be_pasted_also_where_the_course_is_only_on_the_path(report, monkeypatch):
    def not_installed(name):
        raise importlib.metadata.PackageNotFoundError(name)

    installed = report(**dict.fromkeys(("numpy", "ipywidgets", "torch"), None))
    monkeypatch.setattr(environment.metadata, "requires", not_installed)
    assert environment.report() == installed
    told = [re.search(r"`%pip install \"([^\"`]*)\"`", line) for line in installed if "not installed" in line]
    assert len(told) == 3 and all(Requirement(found[1]).marker is None for found in told)
    monkeypatch.setattr(course, "FOLDER", Path("/nowhere/at/all"))        # where no pyproject.toml is either
    assert environment.report() == ["nwlab is not installed, and no pyproject.toml beside it says what it needs."]
