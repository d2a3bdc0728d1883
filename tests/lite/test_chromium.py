"""The real thing: Chromium, JupyterLite and Pyodide, from files on this machine; no kernel runs anywhere else.

NWLAB_PYODIDE names a folder with Pyodide, as `python -m workbook lite --download FOLDER` fills it. Without it, these
skip.
"""
import json
import os
import zipfile
from pathlib import Path

import pytest
from jupyter_page import BROWSER_FLAGS, nothing_reported, result_of, slowed, wait_for_frame, web_server

from workbook.authoring.project import Project

PYODIDE = os.environ.get("NWLAB_PYODIDE", "")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(
    not PYODIDE, reason="a browser tab needs Pyodide: NWLAB_PYODIDE names no folder with it")]
WRONG = "def differences(queries, keys):\n    return queries - keys\nwarm_up.check_differences(differences)"
RIGHT = "def differences(queries, keys):\n    return queries[:, None] - keys\nwarm_up.check_differences(differences)"


class Tab:
    """A notebook in one page of the browser."""

    def __init__(self, browser, address: str):
        self.page = slowed(browser.new_page(viewport={"width": 1200, "height": 900}))
        self.address, self.problems = address, []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.context.on("request", lambda request: request.url.startswith((address, "data:", "blob:"))
                             or self.problems.append(f"asks another host: {request.url}"))

    def open(self, name: str) -> None:
        self.page.goto(f"{self.address}/notebooks/index.html?path={name}.ipynb")
        self.page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel")
        self.ask("1")

    def run_all(self) -> list[str]:
        """Run all cells; what the errors among their outputs show, whether in sight or not."""
        return result_of(self.page, """async () => {
            await window.jupyterapp.commands.execute('notebook:run-all-cells');
            const cells = window.jupyterapp.shell.currentWidget.model.toJSON().cells;
            const errors = cells.flatMap((cell) => cell.outputs ?? []).filter((each) => each.output_type == 'error');
            return errors.map((each) => each.traceback.join('\\n'));
        }""")

    def ask(self, code: str) -> str:
        """Run code in the notebook's kernel; all that it shows or raises, as text."""
        return result_of(self.page, """async (code) => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const future = kernel.requestExecute({ code, stop_on_error: false }), shown = [];
            future.onIOPub = ({ content }) => shown.push(
                content.text ?? content.data?.['text/html'] ?? content.traceback?.join('\\n') ?? '');
            await future.done;
            return shown.join('\\n');
        }""", code)


@pytest.fixture(scope="module")
def jupyterlab(root, browser_path, tmp_path_factory):
    from playwright.sync_api import sync_playwright

    from workbook.site import lite

    folder = tmp_path_factory.mktemp("lite") / "built"
    lite.build(Project(root), folder, Path(PYODIDE), say=str)
    settings = json.loads((folder / "jupyter-lite.json").read_text(encoding="utf-8"))
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True            # the tests press its buttons by name
    (folder / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
    with web_server(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=BROWSER_FLAGS)
        yield Tab(browser, address)
        browser.close()


@pytest.mark.parametrize("name", os.environ.get("NWLAB_LITE", "00_start_here 02_kernels_and_weights").split())
def test_a_lesson_runs_whole_and_its_figure_moves(jupyterlab, name):
    tab = jupyterlab
    tab.open(f"notebooks/{name}")
    assert tab.run_all() == []
    nothing_reported(tab.page, tab.problems)
    canvas = tab.page.locator(".wb-figure canvas").first
    canvas.scroll_into_view_if_needed()                                     # what is out of sight is not painted
    before = wait_for_frame(canvas)
    tab.page.locator(".wb-controls input[type=range]").first.focus()
    tab.page.keyboard.press("ArrowRight")
    wait_for_frame(canvas, before)


def test_a_wrong_and_a_right_answer_are_checked_and_progress_outlives_the_page(jupyterlab):
    tab = jupyterlab
    tab.open("exercises/warm_up")
    assert "numpy" in tab.ask("import numpy as np\nfrom workbook.exercises import warm_up\nprint(np.__name__)")
    assert "not yet" in tab.ask(WRONG) and "holds" in tab.ask(RIGHT)
    assert "was not checked" in tab.ask("warm_up.check_pool_batches(print)")
    assert "The differences that you ran last is not in the saved" in tab.ask("warm_up.hand_in()").replace("\n", " ")
    tab.open("exercises/warm_up")
    assert "1 of 7 items hold" in tab.ask("from workbook.exercises import warm_up\nwarm_up.progress()")
    nothing_reported(tab.page, tab.problems)


def test_what_was_changed_is_taken_along_and_a_newer_edition_is_named(jupyterlab):
    jupyterlab.page.goto(f"{jupyterlab.address}/tree/index.html")           # which starts no Python
    jupyterlab.page.wait_for_function("window.jupyterapp?.serviceManager")
    jupyterlab.page.evaluate("""async () => {
        const { contents } = window.jupyterapp.serviceManager, path = 'exercises/warm_up.ipynb';
        const model = await contents.get(path, { content: true });
        model.content.metadata.edition = 'earlier';
        await contents.save(path, model);
        await contents.save('notebooks/notes.txt', { type: 'file', format: 'text', content: 'σ = 2' });
    }""")
    jupyterlab.page.goto(f"{jupyterlab.address}/keep.html")
    jupyterlab.page.get_by_text("there is a newer edition").wait_for()
    with jupyterlab.page.expect_download() as taken:
        jupyterlab.page.get_by_role("button", name="Take all of it along").click()
    with zipfile.ZipFile(taken.value.path()) as archive:
        assert archive.testzip() is None and {"exercises/warm_up.ipynb", "notebooks/notes.txt"} <= {*archive.namelist()}
        assert archive.read("notebooks/notes.txt").decode() == "σ = 2"
        assert json.loads(archive.read("exercises/warm_up.ipynb"))["metadata"]["edition"] == "earlier"
