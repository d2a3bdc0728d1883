"""The attention zoo without a browser: what it trains, draws and says is what the package computes, and nothing hangs."""
from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press

import nwlab
from nwlab import attention, explore
from nwlab.explore.zoo_runs import POINTS, POOLINGS, Points, Run, Split
from nwlab.training import fit

STEPS = 40                                              # enough to learn something, few enough for many tests


@pytest.fixture
def figure():
    return explore.zoo(steps=STEPS)


def shown_weights(figure):
    _ = figure.sentence
    return np.asarray(figure.scene.heat.image.get_array())


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def test_it_trains_as_fit_does_and_shows_the_step_that_is_chosen(figure):
    data = nwlab.make_regression()
    unit = np.ptp(data.keys) / 5
    z = torch.as_tensor((data.keys - data.keys.mean()) / unit)
    y = torch.as_tensor((data.values - data.values.mean()) / data.values.std())
    module = attention.LearnedWidth().double()
    history = fit(module, (z, y), learning_rate=POOLINGS["one width w"][0], epochs=STEPS, seed=0)
    for step in (0, 7, STEPS):
        figure.set(step=step, query=3.0)
        w = float(history.parameters["w"][step]) / unit
        weights = nwlab.attention_weights(data.queries * w, data.keys * w)
        np.testing.assert_allclose(shown_weights(figure), weights, rtol=1e-8, atol=1e-12)
        x, curve = figure.scene.fit.curve.get_data()
        np.testing.assert_allclose(curve, nwlab.nadaraya_watson(x * w, data.keys * w, data.values), rtol=1e-8)
        np.testing.assert_allclose(figure.scene.stems.heads.get_ydata(), weights[30], atol=1e-12)
        assert figure.scene.fit.answer.get_ydata()[0] == pytest.approx(weights[30] @ data.values)
        leave_one_out = history.loss[step] / len(y) * data.values.var()
        assert figure.scene.run.errors()[step, 0] == pytest.approx(leave_one_out)
        said = figure.sentence
        assert f"at step {step} of {STEPS}: w = {w:.3g}" in said and f"Leave-one-out error {leave_one_out:.3g}" in said


def test_errors_are_those_on_held_out_points_beside_nadaraya_watson(figure):
    figure.set(step=STEPS)
    said, data, split = figure.sentence, nwlab.make_regression(), figure.scene.split
    assert not np.isin(split.held_keys, data.keys).any() and len(split.held_keys) == 100
    w = float(figure.scene.run.parameters(STEPS)["w"]) / (np.ptp(data.keys) / 5)
    sigma = nwlab.select_bandwidth(data.keys, data.values)
    for x, wanted in ((split.held_keys, split.held_values), (data.queries, data.targets)):
        mine = np.mean((nwlab.nadaraya_watson(x * w, data.keys * w, data.values) - wanted) ** 2)
        yard = np.mean((nwlab.nadaraya_watson(x, data.keys, data.values, bandwidth=sigma) - wanted) ** 2)
        assert f"{mine:.3g}" in said and f"{yard:.3g}" in said
    x, y = figure.scene.fit.second.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, data.keys, data.values, bandwidth=sigma))
    np.testing.assert_allclose(figure.scene.marks.get_ydata(), figure.scene.run.errors()[STEPS, 1:])


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("pooling", POOLINGS)
def test_every_pooling_learns_on_every_kind_of_points(pooling, points):
    figure = explore.zoo(pooling=pooling, points=points, steps=STEPS)
    figure.set(step=STEPS)
    weights = shown_weights(figure)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert weights.min() >= 0
    run = figure.scene.run
    errors = run.errors()
    assert errors.shape == (STEPS + 1, 3) and errors[-1, 0] < errors[0, 0]
    d = 1 if points == "on a line" else 2
    count = {"a width per feature": d, "a width per key": 50, "additive": 8 * (2 * d + 1), "projected dot product": 16 * d}
    assert run.count == count.get(pooling, 1)
    assert f"{run.count} parameter{'s' if run.count > 1 else ''}, at step {STEPS}" in figure.sentence


