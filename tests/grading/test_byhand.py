"""Points given by hand: merged into totals, told where they cannot be, and never lost."""
import csv
import io
from functools import cache

import pytest
from grading.graded import MASTERS, result
from hypothesis import given
from hypothesis import strategies as st

from workbook.authoring.marks import ANSWER_HERE
from nwlab.exercises import NAMES
from workbook.grading import byhand
from workbook.grading.roster import roster
from workbook.grading.report import report

WORDS = "It shows nothing, because m = n."


def hand(folder, *found, **options) -> list[str]:
    return report(folder, list(found), MASTERS, NAMES, **options)


def rows(path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))


def total(folder, student) -> str:
    return next(row for row in rows(folder / "summary.csv") if row[0] == student)[-3]


def test_it_is_made_once_filled_in_by_a_person_and_counted(tmp_path):
    ada, li = result("Ada", words=WORDS), result("=Li", words="Other words.")
    assert hand(tmp_path, ada, li, result("Without words")) == []
    path = tmp_path / "by-hand.csv"
    assert path.read_text() == "student,exercise,points,comment\n'=Li,warm_up,,\nAda,warm_up,,\n"
    text = "student,exercise,points,comment\n'=Li,warm_up,2,\nAda,warm_up,1.5,\"clear, and short\"\n"
    path.write_text(text)
    assert hand(tmp_path, ada, li) == [] and path.read_text() == text
    assert total(tmp_path, "Ada") == "2.5" and total(tmp_path, "'=Li") == "3"
    assert "clear, and short" in (tmp_path / "students").glob("Ada*").__next__().read_text()


def test_a_person_reads_the_question_and_what_the_student_wrote_and_no_more(tmp_path):
    for name, exercise in roster([result("Ada", name) for name in NAMES], MASTERS, NAMES).exercises.items():
        assert exercise.words == 2 and exercise.question.rstrip().endswith((".", "?")), name
        assert not any(word in exercise.question for word in ("## ", "Your answer", "Hand in", "double-click")), name
        added = exercise.cell.replace(ANSWER_HERE, WORDS)
        whole = roster([result("Ada", name, words=added), result("Li", name, words=exercise.cell)], MASTERS, NAMES)
        assert [student.results[name].words for student in whole.students] == [WORDS, ""]


def test_new_students_get_a_row_and_those_who_vanished_keep_theirs(tmp_path):
    hand(tmp_path, result("Ada", words=WORDS))
    path = tmp_path / "by-hand.csv"
    path.write_text(path.read_text().replace(",,", ",2,good"))
    told = hand(tmp_path, result("Li", words=WORDS))
    assert rows(path)[1:] == [["Ada", "warm_up", "2", "good"], ["Li", "warm_up", "", ""]]
    assert told == ["by-hand.csv, line 2: got 'Ada', 'warm_up'; expected a student and exercise of this report "
                    "(the row stays)"]
    hand(tmp_path, result("Ada", words=WORDS), result("Li", words=WORDS))
    assert total(tmp_path, "Ada") == "3"


@pytest.mark.parametrize("points, said", [
    ("7", "got the points '7' for 'Ada', 'warm_up'; expected a number from 0 to 2"), ("two", "'two'"), ("-1", "'-1'"),
    ("nan", "'nan'"), ("1e0", "'1e0'"), ("0x1", "'0x1'")])
def test_bad_points_are_told_with_their_line_and_stay(tmp_path, points, said):
    path = tmp_path / "by-hand.csv"
    text = f"student,exercise,points,comment\n\nAda,warm_up,{points},\"two\nlines\"\n"
    path.write_text(text)
    (told,) = hand(tmp_path, result("Ada", words=WORDS))
    assert told.startswith("by-hand.csv, line 3: ") and said in told
    assert path.read_text() == text and total(tmp_path, "Ada") == "1"
    assert told.replace("'", "&#39;") in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("data, said", [
    (b"student,exercise\nAda,warm_up\n", "line 1: got 'student,exercise'; expected the columns"),
    (b"student,exercise,points,comment\nAda,warm_up,2,\"open\nLi,warm_up,1,\n", "line 2: "),
    (b"student,exercise,points,comment\nBj\xf6rn,warm_up,2,\n", "line 2: this is no UTF-8")])
def test_a_file_that_cannot_be_read_is_told_and_not_touched(tmp_path, data, said):
    (tmp_path / "by-hand.csv").write_bytes(data)
    (told,) = hand(tmp_path, result("Ada", words=WORDS), result("Li", words=WORDS))
    assert said in told and (tmp_path / "by-hand.csv").read_bytes() == data


