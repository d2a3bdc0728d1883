"""The kernels explorer without a browser: profile, stems, table and words against plain computations."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from live_figures import press, shared, shown

import nwlab
from nwlab import explore
from nwlab.explore.kernels import loneliest_query, runs
from nwlab.explore.stage.words import number


@pytest.fixture
def figure():
    return shared("kernels")


def table(figure) -> list[list[str]]:
    """The rows of the table as they are read, the sum last."""
    drawn = shown(figure).table
    rows = [[cell.get_text() for cell in row] for row in drawn.cells]
    return [row for row in rows if any(row)] + [[cell.get_text() for cell in drawn.total]]


def value_of(text: str) -> float:
    return float(text.replace("−", "-"))


BY_HAND = {
    "gaussian": lambda u: math.exp(-u * u / 2),
    "boxcar": lambda u: float(abs(u) <= 1),
    "triangular": lambda u: max(0.0, 1 - abs(u)),
    "epanechnikov": lambda u: max(0.0, 1 - u * u),
    "constant": lambda u: 1.0,
}
STD = {"gaussian": 1.0, "boxcar": 3**-0.5, "triangular": 6**-0.5, "epanechnikov": 5**-0.5, "constant": 1.0}


@pytest.mark.parametrize("same", ["h", "std"])
@pytest.mark.parametrize("kernel", BY_HAND)
def test_profile_stems_curve_and_table_tell_one_story(figure, kernel, same):
    figure.set(kernel=kernel, same=same, h=0.4, query=1.24)
    scene, data = shown(figure), nwlab.make_regression()
    width = figure.state["h"] / (STD[kernel] if same == "std" else 1.0)
    similarity = np.array([BY_HAND[kernel]((key - 1.24) / width) for key in data.keys])
    weights = similarity / similarity.sum()
    answer = float(np.average(data.values, weights=similarity))
    distances, heights = scene.profile.dots.get_data()
    np.testing.assert_allclose(distances, data.keys - 1.24)
    np.testing.assert_allclose(heights, similarity, atol=1e-12)
    np.testing.assert_allclose(scene.stems.heads.get_ydata(), weights, atol=1e-12)
    assert scene.stems.heads.get_ydata().sum() == pytest.approx(1.0)
    assert scene.fit.answer.get_ydata()[0] == pytest.approx(answer)
    x, y = scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nadaraya_watson(x, data.keys, data.values, kernel, width))
    x, y = scene.profile.curve.get_data()
    np.testing.assert_allclose(y, [BY_HAND[kernel](d / width) for d in x], atol=1e-12)
    assert f"{similarity.sum():.3g}" in scene.table.divisor.get_text()
    assert f"the answer is {number(answer)}, from {number(1 / (weights @ weights))} of 50 keys" in figure.sentence


def test_the_numbers_in_the_table_are_the_largest_parts_and_add_up(figure):
    figure.set(query=2.0)
    *rows, total = table(figure)
    data = nwlab.make_regression()
    weights = nwlab.attention_weights([2.0], data.keys, bandwidth=figure.state["h"])[0]
    largest = np.argsort(-weights)[:4]
    assert [value_of(row[0]) for row in rows[:4]] == [pytest.approx(w, abs=5e-4) for w in weights[largest]]
    assert [value_of(row[1]) for row in rows[:4]] == [pytest.approx(v, abs=5e-3) for v in data.values[largest]]
    for row in rows[:4]:
        assert value_of(row[2]) == pytest.approx(value_of(row[0]) * value_of(row[1]), abs=6e-3)
    assert rows[4][1] == f"other {np.count_nonzero(weights) - 4}"
    assert sum(value_of(row[0]) for row in rows) == pytest.approx(value_of(total[0]), abs=3e-3) and total[0] == "1.000"
    assert sum(value_of(row[2]) for row in rows) == pytest.approx(value_of(total[1]), abs=3e-3)
    assert value_of(total[1]) == pytest.approx(weights @ data.values, abs=5e-4)


def test_a_table_of_two_keys_has_two_rows_and_no_others():
    figure = explore.kernels(nwlab.from_arrays([0.0, 1.0, 9.0], [10.0, -20.0, 5.0]), kernel="boxcar", h=1.0, query=0.5)
    *rows, total = table(figure)
    assert rows == [["0.500", "10.0", "5.00"], ["0.500", "−20.0", "−10.00"]] and total == ["1.000", "−5.00"]


def test_an_empty_window_is_said_drawn_and_never_warned_about(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        press(figure, "empty window")
        scene, data = shown(figure), nwlab.make_regression()
        h, x = figure.state["h"], figure.state["query"]
    assert np.abs(data.keys - x).min() > h                                      # the preset keeps its promise
    assert "no key is within reach" in figure.sentence and "0/0" in figure.sentence
    assert f"the nearest is {number(np.abs(data.keys - x).min())} away" in figure.sentence
    assert "no key within reach" in scene.table.empty.get_text() and table(figure) == [["0/0", "none"]]
    assert scene.table.divisor.get_text() == "α = K / 0, the sum of K"
    assert np.all(scene.stems.heads.get_ydata() == 0) and np.isnan(scene.fit.answer.get_ydata()[0])
    grid, curve = scene.fit.curve.get_data()
    alone = np.abs(grid[:, None] - data.keys).min(axis=1) > h
    np.testing.assert_array_equal(np.isnan(curve), alone)
    tinted = [path.vertices[:, 0] for path in scene.gaps.get_paths()]
    np.testing.assert_array_equal([any(v.min() <= g <= v.max() for v in tinted) for g in grid], alone)
    empty = int((np.abs(data.queries[:, None] - data.keys).min(axis=1) > h).sum())
    assert f"{empty} of 50 queries have no key within reach" in figure.sentence
    press(figure, "reset")
    assert "reach" not in figure.sentence and shown(figure).table.empty.get_text() == "" and not scene.gaps.get_paths()


def test_loneliest_query_and_runs():
    data = nwlab.from_arrays([0.0, 1.0, 5.0], [0.0, 0.0, 0.0], queries=11)
    assert loneliest_query(data) == (3.0, 2.0)
    assert runs(np.arange(6.0), np.array([1, 0, 0, 1, 1, 0], bool)) == [(-0.5, 0.5), (2.5, 4.5)]
    assert runs(np.arange(3.0), np.ones(3, bool)) == [(-0.5, 2.5)] and runs(np.arange(3.0), np.zeros(3, bool)) == []


def curves_of_others(figure) -> np.ndarray:
    """The faint curves, one a row."""
    y = shown(figure).others.get_ydata()
    return y.reshape(len(nwlab.KERNELS) - 1, -1)[:, :-1]


@pytest.mark.parametrize("seed", range(2))
def test_width_matters_and_shape_hardly(figure, seed):
    apart = {}
    for same in ("h", "std"):
        figure.set(same=same, seed=seed)
        scene = shown(figure)
        names = [name for name in nwlab.KERNELS if name != "gaussian"]
        finite = [np.isfinite(nwlab.KERNELS[name].std) for name in names]
        gaps = (curves_of_others(figure) - scene.fit.curve.get_ydata())[finite]
        apart[same] = np.sqrt(np.nanmean(gaps**2))
        assert f"typically {number(apart[same], 2)} from this one" in figure.sentence
    assert apart["std"] < 0.6 * apart["h"]


def test_faint_curves_are_the_other_kernels(figure):
    figure.set(kernel="triangular", same="std", h=0.5)
    h, data, x = figure.state["h"], nwlab.make_regression(), shown(figure).fit.curve.get_xdata()
    others = [kernel for name, kernel in nwlab.KERNELS.items() if name != "triangular"]
    for curve, kernel in zip(curves_of_others(figure), others):
        width = h / kernel.std if np.isfinite(kernel.std) else h
        np.testing.assert_allclose(curve, nwlab.nadaraya_watson(x, data.keys, data.values, kernel, width))


def test_dragging_and_keys(figure):
    scene, state = shown(figure), figure.state
    assert scene.dragged("kernel", -0.7, 0.5, state) == {"h": 0.7}
    assert scene.dragged("kernel", 0.0, 0.5, state) == {"h": pytest.approx(0.03)}
    assert scene.dragged("table", 0.5, 0.5, state) is None
    figure.set(**scene.dragged("fit", 3.34, 0.0, state))
    assert "x = 3.34" in figure.sentence
    assert scene.profile.dots.get_xdata()[0] == pytest.approx(nwlab.make_regression().keys[0] - 3.34)


def test_your_own_data():
    figure = explore.kernels(nwlab.load_engel())
    assert "income" in figure.sentence and "Error against the truth" not in figure.sentence
    assert value_of(table(figure)[-1][1]) == pytest.approx(figure.scene.fit.answer.get_ydata()[0], abs=0.05)
    far = explore.kernels(nwlab.from_arrays([0.0, 1.0], [3.0, 4.0]), h=0.006, query=0.4)    # K underflows, not weights
    assert table(far)[0] == ["1.000", "3.00", "3.000"] and "below 1e−300" in far.scene.table.divisor.get_text()
    one = explore.kernels(nwlab.from_arrays([2.0], [3.0]))
    assert table(one) == [["1.000", "3.00", "3.000"], ["1.000", "3.000"]]
