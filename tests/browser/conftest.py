"""One server and one browser, with one store of JupyterLab's own files, for all browser tests."""

from __future__ import annotations

import pytest
from jupyter_page import BROWSER_FLAGS, LabPage, copy_of_notebooks, jupyter_server


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


# The one that holds most memory, run from top to bottom; of the others the browser runs what their live figures need.
WHOLE = ("08_learning_the_similarity.ipynb",)


@pytest.fixture(scope="session")
def lab_address(browser_path, root, scratch):
    folder = copy_of_notebooks(root, scratch, WHOLE).parent
    with jupyter_server(folder, scratch) as address:
        yield address


@pytest.fixture(scope="session")
def chromium_browser(browser_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=BROWSER_FLAGS)
        yield browser.new_context()                     # pages that share it load JupyterLab's files once
        browser.close()


@pytest.fixture
def server_memory(lab_address):
    """server_memory() -> MB that JupyterLab's server and its youngest kernel hold: what one open notebook needs."""
    import psutil

    def measure() -> float:
        port = f"--port={lab_address.rpartition(':')[2]}"
        server, = (one for one in psutil.Process().children() if port in one.cmdline())
        kernel = max(server.children(), key=lambda one: one.create_time())
        return (server.memory_info().rss + kernel.memory_info().rss) / 2**20

    return measure


@pytest.fixture(scope="module")
def open_notebooks(chromium_browser, lab_address, scratch):
    """open_notebooks("notebooks/01_....ipynb", width=1400, dark=False) -> LabPage; closed when the module ends."""
    yield from _opener(chromium_browser, lab_address, scratch)


@pytest.fixture
def open_notebook(chromium_browser, lab_address, scratch):
    """The same, closed when the test ends."""
    yield from _opener(chromium_browser, lab_address, scratch)


def _opener(chromium_browser, lab_address, scratch):
    pages = []

    def open_one(notebook: str, **options) -> LabPage:
        pages.append(LabPage(chromium_browser, lab_address, scratch, notebook, **options))
        return pages[-1]

    yield open_one
    for page in pages:
        page.close()
