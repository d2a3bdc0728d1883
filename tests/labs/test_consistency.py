"""The consistency simulation: the measured rates against the theory's, and every figure against a slower oracle."""
import math

import numpy as np
import pytest

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


@pytest.mark.parametrize("d, n, h", [(1, 300, 0.4), (3, 300, 0.4), (4, 1, 0.01), (2, 40, 0.01), (1, 40, 50.0)])
def test_measure_against_the_package_also_on_a_sample_that_grew(d, n, h):
    problem = c.Regression(d=d, noise=0.7)
    keys, values = problem.sample(n, seed=4)
    found = c.measure(problem, n, h, 4, problem.draw(800, 4))
    truth, weights = problem.truth(problem.queries), nwlab.attention_weights(problem.queries, keys, bandwidth=h)
    np.testing.assert_allclose(c.gaussian_weights(problem.queries, keys, h), weights, rtol=1e-6, atol=1e-12)
    assert found.error == pytest.approx(np.mean((weights @ values - truth) ** 2), rel=1e-9)
    assert found.variance == pytest.approx(0.49 * np.mean(1 / nwlab.effective_keys(weights)), rel=1e-9)


def test_slope_of_a_power_law():
    sizes = np.array([800, 1600, 3200])
    assert c.slope(sizes, 3 * sizes**-0.8) == pytest.approx(-0.8)
    assert c.slope([100, 800, 1600], [99.0, 2.0, 1.0]) == pytest.approx(-1.0)               # small n does not count
