"""Reading the attention heatmap: what its order, its band and its slope say, and that the values play no part in it."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from nwlab._engine.inputs import check_choice
from nwlab.data import RegressionData
from nwlab.explore.stage import controls as make
from nwlab.explore.stage import words
from nwlab.explore.cells import SHUFFLED, SORTED, TO_SCALE, EffectiveKeys, OrderedHeat
from nwlab.explore.stage.live import Explorer, Layout, Scene
from nwlab.explore.stage.parts import Fit, Stems, show_sample
from nwlab.explore.stage.sample import RegressionSample, key_limits
from nwlab.kernels import get_kernel
from nwlab.pooling import attention_weights, effective_keys, nadaraya_watson

DRAWN, FLIPPED, NOISE = "as they are", "upside down", "pure noise"


def heatmap(data=None, sigma=None, kernel="gaussian", query=None, order=SORTED):
    """A live figure: how to read the attention heatmap, sorted, shuffled, or with each row and column at its own x.

    Beside each row stands its effective number of keys. Pointing at a row asks its query in the fit, a click keeps it.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n, noise
    and seed, with half of the keys crowded to the left if wanted. sigma, kernel, query and order ("sorted", "shuffled",
    "to scale") are where it starts. Returns an `Explorer`.
    """
    kernel, order = get_kernel(kernel).name, check_choice("order", order, (SORTED, SHUFFLED, TO_SCALE))
    sample = RegressionSample(data)
    unit = sample.unit
    controls = {
        "order": make.choice("rows and columns", (SORTED, SHUFFLED, TO_SCALE), order),
        "values": make.choice("values", (DRAWN, FLIPPED, NOISE), DRAWN),
        **make.width_sliders(sigma, unit),
        "kernel": make.kernel_choice(kernel),
        "query": make.query_slider(sample.queries, query),
    }
    presets = {"needle": {"sigma": 0.03 * unit}, "soft band": {"sigma": 0.25 * unit}, "river": {"sigma": 2.0 * unit},
               "starry sky": {"order": SHUFFLED}}
    if data is None:
        controls["crowd"] = make.switch("crowd half of the keys left")
        controls |= make.sample_controls(sample)
        presets["crowded left"] = {"crowd": True}
    rows = (("order", "values"), ("sigma", "_w", "kernel"), ("query", "crowd"), ("n", "noise", "seed"))
    return Explorer(HeatmapScene(sample), controls, presets, hidden={"pointed": None}, rows=rows)


def crowded(data: RegressionData, share: float = 0.2) -> RegressionData:
    """The same sample with the lower half of its keys pushed into the left `share` of their range.

    Ranks and noise stay, values move along the truth to the new keys.
    """
    low, high, middle = 0.0, 5.0, float(np.median(data.keys))           # the range of the samples that are drawn here
    split = low + share * (high - low)
    keys = np.interp(data.keys, [low, middle, high], [low, split, high])
    return replace(data, keys=keys, values=data.truth(keys) + (data.values - data.truth(data.keys)))


def with_values(data: RegressionData, kind: str) -> RegressionData:
    """The same keys with other values: turned upside down with their truth, or drawn without regard to the keys."""
    if kind == FLIPPED:
        around = data.values.min() + data.values.max()
        truth = (lambda x: around - data.truth(x)) if data.truth else None
        return replace(data, values=around - data.values, targets=around - data.targets, truth=truth)
    if kind == NOISE:
        noise = np.random.default_rng(1957).standard_normal(len(data.values))
        return replace(data, values=data.values.mean() + data.values.std() * noise,
                       targets=np.full_like(data.targets, np.nan), truth=None)
    return data


class HeatmapScene(Scene):
    label = "The attention heatmap, the effective number of keys of each row, and one row as a query in the fit"
    keys = ("ArrowUp", "ArrowDown")
    layouts = (
        Layout(("heat heat count", "fit stem stem"), (1, 0.4, 0.62), (1.5, 1), height=660, gap_y=76),
        Layout(("heat count fit", "heat count stem"), (1.5, 0.36, 1.2), (1.7, 1), height=480, room=860,
               bare=("fit",)),
    )

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.data = None
        self.heat = OrderedHeat(self, self.panels["heat"], "Attention weights")
        self.count = EffectiveKeys(self, self.panels["count"])
        self.fit = Fit(self, self.panels["fit"])
        self.fit.panel.set_title("The fit", loc="left")
        self.stems = Stems(self, self.panels["stem"], "The row of the query")
        self._recipe = self._arranged = None

    def placed(self, layout: Layout) -> None:
        panel = self.panels["count"]
        box, nearer = panel.get_position(), 0.48 / self.figure.get_figwidth()       # no names in between: the rows go on
        panel.set_position((box.x0 - nearer, box.y0, box.width + nearer, box.height))

    def update(self, state: dict) -> str:
        drawn, recipe = self.sample.draw(state), (state["values"], state.get("crowd"))
        if drawn or recipe != self._recipe:
            self._recipe = recipe
            self._new_sample(state)
        data, sigma, kernel = self.data, state["sigma"], state["kernel"]
        if self._arranged != (data.keys.tobytes(), state["order"]):
            self._arranged = (data.keys.tobytes(), state["order"])
            self.heat.arrange(data, state["order"])
            self.count.arrange(len(data.keys), self.heat.panel.get_ylim())
            self.changed_background()
        row = self._asked(state)
        with words.empty_windows_said():
            weights = attention_weights(data.queries, data.keys, kernel, sigma)               # (m, n)
            grid = self.fit.grid
            self.fit.curve.set_data(grid, nadaraya_watson(grid, data.keys, data.values, kernel, sigma))
        effective, answer = effective_keys(weights), float(weights[row] @ data.values)
        self.heat.show(weights, row)
        self.count.show(effective, self.heat.heights, row)
        self.fit.attend(weights[row])
        self.fit.ask(data.queries[row], answer)
        ink = self.heat.image.get_clim()            # stems on the heatmap's scale: it stays as one goes from row to row
        if self.stems.show(data.keys, weights[row], data.queries[row], beside=np.array(ink)):
            self.changed_background()
        return self._sentence(state, effective, row, answer)

    def _new_sample(self, state: dict) -> None:
        data = crowded(self.sample.data) if state.get("crowd") else self.sample.data
        self.data = data = with_values(data, state["values"])
        show_sample(data, self.fit, self.stems)
        self.changed_background()

    def _asked(self, state: dict) -> int:
        """The number of the query that is asked: pointed at, as long as the kept one has not moved since, or kept."""
        if state["pointed"] and state["pointed"][1] == state["query"]:
            return state["pointed"][0]
        return self.row_of(state["query"])

    def _sentence(self, state, effective, row, answer) -> str:
        data, order, sigma = self.data, state["order"], state["sigma"]
        m, n = len(data.queries), len(data.keys)
        empty = int(np.isnan(effective).sum())
        parts = ["Each row is a " + words.query("query") + " and sums to 1, each column is a " + words.key("key") + "; " + {
            SORTED: "sorted by position, near pairs lie along the diagonal.",
            SHUFFLED: "<b>shuffled</b>, the same correct weights are a starry sky. Only the order is gone: the fit is the same.",
            TO_SCALE: "each stands at its own x, so the band is straight, however dense the keys.",
        }[order]]
        if not np.isfinite(get_kernel(state["kernel"]).std):
            parts.append(f"The constant kernel has no width: every query attends to all {n} keys alike, a river.")
        elif empty < m:
            kind = words.band(effective, n)
            parts.append(f"Width σ = <b>{words.number(sigma)}</b> (w = {words.number(1 / sigma)}): a typical query attends "
                         f"to <b>{words.number(float(np.nanmedian(effective)))}</b> of {n} keys in effect"
                         f"{f', {kind}' if order != SHUFFLED else ''}.")
        parts.append(words.gaps(empty, m).strip())
        if order == SORTED and (state.get("crowd") or self.sample.fixed):
            parts.append(self._slope())
        if state["values"] != DRAWN:
            kind = {FLIPPED: "turned upside down", NOISE: "pure noise"}[state["values"]]
            parts.append(f"The {words.value('values')} are {kind}: other answers, <b>the same heatmap</b>, as values play "
                         "no part in it.")
        at = words.at(data, data.queries[row])
        said = f"{words.number(effective[row])} keys in effect, answer <b>{words.number(answer)}</b>"
        parts.append(f"The framed row asks {at}: {said if np.isfinite(answer) else 'no key within reach, no answer'}.")
        return " ".join(part for part in parts if part)

    def _slope(self) -> str:
        """How far the band moves from row to row, where keys are dense and where they are sparse."""
        keys, queries = self.data.keys, self.data.queries
        edges = np.linspace(*key_limits(self.data, margin=0.0), 6)
        count, asked = (np.histogram(points, edges)[0] for points in (keys, queries))
        steps = count[asked > 0] / asked[asked > 0]                         # keys per row, in each fifth of the range
        return (f"The slope follows the density of the keys: a row further, the band moves <b>{words.number(steps.max(), 2)}"
                f"</b> keys to the right where they crowd and {words.number(steps.min(), 2)} where they are sparse.")

    def dragged(self, panel, x, y, state):
        row = self._row_under(panel, x, y)
        return None if row is None else {"query": float(self.data.queries[row]), "pointed": None}

    def hovered(self, panel, x, y, state):
        row = self._row_under(panel, x, y)
        return {"pointed": None if row is None else (row, state["query"])}

    def _row_under(self, panel, x, y) -> int | None:
        if panel in ("heat", "count"):
            return self.heat.query_at(y)
        return self.row_of(x) if panel in ("fit", "stem") else None

    def typed(self, key, state):
        place = self.heat.place[self._asked(state)] + (1 if key == "ArrowDown" else -1)
        row = self.heat.rows[np.clip(place, 0, len(self.heat.rows) - 1)]
        return {"query": float(self.data.queries[row]), "pointed": None}
