"""The consistency simulation: the measured rates against the theory's, and every figure against a slower oracle."""
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nwlab
from workbook.labs import consistency as c


@pytest.mark.parametrize(("exponent", "d", "expected"), [
    (0.0, 1, 0.0), (0.2, 1, -0.8), (0.1, 1, -0.4), (0.5, 1, -0.5), (1.0, 1, 0.0), (1 / 6, 2, -2 / 3), (1.0, 2, 0.0)])
def test_theory_slope_by_hand(exponent, d, expected):
    assert c.theory_slope(exponent, d) == pytest.approx(expected)


def test_the_constants_against_integrals():
    problem = c.Regression(d=1, noise=0.3)
    a, b = problem.parts(1, 1.0)
    step, at = 1e-3, problem.queries
    bend = (problem.truth(at + step) - 2 * problem.truth(at) + problem.truth(at - step)) / step**2
    assert a == pytest.approx(np.mean((bend / 2) ** 2), rel=1e-4)
    u = np.linspace(-9, 9, 20001)
    squared = np.sum((np.exp(-u**2 / 2) / math.sqrt(2 * math.pi)) ** 2) * (u[1] - u[0])
    assert b == pytest.approx(0.09 * 5 * squared, rel=1e-6)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_best_width_is_the_minimum_of_the_theorys_error_which_is_the_measured_one_at_a_large_n(d):
    problem, n = c.Regression(d=d), 25600
    h = problem.best_width(n)
    assert c.shrinking(problem, c.best_exponent(d))(n) == pytest.approx(h)
    around = h * np.linspace(0.8, 1.25, 451)
    assert around[np.argmin(sum(problem.parts(n, around)))] == pytest.approx(h, rel=2e-3)
    measured = c.run(problem, problem.best_width, (n,), 4)
    assert (measured.bias_squared + measured.variance).mean() == pytest.approx(sum(problem.parts(n, h)), rel=0.15)


@pytest.mark.parametrize("d", [1, 3])
def test_measure_against_the_package(d):
    problem = c.Regression(d=d, noise=0.7)
    keys, values = problem.sample(300, seed=4)
    found = c.measure(problem, 300, 0.4, seed=4)
    truth = problem.truth(problem.queries)
    answers = nwlab.nadaraya_watson(problem.queries, keys, values, bandwidth=0.4)
    assert found.error == pytest.approx(np.mean((answers - truth) ** 2), rel=1e-9)
    effective = nwlab.effective_keys(nwlab.attention_weights(problem.queries, keys, bandwidth=0.4))
    assert found.variance == pytest.approx(0.49 * np.mean(1 / effective), rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 40), st.floats(0.01, 50), st.integers(0, 1000))
def test_the_quick_weights_are_the_definition(d, n, h, seed):
    rng = np.random.default_rng(seed)
    queries, keys = rng.uniform(0, 5, (7, d)), rng.uniform(0, 5, (n, d))
    expected = nwlab.attention_weights(queries, keys, bandwidth=h)
    np.testing.assert_allclose(c.gaussian_weights(queries, keys, h), expected, rtol=1e-6, atol=1e-12)


def test_a_sample_grows():
    problem = c.Regression(d=2)
    for small, large in zip(problem.sample(50, 3), problem.sample(800, 3)):
        np.testing.assert_array_equal(large[:50], small)


def test_slope_of_a_power_law():
    sizes = np.array([800, 1600, 3200])
    assert c.slope(sizes, 3 * sizes**-0.8) == pytest.approx(-0.8)
    assert c.slope([100, 800, 1600], [99.0, 2.0, 1.0]) == pytest.approx(-1.0)               # small n does not count
