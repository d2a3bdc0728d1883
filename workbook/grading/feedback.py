"""The way back to the students: their pages as Moodle, Canvas and nbgrader take feedback files.

Each platform finds a student by a name that it gave on the way out, so a submission whose path has lost that name
cannot go back.
"""
import json
import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from workbook.checks.item import count
from workbook.files import packed
from workbook.grading.collect import Submission, platform_of
from workbook.grading.roster import clean
from workbook.grading.uploads import root_of

NBGRADER = "timestamp.txt", "submission_secret.txt"     # without them beside the page, release_feedback stops
SPACES = str.maketrans("_/\\", "   ")
IN_MARKDOWN = str.maketrans({"\n": "&#10;", "$": "&#36;", "\\": "&#92;"})     # an empty line ends HTML; no formulas


class Place(NamedTuple):
    """Where a page goes: a file below REPORT/return; in that, if it is an archive, the file of this name."""

    file: str
    name: str = ""
    beside: dict[str, bytes] = {}          # files that go with it


def moodle(one: Submission, parts: tuple[str, ...], root: Path) -> Place | None:
    """For "Upload multiple feedback files in a zip": Moodle splits the name of a folder at "_", and takes the second
    part for the number of the participant (mod/assign/feedback/file/importziplib.php).
    """
    match = _named(one, parts)
    if match and "upload" not in match.groupdict() and one.number:
        folder = f"{clean(one.student).translate(SPACES)}_{one.number}_assignsubmission_file"
        return Place(f"moodle/{one.exercise}.zip", f"{folder}/{one.exercise}-feedback.html")


def canvas(one: Submission, parts: tuple[str, ...], root: Path) -> Place | None:
    """For "Upload Submissions": Canvas goes by the numbers in the name of a file, and shows it to the student under the
    name, and so with the type, of what was handed in (app/models/abstract_assignment.rb).
    """
    match = _named(one, parts)
    if match and "upload" in match.groupdict():
        return Place(f"canvas/{one.exercise}.zip", clean(match.string) + ".zip" * (match.string != parts[-1]))


def nbgrader(one: Submission, parts: tuple[str, ...], root: Path) -> Place | None:
    """For `nbgrader release_feedback`, which also reads what stands beside the submitted notebook."""
    at = parts.index(one.student) if one.student in parts[:-2] else None
    if at is not None:
        beside = {name: root.joinpath(*parts[:at + 2], name) for name in NBGRADER}
        folder = "nbgrader/feedback/" + "/".join(parts[at:at + 2])
        return Place(f"{folder}/{PurePosixPath(parts[-1]).stem}.html", beside={
            f"{folder}/{name}": path.read_bytes() for name, path in beside.items() if path.is_file()})


PLATFORMS = {"moodle": (moodle, "Jane Doe_77_assignsubmission_file/warm_up.ipynb"),
             "canvas": (canvas, "doejane_12_345_warm_up.ipynb"),
             "nbgrader": (nbgrader, "submitted/jane/ASSIGNMENT/warm_up.ipynb")}


def _named(one: Submission, parts: tuple[str, ...]) -> re.Match | None:
    """The part of a path that says whose it is, in the form of a platform."""
    return next((match for match in map(platform_of, parts) if match and match["student"] == one.student), None)


def places(platform: str, submissions: list[Submission], folder: Path) -> tuple[dict[str, Place], list[str]]:
    """(where the page of each submission goes, by its path; what to warn of). SystemExit if none can go back.

    folder: of the submissions.
    """
    place_of, example = PLATFORMS[platform]
    found = {one.path: place_of(one, tuple(unicodedata.normalize("NFC", one.path).split("/")), root_of(folder))
             for one in submissions}
    lost = [path for path, place in found.items() if not place]
    if len(lost) == len(found):
        raise SystemExit(f"--return {platform}: got {lost[0]}, expected paths such as {example}")
    found = {path: place for path, place in found.items() if place}
    unready = [path for path, place in found.items() if platform == "nbgrader" and len(place.beside) < len(NBGRADER)]
    return found, [f"--return {platform}: {count(len(paths), 'notebook')} {why}: {', '.join(paths[:5])}"
                   f"{' …' * (len(paths) > 5)}" for why, paths in (
                       (f"cannot go back, with a path that is not like {example}", lost),
                       (f"without {' and '.join(NBGRADER)}, where release_feedback stops", unready)) if paths]


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
    """A page as a file of the type that this name has: a notebook, an archive, or HTML."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".zip":
        return packed({"feedback.html": page.encode()})
    if suffix != ".ipynb":
        return page.encode()
    text = page[page.index("<header"):page.index("</body>")].translate(IN_MARKDOWN)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
