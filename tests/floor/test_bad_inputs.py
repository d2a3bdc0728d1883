"""Every bad input, one by one: a ValueError that names the argument, what came and what was expected."""
import math

import numpy as np
import pytest
import torch

import nwlab

Q, K, V = [0.0, 1.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]
KV_FUNCTIONS = {
    "nadaraya_watson": nwlab.nadaraya_watson,
    "local_linear": nwlab.local_linear,
    "nearest_pooling": nwlab.nearest_pooling,
}
K_FUNCTIONS = {
    "attention_scores": nwlab.attention_scores,
    "attention_weights": nwlab.attention_weights,
    "local_linear_weights": nwlab.local_linear_weights,
    "nearest_weights": nwlab.nearest_weights,
    "parzen_density": nwlab.parzen_density,
    "neighbour_bandwidth": lambda queries, keys: nwlab.neighbour_bandwidth(queries, keys, 1),
}
WIDE = ["attention_scores", "attention_weights", "nadaraya_watson", "local_linear", "local_linear_weights",
        "parzen_density"]


def estimate(name, queries=Q, keys=K, values=V, **how):
    """Any of the estimators, with the arguments it has."""
    return KV_FUNCTIONS[name](queries, keys, values, **how) if name in KV_FUNCTIONS else K_FUNCTIONS[name](queries, keys,
                                                                                                       **how)


ALL = [*KV_FUNCTIONS, *K_FUNCTIONS]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("how", "message"), [
    ({"queries": [0.0, math.nan]}, r"queries: got 1 of 2 numbers NaN or infinite, expected finite ones"),
    ({"queries": [-math.inf, math.nan]}, r"queries: got 2 of 2 numbers NaN or infinite"),
    ({"keys": [0.0, math.inf, 1.0]}, r"keys: got 1 of 3 numbers NaN or infinite, expected finite ones"),
    ({"keys": []}, r"keys: got none at all \(shape \(0,\)\), expected at least one"),
    ({"keys": np.ones((0, 1))}, r"keys: got none at all"),
    ({"keys": np.ones((3, 2))}, r"queries, keys: got 1 and 2 features \(shapes \(2,\) and \(3, 2\)\), expected the same"),
    ({"keys": np.ones((3, 1, 1))}, r"keys: got shape \(3, 1, 1\), expected one number or one row of features a point"),
    ({"queries": np.ones((2, 0))}, r"queries: got shape \(2, 0\), expected at least one feature"),
    ({"keys": ["a", "b", "c"]}, r"keys: got array\(\['a', 'b', 'c'\].* expected real numbers"),
    ({"keys": [[1, 2], [3]]}, r"keys: got \[\[1, 2\], \[3\]\], expected real numbers, in rows of equal length"),
    ({"keys": None}, r"keys: got None, expected real numbers"),
    ({"queries": {1: 2}}, r"queries: got \{1: 2\}, expected real numbers"),
    ({"queries": [1j, 0]}, r"queries: got .* of dtype complex128, expected real numbers"),
    ({"queries": torch.tensor([1j])}, r"queries.*keys|queries: got complex numbers \(torch.complex64\), expected real"),
    ({"queries": np.array(["2020-01-01"], "M8[D]")}, r"queries: got .* of dtype datetime64\[D\], expected real numbers"),
    ({"keys": np.ma.masked_equal([0.0, 1.0, 2.0], 1.0)}, r"keys: got a masked array with gaps, expected one without"),
    ({"queries": torch.tensor([0.0]), "keys": np.array(K)},
     r"queries, keys: got queries from torch, keys from numpy, expected arrays of one library"),
    ({"queries": torch.tensor([0.0], device="meta"), "keys": torch.tensor(K)},
     r"queries, keys.*: got queries on meta, keys on cpu.*, expected arrays on one device"),
])
def test_queries_and_keys(name, how, message):
    with pytest.raises(ValueError, match=message):
        estimate(name, **how)


