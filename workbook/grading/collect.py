"""Whose notebook is which: submissions as courses and their platforms hand them out.

A folder or a zip archive holds, directly or in further archives, each student's files. Moodle and Canvas say in a name
whose it is, Gradescope in submission_metadata.yml; elsewhere students are where the paths differ. A notebook knows its
exercise, whatever it is called. tests/grading/test_collect.py has examples of all layouts.
"""
import json
import os
import re
import unicodedata
from collections import Counter
from pathlib import Path, PurePosixPath
from statistics import multimode
from typing import NamedTuple

from workbook import course
from workbook.checks import rerun
from workbook.checks.item import count
from workbook.grading.results import Submission
from workbook.grading.uploads import METADATA, NEITHER, NOTE, File, files

UPLOAD = r"(?:(?P<upload>\d+)_.+|(?:text|link)\.html)"
PLATFORMS = [re.compile(pattern, re.S) for pattern in (
    # Moodle: Jane Doe_123_assignsubmission_file/warm_up.ipynb, where the last such end counts; or as a flat file
    r"(?P<student>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+_?",
    r"(?P<student>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+_.+",
    # Canvas: anon_x7Yz2_4567_warm_up.ipynb; doejane_LATE_123_4567_warm_up-1.ipynb; doejane_123_text.html, no upload
    rf"(?P<late>LATE_)?(?P<student>anon_(?!\d+_)\w{{5}})_{UPLOAD}",
    rf"(?P<student>.+?)(?P<late>_LATE)?_(?P<number>\d+)_{UPLOAD}")]
BESIDE = ("source", "release", "autograded", "feedback", "gradebook.db")       # the folder `submitted` of nbgrader
MOST = 5_000                           # answers to questions, of a student


def handed_in(place: Path, level: int | None = None, student: str = "") -> list[Submission]:
    """Submissions in a folder or archive, by student and exercise; other files only where there is no notebook for it.

    level: which part of the paths names the students, from 1; None: find out. SystemExit where that cannot be decided.
    student: whose all of it is, if it is one student's.
    """
    found = [(file, exercise_of(file)) for file in files(place)]
    homes = _of_nbgrader(found)
    beside = {(*home[:-1], name) for home in homes for name in BESIDE}
    found = [one for one in found if not any(one[0].parts[:len(at)] == at for at in beside)]
    level, names = (0, {(): [Owner(student, "1")]}) if student else _level(place, found, level, homes)
    platform = not student and _of_platform(found, level)
    owned = [(owner, file, exercise) for file, exercise in found if file.parts[-1] != METADATA
             for owner in owners(file.parts, level, names, platform)]
    folders = {(owner.student, exercise, file.parts[:level - 1]) for owner, file, exercise in owned
               if exercise and not owner.number}
    several = {student for (student, _), n in Counter(key[:2] for key in folders).items() if n > 1}    # of one name
    uploads: dict[tuple[str, str, str], list[tuple]] = {}
    known = {exercise for *_, exercise in owned} - {""}
    for owner, file, exercise in sorted(owned, key=lambda one: one[1].problem == NEITHER):
        number = owner.number or ("/".join(file.parts[:level - 1]) if owner.student in several else "")
        if file.problem == NEITHER and (meant := named_after(file)) in known:         # where there is no notebook of it
            theirs = uploads.get((owner.student, number, meant), [])
            exercise = meant if all(each.problem == NEITHER for _, each in theirs) else ""
        uploads.setdefault((owner.student, number, exercise), []).append((owner, file))
    notes = {file.parts[:-1]: file.content for file, _ in found if file.parts[-1] == NOTE}
    with_notebook = {(student, number) for student, number, exercise in uploads if exercise}
    submissions = []
    for (student, number, exercise), theirs in sorted(uploads.items()):
        if not exercise:
            theirs = [each for each in theirs if each[1].problem != NEITHER] or theirs
            if (student, number) in with_notebook and theirs[0][1].problem == NEITHER:
                continue
        owner, latest = max(theirs, key=lambda one: (answered(one[1], exercise), one[0].upload, one[1].changed,
                                                     one[1].parts))
        path = "/".join(latest.parts)
        if path.lower().endswith(".zip") and len(known) == 1 and (student, number) not in with_notebook:
            exercise = min(known)                               # it cannot be read, and the others are all of this one
        remarks = []
        if len(theirs) > 1 and exercise:
            remarks.append(f"{len(theirs)} uploads; the latest with an answer counts: {path}")
            last = max(theirs, key=lambda one: (one[0].upload, one[1].changed, one[1].parts))[1]
            if last.problem and last is not latest:
                remarks.append(f"the last upload, {'/'.join(last.parts)}, cannot be read: {last.problem}")
        if latest.problem or not exercise:
            more = "" if exercise or len(theirs) == 1 else f"; and {count(len(theirs) - 1, 'other file')} like it"
            why = latest.problem or "neither the notebook nor its name says which exercise it is"
            remarks.append(why + more)
        note = _note(notes.get(latest.parts[:-1], b""), exercise)
        submissions.append(Submission(student, number, exercise, path, latest.cells, tuple(remarks), latest.edition,
                                      *note, "late" * owner.late))
    return submissions


