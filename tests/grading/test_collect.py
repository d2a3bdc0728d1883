"""Submissions are found as platforms lay them out, whatever they are called; nothing is unpacked."""
import io
import json
import os
import re
import zipfile

import pytest
from grading.graded import MASTERS

from workbook import files
from workbook.files import packed
from workbook.grading import uploads
from workbook.grading.collect import handed_in

BOOK = json.dumps({"cells": [{"cell_type": "code", "id": "a", "source": "1", "metadata": {}}], "metadata": {}}).encode()


def book(*cells: dict) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "metadata": {}, "source": ""} | cell for cell in cells],
                       "metadata": {}}).encode()


def laid_out(folder, content: dict[str, bytes]):
    for name, data in content.items():
        files.write(folder / name, bytes(data))
    return owned(folder)


def owned(place, *level):
    return [(one.student, one.number, one.exercise) for one in handed_in(place, *level)]


INNER = packed({"warm_up.ipynb": BOOK, "progress.json": b"{}"})


@pytest.mark.parametrize("path, data, found", [
    ("ann/week 3/warm_up.ipynb", BOOK, ("ann", "", "warm_up")),
    ("=cmd|'C calc'!A0/warm_up (1).ipynb", BOOK, ("=cmd|'C calc'!A0", "", "warm_up")),
    ("Zoe\u0308/warm_up.ipynb", BOOK, ("Zoë", "", "warm_up")),
    ("-rf\n* $(id)/warm_up.ipynb", BOOK, ("-rf\n* $(id)", "", "warm_up")),
    ("roe_9_10_warm_up-handin.zip", INNER, ("roe", "9", "warm_up")),
    ("ann.zip", packed({"warm_up-handin.zip": INNER}), ("ann", "", "warm_up")),
    ("ann/final version.ipynb", book({"id": "write-sigma_of"}), ("ann", "", "unit_sphere")),
    ("ann/notes.ipynb", BOOK, ("ann", "", "")), ("ann/a.rar", b"", ("ann", "", "")), ("a.zip", b"PK", ("a", "", "")),
    ("ann_warm_up.ipynb.txt", BOOK, ("ann", "", "warm_up")), ("ann/warm_up.json", BOOK, ("ann", "", "warm_up")),
    ("ann/warm_up.ipynb.json", BOOK, ("ann", "", "warm_up")), ("ann/warm_up.txt", b"{}", ("ann", "", "")),
    ("doe_1_2_homework.ipynb", BOOK, ("doe", "1", "")), ("doe_1_2_homework.pdf", b"", ("doe", "1", "")),
    ("ann/hw.zip", packed({}), ("ann", "", "")), ("ann/hw.zip", packed({"a.py": b""}), ("ann", "", "")),
    ("ann/warm_up.py", b"", ("ann", "", "")), ("ann.zip", packed({"warm_up.pdf": b""}), ("ann", "", "")),
])
def test_a_layout_is_understood_and_no_file_drops_out(tmp_path, path, data, found):
    assert laid_out(tmp_path, {path: data}) == [found]
    assert laid_out(tmp_path, {"zoe_1_2_warm_up.ipynb": BOOK})[-1] == ("zoe", "1", "warm_up")


@pytest.mark.parametrize("note, found", [
    ('{"exercise": "warm_up", "holds": {"pool": true, "attend": 1}, "answers": [{"when": "w", "question": "q", '
     '"choice": "c", "x": 1}, {"when": 1, "question": "q", "choice": "c"}]}', (("pool",), (("w", "q", "c"),))),
    ('{"exercise": "warm_up", "holds": {"pool": true}}', (("pool",), ())),                    # of an older hand_in
    *((note, ((), ())) for note in ("[1]", "[" * 100_000, '{"holds": {}, "answers": {"a": 1}}', '{"holds": [1]}'))])
def test_the_note_that_goes_with_a_notebook_is_read_or_left(tmp_path, note, found):
    laid_out(tmp_path, {"ann.zip": packed({"warm_up.ipynb": BOOK, "progress.json": note.encode()})})
    assert [(one.held, one.answers) for one in handed_in(tmp_path)] == [found]


