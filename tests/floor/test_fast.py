"""The methods of `nwlab.fast` agree with "dense" and with exact sums, wherever points lie, in bounded memory.

NWLAB_FAST_EXAMPLES=2000 looks for counter-examples longer.
"""
import os

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nwlab
from nwlab import fast
from nwlab._engine.inputs import check_inputs
from nwlab.fast import line
from workbook.checks.quiet import memory

NAMES = list(nwlab.KERNELS)
COMPACT = [name for name in NAMES if nwlab.KERNELS[name].ends]
SLACK = {np.float64: 1e-12, np.float32: 1e-5}
examples = settings(max_examples=int(os.environ.get("NWLAB_FAST_EXAMPLES", "60")))


@st.composite
def lines(draw, dtypes=(np.float64, np.float32)):
    """Queries, keys, values (n, 2) and a width: clustered, duplicated, with gaps, far out, on a lattice, unsorted."""
    rng, dtype = np.random.default_rng(draw(st.integers(0, 10**6))), draw(st.sampled_from(dtypes))
    n, m = draw(st.integers(2, 150)), draw(st.integers(1, 80))
    kind = draw(st.sampled_from(["even", "clusters", "duplicates", "gap", "lattice"]))
    keys = {"even": lambda: rng.uniform(0, 5, n), "clusters": lambda: rng.integers(0, 4, n) + 1e-3 * rng.normal(size=n),
            "duplicates": lambda: rng.uniform(0, 5, 3)[rng.integers(0, 3, n)],
            "lattice": lambda: rng.integers(0, 40, n) / 8,
            "gap": lambda: np.where(rng.random(n) < 0.5, 0, 1000) + rng.uniform(0, 1, n)}[kind]()
    queries = np.concatenate([rng.uniform(keys.min() - 3, keys.max() + 3, m), rng.choice(keys, 5)])
    h = draw(st.sampled_from([1e-3, 0.125, 1.0, 10.0]) | st.floats(-3, 1).map(lambda x: 10**x))
    shift = draw(st.sampled_from([0.0, 0.0, -3.0, 1e6]))
    values = rng.normal(size=(n, 2)) + 3 * draw(st.booleans())
    return *(x.astype(dtype) for x in (queries + shift, keys + shift, values)), h


def quickly(points, library, **how) -> np.ndarray:
    """The answer by `nwlab.fast`, however few points there are, to arrays of this library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "SMALL", 0)
        answer = nwlab.nadaraya_watson(*map(library.asarray, points), **how)
    assert isinstance(answer, type(library.asarray(0.0)))
    return np.asarray(answer)


def agree(answer, dense, values, dtype):
    """NaN at the same places, and otherwise as near as asked, relative to the largest value."""
    assert answer.dtype == dense.dtype == dtype and answer.shape == dense.shape
    np.testing.assert_array_equal(np.isnan(answer), np.isnan(dense))
    np.testing.assert_allclose(answer, dense, rtol=0, atol=SLACK[dtype] * np.abs(values).max())


@examples
@given(line=lines(), name=st.sampled_from(NAMES), method=st.sampled_from(fast.METHODS), alone=st.booleans(),
       empty=st.sampled_from(["nan", "nearest"]), library=st.sampled_from([np, torch]))
@example(line=(np.array([5.0]), np.array([1.0]), np.array([[2.0]]), 1.0), name="gaussian", method="fast",
         alone=False, empty="nan", library=np)
@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning", "error::RuntimeWarning")
def test_every_method_agrees_with_dense_on_the_line(line, name, method, alone, empty, library):
    queries, keys, values, h = line
    how = {"kernel": name, "bandwidth": h, "leave_one_out": alone, "empty": empty}
    queries, dtype = keys if alone else queries, keys.dtype.type
    answer = quickly((queries, keys, values), library, method=method, **how)
    agree(answer, nwlab.nadaraya_watson(queries, keys, values, method="dense", **how), values, dtype)


@examples
@given(seed=st.integers(0, 10**6), d=st.integers(2, 6), n=st.integers(2, 90), m=st.integers(1, 40), alone=st.booleans(),
       name=st.sampled_from(["gaussian", *COMPACT]), h=st.floats(-2, 1).map(lambda x: 10**x),
       shift=st.sampled_from([0.0, 1e6]), lattice=st.booleans(), dtype=st.sampled_from([np.float64, np.float32]),
       library=st.sampled_from([np, torch]))
@example(seed=0, d=2, n=2, m=1, alone=False, name="gaussian", h=1.0, shift=0.0, lattice=False, dtype=np.float32,
         library=np)
@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning", "error::RuntimeWarning")
def test_more_features_agree_with_dense(seed, d, n, m, alone, name, h, shift, lattice, dtype, library):
    rng = np.random.default_rng(seed)
    keys, queries = (rng.integers(0, 5, (x, d)) * 0.5 if lattice else rng.uniform(0, 3, (x, d)) for x in (n, m))
    keys, queries = (keys + shift).astype(dtype), (queries + shift).astype(dtype)
    queries, values, h = keys if alone else queries, rng.normal(size=(n, 2)).astype(dtype), 0.5 if lattice else h
    how = {"kernel": name, "bandwidth": h, "leave_one_out": alone}
    answer = quickly((queries, keys, values), library, **how)
    dense = nwlab.nadaraya_watson(queries, keys, values, method="dense", **how)
    nearest = np.sqrt(((queries[:, None].astype(float) - keys + (1e9 * np.eye(n)[:, :, None] if alone else 0))**2)
                      .sum(axis=2).min(axis=1)) / h
    lost = (1 + nearest[:, None]) ** 2 * np.finfo(dtype).eps * 8                # both round at D widths by D^2 eps
    np.testing.assert_array_equal(np.isnan(answer), np.isnan(dense))
    assert np.all(np.isnan(dense) | (np.abs(answer - dense) <= np.abs(values).max() * np.maximum(lost, SLACK[dtype])))


def test_ones_own_value_is_never_what_is_left_of_the_sum(monkeypatch):
    """A point alone, and one whose value is far above the others', predicted from the others to the last digits."""
    keys, values = np.array([*np.linspace(0, 1, 60), 9.0]), np.ones(61)
    values[30], values[60] = 1e9, 1e12
    answer = nwlab.nadaraya_watson(keys, keys, values, bandwidth=0.2, leave_one_out=True, method="fast")
    assert answer[30] == pytest.approx(1.0, rel=1e-12) and answer[60] == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("queries", "keys", "h", "rtol"), [
    ([0.5, 1, 1e6, -1e6, 5e8, 1e12, 1.5], [0.0, 0, 1, 1, 1, 2, 1e9], 0.1, 1e-12),           # far, tied, twice the same
    ([1e8], [0.0, 1e-8], 1.0, 1e-11),
    # Half way between keys a million and a million + 2^-20 away, all exact in binary: the squares differ by 2.
    ([0.0], [-1e6, 1e6 + 2.0**-20], 1.0, 1e-11)])
