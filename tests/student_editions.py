"""What tests do with a student's notebook: solve it, run it, run nbval on it and say which cells failed."""
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat

ROOT = Path(__file__).resolve().parents[1]
EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))


def student(name: str, edition: str = "exercises"):
    return nbformat.read(ROOT / edition / f"{name}.ipynb", as_version=4)


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def checks(notebook) -> list[str]:
    """The ids of the check cells."""
    return [cell.id for cell in code_cells(notebook) if cell.id.startswith("check-")]


def solved(name: str, but: tuple[str, ...] = ()):
    """The student's notebook with the solutions written in, but for the cells called `but`."""
    notebook, answers = student(name), {cell.id: cell.source for cell in student(name, "solutions").cells}
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


def nbval(folder: Path, notebook, *options: str) -> tuple[dict[str, str], str]:
    """Run `pytest --nbval` on a notebook; the report of each failed cell, by its id, and what pytest printed."""
    nbformat.write(notebook, folder / "student.ipynb")
    failed, printed, count = nbval_of(folder, "student.ipynb", *options)
    assert count == len(code_cells(notebook)), printed[-3000:]
    return {name.partition("(")[2].strip(")"): text for (_, name), text in failed.items()}, printed


def nbval_of(folder: Path, *arguments: str) -> tuple[dict[tuple[str, str], str], str, int]:
    """Run `pytest --nbval` on files; the report of each failure, by file and name; what pytest printed; how many."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NWLAB_PROGRESS": str(folder / "progress.json")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-q",
         "-p", "no:cacheprovider", "-p", "no:xdist", "--junitxml=report.xml", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode in (0, 1), done.stdout[-3000:] + done.stderr[-3000:]
    cases = [*ElementTree.parse(folder / "report.xml").iter("testcase")]
    reports = {(case.get("classname"), case.get("name")): case.find("failure") for case in cases}
    return ({name: failure.text for name, failure in reports.items() if failure is not None}, done.stdout, len(cases))
