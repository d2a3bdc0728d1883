"""A cell that ran out of time fails the run, by name, even where its code takes the interrupt for Ctrl-C."""

import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

SWALLOWS = """try:
    while True:
        pass
except KeyboardInterrupt:
    pass"""


def test_an_interrupted_cell_fails_by_name_and_what_follows_is_not_green(root, tmp_path):
    cells = [new_code_cell(source, execution_count=count, id=name)
             for count, (name, source) in enumerate([("train", SWALLOWS), ("after", "x = 1")], 1)]
    nbformat.write(new_notebook(cells=cells), tmp_path / "slow.ipynb")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", str(root / "pyproject.toml"), "--rootdir", str(tmp_path), "--nbval",
         "--nbval-cell-timeout=2", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", "slow.ipynb"],
        cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "2 failed" in done.stdout, done.stdout
    assert "slow.ipynb::Cell 0 (train) ran longer than 2 seconds and was interrupted" in done.stdout
    assert "XPASS(strict)" in done.stdout
