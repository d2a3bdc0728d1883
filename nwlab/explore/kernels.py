"""Kernels and one query: profile, weights, arithmetic and fit, at equal width or at equal standard deviation."""
from __future__ import annotations

import numpy as np

from matplotlib.collections import PolyCollection

from nwlab import palette
from nwlab._engine.inputs import check_choice
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.stage.parts import Fit, Stems, show_sample
from nwlab.explore.stage.sample import RegressionSample
from nwlab.explore.stage.table import Table
from nwlab.kernels import KERNELS, Kernel, get_kernel
from nwlab.pooling import attention_weights, effective_keys, nadaraya_watson


def kernels(data=None, kernel="gaussian", h=None, same="h", query=None):
    """A live figure: a kernel, the weights it gives to the keys around one query, and the answer worked out.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n, noise
    and seed. kernel, h (the width), same ("h": all kernels at width h; "std": all stretched to standard deviation h) and
    query are where it starts. Returns an `Explorer`.
    """
    kernel, same = get_kernel(kernel).name, check_choice("same", same, ("h", "std"))
    sample = RegressionSample(data)
    unit, queries = sample.unit, sample.queries
    between = np.linspace(queries[0], queries[-1], 5 * len(queries) - 4)        # so that dragging does not jump
    controls = {
        "kernel": make.kernel_choice(kernel),
        "h": make.log_slider("h", "width h", 0.3 * unit if h is None else h, 0.03 * unit, 2 * unit, "240px"),
        "same": make.choice("all kernels at", [("the same h", "h"), ("the same standard deviation", "std")], same),
        "query": make.query_slider(between, queries[int(len(queries) * 0.41)] if query is None else query),
        **make.sample_controls(sample),
    }
    lonely, gap = loneliest_query(sample.data)
    presets = {
        "same h": {"same": "h"},
        "same standard deviation": {"same": "std"},
        "empty window": {"kernel": "boxcar", "same": "h", "h": max(0.6 * gap, 0.03 * unit), "query": lonely},
        "constant": {"kernel": "constant"},
    }
    rows = (("kernel", "h", "same"), ("query", "n", "noise", "seed"))
    return Explorer(KernelsScene(sample), controls, presets, rows=rows)


def loneliest_query(data) -> tuple[float, float]:
    """The query farthest from its nearest key, and how far that is."""
    nearest = np.abs(data.queries[:, None] - data.keys).min(axis=1)         # (m,)
    row = int(np.argmax(nearest))
    return float(data.queries[row]), float(nearest[row])


def width_of(kernel: Kernel, h: float, same: str) -> float:
    """The width of a kernel: h, or what gives it the standard deviation h. The constant has none and keeps h."""
    return h / kernel.std if same == "std" and np.isfinite(kernel.std) else h


