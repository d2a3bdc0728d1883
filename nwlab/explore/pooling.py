"""Pooling without parameters to learn: everyone alike, the nearest key, the k nearest, or all softly weighted."""
import numpy as np

from nwlab import palette
from nwlab._engine.inputs import check_choice, check_count
from nwlab.bandwidth import loo_error
from nwlab.explore import controls as make, words
from workbook.figures.hands import across
from workbook.figures.live import Explorer
from nwlab.explore.parts import Errors, FitScene, line
from nwlab.explore.sample import RegressionSample
from nwlab.pooling import attention_weights, effective_keys, nadaraya_watson, nearest_pooling, nearest_weights

POOLINGS = ("average", "nearest", "k nearest", "soft")


def pooling(data=None, how="k nearest", k=5, sigma=None, query=None):
    """A live figure: a sample, and four ways to pool its values into an answer.

    data: what `nwlab.make_regression`, `read_csv` or `from_arrays` returns; None draws samples under sliders for n,
    noise, seed and truth. how (one of "average", "nearest", "k nearest", "soft"), k, sigma (the width of the soft one)
    and query are where it starts. Returns an `Explorer`.
    """
    check_choice("how", how, POOLINGS)
    sample = RegressionSample(data)
    unit, most = sample.unit, min(50, len(sample.data.keys))
    sigma = 0.25 * unit if sigma is None else sigma
    names = [("softly weighted" if name == "soft" else name, name) for name in POOLINGS]
    choice = make.choice("pooling", names, how)
    k_slider = make.slider("k", min(check_count("k", k, 1), most), 1, most, 1)
    sigma_slider = make.log_slider("sigma", "width σ", sigma, 0.02 * unit, 5 * unit)

    def enable(_=None):                                     # a slider that the pooling does not listen to is greyed out
        k_slider.disabled, sigma_slider.disabled = choice.value != "k nearest", choice.value != "soft"

    choice.observe(enable, names="value")
    enable()
    presets = {"everyone alike": {"how": "average"}, "one neighbour": {"how": "nearest"},
               "five neighbours": {"how": "k nearest", "k": min(5, most)}, "soft": {"how": "soft"}}
    if data is None:
        presets["noisy, few"] = {"how": "nearest", "n": 15, "noise": 1.0}
    return Explorer(
        PoolingScene(sample),
        {"k": k_slider, "sigma": sigma_slider, "query": make.query_slider(sample.queries, query), "how": choice},
        {**make.sample_controls(sample, ("n", "noise", "seed", "truth"))}, presets=presets)


def pooling_weights(how, queries, keys, k=1, sigma=1.0):
    """The attention weights (m, n) of one pooling."""
    if how == "soft":
        return attention_weights(queries, keys, kernel="gaussian", bandwidth=sigma)
    return nearest_weights(queries, keys, k=_count(how, k, len(keys)))


def _count(how, k: int, n: int) -> int:
    """How many of n keys a hard pooling attends to."""
    return min({"average": n, "nearest": 1}.get(how, k), n)


def pooling_curve(how, data, k=1, sigma=1.0) -> tuple[np.ndarray, np.ndarray]:
    """The answers across all queries as a line to draw, (x, y); on a grid so fine that steps are upright."""
    grid = np.linspace(data.queries[0], data.queries[-1], 251 if how == "soft" else 1501)
    if how == "soft":
        return grid, nadaraya_watson(grid, data.keys, data.values, kernel="gaussian", bandwidth=sigma)
    return grid, nearest_pooling(grid, data.keys, data.values, k=_count(how, k, len(data.keys)))


def pooling_error(how, data, k=1, sigma=1.0) -> float:
    """Mean squared error: of the queries against the truth, or leave-one-out where the truth is not known."""
    if data.truth is not None:
        weights = pooling_weights(how, data.queries, data.keys, k, sigma)
        return float(np.mean((weights @ data.values - data.targets) ** 2))
    keys, values, n = data.keys, data.values, len(data.keys)
    if n < 2:
        return float("nan")
    if how == "soft":
        return float(loo_error(keys, values, bandwidths=[sigma])[0])
    some = np.unique(np.linspace(0, n - 1, min(n, 250)).round().astype(int))        # enough of them for a mean
    weights = nearest_weights(keys[some], keys, k=min(_count(how, k, n) + 1, n))    # one more, which is taken out
    weights[np.arange(len(some)), some] = 0.0
    answers = weights @ values / weights.sum(axis=1)
    return float(np.mean((answers - values[some]) ** 2))


