"""The heatmap figure without a browser: what it shows in its orders."""
import numpy as np
import pytest
from live_figures import assert_fits, drag, press, press_key, settled, shown_weights

import nwlab
from workbook import explore
from workbook.figures.words import number


def frame(figure) -> tuple[float, float]:
    """The upper and lower edge of the framed row."""
    row = settled(figure).heat.row
    return row.get_y(), row.get_y() + row.get_height()


@pytest.mark.parametrize(("share", "sigma"), [(1, 0.03), (0, 0.25)])
def test_effective_keys_stand_beside_their_rows(figure, share, sigma):
    figure.set(sorted=share, sigma=sigma)
    scene, data = settled(figure), nwlab.make_regression()
    assert scene.heat.image.get_clim() == (0, 1) and scene.heat.scale.get_text() == "1", "at every width"
    effective = 1 / np.sum(nwlab.attention_weights(data.queries, data.keys, bandwidth=sigma) ** 2, axis=1)
    x, y = scene.heads.get_data()
    np.testing.assert_allclose(x, effective)
    np.testing.assert_array_equal(y, scene.heat.heights)
    assert scene.panels["count"].get_ylim() == scene.panels["heat"].get_ylim()
    assert f"averages about {number(effective[20], 2)} of 50 keys" in figure.sentence


def test_crowding_moves_the_lower_half_of_the_keys_and_keeps_their_noise(figure):
    figure.set(crowd=True)
    data, moved = nwlab.make_regression(), settled(figure).data
    assert 24 <= np.sum(moved.keys <= 1.0) <= 26 and np.all(np.diff(moved.keys) > 0)
    np.testing.assert_allclose(moved.values - moved.truth(moved.keys), data.values - data.truth(data.keys))


@pytest.mark.parametrize("share", [1, 0])
def test_a_drag_and_the_arrow_keys_go_to_rows_as_they_are_drawn(figure, share):
    figure.set(sorted=share)
    scene = settled(figure)
    _, y = scene.panels["count"].transData.transform((5.0, scene.heat.heights[33]))
    drag(figure, scene.panels["count"].bbox.x1 - 5, scene.figure.bbox.height - y)
    assert "the query at x = 3.3" in figure.sentence and figure.state["query"] == pytest.approx(3.3)
    top, bottom = frame(figure)
    assert top < scene.heat.heights[33] < bottom
    press_key(figure, "ArrowDown")
    assert frame(figure)[0] == pytest.approx(bottom)


def test_rows_and_columns_travel_to_their_places_and_take_their_weights_with_them(figure):
    straight, scene = shown_weights(figure), figure.scene
    curve, shares, off = scene.fit.curve.get_ydata().copy(), figure.options["sorted"], []
    for share in shares:
        figure.set(sorted=share)
        np.testing.assert_array_equal(shown_weights(figure), straight[scene.heat.rows][:, scene.heat.columns])
        off.append(np.abs(scene.heat.rows - np.arange(50)).sum())
        assert scene.heat.rows[int(frame(figure)[0] - 0.5)] == 20
        np.testing.assert_array_equal(scene.fit.curve.get_ydata(), curve)
    assert off == sorted(off, reverse=True) and off[-1] == 0 and len(set(off)) == len(shares) == 13
    press(figure, "shuffled")
    stars = shown_weights(figure)
    assert sorted(scene.heat.rows) == sorted(scene.heat.columns) == list(range(50))
    heavy = stars > 0.1                                     # shuffled, large weights are anywhere
    assert np.corrcoef(np.nonzero(heavy))[0, 1] < 0.5 < 0.9 < np.corrcoef(np.nonzero(straight > 0.1))[0, 1]
    figure.reset()
    axes = settled(figure).panels["heat"].xaxis, scene.panels["heat"].yaxis
    assert [[text.get_text() for text in axis.get_ticklabels()] for axis in axes] == [["1", "25", "50"]] * 2


@pytest.mark.parametrize(("state", "said", "unsaid", "note"), [
    ({"crowd": True}, "runs down to the right", "diagonal", "big dots"), ({"sigma": 0.03}, "chases", "runs", "chases"),
    ({"kernel": "boxcar", "n": 5, "sigma": 0.02}, "47 of 50", "runs", "no key"), ({"sigma": 5}, "flat", "runs", "flat"),
    ({"sorted": 0}, "starry sky", "diagonal", "same curve"), ({"sorted": 0.5}, "on their way", "sky", "same curve"),
    ({"sorted": 0, "sigma": 5}, "shuffled", "sky", "same curve")])
def test_what_is_said_of_the_blue_is_seen_and_a_note_about_the_curve_points_at_it(figure, state, said, unsaid, note):
    figure.set(**state)
    fit = settled(figure).fit
    assert said in figure.sentence and unsaid not in figure.sentence and note in fit.note.get_text()
    (x, y), (grid, curve) = fit.note.about, fit.curve.get_data()
    assert fit.is_right(x) and y == curve[grid == x] if note not in ("big dots", "no key") else np.isnan([x, y]).all()


def test_two_points_with_a_long_name_at_the_largest_width_are_a_river_and_the_name_is_whole():
    data = nwlab.from_arrays([1.0, 2.0], [1.0, 2.0], key_name="income of the household in francs a year")
    figure = explore.heatmap(data, sigma=5)
    assert "a river: a typical query averages about 2 of 2 keys. No diagonal" in figure.sentence
    assert_fits(figure, 900)
    figure.close()


def test_the_framed_row_is_dragged_back_towards_the_diagonal_and_all_go_with_it(figure):
    press(figure, "shuffled")
    scene = settled(figure)
    panel = scene.panels["heat"]
    for row in (np.mean(frame(figure)), 21.0):
        x, y = panel.transData.transform((10.0, row))
        drag(figure, x, scene.figure.bbox.height - y)
        assert abs(np.mean(frame(figure)) - row) <= 1
    assert figure.state["sorted"] > 0.5 and figure.state["query"] == 2.0
