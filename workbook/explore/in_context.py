"""An attention layer trained on small regression tasks: its weights beside the best Gaussian's, step by step."""
import numpy as np

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
            "n": make.of_sample(lambda figure: make.pick(say("dots n"), figure.scene.yardstick.CONTEXTS, 50)),
            "seed": lambda _: make.slider(say("task"), 0, 0, 30, 1)}
    titles, sample_kind = {"fit": say("Its curve for new dots")}, TaskSample
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
        bump.label(say("How much a dot at x counts"), say("x of a green dot"), say("weight per unit of x"),
                   y_ink=palette.KEY_INK, xlim=(0, 5))
        names = (say("layer: a small model"), palette.KEY_INK), (say("best bump"), palette.LOCAL_LINEAR)
        bump.names(*names, across=0.98, ha="right")
        curve.label_errors(say("width of the bump"), say("Error by step"))
        curve.names_in_a_row((say("● layer"), palette.KEY_INK), (say("at each width"), palette.LOCAL_LINEAR))
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
        self.calm = bump.line("calm", keys, profile(self.before.layers[step], [x])[0], palette.MUTED, linewidth=1.4,
                              zorder=2, label="_nolegend_", visible=run.noise > self.before.noise and not self.far)
        self._point_out(run, step, x, now)
        return self._sentence(run, step)

    def _point_out(self, run, step: int, x: float, now: np.ndarray) -> None:
        noisy, left, panel, ha = self.calm.get_visible(), x > 2, self.panels["bump"], "left" if x > 2 else "right"
        away = (0.6 + 2.4 * self.far) * run.best                # where it looks too far, it is above the Gaussian there
        at = int(np.clip(100 * (x - away if left else x + away), 0, len(now) - 1))
        text = (say("untrained, it counts all dots\nnearly alike: a flat curve") if not run.steps[step] else
                say("still wider than\nthe best bump") if self.far else
                say("trained afresh on noisier\ndots, it averages more\nof them: a wider bump") if noisy else
                say("trained, it counts\nmostly near dots"))
        self.note = panel.note(text, at / 100, now[at], at=(0.04 if left else 0.96, 0.6), ha=ha)
        text, peak = say("trained on\nnoise 0.3") if noisy else "", self.calm.get_ydata().max()
        panel.note(text, x, peak, name="grey", near=(0.6 if left else 0.3, 0.6), color=palette.MUTED)
        least, grey = run.kernel_errors.argmin(), say("\n(grey: noise 0.3)") if run is not self.before else ""
        text = say("least error: width {width}", width=f"{run.best:.2g}") + grey
        self.panels["curve"].note(text, self.spreads[least], run.kernel_errors[least], near=(0.25, 0.3))

    def new_sample(self) -> None:
        super().new_sample()
        run, panel = self.sample.run, self.panels["curve"]
        self.before = self.sample.runs.get((0.3, run.n), run)
        panel.line("calm", self.spreads, self.before.kernel_errors, palette.MUTED, linewidth=1.2)
        panel.line("kernel", self.spreads, run.kernel_errors, palette.LOCAL_LINEAR)
        panel.line("path", run.spreads, run.errors, palette.KEY, marker=".", markersize=4, linewidth=0.9, alpha=0.55)
        # The axes stay when the noise changes; words are above. The Gaussian's peak is 0.40 / width.
        among = [each for each in self.sample.runs.values() if each.n == run.n]
        highest, lowest = max(each.errors.max() for each in among), min(each.kernel_errors.min() for each in among)
        panel.set(xlim=(0.05, 2.2), ylim=(lowest / 4, highest * (highest / lowest) ** 0.3), yticks=(0.01, 0.1, 1))
        self.panels["bump"].set_ylim(0, 0.5 / min(each.best for each in among))

    def _sentence(self, run, step: int) -> str:
        spreads = (
            say("Before training, all dots count nearly alike (width {spread}), so the curve is flat.") if not step else
            say("After {step} training steps, the bump is still too wide: its width is {spread}.") if self.far else
            say("After {step} training steps, near dots count most: the bump's width is {spread}."))
        best = say("With noise {noise} and {n} dots the best width is {width}: narrower keeps noise, wider blurs.")
        return words.joined(spreads, best).format(
            step=f"{run.steps[step]:g}", spread=words.key(words.bold(run.spreads[step], 2)), n=run.n,
            noise=f"{run.noise:g}", width=words.bold(run.best, 2))
