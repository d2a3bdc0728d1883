"""Gradients against finite differences, and finite wherever a window is empty or a weight underflows."""
import warnings

import pytest
import torch

import nwlab

NAMES = list(nwlab.KERNELS)


def tensors(*shapes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("shapes", [((4,), (5,), (5,)), ((4, 2), (5, 2), (5, 3))])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "constant", "biweight", "cosine"])
def test_gradients_are_right(name, shapes):
    queries, keys, values = tensors(*shapes)
    h = torch.tensor(6.0 if nwlab.KERNELS[name].support == 1 else 0.9, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda q, k, v, h: nwlab.nadaraya_watson(q, k, v, name, h),
                                    (queries, keys, values, h))
    assert torch.autograd.gradcheck(lambda q, k, v, h: nwlab.local_linear(q, k, v, name, h),
                                    (queries, keys, values, h), atol=1e-4)


def test_gradients_of_the_rest_are_right():
    queries, keys, values, h = tensors((4,), (5,), (5,), (3,))
    widths = h.detach().abs().add(0.5).requires_grad_()
    assert torch.autograd.gradcheck(nwlab.parzen_density, (queries, keys))
    assert torch.autograd.gradcheck(nwlab.loo_error, (keys, values, widths))
    assert torch.autograd.gradcheck(lambda v: nwlab.nearest_pooling(queries, keys, v, 2), (values,))
    assert torch.autograd.gradcheck(nwlab.average_pooling, (queries, values))
    for shape in ((4, 1), (1, 5)):
        width = torch.rand(shape, dtype=torch.float64).add(0.5).requires_grad_()
        assert torch.autograd.gradcheck(lambda w: nwlab.nadaraya_watson(queries, keys, values, bandwidth=w), (width,))
    k, v, w = keys.detach(), values.detach(), torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda w: nwlab.nadaraya_watson(k * w, k * w, v, leave_one_out=True), (w,))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("d", [1, 2])
def test_gradients_are_finite_where_query_and_key_coincide_or_windows_are_empty(name, d):
    points = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [50.0, 50.0]], dtype=torch.float64)[:, :d]
    points.requires_grad_()
    values = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64, requires_grad=True)
    h = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nwlab.EmptyWindowWarning)
        answer = nwlab.nadaraya_watson(points, points, values, name, h, leave_one_out=True)
    reached = torch.isfinite(answer)
    gradients = torch.autograd.grad(answer[reached].sum(), (points, values, h), allow_unused=True)
    assert reached.any() and all(torch.isfinite(g).all() for g in gradients if g is not None)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_gradients_are_finite_where_weights_underflow(dtype):
    q, k, v = (torch.tensor(x, dtype=dtype, requires_grad=True) for x in ([0.1, 1e4], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]))
    for h in (1e-3, 1e-6):
        width = torch.tensor(h, dtype=dtype, requires_grad=True)
        for g in torch.autograd.grad(nwlab.nadaraya_watson(q, k, v, bandwidth=width).sum(), (q, k, v, width)):
            assert torch.isfinite(g).all()


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
def test_gradients_are_finite_beside_a_row_that_hides_every_key():
    q, k, v, h = (torch.tensor(x, requires_grad=True) for x in ([0.0, 1.0], [0.0, 1.0, 3.0], [1.0, 2.0, 3.0], 0.7))
    answer = nwlab.nadaraya_watson(q, k, v, bandwidth=h, mask=[[False] * 3, [True] * 3])
    for g in torch.autograd.grad(answer[1], (q, k, v, h)):
        assert torch.isfinite(g).all()


def test_gradients_are_finite_where_scaled_distances_overflow():
    q, k, v = (torch.tensor(x, requires_grad=True) for x in ([0.0, 5e3], [0.0, 1.0, 1e10], [1.0, 2.0, 3.0]))
    for name in ("gaussian", "exponential"):
        for g in torch.autograd.grad(nwlab.nadaraya_watson(q, k, v, name, 1e-30).sum(), (q, k, v)):
            assert torch.isfinite(g).all()


def test_no_gradient_where_none_is_asked():
    k = torch.nn.Parameter(torch.linspace(0, 5, 600))
    v = torch.linspace(0, 1, 600)
    with torch.no_grad():
        answer = nwlab.nadaraya_watson(k, k, v, bandwidth=0.3)
    assert not answer.requires_grad
    torch.testing.assert_close(answer, nwlab.nadaraya_watson(k, k, v, bandwidth=0.3).detach(), rtol=1e-5, atol=1e-5)
    assert nwlab.nadaraya_watson(k, k, v, bandwidth=0.3).requires_grad
