"""The attention zoo: learned poolings as they train on the same points, each in a small panel."""
import html
import math
from functools import lru_cache

import numpy as np

from nwlab._engine.inputs import check_count
from nwlab.data import make_regression
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import Fit, QueryScene
from workbook.explore.sample import RegressionSample, limits
from workbook.figures.background import Jobs
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.figures.panel import grip
from workbook.language import say

POOLINGS = {            # name: (learning rate of Adam, function that makes it for n keys, d features)
    "dot product": (0.1, lambda learned, n, d: learned.DotProductAttention("learned")),
    "projected": (0.05, lambda learned, n, d: learned.ProjectedAttention(d, hidden=8)),
    "one width": (0.2, lambda learned, n, d: learned.LearnedWidth()),
    "width per key": (0.2, lambda learned, n, d: learned.KeyWidths(n)),
    "additive": (0.05, lambda learned, n, d: learned.AdditiveAttention(d, hidden=8)),
}
NAMES = {"dot product": say("dot product"), "projected": say("projected"), "one width": say("one width"),
         "width per key": say("width per key"), "additive": say("additive"), "your own": say("your own")}
COUNT = {"one width": say("by distance"), "width per key": say("by distance"),
         "additive": say("by a small network"), "dot product": say("by the blue bars"),
         "projected": say("by learned bars"), "your own": say("by your own rule")}
POINTS = {"on a line": say("on a line"), "on a circle": say("on a circle")}
PART = 10                               # training steps of a job
TRACK = 0.03, 0.97                      # where the handle of the step begins and ends, as shares of its panel
ON_A_CIRCLE = {"dot product": 2.0, "projected": 0.1}   # scores are up to 6 times smaller there, so steps are larger


def zoo(steps=200, own=None, **start) -> Explorer:
    """A live figure: learned poolings as they train, each with its fit, its weights and its error, side by side.

    A hundred more points are held out. own: a pooling of yours, a function of (n, d) that returns a
    `nwlab.attention.LearnedPooling` for n keys with d features, in place of the one with a width per key. steps: how
    many of Adam. start: values of the controls. Needs torch.
    """
    if own is not None and not callable(own):
        raise ValueError(f"own: got {type(own).__name__}, expected a function of (n, d) that returns a pooling")
    return Explorer(ZooScene(RegressionSample(), check_count("steps", steps, 1), own), start)


def place(x, keys: np.ndarray, kind: str) -> np.ndarray:
    """Positions x (m,) as points (m, d); on a circle the keys extend over half of it."""
    z = (np.asarray(x, dtype=float) - keys.mean()) / np.ptp(keys) * 5
    if kind == "on a line":
        return z[:, None]
    return np.column_stack([np.cos(z * math.pi / 5), np.sin(z * math.pi / 5)])


