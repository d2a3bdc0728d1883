"""Run a student's code so that nothing around it changes: random state, warnings, printing, tracing, open figures."""
import contextlib
import io
import random
import sys
import tracemalloc
import warnings

import numpy as np


class Heard(io.StringIO):
    """Keeps the first KEEP characters that are written. The others go to `beyond`, if that is a file."""

    KEEP, beyond = 100_000, None

    def write(self, text: str) -> int:
        room = self.KEEP - self.tell()
        super().write(text[:max(room, 0)])
        if self.beyond and len(text) > room:
            self.beyond.write(text)
        return len(text)


@contextlib.contextmanager
def undisturbed():
    """Afterwards the random numbers of Python and NumPy, and tracing, go on as if nothing had been."""
    states, tracer, profiler = (random.getstate(), np.random.get_state()), sys.gettrace(), sys.getprofile()
    try:
        yield
    finally:
        sys.settrace(tracer)
        sys.setprofile(profiler)
        random.setstate(states[0])
        np.random.set_state(states[1])


@contextlib.contextmanager
def heard(seed: int = 0):
    """Everything written or warned inside is caught: yields (printed, warned), a StringIO and a list of warnings.

    Figures that are opened inside are closed, and random numbers begin at `seed`, so that a check says the same twice.
    Torch's go on afterwards as before; for the others that takes longer, and `undisturbed` does it once for many calls.
    """
    torch, pyplot = sys.modules.get("torch"), sys.modules.get("matplotlib.pyplot")
    state = torch.random.get_rng_state() if torch else None
    figures = set(pyplot.get_fignums()) if pyplot else set()
    random.seed(seed)
    np.random.seed(seed)
    if torch:
        torch.random.default_generator.manual_seed(seed)
    printed = Heard()
    try:
        with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(printed), \
                contextlib.redirect_stderr(Heard()), np.errstate():
            warnings.simplefilter("always")
            yield printed, warned
    finally:
        if torch:
            torch.random.set_rng_state(state)
        pyplot = sys.modules.get("matplotlib.pyplot")
        for number in set(pyplot.get_fignums()) - figures if pyplot else ():
            pyplot.close(number)


@contextlib.contextmanager
def memory(held: list):
    """Adds to `held` how many bytes were held at most inside, at once, by arrays of NumPy and objects of Python."""
    ours = not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield
    finally:
        held.append(max(tracemalloc.get_traced_memory()[1] - before, 0))
        if ours:
            tracemalloc.stop()
