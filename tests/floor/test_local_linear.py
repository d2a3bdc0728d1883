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


@pytest.mark.parametrize("scale", [1.0, 1e-12])                   # features of very different size are not singular
@pytest.mark.parametrize("d", [2, 3])
def test_a_plane_comes_back(d, scale):
    rng, unit = np.random.default_rng(d), np.array([1.0, scale, 1.0][:d])
    keys, queries, slope = rng.normal(size=(40, d)), rng.normal(size=(9, d)), rng.normal(size=d)
    for h in (0.7 * unit, np.linspace(0.5, 1.5, d) * unit, *((0.7, np.full((9, 1), 0.8), np.full((1, 40), 0.8))
                                                             if scale == 1 else ())):
        answer = nwlab.local_linear(queries * unit, keys * unit, 3 + keys @ slope, bandwidth=h)
        np.testing.assert_allclose(answer, 3 + queries @ slope, rtol=1e-8)


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(("name", "d", "h"), [("gaussian", 1, 0.8), ("biweight", 2, 4.0)])
def test_a_mask_is_removing_keys_and_leave_one_out_is_removing_each_in_turn(name, d, h, alone):
    rng = np.random.default_rng(d)
    keys, values = rng.normal(size=(15, d)), rng.normal(size=15)
    queries, mask = (keys, ~np.eye(15, dtype=bool)) if alone else (rng.normal(size=(6, d)), rng.random((6, 15)) < 0.7)
    how = {"kernel": name, "bandwidth": h}
    left = {"leave_one_out": True} if alone else {"mask": mask}
    answer = nwlab.local_linear(queries, keys, values, **how, **left)
    weights = nwlab.local_linear_weights(queries, keys, **how, **left)
    assert np.all(weights[~mask] == 0)
    np.testing.assert_allclose(weights @ values, answer, rtol=1e-9)
    for i, allowed in enumerate(mask):
        removed = nwlab.local_linear(queries[i:i + 1], keys[allowed], values[allowed], **how)
        np.testing.assert_allclose(answer[i:i + 1], removed, rtol=1e-9)


def test_an_empty_window_takes_the_nearest_key_that_is_allowed():
    how = {"kernel": "boxcar", "bandwidth": 0.1, "mask": [[False, True, True]], "empty": "nearest"}
    assert nwlab.local_linear([0.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0], **how).tolist() == [2.0]
    with pytest.raises(ValueError, match="mask: got a row that hides every key"):
        nwlab.local_linear([0.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0], **how | {"mask": [[False] * 3]})
    with pytest.warns(nwlab.EmptyWindowWarning,
                      match="of the boxcar kernel among those it may attend to to fit a line"):
        nwlab.local_linear([0.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0], **how | {"empty": "nan"})


def test_weights_go_negative_at_the_border_only_there():
    keys = np.linspace(0, 5, 51)
    weights = nwlab.local_linear_weights([0.0, 2.5], keys, bandwidth=0.3)
    assert weights[0].min() < -0.01
    # And two keys are enough for a line, however unequal their weights.
    assert nwlab.local_linear([0.25], [0.0, 1.0], [10.0, 20.0], bandwidth=0.05) == pytest.approx(12.5)
    np.testing.assert_allclose(weights[1], nwlab.attention_weights([2.5], keys, bandwidth=0.3)[0], atol=1e-12)


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
    with pytest.raises(ValueError, match="queries: 1 of 1 queries has too few different keys"):
        nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h, empty="raise")
