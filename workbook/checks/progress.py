"""Which items hold so far, kept beside the notebook."""
from workbook.checks.messages import tell
from workbook.language import say, say_count
from workbook.questions import kept

STATES = {True: ("✓", say("holds")), False: ("✗", say("not yet")), None: ("·", say("not checked yet"))}


def remember(exercise, item: str, holds: bool) -> None:
    """Note a verdict. The latest counts."""
    if load().get((exercise.name, item)) != holds:
        kept.keep(exercise=exercise.name, item=item, holds=holds)


def load() -> dict[tuple[str, str], bool]:
    """(exercise, item) -> whether it held at its latest check."""
    found = [(entry.get("exercise"), entry.get("item"), entry.get("holds")) for entry in kept.entries(kept.place())]
    return {(exercise, item): bool(holds) for exercise, item, holds in found
            if isinstance(exercise, str) and isinstance(item, str)}


def held(exercise) -> dict[str, bool | None]:
    """Item name -> True, False, or None for not checked yet."""
    known = load()
    return {item.name: known.get((exercise.name, item.name)) for item in exercise.items}


def show(exercises) -> None:
    """Print a line for each exercise; below it, a line for each of its items, if it is alone or has been begun."""
    for exercise in exercises:
        state = held(exercise)
        points = [item.points for item in exercise.items if state[item.name]]
        tell(say("{title}: {n} of {all} items hold, {points} of {most} points", title=exercise.title, n=len(points),
                 all=len(exercise.items), points=sum(points), most=exercise.points))
        for item in exercise.items if len(exercises) == 1 or {*state.values()} != {None} else ():
            sign, words = STATES[state[item.name]]
            points = say_count("{n} point", "{n} points", item.points)
            tell(f"  {sign} {item.name:<24}  " + say("{state}, {points}", state=words, points=points))
    if kept.unwritten:
        tell(say("This folder cannot be written to, so this is remembered only until the kernel stops."))
