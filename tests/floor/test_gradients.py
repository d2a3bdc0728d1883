"""Gradients against finite differences, and finite wherever a window is empty or a weight underflows."""
import pytest
import torch
from floor.test_libraries import estimates
from torch.autograd import forward_ad, gradcheck

import nwlab

F32, F64 = torch.float32, torch.float64


def tensors(*shapes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator, dtype=F64, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("shapes", [((4,), (5,), (5,)), ((4, 2), (5, 2), (5, 3))])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "constant", "biweight", "cosine"])
def test_gradients_are_right(name, shapes):
    h = torch.tensor(6.0 if nwlab.KERNELS[name].support == 1 else 0.9, dtype=F64, requires_grad=True)
    for what, estimate in estimates(name).items():
        if (name, what) != ("constant", "parzen_density"):              # which has no density
            assert gradcheck(estimate, (*tensors(*shapes), h), atol=1e-4), what


def test_gradients_of_other_kinds_of_width_are_right():
    queries, keys, values = tensors((4,), (5,), (5,))
    for shape in ((4, 1), (1, 5)):
        width = torch.rand(shape, dtype=F64).add(0.5).requires_grad_()
        assert gradcheck(lambda w: nwlab.nadaraya_watson(queries, keys, values, bandwidth=w), (width,))


@pytest.mark.filterwarnings("ignore::nwlab.EmptyWindowWarning")
@pytest.mark.parametrize(("queries", "keys", "how", "dtype"), [
    *((None, [x[:d] for x in ([0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [50.0, 50.0])],
       {"kernel": name, "bandwidth": 0.8, "leave_one_out": True}, F64) for name in nwlab.KERNELS for d in (1, 2)),
    *(([0.1, 1e4], [0.0, 1.0, 2.0], {"bandwidth": h}, dtype) for h in (1e-3, 1e-6) for dtype in (F32, F64)),
    ([0.0, 1.0], [0.0, 1.0, 3.0], {"bandwidth": 0.7, "mask": [[False] * 3, [True] * 3]}, F32),
    *(([0.0, 5e3], [0.0, 1.0, 1e10], {"kernel": kernel, "bandwidth": 1e-30}, F32)
      for kernel in (*nwlab.KERNELS, nwlab.Kernel("cauchy", "1/(1 + u**2)"))),
])
def test_gradients_are_finite(queries, keys, how, dtype):
    """Where query and key coincide, windows are empty, weights underflow, a row hides every key, distances overflow."""
    keys = torch.tensor(keys, dtype=dtype, requires_grad=True)
    queries = keys if queries is None else torch.tensor(queries, dtype=dtype, requires_grad=True)
    values = torch.arange(1.0, len(keys) + 1, dtype=dtype, requires_grad=True)
    h = torch.tensor(how["bandwidth"], dtype=dtype, requires_grad=True)
    answer = nwlab.nadaraya_watson(queries, keys, values, **how | {"bandwidth": h})
    reached = torch.isfinite(answer)
    wanted = (queries, keys, values, *([h] if how["bandwidth"] > 1e-9 else []))      # not by a width that overflows
    gradients = torch.autograd.grad(answer[reached].sum(), wanted, allow_unused=True)
    assert reached.any() and all(torch.isfinite(g).all() for g in gradients if g is not None)


@pytest.mark.parametrize(("name", "n"), [("gaussian", 200), ("biweight", 5)])      # 200: without derivatives in blocks
def test_derivatives_forward_are_central_differences(name, n):
    queries, keys, values = (x.detach() for x in tensors((n,), (n,), (n,)))
    along = torch.randn(n, generator=torch.Generator().manual_seed(1), dtype=F64)
    for place in range(4):
        at = [queries, keys, values, torch.tensor(0.9 if name == "gaussian" else 6.0, dtype=F64)]
        step = along if place < 3 else torch.tensor(1.0, dtype=F64)

        def estimate(x, at=at, place=place):
            q, k, v, h = at[:place] + [x] + at[place + 1:]
            return nwlab.nadaraya_watson(q, k, v, kernel=name, bandwidth=h)

        expected = (estimate(at[place] + 1e-6 * step) - estimate(at[place] - 1e-6 * step)) / 2e-6
        with forward_ad.dual_level():
            tangent = forward_ad.unpack_dual(estimate(forward_ad.make_dual(at[place], step))).tangent
        torch.testing.assert_close(tangent, expected, rtol=1e-6, atol=1e-7)
        torch.testing.assert_close(torch.func.jvp(estimate, (at[place],), (step,))[1], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("name", "estimate"), [("gaussian", nwlab.nadaraya_watson), ("biweight", nwlab.local_linear)])
def test_many_at_a_time_are_each_by_itself(estimate, name):
    """torch.func.vmap: several samples, and one sample with several widths, some windows of which are empty."""
    samples, widths = [x.detach() for x in tensors((3, 4), (3, 5), (3, 5))], torch.tensor([0.2, 1.0, 9.0], dtype=F64)

    def at(q, k, v, h):
        return estimate(q, k, v, kernel=name, bandwidth=h, empty="nearest")

    torch.testing.assert_close(torch.func.vmap(at)(*samples, widths), torch.stack([*map(at, *samples, widths)]))
    one = [x[0] for x in samples]
    many = torch.func.vmap(at, in_dims=(None, None, None, 0))(*one, widths)
    torch.testing.assert_close(many, torch.stack([at(*one, h) for h in widths]))


@pytest.mark.parametrize(("d", "h"), [(1, 1e-300), (2, 1e-155)])
@pytest.mark.parametrize("name", ["gaussian", "exponential", "biweight"])
def test_first_derivatives_at_widths_so_small_that_their_squares_are_zero(name, h, d):
    queries, keys, values = tensors((4, d), (5, d), (5,))
    width = torch.tensor(h, dtype=F64, requires_grad=True)
    answer = nwlab.nadaraya_watson(queries, keys, values, kernel=name, bandwidth=width, empty="nearest").sum()
    gradients = torch.autograd.grad(answer, (queries, keys, values, width), allow_unused=True)
    assert all(torch.isfinite(g).all() for g in gradients if g is not None)
    if name in ("gaussian", "exponential"):                           # the nearest key takes all, whatever is moved
        assert all((g == 0).all() for g in (gradients[0], gradients[1], gradients[3]))


def test_gradient_of_the_leave_one_out_error_where_some_widths_are_infinite():
    keys, values = torch.tensor([0.0, 1.0, 3.0]), torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    errors = nwlab.loo_error(keys, values, bandwidths=[0.5, 2.5], kernel="epanechnikov")
    assert errors[0] == float("inf") and torch.isfinite(torch.autograd.grad(errors[1], values)[0]).all()
