"""Exercises that answer back: a package for each, checked on the spot with words that help.

In a notebook
-------------
::

    from nwlab.exercises import parzen_equivalence
    parzen_equivalence.check_density(density)            # one line if it holds; else what was tried, came, was expected
    parzen_equivalence.hint("density", level=1)          # three levels, never the answer
    parzen_equivalence.show_densities(density)           # your result beside what it should look like
    parzen_equivalence.progress()                        # what holds so far; exercises.progress() for all of them
    parzen_equivalence.hand_in()                         # one file

How one is written: checks/README.md.
"""
import importlib

NAMES = (
    "warm_up", "parzen_equivalence", "unit_sphere", "sgd_bandwidth", "consistency_rate", "worth_of_w", "own_pooling",
    "bug_museum", "online_softmax",
)
"""The exercises, in the order in which a student meets them."""

__all__ = ["NAMES", "progress", *NAMES]


def progress() -> None:
    """How much of every exercise holds so far. It survives a restart of the kernel."""
    from nwlab.checks import progress

    progress.show([importlib.import_module(f"{__name__}.{name}").EXERCISE for name in NAMES])


def __getattr__(name: str):
    if name in NAMES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *NAMES})
