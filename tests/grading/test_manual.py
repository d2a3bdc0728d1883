"""What a teacher writes: the list of the class, and points by hand: merged into totals, reported, never lost."""
import pytest
from grading.graded import MASTERS, cells, result, rows

from workbook.checks.rerun import ANSWER_HERE
from workbook.exercises import NAMES
from workbook.grading import manual
from workbook.grading.rebuild import rebuild
from workbook.grading.report import report
from workbook.grading.roster import roster

WORDS = "It shows nothing, because m = n."
HEAD = "student,exercise,points,comment\n"
ADA, LI = result("Ada", words=WORDS), result("=Li", words="Other words.")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "by-hand.csv"


def graded(path, *results, **options) -> list[str]:
    return report(path.parent, list(results), MASTERS, **options)[0]


def total(path, student) -> str:
    return next(row for row in rows((path.parent / "summary.csv").read_text("utf-8")) if row[0] == student)[-4]


def test_it_is_made_once_filled_in_by_a_person_and_counted(path):
    problems, (told,) = report(path.parent, [ADA, LI, result("Without words")], MASTERS)
    assert problems == [] and told.startswith("2 answers in words have no points yet: they count 0 until")
    assert path.read_text() == f"\ufeff{HEAD}'=Li,warm_up,,\nAda,warm_up,,\n"
    text = f"{HEAD}'=Li,warm_up,2,\nAda,warm_up,1.5,\"clear, and short\"\n"
    path.write_text(text)
    assert graded(path, ADA, LI) == [] and path.read_text() == text
    assert total(path, "Ada") == "2.5" and total(path, "'=Li") == "3"
    assert "clear, and short" in next((path.parent / "students").glob("Ada*")).read_text()


def test_a_person_reads_the_question_and_what_the_student_wrote_and_no_more():
    for name, exercise in roster([result("Ada", name) for name in NAMES], MASTERS).exercises.items():
        assert exercise.words == 2 and exercise.question.rstrip().endswith((".", "?")), name
        assert not any(word in exercise.question for word in ("## ", "Your answer", "Hand in", "double-click")), name
        master = cells("exercises", name)
        changed = [cell | {"source": cell["source"].replace(ANSWER_HERE["en"], WORDS)} for cell in master]
        assert rebuild(master, changed, []).words == WORDS and rebuild(master, master, []).words == ""


@pytest.mark.parametrize("data, part", [
    (b"student,exercise\nAda,warm_up\n", "its first row is 'student,exercise'; expected the columns"),
    (HEAD.encode() + b"Ada,warm_up,2,\"open\nLi,warm_up,1,\n", "unexpected end of data"),
    (HEAD.encode() + b"Bj\xf6rn,warm_up,2,\n", "it is not UTF-8"), (b"PK\x03\x04\xff", "save it as “CSV UTF-8”")])
@pytest.mark.parametrize("file", ["by-hand.csv", "override.csv"])
def test_a_file_that_cannot_be_read_is_reported_and_not_touched(path, data, part, file):
    path.with_name(file).write_bytes(data)
    (problem,) = graded(path, ADA, LI)
    assert problem.startswith(f"{file} cannot be read, and no points in it are counted: ")
    assert part in problem.replace("student,item", "student,exercise") and path.with_name(file).read_bytes() == data


@pytest.mark.parametrize("data", [
    "\ufeffstudent;exercise;points;comment\r\nAda;warm_up;1,5;good\r\n".encode(),
    b"Student\tComment\tExercise\tPoints\r\nAda\tgood\twarm_up\t1.5",
    b"student,exercise,points,comment,mine\n Ada ,warm_up,1.5,,x\n"])
def test_what_spreadsheets_make_of_it_is_understood_and_kept(path, data):
    path.write_bytes(data)
    assert graded(path, ADA, LI) == [] and total(path, "Ada") == "2.5"
    kept = path.read_bytes()
    assert kept.startswith(data) and b"Li" in kept.removeprefix(data).strip(b"\r\n")
    assert graded(path, ADA, LI) == [] and path.read_bytes() == kept


def test_other_points_for_an_item_count_in_all_tables_and_are_shown_with_their_reason(path):
    override = path.with_name("override.csv")
    assert graded(path, ADA) == [] and override.read_text() == "\ufeffstudent,item,points,reason\n"
    override.write_text("student;item;points;reason\nAda;attend;0,5;=the check was wrong\n")
    for _ in range(2):                                       # also in the next run
        assert graded(path, ADA, LI) == [] and total(path, "Ada") == "1.5"
    assert ["Ada", "", "warm_up", "attend", "0.5", "1", "failed", "the wrong axis", "yes", "'=the check was wrong",
            ""] in rows((path.parent / "items.csv").read_text("utf-8"))
    for page in "index.html", next((path.parent / "students").glob("Ada*")):
        assert "0.5 instead of 0. =the check" in " ".join((path.parent / page).read_text().replace("\n", " ").split())
    override.unlink()
    assert graded(path, ADA, LI) == [] and total(path, "Ada") == "1"


