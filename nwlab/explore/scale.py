"""Attention at scale: time, memory and error of three ways to the same average, measured while you watch."""
import math
import time
from typing import NamedTuple

import numpy as np
from matplotlib.ticker import LogLocator

from nwlab import palette
from nwlab._engine.inputs import check_choice, check_number
from nwlab.data import make_regression
from nwlab.explore import controls as make, words
from workbook.checks.quiet import memory
from workbook.figures.background import Jobs
from workbook.figures.hands import across
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import QueryScene, label, line, name_curves, query_line, short
from nwlab.pooling import nadaraya_watson

SIZES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
SIGMAS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
METHODS = {"dense": "all pairs", "window": "window", "fast": "groups"}
WHY = {
    "dense": "Every query meets every key: for many keys, ten times as many take a hundred times the time. The width "
             "does not matter.",
    "window": "A query meets the keys within some nine widths: the narrower the kernel, the quicker.",
    "fast": "Keys are described group by group: for many keys, ten times as many take about ten times the time. With "
            "few keys most of it is the cost of getting started.",
}
COLOURS = {"dense": palette.INK, "window": palette.LOCAL_LINEAR, "fast": palette.KEY_INK}
PATIENCE = {"dense": 0.6, "window": 1.5, "fast": 10.0}       # seconds: what should take longer is not tried
CHECKED = 40                                                # queries whose answer is compared with all pairs'
EXACT = 1e-17                                               # drawn for no difference at all


class Cost(NamedTuple):
    """Seconds; megabytes at the peak; the largest error, as a part of the largest value."""

    seconds: float
    peak: float
    error: float


def scale(n=1000, sigma=0.1, method="fast"):
    """A live figure: what n queries with n keys take by three ways, and how far each is off.

    n: up to which size is measured. sigma: the width, with keys between 0 and 5. method: the way in the sentence,
    "dense", "window" or "fast". Each way is measured up to the size that would take too long; beyond, its time is
    continued by what theory says and dashed. Returns an `Explorer`.
    """
    check_choice("method", method, tuple(METHODS))
    check_number("sigma", sigma, above=0)
    scene, n = ScaleScene(), make.pick("n", SIZES, n, label=short)
    width = make.pick("width σ", SIGMAS, sigma, name="sigma")
    scene.run(width.value).work_until(len(METHODS) * (SIZES.index(n.value) + 1), seconds=4.0)    # the first picture
    presets = {"a page of text": {"n": 1000.0, "sigma": 0.1}, "a narrow kernel": {"n": 10_000.0, "sigma": 0.003},
               "a wide kernel": {"n": 10_000.0, "sigma": 1.0}, "a million keys": {"n": 1e6, "sigma": 0.1}}
    return Explorer(
        scene,
        {"n": n, "sigma": width,
         "method": make.choice("way", [(text, name) for name, text in METHODS.items()], method)},
        presets=presets)


def measure(n: int, sigma: float, method: str) -> Cost:
    """n queries, which are the n keys, by one way."""
    sample = make_regression(n, noise=0.5, seed=0)
    keys, values = sample.keys, sample.values

    def answer(queries=keys, way=method):
        return nadaraya_watson(queries, keys, values, bandwidth=sigma, method=way)

    answer(keys[:10])                                       # what is slow only at the first call
    seconds, tries = math.inf, 0
    while tries == 0 or tries < 5 and seconds < 0.02:
        start, tries = time.perf_counter(), tries + 1
        answers = answer()
        seconds = min(seconds, time.perf_counter() - start)
    with memory(held := []):
        answer()
    some = np.linspace(0, n - 1, min(n, CHECKED)).astype(int)
    off = np.abs(answers[some] - answer(keys[some], "dense")).max() / np.abs(values).max()
    return Cost(seconds, held[0] / 1e6, float(off))