class Profile:
    """K against the distance from the query, in the units of the keys: the chosen kernel, the others faint, the keys as
    dots on it, and h as a bracket that can be dragged."""

    def __init__(self, scene, panel):
        self.panel = panel
        panel.set_title("Similarity K", loc="left")
        panel.set_ylabel("K", color=palette.KEY_INK)
        panel.set(ylim=(-0.03, 1.5), yticks=[0, 0.5, 1])
        panel.set_xlabel("key − query")
        self.others, = panel.plot([], [], color=palette.MUTED, alpha=0.45, linewidth=0.9)
        self.curve, = panel.plot([], [], **palette.ESTIMATE_LINE)
        self.dots, = panel.plot([], [], "o", color=palette.KEY, markersize=4.5, markeredgecolor=palette.PAPER,
                                markeredgewidth=0.5)
        self.bracket, = panel.plot([], [], color=palette.QUERY, linewidth=1.4, marker="|", markersize=9, markeredgewidth=1.4)
        self.name = panel.text(0, 1.1, "", color=palette.QUERY_INK, ha="right", va="center")
        self.formula = panel.text(0.02, 0.985, "", color=palette.INK, va="top", transform=panel.transAxes)
        panel.axvline(0.0, ymax=0.78, zorder=0.5, **palette.QUERY_LINE)
        scene.move(self.others, self.curve, self.dots, self.bracket)

    def sample(self, reach: float) -> None:
        self.panel.set_xlim(-reach, reach)
        self.name.set_x(-0.05 * reach)
        self.grid = np.linspace(-reach, reach, 801)

    def choose(self, kernel: Kernel, others: list[Kernel], h: float, same: str) -> bool:
        """Draw these kernels; returns whether words in the background had to change."""
        self.curve.set_data(self.grid, kernel(self.grid / width_of(kernel, h, same)))
        self.others.set_data(*one_line(self.grid, [other(self.grid / width_of(other, h, same)) for other in others]))
        self.bracket.set_data([0.0, h], [1.1, 1.1])
        said = ("h" if same == "h" else "std", "K = " + kernel.formula.replace("-", "−"))
        if said == (self.name.get_text(), self.formula.get_text()):
            return False
        self.name.set_text(said[0])
        self.formula.set_text(said[1])
        return True

    def ask(self, distances: np.ndarray, similarity: np.ndarray) -> None:
        self.dots.set_data(distances, similarity)


