"""In-context regression: the pairs of a small task are tokens, from which one softmax layer learns to predict.

    tasks = in_context.draw_tasks(count=16, n=50, noise=0.5)      # 16 small regression tasks, each another curve
    run = in_context.train(noise=0.5)                             # one layer, trained over thousands of such tasks
    answers = run.layer(queries, keys, values)                    # on a task it has never seen

Nothing in the layer is about kernels or distances. `workbook.labs.in_context_yardstick` measures what it has learned.
Shapes: t tasks, n tokens a task, m queries, p units of the hidden layer (the embedding), h rows of W_q and W_k.
"""
import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from nwlab._engine.inputs import check_count, check_number
from nwlab.attention import LearnedPooling
from nwlab.data import RegressionData
from nwlab.pooling import masked_softmax
from nwlab.training import History, follow, one_thread

LOW, HIGH = 0.0, 5.0                                    # the range of the keys
EVERYWHERE = torch.linspace(LOW, HIGH, 51, dtype=torch.float64, device="cpu")
PERIOD, WAVES = 12.0, 16                                # more than twice 5, so that nothing repeats within 0..5
MOST_STEPS = 20_000                                     # every step is kept: about 2.5 kB each


@dataclass(frozen=True, eq=False, repr=False)
class Tasks:
    """t regression tasks of one kind, in float64: keys (t, n), values (t, n) = truth + noise. The truth is a sum of
    waves with these heights (t, 2 WAVES + 1), whose values are correlated over a distance of about `length`.
    """

    keys: torch.Tensor
    values: torch.Tensor
    heights: torch.Tensor
    noise: float
    length: float

    def truth(self, x) -> torch.Tensor:
        """The curves without noise at x, (m,) for all tasks alike or (t, m): (t, m)."""
        x = torch.as_tensor(x, dtype=torch.float64, device=self.heights.device)
        return (waves(x, self.length) @ self.heights[:, :, None])[..., 0]            # (t, m, w) @ (t, w, 1)

    def one(self, i: int) -> RegressionData:
        """Task i as a sample like those of the other notebooks, with sorted keys and 51 queries from 0 to 5."""
        keys, order = torch.sort(self.keys[check_count("i", i, 0, len(self.keys) - 1)])
        heights, queries = self.heights[i], np.linspace(LOW, HIGH, 51)

        def truth(x):
            return (waves(torch.from_numpy(np.atleast_1d(x).astype(float)), self.length) @ heights).numpy()

        return RegressionData(keys.numpy(), self.values[i][order].numpy(), queries, truth(queries), truth, self.noise)


def waves(x, length: float) -> torch.Tensor:
    """1, cosines and sines at x (...,), each times its standard deviation: (..., 2 WAVES + 1).

    With standard normal heights their sum is a draw from a Gaussian process of variance 1 whose values at distance d
    correlate like exp(-1/2 (d/length)^2): the heights fall like the spectrum of that curve (Rahimi and Recht 2007).
    """
    number = torch.arange(WAVES + 1, dtype=torch.float64, device=x.device)           # (w,), the first is constant
    omega = 2 * math.pi / PERIOD * number
    power = torch.exp(-0.5 * (omega * length) ** 2)
    power[0] /= 2                                                                    # it has no sine
    size = (power / power.sum()).sqrt()
    angle = x[..., None] * omega[1:]
    return torch.cat([size[0].expand(*x.shape, 1), size[1:] * torch.cos(angle), size[1:] * torch.sin(angle)], dim=-1)


def draw_tasks(count=16, n=50, noise=0.5, length=1.0, seed=0) -> Tasks:
    """`count` tasks of n tokens: keys uniform on 0..5, another smooth random curve each, values with normal noise.

    seed: a whole number, which decides the curves for any n and noise, or a torch.Generator to draw on from.
    """
    count, n = check_count("count", count, 1), check_count("n", n, 1)
    noise, length = check_number("noise", noise, low=0), check_number("length", length, low=0.4, high=1.5)
    if not isinstance(seed, torch.Generator):
        seed = torch.Generator().manual_seed(check_count("seed", seed, 0, 2**63 - 1))
    like = {"generator": seed, "dtype": torch.float64, "device": seed.device}
    heights = torch.randn(count, 2 * WAVES + 1, **like)
    keys = LOW + (HIGH - LOW) * torch.rand(count, n, **like)
    tasks = Tasks(keys, torch.randn(count, n, **like), heights, noise, length)
    return Tasks(keys, tasks.truth(keys) + noise * tasks.values, heights, noise, length)


