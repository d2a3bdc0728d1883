"""Run a notebook from its first cell to its last, in this very Python, and say where it stopped if it did."""

from __future__ import annotations

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

from .errors import BuildError
from .outputs import tidy
from .project import Project
from .source import Lesson

TIMEOUT = 60  # seconds for a cell; what a whole notebook may take on Binder


class _ThisPython(AsyncKernelManager):
    """Starts the Python that builds, whatever "python3" is among this machine's kernels."""

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


def execute(notebook: NotebookNode, lesson: Lesson, project: Project, progress: Callable[[int], None],
            folder: Path) -> None:
    """Run every code cell of ``notebook`` in place, with ``folder`` as working directory, and tidy what it shows.
    ``progress`` is called with 1 after each cell. Raises ``BuildError`` at the line that failed.
    """
    with tempfile.TemporaryDirectory(prefix="nwlab-build-") as scratch:
        client = NotebookClient(
            notebook,
            kernel_manager_class=_ThisPython,
            kernel_name="python3",
            timeout=TIMEOUT,
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
        )
        private = [f"{folder}{os.sep}" for folder in (project.root, Path.home(), tempfile.gettempdir())]
        client.reset_execution_trackers()
        # The kernel's own messages go nowhere; what a cell writes comes as an output.
        where = {"cwd": str(folder), "env": _environment(scratch), "stderr": subprocess.DEVNULL}
        with client.setup_kernel(**where):
            for index, (raw, cell) in enumerate(zip(notebook.cells, lesson.cells, strict=True)):
                if raw.cell_type != "code":
                    continue
                try:
                    client.execute_cell(raw, index)
                except CellExecutionError as error:
                    line = _line_in_cell(error.traceback)
                    raise BuildError(lesson.path, cell.line + line - 1,
                                     f"{error.ename}: {error.evalue} (cell {cell.id!r})") from error
                except CellTimeoutError as error:
                    raise BuildError(lesson.path, cell.line,
                                     f"cell {cell.id!r} did not end within {TIMEOUT} seconds") from error
                except DeadKernelError as error:
                    raise BuildError(lesson.path, cell.line, f"the kernel died in cell {cell.id!r}") from error
                raw.outputs = tidy(raw.outputs, cell, lesson.path, private)
                progress(1)


def _line_in_cell(traceback: str) -> int:
    """Return the line of the cell, from 1, that an IPython traceback names first."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", traceback)
    match = re.search(r"Cell In\[\d+\], line (\d+)", plain)
    return int(match[1]) if match else 1


def _environment(scratch: str) -> dict[str, str]:
    """Return this process's environment without what a person's settings would do to the outputs."""
    import matplotlib

    environment = {key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONWARNINGS")}
    environment["IPYTHONDIR"] = scratch
    environment["NWLAB_PROGRESS"] = str(Path(scratch) / "progress.json")  # building a solution is not solving it
    environment["MATPLOTLIBRC"] = str(Path(matplotlib.get_data_path()) / "matplotlibrc")
    return environment
