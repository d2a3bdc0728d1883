"""How sure an answer is: its band of standard errors, and how many bands of fresh samples hold the truth."""
import numpy as np

from nwlab.pooling import effective_keys
from nwlab.uncertainty import standard_errors
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.explore.sample import COUNT, FreshSamples
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say

SHOWN = [-1, COUNT + 2]
TIMES = {0.5: 0.67, 0.8: 1.28, 0.9: 1.64, 0.95: 2.0, 0.99: 2.58}       # standard errors to each side
LEVELS = {f"{100 * level:.0f} %": level for level in TIMES}


def sure(**start) -> Explorer:
    """A live figure: the band of a fit, and how many of the bands of a hundred fresh samples hold the truth.

    start: values of the controls sigma, level (the share of bands that should hold the truth), samples (how many of the
    hundred are counted), query, n, noise and seed.
    """
    return Explorer(SureScene(), start)


class SureScene(FitScene):
    label = say("A fit with its band, and the bands of a hundred fresh samples at the query and everywhere")
    invitation = say("Drag the orange line: where do bands miss the truth?")
    titles, beside = {"fit": say("One sample with its band")}, ("cover",)
    controls = {"sigma": make.width(0.22, 0.05, 2, inverse="w = 1/σ"),
                "level": lambda _: make.dropdown(say("promise"), [*LEVELS.items()], 0.95),
                "samples": lambda _: make.pick(say("fresh samples"), (2, 5, 10, 20, 40, 60, 80, 100), 100)}
    more = {"query": lambda figure: make.query(figure, 1.9), **make.SAMPLE}
    play = ("samples", 500)
    presets = {say("left border"): {"query": 0.0}, say("too wide"): {"sigma": 0.5}, say("promise 50 %"): {"level": 0.5}}
    across, demo = {"fit": "query", "cover": "query"}, ("query", 0)
    longest, movable = 160, "fit"
    lesson_asks = ({"noise": 1.0}, {"noise": 0.1})
    layouts = (
        Layout(("fit", "cover", "others"), (1,), (1.5, 0.6, 1.2), height=680, gap_y=70),
        Layout(("fit others", "cover others"), (1.8, 1), (1.7, 0.7), height=408, room=WIDE, gap_y=44, bare=("fit",)),
    )

    def __init__(self):
        super().__init__()
        cover, others = self.panels["cover"], self.panels["others"]
        self.fit.words[1].set_text(say("estimate and band"))
        cover.label(say("Bands that hold the truth, in %"), ylim=(0, 136), yticks=[0, 50, 100])
        cover.corner(say("fewer than promised"), palette.NEGATIVE_INK)
        others.label(say("Is the truth inside?"), say("fresh samples (new dots), sorted"), say("off the truth"))
        others.set_xlim(SHOWN)
        others.line("truth", SHOWN, [0, 0], zorder=5, **{**palette.TRUTH_LINE, "color": palette.INK})
        others.names_in_a_row((say("hit"), palette.MUTED), (say("miss"), palette.NEGATIVE_INK),
                              (say("mean answer"), palette.KEY_INK))

    def update(self, state: dict) -> str:
        self.times = TIMES[state["level"]]
        row = self.show_fit(state)
        self.show_band(row, self.times * self.data.noise)
        if self.changed("fresh", state["sigma"]):
            self.off, self.errors = FreshSamples(**self.sample.recipe).bands(self.kernel, state["sigma"])  # (m, COUNT)
        count = int(state["samples"])
        off, half = self.off[:, :count], self.times * self.errors[:, :count]
        held = np.abs(off) <= half                                                                        # (m, count)
        self._show_cover(100 * held.mean(axis=1), row, 100 * state["level"])
        self._show_others(row, off[row], half[row], held[row], state["level"])
        return self._sentence(row, held, state["level"])

    def _show_cover(self, share: np.ndarray, row: int, promise: float) -> None:
        panel, x = self.panels["cover"], self.queries
        panel.upright("query", x[row], 1.0)
        panel.line("promise", panel.get_xlim(), [promise] * 2, palette.MUTED, linestyle=(0, (1, 2)), linewidth=1.2)
        panel.words("promised", panel.get_xlim()[1], promise, say("promised"), (0, 5), color=palette.MUTED, ha="right")
        panel.area("missing", np.column_stack([[*x, *x[::-1]], [*share, *np.maximum(share, promise)[::-1]]]),
                   color=palette.NEGATIVE, alpha=0.3, linewidth=0, closed=False)
        self.share = panel.line("share", x, share, label=say("in %"))
        panel.marks("share now", [x[row]], [share[row]], palette.QUERY, 9)

    def _show_others(self, row: int, off: np.ndarray, half: np.ndarray, held: np.ndarray, level: float) -> None:
        """Draw the bands (count,) of fresh samples at the query by their middles, and the mean of these."""
        panel, number, count, order = self.panels["others"], np.arange(1, len(off) + 1), len(off), np.argsort(off)
        off, half, held = off[order], half[order], held[order]          # so that all bars rise or sink together
        for name, length, colour in (("bands", half, "#C4C9D0"), ("misses", half * ~held, palette.NEGATIVE)):
            panel.stems(name, number, off - length, off + length, colour, 1.4)      # a miss grows over its band
        reach = self.times * self.errors[row]     # of all bands, so that the axis stays
        below, above = (next((step for step in steps if np.max(side * self.off[row] + reach) < step), 10.0)
                        for side, steps in ((-1, (1.1, 2.2, 5.0)), (1, (2.2, 5.0))))    # few, so that it seldom changes
        panel.set_ylim(-below - 0.3 * (below + above), above + 0.2 * (below + above))         # with room for words
        panel.line("bias", [0, count], [off.mean()] * 2, palette.KEY, linewidth=2.2, zorder=4)
        text = (say("narrower bands: {n} of {count}\nhold it ({share:.0f} % promised)") if level < 0.9 else
                say("{n} of {count} hold the truth\n({share:.0f} % promised)"))
        bias = self.off[row].mean()                                     # of all, as a few may be off by chance
        if abs(bias) > self.errors[row].mean() and bias * off.mean() > 0 and not held.all():
            inside = min(row, len(self.queries) - 1 - row) > 2
            far, near = ((say("{n} of {count} hold it: far dots count too\nand pull answers up"),
                          say("{n} of {count} hold it: no dots beyond\nthe border, and answers lie too high"))
                         if bias > 0 else
                         (say("{n} of {count} hold it: far dots count too\nand pull answers down"),
                          say("{n} of {count} hold it: no dots beyond\nthe border, and answers lie too low")))
            text = far if inside else near
        text = text.format(n=sum(held), count=count, share=100 * level)
        self.note = panel.note(text, at=(0.98, 0.03), ha="right", va="bottom")

    def _sentence(self, row: int, held: np.ndarray, level: float) -> str:
        x, weights = self.queries[row], self.weights[row]
        effective, count = effective_keys(weights[None])[0], held.shape[1]
        few = say("only {}") if held[row].mean() < level - 0.1 else "{}"
        half = self.times * standard_errors(weights[None], self.data.noise)[0]
        answer = words.query(f"{words.number(weights @ self.data.values)} ± {words.number(half, 2)}")
        return say("At {place}, {held} of {count} bands hold the truth, where {level} should; over all x it is "
                   "{share}. The answer <b>{answer}</b> averages about {effective} dots.",
                   answer=answer, place=words.at(self.data, x), effective=words.number(effective, 2), count=count,
                   held=few.format(words.bold(held[row].sum())), level=f"{100 * level:.0f} %",
                   share=f"{100 * held.mean():.0f} %")
