"""How `own_pooling` runs a student's functions: with a pooling of ours handed over, and asking torch for slopes.

A design of the student's own has no one right answer. So a function is run on problems that belong together (the same
keys in another order, other values, other parameters), and the judges compare its answers with each other. Two functions
take a pooling as an argument: they get one of ours, and then there is a right answer.
"""
from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nwlab.checks.item import Item

PARAMETERS = 24
SLOPES, START, REPEATED = "the slopes", "the slopes before training", "twenty keys"       # names of problems
NO_SLOPE = "torch cannot go back from what came to the parameters"
WORKS_WITH = "it works with"
FLOAT, AT_RANDOM = "scores of dtype ", "two calls with the same inputs gave two different tables of scores"
ONCE = "torch was sent backward a second time from the same loss"
NEVER_ASKED = "the pooling that was handed over was never asked"
GAUSSIAN, RATIONAL = "a Gaussian, w = exp(parameters[0])", "1 / (1 + (u w)²), w = exp(parameters[1])"


class NoSlope(Exception):
    """What came does not depend on the parameters in a way that torch can follow."""


class NotAsked(Exception):
    """The pooling that was handed over was not used."""


class MaskNotBool(Exception):
    """The mask that the pooling got does not consist of True and False."""


class TruthOfATable(Exception):
    """A whole mask met an `if`."""


@dataclass(frozen=True, eq=False)
class Probed(Item):
    """An item whose function is run as `around(function, problem)`, with the same arguments."""

    around: Callable = None

    def answers(self, function, problems):
        """One Answer for each problem, as plain data."""
        from nwlab.checks.run import run

        if not callable(function):
            return run(self, function, problems)
        found = []
        for problem in problems:
            probe = self.around(function, problem)
            if probe is not function:
                probe = functools.wraps(function)(probe)        # so that the student's code is found, and its signature
            found += run(self, probe, [problem])
        return found


class HandedOver:
    """A pooling of ours, called as the text asks: (queries, keys, values, parameters, mask=None) -> (answers, weights)."""

    def __init__(self, kind: str):
        self.kind, self.asked = kind, 0

    def __call__(self, queries, keys, values, parameters, mask=None):
        import torch

        self.asked += 1
        squares = (queries[:, None] - keys[None, :]) ** 2                       # (m, n)
        if self.kind == GAUSSIAN:
            scores = -0.5 * squares * torch.exp(2 * parameters[0])
        else:
            scores = -torch.log1p(squares * torch.exp(2 * parameters[1]))
        if mask is not None and getattr(mask, "dtype", None) != torch.bool:
            raise MaskNotBool(f"got a mask of dtype {getattr(mask, 'dtype', type(mask).__name__)}, expected torch.bool")
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.softmax(scores, dim=1)
        return weights @ values, weights


def around_scores(function, problem):
    """Asks for slopes in two problems. Says in a text: sizes that fit another number of keys only, a dtype, randomness."""
    def checked(queries, keys, parameters):
        import torch

        again = [x.clone() for x in (queries, keys, parameters)]
        scores = any_number_of_keys(queries, keys, parameters)
        if not isinstance(scores, torch.Tensor) or scores.shape != (len(queries), len(keys)):
            return scores
        if problem.name == REPEATED and not torch.allclose(scores, function(*again), rtol=1e-9, atol=0, equal_nan=True):
            return AT_RANDOM
        return scores if scores.dtype == torch.float64 else f"{FLOAT}{str(scores.dtype).removeprefix('torch.')}"

    def any_number_of_keys(queries, keys, parameters):
        import torch

        try:
            return function(queries, keys, parameters)
        except (RuntimeError, IndexError, ValueError) as error:
            if isinstance(error, NotImplementedError) or not re.search("size|shape|index|dimension|broadcast", str(error)):
                raise
            for n in (PARAMETERS, 50, 49, 40):
                with contextlib.suppress(Exception):
                    function(queries, torch.linspace(0, 5, n, dtype=keys.dtype), parameters)
                    return f"{WORKS_WITH} {n} keys. With {len(keys)} came {type(error).__name__}: {error}"
            raise

    def slopes(queries, keys, parameters):
        import torch

        parameters = parameters.clone().requires_grad_()
        try:
            scores = any_number_of_keys(queries, keys, parameters)
        except RuntimeError as error:
            if "requires grad" in str(error) and not isinstance(error, NotImplementedError):
                return NO_SLOPE
            raise
        if not isinstance(scores, torch.Tensor):
            return scores
        if not scores.requires_grad or scores.ndim == 0:
            return NO_SLOPE
        shares = torch.softmax(scores, dim=-1)
        total = (shares * torch.cos(torch.arange(shares.numel(), dtype=shares.dtype)).reshape(shares.shape)).sum()
        slope, = torch.autograd.grad(total, parameters, allow_unused=True)
        return NO_SLOPE if slope is None else slope

    return slopes if problem.name in (SLOPES, START) else checked


def as_it_is(function, problem):
    """Nothing is done around it."""
    return function


def around_weights(function, problem):
    """Raises TruthOfATable where a whole mask meets an `if`."""
    def with_mask(scores, mask):
        try:
            return function(scores, mask)
        except RuntimeError as error:
            if mask is not None and "ambiguous" in str(error):
                raise TruthOfATable(str(error)).with_traceback(error.__traceback__) from None
            raise

    return with_mask


def around_loss(function, problem):
    """Hands a pooling over; raises NotAsked and NoSlope."""
    def with_pooling(attend, keys, values, parameters):
        pooling = HandedOver(attend)
        loss = function(pooling, keys, values, parameters.clone().requires_grad_())
        if loss is None:
            return None
        if not pooling.asked:
            raise NotAsked(NEVER_ASKED)
        if isinstance(loss, (float, np.generic)) or not getattr(loss, "requires_grad", True):
            raise NoSlope(NO_SLOPE)
        return loss

    return with_pooling


def around_training(function, problem):
    """Hands a pooling over; says so in a text if it was not asked, or if one loss was used for several steps."""
    def with_pooling(attend, keys, values, steps):
        pooling = HandedOver(attend)
        try:
            parameters = function(pooling, keys, values, steps)
        except RuntimeError as error:
            if re.search("backward through the graph a second time|modified by an inplace operation", str(error)):
                return ONCE
            raise
        return NEVER_ASKED if steps and not pooling.asked and parameters is not None else parameters

    return with_pooling