def test_on_the_circle_a_dot_product_is_the_gaussian_it_says():
    figure = explore.zoo(pooling="dot product", points="on a circle", steps=STEPS)
    figure.set(step=STEPS)
    shown, data, run = shown_weights(figure), nwlab.make_regression(), figure.scene.run
    place = Points("circle", data.keys).place
    np.testing.assert_allclose(np.linalg.norm(place(data.keys), axis=1), 1.0)
    sigma = float(run.parameters(STEPS)["scale"]) ** -0.5
    weights = nwlab.attention_weights(place(data.queries), place(data.keys), bandwidth=sigma)
    np.testing.assert_allclose(shown, weights, atol=1e-12)
    along = sigma * np.ptp(data.keys) / np.pi           # all keys lie half way round
    assert f"1/√scale = {along:.3g}" in figure.sentence


def test_on_a_line_learned_projections_are_one_number():
    figure = explore.zoo(pooling="projected dot product", steps=STEPS)
    figure.set(step=STEPS)
    shown = shown_weights(figure)
    data, parameters = nwlab.make_regression(), figure.scene.run.parameters(STEPS)
    slope = np.sum(parameters["w_q"] * parameters["w_k"]) / np.sqrt(8)
    q, k = ((x - data.keys.mean()) / (np.ptp(data.keys) / 5) for x in (data.queries, data.keys))
    np.testing.assert_allclose(shown, softmax(slope * q[:, None] * k), atol=1e-12)
    assert f"one number here, {slope:.3g}".replace("-", "−") in figure.sentence
    assert "knows no place" in figure.sentence


def test_presets_and_reset():
    figure = explore.zoo()
    start, said, held = figure.state, {}, {}
    names = ["one width", "run away", "useless feature", "every key its own", "additive", "dot product off the sphere",
             "dot product on the circle"]
    for name in names:
        press(figure, name)
        said[name], held[name] = figure.sentence, figure.scene.run.errors()[:, 1]
        assert "at step 300 of 300" in said[name]
    yard = figure.scene.yardstick.held
    assert len(set(said.values())) == len(names)
    assert "a needle" in said["run away"] and held["run away"][-1] > 1.5 * held["run away"].min()
    assert "held-out error was smallest" in said["run away"]
    assert "hardly looked at" in said["useless feature"] and held["useless feature"][-1] < 1.1 * yard
    assert held["dot product off the sphere"][-1] > 3 * yard and held["dot product on the circle"][-1] < 1.1 * yard
    press(figure, "reset")
    assert figure.state == start


def test_a_useless_feature_spoils_one_width_but_not_a_width_per_feature():
    ends = {}
    for pooling in ("one width w", "a width per feature"):
        figure = explore.zoo(pooling=pooling, points="line + useless feature")
        figure.set(step=0)
        assert "not been told" in figure.sentence or "cannot see less" in figure.sentence
        ends[pooling] = [Run(Split.drawn(50, 0.5, seed), pooling, "useless", True, seed, 300).start() for seed in range(5)]
    held = {pooling: [run.errors()[-1, 1] for run in runs if run.wait()] for pooling, runs in ends.items()}
    assert all(one > feature for one, feature in zip(held["one width w"], held["a width per feature"]))


def test_leaving_a_point_out_is_a_switch(figure):
    figure.set(step=STEPS)
    assert "Leave-one-out error" in figure.sentence
    with_others = figure.scene.run.errors()[-1, 0]
    figure.set(leave_one_out=False)
    assert "Training error" in figure.sentence and "Each point may attend to itself" in figure.sentence
    assert figure.scene.run.errors()[-1, 0] < with_others


def test_a_divergence_is_said_and_not_raised():
    figure = explore.zoo(pooling="dot product", learning_rate=1e308, steps=STEPS)
    assert "Training ended early" in figure.sentence and "learning_rate" in figure.sentence
    assert np.isfinite(figure.scene.run.errors()).all() and figure.scene.run.reached < STEPS
    figure.set(pooling="one width w")
    figure.canvas.pixels()


