"""Tables that spreadsheets, Canvas, Moodle, Gradescope and dashboards read."""
import csv
import io
import json
from xml.etree import ElementTree

import pytest
from grading.graded import MASTERS, failed, passed, result
from hypothesis import given
from hypothesis import strategies as st

from nwlab.exercises import NAMES
from workbook.checks.item import Verdict
from workbook.grading import tables
from workbook.grading.roster import Mark, roster

NASTY = ("=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def two_students():
    hung = Verdict("attend", "timed out", 0, 1)
    untouched = Verdict("pool", "not attempted", 0, 1)
    return roster([
        result("Doe, Jane", "warm_up", passed("pool"), failed("attend", points=2), number="77", words="Because."),
        result("Doe, Jane", "unit_sphere", passed("bridge", 3), number="78"),
        result("Li", "warm_up", untouched, hung, number="5", seconds=2.5)], MASTERS, NAMES)


@pytest.mark.parametrize("text", NASTY)
def test_no_text_is_a_formula(text):
    whole = roster([result(text, "warm_up", failed(text, text))], MASTERS, NAMES)
    for name, table in tables.tables(whole).items():
        if name.endswith(".csv"):
            cells = [cell for row in rows(table) for cell in row]
            assert not any(cell[:1] in tuple("=+-@\t\r\n＝") for cell in cells), name
            assert not any(cell.strip().startswith(("=", "+", "-", "@")) for cell in cells), name
    assert any(cell.startswith("'") for cell in rows(tables.grades(whole))[1])


@given(st.one_of(st.floats(allow_nan=False), st.integers()))
def test_numbers_stay_numbers(x):
    assert tables.harmless(x) is x


def test_points_are_written_short():
    assert [tables.number(x) for x in (7, 7.5, 1 / 3, 100.0, 0, None)] == ["7", "7.5", "0.333333", "100", "0", ""]


def test_grades_have_a_row_for_each_item_and_for_what_a_person_gave():
    whole = two_students()
    jane = whole.students[0]
    assert rows(tables.grades(whole))[:3] == [
        ["student", "exercise", "item", "points", "max", "status", "mistake"],
        ["Doe, Jane", "warm_up", "pool", "1", "1", "passed", ""],
        ["Doe, Jane", "warm_up", "attend", "0", "2", "failed", "the wrong axis"]]
    whole.marks[jane.page, "warm_up"] = Mark(1.5)
    assert ["Doe, Jane", "warm_up", "answer", "1.5", "2", "by hand", ""] in rows(tables.grades(whole))


def test_the_summary_adds_up_and_leaves_open_what_was_not_handed_in():
    whole = two_students()
    assert rows(tables.summary(whole)) == [
        ["student", "warm_up", "unit_sphere", "total", "max", "waiting"],
        ["Doe, Jane", "1", "3", "4", "10", "1"], ["Li", "0", "", "0", "10", "0"]]
    whole.marks[whole.students[0].page, "warm_up"] = Mark(1.5)
    assert rows(tables.summary(whole))[1] == ["Doe, Jane", "2.5", "3", "5.5", "10", "0"]


def test_what_canvas_imports():
    head, possible, jane, li = rows(tables.canvas(two_students()))
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "warm_up", "unit_sphere"]
    assert possible == ["    Points Possible", "", "", "", "", "5", "5"]
    assert jane[:2] == ["Doe, Jane", ""], "two numbers: not those of Canvas, which has one for each student"
    assert li == ["Li", "5", "", "", "", "0", ""]


def test_what_moodle_imports():
    head, jane, li = rows(tables.tables(two_students())["moodle/warm_up.csv"])
    assert head == ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"]
    assert jane[:4] == ["Participant 77", "Doe, Jane", "1", "5"]
    assert jane[5] == "pool: passed (1/1); attend: the wrong axis (0/2)"
    assert li[5] == "pool: not attempted (0/1); attend: timed out (0/1)"
    _, other = rows(tables.moodle(two_students(), "unit_sphere"))
    assert other[0] == "Participant 78", "its number is that of the assignment"
    whole = roster([result("A", "warm_up", failed("pool", "<script>alert(1)</script>"))], MASTERS, NAMES)
    shown = tables.moodle(whole, "warm_up")
    assert "&lt;script&gt;" in shown and "<script" not in shown


def test_what_gradescope_reads():
    whole = two_students()
    jane = whole.students[0]
    whole.marks[jane.page, "warm_up"] = Mark(2, "very clear")
    found = json.loads(tables.tables(whole)[f"gradescope/{jane.page}/warm_up/results.json"])
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("pool", 1, 1, "passed"), ("attend", 0, 2, "failed"), ("In your words", 2, 2, "passed")]
    assert "the wrong axis" in found["tests"][1]["output"]


def test_junit_parses_whatever_a_student_writes():
    nasty = "\x00 ]]> <a> & \" ' \x1b \ud800 \uffff \u202e שלום"
    whole = roster([result(nasty, "warm_up", failed("pool", nasty, got=nasty))], MASTERS, NAMES)
    root = ElementTree.fromstring(tables.junit(whole))
    assert "שלום" in root[0].get("name") and root[0][0][0].tag == "failure" and "\\u202e" in root[0][0][0].text
    jane, li = ElementTree.fromstring(tables.junit(two_students()))
    counts = ("name", "tests", "failures", "errors", "skipped", "time")
    assert [jane.get(name) for name in counts] == ["Doe, Jane", "3", "1", "0", "0", "0.000"]
    assert [li.get(name) for name in counts] == ["Li", "2", "0", "1", "1", "2.500"]
    assert [[part.tag for part in case] for case in li] == [["skipped"], ["error"]]
    assert li[1].get("classname") == "warm_up" and li[1].get("name") == "attend"