@pytest.mark.parametrize("row, problem", [
    ("Adda,pool,1,", "row 2: got 'Adda', 'pool'; expected a student and item of this report"),
    ("Ada,warm_up,1,", "'warm_up'; expected"),
    ("Ada,pol,1,", "'pol'; expected"), ("Ada,pool,,typo", "got the points '' for 'Ada'; expected a number from 0 to 1"),
    ("\nAda,pool,2,\"two\nlines\"", "row 3: got the points '2' for 'Ada'; expected a number from 0 to 1"),
    ("Ada,pool,nan,", "'nan'"), ("Ada,pool,-1,", "'-1'"), ("Ada,pool", "''"),
    ("Ada,pool,1,\nAda,pool,1,", "row 3: an earlier row has points for 'Ada', 'pool'; those count"),
    ("Bo,attend,1,", "EXERCISE/ITEM where several exercises have that item"), ("Bo,one_head/attend,1,", "")])
def test_what_is_wrong_in_a_row_of_override_is_one_line_and_the_row_stays(path, row, problem):
    override = path.with_name("override.csv")
    override.write_text(f"student,item,points,reason\n{row}\nLi,warm_up/pool,0,\n")
    text, others = override.read_text(), [result("Bo", "one_head")] * row.startswith("Bo")
    problems = graded(path, ADA, result("Li"), *others)
    assert len(problems) == bool(problem) and problem in "".join(problems)
    assert override.read_text() == text and total(path, "Li") == "0", "the other rows count"


@pytest.mark.parametrize("said, missing, problem", [
    ("Hang, Hank", "", ""), ("hank hang", "", ""), ("Hang, Hank", "hank Hang,h3", "'hh1' would count"),
    ("Hang, Hank", "Hang Hank,li7", "'hh1' or 'li7' would count"), ("hh", "", "'hh1' would count")])
def test_a_student_may_be_written_as_in_the_list_if_that_is_one_student(path, said, missing, problem):
    path.with_name("override.csv").write_text(f'student,item,points,reason\n"{said}",attend,1,\n')
    path.with_name("names.csv").write_text(f'student,id\n"Hang, Hank",hh1\n{missing}\n')
    listed = manual.class_list(path.with_name("names.csv"))
    problems = graded(path, result("hh1"), result("li7"), class_list=("names.csv", listed))
    assert problem in "".join(problems) and total(path, "hh1") == ("1" if problem else "2")
    assert [one for one in problems if "override.csv, row 2" in one] == [one for one in problems if "no row" not in one]
    assert ("may be among them: <a" in (path.parent / "index.html").read_text()) == ("h3" in missing)
    page = next(path.parent.glob("students/hh1*")).read_text()
    assert "<bdi>Hang, Hank</bdi>" in page and "<title>Hang, Hank: " in page


def test_what_the_page_of_the_answers_saves_counts_beside_by_hand_csv(path):
    path.write_text(f"{HEAD}Ada,warm_up,,\nZoe\u0308,warm_up,1,fine\n")
    page = path.with_name("by-hand-warm_up.csv")
    page.write_text('\ufeff"student","exercise","points","comment"\n"\'=Li","warm_up","2","\'-1 is \'fine\'"\n'
                    '"Ada","warm_up","1.5",""\n"Zoë","warm_up","1","fine"\n')
    text, zoe = page.read_text(), result("Zoë", words="Words.")
    assert graded(path, ADA, LI, zoe) == [] and page.read_text() == text
    assert [total(path, name) for name in ("Ada", "'=Li", "Zoë")] == ["2.5", "3", "2"]
    assert "-1 is &#39;fine" in next((path.parent / "students").glob("Li*")).read_text()
    page.with_name("by-hand-warm_up (1).csv").write_text(f"{HEAD}Ada,warm_up,2,\n")
    (problem,) = graded(path, ADA, LI, zoe)
    assert problem.startswith("by-hand-warm_up.csv, row 3: an earlier row") and total(path, "Ada") == "3"


def test_rows_that_disagree_or_could_be_two_students_are_reported(path):
    path.write_text(f"{HEAD}Ada,warm_up,1,\nAda,warm_up,,\nAda,warm_up,2,\n")
    (problem,) = graded(path, ADA)
    assert "row 4: an earlier row has points" in problem and total(path, "Ada") == "2"
    assert problem.replace("'", "&#39;") in (path.parent / "index.html").read_text()
    (gone, _) = graded(path, LI)
    assert gone.endswith("got 'Ada', 'warm_up'; expected a student and exercise of this report (the row stays)")
    assert len(rows(path.read_text("utf-8"))) == 5, "those who vanished keep their rows"
    path.write_text(f"{HEAD}Ada,warm_up,1,\nAda (8),warm_up,2,\n")
    (problem,) = graded(path, result("Ada", words=WORDS, number="7"), result("Ada", words=WORDS, number="8"))
    assert "row 2" in problem and "expected a student and exercise of this report" in problem
    assert total(path, "Ada (7)") == "1" and total(path, "Ada (8)") == "3"
    (ada,) = roster([result("Ada", number="7"), result("Ada", "unit_sphere", number="12")], MASTERS).students
    assert ada.name == "Ada" and list(ada.results) == ["warm_up", "unit_sphere"], "Moodle numbers anew each time"


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
    listed = manual.class_list(tmp_path / "names.csv")
    return manual.with_names(roster(results, MASTERS), "names.csv", listed, set(others))


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
    assert len(found.students) == 7 and [(one.name, one.unread) for one in found.missing] == [("Di", True)]
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
