"""Run a notebook from its first cell to its last, in this very Python, and say at which line it failed if it did."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from workbook.authoring.outputs import tidy
from workbook.authoring.project import Project
from workbook.authoring.source import Lesson
from workbook.course import Course

TIMEOUT = 60                                             # seconds for a cell


def execute(notebook: NotebookNode, lesson: Lesson, project: Project, folder: Path) -> None:
    """Run every code cell in place, with `folder` as working directory. BuildError at the line that failed."""
    client = NotebookClient(notebook, kernel_name="python3", timeout=TIMEOUT, record_timing=False,
                            store_widget_state=False, coalesce_streams=True)
    client.reset_execution_trackers()
    private = [f"{folder}{os.sep}" for folder in (project.root, Path.home(), tempfile.gettempdir())]
    with tempfile.TemporaryDirectory(prefix="build-") as scratch:
        # stderr: the kernel's own messages. What a cell writes there is an output all the same.
        with client.setup_kernel(cwd=str(folder), env=_environment(scratch, project.course), stderr=subprocess.DEVNULL):
            for index, (made, cell) in enumerate(zip(notebook.cells, lesson.cells, strict=True)):
                if cell.kind == "markdown":
                    continue
                try:
                    client.execute_cell(made, index)
                except CellExecutionError as error:
                    message = f"{error.ename}: {error.evalue} (cell {cell.id!r})"
                    raise cell.problem(message, _line_in_cell(error.traceback) - 1) from error
                except (CellTimeoutError, DeadKernelError) as error:
                    what = "the kernel died" if isinstance(error, DeadKernelError) else f"{TIMEOUT} seconds went by"
                    raise cell.problem(f"{what} in cell {cell.id!r}") from error
                made.outputs = tidy(made.outputs, cell, private)


def _line_in_cell(traceback: str) -> int:
    """The line of the cell, from 1, that an IPython traceback names first."""
    match = re.search(r"Cell In\[\d+\], line (\d+)", re.sub(r"\x1b\[[0-9;]*m", "", traceback))
    return int(match[1]) if match else 1


def _environment(scratch: str, course: Course) -> dict[str, str]:
    """This process's environment without a person's own settings, which would change the outputs."""
    import matplotlib

    environment = {key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONWARNINGS")}
    return environment | {
        "IPYTHONDIR": scratch,
        f"{course.package.upper()}_PROGRESS": str(Path(scratch) / "progress.json"),  # building it is not solving it
        "MATPLOTLIBRC": str(Path(matplotlib.get_data_path()) / "matplotlibrc"),
    }
