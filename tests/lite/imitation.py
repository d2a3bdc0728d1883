"""A Python that refuses what Pyodide refuses: run as a program, it runs notebooks whole, and prints what went wrong.

    python imitation.py FOLDER NOTEBOOK ...     JSON: for each notebook its first failure, if any, and all text shown

No module torch, no thread, no process; a kernel whose get_parent takes no argument; a drive (FOLDER, where the
notebooks run) that hangs at a file .json*, which is an error here.
"""
import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import ipywidgets  # noqa: F401 - before the platform has another name
import nbformat
import numpy  # noqa: F401
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

sys.modules["torch"] = None


class Kernel:
    """The part of a browser tab's kernel that the package uses."""

    parent = {}

    def get_parent(self):
        return self.parent


def refuse(name: str):
    def refused(*args, **kwargs):
        raise RuntimeError(f"no {name} in a browser tab")

    return refused


def become_a_browser(drive: Path) -> None:
    sys.platform, os.fork, threading.Thread.start = "emscripten", refuse("process"), refuse("thread")
    subprocess.Popen, socket.socket.connect = refuse("process"), refuse("socket")

    def watch(event, args):
        if event == "open" and isinstance(args[0], str):
            path = Path(args[0]).absolute()
            if path.suffix.startswith(".json") and path.is_relative_to(drive):
                raise RuntimeError(f"the drive of a browser tab hangs at {path.name}")

    sys.addaudithook(watch)


async def run(path: str, shell: InteractiveShell) -> dict:
    """The text that was shown, and of the first cell that fails, if one does, its number and what its error shows."""
    from matplotlib import pyplot

    shell.reset(new_session=False)
    failure, words = None, []
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "code":
            Kernel.parent = {"header": {"msg_id": f"{path} {number}"}, "metadata": {"cellId": cell.id}}
            shown = []
            shell._showtraceback = lambda kind, error, lines, shown=shown: shown.extend(lines)
            with capture_output() as captured:
                done = await shell.run_cell_async(cell.source, transformed_cell=shell.transform_cell(cell.source))
            words += [captured.stdout, *(output.data.get("text/plain", "") for output in captured.outputs)]
            pyplot.close("all")
            if not done.success and "raises-exception" not in cell.metadata.get("tags", ()):
                failure = [number, "\n".join(shown)]
                break
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    return {"failure": failure, "words": "\n".join(words)}


def main(folder: str, *paths: str) -> None:
    os.chdir(folder)
    shell = InteractiveShell.instance()
    shell.kernel = Kernel()
    become_a_browser(Path(folder).resolve())

    async def every():
        return {Path(path).stem: await run(path, shell) for path in paths}

    print(json.dumps(asyncio.run(every())))


if __name__ == "__main__":
    main(*sys.argv[1:])
