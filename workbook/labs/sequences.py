"""Sequences that repeat a random block, and a model while it is trained to continue them (notebook 11).

    drawn = sequences.draw(count=200, seed=1)            # each repeats a block of its own length
    sequences.accuracy(model, drawn)

Shapes: b sequences, t tokens.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nwlab._engine.inputs import check_count
from workbook.labs.transformer import Transformer

SYMBOLS, TOKENS = 12, 32
LENGTHS = (5, 12)  # of the block, which is drawn for each sequence: shortest and longest


@dataclass(frozen=True, eq=False, repr=False)
class Sequences:
    """tokens (b, t), whole numbers below `SYMBOLS`; lengths (b,): of the block that each sequence repeats."""

    tokens: np.ndarray
    lengths: np.ndarray

    @property
    def known(self) -> np.ndarray:
        """(b, t - 1): whether the token that follows can be known, because this one has come before."""
        return np.arange(self.tokens.shape[1] - 1) >= self.lengths[:, None]


def draw(count=200, lengths=LENGTHS, t=TOKENS, seed=0) -> Sequences:
    """`count` sequences of t tokens: each repeats a random block of different symbols, whose length is drawn first.

    lengths: the shortest and the longest block. seed: a whole number, or a numpy.random.RandomState to draw on from.
    """
    count, t = check_count("count", count, 1), check_count("t", t, 2)
    shortest = check_count("lengths", lengths[0], 1, SYMBOLS)
    longest = check_count("lengths", lengths[1], shortest, SYMBOLS)
    if not isinstance(seed, np.random.RandomState):
        seed = np.random.RandomState(check_count("seed", seed, 0, 2**32 - 1))
    # Of each draw of 32 bits what torch.randint and torch.rand take: the models that are stored were trained on these.
    n = shortest + seed.randint(2**32, size=(count, 1), dtype=np.uint32).astype(int) % (longest - shortest + 1)
    order = (seed.randint(2**32, size=(count, SYMBOLS), dtype=np.uint32) % 2**24).argsort(axis=1)  # all in random order
    return Sequences(np.take_along_axis(order, np.arange(t) % n, axis=1), n[:, 0])


def accuracy(model, drawn: Sequences) -> float:
    """The share of tokens that the model predicts right, of those that can be known. model: of NumPy or of torch."""
    right = np.asarray(model(drawn.tokens[:, :-1]).argmax(-1)) == drawn.tokens[:, 1:]
    return float(right[drawn.known].mean())


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A model while it was trained. path: its parameters (len(steps), ...) at these steps, by name.

    lengths: of the blocks it was trained on. network and history: its torch module, and what
    `nwlab.training.follow` returned, where it was trained here.
    """

    path: dict[str, np.ndarray]
    steps: Sequence[int]
    lengths: tuple[int, int] = LENGTHS
    network: Any = None
    history: Any = None

    @property
    def model(self) -> Transformer:
        """The model at the end."""
        return self.at(self.steps[-1])

    def at(self, step: int) -> Transformer:
        """The model as it was after one of the `steps`; 0 is before training."""
        i = self.steps.index(step)
        return Transformer({name: x[i] for name, x in self.path.items()})

    def __repr__(self) -> str:
        ended = ", interrupted" * self.history.interrupted if self.history else ", trained beforehand"
        return f"Run({self.model.layers} layers, {self.steps[-1]} steps{ended})"
