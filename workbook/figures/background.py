"""Work that takes longer than a frame, with a bar and a stop: the page goes on, and shows what is found so far."""
import asyncio
import time
from collections.abc import Callable
from threading import RLock

import ipywidgets

PORTION, PAUSE = 0.012, 0.004           # seconds of work, and of listening, in turn
REPORT = 0.12                           # seconds between two pictures of what has been found


class Jobs:
    """Jobs 0, 1, 2 ... done in order: `results` holds what each returned."""

    def __init__(self, one: Callable[[int], object]):
        self.one, self.results = one, []

    @property
    def done(self) -> int:
        return len(self.results)

    def work_until(self, wanted: int, seconds: float = float("inf")) -> None:
        """Do jobs until `wanted` are done, or the time is over."""
        end = time.perf_counter() + seconds
        while self.done < wanted and time.perf_counter() < end:
            self.results.append(self.one(self.done))

    def stop(self) -> None:
        """Nobody waits for the rest any more: for jobs that go on between two calls of `work_until`."""


class Background:
    """Works on one series of jobs at a time, in portions between the page's messages: nothing is ever half changed.

    want(jobs, count) begins, unless that very work is under way; other jobs, or another count of them, end the work
    before. Where no loop runs, as in a plain script, there is no page to keep alive, and all is done at once.

    patience: how many seconds a frame waits for work that has just begun, if the figure is one that shows nothing
    without it; code that asks such a figure then waits for the end. None: nobody waits.
    """

    def __init__(self, patience: float | None = None):
        self.patience, self.bar, self.button, self.figure, self.failure = patience, None, None, None, ""
        self.jobs, self.count, self.working, self.turn = None, 0, False, 0
        self.lock = RLock()             # the page may call on another thread than the loop that works

    def controls(self, what: str) -> dict[str, ipywidgets.Widget]:
        """A bar and a stop button, to stand among the controls of the figure."""
        self.bar = ipywidgets.FloatProgress(value=0.0, min=0.0, max=1.0, layout={"width": "140px", "height": "14px"})
        self.bar.tooltip = f"{what}: the share that is done"        # ipywidgets 7 shows none
        self.button = ipywidgets.Button(description="stop", layout={"width": "80px"}, disabled=True)
        self.button.on_click(lambda _: self.stop() if self.working else self.go_on())
        return {"_progress": self.bar, "_stop": self.button}

    def serve(self, figure) -> None:
        """Show what is found in this explorer, and end with it."""
        self.figure = figure
        figure.observe(lambda change: change["new"] is None and self.stop(), names="comm")       # closed, or run again

    @property
    def complete(self) -> bool:
        return self.jobs is None or self.jobs.done >= self.count

    def want(self, jobs: Jobs, count: int) -> None:
        with self.lock:
            if (jobs, count) != (self.jobs, self.count):
                patience = 0.0 if self.working else self.patience or 0.0
                self.stop()
                self.jobs, self.count = jobs, count
                self.go_on(patience)

    def go_on(self, patience: float = 0.0) -> None:
        """Begin, or begin again after a stop."""
        with self.lock:
            self.failure = ""
            if not self.complete and not self.working:
                try:
                    loop = asyncio.get_running_loop()
                except RuntimeError:                    # no loop runs here
                    loop, patience = None, float("inf")
                self.jobs.work_until(self.count, patience)
                if not self.complete:
                    self.working = True
                    loop.create_task(self._portions(self.turn))
            self._say()

    def stop(self) -> None:
        """End the work now; what has been found is kept."""
        with self.lock:
            self._cancel()
            if self.jobs is not None:
                self.jobs.stop()
                self._say()

    def finish(self) -> bool:
        """Wait for the end, for code that asks a figure with `patience`; returns whether there was something to do."""
        with self.lock:
            if self.patience is None or self.complete and not self.working:
                return False
            self._cancel()
            self.jobs.work_until(self.count)
            return True

    def _cancel(self) -> None:
        self.working = False
        self.turn += 1                  # the task ends by itself: it may belong to the loop of another thread

    async def _portions(self, turn: int) -> None:
        reported = time.perf_counter()
        while True:
            with self.lock:
                if turn != self.turn:                   # stopped, or something else is wanted
                    return
                try:
                    self.jobs.work_until(self.count, PORTION)
                except Exception as error:              # nobody awaits this task: keep the error to be said
                    self.failure = str(error)
                self.working = not self.complete and not self.failure
                goes_on = self.working
            # The figure has a lock of its own, and asks for work while it holds it: this one is open when it is shown.
            if not goes_on or time.perf_counter() - reported > REPORT:
                self._show()
                reported = time.perf_counter()
            if not goes_on:
                return
            await asyncio.sleep(PAUSE)

    def _show(self) -> None:
        self._say()
        if self.figure is not None:
            self.figure.show_again()

    def _say(self) -> None:
        closed = self.figure is not None and self.figure.comm is None
        if self.bar is not None and not closed:
            done = self.complete
            self.bar.value = min(1.0, self.jobs.done / self.count)
            self.button.disabled = done
            self.button.description = "stop" if self.working or done else "go on"
