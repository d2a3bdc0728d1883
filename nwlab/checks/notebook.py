"""What a notebook calls: check_ITEM for each item, hint, progress and hand_in. `publish` puts them in place."""
from __future__ import annotations

import os


def check(exercise, item, function) -> None:
    """Problems, answers, verdict, report: prints one line and shows a panel; raises CheckFailed if it does not hold."""
    from nwlab.checks import messages, progress
    from nwlab.checks.judge import judge
    from nwlab.checks.run import run

    problems = item.problems(seed())                # drawn from the seed, with NumPy alone
    answers = run(item, function, problems)         # the one step that runs the student's code
    verdict = judge(item, problems, answers)        # plain data in, words out
    progress.remember(exercise.name, item.name, verdict.holds)
    messages.report(verdict, item.title, hint=f'{exercise.name}.hint("{item.name}", level=1)')


def seed() -> int:
    """The seed of the problems: NWLAB_CHECK_SEED, or 0. ValueError where that is no whole number of at least 0."""
    text = os.environ.get("NWLAB_CHECK_SEED", "").strip() or "0"
    if not text.isdecimal():
        raise ValueError(f"NWLAB_CHECK_SEED: got {text!r}, expected a whole number of at least 0")
    return int(text)


def calls(exercise) -> dict:
    """The public functions of an exercise's module, by name."""
    def hint(name: str, level: int = 1) -> None:
        exercise.item(name)
        if level not in (1, 2, 3) or isinstance(level, bool):
            raise ValueError(f"level: got {level!r}, expected 1, 2 or 3")
        more = f'  More:  {exercise.name}.hint("{name}", level={level + 1})' if level < 3 else ""
        from nwlab.checks import hints
        from nwlab.checks.messages import wrapped

        print(wrapped(f"Hint {level} of 3 for {name}: {hints.read(exercise.name)[name][level - 1]}") + (f"\n{more}" if more else ""))

    def progress() -> None:
        from nwlab.checks import progress

        progress.show([exercise])

    def hand_in(notebook: str | None = None, folder: str | None = None) -> None:
        from nwlab.checks.hand_in import hand_in

        hand_in(exercise, notebook, folder)

    names = ", ".join(item.name for item in exercise.items)
    hint.__doc__ = f"One of three hints, from a nudge (level=1) to nearly there (level=3). name: {names}."
    progress.__doc__ = f"Which items of “{exercise.title}” hold so far. It survives a restart of the kernel."
    hand_in.__doc__ = (f"Write {exercise.name}-handin.zip: the saved notebook and what holds so far. Save the notebook first.\n\n"
                       "notebook: its file, if it is not found by itself; folder: where to write, by default beside it.")
    public = {f"check_{item.name}": _checker(exercise, item) for item in exercise.items}
    public |= {"hint": hint, "progress": progress, "hand_in": hand_in}
    for name, function in public.items():
        function.__name__ = function.__qualname__ = name
        function.__module__ = f"nwlab.exercises.{exercise.name}"
    return public | {"ITEMS": exercise.items, "EXERCISE": exercise}


def _checker(exercise, item):
    def check_item(function) -> None:
        check(exercise, item, function)

    check_item.__doc__ = (f"Check your `{item.name}({', '.join(item.arguments)})`, {item.points} "
                          f"point{'s' * (item.points != 1)}. It returns: {item.returns}\n\n"
                          "Prints one line when all holds, and says what to look at (CheckFailed) when not.")
    return check_item


def publish(module: dict, exercise, figures=None) -> None:
    """Put into a package's globals() what a notebook calls: check_ITEM, hint, progress, hand_in and every show_*.

    figures: the module whose functions `show_this(figure, student_function, ...)` the notebook calls without the figure.
    """
    from nwlab.checks.figures import figure_cell

    public = calls(exercise)
    public |= {name: figure_cell(exercise, draw) for name, draw in vars(figures or object).items() if name.startswith("show_")}
    module.update(public)
    module["__all__"] = list(public)
