"""What must not happen: 0/0, a NaN without a word, a NumPy warning."""
import math

import numpy as np
import pytest
import torch

import nwlab

NAMES = list(nwlab.KERNELS)
NEVER_ZERO = [name for name, kernel in nwlab.KERNELS.items() if kernel.power is not None]
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
both_precisions = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@both_precisions
@pytest.mark.parametrize("h", [1e-300, 1e-3])
@pytest.mark.parametrize("name", NEVER_ZERO)
def test_a_far_query_or_a_tiny_width_never_divides_zero_by_zero(name, h, dtype):
    keys, values = np.array([0.0, 1.0, 2.5], dtype), np.array([10.0, 20.0, 30.0], dtype)
    answer = nwlab.nadaraya_watson(np.array([0.4, 0.6], dtype), keys, values, kernel=name, bandwidth=h)
    assert answer.tolist() == [10, 20]
    weights = nwlab.attention_weights(dtype(0.5), np.array([0, 1, 3], dtype), kernel=name, bandwidth=h)
    assert weights.tolist() == [[0.5, 0.5, 0]]
    far = np.array([-1e30, 1e30], dtype)                                 # there the keys are tied: one distance for all
    answer = nwlab.nadaraya_watson(far, keys, values, kernel=name, bandwidth=h)
    assert np.all((answer >= 10) & (answer <= 30))


@pytest.mark.filterwarnings("ignore::nwlab.bandwidth.EdgeOfSearchWarning")       # four points, and hardly any order
@both_precisions
def test_numbers_whose_sums_may_be_infinite_are_refused_and_others_are_not(dtype):
    bound = float(np.finfo(dtype).max) / 1e8
    keys, values = np.array([0.0, 1.0, -1.0, 0.5], dtype) * dtype(bound), np.array([1, 2, 3, 4], dtype)
    for h in (1e-300, 1.0, 1e300):
        weights = nwlab.attention_weights(keys, keys, bandwidth=h)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-6)
    assert nwlab.nearest_pooling(keys, keys, values).tolist() == [1, 2, 3, 4]
    for answer in (nwlab.local_linear(keys, keys, values, bandwidth=bound / 4), nwlab.average_pooling(keys, keys),
                   nwlab.parzen_density(keys, keys, bandwidth=bound / 4),
                   nwlab.adaptive_bandwidth(keys, bandwidth=bound / 4), nwlab.select_bandwidth(keys, values)):
        assert np.isfinite(answer).all()
    assert nwlab.masked_softmax(np.array([[np.finfo(dtype).max, -np.finfo(dtype).max]])).tolist() == [[1, 0]]
    with pytest.raises(ValueError, match="keys: got numbers up to .*, expected less than .* measure them in a larger"):
        nwlab.nadaraya_watson(keys, keys * 2, values)
    with pytest.raises(ValueError, match="values: got numbers up to"):
        nwlab.average_pooling(keys, keys * 2)


@pytest.mark.filterwarnings("ignore::nwlab.bandwidth.EdgeOfSearchWarning")
@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e100, 1e160, 1e200])
def test_points_and_widths_whose_squares_are_no_numbers(unit):
    keys, values = np.arange(4.0), np.array([1.0, 2.0, 4.0, 3.0])
    plane = np.stack([keys, keys], axis=1)
    for estimate in (lambda unit: nwlab.nadaraya_watson(unit * keys, unit * keys, values, bandwidth=unit),
                     lambda unit: nwlab.loo_error(unit * keys, values, bandwidths=[unit, unit / 9]),
                     lambda unit: nwlab.nearest_pooling(unit * plane, unit * plane, values),
                     *(lambda unit, rule=rule: nwlab.select_bandwidth(unit * keys, values, rule=rule) / unit
                       for rule in ("loo", "silverman", "scott"))):
        np.testing.assert_allclose(estimate(unit), estimate(1.0), rtol=1e-9)


