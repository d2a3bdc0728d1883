"""The ledger: a claim without a test, or a test without a claim, stops the build."""
import pytest
from click.testing import CliRunner
from workshop import NUMBERS, START, make_workshop

from nwlab.__main__ import main
from workbook.authoring.build import Sources
from workbook.authoring.claims import ledger
from workbook.authoring.project import BuildError

CLAIM = "\n% claim: 01-three\nOne and two are three, i.e. 1 + 2\nmake *3*. More is not said.\n"
TEST = '''
import pytest


@pytest.mark.claim("01-three")
def test_three(record_property):
    """One and two are 3.

    In any order.
    """
    record_property("sum", 1 + 2)
    assert 1 + 2 == 3
'''


def workshop(folder, numbers=NUMBERS + CLAIM, tests=TEST):
    project = make_workshop(folder, **{"00_start_here": START, "01_numbers": numbers})
    if tests:
        (folder / "tests" / "claims").mkdir(parents=True)
        (folder / "tests" / "claims" / "test_01.py").write_text(tests, encoding="utf-8")
    return project


def test_a_claim_its_test_and_its_figure(tmp_path):
    project = workshop(tmp_path)
    [claim] = ledger(project)
    assert claim.sentence == "One and two are three, i.e. 1 + 2 make *3*."
    assert (claim.proof.name, claim.proof.figure) == ("test_three", "One and two are 3.")
    assert claim.path.read_text(encoding="utf-8").splitlines()[claim.line - 1] == "% claim: 01-three"


def test_readers_see_no_mark(tmp_path):
    sources = Sources(workshop(tmp_path))
    texts = [cell.source for edition in sources.editions() for cell in sources.derive(edition).cells]
    assert any("One and two are three" in text for text in texts)
    assert not any("% claim" in text or "01-three" in text for text in texts)


@pytest.mark.parametrize("numbers, tests, words", [
    (NUMBERS + CLAIM, None, r"01_numbers.md:\d+: no test in tests/claims is marked claim\('01-three'\)"),
    (NUMBERS, TEST, r"test_01.py:\d+: no sentence carries the mark '% claim: 01-three'"),
    (NUMBERS + CLAIM + CLAIM, TEST, r"01_numbers.md:\d+: the claim '01-three' is taken, at notebooks/source/"),
    (NUMBERS + "\n% claim: three\nThree.\n", TEST, "expected '% claim: 02-some-words', got '% claim: three'"),
    (NUMBERS + CLAIM, TEST + TEST.replace("test_three", "test_again"), "has a test already, test_three"),
    (NUMBERS + CLAIM, TEST.replace('"""One and two are 3.', 'f"""'), "test_three should say its figure"),
], ids=["no test", "no sentence", "twice", "no id", "two tests", "no figure"])
def test_what_stops_the_build(tmp_path, numbers, tests, words):
    project = workshop(tmp_path, numbers, tests)
    with pytest.raises(BuildError, match=words):
        Sources(project)


def test_the_command_lists_and_measures(tmp_path, monkeypatch, root):
    project = workshop(tmp_path)
    (tmp_path / "tests" / "claims" / "conftest.py").write_bytes((root / "tests/claims/conftest.py").read_bytes())
    monkeypatch.chdir(project.root)
    listed = CliRunner().invoke(main, ["claims", "01"])
    assert listed.exit_code == 0 and "test_01.py::test_three" in listed.output and "figure: One and" in listed.output
    assert "now:" not in listed.output and listed.output.endswith("1 claims, each with a test\n")
    assert "now: sum 3\n" in CliRunner().invoke(main, ["claims", "--measure"]).output
    assert "0 claims" in CliRunner().invoke(main, ["claims", "02"]).output
