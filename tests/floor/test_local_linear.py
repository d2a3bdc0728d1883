"""Local linear regression: lines and planes come back exactly, weights may be negative, singular windows are said."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nwlab


@given(slope=st.floats(-10, 10), level=st.floats(-10, 10), h=st.floats(0.05, 20), seed=st.integers(0, 99),
       name=st.sampled_from(list(nwlab.KERNELS)))
def test_a_straight_line_comes_back_whatever_the_kernel(slope, level, h, seed, name):
    rng = np.random.default_rng(seed)
    keys, queries = rng.uniform(0, 5, 12), rng.uniform(-1, 6, 7)
    weights = nwlab.local_linear_weights(queries, keys, kernel=name, bandwidth=h, empty="nearest")
    values = np.stack([level + slope * keys, np.sin(keys)], axis=1)
    answer = nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h, empty="nearest")
    line = ~np.all(weights == nwlab.nearest_weights(queries, keys), axis=1)      # where the window was not singular
    size = np.abs(weights).sum(axis=1)                                           # how much rounding is blown up
    assert np.all(np.abs(answer[:, 0] - (level + slope * queries))[line] <= 1e-12 * (size * 100)[line])
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12 * size.max())
    np.testing.assert_allclose(weights @ values, answer, atol=1e-11 * size.max())


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
