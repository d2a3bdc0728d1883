"""Local linear regression: lines and planes come back exactly, weights may be negative, singular windows are said."""
import math

import loops
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.nonparametric.kernel_regression import KernelReg

import nwlab

DATA = nwlab.make_regression()


@pytest.mark.parametrize("h", [0.3, 0.8, 3.0])
@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "tricube", "exponential"])
def test_against_the_normal_equations(name, h):
    if name in ("epanechnikov", "tricube"):
        h *= 3                                                                   # so that no window is singular
    expected = loops.local_linear(DATA.queries, DATA.keys, DATA.values, loops.PROFILES[name], h)
    np.testing.assert_allclose(nwlab.local_linear(DATA.queries, DATA.keys, DATA.values, name, h), expected, rtol=1e-8)


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")                      # statsmodels, about random numbers
@pytest.mark.parametrize("d", [1, 2])
def test_against_statsmodels(d):
    rng = np.random.default_rng(0)
    keys, queries, values = rng.normal(size=(60, d)), rng.normal(size=(15, d)), rng.normal(size=60)
    h = [0.6, 0.9][:d]
    expected = KernelReg(values, keys, "c" * d, reg_type="ll", bw=h).fit(queries)[0]
    np.testing.assert_allclose(nwlab.local_linear(queries, keys, values, bandwidth=h), expected, rtol=1e-7)


@given(slope=st.floats(-10, 10), level=st.floats(-10, 10), h=st.floats(0.05, 20), seed=st.integers(0, 99),
       name=st.sampled_from(list(nwlab.KERNELS)))
def test_a_straight_line_comes_back_whatever_the_kernel(slope, level, h, seed, name):
    rng = np.random.default_rng(seed)
    keys, queries = rng.uniform(0, 5, 12), rng.uniform(-1, 6, 7)
    weights = nwlab.local_linear_weights(queries, keys, name, h, empty="nearest")
    answer = nwlab.local_linear(queries, keys, level + slope * keys, name, h, empty="nearest")
    nearest = nwlab.nearest_weights(queries, keys)
    line = ~np.all(weights == nearest, axis=1)                                   # where the window was not singular
    size = np.abs(weights).sum(axis=1)                                           # how much rounding is blown up
    assert np.all(np.abs(answer - (level + slope * queries))[line] <= 1e-12 * (size * 100)[line])
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12 * size.max())


@pytest.mark.parametrize("d", [2, 3])
def test_a_plane_comes_back(d):
    rng = np.random.default_rng(d)
    keys, queries, slope = rng.normal(size=(40, d)), rng.normal(size=(9, d)), rng.normal(size=d)
    for h in (0.7, np.linspace(0.5, 1.5, d), np.full((9, 1), 0.8), np.full((1, 40), 0.8)):
        answer = nwlab.local_linear(queries, keys, 3 + keys @ slope, bandwidth=h)
        np.testing.assert_allclose(answer, 3 + queries @ slope, rtol=1e-8)


def test_features_of_very_different_size_are_not_taken_for_singular():
    rng = np.random.default_rng(0)
    keys, scale = rng.normal(size=(40, 2)), np.array([1.0, 1e-12])
    expected = nwlab.local_linear(keys[:5], keys, keys.sum(axis=1))
    np.testing.assert_allclose(nwlab.local_linear(keys[:5] * scale, keys * scale, keys.sum(axis=1), bandwidth=scale),
                               expected, rtol=1e-8)


def test_weights_sum_to_one_and_go_negative_at_the_border_only_there():
    keys = np.linspace(0, 5, 51)
    weights = nwlab.local_linear_weights([0.0, 2.5], keys, bandwidth=0.3)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert weights[0].min() < -0.01
    np.testing.assert_allclose(weights[1], nwlab.attention_weights([2.5], keys, bandwidth=0.3)[0], atol=1e-12)
    values = np.stack([DATA.truth(keys), keys], axis=1)
    np.testing.assert_allclose(weights @ values, nwlab.local_linear([0.0, 2.5], keys, values, bandwidth=0.3))


@pytest.mark.parametrize(("queries", "keys", "name", "h"), [pytest.param(*case[1:], id=case[0]) for case in [
    ("one key", [0.0], [5.0], "gaussian", 1.0),
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
        assert np.isnan(nwlab.local_linear(queries, keys, values, name, h)).all()
    np.testing.assert_array_equal(nwlab.local_linear(queries, keys, values, name, h, empty="nearest"),
                                  nwlab.nearest_pooling(queries, keys, values))
    with pytest.raises(ValueError, match="queries: 1 of 1 queries has too few different keys"):
        nwlab.local_linear(queries, keys, values, name, h, empty="raise")


def test_two_keys_are_enough_for_a_line_however_unequal_their_weights():
    np.testing.assert_allclose(nwlab.local_linear([0.25], [0.0, 1.0], [10.0, 20.0], bandwidth=0.05), [12.5])


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_an_answer_of_nothing_but_rounding_counts_as_empty():
    with pytest.warns(nwlab.EmptyWindowWarning):
        assert math.isnan(nwlab.local_linear([1e300], [0.0, 1e-300], [1.0, 2.0], bandwidth=1e300)[0])