@pytest.mark.parametrize("name", list(KV_FUNCTIONS))
@pytest.mark.parametrize(("values", "message"), [
    ([1.0, 2.0], r"values: got 2 of them for 3 keys, expected one value a key"),
    ([[1.0, 2.0, 3.0]], r"values: got 1 of them for 3 keys"),
    ([], r"values: got 0 of them for 3 keys"),
    (1.0, r"values: got 1 of them for 3 keys"),
    (np.ones((3, 1, 1)), r"values: got shape \(3, 1, 1\), expected \(3,\) or \(3, c\)"),
    ([1.0, math.nan, math.inf], r"values: got 2 of 3 numbers NaN or infinite"),
    (None, r"values: got None, expected real numbers"),
    (["1", "2", "3"], r"values: got .*, expected real numbers"),
])
def test_values(name, values, message):
    with pytest.raises(ValueError, match=message):
        estimate(name, values=values)


def test_values_from_another_library():
    with pytest.raises(ValueError, match=r"queries, keys, values: got queries from numpy, .*values from torch, expected"):
        nwlab.nadaraya_watson(np.array(Q), np.array(K), torch.tensor(V))


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize(("bandwidth", "message"), [
    (0, r"bandwidth: got 0, expected a finite number above zero"),
    (-1.5, r"bandwidth: got -1\.5, expected a finite number above zero"),
    (math.nan, r"bandwidth: got nan, expected a finite number above zero"),
    (math.inf, r"bandwidth: got inf, expected a finite number above zero"),
    (np.float32(0), r"bandwidth: got 0, expected finite numbers above zero"),
    ([[1.0], [0.0]], r"bandwidth: got 0, expected finite numbers above zero"),
    ([[1.0, -2.0, 1.0]], r"bandwidth: got -2, expected finite numbers above zero"),
    ([[1.0], [math.nan]], r"bandwidth: got 1 of 2 numbers NaN or infinite"),
    ([1.0, 2.0], r"bandwidth: got shape \(2,\), expected a number, \(1,\) per feature, \(2, 1\) per query or \(1, 3\) per key"),
    (np.ones((2, 3)), r"bandwidth: got shape \(2, 3\), expected a number"),
    ([], r"bandwidth: got shape \(0,\), expected a number"),
    (None, r"bandwidth: got None, expected real numbers"),
    ("silverman", r"bandwidth: got 'silverman', expected a number above zero; nwlab.select_bandwidth computes"),
    (1j, r"bandwidth: got .* of dtype complex128, expected real numbers"),
    (torch.tensor(1.0), r"bandwidth: got an array from torch, expected numbers or an array from numpy"),
])
def test_bandwidth(name, bandwidth, message):
    with pytest.raises(ValueError, match=message):
        estimate(name, bandwidth=bandwidth)


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("kernel", ["gauss", "Gaussian", "", None, 3, ["gaussian"], np.exp])
def test_kernel(name, kernel):
    with pytest.raises(ValueError, match=r"kernel: got .*, expected one of gaussian, boxcar, constant, .* or a nwlab.Kernel"):
        estimate(name, kernel=kernel)


@pytest.mark.parametrize("name", ["attention_weights", "nadaraya_watson", "local_linear", "local_linear_weights"])
@pytest.mark.parametrize("empty", ["zero", None, math.nan, ["nan"]])
def test_empty(name, empty):
    with pytest.raises(ValueError, match=r"empty: got .*, expected one of 'nan', 'nearest', 'raise'"):
        estimate(name, empty=empty)


@pytest.mark.parametrize("name", ["attention_weights", "nadaraya_watson"])
@pytest.mark.parametrize(("mask", "message"), [
    (np.ones((3, 2), bool), r"mask: got shape \(3, 2\), expected \(2, 3\)"),
    (np.ones((1, 2, 3), bool), r"mask: got shape \(1, 2, 3\), expected \(2, 3\)"),
    (np.ones((2, 3)), r"mask: got dtype float64, expected booleans, True where a query may attend"),
    ([[1, 1, 1], [0, 1, 1]], r"mask: got dtype int64, expected booleans"),
    ([[True], [True, False]], r"mask: got rows that do not fit together, expected booleans in shape \(2, 3\)"),
    (torch.ones((2, 3), dtype=torch.bool), r"mask: got one from torch, expected one from numpy"),
])
def test_mask(name, mask, message):
    with pytest.raises(ValueError, match=message):
        estimate(name, mask=mask)