class ZooRun(Jobs):
    """Poolings trained by leave-one-out on the same points. Jobs take PART steps of one pooling, of each in turn.

    results: for each job the module, its optimiser, and the `History` of these steps.
    """

    def __init__(self, data, kind: str, seed: int, steps: int, poolings: dict):
        import torch

        super().__init__(self._train)
        self.data, self.kind, self.seed, self.steps, self.poolings = data, kind, seed, steps, [*poolings.items()]
        self.all = math.ceil(steps / PART) * len(poolings)
        self.keys = torch.as_tensor(place(data.keys, data.keys, kind))
        self.values = torch.as_tensor((data.values - data.values.mean()) / data.values.std())
        self.others = ~torch.eye(len(data.keys), dtype=torch.bool)                 # (n, n)

    def _train(self, job: int) -> tuple:
        from nwlab.training import follow, one_thread

        part, number = divmod(job, len(self.poolings))
        if part:
            module, optimiser, history = self.results[job - len(self.poolings)]
            history.restore(module)                     # a picture may have restored an earlier step
        else:
            module, optimiser = self._begin(*self.poolings[number])

        def loss():
            return ((module(self.keys, self.keys, self.values, mask=self.others) - self.values) ** 2).sum()

        with one_thread():
            steps = min(PART, self.steps - part * PART)
            return module, optimiser, follow(module, loss, optimiser, steps, "a smaller rate")

    def _begin(self, name: str, recipe: tuple) -> tuple:
        import torch

        from nwlab import attention

        rate, make_pooling = recipe
        module = make_pooling(attention, *self.keys.shape)
        if not isinstance(module, attention.LearnedPooling):
            raise ValueError(f"own: got a {type(module).__name__}, expected a LearnedPooling")
        module.double().reset_parameters(self.seed)
        rate = ON_A_CIRCLE.get(name, rate) if self.kind == "on a circle" else rate
        return module, torch.optim.Adam(module.parameters(), lr=rate)

    def job_of(self, number: int, step: int) -> int:
        """The job that takes a pooling to this step."""
        return (max(step - 1, 0) // PART) * len(self.poolings) + number

    def at(self, number: int, step: int, x: np.ndarray) -> np.ndarray:
        """The weights (m, n) of queries at x (m,) after so many steps, or those so far; NaN before the first."""
        if self.done <= number:
            return np.full((len(x), len(self.keys)), np.nan)
        step = min(step, PART * math.ceil((self.done - number) / len(self.poolings)))
        job = self.job_of(number, step)
        module, _, history = self.results[job]
        history.restore(module, step - job // len(self.poolings) * PART)
        module(self.keys.new_tensor(place(x, self.data.keys, self.kind)), self.keys, self.values)
        return module.attention_weights.numpy()


class Small(Fit):
    """The fit of one pooling, with its error at new points."""

    def __init__(self, scene, panel, name: str):
        super().__init__(panel, NAMES[name][0].upper() + NAMES[name][1:])
        self.dots.set_label("_nolegend_")
        self.answer.set_markersize(6)
        place, small = (0.025, 1), {"xycoords": "axes fraction", "fontsize": 9, "va": "top"}
        self.caption = panel.words("caption", *place, "", (0, -3), **small)
        panel.words("way", *place, COUNT[name], (0, -14), color=palette.MUTED, **small)
        self.aside = panel.words("aside", 4.95, 0.0, "", fontsize=9, ha="right", color=palette.MUTED)
        for unused in (self.second, self.truth, *self.words):
            unused.set_visible(False)

    def spread_words(self) -> None:
        self.leave_room(1 - 0.35 * self.panel.figure.dpi / self.panel.bbox.height)

    def sample(self, data, across, up) -> None:
        super().sample(data, across, up)
        self.words[2].set_visible(False)
        self.grid = self.grid[::2]                      # enough in a small panel
        self.panel.marks("all", data.keys, data.values, palette.MUTED, 2.2, markeredgewidth=0, zorder=1.9,
                         label=say("values"))

    def ask(self, x: float, weights: np.ndarray) -> None:
        """Show the query x with its weights (n,) and their answer; a dot with little weight is only a small mark."""
        self.attend(weights)
        self.dots.set_sizes(np.where(weights > 0.1 * np.nanmax(weights, initial=0.0), self.dots.get_sizes(), 0.0))
        self.mark(x, weights @ self.panel["all"].get_ydata())


class ZooScene(QueryScene):
    label = say("Learned attention poolings as they train on the same points: fit, weights at one query, error")
    invitation = say("Drag the step to train five curves: which stay wrong?")
    across = {"keys": Drag("step", x=lambda steps: np.linspace(*TRACK, len(steps))), **dict.fromkeys("abcde", "query")}
    demo = ("step", 12)
    controls = {"step": lambda figure: make.pick(say("training step"), figure.scene.steps, 0),
                "query": make.query}
    play = ("step", 150)
    more = {**make.SAMPLE, "points": lambda _: make.dropdown(
        say("points"), [(name, kind) for kind, name in POINTS.items()], "on a line")}
    longest = 300
    layouts = (
        Layout(("keys keys", "a a", "b c", "d e"), (1, 1), (1,) * 4, height=752, gap_x=30, gap_y=47, bare=(*"abc",)),
        Layout(("keys a b", "c d e"), (1,) * 3, (1.35, 1), height=412, gap_x=30, gap_y=44, room=WIDE, bare=(*"ab",)),
    )

    def __init__(self, sample: RegressionSample, steps: int, own=None):
        super().__init__(sample)
        self.drawn_by += "points",
        self.steps = np.unique(np.round(np.linspace(0, 1, 31) ** 2 * steps))
        self.presets = {say("trained"): {"step": steps}, say("on a circle"): {"step": steps, "points": "on a circle"}}
        self.poolings = dict(POOLINGS)
        if own:
            self.poolings["your own"] = 0.05, lambda learned, n, d: own(n, d)
            del self.poolings["width per key"]
            self.invitation = say("Drag the step: does your own curve learn to follow the dots?")
        self.small = {name: Small(self, self.panels[panel], name) for panel, name in zip("abcde", self.poolings)}
        for small in [*self.small.values()][1:]:        # one scale is enough
            small.panel.tick_params(labelleft=False)
            small.panel.yaxis.label.set_visible(False)
        self.panels["a"].set_title(say("green: counts"), loc="right", color=palette.VALUE_INK, fontsize=9.5)
        panel = self.panels["keys"]
        panel.label(say("Blue bars: dot products"))
        panel.set_axis_off()
        panel.set(xlim=(0, 1), ylim=(0, 1))
        panel.plot(TRACK, [0, 0], color=palette.AXIS, linewidth=1, clip_on=False, label="_nolegend_")
        self.run_of = lru_cache(16)(lambda points, recipe: ZooRun(      # kept, so that going back to one is instant
            self.sample.data, points, dict(recipe)["seed"], steps, self.poolings))

    def new_sample(self) -> None:
        data, recipe = self.sample.data, self.sample.recipe
        self.held = make_regression(**recipe | {"n": 100, "seed": 1000 + recipe["seed"]})
        for small in self.small.values():
            small.sample(data, *limits(data))

    def update(self, state: dict) -> str:
        query, step = state["query"], int(state["step"])
        self.work = run = self.run_of(state["points"], (*self.sample.recipe.items(),))
        run.want(run.all, run.job_of(len(self.poolings), step))
        come = np.interp(step, self.steps, np.linspace(*TRACK, len(self.steps)))
        panel = self.panels["keys"]
        panel.line("step", [come, TRACK[0]], [0, 0], linewidth=3, label="_nolegend_", **grip(palette.INK, size=13))
        panel.words("its name", 1, 0, say("training step {n} of {last}", n=step, last=int(self.steps[-1])),
                    (0, -5), va="top", ha="right", color=palette.MUTED)
        self._show_places(state["points"], query, step > 0)
        if self.changed("step", (run, step, min(run.done, run.needed), run.done >= run.all)):
            self._new_step(run, step)
        for name, small in self.small.items():
            small.ask(query, self.weights[name][self.row_of(query)])
        off = [self.trained and self.errors[name] > self.large for name in ON_A_CIRCLE]
        lesson = say(
            "<b>Before training</b> all dots count nearly alike, so most curves are flat. Only a way that can learn to "
            "count near dots will follow them."
        ) if step == 0 and run.done >= run.all else say(
            "A <b>dot product</b> is large for two points far from the middle in the same direction. On a circle all "
            "are equally far: <b>the nearest</b> key wins; near dots count in <b>Dot product and Projected</b>, too."
        ) if self.trained and run.kind == "on a circle" and not any(off) else say(
            "On a line the outermost key, not the nearest, has the largest dot product: <b>Dot product and "
            "Projected</b> cannot single out near dots, and learn to count nearly all."
        ) if run.kind == "on a line" and all(off) else say("Where nearly all count, the curve is nearly flat.")
        return words.joined(
            say("Green dots count for the answer at {place}. Each panel chooses them in its own way, written in grey.",
                place=words.at(self.sample.data, query)),
            lesson if run.done >= run.needed and not run.failure else "",
            say("<b>The training has stopped with an error</b>: {why}.", why=html.escape(run.failure))
            if run.failure else "" if run.done >= run.needed else say("<b>Not all have been trained so far.</b>"))

    def _show_places(self, kind: str, query: float, said: bool) -> None:
        """Show keys and query as points, on a line or half a circle, and as bars the products that are above 0."""
        panel, keys, on_a_line = self.panels["keys"], self.sample.data.keys, kind == "on a line"
        points = place(np.append(keys, query), keys, kind)                              # (n + 1, 1) or (n + 1, 2)
        offsets = points * (math.pi / 5, 0) if on_a_line else points[:, ::-1]           # equally far along it
        middle, pixels = np.array([0.5, 0.17]), panel.bbox.size * 100 / self.figure.dpi
        *at, end = middle + min(0.3 * pixels[0], pixels[1] - 98) * offsets / pixels     # in fractions of the panel
        products = np.maximum(points[:-1] @ points[-1], 0.0)[:, None]                   # (n, 1)
        tips = at + 30 / pixels * products / products.max(initial=1e-9) * ((0, 1) if on_a_line else offsets[:-1])
        style = {"label": "_nolegend_", "zorder": 3}
        panel.marks("keys", *np.transpose(at), palette.KEY, 4, markeredgewidth=0, **style)
        panel.pieces("products", at, tips, palette.KEY, 1.2, **style)
        largest = [products.argmax()]
        panel.pieces("largest", np.array(at)[largest], tips[largest], palette.KEY_INK, 4, **style)
        panel.marks("query", *np.transpose([middle, end]), palette.QUERY, 6, "D", linestyle="-", markevery=[1], **style)
        panel.words("name", 0.5, 0.05, say("query"), ha="center", color=palette.QUERY_INK)
        text = (say("longest for the dot farthest\nout on the query's side") if on_a_line else
                say("bent to a circle: longest\nfor the nearest dot"))
        panel.note(text if said else "", *tips[largest][0], near=(0.46, 1.0), ha="center", color=palette.KEY_INK)

    def _new_step(self, run: ZooRun, step: int) -> None:
        """Curves and errors of all poolings, and the weights (m, n) of all queries, which a drag only looks up."""
        data, held, self.weights, self.errors = self.sample.data, self.held, {}, {}
        self.trained, then = step > run.steps / 2, self.run_of("on a line", (*self.sample.recipe.items(),))   # in grey
        changed = {"your own", *ON_A_CIRCLE} if self.trained and then is not run and then.done >= then.all else ()
        x, m = np.concatenate([self.queries, held.keys, self.small["additive"].grid]), len(self.queries)
        for number, (name, small) in enumerate(self.small.items()):
            shown, weights = name in changed, run.at(number, step, x)
            self.weights[name], answers = weights[:m], weights[m:] @ data.values
            others = then.at(number, run.steps, x[m:]) @ data.values if shown else answers
            self.errors[name], before = (np.mean((y[:len(held.keys)] - held.values) ** 2) for y in (answers, others))
            small.curve.set_data(small.grid, answers[len(held.keys):])
            small.panel.line("grey", small.grid, others[len(held.keys):], palette.MUTED, linewidth=1.2, zorder=2,
                             label="_nolegend_", visible=shown)
            small.aside.set_text(say("on a line: error {error}", error=words.number(before, 2)) if shown else "")
        self.large = large = np.var(held.targets) / 4 + min(                            # twice the least may be small
            (error for error in self.errors.values() if error >= 0), default=0.0)
        for name, error in self.errors.items():
            flat = np.ptp(self.small[name].curve.get_ydata()) < data.values.std() / 2
            verdict = (say("error {error}, flat") if not self.trained and flat else
                       say("error {error}, misses") if self.trained and error > large else
                       say("error {error}, follows") if name in changed else say("error {error}"))
            self.small[name].caption.set(text=verdict.format(error=words.number(error, 2)) if error >= 0 else "",
                                         color=palette.NEGATIVE_INK if self.trained and error > large else palette.INK)
