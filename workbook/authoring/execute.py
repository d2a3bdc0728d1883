"""Run a notebook from its first cell to its last; a failure is reported with its line."""
import os
import re
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

from workbook import language
from workbook.authoring.source import Lesson

TIMEOUT = 60                                             # seconds for a cell
WIDGET = "application/vnd.jupyter.widget-view+json"
_WIDGET_REPR = re.compile(r"[A-Za-z]\w*\((\w+=|\))")     # VBox() and interactive(children=...) say nothing


def execute(notebook: NotebookNode, lesson: Lesson, folder: Path) -> None:
    """Run every code cell in place, with `folder` as working directory. BuildError at the line that failed."""
    with tempfile.TemporaryDirectory(prefix="build-") as scratch:
        # Sockets in a folder of their own: a port that is free when it is chosen may be taken when the kernel binds it.
        ipc = {"transport": "ipc", "connection_file": f"{scratch}/kernel.json"} if os.name == "posix" else {}
        client = NotebookClient(notebook, kernel_name="python3", timeout=TIMEOUT, startup_timeout=10 * TIMEOUT,
                                record_timing=False, coalesce_streams=True, config=Config({"KernelManager": ipc}))
        client.reset_execution_trackers()
        with client.setup_kernel(cwd=str(folder), env=_environment(scratch)):
            for index, (made, cell) in enumerate(zip(notebook.cells, lesson.cells, strict=True)):
                if cell.kind != "code":
                    continue
                try:
                    client.execute_cell(made, index)
                except CellExecutionError as error:
                    plain = re.sub(r"\x1b\[[0-9;]*m", "", error.traceback)
                    line = re.search(r"Cell In\[\d+\], line (\d+)", plain)        # of the cell, counted from 1
                    message = f"{error.ename}: {error.evalue} (cell {cell.id!r})"
                    raise cell.problem(message, int(line[1]) - 1 if line else 0) from error
                except (CellTimeoutError, DeadKernelError) as error:
                    raise cell.problem(f"cell {cell.id!r}: {error}") from error
                leave_out_widgets(made)


def _environment(scratch: str) -> dict[str, str]:
    """This process's environment without a person's own settings, which would change the outputs."""
    import matplotlib

    own = "MPLBACKEND", "PYTHONWARNINGS", language.VARIABLE
    environment = {key: value for key, value in os.environ.items() if key not in own}
    return environment | {
        "IPYTHONDIR": scratch,
        "NWLAB_PROGRESS": str(Path(scratch) / "progress.json"),  # building it is not solving it
        "MATPLOTLIBRC": str(Path(matplotlib.get_data_path()) / "matplotlibrc"),
    }


def leave_out_widgets(cell: NotebookNode) -> None:
    """Leave widgets out of a cell's outputs: a reader who has not run it would see "model not found"."""
    for data in (output.get("data", {}) for output in cell.outputs):
        if data.pop(WIDGET, None) is not None and _WIDGET_REPR.match(data.get("text/plain", "")):
            del data["text/plain"]
    cell.outputs = [output for output in cell.outputs if output.get("data", True)]
