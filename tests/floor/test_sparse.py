"""sparsemax and entmax against their definitions and finite differences. Which kernels they are, claims hold."""
import math
from functools import partial

import numpy as np
import pytest
import torch

import nwlab

ALPHAS = (1.001, 1.1, 4 / 3, 1.5, 1.9, 2.0)


def by_bisection(scores, alpha):
    """((alpha - 1) score - tau)₊^(1 / (alpha - 1)) for each row, where tau is searched for, in long double."""
    power, rows = 1 / np.longdouble(alpha - 1), []
    for row in scores:
        z = np.longdouble(alpha - 1) * (row - row.max())
        low, high = np.longdouble(-1), np.longdouble(0)
        for _ in range(80):
            tau = (low + high) / 2
            low, high = (tau, high) if (np.maximum(z - tau, 0) ** power).sum() >= 1 else (low, tau)
        rows.append(np.maximum(z - low, 0) ** power)
    return np.array(rows, dtype=float)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("scale", [0.01, 1.0, 1000.0])
@pytest.mark.filterwarnings("error")
def test_weights_are_those_of_the_definition(alpha, scale):
    for n in (1, 2, 7, 300):
        scores = scale * np.random.default_rng(n).normal(size=(5, n))
        weights = nwlab.entmax(scores, alpha=alpha)
        np.testing.assert_allclose(weights, by_bisection(scores, alpha), atol=1e-12)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-14)
        assert nwlab.entmax(scores.astype(np.float32), alpha=alpha).dtype == np.float32


def test_the_limits_are_softmax_and_sparsemax():
    scores = np.random.default_rng(0).normal(size=(4, 6))
    np.testing.assert_array_equal(nwlab.entmax(scores, alpha=1), nwlab.masked_softmax(scores))
    np.testing.assert_allclose(nwlab.entmax(scores, alpha=1 + 1e-6), nwlab.masked_softmax(scores), atol=1e-5)
    np.testing.assert_array_equal(nwlab.entmax(scores, alpha=2), nwlab.sparsemax(scores))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_gradients_in_torch_with_and_without_a_mask(alpha):
    rng = torch.Generator().manual_seed(0)
    scores = torch.randn(4, 6, dtype=torch.float64, generator=rng, requires_grad=True)
    mask = torch.rand(4, 6, generator=rng) < 0.6
    mask[:, 0] = True
    for allowed in (None, mask):
        assert torch.autograd.gradcheck(lambda s, allowed=allowed: nwlab.entmax(s, allowed, alpha=alpha), scores)
        if 1.01 < alpha < 2:
            learned = torch.tensor(alpha, dtype=torch.float64, requires_grad=True)
            assert torch.autograd.gradcheck(
                lambda s, a, allowed=allowed: nwlab.entmax(s, allowed, alpha=a), (scores, learned))


@pytest.mark.filterwarnings("error")
def test_a_learned_alpha_has_a_gradient_up_to_two_and_is_refused_at_one():
    scores, alpha = torch.tensor([[1.0, 0.3, -0.2, 0.7]], dtype=torch.float64), torch.nn.Parameter(torch.tensor(2.0))
    slope, = torch.autograd.grad(nwlab.entmax(scores, alpha=alpha)[0, 0], alpha)
    below = (nwlab.entmax(scores, alpha=2.0) - nwlab.entmax(scores, alpha=2.0 - 1e-6))[0, 0] / 1e-6
    assert float(slope) == pytest.approx(float(below), rel=1e-4)
    assert torch.equal(nwlab.entmax(scores, alpha=alpha.detach()), nwlab.sparsemax(scores))
    with pytest.raises(ValueError, match="alpha: got 1, expected a number .* more than 1 where it is learned"):
        nwlab.entmax(scores, alpha=torch.nn.Parameter(torch.tensor(1.0)))


def test_masks_minus_infinity_and_extremes():
    assert nwlab.sparsemax([1.0, -math.inf, 0.5]).tolist() == [0.75, 0, 0.25]
    assert nwlab.sparsemax([1.0, 9.0, 0.5], mask=[True, False, True]).tolist() == [0.75, 0, 0.25]
    assert nwlab.entmax([1e308, -1e308, 0.0]).tolist() == [1, 0, 0]
    for sparse in (nwlab.sparsemax, nwlab.entmax, partial(nwlab.entmax, alpha=1)):
        with pytest.warns(nwlab.EmptyWindowWarning, match="1 of 2 queries has no key left") as caught:
            weights = sparse([[1.0, 2.0], [-math.inf, -math.inf]])
        assert caught[0].filename == __file__
        assert np.isnan(weights[1]).all() and weights[0].sum() == 1
