"""Local linear regression: planes come back exactly in any unit, and singular windows are said."""
import numpy as np
import pytest

import nwlab


@pytest.mark.parametrize("d", [2, 3])
def test_features_of_very_different_size_and_two_keys_of_very_unequal_weight_are_not_singular(d):
    rng, unit = np.random.default_rng(d), np.array([1.0, 1e-12, 1.0][:d])
    keys, queries, slope = rng.normal(size=(40, d)), rng.normal(size=(9, d)), rng.normal(size=d)
    answer = nwlab.local_linear(queries * unit, keys * unit, 3 + keys @ slope, bandwidth=0.7 * unit)
    np.testing.assert_allclose(answer, 3 + queries @ slope, rtol=1e-8)
    assert nwlab.local_linear([0.25], [0.0, 1.0], [10.0, 20.0], bandwidth=0.05) == pytest.approx(12.5)


@pytest.mark.parametrize(("queries", "keys", "name", "h"), [pytest.param(*case[1:], id=case[0]) for case in [
    ("all keys at one place", [0.5], [1.0, 1.0, 1.0], "gaussian", 1.0),
    ("one key within reach", [0.5], [0.0, 7.0], "boxcar", 1.0),
    ("none within reach", [50.0], [0.0, 7.0], "boxcar", 1.0),
    ("the second key's weight underflows", [0.0], [0.0, 1.0], "gaussian", 1e-3),
    ("keys on one line in the plane", [[0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.1, 0.1]], "gaussian", 1.0),
]])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_singular_window_counts_as_empty(queries, keys, name, h):
    values = np.arange(len(keys)) + 1.0
    with pytest.warns(nwlab.EmptyWindowWarning, match=r"1 of 1 queries has too few different keys .* to fit a"):
        assert np.isnan(nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h)).all()
    np.testing.assert_array_equal(nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h, empty="nearest"),
                                  nwlab.nearest_pooling(queries, keys, values))