@pytest.mark.parametrize("method", fast.METHODS)
def test_far_queries_lose_no_digits(queries, keys, h, rtol, method):
    values = np.arange(len(keys)) + 1.0
    expected = nwlab.attention_weights(queries, keys, bandwidth=h) @ values
    with np.errstate(all="raise", under="ignore"):
        answer = nwlab.nadaraya_watson(queries, keys, values, bandwidth=h, method=method)
    np.testing.assert_allclose(answer, expected, rtol=rtol)


@pytest.mark.parametrize("method", fast.METHODS)
@pytest.mark.parametrize("size", [1.0, 1e3, 1e34, 1e250])
def test_a_far_value_that_is_larger_than_all_others_counts_however_many_queries_there_are(size, method):
    """Its weight, 12 to 30 widths away, is far below the last digit of the sum of the weights."""
    rng = np.random.default_rng(0)
    queries, keys, values = np.linspace(0, 1, 300), rng.uniform(0, 5, 300), rng.normal(size=(300, 2))
    keys[-3:], values[-3:] = [12.0, 15.0, 30.0], size
    expected = nwlab.attention_weights(queries, keys) @ values
    for some in (slice(None), slice(3)):
        np.testing.assert_allclose(nwlab.nadaraya_watson(queries[some], keys, values, method=method), expected[some],
                                   rtol=1e-11, atol=1e-12)


def method(n, h, name="gaussian", m=None):
    rng = np.random.default_rng(0)
    keys = rng.uniform(0, 5, n)
    return line.Line(check_inputs(rng.uniform(0, 5, m or n), keys, keys)).method_for(h, nwlab.KERNELS[name], "auto")


def test_which_method_is_chosen():
    assert method(10_000, 0.1) == method(100_000, 1.0) == method(10_000, 0.1, "epanechnikov") == "fast"
    assert method(10_000, 1e-5) == method(10_000, 1e-4, "boxcar") == "window"
    assert method(10_000, 0.01, "exponential") == "window"
    assert method(40, 1.0) == method(2_000, 5.0, "exponential") == "dense"


@pytest.mark.parametrize(("m", "n", "how"), [
    (5_000, 5_000, {"bandwidth": 0.05}),                                        # tiles; the whole would be 200 MB
    (2_500, 2_500, {"bandwidth": 0.2, "leave_one_out": True}),                  # rows; 50
    (60, 100_000, {"kernel": "epanechnikov", "bandwidth": 0.2}),                # rows; 48
    (60, 100_000, {"bandwidth": np.full((1, 100_000), 0.2)}),
    (1_000, 100_000, {"bandwidth": 0.05}),                                      # tiles; 800
    (1_000, 100_000, {"bandwidth": 1e-7}),                                      # most queries far from any key
])
def test_memory_stays_bounded(m, n, how):
    rng, held = np.random.default_rng(0), []
    keys, values = rng.uniform(0, 5, n), rng.normal(size=n)
    queries = keys if "leave_one_out" in how else rng.uniform(0, 5, m)
    with memory(held):
        answer = nwlab.nadaraya_watson(queries, keys, values, **how)
    assert answer.shape == queries.shape and np.isfinite(answer).all()
    assert held[0] < 20e6
