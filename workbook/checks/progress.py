"""Which items hold so far, kept beside the notebook."""
from workbook.checks.item import count
from workbook.checks.messages import say
from workbook.questions import kept

STATES = {True: ("✓", "holds"), False: ("✗", "not yet"), None: ("·", "not checked yet")}


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
    if kept.unwritten:
        say("This folder cannot be written to, so this is remembered only until the kernel stops.")