@pytest.mark.parametrize("copies", [1, 20_000])                      # a small estimate, and one in tiles
@pytest.mark.parametrize(("name", "power"), [("gaussian", 2), ("exponential", 1)])
def test_a_far_query_keeps_the_digits_of_the_keys(name, power, copies):
    """Keys 2^-27 apart, a query 2^27 away: the squares of the distances differ by 2, the distances by 2^-27."""
    far, step = 2.0**27, 2.0**-27
    ratio = math.exp(-1.0) if power == 2 else math.exp(-step)
    for sign in (1, -1):
        weights = nwlab.attention_weights([sign * far], [0.0, step], kernel=name)[0]
        answer = nwlab.nadaraya_watson([sign * far] * copies, [0.0, step], [0.0, 1.0], kernel=name)
        expected = 1 / (1 + ratio**sign)
        np.testing.assert_allclose([weights[1], answer[0], answer[-1]], expected, rtol=1e-12)
    tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in ([far], [0.0, step], [0.0, 1.0])]
    assert nwlab.nadaraya_watson(*tensors, kernel=name).item() == pytest.approx(1 / (1 + ratio), rel=1e-12)


@pytest.mark.parametrize(("dtype", "atol"), [
    (np.float16, 4e-3), (np.longdouble, 1e-14), (torch.float16, 4e-3), (torch.bfloat16, 0.02)])
def test_other_dtypes_stay_and_sixteen_bits_are_computed_as_thirty_two(dtype, atol):
    library, k = torch if isinstance(dtype, torch.dtype) else np, np.linspace(0, 1, 400)
    ones, x = library.ones(20_000, dtype=dtype), library.asarray(k, dtype=dtype)
    for answer in (nwlab.nadaraya_watson(ones[:1], ones, ones),
                   nwlab.local_linear(ones[:3], ones, ones, empty="nearest"),
                   nwlab.average_pooling(ones[:1], ones), nwlab.nearest_pooling(ones[:1], ones, ones, k=9)):
        assert answer.dtype == dtype and answer.tolist() == pytest.approx([1.0] * len(answer), abs=1e-4)
    weights = nwlab.masked_softmax(library.zeros((1, 20_000), dtype=dtype))
    assert weights.dtype == nwlab.effective_keys(weights).dtype == dtype
    assert float(nwlab.effective_keys(weights)[0]) == pytest.approx(20_000, rel=0.02)
    answer = nwlab.nadaraya_watson(x, x, x, bandwidth=0.25)           # large enough for the blocked path
    assert answer.dtype == dtype
    np.testing.assert_allclose(np.asarray(answer.tolist(), float), nwlab.nadaraya_watson(k, k, k, bandwidth=0.25),
                               rtol=0, atol=atol)


KEYS, VALUES, FAR = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0]), np.array([0.5, 10.0, -10.0])
NONE_FIRST = [[False] * 3, [True] * 3, [True] * 3]


@pytest.mark.parametrize(("call", "message"), [
    (lambda: nwlab.attention_weights(FAR, KEYS, kernel="boxcar"),
     r"2 of 3 queries have no key within reach of the boxcar kernel \(bandwidth 1, reach 1\): there the answer is NaN"),
    (lambda: nwlab.nadaraya_watson(FAR, KEYS, VALUES, kernel="epanechnikov", bandwidth=2),
     r"2 of 3 queries have .* \(bandwidth 2, rea"),
    (lambda: nwlab.nadaraya_watson(*map(torch.tensor, (FAR, KEYS, VALUES)), kernel="triangular"), "2 of 3"),
    (lambda: nwlab.nadaraya_watson(FAR, KEYS, VALUES, kernel="boxcar", mask=NONE_FIRST),
     r"3 of 3 queries have no key within reach .* among those it may attend to"),
    (lambda: nwlab.attention_weights(KEYS, KEYS, kernel="boxcar", bandwidth=0.5, leave_one_out=True),
     r"3 of 3 .* it may attend to"),
    (lambda: nwlab.attention_weights(KEYS, KEYS, mask=NONE_FIRST),
     r"1 of 3 queries has no key that the mask allows: there the answer is NaN\.$"),
    (lambda: nwlab.masked_softmax([[-math.inf, -math.inf], [0.0, 1.0]]), r"1 of 2 queries has no key left"),
    (lambda: nwlab.local_linear(FAR, KEYS, VALUES, kernel="boxcar"),
     r"2 of 3 queries have too few different keys .* a line"),
    (lambda: nwlab.local_linear_weights(FAR, KEYS, kernel="boxcar", mask=[[True, True, False]] * 3),
     r"2 of 3 queries have too few different keys .* among those it may attend to to fit a line"),
])
@pytest.mark.parametrize("in_blocks", [False, True])
def test_one_warning_that_says_how_many_and_points_at_the_caller(monkeypatch, call, message, in_blocks):
    if in_blocks:
        monkeypatch.setattr(nwlab._engine.blocks, "BLOCK_BYTES", 1)
    with pytest.warns(nwlab.EmptyWindowWarning, match=message) as told:
        answer = call()
    assert len(told) == 1 and told[0].filename == __file__
    rows = np.asarray(answer).reshape(len(answer), -1)
    announced = int(str(told[0].message).split()[0])
    assert np.isnan(rows).all(axis=1).sum() == np.isnan(rows).any(axis=1).sum() == announced


