"""Feedback goes back to who handed in: read here as Moodle, Canvas and nbgrader read it."""
import io
import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
from grading.test_grade import command

from workbook import files


def handed_back(folder, platform, *paths):
    """The files of the way back, and what the command says. No notebook can be read, so all are graded at once."""
    for path in paths:
        text = b"{" if path.endswith("ipynb") else files.packed({"warm_up.ipynb": b"{"}) if ".zip" in path else b"x"
        files.write(folder / "in" / path, text)
    text, code = command(folder, "--sandbox", "off", "--return", platform)
    return {path.relative_to(folder / "report/return").as_posix(): path.read_bytes()
            for path in folder.glob("report/return/**/*.*")}, (text, code)


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def as_moodle(name: str, participants) -> tuple[int, str] | None:
    """Whose feedback file it is, and what it is called there: of each part of a path at most five words count."""
    parts = name.split("/")
    while parts:
        words = parts.pop(0).split("_", 4)
        if len(words) > 3 and words[1].isdigit() and int(words[1]) in participants and words[3] == "file":
            return int(words[1]), "/".join([*words[4:], *parts]).lstrip("/")
    return None


def test_moodle_gives_each_participant_a_page_of_this_exercise_alone(tmp_path):
    found, (text, code) = handed_back(
        tmp_path, "moodle", "Jane Doe_77_assignsubmission_file/warm_up.ipynb", "Li_78_assignsubmission_file_/hw.zip",
        "Jane Doe_79_assignsubmission_file/unit_sphere.ipynb", "Bo_77_x_8_assignsubmission_file/warm_up.ipynb",
        "Ann_9_assignsubmission_file_warm_up.ipynb", "Default group_assignsubmission_file/warm_up.ipynb")
    assert code == 0 and "1 notebook cannot go back, with a path that is not like" in text and "Default group" in text
    assert set(found) == {"moodle/warm_up.zip", "moodle/unit_sphere.zip"}
    theirs = {as_moodle(name, (8, 9, 77, 78, 79)): data.decode()
              for name, data in unpacked(found["moodle/warm_up.zip"]).items()}
    assert set(theirs) == {(number, "warm_up-feedback.html") for number in (8, 9, 77, 78)}
    for number, name in ((77, "Jane Doe"), (78, "Li"), (8, "Bo_77_x"), (9, "Ann")):
        assert f"<bdi>{name}" in theirs[number, "warm_up-feedback.html"]
        assert "On the unit sphere" not in theirs[number, "warm_up-feedback.html"]


def test_canvas_shows_each_file_under_the_name_and_so_the_type_of_what_was_handed_in(tmp_path):
    found, (text, code) = handed_back(
        tmp_path, "canvas", "doejane_12_345_warm_up.ipynb", "libo_LATE_13_346_warm_up-handin.zip",
        "anon_x7Yz2_347_warm_up.ipynb", "LATE_anon_b4Kq9_348_warm_up-1.ipynb")
    assert code == 0 and set(found) == {"canvas/warm_up.zip"}, text
    ids = {}
    for name, data in unpacked(found["canvas/warm_up.zip"]).items():
        words = [word for word in name.split("_") if word != "LATE"]
        key = tuple(words[1:3]) if words[0] == "anon" else tuple(word for word in words if word.isdigit())[:2]
        ids[key] = data
    assert set(ids) == {("12", "345"), ("13", "346"), ("x7Yz2", "347"), ("b4Kq9", "348")}
    assert "<bdi>libo" in unpacked(ids["13", "346"])["feedback.html"].decode()
    for key, name in ((("12", "345"), "doejane"), (("x7Yz2", "347"), "anon_x7Yz2")):
        [cell] = json.loads(ids[key])["cells"]
        assert cell["cell_type"] == "markdown" and f"<bdi>{name}" in cell["source"]
        assert cell["source"].startswith("<header") and not re.search(r"[\n$\\]", cell["source"])


def test_a_file_that_a_student_named_like_another_students_stays_here(tmp_path):
    found, (text, code) = handed_back(tmp_path, "canvas", "ann/bo_12_345_warm_up.ipynb", "bo/warm_up.ipynb",
                                      "cy/warm_up.ipynb")
    assert code == 1 and not found and "--return canvas: got ann/bo_12_345_warm_up.ipynb, expected" in text


def test_nbgrader_releases_the_pages(tmp_path):
    pytest.importorskip("nbgrader")
    course, secrets = tmp_path / "in", ("timestamp.txt", "submission_secret.txt")
    files.write(course / "gradebook.db", b"")
    found, (text, code) = handed_back(
        tmp_path, "nbgrader", "submitted/ann/ps1/warm_up.ipynb", *(f"submitted/ann/ps1/{name}" for name in secrets),
        "submitted/bo/ps2/warm_up.ipynb", "submitted/bo/ps2/timestamp.txt")
    assert code == 0 and "1 notebook without timestamp.txt and submission_secret.txt" in text and "bo/ps2" in text
    assert {"nbgrader/feedback/ann/ps1/warm_up.html", "nbgrader/feedback/bo/ps2/warm_up.html"} < set(found)
    (tmp_path / "report/return/nbgrader/feedback").rename(course / "feedback")
    (tmp_path / "exchange").mkdir()
    (tmp_path / "exchange").chmod(0o777)                     # as nbgrader asks for
    done = subprocess.run([sys.executable, "-m", "nbgrader", "release_feedback", "ps1", "--course", "c",
                           f"--Exchange.root={tmp_path}/exchange"], cwd=course, capture_output=True, text=True,
                          env=os.environ | {"HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")})
    assert done.returncode == 0, done.stderr
    [released] = (tmp_path / "exchange/c/feedback").iterdir()
    assert "<bdi>ann" in released.read_text()