@pytest.mark.parametrize("named", ["id", "grade_id"])
def test_a_notebooks_cells_decide_whatever_its_name_is(tmp_path, named):
    """`attend` is an item of `warm_up` as well."""
    several = book(*({"metadata": {"nbgrader": {"grade_id": f"write-{name}"}}} if named == "grade_id" else
                     {"id": f"write-{name}"} for name in ("own_scores", "to_weights", "attend")))
    assert laid_out(tmp_path, {"ann/warm_up.ipynb": several}) == [("ann", "", "own_pooling")]


def test_copies_other_folders_and_what_lies_beside_a_notebook_are_passed_over(tmp_path):
    assert laid_out(tmp_path, {
        "ann/.ipynb_checkpoints/warm_up-checkpoint.ipynb": BOOK, "__MACOSX/ann/warm_up.ipynb": BOOK, "a/.x": b"",
        "bo/warm_up.ipynb": BOOK, "bo/warm_up.pdf": b"", "bo/helper.py": b"", "report/run.json": b"{}",
        "report/results/bo-1/warm_up.json": b"", "report/words/warm_up.html": b""}) == [("bo", "", "warm_up")]
    assert handed_in(tmp_path)[0].remarks == ()


def test_who_handed_in_something_else_this_time_is_named_though_there_was_a_notebook_before(tmp_path):
    assert laid_out(tmp_path, {f"Jane_77_{MOODLE}": ONE, "Jane_77_assignsubmission_file/a/warm_up.pdf": b"",
                               "Jane_99_assignsubmission_file/essay.pdf": b""}) == [
        ("Jane", "77", "warm_up"), ("Jane", "99", "")]


def test_what_cannot_be_read_is_of_the_exercise_it_is_named_after_if_others_have_handed_that_in(tmp_path):
    """So it has a row in the tables, a page for its student, and points by hand. A picture has none."""
    assert laid_out(tmp_path, {"hw1/ann/warm_up.pdf": b"", "hw1/bo/warm_up.ipynb": ONE, "hw1/bo/warm_up.py": b"",
                               "hw1/bo/one_head.png": b"", "hw1/cy/warm_up.rar": b"", "hw1/di/warm_up.ipynb": ONE,
                               "hw2/ann/unit_sphere.ipynb": TWO}) == [
        ("ann", "", "unit_sphere"), ("ann", "", "warm_up"), ("bo", "", "warm_up"), ("cy", "", "warm_up"),
        ("di", "", "warm_up")]
    assert [one.remarks for one in handed_in(tmp_path)] == [(), (uploads.NEITHER,), (), (uploads.NEITHER,), ()]


def test_the_latest_upload_counts_and_late_is_noted_of_that_one(tmp_path):
    laid_out(tmp_path, {f"doe_1_{upload}_warm_up{again}.ipynb": book({"source": str(upload)})
                        for upload, again in ((7, ""), (10, "-2"), (9, "-1"))})
    latest = handed_in(tmp_path)[0]
    assert latest.cells[0]["source"] == "10" and "3 uploads" in latest.remarks[0]
    laid_out(tmp_path, {"doe_1_2_warm_up-0.ipynb": book({"source": "def pool(w, v): return w @ v"}),
                        "doe_1_99_warm_up-3.ipynb": (MASTERS / "warm_up.ipynb").read_bytes()})
    assert "the latest with an answer counts: doe_1_2_" in handed_in(tmp_path)[0].remarks[0]
    laid_out(tmp_path, {"roe_LATE_1_2_warm_up.ipynb": BOOK})
    assert handed_in(tmp_path)[1].late == "late"
    laid_out(tmp_path, {"roe_1_9_warm_up-1.ipynb": BOOK})
    assert handed_in(tmp_path)[1].late == ""


