"""Small transformers that continue repeated sequences, as they were trained beforehand or are now (notebook 11).

    run = induction.train(seed=0)                        # two layers of two heads, some seconds of one core
    sequences.accuracy(run.model, sequences.draw(seed=1))

`workbook.labs.instruments` measures their heads. Only `train` needs torch (`workbook.labs.induction_training`).
"""
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbook.labs.sequences import Run
from workbook.labs.transformer import Transformer
from workbook.language import say

FILE = Path(__file__).parent / "induction.npz"          # trained by tests/shipped_runs.py with these
SEEDS = 10                                              # seeds, 0 to 9, and for the first one stored at these
STEPS = (0, 20, 40, 60, 80, 100, 120, 150, 200, 300)    # steps


def train(**options) -> Run:
    """`workbook.labs.induction_training.train`. Without torch it says so, and returns the first run that is stored."""
    try:
        from workbook.labs.induction_training import train
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        print(say("PyTorch is not here, so nothing is trained now. You see the model as it was trained, with seed 0."))
        return shipped().run
    return train(**options)


class Shipped(NamedTuple):
    """Models trained beforehand with seeds 0 to 9, in half precision.

    accuracies: of each control in tests/shipped_runs.py (10,), on fresh sequences; "sees one ahead, asked fairly" is
    that model with the causal mask. models: the 10 that lack nothing. run: how the first of them was trained.
    """

    accuracies: dict[str, np.ndarray]
    models: list[Transformer]
    run: Run


@lru_cache(maxsize=1)
def shipped() -> Shipped:
    """The content of the file."""
    with np.load(FILE) as file:
        found = {kind: {name.removeprefix(f"{kind}/"): file[name] for name in file.files if name.startswith(f"{kind}/")}
                 for kind in ("accuracy", "last", "path")}
    models = [Transformer({name: x[seed] for name, x in found["last"].items()}) for seed in range(SEEDS)]
    return Shipped(found["accuracy"], models, Run(found["path"], STEPS))
