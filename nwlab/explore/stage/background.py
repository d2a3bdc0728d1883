"""Work in small portions between the page's messages, with a bar and a stop: no thread, so nothing is half changed."""
from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

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


class Background:
    """Works on one series of jobs at a time. `bar` and `button` are its progress and its stop, to stand among controls.

    want(jobs, count) begins, unless that very work is under way; other jobs, or another count of them, end the work
    before. Where no loop runs, as in a plain script, there is no page to keep alive, and all is done at once.
    """

    def __init__(self, what: str):
        self.bar = ipywidgets.FloatProgress(value=0.0, min=0.0, max=1.0, layout={"width": "140px", "height": "14px"},
                                            tooltip=f"{what}: share computed")
        self.button = ipywidgets.Button(description="stop", layout={"width": "80px"}, disabled=True)
        self.button.on_click(lambda _: self.stop() if self.working else self.go_on())
        self.jobs, self.count, self.task, self.figure, self.failure = None, 0, None, None, ""

    def serve(self, figure) -> None:
        """Show what is found in this explorer, and end with it."""
        self.figure = figure
        figure.observe(lambda change: change["new"] is None and self.stop(), names="comm")       # closed, or run again

    @property
    def working(self) -> bool:
        return self.task is not None and not self.task.done()

    def want(self, jobs: Jobs, count: int) -> None:
        if (jobs, count) != (self.jobs, self.count):
            self.stop()
            self.jobs, self.count = jobs, count
            self.go_on()

    def go_on(self) -> None:
        """Begin, or begin again after a stop."""
        self.failure = ""
        if self.jobs.done < self.count and not self.working:
            try:
                self.task = asyncio.get_running_loop().create_task(self._portions())
            except RuntimeError:                        # no loop runs here
                self.jobs.work_until(self.count)
        self._say()

    def stop(self) -> None:
        """End the work now; what has been found is kept."""
        if self.working:
            self.task.cancel()
        self.task = None
        if self.jobs is not None and not self._closed:
            self._say()

    @property
    def _closed(self) -> bool:
        return self.figure is not None and self.figure.comm is None

    async def _portions(self) -> None:
        jobs, count, reported = self.jobs, self.count, time.perf_counter()
        while jobs.done < count and not self._closed and not self.failure:
            try:
                jobs.work_until(count, PORTION)
            except Exception as error:                  # nobody awaits this task: keep the error to be said
                self.failure = str(error)
            if time.perf_counter() - reported > REPORT:
                self._show()
                reported = time.perf_counter()
            await asyncio.sleep(PAUSE)
        self.task = None
        if not self._closed:
            self._show()

    def _show(self) -> None:
        self._say()
        if self.figure is not None:
            self.figure._changed()

    def _say(self) -> None:
        done = self.jobs.done >= self.count
        self.bar.value = min(1.0, self.jobs.done / self.count)
        self.button.disabled = done
        self.button.description = "stop" if self.working or done else "go on"
