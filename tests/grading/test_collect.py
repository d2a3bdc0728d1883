"""Submissions are found as platforms lay them out, whatever they are called; nothing is unpacked."""
import io
import json
import os
import zipfile

import pytest

from workbook.grading.collect import LARGEST, handed_in
from workbook.grading.rebuild import cells_of

BOOK = json.dumps({"cells": [{"cell_type": "code", "id": "a", "source": "1", "metadata": {}}], "metadata": {}}).encode()


def book(*cells: dict) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "metadata": {}, "source": ""} | cell for cell in cells],
                       "metadata": {}}).encode()


def packed(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def laid_out(folder, files: dict[str, bytes]):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return [(one.student, one.number, one.exercise) for one in handed_in(folder)]


INNER = packed({"warm_up.ipynb": BOOK, "progress.json": b"{}"})


@pytest.mark.parametrize("path, data, found", [
    ("ann/week 3/warm_up.ipynb", BOOK, ("ann", "", "warm_up")),
    ("doejane_12_345_warm_up.ipynb", BOOK, ("doejane", "12", "warm_up")),
    ("doejane_LATE_12_345_warm_up-2.ipynb", BOOK, ("doejane", "12", "warm_up")),
    ("Jane Doe_77_assignsubmission_file_/warm_up.ipynb", BOOK, ("Jane Doe", "77", "warm_up")),
    ("Jane Doe_77_assignsubmission_file_warm_up.ipynb", BOOK, ("Jane Doe", "77", "warm_up")),
    ("=cmd|'C calc'!A0/warm_up (1).ipynb", BOOK, ("=cmd|'C calc'!A0", "", "warm_up")),
    ("Zoe\u0308/warm_up.ipynb", BOOK, ("Zoë", "", "warm_up")),
    ("-rf\n* $(id)/warm_up.ipynb", BOOK, ("-rf\n* $(id)", "", "warm_up")),
    ("roe_9_10_warm_up-handin.zip", INNER, ("roe", "9", "warm_up")),
    ("ann.zip", packed({"warm_up-handin.zip": INNER}), ("ann", "", "warm_up")),
    ("ann/final version.ipynb", book({"id": "write-sigma_of"}), ("ann", "", "unit_sphere")),
    ("ann/notes.ipynb", BOOK, ("ann", "", "")), ("ann/a.rar", b"", ("ann", "", "")), ("a.zip", b"PK", ("a", "", "")),
    ("doe_1_2_homework.ipynb", BOOK, ("doe", "1", "")), ("doe_1_2_homework.pdf", b"", ("doe", "1", "")),
    ("ann/hw.zip", packed({}), ("ann", "", "")), ("ann/hw.zip", packed({"a.py": b""}), ("ann", "", "")),
    ("ann/warm_up.py", b"", ("ann", "", "")), ("ann.zip", packed({"warm_up.pdf": b""}), ("ann", "", "")),
])
def test_a_layout_is_understood_and_no_file_drops_out(tmp_path, path, data, found):
    assert laid_out(tmp_path, {path: data}) == [found]
    assert laid_out(tmp_path, {"zoe_1_2_warm_up.ipynb": BOOK})[-1] == ("zoe", "1", "warm_up")


@pytest.mark.parametrize("named", ["id", "grade_id"])
def test_a_notebooks_cells_decide_whatever_its_name_is(tmp_path, named):
    """`attend` is an item of `warm_up` as well."""
    several = book(*({"metadata": {"nbgrader": {"grade_id": f"write-{name}"}}} if named == "grade_id" else
                     {"id": f"write-{name}"} for name in ("own_scores", "to_weights", "attend")))
    assert laid_out(tmp_path, {"ann/warm_up.ipynb": several}) == [("ann", "", "own_pooling")]


@pytest.mark.parametrize("files", [
    {"ann/bo_12_345_warm_up.ipynb": BOOK, "bo/warm_up.ipynb": BOOK, "cy/warm_up.ipynb": BOOK},
    {"hw 1/bo_12_345_warm_up.ipynb": BOOK, "hw 1/cy_13_346_warm_up.ipynb": BOOK, "ann/warm_up.ipynb": BOOK}])
def test_a_name_that_a_student_chose_is_nobody_else(tmp_path, files):
    assert [who for who, _, _ in laid_out(tmp_path, files)] == ["ann", "bo", "cy"]


def test_copies_other_folders_and_what_lies_beside_a_notebook_are_passed_over(tmp_path):
    assert laid_out(tmp_path, {
        "ann/.ipynb_checkpoints/warm_up-checkpoint.ipynb": BOOK, "__MACOSX/ann/warm_up.ipynb": BOOK, "a/.x": b"",
        "bo/warm_up.ipynb": BOOK, "bo/warm_up.pdf": b"", "bo/helper.py": b"", "report/run.json": b"{}",
        "report/results/bo-1/warm_up.json": b"", "report/words/warm_up.html": b""}) == [("bo", "", "warm_up")]
    assert handed_in(tmp_path)[0].remarks == ()


def test_the_latest_upload_counts_and_late_is_noted_of_that_one(tmp_path):
    laid_out(tmp_path, {f"doe_1_{upload}_warm_up{again}.ipynb": book({"source": str(upload)})
                        for upload, again in ((7, ""), (10, "-2"), (9, "-1"))})
    latest = handed_in(tmp_path)[0]
    assert latest.cells[0]["source"] == "10" and "3 uploads" in latest.remarks[0]
    laid_out(tmp_path, {"roe_LATE_1_2_warm_up.ipynb": BOOK})
    assert handed_in(tmp_path)[1].remarks == ("handed in late",)
    laid_out(tmp_path, {"roe_1_9_warm_up-1.ipynb": BOOK})
    assert "late" not in handed_in(tmp_path)[1].remarks[0].split()


def test_no_name_leads_out_and_no_link_is_followed(tmp_path):
    secret, folder = tmp_path / "secret.ipynb", tmp_path / "in"
    secret.write_bytes(book({"source": "secret"}))
    (folder / "ann").mkdir(parents=True)
    (folder / "ann/warm_up.ipynb").symlink_to(secret)
    (folder / "bo").symlink_to(tmp_path)
    (folder / "cy.zip").write_bytes(packed({"../../warm_up.ipynb": BOOK, "/etc/unit_sphere.ipynb": BOOK}))
    before = sorted(tmp_path.rglob("*"))
    found = handed_in(folder)
    assert sorted(tmp_path.rglob("*")) == before
    assert {(one.student, one.exercise): bool(one.cells) for one in found} == {
        ("ann", "warm_up"): False, ("bo", ""): False, ("cy", "warm_up"): True, ("cy", "unit_sphere"): True}


def test_what_cannot_be_read_is_a_submission_with_a_reason(tmp_path):
    os.mkfifo(tmp_path / "fifo_1_2_warm_up.ipynb")
    os.mkfifo(tmp_path / "pipe_1_2_warm_up.zip")
    bomb, secret, lie = packed({"warm_up.ipynb": b"0" * (LARGEST + 1)}), bytearray(INNER), bytearray(INNER)
    assert len(bomb) < LARGEST / 100
    secret[secret.index(b"PK\1\2") + 8] |= 1                  # encrypted
    lie[lie.index(b"PK\1\2") + 16] ^= 1                        # another checksum
    laid_out(tmp_path, {"bomb_1_2_warm_up.zip": bomb, "torn_1_2_warm_up.zip": bomb[:len(bomb) // 2],
                        "huge_1_2_warm_up.ipynb": b" " * (LARGEST + 1), "empty_1_2_warm_up.ipynb": b"",
                        "secret_1_2_warm_up.zip": secret, "lie_1_2_warm_up.zip": lie})
    found = {one.student: one for one in handed_in(tmp_path)}
    assert set(found) == {"fifo", "bomb", "torn", "huge", "pipe", "secret", "lie", "empty"}
    assert all(not one.cells and one.remarks for one in found.values())


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    """Thirty kilobytes that hold six hundred notebooks of nineteen megabytes each."""
    inner = packed({f"{number}/warm_up.ipynb": b"0" * 19_000_000 for number in range(10)})
    laid_out(tmp_path, {"eve_1_2_warm_up.zip": packed({f"{number}.zip": inner for number in range(60)})})
    read = []
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *_: read.append(1) or b"")
    assert all(not one.cells for one in handed_in(tmp_path)) and len(read) < 70


@pytest.mark.parametrize("data", [
    b"", b"[]", b'{"cells": []}', b'{"cells": 3}', b'{"cells": [3]}', b"\xff\xfe{", b"[" * 200_000,
    b'{"cells": [{"cell_type": "code"}]}', b'{"cells": [{"cell_type": "code", "source": 3}]}',
])
def test_a_broken_notebook_is_unreadable_and_says_why(data):
    with pytest.raises(ValueError, match="it has no cells|it is no notebook"):
        cells_of(data)
