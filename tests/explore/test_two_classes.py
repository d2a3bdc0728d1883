"""The two-classes explorer without a browser: what it draws is what the package computes, what it says is true."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press
from scipy.stats import norm

import nwlab
from nwlab import explore, palette
from nwlab.explore.class_sample import read_classes
from nwlab.explore.two_classes import borders_between


@pytest.fixture
def figure():
    return explore.two_classes()


def test_it_shows_densities_answers_and_weights_of_its_state(figure):
    figure.set(share=0.3, sigma=0.7, query=0.5, n=60, seed=2)
    sentence, scene = figure.sentence, figure.scene
    points, labels = nwlab.make_classes(n=60, positive=0.3, seed=2)
    for sign, curve, alone in zip((-1, 1), scene.joint.curves, scene.conditional.curves):
        x, y = alone.get_data()
        density = nwlab.parzen_density(x, points[labels == sign], bandwidth=0.7)
        np.testing.assert_allclose(y, density)
        np.testing.assert_allclose(curve.get_ydata(), density * np.mean(labels == sign))
    x, y = scene.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, points, labels, bandwidth=0.7), atol=1e-12)
    plus, minus = (nwlab.parzen_density(x, points[labels == sign], bandwidth=0.7) for sign in (1, -1))
    np.testing.assert_allclose(scene.balanced.get_ydata(), (plus - minus) / (plus + minus), atol=1e-9)
    weights = nwlab.attention_weights([0.5], points, bandwidth=0.7)[0]
    np.testing.assert_allclose(scene.stems.heads.get_ydata(), weights[labels > 0])
    np.testing.assert_allclose(scene.stems.below.get_ydata(), -weights[labels < 0])
    answer = weights @ labels
    assert scene.answers[0].get_ydata()[0] == pytest.approx(answer)
    assert f"{weights[labels > 0].sum():.2f} − {weights[labels < 0].sum():.2f} = " in sentence


def test_the_borders_are_where_the_curves_cross(figure):
    _ = figure.sentence
    points, labels = nwlab.make_classes(n=100, positive=0.2)
    (joint,), (alone,) = figure.scene.found
    plus, minus = (nwlab.parzen_density([joint, alone], points[labels == sign], bandwidth=0.4) for sign in (1, -1))
    assert 0.2 * plus[0] == pytest.approx(0.8 * minus[0], rel=1e-3)
    assert plus[1] == pytest.approx(minus[1], rel=1e-3)


def test_borders_stand_between_opposite_verdicts_and_not_across_a_gap():
    x = np.arange(8.0)
    assert borders_between(x, np.array([-1, -1, 1, 1, np.nan, -1, 0, 1.0])) == [1.5, 6.0]
    assert borders_between(x, np.full(8, np.nan)) == []


def test_the_errors_are_those_of_the_two_normal_classes(figure):
    """With a single border b, +1 is missed with probability P(N(1, 1) < b) and -1 taken for +1 with P(N(-1, 1) > b)."""
    sentence = figure.sentence
    said = []
    for share in (0.2, 0.5):
        for border, in figure.scene.found:
            said.append(share * norm.cdf(border - 1) + (1 - share) * norm.sf(border + 1))
    shown = [float(part.rstrip(".;,%")) / 100 for part in sentence.split() if "%" in part]
    np.testing.assert_allclose(shown, said, atol=0.004)


def test_presets_and_reset(figure):
    start, said = figure.state, {}
    for name, words in [("balanced", "Errors"), ("rare", "Errors"), ("islands", "(islands)"), ("too wide", "joint nowhere"),
                        ("gaps", "No verdict for")]:
        press(figure, name)
        said[name] = figure.sentence
        assert words in said[name]
    assert len(set(said.values())) == 5
    press(figure, "reset")
    assert figure.state == start


def test_a_gap_is_said_in_words_and_not_warned_about(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.set(kernel="boxcar", sigma=0.1, query=4.0)
        assert "no point is within reach" in figure.sentence and "there is no verdict" in figure.sentence
    assert "nan" not in figure.sentence
    assert np.isnan(figure.scene.curve.get_ydata()[-1])


def test_equal_votes_are_a_tie_and_not_a_rounding_error():
    figure = explore.two_classes(([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [-1, 1, -1, 1, -1, 1]), kernel="boxcar", sigma=4.0, query=2.5)
    assert "the joint verdict is a tie" in figure.sentence


def test_a_class_without_points_is_said(figure):
    figure.set(share=0.02, n=10)
    assert "One class has no points" in figure.sentence and "nan" not in figure.sentence
    assert np.all(np.isnan(figure.scene.balanced.get_ydata()))


def test_a_readers_own_points_are_judged_by_leave_one_out():
    rng = np.random.default_rng(0)
    labels = np.array(["cat"] * 20 + ["dog"] * 10)
    points = np.concatenate([rng.normal(0, 1, 20), rng.normal(2, 1, 10)])
    figure = explore.two_classes((points, labels), sigma=0.5)
    assert "share" not in figure.controls and "▲ dog" in figure.sentence
    dogs = {"joint": [], "conditional": []}
    for i in range(30):
        others = np.arange(30) != i
        left = [(np.mean(labels[others] == kind), nwlab.parzen_density([points[i]], points[others & (labels == kind)],
                                                                       bandwidth=0.5)[0]) for kind in ("cat", "dog")]
        dogs["joint"].append(left[1][0] * left[1][1] > left[0][0] * left[0][1])
        dogs["conditional"].append(left[1][1] > left[0][1])
    wrong = {rule: np.array(verdicts) != (labels == "dog") for rule, verdicts in dogs.items()}
    assert f"joint {wrong['joint'].mean():.1%}, class-conditional {wrong['conditional'].mean():.1%}" in figure.sentence
    even = [(some[labels == "cat"].mean() + some[labels == "dog"].mean()) / 2 for some in wrong.values()]
    assert f"{even[0]:.1%} and {even[1]:.1%}" in figure.sentence


def test_reading_labels():
    points, labels, names, _ = read_classes(([3, 1, 2], [0, 1, 0]))
    assert points.tolist() == [1, 2, 3] and labels.tolist() == [1, -1, -1] and names == ("0", "+1")
    assert read_classes(([1, 2], [1.0, 1.0]))[1].tolist() == [1, 1]
    engel = nwlab.load_engel()
    assert np.mean(read_classes(engel)[1] > 0) == pytest.approx(0.5, abs=0.01)
    assert ">" in read_classes(engel)[2][1]


@pytest.mark.parametrize(("data", "message"), [
    (np.arange(5), r"data: got ndarray, expected \(points, labels\)"),
    (([1, 2, 3], [1, 2, 3]), "data: got 3 different labels, expected two"),
    (([1, 2, 3], [1, 2]), r"data: got points of shape \(3,\) and labels of shape \(2,\)"),
    (([], []), r"data: got points of shape \(0,\)"),
    (([1, math.nan], [1, 2]), "data: got NaN or infinity among the points"),
])
def test_data_that_are_not_two_classes_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        explore.two_classes(data)


def test_the_constant_kernel_is_no_density():
    with pytest.raises(ValueError, match="kernel: got 'constant', whose standard deviation is infinite"):
        explore.two_classes(kernel="constant")


def test_dragging_and_typing(figure):
    _ = figure.sentence
    for panel in figure.scene.panels:
        assert figure.scene.dragged(panel, 1.3, 0.0, figure.state) == {"query": pytest.approx(1.3)}
    figure.set(query=1.0)
    figure._key("ArrowRight")
    assert figure.state["query"] == pytest.approx(1.1)


def test_moves_change_the_picture_and_leave_nothing_behind(figure):
    before, artists = figure.canvas.png(), count_artists(figure)
    for i in range(60):
        figure.set(share=0.05 + 0.015 * i, sigma=0.03 * 1.08**i)
        figure.canvas.pixels()
    assert figure.canvas.png() != before
    assert count_artists(figure) == artists


@pytest.mark.parametrize("width", [490, 620, 760, 1000, 1120])
def test_nothing_is_cut_off_or_overlaps(figure, width):
    assert_nothing_outside_or_overlapping(figure, width)
    press(figure, "islands")
    assert_nothing_outside_or_overlapping(figure, width)


@pytest.mark.parametrize("name", ["MINUS", "PLUS", "THIRD"])
def test_the_classes_can_be_read_in_both_themes(name):
    colour = getattr(palette, name)
    assert palette.contrast(colour, palette.PAPER) >= 4.5
    assert palette.contrast(palette.in_dark(colour), palette.in_dark(palette.PAPER)) >= 4.5


def test_classes_differ_by_marker_and_line_and_the_style_sheet_has_their_colours(figure):
    assert len(set(palette.CLASS_MARKERS)) == 3
    minus, plus = figure.scene.joint.curves
    assert minus.get_linestyle() != plus.get_linestyle()
    sheet = palette.style_sheet().lower()
    for name in ("MINUS", "PLUS"):
        dark = "#" + "".join(f"{round(255 * c):02x}" for c in palette.in_dark(getattr(palette, name)))
        assert getattr(palette, name).lower() in sheet and dark in sheet
