"""Attention weights and the averages made of them: against loops, other libraries, and their own symmetries."""
import math

import loops
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.nonparametric.kernel_regression import KernelReg

import nwlab

NAMES = list(nwlab.KERNELS)
DATA = nwlab.make_regression()
COORDINATES = st.floats(-100, 100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-3)
WIDTHS = st.floats(0.05, 50)


def points(low=1):
    return st.integers(low, 12).flatmap(lambda n: hnp.arrays(np.float64, n, elements=COORDINATES))


@st.composite
def pairs(draw, low=1):
    keys = draw(points(low))
    return keys, draw(hnp.arrays(np.float64, keys.shape, elements=COORDINATES))


# ------------------------------------------------------------------------------------------------ independent oracles


@pytest.mark.parametrize("h", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("name", NAMES)
def test_against_a_loop(name, h):
    profile = loops.PROFILES[name]
    expected = loops.weights(DATA.queries, DATA.keys, profile, h)
    weights = nwlab.attention_weights(DATA.queries, DATA.keys, name, h, empty="nearest")
    for row, slow in zip(weights, expected, strict=True):
        if slow is not None:
            np.testing.assert_allclose(row, slow, rtol=1e-10, atol=1e-14)
    estimate = nwlab.nadaraya_watson(DATA.queries, DATA.keys, DATA.values, name, h, empty="nearest")
    slow = np.array(loops.nadaraya_watson(DATA.queries, DATA.keys, DATA.values, profile, h))
    reached = np.isfinite(slow)
    np.testing.assert_allclose(estimate[reached], slow[reached], rtol=1e-10, atol=1e-12)
    nearest = np.array(loops.nearest(DATA.queries, DATA.keys, DATA.values, 1))
    np.testing.assert_allclose(estimate[~reached], nearest[~reached])


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")                      # statsmodels, about random numbers
@pytest.mark.parametrize("h", [[0.2], [1.0], [0.5, 0.8]])
def test_against_statsmodels(h):
    rng, d = np.random.default_rng(0), len(h)
    keys, queries, values = rng.normal(size=(60, d)), rng.normal(size=(20, d)), rng.normal(size=60)
    regression = KernelReg(values, keys, "c" * d, reg_type="lc", bw=h)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=h), regression.fit(queries)[0],
                               rtol=1e-10)


@given(data=pairs(low=12), queries=points(), k=st.sampled_from([1, 2, 5, 12]))
def test_nearest_against_a_loop(data, queries, k):
    keys, values, queries = np.round(data[0]), data[1], np.round(queries)                # rounded: ties
    expected = loops.nearest(queries, keys, values, k)
    np.testing.assert_allclose(nwlab.nearest_pooling(queries, keys, values, k), expected, atol=1e-10)
    np.testing.assert_allclose(nwlab.nearest_weights(queries, keys, k) @ values, expected, atol=1e-10)
    tensors = (torch.tensor(x) for x in (queries, keys, values))
    np.testing.assert_allclose(nwlab.nearest_pooling(*tensors, k), expected, atol=1e-10)


# ------------------------------------------------------------------------------------------------ properties


@given(data=pairs(), queries=points(), h=WIDTHS, name=st.sampled_from(NAMES))
def test_weights_are_weights_and_the_answer_is_an_average(data, queries, h, name):
    keys, values = data
    weights = nwlab.attention_weights(queries, keys, name, h, empty="nearest")
    assert weights.shape == (len(queries), len(keys)) and np.all(weights >= 0)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-12)
    estimate = nwlab.nadaraya_watson(queries, keys, values, name, h, empty="nearest")
    np.testing.assert_allclose(weights @ values, estimate, rtol=1e-12, atol=1e-12)
    slack = 1e-12 * np.max(np.abs(values))
    assert np.all(estimate >= values.min() - slack) and np.all(estimate <= values.max() + slack)
    counts = nwlab.effective_keys(weights)
    assert np.all(counts > 1 - 1e-12) and np.all(counts < len(keys) * (1 + 1e-12))


@given(data=pairs(), queries=points(), h=WIDTHS, name=st.sampled_from(NAMES), seed=st.integers(0, 99),
       power=st.integers(-20, 20), shift=st.integers(-64, 64))
