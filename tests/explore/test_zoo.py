"""The attention zoo without a browser: what it trains, draws and says is what the package computes."""
import numpy as np
import pytest
import torch
from live_figures import assert_drawn, settled, shown_weights
from scipy.special import softmax

import nwlab
from nwlab import attention, explore
from nwlab.explore.zoo_runs import POOLINGS, ZooPoints
from nwlab.training import fit

STEPS = 20                                              # as in the shared figure: enough to learn something
DATA = nwlab.make_regression()
UNIT = np.ptp(DATA.keys) / 5


def test_it_trains_as_fit_does_and_shows_the_step_that_is_chosen(figure):
    z, y = ((x - x.mean()) / unit for x, unit in ((DATA.keys, UNIT), (DATA.values, DATA.values.std())))
    history = fit(attention.LearnedWidth().double(), (torch.as_tensor(z), torch.as_tensor(y)),
                  learning_rate=POOLINGS["one width w"][0], epochs=STEPS, seed=0)
    for step in (7, STEPS):
        figure.set(step=step, query=3.0)
        w = float(history.parameters["w"][step]) / UNIT
        weights = nwlab.attention_weights(DATA.queries * w, DATA.keys * w)
        np.testing.assert_allclose(shown_weights(figure), weights, rtol=1e-8, atol=1e-12)
        assert_drawn(figure.scene.fit.curve, lambda x, w=w: nwlab.nadaraya_watson(x * w, DATA.keys * w, DATA.values))
        np.testing.assert_allclose(figure.scene.stems.heads.get_ydata(), weights[30], atol=1e-12)
        assert figure.scene.fit.answer.get_ydata()[0] == pytest.approx(weights[30] @ DATA.values)
        leave_one_out = history.loss[step] / len(y) * DATA.values.var()
        assert figure.scene.run.errors()[step, 0] == pytest.approx(leave_one_out)
        text = figure.sentence
        assert f"at step {step} of {STEPS}: w = {w:.3g}" in text
        assert f"leave-one-out error is {leave_one_out:.3g}" in text
    figure.set(leave_one_out=False)
    assert "The training error is" in figure.sentence and "Each point may attend to itself" in figure.sentence
    assert figure.scene.run.errors()[-1, 0] < leave_one_out


def test_errors_are_those_on_held_out_points_beside_nadaraya_watson(figure):
    figure.set(step=STEPS)
    text, split = figure.sentence, settled(figure).sample.split
    assert not np.isin(split.held.keys, DATA.keys).any() and len(split.held.keys) == 100
    w = float(figure.scene.run.parameters(STEPS)["w"]) / UNIT
    sigma = nwlab.select_bandwidth(DATA.keys, DATA.values)
    x, wanted = split.held.keys, split.held.values
    for scale, width in ((w, 1.0), (1.0, sigma)):
        answers = nwlab.nadaraya_watson(x * scale, DATA.keys * scale, DATA.values, bandwidth=width)
        assert f"{np.mean((answers - wanted) ** 2):.3g}" in text
    assert_drawn(figure.scene.fit.second, lambda x: nwlab.nadaraya_watson(x, DATA.keys, DATA.values, bandwidth=sigma))
    np.testing.assert_allclose(figure.scene.errors.points.get_ydata(), figure.scene.run.errors()[STEPS, 1:])


@pytest.mark.parametrize(("pooling", "points"), [
    *((pooling, "on a line") for pooling in POOLINGS), ("projected dot product", "on a circle"),
    ("a width per feature", "line + useless feature")])
def test_every_pooling_learns_on_every_kind_of_points(figure, pooling, points):
    figure.set(pooling=pooling, points=points, step=STEPS)
    weights, run = shown_weights(figure), figure.scene.run
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert weights.min() >= 0
    errors, d = run.errors(), 1 if points == "on a line" else 2
    assert errors.shape == (STEPS + 1, 3) and errors[-1, 0] < errors[0, 0]
    counts = {"a width per feature": d, "a width per key": 50, "additive": 16 * d + 8, "projected dot product": 16 * d}
    assert run.count == counts.get(pooling, 1)
    assert f"{run.count} parameter{'s' if run.count > 1 else ''}, at step {STEPS}" in figure.sentence


def test_on_the_circle_a_dot_product_is_the_gaussian_it_says(figure):
    figure.set(pooling="dot product", points="on a circle", step=STEPS)
    weights, place = shown_weights(figure), ZooPoints("circle", DATA.keys).place
    np.testing.assert_allclose(np.linalg.norm(place(DATA.keys), axis=1), 1.0)
    sigma = float(figure.scene.run.parameters(STEPS)["scale"]) ** -0.5
    expected = nwlab.attention_weights(place(DATA.queries), place(DATA.keys), bandwidth=sigma)
    np.testing.assert_allclose(weights, expected, atol=1e-12)
    assert f"1/√scale = {sigma * np.ptp(DATA.keys) / np.pi:.3g}" in figure.sentence    # all keys lie half way round


def test_going_back_trains_nothing_anew(figure):
    runs = [settled(figure).run]
    for change in ({"pooling": "additive"}, {"pooling": "one width w", "step": 3}, {"noise": 0.1}, {"noise": 0.5}):
        figure.set(**change)
        runs.append(settled(figure).run)
    assert runs[0] is runs[2] is runs[4] and runs[0] is not runs[1] and runs[3].split.train.noise == 0.1


def test_after_300_steps_it_says_that_a_useless_feature_hardly_counts():
    figure = explore.zoo(pooling="a width per feature", points="line + useless feature")
    figure.set(step=300)
    assert "hardly counts" in figure.sentence
    assert figure.scene.run.errors()[-1, 1] < 1.1 * figure.scene.yardstick.held


class Distance(attention.LearnedPooling):
    """A pooling as a reader may write one: minus the distance, times a number."""

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(()))

    def scores(self, queries, keys, mask=None):
        return -self.a.abs() * torch.cdist(queries, keys)


def test_a_pooling_of_ones_own_and_what_goes_wrong_is_said():
    figure = explore.zoo(own=lambda n, d: Distance(), steps=STEPS)
    figure.set(step=STEPS)
    weights, z = shown_weights(figure), ZooPoints("line", DATA.keys).place
    a = abs(float(figure.scene.run.parameters(STEPS)["a"]))
    np.testing.assert_allclose(weights, softmax(-a * np.abs(z(DATA.queries) - z(DATA.keys)[:, 0]), axis=1),
                               atol=1e-10)
    assert figure.state["pooling"] == "your own" and "Your own, 1 parameter" in figure.sentence
    Distance.scores = lambda self, queries, keys, mask=None: queries @ keys[:3] * self.a     # shapes that do not fit
    figure = explore.zoo(own=lambda n, d: Distance(), steps=STEPS)
    assert "training ended at once" in figure.sentence and "Error" in figure.sentence
    figure = explore.zoo(pooling="dot product", learning_rate=1e308, steps=STEPS)
    assert "Training ended early" in figure.sentence and "learning_rate" in figure.sentence
    assert np.isfinite(figure.scene.run.errors()).all() and figure.scene.run.reached < STEPS
    assert "a function that returns a Linear" in explore.zoo(own=lambda n, d: torch.nn.Linear(d, 1)).sentence
