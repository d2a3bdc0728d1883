"""The language model of notebook 11, as it is shipped."""
import numpy as np
import torch

from workbook.labs import letters


def test_a_text_becomes_the_letters_that_the_model_knows_and_back():
    assert "".join(letters.ALPHABET[i] for i in letters.encode("  Call me —\n“Ishmael”! €")) == 'call me - "ishmael"!'


def test_the_model_is_small_and_knows_words_and_the_losses_that_are_shipped_can_be_believed():
    """On a sentence of our own it needs about as many bits a letter as on the chapters that were held out."""
    model = letters.model()
    assert sum(x.numel() for x in model.parameters()) < 1_000_000 and letters.FILE.stat().st_size < 3_000_000
    for text, expected in (("call me ishmae", "l"), ("the white whal", "e"), ("and there was silenc", "e")):
        with torch.no_grad():
            found = model(letters.encode(text)[None])[0, -1].softmax(dim=-1)
        assert letters.ALPHABET[int(found.argmax())] == expected and float(found.max()) > 0.8
    tokens = letters.encode("the sailors went on board again, and the ship left the harbour.")
    with torch.no_grad():
        found = model(tokens[None])[0].log_softmax(dim=-1)
    bits = -found[torch.arange(20, len(tokens) - 1), tokens[21:]].mean() / np.log(2)
    with np.load(letters.FILE) as stored:
        assert 0.5 * stored["loss model"] < float(bits) < 1.5 * stored["loss model"]
        assert stored["worth"].shape == (3, 4) and (stored["worth"] > 0).all()
