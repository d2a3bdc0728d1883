"""What a notebook calls: check_ITEM for each item, hint, progress, hand_in, show_*. `publish` puts them in place."""
import os
from importlib import import_module
from importlib.util import find_spec

from workbook.checks import messages
from workbook.checks.figures import figure_cell
from workbook.checks.hand_in import hand_in as write_zip
from workbook.checks.judge import judge
from workbook.checks.progress import remember, show
from workbook.checks.run import run
from workbook.language import say, say_count
from workbook.questions import kept


def check(exercise, item, function) -> None:
    """Problems, answers, verdict, report: a panel, or outside a notebook a line; CheckFailed if it does not hold."""
    if item.library == "torch" and find_spec("torch") is None:
        line = say("{name} is written in PyTorch, which is not here: it was not checked, and gives no points here.",
                   name=item.name)
        messages.panel("·", say("skipped"), item.title, [line], plain=line)
        return
    problems = item.problems(seed(exercise))        # drawn from the seed, with NumPy alone
    answers = run(item, function, problems)         # the one step that runs the student's code
    verdict = judge(item, problems, answers)        # plain data in, words out
    remember(exercise, item.name, verdict.holds)
    messages.report(verdict, item.title, f'{exercise.name}.hint("{item.name}", level=1)', item.hints)


def seed(exercise) -> int:
    """The seed of the problems: the environment's NWLAB_CHECK_SEED, or 0. ValueError for what is no number."""
    given = os.environ.get("NWLAB_CHECK_SEED") or "0"
    if not given.isdecimal():
        raise ValueError(f"NWLAB_CHECK_SEED: got {given!r}, expected a whole number such as 17")
    return int(given)


def publish(module: dict) -> None:
    """Put into a package's globals() what a notebook calls: check_ITEM, hint, progress, hand_in and every show_*.

    The package has a module items with its EXERCISE, and a module figures with functions show_*.
    """
    kept.home()
    exercise = import_module(f"{module['__name__']}.items").EXERCISE
    figures = import_module(f"{module['__name__']}.figures")
    public = {f"check_{item.name}": _checker(exercise, item) for item in exercise.items}
    public.update((call.__name__, call) for call in _calls(exercise))
    for name, function in public.items():
        function.__name__ = function.__qualname__ = name
        function.__module__ = exercise.package
    public.update((name, figure_cell(draw, exercise)) for name, draw in vars(figures).items()
                  if name.startswith("show_"))
    public.update(ITEMS=exercise.items, EXERCISE=exercise)
    module.update(public, __all__=list(public))


def _checker(exercise, item):
    def checker(function) -> None:
        check(exercise, item, function)

    checker.__doc__ = say(
        "Check your `{call}`, {points}. It returns: {returns}\n\n"
        "Prints one line if everything holds; if not, it says what to look at (CheckFailed).",
        call=f"{item.name}({', '.join(item.arguments)})", returns=item.returns,
        points=say_count("{n} point", "{n} points", item.points))
    return checker


def _calls(exercise):
    def hint(name, level: int = 1) -> None:
        """One of three hints, from a nudge (level=1) to nearly there (level=3). name: of an item, or its function."""
        item = exercise.item(getattr(name, "__name__", name))
        if level not in (1, 2, 3):
            raise ValueError(say("level: got {level}, expected 1, 2 or 3", level=repr(level)))
        messages.tell(messages.wrapped(say("Hint {level} of 3 for {item}: {hint}", level=level, item=item.name,
                                           hint=item.hints[level - 1])))
        if level < 3:
            messages.tell("  " + say("More:  {call}", call=f'{exercise.name}.hint("{item.name}", level={level + 1})'))

    def progress() -> None:
        """Which items hold so far. It survives a restart of the kernel."""
        show([exercise])

    def hand_in(notebook: str | None = None, folder: str | None = None, answers: bool | None = None) -> None:
        """Write NAME-handin.zip: the saved notebook and what holds so far. Save the notebook first.

        notebook: its file, if it is not found by itself; folder: where to write, by default beside it. answers: whether
        your answers to the questions of the lessons go with it, by default as you last ticked.
        """
        write_zip(exercise, notebook, folder, seed(exercise), answers)

    return hint, progress, hand_in
