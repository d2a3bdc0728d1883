"""Attention at scale: what three methods for the same average cost, measured while you watch, drawn as areas."""
import math
import os
import time
from collections import namedtuple
from functools import cache

import numpy as np

from nwlab.data import make_regression
from nwlab.pooling import nadaraya_watson
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.parts import QueryScene
from workbook.figures.background import Jobs
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import short
from workbook.language import say

SIZES = tuple(k * 10**e for e in range(2, 6) for k in (1, 2, 5)) + (10**6,)
SIGMAS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
METHODS = {"dense": say("all pairs"), "window": say("window"), "fast": say("groups")}
COLOURS = {"dense": palette.THIRD, "window": palette.LOCAL_LINEAR, "fast": palette.KEY_INK}
PATIENCE = {"dense": 0.3, "window": 0.6, "fast": 10.0}       # seconds: what would take longer is not measured
CLOCK = time.perf_counter if os.name == "nt" else time.thread_time       # other work does not count; coarse on Windows
CHECKED = 40                                                # queries at which answers are compared with all pairs
Cost = namedtuple("Cost", "seconds, error")                 # error: as a share of the largest value
UNITS = ((say("{number} years"), 3.156e7, 1.0), (say("{number} days"), 86400, 1.0), (say("{number} hours"), 3600, 1.0),
         (say("{number} minutes"), 60, 2.0), ("{number} s", 1.0, 1.0), ("{number} ms", 1e-3, 1.0))


def scale(**start) -> Explorer:
    """A live figure: how long n queries with n keys take by three methods, as areas, and how far each is off.

    start: values of the controls n, the largest size that is measured, and sigma, the width, with keys between 0 and 5.
    Sizes that would take a method too long are not measured: its time there is extrapolated by theory, and dashed. All
    pairs take as long with any width, so they are measured with one.
    """
    return Explorer(ScaleScene(), start)


def measure(n: int, sigma: float, method: str) -> Cost:
    """The cost of one method for n queries, which are the n keys."""
    sample = make_regression(n, noise=0.5, seed=0)
    keys, values = sample.keys, sample.values

    def answer(queries=keys, method=method):
        return nadaraya_watson(queries, keys, values, bandwidth=sigma, method=method)

    answer(keys[:10])                                       # the first call is slower
    seconds, tries = math.inf, 0
    while tries == 0 or tries < 5 and seconds < 0.1:
        start, tries = CLOCK(), tries + 1
        answers = answer()
        seconds = min(seconds, CLOCK() - start)
    some = np.linspace(0, n - 1, min(n, CHECKED)).astype(int)
    off = np.abs(answers[some] - answer(keys[some], "dense")).max() / np.abs(values).max()
    return Cost(seconds, float(off))


