"""The attention zoo: learned poolings as they train on the same points, a small panel each, with one slider for all."""
import html
import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from matplotlib.patches import Rectangle

from nwlab import palette
from nwlab._engine.inputs import check_choice, check_count
from nwlab.bandwidth import EdgeOfSearchWarning, select_bandwidth
from nwlab.data import make_regression
from nwlab.explore import controls as make, words
from nwlab.explore.parts import Fit, Note, QueryScene, marks
from nwlab.explore.sample import RegressionSample, key_limits, value_limits
from nwlab.explore.width import left_out_error
from nwlab.pooling import attention_weights
from workbook.figures.background import Jobs
from workbook.figures.live import WIDE, Explorer, Layout

POOLINGS = {            # name: (learning rate of Adam, how it is made for n keys and d features, what it is in a word)
    "one width": (0.2, lambda learned, n, d: learned.LearnedWidth(), "one w for all"),
    "one log width": (0.05, lambda learned, n, d: learned.LearnedLogWidth(), "the same, as log w"),
    "width per feature": (0.2, lambda learned, n, d: learned.FeatureWidths(d), "one w a feature"),
    "width per key": (0.2, lambda learned, n, d: learned.KeyWidths(n), "one w a key"),
    "additive": (0.05, lambda learned, n, d: learned.AdditiveAttention(d, hidden=8), "a small network"),
    "dot product": (0.1, lambda learned, n, d: learned.DotProductAttention("learned"), "q · k, scaled"),
    "projected": (0.05, lambda learned, n, d: learned.ProjectedAttention(d, hidden=8), "W q · W k"),
}
YARDSTICK = "Nadaraya–Watson"                           # at the leave-one-out width
POINTS = {"on a line": "A dot product gives the most weight to the keys farthest out on one side.",
          "on a circle": "All points have the same length, so a dot product weighs by distance, like a Gaussian.",
          "line + useless feature": ""}
PART = 10                               # training steps at a time
ON_A_CIRCLE = {"dot product": 2.0, "projected": 0.1}   # scores reach scale, not scale * 6: larger steps


def zoo(data=None, points="on a line", query=None, steps=200, own=None):
    """A live figure: learned poolings as they train, each with its fit, its weights and its errors, side by side.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns, of which a quarter is held out; None draws
    samples under sliders for n, noise and seed, with a hundred more points held out. points: a name of the choices in
    the figure. own: a pooling of yours, a function of (n, d) that returns a `nwlab.attention.LearnedPooling` for n keys
    with d features; it gets the eighth panel, otherwise that of Nadaraya-Watson at the leave-one-out width.
    steps: how many of Adam. Needs torch. Returns an `Explorer`.
    """
    if own is not None and not callable(own):
        raise ValueError(f"own: got {type(own).__name__}, expected a function of (n, d) that returns a pooling")
    points, steps = check_choice("points", points, tuple(POINTS)), check_count("steps", steps, 1)
    sample = ZooSample(data)
    step = make.pick("training step", np.unique(np.round(np.linspace(0, 1, 31) ** 2 * steps)), steps / 3)
    return Explorer(
        ZooScene(sample, steps, own),
        {"step": step, "_play": make.play(step, 150), "query": make.query_slider(sample.queries, query)},
        {**make.sample_controls(sample), "points": make.choice("points", [*POINTS], points),
         "leave_one_out": make.switch("leave one out", True)},
        presets={"untrained": {"step": 0}, "trained": {"step": steps},
                 "useless feature": {"points": "line + useless feature", "step": steps},
                 "on a circle": {"points": "on a circle", "step": steps}})


class ZooSample(RegressionSample):
    """A sample of which `data` is trained on, and `held` is held out; the latter may be empty."""

    def __init__(self, data=None):
        super().__init__(data)
        if self.fixed:
            held = np.random.default_rng(0).permutation(len(data.keys)) < len(data.keys) // 4
            self.data, self.held = (replace(data, keys=data.keys[some], values=data.values[some])
                                    for some in (~held, held))

    def new(self, n: int, noise: float, seed: int) -> None:
        self.data = make_regression(n=n, noise=noise, seed=seed)
        self.held = make_regression(n=100, noise=noise, seed=1000 + seed)


