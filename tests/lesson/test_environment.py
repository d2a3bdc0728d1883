"""pip, conda and Binder get the same workbook: pyproject.toml, constraints.txt, environment.yml agree."""
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from itertools import chain

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}


@pytest.fixture(scope="module")
def pyproject(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pins(root):
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def requirements(pyproject, *extras):
    project = pyproject["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return {req.name: req for req in map(Requirement, chain(*lists)) if req.name != "nwlab"}


def test_conda_gets_what_pip_gets_in_the_same_range_with_python_and_jupyterlab_as_tested(pyproject, root, pins):
    environment = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))
    specs = dict(re.fullmatch(r"([a-z0-9-]+)(.*)", spec).groups() for spec in environment["dependencies"])
    asked = requirements(pyproject, "live", "torch", "lab", "instructor")
    builder = {Requirement(need).name.replace("_", "-") for need in pyproject["build-system"]["requires"]}
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert set(specs) == {CONDA_NAMES.get(name, name) for name in asked} | builder | {"python", "pip"}
    for name, requirement in asked.items():
        assert name == "jupyterlab" or specs[CONDA_NAMES.get(name, name)] == str(requirement.specifier), requirement
    lab, python = specs["jupyterlab"], specs["python"]
    assert re.fullmatch(r"=\d+\.\d+", lab) and f"{pins['jupyterlab']}.".startswith(lab[1:] + ".")
    assert Version(pins["jupyterlab"]) in asked["jupyterlab"].specifier
    assert re.fullmatch(r"=3\.\d+", python)
    assert python[1:] == pyproject["project"]["requires-python"].removeprefix(">=")
    assert f"Python {python[1:]}:" in (root / "constraints.txt").read_text(encoding="utf-8").splitlines()[0]


def test_what_colab_installs_brings_no_second_lab_and_leaves_its_widgets_alone(pyproject):
    asked = requirements(pyproject, "live", "torch")
    assert "7.7.1" in asked["ipywidgets"].specifier and not {"jupyterlab", "notebook", "jupyter"} & set(asked)


def test_constraints_are_plain_pins_of_everything_asked_for_that_take_the_oldest_python_promised(pyproject, pins):
    """A pin that asks for 3.11.5 keeps pip searching for half an hour on a Debian that has 3.11.2."""
    oldest = pyproject["project"]["requires-python"].removeprefix(">=") + ".0"
    for name, version in pins.items():
        assert re.fullmatch(r"[A-Za-z0-9._-]+", name) and Version(version).local is None
        with suppress(importlib.metadata.PackageNotFoundError):
            metadata = importlib.metadata.metadata(name)
            needs = metadata.get("Requires-Python") or ""
            assert metadata["Version"].partition("+")[0] != version or oldest in SpecifierSet(needs), f"{name} {needs}"
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    for name, requirement in requirements(pyproject, "live", "torch", "lab", "instructor", "test").items():
        assert Version(pinned[canonicalize_name(name)]) in requirement.specifier, f"{requirement} is pinned otherwise"


def test_this_environment_is_the_pinned_one(pyproject, pins):
    """Not an error elsewhere, but where the tests run through make, they run on what is pinned."""
    if not (os.environ.get("MAKELEVEL") and sys.version_info[:2] == (3, 11)):
        pytest.skip("only where make installed this environment, on the pinned Python")
    wrong = {name: (importlib.metadata.version(name), version) for name, version in pins.items()
             if name in requirements(pyproject, "live", "torch", "lab", "instructor", "test")
             and Version(importlib.metadata.version(name)).public != version}
    assert not wrong


@pytest.mark.skipif(os.name != "posix", reason="Binder runs bash")
def test_scripts_are_executable_and_strict_and_start_caps_threads_and_hands_over(root):
    for script in (root / "postBuild", root / "start", root / ".ci" / "run"):
        assert os.access(script, os.X_OK), f"{script} is not executable: chmod +x"
        text = script.read_text(encoding="utf-8")
        assert text.startswith("#!") and "\nset -euo pipefail\n" in text
    code = "import os, sys; print(os.environ['OMP_NUM_THREADS'], sys.argv[1:])"
    command = [root / "start", sys.executable, "-c", code, "a b", "c"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1 ['a b', 'c']\n"


def test_binder_plans_a_conda_image_with_our_scripts(root, tmp_path):
    """repo2docker, which Binder runs, says what it would do; it needs no Docker for that. Nothing hides these files."""
    hiding = ("Dockerfile", "binder", ".binder", "apt.txt", "requirements.txt", "runtime.txt")
    assert not [name for name in hiding if (root / name).exists()]
    pytest.importorskip("repo2docker", reason="jupyter-repo2docker is not installed here")
    for name in ("environment.yml", "postBuild", "start", "pyproject.toml"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    plan = result.stdout + result.stderr
    assert result.returncode == 0, plan
    assert "Building conda environment for python=3.11" in plan
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in plan
    assert "\nRUN ./postBuild\n" in plan and 'ENV R2D_ENTRYPOINT="${REPO_DIR}/start"' in plan
