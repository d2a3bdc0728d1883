"""The width explorer without a browser: its errors, its two sliders, its second estimate."""
import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab


def test_the_errors_are_those_of_its_width(figure):
    figure.set(sigma=0.5)
    sentence, data = figure.sentence, nwlab.make_regression()
    loo = nwlab.loo_error(data.keys, data.values, bandwidths=[0.5])[0]
    answers = nwlab.nadaraya_watson(data.queries, data.keys, data.values, bandwidth=0.5)
    error = np.mean((answers - data.targets) ** 2)
    np.testing.assert_allclose(figure.scene.errors.points.get_ydata(), [loo, error])
    assert f"{loo:.3g}" in sentence and f"{error:.3g}" in sentence and "σ = 0.5" in sentence


def test_either_slider_moves_the_other(figure):
    figure.set(sigma=0.5)
    assert figure.controls["_w"].value == pytest.approx(2.0)
    figure.controls["_w"].index = 0
    assert figure.state["sigma"] == pytest.approx(5.0)


def test_local_linear_comes_and_goes(figure):
    figure.set(line=True)
    second, data = settled(figure).fit.second, nwlab.make_regression()
    assert_drawn(second, lambda x: nwlab.local_linear(x, data.keys, data.values, bandwidth=0.25))
    figure.set(line=False)
    assert settled(figure) and len(second.get_xdata()) == 0
