"""The way back to the students: their pages as Moodle, Canvas and nbgrader take feedback files.

Each finds a student by a name that it gave on the way out. Moodle splits the name of a folder at "_", and takes the
second word for the number of a participant (mod/assign/feedback/file/importziplib.php). Canvas goes by the numbers in
the name of a file, and shows it under the name, and so with the type, of what was handed in (abstract_assignment.rb).
nbgrader's release_feedback also reads what stands beside the submitted notebook.
"""
import json
import unicodedata
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from workbook.checks.item import count
from workbook.files import packed
from workbook.grading.collect import platform_of
from workbook.grading.results import Submission
from workbook.grading.roster import clean

EXAMPLES = {"moodle": "Jane Doe_77_assignsubmission_file/warm_up.ipynb", "canvas": "doejane_12_345_warm_up.ipynb",
            "nbgrader": "submitted/jane/ASSIGNMENT/warm_up.ipynb"}
NBGRADER = "timestamp.txt", "submission_secret.txt"
SPACES = str.maketrans("_/\\", "   ")
IN_MARKDOWN = str.maketrans({"\n": "&#10;", "$": "&#36;", "\\": "&#92;"})     # an empty line ends HTML; no formulas


class Place(NamedTuple):
    """Where a page goes: a file below REPORT/return; in that, if it is an archive, the file of this name."""

    file: str
    name: str = ""
    beside: dict[str, bytes] = {}          # files that go with it


def _place(platform: str, one: Submission, root: Path) -> Place | None:
    """None where the path of a submission does not have the platform's form."""
    parts = unicodedata.normalize("NFC", one.path).split("/")
    if platform == "nbgrader" and one.student in parts[:-2]:
        end = parts.index(one.student) + 2
        folder, beside = "/".join(["nbgrader/feedback", *parts[end - 2:end]]), root.joinpath(*parts[:end])
        return Place(f"{folder}/{PurePosixPath(parts[-1]).stem}.html", beside={
            f"{folder}/{name}": (beside / name).read_bytes() for name in NBGRADER if (beside / name).is_file()})
    found = next((match for match in map(platform_of, parts) if match and match["student"] == one.student), None)
    if found and platform == ("canvas" if "upload" in found.groupdict() else "moodle" if one.number else ""):
        name = (clean(found.string) + ".zip" * (found.string != parts[-1]) if platform == "canvas" else
                f"{clean(one.student).translate(SPACES)}_{one.number}_assignsubmission_file/{one.exercise}-feedback.html")
        return Place(f"{platform}/{one.exercise}.zip", name)


def places(platform: str, submissions: list[Submission], folder: Path) -> tuple[dict[str, Place], list[str]]:
    """(where the page of each submission goes, by its key; what to warn of). SystemExit if none can go back.

    folder: of the submissions.
    """
    found = [(one, _place(platform, one, folder)) for one in submissions if one.exercise]
    lost = [one.path for one, place in found if not place]
    graded = {(one.student, one.number) for one, _ in found}
    ungraded = [one.path for one in submissions if (one.student, one.number) not in graded]
    if len(lost) == len(found):
        raise SystemExit(f"--return {platform}: got {', '.join(lost)}; expected paths such as {EXAMPLES[platform]}")
    unready = [one.path for one, place in found if place and not place.name and len(place.beside) < len(NBGRADER)]
    warned = ((lost, f"cannot go back, with a path that is not like {EXAMPLES[platform]}"),
              (ungraded, "not graded, so nothing goes back for it"),
              (unready, f"without {' and '.join(NBGRADER)}, where release_feedback stops"))
    return ({one.key: place for one, place in found if place},
            [f"--return {platform}: {count(len(paths), 'hand-in')} {why}: {', '.join(paths)}"
             for paths, why in warned if paths])


def files(pages: list[tuple[Place, str]]) -> dict[str, bytes]:
    """All files of the way back. pages: each with its place."""
    found, archives = {}, {}
    for place, page in pages:
        if place.name:
            archives.setdefault(place.file, {})[place.name] = _like(place.name, page)
        else:
            found |= {place.file: page.encode(), **place.beside}
    return found | {name: packed(content) for name, content in archives.items()}


def _like(name: str, page: str) -> bytes:
    """A page as a file of the type that this name has: an archive, a notebook, or HTML."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".zip":
        return packed({"feedback.html": page.encode()})
    if suffix != ".ipynb":
        return page.encode()
    text = page[page.index("<header"):page.index("</body>")].translate(IN_MARKDOWN)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
