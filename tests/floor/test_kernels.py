"""Kernels: their shapes, constants, edges and logarithms."""
import itertools
import math

import loops
import numpy as np
import pytest
import torch

import nwlab
from nwlab.density import log_integral

NAMES = list(nwlab.KERNELS)


@pytest.mark.parametrize("name", NAMES)
def test_profile_and_log_are_those_of_the_formula_in_torch_too_with_finite_gradients(name):
    kernel, u = nwlab.KERNELS[name], np.linspace(-2.5, 2.5, 501)
    expected = np.array([loops.PROFILES[name](abs(x)) for x in u])
    with np.errstate(divide="ignore"):
        expected_log = np.where(expected > 1e-13, np.log(expected), -math.inf)
    tensor = torch.tensor(u, requires_grad=True)
    for profile, right in ((kernel, expected), (kernel.log, expected_log)):
        y = profile(tensor)
        np.testing.assert_allclose(profile(u), right, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(y.detach(), profile(u), rtol=1e-13, atol=1e-15)
        if y.requires_grad:
            (gradient,) = torch.autograd.grad(y[torch.isfinite(y)].sum(), tensor)
            assert torch.isfinite(gradient).all()
    assert kernel(0.0) == 1.0 and kernel.name == name


@pytest.mark.parametrize("name", NAMES)
def test_integral_and_std_by_quadrature(name):
    kernel, profile = nwlab.KERNELS[name], loops.PROFILES[name]
    masses = [loops.integral(profile, d) for d in (1, 2, 3)]
    for d, mass in enumerate(masses, 1):
        if mass < math.inf:
            assert math.exp(log_integral(kernel, d)) == pytest.approx(mass, rel=1e-8)
        else:
            with pytest.raises(ValueError, match=f"kernel: got {name!r}, whose integral over {d} dimension"):
                log_integral(kernel, d)
    assert kernel.std == pytest.approx(math.sqrt(masses[2] / masses[0] / 2 / math.pi) if masses[2] < math.inf else
                                       math.inf, rel=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("error")
def test_extreme_distances_give_numbers(name, dtype):
    kernel = nwlab.KERNELS[name]
    last_inside = np.nextafter(dtype(1), dtype(0))
    u = np.array([0, np.finfo(dtype).tiny, last_inside, 1, np.finfo(dtype).max, math.inf], dtype)
    assert not np.any(np.isnan(kernel(u))) and not np.any(np.isnan(kernel.log(u)))
    assert kernel(u).dtype == dtype == kernel.log(u).dtype
    assert kernel(last_inside) > 0 and np.isfinite(kernel.log(last_inside))
    assert kernel(math.inf) == (0.0 if kernel.has_width else 1.0)
    if kernel.ends:                                                              # a key at the edge counts, or not
        assert kernel(1.0) == kernel(-1.0) == (1.0 if name == "boxcar" else 0.0)
        assert kernel.log(1.0) == (0.0 if name == "boxcar" else -math.inf)
        assert kernel(math.nextafter(1.0, 2.0)) == 0.0


def test_numbers_lists_and_integers():
    gaussian = nwlab.KERNELS["gaussian"]
    assert np.ndim(gaussian(1)) == 0 and float(gaussian(1)) == math.exp(-0.5)
    assert gaussian([0, 1]).shape == (2,) and gaussian(np.array([[0, 1]])).shape == (1, 2)


FORMULAS = [
    ("exp(-u**2/2)", math.inf, lambda u: math.exp(-u * u / 2)), ("exp(-u)", math.inf, lambda u: math.exp(-u)),
    ("(1 - u**2)**2", 1, lambda u: max(0.0, 1 - u * u) ** 2), ("1 - u/2", 1, lambda u: 1 - u / 2 if u <= 1 else 0.0),
    ("cos(u)", 1.5, lambda u: math.cos(u) if u <= 1.5 else 0.0), ("(1 - u/3)**9", 3, lambda u: max(0, 1 - u / 3) ** 9),
    ("1/(1 + u**2)", math.inf, lambda u: 1 / (1 + u * u)), ("exp(-u**4/4)", math.inf, lambda u: math.exp(-u**4 / 4))]


@pytest.mark.parametrize("method", ["auto", "window", "fast"])
@pytest.mark.parametrize(("name", "other"), [
    *zip(NAMES, itertools.cycle(FORMULAS)), *((name, other) for name in ("gaussian", "tricube") for other in FORMULAS)])
def test_the_formula_of_a_kernel_is_what_runs(monkeypatch, name, other, method):
    """Another one in its place: scores, weights, averages, leave-one-out and densities follow."""
    formula, support, profile = other
    monkeypatch.setitem(nwlab.KERNELS, name, nwlab.Kernel(name, formula, support))
    monkeypatch.setattr(nwlab.fast, "SMALL", 0)
    rng = np.random.default_rng(0)
    queries, keys, values, h = rng.uniform(0, 5, 30), rng.uniform(0, 5, 40), rng.normal(size=40), 0.8
    raw = np.array([[profile(abs(q - k) / h) for k in keys] for q in queries])
    how = {"kernel": name, "bandwidth": h}
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(nwlab.attention_scores(queries, keys, **how), np.log(raw), atol=1e-9)
    weights = np.array(loops.weights(queries, keys, profile, h))
    np.testing.assert_allclose(nwlab.attention_weights(queries, keys, **how), weights, atol=1e-12)
    np.testing.assert_allclose(nwlab.nadaraya_watson(queries, keys, values, method=method, **how), weights @ values,
                               rtol=1e-11)
    np.testing.assert_allclose(nwlab.loo_error(keys, values, bandwidths=[h], kernel=name),
                               loops.leave_one_out_error(keys, values, profile, h), rtol=1e-10)
    np.testing.assert_allclose(nwlab.parzen_density(queries, keys, **how),
                               raw.mean(axis=1) / h / loops.integral(profile, 1), rtol=1e-8)
