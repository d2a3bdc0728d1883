"""What holds of weights and averages whatever the points, the kernel and the width; test_oracles.py has the numbers."""
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import nwlab

COORDINATES = st.floats(-100, 100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-3)


@given(data=st.integers(1, 12).flatmap(lambda n: hnp.arrays(np.float64, (2, n), elements=COORDINATES)),
       queries=hnp.arrays(np.float64, st.integers(1, 12), elements=COORDINATES), h=st.floats(0.05, 50),
       name=st.sampled_from(list(nwlab.KERNELS)))
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
