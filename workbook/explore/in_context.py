"""An attention layer trained on small regression tasks: its weights beside the best Gaussian's, step by step."""
import numpy as np

from nwlab.pooling import nadaraya_watson
from workbook import palette
from workbook.explore import make, words
from workbook.explore.parts import FitScene
from workbook.explore.sample import Sample
from workbook.figures.interactions import Drag
from workbook.figures.live import WIDE, Explorer, Layout
from workbook.language import say


def in_context(run=None, **start) -> Explorer:
    """A live figure: what one softmax layer has learned from thousands of small regression tasks.

    run: what `workbook.labs.in_context.train` returns. None: trained runs that come with the workbook, for many noise
    levels and numbers of tokens n. It opens at the end of the training. start: values of the controls step, query,
    noise, n and seed. Needs torch.
    """
    return Explorer(InContextScene(run), start)


class TaskSample(Sample):
    """A task of the run that was trained with this noise and n; a reader's own run is the only one."""

    drawn_by = ("noise", "n", "seed")

    def __init__(self, run=None):
        from workbook.labs import in_context_yardstick as yardstick  # it imports torch, so only here

        self.queries, self.yardstick, self.fixed = np.linspace(0.0, 5.0, 51), yardstick, run is not None
        self.runs = {(): yardstick.replay(run)} if self.fixed else yardstick.shipped()      # (noise, n) -> run
        self.steps = next(iter(self.runs.values())).steps                                   # the same of all

    def new(self, seed: int, **trained_with) -> None:
        self.run = self.runs[(*trained_with.values(),)]
        self.data, self.drawn = (self.yardstick.draw_tasks(1, self.run.n, noise, self.run.length, seed=seed).one(0)
                                 for noise in (self.run.noise, max(self.run.noise, 0.3 if self.fixed else 1)))