PEOPLE = b"""---
submission_11:
  :submitters:
  - :name: Jane Doe
    :sid: '301'
    :email: jane@example.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone 2026-11-27 04:00:00 Z
  :score: 0.0
submission_12:
  :submitters:
  - :name: Bo Li
    :sid: '302'
  - :name: Jane Doe
    :sid: '303'
  :history: []
"""
ONE, TWO = (book({"id": "write-pool"}), book({"id": "write-sigma_of"}))       # of warm_up, of unit_sphere
MOODLE = "assignsubmission_file/warm_up.ipynb"
LAYOUTS = {
    # as mod/assign/classes/downloader.php makes them: an underscore in a name becomes a space
    "Moodle": ([f"Jane Doe_77_{MOODLE}", "Bo Li_78_assignsubmission_file/week 1/warm_up.ipynb"],
               "Bo Li 78, Jane Doe 77"),
    "Moodle, before 4.1": ([f"{name}_{MOODLE.replace('/', '_/')}" for name in ("Jane_77", "Bo_78")], "Bo 78, Jane 77"),
    "Moodle, blind": ([f"Participant_{n}_{MOODLE}" for n in (77, 78)], "Participant 77, Participant 78"),
    "Moodle, teams": ([f"Group A_5_{MOODLE}", f"Default group_{MOODLE}"], "Default group , Group A 5"),
    "Moodle, a name like a folder": (["Bo_7_assignsubmission_file__9_assignsubmission_file/warm_up.ipynb",
                                      f"Bo_7_{MOODLE}"], "Bo 7, Bo_7_assignsubmission_file_ 9"),
    "Moodle, a file like a folder": (["Ann_5_assignsubmission_file_Bo_7_assignsubmission_file_warm_up.ipynb",
                                      "Bo_7_assignsubmission_file_warm_up.ipynb"], "Ann 5, Bo 7"),
    # as lib/content_zipper.rb makes them: word characters only, in lower case; the anonymous form has no name
    "Canvas": (["doejane_12_345_warm_up.ipynb", "libo_LATE_13_346_warm_up.ipynb"], "doejane 12, libo 13"),
    "Canvas, anonymous": (["anon_x7Yz2_345_warm_up.ipynb", "anon_b4Kq9_346_warm_up.ipynb",
                           "LATE_anon_c5Kq8_347_warm_up.ipynb"], "anon_b4Kq9 , anon_c5Kq8 , anon_x7Yz2 "),
    "Canvas, nothing uploaded": (["doe_LATE_12_text.html", "li_13_link.html", "anon_b4Kq9_text.html",
                                  "roe_14_346_warm_up.ipynb"], "anon_b4Kq9 , doe 12, li 13, roe 14"),
    "Canvas, a student called anon": (["anon_12345_678_warm_up.ipynb", "li_13_346_warm_up.ipynb"],
                                      "anon 12345, li 13"),
    "Gradescope": (["assignment_5_export/submission_11/warm_up.ipynb",
                    "assignment_5_export/submission_12/folder/warm_up.ipynb",
                    "assignment_5_export/submission_metadata.yml", "assignment_6_export/submission_11/sphere.ipynb",
                    "assignment_6_export/submission_metadata.yml"], "Bo Li , Jane Doe 301, Jane Doe 303"),
    "Gradescope, without names": (["assignment_5_export/submission_1/warm_up.ipynb",
                                   "assignment_5_export/submission_2/warm_up.ipynb"], "submission_1 , submission_2 "),
    "Gradescope, a student's own names": (["ann/submission_11/warm_up.ipynb", "bo/submission_11/warm_up.ipynb",
                                           "ann/submission_metadata.yml"], "ann , bo "),
    "GitHub Classroom": (["warm-up-submissions/warm-up-ann/warm_up.ipynb", "warm-up-submissions/warm-up-ann/.git/HEAD",
                          "warm-up-submissions/warm-up-bo/src/warm_up.ipynb"], "ann , bo "),
    "GitHub Classroom, twice": (["hw1-submissions/hw1-ann/warm_up.ipynb", "hw1-submissions/hw1-bo/warm_up.ipynb",
                                 "hw2-submissions/hw2-ann/unit_sphere.ipynb"], "ann , bo "),
    "weeks": (["week1/ann/warm_up.ipynb", "week1/bo/warm_up.ipynb", "week2/ann/unit_sphere.ipynb"], "ann , bo "),
    "weeks, one of each": (["week1/ANNA/warm_up.ipynb", "week2/BEN/warm_up.ipynb"], "ANNA , BEN "),
    "exercises": (["warm_up/ann.ipynb", "warm_up/bo.ipynb", "unit_sphere/ann.ipynb"], "ann , bo "),
    "GitHub Classroom, a login like the exercise": (["warm-up-warm-up-fan/warm_up.ipynb", "warm-up-bo/warm_up.ipynb"],
                                                    "bo , warm-up-fan "),
    "a folder named like Moodle": (["Bob_4_assignsubmission_file/warm_up.ipynb", "Bob/warm_up.ipynb",
                                    "cy/warm_up.ipynb"], "Bob , Bob_4_assignsubmission_file , cy "),
    "sections": (["A/ann/warm_up.ipynb", "A/bo/warm_up.ipynb", "B/cy/warm_up.ipynb"], "ann , bo , cy "),
    "nbgrader": (["ann/ps1/warm_up.ipynb", "ann/ps2/unit_sphere.ipynb", "bo/ps1/warm_up.ipynb"], "ann , bo "),
    "nbgrader, its course": (["submitted/ann/ps1/warm_up.ipynb", "submitted/bo/ps1/warm_up.ipynb", "gradebook.db",
                              "autograded/ann/ps1/warm_up.ipynb"], "ann , bo "),
    "nbgrader, the folder of a course": (["c/submitted/ann/ps1/warm_up.ipynb", "c/source/ps1/warm_up.ipynb"], "ann "),
    "a student's folders": (["cy/warm_up.ipynb", "cy/submitted/note.txt", "cy/source/x.txt", "bo/warm_up.ipynb"],
                            "bo , cy "),
    "one folder too many": (["class/ann/warm_up.ipynb", "class/bo/warm_up.ipynb"], "ann , bo "),
    "files": (["ann_warm_up.ipynb", "bo-warm-up (1).ipynb", "ann_unit_sphere.ipynb", "student 3 warm_up.ipynb",
               "student 4 warm_up.ipynb", "warm_up_17.ipynb"], "17 , ann , bo , student 3 , student 4 "),
    "a file that a student has named like Canvas": (["ann/bo_12_345_warm_up.ipynb", "bo/warm_up.ipynb",
                                                     "cy/warm_up.ipynb"], "ann , bo , cy "),
    "a folder beside files of Canvas": (["hw 1/bo_12_345_warm_up.ipynb", "hw 1/cy_13_346_warm_up.ipynb",
                                         "ann/warm_up.ipynb"], "ann , bo 12, cy 13"),
    "a file of the teacher's beside them": (["warm_up.ipynb", "ann/warm_up.ipynb", "bo/x/warm_up.ipynb"],
                                            "ann , bo , warm_up "),
    "versions in one folder": (["ann/warm_up.ipynb", "ann/my try.ipynb", "bo/Copy of warm_up-1.ipynb"], "ann , bo "),
}


