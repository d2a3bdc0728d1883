"""The pooling figure without a browser: what it draws and says is what the package computes."""
import numpy as np
from live_figures import press, settled

import nwlab
from workbook import explore
from workbook.figures.words import number


def test_spokes_are_as_thick_as_weights_and_the_error_is_that_of_the_curve(figure):       # the rest: test_contract.py
    figure.set(how="k nearest", k=7, query=3.1)
    scene, data = settled(figure), nwlab.make_regression()
    row, ends = scene.weights[31], np.array([spoke[1] for spoke in scene.spokes.get_segments()])
    np.testing.assert_array_equal(ends, np.column_stack([data.keys, data.values]))
    np.testing.assert_allclose(scene.spokes.get_linewidths(), np.where(row > 0.002, 0.6 + 8 * row, 0.002))
    error = np.mean((nwlab.nearest_pooling(data.queries, data.keys, data.values, k=7) - data.targets) ** 2)
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
