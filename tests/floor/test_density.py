"""Parzen windows: against a loop, statsmodels and scipy; a density integrates to one."""
import math

import loops
import numpy as np
import pytest
from scipy.stats import gaussian_kde

import nwlab

DENSITIES = [name for name in nwlab.KERNELS if name != "constant"]
KEYS = nwlab.make_regression(n=12).keys


@pytest.mark.parametrize("name", DENSITIES)
def test_against_a_loop(name):
    queries, h = np.linspace(-1, 6, 15), 0.8
    constant = nwlab.KERNELS[name].integral(1)
    expected = [math.fsum(loops.PROFILES[name](abs(q - k) / h) for k in KEYS) / (len(KEYS) * h * constant)
                for q in queries]
    np.testing.assert_allclose(nwlab.parzen_density(queries, KEYS, name, h), expected, rtol=1e-10, atol=1e-15)


def test_against_scipy_in_two_dimensions():
    rng = np.random.default_rng(0)
    keys, queries = rng.normal(size=(30, 2)), rng.normal(size=(7, 2))
    keys = np.linalg.solve(np.linalg.cholesky(np.cov(keys.T)), keys.T).T                 # covariance: the identity
    np.testing.assert_allclose(nwlab.parzen_density(queries, keys, bandwidth=0.6),
                               gaussian_kde(keys.T, bw_method=0.6)(queries.T), rtol=1e-8)


@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_it_integrates_to_one(name, d):
    """By a sum over a lattice; the kernels' jumps and kinks set the tolerance."""
    h = np.array([0.5, 0.4, 0.6])[:d]
    reach = 10.0 if name == "exponential" else 6.0 if name == "gaussian" else 1.02
    count = {1: 4001, 2: 401, 3: 81}[d]
    axes = [np.linspace(-reach * side, 0.3 + reach * side, count) for side in h]
    lattice = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d)
    keys = np.array([[0.0] * d, [0.3] * d])
    cell = math.prod(axis[1] - axis[0] for axis in axes)
    width = float(h[0]) if d == 1 else h
    assert nwlab.parzen_density(lattice, keys, name, width).sum() * cell == pytest.approx(1.0, abs={1: 1e-3, 2: 2e-2,
                                                                                                  3: 4e-2}[d])


@pytest.mark.parametrize("shape", [(12, 1), (1, 12)])
def test_a_width_per_query_or_key(shape):
    h = np.random.default_rng(0).uniform(0.3, 1.5, shape)
    full = np.broadcast_to(h, (12, 12))
    u = (KEYS[:, None] - KEYS[None, :]) / full
    expected = np.mean(np.exp(-0.5 * u**2) / (full * math.sqrt(2 * math.pi)), axis=1)
    np.testing.assert_allclose(nwlab.parzen_density(KEYS, KEYS, bandwidth=h), expected, rtol=1e-10)


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize(("d", "h"), [(1, 0.3), (2, 1.0), (3, 4.0)])
def test_the_joint_difference_is_density_times_regression(name, d, h):
    """What notebook 12 teaches; and where there is no density there is no answer, and nowhere else."""
    rng, labels = np.random.default_rng(0), np.where(np.arange(40) < 12, 1.0, -1.0)
    keys, queries = rng.normal(size=(40, d)) + 0.7 * labels[:, None], rng.uniform(-3, 3, (60, d))
    plus, minus = (nwlab.parzen_density(queries, keys[labels == sign], name, h) for sign in (1, -1))
    density, answers = (nwlab.parzen_density(queries, keys, name, h),
                        nwlab.nadaraya_watson(queries, keys, labels, name, h))
    here = density > 0
    np.testing.assert_allclose((density * answers)[here], (0.3 * plus - 0.7 * minus)[here], atol=1e-12 * density.max())
    if np.isfinite(nwlab.KERNELS[name].support):
        assert np.array_equal(np.isnan(answers), ~here)


@pytest.mark.filterwarnings("error")
def test_no_key_in_reach_is_a_density_of_zero():
    assert nwlab.parzen_density([100.0], KEYS, "boxcar", 0.5).tolist() == [0.0]
    assert nwlab.parzen_density([1e6], KEYS).tolist() == [0.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tiny_widths_give_numbers_or_infinity_and_never_nan(dtype):
    keys, queries = np.array([[0.0, 0.0], [1.0, 1.0]], dtype), np.array([[0.5, 0.5], [0.0, 0.0]], dtype)
    assert nwlab.parzen_density(queries, keys, "boxcar", 1e-300).tolist() == [0, math.inf]
    h = float(np.finfo(dtype).tiny) * 4
    assert nwlab.parzen_density(keys[:, 0], keys[:, 0], "boxcar", h)[0] == pytest.approx(0.5 / (2 * h), rel=1e-5)
