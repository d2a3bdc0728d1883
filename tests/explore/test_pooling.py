"""The pooling explorer without a browser: what it draws and says is what the package computes."""
import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab
from nwlab import explore
from nwlab.explore.pooling import POOLINGS, pooling_error, pooling_weights
from workbook.figures.words import number


@pytest.mark.parametrize("how", POOLINGS)
def test_curve_stems_row_and_answer_tell_one_story(figure, how):
    figure.set(how=how, k=7, sigma=0.3, query=3.1)
    scene, data = settled(figure), nwlab.make_regression()
    points = data.queries, data.keys, data.values
    by_hand = (nwlab.nadaraya_watson(*points, bandwidth=figure.state["sigma"]) if how == "soft" else
               nwlab.nearest_pooling(*points, k={"average": 50, "nearest": 1, "k nearest": 7}[how]))
    x, y = scene.fit.curve.get_data()
    drawn = np.interp(data.queries, x, y) if how == "soft" else nwlab.nearest_pooling(
        x, *points[1:], k={"average": 50, "nearest": 1, "k nearest": 7}[how])
    np.testing.assert_allclose(*((drawn, by_hand, 2e-3) if how == "soft" else (y, drawn, 1e-12)))
    np.testing.assert_allclose(scene.weights @ data.values, by_hand)
    stems = scene.stems.heads.get_ydata()
    np.testing.assert_array_equal(scene.heat.image.get_array()[31], stems)
    assert scene.heat.row.get_y() == 30.5
    assert scene.fit.answer.get_data() == ([data.queries[31]], [pytest.approx(by_hand[31])])
    error = np.mean((by_hand - data.targets) ** 2)
    assert number(by_hand[31]) in figure.sentence
    assert f"The error against the truth is {number(error)}" in figure.sentence
    assert scene.errors.points.get_ydata()[0] == pytest.approx(error)


def test_the_point_of_k_nearest_lies_on_the_curve_of_all_k(figure):
    figure.set(k=10)
    scene = settled(figure)
    assert scene.errors.points.get_xdata()[0] == pytest.approx(10)
    data = nwlab.make_regression()
    answers = {k: nwlab.nearest_pooling(data.queries, data.keys, data.values, k=k) for k in range(1, 51)}
    assert_drawn(scene.error_curve, lambda ks: [np.mean((answers[int(k)] - data.targets) ** 2) for k in ks])
    figure.set(how="average")
    assert settled(figure).error == pytest.approx(scene.error_curve.get_ydata()[-1])
    assert scene.errors.points.get_xdata()[0] == pytest.approx(50)


@pytest.mark.parametrize("how", POOLINGS)
def test_error_without_a_truth_leaves_one_out(how):
    keys, values = np.array([0.0, 1.0, 1.0, 2.5, 4.0, 4.6]), np.array([1.0, 3.0, -1.0, 2.0, 0.5, 7.0])
    data = nwlab.from_arrays(keys, values)
    errors = []
    for i in range(len(keys)):
        others = np.delete(keys, i), np.delete(values, i)
        weights = pooling_weights(how, keys[i:i + 1], others[0], 2, 0.8)
        errors.append((float((weights @ others[1])[0]) - values[i]) ** 2)
    assert pooling_error(how, data, 2, 0.8) == pytest.approx(np.mean(errors))


def test_one_key_and_tied_keys():
    one = explore.pooling(nwlab.from_arrays([2.0], [3.0]))
    for how in POOLINGS:
        one.set(how=how)
        assert one.sentence.endswith("= 3.")
    ties = explore.pooling(nwlab.from_arrays([1.0, 1.0, 2.0], [0.0, 4.0, 8.0]), how="nearest", query=1.0)
    assert ties.sentence.endswith("0.5 × 0 + 0.5 × 4 = 2.") and "Keys that tie share the place." in ties.sentence
