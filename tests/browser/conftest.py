"""One server, one browser and one page of JupyterLab for all browser tests."""
import shutil

import pytest
from jupyter_page import lab_in_browser


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


@pytest.fixture(scope="session")
def jupyterlab(browser_path, root, scratch):
    """jupyterlab.open("notebooks/01_....ipynb", width=1400, dark=False): it takes the place of the one before."""
    pytest.importorskip("playwright.sync_api")
    shutil.copytree(root / "notebooks", scratch / "notebooks", ignore=shutil.ignore_patterns("source", ".ipynb_*"))
    with lab_in_browser(browser_path, scratch, scratch) as page:
        yield page
