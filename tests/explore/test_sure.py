"""explore.sure: its band, and how many bands of fresh samples hold the truth, each computed anew from the package."""
import numpy as np
import pytest
from live_figures import bands_that_hold, settled

import nwlab

PLAIN = {"sigma": 0.22, "query": 1.9, "level": 0.95, "samples": 100}


@pytest.mark.parametrize(("state", "times"), [
    ({}, 2.0), ({"sigma": 0.5, "query": 0.3}, 2.0), ({"level": 0.5, "n": 20, "samples": 40}, 0.67),
    ({"noise": 1.5, "seed": 3, "samples": 10, "level": 0.99}, 2.58)])
def test_the_shares_are_those_of_fresh_samples_with_the_same_recipe(figure, state, times):
    figure.set(**state)
    now = {**PLAIN, "n": 50, "noise": 0.5, "seed": 0, **state}
    first = 100 * (now["seed"] + 1)
    right = bands_that_hold(now["n"], now["noise"], range(first, first + now["samples"]), now["sigma"], times)
    np.testing.assert_allclose(settled(figure).share.get_ydata(), 100 * right.mean(axis=0))
    row = round(10 * now["query"])
    assert f"{right[:, row].sum()} of {now['samples']} bands hold the truth" in figure.sentence
    assert f"over all x it is {100 * right.mean():.0f} %" in figure.sentence
    panel = figure.scene.panels["others"]
    lengths = [np.diff(panel[name].get_ydata())[::3] for name in ("bands", "misses")]
    assert [np.sum(each > 0) for each in lengths] == [len(right), (~right[:, row]).sum()]
    low, high, _ = panel["bands"].get_ydata().reshape(-1, 3).T
    assert np.all(np.diff(low + high) >= 0), "sorted by their middles"


def test_the_band_is_so_many_standard_errors_wide_and_a_moved_value_does_not_widen_it(figure):
    data, scene = nwlab.make_regression(), settled(figure)
    weights = nwlab.attention_weights(scene.fit.grid, data.keys, bandwidth=0.22)
    half = 2 * 0.5 / np.sqrt(nwlab.effective_keys(weights))

    def edges() -> np.ndarray:
        return settled(figure).fit.panel["sure"].get_xy()[:2 * len(half), 1].reshape(2, -1)

    upper, lower = edges()[0], edges()[1][::-1]
    np.testing.assert_allclose(upper - lower, 2 * half)
    np.testing.assert_allclose((upper + lower) / 2, scene.fit.curve.get_ydata())
    share = scene.share.get_ydata()
    figure.change_points("move", 20, figure.sample_points.places[20] + (0, 1))
    np.testing.assert_allclose(edges()[0] - edges()[1][::-1], 2 * half)
    np.testing.assert_array_equal(settled(figure).share.get_ydata(), share)
