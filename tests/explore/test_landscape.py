"""The landscape explorer without a browser: its runs are those of `training.fit`, its curves those of `loss_landscape`."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press

import nwlab
from nwlab import explore
from nwlab.explore.descent import ADAM, SGD, Valley, descend

DATA = nwlab.make_regression()


@pytest.fixture
def figure():
    return explore.landscape()


@pytest.mark.parametrize("left_out", [True, False])
@pytest.mark.parametrize(("optimiser", "rate", "loss", "start"), [
    (SGD, 0.5, "full", 0.5), (SGD, 0.5, "half", 0.5), (SGD, 0.01, "full", 2.0), (ADAM, 0.05, "full", 0.5), (ADAM, 0.3, "half", 30.0),
])
def test_a_run_is_the_run_of_fit(optimiser, rate, loss, start, left_out):
    from nwlab.attention import LearnedLogWidth, LearnedWidth
    from nwlab.training import fit

    module = (LearnedWidth if optimiser == SGD else LearnedLogWidth)(start).double()
    history = fit(module, DATA, "sgd" if optimiser == SGD else "adam", rate, 40, loss, left_out)
    expected = history.parameters["w"] if optimiser == SGD else np.exp(history.parameters["log_w"])
    exact_start = float(expected[0])                       # what float32 made of it
    run = descend(Valley(DATA.keys, DATA.values, left_out), exact_start, optimiser, rate, {"full": 1.0, "half": 0.5}[loss], 40)
    np.testing.assert_allclose(run.w, expected, rtol=1e-6)
    np.testing.assert_allclose(run.loss, history.loss, rtol=1e-6)
    assert len(run.w) == 41


@pytest.mark.parametrize("left_out", [True, False])
def test_the_slope_is_the_slope_of_the_loss(left_out):
    valley = Valley(DATA.keys, DATA.values, left_out)
    for w in (-3.0, 0.0, 0.3, 1.0, 5.0, 40.0):
        step = 1e-5
        rise = (valley.at(w + step)[0] - valley.at(w - step)[0]) / (2 * step)
        assert valley.at(w)[1] == pytest.approx(rise, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("loss", ["full", "half"])
def test_the_curves_are_the_loss_landscape_and_the_ball_lies_on_the_one_that_is_followed(figure, loss):
    from nwlab.training import loss_landscape

    for left_out in (True, False):
        figure.set(loss=loss, left_out=left_out, step=3)
        _ = figure.sentence
        for curve, which in zip(figure.scene.curves, (False, True), strict=True):
            w, heights = curve.get_data()
            np.testing.assert_allclose(heights, loss_landscape(DATA, w, loss, which), rtol=1e-8)
        assert figure.scene.curves[int(left_out)].get_linewidth() > figure.scene.curves[int(not left_out)].get_linewidth()
        w, height = (float(x[0]) for x in figure.scene.ball.get_data())
        assert height == pytest.approx(loss_landscape(DATA, [w], loss, left_out)[0], rel=1e-8)


def test_the_numbers_heatmaps_and_fit_of_a_step(figure):
    figure.set(step=1, optimiser=ADAM, rate=1.0, start=1.0)
    sentence, scene = figure.sentence, figure.scene
    run = descend(Valley(DATA.keys, DATA.values, True), 1.0, ADAM, 1.0, 1.0, 300)
    w = run.w[1]
    assert w == pytest.approx(np.e, rel=1e-6)                               # the first step of Adam is one learning rate
    for heat, at in zip(scene.heats, (1.0, w, run.w[-1]), strict=True):
        np.testing.assert_allclose(np.asarray(heat.image.get_array()),
                                   nwlab.attention_weights(DATA.queries, DATA.keys, bandwidth=1 / at), atol=1e-12)
    x, y = scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, DATA.keys, DATA.values, bandwidth=1 / w))
    error = np.mean((nwlab.nadaraya_watson(DATA.queries, DATA.keys, DATA.values, bandwidth=1 / w) - DATA.targets) ** 2)
    assert all(f"{number:.3g}" in sentence for number in (w, 1 / w, run.loss[1], error))
    best = nwlab.select_bandwidth(DATA.keys, DATA.values)
    assert float(scene.best.get_xdata()[0]) == pytest.approx(1 / best, rel=0.02) and f"{1 / best:.2g}" in sentence


def test_presets_tell_four_stories(figure):
    optimum = float(figure.sentence and figure.scene.optimum)
    ends = {}
    for name in ("the old run", "converged", "runs away", "slides to 0"):
        press(figure, name)
        ends[name] = (figure.sentence, figure.scene.run.w[int(figure.state["step"])] / optimum)
    assert ends["the old run"][1] > 2 and "times the leave-one-out optimum" in ends["the old run"][0]
    assert 0.8 < ends["converged"][1] < 1.2 and "within 20 %" in ends["converged"][0]
    assert ends["runs away"][1] > 5 and "attends to itself" in ends["runs away"][0]
    assert ends["slides to 0"][1] < 0.02 and "nearly 0" in ends["slides to 0"][0]
    press(figure, "reset")
    assert figure.state == explore.landscape().state


def test_w_below_zero_is_shown_at_its_size(figure):
    scene = figure.scene
    figure.set(rate=5.0, start=0.8)
    _ = figure.sentence
    scene.run.w[:] = -scene.run.w
    scene.across[:] = np.abs(scene.run.w)
    assert "w = <b>−" in scene.update(figure.state) and scene.ball.get_xdata()[0] > 0


def test_a_run_that_is_thrown_out_of_the_picture_is_said_and_not_raised():
    figure = explore.landscape()
    figure.set(rate=5.0, start=0.9, step=20)
    assert "The ball has left the picture" in figure.sentence
    assert float(figure.scene.ball.get_xdata()[0]) <= figure.scene.panels["land"].get_xlim()[1]
    assert np.isfinite(figure.scene.run.w).all() and np.isfinite(figure.scene.run.loss).all()


def test_a_run_is_kept_while_only_the_step_moves_and_playing_moves_the_step(figure):
    _ = figure.sentence
    run = figure.scene.run
    figure.controls["_play"].value = 12
    assert figure.state["step"] == 12 and "Step 12 of" in figure.sentence and figure.scene.run is run
    figure._key("ArrowRight")
    assert figure.state["step"] == 13 and figure.controls["_play"].value == 13
    figure.set(**figure.scene.dragged("track", 99.0, 0.0, figure.state))
    assert figure.state["step"] == 100
    figure.set(**figure.scene.dragged("land", 2.0, 0.0, figure.state))
    assert "Step 100" in figure.sentence and figure.scene.run is not run and figure.scene.run.w[0] == pytest.approx(2.0)


def test_a_readers_own_data_in_any_units():
    """Keys in thousands, values in millions: the same picture as in ones, w a thousandth."""
    one = explore.landscape(nwlab.from_arrays(DATA.keys, DATA.values))
    other = explore.landscape(nwlab.from_arrays(1e3 * DATA.keys, 1e6 * DATA.values))
    assert "x in units of 1000 and y in units of 1000000" in other.sentence and "against the truth" not in other.sentence
    assert one.sentence
    np.testing.assert_allclose(other.scene.run.w, one.scene.run.w, rtol=1e-9)
    assert float(other.scene.ball.get_xdata()[0]) == pytest.approx(float(one.scene.ball.get_xdata()[0]) / 1e3)
    with pytest.raises(ValueError, match="data: got list, expected"):
        explore.landscape([1, 2, 3])


def test_opening_it_needs_no_torch():
    code = "import sys; from nwlab import explore; explore.landscape().sentence; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_moves_change_the_picture_and_leave_nothing_behind(figure):
    before, artists = figure.canvas.png(), count_artists(figure)
    for step in range(40):
        figure.set(step=step, rate=0.01 * 1.1**step)
        figure.canvas.pixels()
    assert figure.canvas.png() != before
    assert count_artists(figure) == artists


@pytest.mark.parametrize("width", [490, 620, 760, 1000, 1120])
@pytest.mark.parametrize("preset", ["reset", "slides to 0"])
def test_nothing_is_cut_off_or_overlaps(figure, width, preset):
    press(figure, preset)
    _ = figure.sentence
    assert_nothing_outside_or_overlapping(figure, width)
