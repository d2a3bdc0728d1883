"""What all tests share: where the checkout is, how Hypothesis searches, which browser there is."""
import asyncio
import os
import tempfile
import uuid
from pathlib import Path

import chromium
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile("same", derandomize=True, deadline=None)      # the same examples on every machine
settings.load_profile("same")

# With several processes, the folders whose tests take longest come first, and one process gets all that needs the
# browser, JupyterLab or the site, so that these are made once.
FIRST = ("tests/browser", "tests/pages", "solutions", "notebooks", "tests/authoring", "tests/lite", "tests/grading",
         "tests/explore", "tests/exercises", "tests/claims")


OUR_WARNINGS = pytest.mark.filterwarnings(
    "error::nwlab.EmptyWindowWarning", "error::nwlab.bandwidth.EdgeOfSearchWarning")


def pytest_configure():
    """Connect to kernels by files: a port that is free when it is chosen may be taken when the kernel binds it."""
    if os.name != "posix":
        return
    import jupyter_client
    import nbval.kernel
    from traitlets import default

    def by_files(manager: type) -> type:
        """The manager, whose connection file lies beside the sockets: their paths must be short."""
        return type("ByFiles", (manager,), {
            "_no_ports": default("transport")(lambda self: "ipc"),
            "_file": default("connection_file")(lambda self: f"{tempfile.gettempdir()}/kernel-{uuid.uuid4()}.json")})

    nbval.kernel.KernelManager = by_files(jupyter_client.KernelManager)
    jupyter_client.AsyncKernelManager = by_files(jupyter_client.AsyncKernelManager)     # where nbclient looks it up


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker("browser")
        if item.path.is_relative_to(ROOT / "tests" / "floor"):          # which says of each test what it may warn of
            item.add_marker(OUR_WARNINGS, append=False)
    items.sort(key=lambda item: next((i for i, path in enumerate(FIRST) if item.nodeid.startswith(path)), len(FIRST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "browser" if nodeid.startswith(("tests/browser", "tests/pages")) else nodeid.split("::")[0]

    config.option.loadscopereorder = False              # xdist would put files with many tests first, not slow ones
    return ByFile(config, log)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The installed Chromium or Chrome; without one the test skips, or fails where NWLAB_REQUIRE_BROWSER=1."""
    path = chromium.find_browser()
    required = os.environ.get("NWLAB_REQUIRE_BROWSER", "") not in ("", "0")
    if path is None and required:
        pytest.fail(chromium.MISSING)
    return path or pytest.skip(chromium.MISSING)


@pytest.fixture(scope="session")
def small_shelf(tmp_path_factory):
    """The recordings of `small_site`, with a few states each."""
    from workbook.site.shelf import Shelf

    return Shelf(tmp_path_factory.mktemp("figures"), states=30)


@pytest.fixture(scope="session")
def small_site(small_shelf, tmp_path_factory):
    """The site of one lesson and one exercise."""
    from workbook.authoring.project import Project
    from workbook.site.site import build

    folder = tmp_path_factory.mktemp("pages") / "site"
    build(Project(ROOT), folder, names=("00_start_here", "warm_up"), shelf=small_shelf, say=str)
    return folder


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request):
    """Playwright's event loop counts as running as long as its browser, and a figure that finds a running loop works in
    the background. Hide it, so that other tests do not depend on an earlier browser test."""
    if "jupyterlab" not in request.fixturenames and (loop := asyncio._get_running_loop()):
        asyncio._set_running_loop(None)
        request.addfinalizer(lambda: asyncio._set_running_loop(loop))
