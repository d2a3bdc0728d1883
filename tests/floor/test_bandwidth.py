"""Choosing the width: leave-one-out error, rules of thumb, widths that adapt."""
import math

import numpy as np
import pytest
import torch

import nwlab
from nwlab.bandwidth import EdgeOfSearchWarning

DATA = nwlab.make_regression()


def test_leave_one_out_error_takes_columns_features_and_no_widths():
    rng = np.random.default_rng(0)
    keys, values = rng.normal(size=(9, 2)), rng.normal(size=(9, 3))
    each = [nwlab.loo_error(keys, column, bandwidths=[0.5, 1.0]) for column in values.T]
    np.testing.assert_allclose(nwlab.loo_error(keys, values, bandwidths=[0.5, 1.0]), np.mean(each, axis=0))
    assert nwlab.loo_error(keys, values, bandwidths=[]).shape == (0,)
    assert nwlab.loo_error(keys, values, bandwidths=0.5).shape == (1,)


@pytest.mark.parametrize("seed", range(5))
def test_rules_of_thumb_against_statsmodels(seed):
    from statsmodels.nonparametric.bandwidths import bw_scott, bw_silverman  # slow to import

    keys = np.random.default_rng(seed).gamma(1 + seed, size=80)
    assert nwlab.select_bandwidth(keys, rule="silverman") == pytest.approx(bw_silverman(keys), rel=1e-12)
    assert nwlab.select_bandwidth(keys, rule="scott") == pytest.approx(bw_scott(keys), rel=1e-12)


def test_rules_of_thumb_when_ties_empty_the_quartiles_and_in_three_dimensions():
    keys = np.array([0.0] * 20 + [1.0, 2.0])
    assert nwlab.select_bandwidth(keys, rule="silverman") == pytest.approx(0.9 * keys.std(ddof=1) * 22**-0.2)
    keys = np.random.default_rng(0).normal(size=(70, 3)) * [1, 5, 2]
    s = keys.std(axis=0, ddof=1)
    np.testing.assert_allclose(nwlab.select_bandwidth(torch.tensor(keys), rule="scott"), s * 70 ** (-1 / 7))
    np.testing.assert_allclose(nwlab.select_bandwidth(keys, rule="silverman"), s * (70 * 5 / 4) ** (-1 / 7))


@pytest.mark.parametrize("name", [name for name, kernel in nwlab.KERNELS.items() if kernel.has_width])
def test_the_chosen_width_beats_a_fine_grid_and_rules_of_thumb_give_every_kernel_one_standard_deviation(name, recwarn):
    best = nwlab.select_bandwidth(DATA.keys, DATA.values, kernel=name)
    assert isinstance(best, float)
    grid = nwlab.loo_error(DATA.keys, DATA.values, bandwidths=np.geomspace(0.03, 10, 500), kernel=name)
    assert nwlab.loo_error(DATA.keys, DATA.values, bandwidths=[best], kernel=name)[0] <= grid.min() * 1.002
    assert not recwarn.list, "its optimum is no edge of the search"
    std = nwlab.KERNELS[name].std
    for rule in ("silverman", "scott") if math.isfinite(std) else ():
        assert (nwlab.select_bandwidth(DATA.keys, rule=rule, kernel=name) * std
                == pytest.approx(nwlab.select_bandwidth(DATA.keys, rule=rule)))


@pytest.mark.parametrize(("values", "edge"), [
    ([1, -1, 1, -1, 1, -1], "widest"), ([1, 1, 5, 5, -9, -9], "narrowest")])
def test_an_optimum_at_the_edge_of_the_search_is_said(values, edge):
    with pytest.warns(EdgeOfSearchWarning,
                      match=rf"error is smallest at the {edge} of the widths that were tried, ") as told:
        nwlab.select_bandwidth([0.0, 0.1, 1.0, 1.1, 2.0, 2.1], values)
    assert len(told) == 1 and told[0].filename == __file__


@pytest.mark.parametrize("far", [999_999.0, -1e12])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "tricube"])
def test_one_sentinel_among_the_keys_moves_no_width_or_is_named(recwarn, name, far):
    keys, values = np.append(DATA.keys / 5, far), np.append(DATA.values, 1.0)
    width = nwlab.select_bandwidth(keys, values, kernel=name)
    if name == "tricube":
        assert "set by a key that is far from all others" in str(recwarn.pop(EdgeOfSearchWarning).message)
    else:
        best = nwlab.select_bandwidth(keys[:-1], values[:-1], kernel=name)
        error, least = nwlab.loo_error(keys[:-1], values[:-1], bandwidths=[width, best], kernel=name)
        assert error <= 1.01 * least
    assert not recwarn.list


def test_neighbour_widths_make_k_nearest_a_boxcar_and_are_never_zero():
    widths = nwlab.neighbour_bandwidth(DATA.queries, DATA.keys, k=7)
    np.testing.assert_allclose(widths[:, 0], [sorted(abs(q - k) for k in DATA.keys)[6] for q in DATA.queries])
    np.testing.assert_allclose(nwlab.attention_weights(DATA.queries, DATA.keys, kernel="boxcar", bandwidth=widths),
                               nwlab.nearest_weights(DATA.queries, DATA.keys, k=7))
    assert nwlab.neighbour_bandwidth([0.0, 3.0], [0.0, 0.0, 2.0], k=2)[:, 0].tolist() == [1.0, 3.0]
    assert nwlab.neighbour_bandwidth([], [0.0, 1.0], k=1).shape == (0, 1)
    with pytest.raises(ValueError, match="keys: got keys that all coincide with the queries"):
        nwlab.neighbour_bandwidth([1.0], [1.0, 1.0], k=1)


def test_adaptive_widths_against_a_loop():
    keys, h = DATA.keys, 0.4
    density = [sum(math.exp(-0.5 * ((q - k) / h) ** 2) for k in keys) for q in keys]
    mean = math.exp(sum(math.log(p) for p in density) / len(keys))
    expected = [h * (p / mean) ** -0.5 for p in density]
    widths = nwlab.adaptive_bandwidth(keys, bandwidth=h)
    np.testing.assert_allclose(widths, [expected], rtol=1e-10)
    np.testing.assert_allclose(nwlab.adaptive_bandwidth(keys, bandwidth=h, sensitivity=0), h)
    np.testing.assert_array_equal(nwlab.adaptive_bandwidth(keys, bandwidth=h, sensitivity=np.float32(0.5)), widths)
