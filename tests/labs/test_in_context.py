"""In-context regression: the tasks, the layer, its training, and what it must reach beside Nadaraya-Watson."""
import math
from types import SimpleNamespace

import numpy as np
import pytest
import shipped_runs
import torch

import nwlab
from nwlab.training import DivergenceError
from workbook.labs import in_context, induction
from workbook.labs import in_context_yardstick as yardstick


def test_the_curves_are_gaussian_processes_of_that_length(length=0.5):
    at = np.array([0.0, 0.5, 1.0, 2.5, 5.0])
    expected = np.exp(-0.5 * ((at[:, None] - at) / length) ** 2)
    basis = in_context.waves(torch.as_tensor(at), length).numpy()
    np.testing.assert_allclose(basis @ basis.T, expected, atol=2e-4)
    drawn = in_context.draw_tasks(count=20_000, n=1, length=length, seed=0).truth(at)
    np.testing.assert_allclose(np.cov(drawn.numpy().T), expected, atol=0.03)


def test_tasks_have_the_noise_the_range_and_the_seed_they_were_asked_for_and_one_is_a_sample_like_the_others():
    tasks, again = (in_context.draw_tasks(count=200, n=50, noise=0.7, seed=3) for _ in range(2))
    assert tasks.keys.shape == tasks.values.shape == (200, 50) and tasks.values.dtype == torch.float64
    assert 0 <= tasks.keys.min() < 0.01 and 4.99 < tasks.keys.max() <= 5
    assert (tasks.values - tasks.truth(tasks.keys)).std().item() == pytest.approx(0.7, rel=0.03)
    assert torch.equal(tasks.values, again.values)
    other = in_context.draw_tasks(count=200, n=20, noise=0.0, seed=3)
    assert torch.equal(tasks.truth([1.0, 4.0]), other.truth([1.0, 4.0]))
    data = other.one(2)
    np.testing.assert_array_equal(data.keys, np.sort(other.keys[2].numpy()))
    np.testing.assert_allclose(data.values, data.truth(data.keys), atol=1e-12)
    np.testing.assert_allclose(data.targets, other.truth(data.queries)[2].numpy(), atol=1e-12)


def test_the_layer_is_a_plain_loop_and_its_loss_leaves_each_token_out_of_its_own_answer():
    layer, tasks = in_context.InContextAttention(units=4, hidden=3, seed=1), in_context.draw_tasks(2, 6, seed=5)
    a, b, w_q, w_k = (getattr(layer, name).detach().numpy() for name in ("slope", "offset", "w_q", "w_k"))

    def answer(q, keys, values):
        scores = [(w_q @ np.tanh(a * q + b)) @ (w_k @ np.tanh(a * k + b)) / math.sqrt(3) for k in keys]
        return np.exp(scores) / np.sum(np.exp(scores)) @ values

    together, squares = yardstick.answers(layer, tasks), []
    for x, y, found in zip(tasks.keys, tasks.values, together):
        keys, values = x.numpy(), y.numpy()
        expected = [answer(q, keys, values) for q in yardstick.EVERYWHERE.numpy()]
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9)
        np.testing.assert_allclose(layer(yardstick.EVERYWHERE, x, y).detach().numpy(), expected, rtol=1e-9)
        squares += [(answer(keys[i], np.delete(keys, i), np.delete(values, i)) - values[i]) ** 2 for i in range(6)]
    assert layer.attention_weights.shape == (51, 6)
    assert in_context.leave_one_out_loss(layer, tasks).item() == pytest.approx(np.mean(squares))
    assert torch.autograd.gradcheck(lambda *_: in_context.leave_one_out_loss(layer, tasks), tuple(layer.parameters()))


