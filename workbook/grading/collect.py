"""Which notebook is whose: submissions as courses and their platforms hand them out.

Understood are, in a folder or in a zip archive, and in archives within:

    STUDENT/warm_up.ipynb                       also deeper, and by any other name: the notebook knows its exercise
    submitted/STUDENT/ASSIGNMENT/warm_up.ipynb              nbgrader
    doejane_LATE_123_4567_warm_up-1.ipynb                   Canvas: name, number of the student, number of the upload
    Jane Doe_123_assignsubmission_file_/warm_up.ipynb       Moodle, as folders; or as flat files with that beginning
    ...warm_up-handin.zip                                   what `hand_in()` of an exercise writes

What tells no exercise has the exercise "". A file that is neither notebook nor archive is passed over where its student
has a notebook. Nothing is unpacked to disk, so no name in an archive can lead out of it, and no link is followed.
"""
import functools
import io
import os
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbook.course import Course
from workbook.grading.rebuild import LARGEST

CANVAS = re.compile(r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<number>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.S)
MOODLE = re.compile(r"(?P<student>.+)_(?P<number>\d+)_assignsubmission_\w*?_(?P<file>.*)", re.S)
AGAIN = re.compile(r"[-_ ]?(?:\((\d+)\)|(\d+))?$")
TOLD = re.compile(rb'"workbook"\s*:\s*\{[^{}]*"exercise"\s*:\s*"(\w+)"')    # in the metadata; in a cell's text, " is \"
CELL = re.compile(rb'"(?:id|grade_id)"\s*:\s*"(?:write|check)-(\w+)"')
DEFINED = re.compile(rb'(?:"|\\n)(?:def|class) +(\w+)')            # at the beginning of a line of a cell
IGNORED = {".ipynb_checkpoints", "__MACOSX"}
KINDS = (".ipynb", ".zip")
PACKED = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zst")        # not opened, but not passed over either
OTHERS = {"source", "release", "autograded", "feedback"}       # of nbgrader's folders, beside `submitted`
DEEP, ENTRIES, TOTAL = 3, 100_000, 4_000_000_000     # archives within archives; files and bytes of one archive
INNER, RATIO = 200_000_000, 100        # bytes of an archive in another; how many times as large a file may get unpacked


@dataclass(frozen=True)
class Submission:
    """One notebook of one student, unread. data: its bytes, none where `remarks` says why it cannot be read.

    number: the student's, where the platform gives one.
    """

    student: str
    exercise: str
    data: bytes
    remarks: tuple[str, ...] = ()
    number: str = ""


@dataclass(frozen=True)
class Found:
    """A file: its path below the folder or archive, when it was changed, and what reads it or raises one of READING."""

    parts: tuple[str, ...]
    changed: float
    read: Callable[[], bytes]

    @property
    def known(self) -> bool:
        """Whether it is called as a notebook or an archive is."""
        return suffix(self.parts[-1]) in KINDS


