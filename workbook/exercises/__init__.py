"""Exercises that answer back: a package for each, checked on the spot with words that help. In a notebook:

    from workbook.exercises import parzen_equivalence
    parzen_equivalence.check_density(density)            # one line if it holds; else what was tried and expected
    parzen_equivalence.hint("density", level=1)          # three levels, never the answer
    parzen_equivalence.show_density(density)           # your result beside what it should look like

progress() says what holds so far, hand_in() writes one file. How one is written: workbook/checks/README.md.
"""
from workbook import course

NAMES = course.EXERCISES

__all__ = ["NAMES", "progress", *NAMES]


def progress() -> None:
    """How much of every exercise holds so far. It survives a restart of the kernel."""
    from workbook.checks import progress

    progress.show([course.exercise(name) for name in NAMES])


def __getattr__(name: str):
    if name in NAMES:
        return course.module(f"exercises.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *NAMES})
