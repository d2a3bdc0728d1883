"""What must not happen: 0/0, a NaN without a word, a NumPy warning."""
import math
import warnings

import numpy as np
import pytest
import torch

import nwlab

NAMES = list(nwlab.KERNELS)
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


# ------------------------------------------------------------------------------------------------ large and small


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_gaussian_never_divides_zero_by_zero(dtype):
    keys, values = np.array([0.0, 1.0, 2.5], dtype), np.array([10.0, 20.0, 30.0], dtype)
    limits = np.finfo(dtype)
    for query, nearest in ((-1e30, 10), (1e30, 30), (float(limits.max), 30), (0.4, 10), (0.6, 20)):
        for h in (1e-300, 1e-38, 1e-3):
            for name in ("gaussian", "exponential"):
                answer = nwlab.nadaraya_watson(np.array([query], dtype), keys, values, name, h)
                if abs(query) < 1e6:
                    assert answer == [nearest], (query, h, name)
                else:       # there the distances are one and the same number, so the keys are tied
                    assert np.isfinite(answer).all() and 10 <= answer[0] <= 30


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_half_way_the_nearest_two_share(dtype):
    np.testing.assert_array_equal(nwlab.attention_weights(dtype(0.5), np.array([0, 1, 3], dtype), bandwidth=1e-300),
                                  [[0.5, 0.5, 0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", NAMES)
def test_points_of_the_largest_size(name, dtype):
    largest = np.finfo(dtype).max
    keys, values = np.array([0, 1, largest, -largest], dtype), np.array([1, 2, 3, 4], dtype)
    for h in (1e-300, 1.0, 1e300):
        weights = nwlab.attention_weights(keys, keys, name, h)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-6)
        np.testing.assert_allclose(nwlab.nadaraya_watson(keys, keys, values, name, h), weights @ values, rtol=1e-6)
    small, h = keys / 256, float(largest) / 2                         # a width that matters at this size
    np.testing.assert_allclose(nwlab.attention_weights(keys, keys, name, h, empty="nearest"),
                               nwlab.attention_weights(small, small, name, h / 256, empty="nearest"), rtol=1e-6)
    plane = np.stack([keys, keys[::-1]], axis=1)
    assert np.isfinite(nwlab.attention_weights(plane, plane, name, [1e-300, 1e300])).all()
    assert not np.isnan(nwlab.attention_scores(plane, plane, name, 1e-300)).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_of_the_largest_size(dtype):
    largest = np.finfo(dtype).max
    values = np.full(7, largest, dtype)
    keys = np.linspace(0, 1, 7, dtype=dtype)
    for answer in (nwlab.nadaraya_watson(keys, keys, values), nwlab.average_pooling(keys, values),
                   nwlab.nearest_pooling(keys, keys, values, 3), nwlab.local_linear(keys, keys, values)):
        np.testing.assert_allclose(answer, largest, rtol=1e-5)
    assert nwlab.select_bandwidth(keys, values * keys) > 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_other_estimators_at_the_largest_size(dtype):
    largest = np.finfo(dtype).max
    keys, values = np.array([0, largest, -largest, largest / 2], dtype), np.array([1, 2, 3, 4], dtype)
    h = float(largest) / 4
    assert nwlab.nearest_pooling(keys, keys, values).tolist() == [1, 2, 3, 4]
    assert np.isfinite(nwlab.local_linear(keys, keys, values, bandwidth=h)).all()
    assert np.isfinite(nwlab.parzen_density(keys, keys, bandwidth=h)).all()
    assert np.isfinite(nwlab.loo_error(keys, values, [h, h / 2])).all()
    assert np.isfinite(nwlab.adaptive_bandwidth(keys, h)).all()
    assert np.isfinite(nwlab.neighbour_bandwidth(keys, keys, 4)).all()
    for rule in ("loo", "silverman", "scott"):
        assert 0 < nwlab.select_bandwidth(keys, values, rule) < math.inf
    assert nwlab.masked_softmax(np.array([[largest, -largest]], dtype)).tolist() == [[1, 0]]


def test_keys_that_are_tiny_numbers():
    keys = np.array([1.0, 2.0, 4.0]) * 1e-300
    np.testing.assert_allclose(nwlab.nadaraya_watson(keys, keys, [1, 2, 3], bandwidth=1e-300),
                               nwlab.nadaraya_watson([1, 2, 4], [1, 2, 4], [1, 2, 3]))
    assert nwlab.select_bandwidth(keys, rule="scott") == pytest.approx(
        1e-300 * nwlab.select_bandwidth([1.0, 2, 4], rule="scott"))
    pairs = np.stack([keys, keys], axis=1)                            # squares of these gaps underflow
    assert nwlab.nearest_pooling(pairs, pairs, [1, 2, 3]).tolist() == [1, 2, 3]


def test_dtypes_that_are_neither_single_nor_double():
    for dtype in (np.float16, np.longdouble):
        k = np.linspace(0, 1, 400, dtype=dtype)                       # large enough for the blocked path
        answer = nwlab.nadaraya_watson(k, k, k, bandwidth=0.25)
        assert answer.dtype == dtype
        np.testing.assert_allclose(answer.astype(float), nwlab.nadaraya_watson(*[k.astype(float)] * 3, bandwidth=0.25),
                                   atol=4 * float(np.finfo(np.float16).eps) if dtype == np.float16 else 1e-14)
    k = torch.linspace(0, 1, 400, dtype=torch.bfloat16)
    assert nwlab.nadaraya_watson(k, k, k, bandwidth=0.25).dtype == torch.bfloat16


# ------------------------------------------------------------------------------------------------ empty windows


def caught(call):
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        return call(), [w for w in record if issubclass(w.category, nwlab.EmptyWindowWarning)], record


KEYS, VALUES, FAR = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0]), np.array([0.5, 10.0, -10.0])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: nwlab.attention_weights(FAR, KEYS, "boxcar"),
     r"2 of 3 queries have no key within reach of the boxcar kernel \(bandwidth 1, reach 1\): there the answer is NaN"),
    (lambda: nwlab.nadaraya_watson(FAR, KEYS, VALUES, "epanechnikov", 2), r"2 of 3 queries have .* \(bandwidth 2, rea"),
    (lambda: nwlab.nadaraya_watson(*map(torch.tensor, (FAR, KEYS, VALUES)), "triangular"), "2 of 3"),
    (lambda: nwlab.nadaraya_watson(FAR, KEYS, VALUES, "boxcar", mask=[[False] * 3, [True] * 3, [True] * 3]),
     r"3 of 3 queries have no key within reach .* among those it may attend to"),
    (lambda: nwlab.attention_weights(KEYS, KEYS, "boxcar", 0.5, leave_one_out=True), r"3 of 3 .* it may attend to"),
    (lambda: nwlab.attention_weights([0.0, 1.0], KEYS, mask=[[False] * 3, [True] * 3]),
     r"1 of 2 queries has no key that the mask allows: there the answer is NaN\.$"),
    (lambda: nwlab.masked_softmax([[-math.inf, -math.inf], [0.0, 1.0]]), r"1 of 2 queries has no key left"),
    (lambda: nwlab.masked_softmax([[3.0, 1.0], [0.0, 1.0]], [[False, False], [True, True]]), r"1 of 2 queries has no"),
    (lambda: nwlab.local_linear(FAR, KEYS, VALUES, "boxcar"), r"2 of 3 queries have too few different keys .* a line"),
    (lambda: nwlab.local_linear_weights(FAR, KEYS, "boxcar"), r"2 of 3 queries have too few different keys .* a line"),
])
def test_one_warning_that_says_how_many_and_points_at_the_caller(call, message):
    answer, empty, all_warnings = caught(call)
    assert len(all_warnings) == len(empty) == 1
    assert empty[0].filename == __file__
    with pytest.warns(nwlab.EmptyWindowWarning, match=message):
        call()
    rows = np.asarray(answer).reshape(len(answer), -1)
    announced = int(str(empty[0].message).split()[0])
    assert np.isnan(rows).all(axis=1).sum() == np.isnan(rows).any(axis=1).sum() == announced


