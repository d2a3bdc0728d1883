"""The heatmap figure without a browser: what it shows in its orders."""
import numpy as np
import pytest
from live_figures import drag, press, press_key, settled, shown_weights

import nwlab

ORDERS = {"sorted": {"sorted": 1}, "shuffled": {"sorted": 0}}


def weights_of(data, sigma: float) -> np.ndarray:
    """Gaussian attention weights (m, n)."""
    return nwlab.attention_weights(data.queries, data.keys, bandwidth=sigma)


def frame(figure) -> tuple[float, float]:
    """The upper and lower edge of the framed row."""
    row = settled(figure).heat.row
    return row.get_y(), row.get_y() + row.get_height()


@pytest.mark.parametrize(("order", "sigma"), [("sorted", 0.03), ("shuffled", 0.25)])
def test_effective_keys_stand_beside_their_rows(figure, order, sigma):
    figure.set(**ORDERS[order], sigma=sigma)
    scene = settled(figure)
    assert scene.heat.image.get_clim() == (0, 1) and scene.heat.scale.get_text() == "1", "at every width"
    effective = 1 / np.sum(weights_of(nwlab.make_regression(), figure.state["sigma"]) ** 2, axis=1)
    x, y = scene.heads.get_data()
    np.testing.assert_allclose(x, effective)
    np.testing.assert_array_equal(y, scene.heat.heights)
    assert scene.panels["count"].get_ylim() == scene.panels["heat"].get_ylim()
    assert f"averages {effective[20]:.3g} of 50 keys" in figure.sentence


def test_crowding_moves_the_lower_half_of_the_keys_and_keeps_their_noise(figure):
    figure.set(crowd=True)
    data, moved = nwlab.make_regression(), settled(figure).data
    assert 24 <= np.sum(moved.keys <= 1.0) <= 26 and np.all(np.diff(moved.keys) > 0)
    np.testing.assert_allclose(moved.values - moved.truth(moved.keys), data.values - data.truth(data.keys))


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_a_drag_and_the_arrow_keys_go_to_rows_as_they_are_drawn(figure, order):
    figure.set(**ORDERS[order])
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
    assert sorted(scene.heat.rows) == sorted(scene.heat.columns) == list(range(50)) and "starry sky" in figure.sentence
    heavy = stars > 0.1                                     # shuffled, large weights are anywhere
    assert np.corrcoef(np.nonzero(heavy))[0, 1] < 0.5 < 0.9 < np.corrcoef(np.nonzero(straight > 0.1))[0, 1]
    figure.reset()
    axes = settled(figure).panels["heat"].xaxis, scene.panels["heat"].yaxis
    assert [[text.get_text() for text in axis.get_ticklabels()] for axis in axes] == [["1", "25", "50"]] * 2
    press(figure, "shuffled")
    np.testing.assert_array_equal(shown_weights(figure), stars)                       # the same sky every time
    figure.reset()
    figure.set(sorted=0.5)
    assert "on their way" in figure.sentence


def test_the_framed_row_is_dragged_back_towards_the_diagonal_and_all_go_with_it(figure):
    press(figure, "shuffled")
    scene = settled(figure)
    panel = scene.panels["heat"]
    for row in (np.mean(frame(figure)), 21.0):
        x, y = panel.transData.transform((10.0, row))
        drag(figure, x, scene.figure.bbox.height - y)
        assert abs(np.mean(frame(figure)) - row) <= 1
    assert figure.state["sorted"] > 0.5 and figure.state["query"] == 2.0
