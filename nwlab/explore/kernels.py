"""Kernels and one query: profile, weights, arithmetic and fit, at equal width or at equal standard deviation."""
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from nwlab import palette, plots
from nwlab._engine.inputs import check_choice
from nwlab.explore import controls as make, words
from workbook.figures.hands import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from nwlab.explore.parts import FitScene, corner, grip, label, marks
from nwlab.explore.sample import RegressionSample
from nwlab.kernels import KERNELS, Kernel, get_kernel
from nwlab.pooling import attention_weights, effective_keys, nadaraya_watson

BETWEEN = 5                             # places of the query from one to the next, so that dragging does not jump


def kernels(data=None, kernel="gaussian", h=None, same="h", query=None):
    """A live figure: a kernel, the weights it gives to the keys around one query, and the answer worked out.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise and seed. kernel, h (the width), same ("h": all kernels at width h; "std": all stretched to standard deviation
    h) and query are where it starts. Returns an `Explorer`.
    """
    sample, same = RegressionSample(data), check_choice("same", same, ("h", "std"))
    unit, queries = sample.unit, sample.queries
    between = np.linspace(queries[0], queries[-1], BETWEEN * (len(queries) - 1) + 1)
    start = queries[int(len(queries) * make.START)] if query is None else query
    width = make.log_slider("h", "width h", 0.3 * unit if h is None else h, 0.03 * unit, 2 * unit)
    equal = make.choice("all kernels at", [("the same h", "h"), ("the same standard deviation", "std")], same)
    isolated, gap = most_isolated_query(sample.data)
    presets = {
        "same h": {"same": "h"},
        "same standard deviation": {"same": "std"},
        "empty window": {"kernel": "boxcar", "same": "h", "h": max(0.6 * gap, 0.03 * unit), "query": isolated},
        "constant": {"kernel": "constant"},
    }
    return Explorer(
        KernelsScene(sample),
        {"h": width, "query": make.query_slider(between, start), "kernel": make.kernel_choice(kernel)},
        {**make.sample_controls(sample), "same": equal}, presets=presets)


def most_isolated_query(data) -> tuple[float, float]:
    """The query farthest from its nearest key, and how far that is."""
    nearest = np.abs(data.queries[:, None] - data.keys).min(axis=1)         # (m,)
    row = int(np.argmax(nearest))
    return float(data.queries[row]), float(nearest[row])


def width_of(kernel: Kernel, h: float, same: str) -> float:
    """The width of a kernel: h, or what gives it the standard deviation h. The constant has none and keeps h."""
    return h / kernel.std if same == "std" and np.isfinite(kernel.std) else h


def colour_of(kernel: Kernel) -> str:
    return plots.kernel_line(kernel)["color"]


def thin_lines(panel) -> LineCollection:
    """The curves of the other kernels, still empty."""
    return panel.add_collection(LineCollection([], linewidths=0.8, zorder=2.5), autolim=False)


def set_curves(lines: LineCollection, x: np.ndarray, curves: dict[Kernel, np.ndarray]) -> None:
    """Curves over the same x, each in the colour of its kernel."""
    lines.set_segments([np.column_stack([x, y]) for y in curves.values()])
    lines.set_color([colour_of(kernel) for kernel in curves])


class Profile:
    """K against the distance from the query: the chosen kernel, the others thin, the keys as dots, h as a bracket."""

    def __init__(self, scene, panel):
        self.scene, self.panel = scene, panel
        label(panel, "Similarity K", "key − query", ylim=(-0.03, 1.5), yticks=[0, 0.5, 1])
        self.others = thin_lines(panel)
        self.curve, = panel.plot([], [], **palette.ESTIMATE_LINE)
        self.dots = marks(panel, palette.KEY, 4.5, markeredgewidth=0.5)
        self.dots.set_clip_box(panel.bbox)                  # keys farther away than the panel is wide
        self.bracket, = panel.plot([], [], linewidth=1.4, **grip(palette.QUERY))
        self.name = panel.text(0, 1.1, "", color=palette.QUERY_INK, ha="right", va="center")
        self.formula = corner(panel, "", palette.INK, 0.02)
        panel.axvline(0.0, ymax=0.78, zorder=0.5, **palette.QUERY_LINE)
        scene.move(self.others, self.curve, self.dots, self.bracket)
        scene.pieces.append(self)

    def sample(self, *_) -> None:
        reach = 2 * self.scene.sample.unit
        self.panel.set_xlim(-reach, reach)
        self.name.set_x(-0.05 * reach)
        self.grid = np.linspace(-reach, reach, 801)

    def choose(self, kernel: Kernel, h: float, same: str) -> None:
        curves = {each: each(self.grid / width_of(each, h, same)) for each in KERNELS.values()}
        self.curve.set_data(self.grid, curves.pop(kernel))
        self.curve.set_color(colour_of(kernel))
        set_curves(self.others, self.grid, curves)
        self.bracket.set_data([h, 0.0], [1.1, 1.1])
        if self.scene.changed("formula", (same, kernel)):
            self.name.set_text(same)
            self.formula.set_text("K = " + words.minus(kernel.formula))
            self.scene.changed_background()


