"""The width explorer without a browser: its errors, its two sliders, its second estimate."""
import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab
from nwlab import explore


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


@pytest.mark.parametrize("moved, other", [("sigma", "_w"), ("_w", "sigma")])
def test_a_page_that_moves_one_width_is_not_told_of_the_other(monkeypatch, moved, other):
    figure, told = explore.width(), []
    one, twin = figure.controls[moved], figure.controls[other]
    monkeypatch.setattr(type(twin), "send_state", lambda widget, key=None: told.append((widget, key)))
    one.set_state({"index": 40})                        # as a message of the page does
    assert twin.index == len(twin.options) - 1 - 40 and all(widget is not twin for widget, _ in told)
    told.clear()
    one.index = 50                                      # as code does: both are told
    assert twin.index == len(twin.options) - 1 - 50 and {widget for widget, _ in told} == {one, twin}
    figure.close()
