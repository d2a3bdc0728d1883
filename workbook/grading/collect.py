"""Which notebook is whose: submissions as courses and their platforms hand them out.

A folder or a zip archive holds, directly or in further archives, each student's files:

    STUDENT/warm_up.ipynb                       also deeper, and by any other name: the notebook knows its exercise
    STUDENT/ASSIGNMENT/warm_up.ipynb                        nbgrader, in its folder `submitted`
    doejane_LATE_123_4567_warm_up-1.ipynb                   Canvas: name, number of the student, number of the upload
    Jane Doe_123_assignsubmission_file_/warm_up.ipynb       Moodle, as folders; or as flat files with that beginning

Nothing is unpacked to disk, so no name in an archive can lead out of it, and no link is followed.
"""
import io
import os
import re
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path, PurePosixPath

from workbook import course
from workbook.grading.rebuild import cells_of

PLATFORM = re.compile(r"(?P<student>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(?:assignsubmission_[^_]*|(?P<upload>\d+))_.*",
                      re.S)
IGNORED = {".ipynb_checkpoints", "__MACOSX"}
LARGEST = 20_000_000                   # bytes of a file that is read
RATIO = 100                            # unpacked, a file may be at most so many times as large
UNREADABLE = (OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error)
NEITHER = "it is neither a notebook (.ipynb) nor a zip archive"
UNKNOWN = "neither the notebook nor its name says which exercise it is"


