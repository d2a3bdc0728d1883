"""The landscape without a browser: its runs are those of `training.fit`, its curves those of plain Nadaraya-Watson."""
import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab
from nwlab.attention import LearnedLogWidth, LearnedWidth
from nwlab.training import fit
from workbook import explore
from workbook.explore.landscape import ADAM, SGD, Valley, descend

DATA = nwlab.make_regression()


def losses(ws, left_out):
    """The loss at each w, by the functions that take widths."""
    keys, values = DATA.keys, DATA.values
    means = nwlab.loo_error(keys, values, bandwidths=1 / np.asarray(ws)) if left_out else [
        np.mean((nwlab.nadaraya_watson(keys, keys, values, bandwidth=1 / w) - values) ** 2) for w in ws]
    return len(keys) * np.asarray(means)


@pytest.mark.parametrize(("optimiser", "rate", "start", "left_out"), [
    (SGD, 0.5, 0.5, True), (SGD, 0.01, 2.0, False), (ADAM, 0.3, 30.0, True),
])
def test_a_run_is_the_run_of_fit(optimiser, rate, start, left_out):
    module = (LearnedWidth if optimiser == SGD else LearnedLogWidth)(start).double()
    history = fit(module, DATA, "sgd" if optimiser == SGD else "adam", rate, 30, leave_one_out=left_out)
    expected = history.parameters["w"] if optimiser == SGD else np.exp(history.parameters["log_w"])
    exact_start = float(expected[0])                       # what float32 made of it
    valley = Valley(DATA.keys, DATA.values, left_out)
    run = descend(valley, exact_start, optimiser, rate, 30)
    np.testing.assert_allclose(run.w, expected, rtol=1e-6)
    np.testing.assert_allclose(run.loss, history.loss, rtol=1e-6)
    assert len(run.w) == 31
    for w in (-3.0, 0.0, 0.3, 1.0, 5.0, 40.0):
        rise = (valley.at(w + 1e-5)[0] - valley.at(w - 1e-5)[0]) / 2e-5
        assert valley.at(w)[1] == pytest.approx(rise, rel=1e-5, abs=1e-6)


def test_the_curves_are_the_losses_and_the_ball_lies_on_the_one_that_is_followed(figure):
    for left_out in (True, False):
        figure.set(left_out=left_out, step=3)
        scene = settled(figure)
        for name, which in (("loss", left_out), ("left out", True)):
            w, heights = scene.panels["land"][name].get_data()
            np.testing.assert_allclose(heights[::5], losses(w[::5], which), rtol=1e-8)
        w, height = (float(x[0]) for x in scene.panels["land"]["ball", ADAM].get_data())
        assert height == pytest.approx(losses([w], left_out)[0], rel=1e-8)


def test_the_numbers_and_the_fit_of_a_step(figure):
    figure.set(step=1, optimiser=ADAM, rate=1.0, start=1.0)
    sentence, scene = figure.sentence, figure.scene
    run = descend(Valley(DATA.keys, DATA.values, True), 1.0, ADAM, 1.0, 300)
    w = run.w[1]
    assert w == pytest.approx(np.e, rel=1e-6)                           # the first step of Adam is one learning rate
    assert_drawn(scene.fit.curve, lambda x: nwlab.nadaraya_watson(x, DATA.keys, DATA.values, bandwidth=1 / w))
    assert f"w = {w:.3g}, loss {run.loss[1]:.3g}" in sentence
    best = nwlab.select_bandwidth(DATA.keys, DATA.values)
    assert float(scene.panels["land"]["best"].get_xdata()[0]) == pytest.approx(1 / best, rel=0.02)


def test_it_says_that_the_curve_chases_dots_only_where_w_is_far_above_the_best():
    figure, said = explore.landscape(optimiser=SGD, noise=1.0, rate=0.05), set()
    for step in (1, 2, 5, 10, 20, 300):
        for rate in (0.05, 0.5):
            figure.set(step=step, rate=rate)
            far = abs(settled(figure).run.w[step]) > 2 * figure.scene.optimum
            assert far or "chases" not in figure.sentence
            said.add("chases" in figure.sentence)
    assert said == {True, False}


def test_steps_are_small_for_a_small_rate_and_flat_is_only_what_hardly_slopes():
    for said, state in (("small steps", {"rate": 0.01}), ("nearly flat", {"optimiser": SGD, "start": 30.0})):
        note = settled(explore.landscape(step=20, **state)).note
        assert note.get_text().startswith(said)
