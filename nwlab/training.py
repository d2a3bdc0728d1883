"""Fit a learned pooling by gradient descent on all points at once, and keep what happened.

Each point predicts its own value. With leave_one_out=True, the default, it may not attend to itself: otherwise the loss
is driven to zero by attending to nothing else, which says nothing about new points.
"""
import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from tqdm.auto import tqdm  # in JupyterLab a widget, elsewhere a line of text

from nwlab._engine.arrays import NotFiniteError, as_float64, real_array, same_library
from nwlab._engine.extremes import quiet
from nwlab._engine.inputs import check_choice, check_count, check_inputs, check_number
from nwlab.data import RegressionData

OPTIMISERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
LOSSES = {"full": 1.0, "half": 0.5}                         # what the sum of squared residuals is multiplied by


class DivergenceError(RuntimeError):
    """The loss, or a number on the way to it, became NaN or infinite. step: where. history: those before, or None."""

    def __init__(self, message: str, step: int, history: "History | None"):
        super().__init__(message)
        self.step, self.history = step, history


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """What a run of T steps went through. Index 0 is the start, index t what t steps have made of it.

    loss (T+1,); parameters: for each that is learned an array (T+1, ...) by name. All NumPy. interrupted: Ctrl-C ended
    the run early.
    """

    loss: np.ndarray
    parameters: dict[str, np.ndarray]
    interrupted: bool = False

    @property
    def steps(self) -> int:
        """T, how many steps were taken."""
        return len(self.loss) - 1

    def restore(self, module, step: int = -1) -> None:
        """Give the module the parameters that it had at this step; -1 is the last."""
        if not -len(self.loss) <= step < len(self.loss):
            raise ValueError(f"step: got {step}, expected 0 to {self.steps}, or less than 0 to count from the end")
        with torch.no_grad():
            for name, parameter in _learnable(module).items():
                if name not in self.parameters:
                    raise ValueError(f"module: got one with parameter {name!r}, expected {', '.join(self.parameters)}")
                parameter.copy_(torch.as_tensor(self.parameters[name][step], device=parameter.device))

    def __repr__(self) -> str:
        ended = ", interrupted" if self.interrupted else ""
        return (f"History({self.steps} steps{ended}, loss {self.loss[0]:.4g} to {self.loss[-1]:.4g}, "
                f"{', '.join(self.parameters)})")


@contextmanager
def one_thread():
    """Matrices this small are quicker on one thread; where the cores are busy, twenty times quicker."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@one_thread()
def fit(module, data, optimiser="adam", learning_rate=0.05, epochs=300, loss="full", leave_one_out=True, seed=None,
        progress=False) -> History:
    """Train `module(keys, keys, values)` on the values: `epochs` full-batch steps. Changes the module, returns History.

    data: a RegressionData, or (keys, values) with keys (n,) or (n, d), values (n,) or (n, c). What is no torch tensor
    becomes one, in the dtype of the module; in float64 if numbers would overflow there, or neighbours become equal, as
    timestamps may. A module of 16 bits is trained in float32, and rounded at the end. loss: the sum of the squared
    residuals ("full") or half of it ("half"): half the gradient, another run. optimiser: "sgd" or "adam". seed: draw
    the parameters anew first; None goes on from where they are. progress: show a bar.

    Ctrl-C ends the run early with all steps finished by then. ValueError for inputs that do not fit; DivergenceError
    when the loss or a number on the way to it becomes NaN or infinite: the module then has the last parameters whose
    loss was finite.
    """
    keys, values = _tensors(data, module)
    scale = LOSSES[check_choice("loss", loss, tuple(LOSSES))]
    make_optimiser = OPTIMISERS[check_choice("optimiser", optimiser, tuple(OPTIMISERS))]
    epochs, learning_rate = check_count("epochs", epochs, 1), check_number("learning_rate", learning_rate, above=0)
    check_inputs(keys, keys, values, leave_one_out=leave_one_out)
    others = ~torch.eye(len(keys), dtype=torch.bool, device=keys.device) if leave_one_out else None      # (n, n)
    if seed is not None:
        if not hasattr(module, "reset_parameters"):
            raise ValueError(f"seed: got {seed!r}, expected None, as a {type(module).__name__} has no "
                             "reset_parameters(seed)")
        module.reset_parameters(seed)

    def loss_now():
        return scale * torch.sum((module(keys, keys, values, mask=others) - values) ** 2)

    advice = (f"a smaller learning_rate (now {learning_rate:g}; a tenth of it first), optimiser='adam', or keys and "
              "values of smaller size")
    torch_optimiser = make_optimiser(_learnable(module).values(), lr=learning_rate)
    return follow(module, loss_now, torch_optimiser, epochs, advice, progress=progress)


def follow(module, loss, optimiser, steps, advice, schedule=None, progress=False) -> History:
    """Minimise `loss()` with a torch optimiser, and keep every one of the `steps`: what `fit` is made of.

    loss: a function that calls the module and returns a scalar tensor; it may draw other data each time. schedule: what
    changes the learning rate after each step, as in torch.optim.lr_scheduler. advice: what a DivergenceError says to
    try. The rest is as in `fit`.
    """
    learnable, records, interrupted = _learnable(module), [], False
    with _in_32_bits(module), tqdm(total=steps, desc="learning", unit="step", leave=False, disable=not progress) as bar:
        try:
            for step in range(steps + 1):
                optimiser.zero_grad()
                try:
                    total = loss()
                except NotFiniteError as error:
                    if not records:                     # the inputs or the start, and no step
                        raise
                    raise _diverged(str(error), step, module, records, getattr(error, "remedy", advice)) from None
                if not math.isfinite(value := float(total.detach())):
                    raise _diverged(f"the loss is {value}", step, module, records, advice)
                records.append((value, {name: x.detach().cpu().numpy().copy() for name, x in learnable.items()}))
                if step < steps:
                    total.backward()
                    optimiser.step()
                    bar.update()
                    if schedule is not None:
                        schedule.step()
        except KeyboardInterrupt:
            if not records:
                raise
            interrupted = True
    history = _history(records, interrupted)
    history.restore(module)                             # Ctrl-C may have come between a step and its record
    return history


@contextmanager
def _in_32_bits(module):
    """What a module keeps in 16 bits is in float32 while it learns: in 16 bits, Adam's 1e-8 and small squares are 0."""
    small = [(x, x.dtype) for x in (*module.parameters(), *module.buffers())
             if x.dtype.is_floating_point and x.dtype.itemsize < 4]
    try:
        for x, _ in small:
            x.data = x.data.float()
        yield
    finally:
        for x, dtype in small:
            x.data = x.data.to(dtype)


