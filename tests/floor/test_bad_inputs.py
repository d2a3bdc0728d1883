"""Bad inputs: a ValueError that names the argument, what came and what was expected.

What `_engine/inputs.py` checks is tried in full where it matters most, and once for each other function that asks it.
"""
import math

import numpy as np
import pytest
import torch

import nwlab

Q, K, V = [0.0, 1.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]
KV = ["nadaraya_watson", "local_linear", "nearest_pooling"]
ALL = ["nadaraya_watson", "nearest_pooling", "parzen_density", "neighbour_bandwidth"]
WIDE = ["attention_scores", "nadaraya_watson", "local_linear_weights"]
BAD = [
    (ALL, [
        ({"queries": [0.0, math.nan]}, r"queries: got 1 of 2 numbers NaN or infinite, expected finite ones"),
        ({"keys": [0.0, math.inf, 1.0]}, r"keys: got 1 of 3 numbers NaN or infinite, expected finite ones"),
        ({"keys": []}, r"keys: got none at all \(shape \(0,\)\), expected at least one"),
        ({"keys": np.ones((3, 2))}, r"queries, keys: got 1 and 2 features \(shapes \(2,\) and \(3, 2\)\), expected"),
        ({"keys": np.ones((3, 1, 1))}, r"keys: got shape \(3, 1, 1\), expected a number or a row of features"),
        ({"queries": np.ones((2, 0))}, r"queries: got shape \(2, 0\), expected at least one feature"),
        ({"keys": ["a", "b", "c"]}, r"keys: got array\(\['a', 'b', 'c'\].* expected real numbers"),
        ({"keys": [[1, 2], [3]]}, r"keys: got \[\[1, 2\], \[3\]\], expected real numbers, in rows of equal length"),
        ({"queries": [1j, 0]}, r"queries: got .* of dtype complex128, expected real numbers"),
        ({"queries": torch.tensor([1j])}, r"queries: got complex numbers \(torch.complex64\), expected"),
        ({"keys": np.ma.masked_equal([0.0, 1.0, 2.0], 1.0)}, r"keys: got a masked array with gaps, expected one"),
        ({"queries": torch.tensor([0.0]), "keys": np.array(K)},
         r"queries, keys: got queries from torch, keys from numpy, expected arrays of one library"),
        ({"queries": torch.tensor([0.0], device="meta"), "keys": torch.tensor(K)},
         r"queries, keys.*: got queries on meta, keys on cpu.*, expected arrays on one device"),
    ]),
    (KV, [
        ({"values": [1.0, 2.0]}, r"values: got 2 of them for 3 keys, expected one value for each key"),
        ({"values": 1.0}, r"values: got 1 of them for 3 keys"),
        ({"values": np.ones((3, 1, 1))}, r"values: got shape \(3, 1, 1\), expected \(3,\) or \(3, c\)"),
        ({"values": [1.0, math.nan, math.inf]}, r"values: got 2 of 3 numbers NaN or infinite"),
    ]),
    (WIDE, [
        ({"bandwidth": 0}, r"bandwidth: got 0, expected a finite number above zero"),
        ({"bandwidth": True}, r"bandwidth: got True, expected a finite number above zero"),
        ({"bandwidth": np.array(True)}, r"bandwidth: got dtype bool, expected finite numbers above zero"),
        ({"bandwidth": math.nan}, r"bandwidth: got nan, expected a finite number above zero"),
        ({"bandwidth": [[1.0], [math.nan]]}, r"bandwidth: got 1 of 2 numbers NaN or infinite"),
        ({"bandwidth": [1.0, 2.0]},
         r"bandwidth: got shape \(2,\), expected a number, \(1,\) per feature, \(2, 1\) per query or \(1, 3\) per key"),
        ({"bandwidth": "silverman"},
         r"bandwidth: got 'silverman', expected a number above zero; nwlab.select_bandwidth computes"),
        ({"bandwidth": torch.tensor(1.0)}, r"bandwidth: got an array from torch, expected numbers or an array from"),
        *(({"kernel": kernel}, r"kernel: got .*, expected one of gaussian, boxcar, .* or a nwlab.Kernel")
          for kernel in ("gauss", None, ["gaussian"])),
    ]),
    (["attention_weights", "nadaraya_watson", "local_linear", "local_linear_weights"], [
        *(({"empty": empty}, r"empty: got .*, expected one of 'nan', 'nearest', 'raise'")
          for empty in ("zero", None)),
        ({"mask": np.ones((3, 2), bool)}, r"mask: got shape \(3, 2\), expected \(2, 3\)"),
        ({"mask": np.ones((2, 3))}, r"mask: got dtype float64, expected booleans, True where a query may attend"),
        ({"mask": [[True], [True, False]]}, r"mask: got rows that do not fit together, expected booleans in"),
        ({"mask": torch.ones((2, 3), dtype=torch.bool)}, r"mask: got one from torch, expected one from numpy"),
        ({"mask": np.ma.masked_equal([[True, False, True]] * 2, False)},
         r"mask: got a masked array with gaps, expected"),
        *(({"leave_one_out": wrong}, r"leave_one_out: got .*, expected True or False")
          for wrong in ("no", 1, None, [True])),
        ({"leave_one_out": True, "queries": [0.0, 1.0, 2.5]},
         r"leave_one_out: got queries that differ from the keys, expected the keys themselves"),
        ({"leave_one_out": True, "queries": [1.0], "keys": [1.0], "values": [1.0]},
         r"keys: got 1, expected at least 2, so that leaving one out leaves one"),
    ]),
    (["nearest_pooling", "nearest_weights"], [
        ({"k": k}, r"k: got .*, expected a whole number from 1 to 3")
        for k in (0, 4, 1.0, None, True, np.arange(3))
    ]),
]