@pytest.mark.parametrize("data", [
    "\ufeffstudent;exercise;points;comment\r\nAda;warm_up;1,5;good\r\n".encode(),
    b"Student\tComment\tExercise\tPoints\r\nAda\tgood\twarm_up\t1.5",
    b"student,exercise,points,comment,mine\n Ada ,warm_up,1.5,,x\n"])
def test_what_spreadsheets_make_of_it_is_understood_and_kept(tmp_path, data):
    (tmp_path / "by-hand.csv").write_bytes(data)
    assert hand(tmp_path, result("Ada", words=WORDS), result("Li", words=WORDS)) == []
    assert total(tmp_path, "Ada") == "2.5"
    kept = (tmp_path / "by-hand.csv").read_bytes()
    assert kept.startswith(data) and b"Li" in kept.removeprefix(data).strip(b"\r\n")
    assert hand(tmp_path, result("Ada", words=WORDS), result("Li", words=WORDS)) == []
    assert (tmp_path / "by-hand.csv").read_bytes() == kept


def test_two_rows_that_disagree_are_told(tmp_path):
    path = tmp_path / "by-hand.csv"
    path.write_text("student,exercise,points,comment\nAda,warm_up,1,\nAda,warm_up,,\nAda,warm_up,2,\n")
    (told,) = hand(tmp_path, result("Ada", words=WORDS))
    assert "line 4" in told and "line 2, 1, which count" in told and total(tmp_path, "Ada") == "2"


def test_a_name_of_two_students_needs_their_number(tmp_path):
    (tmp_path / "by-hand.csv").write_text("student,exercise,points,comment\nAda,warm_up,1,\nAda (8),warm_up,2,\n")
    (told,) = hand(tmp_path, result("Ada", words=WORDS, number="7"), result("Ada", words=WORDS, number="8"))
    assert "line 2" in told and "2 students have this name" in told
    assert total(tmp_path, "Ada (7)") == "1" and total(tmp_path, "Ada (8)") == "3"


def test_one_who_has_another_number_in_each_assignment_is_one_student():
    (ada,) = roster([result("Ada", number="7"), result("Ada", "unit_sphere", number="12")], MASTERS, NAMES).students
    assert ada.name == "Ada" and list(ada.results) == ["warm_up", "unit_sphere"]


def test_without_names(tmp_path):
    found = [result("Ada Lovelace", words=WORDS), result("Li Wei", words="Other words.")]
    hand(tmp_path, *found, anonymous=True)
    codes = {row[1]: row[0] for row in rows(tmp_path / "key.csv")[1:]}
    path, page = tmp_path / "by-hand.csv", (tmp_path / "words" / "warm_up.html").read_text()
    assert set(codes) == {"Ada Lovelace", "Li Wei"} and codes["Ada Lovelace"] in page
    assert not any(name in text for name in ("Ada", "Lovelace", "Li Wei") for text in (page, path.read_text()))
    row = f"{codes['Ada Lovelace']},warm_up,"
    path.write_text(path.read_text().replace(f"{row},", f"{row}2,"))
    (tmp_path / "run.json").unlink()                         # another seed
    for anonymous in (True, False):
        assert hand(tmp_path, *found, result("New", words="n"), anonymous=anonymous) == []
        assert total(tmp_path, "Ada Lovelace") == "3"
        assert {row[1]: row[0] for row in rows(tmp_path / "key.csv")[1:]}.items() >= codes.items()


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8)
ROWS = st.lists(st.tuples(*map(st.sampled_from, (["Ada", "Li", "=Vanished", "Zoë"], ["warm_up", "unit_sphere"],
                                                 ["", "0", "1", "2", "9", "two"])), CELLS), max_size=6)


@cache
def of(students):
    return roster([result(name, words=WORDS) for name in sorted(students)], MASTERS, NAMES)


def written(path, given_rows):
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([byhand.HEAD, *given_rows])
    path.write_bytes(file.getvalue().encode())


@given(ROWS, st.sets(st.sampled_from(["Ada", "Li", "Zoë"]), min_size=1), st.booleans())
def test_nothing_in_it_is_ever_lost(tmp_path_factory, given_rows, students, anonymous):
    folder = tmp_path_factory.mktemp("report")
    path = folder / "by-hand.csv"
    written(path, given_rows)
    before = path.read_bytes()
    whole = of(frozenset(students))
    for _ in range(2):
        _, seen, _ = byhand.marks(path, whole, {})
        path.write_bytes(byhand.with_new_rows(path, whole, seen, lambda student: student.name).encode())
        assert path.read_bytes().startswith(before)
    asked = [(row[0], row[1]) for row in rows(path)]
    assert all((name, "warm_up") in asked for name in students)
    named = {row[0] for row in given_rows if row[1] == "warm_up"}
    assert len(rows(path)) == 1 + len(given_rows) + len(students - named)
