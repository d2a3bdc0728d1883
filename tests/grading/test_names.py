"""The list of a class, as teachers have it: who handed in nothing, sections, and who was late."""
import pytest
from grading.graded import MASTERS, result

from workbook.grading import manual
from workbook.grading.roster import roster

CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,warm_up\n    Points Possible,,,,,11\n\"Student, Test\",99,,t,,\n"
          "\"Müller, Zoë\",12,,zm,A,\n\"Li, Bo\",13,,bl,B,\n\"Doe, Jane\",14,,jd,A,\n")
MOODLE = ("\ufeffIdentifier,Full name,Email address,Status,Grade\n"
          "Participant 77,Zoë Müller,z@x,Submitted for grading - 1 day 2 hours late,\n"
          "Participant 78,Bo Li,b@x,Submitted for grading - Extension granted until: 1 May,\n"
          "Participant 79,Jane Doe,j@x,No submission - 3 days overdue,\n")
GRADESCOPE = ("First Name,Last Name,SID,Email,Sections,Status,Lateness (H:M:S)\nZoë,Müller,1,z@x,A,Graded,26:00:59\n"
              "Bo,Li,2,b@x,B,Graded,00:00:31\nJane,Doe,3,j@x,A,Missing,\n")


def with_names(tmp_path, text, *results, others=()):
    (tmp_path / "names.csv").write_text(text, encoding="utf-8")
    rows = manual.class_list(tmp_path / "names.csv")
    return manual.with_names(roster(results, MASTERS), "names.csv", rows, set(others))


@pytest.mark.parametrize("text, zoe, bo, late", [
    ("student,section\nZoë Müller,A\nBo Li,B\nJane Doe,A\n", ("Zoë Müller", ""), ("Li Bo", ""), ""),
    ("Student;Section\r\nMüller, Zoë;A\r\n\r\n Li,  Bo ;B\r\nDoe, Jane;A", ("ZOE\u0308 Müller", ""), ("Bo Li", ""), ""),
    ("id,first_name,last_name,section\nzm1,Zoë,Müller,A\nbl1,Bo,Li,B\njd1,Jane,Doe,A\n", ("zm1", ""), ("bl1", ""), ""),
    (CANVAS, ("mllerzo", "12"), ("libo", "13"), ""), (CANVAS, ("anon", "12"), ("li", "13"), ""),
    (MOODLE, ("Zoë Müller", "77"), ("Participant", "78"), "1560"),
    (GRADESCOPE, ("Zoë Müller", ""), ("Bo Li", ""), "1560")])
def test_who_handed_in_nothing_is_found_whatever_the_platform_calls_the_others(tmp_path, text, zoe, bo, late):
    found, problems = with_names(tmp_path, text, result(zoe[0], number=zoe[1]), result(bo[0], number=bo[1]))
    sections = ("", "") if text == MOODLE else ("A", "B")
    assert problems == [] and [one.row.section for one in found.everybody if one.results] in (
        [sections[0], sections[1]], [sections[1], sections[0]])
    (jane,) = found.missing
    assert {*jane.name.replace(",", "").split()} == {"Jane", "Doe"} and jane.row.section == sections[0]
    assert sorted(one.results["warm_up"].late for one in found.students) == ["", late], "not for half a minute"


def test_what_does_not_fit_is_one_line_each_and_nobody_is_lost(tmp_path):
    text = "student,id,status\nAnn,1,5 mins late\nAnn,2,\nBo,3,\nBo,3,\nCy,4,\nDi,5,\n"
    found, problems = with_names(
        tmp_path, text, result("Ann", number="2"), result("Ann", number="1"), result("Eve"), result("Ann", number="9"),
        result("Bo"), result("Cy"), result("CY", "one_head"), others=["Di"])
    assert [problem.removeprefix("names.csv") for problem in problems] == [
        ", row 5: 'Bo' is in row 4 already; that row counts",
        ": it says who was late for one assignment, and 2 exercises were handed in; so its minutes are not used",
        ", row 6: 'Cy' fits the hand-ins of 'CY' and of 'Cy'; it counts for the first",
        ": 2 hand-ins fit no row of the list, or more than one: Ann (9); Eve; they may be among those missing"]
    assert [one.name for one in found.strangers] == ["Ann (9)", "Eve"]
    assert len(found.students) == 7 and [(one.name, one.other_files) for one in found.missing] == [("Di", True)]
    assert not any(one.late for student in found.students for one in student.results.values())


@pytest.mark.parametrize("text, hand_ins, rows", [
    ("student,id\n\"Schmidt, Anna\",1\n\"Schmidt, Anna\",2\n", ("1", "2"), "AB"),
    ("student,github_username\n\"Schmidt, Anna\",anna-schmidt\n\"Schmidt, Anna\",aschmidt99\n",
     ("anna-schmidt", "aschmidt99"), "AB"),
    ("student,login\nAnna,bo\nBo,bo2\n", ("bo", "bo2"), "AB")])
def test_of_two_whom_a_name_fits_the_one_with_this_id_has_handed_in(tmp_path, text, hand_ins, rows):
    text = "".join(f"{line},{section}\n" for line, section in zip(text.splitlines(), ("section", *rows)))
    found, problems = with_names(tmp_path, text, *map(result, hand_ins))
    assert (problems, found.missing, found.strangers) == ([], [], [])
    assert [(one.name, one.row.section) for one in found.students] == [*zip(hand_ins, rows)]


@pytest.mark.parametrize("data, why", [
    (b"Zo\xeb\n", "it is not UTF-8"), (b"", "found no student"),
    (b"a,b\nAnn,1\n", "found no student; expected a first row with the column student")])
def test_a_table_that_cannot_be_read_ends_the_command_with_one_line(tmp_path, data, why):
    (tmp_path / "names.csv").write_bytes(data)
    with pytest.raises(SystemExit, match="names.csv: ") as error:
        manual.class_list(tmp_path / "names.csv")
    assert why in str(error.value) and "\n" not in str(error.value)
