"""What all tests share: where the checkout is, how Hypothesis searches, which browser there is."""

import asyncio
import os
from pathlib import Path

import chromium
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# The same examples on every machine and in every run, and no test that fails because a machine is busy.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The installed Chromium or Chrome; without one the test skips, or fails where NWLAB_REQUIRE_BROWSER=1."""
    return chromium.browser_for_tests()


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request):
    """Playwright's loop counts as running while its browser lives, and a figure that sees one works in the background:
    what other tests see must not depend on a browser test that came before them."""
    if "jupyterlab" not in request.fixturenames and (loop := asyncio._get_running_loop()):
        asyncio._set_running_loop(None)
        request.addfinalizer(lambda: asyncio._set_running_loop(loop))
