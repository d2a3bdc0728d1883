"""The quick ways hold to the definition, in bounded memory."""
import math
import subprocess
import sys
import textwrap
from pathlib import Path

import loops
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import nwlab
from nwlab._engine import blocks as engine


def method_of(monkeypatch, call) -> str:
    """Which way `call` takes."""
    taken, choose = [], engine._method
    monkeypatch.setattr(engine, "_method", lambda *args: taken.append(choose(*args)) or taken[-1])
    call()
    return taken[-1]


def sample(m, n, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    return [x.astype(dtype) for x in (rng.uniform(-0.5, 5.5, m), rng.uniform(0, 5, n), rng.normal(size=(n, 2)))]


def slack(queries, keys, h, dtype) -> float:
    """How far two right answers may differ: a distance of D widths loses D^2 units in the last place."""
    gap = np.abs(queries[:, None] - keys[None, :]).min(axis=1).max() / h if len(queries) else 0.0
    return 20 * float(np.finfo(dtype).eps) * (1 + min(gap, 1e4)) ** 2


@given(m=st.integers(0, 40), n=st.integers(1, 40), h=st.floats(-3, 2).map(lambda x: 10**x), seed=st.integers(0, 999),
       dtype=st.sampled_from([np.float32, np.float64]), tile=st.sampled_from([8, 400, 4096, 1 << 20]),
       span=st.sampled_from([0.5, 8.0]), small=st.sampled_from([1, 1 << 12]))
def test_tiles_hold_to_the_definition(m, n, h, seed, dtype, tile, span, small):
    queries, keys, values = sample(m, n, dtype, seed)
    expected = nwlab.attention_weights(queries, keys, bandwidth=h) @ values
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("WHOLE_BYTES", -1), ("TILE_BYTES", tile), ("TILE_SPAN", span), ("SMALL_TILE", small)):
            patch.setattr(engine, name, size)
        call = lambda: nwlab.nadaraya_watson(queries, keys, values, bandwidth=h)                            # noqa: E731
        assert method_of(patch, call) == "tiles"
        answer = call()
    assert answer.dtype == dtype and answer.shape == (m, 2)
    np.testing.assert_allclose(answer, expected, rtol=0, atol=slack(queries, keys, h, dtype) * np.abs(values).max())


@given(m=st.integers(0, 20), n=st.integers(1, 20), d=st.integers(1, 3), name=st.sampled_from(list(nwlab.KERNELS)),
       kind=st.sampled_from([(), (1,), "feature", "query", "key"]), seed=st.integers(0, 999),
       masked=st.booleans(), block=st.sampled_from([1, 900, 5000]))
def test_rows_hold_to_the_definition(m, n, d, name, kind, seed, masked, block):
    rng = np.random.default_rng(seed)
    queries, keys, values = rng.normal(size=(m, d)), rng.normal(size=(n, d)), rng.normal(size=n)
    h = rng.uniform(0.5, 2, {"feature": (d,), "query": (m, 1), "key": (1, n)}.get(kind, kind))
    mask = rng.random((m, n)) < 0.8 if masked else None
    if masked:
        mask[:, 0] = True
    calls = [
        lambda: nwlab.nadaraya_watson(queries, keys, values, kernel=name, bandwidth=h, mask=mask, empty="nearest"),
        lambda: nwlab.nearest_pooling(queries, keys, values, k=min(3, n)),
        lambda: nwlab.local_linear(queries, keys, values, kernel=name, bandwidth=h, empty="nearest"),
        lambda: nwlab.parzen_density(queries, keys, kernel="biweight", bandwidth=h),
    ]
    if n > 1:
        calls += [lambda: nwlab.nadaraya_watson(keys, keys, values, kernel=name, bandwidth=1.0, leave_one_out=True,
                                                empty="nearest"),
                  lambda: nwlab.loo_error(keys, values, bandwidths=[0.5, 5.0], kernel=name)]
    whole = [call() for call in calls]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "WHOLE_BYTES", -1)
        patch.setattr(engine, "BLOCK_BYTES", block)
        patch.setattr(engine, "_gaussian_tiles", None)                                  # rows only
        patch.setattr(engine, "library_of", lambda x: None)
        for call, expected in zip(calls, whole, strict=True):
            np.testing.assert_allclose(call(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("queries", "keys", "h", "rtol"), [pytest.param(*case[1:], id=case[0]) for case in [
    *((f"width {h}", *sample(30, 40)[:2], h, 1e-12) for h in (1e-300, 1e-9, 1e300)),
    ("far, tied, twice the same", [0.5, 1, 1e6, -1e6, 5e8, 1e12, 1.5], [0.0, 0, 1, 1, 1, 2, 1e9], 0.1, 1e-12),
    # Half way between keys a million and a million + 2^-20 away, all exact in binary: the squares differ by 2.
    ("a million widths away", [0.0], [-1e6, 1e6 + 2.0**-20], 1.0, 1e-11)]])
def test_tiles_lose_no_digits(monkeypatch, queries, keys, h, rtol):
    values = np.arange(len(keys)) + 1.0
    expected = nwlab.attention_weights(queries, keys, bandwidth=h) @ values
    monkeypatch.setattr(engine, "WHOLE_BYTES", -1)
    with np.errstate(all="raise", under="ignore"):
        answer = nwlab.nadaraya_watson(queries, keys, values, bandwidth=h)
    np.testing.assert_allclose(answer, expected, rtol=rtol)
    if len(keys) == 2:
        np.testing.assert_allclose(answer, 2 - 1 / (1 + math.exp(-1e6 * 2.0**-20)), rtol=rtol)


@given(m=st.integers(0, 9), n=st.integers(1, 9), h=st.floats(-99, 99).map(lambda x: 10.0**x), seed=st.integers(0, 999),
       origin=st.sampled_from([0.0, 1e5]))
def test_the_line_holds_to_plain_loops(m, n, h, seed, origin):
    queries, keys, values = sample(m, n, seed=seed)
    queries, keys, values = (queries + origin) * h, (keys + origin) * h, values[:, 0]
    expected = loops.nadaraya_watson(queries, keys, values, lambda u: math.exp(-0.5 * u * u), h)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, bandwidth=h), expected,
                               rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e34, 1e250])
