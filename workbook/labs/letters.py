"""A small language model of letters: three blocks of four heads, trained on one novel (notebook 11).

    model, tokens = letters.model(), letters.encode("call me ishmael.")
    model(tokens[None])                                  # (1, t, 36): scores of the letter that follows each

It was trained by tests/train_letters.py on nine tenths of the chapters of Moby-Dick (Herman Melville, 1851, in the
public domain). A text is small letters, spaces and a few signs.
"""
from pathlib import Path

import numpy as np

from workbook.labs.transformer import Transformer

ALPHABET = " abcdefghijklmnopqrstuvwxyz.,;:!?'\"-"
MOST = 64                                               # the longest text in its training, in letters
FILE = Path(__file__).with_name("letters.npz")
SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-"})


def clean(text: str) -> str:
    """A text in small letters and signs of `ALPHABET`, one space at a time."""
    known = (letter for letter in text.lower().translate(SIGNS) if letter in ALPHABET or letter.isspace())
    return " ".join("".join(known).split())


def encode(text: str) -> np.ndarray:
    """The numbers of a text's letters (t,). ValueError for less than 2 letters, or more than `MOST`."""
    letters = clean(text)
    if not 2 <= len(letters) <= MOST:
        raise ValueError(f"text: got {len(letters)} letters that the model knows, expected 2 to {MOST}")
    return np.array([ALPHABET.index(letter) for letter in letters])


def model() -> Transformer:
    """The trained model, of some 340,000 parameters."""
    with np.load(FILE) as stored:
        return Transformer({name: x for name, x in stored.items() if "." in name})
