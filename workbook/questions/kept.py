"""What is kept beside the notebook so that it survives a restart of the kernel: verdicts, and answers to questions.

One line of JSON is added for each, in one write: two notebooks may write at once, and a damaged line costs only itself.
Where nothing can be written, it is remembered until the kernel ends.
"""
import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from workbook.language import NAMES

LESSONS = "notebooks"                  # the folder of the lessons; that of the exercises lies beside it
LONGEST = 200                          # letters of an answer

_home: Path | None = None               # the folder in which this process first looked, wherever it has gone since
unwritten: list[str] = []             # lines


def home() -> Path:
    """The folder of the notebook: the working directory when the first lesson or exercise was imported."""
    global _home
    _home = _home or Path.cwd()
    return _home


def place(folder: Path | None = None) -> Path:
    """NWLAB_PROGRESS of the environment, or .nwlab-progress.txt in a folder, by default that of the notebook."""
    return (folder or home()) / (os.environ.get("NWLAB_PROGRESS") or ".nwlab-progress.txt")


def keep(**entry) -> None:
    """Add a line."""
    line = json.dumps(entry)
    try:
        with place().open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")                     # a line of its own, even after a line that was cut short
    except OSError:
        unwritten.append(line)


def entries(path: Path) -> list[dict]:
    """The entries of a file and those that could not be written, the latest last. Other lines are skipped."""
    lines, found = [], []
    with suppress(OSError):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines + unwritten:
        with suppress(ValueError):
            found.append(json.loads(line))
    return [entry for entry in found if isinstance(entry, dict)]


def keep_answer(question: str, choice: str) -> None:
    """Note an answer: the question's name, the words that were chosen, and when. Nothing else is noted."""
    keep(question=question, choice=choice[:LONGEST], when=datetime.now(UTC).isoformat(timespec="microseconds"))


def answers() -> list[dict[str, str]]:
    """All answers given here and in the lessons' folder beside it, by time: when (UTC), question, choice."""
    names = "when", "question", "choice"
    lessons = (home().parent if home().name in NAMES else home()).with_name(LESSONS)
    paths = {place(), place(lessons), *(place(lessons / name) for name in NAMES)}
    found = [tuple(entry.get(name) for name in names) for path in paths for entry in entries(path)]
    found = {each for each in found if all(isinstance(text, str) for text in each)}
    return [dict(zip(names, each)) for each in sorted(found)]


def may_share() -> bool:
    """Whether answers are handed in: yes, until the student has said otherwise, and what was said last."""
    return next((entry["share"] for entry in reversed(entries(place())) if "share" in entry), True) is not False
