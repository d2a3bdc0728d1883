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
    """Jobs 0, 1, 2, ..., done in this order by calling `one(number)`; `results` has what the calls returned."""

    def __init__(self, one: Callable[[int], object]):
        self.one, self.results = one, []

    @property
    def done(self) -> int:
        return len(self.results)

    def work_until(self, wanted: int, seconds: float = math.inf) -> None:
        """Do jobs until `wanted` are done, or for so many seconds."""
        end = time.perf_counter() + seconds
        while self.done < wanted and time.perf_counter() < end:
            self.results.append(self.one(self.done))


class Background:
    """The series of jobs that a scene works on now: `update` says which with `want(jobs, count)`.

    The `Explorer` does them with `work`. A stored picture waits for the first `needed` of them. failure: the message of
    the error that ended the work, or "".
    """

    def __init__(self):
        self.jobs, self.count, self.needed, self.failure = Jobs(lambda _: None), 0, 0, ""

    @property
    def working(self) -> bool:
        return self.jobs.done < self.count and not self.failure

    def want(self, jobs: Jobs, count: int, needed: int | None = None) -> None:
        """Work on `count` jobs from now on; without an event loop, at once. needed: for the present picture."""
        self.needed = count if needed is None else needed
        if (jobs, count) != (self.jobs, self.count):
            self.jobs, self.count, self.failure = jobs, count, ""
            if running_loop() is None:
                self.work()

    def work(self, seconds: float = math.inf, count: int | None = None) -> None:
        """Do the remaining jobs, up to `count` if it is given, for at most so many seconds."""
        try:
            self.jobs.work_until(self.count if count is None else count, seconds)
        except Exception as error:                      # the scene shows the message in its sentence
            self.failure = str(error) or type(error).__name__
