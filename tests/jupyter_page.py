"""JupyterLab in a headless browser, as a person would use it: for the browser tests and the benchmark."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

from chromium import MISSING, find_browser

BROWSER_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
# A warning of JupyterLab's own that says nothing about the workbook is not its error.
HARMLESS = ("favicon", "/api/contents?", "net::ERR_INTERNET_DISCONNECTED", "ResizeObserver loop")


@contextmanager
def jupyter_server(folder: Path, scratch: Path):
    """A JupyterLab server on a free local port for `folder`; yields its address and stops it by its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    places = {name: str(scratch / name) for name in
              ("JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTER_RUNTIME_DIR",
               "IPYTHONDIR")}
    log = (scratch / "jupyter.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
         "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={folder}",
         "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
         "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"],
        env={**os.environ, **places, "OMP_NUM_THREADS": "1"}, stdin=subprocess.DEVNULL, stdout=log,
        stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(server, address, scratch / "jupyter.log")
        yield address
    finally:
        import psutil

        started = []
        with suppress(psutil.NoSuchProcess):
            started = psutil.Process(server.pid).children(recursive=True)
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
        for process in started:               # kernels that outlived their server
            if process.is_running():
                process.kill()
        log.close()


def _wait_for(server, address: str, log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(address + "/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not answer at {address}; its log ends with:\n{log.read_text()[-3000:]}")


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook with a title and these code cells, for the kernel of this environment."""
    import nbformat

    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    notebook.cells = [nbformat.v4.new_markdown_cell("# A figure"), *map(nbformat.v4.new_code_cell, cells)]
    nbformat.write(notebook, path)


def copy_of_notebooks(root: Path, folder: Path, whole: tuple[str, ...] = ()) -> Path:
    """The stored notebooks with all they link to, in a folder where they may be run and changed.

    But for those called `whole`, only what the live figures need is left as code: nbval runs the rest.
    """
    import nbformat

    target = folder / "notebooks"
    shutil.copytree(root / "notebooks", target, ignore=shutil.ignore_patterns("source", ".ipynb_checkpoints"))
    for path in target.glob("*.ipynb"):
        if path.name not in whole:
            notebook = nbformat.read(path, as_version=4)
            needed = _needed_by_figures([cell for cell in notebook.cells if cell.cell_type == "code"])
            notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code" or cell.id in needed]
            nbformat.write(notebook, path)
    return target


def _needed_by_figures(cells) -> set[str]:
    """The ids of the cells that show a live figure, and of those that make the names which they use."""
    asked, needed = set(), set()
    for cell in reversed(cells):
        tree = list(ast.walk(ast.parse(cell.source)))
        names = [node for node in tree if isinstance(node, ast.Name)]
        made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        made |= {node.name for node in tree if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        made |= {(alias.asname or alias.name).partition(".")[0] for node in tree
                 if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
        if "explore." in cell.source or made & asked:
            needed.add(cell.id)
            changed = {node.target.id for node in tree if isinstance(node, ast.AugAssign)}       # runs |= ...
            asked = asked - made | {node.id for node in names if isinstance(node.ctx, ast.Load)} - made | changed
    return needed


class LabPage:
    """One notebook open in JupyterLab. `problems` collects what the browser's console and page report as errors."""

    def __init__(self, browser, address: str, scratch: Path, notebook: str, width=1400, height=900, dark=False):
        settings = scratch / "JUPYTERLAB_SETTINGS_DIR" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True, exist_ok=True)
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
        self.page = browser.new_page()
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.set_default_timeout(15_000)
        self.problems: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.goto(f"{address}/lab/tree/{notebook}?reset")
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-RenderedMarkdown", timeout=60_000)
        self.page.wait_for_function("!document.querySelector('#jupyterlab-splash')", timeout=60_000)

    def _console(self, message) -> None:
        if message.type == "error" and not any(word in message.text + message.location.get("url", "")
                                               for word in HARMLESS):
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def run_all(self, timeout: float = 300, wait: bool = True) -> None:
        """Run All Cells, once the kernel is there, and wait until it has done them all, or one has failed.

        By JupyterLab's own command: what stored prompts and a busy status bar show cannot be told from a run.
        """
        problem = self.page.evaluate(
            """async ([seconds, wait]) => {
                 const late = new Promise((resolve) =>
                   setTimeout(() => resolve(`not done in ${seconds} s`), seconds * 1000));
                 const run = async () => {
                   while (!window.jupyterapp?.shell.currentWidget?.sessionContext)
                     await new Promise((resolve) => setTimeout(resolve, 50));
                   const panel = window.jupyterapp.shell.currentWidget;
                   await panel.context.ready;
                   await panel.sessionContext.ready;
                   const done = window.jupyterapp.commands.execute('notebook:run-all-cells');
                   if (wait) await done;
                   return null;
                 };
                 return Promise.race([run(), late]);
               }""", [timeout, wait])
        assert problem is None, f"Run All Cells: {problem}"

    def errors_in_cells(self) -> list[str]:
        return self.page.eval_on_selector_all(
            ".jp-RenderedText[data-mime-type='application/vnd.jupyter.error'], .jp-OutputArea-output"
            "[data-mime-type='application/vnd.jupyter.stderr']", "all => all.map(one => one.innerText)")

    @property
    def explorers(self):
        return self.page.locator(".jp-OutputArea-child:has(.nwlab-canvas)")

    def close(self) -> None:
        """Close the page and its kernel: the next page with this notebook begins anew, and finds no old widgets."""
        self.page.evaluate("""async () => {
            for (const panel of window.jupyterapp?.shell.widgets('main') ?? []) await panel.sessionContext?.shutdown();
        }""")
        self.page.close()


@contextmanager
def run_in_browser(notebooks: dict[str, list[str]]):
    """For scripts: notebooks of these code cells, by name. Yields open_one(name, **options) -> LabPage, all run."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        raise SystemExit(MISSING)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        scratch = Path(folder)
        for name, cells in notebooks.items():
            write_notebook(scratch / f"{name}.ipynb", *cells)
        with jupyter_server(scratch, scratch) as address:
            browser = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS)

            def open_one(name: str, **options) -> LabPage:
                lab = LabPage(browser, address, scratch, f"{name}.ipynb", **options)
                lab.run_all()
                return lab

            yield open_one
            browser.close()


def picture(canvas) -> str:
    """What a canvas shows now, as a short string to compare."""
    return hashlib.sha256(canvas.evaluate("canvas => canvas.toDataURL()").encode()).hexdigest()


def wait_for_frame(canvas, after: int = 0, timeout: float = 20) -> int:
    """Wait until a frame later than `after` is painted; returns its number."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        frame = int(canvas.get_attribute("data-frame") or 0)
        if frame > after:
            return frame
        canvas.page.wait_for_timeout(30)
    raise AssertionError(f"no frame after number {after} within {timeout:g} s")


def settle(canvas, quiet: float = 0.4, timeout: float = 20) -> int:
    """Wait until no new frame has come for a while; returns the number of the last."""
    last, since = -1, time.monotonic()
    end = since + timeout
    while time.monotonic() - since < quiet:
        assert time.monotonic() < end, f"frames keep coming by themselves: number {last}"
        frame = int(canvas.get_attribute("data-frame") or 0)
        if frame != last:
            last, since = frame, time.monotonic()
        canvas.page.wait_for_timeout(40)
    return last
