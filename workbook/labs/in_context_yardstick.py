"""To compare a trained in-context layer with: Nadaraya-Watson at the best width, and the best possible answer.

Errors are mean squared errors against the truth, without noise, on fresh tasks. The width of a layer is the standard
deviation of its weights around a query, for evenly spaced keys, so that it does not depend on a sample. Shapes: t
tasks, m queries, n tokens a task, g widths. tests/shipped_runs.py writes the runs that come with the workbook.
"""
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from nwlab.training import one_thread
from workbook.labs import in_context
from workbook.labs.in_context import EVERYWHERE, HIGH, LOW, InContextAttention, InContextRun, Tasks, draw_tasks, waves

INTERIOR = torch.linspace(1.5, 3.5, 21, dtype=torch.float64, device="cpu")      # far from the borders for most widths
EVEN_KEYS = torch.linspace(LOW, HIGH, 501, dtype=torch.float64, device="cpu")
WIDTHS = np.geomspace(0.05, 2.0, 60)                                # in steps of 6 per cent

FILE = Path(__file__).parent / "in_context.npz"                     # train(noise, n, seed=0) for these, at these steps
NOISES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)
CONTEXTS = (20, 50, 100)
STEPS = (0, 5, 10, 20, 50, 100, 200, 500, 1500)

answers = torch.no_grad()(in_context.answers)                       # layer: or a `Gaussian`


class Gaussian(NamedTuple):
    """Nadaraya-Watson of this width, with `scores` like a layer."""

    width: float

    def scores(self, queries, keys) -> torch.Tensor:
        """queries (m, 1), keys (..., n, 1) -> (..., m, n)"""
        return -0.5 * ((queries - keys.transpose(-1, -2)) / self.width) ** 2


def bayes_answers(tasks: Tasks, queries=EVERYWHERE) -> torch.Tensor:
    """The mean of the posterior given the tokens, for the known distribution of the tasks: (t, m).

    No method has a smaller expected error. The curves are Gaussian processes with covariance C = waves . waves^T, so it
    is C(q, x) (C(x, x) + noise^2)^-1 y (Rasmussen and Williams 2006, equation 2.23). Noise 0 gets 1e-6 instead.
    """
    at_keys = waves(tasks.keys, tasks.length)                                                        # (t, n, w)
    ridge = max(tasks.noise, 1e-6) ** 2 * torch.eye(tasks.keys.shape[1], dtype=torch.float64, device=tasks.keys.device)
    shares = torch.linalg.solve(at_keys @ at_keys.transpose(1, 2) + ridge, tasks.values[..., None])  # (t, n, 1)
    return (at_keys * shares).sum(dim=1) @ waves(queries, tasks.length).T                            # (t, m)


def errors(answers, tasks: Tasks, queries=EVERYWHERE) -> np.ndarray:
    """The mean squared error of answers (t, m) in each task, against the truth: (t,)."""
    return ((answers - tasks.truth(queries)) ** 2).mean(dim=1).numpy()


@one_thread()
def kernel_errors(tasks: Tasks, queries=EVERYWHERE) -> np.ndarray:
    """The mean squared error over all tasks of Nadaraya-Watson at each of `WIDTHS`: (g,)."""
    found = (answers(Gaussian(width), tasks, queries) for width in WIDTHS.tolist())
    return np.array([errors(each, tasks, queries).mean() for each in found])


def best_width(tasks: Tasks, queries=EVERYWHERE) -> tuple[float, float]:
    """The width with the smallest error over all tasks, and that error."""
    found = kernel_errors(tasks, queries)
    return float(WIDTHS[found.argmin()]), float(found.min())


@torch.no_grad()
def profile(layer, queries=INTERIOR) -> np.ndarray:
    """The weights of queries (m,) for evenly spaced keys, divided by the spacing: a density over x, (m, 501)."""
    weights = torch.softmax(layer.scores(_column(queries), EVEN_KEYS[:, None]), dim=-1)
    return (weights / (EVEN_KEYS[1] - EVEN_KEYS[0])).numpy()