def test_order_unit_and_origin_do_not_matter_and_a_learned_w_is_one_over_the_width(data, queries, h, name, seed, power,
                                                                                   shift):
    (keys, values), order = data, np.random.default_rng(seed).permutation(len(data[0]))
    weights = nwlab.attention_weights(queries, keys, name, h, empty="nearest")
    answer = nwlab.nadaraya_watson(queries, keys, values, name, h, empty="nearest")
    np.testing.assert_allclose(nwlab.attention_weights(queries, keys[order], name, h, empty="nearest"),
                               weights[:, order], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys[order], values[order], name, h, empty="nearest"),
                               answer, atol=1e-10)
    scale = 2.0**power
    np.testing.assert_array_equal(
        nwlab.nadaraya_watson(queries * scale, keys * scale, values, name, h * scale, empty="nearest"), answer)
    gaussian = nwlab.attention_weights(queries, keys, bandwidth=h)
    np.testing.assert_allclose(nwlab.attention_weights(queries + shift, keys + shift, bandwidth=h), gaussian, atol=1e-6)
    for w in (1 / h, -1 / h):
        np.testing.assert_allclose(nwlab.attention_weights(queries * w, keys * w), gaussian, atol=1e-6)


@given(data=pairs(), queries=points())
def test_w_to_zero_is_the_mean_and_width_to_zero_the_nearest_key(data, queries):
    keys, values = data
    mean = nwlab.average_pooling(queries, values)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries * 0.0, keys * 0.0, values), mean, atol=1e-10)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=1e12), mean, atol=1e-10)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=1e-300),
                               nwlab.nearest_pooling(queries, keys, values), atol=1e-10)


@given(data=pairs(low=2), queries=points(), h=WIDTHS, name=st.sampled_from(NAMES), seed=st.integers(0, 99))
def test_a_mask_is_the_same_as_removing_the_key(data, queries, h, name, seed):
    keys, values = data
    hidden = np.random.default_rng(seed).integers(len(keys))
    mask = np.ones((len(queries), len(keys)), bool)
    mask[:, hidden] = False
    kept = np.delete(np.arange(len(keys)), hidden)
    weights = nwlab.attention_weights(queries, keys, name, h, mask, empty="nearest")
    assert np.all(weights[:, hidden] == 0)
    without = nwlab.attention_weights(queries, keys[kept], name, h, empty="nearest")
    np.testing.assert_allclose(weights[:, kept], without, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, name, h, mask, empty="nearest"),
                               nwlab.nadaraya_watson(queries, keys[kept], values[kept], name, h, empty="nearest"),
                               atol=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_leave_one_out_is_removing_each_point_in_turn(name):
    h = 0.7
    expected = loops.nadaraya_watson(DATA.keys, DATA.keys, DATA.values, loops.PROFILES[name], h, lambda i, j: i != j)
    np.testing.assert_allclose(nwlab.nadaraya_watson(DATA.keys, DATA.keys, DATA.values, name, h, leave_one_out=True),
                               expected, rtol=1e-10)
    others = ~np.eye(50, dtype=bool)
    np.testing.assert_array_equal(nwlab.attention_weights(DATA.keys, DATA.keys, name, h, leave_one_out=True),
                                  nwlab.attention_weights(DATA.keys, DATA.keys, name, h, mask=others))


def test_leave_one_out_and_a_mask_add_up():
    keys, mask = np.arange(4.0), np.ones((4, 4), bool)
    mask[:, 0] = False
    weights = nwlab.attention_weights(keys, keys, mask=mask, leave_one_out=True)
    assert np.all(weights[:, 0] == 0) and np.all(np.diag(weights) == 0) and np.all(weights[1, 2:] > 0)


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


def test_masked_softmax_of_scores_is_the_weights():
    for name in NAMES:
        weights = nwlab.masked_softmax(nwlab.attention_scores(DATA.queries, DATA.keys, name, 0.8))
        np.testing.assert_allclose(weights, nwlab.attention_weights(DATA.queries, DATA.keys, name, 0.8), atol=1e-14)
