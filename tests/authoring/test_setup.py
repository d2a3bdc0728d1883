"""The first minute: what the Makefile does on a bare machine, and what the README promises."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import chromium
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
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path):
    """A PATH with the few programs that make and .ci/run need, and no Python."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in "sh mkdir touch grep rm sed awk uname bash dirname chmod env basename".split():
        (folder / name).symlink_to(shutil.which(name))
    return folder


def test_help_names_every_target_that_the_readme_names(root):
    readme, printed = (root / "README.md").read_text(encoding="utf-8"), make(root, check=True).stdout
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", readme, flags=re.MULTILINE))
    for target in named | {"lab", "test", "bench", "build", "site", "links", "clean", "help"}:
        assert re.search(rf"^  make {target}\s+\S", printed, flags=re.MULTILINE), target
    assert ".venv\\Scripts\\python -m nwlab lab" in readme and 'pip install -c constraints.txt -e ".[lab]"' in readme


def test_torch_comes_first_and_alone_from_an_index_of_ones_choice(clone):
    own = make(clone, "-n", "lab", "TORCH_INDEX=https://example.org/x", "LAB_ARGS=--port 8899", check=True).stdout
    assert '--extra-index-url "https://example.org/x"' in own and "-m nwlab lab --port 8899" in own
    plan = make(clone, "-n", "lab", check=True).stdout.replace("\\\n", " ")
    torch, rest = (line for line in plan.splitlines() if " install " in line and "-m pip" in line)
    assert "torch==" in torch and "-e " not in torch and rest.endswith('-e ".[lab]"')
    default = re.search(r"^TORCH_INDEX \?= (https://\S+/cpu)$", (clone / "Makefile").read_text(encoding="utf-8"), re.M)
    assert f'--extra-index-url "{default[1]}"' in torch and "--retries 0" in torch
    assert "--extra-index-url" not in rest and "[test]" not in plan
    assert "-c constraints.txt" in torch and "-c constraints.txt" in rest


@pytest.mark.parametrize(("newer", "says"), [
    (None, "nwlab needs Python 3.11 or newer; python3 is Python 3.9.18."),
    ('case "$2" in *version_info*) exit 0;; *) exit 1;; esac', "sudo apt-get install python3-venv"),
])
def test_an_old_python_is_named_and_a_newer_one_beside_it_found(clone, tools, newer, says):
    program(tools, "python3", 'if [ "$1" = --version ]; then echo Python 3.9.18; else exit 1; fi')
    if newer:
        program(tools, "python3.12", newer)
    result = make(clone, "lab", path=tools)
    assert result.returncode and says in result.stdout and not (clone / ".venv").exists()
    assert ("python3.12 cannot make a virtual environment" in result.stdout) == bool(newer)


def test_a_folder_that_is_no_environment_is_left_alone(clone):
    (clone / "precious").mkdir()
    (clone / "precious" / "thesis.txt").write_text("years of work", encoding="utf-8")
    result = make(clone, "lab", "VENV=precious", f"PYTHON={sys.executable}")
    assert result.returncode and "precious is there and is no virtual environment" in result.stdout
    make(clone, "clean", "VENV=precious", check=True)
    assert (clone / "precious" / "thesis.txt").exists()


@pytest.fixture
def pretend(clone):
    """pretend(words, script) puts a .venv there whose Python runs the script where its arguments hold these words; what
    it returns runs make: whether it succeeds, how many packages it installs for that, and what it prints.
    """
    def put(words, script):
        for folder in ("bin", ".stamps", "etc/jupyter/jupyter_server_config.d"):
            (clone / ".venv" / folder).mkdir(parents=True)
        (clone / ".venv" / "pyvenv.cfg").touch()
        (clone / ".venv" / ".stamps" / "venv").touch()
        program(clone / ".venv" / "bin", "lint-imports", "exit 0")
        program(clone / ".venv" / "bin", "python",
                f'echo "$@" >> "{clone}/calls"; case "$*" in *"{words}"*) {script};; esac')
        return run

    def run(target="lab"):
        (clone / "calls").unlink(missing_ok=True)
        done = make(clone, target)
        return not done.returncode, (clone / "calls").read_text(encoding="utf-8").count(" install "), done.stdout

    return put


