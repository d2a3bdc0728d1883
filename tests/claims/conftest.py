"""What the tests of claims share: samples that no lesson has shown."""
from collections.abc import Callable

import pytest


def pytest_addoption(parser):
    parser.addoption("--first-seed", type=int, default=1000, help="of the samples that claims are tested on")


@pytest.fixture
def seeds(request) -> Callable[[int], range]:
    """seeds(n): n seeds for fresh samples. The lessons draw theirs below 1000."""
    first = request.config.getoption("--first-seed", default=1000)
    return lambda n: range(first, first + n)


@pytest.fixture
def record_property() -> Callable[[str, object], None]:
    """Prints what a test measures: `pytest -rA` shows it."""
    return lambda name, value: print(name, value)
