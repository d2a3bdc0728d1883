"""The width explorer without a browser: what it draws is what the package computes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from live_figures import press, shared

import nwlab
from nwlab import explore


@pytest.fixture
def figure():
    return shared("width")


def test_it_shows_the_fit_the_weights_and_the_errors_of_its_state(figure):
    figure.set(sigma=0.5, query=3.0)
    sentence, scene, data = figure.sentence, figure.scene, nwlab.make_regression()
    x, y = scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, data.keys, data.values, bandwidth=0.5))
    weights = nwlab.attention_weights(data.queries, data.keys, bandwidth=0.5)
    np.testing.assert_allclose(np.asarray(scene.heat.image.get_array()), weights)
    np.testing.assert_allclose(scene.stems.heads.get_ydata(), weights[30])
    assert scene.fit.answer.get_xdata()[0] == pytest.approx(3.0)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(weights[30] @ data.values)
    loo = nwlab.loo_error(data.keys, data.values, [0.5])[0]
    error = np.mean((weights @ data.values - data.targets) ** 2)
    np.testing.assert_allclose(scene.errors.points.get_ydata(), [loo, error])
    assert f"{loo:.3g}" in sentence and f"{error:.3g}" in sentence and "σ = 0.5" in sentence


def test_either_slider_moves_the_other(figure):
    figure.set(sigma=0.5)
    assert figure.controls["_w"].value == pytest.approx(2.0)
    figure.controls["_w"].index = 0
    assert figure.state["sigma"] == pytest.approx(5.0)


def test_an_empty_window_is_said_in_words_and_not_warned_about(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.set(kernel="boxcar", sigma=0.02)
        sentence = figure.sentence
    data = nwlab.make_regression()
    near = np.abs(data.queries[:, None] - data.keys[None, :]) <= 0.02
    assert f"{int((~near.any(axis=1)).sum())} of 50 queries have no key within reach" in sentence
    assert "nan" not in sentence.lower()


def test_presets_are_what_they_are_called(figure):
    for name, words in [("needle", "a needle"), ("just right", "a soft band"), ("river", "a river")]:
        press(figure, name)
        assert words in figure.sentence


def test_dragging_and_keys(figure):
    scene, state = figure.scene, figure.state
    assert scene.dragged("fit", 3.33, 1.0, state) == {"query": 3.33}
    assert scene.dragged("stem", 99.0, 1.0, state) == {"query": pytest.approx(4.9)}
    assert scene.dragged("heat", 10.0, 7.2, state) == {"query": pytest.approx(0.7)}
    assert scene.dragged("heat", 10.0, -3.0, state) == {"query": 0.0} and scene.dragged(None, 0.0, 0.0, state) is None
    assert scene.dragged("curve", 0.4, 0.1, state) == {"sigma": pytest.approx(0.4)}
    assert scene.typed("ArrowRight", state) == {"query": pytest.approx(2.1)}
    assert scene.typed("ArrowLeft", state | {"query": 0.0}) == {"query": 0.0}
    assert scene.typed("ArrowLeft", state | {"query": 2.04}) == {"query": pytest.approx(2.0)}


def test_local_linear_comes_and_goes(figure):
    figure.set(line=True)
    _ = figure.sentence
    x, y = figure.scene.fit.second.get_data()
    data = nwlab.make_regression()
    np.testing.assert_allclose(y, nwlab.local_linear(x, data.keys, data.values, bandwidth=0.25))
    figure.set(line=False)
    _ = figure.sentence
    assert len(figure.scene.fit.second.get_xdata()) == 0


def test_a_readers_own_data():
    figure = explore.width(nwlab.load_engel())
    assert "of 235 keys" in figure.sentence and "against the truth" not in figure.sentence
