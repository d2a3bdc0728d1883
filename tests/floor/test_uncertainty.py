"""How sure an answer is: against simulations, loops over Python numbers, and MAPIE."""
import math

import loops
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import nwlab
from nwlab._engine import blocks

DATA = nwlab.make_regression(n=20)
QUERIES = DATA.queries[[0, 13, 31, 48]]
METHODS = ["jackknife", "jackknife+"]
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("weights_of", [nwlab.attention_weights, nwlab.local_linear_weights])
def test_standard_errors_are_how_far_answers_scatter_when_only_the_noise_is_drawn_anew(weights_of):
    weights, rng = weights_of(DATA.queries, DATA.keys, bandwidth=0.4), np.random.default_rng(0)
    for noise in (0.5, np.linspace(0.1, 2, 20)):
        answers = (noise * rng.normal(size=(20_000, 20))) @ weights.T                # (draws, m)
        np.testing.assert_allclose(nwlab.standard_errors(weights, noise), answers.std(axis=0), rtol=0.03)
    effective = nwlab.effective_keys(weights)
    np.testing.assert_allclose(nwlab.standard_errors(weights, 0.5), 0.5 / np.sqrt(effective), rtol=1e-12)
    np.testing.assert_allclose(nwlab.standard_errors(weights, [0.5] * 20), 0.5 / np.sqrt(effective), rtol=1e-12)


def test_standard_errors_of_empty_windows_no_noise_and_noise_near_the_ends_of_its_dtype():
    weights = np.array([[0.5, 0.5], [math.nan, math.nan]], np.float32)
    for noise in (0.0, 1.0, 1e29, 1e-29):
        for form in (noise, [noise] * 2, np.full(2, noise, np.float32)):
            found = nwlab.standard_errors(weights, form)
            assert found.dtype == np.float32 and np.isnan(found[1])
            assert found[0] == pytest.approx(noise * math.sqrt(0.5))


@pytest.mark.parametrize("name", list(nwlab.KERNELS))
def test_noise_level_against_loops(name, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1000)                                 # in several blocks
    keys, values = DATA.keys, DATA.values
    rows = loops.weights(keys, keys, loops.PROFILES[name], 0.7)
    residuals = [v - math.fsum(a * u for a, u in zip(row, values)) for v, row in zip(values, rows)]
    freedom = 20 - 2 * sum(rows[i][i] for i in range(20)) + sum(a * a for row in rows for a in row)
    expected = math.sqrt(math.fsum(r * r for r in residuals) / freedom)
    found = nwlab.noise_level(keys, values, kernel=name, bandwidth=0.7)
    assert isinstance(found, float) and found == pytest.approx(expected, rel=1e-9)
    both = nwlab.noise_level(keys, np.column_stack([values, 1e6 - 3 * values]), kernel=name, bandwidth=0.7)
    np.testing.assert_allclose(both, [expected, 3 * expected], rtol=1e-6)


def test_pure_noise_is_estimated_without_bias_and_a_bent_curve_adds_to_it():
    noise = np.random.default_rng(0).normal(0, 0.7, (20, 4000))                      # a sample in each column
    assert np.mean(nwlab.noise_level(DATA.keys, noise, bandwidth=0.5) ** 2) == pytest.approx(0.49, rel=0.02)
    bent = nwlab.noise_level(DATA.keys, noise + 3 * np.sin(3 * DATA.keys)[:, None], bandwidth=0.5)
    assert np.mean(bent**2) > 2 * 0.49
    constant = nwlab.noise_level(DATA.keys, DATA.values, kernel="constant")
    assert constant == pytest.approx(np.std(DATA.values, ddof=1)), "average pooling: the usual standard deviation"


@pytest.mark.parametrize(("keys", "bandwidth"), [([1.0], 1.0), ([0.0, 1.0], 0.1), (DATA.keys, 1e-5)])
def test_noise_cannot_be_told_where_every_key_attends_to_itself_alone(keys, bandwidth):
    for library in (np, torch):
        for dtype in (library.float32, library.float64):
            points = library.asarray(keys, dtype=dtype)
            with pytest.raises(ValueError, match=rf"bandwidth: got one at which each of {len(keys)} keys attends to"):
                nwlab.noise_level(points, points, bandwidth=bandwidth)
    twins = nwlab.noise_level([0.0, 0.0, 9.0], [1.0, 3.0, 5.0], bandwidth=1e-5)
    assert twins == pytest.approx(math.sqrt(2)), "two keys at one place tell it: the deviation of 1 and 3"


def limits(queries, keys, values, level, profile, h, method, spread):
    """The limits of each query, one left-out fit after another; None stands for an answer with no key in reach."""
    def fit(query, values, h, left_out, nearest=False):
        row, = loops.weights([query], keys, profile, h, lambda i, j: j not in left_out)
        if row is None:
            return min((abs(query - k), v) for j, (k, v) in enumerate(zip(keys, values)) if j not in left_out)[1] \
                if nearest else None
        return math.fsum(a * v for a, v in zip(row, values) if a)

    n, found = len(keys), []
    predicted = [fit(k, values, h, {i}) for i, k in enumerate(keys)]
    residuals = [math.inf if f is None else abs(v - f) for v, f in zip(values, predicted)]
    scaled = residuals
    if spread:
        scaled = [r / fit(k, residuals, spread, {i}, True) for i, (k, r) in enumerate(zip(keys, residuals))]
    for query in queries:
        s = fit(query, residuals, spread, (), True) if spread else 1.0
        centres = [fit(query, values, h, {i} if method == "jackknife+" else ()) for i in range(n)]
        pairs = [(-math.inf, math.inf) if c is None or r == math.inf else (c - r * s, c + r * s)
                 for c, r in zip(centres, scaled)] + [(-math.inf, math.inf)]         # the new point counts as well
        rank = next(r for r in range(1, n + 2) if r >= level * (n + 1) - 1e-9)
        found.append((sorted(low for low, _ in pairs)[-rank], sorted(high for _, high in pairs)[rank - 1]))
    return np.array(found).T


