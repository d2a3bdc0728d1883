"""Tables that spreadsheets, Canvas, Moodle and Gradescope read."""
from dataclasses import replace
from datetime import datetime

import pytest
from grading.graded import MASTERS, failed, passed, result, rows

from workbook.checks.item import Verdict
from workbook.grading import tables
from workbook.grading.results import WORDS
from workbook.grading.roster import Row, Student, roster


@pytest.fixture
def two():
    return roster([
        result("Doe, Jane", "warm_up", passed("pool"), failed("attend", points=2), number="77", words="Because."),
        result("Doe, Jane", "unit_sphere", passed("bridge", 3), number="78"),
        result("Li", "warm_up", Verdict("pool", "not attempted", 0, 1), Verdict("attend", "timed out", 0, 1),
               number="5", late="late")], MASTERS)


@pytest.mark.parametrize("text", ["=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1"])
def test_no_text_is_a_formula_and_a_number_stays_one(text):
    assert tables.harmless(-1.5) == -1.5
    whole = roster([result(text, "warm_up", failed(text, text))], MASTERS)
    for name, table in tables.tables(whole).items():
        if name.endswith(".csv"):
            assert table.startswith("\ufeff"), "Excel takes UTF-8 without this mark for cp1252"
            cells = [cell for row in rows(table) for cell in row]
            assert not any(cell[:1] in tuple("=+-@\t\r\n＝") for cell in cells), name
            assert not any(cell.strip().startswith(("=", "+", "-", "@")) for cell in cells), name
    assert any(cell.startswith("'") for cell in rows(tables.summary(whole))[1])


def test_the_summary(two):
    assert rows(tables.summary(two)) == [
        ["student", "section", "warm_up", "unit_sphere", "total", "max", "waiting", "late"],
        ["Doe, Jane", "", "1", "3", "4", "10", "1", ""], ["Li", "", "0", "", "0", "10", "0", "warm_up late"]]
    two = two.with_points({(two.students[0].results["warm_up"].key, WORDS): (1.5, "very clear")})
    assert rows(tables.summary(two))[1] == ["Doe, Jane", "", "2.5", "3", "5.5", "10", "0", ""]
    assert rows(tables.items(two))[3][4:] == ["1.5", "2", "graded", "", "yes", "very clear", ""]


def test_each_item_of_each_student_is_a_row_also_what_was_not_handed_in(two):
    bo = Student("Bö", "", {}, Row(section="B"))
    head, *found = rows(tables.items(replace(two, missing=[bo])))
    assert ",".join(head) == "student,section,exercise,item,points,max,state,mistake,by hand,reason,late"
    assert found[0] == ["Bö", "B", "warm_up", "pool", "", "1", "not handed in", "", "no", "", ""]
    assert found[6] == ["Doe, Jane", "", "warm_up", "attend", "0", "2", "failed", "the wrong axis", "no", "", ""]
    assert found[7] == ["Doe, Jane", "", "warm_up", "in words", "0", "2", "not graded yet", "", "no", "", ""]
    assert found[-3] == ["Li", "", "warm_up", "in words", "0", "2", "no answer", "", "no", "", "late"]
    assert len(found) == 3 * 5 and rows(tables.summary(replace(two, missing=[bo])))[1] == [
        "Bö", "B", "", "", "0", "10", "0", ""]


def test_what_canvas_imports(two):
    head, possible, jane, li = rows(tables.canvas(two))
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "warm_up", "unit_sphere"]
    assert possible == ["    Points Possible", "", "", "", "", "5", "5"]
    assert jane[:2] == ["Doe, Jane", ""], "two numbers: not those of Canvas, which has one for each student"
    assert li == ["Li", "5", "", "", "", "0", ""]


def test_what_moodle_imports(two):
    head, jane, li = rows(tables.tables(two)["moodle/warm_up.csv"])
    assert head == ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"]
    assert jane[:4] == ["Participant 77", "Doe, Jane", "1", "5"] and datetime.strptime(jane[4], "%Y-%m-%d %H:%M:%S %z")
    assert jane[5] == "pool: passed (1/1); attend: the wrong axis (0/2)"
    assert li[5] == "pool: not attempted (0/1); attend: timed out (0/1)"
    assert rows(tables.moodle(two, "unit_sphere"))[1][0] == "Participant 78", "its number is that of the assignment"
    key = two.students[0].results["warm_up"].key
    given = tables.moodle(two.with_points({(key, "attend"): (1, "the check was wrong")}), "warm_up")
    assert rows(given)[1][5].endswith("; attend: 1 of 2, by hand: the check was wrong")
    whole = roster([result("A", "warm_up", failed("pool", "<script>alert(1)</script>"))], MASTERS)
    shown = tables.moodle(whole, "warm_up")
    assert "&lt;script&gt;" in shown and "<script" not in shown
