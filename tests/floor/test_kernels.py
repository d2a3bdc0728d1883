"""Kernels: their shapes, constants, edges and logarithms."""
import copy
import math
import pickle

import loops
import numpy as np
import pytest
import torch
from scipy.integrate import quad

import nwlab
from nwlab.density import integral

NAMES = list(nwlab.KERNELS)
DENSITIES = [name for name in NAMES if name != "constant"]


def test_every_kernel_has_its_formula_beside_and_a_name_of_its_own():
    assert set(NAMES) == set(loops.PROFILES), "each kernel of nwlab/kernels.py in PROFILES of tests/loops.py"
    assert len(nwlab.kernels._ALL) == len(NAMES), "two kernels of one name"


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


@pytest.mark.parametrize("name", DENSITIES)
def test_integral_and_std_by_quadrature(name):
    kernel = nwlab.KERNELS[name]
    end = kernel.support if math.isfinite(kernel.support) else 60
    mass, second = (2 * quad(lambda u, p=p: u**p * float(kernel(u)), 0, end)[0] for p in (0, 2))
    assert integral(kernel, 1) == pytest.approx(mass, rel=1e-9)
    assert kernel.std == pytest.approx(math.sqrt(second / mass), rel=1e-7)
    surface = {2: lambda r: 2 * math.pi * r, 3: lambda r: 4 * math.pi * r * r}
    for d, area in surface.items():
        mass = quad(lambda r, area=area: area(r) * float(kernel(r)), 0, end)[0]
        assert integral(kernel, d) == pytest.approx(mass, rel=1e-8)


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
    assert kernel(math.inf) == (1.0 if name == "constant" else 0.0)
    if kernel.support == 1:                                                      # a key at the edge counts, or not
        assert kernel(1.0) == kernel(-1.0) == (1.0 if name == "boxcar" else 0.0)
        assert kernel.log(1.0) == (0.0 if name == "boxcar" else -math.inf)
        assert kernel(math.nextafter(1.0, 2.0)) == 0.0


def test_numbers_lists_and_integers():
    gaussian = nwlab.KERNELS["gaussian"]
    assert np.ndim(gaussian(1)) == 0 and float(gaussian(1)) == math.exp(-0.5)
    assert gaussian([0, 1]).shape == (2,) and gaussian(np.array([[0, 1]])).shape == (1, 2)


def test_a_kernel_of_the_list_is_pickled_as_its_name_and_one_of_your_own_by_its_parts():
    kernel = nwlab.KERNELS["tricube"]
    assert pickle.loads(pickle.dumps(kernel)) is copy.deepcopy(kernel) is kernel
    own = nwlab.Kernel("gaussian", "K(0)", np.ones_like, math.inf, math.inf)        # not the one of the list, though
    assert pickle.loads(pickle.dumps(own)).shape is np.ones_like


def test_a_kernel_of_your_own_works_everywhere():
    cauchy = nwlab.Kernel("cauchy", "1 / (1 + u²)", lambda u, xp: 1 / (1 + u * u), math.inf, math.inf)
    expected = loops.nadaraya_watson([0.5], [0, 1, 3], [1, 2, 3], lambda u: 1 / (1 + u * u), 0.7)
    np.testing.assert_allclose(nwlab.nadaraya_watson([0.5], [0, 1, 3], [1, 2, 3], kernel=cauchy, bandwidth=0.7),
                               expected)
    with pytest.raises(ValueError, match="kernel: got 'cauchy', whose standard deviation is infinite"):
        integral(cauchy)
