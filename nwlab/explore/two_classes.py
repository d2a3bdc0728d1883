"""Two classes on a line: joint and class-conditional Parzen densities, and Nadaraya-Watson of the labels."""
from __future__ import annotations

import numpy as np

from nwlab import palette
from nwlab.density import parzen_density
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.class_parts import COLOURS, CONDITIONAL, JOINT, MARKERS, ClassStems, DensityPanel
from nwlab.explore.class_sample import TIE, ClassSample
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.kernels import KERNELS, get_kernel
from nwlab.pooling import attention_scores, masked_softmax

SIGNS = (-1.0, 1.0)


def two_classes(data=None, sigma=None, kernel="gaussian", query=None):
    """A live figure: where two classes part, by joint and by class-conditional densities, and with which errors.

    data: (points, labels) as `nwlab.make_classes` returns, any two labels will do; or what `read_csv` or `from_arrays`
    returns, whose values are the labels (more than two values are split at their median). None draws samples under
    sliders for the share of +1, n and seed. sigma, kernel and query are where it starts. Returns an `Explorer`.
    """
    kernel, sample = get_kernel(kernel), ClassSample(data)
    kernel.integral()                                       # ValueError for a kernel that is no density
    unit = sample.extent / 8
    controls = {} if sample.fixed else {"share": make.slider("share of +1", 0.2, 0.02, 0.98, 0.01)}
    controls["sigma"] = make.log_slider("sigma", "width σ", 0.4 * unit if sigma is None else sigma, 0.02 * unit,
                                        8 * unit, "270px")
    controls["kernel"] = make.kernel_choice(kernel.name, [name for name in KERNELS if name != "constant"])
    start = float(np.median(sample.points)) if sample.fixed else 0.4
    controls["query"] = make.query_slider(sample.queries, start if query is None else query)
    presets = {"islands": {"sigma": 0.05 * unit}, "too wide": {"sigma": 2.5 * unit},
               "gaps": {"sigma": 0.1 * unit, "kernel": "boxcar"}}
    if not sample.fixed:
        controls |= {"n": make.slider("n", 100, 10, 400, 1, "190px"), "seed": make.slider("seed", 0, 0, 30, 1, "180px")}
        presets = {"balanced": {"share": 0.5}, "rare": {"share": 0.06}} | presets
    rows = (("share", "sigma", "kernel"), ("query", "n", "seed"))
    return Explorer(TwoClassesScene(sample), controls, presets, rows=rows)


def borders_between(x: np.ndarray, answers: np.ndarray) -> list[float]:
    """Where the verdict changes along x (g,): between neighbours of opposite sign with no gap (NaN) between them."""
    decided = np.flatnonzero(np.abs(answers) > TIE)
    gaps = np.cumsum(np.isnan(answers))
    return [float(x[i] + (x[j] - x[i]) * answers[i] / (answers[i] - answers[j]))
            for i, j in zip(decided[:-1], decided[1:]) if answers[i] * answers[j] < 0 and gaps[i] == gaps[j]]


