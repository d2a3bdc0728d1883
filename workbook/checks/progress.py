"""Which items hold so far, kept beside the notebook so that it survives a restart of the kernel.

One line of JSON is added for each change, in one write: two notebooks may write at once, and a damaged line costs only
itself. Where nothing can be written, it is remembered until the kernel ends.
"""
import contextlib
import json
import os
from pathlib import Path

from workbook.checks import messages
from workbook.checks.item import count
from workbook.lesson.browser import in_browser

STATES = {True: ("✓", "holds"), False: ("✗", "not yet"), None: ("·", "not checked yet")}
_unwritten: list[str] = []             # lines


def place(exercise) -> Path:
    """What MYCOURSE_PROGRESS says, or .mycourse-progress.txt in the working directory, the notebook's folder.

    An earlier edition called it .jsonl, a name at which the drive of a browser tab hangs: such a file is renamed.
    """
    course = exercise.package.partition(".")[0]
    named, path = os.environ.get(f"{course.upper()}_PROGRESS"), Path(f".{course}-progress.txt")
    if not (named or path.exists() or in_browser()):
        with contextlib.suppress(OSError):
            path.with_suffix(".jsonl").rename(path)
    return Path(named or path)


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
    """(exercise, item) -> whether it held at its latest check. What cannot be read is passed over."""
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


def so_far(exercise, hold: str = "") -> str:
    state = held(exercise)
    points = [item.points for item in exercise.items if state[item.name]]
    return f"{len(points)} of {len(exercise.items)} items{hold}, {sum(points)} of {exercise.points} points"


def show(exercises) -> None:
    """A table of the items of one exercise; of several one line each, with the items of those that are begun."""
    rows, head = [], "Your exercises so far"
    for exercise in exercises:
        states = {item.name: STATES[held(exercise)[item.name]] for item in exercise.items}
        if len(exercises) == 1:
            head = f"{exercise.title}: {so_far(exercise, ' hold')}"
            rows = [(*states[item.name][:1], item.name, f"{states[item.name][1]}, {count(item.points, 'point')}")
                    for item in exercise.items]
        else:
            signs = {sign for sign, _ in states.values()}
            items = ":  " + "  ".join(f"{sign} {name}" for name, (sign, _) in states.items()) if signs != {"·"} else ""
            rows.append(("✓" if signs == {"✓"} else "·", exercise.name, so_far(exercise) + items))
    if _unwritten:
        rows.append(("", "", "This folder cannot be written to, so this is remembered only until the kernel stops."))
    messages.table(rows, head)