def _note(text: bytes, exercise: str) -> tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]:
    """What `hand_in` noted: the items that held in the session, and the answers; none in a note of something else."""
    try:
        said = json.loads(text)
        given = [(one["when"], one["question"], one["choice"]) for one in said.get("answers", [])[:MOST]]
        held = (str(item) for item, held in said["holds"].items() if held is True and said["exercise"] == exercise)
        return tuple(held), tuple(one for one in given if all(isinstance(words, str) for words in one))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return (), ()


def exercise_of(file: File) -> str:
    """The exercise of most of the notebook's cells; else the one that the file or its folder is named after; or ""."""
    if file.problem == NEITHER:
        return ""
    ids = {name for cell in file.cells for name in (cell["id"], cell["grade_id"])}
    most = multimode(name for name in course.EXERCISES for item in course.exercise(name).items
                     for role in ("write", "check") if f"{role}-{item.name}" in ids)
    return most[0] if len(most) == 1 else named_after(file)


def named_after(file: File) -> str:
    """The exercise that a file or its folder is named after, or ""."""
    names = [part.lower() for part in file.parts[:-3:-1]]
    return next((name for part in names for name in course.EXERCISES if name in part), "")


def answered(file: File, exercise: str) -> bool:
    """Whether a notebook answers an item: what was handed out, as it is, may lie beside the copy that was worked on."""
    return bool(exercise) and any(re.search(rerun.DEFINES.format(name=item.name), cell["source"], re.M)
                                  and not rerun.is_stub(cell["source"], item.name)
                                  for cell in file.cells for item in course.exercise(exercise).items)


class Owner(NamedTuple):
    """A student, as a path names it; upload: the platform's number of this upload."""

    student: str
    number: str = ""
    late: bool = False
    upload: int = 0


def owners(parts: tuple[str, ...], level: int, names: dict[tuple, list[Owner]], platform: bool) -> list[Owner]:
    """Whose file it is: a team's is that of each of them. names: as `_level` says; platform: see `_of_platform`."""
    if parts[:level] in names:
        return names[parts[:level]]
    part = unicodedata.normalize("NFC", parts[min(level, len(parts)) - 1])
    if platform and (match := platform_of(part)):
        said = match.groupdict("")
        return [Owner(said["student"], said.get("number", ""), bool(said.get("late")), int(said.get("upload") or 0))]
    said = [*filter(None, map(says, parts[:level]))] or [PurePosixPath(part).stem]
    if len(said) > 1 and said[-2].endswith("-submissions"):             # GitHub Classroom: hw1-submissions/hw1-ann
        said[-1] = said[-1].removeprefix(said[-2].removesuffix("submissions"))
    return [Owner(unicodedata.normalize("NFC", said[-1]))]


def platform_of(part: str) -> re.Match | None:
    """What the name of a folder or file says, if it has the form of Moodle or Canvas."""
    return next(filter(None, (pattern.fullmatch(part) for pattern in PLATFORMS)), None)


def says(part: str) -> str:
    """What a name says beside its exercise: "ann" of "warm_up-ann.ipynb", "" of "warm_up (1).ipynb"."""
    said = re.sub(r"\.(ipynb\b.*|zip|json|txt)$", "", part, flags=re.I)
    for name in course.EXERCISES:
        name = name.replace("_", "[-_ ]?")
        rest, found = re.subn(rf"(copy of )?(?<![a-z]){name}(?![a-z])([-_ ]*(hand-?in|final|copy|\(?\d\)?(?!\d)))*", "",
                              said, count=1, flags=re.I)
        if found:
            return rest.strip(" -_.")
    return said


