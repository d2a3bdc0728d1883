"""Which notebook is whose: submissions as courses and their platforms hand them out.

In a folder, in a zip archive, and in an archive within that, these layouts are understood:

    STUDENT/warm_up.ipynb                       also deeper, and by any other name: the notebook knows its exercise
    submitted/STUDENT/ASSIGNMENT/warm_up.ipynb              nbgrader
    doejane_LATE_123_4567_warm_up-1.ipynb                   Canvas: name, number of the student, number of the upload
    Jane Doe_123_assignsubmission_file_/warm_up.ipynb       Moodle, as folders; or as flat files with that beginning
    ...warm_up-handin.zip                                   what `hand_in()` of an exercise writes

A file of no known exercise has the exercise "". What is neither notebook nor archive is passed over where its student
has a notebook. Nothing is unpacked to disk, so no name in an archive can lead out of it, and no link is followed.
"""
import io
import os
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path, PurePosixPath

from workbook.course import Course
from workbook.grading.rebuild import LARGEST

CANVAS = re.compile(r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.S)
MOODLE = re.compile(r"(?P<student>.+)_(?P<number>\d+)_assignsubmission_\w*?_(?P<file>.*)", re.S)
COPY = re.compile(r"[-_ ]?(?:\((\d+)\)|(\d+))?$")                           # "-1" or " (2)" at the end of a name
METADATA = re.compile(rb'"workbook"\s*:\s*\{[^{}]*"exercise"\s*:\s*"(\w+)"')   # in the text of a cell, " is \"
CELL = re.compile(rb'"(?:id|grade_id)"\s*:\s*"(?:write|check)-(\w+)"')
IGNORED = {".ipynb_checkpoints", "__MACOSX"}
OTHER_FOLDERS = {"source", "release", "autograded", "feedback"}             # of nbgrader, beside `submitted`
READ = (".ipynb", ".zip")              # what is opened, by the end of its name
RATIO = 100                            # how many times as large a file may get unpacked
UNREADABLE = (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)
NO_EXERCISE = "neither the notebook nor its name says which exercise it is"


@dataclass(frozen=True)
class Submission:
    """One notebook of one student. data: its bytes, none where `remarks` says why it cannot be read.

    number: the student's, where the platform gives one.
    """

    student: str
    exercise: str
    data: bytes
    remarks: tuple[str, ...] = ()
    number: str = ""


@dataclass(frozen=True)
class File:
    """A file: its path below the folder or archive, when it was changed, and what reads it or raises UNREADABLE."""

    parts: tuple[str, ...]
    changed: float
    read: Callable[[], bytes]

    @property
    def expected(self) -> bool:
        """Whether its name is that of a notebook or an archive."""
        return suffix(self.parts[-1]) in READ

    @property
    def order(self) -> tuple:
        """What orders a student's uploads: the platform's number, that in the file's name ("-1", "(2)"), the time."""
        canvas = next(filter(None, map(CANVAS.fullmatch, self.parts)), None)
        copy = COPY.search(PurePosixPath(self.parts[-1]).stem)
        return int(canvas["upload"]) if canvas else 0, int(copy[1] or copy[2] or 0), self.changed, self.parts


@dataclass(frozen=True)
class Handed:
    """What a student handed in for an exercise: the latest file; or a file of no known exercise."""

    student: str
    number: str
    exercise: str
    file: File
    remarks: tuple[str, ...]

    def load(self) -> Submission:
        try:
            data = self.file.read()
            remark = "" if data else "the file is empty"
        except UNREADABLE as error:
            data, remark = b"", getattr(error, "strerror", "") or str(error)
        return Submission(self.student, self.exercise, data, (*self.remarks, *filter(None, [remark])), self.number)

    def why_ungraded(self) -> tuple[str, str, str]:
        """(student, file, why it is not graded) of what belongs to no exercise."""
        return self.student, "/".join(self.file.parts), "; ".join(self.load().remarks) or NO_EXERCISE


def handed_in(place: Path, course: Course) -> list[Handed]:
    """All that a folder or an archive holds, by student and exercise of the course."""
    found = [(file, exercise_of(file, course)) for file in files(place)]
    if any(file.parts[0] == "submitted" for file, _ in found):
        found = [one for one in found if one[0].parts[0] not in OTHER_FOLDERS]
    notebooks = [file for file, exercise in found if exercise and file.expected]
    of_platform = 2 * sum(any(map(platform, file.parts)) for file in notebooks) >= len(notebooks)
    by_key: dict[tuple, list] = {}
    for file, exercise in found:
        student, number, late = student_of(file.parts, of_platform)
        by_key.setdefault((student, number, exercise, () if exercise else file.parts), []).append((file, late))
    with_notebook = {student for student, _, exercise, _ in by_key if exercise}
    handed = []
    for (student, number, exercise, _), pairs in sorted(by_key.items()):
        if exercise or student not in with_notebook or pairs[0][0].read is not not_a_notebook:
            pairs = [pair for pair in pairs if pair[0].expected] or pairs
            latest, late = max(pairs, key=lambda pair: pair[0].order)
            remarks = ["handed in late"] * late
            if len(pairs) > 1:
                remarks.append(f"{len(pairs)} uploads; the latest counts: {'/'.join(latest.parts)}")
            handed.append(Handed(student, number, exercise, latest, tuple(remarks)))
    return handed


