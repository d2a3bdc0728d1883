"""Properties of attention weights and of the averages made of them, whatever the points, the kernel and the width."""
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import nwlab

COORDINATES = st.floats(-100, 100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-3)
WIDTHS = st.floats(0.05, 50)
KERNELS = st.sampled_from(list(nwlab.KERNELS))


def points(low=1):
    return st.integers(low, 12).flatmap(lambda n: hnp.arrays(np.float64, n, elements=COORDINATES))


@st.composite
def pairs(draw, low=1):
    keys = draw(points(low))
    return keys, draw(hnp.arrays(np.float64, keys.shape, elements=COORDINATES))


@given(data=pairs(), queries=points(), h=WIDTHS, name=KERNELS)
def test_weights_are_weights_and_the_answer_is_an_average(data, queries, h, name):
    keys, values = data
    weights = nwlab.attention_weights(queries, keys, kernel=name, bandwidth=h, empty="nearest")
    assert weights.shape == (len(queries), len(keys)) and np.all(weights >= 0)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-12)
    estimate = nwlab.nadaraya_watson(queries, keys, values, kernel=name, bandwidth=h, empty="nearest")
    np.testing.assert_allclose(weights @ values, estimate, rtol=1e-12, atol=1e-12)
    slack = 1e-12 * np.max(np.abs(values))
    assert np.all(estimate >= values.min() - slack) and np.all(estimate <= values.max() + slack)
    counts = nwlab.effective_keys(weights)
    assert np.all(counts > 1 - 1e-12) and np.all(counts < len(keys) * (1 + 1e-12))
    mean = nwlab.average_pooling(queries, values)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries * 0.0, keys * 0.0, values), mean, atol=1e-10)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=1e12), mean, atol=1e-10)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=1e-300),
                               nwlab.nearest_pooling(queries, keys, values), atol=1e-10)


@given(data=pairs(low=2), queries=points(), h=WIDTHS, name=KERNELS, seed=st.integers(0, 99),
       power=st.integers(-20, 20), shift=st.integers(-64, 64))
def test_order_unit_origin_and_masked_keys_do_not_matter_and_a_learned_w_is_one_over_the_width(
        data, queries, h, name, seed, power, shift):
    (keys, values), rng = data, np.random.default_rng(seed)
    order, scale, hidden = rng.permutation(len(keys)), 2.0**power, rng.integers(len(keys))
    weights = nwlab.attention_weights(queries, keys, kernel=name, bandwidth=h, empty="nearest")
    answer = nwlab.nadaraya_watson(queries, keys, values, kernel=name, bandwidth=h, empty="nearest")
    np.testing.assert_allclose(nwlab.attention_weights(queries, keys[order], kernel=name, bandwidth=h, empty="nearest"),
                               weights[:, order], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys[order], values[order], kernel=name, bandwidth=h,
                                                     empty="nearest"),
                               answer, atol=1e-10)
    np.testing.assert_array_equal(
        nwlab.nadaraya_watson(queries * scale, keys * scale, values, kernel=name, bandwidth=h * scale,
                              empty="nearest"), answer)
    gaussian = nwlab.attention_weights(queries, keys, bandwidth=h)
    np.testing.assert_allclose(nwlab.attention_weights(queries + shift, keys + shift, bandwidth=h), gaussian, atol=1e-6)
    for w in (1 / h, -1 / h):
        np.testing.assert_allclose(nwlab.attention_weights(queries * w, keys * w), gaussian, atol=1e-6)
    kept = np.arange(len(keys)) != hidden
    masked = nwlab.attention_weights(queries, keys, kernel=name, bandwidth=h, mask=kept, empty="nearest")
    assert np.all(masked[:, hidden] == 0)
    np.testing.assert_allclose(masked[:, kept],
                               nwlab.attention_weights(queries, keys[kept], kernel=name, bandwidth=h, empty="nearest"),
                               rtol=1e-12, atol=1e-300)


@given(scores=hnp.arrays(np.float64, (3, 5), elements=st.floats(-1e308, 1e308)), seed=st.integers(0, 99))
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_masked_softmax(scores, seed):
    mask = np.random.default_rng(seed).random((3, 5)) < 0.6
    assume(mask.any(axis=1).all())
    weights = nwlab.masked_softmax(scores, mask)
    for row, s, allowed in zip(weights, scores.tolist(), mask, strict=True):
        top = max(x for x, ok in zip(s, allowed, strict=True) if ok)
        raw = [math.exp(x - top) if ok else 0.0 for x, ok in zip(s, allowed, strict=True)]
        np.testing.assert_allclose(row, np.array(raw) / math.fsum(raw), rtol=1e-12, atol=1e-300)


def test_effective_keys_of_needle_mean_and_empty_window():
    np.testing.assert_allclose(nwlab.effective_keys([[1.0, 0.0], [0.5, 0.5], [math.nan, math.nan]]), [1, 2, math.nan])