def test_a_far_value_that_is_larger_than_all_others_counts_however_many_queries_there_are(monkeypatch, size):
    """Its weight, 12 to 30 widths away, is far below the last digit of the sum of the weights."""
    queries, keys, values = sample(300, 300)
    queries, keys[-3:], values[-3:] = np.sort(queries) / 5, [12.0, 15.0, 30.0], size
    expected = nwlab.attention_weights(queries, keys) @ values
    call = lambda: nwlab.nadaraya_watson(queries, keys, values)                                             # noqa: E731
    assert method_of(monkeypatch, call) == "tiles"
    np.testing.assert_allclose(call(), expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries[:3], keys, values), expected[:3], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("how", "method"), [
    ({}, "tiles"), ({"kernel": "boxcar"}, "rows"), ({"bandwidth": np.ones((1, 300))}, "rows"),
    ({"mask": np.ones((300, 300), bool)}, "rows"), ({"leave_one_out": True}, "rows"),
    ({"kernel": nwlab.KERNELS["gaussian"]}, "tiles"),
])
def test_which_way_is_taken(monkeypatch, how, method):
    _, keys, values = sample(1, 300)
    assert method_of(monkeypatch, lambda: nwlab.nadaraya_watson(keys, keys, values, **how)) == method
    assert method_of(monkeypatch, lambda: nwlab.nadaraya_watson(keys[:50], keys[:50], values[:50])) == "line"
    points = keys[:50, None] + [0.0, 1.0]
    assert method_of(monkeypatch, lambda: nwlab.nadaraya_watson(points, points, values[:50])) == "whole"


@pytest.mark.parametrize(("learns", "no_grad", "method"), [
    (False, False, "tiles"), (True, False, "whole"), (True, True, "tiles")])
def test_which_way_is_taken_with_torch(monkeypatch, learns, no_grad, method):
    keys, values = (torch.tensor(x) for x in sample(1, 300)[1:])
    values.requires_grad_(learns)
    with torch.set_grad_enabled(not no_grad):
        assert method_of(monkeypatch, lambda: nwlab.nadaraya_watson(keys, keys, values)) == method
        answer = nwlab.nadaraya_watson(keys, keys, values)
    assert answer.dtype == torch.float64 and answer.requires_grad == (method == "whole")
    np.testing.assert_allclose(answer.detach(), nwlab.attention_weights(keys, keys) @ values.detach(), rtol=1e-12)


def test_memory_stays_bounded():
    """In a process of its own, whose peak can only grow; the last estimate, a whole matrix, shows that it is seen."""
    pytest.importorskip("resource")
    script = """
        import numpy as np, nwlab
        from memory import peak_memory

        def megabytes(estimate, m, n, **how):
            rng = np.random.default_rng(0)
            keys, values = rng.uniform(0, 5, n), rng.normal(size=n)
            queries = keys if how.get("leave_one_out") else rng.uniform(0, 5, m)
            answer = estimate(queries, keys, values, **how)
            assert answer.shape == queries.shape and np.isfinite(answer).all()
            return (peak_memory() - before) / 1e6

        nwlab.nadaraya_watson(np.arange(50.0), np.arange(50.0), np.arange(50.0))
        before, average = peak_memory(), nwlab.nadaraya_watson
        print(megabytes(average, 5_000, 5_000, bandwidth=0.05),                          # tiles; the whole would be 200
              megabytes(average, 2_500, 2_500, bandwidth=0.2, leave_one_out=True),       # rows; 50 MB an array
              megabytes(average, 60, 100_000, kernel="epanechnikov", bandwidth=0.2),     # rows; 48
              megabytes(average, 60, 100_000, bandwidth=np.full((1, 100_000), 0.2)),
              megabytes(average, 1_000, 100_000, bandwidth=0.05),                        # tiles; 800
              megabytes(average, 1_000, 100_000, bandwidth=1e-7),                        # most queries far from any key
              megabytes(lambda q, k, v: nwlab.attention_weights(q, k) @ v, 1_000, 6_000))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True,
                          cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    *bounded, whole = map(float, done.stdout.split())
    assert bounded[0] < 50 and max(bounded) < 100 and whole > 160, done.stdout
