"""Attention at scale: what three methods for the same average cost, measured while you watch."""
import math
import os
import time
from collections import namedtuple
from functools import cache

import numpy as np

from nwlab.data import make_regression
from nwlab.fast import window
from nwlab.fast.gauss import REACH
from nwlab.pooling import nadaraya_watson
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import QueryScene
from workbook.figures.background import Jobs
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import HALO, short
from workbook.language import say

SIZES = tuple(k * 10**e for e in range(2, 6) for k in (1, 2, 5)) + (10**6,)
SIGMAS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
METHODS = {"dense": say("all pairs"), "window": say("window"), "fast": say("groups")}
COLOURS = {"dense": palette.THIRD, "window": palette.LOCAL_LINEAR, "fast": palette.KEY_INK, "one": palette.QUERY_INK}
PATIENCE = {"dense": 0.3, "window": 0.6, "fast": 10.0}       # seconds: what would take longer is not measured
CLOCK = time.perf_counter if os.name == "nt" else time.thread_time       # other work does not count; coarse on Windows
BARS = 100                                                  # drawn for groups: those of fewer lie on each other
CHECKED = 40                                                # queries at which answers are compared with all pairs
Cost = namedtuple("Cost", "seconds, error")                 # error: as a share of the largest value
UNITS = ((say("{number} days"), 86400, 2.0), (say("{number} hours"), 3600, 2.0), (say("{number} minutes"), 60, 2.0),
         ("{number} s", 1.0, 1.0), ("{number} ms", 1e-3, 1.0), ("{number} µs", 1e-6, 0.0))


