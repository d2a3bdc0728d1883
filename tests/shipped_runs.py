"""Train anew the runs that come with notebooks 09 and 11: python tests/shipped_runs.py, about eight minutes."""
import math

import numpy as np
from torch import nn

from workbook.labs import induction, induction_training, sequences
from workbook.labs.in_context import train
from workbook.labs.in_context_yardstick import CONTEXTS, FILE, NOISES, STEPS, replay


def without_residual(model) -> None:
    """mlp(norm(heads(norm(x)))): the steps of a block replace x instead of adding to it."""
    for block in model.blocks:
        block.forward = lambda x, mask=None, block=block: block.mlp(
            block.norms[1](block.heads(block.norms[0](x), mask)))


def without_norm(model) -> None:
    model.norm = nn.Identity()
    for block in model.blocks:
        block.norms = nn.ModuleList([nn.Identity(), nn.Identity()])


def without_mlp(model) -> None:
    for block in model.blocks:
        block.mlp = nn.Threshold(math.inf, 0.0)         # 0 for every x


CONTROLS = {                                            # what each model is trained with, besides its seed
    "whole": {}, "one layer": {"layers": 1}, "one head": {"heads": 1},
    "no residual": {"change": without_residual}, "no norm": {"change": without_norm},
    "no mlp": {"change": without_mlp},
    "one layer, fixed length": {"layers": 1, "lengths": (6, 6)},
    "sees one ahead": {"ahead": 1},
}


def make_file(path=FILE, noises=NOISES, contexts=CONTEXTS) -> None:
    """Write arrays whose first two axes are the noise and n."""
    rows = [[replay(train(noise, n, seed=0), STEPS) for n in contexts] for noise in noises]
    arrays = {name: [[[layer.state_dict()[name].numpy() for layer in r.layers] for r in row] for row in rows]
              for name in rows[0][0].layer.state_dict()}
    for name in ("errors", "spreads", "kernel_errors", "bayes"):
        arrays[name] = [[getattr(r, name) for r in row] for row in rows]
    np.savez_compressed(path, **{name: np.array(x, dtype=np.float32) for name, x in arrays.items()})


def make_induction(path=induction.FILE, controls=CONTROLS, seeds=induction.SEEDS) -> None:
    """Write how often each control is right (seeds,), how the whole models end, and the path of the first."""
    arrays = {}
    for name, options in controls.items():
        runs = [induction_training.train(seed=seed, **options) for seed in range(seeds)]
        fresh = sequences.draw(count=500, lengths=options.get("lengths", sequences.LENGTHS), seed=2024)
        arrays[f"accuracy/{name}"] = np.array([sequences.accuracy(run.network, fresh) for run in runs])
        if options.get("ahead"):
            for run in runs:
                run.network.ahead = 0
            arrays[f"accuracy/{name}, asked fairly"] = np.array([
                sequences.accuracy(run.network, fresh) for run in runs])
        if not options:
            for parameter, first in runs[0].path.items():
                arrays[f"path/{parameter}"] = first[list(induction.STEPS)].astype(np.float16)
                arrays[f"last/{parameter}"] = np.array([run.path[parameter][-1] for run in runs],
                                                       dtype=np.float16)
        print(name, {key: x.round(3) for key, x in arrays.items() if key.startswith(f"accuracy/{name}")}, flush=True)
    np.savez_compressed(path, **arrays)


if __name__ == "__main__":
    make_file()
    make_induction()
