"""Which notebook is whose: a folder of submissions, as courses and their platforms hand them out. Nothing is unpacked to disk."""
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nwlab.exercises import NAMES


@dataclass(frozen=True)
class Submission:
    """One notebook of one student, unread. data: its bytes, or "" and a remark that says why there are none."""

    student: str
    exercise: str
    data: bytes
    remarks: tuple[str, ...] = ()


def submissions(folder: Path) -> Iterator[Submission]:
    """Every submission below a folder: STUDENT/EXERCISE.ipynb."""
    for path in sorted(folder.glob("*/*.ipynb")):
        if path.stem in NAMES:
            yield Submission(path.parent.name, path.stem, path.read_bytes())
