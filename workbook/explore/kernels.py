"""A kernel and its width: profile, weights of one query, and fit, with the range of the fits of all kernels."""
import numpy as np

from nwlab.kernels import KERNELS, Kernel
from nwlab.pooling import attention_weights, nadaraya_watson
from workbook import palette
from workbook.explore import controls as make
from workbook.explore import words
from workbook.explore.on_page import on_page
from workbook.explore.parts import FitScene
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip
from workbook.language import say
from workbook.plots import kernel_name

FOOT, OPENING = -0.25, 0.6              # height of the axis below the kernel; the width at first, in units


def kernels(data=None, **start) -> Explorer:
    """A live figure: a kernel, the weights it gives to the keys around a query, and the fit; in grey all other kernels.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders. start:
    values of the controls h (the width), query, kernel, same ("h": all kernels at width h; "std": all stretched to
    standard deviation h), n, noise and seed.
    """
    return Explorer(KernelsScene(data), start)


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
    label = say("A kernel, the weights that it gives to the keys around one query, and the fit")
    invitation = say("Drag the width: does it matter more than the shape?")
    longest, movable = 270, "fit"
    controls = {"h": make.width(OPENING, 0.03, 2, say("width h")),
                "query": make.query, "kernel": lambda figure: make.kernel(figure, lambda _: True)}
    more = {**make.SAMPLE, "same": lambda _: make.dropdown(
        say("all kernels at"), [(say("the same h"), "h"), (say("the same std"), "std")], "std")}
    presets = {say("narrow"): {"h": 0.2}, say("another shape"): {"kernel": "boxcar"},
               say("not equally wide"): {"same": "h"}}
    demo, handle, common_scale, weighed_by = ("h", 60), 9, True, ("kernel", "h", "same")
    titles = {"fit": say("The curve, others in grey"), "stem": say("Weights α")}
    across = {**FitScene.across, "kernel": Drag("h", x=lambda widths: np.concatenate([widths, -widths]))}
    layouts = (
        Layout(("kernel stem", "fit fit"), (1.4, 1), (1, 1.3), height=564, gap_y=74),
        Layout(("kernel fit", "stem fit"), (1, 1.5), (2.4, 1), height=410, room=WIDE, gap_y=76),
    )

    def __init__(self, data=None):
        super().__init__(data)
        self.reach, panel = 2 * self.sample.unit, self.panels["kernel"]
        panel.label(say("The shape, others in grey"), say("key − query"), y=say("similarity K"),
                    xlim=(-self.reach, self.reach), ylim=(FOOT, 1.3), yticks=[0, 0.5, 1])
        panel.text(-0.05 * self.reach, FOOT / 2, say("width"), color=palette.KEY_INK, ha="right", va="center",
                   weight="bold")
        panel.axvline(0.0, ymax=0.8, zorder=0.5, **palette.QUERY_LINE)

    def given(self) -> dict | None:
        given = super().given()
        others = [(on_page(each), width_of(each, 1.0, self.same)) for each in compared(self.same)]
        if given is None or any(other is None for other, _ in others):
            return None
        return {**given, "stretch": width_of(self.kernel, 1.0, self.same), "others": others}

    def weigh(self, x, state):
        self.width, self.same = width_of(self.kernel, state["h"], state["same"]), state["same"]
        return attention_weights(x, self.data.keys, kernel=self.kernel, bandwidth=self.width)

    def update(self, state: dict) -> str:
        x, h = float(state["query"]), state["h"]
        self.show_fit(state)
        if self.changed("kernel", (self.kernel, h, self.same)):
            self._new_kernel(h, self.same)
        similarity, panel = self.kernel((self.data.keys - x) / self.width), self.panels["kernel"]
        self.dots = panel.marks("dots", self.data.keys - x, similarity, palette.KEY, 4.5, markeredgewidth=0.5,
                                clip_box=panel.bbox, shows="similarity")        # as some keys are outside of the panel
        panel.line("bracket", [h, 0.0], [FOOT, FOOT], linewidth=3, **grip(palette.KEY, size=15))
        reach = min(self.kernel.support * self.width, self.reach) * np.array([-1, 1, 1, -1])
        self.fit.panel.area("window", np.column_stack([x + reach, np.repeat(self.fit.limits, 2)]), zorder=0.5,
                            color=palette.QUERY, alpha=0.15, linewidth=0, shows="",
                            visible=bool(np.isnan(self.fit.marked[1])))
        self._show_note(self.kernel, h / OPENING / self.sample.unit, x)
        return self._sentence(self.data, self.kernel, h, x)

    def _new_kernel(self, h: float, same: str) -> None:
        """Draw K against the distance from the query, and in grey the other kernels and the range of their fits."""
        data, grid, kernel, grey, panel = self.data, self.fit.grid, self.kernel, compared(same), self.panels["kernel"]
        drawn = [(kernel, OPENING * self.sample.unit), (kernel, h), *((each, h) for each in grey)]
        among = np.array([nadaraya_watson(grid, data.keys, data.values, kernel=each, bandwidth=width_of(each, h, same))
                          for each, h in drawn])
        self.heights, among = np.nanmax(among, axis=1) - np.nanmin(among, axis=1), among[2:]
        self.low, self.high = np.nanmin(among, axis=0), np.nanmax(among, axis=0)
        self.band = self.fit.panel.area(
            "band", np.column_stack([[*grid, *grid[::-1]], [*self.high, *self.low[::-1]]]), color=palette.INK,
            alpha=0.25, closed=False, linewidth=0, zorder=1, shows="band")
        self.others = panel.line("others", *np.hstack([outline(each, width_of(each, h, same)) for each in grey]),
                                 linewidth=0.8, alpha=0.3, zorder=1, label="_nolegend_")
        distances = np.linspace(-self.reach, self.reach, 801)
        self.profile = panel.line("profile", distances, kernel(distances / self.width), **palette.ESTIMATE_LINE)
        equal = same == "std" and np.isfinite(kernel.std)           # else it keeps h
        widths = say("all equally wide") if equal else say("not equally wide")
        panel.words("widths", 0.02, 0.985, widths if kernel.has_width else "", va="top", transform=panel.transAxes)
        self.answers = self.weights @ data.values

    def _show_note(self, kernel: Kernel, h: float, x: float) -> None:
        apart = (self.high - self.low) / np.ptp(self.fit.limits)                # (251,): of the height of the picture
        at = int(np.argmax(apart * self.fit.is_right(self.fit.grid)))
        thin = np.isfinite(kernel.std) and apart[at] <= 0.09 and apart.max() <= 0.13
        if np.isnan(self.fit.marked[1]):
            return self.fit.point_out(say("no key in reach:\nno answer"), x, np.mean(self.fit.limits))
        if not kernel.has_width:
            return self.fit.point_out(say("it has no width:\nall dots count alike"), self.fit.grid[at], self.answers[0])
        text = (say("some shapes are narrower:\ntheir curves lie apart") if self.same == "h" else
                say("narrow: near dots only,\nand the curve follows them") if h < 0.5 else
                say("wide: far dots count,\nthe curve goes flat") if h > 1.3 else
                say("thin band: at one width all\nshapes give nearly this curve") if thin else "")
        self.fit.point_out(text, self.fit.grid[at], self.high[at])

    def _sentence(self, data, kernel, h: float, x: float) -> str:
        text = (say("The {kernel} kernel has no width: all keys count the same, and every query gets the mean.")
                if not kernel.has_width else
                say("At one h, <b>{h}</b>, some shapes are narrower, so their curves lie apart: this one is {high} "
                    "high, others differ from that by up to {apart}.") if self.same == "h" else
                say("The {kernel} curve is {high} high{change}; other shapes, equally wide, change it by up to "
                    "{apart}."))
        first, high, *others = self.heights
        change = round(abs(high - first), 2)                    # from what it was at the opening
        change = say(": the width {h} changed it by {by}", h=words.number(h), by=words.bold(change)) if change else ""
        text = text.format(h=words.number(h), kernel=kernel_name(kernel), high=words.number(high), change=change,
                           apart=words.bold(np.abs(others - high).max(), 2))
        at, (_, answer) = words.answer(data, *self.fit.marked), self.fit.marked
        if not np.isfinite(answer):
            text, at = say("At {place} <b>no key is within reach</b>: the nearest is {distance} away, and the kernel "
                           "reaches {reach}. All weights are 0/0.", place=words.at(data, x),
                           distance=words.number(np.abs(data.keys - x).min()),
                           reach=words.number(kernel.support * self.width)), ""
        return words.joined(text, at, words.gaps(int(np.isnan(self.answers).sum()), len(self.answers)))
