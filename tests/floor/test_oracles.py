"""Every estimator against loops over Python numbers, computed a few queries at a time."""
import math

import loops
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nwlab
from nwlab import fast
from nwlab._engine import blocks

NAMES = list(nwlab.KERNELS)
DATA = nwlab.make_regression()


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 200)                          # of two queries, or of one


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("kind", ["number", "axes", "feature", "query", "key"])
@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_width_with_and_without_a_mask(name, kind, d):
    rng, profile, m, n = np.random.default_rng(1), loops.PROFILES[name], 6, 9
    shape = {"number": (), "axes": (1, 1), "feature": (d,), "query": (m, 1), "key": (1, n)}[kind]
    for size in (0.3, 1.0):
        queries, keys, values = rng.uniform(-1, 6, (m, d)), rng.uniform(0, 5, (n, d)), rng.normal(size=n)
        h, mask = size * rng.uniform(0.8, 2.0, shape), rng.random((m, n)) < 0.7
        mask[:, 0] = True
        u = np.array(loops.scaled(queries, keys, h))
        raw = np.array([[profile(x) for x in row] for row in u])
        scores, far = nwlab.attention_scores(queries, keys, kernel=name, bandwidth=h), raw < 1e-300
        np.testing.assert_allclose(scores[~far], np.log(raw[~far]), rtol=1e-9, atol=1e-12)
        assert np.all(scores[far] < -690)
        if loops.integral(profile, d) < math.inf:
            sides = np.prod(h) if kind == "feature" else h**d
            np.testing.assert_allclose(nwlab.parzen_density(queries, keys, kernel=name, bandwidth=h), rtol=1e-9,
                                       atol=1e-15,
                                       desired=np.mean(raw / sides, axis=1) / loops.integral(profile, d))
        for allowed in (np.ones((m, n), bool), mask):
            nearest = np.eye(n)[np.where(allowed, u, math.inf).argmin(axis=1)]
            rows = loops.weights(queries, keys, profile, h, lambda i, j, allowed=allowed: allowed[i, j])
            expected = np.array([nearest[i] if row is None else row for i, row in enumerate(rows)])
            how = {"kernel": name, "bandwidth": h, "mask": None if allowed.all() else allowed, "empty": "nearest"}
            np.testing.assert_allclose(nwlab.attention_weights(queries, keys, **how), expected, rtol=1e-9, atol=1e-14)
            answer = nwlab.nadaraya_watson(queries, keys, values, **how)
            np.testing.assert_allclose(answer, expected @ values, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("small", [0, fast.SMALL])          # as for many points, and as for few
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("error")
def test_leave_one_out_is_removing_each_point_in_turn(name, small, monkeypatch):
    monkeypatch.setattr(fast, "SMALL", small)
    keys, values, profile, others = DATA.keys, DATA.values, loops.PROFILES[name], ~np.eye(50, dtype=bool)
    expected = loops.nadaraya_watson(keys, keys, values, profile, 0.7, lambda i, j: i != j)
    np.testing.assert_allclose(nwlab.nadaraya_watson(keys, keys, values, kernel=name, bandwidth=0.7,
                                                     leave_one_out=True), expected,
                               rtol=1e-10)
    others[:, 7] = False                                                                      # a mask goes along
    others[7, 8] = True
    np.testing.assert_array_equal(
        nwlab.attention_weights(keys, keys, kernel=name, bandwidth=0.7, mask=np.arange(50) != 7, leave_one_out=True),
        nwlab.attention_weights(keys, keys, kernel=name, bandwidth=0.7, mask=others))
    rng = np.random.default_rng(0)
    plane = rng.uniform(0, 5, (50, 2))
    for points, widths in ((keys, [0.02, 0.3, 1.0, 8.0]), (plane, [0.1, 1.5, 8.0]),
                           (plane, rng.uniform(2, 4, (3, 2)))):
        errors = [loops.leave_one_out_error(points, values, profile, h) for h in widths]
        assert math.isfinite(errors[0]) == (np.ndim(widths) == 2 or math.isinf(nwlab.KERNELS[name].support))
        found = nwlab.loo_error(points, values, bandwidths=widths, kernel=name)
        np.testing.assert_allclose(found, errors, rtol=1e-9)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 999), n=st.integers(1, 12), k=st.integers(1, 12))
def test_nearest_keys_with_ties(seed, n, k):
    rng, k = np.random.default_rng(seed), min(k, n)
    queries, keys, values = rng.integers(-6, 6, 8) / 2.0, rng.integers(-3, 3, n) * 1.0, rng.normal(size=n)
    expected = loops.nearest(queries, keys, values, k)
    np.testing.assert_allclose(nwlab.nearest_pooling(queries, keys, values, k=k), expected, atol=1e-10)
    np.testing.assert_allclose(nwlab.nearest_weights(queries, keys, k=k) @ values, expected, atol=1e-10)


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("kind", ["number", "feature", "query", "key", "mask", "leave one out"])
@pytest.mark.parametrize("name", ["gaussian", "epanechnikov", "tricube", "exponential"])
def test_local_linear_regression_is_weighted_least_squares_around_each_query(name, kind, d):
    rng, m, n = np.random.default_rng(0), 9, 60
    keys, values = rng.normal(size=(n, d)), rng.normal(size=n)
    queries, allowed, how = rng.normal(size=(m, d)), np.ones((m, n), bool), {"kernel": name}
    if kind == "mask":
        allowed = how["mask"] = rng.random((m, n)) < 0.7
    elif kind == "leave one out":
        queries, allowed, how["leave_one_out"] = keys, ~np.eye(n, dtype=bool), True
    h = (4.0 if nwlab.KERNELS[name].ends else 0.8) * rng.uniform(
        0.8, 1.2, {"feature": (d,), "query": (m, 1), "key": (1, n)}.get(kind, ()))
    rows = []
    for query, u, counts in zip(queries, loops.scaled(queries, keys, h), allowed, strict=True):
        root = np.sqrt([loops.PROFILES[name](x) for x in u]) * counts
        design = np.column_stack([np.ones(n), keys - query])
        rows.append(np.linalg.pinv(root[:, None] * design)[0] * root)            # (n,)
    weights = nwlab.local_linear_weights(queries, keys, bandwidth=h, **how)
    np.testing.assert_allclose(weights, rows, rtol=1e-8, atol=1e-10)
    answer = nwlab.local_linear(queries, keys, values, bandwidth=h, **how)
    np.testing.assert_allclose(answer, weights @ values, rtol=1e-8)
