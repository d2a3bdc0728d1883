"""A claim without a test, or a test without a claim, stops the build."""
import pytest
from workshop import NUMBERS, START, make_workshop

from workbook.authoring.build import Sources
from workbook.authoring.project import BuildError

CLAIM = "\n% claim: 01-three\nOne and two are three.\n"
TEST = '''
import pytest


@pytest.mark.claim("01-three")
def test_three():
    """One and two are 3."""
    assert 1 + 2 == 3
'''


def workshop(folder, numbers=NUMBERS + CLAIM, tests=TEST):
    project = make_workshop(folder, **{"00_start_here": START, "01_numbers": numbers})
    (folder / "tests" / "claims").mkdir(parents=True)
    (folder / "tests" / "claims" / "test_01.py").write_text(tests, encoding="utf-8")
    return project


def test_readers_see_no_mark(tmp_path):
    sources = Sources(workshop(tmp_path))
    texts = [cell.source for edition in sources.editions() for cell in sources.derive(edition).cells]
    assert any("One and two are three" in text for text in texts)
    assert not any("% claim" in text or "01-three" in text for text in texts)


@pytest.mark.parametrize("numbers, tests, words", [
    (NUMBERS + CLAIM, "", r"01_numbers.md:\d+: no test in tests/claims is marked claim\('01-three'\)"),
    (NUMBERS, TEST, r"test_01.py:\d+: no sentence carries the mark '% claim: 01-three'"),
    (NUMBERS + CLAIM + CLAIM, TEST, r"01_numbers.md:\d+: the claim '01-three' is taken, at notebooks/source/"),
    (NUMBERS + "\n% claim: three\nThree.\n", TEST, "expected '% claim: 02-some-words', got '% claim: three'"),
    (NUMBERS + CLAIM, TEST + TEST, "has a test already, at line"),
    (NUMBERS + CLAIM, TEST.replace('"""One and two are 3."""', "pass"), "test_three should say its figure"),
], ids=["no test", "no sentence", "twice", "no id", "two tests", "no figure"])
def test_what_stops_the_build(tmp_path, numbers, tests, words):
    with pytest.raises(BuildError, match=words):
        Sources(workshop(tmp_path, numbers, tests))