def _diverged(what, step, module, records, advice) -> DivergenceError:
    """The error for a loss that is no finite number. The module gets the parameters of the step before."""
    if not records:
        return DivergenceError(f"step 0, before anything was learned: {what}. Try values of smaller size, or another "
                               "start for the parameters.", step, None)
    history = _history(records)
    history.restore(module)
    return DivergenceError(f"step {step}: {what} (a step before, the loss was {history.loss[-1]:.4g}). Try {advice}. "
                           f"The module is back at step {step - 1}.", step, history)


def _history(records, interrupted=False) -> History:
    losses, parameters = zip(*records)
    return History(np.array(losses), {name: np.stack([each[name] for each in parameters]) for name in parameters[0]},
                   interrupted)


def _learnable(module) -> dict[str, torch.nn.Parameter]:
    if not isinstance(module, torch.nn.Module):
        raise ValueError(f"module: got {type(module).__name__}, expected a pooling such as attention.LearnedWidth()")
    learnable = {name: x for name, x in module.named_parameters() if x.requires_grad}
    if not learnable:
        raise ValueError(f"module: got {type(module).__name__} without parameters, expected some to learn")
    return learnable


def _tensors(data, module):
    """Keys and values as torch tensors of at least 32 bits; what was none is on the other's device, or the module's."""
    like = next(iter(_learnable(module).values()))
    dtype = torch.promote_types(like.dtype, torch.float32)
    if isinstance(data, RegressionData):
        data = data.keys, data.values
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise ValueError(f"data: got {type(data).__name__}, expected a RegressionData or a pair (keys, values)")
    named: dict[str, Any] = dict(zip(("keys", "values"), data))
    same_library(named)                                 # its checks: it would give both one dtype
    device = next((x.device for x in data if isinstance(x, torch.Tensor)), like.device)
    for name, x in named.items():
        if not isinstance(x, torch.Tensor):
            x = as_float64(real_array(name, x))
            named[name] = torch.as_tensor(x, dtype=_dtype_for(x, dtype), device=device)
        elif x.dtype in (torch.bfloat16, torch.float16):
            named[name] = x.float()
    if named["keys"].ndim == 0:
        raise ValueError("keys: got a single number, expected (n,) or (n, d)")
    return named["keys"], named["values"]


@quiet
def _dtype_for(x: np.ndarray, dtype: torch.dtype) -> torch.dtype:
    """The dtype, or float64 where it would make numbers of a column of x (n, ...) equal, infinite, or move them far."""
    for column in x.reshape(len(x), -1).T if x.ndim and x.size else ():
        narrow, spread = column.astype(np.float32), np.ptp(column)
        moved = np.max(np.abs(column)) * np.finfo(np.float32).eps
        told_apart = np.isfinite(narrow).all() and len(np.unique(narrow)) == len(np.unique(column))
        if not told_apart or 0 < 1e-3 * spread < moved:
            return torch.float64
    return dtype