class ScaleScene(QueryScene):
    label = say("Three areas, each the time of one way to the same average, and the time against n")
    invitation = say("Drag n, the number of keys: when do all pairs take one hour?")
    controls = {"n": lambda _: make.pick("n", SIZES, 1000, short),
                "sigma": lambda _: make.pick(say("width σ"), SIGMAS, 0.1, colour="key")}
    presets = {say("a wide kernel"): {"sigma": 1.0}, say("a million keys"): {"n": 1e6}}
    keyed, slow, longest = "n", ("sigma",), 168
    across, demo = {"time": "n"}, ("n", 6)
    layouts = (
        Layout(("area", "time"), (1,), (1.1, 1), height=500, gap_y=66),
        Layout(("area time",), (1.15, 1), (1,), height=330, room=WIDE),
    )

    def __init__(self):
        super().__init__()
        self.measure = cache(measure)
        self.runs = {}                                      # sigma -> Jobs: kept, so going back is instant
        area, panel = self.panels["area"], self.panels["time"]
        area.set_title(say("Time as area"), loc="left")
        area.set_axis_off()
        self.when_placed.append(self._make_room)
        panel.label(say("Time"), say("number of keys n"), xscale="log", yscale="log", xlim=(60, 1.7e6),
                    ylim=(1e-5, 1e9))
        panel.set_yticks([1e-3, 1, 60, 3600, 86_400, 3.15e7], ["1 ms", "1 s", say("1 min"), say("1 hour"),
                                                              say("1 day"), say("1 year")])
        panel.set_xticks([100, 10_000, 1_000_000])
        panel.xaxis.set_major_formatter(short)
        panel.minorticks_off()
        panel.tick_params(axis="x", pad=5)                      # below the handle
        panel.names(*zip((say("all pairs grow like n²"), say("a window like n × its keys"), say("groups like n")),
                         COLOURS.values()))
        panel.axhline(3600, color=palette.MUTED, linewidth=0.9, label="_nolegend_")        # an hour

    def _make_room(self) -> None:
        """The areas are square, where there is room, and share a corner; the words stand to the right of it."""
        area = self.panels["area"]
        wide, high = area.bbox.size * 100 / area.figure.dpi
        side = min(wide - 185, high)
        area.set(xlim=(0, wide / (wide - 185)), ylim=(1 - high / max(side, 0.6 * high), 1))
        self.beside = (wide - 167) / wide

    def run(self, sigma: float) -> Jobs:
        """The measurements with one width: a job for each size and method; None for one that would take too long."""
        def one(job: int):
            size, number = divmod(job, len(METHODS))
            n, method = SIZES[size], [*METHODS][number]
            if self.expected(sigma, method, n) <= PATIENCE[method]:
                return self.measure(n, 0.1 if method == "dense" else sigma, method)

        return self.runs.setdefault(sigma, Jobs(one))

    def found(self, sigma: float, method: str, n: int) -> dict[int, Cost]:
        """The measured costs of one method, by size, up to n."""
        results = self.run(sigma).results[list(METHODS).index(method)::len(METHODS)]
        return {size: cost for size, cost in zip(SIZES, results) if size <= n and cost is not None}

    def expected(self, sigma: float, method: str, n: int) -> float:
        """Seconds, extrapolated from the largest size measured: all pairs and windows like n², groups like n."""
        found = self.found(sigma, method, n)
        if not found:
            return 0.0
        last = max(found)
        return found[last].seconds * (n / last) ** (1 if method == "fast" else 2)

    def update(self, state: dict) -> str:
        n, sigma = int(state["n"]), state["sigma"]
        count = len(METHODS) * (SIZES.index(n) + 1)
        if not self.runs:
            self.run(sigma).work(count, seconds=4.0)            # for the first picture
        self.work = self.run(sigma)
        self.work.want(count)
        seconds = [self.expected(sigma, method, n) for method in METHODS]
        longest = max(*seconds, 1e-9)
        panel, area = self.panels["time"], self.panels["area"]
        for method, name in METHODS.items():
            found = self.found(sigma, method, n)
            last = max(found, default=n)
            ends = [last, n] if last < n else []
            panel.line(("beyond", method), ends, [self.expected(sigma, method, end) for end in ends], COLOURS[method],
                       linestyle=(0, (2, 3)), label="_nolegend_")
            panel.line(method, [*found], [cost.seconds for cost in found.values()], COLOURS[method], marker="o",
                       markersize=4, label=say("{method}, seconds", method=name))
        for number, (method, top) in enumerate(zip(METHODS, (1.0, 0.72, 0.44))):
            side = math.sqrt(seconds[number] / longest)
            area.box(number, 1 - side, 0, side, side, facecolor=(COLOURS[method], 0.12 + 0.08 * number),
                     edgecolor=COLOURS[method], linewidth=1.5)          # what is below is seen through it
            duration = say("{method}: {time}", method=METHODS[method], time=_duration(seconds[number]))
            cost, about = self.found(sigma, method, n).get(n), say("extrapolated")
            if cost:
                about = (say("holds all keys") if method == "window" and sigma == SIGMAS[-1] else
                         say("same answer") if cost.error < 1e-12 else              # up to rounding
                         say("off by {error}", error=words.number(cost.error, 1)))
            about = f"σ = {sigma:g}, {about}" if method == "window" else about
            area.note(f"{duration}\n{about}", 1.0, side, (self.beside, top),
                      ("note", number), color=COLOURS[method])
        self.now = panel.upright("now", n, 0.63, color=palette.FAINT, linewidth=5, markerfacecolor=palette.KEY,
                                 markersize=14)
        return self._sentence(n, sigma, seconds)

    def _sentence(self, n: int, sigma: float, seconds: list[float]) -> str:
        quick, (dense, *_) = int(np.argmin(seconds)), seconds
        return words.joined(
            say("σ is wide: a window holds <b>all</b> keys, so the brown way looks at all pairs, too.")
            if sigma == SIGMAS[-1] else say("Ten times the keys take all pairs a hundred times as long."),
            say("At n = <b>{n}</b> all pairs take <b>{times}</b> times as long as {method}.", n=f"{n:,}",
                times=_rounded(dense / max(seconds[quick], 1e-9)), method=[*METHODS.values()][quick])
            if quick else say("At n = <b>{n}</b> all pairs are the quickest way.", n=f"{n:,}") if dense else "",
            say("{done} of {count} are measured so far.", done=self.work.done, count=self.work.count)
            if self.work.working else "",
            say("The work has stopped with an error: {why}.", why=self.work.failure) if self.work.failure else "")


def _duration(seconds: float) -> str:
    for text, length, above in UNITS:
        if seconds >= above * length:
            return text.format(number=words.number(seconds / length, 2))
    return f"{words.number(seconds * 1e6, 2)} µs"


def _rounded(times: float) -> str:
    """With two digits, as 1.4 or 44,000."""
    return f"{times:.2g}" if times < 10 else f"{float(f'{times:.2g}'):,.0f}"
