"""The heatmap explorer without a browser: what its three orders show, and that the values play no part in it."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from live_figures import assert_nothing_outside_or_overlapping, count_artists, press

import nwlab
from nwlab import explore
from nwlab.explore.stage.parts import full_ink
from nwlab.explore.heatmap import cell_at, cell_edges, cells_of_pixels, crowded, with_values


@pytest.fixture
def figure():
    return explore.heatmap()


def shown(figure):
    """The figure's scene, with its artists up to the state."""
    figure.canvas.png()
    return figure.scene


def picture(figure) -> np.ndarray:
    """The cells of the heatmap, NaN where a query has no weights."""
    return np.ma.filled(shown(figure).heat.image.get_array().astype(float), np.nan)


def weights_by_hand(data, sigma: float) -> np.ndarray:
    """Gaussian attention weights (m, n), a plain loop."""
    rows = []
    for query in data.queries:
        similarity = [np.exp(-((query - key) ** 2) / (2 * sigma**2)) for key in data.keys]
        rows.append(np.array(similarity) / np.sum(similarity))
    return np.array(rows)


def point_at(figure, panel: str, x: float, y: float, kind="move", pressed=False) -> None:
    """The pointer at data coordinates of a panel, as the browser reports it."""
    figure._pointer(kind, *shown(figure).panels[panel].transData.transform((x, y)), pressed)


def frame(figure) -> tuple[float, float]:
    """The upper and lower edge of the framed row."""
    row = shown(figure).heat.row
    return row.get_y(), row.get_y() + row.get_height()


def test_sorted_picture_holds_the_weights_row_by_row(figure):
    data = nwlab.make_regression()
    weights = weights_by_hand(data, figure.state["sigma"])
    np.testing.assert_allclose(picture(figure), weights, atol=1e-12)
    scene = figure.scene
    assert scene.heat.image.get_extent() == [0.5, 50.5, 50.5, 0.5] and scene.heat.image.origin == "upper"
    assert scene.panels["heat"].get_xlabel() == "keys, sorted" and scene.panels["heat"].get_ylabel() == "queries, sorted"
    assert frame(figure) == (20.5, 21.5)                                        # the query x = 2.0 is row 21
    np.testing.assert_allclose(scene.stems.heads.get_ydata(), weights[20], atol=1e-12)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(weights[20] @ data.values)
    sizes = scene.fit.dots.get_sizes()
    np.testing.assert_allclose((sizes - 14) / (sizes.max() - 14), weights[20] / weights[20].max(), atol=1e-9)
    assert "Each row is a query and sums to 1" in figure.sentence
    assert f"answer {weights[20] @ data.values:.3g}" in figure.sentence


def test_shuffled_picture_is_a_permutation_and_the_fit_does_not_know(figure):
    straight, scene = picture(figure), figure.scene
    curve = scene.fit.curve.get_ydata().copy()
    press(figure, "starry sky")
    stars = picture(figure)
    assert not np.array_equal(stars, straight)
    np.testing.assert_array_equal(stars, straight[scene.heat.rows][:, scene.heat.columns])
    assert sorted(scene.heat.rows) == sorted(scene.heat.columns) == list(range(50))
    distance = np.abs(np.subtract.outer(scene.heat.rows, scene.heat.columns))
    heavy = stars > 0.1                                     # in a starry sky the heavy cells are anywhere ...
    assert np.corrcoef(np.nonzero(heavy))[0, 1] < 0.5 < 0.9 < np.corrcoef(np.nonzero(straight > 0.1))[0, 1]
    assert distance[heavy].max() < 15                       # ... and still belong to near pairs
    np.testing.assert_array_equal(scene.fit.curve.get_ydata(), curve)
    top, _ = frame(figure)
    assert scene.heat.rows[int(top - 0.5)] == 20
    assert "starry sky" in figure.sentence and "shuffled" in figure.sentence
    assert not len(scene.panels["heat"].get_xticks()) and scene.panels["heat"].get_ylabel() == "queries, shuffled"
    press(figure, "reset")
    np.testing.assert_array_equal(picture(figure), straight)
    press(figure, "starry sky")
    np.testing.assert_array_equal(picture(figure), stars)                       # the same sky every time