def place(x, keys: np.ndarray, kind: str, seed: int | None = None) -> np.ndarray:
    """Positions x (m,) as points (m, d), half a circle for the extent of the keys. seed: of a useless feature, or 0."""
    z = (np.asarray(x, dtype=float) - keys.mean()) / (np.ptp(keys) or 1.0) * 5
    if kind == "on a line":
        return z[:, None]
    if kind == "on a circle":
        return np.column_stack([np.cos(z * math.pi / 5), np.sin(z * math.pi / 5)])
    other = np.zeros(len(z)) if seed is None else np.random.default_rng(seed).uniform(-2.5, 2.5, len(z))
    return np.column_stack([z, other])


class ZooRun(Jobs):
    """Poolings trained on the same points. A job takes PART steps of one of them; first come the first steps of all.

    results: the module, the `History` of these steps, the step before them, and what went wrong: this ends a training.
    """

    def __init__(self, data, kind: str, leave_one_out: bool, seed: int, steps: int, poolings: dict):
        import torch

        super().__init__(self._train)
        self.data, self.kind, self.seed, self.steps = data, kind, seed, steps
        self.leave_one_out, self.poolings = leave_one_out and len(data.keys) > 1, [*poolings.items()]
        self.judge = "leave-one-out error" if self.leave_one_out else "training error"
        self.parts, self.trainings = math.ceil(steps / PART), {}
        # Values are learned in standard deviations: the same learning rates serve francs and millions.
        self.spread = float(data.values.std()) or 1.0
        self.keys = torch.as_tensor(place(data.keys, data.keys, kind, 0))
        self.values = torch.as_tensor((data.values - data.values.mean()) / self.spread)
        self.others = ~torch.eye(len(data.keys), dtype=torch.bool) if self.leave_one_out else None         # (n, n)

    def _train(self, job: int):
        from nwlab.training import follow, one_thread

        part, number = divmod(job, len(self.poolings))
        module, history, before, trouble = self.results[job - len(self.poolings)] if part else (None, None, 0, "")
        if trouble:
            return module, history, before, trouble
        try:
            if part:
                history.restore(module)                 # a picture may have shown an earlier step since then
            else:
                module, *self.trainings[number] = self._begin(*self.poolings[number])
            steps = min(PART, self.steps - part * PART)
            with one_thread():
                return module, follow(module, *self.trainings[number], steps, "a smaller rate"), part * PART, ""
        except Exception as error:                      # a divergence, or whatever a reader's own pooling raises
            since = f" (counted from step {part * PART} on)" if part else ""
            return module, getattr(error, "history", None), part * PART, f"{type(error).__name__}: {error}{since}"

    def _begin(self, name: str, recipe: tuple) -> tuple:
        """A new pooling, its loss as a function, and its optimiser."""
        import torch

        from nwlab import attention

        rate, make_pooling, _ = recipe
        module = make_pooling(attention, *self.keys.shape)
        if not isinstance(module, attention.LearnedPooling):
            raise ValueError(f"own: got a {type(module).__name__}, expected a LearnedPooling")
        module.double().reset_parameters(self.seed)
        rate = ON_A_CIRCLE.get(name, rate) if self.kind == "on a circle" else rate

        def loss():
            return torch.sum((module(self.keys, self.keys, self.values, mask=self.others) - self.values) ** 2)

        return module, loss, torch.optim.Adam(module.parameters(), lr=rate)

    def job_of(self, number: int, step: int) -> int:
        """The job that takes a pooling to this step; it has the step before, too."""
        return (max(step - 1, 0) // PART) * len(self.poolings) + number

    def at(self, number: int, step: int, x: np.ndarray) -> tuple[np.ndarray, float]:
        """The weights (m, n) of queries at x (m,), and the error of training; NaN before it and where it failed."""
        import torch

        job = self.job_of(number, step)
        module, history, before, _ = self.results[job] if job < self.done else (None, None, 0, "")
        if history is None:
            return np.full((len(x), len(self.keys)), np.nan), math.nan
        step = min(step - before, history.steps)
        history.restore(module, step)
        with torch.no_grad():
            module(torch.as_tensor(place(x, self.data.keys, self.kind)), self.keys, self.values)
        return module.attention_weights.numpy(), history.loss[step] / len(self.keys) * self.spread**2

    def lesson(self, step: int) -> str:
        """What points of this kind are here to show."""
        if not self.leave_one_out:
            return "Each point may attend to itself, so a small training error says nothing about new points."
        if self.kind != "line + useless feature":
            return POINTS[self.kind]
        _, history, before, _ = self.results[self.job_of([*POOLINGS].index("width per feature"), step)]
        first, second = np.abs(history.parameters["w"][min(step - before, history.steps)])
        return (f"With a width per feature, the w of the useless one is {words.number(second / first, 2)} of the "
                f"other, so it {'hardly' if second < first / 4 else 'still'} counts.")


class Small(Fit):
    """The fit of one pooling, below what it is and its two errors. A frame marks the best one."""

    def __init__(self, scene, panel, name: str, about: str):
        super().__init__(scene, panel, None, "")
        self.title = panel.set_title(name[0].upper() + name[1:], loc="left", fontsize=11)
        self.all = marks(panel, palette.VALUE, 3.6, markeredgewidth=0, zorder=1.9, label="values")
        self.dots.set_label("_nolegend_")
        self.answer.set_markersize(6)
        self.words[0].set(text=about, color=palette.MUTED, fontsize=9, position=(0.025, 0.965))
        self.caption = panel.text(0.025, 0, "", fontsize=9, linespacing=1.3, va="top", transform=panel.transAxes)
        self.frame = panel.add_patch(Rectangle((0, 0), 1, 1, transform=panel.transAxes, fill=False, linewidth=3,
                                               edgecolor=palette.VALUE_INK, clip_on=False, zorder=3))
        self.note = Note(scene, panel, ha="right")
        for unused in (self.second, *self.words[1:]):
            unused.set_visible(False)
        scene.move(self.caption, self.title, self.frame)

    def spread_words(self) -> None:
        line = 0.16 * self.panel.figure.dpi / self.panel.bbox.height
        self.leave_room(1 - 3.2 * line)
        self.caption.set_y(0.965 - line)
        self.note.words.set(x=0.98, y=0.965 - line, fontsize=9)

    def sample(self, data, across, up) -> None:
        super().sample(data, across, up)
        self.words[2].set_visible(False)
        self.places = np.column_stack([data.keys, data.values])
        self.all.set_data(*self.places.T)

    def attend(self, weights: np.ndarray) -> None:
        """Of dots with hardly any weight only the mark below stays: so the page has less to draw."""
        some = weights > 0.1 * np.nanmax(weights, initial=0.0)
        self.dots.set_offsets(self.places[some])
        super().attend(weights[some])

    def judge(self, errors: list[str], query: float, best: bool, poor: bool) -> None:
        """Show the errors, whether the pooling is the best or poor, and if it looks far from the query, say so."""
        self.caption.set_text("\n".join(errors))
        self.frame.set_visible(best)
        self.title.set(weight="bold" if best else "normal", color=palette.MUTED if poor else palette.INK)
        x, y = self.dots.get_offsets()[self.dots.get_sizes().argmax()] if poor else (query, 0)
        far = abs(x - query) > 0.3 * np.ptp(self.places[:, 0])
        self.note.say("far keys\ncount most" if far else "", x, y)


class ZooScene(QueryScene):
    label = "Learned attention poolings as they train on the same points: fit, weights at one query, errors"
    invitation = "Drag the query: which poolings look at far points?"
    across, hand = dict.fromkeys("abcdefgh", "query"), ("query", 40)
    unspoken = (EdgeOfSearchWarning,)                   # a yardstick all the same
    longest = 320
    layouts = (
        Layout(("a b", "c d", "e f", "g h"), (1, 1), (1,) * 4, height=860, gap_x=30, gap_y=36, bare=tuple("abcdef")),
        Layout(("a b c d", "e f g h"), (1,) * 4, (1, 1), height=396, gap_x=30, gap_y=40, room=WIDE,
               bare=tuple("abcd")),
    )

    def __init__(self, sample: ZooSample, steps: int, own=None):
        super().__init__(sample)
        self.poolings = POOLINGS | ({"your own": (0.05, lambda learned, n, d: own(n, d), "")} if own else {})
        shown = self.poolings if own else {**POOLINGS, YARDSTICK: (0, None, "not learned")}
        self.small = {name: Small(self, panel, name, shown[name][2])
                      for name, panel in zip(shown, self.panels.values())}
        for small in [*self.small.values()][1:]:
            small.line.set_marker("")                   # one handle is enough
        # Trainings are kept, so that going back to one costs nothing.
        self.run_of = lru_cache(16)(lambda recipe, points, leave_one_out: ZooRun(
            self.sample.data, points, leave_one_out, dict(recipe).get("seed", 0), steps, self.poolings))

    def placed(self, layout: Layout) -> None:
        first = [row.split()[0] for row in layout.mosaic]
        for name, panel in self.panels.items():
            panel.tick_params(labelleft=name in first)
            panel.yaxis.label.set_visible(name in first)

    def new_sample(self) -> None:
        data, held = self.sample.data, self.sample.held
        both = replace(data, keys=np.sort(np.append(data.keys, held.keys)), values=np.append(data.values, held.values))
        for small in self.small.values():
            small.sample(data, key_limits(both), value_limits(both))
        self.sigma = select_bandwidth(data.keys, data.values) if np.ptp(data.keys) > 0 else self.sample.unit

    def update(self, state: dict) -> str:
        data, held, query, step = self.sample.data, self.sample.held, state["query"], int(state["step"])
        run = self.run_of((*self.sample.recipe.items(),), state["points"], state["leave_one_out"])
        self.work.want(run, run.parts * len(self.poolings), run.job_of(len(self.poolings), step))
        x, m, errors = np.concatenate([[query], held.keys, self.small["additive"].grid]), len(held.keys) + 1, {}
        yardstick = (attention_weights(x, data.keys, bandwidth=self.sigma),
                     float(left_out_error(data, [self.sigma], "gaussian")[0]))
        for number, (name, small) in enumerate(self.small.items()):
            weights, error = yardstick if name == YARDSTICK else run.at(number, step, x)
            answers = weights @ data.values
            errors[name] = error, np.mean((answers[1:m] - held.values) ** 2) if m > 1 else math.nan
            small.curve.set_data(small.grid, answers[m:])
            small.attend(weights[0])
            small.mark(query, answers[0])
        best = [min(((pair[i], name) for name, pair in errors.items() if name != YARDSTICK and pair[i] >= 0),
                    default=(math.inf, "")) for i in (0, 1)]
        for name, small in self.small.items():
            kinds = (f" {run.judge}", " error on new points") if small.panel.get_label() == "a" else ("", "")
            small.judge([words.number(error, 2) + kind for error, kind in zip(errors[name], kinds) if error >= 0],
                        query, step > 0 and name == best[1][1], step > 0 and errors[name][1] > 1.3 * best[1][0])
        return self._sentence(state, run, step, best)

    def _sentence(self, state: dict, run: ZooRun, step: int, best: list[tuple[float, str]]) -> str:
        """best: the smallest error of training and that on new points, each with the name of the pooling, if known."""
        smallest = [f"<b>{name}</b> has the {words.gist(f'smallest {judge}, {words.bold(error)}')}"
                for (error, name), judge in zip(best, (run.judge, "error on new points")) if name]
        done = run.done // len(self.poolings) * len(self.poolings)          # with whole rounds only
        return words.joined(
            f"{words.gist(f'At step <b>{step}</b>')}, {state['points']}: {'; '.join(smallest)}.",
            f"Large dots have most weight at {words.at(self.sample.data, state['query'])}.",
            run.lesson(step) if done >= self.work.needed else "<b>Not all have been trained so far.</b>",
            *(f"<b>The training of {name} ended early</b>: {html.escape(trouble)}."
              for name, (*_, trouble) in zip(self.poolings, run.results[done - len(self.poolings):done]) if trouble))
