"""The live figure that a test file is about: that of test_width.py is `explore.width()`."""
import pytest
from live_figures import shared


@pytest.fixture
def figure(request):
    return shared(request.path.stem.removeprefix("test_"))


@pytest.fixture
def anyio_backend():
    return "asyncio"
