"""`python -m workbook`: exit codes and words; what the commands do is tested where it is done."""
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from jupyterlab import labapp
from workshop import START, make_workshop, write_source

from workbook import language
from workbook.authoring.build import build
from workbook.command import main


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    project = make_workshop(tmp_path, **{"00_start_here": START.partition("Go")[0]})
    build(project, say=str)
    monkeypatch.chdir(tmp_path)
    return project


def run(*arguments):
    result = CliRunner().invoke(main, list(arguments))
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def test_build_passes_and_fails(workshop):
    assert run("build")[0] == 0
    write_source(workshop.root, "01_other", "# Another\n")
    code, printed = run("build", "00_start_here")
    assert code == 1 and "notebooks/01_other.ipynb: there is no such notebook" in printed
    assert printed.endswith("these have to be built, too: `make build` builds all\n")
    assert run("build", "01_other")[0] == 0 and run("build", "de/01_other")[0] == 1
    write_source(workshop.root, "00_start_here", "no title\n")
    code, printed = run("build")
    assert code == 1 and printed.startswith("notebooks/source/00_start_here.md:8: a lesson opens with prose")


def test_lab_opens_the_first_notebook_from_the_root_and_passes_arguments_on(workshop, monkeypatch):
    started = []
    monkeypatch.setattr(labapp, "main", lambda options: started.append(
        (options, os.getcwd(), os.environ["OMP_NUM_THREADS"])))
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert run("lab") == (0, "") and started.pop()[2] == "3"
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.chdir(workshop.notebooks)
    assert run("lab", "--no-browser", "--port", "8899", "--help") == (0, "")
    [(options, folder, threads)] = started
    assert os.path.samefile(folder, workshop.root) and threads == "1"
    assert f"--ServerApp.root_dir={workshop.root}" in options
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in options
    assert options[-4:] == ["--no-browser", "--port", "8899", "--help"]
    chinese = workshop.notebooks / "zh" / "00_start_here.ipynb"
    chinese.parent.mkdir()
    chinese.write_text("{}", encoding="utf-8")
    with language.speaking("zh"):
        assert run("lab") == (0, "")
    assert "--LabApp.default_url=/lab/tree/notebooks/zh/00_start_here.ipynb" in started.pop()[0]


@pytest.mark.parametrize(("missing", "arguments", "says"), [
    ("click", [], "the commands need click: run `make lab` once"),
    ("jupyterlab", ["lab"], "this command needs the package jupyterlab: `make lab` or `make build` installs it"),
    ("jupytext", ["build"], "this command needs the package jupytext: `make lab` or `make build` installs it"),
])
def test_a_missing_package_is_named_with_what_to_do(root, missing, arguments, says):
    code = (f"import runpy, sys; sys.modules[{missing!r}] = None; sys.argv[1:] = {arguments!r}; "
            "runpy.run_module('workbook', run_name='__main__', alter_sys=False)")
    result = subprocess.run([sys.executable, "-c", code], cwd=root, text=True, capture_output=True)
    assert result.returncode == 1 and says in result.stderr and "Traceback" not in result.stderr


def test_launch_links_of_another_repository_are_printed_as_badges(workshop):
    chinese = workshop.notebooks / "zh" / "00_start_here.ipynb"
    chinese.parent.mkdir()
    chinese.write_text("{}", encoding="utf-8")
    assert "/HEAD?urlpath=lab/tree/notebooks/zh/00_start_here.ipynb" in run("links", "--repo", "me/course")[1]
    code, printed = run("links", "--repo", "me/course", "--hub", "https://hub.example.edu/")
    assert code == 0 and printed.startswith("notebooks/00_start_here.ipynb\n")
    for link in ("https://mybinder.org/v2/gh/me/course/HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb",
                 "https://colab.research.google.com/github/me/course/blob/HEAD/notebooks/00_start_here.ipynb",
                 "https://hub.example.edu/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com%2Fme%2Fcourse"
                 "&urlpath=lab%2Ftree%2Fcourse%2Fnotebooks%2F00_start_here.ipynb"):
        assert f"]({link})" in printed and f'<a href="{link.replace("&", "&amp;")}"><img src="https://' in printed
    for same in ("me/course.git", "https://github.com/me/course.git", "git@github.com:me/course.git", "me/course/",
                 "github.com/me/course", "https://github.com/me/course/tree/main", "ssh://git@github.com/me/course"):
        assert run("links", "--repo", same, "--hub", "https://hub.example.edu/hub/") == (0, printed), same
    for wrong in "nonsense", "", "https://github.com/me":
        code, said = run("links", "--repo", wrong)
        assert code == 1 and said.startswith(f"links: --repo: got {wrong!r}, expected OWNER/NAME")
    printed = run("links", "--repo", "https://gitlab.com/group/me/course/-/tree/main")[1]
    assert "/gl/group%2Fme%2Fcourse/HEAD" in printed and "Colab" not in printed
    printed = run("links", "--repo", "https://git.example.org:8443/me/course")[1]
    assert "/git/https%3A%2F%2Fgit.example.org%3A8443%2Fme%2Fcourse/HEAD" in printed


def test_a_figure_is_not_recorded_for_a_folder_that_is_not_there(workshop):
    assert run("figure", "width", "--out", "gone/width.html") == (
        1, "gone/width.html: expected a folder that is there and may be written to, got gone\n")
