"""The loss against w as a curve, and a training run as a ball on it, step by step."""
import numpy as np

from nwlab.pooling import attention_weights
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import short
from workbook.language import say

SGD, ADAM = "SGD on w", "Adam on log w"
NAMES = {SGD: say("SGD (rate × slope)"), ADAM: say("Adam (evens out steps)")}
STEPS = np.array([*range(20), *range(20, 60, 2), *range(60, 100, 5), *range(100, 301, 10)])  # positions of the slider
OLD = {"optimiser": SGD, "rate": 0.5, "step": 1}


class Valley:
    """The loss and its derivative by w in closed form, of keys (n,) and values (n,). left_out: leave one out."""

    def __init__(self, keys, values, left_out: bool):
        squares = (keys[:, None] - keys[None, :]) ** 2                                # (n, n)
        self.values, self.allowed = values, 1.0 - left_out * np.eye(len(keys))
        nearest = np.where(self.allowed > 0, squares, np.inf).min(axis=1, keepdims=True)
        self.further = np.where(self.allowed > 0, squares - nearest, 0.0)             # a softmax sees differences only

    def at(self, w: float) -> tuple[float, float]:
        """The sum of squared residuals at w, and its derivative.

        d alpha_ij / dw = -w alpha_ij (s_ij - sum_k alpha_ik s_ik), with s the squared distances.
        """
        raw = np.exp(np.maximum(-0.5 * w * w * self.further, -700.0)) * self.allowed  # (n, n)
        weights = raw / raw.sum(axis=1, keepdims=True)
        pulls, answers = weights * self.further, weights @ self.values
        residuals, slopes = answers - self.values, -w * (pulls @ self.values - pulls.sum(axis=1) * answers)
        return float(residuals @ residuals), float(2 * residuals @ slopes)


def descend(valley: Valley, start: float, optimiser: str, rate: float, steps: int) -> np.recarray:
    """Gradient descent as in `nwlab.training.fit`: SGD on w or Adam on log w.

    Returns the fields w, loss and slope (d loss / dw) from the start to the last step, (steps + 1,) each.
    """
    rows, w, first, second = [], start, 0.0, 0.0
    for step in range(steps + 1):
        loss, slope = valley.at(w)
        rows.append((w, loss, slope))
        if optimiser == SGD:
            w = w - rate * slope
        else:
            gradient = slope * w                                                      # by log w
            first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
            move = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.999 ** (step + 1))) + 1e-8)
            w = float(np.exp(np.clip(np.log(w) - rate * move, -200, 200)))
    return np.rec.fromrecords(rows, names="w, loss, slope")


def landscape(**start) -> Explorer:
    """A live figure: the loss of one learned width at every w, with and without leave-one-out, and a run of training.

    start: values of the controls step, rate, start (w at step 0), optimiser, left_out, noise and seed.
    """
    return Explorer(LandscapeScene(), start)