@pytest.mark.parametrize("spread", [None, 0.8])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "h"), [("gaussian", 0.02), ("gaussian", 0.4), ("boxcar", 0.9), ("epanechnikov", 0.9)])
def test_intervals_against_loops(name, h, method, spread, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1000)
    how = {"kernel": name, "bandwidth": h, "method": method, "spread": spread}
    for level in (0.5, 0.9, 0.95, 0.96):                                             # ... of which the last is too high
        expected = limits(QUERIES, DATA.keys, DATA.values, level, loops.PROFILES[name], h, method, spread)
        found = nwlab.interval(QUERIES, DATA.keys, DATA.values, level=level, **how)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        assert np.all(np.isinf(found)) == (level == 0.96)
    columns = nwlab.interval(QUERIES, DATA.keys, np.column_stack([DATA.values, -2 * DATA.values]), **how)
    low, high = nwlab.interval(QUERIES, DATA.keys, DATA.values, **how)
    np.testing.assert_allclose(columns, [np.column_stack([low, -2 * high]), np.column_stack([high, -2 * low])])


@pytest.mark.parametrize(("method", "theirs"), [("jackknife", "base"), ("jackknife+", "plus")])
@pytest.mark.parametrize("level", [0.6, 0.9])
def test_intervals_against_mapie(method, theirs, level):
    regression = pytest.importorskip("mapie.regression", reason="MAPIE is not installed")
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.model_selection import LeaveOneOut

    class NadarayaWatson(RegressorMixin, BaseEstimator):
        def fit(self, keys, values):
            self.keys_, self.values_ = keys, values
            return self

        def predict(self, queries):
            return nwlab.nadaraya_watson(queries, self.keys_, self.values_, bandwidth=0.3)

    fitted = regression.CrossConformalRegressor(NadarayaWatson(), level, method=theirs, cv=LeaveOneOut())
    fitted.fit_conformalize(DATA.keys[:, None], DATA.values)
    expected = fitted.predict_interval(QUERIES[:, None])[1][:, :, 0].T
    found = nwlab.interval(QUERIES, DATA.keys, DATA.values, level=level, bandwidth=0.3, method=method)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 999), n=st.integers(2, 9), method=st.sampled_from(METHODS),
       spread=st.sampled_from([None, 1.0]), level=st.sampled_from([0.01, 0.5, 0.8, 0.99]),
       name=st.sampled_from(["gaussian", "boxcar"]))
def test_few_and_tied_keys_and_values_give_limits_in_order_and_never_nan(seed, n, method, spread, level, name):
    rng = np.random.default_rng(seed)
    keys, values = rng.integers(0, 3, n) * 1.0, rng.integers(0, 3, n) * 1.0
    low, high = nwlab.interval([0.0, 1.5, 40.0], keys, values, level=level, kernel=name, bandwidth=0.4, method=method,
                               spread=spread, empty="nearest")
    assert not np.isnan([low, high]).any()
    assert level < 0.5 or np.all(low <= high)
    assert np.isinf([low, high]).all() if level * (n + 1) > n else np.isfinite([low, high]).all() or spread


def test_what_has_no_answer_is_said_and_what_is_unknown_has_infinite_limits():
    keys, values, box = [0.0, 1.0, 1.2, 1.3], [0.0, 2.0, 3.0, 4.0], {"kernel": "boxcar", "bandwidth": 0.5}
    with pytest.warns(nwlab.EmptyWindowWarning, match="1 of 2 queries has no key within reach of the boxcar") as told:
        low, high = nwlab.interval([9.0, 1.1], keys, values, level=0.5, **box)
    assert told[0].filename == __file__ and np.isnan([low[0], high[0]]).all() and np.isfinite([low[1], high[1]]).all()
    low, high = nwlab.interval([1.1], keys, values, level=0.8, **box)                # rank 4: the first key's residual
    assert (low, high) == (-math.inf, math.inf)
    low, high = nwlab.interval([1.1], keys, values, level=0.8, empty="nearest", **box)
    assert (low, high) == (pytest.approx(1.0), pytest.approx(5.0)), "the nearest other of the first key is 2 off"
    with pytest.raises(ValueError, match="spread: got a key with no other in reach, which has no residual"):
        nwlab.interval([1.1], keys, values, level=0.5, spread=0.5, **box)
    with pytest.raises(ValueError, match="queries: 1 of 1 queries has no key within reach"):
        nwlab.interval([9.0], keys, values, empty="raise", level=0.5, **(box | {"bandwidth": 1.1}))


def test_gradients_in_the_noise_of_each_key_are_right():
    weights = torch.tensor(nwlab.attention_weights(QUERIES, DATA.keys[:8]), requires_grad=True)
    noise = torch.linspace(0.5, 1, 8, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(nwlab.standard_errors, (weights, noise))