@pytest.mark.parametrize(("name", "how", "message"), [
    (name, *case) for names, cases in BAD for case in cases for name in names])
def test_estimators(name, how, message):
    arguments = {"queries": Q, "keys": K, "values": V} | ({"k": 1} if name == "neighbour_bandwidth" else {}) | how
    if name not in KV:
        del arguments["values"]
    with pytest.raises(ValueError, match=message):
        getattr(nwlab, name)(**arguments)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: nwlab.masked_softmax([[0.0, math.nan]]), r"scores: got NaN or plus infinity, expected real numbers or mi"),
    (lambda: nwlab.masked_softmax(1.0), r"scores: got shape \(\), expected \(\.\.\., n\) with at least one key"),
    (lambda: nwlab.masked_softmax([[0.0, 1.0]], [[True, False, True]]), r"mask: got shape \(1, 3\), expected \(1, 2\)"),
    (lambda: nwlab.average_pooling(Q, []), r"values: got shape \(0,\), expected \(n,\) or \(n, c\) with at least one"),
    (lambda: nwlab.nadaraya_watson(np.array(Q), np.array(K), torch.tensor(V)),
     r"queries, keys, values: got queries from numpy, .*values from torch, expected"),
    *((lambda alpha=alpha: nwlab.entmax([0.0, 1.0], alpha=alpha), "alpha: got .*, expected a")
      for alpha in (0.9, 2.1, math.nan, "1.5x")),
    (lambda: nwlab.nadaraya_watson([1.0], [1.0], [1.0], method="quick"),
     "method: got 'quick', expected one of 'auto', 'dense', 'window', 'fast'"),
    (lambda: nwlab.effective_keys([0.5, 0.5]), r"weights: got shape \(2,\), expected \(m, n\) with at least one key"),
    (lambda: nwlab.effective_keys([[0.5, 0.5], [0.0, 0.0]]), r"weights: got row 1 with sum 0, expected rows that sum"),
    (lambda: nwlab.effective_keys([[math.inf, 1.0]]), r"weights: got infinity, expected rows that sum to one"),
    (lambda: nwlab.standard_errors([[0.5, 0.5]], -1), r"noise: got -1, expected numbers of at least 0"),
    (lambda: nwlab.standard_errors([[0.5, 0.5]], [1, 2, 3]), r"noise: got shape \(3,\), expected a number or \(2,\)"),
    (lambda: nwlab.standard_errors(np.eye(2), torch.ones(2)), r"weights, noise: got weights from numpy, noise f"),
    *((lambda level=level: nwlab.interval(Q, K, V, level=level), "level: got .*, expected a number between 0 and 1")
      for level in (90, 0, 1.0)),
    (lambda: nwlab.interval(Q, K, V, spread=0), r"spread: got 0, expected a finite number above 0"),
    (lambda: nwlab.interval(Q, K, V, method="plus"), r"method: got 'plus', expected one of 'jackknife', 'jackknife\+'"),
    (lambda: nwlab.interval(Q, K, V, bandwidth=[[1], [2]]), r"bandwidth: got a width per query, expected one number"),
    (lambda: nwlab.interval(Q, [1.0], [1.0]), r"keys: got 1, expected at least 2, so that leaving one out leaves one"),
    (lambda: nwlab.make_regression(low=-1.0), r"low: got -1, expected at least 0, where x\^0\.8"),
    (lambda: nwlab.make_regression(low=2, high=2), r"low, high: got 2 and 2, expected low below high"),
    (lambda: nwlab.make_regression(noise=-0.1), r"noise: got -0\.1, expected a finite number of at least 0"),
    (lambda: nwlab.make_regression(seed=-1), r"seed: got -1, expected a whole number of at least 0"),
    (lambda: nwlab.make_regression(truth="cubic"), r"truth: got 'cubic', expected one of 'power', 'linear'"),
    (lambda: nwlab.make_regression(truth=lambda x: x[:3]), r"truth: got shape \(3,\) for x of shape \(50,\)"),
    (lambda: nwlab.make_regression(truth=lambda x: x / 0), r"truth: got NaN or infinity"),
    (lambda: nwlab.from_arrays([1, 2], [1]), r"values: got shape \(1,\), expected \(2,\)"),
    (lambda: nwlab.from_arrays([[1, 2]], [1]), r"keys: got shape \(1, 2\), expected \(n,\)"),
    (lambda: nwlab.from_arrays([], []), r"keys: got shape \(0,\), expected \(n,\) with at least one"),
    (lambda: nwlab.make_classes(positive=1.5), r"positive: got 1\.5, expected a finite number from 0 to 1"),
    (lambda: nwlab.make_sphere(d=1), r"d: got 1, expected a whole number of at least 2"),
    (lambda: nwlab.loo_error([1.0], [1.0], bandwidths=[1.0]), r"keys: got 1, expected at least 2"),
    (lambda: nwlab.loo_error([1, 2], [1, 2], bandwidths=[1, 0]),
     r"bandwidths: got 0, expected finite numbers above zero"),
    (lambda: nwlab.loo_error([1, 2], [1, 2], bandwidths=[[1, 2]]), r"bandwidths: got shape \(1, 2\), expected \(w,\)"),
    (lambda: nwlab.select_bandwidth([1, 2], [1, 2], rule="rot"),
     r"rule: got 'rot', expected one of 'loo', 'silverman'"),
    (lambda: nwlab.select_bandwidth([1, 2]), r"values: got None, expected the values of the keys"),
    (lambda: nwlab.select_bandwidth([2, 2], [1, 2]), r"keys: got 2 with no spread in some feature"),
    (lambda: nwlab.select_bandwidth([1, 2], rule="scott", kernel="constant"), r"kernel: got 'constant', whose standar"),
    (lambda: nwlab.select_bandwidth([1, 2], [1, 2], kernel="constant"),
     r"kernel: got 'constant', whose answer is the s"),
    (lambda: nwlab.loo_error(np.eye(3)[:, :2], [1, 2, 3], bandwidths=np.ones((2, 3))),
     r"bandwidths: got shape \(2, 3\), expected \(w,\), one error for each width, or \(w, 2\), a width per feature"),
    (lambda: nwlab.neighbour_bandwidth([1], [1, 2], k=3), r"k: got 3, expected a whole number from 1 to 2"),
    (lambda: nwlab.adaptive_bandwidth([1, 2], bandwidth=[[1, 2]]),
     r"bandwidth: got .*, expected one number to start from"),
    *((lambda sensitivity=sensitivity: nwlab.adaptive_bandwidth([1, 2], bandwidth=1.0, sensitivity=sensitivity),
       "sensitivity: got .*, expected a finite number from 0 to 1") for sensitivity in (2, -0.1, True, [0.5])),
    (lambda: nwlab.KERNELS["boxcar"]([0.0, math.nan]), r"u: got NaN, expected scaled distances"),
    (lambda: nwlab.KERNELS["boxcar"].log("far"), r"u: got .*'far'.*expected real numbers"),
    (lambda: nwlab.parzen_density([0.0], [0.0], kernel="constant"),
     r"kernel: got 'constant', whose integral over 1 dimension is infinite, expected a kernel that can be made a dens"),
    (lambda: nwlab.Kernel("mine", "1 - u^2", 1), r"formula: got '1 - u\^2', expected K\(u\) in Python, with \*\* "),
    (lambda: nwlab.Kernel("mine", "3/4 * (1 - u**2)", 1), r"formula: got .*, which is 0\.75 at u = 0 .*, expected 1"),
    *((lambda support=support: nwlab.Kernel("mine", "1 - u/10", support),
       rf"formula: got '1 - u/10', which is 1 at u = 0 and {least} where it is least, expected 1 at u = 0 .* up to the")
      for support, least in ((math.inf, r"-1e\+08"), (20, "-1"))),
    (lambda: nwlab.Kernel("mine", "1", 0), r"support: got 0, expected a number above zero"),
])
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
def test_the_other_functions(call, message):
    with pytest.raises(ValueError, match=message):
        call()
