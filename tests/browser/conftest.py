"""One server, one browser and one page of JupyterLab for all browser tests."""
import shutil

import pytest
from jupyter_page import BROWSER_FLAGS, LabPage, jupyter_server, nothing_reported, settle, wait_for_frame

from workbook.site import page as pages


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


@pytest.fixture(scope="session")
def jupyterlab(browser_path, root, scratch):
    """jupyterlab.open("notebooks/01_....ipynb", width=1400, dark=False): it takes the place of the one before. Without
    the side bar."""
    sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright
    shutil.copytree(root / "notebooks", scratch / "notebooks", ignore=shutil.ignore_patterns("source", ".ipynb_*"))
    with jupyter_server(scratch) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=BROWSER_FLAGS)
        page = LabPage(browser, address, scratch)
        page.command("application:toggle-left-area")
        yield page
        browser.close()


@pytest.fixture(scope="module")
def live(request, jupyterlab):
    """A notebook with the CELLS of the test file, of which the first has shown a figure."""
    return jupyterlab.show(request.path.stem, *request.module.CELLS)


@pytest.fixture
def lab(live):
    """That notebook, 1400 pixels wide, with its figure as it was at first."""
    live.problems.clear()
    live.page.set_viewport_size({"width": 1400, "height": 900})
    live.page.get_by_role("button", name="reset").first.click()
    live.canvas.scroll_into_view_if_needed()
    wait_for_frame(live.canvas)
    settle(live.canvas)
    yield live
    nothing_reported(live.page, live.problems)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """A page with the figure of the width, recorded."""
    path = tmp_path_factory.mktemp("pages") / "width.html"
    path.write_text(pages.page("width", states=120), encoding="utf-8")
    return path
