"""Run a student's code so that nothing around it changes: random state, warnings, printing, tracing, open figures."""
import contextlib
import io
import random
import sys
import tracemalloc
import warnings

import numpy as np


@contextlib.contextmanager
def isolated(seed: int = 0):
    """Catch all that is printed or warned inside, close figures opened there; yields a StringIO with what was printed.

    Random numbers begin at `seed`, so that a check can be repeated; their state is restored afterwards.
    """
    printed = io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())
        random.seed(seed)
        np.random.seed(seed)
        if torch := sys.modules.get("torch"):
            stack.enter_context(torch.random.fork_rng(devices=[]))
            torch.random.default_generator.manual_seed(seed)
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"))    # as at first
        stack.enter_context(warnings.catch_warnings(record=True, action="always"))
        stack.callback(_close_figures, but=_open_figures())
        yield printed


def _open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def _close_figures(but: set[int]) -> None:
    for number in _open_figures() - but:
        sys.modules["matplotlib.pyplot"].close(number)


@contextlib.contextmanager
def memory(peaks: list):
    """Append to `peaks` the most bytes that NumPy arrays and Python objects made inside held at once."""
    tracemalloc.start()
    try:
        yield
    finally:
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
