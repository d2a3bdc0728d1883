"""The first minute: what the Makefile does on a bare machine, and what keeps it from doing harm."""
import os
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix" or not shutil.which("make"), reason="needs make")


def make(folder, *arguments, path=None, check=False):
    """Run make in a folder, without the variables that an outer make hands down."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    if path is not None:
        environment["PATH"] = str(path)
    command = [shutil.which("make"), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=check)


@pytest.fixture
def clone(root, tmp_path):
    """A folder with what make reads, and no .venv."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((root / name).read_bytes())
    return tmp_path


def program(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def test_torch_comes_first_and_alone_and_its_index_can_be_chosen(clone):
    plan = make(clone, "-n", "lab", "TORCH_INDEX=https://example.org/x", check=True).stdout.replace("\\\n", " ")
    torch, rest = (line for line in plan.splitlines() if " install " in line and "-m pip" in line)
    assert "torch==" in torch and "-e " not in torch and '--extra-index-url "https://example.org/x"' in torch
    assert rest.endswith('-e ".[lab]"') and "--extra-index-url" not in rest


@pytest.mark.parametrize(("newer", "says"), [
    (None, "nwlab needs Python 3.11 or newer; python3 is Python 3.9.18."),
    ('case "$2" in *version_info*) exit 0;; *) exit 1;; esac', "sudo apt-get install python3-venv"),
])
def test_an_old_python_is_named_and_a_newer_one_beside_it_found(clone, tmp_path, newer, says):
    tools = tmp_path / "tools"                           # the few programs that make needs, and no Python
    tools.mkdir()
    for name in ("sh", "mkdir", "touch"):
        (tools / name).symlink_to(shutil.which(name))
    program(tools, "python3", 'if [ "$1" = --version ]; then echo Python 3.9.18; else exit 1; fi')
    if newer:
        program(tools, "python3.12", newer)
    result = make(clone, "lab", path=tools)
    assert result.returncode and says in result.stdout and not (clone / ".venv").exists()


def test_a_folder_that_is_no_environment_is_left_alone(clone):
    (clone / "precious").mkdir()
    (clone / "precious" / "thesis.txt").write_text("years of work", encoding="utf-8")
    result = make(clone, "lab", "VENV=precious", f"PYTHON={sys.executable}")
    assert result.returncode and "precious is there and is no virtual environment" in result.stdout
    make(clone, "clean", "VENV=precious", check=True)
    assert (clone / "precious" / "thesis.txt").exists()


def pretend(clone, words):
    """Put a .venv there whose Python fails where its arguments hold these words."""
    for folder in ("bin", ".stamps", "etc/jupyter/jupyter_server_config.d"):
        (clone / ".venv" / folder).mkdir(parents=True)
    for file in ("pyvenv.cfg", ".stamps/venv"):
        (clone / ".venv" / file).touch()
    program(clone / ".venv" / "bin", "lint-imports", "exit 0")
    program(clone / ".venv" / "bin", "python",
            f'echo "$@" >> "{clone}/calls"; case "$*" in *"{words}"*) exit 1;; esac')


def run(clone, target="lab"):
    """Whether make succeeds, what that Python was called with, and what make prints."""
    (clone / "calls").unlink(missing_ok=True)
    done = make(clone, target)
    return not done.returncode, (clone / "calls").read_text(encoding="utf-8"), done.stdout


def test_a_second_call_installs_nothing_a_change_does_and_make_says_first_how_long_it_takes(clone):
    pretend(clone, "no such words")
    for first_line, installs in (("setting up, only this once: about 2 minutes", 2), ("opens in some seconds", 0)):
        done, calls, printed = run(clone)
        assert done and calls.count(" install ") == installs and first_line in printed.splitlines()[0]
    later = (clone / ".venv" / ".stamps" / "lab").stat().st_mtime + 2
    os.utime(clone / "pyproject.toml", (later, later))
    assert run(clone)[1].count(" install ") == 1


def test_a_failed_install_is_done_again(clone):
    pretend(clone, "pip ")
    for _ in range(2):
        done, calls, printed = run(clone)
        assert not done and calls.count(" install ") == 1 and "PyTorch could not be installed" in printed


def test_a_failing_part_of_make_test_fails_it_and_the_rest_still_runs(clone):
    pretend(clone, "ruff check")
    done, calls, _ = run(clone, "test")
    assert not done and "pytest --nbval tests" in calls
