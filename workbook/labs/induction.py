"""Sequences that repeat a random block, and a small transformer that learns to continue them (notebook 11).

    sequences = induction.draw(count=200, seed=1)        # each repeats a block of its own length
    run = induction.train(seed=0)                        # two layers of two heads, some seconds of one core
    induction.accuracy(run.model, sequences)

`workbook.labs.instruments` measures its heads. Shapes: b sequences, t tokens, h heads, w numbers a token.
"""
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from nwlab._engine.inputs import check_count, check_number
from nwlab.block import Block
from nwlab.training import History, follow, one_thread

SYMBOLS, TOKENS, REACH = 12, 32, 8
LENGTHS = (5, 12)  # of the block, which is drawn for each sequence: shortest and longest
MOST_STEPS = 2000                                       # every step is kept: about 100 kB each

FILE = Path(__file__).parent / "induction.npz"          # trained by tests/shipped_runs.py with these
SEEDS = 10                                              # seeds, 0 to 9, and for the first one stored at these
STEPS = (0, 20, 40, 60, 80, 100, 120, 150, 200, 300)    # steps


@dataclass(frozen=True, eq=False, repr=False)
class Sequences:
    """tokens (b, t), whole numbers below `SYMBOLS`; lengths (b,): of the block that each sequence repeats."""

    tokens: torch.Tensor
    lengths: torch.Tensor

    @property
    def known(self) -> torch.Tensor:
        """(b, t - 1): whether the token that follows can be known, because this one has come before."""
        return torch.arange(self.tokens.shape[1] - 1) >= self.lengths[:, None]


def draw(count=200, lengths=LENGTHS, t=TOKENS, seed=0) -> Sequences:
    """`count` sequences of t tokens: each repeats a random block of different symbols, whose length is drawn first.

    lengths: the shortest and the longest block. seed: a whole number, or a torch.Generator to draw on from.
    """
    count, t = check_count("count", count, 1), check_count("t", t, 2)
    shortest = check_count("lengths", lengths[0], 1, SYMBOLS)
    longest = check_count("lengths", lengths[1], shortest, SYMBOLS)
    if not isinstance(seed, torch.Generator):
        seed = torch.Generator().manual_seed(check_count("seed", seed, 0, 2**63 - 1))
    n = torch.randint(shortest, longest + 1, (count, 1), generator=seed)
    order = torch.rand(count, SYMBOLS, generator=seed).argsort(dim=1)               # different symbols in random order
    return Sequences(order.gather(1, torch.arange(t) % n), n[:, 0])


class SmallTransformer(nn.Module):
    """Tokens (..., t) -> a score for each symbol that may come next (..., t, symbols).

    An embedding of the symbols, `layers` blocks, a final normalisation, and a linear read-out. reach: as in
    `nwlab.block.Heads`; 0 leaves the positions out. ahead: how many tokens ahead a query may see; 0 is the causal mask.
    """

    def __init__(self, symbols=SYMBOLS, layers=2, heads=2, width=32, reach=REACH, ahead=0):
        super().__init__()
        self.ahead = ahead
        self.embed = nn.Embedding(symbols, width)
        self.blocks = nn.ModuleList([Block(width, heads, reach) for _ in range(layers)])
        self.norm, self.read = nn.LayerNorm(width), nn.Linear(width, symbols)

    def forward(self, tokens):
        t = tokens.shape[-1]
        mask = torch.ones(t, t, dtype=torch.bool, device=tokens.device).tril(self.ahead)
        x = self.embed(tokens)                                                       # (..., t, w)
        for block in self.blocks:
            x = block(x, mask)
        return self.read(self.norm(x))


@dataclass(frozen=True, eq=False, repr=False)
class InductionRun:
    """A trained model, the lengths of its blocks, and its history: the loss and the parameters at every step."""

    model: SmallTransformer
    history: History
    lengths: tuple[int, int]
    options: dict                                       # of the model

    def at(self, step: int) -> SmallTransformer:
        """The model as it was after so many steps; 0 is before training, -1 the last."""
        model = SmallTransformer(**self.options)
        self.history.restore(model, step)
        return model

    def __repr__(self) -> str:
        ended = ", interrupted" if self.history.interrupted else ""
        return f"Run({len(self.model.blocks)} layers, {self.history.steps} steps{ended})"


