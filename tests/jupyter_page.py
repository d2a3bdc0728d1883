"""JupyterLab in a headless browser, as a person would use it: for the browser tests and the benchmark."""
import functools
import http.server
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import psutil

BROWSER_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
OPEN = "--no-browser", "--ip=127.0.0.1", "--allow-root"
CONTENT = "window.jupyterapp.shell.currentWidget.content"
# A warning of JupyterLab's own that says nothing about the workbook is not its error. It may ask for pictures in a text
# before it has resolved the relative address: the tests wait until each picture is there. And since 4.7 its debugger
# asks a kernel that is about to be restarted.
HARMLESS = ("favicon", "/api/contents?", "/api/kernels?", "/images/", "net::ERR_INTERNET_DISCONNECTED",
            "ResizeObserver loop", "Canceled future for debug_request")
LIMIT = 300                             # seconds until anything that a test waits for has come about
QUIET = "[PST]"                         # the theme of the site says in the console which of its modes it is in


@contextmanager
def jupyter_server(folder: Path):
    """A JupyterLab server for `folder`; yields its address."""
    with server(sys.executable, "jupyterlab", *OPEN, "--IdentityProvider.token=",
                "--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={folder}",
                "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", folder=folder) as address:
        yield address


@contextmanager
def server(python, *command: str, folder: Path):
    """`python -m COMMAND` on a free local port, in a folder, with settings of its own; yields its address when it
    answers. In the end it is stopped, and with it the kernels that outlive it."""
    port, log = free_port(), folder / "server.log"
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + LIMIT
    places = {name: str(folder / "settings" / name) for name in (
        "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR",
        "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    with log.open("w") as file:
        process = subprocess.Popen([python, "-m", *command, f"--port={port}"], cwd=folder, stdin=subprocess.DEVNULL,
                                   env={**os.environ, **places, "OMP_NUM_THREADS": "1"}, stdout=file, stderr=file)
    try:
        while not answers(port):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"no server answers at {address}; its log ends with:\n{log.read_text()[-3000:]}")
            time.sleep(0.2)
        yield address
    finally:
        kernels = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
        for kernel in kernels:
            if kernel.is_running():
                kernel.kill()


@contextmanager
def web_server(folder: Path):
    """The usual web server for the files in a folder; yields its address."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook with a title and these code cells, for the kernel of this environment."""
    import nbformat

    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    notebook.cells = [nbformat.v4.new_markdown_cell("# A figure"), *map(nbformat.v4.new_code_cell, cells)]
    nbformat.write(notebook, path)


def slowed(page):
    """The page; NWLAB_SLOW_PAGE=6 makes its processor six times as slow."""
    page.set_default_timeout(1000 * LIMIT)
    if rate := os.environ.get("NWLAB_SLOW_PAGE"):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": float(rate)})
    return page


def watch(page, harmless: tuple[str, ...]) -> list[str]:
    """What the page and its console report as errors from now on, but for what holds one of the harmless words."""
    problems = []

    def note(problem: str) -> None:
        if not any(word in problem for word in harmless):
            problems.append(problem)

    page.on("console", lambda message: message.type == "error" and note(
        f"console: {message.text} ({message.location.get('url')})"))
    page.on("pageerror", lambda error: note(f"page error: {error}"))
    return problems


class LabPage:
    """JupyterLab in one page, which shows the notebooks of a folder one after another: its own scripts take longest to
    load.

    `problems` collects what the browser's console and page report as errors since the notebook was opened.
    """

    def __init__(self, browser, address: str, folder: Path):
        self.page, self.folder, self._other = slowed(browser.new_page()), folder, None
        self.problems = watch(self.page, HARMLESS)
        self.page.goto(f"{address}/lab?reset")
        self.page.wait_for_function("window.jupyterapp")
        self.page.evaluate("async () => { await window.jupyterapp.restored; }")
        self.page.wait_for_function("!document.querySelector('#jupyterlab-splash')")

    def another(self, address: str = "about:blank", width=1000, height=800, scheme="light"):
        """The other page of this browser, for what needs no JupyterLab, at this address; to open a page costs seconds.

        Its `requests` and `problems` are those since then.
        """
        if self._other is None:
            self._other = page = slowed(self.page.context.browser.new_page())
            page.on("request", lambda request: page.requests.append(request.url))
            page.on("console", lambda message: QUIET in message.text or page.problems.append(message.text))
            page.on("pageerror", lambda error: page.problems.append(str(error)))
        page = self._other
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        for place in ("about:blank", address):
            page.requests, page.problems = [], []
            page.goto(place)
        return page

    def open(self, notebook: str, width=1400, height=900, dark=False) -> "LabPage":
        """Show this notebook once its kernel is there, and close what was open before, with its kernel."""
        self.page.evaluate("""async () => {
            for (const panel of [...window.jupyterapp.shell.widgets('main')]) {
                await panel.sessionContext?.shutdown();
                panel.dispose();
            }
        }""")
        self.page.set_viewport_size({"width": width, "height": height})
        self.theme(dark)
        self.problems.clear()                           # messages of the kernel just stopped are no problem
        self.page.evaluate("""async (path) => {
            const panel = await window.jupyterapp.commands.execute('docmanager:open', { path, factory: 'Notebook' });
            await panel.context.ready;
            await panel.sessionContext.ready;
        }""", notebook)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-RenderedMarkdown")
        return self

    def write(self, name: str, *cells: str, **window) -> "LabPage":
        """Write a notebook of these code cells below a title, and show it."""
        write_notebook(self.folder / f"{name}.ipynb", *cells)
        return self.open(f"{name}.ipynb", **window)

    def show(self, name: str, *cells: str) -> "LabPage":
        """The same; and run the first cell, and wait until the figure that it shows, with its `canvas`, rests."""
        self.write(name, *cells).run_cell(1)
        self.canvas = self.page.locator(".wb-canvas").first
        self.canvas.scroll_into_view_if_needed()
        wait_for_frame(self.canvas)
        settle(self.canvas)
        return self

    def theme(self, dark: bool) -> None:
        self.command("apputils:change-theme", theme="JupyterLab Dark" if dark else "JupyterLab Light")
        self.page.wait_for_function(f"document.body.dataset.jpThemeLight === '{str(not dark).lower()}'")

    def command(self, name: str, **arguments) -> None:
        """One of JupyterLab's own commands, done to its end."""
        self.page.evaluate("""([name, arguments, limit]) => Promise.race([
            window.jupyterapp.commands.execute(name, arguments).then(() => null),
            new Promise((_, reject) => setTimeout(reject, limit, new Error(`${name} has not ended`))),
        ])""", [name, arguments, 2000 * LIMIT])             # a whole notebook takes longer than what else is awaited

    def run_cell(self, index: int, wait=True) -> None:
        self.page.evaluate(f"{CONTENT}.deselectAll(); {CONTENT}.activeCellIndex = {index}")
        if wait:
            self.command("notebook:run-cell")
        else:
            self.page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-cell')")

    def printed(self, index: int) -> str:
        """What a cell prints when it is run, from the notebook: the page draws it later, from JupyterLab 4.7 on."""
        self.run_cell(index)
        read = f"{CONTENT}.model.sharedModel.toJSON().cells[{index}].outputs.map((one) => [one.text].flat().join(''))"
        return "".join(self.page.evaluate(read))

    def run_all(self) -> None:
        """Run All Cells until all are done or one has failed: prompts may be stored ones, and the status bar lags."""
        self.command("notebook:run-all-cells")

    def restart(self) -> None:
        """Restart the kernel and wait until the new one answers: a server that has to stop it before that runs wild."""
        self.page.evaluate("""async () => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            await kernel.restart();
            await kernel.requestKernelInfo();
        }""")

    def assert_nothing_failed(self) -> None:
        """No cell shows an error or a warning, whether on the screen or not, and the browser reports none."""
        read = f"""() => {CONTENT}.model.sharedModel.toJSON().cells
            .flatMap((cell) => cell.outputs ?? []).filter((one) => one.output_type === 'error' || one.name === 'stderr')
            .map((one) => [one.traceback ?? one.text].flat().join('\\n'))"""
        wait_for(self.page, lambda: self.page.evaluate(read), [])
        nothing_reported(self.page, self.problems)


def picture(canvas) -> int:
    """What a canvas shows now, as a number to compare."""
    return canvas.evaluate("""(canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(data.buffer).reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 0);
    }""")


def expect(what):
    """Playwright's assertion about a page or a locator, which waits."""
    from playwright.sync_api import expect

    expect.set_options(timeout=1000 * LIMIT)
    return expect(what)


def wait_until(page, done, problem):
    """Call `done` until it returns something true, and return that; AssertionError with the problem, which may be a
    function that says it, if it does not."""
    end = time.monotonic() + LIMIT
    while not (answer := done()):
        assert time.monotonic() < end, f"{problem() if callable(problem) else problem}, within {LIMIT} s"
        page.wait_for_timeout(40)
    return answer


def wait_for(page, read, expected) -> None:
    """Call `read` until it returns what is expected; AssertionError with what it returned at last if it does not."""
    seen = []
    wait_until(page, lambda: seen.append(read()) or seen[-1] == expected, lambda: f"{seen[-1]!r}, not {expected!r}")


def result_of(page, script: str, *argument):
    """What a script returns, on a page or a locator, that does itself what is asked and waits for it. What only reads
    the page goes through `wait_for`."""
    return page.evaluate(script, *argument)


def wait_for_width(page, most: int) -> None:
    """Wait until the page is at most so many pixels wide."""
    page.wait_for_function("most => document.documentElement.scrollWidth <= most", arg=most)


def nothing_reported(page, problems: list[str]) -> None:
    """AssertionError if the page has reported one of these problems, once it has dealt with all that it has to do."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert problems == [], problems


def frame_of(canvas) -> int:
    """The number of the frame that is painted last."""
    return int(canvas.get_attribute("data-frame") or 0)


def wait_for_frame(canvas, after: int = 0) -> int:
    """Wait until a frame later than `after` is painted; returns its number."""
    return wait_until(canvas.page, lambda: max(0, frame_of(canvas) - after), f"no frame after number {after}") + after


def wait_for_prepared(page, figure) -> None:
    """Until the page has the pictures of all states of this figure that it can show without the kernel."""
    states = len({key for key, _ in figure.neighbours()})
    page.wait_for_function(f"document.querySelector('.wb-canvas').dataset.prepared >= {states}")


def settle(canvas, quiet: float = 0.4) -> int:
    """Wait until no new frame has come for a while; returns the number of the last."""
    frame = result_of(canvas, """(canvas, quiet) => new Promise((resolve) => {
        let [last, chances] = [performance.now(), 0];       // to draw, which a busy machine has less often
        new MutationObserver(() => [last, chances] = [performance.now(), 0])
            .observe(canvas, { attributeFilter: ["data-frame"] });
        setTimeout(() => resolve(null), 60_000);
        requestAnimationFrame(function look() {
            if (++chances > 12 && performance.now() - last > quiet) resolve(Number(canvas.dataset.frame ?? 0));
            else requestAnimationFrame(look);
        });
    })""", 1000 * quiet)
    assert frame is not None, "frames keep coming by themselves"
    return frame