def notebooks(paths) -> dict[str, bytes]:
    return {path: PEOPLE if path.endswith(".yml") else TWO if "sphere" in path else ONE if ".ipynb" in path else b""
            for path in paths}


def owners(found) -> str:
    return ", ".join(dict.fromkeys(f"{student} {number}" for student, number, exercise in found
                                   if exercise or number or student.startswith("anon_")))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["folder", "archive", "archive in a folder", "archive of a folder"])
def test_a_platforms_layout_says_whose_each_notebook_is(tmp_path, layout, form):
    paths, expected = LAYOUTS[layout]
    if form == "folder":
        found = laid_out(tmp_path, notebooks(paths))
        assert owners(found) == expected and "submission_metadata.yml" not in {student for student, *_ in found}
    else:
        inside = "class 1/" if form == "archive of a folder" else ""
        (tmp_path / "class.zip").write_bytes(packed(notebooks(inside + path for path in paths)))
        place = tmp_path if form == "archive in a folder" else tmp_path / "class.zip"
        teachers = "class 1 " if inside else "class " if place == tmp_path else "warm_up "
        assert {*owners(owned(place)).split(", ")} == {*expected.replace("warm_up ", teachers).split(", ")}


@pytest.mark.parametrize("paths, says, level, expected", [
    (["ann/draft/warm_up.ipynb", "ann/final/warm_up.ipynb", "bo/warm_up.ipynb"],
     ["--students-in 1: 2 students, ann, bo; ann has warm_up in ann/draft, ann/final",
      "--students-in 2: 2 students, draft, final"], 1, "ann , bo "),
    (["week1/ann/warm_up.ipynb", "week2/ann/warm_up.ipynb", "week1/bo/warm_up.ipynb"],
     ["week1 has warm_up in week1/ann, week1/bo", "ann has warm_up in week1/ann, week2/ann"], 2,
     "ann week1, ann week2, bo "),
    (["hw/a/warm_up.ipynb", "hw/b/unit_sphere.ipynb"], ["1: 1 student, hw", "2: 2 students, a, b"], 2, "a , b "),
    ([f"all/hw {n}/warm_up.ipynb" for n in range(9)] + ["all/hw 1/x/warm_up.ipynb"], ["hw 0, hw 1, hw 2 …"], 2,
     ", ".join(f"hw {n} " for n in range(9)))])
