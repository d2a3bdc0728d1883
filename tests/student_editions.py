"""What tests do with a student's notebook: solve it, run it, run nbval on it and say which cells failed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))


def student(name: str, edition: str = "exercises"):
    return nbformat.read(ROOT / edition / f"{name}.ipynb", as_version=4)


def solution(name: str):
    return student(name, "solutions")


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def checks(notebook) -> list[str]:
    """The ids of the check cells."""
    return [cell.id for cell in code_cells(notebook) if cell.id.startswith("check-")]


def solved(name: str, but: tuple[str, ...] = ()):
    """The student's notebook with the solutions written in, but for the cells called `but`."""
    notebook, answers = student(name), {cell.id: cell.source for cell in solution(name).cells}
    for cell in notebook.cells:
        if cell.id.startswith("write-") and cell.id not in but:
            cell.source = answers[cell.id]
    return notebook


def run(folder: Path, *notebooks) -> None:
    """Run every cell in place, as JupyterLab's Run All does, but go on after an error.

    One kernel for all, which is what takes time; after each notebook it forgets every name.
    """
    from nbclient import NotebookClient

    client = NotebookClient(nbformat.v4.new_notebook(), kernel_name="python3", timeout=60, allow_errors=True)
    client.reset_execution_trackers()
    with client.setup_kernel(cwd=str(folder)):
        for client.nb in notebooks:
            client.nb.cells.append(nbformat.v4.new_code_cell("%reset_selective -f ."))
            for index, cell in enumerate(client.nb.cells):
                client.execute_cell(cell, index)


def errors(notebook) -> dict[str, str]:
    """The text of the error of each cell that has one, by the cell's id."""
    return {cell.id: "\n".join(output.traceback) for cell in code_cells(notebook) for output in cell.outputs
            if output.output_type == "error"}


def nbval(folder: Path, *options: str, **notebooks) -> tuple[dict[str, dict[str, str]], str]:
    """Run `pytest --nbval`; returns for each name the report of each failed cell, by its id, and the output."""
    for name, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NWLAB_PROGRESS": str(folder / "progress.json")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-q",
         "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", *options, *(f"{name}.ipynb" for name in notebooks)],
        cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    assert done.returncode in (0, 1), done.stdout[-3000:] + done.stderr[-3000:]
    found = {}
    for name, notebook in notebooks.items():
        ids = [cell.id for cell in code_cells(notebook)]
        outcomes = {int(number): outcome for outcome, number in
                    re.findall(rf"^(PASSED|FAILED) \S*{name}\.ipynb::Cell (\d+)", done.stdout, flags=re.M)}
        assert sorted(outcomes) == list(range(len(ids))), f"{name}: nbval reported {outcomes}\n{done.stdout[-3000:]}"
        reports = re.split(r"^_+ \S*?(\w+)\.ipynb::Cell (\d+) _+$", done.stdout, flags=re.M)
        texts = {(reports[i], int(reports[i + 1])): reports[i + 2] for i in range(1, len(reports) - 2, 3)}
        found[name] = {ids[number]: texts.get((name, number), "") for number, outcome in outcomes.items()
                       if outcome == "FAILED"}
    return found, done.stdout
