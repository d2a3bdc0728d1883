"""The two-classes explorer without a browser: what it draws is what the package computes, what it says is true."""
import warnings

import numpy as np
import pytest
from live_figures import assert_drawn, settled

import nwlab
from workbook import explore, palette
from workbook.explore.two_classes import borders_between, read_classes


def test_it_shows_densities_answers_and_weights_of_its_state(figure):
    figure.set(share=0.3, sigma=0.7, query=0.5, n=60, seed=2)
    sentence, scene = figure.sentence, figure.scene
    assert [bar.get_width() for bar in scene.bars] == pytest.approx([0.7, 0.3])
    assert [bar.get_x() for bar in scene.bars] == pytest.approx([0.3, 0]), "the handle goes where the slider goes"
    np.testing.assert_allclose(scene.drags()["share"].x(np.array([0.2, 0.3])), [0.2, 0.3])
    points, labels = nwlab.make_classes(n=60, positive=0.3, seed=2)
    assert_drawn(scene.curve, lambda x: nwlab.nadaraya_watson(x, points, labels, bandwidth=0.7))
    x = scene.curve.get_xdata()
    minus, plus = (nwlab.parzen_density(x, points[labels == sign], bandwidth=0.7) for sign in (-1, 1))
    for density, share, curve, alone in zip((minus, plus), (0.7, 0.3), scene.curves, scene.halves):
        np.testing.assert_allclose(alone.get_ydata(), density / 2)
        np.testing.assert_allclose(curve.get_ydata(), density * share)
    np.testing.assert_allclose(scene.conditional.get_ydata(), (plus - minus) / (plus + minus), atol=1e-9)
    for (border,), curve in zip(scene.found, (scene.curve, scene.conditional)):
        assert np.interp(border, *curve.get_data()) == pytest.approx(0, abs=1e-9)
    weights = nwlab.attention_weights([0.5], points, bandwidth=0.7)[0]
    assert sum((dots.get_sizes() - 14).sum() for dots in scene.points) == pytest.approx(300)
    assert scene.answers[0].get_ydata()[0] == pytest.approx(weights @ labels)
    assert f"it is {'▲ +1' if weights @ labels > 0 else '● −1'} above" in sentence


def test_borders_stand_between_opposite_verdicts_and_not_across_a_gap():
    x = np.arange(8.0)
    assert borders_between(x, np.array([-1, -1, 1, 1, np.nan, -1, 0, 1.0])) == [1.5, 6.0]
    assert borders_between(x, np.full(8, np.nan)) == []


def test_only_the_joint_boundary_moves_with_the_shares_and_they_meet_at_one_half(figure):
    found = {}
    for share in figure.options["share"]:
        figure.set(share=share)
        found[share] = np.ravel(settled(figure).found)
        begin, *_, end = settled(figure).panels["density"]["arrow"].get_xy()[:4, 0]
        assert [end, begin] == pytest.approx(found[share]), "an arrow leads from one to the other"
    joint, conditional = np.transpose([*found.values()])
    assert np.ptp(joint) > 3.5 and np.ptp(conditional) < 0.2
    assert found[0.5][0] == pytest.approx(found[0.5][1])


@pytest.mark.parametrize(("state", "borders"), [({}, 1), ({"share": 0.2, "sigma": 2.5}, 0), ({"sigma": 0.02}, 2)])
def test_each_border_has_a_line_and_the_last_upper_one_a_name(figure, state, borders):
    figure.set(**state)
    panel = settled(figure).panels["density"]
    assert min(len(figure.scene.found[0]), 2) == borders
    assert panel["border"].get_text() == ("", "border", f"{len(figure.scene.found[0])} borders")[borders]
    above, below = figure.scene.found
    for side, found in ("bottom", above), ("top", below if "share" in state else []):   # with halves both are alike
        np.testing.assert_allclose(panel["borders", side].get_xdata()[::3], found, err_msg="each has a line")
        assert panel[side, 0].get_visible() == (side == "bottom" or "share" in state)


def test_the_note_stands_in_a_gap(figure):
    figure.set(kernel="boxcar", query=1.0)
    assert settled(figure).panels["density"]["reach"].get_bbox().intervalx == pytest.approx([0.6, 1.4])
    assert [mark.get_markerfacecolor() for mark in figure.scene.answers] == [palette.QUERY] * 2
    x, answers = settled(figure).curve.get_data()
    assert np.isnan(answers[x == figure.scene.note.about[0]]).all()


def test_gaps_ties_and_a_class_without_points_are_said_and_not_warned_about(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for state in ({"kernel": "boxcar", "sigma": 0.1}, {"kernel": "epanechnikov", "sigma": 0.4}):    # as lesson 12
            figure.set(**state, query=4.0)
            assert "no point lies there" in figure.sentence and "there is no verdict" in figure.sentence
        assert np.isnan(figure.scene.curve.get_ydata()[-1])
        assert {(*a.get_ydata(), a.get_markerfacecolor()) for a in figure.scene.answers} == {(0, palette.PAPER)}
        figure = explore.two_classes(([1.0, 2.0], [1.0, 1.0]))
        assert figure.sentence == "One class has no points, so every verdict is ▲ +1."
        assert np.all(np.isnan(figure.scene.conditional.get_ydata())) and not figure.scene.differ
    figure = explore.two_classes((np.arange(6.0), [-1, 1, -1, 1, -1, 1]), kernel="boxcar", sigma=4.0, query=2.5)
    assert "it is a tie." in figure.sentence, "equal votes, and not a rounding error"


def test_many_borders_are_too_narrow_only_where_few_points_make_them():
    points = np.concatenate([np.linspace(0, 0.5, 60) + 4 * i for i in range(6)])
    figure = explore.two_classes((points, np.repeat([-1, 1] * 3, 60)))
    assert len(settled(figure).found[0]) == 5 and "narrow" not in figure.sentence + figure.scene.note.get_text()
    figure = explore.two_classes(sigma=0.05)
    assert len(settled(figure).found[0]) > 3 and "narrow" in figure.sentence
    assert figure.scene.note.get_text().endswith("flip the verdict")


def test_a_readers_own_points_have_their_labels():
    figure = explore.two_classes(([0.0, 2.0, 0.5], ["cat", "dog", "cat"]), sigma=0.5, query=2.0)
    assert figure.scene.sample.points.tolist() == [0, 0.5, 2] and figure.scene.sample.labels.tolist() == [-1, -1, 1]
    assert "share" not in figure.controls and "▲ dog" in figure.sentence
    assert read_classes(([1, 2], [1.0, 1.0]))[1].tolist() == [1, 1]
    _, labels, names, _ = read_classes(nwlab.load_engel())
    assert np.mean(labels > 0) == pytest.approx(0.5, abs=0.01) and ">" in names[1]


def test_the_shares_are_prepared_like_a_width_although_they_draw_the_sample(figure):
    assert {"share", "sigma", "query"} <= {*figure.prepared} and not {"n", "seed"} & {*figure.prepared}