class ScaleScene(QueryScene):
    label = "Time, memory and error against the number of keys, for three ways to the same average"
    invitation = "Drag n: when does comparing all pairs take too long?"
    keyed = "n"
    slow = ("n", "sigma")
    longest = 262
    layouts = (
        Layout(("time time", "memory error"), (1, 1), (1.2, 1), height=410, gap_y=66),
        Layout(("time memory error",), (1.3, 1, 1), (1,), height=340, room=WIDE),
    )

    def __init__(self):
        super().__init__()
        self.runs = {}                                      # sigma -> Jobs: kept, so going back is instant
        self.lines = {name: {method: line(panel, COLOURS[method], marker="o", markersize=4, label=METHODS[method])
                             for method in METHODS} for name, panel in self.panels.items()}
        self.beyond = {method: line(self.panels["time"], COLOURS[method], linestyle=(0, (2, 3)), label="_nolegend_")
                       for method in METHODS}
        self.now = []
        for name, title, limits in (("time", "seconds", (1e-5, 1e7)),
                                    ("memory", "megabytes at the peak", (0.01, 1e4)),
                                    ("error", "relative error", (EXACT / 3, 1e-9))):
            panel = self.panels[name]
            label(panel, title[0].upper() + title[1:], "number of keys n", xscale="log", yscale="log",
                  xlim=(60, 1.7e6), ylim=limits)
            panel.xaxis.set_major_locator(LogLocator(subs=(1.0,), numticks=6))
            panel.yaxis.set_major_locator(LogLocator(subs=(1.0,), numticks=6))
            panel.xaxis.set_major_formatter(short)
            panel.minorticks_off()
            self.now.append(query_line(panel, 0.6, color=palette.FAINT, linewidth=5, markerfacecolor=palette.MUTED))
        name_curves(self.panels["time"], *((METHODS[method], COLOURS[method]) for method in METHODS))
        self.move(*self.now, *self.beyond.values(), *(each for kind in self.lines.values() for each in kind.values()))

    def run(self, sigma: float) -> Jobs:
        """What has been measured with one width: job by job a size and a way; None for what would take too long."""
        def one(job: int):
            size, way = divmod(job, len(METHODS))
            method = list(METHODS)[way]
            if self.expected(sigma, method, SIZES[size]) > PATIENCE[method]:
                return None
            return measure(SIZES[size], sigma, method)

        return self.runs.setdefault(sigma, Jobs(one))

    def found(self, sigma: float, method: str) -> dict[int, Cost]:
        """What has been measured of one way, by size."""
        results = self.run(sigma).results[list(METHODS).index(method)::len(METHODS)]
        return {n: result for n, result in zip(SIZES, results) if result is not None}

    def expected(self, sigma: float, method: str, n: int) -> float:
        """Seconds, from the largest size that was measured: all pairs and windows go like n², groups like n."""
        found = self.found(sigma, method)
        if not found:
            return 0.0
        last = max(found)
        return found[last].seconds * (n / last) ** (1 if method == "fast" else 2)

    def update(self, state: dict) -> str:
        n, sigma = int(state["n"]), state["sigma"]
        self.work.want(self.run(sigma), len(METHODS) * (SIZES.index(n) + 1))
        for method in METHODS:
            found = {size: result for size, result in self.found(sigma, method).items() if size <= n}
            sizes = np.array(list(found))
            table = np.array(list(found.values())).reshape(len(found), 3)
            for name, column in zip(("time", "memory", "error"), table.T):
                self.lines[name][method].set_data(sizes, np.maximum(column, EXACT))
                self.lines[name][method].set_linewidth(3.0 if method == state["method"] else 1.4)
            last = max(found, default=n)
            ends = [last, n] if last < n and self.work.complete else []
            self.beyond[method].set_data(ends, [self.expected(sigma, method, end) for end in ends])
        for here in self.now:
            here.set_xdata([n, n])
        return self._sentence(n, sigma, state["method"])

    def _sentence(self, n: int, sigma: float, method: str) -> str:
        found, jobs = self.found(sigma, method).get(n), len(METHODS) * (SIZES.index(n) + 1)
        at = f"<b>{METHODS[method]}</b> at n = <b>{n:,}</b>"
        if found is not None:
            parts = [f"{words.gist(f'{at}: <b>{_duration(found.seconds)}</b>')}, with {words.number(found.peak)} MB at "
                     "the peak."]
        elif self.run(sigma).done >= jobs:
            seconds = self.expected(sigma, method, n)
            parts = [f"{words.gist(f'{at}: about <b>{_duration(seconds)}</b>')}, going by the largest n that was "
                     "measured: this one was not tried."]
        else:
            parts = [words.gist(f"{at}: being measured, {self.run(sigma).done} of {jobs} are done.")]
        if self.work.failure:
            parts.append(f"The work has stopped with an error: {self.work.failure}.")
        return " ".join([*parts, WHY[method]])

    def drags(self):
        return {panel: across("n") for panel in self.panels}


def _duration(seconds: float) -> str:
    for unit, length, above in (("years", 3.156e7, 1.0), ("days", 86400, 1.0), ("hours", 3600, 1.0),
                                ("minutes", 60, 2.0), ("s", 1.0, 1.0), ("ms", 1e-3, 1.0)):
        if seconds >= above * length:
            return f"{words.number(seconds / length, 2)} {unit}"
    return f"{words.number(seconds * 1e6, 2)} µs"