class PoolingScene(FitScene):
    label = "Fit, weights and heatmap of average, nearest, k nearest and softly weighted pooling"
    invitation = "Drag k: when do steps turn into one flat line?"
    longest = 350
    lesson_asks = tuple({"how": "k nearest", "k": 5, "seed": seed} for seed in (1, 2, 3))

    def __init__(self, sample: RegressionSample):
        super().__init__(sample)
        self.errors = Errors(self, self.panels["curve"], "effective keys",
                             ("k nearest, 1 to all", palette.MUTED))
        self.error_curve = line(self.panels["curve"], palette.MUTED)

    def drags(self):
        return super().drags() | {"curve": across("k", how="k nearest")}

    def update(self, state: dict) -> str:
        n, row = len(self.data.keys), self.row_of(state["query"])
        shown = (state["how"], min(state["k"], n), state["sigma"])
        if self.changed("pooling", shown):
            self._new_pooling(*shown)
        self.show_row(self.weights, row, beside=self.weights)
        self.heat.show(self.weights, row)
        return self._sentence(self.data, row, *shown)

    def new_sample(self) -> None:
        super().new_sample()
        data, n = self.data, len(self.data.keys)
        most = n if data.truth is not None else max(n - 1, 1)           # one left out: n - 1 to choose from
        ks = np.unique(np.geomspace(1, most, 30).round().astype(int))
        errors = np.array([pooling_error("k nearest", data, k) for k in ks])
        self.error_curve.set_data(ks, errors)
        self.errors.limit((0.85, n * 1.2), errors, below=2, above=3)

    def _new_pooling(self, how, k, sigma) -> None:
        data = self.data
        self.weights = pooling_weights(how, data.queries, data.keys, k, sigma)             # (m, n)
        self.effective = effective_keys(self.weights)                                      # (m,)
        self.error = pooling_error(how, data, k, sigma)
        self.fit.curve.set_data(*pooling_curve(how, data, k, sigma))
        self.errors.show(float(np.median(self.effective)), [self.error])

    def _sentence(self, data, row, how, k, sigma) -> str:
        kind = "error against the truth" if data.truth is not None else "leave-one-out error"
        return words.joined(self._in_words(how, _count(how, k, len(data.keys)), len(data.keys), sigma),
                            f"The {words.gist(f'{kind} is {words.bold(self.error)}')}.",
                            words.worked_out(data, row, self.weights))

    def _in_words(self, how: str, k: int, n: int, sigma: float) -> str:
        """What the pooling does with n keys; k: to how many a hard one attends."""
        if n == 1:
            return "There is only one key. It gets all the weight, so its value is the answer to every query."
        if how == "soft":
            width = words.gist(f"width σ = {words.bold(sigma)}")
            return (f"Softly weighted pooling (Nadaraya–Watson, {width}): the nearer a key is, the more it counts, and "
                    f"the curve has no jumps. Here {words.attends(self.effective, n)}.")
        if k == n:
            return (f"All {words.gist(f'<b>{n}</b> keys')} get the same weight: this is average pooling, and every "
                    "query gets the mean of the values. The heatmap is a river.")
        tie = " Keys that tie share the place." if np.any(np.count_nonzero(self.weights, 1) > k) else ""
        if k == 1:
            return (f"This is hard attention: <b>1</b> key, the nearest, takes all the weight.{tie} The curve jumps "
                    "midway between neighbouring keys, and the heatmap is a staircase of needles.")
        return (f"The {words.gist(f'<b>{k}</b> nearest')} of {n} keys get the same weight, and all the others get "
                f"none.{tie} This is still hard attention, so the curve has steps.")