def exercise_of(file: File, course: Course) -> str:
    """The exercise that a notebook has most cells of; failing that the one that its metadata name; failing that the one
    that its name begins or ends with; or "".
    """
    try:
        data = file.read()
    except UNREADABLE:
        data = b""
    named = [name.decode() for name in METADATA.findall(data)[-1:]]
    cells = set(CELL.findall(data))
    counts = {name: len(cells & items) for name, items in _items(course).items()}
    most = [name for name, count in counts.items() if count and count == max(counts.values())]
    stem = PurePosixPath(file.parts[-1]).stem.lower()
    names = [*most[:len(most) == 1], *named, stem, COPY.sub("", stem).removesuffix("-handin"),
             *map(str.lower, file.parts[-2:-1])]
    return next((name for text in names for name in course.exercises if text == name or text.endswith(f"_{name}")), "")


@cache
def _items(course: Course) -> dict[str, set[bytes]]:
    """The names of the items of each exercise."""
    return {name: {item.name.encode() for item in course.exercise(name).items} for name in course.exercises}


def student_of(parts: tuple[str, ...], of_platform: bool = True) -> tuple[str, str, bool]:
    """(student, number, late) of a path. of_platform: whether most files have names that a platform gave them.

    Where they do not, such a name within a student's folder is one that the student chose.
    """
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    for part in parts if of_platform else parts[:1]:
        if match := platform(part):
            return match["student"], match["number"], bool(match.groupdict().get("late"))
    folders = parts[1:-1] if parts[0] == "submitted" and len(parts) > 2 else parts[:-1]
    return (folders[0] if folders else PurePosixPath(parts[-1]).stem), "", False


def platform(name: str) -> re.Match | None:
    """What Moodle or Canvas put into the name of a file or folder."""
    return MOODLE.fullmatch(name) or CANVAS.fullmatch(name)


def files(place: Path) -> Iterator[File]:
    """All files of a folder or archive, and those in archives."""
    if place.is_file():
        yield from _archive(place, (), place.stat().st_mtime)
        return
    for folder, folders, names in os.walk(place, onerror=_stop):
        if "run.json" in names and "results" in folders:     # a report, which may lie among the submissions
            folders.clear()
            continue
        for name in names + [one for one in folders if os.path.islink(f"{folder}/{one}")]:
            path = Path(folder, name)
            parts, changed = path.relative_to(place).parts, path.lstat().st_mtime
            if _ignored(parts):
                continue
            if suffix(name) == ".zip" and path.is_file() and not path.is_symlink():
                yield from _archive(path, parts, changed)
            else:
                yield File(parts, changed, _reader(name, partial(_bytes, path)))


def _stop(error: OSError) -> None:
    """At a folder that may not be opened: what is in it would drop out of the class."""
    raise SystemExit(f"{error.filename}: {error.strerror}")


def suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _ignored(parts: tuple[str, ...]) -> bool:
    return bool(IGNORED & set(parts)) or parts[-1].startswith(".") and suffix(parts[-1]) not in READ


def _refuse(why: str) -> bytes:
    raise ValueError(why)


not_a_notebook = partial(_refuse, "it is neither a notebook (.ipynb) nor a zip archive")


def _reader(name: str, read: Callable[[], bytes]) -> Callable[[], bytes]:
    """What reads a file of this name, or says why it cannot be read."""
    return read if suffix(name) in READ else not_a_notebook


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


def _archive(source: Path | tuple, parts: tuple[str, ...], changed: float) -> Iterator[File]:
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
            yield File(inner, changed, _reader(inner[-1], partial(_unpacked, source, entry)))
        elif isinstance(source, Path):
            yield from _archive((source, entry), inner, changed)
        else:
            yield File(inner, changed, partial(_refuse, "an archive in an archive in an archive"))


def _unpacked(source: Path | tuple, entry: zipfile.ZipInfo) -> bytes:
    """An entry's bytes, read no further than LARGEST, whatever its header says of its size."""
    if entry.file_size > max(RATIO * entry.compress_size, 1_000_000):
        raise ValueError(f"unpacked it is more than {RATIO} times as large")
    with _opened(source).open(entry) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"unpacked it has more than {LARGEST / 1e6:.0f} MB")
    return data
