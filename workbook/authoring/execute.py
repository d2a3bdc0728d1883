"""Run a notebook from its first cell to its last, in this very Python, and say where it stopped if it did."""
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from workbook.authoring.outputs import tidy
from workbook.authoring.project import Project
from workbook.authoring.source import Lesson
from workbook.course import Course

TIMEOUT = 60  # seconds for a cell; what a whole notebook may take on Binder


class ThisPython(AsyncKernelManager):
    """Starts the Python that builds, whatever "python3" is among this machine's kernels."""

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


def execute(notebook: NotebookNode, lesson: Lesson, project: Project, progress: Callable[[int], None],
            folder: Path) -> None:
    """Run every code cell of ``notebook`` in place, with ``folder`` as working directory, and tidy what it shows.
    ``progress`` is called with 1 after each cell. Raises ``BuildError`` at the line that failed.
    """
    client = NotebookClient(notebook, kernel_manager_class=ThisPython, kernel_name="python3", timeout=TIMEOUT,
                            record_timing=False, store_widget_state=False, coalesce_streams=True)
    client.reset_execution_trackers()
    private = [f"{folder}{os.sep}" for folder in (project.root, Path.home(), tempfile.gettempdir())]
    with tempfile.TemporaryDirectory(prefix="build-") as scratch:
        # The kernel's own messages go nowhere; what a cell writes comes as an output.
        with client.setup_kernel(cwd=str(folder), env=_environment(scratch, project.course), stderr=subprocess.DEVNULL):
            for index, (raw, cell) in enumerate(zip(notebook.cells, lesson.cells, strict=True)):
                if raw.cell_type != "code":
                    continue
                try:
                    client.execute_cell(raw, index)
                except CellExecutionError as error:
                    line = _line_in_cell(error.traceback) - 1
                    raise cell.problem(f"{error.ename}: {error.evalue} (cell {cell.id!r})", line) from error
                except CellTimeoutError as error:
                    raise cell.problem(f"cell {cell.id!r} did not end within {TIMEOUT} seconds") from error
                except DeadKernelError as error:
                    raise cell.problem(f"the kernel died in cell {cell.id!r}") from error
                raw.outputs = tidy(raw.outputs, cell, private)
                progress(1)


def _line_in_cell(traceback: str) -> int:
    """The line of the cell, from 1, that an IPython traceback names first."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", traceback)
    match = re.search(r"Cell In\[\d+\], line (\d+)", plain)
    return int(match[1]) if match else 1


def _environment(scratch: str, course: Course) -> dict[str, str]:
    """This process's environment without what a person's settings would do to the outputs."""
    import matplotlib

    environment = {key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONWARNINGS")}
    return environment | {
        "IPYTHONDIR": scratch,
        # Building a solution is not solving it.
        f"{course.package.upper()}_PROGRESS": str(Path(scratch) / "progress.json"),
        "MATPLOTLIBRC": str(Path(matplotlib.get_data_path()) / "matplotlibrc"),
    }