class InContextScene(FitScene):
    label = say("A trained attention layer: its weights grow into the best Gaussian's; its fit, and its error by step")
    invitation = say("Drag the training step left: how did this bump begin?")
    controls = {"step": lambda figure: make.pick(say("training step"), figure.scene.steps, figure.scene.steps[-1]),
                "noise": make.of_sample(lambda figure: make.pick(say("noise"), figure.scene.yardstick.NOISES, 0.3))}
    more = {"query": lambda figure: make.query(figure, 2.5),
            "n": make.of_sample(lambda figure: make.pick(say("tokens n"), figure.scene.yardstick.CONTEXTS, 50)),
            "seed": lambda _: make.slider(say("task"), 0, 0, 30, 1)}
    titles, second, sample_kind, weighed_by = {"fit": say("A new task")}, "Gaussian", TaskSample, ("step",)
    across = {"fit": "query", "bump": "query", "steps": Drag("step", x=lambda steps: np.arange(len(steps)))}
    demo, longest = ("step", 0), 205
    layouts = (
        Layout(("bump bump", "steps steps", "fit curve"), (1, 1), (1.4, 0.08, 1), height=640, gap_y=72),
        Layout(("bump fit", "bump curve", "steps curve"), (1.9, 1), (1.25, 0.5, 0.12), height=416, gap_y=72, room=WIDE),
    )

    def __init__(self, run=None):
        super().__init__(run)
        self.yardstick, self.steps = self.sample.yardstick, self.sample.steps
        if self.sample.fixed:                           # a reader's own run has no other noise
            self.controls, self.more = self.controls | {"query": self.more["query"]}, {"seed": self.more["seed"]}
        self.play = "step", 6000 // len(self.steps)
        self.presets = {say("before training"): {"step": 0.0}, say("much noise"): {"noise": 1.0}}
        self.fit.words[1].set_text(say("layer"))
        self.fit.line.set_alpha(0.5)
        steps, bump, curve = (self.panels[name] for name in ("steps", "bump", "curve"))
        steps.label("", say("training step"), xlim=(-0.3, len(self.steps) - 0.7), yticks=[])
        steps.spines["left"].set_visible(False)
        some = range(0, len(self.steps), max(len(self.steps) // 8, 1))  # so that their labels have room
        steps.set_xticks(some, [f"{self.steps[i]:g}" for i in some])
        steps.tick_params(axis="x", pad=5)                                                   # below the handle
        bump.label(say("Where the layer looks"), say("x of a token (a green dot)"), say("weight per unit of x"),
                   y_ink=palette.KEY_INK, xlim=(0, 5))
        bump.names((say("layer"), palette.KEY_INK), (say("best Gaussian"), palette.LOCAL_LINEAR), across=0.98,
                   ha="right")
        curve.label_errors(say("spread of the weights"), say("Error by step"))
        curve.names_in_a_row((say("layer"), palette.KEY_INK), ("Nadaraya–Watson", palette.LOCAL_LINEAR))
        self.spreads = [self.yardstick.spread(self.yardstick.Gaussian(width)).mean()
                        for width in self.yardstick.WIDTHS.tolist()]

    def weigh(self, x, state):
        import torch

        self.layer(*map(torch.as_tensor, (x, self.data.keys, self.data.values)))
        return self.layer.attention_weights.numpy()

    def update(self, state: dict) -> str:
        run, profile, bump = self.sample.run, self.yardstick.profile, self.panels["bump"]
        step = int(np.argmin(np.abs(run.steps - state["step"])))
        self.layer = run.layers[step]
        x = float(self.queries[self.show_fit(state)])
        keys, now = self.yardstick.EVEN_KEYS.numpy(), profile(self.layer, [x])[0]    # (k,) each
        self.bump = bump.line("layer", keys, now, palette.KEY, linewidth=3.5, alpha=0.7, zorder=3, label=say("layer"))
        self.gaussian = bump.line("Gaussian", keys, profile(self.yardstick.Gaussian(run.best), [x])[0], zorder=4,
                                  color=palette.LOCAL_LINEAR, linewidth=1.8, linestyle=(0, (4, 2)))
        bump.upright("query", x, zorder=0.5, alpha=0.5)             # it is not what the invitation is about
        self.now = self.panels["curve"].marks("now", [run.spreads[step]], [run.errors[step]], palette.KEY, 8, zorder=5)
        self.panels["steps"].upright("now", step, color=palette.KEY, markersize=14)
        self.far = run.spreads[step] > 1.2 * run.best
        self._point_out(run, step, x, now)
        return self._sentence(run, step)

    def _point_out(self, run, step: int, x: float, now: np.ndarray) -> None:
        left, away = x > 2, (0.6 + 2.4 * self.far) * run.best   # where it looks too far, it is above the Gaussian there
        at = int(np.clip(100 * (x - away if left else x + away), 0, len(now) - 1))
        text = (say("untrained, it looks\neverywhere: a flat fit") if not run.steps[step] else
                say("it still looks\ntoo far away") if self.far else
                say("a layer trained on noise {noise:g}\naverages more dots", noise=run.noise) if run.best > 0.4 else
                say("trained, it looks\nnear the query"))
        self.note = self.panels["bump"].note(text, at / 100, now[at], at=(0.04 if left else 0.96, 0.55),
                                             ha="left" if left else "right")

    def new_sample(self) -> None:
        super().new_sample()
        data, run, grid, panel = self.data, self.sample.run, self.fit.grid, self.panels["curve"]
        self.fit.second.set_data(grid, nadaraya_watson(grid, data.keys, data.values, bandwidth=run.best))
        panel.line("kernel", self.spreads, run.kernel_errors, palette.LOCAL_LINEAR)
        panel.line("path", run.spreads, run.errors, palette.KEY, marker=".", markersize=4, linewidth=0.9, alpha=0.55)
        # The axes stay when the noise changes; words are above. The Gaussian's peak is 0.40 / width.
        among = [each for each in self.sample.runs.values() if each.n == run.n]
        highest, lowest = max(each.errors.max() for each in among), min(each.kernel_errors.min() for each in among)
        panel.set(xlim=(0.05, 2.2), ylim=(lowest / 2, highest * (highest / lowest) ** 0.3))
        self.panels["bump"].set_ylim(0, 0.5 / min(each.best for each in among))

    def _sentence(self, run, step: int) -> str:
        spreads = (
            say("Before training, all tokens count nearly alike, and the fit is flat: the weights spread by {spread}.")
            if not run.steps[step] else
            say("After {step} training steps, the layer still averages tokens far from the query: its weights spread "
                "by {spread}.") if self.far else
            say("After {step} training steps, the weights spread by {spread} around the query, before training by "
                "{first}."))
        best = (say("With noise {noise} and {n} tokens a wide bump is best, as the noise of many tokens averages out: "
                    "σ = {width}.") if run.best > 0.4 else
                say("The best Gaussian for tasks of noise {noise} and {n} tokens has σ = {width}."))
        said = [each.format(step=f"{run.steps[step]:g}", spread=words.key(words.bold(run.spreads[step], 2)), n=run.n,
                            first=words.number(run.spreads[0], 2), noise=f"{run.noise:g}",
                            width=words.bold(run.best, 2)) for each in (spreads, best)]
        return words.joined(*(said if self.far or run.best <= 0.4 else said[::-1]))   # first what is to be seen
