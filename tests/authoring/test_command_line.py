"""``python -m nwlab``: exit codes and words; what the commands do is tested where it is done."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from workshop import START, make_workshop, write_source

import nwlab.__main__ as command_line
from nwlab.authoring.build import build


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    project = make_workshop(tmp_path, **{"00_start_here": START.partition("Go")[0]})
    build(project, say=lambda _: None)
    monkeypatch.chdir(tmp_path)
    return project


def run(*arguments):
    return CliRunner().invoke(command_line.main, list(arguments))


def test_build_check_and_links_pass_and_fail(workshop):
    assert run("build", "--check").output == "notebooks and README are what their sources say\n"
    links = run("links")
    assert links.exit_code == 0 and "links, each with a target" in links.output
    write_source(workshop.root, "00_start_here", "# Start here\n\n[a](gone.ipynb)\n")
    failed = run("build", "--check")
    assert failed.exit_code == 1 and "notebooks/00_start_here.ipynb: differs from its source" in failed.output
    failed = run("links")
    assert failed.exit_code == 1
    assert "notebooks/source/00_start_here.md:10: 'gone.ipynb' leads to no file" in failed.output
    assert run("build").exit_code == 0 and run("build", "--check").exit_code == 0


def test_a_mistake_in_a_source_is_one_line(workshop):
    write_source(workshop.root, "00_start_here", "no title\n")
    result = run("build")
    assert result.exit_code == 1
    assert result.output.startswith("notebooks/source/00_start_here.md:8: a lesson opens with prose")
    assert "Traceback" not in result.output


@pytest.mark.skipif(os.name != "posix", reason="elsewhere JupyterLab is a child process")
def test_lab_opens_the_first_notebook_from_the_root_and_passes_arguments_on(workshop, monkeypatch):
    started = []
    monkeypatch.setattr(os, "execv", lambda program, command: started.append((program, command, os.getcwd())))
    monkeypatch.chdir(workshop.notebooks)
    result = run("lab", "--no-browser", "--port", "8899", "--help")
    assert result.exit_code == 0, result.output
    ((program, command, folder),) = started
    assert program == sys.executable and os.path.samefile(folder, workshop.root)
    assert f"--ServerApp.root_dir={workshop.root}" in command
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in command
    assert command[-4:] == ["--no-browser", "--port", "8899", "--help"]


def test_lab_without_its_first_notebook_says_so(workshop):
    (workshop.notebooks / "00_start_here.ipynb").unlink()
    result = run("lab")
    assert result.exit_code == 1 and "00_start_here.ipynb is missing" in result.output


@pytest.mark.parametrize(("missing", "arguments", "says"), [
    ("click", [], "python -m nwlab needs click: run `make lab` once"),
    ("jupytext", ["build"], "this command needs the package jupytext: `make build` installs it"),
    ("jupytext", ["links"], "this command needs the package jupytext"),
])
def test_a_missing_package_is_named_with_what_to_do(root, tmp_path, missing, arguments, says):
    hide = f"import runpy, sys; sys.modules[{missing!r}] = None; sys.argv[1:] = {arguments!r}; "
    code = hide + "runpy.run_module('nwlab', run_name='__main__', alter_sys=False)"
    result = subprocess.run([sys.executable, "-c", code], cwd=root, text=True, capture_output=True)
    assert result.returncode == 1 and says in result.stderr and "Traceback" not in result.stderr