class Distance(attention.LearnedPooling):
    """A pooling as a reader may write one: minus the distance, times a number."""

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(()))

    def scores(self, queries, keys, mask=None):
        return -self.a.abs() * torch.cdist(queries, keys)


class Broken(Distance):
    def scores(self, queries, keys, mask=None):
        return (queries * self.a)[:, :, None] @ keys[:3]


def test_a_pooling_of_ones_own():
    figure = explore.zoo(own=lambda n, d: Distance(), steps=STEPS)
    figure.set(step=STEPS)
    shown = shown_weights(figure)
    a = abs(float(figure.scene.run.parameters(STEPS)["a"]))
    z = Points("line", nwlab.make_regression().keys).place
    data = nwlab.make_regression()
    expected = softmax(-a * np.abs(z(data.queries) - z(data.keys)[:, 0]))
    np.testing.assert_allclose(shown, expected, atol=1e-10)
    assert figure.state["pooling"] == "your own" and "Your own, 1 parameter" in figure.sentence
    figure = explore.zoo(own=lambda n, d: Broken(), steps=STEPS)
    assert "Training ended early" in figure.sentence and "Error" in figure.sentence
    figure.canvas.pixels()
    assert "a function that returns a Linear" in explore.zoo(own=lambda n, d: torch.nn.Linear(d, 1)).sentence
    with pytest.raises(ValueError, match="own: got int, expected a function"):
        explore.zoo(own=3)


def test_a_readers_own_data():
    data = nwlab.load_engel()
    figure = explore.zoo(data, steps=STEPS)
    assert "n" not in figure.controls and "of 177 keys" in figure.sentence and "against the truth" not in figure.sentence
    split = figure.scene.split
    pairs = [*zip(split.train.keys, split.train.values), *zip(split.held_keys, split.held_values)]
    assert sorted(pairs) == sorted(zip(data.keys, data.values)) and len(split.held_keys) == 58
    w = figure.scene.run.parameters(int(figure.state["step"]))["w"] / (np.ptp(split.train.keys) / 5)
    weights = nwlab.attention_weights(data.queries * w, split.train.keys * w)
    np.testing.assert_allclose(shown_weights(figure), weights, rtol=1e-6, atol=1e-12)
    with pytest.raises(ValueError, match="data: got ndarray, expected"):
        explore.zoo(np.arange(5))


@pytest.mark.parametrize(("arguments", "message"), [
    ({"pooling": "scalar"}, "pooling: got 'scalar', expected one of 'one width w'"),
    ({"points": "sphere"}, "points: got 'sphere', expected one of 'on a line'"),
    ({"steps": 0}, "steps: got 0, expected"), ({"query": "left"}, "query: got 'left', expected a finite number"),
])
def test_arguments_that_cannot_be(arguments, message):
    with pytest.raises(ValueError, match=message):
        explore.zoo(**arguments)


def test_dragging_each_panel_and_typing(figure):
    _ = figure.sentence
    scene, state = figure.scene, figure.state
    assert scene.dragged("fit", 3.3, 1.0, state) == {"query": pytest.approx(3.3)}
    assert scene.dragged("heat", 10.0, 7.2, state) == {"query": pytest.approx(0.7)}
    assert scene.dragged("curve", 11.4, 0.1, state) == {"step": 11.0}
    figure.set(query=2.0)
    figure._key("ArrowLeft")
    assert figure.state["query"] == pytest.approx(1.9)


def test_moves_change_the_picture_and_leave_nothing_behind(figure):
    before, artists = figure.canvas.png(), count_artists(figure)
    for step in range(STEPS):
        figure.set(step=step, query=0.1 * step)
        figure.canvas.pixels()
    assert figure.canvas.png() != before
    assert count_artists(figure) == artists


@pytest.mark.parametrize("preset", ["run away", "dot product off the sphere", "additive"])
@pytest.mark.parametrize("width", [490, 620, 760, 1000, 1120])
def test_nothing_is_cut_off_or_overlaps(figure, width, preset):
    press(figure, preset)
    assert_nothing_outside_or_overlapping(figure, width)


def test_the_other_live_figures_need_no_torch():
    code = "import sys; from nwlab import explore; explore.width().sentence; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
