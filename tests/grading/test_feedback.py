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
    """({a file of the way back: bytes}, what the command says). No notebook can be read, so all are graded at once."""
    for path in paths:
        files.write(folder / "in" / path, files.packed({"warm_up.ipynb": b"{"}) if ".zip" in path else b"{")
    text, code = command(folder, "--sandbox", "off", "--return", platform)
    place = folder / "report/return"
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.glob("**/*.*")}, (text, code)


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def as_moodle(name: str) -> tuple[str, str]:
    """Whose file it is, and what it is called there: of each part of a path at most five words count."""
    folder, file = name.split("/")
    _, number, *plugin = folder.split("_", 4)
    assert plugin == ["assignsubmission", "file"]
    return number, file


def as_canvas(name: str) -> list[str]:
    """The numbers of the student and of the upload."""
    words = [word for word in name.split("_") if word != "LATE"]
    return words[1:3] if words[0] == "anon" else [word for word in words if word.isdigit()][:2]


def test_moodle_gives_each_participant_a_page_of_this_exercise_alone(tmp_path):
    found, (text, code) = handed_back(
        tmp_path, "moodle", "Jane Doe_77_assignsubmission_file/warm_up.ipynb", "Li_78_assignsubmission_file_/hw.zip",
        "Jane Doe_79_assignsubmission_file/unit_sphere.ipynb", "Bo_77_x_8_assignsubmission_file/warm_up.ipynb",
        "Ann_9_assignsubmission_file_warm_up.ipynb", "Default group_assignsubmission_file/warm_up.ipynb",
        "Cy_10_assignsubmission_file/essay.pdf")
    assert code == 1 and "1 hand-in cannot go back, with a path that is not like" in text and "Default group" in text
    assert "1 hand-in not graded, so nothing goes back for it: Cy_10_assignsubmission_file/essay.pdf" in text
    assert set(found) == {"moodle/warm_up.zip", "moodle/unit_sphere.zip"}
    pages = {as_moodle(name): data.decode() for name, data in unpacked(found["moodle/warm_up.zip"]).items()}
    names = {"77": "Jane Doe", "78": "Li", "8": "Bo_77_x", "9": "Ann"}
    assert {key: re.search("<bdi>(.+?)</bdi>", page)[1] for key, page in pages.items()} == {
        (number, "warm_up-feedback.html"): name for number, name in names.items()}
    assert not any("On the unit sphere" in page for page in pages.values())


def test_canvas_shows_each_file_under_the_name_and_so_the_type_of_what_was_handed_in(tmp_path):
    found, (text, _) = handed_back(
        tmp_path, "canvas", "doejane_12_345_warm_up.ipynb", "libo_LATE_13_346_warm_up-handin.zip",
        "anon_x7Yz2_347_warm_up.ipynb", "LATE_anon_b4Kq9_348_warm_up-1.ipynb")
    theirs = {" ".join(as_canvas(name)): data for name, data in unpacked(found.pop("canvas/warm_up.zip")).items()}
    assert not found and "<bdi>libo" in unpacked(theirs.pop("13 346"))["feedback.html"].decode(), text
    for key, name in {"12 345": "doejane", "x7Yz2 347": "anon_x7Yz2", "b4Kq9 348": "anon_b4Kq9"}.items():
        [cell] = json.loads(theirs.pop(key))["cells"]
        assert cell["cell_type"] == "markdown" and f"<bdi>{name}" in cell["source"]
        assert cell["source"].startswith("<header") and not re.search(r"[\n$\\]", cell["source"])
    found, (text, code) = handed_back(tmp_path / "b", "canvas", "ann/bo_12_345_warm_up.ipynb", "bo/warm_up.ipynb",
                                      "cy/warm_up.ipynb")
    assert code == 1 and not theirs | found and "got ann/bo_12_345_warm_up.ipynb, bo/warm_up.ipynb, " in text


def test_nbgrader_releases_the_pages(tmp_path):
    pytest.importorskip("nbgrader")
    course = tmp_path / "in"
    files.write(course / "gradebook.db", b"")
    found, (text, code) = handed_back(
        tmp_path, "nbgrader", *(f"submitted/ann/ps1/{name}" for name in (
            "warm_up.ipynb", "timestamp.txt", "submission_secret.txt")), "submitted/bo/ps2/warm_up.ipynb")
    assert code == 0 and "1 hand-in without timestamp.txt and submission_secret.txt" in text and "bo/ps2" in text
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
