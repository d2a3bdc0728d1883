"""A kernel and its width: profile, weights of one query, and fit, with the range of the fits of all kernels."""
import numpy as np
from matplotlib.patches import Polygon

from nwlab._engine.inputs import check_choice
from nwlab.kernels import KERNELS, Kernel, get_kernel
from nwlab.pooling import attention_weights, nadaraya_watson
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.on_page import on_page
from workbook.explore.parts import FitScene, corner, grip, label, line, marks
from workbook.explore.sample import RegressionSample
from workbook.figures.interactions import Drag
from workbook.figures.live import PHONE, WIDE, Explorer, Layout

FOOT = -0.25                            # height of the axis below the kernel
BETWEEN = 5                             # steps of the query slider between two queries, so that dragging is smooth


def kernels(data=None, kernel="gaussian", h=None, same="std", query=None):
    """A live figure: a kernel, the weights it gives to the keys around a query, and the fit; in grey all other kernels.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise and seed. kernel, h (the width), same ("h": all kernels at width h; "std": all stretched to standard deviation
    h) and query are where it starts. Returns an `Explorer`.
    """
    sample, same = RegressionSample(data), check_choice("same", same, ("h", "std"))
    unit, queries = sample.unit, sample.queries
    start = queries[int(len(queries) * make.START)] if query is None else query
    between = np.linspace(queries[0], queries[-1], BETWEEN * (len(queries) - 1) + 1)
    width = make.log_slider("h", "width h", unit if h is None else h, 0.03 * unit, 2 * unit)
    equal = make.dropdown("all kernels at", [("the same h", "h"), ("the same standard deviation", "std")], same)
    nearest = np.abs(queries[:, None] - sample.data.keys).min(axis=1)       # (m,): distance from each query
    empty = {"h": max(0.6 * nearest.max(), 0.03 * unit), "query": queries[nearest.argmax()]}
    presets = {"same h": {"same": "h"}, "same standard deviation": {"same": "std"},
               "empty window": {"kernel": "boxcar", "same": "h", **empty}, "constant": {"kernel": "constant"}}
    return Explorer(
        KernelsScene(sample),
        {"h": width, "query": make.query_slider(between, start), "kernel": make.kernel_choice(kernel)},
        {**make.sample_controls(sample), "same": equal}, presets=presets)


def compared(same: str) -> list[Kernel]:
    """The kernels drawn in grey: those with a width, or those with a standard deviation."""
    return [each for each in KERNELS.values() if each.has_width and (same == "h" or np.isfinite(each.std))]


def width_of(kernel: Kernel, h: float, same: str) -> float:
    """The width of a kernel: h, or what gives it the standard deviation h. A kernel that has none keeps h."""
    return h / kernel.std if same == "std" and np.isfinite(kernel.std) else h


def outline(kernel: Kernel, width: float) -> np.ndarray:
    """K against the distance, from where it is zero to where it is zero again, followed by a gap: (2, 64)."""
    u = np.array([-1.001, *np.linspace(-1, 1, 61), 1.001]) * min(kernel.support, 6.0)
    return np.pad([u * width, kernel(u)], ((0, 0), (0, 1)), constant_values=np.nan)


