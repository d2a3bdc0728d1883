"""Work that takes longer than a frame: the page stays responsive meanwhile, and shows what is done so far."""
import asyncio
import math
import time
from collections.abc import Callable
from threading import RLock

PORTION, PAUSE = 0.012, 0.004           # seconds of work, and of listening to the page, in turn
REPORT = 0.12                           # seconds between two frames that show what is done so far


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs here; None in a plain script, where no page is waiting."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Jobs:
    """Jobs 0, 1, 2 ... done in order by `one`: `results` holds what each returned."""

    def __init__(self, one: Callable[[int], object]):
        self.one, self.results = one, []

    @property
    def done(self) -> int:
        return len(self.results)

    def work_until(self, wanted: int, seconds: float = math.inf) -> None:
        """Do jobs until `wanted` are done, or the time is over."""
        end = time.perf_counter() + seconds
        while self.done < wanted and time.perf_counter() < end:
            self.results.append(self.one(self.done))


class Background:
    """Works on one series of jobs at a time, in portions between the page's messages.

    `want(jobs, count)` begins, unless that very work is under way, and ends the work before. Where no event loop runs,
    all is done at once. failure: the message of the error that ended the work, if one did.
    """

    def __init__(self):
        self.jobs, self.count, self.failure = Jobs(lambda _: None), 0, ""
        self.figure, self.working, self._turn = None, False, 0
        self.lock = RLock()             # the page may call on another thread than the loop that works

    def serve(self, figure) -> None:
        """Show what is done in this explorer, and end with it."""
        self.figure, self.lock = figure, figure.lock
        figure.observe(lambda change: change["new"] is None and self.stop(), names="comm")       # closed, or run again

    @property
    def complete(self) -> bool:
        return self.jobs.done >= self.count

    def want(self, jobs: Jobs, count: int) -> None:
        with self.lock:
            if (jobs, count) == (self.jobs, self.count):
                return
            self.stop()
            self.jobs, self.count, self.failure = jobs, count, ""
            loop = running_loop()
            if loop is None:
                jobs.work_until(count)
            elif not self.complete:
                self.working = True
                loop.create_task(self._work(self._turn))

    def stop(self) -> None:
        """End the work now; what is done is kept."""
        with self.lock:
            self.working = False
            self._turn += 1             # the task may belong to the loop of another thread: it ends by itself

    def finish(self) -> bool:
        """Finish work that is under way; returns whether there was any."""
        with self.lock:
            under_way = self.working
            if under_way:
                self.stop()
                self.jobs.work_until(self.count)
            return under_way

    async def _work(self, turn: int) -> None:
        shown = time.perf_counter()
        while True:
            with self.lock:
                if turn != self._turn:                  # stopped, or other work is wanted
                    return
                try:
                    self.jobs.work_until(self.count, PORTION)
                except Exception as error:              # nobody awaits this task: the figure shows the message
                    self.failure = str(error)
                if self.complete or self.failure:
                    self.stop()
                if self.figure is not None and (not self.working or time.perf_counter() - shown > REPORT):
                    shown = time.perf_counter()
                    self.figure.show_again()
            await asyncio.sleep(PAUSE)
