"""One server, one browser and one page of JupyterLab for all browser tests."""
import shutil

import pytest
from jupyter_page import lab_in_browser

from workbook.site import page as pages


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


@pytest.fixture(scope="session")
def jupyterlab(browser_path, root, scratch):
    """jupyterlab.open("notebooks/01_....ipynb", width=1400, dark=False): it takes the place of the one before."""
    pytest.importorskip("playwright.sync_api")
    shutil.copytree(root / "notebooks", scratch / "notebooks", ignore=shutil.ignore_patterns("source", ".ipynb_*"))
    with lab_in_browser(browser_path, scratch) as page:
        yield page


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """A page with the figure of the width, recorded."""
    path = tmp_path_factory.mktemp("pages") / "width.html"
    path.write_text(pages.page("width", states=120), encoding="utf-8")
    return path