class LandscapeScene(FitScene):
    controls = {"step": lambda _: make.pick(say("step"), STEPS, 300),
                "rate": lambda _: make.log_slider(say("learning rate"), 0.05, 0.001, 5.0),
                "optimiser": lambda _: make.dropdown(say("optimiser"), [*zip(NAMES.values(), NAMES)], ADAM)}
    play = ("step", 150, 1)                             # it rests after the first jump
    more = {"noise": make.SAMPLE["noise"], "seed": make.SAMPLE["seed"],
            "start": lambda _: make.log_slider(say("start w"), 0.5, 0.01, 50),
            "left_out": lambda _: make.switch(say("leave one out"), True)}
    presets = {say("SGD jumps"): OLD, say("leave none out"): {"left_out": False}, say("start at 0.1"): {"start": 0.1}}
    keyed, demo, longest = "step", ("start", 70), 205
    label = say("The loss over w as a curve, a training run as a ball on it, and the fit at its place")
    invitation = say("Drag the start: from where does the ball miss the valley?")
    titles, across = {"fit": say("The fit at the ball")}, {"land": "start"}
    slow = ("rate", "start")
    lesson_asks = (*(OLD | {"rate": r, "seed": s} for r, s in ((0.2, 0), (0.1, 0), (0.05, 0), (0.1, 1), (0.1, 2))),
                   *({"start": start} for start in (0.05, 0.15, 0.16, 0.2, 0.3, 1, 3, 10, 30)))
    layouts = (Layout(("land fit",), (2, 1), (1,), height=390, room=WIDE, gap_x=72),)

    def __init__(self):
        super().__init__()
        self.drawn_by += "optimiser", "start"       # what is between two runs is no run
        self.fit.line.set_visible(False)
        self.fit.answer.set_visible(False)
        panel = self.panels["land"]
        panel.label(say("The loss at every w"), say("w = 1 / width, sharper to the right"),
                    say("loss: squared errors"), xscale="log")
        panel.xaxis.set_major_formatter(short)
        panel.yaxis.set_major_formatter(short)

    def update(self, state: dict) -> str:
        if self.changed("run", [state[name] for name in ("optimiser", "rate", "start", "left_out")]):
            self._new_run(state)
        step, panel = int(state["step"]), self.panels["land"]
        place, w, loss = self.places[step], self.run.w[step], self.run.loss[step]
        weights = attention_weights(self.fit.grid * w, self.data.keys * w)
        self.fit.curve.set_data(self.fit.grid, weights @ self.data.values)
        for name in NAMES:                              # the ball of SGD is at the start before it jumps
            is_run = name == state["optimiser"]
            here, shown = step if is_run else 0, is_run or name == SGD
            panel.line(name, self.places[:here + 1], self.run.loss[:here + 1], palette.KEY, marker="o", markersize=3.5,
                       zorder=5, linewidth=1.6, linestyle="-" if name == SGD else "", visible=shown)
            panel.marks(("ball", name), [self.places[here]], [self.run.loss[here]], palette.KEY, 18 if is_run else 8,
                        zorder=6, markeredgewidth=1.5 * is_run, visible=shown)
        note, why = self._said(state, step)
        self.note = panel.note(note, place, loss, ha="right", near=(0.46, 0.98) if place < 0.1 else (0.97, 0.7))
        return words.joined(why, say("Step <b>{step}</b> of 300, {optimiser}: w = {w}, loss {loss}.", step=step,
                                     optimiser=NAMES[state["optimiser"]], w=words.bold(w), loss=words.bold(loss)))

    def _said(self, state: dict, step: int) -> tuple[str, str]:
        """What is to be seen at this step, as a note and as the beginning of the sentence."""
        w, slope = np.abs(self.run.w), self.run.slope[step] * self.run.w[step]
        below, ahead, size = w[step] < self.optimum, w[min(step + 1, STEPS[-1])], abs(self.run.slope[0])
        cases = (
            (not state["left_out"], say("no valley: each dot now\nhelps to predict itself"),
             say("Each dot now helps to predict itself, so the loss has no valley: w grows until the curve copies "
                 "single dots.")),
            (not self.inside, say("no valley in sight"),
             say("Here the leave-one-out loss has no lowest point between the two ends of the picture.")),
            (0.8 < w[step] / self.optimum < 1.25, say("in the valley:\nthe best width"),
             say("The ball is in the valley: with this w, dots that were left out are predicted best.")),
            (below != (w[0] < self.optimum),
             say("one long step over the valley:\nlearning rate {rate} × {slope} {size}", size=words.number(size),
                 slope=say("steep slope") if size > 10 else say("slope"), rate=words.number(state["rate"]))
             if state["optimiser"] == SGD and step == 1 else say("it jumped across\nthe valley"),
             say("One step led across the valley: now the curve is so sharp that it chases single dots.")
             if state["optimiser"] == SGD and w[step] > 2 * self.optimum else ""),
            (below == (slope > 0), say("nearly flat: it drifts away") if state["optimiser"] == SGD else
             say("nearly flat, but Adam evens out its\nsteps, flat or steep: it drifts away"),
             say("Here the loss is nearly level. A slope too slight to see leads left: w falls, all dots count "
                 "nearly alike, and the curve is flat.")
             if below else ""),
            (abs(ahead - w[step]) < 0.02 * w[step], say("nearly flat in w:\nit hardly moves")
             if abs(self.run.slope[step]) < 3 else say("small steps:\nit hardly moves"), ""),
            (True, say("downhill leads\nto the valley"), ""))
        return next((note, why) for holds, note, why in cases if holds)

    def new_sample(self) -> None:
        super().new_sample()
        self.valleys = [Valley(self.data.keys, self.data.values, left_out) for left_out in (False, True)]
        self.grid = np.geomspace(0.005, 200, 300)
        self.land = np.array([[valley.at(w)[0] for w in self.grid] for valley in self.valleys])           # (2, 300)
        low = self.land[1].argmin()
        self.optimum, self.smallest = self.grid[low], self.land[1, low]
        self.inside = self.smallest < self.land[1, [0, -1]].min() * (1 - 1e-6)
        self.top = max(1.24 * self.land[:, :150].max(), 1.8 * self.land[:, 150:].max())     # words are above it
        self.panels["land"].set(xlim=self.grid[[0, -1]] * (0.8, 1.4), ylim=(-0.08 * self.top, self.top))
        self.fit.attend(np.zeros(len(self.data.keys)))

    def _new_run(self, state: dict) -> None:
        left_out = state["left_out"]
        self.run = descend(self.valleys[left_out], state["start"], state["optimiser"], state["rate"], int(STEPS[-1]))
        self.places = np.clip(np.abs(self.run.w), *self.grid[[0, -1]])  # so that the ball stays in sight
        panel = self.panels["land"]
        left, right = ((x, -self.top) for x in self.grid[[0, -1]])
        panel.area("ground", [left, *zip(self.grid, self.land[int(left_out)]), right], facecolor=palette.FAINT,
                   alpha=0.6, zorder=0)
        panel.line("left out", self.grid, self.land[1], palette.MUTED, linewidth=1.2)       # what it was, if it changes
        panel.line("loss", self.grid, self.land[int(left_out)], palette.INK, linewidth=2.6, alpha=1.0, zorder=2.1)
        panel.words("loss word", 1.0, self.land[1, 0], say("each dot predicted\nfrom the others"), va="bottom",
                    color=palette.INK if left_out else palette.MUTED)
        panel.words("new word", 1.0, 0.97 * self.land[1, 0], say("… and from itself"), va="top", visible=not left_out)
        panel.marks("best", [self.optimum], [self.smallest], palette.INK, 6, "D", zorder=4, visible=bool(self.inside))
        panel.words("best word", self.optimum, self.smallest - 0.06 * self.top, say("best w"), va="top",
                    color=palette.INK, ha="center", visible=bool(self.inside and left_out))
        self.begin = panel.upright("start", self.places[0], (self.run.loss[0] / self.top + 0.08) / 1.08, zorder=1,
                                   color=palette.KEY, linewidth=1.2, linestyle=":")                    # up to the hill
        panel.words("start word", self.places[0], -0.06 * self.top, say("  start: step 0  "), va="bottom",
                    color=palette.KEY_INK, ha="left" if self.places[0] < 0.2 else "right")      # beside the hand
