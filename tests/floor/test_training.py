"""One fit for all learned poolings, and what it keeps. Step by step, tests/explore/test_landscape.py compares it with
plain descent; what it comes to over 200 samples is counted in notebook 06, whose numbers are held by nbval."""
import contextlib

import numpy as np
import pytest
import torch

import nwlab
from nwlab import attention
from nwlab.training import DivergenceError, History, fit, follow

DATA = nwlab.make_regression()


@pytest.mark.parametrize("make", [
    attention.LearnedWidth, attention.LearnedLogWidth, attention.AdditiveAttention, attention.ProjectedAttention,
    lambda: attention.FeatureWidths(1), lambda: attention.KeyWidths(50),
    lambda: attention.DotProductAttention("learned"),
])
def test_every_learned_pooling_learns_and_the_seed_decides(make):
    first, second = (fit(make(), DATA, epochs=15, seed=11) for _ in range(2))
    assert first.loss[-1] < first.loss[0] and len(first.loss) == 16
    for name, path in first.parameters.items():
        np.testing.assert_array_equal(path, second.parameters[name])
        assert path.shape[0] == 16 and path.dtype == np.float32
    assert fit(make(), DATA, epochs=1, seed=12).loss[0] != first.loss[0] or "scale" in first.parameters


def test_values_with_columns_and_lists_and_a_run_that_goes_on():
    keys, values = torch.as_tensor(DATA.keys), torch.as_tensor(np.stack([DATA.values, -DATA.values], axis=1))
    once, twice = attention.LearnedWidth(0.5).double(), attention.LearnedWidth(0.5).double()
    fit(once, (keys, values), "sgd", 0.001, epochs=8)
    assert isinstance(fit(attention.LearnedWidth(0.5), ([0, 1, 2, 4], [1, 2, 3, 5]), epochs=2), History)
    parts = [fit(twice, (keys, values), "sgd", 0.001, epochs=4) for _ in range(2)]
    assert parts[1].loss[0] == parts[0].loss[-1] and torch.equal(once.w, twice.w)


def test_the_history_can_be_replayed():
    module = attention.LearnedWidth(0.5)
    history = fit(module, DATA, epochs=25)
    assert "25 steps" in repr(history)
    x, y = (torch.as_tensor(a, dtype=torch.float32) for a in (DATA.keys, DATA.values))
    for step in (0, 10, 25):
        history.restore(module, step)
        assert float(module.w.detach()) == history.parameters["w"][step]
        answer = module(x, x, y, ~torch.eye(50, dtype=torch.bool))
        assert float(((answer - y) ** 2).sum().detach()) == pytest.approx(history.loss[step], rel=1e-6)
    with pytest.raises(ValueError, match="step: got 26, expected 0 to 25"):
        history.restore(module, 26)
    with pytest.raises(ValueError, match="module: got one with parameter 'log_w', expected w"):
        history.restore(attention.LearnedLogWidth())


class Runaway(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, queries, keys, values, mask=None):
        return values * 0 + self.a * queries


@pytest.mark.parametrize(("module", "learning_rate", "words"), [
    (attention.ProjectedAttention(seed=0), 1e30,
     r"step 1: scores: got NaN .*smaller learning_rate \(now 1e\+30.*'adam'"),
    (Runaway(), 10.0, r"step \d+: the loss is (inf|nan)")])
def test_divergence_stops_with_the_step_and_what_to_try_and_a_history_that_grows(module, learning_rate, words):
    with pytest.raises(DivergenceError, match=words) as caught:
        fit(module, DATA, "sgd", learning_rate)
    error = caught.value
    assert isinstance(error, RuntimeError) and error.step == len(error.history.loss)
    assert np.all(np.diff(error.history.loss) > 0) and (error.step == 1 or error.step > 3)
    for name, parameter in module.named_parameters():                       # back where the loss was finite
        np.testing.assert_array_equal(parameter.detach(), error.history.parameters[name][-1])
    with pytest.raises(DivergenceError, match="step 0, before anything was learned: the loss is inf") as caught:
        fit(attention.LearnedWidth(), (DATA.keys, DATA.values * 1e25))
    assert caught.value.history is None


@pytest.mark.parametrize("first", [0, 3])
def test_an_error_that_the_loss_itself_raises_is_no_divergence(first):
    module, calls = attention.LearnedWidth(0.5), []

    def loss():
        calls.append(module.w)
        if len(calls) > first:
            raise ValueError("my own mistake")
        return module.w**2

    with pytest.raises(ValueError, match="^my own mistake$"):
        follow(module, loss, torch.optim.SGD(module.parameters(), 0.1), 5, "nothing")


@pytest.mark.parametrize(("values", "dtype"), [
    ([1, 1 + 1e-9, 2], torch.float64), ([1e200, 0, 1], torch.float64), ([1, 1, 1], torch.float32),
    ([0.1, 0.1, 0.1], torch.float32), ([2**31, 2**31 + 1e4, 2**31 + 3e4], torch.float64), ([1, 2, 4], torch.float32)])
