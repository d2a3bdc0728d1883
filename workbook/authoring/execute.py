"""Run a notebook from its first cell to its last, with the Python that runs this; a failure is reported with its line.

Only text and pictures are stored, and no text that depends on the machine or the session.
"""
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

from workbook.authoring.project import BuildError, Project
from workbook.authoring.source import IGNORED, Cell, Lesson

TIMEOUT = 60                                             # seconds for a cell
WIDGET = "application/vnd.jupyter.widget-view+json"
_WIDGET_REPR = re.compile(r"[A-Z]\w*\((\w+=|\))")        # VBox(children=...) says nothing to anyone


def execute(notebook: NotebookNode, lesson: Lesson, project: Project, folder: Path) -> None:
    """Run every code cell in place, with `folder` as working directory. BuildError at the line that failed."""
    private = [f"{place}{os.sep}" for place in (project.root, Path.home(), tempfile.gettempdir())]
    with tempfile.TemporaryDirectory(prefix="build-") as scratch, open(Path(scratch) / "said", "w+") as said:
        client = NotebookClient(notebook, kernel_name="python3", timeout=TIMEOUT, startup_timeout=10 * TIMEOUT,
                                record_timing=False, store_widget_state=False, coalesce_streams=True,
                                config=_connection(scratch))
        client.reset_execution_trackers()
        try:
            # stderr: the kernel's own messages. What a cell writes there is an output all the same.
            with client.setup_kernel(cwd=str(folder), env=_environment(scratch), stderr=said):
                for index, (made, cell) in enumerate(zip(notebook.cells, lesson.cells, strict=True)):
                    if cell.kind == "code":
                        _execute_cell(client, made, index, cell, said)
                        made.outputs = tidy(made.outputs, cell, private)
        except RuntimeError as error:
            raise BuildError(lesson.path, None, f"no kernel could be started: {error}{_last_words(said)}") from error


def _execute_cell(client: NotebookClient, made: NotebookNode, index: int, cell: Cell, said: TextIO) -> None:
    try:
        client.execute_cell(made, index)
    except CellExecutionError as error:
        message = f"{error.ename}: {error.evalue} (cell {cell.id!r})"
        raise cell.problem(message, _line_in_cell(error.traceback) - 1) from error
    except CellTimeoutError as error:
        raise cell.problem(f"{TIMEOUT} seconds went by in cell {cell.id!r}") from error
    except DeadKernelError as error:
        raise cell.problem(f"the kernel died in cell {cell.id!r}{_last_words(said)}") from error


def _last_words(said: TextIO) -> str:
    """What a kernel has said that has died."""
    said.seek(0)
    return f"; it said:\n{text[-4000:]}" if (text := said.read().strip()) else ""


def _connection(scratch: str) -> Config:
    """Sockets in a folder of their own: a port that is free when it is chosen may be taken when the kernel binds it."""
    ipc = {"transport": "ipc", "connection_file": str(Path(scratch) / "kernel.json")}
    return Config({"KernelManager": ipc if os.name == "posix" else {}})


def _line_in_cell(traceback: str) -> int:
    """The line of the cell, from 1, that an IPython traceback names first."""
    match = re.search(r"Cell In\[\d+\], line (\d+)", re.sub(r"\x1b\[[0-9;]*m", "", traceback))
    return int(match[1]) if match else 1


def _environment(scratch: str) -> dict[str, str]:
    """This process's environment without a person's own settings, which would change the outputs."""
    import matplotlib

    environment = {key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONWARNINGS")}
    return environment | {
        "IPYTHONDIR": scratch,
        "NWLAB_PROGRESS": str(Path(scratch) / "progress.json"),  # building it is not solving it
        "MATPLOTLIBRC": str(Path(matplotlib.get_data_path()) / "matplotlibrc"),
    }


def tidy(outputs: list[NotebookNode], cell: Cell, private: list[str]) -> list[NotebookNode]:
    """The outputs of `cell` as they are stored, without widgets. BuildError for one that nbval could not compare or a
    reader could not see. private: the folders of this machine that no output may name.
    """
    shown = "picture" if any(map(pictures, outputs)) else ""
    for data in (output.get("data", {}) for output in outputs):
        if data.pop(WIDGET, None) is not None:
            shown = shown or "widget"
            if _WIDGET_REPR.match(data.get("text/plain", "")):
                del data["text/plain"]
    problems = [problem for output in outputs for problem in _problems(output, cell, private)]
    if shown and IGNORED not in cell.tags:
        problems.insert(0, f"shows a {shown}, so it needs :tags: [{IGNORED}]")
    if problems:
        raise cell.problem(f"cell {cell.id!r} {problems[0]}")
    return outputs


def pictures(output: NotebookNode) -> list[str]:
    """The picture types of one output, HTML with a picture in it included (`workbook.pictures` makes that)."""
    return [kind for kind, content in output.get("data", {}).items()
            if kind.startswith("image/") or kind == "text/html" and "<img " in content]


def _problems(output: NotebookNode, cell: Cell, private: list[str]) -> Iterator[str]:
    if "data" in output and not output["data"]:
        yield ("shows a widget with neither a picture nor words, so a reader who has not run it sees nothing: "
               "give it a _repr_mimebundle_ with a picture or text")
    if output.get("name") == "stderr":
        yield f"writes to stderr: {output.text.strip()}"
    text = str([value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")]
               + [output.get("text"), output.get("traceback")])
    if address := re.search(r"\bat 0x[0-9A-Fa-f]{6,}", text):
        yield f"shows an address in memory, {address[0]!r}, which is another at every run"
    yield from (f"names a folder of this machine, {folder!r}" for folder in private if folder in text)
