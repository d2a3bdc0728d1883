"""The small transformer of notebook 11 in torch, and its training. `workbook.labs.induction` reads what comes out."""
import numpy as np
import torch
from torch import nn

from nwlab._engine.inputs import check_count, check_number
from nwlab.block import Block
from nwlab.training import follow, one_thread
from workbook.labs.sequences import LENGTHS, SYMBOLS, Run, Sequences, draw

REACH = 8
MOST_STEPS = 2000                                       # every step is kept: about 100 kB each


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
        tokens = torch.as_tensor(tokens)
        t = tokens.shape[-1]
        mask = torch.ones(t, t, dtype=torch.bool, device=tokens.device).tril(self.ahead)
        x = self.embed(tokens)                                                       # (..., t, w)
        for block in self.blocks:
            x = block(x, mask)
        return self.read(self.norm(x))


@one_thread()
def train(lengths=LENGTHS, steps=300, batch=32, learning_rate=0.01, seed=0, progress=False, change=None,
          **options) -> Run:
    """Train a new `SmallTransformer(**options)`, after change(network), to predict the next token where it is known.

    Each step draws `batch` fresh sequences. Adam's learning rate grows for 30 steps, then falls linearly to 0.
    For the biases by distance it is ten times as large, as they would hardly change in 300 steps otherwise. The same
    seed gives the same run. Ctrl-C, progress and errors are as in `nwlab.training.fit`.
    """
    steps, batch = check_count("steps", steps, 1, MOST_STEPS), check_count("batch", batch, 1)
    seed, learning_rate = check_count("seed", seed, 0, 2**32 - 1), check_number("learning_rate", learning_rate, above=0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = SmallTransformer(**options)
    if change:
        change(network)
    random = np.random.RandomState(seed)
    biases = [block.heads.bias for block in network.blocks]
    others = [x for x in network.parameters() if not any(x is bias for bias in biases)]
    adam = torch.optim.Adam([{"params": others}, {"params": biases, "lr": 10 * learning_rate}], lr=learning_rate,
                            betas=(0.9, 0.98), fused=True)
    history = follow(network, lambda: loss(network, draw(batch, lengths, seed=random)), adam, steps,
                     f"a smaller learning_rate (now {learning_rate:g})", progress=progress,
                     schedule=torch.optim.lr_scheduler.LambdaLR(
                         adam, lambda step: min(1, (step + 1) / 30) * (1 - step / steps)))
    return Run(history.parameters, range(history.steps + 1), tuple(lengths), network, history)


def loss(network, drawn: Sequences) -> torch.Tensor:
    """The mean of -log(probability of the token that follows), where it can be known."""
    found = network(drawn.tokens[:, :-1])[torch.from_numpy(drawn.known)]
    return nn.functional.cross_entropy(found, torch.from_numpy(drawn.tokens[:, 1:][drawn.known]))
