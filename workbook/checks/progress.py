"""Which items hold so far, kept beside the notebook so that it survives a restart of the kernel.

One line of JSON is added for each change, in one write: two notebooks may write at once, and a damaged line costs only
itself. Where nothing can be written, it is remembered until the kernel ends.
"""
import json
import os
from pathlib import Path

from workbook.checks.item import count
from workbook.checks.messages import say

_home: Path | None = None               # the folder in which this process first looked, wherever it has gone since
STATES = {True: ("✓", "holds"), False: ("✗", "not yet"), None: ("·", "not checked yet")}
_unwritten: list[str] = []             # lines


def home() -> Path:
    """The folder of the notebook: the working directory when the first exercise was imported."""
    global _home
    _home = _home or Path.cwd()
    return _home


def place(exercise) -> Path:
    """NWLAB_PROGRESS of the environment, or .nwlab-progress.txt in the folder of the notebook."""
    return home() / (os.environ.get("NWLAB_PROGRESS") or ".nwlab-progress.txt")


def remember(exercise, item: str, holds: bool) -> None:
    """Note a verdict. The latest counts."""
    if load(exercise).get((exercise.name, item)) == holds:
        return
    line = json.dumps({"exercise": exercise.name, "item": item, "holds": holds})
    try:
        with place(exercise).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")                     # a line of its own, even after a line that was cut short
    except OSError:
        _unwritten.append(line)


def load(exercise) -> dict[tuple[str, str], bool]:
    """(exercise, item) -> whether it held at its latest check. Lines that cannot be read are skipped."""
    try:
        lines = place(exercise).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    found = {}
    for line in lines + _unwritten:
        try:
            entry = json.loads(line)
            found[entry["exercise"], entry["item"]] = bool(entry["holds"])
        except (ValueError, TypeError, KeyError):
            continue
    return found


def held(exercise) -> dict[str, bool | None]:
    """Item name -> True, False, or None for not checked yet."""
    known = load(exercise)
    return {item.name: known.get((exercise.name, item.name)) for item in exercise.items}


def so_far(exercise, verb: str = "") -> str:
    state = held(exercise)
    points = [item.points for item in exercise.items if state[item.name]]
    return f"{len(points)} of {len(exercise.items)} items{verb}, {sum(points)} of {exercise.points} points"


def show(exercises) -> None:
    """Print the items of one exercise, a line each; of several, a line for each exercise."""
    for exercise in exercises:
        states = {name: STATES[holds] for name, holds in held(exercise).items()}
        if len(exercises) == 1:
            say(f"{exercise.title}: {so_far(exercise, ' hold')}")
            for item, (sign, words) in zip(exercise.items, states.values()):
                say(f"  {sign} {item.name:<24}  {words}, {count(item.points, 'point')}")
            continue
        signs = {sign for sign, _ in states.values()}
        items = ":  " + "  ".join(f"{sign} {name}" for name, (sign, _) in states.items()) if signs != {"·"} else ""
        say(f"{'✓' if signs == {'✓'} else '·'} {exercise.name:<18}  {so_far(exercise)}{items}")
    if _unwritten:
        say("This folder cannot be written to, so this is remembered only until the kernel stops.")
