"""Which notebook is whose: submissions as courses and their platforms hand them out.

In a folder, in a zip archive, and in an archive within that, a student's files are those of one folder, or of one name
that a platform gave:

    STUDENT/warm_up.ipynb                       also deeper, and by any other name: the notebook knows its exercise
    submitted/STUDENT/ASSIGNMENT/warm_up.ipynb              nbgrader
    doejane_LATE_123_4567_warm_up-1.ipynb                   Canvas: name, number of the student, number of the upload
    Jane Doe_123_assignsubmission_file_/warm_up.ipynb       Moodle, as folders; or as flat files with that beginning

A file of no known exercise has the exercise "". What is neither notebook nor archive is passed over where its student
has a notebook. Nothing is unpacked to disk, so no name in an archive can lead out of it, and no link is followed.
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
from functools import cache, lru_cache, partial
from pathlib import Path, PurePosixPath

from workbook.course import Course
from workbook.grading.rebuild import LARGEST

PLATFORM = re.compile(r"(?P<student>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(?:assignsubmission_[^_]*|(?P<upload>\d+))_.*",
                      re.S)
METADATA = re.compile(rb'"workbook"\s*:\s*\{[^{}]*"exercise"\s*:\s*"(\w+)"')   # in the text of a cell, " is \"
CELL = re.compile(rb'"(?:id|grade_id)"\s*:\s*"(?:write|check)-(\w+)"')
IGNORED = {".ipynb_checkpoints", "__MACOSX"}
OTHER_FOLDERS = {"source", "release", "autograded", "feedback"}             # of nbgrader, beside `submitted`
READ = (".ipynb", ".zip")              # what is opened, by the end of its name
RATIO = 100                            # how many times as large a file may get unpacked
UNREADABLE = (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class File:
    """A file: its path below the folder or archive, when it was changed, and what reads it or raises UNREADABLE."""

    parts: tuple[str, ...]
    changed: tuple[int, ...]
    reader: Callable[[], bytes]

    @property
    def expected(self) -> bool:
        """Whether its name is that of a notebook or an archive."""
        return suffix(self.parts[-1]) in READ

    def read(self) -> bytes:
        return self.reader() if self.expected else _refuse("it is neither a notebook (.ipynb) nor a zip archive")

    @property
    def order(self) -> tuple:
        """What orders a student's uploads: the platform's number, the time, the name."""
        upload = next((match["upload"] for match in map(PLATFORM.fullmatch, self.parts) if match), None)
        return int(upload or 0), self.changed, self.parts


@dataclass(frozen=True)
class Submission:
    """What a student handed in for an exercise: the latest file; or a file of no known exercise, "".

    number: the student's, where the platform gives one. data: its bytes once it is loaded, none where `remarks` end
    with why it cannot be read.
    """

    student: str
    number: str
    exercise: str
    file: File | None = None
    remarks: tuple[str, ...] = ()
    data: bytes = b""

    def loaded(self) -> "Submission":
        """With its data and without its file, as other machines do not have it."""
        try:
            data = self.file.read()
            remark = "" if data else "the file is empty"
        except UNREADABLE as error:
            data, remark = b"", getattr(error, "strerror", "") or str(error)
        return replace(self, file=None, data=data, remarks=(*self.remarks, *filter(None, [remark])))

    def why_ungraded(self) -> tuple[str, str, str]:
        """(student, file, why it is not graded) of what belongs to no exercise."""
        why = "; ".join(self.loaded().remarks) or "neither the notebook nor its name says which exercise it is"
        return self.student, "/".join(self.file.parts), why


def handed_in(place: Path, course: Course) -> list[Submission]:
    """All that a folder or an archive holds, by student and exercise of the course."""
    found = list(files(place))
    if any(file.parts[0] == "submitted" for file in found):
        found = [file for file in found if file.parts[0] not in OTHER_FOLDERS]
    expected = [file for file in found if file.expected]
    of_platform = 2 * sum(any(map(PLATFORM.fullmatch, file.parts)) for file in expected) >= len(expected)
    by_key: dict[tuple, list[tuple[File, bool]]] = {}
    for file in found:
        student, number, late = student_of(file.parts, of_platform)
        exercise = exercise_of(file, course)
        by_key.setdefault((student, number, exercise, () if exercise else file.parts), []).append((file, late))
    with_notebook = {student for student, _, exercise, _ in by_key if exercise}
    handed = []
    for (student, number, exercise, _), uploads in sorted(by_key.items()):
        latest, late = max(uploads, key=lambda upload: upload[0].order)
        if exercise or latest.expected or student not in with_notebook:
            remarks = ["handed in late"] * late
            if len(uploads) > 1:
                remarks.append(f"{len(uploads)} uploads; the latest counts: {'/'.join(latest.parts)}")
            handed.append(Submission(student, number, exercise, latest, tuple(remarks)))
    return handed


def exercise_of(file: File, course: Course) -> str:
    """The exercise that a notebook has most cells of; failing that the one that its metadata name; failing that the one
    whose name stands in that of the file or of its folder; or "".
    """
    try:
        data = file.read()
    except UNREADABLE:
        data = b""
    cells = set(CELL.findall(data))
    counts = {name: len(cells & items) for name, items in _items(course).items()}
    most = [name for name, count in counts.items() if count and count == max(counts.values())]
    if len(most) == 1:
        return most[0]
    names = [name.decode() for name in METADATA.findall(data)[-1:]]
    names += map(str.lower, file.parts[:-3:-1] if file.expected else ())
    return next((name for text in names for name in course.exercises if name in text), "")


@cache
def _items(course: Course) -> dict[str, set[bytes]]:
    """The names of the items of each exercise."""
    return {name: {item.name.encode() for item in course.exercise(name).items} for name in course.exercises}


def student_of(parts: tuple[str, ...], of_platform: bool) -> tuple[str, str, bool]:
    """(student, number, late) of a path. of_platform: whether most files have names that a platform gave them.

    Where they do not, such a name within a student's folder is one that the student chose.
    """
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    for match in filter(None, map(PLATFORM.fullmatch, parts if of_platform else parts[:1])):
        return match["student"], match["number"], bool(match["late"])
    folders = parts[1:-1] if parts[0] == "submitted" and len(parts) > 2 else parts[:-1]
    return (folders[0] if folders else PurePosixPath(parts[-1]).stem), "", False


def files(place: Path) -> Iterator[File]:
    """All files of a folder or archive, and those in archives."""
    if place.is_file():
        yield from _archive(place, (), ())
    for folder, folders, names in os.walk(place, onerror=_stop):
        if "run.json" in names and "results" in folders:     # a report, which may lie among the submissions
            folders.clear()
            continue
        for name in names + [one for one in folders if os.path.islink(f"{folder}/{one}")]:
            path = Path(folder, name)
            parts, changed = path.relative_to(place).parts, time.localtime(path.lstat().st_mtime)[:6]
            if suffix(name) == ".zip" and path.is_file() and not path.is_symlink():
                yield from _archive(path, parts, changed)
            elif not _ignored(parts):
                yield File(parts, changed, partial(_bytes, path))


def _stop(error: OSError) -> None:
    """At a folder that may not be opened: what is in it would drop out of the class."""
    raise SystemExit(f"{error.filename}: {error.strerror}")


def suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _ignored(parts: tuple[str, ...]) -> bool:
    return bool(IGNORED & set(parts)) or parts[-1].startswith(".") and suffix(parts[-1]) not in READ


def _refuse(why: str) -> bytes:
    raise ValueError(why)


def _bytes(path: Path) -> bytes:
    if path.is_symlink() or not path.is_file():
        raise ValueError("it is no ordinary file, but a link or something else")
    if (size := path.stat().st_size) > LARGEST:
        raise ValueError(f"it has {size / 1e6:.0f} MB; more than {LARGEST / 1e6:.0f} are not read")
    return path.read_bytes()


@lru_cache(4)
def _opened(source: Path | tuple) -> zipfile.ZipFile:
    """An archive: a file, or (the archive that it is in, its entry there)."""
    return zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(_unpacked(*source)))


def _archive(source: Path | tuple, parts: tuple[str, ...], changed: tuple[int, ...]) -> Iterator[File]:
    """What is in a zip archive. An archive that cannot be read is one file that cannot be read."""
    try:
        entries = [entry for entry in _opened(source).infolist() if not entry.is_dir()]
        if not entries:
            raise zipfile.BadZipFile("nothing is in it")
    except UNREADABLE as error:
        yield File(parts or ("archive.zip",), changed, partial(_refuse, f"the archive cannot be opened: {error}"))
        return
    folder = (*parts[:-1], Path(parts[-1]).stem) if parts else ()
    for entry in entries:
        names = PurePosixPath(entry.filename.replace("\\", "/")).parts
        inner = (*folder, *(name for name in names if name not in ("/", "..", ".")))
        if len(inner) == len(folder) or _ignored(inner):
            continue
        if suffix(inner[-1]) != ".zip":
            yield File(inner, entry.date_time, partial(_unpacked, source, entry))
        elif isinstance(source, Path):
            yield from _archive((source, entry), inner, entry.date_time)
        else:
            yield File(inner, entry.date_time, partial(_refuse, "an archive in an archive in an archive"))


def _unpacked(source: Path | tuple, entry: zipfile.ZipInfo) -> bytes:
    """An entry's bytes, read no further than LARGEST, whatever its header says of its size."""
    if entry.file_size > max(RATIO * entry.compress_size, 1_000_000):
        raise ValueError(f"unpacked it is more than {RATIO} times as large")
    with _opened(source).open(entry) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"unpacked it has more than {LARGEST / 1e6:.0f} MB")
    return data