def _of_platform(found: list[tuple[File, str]], level: int) -> bool:
    """Whether half of the paths or more have the form of Moodle or Canvas at this level."""
    paths = [file.parts for file, _ in found if file.problem != NEITHER]
    return 2 * sum(len(parts) >= level and bool(platform_of(parts[level - 1])) for parts in paths) >= len(paths)


def _of_nbgrader(found: list[tuple[File, str]]) -> set[tuple]:
    """The folders `submitted` of courses: in them students, assignments, files; beside them what is not a student's."""
    there = {file.parts[:n + 1] for file, _ in found for n in range(len(file.parts))}
    return {at for at in there if at[-1] == "submitted" and there & {(*at[:-1], "source"), (*at[:-1], "gradebook.db")}
            and all(len(file.parts) == len(at) + 3 for file, one in found if one and file.parts[:len(at)] == at)}


def _level(place: Path, found: list[tuple[File, str]], level: int | None,
           homes: set[tuple]) -> tuple[int, dict[tuple, list[Owner]]]:
    """Which part of the paths names the students, and what a Gradescope export says of their names. In `homes` each
    folder is a student's.
    """
    exports = {file.parts[:-1]: file for file, _ in found if file.parts[-1] == METADATA}
    paths = [file.parts for file, _ in found if file.problem != NEITHER]
    levels = range(1, 1 + max(map(len, paths), default=0))
    for n in levels:
        if all(parts[:n - 1] in homes.union(exports) for parts in paths):   # a student's own file says nothing
            return level or n, {key: value for file in exports.values() for key, value in _of_gradescope(file).items()}
        if _of_platform(found, n):
            return level or n, {}
    if level:
        return level, {}
    said = [([*map(says, file.parts)], exercise) for file, exercise in found if exercise]
    if 2 * sum(bool(words[-1]) for words, _ in said) <= len(said):          # then no file is named after a student
        said = [(words[:-1], exercise) for words, exercise in said]
    shared = os.path.commonprefix([words for words, _ in said])
    below = [(words, exercise) for words, exercise in said if any(words[len(shared):])]
    said = below if len({words[len(shared)] for words, _ in below}) > 1 else [each for each in said if any(each[0])]
    fitting, choices = {}, []
    for n in levels:                    # students are where all notebooks have a name, none with an exercise twice
        who = [words[n - 1] if len(words) >= n else "" for words, _ in said]
        places: dict[tuple[str, str], set] = {}
        for name, (words, exercise) in zip(who, said):
            places.setdefault((name, exercise), set()).add("/".join(filter(None, words)))
        twice = [f"; {name} has {exercise} in {', '.join(sorted(those)[:3])}"
                 for (name, exercise), those in places.items() if name and len(those) > 1]
        if all(who) and not twice:
            weeks = len({re.sub(r"(?<=\D)\d{1,2}$", "", name) for name in who}) == 1 < len({*who})     # week1, week2
            fitting[weeks, n] = tuple(map(who.index, who))
        if some := sorted({*who} - {""}):
            choices.append(f"  --students-in {n}: {count(len(some), 'student')}, {', '.join(some[:3])}"
                           f"{' …' if some[3:] else ''}{''.join(twice[:1])}")
    if said and len({*fitting.values()}) != 1:
        raise SystemExit("\n".join([f"{place}: whose notebooks are these? Say which part of their paths names the "
                                    "students:", *choices]))
    return min(fitting, default=(False, 1))[1], {}


def _of_gradescope(file: File) -> dict[tuple, list[Owner]]:
    """The folders of a Gradescope export, with those who handed them in."""
    import yaml

    try:
        about = yaml.load(file.content, yaml.BaseLoader)            # texts, also of what Ruby has marked as its own
        people = {folder: [(str(one[":name"]), str(one.get(":sid") or one.get(":email") or ""))
                           for one in entry[":submitters"]] for folder, entry in about.items()}
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError):
        return {}
    names = [name for those in people.values() for name, _ in those]
    return {(*file.parts[:-1], folder): [Owner(name, number * (names.count(name) > 1)) for name, number in those]
            for folder, those in people.items() if those}