class KernelsScene(FitScene):
    label = "A kernel, the weights of one query, and the answer written out"
    invitation = "Drag the width: does it matter more than the kernel?"
    longest, movable = 340, "fit"
    layouts = (
        Layout(("fit", "stem", "kernel"), (1,), (1.35, 0.8, 1), height=640, gap_y=74),
        Layout(("fit kernel", "stem kernel"), (1.7, 1), (2.4, 1), height=380, room=WIDE, bare=("fit",)),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        panel = self.panels["fit"]
        self.fit.name("thin: other kernels", palette.INK)
        self.others = thin_lines(panel)
        self.gaps = panel.add_collection(PolyCollection(
            [], facecolors=palette.EMPTY, transform=panel.get_xaxis_transform(), zorder=0.4), autolim=False)
        self.move(self.others, self.gaps)
        self.profile = Profile(self, self.panels["kernel"])
        self.shows(other_kernels=self.others, similarity=self.profile.dots)
        self.hides(self.gaps)

    def given(self) -> dict:
        stretch = {name: width_of(kernel, 1.0, self.same) for name, kernel in KERNELS.items()}
        return {**super().given(), "stretch": stretch}

    def drags(self):
        return super().drags() | {"kernel": Drag("h", x=lambda widths: np.concatenate([widths, -widths]))}

    def step(self, positions, by):
        return super().step(positions, by * BETWEEN)

    def update(self, state: dict) -> str:
        data, kernel, x = self.data, get_kernel(state["kernel"]), float(state["query"])
        shown = (kernel, state["h"], state["same"])
        if self.changed("kernel", shown):
            self._new_kernel(*shown)
        weights = attention_weights([x], data.keys, kernel=kernel, bandwidth=self.width)[0]                  # (n,)
        similarity = kernel((data.keys - x) / self.width)                                   # (n,)
        answer = float(weights @ data.values)
        self.profile.dots.set_data(data.keys - x, similarity)
        self.fit.attend(weights)
        self.fit.mark(x, answer)
        self.stems.show(data.keys, weights, x, beside=self.all_weights)
        return self._sentence(data, kernel, state, x, weights, float(similarity.sum()))

    def _new_kernel(self, kernel: Kernel, h: float, same: str) -> None:
        data, grid, self.width, self.same = self.data, self.fit.grid, width_of(kernel, h, same), same
        curves = {each: nadaraya_watson(grid, data.keys, data.values, kernel=each, bandwidth=width_of(each, h, same))
                  for each in KERNELS.values()}
        curve = curves.pop(kernel)
        self.fit.curve.set_data(grid, curve)
        set_curves(self.others, grid, curves)
        self.profile.choose(kernel, h, same)
        for artist in (self.fit.curve, self.fit.words[1], self.profile.formula):
            artist.set_color(colour_of(kernel))
        self.all_weights = attention_weights(data.queries, data.keys, kernel=kernel, bandwidth=self.width)   # (m, n)
        self.answers = self.all_weights @ data.values
        half = (grid[1] - grid[0]) / 2 if len(grid) > 1 else 0
        turns = np.flatnonzero(np.diff(np.isnan(curve), prepend=False, append=False)).reshape(-1, 2)
        gaps = [(grid[begin] - half, grid[end - 1] + half) for begin, end in turns]
        if self.changed("gaps", gaps):
            self.gaps.set_verts([[(a, 0), (a, 0.89), (b, 0.89), (b, 0)] for a, b in gaps])

    def _sentence(self, data, kernel, state, x, weights, sum_of_k: float) -> str:
        empty, here = int(np.isnan(self.answers).sum()), words.at(data, x)
        width = "The constant kernel has no width: all keys count the same, and every query gets the mean."
        if np.isfinite(kernel.std):
            h, std = (f"{name} {words.bold(x)}" for name, x in (
                ("width h =", self.width), ("standard deviation", self.width * kernel.std)))
            first, second = (std, h) if state["same"] == "std" else (h, std)
            name = kernel.name.capitalize() if kernel.name in ("gaussian", "epanechnikov") else kernel.name
            width = f"The {name} kernel has {words.gist(first)} ({second})."
        at = (f"At {here} <b>no key is within reach</b>: the nearest is {words.number(np.abs(data.keys - x).min())} "
              f"away, and the kernel reaches {words.number(kernel.support * self.width)}. All weights are 0/0, so "
              "there is no answer.")
        if np.all(np.isfinite(weights)):
            divided = f"α is K / {words.number(sum_of_k)}, its sum. " if sum_of_k > 1e-300 else ""
            at = (f"{divided}At {here} the answer is {words.arithmetic(weights, data.values)}, from effectively "
                  f"{words.bold(effective_keys(weights[None])[0])} of {words.keys(len(data.keys))}.")
        error = np.mean((self.answers - data.targets) ** 2)
        return words.joined(
            width, at, words.gaps(empty, len(self.answers)),
            f"The {words.gist(f'error against the truth is {words.bold(error)}')}." if np.isfinite(error) else "")