def scale(**start) -> Explorer:
    """A live figure: the n × n pairs, those in a window, and how long three methods take.

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
    label = say("The square of all pairs with a window and groups of keys, and the time of three methods against n")
    invitation = say("Drag n, the number of keys: when do all pairs take one hour?")
    controls = {"n": lambda _: make.pick("n", SIZES, 1000, short),
                "sigma": lambda _: make.pick(say("width σ"), SIGMAS, 0.1, colour="key")}
    presets = {say("a wide kernel"): {"sigma": 1.0}, say("a million keys"): {"n": 1e6}}
    keyed, slow, longest = "n", ("sigma",), 255
    across, demo = {"time": "n"}, ("n", 6)
    layouts = (Layout(("area time",), (1, 1.9), (1,), height=380, room=WIDE),)

    def __init__(self):
        super().__init__()
        self.measure = cache(measure)
        self.runs = {}                                      # sigma -> Jobs: kept, so going back is instant
        area, panel = self.panels["area"], self.panels["time"]
        area.label(say("Pairs to look at"))
        area.set_axis_off()
        area.box("all", 0, 0, 1, 1, facecolor=palette.GRID, moves=False)
        self.when_placed.append(self._make_room)
        panel.label(say("Time"), say("number of keys n"), xscale="log", yscale="log", xlim=(60, 2e6), ylim=(1e-5, 1e6))
        panel.set_yticks([1e-3, 1, 60, 3600, 86_400], ["1 ms", "1 s", say("1 min"), say("1 hour"), say("1 day")])
        panel.set_xticks([100, 10_000, 1_000_000], ["100", "10k", "1M"])
        panel.minorticks_off()
        panel.tick_params(axis="x", pad=5)                  # below the handle
        panel.xaxis.label.set(x=0, ha="left")
        panel.plot([60, 1e6], [3600, 3600], color=palette.MUTED, linewidth=1, dashes=(5, 3), label="_nolegend_")

    def _make_room(self) -> None:
        """The square is as large as there is room, words stand below it, and to the right of the lines."""
        area, panel = self.panels["area"], self.panels["time"]
        wide, high = area.bbox.size * 100 / area.figure.dpi
        self.side = side = min(wide, high - 103)
        area.set(xlim=(0, wide / side), ylim=(1 - high / side, 1))
        wide, high = panel.bbox.size * 100 / area.figure.dpi
        panel.set_xlim(60, 60 * (1e6 / 60) ** (wide / (wide - 160)))
        self.apart = 11 * 17 / high                         # in decades

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
        last = max(found, default=n)
        return found[last].seconds * (n / last) ** (1 if method == "fast" else 2) if found else 0.0

    def update(self, state: dict) -> str:
        n, sigma = int(state["n"]), state["sigma"]
        count = len(METHODS) * (SIZES.index(n) + 1)
        if not self.runs:
            self.run(sigma).work(count, seconds=4.0)            # for the first picture
        self.work = self.run(sigma)
        self.work.want(count)
        seconds = [self.expected(sigma, method, n) for method in METHODS]
        self._show_pairs(n, sigma)
        panel = self.panels["time"]
        for method, name in METHODS.items():
            found = self.found(sigma, method, n)
            last = max(found, default=n)
            ends = [last, n] if last < n else []
            panel.line(("beyond", method), ends, [self.expected(sigma, method, end) for end in ends], COLOURS[method],
                       linestyle=(0, (2, 3)), label="_nolegend_")
            panel.line(method, [*found], [cost.seconds for cost in found.values()], COLOURS[method], marker="o",
                       markersize=4, label=say("{method}, seconds", method=name))
        panel.upright("now", n, 0.63, color=palette.FAINT, linewidth=2, markerfacecolor=palette.KEY, markersize=14)
        y = -9.0
        for took, (method, name) in sorted(zip(seconds, METHODS.items())):              # from the lowest line's end up
            y = max(y + self.apart, math.log10(max(took, 1e-5)))
            end = say("{method}: {time}", method=name, time=_duration(took)) if took else ""
            panel.words(("took", method), n, 10**y, end, (13, 0), va="center", color=COLOURS[method],
                        bbox=HALO)
        return self._sentence(n, sigma, seconds)

    def _show_pairs(self, n: int, sigma: float) -> None:
        """In the square of all pairs the band of those in the window, and how many each method looks at."""
        area, far = self.panels["area"], min(math.sqrt(2 * window.negligible(n)) * sigma / 5, 1.0)
        self.full = far == 1
        self.groups = groups = min(n, math.ceil(5 / sigma) + 1)     # at most: one width wide, see fast/gauss.py
        side, count, is_full = self.side, min(groups, BARS), n >= 8 * groups
        begins = np.column_stack([np.arange(BARS) * count // BARS / count, np.full(BARS, -9 / side)])
        area.pieces("groups", begins, begins + [max(1 / count - 2 / side, 0.6 / count), 0.0], palette.KEY, 6)
        area.stems("columns", np.unique(begins[:, 0])[1:] if count < 20 else [], 0.0, 1.0, palette.PAPER, 1.6, zorder=3)
        area.area("band", np.array([[0, 1], [far, 1], [1, far], [1, 0], [1 - far, 0], [0, 1 - far]]), linewidth=0,
                  facecolor=(COLOURS["window"], 0.4))
        part, million = max(1000 / n, 1 / side), say("1 million pairs") if n >= 1000 else ""
        area.box("part", 0, 1 - part, part, part, fill=False, edgecolor=palette.INK, linewidth=2, clip_on=False,
                 visible=n >= 1000)
        area.words("full", 0.5, 0.75, say("far keys count, too"), ha="center", va="center", color=COLOURS["window"],
                   bbox=HALO, visible=self.full)
        area.words("part name", min(part, 1 - 105 / side), 1, million, (5, -5), va="top", bbox=HALO)
        near = np.arange(-REACH, REACH + 1).clip(-(groups // 2), (groups - 1) // 2) + groups // 2
        area.pieces("query", [(0.0, 0.5)], [(1.0, 0.5)], palette.QUERY, 1.5, visible=is_full)
        area.stems("near", (near + 0.5) / groups, 0.47, 0.53, palette.KEY, min(8, side / groups / 2), visible=is_full)
        area.words("queries", -0.02, 0.5, say("{n} queries", n=f"{n:,}"), color=palette.QUERY_INK, ha="right",
                   va="center", rotation=90)
        area.words("keys", 0.5, 0, say("{n} keys", n=f"{n:,}"), (0, -11), color=palette.KEY_INK, ha="center", va="top")
        for method, below, text in (
                ("dense", 26, say("all pairs: {pairs}", pairs=f"{n * n:,}")),
                ("window", 41, say("window: all pairs, plus finding them") if self.full else
                 say("window (near keys): {pairs}", pairs=_rounded(n * n * far * (2 - far)))),
                ("fast", 56, say("▬ {n} groups of {each}, summed once", n=f"{groups:,}", each=_rounded(n / groups))),
                ("one", 71, say("▬ 1 query: {k} groups, not {n} keys", k=len({*near}), n=f"{n:,}") if is_full else "")):
            area.words(("pairs", method), 0, 0, text, (0, -below), color=COLOURS[method], va="top")

    def _sentence(self, n: int, sigma: float, seconds: list[float]) -> str:
        quick, (dense, *_) = int(np.argmin(seconds)), seconds
        errors = [found[n].error for method in METHODS if n in (found := self.found(sigma, method, n))]
        return words.joined(
            say("With a wide σ the window <b>fills the square</b> and saves nothing. A few sums stand for all keys of "
                "a group, and <b>{k}</b> groups are enough.", k=self.groups)
            if self.full else
            say("Groups are neighbouring keys, summed once for all queries. Ten times the keys: <b>100</b> times the "
                "pairs, <b>10</b> times this work."),
            say("At n = <b>{n}</b> all pairs take <b>{times}</b> times as long as {method}.", n=f"{n:,}",
                times=_rounded(dense / max(min(seconds), 1e-9)), method=(say("the window"), METHODS["fast"])[quick - 1])
            if quick else say("At n = <b>{n}</b> all pairs are the quickest way.", n=f"{n:,}") if dense else "",
            say("Dashed: predicted.") if 0 < len(errors) < len(METHODS) else "",
            (say("The answers are the same.") if max(errors) < 1e-12 else               # up to rounding
             say("The answers are off by {error}.", error=words.number(max(errors), 1))) if errors else "",
            say("{done} of {count} are measured so far.", done=self.work.done, count=self.work.count)
            if self.work.working else "",
            say("The work has stopped with an error: {why}.", why=self.work.failure) if self.work.failure else "")


def _duration(seconds: float) -> str:
    text, length = next((text, length) for text, length, above in UNITS if seconds >= above * length)
    return text.format(number=words.number(seconds / length, 2))


def _rounded(times: float) -> str:
    """With two digits, as 1.4 or 44,000."""
    return f"{times:.2g}" if times < 10 else f"{float(f'{times:.2g}'):,.0f}"
