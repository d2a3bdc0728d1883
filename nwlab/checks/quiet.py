"""Run a student's code so that nothing around it changes: random state, warnings, printing, tracing, open figures."""
import contextlib
import io
import random
import sys
import warnings

import numpy as np


class Heard(io.StringIO):
    """Keeps the first KEEP characters that are written. What comes after them goes to `beyond`, if that is a file."""

    KEEP, beyond = 100_000, None

    def write(self, text: str) -> int:
        room = self.KEEP - self.tell()
        super().write(text[:max(room, 0)])
        if self.beyond and len(text) > room:
            self.beyond.write(text)
        return len(text)


@contextlib.contextmanager
def undisturbed(seed: int = 0):
    """Everything written or warned inside is caught: yields (printed, warned), a StringIO and a list of warnings.

    Random numbers begin at `seed`, so that a check says the same twice. Afterwards all goes on as if nothing had been.
    """
    torch, pyplot = sys.modules.get("torch"), sys.modules.get("matplotlib.pyplot")
    states = random.getstate(), np.random.get_state(), torch.random.get_rng_state() if torch else None
    tracer, profiler = sys.gettrace(), sys.getprofile()
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
        sys.settrace(tracer)
        sys.setprofile(profiler)
        random.setstate(states[0])
        np.random.set_state(states[1])
        if torch:
            torch.random.set_rng_state(states[2])
        pyplot = sys.modules.get("matplotlib.pyplot")
        for number in set(pyplot.get_fignums()) - figures if pyplot else ():
            pyplot.close(number)