def test_the_same_seed_gives_the_same_run_of_adam_with_shrinking_steps_and_every_step_can_be_restored():
    torch.set_num_threads(2)
    one, other = (in_context.train(noise=0.5, n=10, steps=12, tasks=3, seed=seed) for seed in (1, 5))
    assert torch.get_num_threads() == 2                 # it has taken one, and given the other back
    torch.set_num_threads(1)
    layer, drawn = in_context.InContextAttention(seed=1), torch.Generator().manual_seed(1)
    adam, losses = torch.optim.Adam(layer.parameters(), lr=0.03, betas=(0.9, 0.99)), []
    for step in range(13):
        if step in (0, 7):
            assert all(torch.allclose(a, b, rtol=1e-10) for a, b in zip(one.at(step).parameters(), layer.parameters()))
        loss = in_context.leave_one_out_loss(layer, in_context.draw_tasks(3, 10, 0.5, seed=drawn))
        losses.append(loss.item())
        adam.param_groups[0]["lr"] = 0.03 * (1 - step / 12)
        adam.zero_grad()
        loss.backward()
        adam.step()
    np.testing.assert_allclose(one.history.loss, losses, rtol=1e-10)
    assert one.history.steps == 12 and other.history.loss[0] != losses[0]
    assert all(torch.equal(a, b) for a, b in zip(one.at(-1).parameters(), one.layer.parameters()))


def test_ctrl_c_keeps_the_steps_finished_by_then_which_are_those_of_the_file(interrupted, monkeypatch, tmp_path):
    run = interrupted(in_context, "leave_one_out_loss", 10, noise=0.5, n=50, seed=0)
    assert torch.equal(run.layer.w_q, run.at(10).w_q)
    monkeypatch.setattr(shipped_runs, "train", lambda noise, n, seed: run)
    shipped_runs.make_file(tmp_path / "again.npz", noises=(0.5,), contexts=(50,))
    i, j = yardstick.NOISES.index(0.5), yardstick.CONTEXTS.index(50)
    with np.load(tmp_path / "again.npz") as again, np.load(yardstick.FILE) as stored:
        assert set(again.files) == set(stored.files)
        for name in again.files:                        # steps 0, 5 and 10; another processor parts ways slowly
            parameters = name in ("slope", "offset", "w_q", "w_k")
            first = stored[name][i, j] if name in ("kernel_errors", "bayes") else stored[name][i, j, :3]
            np.testing.assert_allclose(again[name][0, 0], first, rtol=0 if parameters else 0.05,
                                       atol=1e-4 if parameters else 0, err_msg=name)


@pytest.mark.parametrize(("lab", "power"), [(in_context, 200), (induction, 30)])
def test_a_run_that_diverges_says_where_and_what_to_try(lab, power):
    with pytest.raises(DivergenceError, match=rf"step \d+: .*smaller learning_rate \(now 1e\+{power}\)"):
        lab.train(steps=20, learning_rate=10.0**power)


def test_the_yardsticks_are_the_packages_own_poolings_and_gaussian_process_regression():
    tasks = in_context.draw_tasks(count=3, n=15, noise=0.5, seed=8)
    queries, found = yardstick.EVERYWHERE.numpy(), []
    for i in range(3):
        keys, values = tasks.keys[i].numpy(), tasks.values[i].numpy()
        covariance = np.exp(-0.5 * (keys[:, None] - keys) ** 2) + 0.25 * np.eye(15)
        best = np.exp(-0.5 * (queries[:, None] - keys) ** 2) @ np.linalg.solve(covariance, values)
        np.testing.assert_allclose(yardstick.bayes_answers(tasks)[i], best, atol=1e-8)
        found += [[nwlab.nearest_pooling(queries, keys, values), nwlab.average_pooling(queries, values)]]
    run = SimpleNamespace(layer=in_context.InContextAttention(seed=0), n=15, noise=0.5, length=1.0)
    judged = yardstick.judge(run, 3, 8)
    ends = np.mean((np.array(found) - tasks.truth(yardstick.EVERYWHERE)[:, None].numpy()) ** 2, axis=(0, 2))
    np.testing.assert_allclose([judged["nearest"], judged["average"]], ends)
    truth = tasks.truth(yardstick.EVERYWHERE)
    assert yardstick.errors(truth + 0.5, tasks) == pytest.approx(np.full(3, 0.25))


def test_the_spread_of_a_gaussian_is_its_width():
    np.testing.assert_allclose(yardstick.spread(yardstick.Gaussian(0.3)), 0.3, rtol=1e-3)
    weights = nwlab.attention_weights([2.5], yardstick.EVEN_KEYS.numpy(), bandwidth=0.3)
    np.testing.assert_allclose(yardstick.profile(yardstick.Gaussian(0.3), [2.5]) / 100, weights, atol=1e-12)