@pytest.mark.parametrize("other", [[1.0, 2.0, 4.0], torch.tensor([1.0, 2.0, 4.0])], ids=["list", "tensor"])
def test_what_is_no_tensor_is_taken_in_the_dtype_of_the_module_if_that_keeps_it_apart(values, dtype, other):
    seen = []
    module = attention.LearnedWidth(0.5)
    module.register_forward_pre_hook(lambda module, inputs: seen.append([x.dtype for x in inputs]))
    for data in ((other, values), (values, other)):
        with contextlib.suppress(DivergenceError):                          # 1e200, squared, is too large a loss
            fit(module, data, epochs=1)
    assert seen[0] == [torch.float32, torch.float32, dtype] and seen[-1] == [dtype, dtype, torch.float32]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("make", [attention.LearnedWidth, attention.AdditiveAttention])
def test_sixteen_bits_learn_what_thirty_two_do(make, dtype):
    module, wide = make(seed=3).to(dtype), make(seed=3).to(dtype).float()
    history, same = fit(module, DATA, epochs=40), fit(wide, DATA, epochs=40)
    np.testing.assert_array_equal(history.loss, same.loss)
    for (name, parameter), other in zip(module.named_parameters(), wide.parameters()):
        assert parameter.dtype == dtype and torch.equal(parameter, other.to(dtype))
        assert np.isfinite(history.parameters[name]).all()
    history.restore(module, 0)
    data = [torch.as_tensor(x).to(dtype) for x in (DATA.keys, DATA.values)]
    assert fit(module, data, epochs=2).loss[0] == pytest.approx(history.loss[0], rel=0.05)


class Parabola(attention.LearnedPooling):
    """Epanechnikov's kernel with a learned width: minus infinity beyond it."""

    def __init__(self, w):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor(w))

    def scores(self, queries, keys, mask=None):
        k = 1 - (torch.cdist(queries, keys) * self.w) ** 2
        return torch.where(k > 0, torch.log(k.clamp(min=1e-30)), -torch.inf)


def test_a_kernel_that_no_longer_reaches_another_key_is_named_as_the_cause():
    data, cause = ([0.0, 0.1, 3.0, 3.1, 6.0], [0, 0, 5, 5, 0]), "minus infinity at every key that query 4 may attend to"
    with pytest.raises(ValueError, match=rf"scores: got {cause} \(1 of 5"):
        fit(Parabola(0.4), data)
    with pytest.raises(DivergenceError, match=rf"{cause} .* Try a kernel that never is zero, or a start") as error:
        fit(Parabola(0.3), data)                                            # narrower is better for the other four
    assert "learning_rate" not in str(error.value)


def test_ctrl_c_returns_what_was_learned_so_far_and_progress_is_shown_when_asked_for(capsys):
    def stop_at_the_eighth(module, arguments):
        module.calls += 1
        if module.calls == 8:
            raise KeyboardInterrupt

    module = attention.LearnedWidth(0.5)
    module.calls = 0
    module.register_forward_pre_hook(stop_at_the_eighth)
    history = fit(module, DATA, epochs=100)
    assert history.interrupted and history.steps == 6 and "interrupted" in repr(history)
    assert float(module.w.detach()) == history.parameters["w"][-1]          # the eighth never got its loss
    assert capsys.readouterr().err == ""
    straight = fit(attention.LearnedWidth(0.5), DATA, epochs=6, progress=True)
    assert "learning" in capsys.readouterr().err
    np.testing.assert_array_equal(straight.parameters["w"], history.parameters["w"])
    assert not straight.interrupted
    module.calls = 7
    with pytest.raises(KeyboardInterrupt):                                  # nothing learned yet
        fit(module, DATA)


@pytest.mark.parametrize("arguments, words", [
    ({"module": "w"}, "module: got str, expected a pooling"),
    ({"data": DATA.keys}, "data: got ndarray, expected a RegressionData or a pair"),
    ({"data": (DATA.keys, DATA.values[:-1])}, "values: got 49 of them for 50 keys"),
    ({"data": (torch.arange(5), torch.arange(5.0))}, "keys: got dtype torch.int64, expected a floating torch tensor"),
    ({"data": ([1.0], [2.0])}, "keys: got 1, expected at least 2, so that leaving"),
    ({"data": (1.0, 2.0)}, "keys: got a single number"),
    ({"leave_one_out": "no"}, "leave_one_out: got .no., expected True or False"),
    ({"optimiser": "lbfgs"}, "optimiser: got 'lbfgs', expected one of 'sgd', 'adam'"),
    ({"loss": "mean"}, "loss: got 'mean', expected one of 'full', 'half'"),
    ({"learning_rate": 0}, "learning_rate: got 0, expected a finite number above 0"),
    ({"seed": 1.5}, "seed: got 1.5"),
    ({"module": Runaway(), "seed": 1}, "seed: got 1, expected None, as a Runaway has no reset_parameters"),
])
def test_what_does_not_fit_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        fit(**{"data": DATA, "module": attention.LearnedWidth(), **arguments})