def test_where_it_cannot_be_decided_it_asks_and_nobody_is_merged(tmp_path, paths, says, level, expected):
    with pytest.raises(SystemExit) as question:
        laid_out(tmp_path, notebooks(paths))
    assert all(part in str(question.value) for part in ["whose notebooks are these?", *says]), question.value
    assert owners(owned(tmp_path, level)) == expected
    remarks = [remark for one in handed_in(tmp_path, level) for remark in one.remarks]
    assert len(remarks) == len(paths) - len(owned(tmp_path, level))
    assert all("2 uploads; the latest with an answer counts" in remark for remark in remarks)


def test_no_name_leads_out_and_no_link_is_followed(tmp_path):
    folder = tmp_path / "in"
    files.write(tmp_path / "secret.ipynb", book({"source": "secret"}))
    files.write(folder / "cy.zip", packed({"../../warm_up.ipynb": BOOK, "/etc/unit_sphere.ipynb": BOOK}))
    (folder / "ann").mkdir()
    (folder / "ann/warm_up.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (folder / "bo").symlink_to(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    found = handed_in(folder)
    assert sorted(tmp_path.rglob("*")) == before
    assert {(one.student, one.exercise): bool(one.cells) for one in found} == {
        ("ann", "warm_up"): False, ("bo", ""): False, ("cy", "warm_up"): True, ("cy", "unit_sphere"): True}


def test_what_cannot_be_read_is_a_submission_with_a_reason_and_the_others_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST", 1_000_000)
    os.mkfifo(tmp_path / "fifo_1_2_warm_up.ipynb")
    os.mkfifo(tmp_path / "pipe_1_2_warm_up.zip")
    bomb, secret, lie = packed({"warm_up.ipynb": b"0" * 1_000_001}), bytearray(INNER), bytearray(INNER)
    secret[secret.index(b"PK\1\2") + 8] |= 1                  # encrypted
    lie[lie.index(b"PK\1\2") + 16] ^= 1                        # another checksum
    with zipfile.ZipFile(compressed := io.BytesIO(), "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("warm_up.ipynb", BOOK * 9)
    xz = compressed.getvalue()[:60] + b"\xff" * 30 + compressed.getvalue()[90:]
    broken = (b"[]", b'{"cells": []}', b'{"cells": 3}', b'{"cells": [3]}', b"\xff\xfe{", b"[" * 200_000,
              b'{"cells": [{"cell_type": "code"}]}', b'{"cells": [{"cell_type": "code", "source": 3}]}')
    laid_out(tmp_path, {f"broken{n}_1_2_warm_up.ipynb": data for n, data in enumerate(broken)})
    laid_out(tmp_path, {"bomb_1_2_warm_up.zip": bomb, "torn_1_2_warm_up.zip": bomb[:len(bomb) // 2],
                        "huge_1_2_warm_up.ipynb": b" " * 1_000_001, "empty_1_2_warm_up.ipynb": b"",
                        "secret_1_2_warm_up.zip": secret, "lie_1_2_warm_up.zip": lie, "xz_1_2_warm_up.zip": xz,
                        "ann_1_2_warm_up.zip": INNER})
    found = {one.student: one for one in handed_in(tmp_path)}
    no_notebooks = {"empty", *(f"broken{n}" for n in range(len(broken)))}
    assert set(found) == {"fifo", "bomb", "torn", "huge", "pipe", "secret", "lie", "xz", "ann", *no_notebooks}
    assert {name for name, one in found.items() if one.cells} == {"ann"}
    assert all(one.remarks for name, one in found.items() if name != "ann")
    assert all(re.match("it has no cells|it is no notebook", found[name].remarks[0]) for name in no_notebooks)
    for name in "huge", "bomb":
        assert "more than 1 MB" in found[name].remarks[0] and "Clear Outputs" in found[name].remarks[0]


def test_a_bomb_is_not_unpacked_and_harms_nobody_else(tmp_path, monkeypatch):
    """A few kilobytes that hold six hundred notebooks of a megabyte each, among others' uploads in one archive."""
    monkeypatch.setattr(uploads, "LARGEST", 2_000_000)
    inner = packed({f"{number}/warm_up.ipynb": b"0" * 1_000_000 for number in range(10)})
    bomb = packed({f"{number}.zip": inner for number in range(60)})
    unpacked, read = [], zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *of: unpacked.append(read(*of)) or unpacked[-1])
    (tmp_path / "class.zip").write_bytes(packed({
        "bo_1_2_warm_up.zip": INNER, "eve_3_4_warm_up.zip": bomb, "li_5_6_warm_up.zip": INNER}))
    found = handed_in(tmp_path / "class.zip")
    assert {one.student for one in found if one.cells} == {"bo", "li"} and {one.student for one in found} >= {"eve"}
    assert sum(map(len, unpacked)) < 100 * len(bomb) + 2 * 2_000_000


def test_an_archive_of_thousands_of_files_is_one_row(tmp_path):
    assert laid_out(tmp_path, {"ann.zip": packed({f"{number}.txt": b"" for number in range(3_000)}),
                               "bo/warm_up.ipynb": ONE}) == [("ann", "", ""), ("bo", "", "warm_up")]
    assert "and 2999 other files like it" in handed_in(tmp_path)[0].remarks[0]


def test_large_outputs_and_one_line_again_and_again_are_no_reason_not_to_read(tmp_path):
    large = json.loads(ONE)
    large["cells"][0]["outputs"] = [{"data": {"image/png": "A" * 28_000_000}}]
    lines = book({"id": "write-pool", "source": ["x = 1\n"] * 10_000})
    laid_out(tmp_path, {"ann/warm_up.ipynb": json.dumps(large).encode(), "bo.zip": packed({"warm_up.ipynb": lines})})
    assert [(one.student, one.remarks) for one in handed_in(tmp_path) if one.cells] == [("ann", ()), ("bo", ())]


@pytest.mark.parametrize("name, code", [
    ("Zoë", "utf-8"), ("Zoë", "cp437"), ("Jörg Müßig", "cp437"), ("João Íñigo", "cp850"), ("王小明", "gbk")])
def test_names_in_archives_are_those_that_were_meant(tmp_path, name, code):
    """macOS writes UTF-8, Windows the code page of its terminal; neither sets the flag that says which."""
    raw = name.encode(code)
    data = packed({f"{'#' * len(raw)}/warm_up.ipynb": ONE, "Zoe/warm_up.ipynb": ONE, "$$$$/warm_up.ipynb": ONE})
    (tmp_path / "class.zip").write_bytes(data.replace(b"#" * len(raw), raw).replace(b"$$$$", "Åse".encode()))
    assert {one.student for one in handed_in(tmp_path / "class.zip")} == {name, "Zoe", "Åse"}