READING = (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class Handed:
    """What a student handed in for an exercise: files, the latest last."""

    student: str
    number: str
    exercise: str
    files: tuple[Found, ...]
    late: bool

    def load(self) -> Submission:
        """The latest file, read."""
        remarks = ["handed in late"] * self.late
        if len(self.files) > 1:
            remarks.append(f"{len(self.files)} uploads; the latest counts: {'/'.join(self.files[-1].parts)}")
        try:
            data = self.files[-1].read()
            remarks += ["the file is empty"] * (not data)
        except READING as error:
            data, remarks = b"", [*remarks, getattr(error, "strerror", "") or str(error)]
        return Submission(self.student, self.exercise, data, tuple(remarks), self.number)


def handed_in(place: Path, course: Course) -> list[Handed]:
    """All that a folder or an archive holds, by student and exercise of the course."""
    several = [(found, exercise_of(found, course)) for found in files(place)]
    if any(found.parts[0] == "submitted" for found, _ in several):
        several = [one for one in several if one[0].parts[0] not in OTHERS]
    told = [found for found, exercise in several if exercise and found.known]
    trusted = 2 * sum(any(map(platform, found.parts)) for found in told) >= len(told)
    by_key: dict[tuple[str, str, str], list] = {}
    for found, exercise in several:
        student, number, late = student_of(found.parts, trusted)
        by_key.setdefault((student, number, exercise), []).append((upload_of(found), late, found))
    answered = {student for student, _, exercise in by_key if exercise}
    handed = []
    for (student, number, exercise), several in sorted(by_key.items()):
        notebooks = [one for one in several if one[2].known]
        if exercise or student not in answered or any(found.read is not other for _, _, found in several):
            _, late, found = zip(*sorted(notebooks or several, key=lambda one: one[0]))
            handed.append(Handed(student, number, exercise, found, late[-1]))
    return handed


def exercise_of(found: Found, course: Course) -> str:
    """The exercise that a notebook has most cells of; where that is not clear, the one that its metadata name;
    failing that the one that its name begins or ends with; or "".
    """
    try:
        data = found.read()
    except READING:
        data = b""
    told = [one.decode() for one in TOLD.findall(data)][-1:]
    cells = set(CELL.findall(data)) or told and set(DEFINED.findall(data))
    held = {name: len(cells & items) for name, items in _items(course).items()} if cells else {}
    most = [name for name, count in held.items() if count and count == max(held.values())]
    if len(most) == 1:
        return most[0]
    if told and told[0] in course.exercises:
        return told[0]
    stem = PurePosixPath(found.parts[-1]).stem.lower()
    names = [*map(str.lower, found.parts[-2:-1]), AGAIN.sub("", stem).removesuffix("-handin"), stem]
    return next((name for text in reversed(names) for name in course.exercises
                 if text == name or text.endswith(f"_{name}")), "")


@functools.cache
def _items(course: Course) -> dict[str, set[bytes]]:
    """The names of the items of each exercise."""
    return {name: {item.name.encode() for item in course.exercise(name).items} for name in course.exercises}


def student_of(parts: tuple[str, ...], trusted: bool = True) -> tuple[str, str, bool]:
    """(student, number, late) of a path. trusted: whether a folder may hold files that a platform named.

    Where most files have no such name, one within a student's folder is a name that the student chose.
    """
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    for part in parts if trusted else parts[:1]:
        if match := platform(part):
            return match["student"], match["number"], "late" in match.groupdict() and bool(match["late"])
    folders = parts[:-1]
    if folders and folders[0] == "submitted" and len(folders) > 1:
        folders = folders[1:]
    return (folders[0] if folders else PurePosixPath(parts[-1]).stem), "", False


def platform(name: str) -> re.Match | None:
    """What Moodle or Canvas put into the name of a file or folder."""
    return MOODLE.fullmatch(name) or CANVAS.fullmatch(name)


def upload_of(found: Found) -> tuple:
    """What orders a student's uploads: the platform's number, that in the file's name ("-1", "(2)"), the time."""
    canvas = next(filter(None, map(CANVAS.fullmatch, found.parts)), None)
    again = AGAIN.search(PurePosixPath(found.parts[-1]).stem)
    return (int(canvas["upload"]) if canvas else 0, int(again[1] or again[2] or 0), found.changed, found.parts)


def files(place: Path) -> Iterator[Found]:
    """The notebooks, and those in archives."""
    if place.is_file():
        yield from _archive(place, (), place.stat().st_mtime, 1)
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(place, onerror=closed.append):
        if "run.json" in names and "results" in folders:     # a report, which may lie among the submissions
            folders.clear()
            continue
        for name in [*names, *(one for one in folders if suffix(one) in KINDS or os.path.islink(f"{folder}/{one}"))]:
            path = Path(folder, name)
            parts = path.relative_to(place).parts
            if _passed_over(parts):
                continue
            if os.path.islink(path):
                yield Found(parts, 0.0, _refused("it is a symbolic link"))
            elif suffix(name) == ".zip" and os.path.isfile(path):
                yield from _archive(path, parts, path.stat().st_mtime, 1)
            else:
                changed = path.stat().st_mtime if os.path.exists(path) else 0.0
                yield Found(parts, changed, _reading(name, functools.partial(_bytes, path)))
    for error in closed:
        yield Found(Path(error.filename).relative_to(place).parts, 0.0, _refused(f"the folder: {error.strerror}"))


def suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _reading(name: str, read: Callable[[], bytes]) -> Callable[[], bytes]:
    """What reads a file of this name, or says why it cannot be read."""
    return read if suffix(name) in KINDS else packed if suffix(name) in PACKED else other


def _passed_over(parts: tuple[str, ...]) -> bool:
    return bool(IGNORED & set(parts)) or parts[-1].startswith(".") and suffix(parts[-1]) not in KINDS


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise ValueError("it is no ordinary file")
    if (size := path.stat().st_size) > LARGEST:
        raise ValueError(f"it has {size / 1e6:.0f} MB; more than {LARGEST / 1e6:.0f} are not read")
    return path.read_bytes()


def _refused(why: str):
    def read():
        raise ValueError(why)

    return read


other, packed = _refused("it is neither a notebook (.ipynb) nor a zip archive"), _refused("it is no zip archive")


@functools.lru_cache(4)
def _opened(source: Path | tuple) -> zipfile.ZipFile:
    """An archive: a file, of which only what is asked for is read, or (the archive that it is in, its entry there)."""
    return zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(_unpacked(*source)))


def _archive(source: Path | tuple, parts: tuple[str, ...], changed: float, depth: int) -> Iterator[Found]:
    """What is in a zip archive. An archive that cannot be read is one file that cannot be read."""
    try:
        archive = _opened(source)
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if not entries:
            raise zipfile.BadZipFile("it is empty")
        if len(entries) > ENTRIES or sum(entry.file_size for entry in entries) > (TOTAL if depth == 1 else INNER):
            raise zipfile.BadZipFile(f"it holds {len(entries)} files, unpacked too much")
    except READING as error:
        yield Found(parts or ("archive.zip",), changed, _refused(f"the archive cannot be opened: {error}"))
        return
    for entry in entries:
        inner = PurePosixPath(entry.filename.replace("\\", "/")).parts
        inner = tuple(part for part in inner if part not in ("/", "..", "."))
        if not inner or _passed_over(inner):
            continue
        whole, kind = (*(parts[:-1] + (Path(parts[-1]).stem,) if parts else ()), *inner), suffix(inner[-1])
        if kind != ".zip":
            yield Found(whole, changed, _reading(inner[-1], functools.partial(_unpacked, source, entry)))
        elif depth < DEEP:
            yield from _archive((source, entry), whole, changed, depth + 1)
        else:
            yield Found(whole, changed, _refused("an archive in an archive in an archive"))


def _unpacked(source: Path | tuple, entry: zipfile.ZipInfo) -> bytes:
    """An entry's bytes, read no further than LARGEST, whatever its header says of its size."""
    if entry.file_size > max(RATIO * entry.compress_size, 1_000_000):
        raise ValueError(f"unpacked it is more than {RATIO} times as large")
    with _opened(source).open(entry) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"unpacked it has more than {LARGEST / 1e6:.0f} MB")
    return data