class InContextAttention(LearnedPooling):
    """(W_q e(q)) . (W_k e(k)) / sqrt(h), softmax over the keys: scaled dot-product attention over the tokens of a task.

    e(x) = tanh(slope x + offset), the embedding of x, is a hidden layer of p units, initialised as in torch and learned
    too. The values are the y of the tokens, unchanged. As with every learned pooling, `layer(queries, keys, values)`
    answers for one task, and `scores` takes many: queries (..., m, 1), keys (..., n, 1).
    """

    def __init__(self, units=16, hidden=8, seed=None):
        super().__init__()
        p, h = check_count("units", units, 1), check_count("hidden", hidden, 1)
        for name, shape in {"slope": (p,), "offset": (p,), "w_q": (h, p), "w_k": (h, p)}.items():
            setattr(self, name, nn.Parameter(torch.empty(shape, dtype=torch.float64)))
        self.reset_parameters(seed)

    def embed(self, x):
        """(..., 1) -> (..., p)"""
        return torch.tanh(self.slope.to(x.dtype) * x + self.offset.to(x.dtype))

    def scores(self, queries, keys, mask=None):
        if keys.shape[-1] != 1:
            raise ValueError(f"queries, keys: got {keys.shape[-1]} features, expected 1: a token is a pair (x, y)")
        q = self.embed(queries) @ self.w_q.to(keys.dtype).T                          # (..., m, h)
        k = self.embed(keys) @ self.w_k.to(keys.dtype).T                             # (..., n, h)
        return q @ k.transpose(-1, -2) / math.sqrt(len(self.w_q))                    # (..., m, n)

    def _draw(self, name, uniform):
        return 2 * uniform - 1 if name in ("slope", "offset") else super()._draw(name, uniform)


@dataclass(frozen=True, eq=False, repr=False)
class InContextRun:
    """A trained layer, what it was trained on, and its history: the loss and the parameters at every step."""

    layer: InContextAttention
    history: History
    noise: float
    n: int
    length: float

    def at(self, step: int) -> InContextAttention:
        """The layer as it was after so many steps: 0 is before training, -1 the last."""
        layer = InContextAttention(len(self.layer.slope), len(self.layer.w_q), seed=0)
        self.history.restore(layer, step)
        return layer

    def __repr__(self) -> str:
        ended = ", interrupted" if self.history.interrupted else ""
        return f"Run(noise={self.noise:g}, n={self.n}, {self.history.steps} steps{ended})"


@one_thread()
def train(noise=0.5, n=50, steps=1500, tasks=8, length=1.0, learning_rate=0.03, seed=0, progress=False) -> InContextRun:
    """Train a new `InContextAttention` on fresh tasks at every step: each token predicts its own y from the others.

    noise, n, length: as in `draw_tasks`; tasks: how many at each step. Adam, with a learning rate that falls linearly
    to 0. The same seed gives the same run. Its first tasks have the curves of `draw_tasks` with this seed, so judge the
    run on those of another seed. Ctrl-C, progress and errors are as in `nwlab.training.fit`.
    """
    n, steps = check_count("n", n, 2), check_count("steps", steps, 1, MOST_STEPS)
    tasks, seed = check_count("tasks", tasks, 1), check_count("seed", seed, 0, 2**63 - 1)
    learning_rate = check_number("learning_rate", learning_rate, above=0)
    layer = InContextAttention(seed=seed)
    generator = torch.Generator().manual_seed(seed)
    # The second beta is below Adam's usual 0.999, to forget the huge gradients of the first steps sooner.
    adam = torch.optim.Adam(layer.parameters(), lr=learning_rate, betas=(0.9, 0.99), fused=True)
    history = follow(layer, lambda: leave_one_out_loss(layer, draw_tasks(tasks, n, noise, length, generator)), adam,
                     steps, f"a smaller learning_rate (now {learning_rate:g})", progress=progress,
                     schedule=torch.optim.lr_scheduler.LambdaLR(adam, lambda step: 1 - step / steps))
    return InContextRun(layer, history, float(noise), n, float(length))


def leave_one_out_loss(layer, tasks: Tasks, others=None) -> torch.Tensor:
    """Mean squared error when each token predicts its own y from the others of its task. others: the mask for it."""
    if others is None:
        others = ~torch.eye(tasks.keys.shape[1], dtype=torch.bool, device=tasks.keys.device)
    return torch.mean((answers(layer, tasks, tasks.keys, others) - tasks.values) ** 2)


def answers(layer, tasks: Tasks, queries=EVERYWHERE, mask=None, move=0.0) -> torch.Tensor:
    """The layer's answers to queries (m,) or (t, m) in every task, all places moved by `move`: (t, m)."""
    weights = masked_softmax(layer.scores((queries + move)[..., None], (tasks.keys + move)[..., None]), mask)
    return (weights @ tasks.values[..., None])[..., 0]                               # (t, m, n) @ (t, n, 1)
