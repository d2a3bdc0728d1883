"""The files of a class, out of folders and archives.

Nothing is unpacked to disk, so no name in an archive can lead out of it, and no link is followed.
"""
import io
import os
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from workbook.checks.rerun import read as notebook

METADATA = "submission_metadata.yml"   # of a Gradescope export
NOTE = "progress.json"                 # which `hand_in` puts beside a notebook
NOTEBOOK = re.compile(r"\.ipynb( ?\(\d+\)|\.json|\.txt)*$")
TEXTS = ".json", ".txt"                # as which browsers save notebooks, too
IGNORED = re.compile(r"\.|__MACOSX$")  # folders
LARGEST = 50_000_000                   # bytes of a file that is read
RATIO = 100                            # unpacked, an archive may be so many times as large, or as large as LARGEST
CHINESE = re.compile(rb"(?:[\0-\x7f]*[\xa1-\xf7][\xa1-\xfe])+[\0-\x7f]*")     # in GBK, of GB 2312
NEITHER = "it is neither a notebook (.ipynb) nor a zip archive"
TOO_LARGE = ("it has more than {:.0f} MB, which are not read: choose Edit → Clear Outputs of All Cells in JupyterLab, "
             "save the notebook and hand it in again")


@dataclass(frozen=True)
class File:
    """A file: its path below the folder or archive, when it was changed, and its cells and edition, or why it has none.

    content: of METADATA and NOTE.
    """

    parts: tuple[str, ...]
    changed: tuple[int, ...]
    cells: tuple[dict, ...] = ()
    edition: str = ""
    problem: str = ""
    content: bytes = b""


def files(place: Path) -> Iterator[File]:
    """All files of a folder or archive, and those in archives."""
    if place.is_file():
        for file in _files_of((place.name,), (), partial(_bytes, place), place):
            yield replace(file, parts=file.parts[1:] or file.parts)
        return
    for folder, folders, names in os.walk(place, onerror=_stop):
        if "run.json" in names and "results" in folders:     # a report, which may lie among the submissions
            folders.clear()
            continue
        folders[:] = [each for each in folders if not IGNORED.match(each)]
        for name in names + [each for each in folders if os.path.islink(f"{folder}/{each}")]:
            path = Path(folder, name)
            changed = time.localtime(path.lstat().st_mtime)[:6]
            yield from _files_of(path.relative_to(place).parts, changed, partial(_bytes, path), path)


def _stop(error: OSError) -> None:
    """Stop at a folder that cannot be opened, since its submissions would be missed."""
    raise SystemExit(f"{error.filename}: {error.strerror}")


def _files_of(parts: tuple[str, ...], changed: tuple[int, ...], read: Callable[[], bytes], path: Path | None = None,
              rooms: tuple[list[int], ...] = ()) -> Iterator[File]:
    """One file, or the files in it where it is an archive. An archive that cannot be read is one file.

    read: returns the content. path: of a file outside of archives. rooms: of each archive around the file, how many
    bytes may still be unpacked from it, and from those in it.
    """
    name, suffix = parts[-1].lower(), PurePosixPath(parts[-1]).suffix.lower()
    if any(map(IGNORED.match, parts[:-1])) or parts[-1].startswith(".") and suffix not in (".ipynb", ".zip"):
        return
    entries = []
    try:
        if path and (path.is_symlink() or not path.is_file()):
            raise ValueError("it is no ordinary file, but a link or something else")
        if parts[-1] in (METADATA, NOTE):
            yield File(parts, changed, problem=NEITHER, content=read())
        elif suffix != ".zip":
            try:
                yield File(parts, changed, *notebook(read() if NOTEBOOK.search(name) or suffix in TEXTS else b""))
            except ValueError as error:
                raise error if NOTEBOOK.search(name) else ValueError(NEITHER) from None
        elif len(rooms) > 2:
            raise ValueError("an archive in an archive in an archive")
        else:
            data = io.BytesIO(read()) if rooms else None
            archive = zipfile.ZipFile(data or path)
            rooms = *rooms, [max(LARGEST, RATIO * (len(data.getbuffer()) if data else path.stat().st_size))]
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if not entries:
                raise ValueError("nothing is in this archive")
    except Exception as error:                              # of whatever type: it is this file's, and the others go on
        yield File(parts, changed, problem=getattr(error, "strerror", "") or str(error) or type(error).__name__)
    folder = (*parts[:-1], PurePosixPath(parts[-1]).stem)
    for entry, path_in_it in zip(entries, _names(entries)):
        names = PurePosixPath(path_in_it.replace("\\", "/")).parts
        inner = tuple(name for name in names if name not in ("/", "..", "."))
        if inner:
            yield from _files_of((*folder, *inner), entry.date_time, partial(_unpacked, archive, entry, rooms),
                                 rooms=rooms)


def _names(entries: list[zipfile.ZipInfo]) -> list[str]:
    """The names of an archive's entries. Without the flag that says UTF-8 zipfile takes all for cp437; macOS writes
    UTF-8, and Windows the code page of its terminal: GBK in China, elsewhere cp850 or what has the same letters.
    """
    names, foreign = [entry.filename for entry in entries], {}
    for i, entry in enumerate(entries):
        if not entry.flag_bits & 0x800:
            with suppress(UnicodeEncodeError):
                raw = names[i].encode("cp437")
                try:
                    names[i] = raw.decode()
                except UnicodeDecodeError:
                    foreign[i] = raw
    chinese = 2 * sum(map(bool, map(CHINESE.fullmatch, foreign.values()))) >= len(foreign)
    for i, raw in foreign.items():
        with suppress(UnicodeError):
            names[i] = raw.decode("cp850")
            names[i] = raw.decode("gbk" if chinese else "cp850")
    return names


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > LARGEST:
        raise ValueError(TOO_LARGE.format(LARGEST / 1e6))
    return path.read_bytes()


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, rooms: tuple[list[int], ...]) -> bytes:
    """An entry's bytes, read no further than there is room, whatever its header says of its size."""
    most, data = min(LARGEST, *(left for left, in rooms)), b""
    if entry.file_size <= most:
        with archive.open(entry) as file:
            data = file.read(most + 1)
    for room in rooms:
        room[0] -= len(data)
    if not data and entry.file_size or len(data) > most:
        raise ValueError(TOO_LARGE.format(most / 1e6))
    return data