@pytest.mark.parametrize("estimate", [
    lambda **how: nwlab.nadaraya_watson(FAR, KEYS, VALUES, **how),
    lambda **how: nwlab.attention_weights(FAR, KEYS, **how) @ VALUES,
    lambda **how: nwlab.local_linear(FAR, KEYS, VALUES, **how),
    lambda **how: nwlab.local_linear_weights(FAR, KEYS, **how) @ VALUES,
])
@pytest.mark.filterwarnings("error")
def test_nearest_and_raise_look_only_at_allowed_keys(estimate):
    np.testing.assert_allclose(estimate(kernel="boxcar", empty="nearest"), [1.5, 4.0, 1.0])
    with pytest.raises(ValueError, match="queries: 2 of 3 queries have .*Widen the bandwidth, or pass"):
        estimate(kernel="boxcar", empty="raise")
    for name in NAMES:
        first_key = estimate(kernel=name, bandwidth=0.1, mask=[[True, False, False]] * 3, empty="nearest")
        np.testing.assert_array_equal(first_key, [1.0, 1.0, 1.0])
        for empty, message in (("raise", "1 of 3 queries has (no|too few different) key"),
                               ("nearest", "mask: got a row that hides every key, expected at least one")):
            with pytest.raises(ValueError, match=message):
                estimate(kernel=name, bandwidth=20.0, mask=NONE_FIRST, empty=empty)


@pytest.mark.filterwarnings("error")
def test_the_nearest_other_key_stands_in_and_no_query_is_no_warning():
    loo = nwlab.attention_weights(KEYS, KEYS, kernel="boxcar", bandwidth=0.1, leave_one_out=True, empty="nearest")
    assert loo.tolist() == [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]]
    assert nwlab.nadaraya_watson([], KEYS, VALUES, kernel="boxcar", bandwidth=0.01).shape == (0,)


@both_precisions
def test_far_keys_are_a_density_of_zero_and_tiny_widths_a_number_or_infinity_and_never_nan(dtype):
    assert nwlab.parzen_density([1e6], [0.0]).tolist() == [0]
    assert nwlab.parzen_density([9.0], [0.0], kernel="boxcar").tolist() == [0]
    for d in (1, 300, 800):                             # int K is (2 pi)^(d/2): 1e119 and 1e319
        origin, h = np.zeros((1, d)), 1 / math.sqrt(2 * math.pi)
        assert nwlab.parzen_density(origin, origin, bandwidth=h) == pytest.approx(1.0, rel=1e-12)
    keys, queries = np.array([[0.0, 0.0], [1.0, 1.0]], dtype), np.array([[0.5, 0.5], [0.0, 0.0]], dtype)
    assert nwlab.parzen_density(queries, keys, kernel="boxcar", bandwidth=1e-300).tolist() == [0, math.inf]
