"""What all learned poolings share: what they check, how they pool, how their parameters start."""
from __future__ import annotations

import math
from contextlib import contextmanager

import torch
from torch import nn

from nwlab._engine.inputs import Inputs, check_count, check_inputs
from nwlab._engine.weights import pool
from nwlab.pooling import masked_softmax


class LearnedPooling(nn.Module):
    """What all learned poolings share. A new one says how it scores: `scores(queries, keys, mask)`.

    queries (m,) or (m, d), keys (n,) or (n, d), values (n,) or (n, c): floating torch tensors on one device; mask
    broadcasts to (m, n), True = may attend. The estimate is (m,), or (m, c) for values (n, c). Parameters are used in
    the dtype of the inputs. `attention_weights` (m, n) are those of the last call, without gradients; None before.
    ValueError for shapes that do not fit, NaN or infinity, other dtypes, another device than that of the parameters, a
    mask that hides every key of a query, and scores that are not finite.
    """

    attention_weights: torch.Tensor | None = None

    def scores(self, queries, keys, mask=None):
        """a(q, k) for queries (m, d) and keys (n, d): (m, n). Only differences within a row matter.

        `mask` (m, n) or None is for those who measure from the nearest allowed key; the softmax masks all the same.
        """
        raise NotImplementedError(f"{type(self).__name__}.scores(queries, keys, mask=None) is what a pooling must say")

    def forward(self, queries, keys, values, mask=None):
        inputs = self._checked(queries, keys, values, mask)
        scores = self.scores(inputs.queries, inputs.keys, inputs.mask)               # (m, n)
        _check_scores(scores, inputs)
        weights = masked_softmax(scores, inputs.mask)                                # (m, n)
        self.attention_weights = weights.detach()
        return inputs.outgoing(pool(weights, inputs.values, inputs.xp))              # (m, n) @ (n, c) -> (m, c)

    def reset_parameters(self, seed=None):
        """Draw all parameters anew: the same seed gives the same ones; None takes torch's own generator."""
        generator = torch.default_generator if seed is None else torch.Generator()
        if seed is not None:
            generator.manual_seed(check_count("seed", seed, 0, 2**63 - 1))
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                # As torch.rand gives them in the default dtype on the CPU, whatever they are kept in afterwards.
                parameter.copy_(self._draw(name, torch.rand(parameter.shape, generator=generator)))

    def _draw(self, name: str, uniform):
        """The start of a parameter from numbers uniform on 0..1. Here: +-1 / sqrt(inputs), like torch.nn.Linear."""
        return (2 * uniform - 1) / math.sqrt(uniform.shape[-1] if uniform.ndim else 1)

    def _checked(self, queries, keys, values, mask) -> Inputs:
        named = {"keys": keys, "values": values, "queries": queries}     # keys first: in training they are the queries too
        for name, x in named.items():
            if not isinstance(x, torch.Tensor):
                raise ValueError(f"{name}: got {type(x).__name__}, expected a torch tensor; torch.as_tensor makes one")
            if not x.dtype.is_floating_point:
                raise ValueError(f"{name}: got dtype {x.dtype}, expected a floating one such as torch.float32")
        parameter = next(self.parameters(), None)
        where, like = (keys.device, "the keys") if parameter is None else (parameter.device, "the parameters")
        if any(x.device != where for x in named.values()):
            listed = ", ".join(f"{name} on {x.device}" for name, x in named.items())
            raise ValueError(f"{', '.join(named)}: got {listed}, expected all on {where} like {like}")
        inputs = check_inputs(queries, keys, values, mask=mask)
        if inputs.unit != 1.0:
            raise ValueError(f"queries, keys: got numbers near the largest of {inputs.keys.dtype}, expected smaller ones")
        if inputs.mask is not None:
            hidden = ~inputs.mask.any(dim=1)                                         # (m,)
            if bool(hidden.any()):
                raise ValueError(f"mask: got {int(hidden.sum())} of {len(hidden)} queries without a key to attend to "
                                 f"(the first is query {int(hidden.int().argmax())}), expected at least one True a row")
        return inputs


@contextmanager
def one_thread():
    """Matrices this small are quicker on one thread; where the cores are busy, twenty times quicker."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def start_at(name: str, parameter, value) -> None:
    """Set a parameter to a number or to numbers of its shape; ValueError for anything else."""
    try:
        value = torch.as_tensor(value, dtype=parameter.dtype).expand(parameter.shape)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(f"{name}: got {value!r}, expected a number"
                         f"{f' or shape {tuple(parameter.shape)}' if parameter.ndim else ''}") from None
    if not bool(torch.isfinite(value).all()):
        raise ValueError(f"{name}: got NaN or infinity, expected finite numbers")
    with torch.no_grad():
        parameter.copy_(value)


def check_features(parameter, keys) -> None:
    """ValueError if the keys (n, d) have other features than the last axis of the parameter."""
    if keys.shape[1] != parameter.shape[-1]:
        raise ValueError(f"queries, keys: got {keys.shape[1]} features, expected {parameter.shape[-1]}, as the pooling "
                         "was made for")


def _check_scores(scores, inputs) -> None:
    m, n, d = inputs.shape
    if tuple(scores.shape) != (m, n):
        raise ValueError(f"scores: got shape {tuple(scores.shape)}, expected ({m}, {n}), queries by keys")
    scores = scores.detach()
    seen = scores if inputs.mask is None else scores.masked_fill(~inputs.mask, -math.inf)
    if m and not bool(torch.isfinite(seen.amax(dim=1)).all()):
        raise ValueError("scores: got NaN or infinity, expected finite numbers; the parameters have grown too large")
