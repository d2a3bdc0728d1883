"""What is written by hand in this workbook, read once."""
import pytest

from workbook.authoring.build import Sources
from workbook.authoring.project import Project


@pytest.fixture(scope="session")
def sources() -> Sources:
    return Sources(Project.find())