@dataclass(frozen=True)
class File:
    """A file: its path below the folder or archive, when it was changed, and its cells, or why it has none."""

    parts: tuple[str, ...]
    changed: tuple[int, ...]
    cells: tuple[dict, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Submission:
    """What a student handed in for an exercise: the latest file. Or a file of no known exercise: then `exercise` is "".

    number: the student's, where the platform gives one. cells: of the notebook; none if it cannot be read, and then
    the last of `remarks` says why.
    """

    student: str
    number: str
    exercise: str
    path: str
    cells: tuple[dict, ...] = ()
    remarks: tuple[str, ...] = ()


def handed_in(place: Path) -> list[Submission]:
    """Submissions in a folder or archive, by student and exercise; other files only of students without notebook."""
    found = list(files(place))
    expected = [file for file in found if file.problem != NEITHER]
    of_platform = 2 * sum(any(map(PLATFORM.fullmatch, file.parts)) for file in expected) >= len(expected)
    by_key: dict[tuple, list[tuple[int, File, bool]]] = {}      # uploads: the platform's number, the file, whether late
    for file in found:
        student, number, late, upload = student_of(file.parts, of_platform)
        exercise = exercise_of(file)
        key = student, number, exercise, () if exercise else file.parts
        by_key.setdefault(key, []).append((upload, file, late))
    with_notebook = {student for student, _, exercise, _ in by_key if exercise}
    submissions = []
    for (student, number, exercise, _), uploads in sorted(by_key.items()):
        _, latest, late = max(uploads, key=lambda upload: (upload[0], upload[1].changed, upload[1].parts))
        if latest.problem == NEITHER and student in with_notebook:
            continue
        path = "/".join(latest.parts)
        remarks = ["handed in late"] if late else []
        if len(uploads) > 1:
            remarks.append(f"{len(uploads)} uploads; the latest counts: {path}")
        if latest.problem or not exercise:
            remarks.append(latest.problem or UNKNOWN)
        submissions.append(Submission(student, number, exercise, path, latest.cells, tuple(remarks)))
    return submissions


def exercise_of(file: File) -> str:
    """The exercise of most of the notebook's cells; else the one that the file or its folder is named after; or ""."""
    if file.problem == NEITHER:
        return ""
    ids = {name for cell in file.cells for name in (cell["id"], cell["grade_id"])}
    counts = {name: len(ids & cells) for name, cells in _cells_of_items().items()}
    most = [name for name, count in counts.items() if count and count == max(counts.values())]
    if len(most) == 1:
        return most[0]
    names = [part.lower() for part in file.parts[:-3:-1]]
    return next((name for part in names for name in course.EXERCISES if name in part), "")


@cache
def _cells_of_items() -> dict[str, set[str]]:
    """The ids of the cells of each exercise's items."""
    return {name: {f"{role}-{item.name}" for item in course.exercise(name).items for role in ("write", "check")}
            for name in course.EXERCISES}


def student_of(parts: tuple[str, ...], of_platform: bool) -> tuple[str, str, bool, int]:
    """(student, number, late, number of the upload) of a path. of_platform: whether a platform named most files.

    If not, a file in a student's folder that is named so was named by the student.
    """
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    matches = map(PLATFORM.fullmatch, parts if of_platform else parts[:1])
    match = next(filter(None, matches), None)
    if match:
        return match["student"], match["number"], bool(match["late"]), int(match["upload"] or 0)
    return (parts[0] if len(parts) > 1 else PurePosixPath(parts[0]).stem), "", False, 0


def files(place: Path) -> Iterator[File]:
    """All files of a folder or archive, and those in archives."""
    if place.is_file():
        found = _files_of((place.name,), (), partial(_bytes, place), place)
        yield from (replace(file, parts=file.parts[1:] or file.parts) for file in found)
    for folder, folders, names in os.walk(place, onerror=_stop):
        if "run.json" in names and "results" in folders:     # a report, which may lie among the submissions
            folders.clear()
            continue
        for name in names + [each for each in folders if os.path.islink(f"{folder}/{each}")]:
            path = Path(folder, name)
            changed = time.localtime(path.lstat().st_mtime)[:6]
            yield from _files_of(path.relative_to(place).parts, changed, partial(_bytes, path), path)


def _stop(error: OSError) -> None:
    """Stop at a folder that cannot be opened, since its submissions would be missed."""
    raise SystemExit(f"{error.filename}: {error.strerror}")


def _files_of(parts: tuple[str, ...], changed: tuple[int, ...], read: Callable[[], bytes], path: Path | None = None,
              depth: int = 0) -> Iterator[File]:
    """One file, or the files in it where it is an archive. An archive that cannot be read is one file.

    read: returns the content. path: of a file outside of archives. depth: how many archives the file is in.
    """
    suffix = PurePosixPath(parts[-1]).suffix.lower()
    if IGNORED & set(parts) or parts[-1].startswith(".") and suffix not in (".ipynb", ".zip"):
        return
    entries = []
    try:
        if path and (path.is_symlink() or not path.is_file()):
            raise ValueError("it is no ordinary file, but a link or something else")
        if suffix == ".ipynb":
            yield File(parts, changed, tuple(cells_of(read())))
        elif suffix != ".zip":
            raise ValueError(NEITHER)
        elif depth > 1:
            raise ValueError("an archive in an archive in an archive")
        else:
            archive = zipfile.ZipFile(path or io.BytesIO(read()))
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if not entries:
                raise ValueError("nothing is in this archive")
    except UNREADABLE as error:
        yield File(parts, changed, problem=getattr(error, "strerror", "") or str(error))
    folder = (*parts[:-1], PurePosixPath(parts[-1]).stem)
    for entry in entries:
        names = PurePosixPath(entry.filename.replace("\\", "/")).parts
        inner = tuple(name for name in names if name not in ("/", "..", "."))
        if inner:
            yield from _files_of((*folder, *inner), entry.date_time, partial(_unpacked, archive, entry),
                                 depth=depth + 1)


def _bytes(path: Path) -> bytes:
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"it has {size / 1e6:.0f} MB; more than {LARGEST / 1e6:.0f} are not read")
    return path.read_bytes()


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """An entry's bytes, read no further than LARGEST, whatever its header says of its size."""
    if entry.file_size > max(RATIO * entry.compress_size, 1_000_000):
        raise ValueError(f"unpacked it is more than {RATIO} times as large")
    with archive.open(entry) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"unpacked it has more than {LARGEST / 1e6:.0f} MB")
    return data
