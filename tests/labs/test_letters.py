"""The language model of notebook 11, as it is shipped."""
import numpy as np

from nwlab.pooling import masked_softmax
from workbook.labs import letters


def test_a_text_becomes_the_letters_that_the_model_knows_and_back():
    assert "".join(letters.ALPHABET[i] for i in letters.encode("  Call me —\n“Ishmael”! €")) == 'call me - "ishmael"!'


def test_the_model_is_small_and_knows_words_and_the_losses_that_are_shipped_can_be_believed():
    """On a sentence of our own it needs about as many bits a letter as on the chapters that were held out."""
    model = letters.model()
    assert sum(x.size for x in model.parameters.values()) < 1_000_000 and letters.FILE.stat().st_size < 3_000_000
    for text, expected in (("call me ishmae", "l"), ("the white whal", "e"), ("and there was silenc", "e")):
        found = masked_softmax(model(letters.encode(text))[-1])
        assert letters.ALPHABET[int(found.argmax())] == expected and found.max() > 0.8
    tokens = letters.encode("the sailors went on board again, and the ship left the harbour.")
    found = masked_softmax(model(tokens))
    bits = -np.log2(found[np.arange(20, len(tokens) - 1), tokens[21:]]).mean()
    with np.load(letters.FILE) as stored:
        assert 0.5 * stored["loss model"] < bits < 1.5 * stored["loss model"]
