"""The borders figure without a browser: two estimators, their matrices and rows, against plain computations."""
import numpy as np
import pytest
from live_figures import cells, press, settled
from matplotlib.colors import to_rgb

import nwlab
from workbook import explore, palette
from workbook.figures.words import number

DATA = nwlab.make_regression()                          # with the noise of the lesson


@pytest.mark.parametrize("query", [0.0, 2.0])
def test_matrices_rows_and_answers_are_those_of_the_package(figure, query):
    figure.set(query=query)
    points = {"queries": DATA.queries, "keys": DATA.keys, "bandwidth": figure.state["sigma"]}
    scene, row = settled(figure), round(query * 10)
    drawn = (scene.heat, scene.fit.answer), (scene.line_heat, scene.fit.panel["line answer"])
    for (heat, answer), rows in zip(drawn, (nwlab.attention_weights(**points), nwlab.local_linear_weights(**points))):
        np.testing.assert_allclose(cells(heat), rows, atol=1e-9)
        assert answer.get_ydata()[0] == pytest.approx(rows[row] @ DATA.values)
        assert sum(heat.row.get_bbox().intervaly) / 2 == pytest.approx(row)
        assert f"{number(abs(rows[row] @ DATA.values - DATA.targets[row]), 2)} too" in figure.sentence
    assert scene.heat.image.get_clim() == scene.line_heat.image.get_clim() == (-1, 1)
    assert scene.line_heat.scale.get_text() == "+1"
    purple = (scene.fit.dots.get_facecolors()[:, :3] == to_rgb(palette.NEGATIVE)).all(axis=1)
    np.testing.assert_array_equal(purple, rows[row] < -0.001 * rows[row].max())
    assert ("weights below zero" in figure.sentence) == (query == 0.0)
    assert scene.note.about == pytest.approx((query, scene.fit.answer.get_ydata()[0]))
    left, middle = scene.fit.answer.get_ydata()[0] > scene.fit.panel["line answer"].get_ydata()[0] + 0.1, query == 2.0
    assert left != middle and scene.note.get_text() == (
        "neighbours on both\nsides: pulls cancel" if middle else
        "higher dots on one side\npull the ring up")
    assert scene.fit.panel["line"].get_text() == ("line along the large dots:\nthe brown dot is on it" if left else "")


def test_the_line_through_the_dot_is_the_one_that_fits_best_and_the_wide_kernel_is_shown_at_the_border(figure):
    press(figure, "wide, at the border")
    scene, weights = settled(figure), nwlab.attention_weights(DATA.queries[:1], DATA.keys, bandwidth=1.2)[0]
    slope, height = np.polyfit(DATA.keys, DATA.values, 1, w=np.sqrt(weights))
    x, y = scene.fit.panel["tangent"].get_data()
    np.testing.assert_allclose(y, height + slope * x)
    x, y = scene.fit.panel["line"].about
    assert y == pytest.approx(height + slope * x) and scene.note.get_text().startswith("wide σ: far, higher dots")
    assert scene.fit.answer.get_data() == ([0.0], [pytest.approx(weights @ DATA.values)])


def test_windows_too_poor_for_a_line_are_said(figure):
    figure.set(kernel="boxcar", sigma=0.05)
    reached = (np.abs(DATA.queries[:, None] - DATA.keys) <= figure.state["sigma"]).sum(axis=1)
    np.testing.assert_array_equal(np.isnan(cells(settled(figure).line_heat)).all(axis=1), reached < 2)
    figure.set(query=DATA.queries[reached == 1][0])
    assert "local linear has no answer: the keys within reach do not determine a line" in figure.sentence
    assert np.isnan(settled(figure).fit.panel["line answer"].get_ydata()[0])
    assert "only the key" in settled(explore.borders(nwlab.load_engel(), query=4957.813)).note.get_text()
    figure.set(query=DATA.queries[reached == 0][0])
    assert "neither has an answer: no key is within reach" in figure.sentence


def test_a_kernel_that_the_page_cannot_compute_has_no_looks():
    figure = explore.borders(kernel=nwlab.Kernel("triangle", "maximum(1 - u, 0)"))
    assert settled(figure).given() is None and figure.looks() == {}
    figure.close()
