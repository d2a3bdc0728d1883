"""A kernel and its width: the kernel and the fit, in grey those of a Gaussian of the first width."""
import numpy as np

from nwlab.kernels import KERNELS, Kernel
from nwlab.pooling import attention_weights, nadaraya_watson
from workbook import palette
from workbook.explore import make, words
from workbook.explore.on_page import on_page
from workbook.explore.parts import FitScene
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip
from workbook.language import say
from workbook.plots import kernel_name

FOOT = -0.25                            # height of the axis below the kernel
GAUSSIAN = KERNELS["gaussian"]
GREY = {"color": palette.INK, "alpha": 0.2, "linewidth": 8, "zorder": 1, "solid_capstyle": "butt"}     # as at first


def kernels(data=None, **start) -> Explorer:
    """A live figure: a kernel with the keys around a query, and the fit; in grey those of the Gaussian at first.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls h (the width), query, kernel, same ("h": all kernels at width h; "std": all stretched to
    standard deviation h), n, noise and seed.
    """
    return Explorer(KernelsScene(data), start)


class KernelsScene(FitScene):
    label = say("A kernel with the keys around one query, and the fit; in grey the first kernel and its fit")
    invitation = say("Drag the width: does it matter more than the shape?")
    longest, movable = 270, "fit"
    controls = {"h": lambda figure: figure.scene.slider, "query": make.query,
                "kernel": lambda figure: make.kernel(figure, lambda _: True)}
    more = {**make.SAMPLE, "same": lambda _: make.dropdown(
        say("all kernels at"), [(say("the same h"), "h"), (say("the same std"), "std")], "std")}
    presets = {say("narrow"): {"h": 0.2}, say("another shape"): {"kernel": "boxcar"}}
    demo, handle = ("h", 60), 9
    titles = {"fit": say("The curve")}
    across = {**FitScene.across, "kernel": Drag("h", x=lambda widths: np.concatenate([widths, -widths]))}
    layouts = (Layout(("kernel fit",), (1, 1.6), (1,), height=390, room=WIDE),)

    def __init__(self, data=None):
        super().__init__(data)
        unit, panel = self.sample.unit, self.panels["kernel"]
        self.slider = make.log_slider(say("width h"), 0.6, 0.03, 2, unit, colour="key")
        self.reach, self.first = 2 * unit, self.slider.value
        panel.label(say("How much each dot counts"), say("key − query"), y=say("similarity"),
                    xlim=(-self.reach, self.reach), ylim=(FOOT, 1.3), yticks=[0, 0.5, 1])
        panel.axvline(0.0, ymax=0.8, zorder=0.5, **palette.QUERY_LINE)
        self.grey = say("gaussian, h = {h}", h=words.number(self.first))
        self.distances = np.linspace(-self.reach, self.reach, 801)
        panel.line("first", self.distances, GAUSSIAN(self.distances / self.first), **GREY, label=self.grey)
        panel.corner(self.grey, palette.MUTED)
        self.fit.words.append(self.fit.panel.corner(self.grey, palette.MUTED))

    def weigh(self, x, state):
        self.equal = state["same"] == "std" and np.isfinite(self.kernel.std)         # else it keeps h
        self.width = state["h"] / self.kernel.std if self.equal else state["h"]
        self.also_given = {"stretch": self.width / state["h"], "first": self.first, "gaussian": on_page(GAUSSIAN)}
        return attention_weights(x, self.data.keys, kernel=self.kernel, bandwidth=self.width)

    def update(self, state: dict) -> str:
        x, h = float(state["query"]), state["h"]
        self.show_fit(state)
        self._show_kernel(h)
        similarity, panel = self.kernel((self.data.keys - x) / self.width), self.panels["kernel"]
        self.dots = panel.marks("dots", self.data.keys - x, similarity, palette.KEY, 6, markeredgewidth=0.5,
                                clip_box=panel.bbox, shows="similarity")        # as some keys are outside of the panel
        panel.line("bracket", [h, 0.0], [FOOT, FOOT], linewidth=3, **grip(palette.KEY, size=13))
        reach = min(self.kernel.support * self.width, self.reach) * np.array([-1, 1, 1, -1])
        self.fit.panel.area("window", np.column_stack([x + reach, np.repeat(self.fit.limits, 2)]), zorder=0.5,
                            color=palette.QUERY, alpha=0.15, linewidth=0, shows="",
                            visible=bool(np.isnan(self.fit.marked[1])))
        self._show_note(self.kernel, h / self.first, x)
        return self._sentence(self.data, self.kernel, h, x)

    def _show_kernel(self, h: float) -> None:
        """Draw K against the distance from the query, and find how far the fit is from that of the first kernel."""
        grid, data, panel = self.fit.grid, self.data, self.panels["kernel"]
        first, wide, third = (nadaraya_watson(grid, data.keys, data.values, kernel=GAUSSIAN, bandwidth=each)
                              for each in (self.first, h, h / 3))
        self.fit.panel.line("first", grid, first, **GREY, label=self.grey, shows="first")
        panel.line("profile", self.distances, self.kernel(self.distances / self.width), **palette.ESTIMATE_LINE)
        panel.words("width", -0.05 * self.reach, FOOT / 2, say("width") if self.equal else "h", ha="right", va="center",
                    color=palette.KEY_INK, weight="bold")
        self.answers = self.fit.curve.get_ydata()
        self.off = np.nan_to_num(np.abs(self.answers - first))
        self.most, self.apart = int(np.argmax(self.off)), self.off.max()
        self.by_width, self.by_third = np.max(np.abs(wide - first)), np.max(np.abs(wide - third))
        self.by_shape = np.max(np.nan_to_num(np.abs(self.answers - wide)))

    def _show_note(self, kernel: Kernel, h: float, x: float) -> None:
        at, other = int(np.argmax(self.off * self.fit.is_right(self.fit.grid))), kernel != GAUSSIAN
        panel, told = self.fit.panel, self.by_width if kernel == GAUSSIAN else self.by_shape
        place, ends = self.fit.grid[self.most], (panel["first"].get_ydata()[self.most], self.answers[self.most])
        seen = self.apart > 0.02 * np.ptp(self.fit.limits) and np.isclose(self.apart, told)     # the sentence says it
        panel.stems("most", [place] if seen else [], *ends, palette.NEGATIVE, 5, zorder=5, shows="")
        panel.note(say("{off} apart", off=words.number(self.apart, 2)) if seen else "", place, np.mean(ends),
                   name="apart", near=(0.1, 0.1), color=palette.NEGATIVE_INK)
        if np.isnan(self.fit.marked[1]):
            return self.fit.point_out(say("no key in reach:\nno answer"), x, np.mean(self.fit.limits))
        text = (say("it has no width:\nall dots count alike") if not kernel.has_width else
                say("not equally wide:\nso the curve moves") if other and not self.equal else
                say("narrow: near dots only,\nand the curve follows them") if h < 0.5 else
                say("wide: far dots count,\nthe curve goes flat") if h > 1.3 else
                say("another shape, same spread:\nnearly the same curve") if other and
                self.apart < 0.1 * np.ptp(self.fit.limits) else "")
        self.fit.point_out(text, self.fit.grid[at], self.answers[at])

    def _sentence(self, data, kernel, h: float, x: float) -> str:
        told = {"kernel": kernel_name(kernel), "h": words.bold(h), "first": words.number(self.first),
                "width": words.bold(self.by_width, 2), "shape": words.bold(self.by_shape, 2),
                "third": words.bold(self.by_third, 2)}
        text = (say("The {kernel} kernel has no width: all keys count the same, and every query gets the mean.", **told)
                if not kernel.has_width else
                say("At one h the shapes are not equally wide: the {kernel} kernel moves the curve by up to {shape}.",
                    **told) if kernel != GAUSSIAN and not self.equal else
                say("Another shape with the same spread ({kernel}) moves the curve by up to {shape}; a third of the "
                    "width would move it by {third}.", **told) if kernel != GAUSSIAN else
                say("The width is {h}, not {first}, which moves the curve by up to {width}.", **told)
                if h != self.first else
                say("The nearer a dot, the higher it is on the bell and the more it counts. The grey bell and curve "
                    "stay for comparison."))
        at, (_, answer) = words.answer(data, *self.fit.marked), self.fit.marked
        if not np.isfinite(answer):
            text, at = say("At {place} <b>no key is within reach</b>: the nearest is {distance} away, and the kernel "
                           "reaches {reach}. All weights are 0/0.", place=words.at(data, x),
                           distance=words.number(np.abs(data.keys - x).min()),
                           reach=words.number(kernel.support * self.width)), ""
        return words.joined(text, at, words.gaps(int(np.isnan(self.answers).sum()), len(self.answers)))
