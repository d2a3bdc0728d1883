"""One sandbox for all tests of a process: it is meant to run one submission after the other."""
import contextlib
import os

import pytest

from workbook.grading.sandbox import Sandbox, obstacle


@pytest.fixture(scope="session")
def box():
    if (reason := obstacle()) and not os.environ.get("NWLAB_REQUIRE_SANDBOX"):
        pytest.skip(reason)
    with contextlib.closing(Sandbox()) as sandbox:
        yield sandbox
