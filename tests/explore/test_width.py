"""The width explorer without a browser: what it draws is what the package computes."""

from __future__ import annotations


import numpy as np
import pytest

import nwlab


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


def test_local_linear_comes_and_goes(figure):
    figure.set(line=True)
    _ = figure.sentence
    x, y = figure.scene.fit.second.get_data()
    data = nwlab.make_regression()
    np.testing.assert_allclose(y, nwlab.local_linear(x, data.keys, data.values, bandwidth=0.25))
    figure.set(line=False)
    _ = figure.sentence
    assert len(figure.scene.fit.second.get_xdata()) == 0