@pytest.mark.parametrize("name", ["attention_weights", "nadaraya_watson"])
@pytest.mark.parametrize(("queries", "keys", "message"), [
    ([0.0, 1.0, 2.5], K, r"leave_one_out: got queries that differ from the keys, expected the keys themselves"),
    ([0.0, 1.0], K, r"leave_one_out: got queries that differ from the keys"),
    ([2.0, 1.0, 0.0], K, r"leave_one_out: got queries that differ from the keys"),
    ([1.0], [1.0], r"leave_one_out: got 1 key, expected at least 2 so that one is left"),
])
def test_leave_one_out(name, queries, keys, message):
    with pytest.raises(ValueError, match=message):
        estimate(name, queries=queries, keys=keys, values=V[:len(keys)], leave_one_out=True)


@pytest.mark.parametrize("name", ["nearest_pooling", "nearest_weights"])
@pytest.mark.parametrize("k", [0, 4, -1, 1.0, "1", None, True])
def test_k(name, k):
    with pytest.raises(ValueError, match=r"k: got .*, expected a whole number from 1 to 3"):
        estimate(name, k=k)


@pytest.mark.parametrize(("scores", "mask", "message"), [
    ([[0.0, math.nan]], None, r"scores: got NaN or plus infinity, expected real numbers or minus infinity"),
    ([[0.0, math.inf]], None, r"scores: got NaN or plus infinity"),
    (1.0, None, r"scores: got shape \(\), expected \(\.\.\., n\) with at least one key"),
    (np.ones((2, 0)), None, r"scores: got shape \(2, 0\), expected"),
    ([[0.0, 1.0]], [[True, False, True]], r"mask: got shape \(1, 3\), expected \(1, 2\)"),
    (torch.zeros(1, 2), np.ones((1, 2), bool), r"mask: got one from numpy, expected one from torch"),
    ([["a", "b"]], None, r"scores: got .*, expected real numbers"),
])
def test_masked_softmax(scores, mask, message):
    with pytest.raises(ValueError, match=message):
        nwlab.masked_softmax(scores, mask)


@pytest.mark.parametrize(("queries", "values", "message"), [
    (Q, [], r"values: got shape \(0,\), expected \(n,\) or \(n, c\) with at least one value"),
    (Q, np.ones((2, 2, 2)), r"values: got shape \(2, 2, 2\), expected"),
    (np.ones((2, 2, 2)), V, r"queries: got shape \(2, 2, 2\), expected \(m,\) or \(m, d\)"),
    (Q, [1.0, math.nan], r"values: got 1 of 2 numbers NaN or infinite"),
    (torch.tensor(Q), np.array(V), r"queries, values: got queries from torch, values from numpy, expected arrays of one"),
])
def test_average_pooling(queries, values, message):
    with pytest.raises(ValueError, match=message):
        nwlab.average_pooling(queries, values)


@pytest.mark.parametrize(("weights", "message"), [
    ([0.5, 0.5], r"weights: got shape \(2,\), expected \(m, n\) with at least one key"),
    (np.ones((2, 0)), r"weights: got shape \(2, 0\), expected"),
    ([[0.5, 0.5], [0.0, 0.0]], r"weights: got row 1 with sum 0, expected rows that sum to one"),
    ([[1.0, 1.0]], r"weights: got row 0 with sum 2, expected rows that sum to one \(rows are queries"),
    ([[math.inf, 1.0]], r"weights: got infinity, expected rows that sum to one"),
])
def test_effective_keys(weights, message):
    with pytest.raises(ValueError, match=message):
        nwlab.effective_keys(weights)


@pytest.mark.parametrize("count", [np.arange(3), torch.tensor([1, 2]), [1, 2], np.float64(2.0)])
def test_counts(count):
    with pytest.raises(ValueError, match=r"k: got .*, expected a whole number from 1 to 3"):
        nwlab.nearest_pooling(Q, K, V, k=count)
    with pytest.raises(ValueError, match=r"n: got .*, expected a whole number of at least 1"):
        nwlab.make_regression(n=count)