class KernelsScene(FitScene):
    label = "A kernel, the weights that it gives to the keys around one query, and the fit"
    invitation = "Drag the width: when do all shapes give the same curve?"
    longest, movable = 250, "fit"
    demo = ("h", 85)
    titles = {"fit": "The curve, others in grey", "stem": "Weights α"}
    layouts = (
        Layout(("kernel", "fit", "stem"), (1,), (1, 1.5, 0.9), height=600),            # on a phone
        Layout(("kernel stem", "fit fit"), (1.4, 1), (1, 1.3), height=564, room=PHONE, gap_y=74),
        Layout(("kernel fit", "stem fit"), (1, 1.9), (2, 1), height=410, room=WIDE, gap_y=76),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        panel = self.panels["fit"]
        self.band = panel.add_patch(Polygon(np.zeros((2, 2)), closed=False, color=palette.INK, alpha=0.4, linewidth=0,
                                            zorder=1))
        self.gaps = line(panel, palette.QUERY, linewidth=7, alpha=0.35, solid_capstyle="butt", label="_nolegend_")
        self.move(self.band, self.gaps)
        self.note = self.fit.with_note(self)
        self._draw_profile(self.panels["kernel"])
        for each in (self.fit.line, self.stems.line):
            each.set_markersize(9)                      # below the handle of the width
        self.shows(band=self.band, similarity=self.dots)
        self.hides(self.gaps)

    def _draw_profile(self, panel) -> None:
        """K against the distance from the query: the kernel, the keys as dots, and a bracket to drag the width."""
        reach = 2 * self.sample.unit
        label(panel, "The shape, others in grey", "key − query", y="similarity K", xlim=(-reach, reach),
              ylim=(FOOT, 1.6), yticks=[0, 0.5, 1])
        self.others = line(panel, palette.INK, linewidth=1, alpha=0.4, zorder=1, label="_nolegend_")
        self.distances = np.linspace(-reach, reach, 801)
        self.profile, = panel.plot([], [], **palette.ESTIMATE_LINE)
        self.dots = marks(panel, palette.KEY, 4.5, markeredgewidth=0.5)
        self.dots.set_clip_box(panel.bbox)                  # some keys are outside of the panel
        self.bracket, = panel.plot([], [], linewidth=3, **grip(palette.KEY, size=15))
        panel.text(-0.05 * reach, FOOT / 2, "width", color=palette.KEY_INK, ha="right", va="center", weight="bold")
        self.formula = corner(panel, "", palette.INK, 0.02)
        panel.axvline(0.0, ymax=0.67, zorder=0.5, **palette.QUERY_LINE)
        self.move(self.others, self.profile, self.dots, self.bracket, self.formula)

    def given(self) -> dict | None:
        given = super().given()
        others = [(on_page(each), width_of(each, 1.0, self.same)) for each in compared(self.same)]
        if given is None or any(other is None for other, _ in others):
            return None
        return {**given, "stretch": width_of(self.kernel, 1.0, self.same), "others": others}

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
        self.dots.set_data(data.keys - x, kernel((data.keys - x) / self.width))
        self.show_query(x, weights, beside=self.all_weights)
        self._show_note(kernel, x)
        return self._sentence(data, kernel, x)

    def _new_kernel(self, kernel: Kernel, h: float, same: str) -> None:
        data, grid, grey = self.data, self.fit.grid, compared(same)
        self.kernel, self.width, self.same = kernel, width_of(kernel, h, same), same
        curves = {each: nadaraya_watson(grid, data.keys, data.values, kernel=each, bandwidth=width_of(each, h, same))
                  for each in {kernel, *grey}}
        self.fit.curve.set_data(grid, curves[kernel])
        among = [curves[each] for each in grey]
        self.low, self.high = np.nanmin(among, axis=0), np.nanmax(among, axis=0)
        self.band.set_xy(np.column_stack([[*grid, *grid[::-1]], [*self.high, *self.low[::-1]]]))
        self.profile.set_data(self.distances, kernel(self.distances / self.width))
        self.others.set_data(*np.hstack([outline(each, width_of(each, h, same)) for each in grey]))
        self.bracket.set_data([h, 0.0], [FOOT, FOOT])
        std = words.number(self.width * kernel.std) if np.isfinite(kernel.std) else "infinite"
        spread = f"\nh = {words.number(self.width)}, std {std}" if kernel.has_width else ""
        self.formula.set_text(f"K = {words.minus(kernel.text)}{spread}")
        self.all_weights = attention_weights(data.queries, data.keys, kernel=kernel, bandwidth=self.width)   # (m, n)
        self.answers = self.all_weights @ data.values
        self.gaps.set_data(grid, np.where(np.isnan(curves[kernel]), self.fit.limits[0], np.nan))

    def _show_note(self, kernel: Kernel, x: float) -> None:
        if np.isnan(self.fit.marked[1]):
            return self.note.say("no key in reach:\nno answer", x, np.mean(self.fit.limits))
        apart = (self.high - self.low) / np.ptp(self.fit.limits)                # (251,): of the height of the picture
        at = int(np.argmax(apart * self.fit.is_right(self.fit.grid)))
        if not kernel.has_width:
            return self.note.say("it has no width:\nall dots count alike", self.fit.grid[at], self.answers[0])
        text = "thin band: other shapes\ngive nearly this curve"
        if self.same == "h":
            text = "wide band: at the same h\nsome shapes are narrower"
        elif not np.isfinite(kernel.std):
            text = "its tails are too heavy\nfor a standard deviation"
        elif apart[at] > 0.09 or apart.max() > 0.13:
            text = "grey band: all shapes\nas wide as this one"
        self.note.say(text, self.fit.grid[at], self.high[at])

    def _sentence(self, data, kernel, x: float) -> str:
        text = "All kernels have the same h here."
        if not kernel.has_width:
            text = f"The {kernel.name} kernel has no width: all keys count the same, and every query gets the mean."
        elif self.same == "std" and not np.isfinite(kernel.std):
            text = f"The {kernel.name} kernel has no standard deviation, and keeps h; those in grey have the same one."
        elif self.same == "std":
            every = all(np.isfinite(each.std) for each in compared("h"))
            text = f"All kernels {'' if every else 'in grey '}have the same standard deviation here."
        error, (_, answer) = np.mean((self.answers - data.targets) ** 2), self.fit.marked
        off = f"The error against the truth is {words.bold(error)}." if np.isfinite(error) else ""
        at = words.answer(data, x, answer)
        if not np.isfinite(answer):
            at = (f"At {words.at(data, x)} <b>no key is within reach</b>: the nearest is "
                  f"{words.number(np.abs(data.keys - x).min())} away, and the kernel reaches "
                  f"{words.number(kernel.support * self.width)}. All weights are 0/0.")
        return words.joined(text, off, at, words.gaps(int(np.isnan(self.answers).sum()), len(self.answers)))
