"""Parzen windows: a density integrates to one, and is zero or infinite where it must be."""
import math

import numpy as np
import pytest

import nwlab

DENSITIES = [name for name in nwlab.KERNELS if name != "constant"]


@pytest.mark.parametrize("name", DENSITIES)
def test_it_integrates_to_one(name):
    """By a sum over a lattice in the plane; jumps and kinks set the tolerance. test_kernels holds `Kernel.integral`."""
    x, y = np.linspace(-7, 7, 401), np.linspace(-6, 6, 401)
    lattice = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    density = nwlab.parzen_density(lattice, [[0.0, 0.0], [0.3, 0.3]], kernel=name, bandwidth=[0.6, 0.5])
    assert density.sum() * (x[1] - x[0]) * (y[1] - y[0]) == pytest.approx(1.0, abs=0.02)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_far_keys_are_a_density_of_zero_and_tiny_widths_a_number_or_infinity_and_never_nan(dtype):
    assert nwlab.parzen_density([1e6], [0.0]).tolist() == nwlab.parzen_density([9.0], [0.0],
                                                                               kernel="boxcar").tolist() == [0]
    keys, queries = np.array([[0.0, 0.0], [1.0, 1.0]], dtype), np.array([[0.5, 0.5], [0.0, 0.0]], dtype)
    assert nwlab.parzen_density(queries, keys, kernel="boxcar", bandwidth=1e-300).tolist() == [0, math.inf]
    h = float(np.finfo(dtype).tiny) * 4
    assert nwlab.parzen_density(keys[:, 0], keys[:, 0], kernel="boxcar", bandwidth=h)[0] == pytest.approx(0.5 / (2 * h),
                                                                                                          rel=1e-5)