@pytest.mark.parametrize("order", ["sorted", "shuffled", "to scale"])
@pytest.mark.parametrize("values", ["upside down", "pure noise"])
def test_other_values_leave_the_heatmap_bit_identical(figure, order, values):
    figure.set(order=order, sigma=0.4)
    scene = shown(figure)

    def heat_pixels():
        box = scene.panels["heat"].bbox
        pixels = figure.canvas.pixels()
        rows = slice(int(pixels.shape[0] - box.y1), int(pixels.shape[0] - box.y0))
        return pixels[rows, int(box.x0):int(box.x1)].tobytes()

    before, cells, answer = heat_pixels(), picture(figure).tobytes(), scene.fit.answer.get_ydata()[0]
    counts = scene.count.heads.get_xdata().copy()
    figure.set(values=values)
    assert scene.fit.answer.get_ydata()[0] == answer        # nothing has been drawn yet
    assert heat_pixels() == before and picture(figure).tobytes() == cells
    np.testing.assert_array_equal(scene.count.heads.get_xdata(), counts)
    assert abs(scene.fit.answer.get_ydata()[0] - answer) > 0.01
    assert values in figure.sentence and "values play no part in it" in figure.sentence


def test_values_are_turned_about_their_middle_or_drawn_without_regard():
    data = nwlab.make_regression()
    flipped, noise = with_values(data, "upside down"), with_values(data, "pure noise")
    np.testing.assert_allclose(flipped.values + data.values, data.values.min() + data.values.max())
    np.testing.assert_allclose(flipped.truth(data.queries), flipped.targets)
    assert noise.truth is None and abs(np.corrcoef(noise.values, data.values)[0, 1]) < 0.4
    assert with_values(data, "as they are") is data


@pytest.mark.parametrize("order", ["sorted", "shuffled", "to scale"])
@pytest.mark.parametrize("sigma", [0.03, 0.25, 2.0])
def test_effective_keys_stand_beside_their_rows(figure, order, sigma):
    figure.set(order=order, sigma=sigma)
    scene, data = shown(figure), nwlab.make_regression()
    weights = weights_by_hand(data, figure.state["sigma"])
    effective = [1 / sum(a * a for a in row) for row in weights]
    x, y = scene.count.heads.get_data()
    np.testing.assert_allclose(x, effective)
    assert [scene.heat.query_at(height) for height in y] == list(range(50))     # each beside its own row
    assert scene.count.asked.get_xdata()[0] == pytest.approx(effective[20])
    assert scene.panels["count"].get_ylim() == scene.panels["heat"].get_ylim()
    a, b = scene.panels["count"].get_position(), scene.panels["heat"].get_position()
    assert (a.y0, a.y1) == (b.y0, b.y1)
    assert f"attends to {np.median(effective):.3g} of 50 keys in effect" in figure.sentence


def test_an_unknown_order_or_kernel_is_named():
    with pytest.raises(ValueError, match="order.*'random'.*shuffled"):
        explore.heatmap(order="random")
    with pytest.raises(ValueError, match="kernel"):
        explore.heatmap(kernel="gauss")


def test_presets_are_what_they_are_called(figure):
    start, first = figure.state, figure.canvas.png()
    for name in ("needle", "soft band", "river"):
        press(figure, name)
        assert f"a {name}" in figure.sentence
    press(figure, "reset")
    assert figure.state == start and figure.canvas.png() == first


