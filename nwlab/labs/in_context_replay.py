"""A training run in a few pictures, measured at each: what the live figure scrubs through.

Runs for many kinds of tasks are shipped in nwlab/labs/in_context.npz, so that nobody has to wait. They are nothing but
`in_context.train(noise, n, seed=0)`, and this makes them anew, in about two minutes:

    python -m nwlab.labs.in_context_replay
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import torch

from nwlab.labs import in_context_yardstick as yardstick
from nwlab.labs.in_context import InContextAttention, InContextRun, draw_tasks, train
from nwlab.training import one_thread

FILE = Path(__file__).parent / "in_context.npz"
NOISES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)
CONTEXTS = (20, 50, 100)
STEPS = (0, 5, 10, 20, 50, 100, 200, 500, 1500)
JUDGES = 300                                            # fresh tasks that each picture is measured on


@dataclass(frozen=True, eq=False)
class Replay:
    """A run at s of its steps. errors and spreads (s,) are the layer's, measured at interior queries.

    steps (s,); parameters: for each name an array (s, ...); kernel_errors (g,) at `yardstick.WIDTHS`; bayes: the
    smallest error there can be; all on the same fresh tasks of n tokens.
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
        layers = []
        for i in range(len(self.steps)):
            layers.append(InContextAttention(p, h, seed=0))
            layers[-1].load_state_dict({name: torch.as_tensor(x[i]) for name, x in self.parameters.items()})
        return layers

    @property
    def best(self) -> float:
        """The width at which Nadaraya-Watson has its smallest error."""
        return float(yardstick.WIDTHS[self.kernel_errors.argmin()])


@one_thread()
def replay(run: InContextRun, steps=None, count: int = JUDGES) -> Replay:
    """Measure a run at some of its steps, by default at about 40 that lie ever further apart, on `count` fresh tasks."""
    if not isinstance(run, InContextRun):
        raise ValueError(f"run: got {type(run).__name__}, expected what nwlab.labs.in_context.train returns")
    last = run.history.steps
    if steps is None:
        steps = np.unique(np.concatenate([[0], np.round(np.geomspace(1, max(last, 1), 44)), [last]]))
    steps = np.unique(np.minimum(np.asarray(steps, dtype=int), last))           # an interrupted run has fewer
    tasks = draw_tasks(count, run.n, run.noise, run.length, seed=2024)
    layers = [run.at(int(step)) for step in steps]
    at = yardstick.INTERIOR
    found = [yardstick.errors(yardstick.answers(layer, tasks, at), tasks, at).mean() for layer in layers]
    return Replay(
        run.noise, run.n, run.length, steps, {name: x[steps] for name, x in run.history.parameters.items()},
        np.array(found), np.array([yardstick.spread(layer).mean() for layer in layers]),
        yardstick.kernel_errors(tasks, at), float(yardstick.errors(yardstick.bayes_answers(tasks, at), tasks, at).mean()))


@lru_cache(maxsize=1)
def shipped() -> dict[tuple[float, int], Replay]:
    """All the runs in the file, by noise and n: each of `NOISES` with each of `CONTEXTS`."""
    with np.load(FILE) as file:
        stored = {name: file[name].astype(float) for name in file.files}
    names = ("place", "steepness", "w_q", "w_k")
    return {(noise, n): Replay(noise, n, 1.0, np.array(STEPS), {name: stored[name][i, j] for name in names},
                               stored["errors"][i, j], stored["spreads"][i, j], stored["kernel_errors"][i, j],
                               float(stored["bayes"][i, j]))
            for i, noise in enumerate(NOISES) for j, n in enumerate(CONTEXTS)}


def make_file(path=FILE, noises=NOISES, contexts=CONTEXTS) -> None:
    """Train every run anew and write the file: arrays whose first two axes are the noise and n."""
    rows = []
    for noise in noises:
        rows.append([replay(train(noise, n, seed=0), STEPS) for n in contexts])
        print(f"noise {noise:g}:", *(f"n={r.n}: width {r.spreads[-1]:.2f} (best {r.best:.2f})" for r in rows[-1]))
    arrays = {name: [[r.parameters[name] for r in row] for row in rows] for name in rows[0][0].parameters}
    for name in ("errors", "spreads", "kernel_errors", "bayes"):
        arrays[name] = [[getattr(r, name) for r in row] for row in rows]
    np.savez_compressed(path, **{name: np.array(x, dtype=np.float32) for name, x in arrays.items()})


if __name__ == "__main__":
    make_file()
