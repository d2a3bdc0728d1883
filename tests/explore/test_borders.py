"""The borders explorer without a browser: two estimators, their matrices and rows, against plain computations."""
import numpy as np
import pytest
from live_figures import cells, settled

import nwlab
from nwlab import palette
from workbook.figures.words import number


DATA = nwlab.make_regression()                          # with the noise of the lesson


def weights_by_hand(sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian weights (m, n) of averages and of weighted least squares: the intercept of a line through (keys - x)."""
    apart, lines = DATA.keys - DATA.queries[:, None], []                                    # (m, n)
    similarity = np.exp(-(apart**2) / (2 * sigma**2))
    for design, near in zip(np.stack([np.ones_like(apart), apart], axis=2), similarity):    # (n, 2), (n,)
        lines.append((np.linalg.inv(design.T * near @ design) @ (design.T * near))[0])
    return similarity / similarity.sum(axis=1, keepdims=True), np.array(lines)


@pytest.mark.parametrize("query", [0.0, 2.0])
def test_matrices_rows_and_answers_are_those_of_least_squares(figure, query):
    figure.set(query=query)
    scene, row = settled(figure), round(query * 10)
    drawn = ((scene.heat, scene.stems, scene.fit.answer), (scene.line_heat, scene.line_stems, scene.second_answer))
    for (heat, stems, answer), rows in zip(drawn, weights_by_hand(figure.state["sigma"])):
        np.testing.assert_allclose(cells(heat), rows, atol=1e-9)
        np.testing.assert_allclose(cells(heat).sum(axis=1), 1.0)
        heads = np.concatenate([heads.get_xydata() for _, heads in stems.sides])
        np.testing.assert_allclose(sorted(heads.tolist()), np.column_stack([DATA.keys, rows[row]]), atol=1e-9)
        assert all(stems.sides[1][1].get_ydata() < 0) and stems.sides[1][0].get_color() == palette.NEGATIVE
        assert answer.get_ydata()[0] == pytest.approx(rows[row] @ DATA.values)
        assert heat.row.get_y() == row - 0.5
        assert number(rows[row] @ DATA.values) in figure.sentence
    assert scene.heat.image.get_clim() == scene.line_heat.image.get_clim() == (-1, 1)
    assert scene.line_heat.scale.get_text() == "±1"
    assert scene.stems.panel.get_ylim() == scene.line_stems.panel.get_ylim()
    if query == 0.0:
        below = number(rows[row][rows[row] < 0].sum(), 2)
        assert f"weights below zero, {below} in sum, which a softmax can never give" in figure.sentence
    assert f"the truth is {number(DATA.truth(np.array([query]))[0])}" in figure.sentence


def test_windows_too_poor_for_a_line_are_said(figure):
    figure.set(kernel="boxcar", sigma=0.05)
    reached = (np.abs(DATA.queries[:, None] - DATA.keys) <= figure.state["sigma"]).sum(axis=1)
    single = int((reached == 1).sum())
    assert f"{single} of 50 queries have too few different keys within reach for a line" in figure.sentence
    np.testing.assert_array_equal(np.isnan(cells(settled(figure).line_heat)).all(axis=1), reached < 2)
    figure.set(query=DATA.queries[reached == 1][0])
    assert "local linear has no answer: the keys within reach do not determine a line" in figure.sentence
    assert np.isnan(settled(figure).second_answer.get_ydata()[0])
    figure.set(query=DATA.queries[reached == 0][0])
    assert "neither has an answer: no key is within reach" in figure.sentence