def one_line(x: np.ndarray, curves: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Several curves over the same x as one line with gaps: (x, y) for a single artist."""
    if not curves:
        return np.empty(0), np.empty(0)
    return np.tile(np.append(x, np.nan), len(curves)), np.concatenate([np.append(y, np.nan) for y in curves])


def runs(x: np.ndarray, marked: np.ndarray) -> list[tuple[float, float]]:
    """Where the marked stretches of a grid begin and end, to half a step."""
    change = np.flatnonzero(np.diff(marked, prepend=False, append=False))   # a start and a stop for each stretch
    half = (x[1] - x[0]) / 2
    return [(x[start] - half, x[stop - 1] + half) for start, stop in change.reshape(-1, 2)]


class KernelsScene(Scene):
    label = "A kernel, the weights of one query, and the answer written out"
    layouts = (
        Layout(("fit fit", "stem table", "kernel table"), (1, 1), (1.35, 0.8, 1), height=640, left=66, gap_x=40, gap_y=74),
        Layout(("fit table", "stem kernel"), (1.3, 1), (1.9, 1), height=470, room=700, left=66, gap_x=70),
        Layout(("fit kernel table", "stem kernel table"), (1.3, 1, 0.9), (2.4, 1), height=400, room=860, left=66, gap_x=70),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.fit = Fit(self, self.panels["fit"])
        self.fit.name("other kernels", palette.MUTED)
        self.others, = self.panels["fit"].plot([], [], color=palette.MUTED, alpha=0.45, linewidth=0.9, zorder=3)
        self.gaps = self.panels["fit"].add_collection(PolyCollection(
            [], facecolors=palette.EMPTY, transform=self.panels["fit"].get_xaxis_transform(), zorder=0.4), autolim=False)
        self.move(self.others, self.gaps)
        self.profile = Profile(self, self.panels["kernel"])
        self.stems = Stems(self, self.panels["stem"])
        self.table = Table(self, self.panels["table"])
        self._shown = None

    def update(self, state: dict) -> str:
        fresh = self.sample.draw(state)
        if fresh:
            self._new_sample()
        data, kernel = self.sample.data, get_kernel(state["kernel"])
        shown = (kernel.name, state["h"], state["same"])
        if fresh or self._shown != shown:
            self._new_kernel(kernel, *shown[1:])
            self._shown = shown
        x = float(state["query"])
        with words.empty_windows_said():
            weights = attention_weights([x], data.keys, kernel, self.width)[0]              # (n,)
        similarity = kernel((data.keys - x) / self.width)                                   # (n,)
        answer = float(weights @ data.values)
        self.profile.ask(data.keys - x, similarity)
        self.fit.attend(weights, full=5 / len(data.keys))
        self.fit.ask(x, answer)
        if self.stems.show(data.keys, weights, x, beside=self.everyones):
            self.changed_background()
        self.table.show(weights, data.values, similarity)
        return self._sentence(data, kernel, state, x, weights, answer)

    def _new_sample(self) -> None:
        data = self.sample.data
        show_sample(data, self.fit, self.stems)
        self.profile.sample(reach=0.4 * self.sample.extent)
        self.grid = np.linspace(data.queries[0], data.queries[-1], 401)
        self.changed_background()

    def _new_kernel(self, kernel: Kernel, h: float, same: str) -> None:
        data = self.sample.data
        self.width = width_of(kernel, h, same)
        others = [other for other in KERNELS.values() if other is not kernel]
        if self.profile.choose(kernel, others, h, same):
            self.changed_background()
        with words.empty_windows_said():
            curve, *curves = [nadaraya_watson(self.grid, data.keys, data.values, each, width_of(each, h, same))
                              for each in (kernel, *others)]
            everyones = attention_weights(data.queries, data.keys, kernel, self.width)      # (m, n)
        self.answers = everyones @ data.values
        self.everyones = everyones.ravel()                  # the stems' scale has room for every query's weights
        self.fit.curve.set_data(self.grid, curve)
        self.others.set_data(*one_line(self.grid, curves))
        self.gaps.set_verts([[(a, 0), (a, 0.89), (b, 0.89), (b, 0)] for a, b in runs(self.grid, np.isnan(curve))])
        apart = [other - curve for other, each in zip(curves, others) if np.isfinite(each.std)]
        apart = np.concatenate(apart)
        self.apart = float(np.sqrt(np.nanmean(apart**2))) if np.isfinite(apart).any() else np.nan

    def _sentence(self, data, kernel, state, x, weights, answer) -> str:
        h, n = state["h"], len(data.keys)
        if not np.isfinite(kernel.std):
            said = "The constant kernel has no width: all keys count alike, and every query gets the mean."
        elif state["same"] == "std":
            said = (f"{kernel.name.capitalize()} kernel, standard deviation <b>{words.number(h)}</b> (width h = "
                    f"{words.number(self.width)}).")
        else:
            said = (f"{kernel.name.capitalize()} kernel, width h = <b>{words.number(h)}</b> (standard deviation "
                    f"{words.number(h * kernel.std)}).")
        at = words.at(data, x)
        if np.isfinite(answer):
            effective = float(effective_keys(weights[None])[0])
            said += (f" At {at} the answer is <b>{words.query(words.number(answer))}</b>, from "
                     f"<b>{words.number(effective)}</b> of {n} keys in effect.")
        else:
            nearest = float(np.abs(data.keys - x).min())
            said += (f" At {at} <b>no key is within reach</b>: the nearest is {words.number(nearest)} away, the kernel "
                     f"reaches {words.number(kernel.support * self.width)}. All weights are 0/0, and there is no answer.")
        empty = int(np.isnan(self.answers).sum())
        said += words.gaps(empty, len(self.answers))
        if data.truth is not None and empty == 0:
            said += f" Error against the truth <b>{words.number(float(np.mean((self.answers - data.targets) ** 2)))}</b>."
        if np.isfinite(kernel.std) and np.isfinite(self.apart):
            same = "standard deviation" if state["same"] == "std" else "width h"
            said += (f" At this {same} the curves of the other kernels (faint) lie typically "
                     f"<b>{words.number(self.apart, 2)}</b> from this one, the flat constant left aside.")
        return said

    def dragged(self, panel, x, y, state):
        if panel == "kernel":
            return {"h": float(np.clip(abs(x), 0.03 * self.sample.unit, 2 * self.sample.unit))}
        return super().dragged(panel, x, y, state)
