"""Parzen windows are zero or infinite where they must be; that they are densities, test_oracles holds."""
import math

import numpy as np
import pytest

import nwlab


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
