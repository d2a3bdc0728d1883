"""What a trained in-context layer is measured by: Nadaraya-Watson at the best width, and the best answer there is.

Errors are mean squared, against the truth without noise, on fresh tasks. The width of the layer is the standard
deviation of its weights around a query, with keys spread evenly, so that it measures the layer and not where keys lie.
Shapes: t tasks, m queries, n tokens a task, g widths.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from nwlab.labs.in_context import HIGH, LOW, Tasks, draw_tasks, waves
from nwlab.training import one_thread

EVERYWHERE = torch.linspace(LOW, HIGH, 51, dtype=torch.float64)
INTERIOR = torch.linspace(1.5, 3.5, 21, dtype=torch.float64)        # no border within reach of most widths
EVEN_KEYS = torch.linspace(LOW, HIGH, 501, dtype=torch.float64)
WIDTHS = np.geomspace(0.05, 2.0, 60)                                # each 6 per cent wider than the one before


@torch.no_grad()
def answers(layer, tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """What the layer answers to queries (m,) in every task: (t, m)."""
    weights = torch.softmax(layer.scores(_column(queries), tasks.keys[..., None]), dim=-1)           # (t, m, n)
    return _pool(weights, tasks)


def kernel_answers(width: float, tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """What Nadaraya-Watson with a Gaussian of this width answers: (t, m)."""
    u = (_column(queries) - tasks.keys[:, None, :]) / width                                          # (t, m, n)
    return _pool(torch.softmax(-0.5 * u**2, dim=-1), tasks)


def bayes_answers(tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """The mean of the posterior given the tokens, with the distribution of the tasks known: (t, m).

    No method has a smaller expected error. The curves are Gaussian processes with covariance C = waves . waves^T, so it
    is C(q, x) (C(x, x) + noise^2)^-1 y (Rasmussen and Williams 2006, equation 2.23). Noise 0 gets 1e-6 instead.
    """
    at_keys = waves(tasks.keys, tasks.length)                                                        # (t, n, w)
    ridge = max(tasks.noise, 1e-6) ** 2 * torch.eye(tasks.keys.shape[1], dtype=torch.float64)
    shares = torch.linalg.solve(at_keys @ at_keys.transpose(1, 2) + ridge, tasks.values[..., None])  # (t, n, 1)
    heights = (at_keys * shares).sum(dim=1)                                                          # (t, w)
    return heights @ waves(torch.as_tensor(queries, dtype=torch.float64), tasks.length).T            # (t, m)


def nearest_answers(tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """The y of the nearest token: (t, m)."""
    nearest = (_column(queries) - tasks.keys[:, None, :]).abs().argmin(dim=-1)                       # (t, m)
    return torch.gather(tasks.values, 1, nearest)


def average_answers(tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """The mean of all y, whatever the query: (t, m)."""
    return tasks.values.mean(dim=1, keepdim=True).expand(-1, len(queries))


def errors(answers, tasks: Tasks, queries=EVERYWHERE) -> np.ndarray:
    """The mean squared error of answers (t, m) in each task, against the truth: (t,)."""
    return ((answers - tasks.truth(queries)) ** 2).mean(dim=1).numpy()


@one_thread()
def kernel_errors(tasks: Tasks, queries=EVERYWHERE, widths=WIDTHS) -> np.ndarray:
    """The mean squared error over all tasks of Nadaraya-Watson at each width: (g,)."""
    return np.array([errors(kernel_answers(float(width), tasks, queries), tasks, queries).mean() for width in widths])


def best_width(tasks: Tasks, queries=EVERYWHERE, widths=WIDTHS) -> tuple[float, float]:
    """The width with the smallest error over all tasks, and that error."""
    found = kernel_errors(tasks, queries, widths)
    return float(widths[found.argmin()]), float(found.min())


@torch.no_grad()
def profile(layer, queries=INTERIOR, keys=EVEN_KEYS) -> np.ndarray:
    """The weights of queries (m,) over keys spread evenly, divided by their distance: a density over x, (m, n)."""
    keys = torch.as_tensor(keys, dtype=torch.float64)
    weights = torch.softmax(layer.scores(_column(queries), keys[:, None]), dim=-1)
    return (weights / (keys[1] - keys[0])).numpy()


def spread(layer, queries=INTERIOR) -> np.ndarray:
    """The standard deviation of the weights around each query, over keys spread evenly: (m,).

    Around the query, not around their own mean: weights that look to one side count as spread too.
    """
    weights = profile(layer, queries) * float(EVEN_KEYS[1] - EVEN_KEYS[0])
    return np.sqrt((weights * (EVEN_KEYS - _column(queries)).numpy() ** 2).sum(axis=1))


def kernel_spread(width: float, queries=INTERIOR) -> np.ndarray:
    """The same for a Gaussian of this width: the width itself, less where 0..5 cuts its tails off: (m,)."""
    square = (EVEN_KEYS - _column(queries)) ** 2                                                     # (m, 501)
    return (torch.softmax(-0.5 * square / width**2, dim=-1) * square).sum(dim=1).sqrt().numpy()


@dataclass(frozen=True)
class Judgement:
    """A layer beside its yardsticks: errors over all tasks and queries; widths.

    error of the layer, kernel of Nadaraya-Watson at best (the width), bayes of the best answer there is, nearest and
    average of the two ends; spread of the layer's weights around an interior query, mean over queries.
    """

    error: float
    kernel: float
    best: float
    spread: float
    bayes: float
    nearest: float
    average: float

    @property
    def error_ratio(self) -> float:
        """The error of the layer in units of Nadaraya-Watson's."""
        return self.error / self.kernel

    @property
    def width_ratio(self) -> float:
        """The spread of the layer's weights in units of the best width."""
        return self.spread / self.best


@one_thread()
def judge(run, count=400, seed=0, queries=EVERYWHERE) -> Judgement:
    """Measure a run on `count` fresh tasks of the kind it was trained on, at queries (m,) from 0 to 5."""
    tasks = draw_tasks(count, run.n, run.noise, run.length, seed)
    best, kernel = best_width(tasks, queries)
    others = [errors(answer(tasks, queries), tasks, queries).mean()
              for answer in (bayes_answers, nearest_answers, average_answers)]
    return Judgement(float(errors(answers(run.layer, tasks, queries), tasks, queries).mean()), kernel, best,
                     float(spread(run.layer).mean()), *map(float, others))


def _column(queries) -> torch.Tensor:
    return torch.as_tensor(queries, dtype=torch.float64)[:, None]                                    # (m, 1)


def _pool(weights, tasks: Tasks) -> torch.Tensor:
    return (weights @ tasks.values[..., None])[..., 0]