class TwoClassesScene(Scene):
    label = "Two classes: joint and class-conditional densities, Nadaraya-Watson of the labels, weights at the query"
    keys = ("ArrowLeft", "ArrowRight")
    layouts = (
        Layout(("joint joint", "conditional conditional", "answer stem"), (1.2, 1), (1, 1, 1), height=800, gap_y=74),
        Layout(("joint answer", "conditional stem"), (1.25, 1), (1, 1), height=520, room=860, gap_y=76),
    )

    def __init__(self, sample: ClassSample):
        super().__init__()
        self.sample = sample
        self.joint = DensityPanel(self, self.panels["joint"], "Joint: each class with its share", JOINT)
        self.conditional = DensityPanel(self, self.panels["conditional"], "Class-conditional: each class for itself",
                                        CONDITIONAL)
        self._make_answer(self.panels["answer"])
        self.stems = ClassStems(self, self.panels["stem"])
        for panel in self.panels.values():
            panel.set_xlim(sample.grid[0], sample.grid[-1])
            panel.set_xlabel(sample.axis)

    def _make_answer(self, panel) -> None:
        panel.set_title("Nadaraya–Watson", loc="left")
        panel.set_ylabel("average label")
        panel.set_ylim(-1.3, 1.75)
        panel.set_yticks([-1, 0, 1], ["−1", "0", "+1"])
        panel.axhline(0.0, color=palette.MUTED, linewidth=0.8, zorder=0)
        self.points = [panel.scatter([], [], color=colour, marker=marker, linewidths=0, zorder=2)
                       for colour, marker in zip(COLOURS, MARKERS)]
        self.curve, = panel.plot([], [], zorder=4, **palette.ESTIMATE_LINE)
        self.balanced, = panel.plot([], [], color=palette.MUTED, linewidth=2.0, linestyle=CONDITIONAL, zorder=3)
        self.line = panel.axvline(0.0, ymax=0.86, zorder=1.5, **palette.QUERY_LINE)
        self.answers = [panel.plot([], [], "o", color=palette.QUERY, markersize=size, markeredgecolor=palette.PAPER,
                                   zorder=6)[0] for size in (9, 6)]
        for place, align, text, colour in ((0.015, "left", "as mixed ━", palette.INK),
                                           (0.985, "right", "balanced ┅", palette.MUTED)):
            panel.text(place, 0.985, text, transform=panel.transAxes, va="top", ha=align, color=colour)
        self.move(*self.points, self.balanced, self.curve, self.line, *self.answers)

    def update(self, state: dict) -> str:
        sample = self.sample
        if sample.draw(state):
            self._new_sample()
        kernel, sigma, query, points, labels = state["kernel"], state["sigma"], state["query"], sample.points, sample.labels
        x = np.append(sample.grid, query)                                                   # (g + 1,): the query is last
        with words.empty_windows_said():
            scores = attention_scores(x, points, kernel, sigma)                             # (g + 1, n)
            weights = masked_softmax(scores)
            answers = weights @ labels                                                      # (g + 1,)
            balanced = masked_softmax(scores - np.log(sample.counts)) @ labels if sample.both else x * np.nan
        alone = np.array([parzen_density(x, points[labels == sign], kernel, sigma) if np.any(labels == sign) else x * np.nan
                          for sign in SIGNS])                                               # (2, g + 1)
        joint = np.nan_to_num(alone) * sample.shares[:, None]
        grid, self.found = x[:-1], [borders_between(x[:-1], some[:-1]) for some in (answers, balanced)]
        texts = [[f"{mark} {name}: area {area}" for mark, name, area in zip("●▲", sample.names, areas)]
                 for areas in ([f"{share:.2f}" for share in sample.shares], ["1" if share else "none" for share in sample.shares])]
        changed = [panel.show(grid, some[:, :-1], verdicts[:-1], found, query, some[:, -1], text)
                   for panel, some, verdicts, found, text in zip((self.joint, self.conditional), (joint, alone),
                                                                 (answers, balanced), self.found, texts)]
        self.curve.set_data(grid, answers[:-1])
        self.balanced.set_data(grid, balanced[:-1])
        self.line.set_xdata([query, query])
        for dot, answer in zip(self.answers, (answers[-1], balanced[-1])):
            dot.set_data([query], [answer])
        now = np.nan_to_num(weights[-1])
        for dots, sign in zip(self.points, SIGNS):
            strength = now[labels == sign] / (now.max() or 1.0)
            dots.set_sizes(10 + 80 * strength)
            dots.set_alpha(0.3 + 0.65 * strength if strength.size else None)
        changed.append(self.stems.show(points, now * labels, query))
        if any(changed):
            self.changed_background()
        errors = sample.errors(answers[:-1], balanced[:-1], kernel, sigma)
        return " ".join([self._at(query, now, answers[-1], balanced[-1], alone[:, -1]), self._where(), self._wrong(errors)])

    def _new_sample(self) -> None:
        sample = self.sample
        for dots, sign in zip(self.points, SIGNS):
            at = sample.points[sample.labels == sign]
            dots.set_offsets(np.column_stack([at, np.full(len(at), sign)]))

    def _at(self, query, weights, answer, balanced, alone) -> str:
        """What the query is told by either comparison."""
        at = f"At {words.query(f'{self.sample.axis} = {words.number(query)}')}"
        if np.isnan(answer):
            return f"{at} <b>no point is within reach</b>: both densities are 0, and there is no verdict."
        minus, plus = (float(weights[self.sample.labels == sign].sum()) for sign in SIGNS)
        said = (f"{at} the weights of {self._name(1)} add up to {plus:.2f}, those of {self._name(0)} to {minus:.2f}: the "
                f"answer is {plus:.2f} − {minus:.2f} = <b>{words.number(answer, 2)}</b>, so the joint verdict is "
                f"{self._verdict(answer)}.")
        if not self.sample.both:
            return said + " One class has no points: there is no class-conditional density to compare with."
        minus, plus = (words.number(float(density), 2) for density in alone)
        word = "also" if np.sign(answer) == np.sign(balanced) else "but"
        return said + (f" Class-conditional, {plus} against {minus}: {word} {self._verdict(balanced)}.")

    def _name(self, index: int) -> str:
        return f'<span class="nwlab-{("minus", "plus")[index]}">{"●▲"[index]} {self.sample.names[index]}</span>'

    def _verdict(self, answer: float) -> str:
        return "<b>a tie</b>" if abs(answer) <= TIE else f"<b>{self._name(int(answer > 0))}</b>"

    def _where(self) -> str:
        """How many borders there are, and where if there are few."""
        parts = []
        for name, borders in zip(("joint", "class-conditional"), self.found):
            if len(borders) == 1:
                parts.append(f"{name} at <b>{words.number(borders[0])}</b>")
            elif borders:
                parts.append(f"{name} at {len(borders)} places (islands)")
            else:
                parts.append(f"{name} nowhere")
        return f"The verdict changes: {', '.join(parts)}."

    def _wrong(self, errors) -> str:
        """Wrong verdicts of both comparisons, where the classes are mixed as here and where they are balanced."""
        if errors is None:
            return ""
        by, mixes = ("Leave-one-out errors" if self.sample.fixed else "Errors"), (self.sample.shares, np.array([0.5, 0.5]))
        mixed, even = ([f"{mix @ rule[:, 0]:.1%}" for rule in errors] for mix in mixes)
        silent = float(self.sample.shares @ errors[0, :, 1])
        said = (f"{by} where the classes are mixed as here: joint <b>{mixed[0]}</b>, class-conditional <b>{mixed[1]}</b>; "
                f"where they are balanced: {even[0]} and {even[1]}.")
        return said + (f" No verdict for {silent:.1%}." if silent > 0.0005 else "")

    def dragged(self, panel, x, y, state):
        return None if panel is None else {"query": float(np.clip(x, *self.sample.queries[[0, -1]]))}

    def typed(self, key, state):
        queries = self.sample.queries
        row = int(np.argmin(np.abs(queries - state["query"]))) + (1 if key == "ArrowRight" else -1)
        return {"query": float(queries[np.clip(row, 0, len(queries) - 1)])}
