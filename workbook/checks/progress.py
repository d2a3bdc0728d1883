"""Which items hold so far, kept beside the notebook."""
from workbook.checks.messages import tell
from workbook.language import say, say_count
from workbook.questions import kept

STATES = {True: ("✓", say("holds")), False: ("✗", say("not yet")), None: ("·", say("not checked yet"))}


def remember(exercise, item: str, holds: bool) -> None:
    """Note a verdict. The latest counts."""
    if held(exercise)[item] != holds:
        kept.keep(exercise=exercise.name, item=item, holds=holds)


def held(exercise) -> dict[str, bool | None]:
    """Item name -> whether it held at its latest check; None for not checked yet."""
    state = dict.fromkeys(item.name for item in exercise.items)
    for entry in kept.entries(kept.place()):
        if entry.get("exercise") == exercise.name and entry.get("item") in [*state]:       # which may be of any type
            state[entry["item"]] = bool(entry.get("holds"))
    return state


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