def test_one_warning_for_all_blocks(monkeypatch):
    monkeypatch.setattr(nwlab._engine.blocks, "WHOLE_BYTES", 0)
    monkeypatch.setattr(nwlab._engine.blocks, "BLOCK_BYTES", 1)
    _, empty, _ = caught(lambda: nwlab.nadaraya_watson(FAR, KEYS, VALUES, "boxcar"))
    assert [str(w.message).startswith("2 of 3") for w in empty] == [True]


@pytest.mark.parametrize("estimate", [
    lambda **how: nwlab.nadaraya_watson(FAR, KEYS, VALUES, "boxcar", **how),
    lambda **how: nwlab.attention_weights(FAR, KEYS, "boxcar", **how) @ VALUES,
    lambda **how: nwlab.local_linear(FAR, KEYS, VALUES, "boxcar", **how),
    lambda **how: nwlab.local_linear_weights(FAR, KEYS, "boxcar", **how) @ VALUES,
])
def test_nearest_and_raise(estimate):
    answer, _, all_warnings = caught(lambda: estimate(empty="nearest"))
    np.testing.assert_allclose(answer, [1.5, 4.0, 1.0])
    assert not all_warnings
    with pytest.raises(ValueError, match=r"queries: 2 of 3 queries have .*Widen the bandwidth, or pass empty='nearest"):
        estimate(empty="raise")


def test_the_nearest_key_is_the_nearest_that_is_allowed():
    mask = np.array([[True, False, False]] * 3)
    np.testing.assert_array_equal(
        nwlab.attention_weights(FAR, KEYS, "boxcar", 0.1, mask, empty="nearest"), [[1, 0, 0]] * 3)
    loo = nwlab.attention_weights(KEYS, KEYS, "boxcar", 0.1, leave_one_out=True, empty="nearest")
    np.testing.assert_array_equal(loo, [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]])


@pytest.mark.parametrize("name", NAMES)
def test_a_row_that_hides_every_key(name):
    mask = [[False] * 3, [True] * 3]
    weights, empty, _ = caught(lambda: nwlab.attention_weights(KEYS[:2], KEYS, name, 3.0, mask))
    assert len(empty) == 1 and np.isnan(weights[0]).all() and weights[1].sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="1 of 2 queries has no key"):
        nwlab.attention_weights(KEYS[:2], KEYS, name, 3.0, mask, empty="raise")
    with pytest.raises(ValueError, match="mask: got a row that hides every key, so empty='nearest'"):
        nwlab.attention_weights(KEYS[:2], KEYS, name, 3.0, mask, empty="nearest")


def test_no_queries_no_warning():
    for name in NAMES:
        _, _, all_warnings = caught(lambda name=name: nwlab.nadaraya_watson([], KEYS, VALUES, name, 0.01))
        assert not all_warnings