@one_thread()
def train(lengths=LENGTHS, steps=300, batch=32, learning_rate=0.01, seed=0, progress=False, change=None,
          **options) -> InductionRun:
    """Train a new `SmallTransformer(**options)`, after change(model), to predict the next token where it can be known.

    Each step draws `batch` fresh sequences. Adam's learning rate grows for 30 steps, then falls linearly to 0.
    For the biases by distance it is ten times as large, as they would hardly change in 300 steps otherwise. The same
    seed gives the same run. Ctrl-C, progress and errors are as in `nwlab.training.fit`.
    """
    steps, batch = check_count("steps", steps, 1, MOST_STEPS), check_count("batch", batch, 1)
    seed, learning_rate = check_count("seed", seed, 0, 2**62), check_number("learning_rate", learning_rate, above=0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = SmallTransformer(**options)
    if change:
        change(model)
    generator = torch.Generator().manual_seed(2**62 + seed)     # so that readers with small seeds draw other sequences
    biases = [block.heads.bias for block in model.blocks]
    others = [x for x in model.parameters() if not any(x is bias for bias in biases)]
    adam = torch.optim.Adam([{"params": others}, {"params": biases, "lr": 10 * learning_rate}], lr=learning_rate,
                            betas=(0.9, 0.98), fused=True)
    history = follow(model, lambda: loss(model, draw(batch, lengths, seed=generator)), adam, steps,
                     f"a smaller learning_rate (now {learning_rate:g})", progress=progress,
                     schedule=torch.optim.lr_scheduler.LambdaLR(
                         adam, lambda step: min(1, (step + 1) / 30) * (1 - step / steps)))
    return InductionRun(model, history, tuple(lengths), options)


def loss(model, sequences: Sequences) -> torch.Tensor:
    """The mean of -log(probability of the token that follows), where it can be known."""
    found, known = model(sequences.tokens[:, :-1]), sequences.known
    return nn.functional.cross_entropy(found[known], sequences.tokens[:, 1:][known])


@torch.no_grad()
def accuracy(model, sequences: Sequences) -> float:
    """The share of tokens that the model predicts right, of those that can be known."""
    right = model(sequences.tokens[:, :-1]).argmax(dim=-1) == sequences.tokens[:, 1:]
    return float(right[sequences.known].double().mean())


class Shipped(NamedTuple):
    """Models trained beforehand with seeds 0 to 9, in half precision.

    accuracies: of each control in tests/shipped_runs.py (10,), on fresh sequences; "sees one ahead, asked fairly" is
    that model with the causal mask. models: the 10 that lack nothing. path: the parameters of the first at `STEPS`.
    """

    accuracies: dict[str, np.ndarray]
    models: list[SmallTransformer]
    path: dict[str, np.ndarray]

    def at(self, step: int) -> SmallTransformer:
        """The first model as it was after one of the `STEPS`."""
        return _model({name: x[STEPS.index(step)] for name, x in self.path.items()})


@lru_cache(maxsize=1)
def shipped() -> Shipped:
    """The content of the file."""
    with np.load(FILE) as file:
        found = {kind: {name.removeprefix(f"{kind}/"): file[name] for name in file.files if name.startswith(f"{kind}/")}
                 for kind in ("accuracy", "last", "path")}
    models = [_model({name: x[seed] for name, x in found["last"].items()}) for seed in range(SEEDS)]
    return Shipped(found["accuracy"], models, found["path"])


def _model(parameters) -> SmallTransformer:
    model = SmallTransformer()
    model.load_state_dict({name: torch.as_tensor(x, dtype=torch.float32) for name, x in parameters.items()},
                          strict=False)                 # the buffers, all 1, are not in it
    return model