@pytest.mark.parametrize(("target", "each_time"), [("lab", "opens in some seconds"), ("test", "about 10 minutes")])
def test_a_second_call_installs_nothing_and_a_change_does_and_make_says_first_how_long_it_takes(
        root, clone, pretend, target, each_time):
    run = pretend("pip ", "exit 0")
    done, count, first = run(target)
    assert done and count == (2 if target == "lab" else 3)
    done, count, again = run(target)
    assert done and count == 0
    readme = " ".join((root / "README.md").read_text(encoding="utf-8").split())
    assert "only this once: about 2 minutes on a quick network, 10 or more on a slow one" in first.splitlines()[0]
    assert each_time in again.splitlines()[0] and each_time in readme
    assert "takes about 2 minutes on a quick network, 10 or more on a slow one" in readme
    later = (clone / ".venv" / ".stamps" / target).stat().st_mtime + 2
    os.utime(clone / "pyproject.toml", (later, later))
    assert run(target)[:2] == (True, count + (1 if target == "lab" else 2))


def test_a_failed_install_is_done_again(clone, pretend):
    run = pretend("pip ", "exit 1")
    for _ in range(2):
        done, count, printed = run()
        assert (done, count) == (False, 1) and "PyTorch could not be installed" in printed
        assert not (clone / ".venv" / ".stamps" / "torch").exists()


def test_a_failing_part_of_make_test_fails_it_and_the_rest_still_runs(clone, pretend):
    assert not pretend("ruff check", "exit 1")("test")[0]
    assert "pytest --nbval tests" in (clone / "calls").read_text(encoding="utf-8")


@pytest.mark.parametrize("there", [True, False])
def test_ci_installs_a_browser_only_where_there_is_none(root, clone, tools, there):
    (clone / ".ci").mkdir()
    shutil.copy(root / ".ci" / "run", clone / ".ci" / "run")
    notes = f'echo "$(basename "$0") $*" >> "{clone}/calls"'
    program(tools, "id", "echo 0")
    program(tools, "make", f'{notes}; echo "required: $NWLAB_REQUIRE_BROWSER" >> "{clone}/calls"')
    program(tools, "apt-get", f'{notes}; printf "#!/bin/sh\\n" > "{tools}/chromium"; chmod +x "{tools}/chromium"')
    if there:
        program(tools, "google-chrome", "exit 0")
    result = subprocess.run([clone / ".ci" / "run"], env={"PATH": str(tools)}, cwd="/", text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    calls = (clone / "calls").read_text(encoding="utf-8").splitlines()
    assert calls[-2:] == ["make test", "required: 1"]
    assert any("chromium" in call for call in calls) != there and result.stdout.startswith("ci: ")


@pytest.mark.parametrize(("required", "outcome"), [("", pytest.skip), ("0", pytest.skip), ("1", pytest.fail)])
def test_a_browser_is_found_where_it_is_said_to_be_or_the_test_skips_or_fails(tmp_path, monkeypatch, required, outcome):
    monkeypatch.setenv("NWLAB_BROWSER", str(program(tmp_path, "mybrowser", "exit 0")))
    assert Path(chromium.find_browser()) == tmp_path / "mybrowser"
    monkeypatch.setenv("NWLAB_BROWSER", str(tmp_path / "gone"))
    with pytest.raises(FileNotFoundError, match="NWLAB_BROWSER is '.*gone', which is no program"):
        chromium.find_browser()
    monkeypatch.setattr(chromium, "find_browser", lambda: None)
    monkeypatch.setenv("NWLAB_REQUIRE_BROWSER", required)
    with pytest.raises(outcome.Exception, match="sudo apt-get install chromium"):
        chromium.browser_for_tests()
