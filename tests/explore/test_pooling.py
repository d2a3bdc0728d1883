"""The pooling figure without a browser: what it draws and says is what the package computes."""
import numpy as np
import pytest
from live_figures import press, settled

import nwlab
from workbook import explore
from workbook.figures.words import number


@pytest.mark.parametrize("k", [1, 7, 50])                           # of the soft one: test_contract.py
def test_curve_spokes_row_and_answer_tell_one_story(figure, k):
    figure.set(how="k nearest", k=k, query=3.1)
    scene, data = settled(figure), nwlab.make_regression()
    points = data.keys, data.values
    by_hand = nwlab.nearest_pooling(data.queries, *points, k=k)
    x, y = scene.fit.curve.get_data()
    np.testing.assert_allclose(y, nwlab.nearest_pooling(x, *points, k=k))
    np.testing.assert_allclose(scene.weights @ data.values, by_hand)
    weights = np.ma.filled(scene.heat.image.get_array()[31])
    assert weights @ data.values == pytest.approx(by_hand[31]) and sum(scene.heat.row.get_bbox().intervaly) == 62.0
    assert scene.fit.answer.get_data() == ([data.queries[31]], [pytest.approx(by_hand[31])])
    ends = np.array([spoke[1] for spoke in scene.spokes.get_segments()])
    np.testing.assert_array_equal(ends, np.column_stack(points)[weights > 0.002])
    np.testing.assert_allclose(scene.spokes.get_linewidths(), 0.6 + 8 * weights[weights > 0.002])
    error = np.mean((by_hand - data.targets) ** 2)
    assert f"the answer is {number(by_hand[31])}." in figure.sentence
    assert f"The error against the truth is {number(error)}" in figure.sentence


def test_the_note_stands_at_a_step_while_there_is_one(figure):
    for name in figure.presets:
        press(figure, name)
        scene = settled(figure)
        (x, y), (places, curve) = scene.fit.note.about, scene.fit.curve.get_data()
        at = np.searchsorted(places, x)
        assert (min(curve[at:at + 2]) < y < max(curve[at:at + 2])) == ("neighbour" in name)


def test_one_key_and_tied_keys():
    one = explore.pooling(nwlab.from_arrays([2.0], [3.0]))
    for how in ("k nearest", "soft"):
        one.set(how=how)
        assert one.sentence.endswith("the answer is 3.")
    ties = explore.pooling(nwlab.from_arrays([1.0, 1.0, 2.0], [0.0, 4.0, 8.0]), k=1, query=1.0)
    assert ties.sentence.endswith("the answer is 2.") and "Keys that tie share the place." in ties.sentence
