"""Fit a learned pooling by gradient descent on all points at once, and keep what happened.

Each point asks for its own value. With leave_one_out=True, the default, it may not attend to itself: otherwise the loss
is driven to zero by attending to nothing else, which says nothing about new points.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from nwlab._engine.arrays import as_float64, library_of, same_library
from nwlab._engine.inputs import check_choice, check_count, check_inputs
from nwlab._learned import one_thread
from nwlab._engine.weights import distances, relative_scores, softmax
from nwlab.data import RegressionData
from nwlab.kernels import get_kernel

OPTIMISERS = {"sgd": "SGD", "adam": "Adam"}                 # names in torch.optim, which is slow to import
LOSSES = {"full": 1.0, "half": 0.5}                         # what the sum of squared residuals is multiplied by
HISTORY_BYTES = 64 << 20                                    # of weights; more is not small enough to replay


class DivergenceError(RuntimeError):
    """The loss became NaN or infinite. `step` says where, `history` holds the steps before, if there were any."""

    def __init__(self, message: str, step: int, history: History | None):
        super().__init__(message)
        self.step, self.history = step, history


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """What a run of T steps went through. Index 0 is the start, index t what t steps have made of it.

    loss (T+1,); parameters: for each name in the module an array (T+1, ...); weights (s, n, n) in float32: those of
    the steps weight_steps (s,), None if they were not asked for. All NumPy. interrupted: Ctrl-C ended it early.
    """

    loss: np.ndarray
    parameters: dict[str, np.ndarray]
    weights: np.ndarray | None
    weight_steps: np.ndarray
    interrupted: bool = False

    @property
    def steps(self) -> int:
        """T, how many steps were taken."""
        return len(self.loss) - 1

    def restore(self, module, step: int = -1) -> None:
        """Give the module the parameters that it had at this step; -1 is the last."""
        if not -len(self.loss) <= step < len(self.loss):
            raise ValueError(f"step: got {step}, expected one from 0 to {self.steps}, or counted from the end")
        with torch.no_grad():
            for name, parameter in _learnable(module).items():
                if name not in self.parameters:
                    raise ValueError(f"module: got one with a parameter {name!r}, expected {', '.join(self.parameters)}")
                parameter.copy_(torch.as_tensor(self.parameters[name][step]))

    def __repr__(self) -> str:
        ended = ", interrupted" if self.interrupted else ""
        return (f"History({self.steps} steps{ended}, loss {self.loss[0]:.4g} to {self.loss[-1]:.4g}, "
                f"{', '.join(self.parameters)})")


@one_thread()
def fit(module, data, optimiser="adam", learning_rate=0.05, epochs=300, loss="full", leave_one_out=True, seed=None,
        weights_every=0, progress=False) -> History:
    """Train `module(keys, keys, values)` on the values: `epochs` full-batch steps. Changes the module, returns History.

    data: a RegressionData, or (keys, values) with keys (n,) or (n, d), values (n,) or (n, c); what is no torch tensor
    becomes one in the dtype of the module. loss: the sum of the squared residuals ("full") or half of it ("half"):
    half the gradient, another run. optimiser: "sgd" or "adam". seed: draw the parameters anew first; None goes on from
    where they are. weights_every=k keeps the attention weights of every k-th step and of the last. progress=True shows a bar.

    Ctrl-C ends the run early with all steps finished by then. ValueError for inputs that do not fit; DivergenceError
    when the loss becomes NaN or infinite: the module then has the last parameters whose loss was finite.
    """
    keys, values = _tensors(data, module)
    scale = LOSSES[check_choice("loss", loss, tuple(LOSSES))]
    kind = OPTIMISERS[check_choice("optimiser", optimiser, tuple(OPTIMISERS))]
    epochs, weights_every = check_count("epochs", epochs, 1), check_count("weights_every", weights_every, 0)
    _check_learning_rate(learning_rate)
    _check_room(len(keys), epochs, weights_every)
    others = ~torch.eye(len(keys), dtype=torch.bool, device=keys.device) if leave_one_out else None      # (n, n)
    if leave_one_out and len(keys) < 2:
        raise ValueError("leave_one_out: got 1 key, expected at least 2 so that one is left")
    learnable = _learnable(module)
    if seed is not None:
        if not hasattr(module, "reset_parameters"):
            raise ValueError(f"seed: got {seed!r} for a {type(module).__name__}, which has no reset_parameters(seed); "
                             "expected None")
        module.reset_parameters(seed)

    steps = getattr(torch.optim, kind)(learnable.values(), lr=float(learning_rate))
    records, interrupted = [], False
    bar = _bar(epochs, progress)
    try:
        for step in range(epochs + 1):
            steps.zero_grad()
            total = scale * _squared_residuals(module, keys, values, others, step, records, learning_rate)
            if not math.isfinite(value := float(total.detach())):
                raise _diverged(f"the loss is {value}", step, module, records, learning_rate)
            keep = weights_every and (step % weights_every == 0 or step == epochs)
            records.append((value, {name: _copy(x) for name, x in learnable.items()},
                            _copy(module.attention_weights).astype(np.float32) if keep else None))
            if step < epochs:
                total.backward()
                steps.step()
                if bar is not None:
                    bar.update()
    except KeyboardInterrupt:
        if not records:
            raise
        interrupted = True
        _history(records).restore(module)               # it may have come between a step and its record
    finally:
        if bar is not None:
            bar.close()
    return _history(records, interrupted)


def loss_landscape(data, w, loss="full", leave_one_out=True):
    """The loss of `LearnedWidth` at each w, as `fit` measures it, without training: (len(w),), NumPy.

    data as for `fit`; w (g,), finite numbers of either sign. loss: "full" or "half". ValueError as for `fit`.
    """
    keys, values = _pair(data)
    scale = LOSSES[check_choice("loss", loss, tuple(LOSSES))]
    _, arrays, _ = same_library({"keys": keys, "values": values})
    keys, values = as_float64(arrays["keys"]), as_float64(arrays["values"])
    _, grid, _ = same_library({"w": w})
    grid = np.abs(as_float64(grid["w"]))
    if grid.ndim != 1:
        raise ValueError(f"w: got shape {grid.shape}, expected (g,), one loss for each")
    inputs = check_inputs(keys, keys, values, leave_one_out=leave_one_out)
    distance, others = distances(inputs)[0], inputs.allowed()                        # (n, n)
    with np.errstate(over="ignore", under="ignore"):
        # A steeper one would overflow; there the nearest key has taken all long ago.
        grid = np.minimum(grid * inputs.unit, np.finfo(float).max / (4 * max(1.0, distance.max())))
        losses = np.empty(len(grid))
        for i, steepness in enumerate(grid):
            scores = relative_scores(distance * steepness, 1.0, get_kernel("gaussian"), others, np)
            weights, _ = softmax(scores if others is None else np.where(others, scores, -math.inf), np)
            residuals = (weights @ inputs.values - inputs.values) * inputs.value_unit
            losses[i] = scale * np.sum(residuals**2)
    return losses


def _squared_residuals(module, keys, values, others, step, records, learning_rate):
    try:
        return torch.sum((module(keys, keys, values, mask=others) - values) ** 2)
    except ValueError as error:
        if not records:
            raise
        # The inputs were right at the first step, so what is wrong now is what the parameters have become.
        raise _diverged(str(error), step, module, records, learning_rate) from error


def _diverged(what, step, module, records, learning_rate) -> DivergenceError:
    history = _history(records) if records else None
    if history is None:
        return DivergenceError(f"step 0, before anything was learned: {what}. Try values of smaller size, or another "
                               "start for the parameters.", step, None)
    history.restore(module)
    return DivergenceError(f"step {step}: {what} (a step before, the loss was {history.loss[-1]:.4g}). Try a smaller "
                           f"learning_rate (now {learning_rate:g}; a tenth of it first), optimiser='adam', or keys and "
                           f"values of smaller size. The module is back at step {step - 1}.", step, history)


def _history(records, interrupted=False) -> History:
    losses, parameters, weights = zip(*records)
    kept = [step for step, w in enumerate(weights) if w is not None]
    return History(np.array(losses), {name: np.stack([p[name] for p in parameters]) for name in parameters[0]},
                   np.stack([weights[step] for step in kept]) if kept else None, np.array(kept, dtype=int), interrupted)


def _copy(tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().copy()


def _learnable(module) -> dict[str, torch.nn.Parameter]:
    if not isinstance(module, torch.nn.Module):
        raise ValueError(f"module: got {type(module).__name__}, expected a pooling such as nwlab.attention.LearnedWidth()")
    learnable = {name: x for name, x in module.named_parameters() if x.requires_grad}
    if not learnable:
        raise ValueError(f"module: got {type(module).__name__} without parameters, expected one with something to learn")
    return learnable


def _pair(data):
    if isinstance(data, RegressionData):
        return data.keys, data.values
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise ValueError(f"data: got {type(data).__name__}, expected a RegressionData or a pair (keys, values)")
    return data


def _tensors(data, module):
    """Keys and values as torch tensors; those that were none in the dtype and on the device of the parameters."""
    like = next(iter(_learnable(module).values()))
    named = dict(zip(("keys", "values"), _pair(data)))
    _, arrays, _ = same_library(named)
    if not any(library_of(x) == "torch" for x in named.values()):
        named = {name: torch.as_tensor(as_float64(x), dtype=like.dtype, device=like.device) for name, x in arrays.items()}
    named = {name: x if isinstance(x, torch.Tensor) else arrays[name] for name, x in named.items()}
    if np.ndim(named["keys"]) == 0:
        raise ValueError("keys: got a single number, expected (n,) or (n, d)")
    return named["keys"], named["values"]


def _check_learning_rate(learning_rate) -> None:
    if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)) or not 0 < learning_rate < math.inf:
        raise ValueError(f"learning_rate: got {learning_rate!r}, expected a finite number above zero")


def _check_room(n: int, epochs: int, every: int) -> None:
    kept = HISTORY_BYTES // (4 * n * n) - 2                                          # besides the first and the last
    if every and epochs // every > max(kept, 0):
        hint = f"at least {-(-epochs // kept)}" if kept > 0 else "0, as even a few are too large"
        raise ValueError(f"weights_every: got {every}, {epochs // every + 2} matrices of {n} by {n}, expected {hint}")


def _bar(epochs: int, progress: bool):
    if not progress:
        return None
    from tqdm.auto import tqdm                          # in JupyterLab a widget, elsewhere a line of text

    return tqdm(total=epochs, desc="learning", unit="step", leave=False)
