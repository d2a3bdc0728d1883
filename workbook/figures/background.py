"""Work that takes longer than a frame: the `Explorer` does it in portions and shows what is done so far."""
import asyncio
import math
import time
from collections.abc import Callable


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The running event loop; None in a plain script, where no page is waiting."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Jobs:
    """Jobs 0, 1, 2, ..., done in this order by calling `one(number)`; `results` has what the calls returned.

    A scene sets its `work` to the jobs behind its present state, and says with `want` how many; the `Explorer` does
    them. A stored picture waits for the first `needed`. failure: the message of the error that ended the work, or "".
    """

    def __init__(self, one: Callable[[int], object]):
        self.one, self.results, self.count, self.needed, self.failure = one, [], 0, 0, ""

    @property
    def done(self) -> int:
        return len(self.results)

    @property
    def working(self) -> bool:
        return self.done < self.count and not self.failure

    def want(self, count: int, needed: int | None = None) -> None:
        """Do `count` jobs from now on; without an event loop, at once. needed: for the present picture."""
        self.needed = count if needed is None else needed
        if count != self.count:
            self.count, self.failure = count, ""
            if running_loop() is None:
                self.work(count)

    def work(self, until: int, seconds: float = math.inf) -> None:
        """Do jobs until so many are done, one fails, or so many seconds are over."""
        end = time.perf_counter() + seconds
        try:
            while self.done < until and time.perf_counter() < end:
                self.results.append(self.one(self.done))
        except Exception as error:                      # the scene shows the message in its sentence
            self.failure = str(error) or type(error).__name__