def spread(layer, queries=INTERIOR) -> np.ndarray:
    """The standard deviation of the weights around each query (not around their mean), for even keys: (m,)."""
    weights = profile(layer, queries) * float(EVEN_KEYS[1] - EVEN_KEYS[0])
    return np.sqrt((weights * (EVEN_KEYS - _column(queries)).numpy() ** 2).sum(axis=1))


@one_thread()
def judge(run, count: int, seed: int) -> dict[str, float]:
    """Five errors at `EVERYWHERE` on `count` tasks of the kind that a run or a `Replay` was trained on; fresh ones if
    the run had another seed (the shipped ones had 0)."""
    tasks = draw_tasks(count, run.n, run.noise, run.length, seed)
    nearest = (_column(EVERYWHERE) - tasks.keys[:, None, :]).abs().argmin(dim=-1)                    # (t, m), the token
    found = {"average": tasks.values.mean(dim=1, keepdim=True), "nearest": torch.gather(tasks.values, 1, nearest),
             "Nadaraya–Watson": answers(Gaussian(best_width(tasks)[0]), tasks), "layer": answers(run.layer, tasks),
             "best possible": bayes_answers(tasks)}
    return {name: float(errors(each, tasks).mean()) for name, each in found.items()}


class Replay(NamedTuple):
    """A run at some of its steps (s,), measured at interior queries of fresh tasks: the layers with their errors and
    spreads (s,), kernel_errors (g,) at `WIDTHS`, and bayes, the smallest possible error."""

    noise: float
    n: int
    length: float
    steps: np.ndarray
    layers: list[InContextAttention]
    errors: np.ndarray
    spreads: np.ndarray
    kernel_errors: np.ndarray
    bayes: float

    @property
    def layer(self) -> InContextAttention:
        """The layer at the last step."""
        return self.layers[-1]

    @property
    def best(self) -> float:
        """The width at which Nadaraya-Watson has its smallest error."""
        return float(WIDTHS[self.kernel_errors.argmin()])


@one_thread()
def replay(run: InContextRun, steps=None) -> Replay:
    """Measure a run on 300 fresh tasks, at some of its steps, by default about 30 at growing distances."""
    if not isinstance(run, InContextRun):
        raise ValueError(f"run: got {type(run).__name__}, expected what workbook.labs.in_context.train returns")
    last, at = run.history.steps, INTERIOR
    steps = np.geomspace(1, last + 1, 40).astype(int) - 1 if steps is None else steps
    steps = np.unique(np.minimum(steps, last))                                  # an interrupted run has fewer
    tasks, layers = draw_tasks(300, run.n, run.noise, run.length, seed=2024), [run.at(int(step)) for step in steps]
    return Replay(run.noise, run.n, run.length, steps, layers,
                  np.array([errors(answers(layer, tasks, at), tasks, at).mean() for layer in layers]),
                  np.array([spread(layer).mean() for layer in layers]), kernel_errors(tasks, at),
                  float(errors(bayes_answers(tasks, at), tasks, at).mean()))


@lru_cache(maxsize=1)
def shipped() -> dict[tuple[float, int], Replay]:
    """The runs in the file by (noise, n), for all `NOISES` and `CONTEXTS`."""
    with np.load(FILE) as file:
        stored = {name: file[name].astype(float) for name in file.files}

    def layer(*place) -> InContextAttention:
        layer = InContextAttention(seed=0)
        layer.load_state_dict({name: torch.as_tensor(stored[name][place]) for name in layer.state_dict()})
        return layer

    return {(noise, n): Replay(noise, n, 1.0, np.array(STEPS), [layer(i, j, s) for s in range(len(STEPS))],
                               *(stored[name][i, j] for name in ("errors", "spreads", "kernel_errors")),
                               float(stored["bayes"][i, j]))
            for i, noise in enumerate(NOISES) for j, n in enumerate(CONTEXTS)}


def _column(queries) -> torch.Tensor:
    return torch.as_tensor(queries, dtype=torch.float64, device="cpu")[:, None]                      # (m, 1)
