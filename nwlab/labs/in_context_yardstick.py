"""What a trained in-context layer is measured by: Nadaraya-Watson at the best width, and the best answer there is.

Errors are mean squared, against the truth without noise, on fresh tasks. The width of the layer is the standard
deviation of its weights around a query, with keys spread evenly, so that it measures the layer and not where keys lie.
Shapes: t tasks, m queries, n tokens a task, g widths.

The live figure scrubs through runs that were measured beforehand: `in_context.train(noise, n, seed=0)`, which
tests/shipped_runs.py writes to nwlab/labs/in_context.npz.
"""
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from nwlab.labs.in_context import HIGH, LOW, InContextAttention, InContextRun, Tasks, draw_tasks, waves
from nwlab.training import one_thread

EVERYWHERE = torch.linspace(LOW, HIGH, 51, dtype=torch.float64)
INTERIOR = torch.linspace(1.5, 3.5, 21, dtype=torch.float64)        # no border within reach of most widths
EVEN_KEYS = torch.linspace(LOW, HIGH, 501, dtype=torch.float64)
WIDTHS = np.geomspace(0.05, 2.0, 60)                                # each 6 per cent wider than the one before

FILE = Path(__file__).parent / "in_context.npz"                     # what is shipped: these noises, n and steps
NOISES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)
CONTEXTS = (20, 50, 100)
STEPS = (0, 5, 10, 20, 50, 100, 200, 500, 1500)
JUDGES = 300                                                        # fresh tasks that each step is measured on