def test_cells_to_scale_stand_where_their_keys_are(figure):
    figure.set(order="to scale", crowd=True)
    data, scene = crowded(nwlab.make_regression()), shown(figure)
    weights = weights_by_hand(data, figure.state["sigma"])
    low, high = min(data.keys[0], 0.0), max(data.keys[-1], 4.9)
    left, right, bottom, top = scene.heat.image.get_extent()
    assert (left, right) == (top, bottom) == (low, high)
    cells = picture(figure)
    pixels = len(cells)
    for row, column in np.random.default_rng(0).integers(0, pixels, (500, 2)):
        x, y = (low + (high - low) * (i + 0.5) / pixels for i in (column, row))     # nearest key, nearest query
        nearest = weights[np.argmin(np.abs(data.queries - y)), np.argmin(np.abs(data.keys - x))]
        assert cells[row, column] == pytest.approx(nearest, abs=1e-12)
    assert scene.panels["heat"].get_xlabel() == "keys at their x" and "the band is straight" in figure.sentence
    top, bottom = frame(figure)
    assert (top, bottom) == (pytest.approx(1.95), pytest.approx(2.05))
    centre = (cells * (np.arange(pixels) + 0.5)).sum(axis=1) / cells.sum(axis=1)    # the middle of the band runs at 45 degrees
    assert np.abs(centre - np.arange(pixels) - 0.5)[pixels // 8:-pixels // 8].max() < 0.1 * pixels


def test_cells_meet_halfway_between_neighbours():
    edges = cell_edges(np.array([1.0, 2.0, 6.0]), 0.0, 8.0)
    assert edges.tolist() == [0.0, 1.5, 4.0, 8.0]
    assert cell_at(edges, [-1.0, 0.0, 1.6, 3.9, 4.1, 9.0]).tolist() == [0, 0, 1, 1, 2, 2]
    assert cells_of_pixels(edges, 8).tolist() == [0, 1, 1, 1, 2, 2, 2, 2]           # a pixel that is halved by an edge goes right
    assert cell_edges(np.array([3.0]), 2.0, 4.0).tolist() == [2.0, 4.0]


def test_slope_of_the_band_follows_the_density_of_the_keys(figure):
    data = nwlab.make_regression()
    moved = crowded(data)
    assert 24 <= np.sum(moved.keys <= 1.0) <= 26 and np.all(np.diff(moved.keys) > 0)
    np.testing.assert_allclose(moved.values - moved.truth(moved.keys), data.values - data.truth(data.keys))
    press(figure, "crowded left")
    figure.set(sigma=0.06)
    band = picture(figure) @ np.arange(50)                                      # which key the band is at, row by row
    crowd, sparse = (band[9] - band[0]) / 9, (band[45] - band[20]) / 25
    assert crowd > 3 * sparse
    said = re.search(r"moves ([\d.]+) keys to the right where they crowd and ([\d.]+) where they are sparse", figure.sentence)
    assert float(said[1]) == pytest.approx(crowd, rel=0.15)
    assert float(said[2]) < sparse < 1
    figure.set(crowd=False)
    assert "slope" not in figure.sentence


def test_full_ink_is_the_highest_weight_unless_few_keys_come_near_it():
    assert full_ink(np.full((3, 4), 0.25)) == (0.25, 0.25)
    assert full_ink(np.array([[0.01] * 9 + [0.0], [0.0] * 9 + [1.0]])) == (1.0, pytest.approx(0.03))
    assert full_ink(np.full((2, 3), np.nan)) == (1.0, 1.0)


@pytest.mark.parametrize("order", ["sorted", "shuffled", "to scale"])
def test_pointing_asks_for_a_moment_and_a_click_keeps(figure, order):
    figure.set(order=order)
    scene, data = shown(figure), nwlab.make_regression()
    height = float(scene.heat.heights[33])
    point_at(figure, "heat", 3.0, height)
    assert "asks x = 3.3" in figure.sentence and figure.state["query"] == pytest.approx(2.0)
    top, bottom = frame(figure)
    assert top < height < bottom and scene.fit.line.get_xdata()[0] == pytest.approx(3.3)
    figure._pointer("leave", 0.0, 0.0, False)
    assert "asks x = 2:" in figure.sentence and scene.fit.line.get_xdata()[0] == pytest.approx(2.0)
    point_at(figure, "count", 5.0, height, "down", True)
    point_at(figure, "count", 5.0, height, "up")
    figure._pointer("leave", 0.0, 0.0, False)
    assert "asks x = 3.3" in figure.sentence and figure.state["query"] == pytest.approx(3.3)
    point_at(figure, "fit", 1.23, 0.0)                      # the other way round: pointing into the fit frames a row
    top, bottom = frame(figure)
    assert top < scene.heat.heights[12] < bottom
    figure.set(query=0.5)                                   # a slider moved by its keys while the pointer rests here
    assert "asks x = 0.5" in figure.sentence


def test_arrow_keys_go_to_the_next_row_as_it_is_drawn(figure):
    shown(figure)
    figure._key("ArrowDown")
    assert figure.state["query"] == pytest.approx(2.1)
    figure._key("ArrowUp")
    figure._key("ArrowUp")
    assert figure.state["query"] == pytest.approx(1.9)
    figure.set(order="shuffled")
    top, _ = frame(figure)
    figure._key("ArrowDown")
    assert frame(figure)[0] == top + 1 and figure.state["query"] != pytest.approx(2.0)
    figure.set(order="sorted", query=4.9)
    shown(figure)
    figure._key("ArrowDown")
    assert figure.state["query"] == pytest.approx(4.9)


def test_rows_without_a_key_in_reach_are_said_and_tinted(figure):
    figure.set(kernel="boxcar", sigma=0.03)
    data = nwlab.make_regression()
    alone = np.abs(data.queries[:, None] - data.keys).min(axis=1) > figure.state["sigma"]
    np.testing.assert_array_equal(np.isnan(picture(figure)).all(axis=1), alone)
    np.testing.assert_array_equal(np.isnan(figure.scene.count.heads.get_xdata()), alone)
    assert f"{alone.sum()} of 50 queries have no key within reach" in figure.sentence
    figure.set(query=data.queries[alone][0])
    assert "no key within reach, no answer" in figure.sentence


@pytest.mark.parametrize("order", ["sorted", "shuffled", "to scale"])
def test_your_own_data(order):
    data = nwlab.load_engel()
    figure = explore.heatmap(data, order=order)
    assert "crowd" not in figure.controls and "n" not in figure.controls
    assert "income" in figure.sentence and "of 235 keys in effect" in figure.sentence
    figure.set(values="upside down")
    assert figure.scene.fit.answer.get_ydata() is not None and "cannot be shown" not in figure.sentence
    one = explore.heatmap(nwlab.from_arrays([2.0], [3.0]), order=order)
    assert "1 of 1 keys" in one.sentence and "answer 3" in one.sentence and shown(one)
    tied = explore.heatmap(nwlab.from_arrays([1.0, 1.0, 4.0], [0.0, 1.0, 2.0], queries=4), order=order)
    assert "cannot be shown" not in tied.sentence and np.nanmax(picture(tied)) == pytest.approx(1.0, abs=0.01)


def test_no_warning_and_nothing_piles_up(figure):
    figure.canvas.png()
    before = count_artists(figure)
    names, orders = list(nwlab.KERNELS), ["sorted", "shuffled", "to scale"]
    pictures = set()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for i in range(200):
            figure.set(kernel=names[i // 20 % 10], order=orders[i // 7 % 3], sigma=0.03 * 1.02**i, query=4.9 * (i % 37) / 36)
            assert "cannot be shown" not in figure.sentence
            if i % 10 == 0:
                pictures.add(figure.canvas.png())
    assert count_artists(figure) == before and len(pictures) == 20


@pytest.mark.parametrize("width", [420, 490, 760, 1000])
@pytest.mark.parametrize("order", ["sorted", "shuffled", "to scale"])
def test_panels_and_words_keep_apart(figure, width, order):
    figure.set(order=order)
    assert_nothing_outside_or_overlapping(figure, width)
