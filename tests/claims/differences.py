"""Layers of which notebook 11 speaks: scores that depend only on the difference of two places, and mixed heads.

    layer = differences.Rotary(seed=0)
    differences.train(layer, steps=200)                  # on the tasks of notebook 09
    differences.error(layer, tasks, move=10)             # on fresh ones, moved

Like the layer of notebook 09, `scores` takes queries (..., m, 1) and keys (..., n, 1) and gives (..., m, n). Shapes: t
tasks, m queries, n keys, f frequencies, h heads. Places are as in `workbook.labs.in_context`, from 0 to 5.
"""
import math

import torch
from torch import nn

from nwlab.pooling import masked_softmax
from nwlab.training import follow, one_thread
from workbook.labs import in_context
from workbook.labs.in_context import EVERYWHERE, PERIOD, draw_tasks

BIN = 0.1                                               # of the table, in units of x


class Rotary(nn.Module):
    """A query vector and a key vector, rotated by angles proportional to the place (Su and others 2021).

    q(x) . k(x') is a sum of f waves in x - x', so moving both places changes nothing.
    """

    def __init__(self, frequencies=8, seed=0):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.q, self.k = (nn.Parameter(0.5 * torch.randn(frequencies, 2, generator=generator, dtype=torch.float64))
                          for _ in range(2))
        self.register_buffer("omega", 2 * math.pi / PERIOD * torch.arange(1, frequencies + 1, dtype=torch.float64))

    def turned(self, x, vector):
        """The vector (f, 2) with each of its f pairs rotated by omega x: (..., n, 1) -> (..., n, 2 f)."""
        cos, sin = (x * self.omega).cos(), (x * self.omega).sin()
        return torch.cat([cos * vector[:, 0] - sin * vector[:, 1], sin * vector[:, 0] + cos * vector[:, 1]], dim=-1)

    def scores(self, queries, keys):
        return self.turned(queries, self.q) @ self.turned(keys, self.k).transpose(-1, -2)


class DistanceTable(nn.Module):
    """A learned number for each bin of the distance (Raffel and others 2020); the last one for all beyond it."""

    def __init__(self, bins=40, seed=0):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(bins, dtype=torch.float64))

    def scores(self, queries, keys):
        distance = (queries - keys.transpose(-1, -2)).abs()
        return self.bias[(distance / BIN).long().clamp(max=len(self.bias) - 1)]


class Slope(nn.Module):
    """-slope |x - x'|: what ALiBi adds to its scores (Press and others 2022), here with a learned slope."""

    def __init__(self, seed=0):
        super().__init__()
        self.slope = nn.Parameter(torch.ones((), dtype=torch.float64))

    def scores(self, queries, keys):
        return -self.slope * (queries - keys.transpose(-1, -2)).abs()


class MixedHeads(nn.Module):
    """h Gaussian heads, each with a width of its own, and w_o (h,), which mixes their answers.

    The initial widths differ, from about 0.3 to 3, as the slopes of ALiBi's heads do. With mixed=False w_o stays at
    1 / h, which averages the answers.
    """

    def __init__(self, heads=2, mixed=True, seed=0):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        widths = torch.logspace(math.log10(0.3), math.log10(3.0), heads, dtype=torch.float64)
        spread = 0.2 * torch.randn(heads, generator=generator, dtype=torch.float64)
        self.log_width = nn.Parameter(widths.log() + spread)
        self.w_o = nn.Parameter(torch.full((heads,), 1 / heads, dtype=torch.float64), requires_grad=mixed)

    def weights(self, queries, keys, mask=None):
        """The attention weights of each head, (h, ..., m, n)."""
        u = (queries[..., :, None] - keys[..., None, :]) / self.log_width.exp().view(-1, *[1] * (keys.ndim + 1))
        return masked_softmax(-0.5 * u**2, mask)

    def answer(self, queries, keys, values, mask=None):
        answers = (self.weights(queries, keys, mask) @ values[..., None])[..., 0]    # (h, ..., m)
        return torch.tensordot(self.w_o, answers, dims=1)                            # (..., m)


def answers(layer, tasks, queries, mask=None, move=0.0):
    """The layer's answers to queries (m,) or (t, m) in every task, all places moved by `move`: (t, m)."""
    if isinstance(layer, MixedHeads):
        return layer.answer(queries + move, tasks.keys + move, tasks.values, mask)
    return in_context.answers(layer, tasks, queries, mask, move)


def above_average(tasks, queries):
    """The curve of each task minus the mean of its values, at queries (m,): (t, m)."""
    return tasks.truth(queries) - tasks.values.mean(dim=1, keepdim=True)


@one_thread()
def train(layer, steps=200, noise=0.5, n=50, target=None, learning_rate=0.05, seed=0):
    """Train a layer on fresh tasks, 8 at each step; returns its `History`.

    target: a function of tasks and queries (m,), such as `above_average`, which the layer learns; None: each token
    predicts its own value from the others.
    """
    generator, others = torch.Generator().manual_seed(2**62 + seed), ~torch.eye(n, dtype=torch.bool)

    def loss():
        tasks = draw_tasks(8, n, noise, 1.0, generator)
        if target is None:
            return ((answers(layer, tasks, tasks.keys, others) - tasks.values) ** 2).mean()
        return ((answers(layer, tasks, EVERYWHERE) - target(tasks, EVERYWHERE)) ** 2).mean()

    adam = torch.optim.Adam([x for x in layer.parameters() if x.requires_grad], lr=learning_rate, betas=(0.9, 0.99))
    return follow(layer, loss, adam, steps, f"a smaller learning_rate (now {learning_rate:g})",
                  schedule=torch.optim.lr_scheduler.LambdaLR(adam, lambda step: 1 - step / steps))


@torch.no_grad()
def error(layer, tasks, target=None, move=0.0) -> float:
    """The mean squared error at 51 queries from 0 to 5 of every task, against its truth or another target."""
    wanted = tasks.truth(EVERYWHERE) if target is None else target(tasks, EVERYWHERE)
    return float(((answers(layer, tasks, EVERYWHERE, move=move) - wanted) ** 2).mean())