@torch.no_grad()
def answers(layer, tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """What the layer answers to queries (m,) in every task: (t, m)."""
    return _pool(layer.scores(_column(queries), tasks.keys[..., None]), tasks)


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


def errors(answers, tasks: Tasks, queries=EVERYWHERE) -> np.ndarray:
    """The mean squared error of answers (t, m) in each task, against the truth: (t,)."""
    return ((answers - tasks.truth(queries)) ** 2).mean(dim=1).numpy()


@one_thread()
def kernel_errors(tasks: Tasks, queries=EVERYWHERE) -> np.ndarray:
    """The mean squared error over all tasks of Nadaraya-Watson at each of `WIDTHS`: (g,)."""
    squares = (_column(queries) - tasks.keys[:, None, :]) ** 2                                       # (t, m, n)
    truth = tasks.truth(queries)
    return np.array([((_pool(squares / (-2 * width**2), tasks) - truth) ** 2).mean() for width in WIDTHS.tolist()])


def best_width(tasks: Tasks, queries=EVERYWHERE) -> tuple[float, float]:
    """The width with the smallest error over all tasks, and that error."""
    found = kernel_errors(tasks, queries)
    return float(WIDTHS[found.argmin()]), float(found.min())


@torch.no_grad()
def profile(layer, queries=INTERIOR) -> np.ndarray:
    """The weights of queries (m,) over keys spread evenly, divided by their distance: a density over x, (m, n)."""
    weights = torch.softmax(layer.scores(_column(queries), EVEN_KEYS[:, None]), dim=-1)
    return (weights / (EVEN_KEYS[1] - EVEN_KEYS[0])).numpy()


def spread(layer, queries=INTERIOR) -> np.ndarray:
    """The standard deviation of the weights around each query (not around their own mean), over even keys: (m,)."""
    weights = profile(layer, queries) * float(EVEN_KEYS[1] - EVEN_KEYS[0])
    return np.sqrt((weights * (EVEN_KEYS - _column(queries)).numpy() ** 2).sum(axis=1))


def kernel_spread(width: float, queries=INTERIOR) -> np.ndarray:
    """The same for a Gaussian of this width: the width itself, less where 0..5 cuts its tails off: (m,)."""
    square = (EVEN_KEYS - _column(queries)) ** 2                                                     # (m, 501)
    return (torch.softmax(-0.5 * square / width**2, dim=-1) * square).sum(dim=1).sqrt().numpy()


class Judgement(NamedTuple):
    """Mean squared errors of a layer and of what it is compared with, and two widths."""

    error: float            # of the layer
    kernel: float           # of Nadaraya-Watson at its best width,
    best: float             # which is this
    spread: float           # of the layer's weights around a query, mean of interior ones
    bayes: float            # of the best answer there is
    nearest: float          # of the nearest token
    average: float          # of the mean of all tokens

    @property
    def error_ratio(self) -> float:
        return self.error / self.kernel


@one_thread()
def judge(run, count=400, seed=0, queries=EVERYWHERE) -> Judgement:
    """Measure a run or a `Replay` on `count` fresh tasks of the kind it was trained on, at queries (m,) from 0 to 5."""
    tasks = draw_tasks(count, run.n, run.noise, run.length, seed)
    best, kernel = best_width(tasks, queries)
    nearest = (_column(queries) - tasks.keys[:, None, :]).abs().argmin(dim=-1)                       # (t, m), the token
    error, bayes, nearest, average = (float(errors(found, tasks, queries).mean()) for found in (
        answers(run.layer, tasks, queries), bayes_answers(tasks, queries), torch.gather(tasks.values, 1, nearest),
        tasks.values.mean(dim=1, keepdim=True)))
    return Judgement(error, kernel, best, float(spread(run.layer).mean()), bayes, nearest, average)


@dataclass(frozen=True, eq=False)
class Replay:
    """A run at some of its steps (s,), with its parameters (s, ...) there, measured at interior queries of fresh tasks:
    errors and spreads (s,) of the layer, kernel_errors (g,) at `WIDTHS`, and bayes, the smallest error there can be.
    """

    noise: float
    n: int
    length: float
    steps: np.ndarray
    parameters: dict[str, np.ndarray]
    errors: np.ndarray
    spreads: np.ndarray
    kernel_errors: np.ndarray
    bayes: float

    @cached_property
    def layers(self) -> list[InContextAttention]:
        """The layer at each of the steps."""
        h, p = self.parameters["w_q"].shape[1:]
        layers = [InContextAttention(p, h, seed=0) for _ in self.steps]
        for i, layer in enumerate(layers):
            layer.load_state_dict({name: torch.as_tensor(x[i]) for name, x in self.parameters.items()})
        return layers

    @property
    def layer(self) -> InContextAttention:
        """The layer at the last step."""
        return self.layers[-1]

    @property
    def best(self) -> float:
        """The width at which Nadaraya-Watson has its smallest error."""
        return float(WIDTHS[self.kernel_errors.argmin()])


@one_thread()
def replay(run: InContextRun, steps=None, count: int = JUDGES) -> Replay:
    """Measure a run at some of its steps, by default at about 40 ever further apart, on `count` fresh tasks."""
    if not isinstance(run, InContextRun):
        raise ValueError(f"run: got {type(run).__name__}, expected what nwlab.labs.in_context.train returns")
    last, at = run.history.steps, INTERIOR
    if steps is None:
        steps = np.concatenate([[0], np.round(np.geomspace(1, max(last, 1), 44)), [last]])
    steps = np.unique(np.minimum(np.asarray(steps, dtype=int), last))           # an interrupted run has fewer
    tasks = draw_tasks(count, run.n, run.noise, run.length, seed=2024)
    layers = [run.at(int(step)) for step in steps]
    return Replay(
        run.noise, run.n, run.length, steps, {name: x[steps] for name, x in run.history.parameters.items()},
        np.array([errors(answers(layer, tasks, at), tasks, at).mean() for layer in layers]),
        np.array([spread(layer).mean() for layer in layers]), kernel_errors(tasks, at),
        float(errors(bayes_answers(tasks, at), tasks, at).mean()))


@lru_cache(maxsize=1)
def shipped() -> dict[tuple[float, int], Replay]:
    """All the runs in the file, by noise and n: each of `NOISES` with each of `CONTEXTS`."""
    with np.load(FILE) as file:
        stored = {name: file[name].astype(float) for name in file.files}
    names = ("slope", "offset", "w_q", "w_k")
    return {(noise, n): Replay(noise, n, 1.0, np.array(STEPS), {name: stored[name][i, j] for name in names},
                               stored["errors"][i, j], stored["spreads"][i, j], stored["kernel_errors"][i, j],
                               float(stored["bayes"][i, j]))
            for i, noise in enumerate(NOISES) for j, n in enumerate(CONTEXTS)}


def _column(queries) -> torch.Tensor:
    return torch.as_tensor(queries, dtype=torch.float64)[:, None]                                    # (m, 1)


def _pool(scores, tasks: Tasks) -> torch.Tensor:                        # (t, m, n) -> (t, m)
    return (torch.softmax(scores, dim=-1) @ tasks.values[..., None])[..., 0]
