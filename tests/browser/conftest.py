"""One server, one browser and one page of JupyterLab for all browser tests."""

import pytest
from jupyter_page import copy_of_notebooks, lab_in_browser

# The one that holds most memory, run from top to bottom; of the others the browser runs what their live figures need.
WHOLE = ("08_learning_the_similarity.ipynb",)


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


@pytest.fixture(scope="session")
def jupyterlab(browser_path, root, scratch):
    """jupyterlab.open("notebooks/01_....ipynb", width=1400, dark=False): it takes the place of the one before."""
    pytest.importorskip("playwright.sync_api")
    with lab_in_browser(browser_path, copy_of_notebooks(root, scratch, WHOLE).parent, scratch) as page:
        yield page
