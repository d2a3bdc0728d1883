"""The archive for Gradescope, unpacked and run as in its container: with bubblewrap, and where that is not allowed."""
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from grading.graded import ROOT, answered, cells
from grading.test_grade import DIFFERENCES, bwrap

from workbook import files
from workbook.command import main

SNOOP = """def pool(weights, values):
    try:
        open({!r}, "r+")
    except OSError as first:
        open({!r})
"""


def graded(folder, uploads: dict[str, bytes], *around: str) -> tuple[dict, str, int]:
    """(results.json, what teachers see, the exit code) for these uploads. around: what runs the command."""
    archive, place, programs = folder / "autograder.zip", folder / "autograder", ("setup.sh", "run_autograder")
    done = CliRunner().invoke(main, ["autograder", "warm_up", "--out", str(archive), "--follow-through", "0.5"])
    assert done.exit_code == 0 and "with 9 autograder points and 2 for manual grading" in done.output
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(place / "source")
        assert "exercises/zh/warm_up.ipynb" in packed.namelist()         # its text is none of the student's words
        assert all(packed.getinfo(name).external_attr >> 16 == 0o755 for name in programs)
    assert not any(subprocess.run(["bash", "-n", name], cwd=place / "source").returncode for name in programs)
    for name, data in uploads.items():
        files.write(place / "submission" / name, data)
    results = place / "results/results.json"
    files.write(results, "of an earlier run")
    line = (place / "source/run_autograder").read_text().split()[-8:-1]
    assert line[:3] == ["/opt/workbook/bin/python", "-P", "-m"] and line[5] == "/autograder"
    done = subprocess.run([*around, sys.executable, *line[1:5], str(place), line[6]], cwd="/", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=os.environ | {"PYTHONPATH": str(place / "source"), "OMP_NUM_THREADS": "1"})
    return json.loads(results.read_text()) if results.exists() else None, done.stdout, done.returncode


def container() -> list[str]:
    """Root, as in a container, where others can read Python and the workbook: folders that only root can open are
    replaced by ones that hold nothing else.
    """
    ways = [[*reversed(place.parents), place] for place in (Path(sys.base_prefix), Path(sys.prefix), ROOT)]
    below = {place: parent for way in ways for parent, place in zip(way, way[1:]) if not parent.stat().st_mode & 1}
    return ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--cap-add", "ALL",
            *(option for parent in dict.fromkeys(below.values()) for option in ("--tmpfs", parent)),
            *(option for place in below for option in ("--ro-bind", place, place))]


@pytest.mark.parametrize("walls", [True, pytest.param(False, marks=pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can run answers as another user"))])
def test_points_come_whole_and_in_part_and_no_answer_reaches_the_results(tmp_path, monkeypatch, box, walls):
    paths = [f"{tmp_path}/autograder/{path}" for path in ("results/results.json", "source/solutions/warm_up.ipynb")]
    book = {"cells": answered("solutions", differences=DIFFERENCES, pool=SNOOP.format(*paths))}
    upload = files.packed({"warm_up.ipynb": json.dumps(book).encode()})
    if not walls:
        bwrap(tmp_path, monkeypatch, "echo not in here >&2", os.environ["PATH"])
    found, said, code = graded(tmp_path, {"warm_up-handin.zip": upload}, *([] if walls else container()))
    assert code == 0, said
    assert said.endswith("6 of 9 points\n") and ("not in here: answers are run by user" in said) != walls
    scores = {test["name"]: (test["score"], test["max_score"]) for test in found["tests"]}
    assert scores == {"differences": (0, 1), "scores_of": (0.5, 1), "weights_of": (2, 2), "pool": (0, 1),
                      "attend": (0.5, 1), "pool_batches": (1, 1), "scores_of_rows": (2, 2)}
    said = {test["name"]: test["output"] for test in found["tests"]}
    assert f"{'FileNotFoundError' if walls else 'PermissionError'}: " in said["pool"] and paths[1] in said["pool"]
    assert said["scores_of"].startswith("right, but for `differences`")


def test_what_holds_no_notebook_is_told_so_and_where_nothing_can_be_graded_there_are_no_results(tmp_path, monkeypatch):
    found, said, code = graded(tmp_path, {"essay.pdf": b"", "unit_sphere.ipynb": b"{"})
    assert code == 0 and {test["score"] for test in found["tests"]} == {0} and "0 of 9 points" in said
    assert "expected warm_up.ipynb or warm_up-handin.zip, got unit_sphere.ipynb" in found["output"]
    bwrap(tmp_path, monkeypatch, 'case "$*" in *true) exit 0; esac; echo no walls today >&2', os.environ["PATH"])
    solved = json.dumps({"cells": cells("solutions")}).encode()
    found, said, code = graded(tmp_path, {"warm_up.ipynb": solved})
    assert code == 1 and found is None and "no walls today" in said
