"""Scores of a difference against loops over numbers, and heads that are mixed."""
import math

import numpy as np
import pytest
import torch
from claims import differences

import nwlab
from workbook.labs.in_context import draw_tasks

X = torch.tensor([[0.0], [0.34], [1.5], [4.9]], dtype=torch.float64)


def test_rotary_scores_are_waves_in_the_difference():
    layer = differences.Rotary(frequencies=3, seed=1)
    q, k, omega = layer.q.tolist(), layer.k.tolist(), layer.omega.tolist()

    def score(x, y):
        total = 0.0
        for (a, b), (c, d), speed in zip(q, k, omega):
            angle = speed * (x - y)
            total += (a * c + b * d) * math.cos(angle) + (a * d - b * c) * math.sin(angle)
        return total

    expected = [[score(x, y) for y in X[:, 0].tolist()] for x in X[:, 0].tolist()]
    np.testing.assert_allclose(layer.scores(X, X).detach(), expected, atol=1e-12)
    np.testing.assert_allclose(layer.scores(X + 10, X + 10).detach(), expected, atol=1e-9)


def test_a_slope_is_an_exponential_kernel_and_a_table_is_a_histogram():
    slope, table = differences.Slope(), differences.DistanceTable(bins=5)
    with torch.no_grad():
        slope.slope.fill_(2.5)
        table.bias.copy_(torch.log(torch.tensor([1.0, 2, 3, 4, 5])))
    x = X[:, 0].numpy()
    np.testing.assert_allclose(torch.softmax(slope.scores(X, X), dim=1).detach(),
                               nwlab.attention_weights(x, x, kernel="exponential", bandwidth=0.4), atol=1e-12)
    np.testing.assert_allclose(table.scores(X, X).exp().detach()[0], [1, 4, 5, 5])


def test_mixed_heads_are_sums_of_kernel_regressions():
    layer, tasks = differences.MixedHeads(2), draw_tasks(2, 12, 0.3, seed=1)
    with torch.no_grad():
        layer.w_o.copy_(torch.tensor([2.0, -0.5]))
    widths, queries = layer.log_width.exp().tolist(), np.linspace(0, 5, 4)
    found = differences.answers(layer, tasks, torch.as_tensor(queries))
    for i in range(2):
        keys, values = tasks.keys[i].numpy(), tasks.values[i].numpy()
        one, other = (nwlab.nadaraya_watson(queries, keys, values, bandwidth=width) for width in widths)
        np.testing.assert_allclose(found[i].detach(), 2 * one - 0.5 * other, atol=1e-9)
    assert widths[0] < 1 < widths[1]


def test_training_leaves_what_is_not_mixed_and_a_curve_is_measured_from_the_mean_of_its_values():
    layer, tasks = differences.MixedHeads(2, mixed=False), draw_tasks(5, 50, 0.5, seed=3)
    before = layer.log_width.tolist()
    assert differences.train(layer, steps=2).steps == 2 and layer.log_width.tolist() != before
    assert torch.equal(layer.w_o, torch.full((2,), 0.5, dtype=torch.float64))
    at = torch.tensor([1.0, 2.0], dtype=torch.float64)
    assert differences.above_average(tasks, at)[3, 1].item() == pytest.approx(
        (tasks.truth(at)[3, 1] - tasks.values[3].mean()).item())
