"""Without PyTorch, threads and processes, as in a browser tab, what can run runs, and the rest says why not."""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from workbook import course
from workbook.checks import hand_in, progress
from workbook.exercises import warm_up

IMITATION = Path(__file__).with_name("imitation.py")


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    return tmp_path_factory.mktemp("drive")


@pytest.fixture(scope="module")
def results(root, drive):
    """By notebook: the first failure or None, and the text that was shown. All in one process. Of the lessons that the
    workflow runs in a real tab only two: each takes as long as under nbval."""
    real = re.findall(r"\d\d_\w+", (root / ".github" / "workflows" / "lite.yml").read_text(encoding="utf-8"))
    lessons = {path.stem: path for path in sorted((root / "notebooks").glob("*.ipynb"))}
    assert lessons.keys() >= {*real} and not {*real} & {*course.NEEDS_MACHINE}
    twice = {"00_start_here", "02_kernels_and_weights", "11_a_real_head"}
    paths = [path for name, path in lessons.items() if name not in real or name in twice]
    paths += sorted((root / "solutions").glob("*.ipynb"))
    variables = os.environ | {"MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, IMITATION, drive, *paths]
    done = subprocess.run(command, capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_all_that_needs_no_torch_runs_from_top_to_bottom(results):
    failures = {name: result["failure"] for name, result in results.items() if result["failure"]}
    assert set(failures) == set(course.NEEDS_MACHINE) and len(results) >= 17, failures
    for name, (cell, shown) in failures.items():
        assert "No module named 'torch'" in shown or "import of torch halted" in shown, f"{name}: {shown}"
        assert cell == 1, f"{name}: at the first cell of code"


def test_an_item_in_torch_is_skipped_and_says_so(results, drive, monkeypatch):
    for exercise, items in ("warm_up", ("pool_batches", "scores_of_rows")), ("bug_museum", ("loss_and_slope",)):
        for item in items:
            assert f"{item} is written in PyTorch, which is not here" in results[exercise]["words"]
    monkeypatch.setenv("NWLAB_PROGRESS", str(drive / ".nwlab-progress.txt"))
    assert [name for name, holds in progress.held(warm_up.EXERCISE).items() if not holds] == [
        "pool_batches", "scores_of_rows"]
    assert re.search(r"ipywidgets \.+ fine", results["00_start_here"]["words"])


def test_the_download_link_of_a_handed_in_exercise_holds_the_file(root, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setenv("NWLAB_PROGRESS", str(tmp_path / "progress.txt"))
    monkeypatch.setattr(hand_in.messages, "shell", lambda: SimpleNamespace(user_ns={}))
    monkeypatch.setattr(hand_in.messages, "display", lambda markup, plain: shown.append(markup))
    monkeypatch.setattr(hand_in, "in_browser", lambda: True)
    shutil.copy(root / "exercises" / "warm_up.ipynb", tmp_path)
    file = base64.b64encode(hand_in.hand_in(warm_up.EXERCISE, tmp_path / "warm_up.ipynb").read_bytes()).decode()
    (link,) = shown
    assert "download='warm_up-handin.zip'" in link and f"href='data:application/zip;base64,{file}'" in link
