"""Bad input of a lab gets a ValueError that says what came and what was expected."""
import pytest
import torch

from workbook.labs import consistency, in_context, induction, letters, sequences
from workbook.labs import in_context_yardstick as yardstick


@pytest.mark.parametrize(("call", "message"), [
    (lambda: in_context.draw_tasks(count=0), "count: got 0, expected a whole number of at least 1"),
    (lambda: in_context.draw_tasks(noise=-1), "noise: got -1, expected a finite number of at least 0"),
    (lambda: in_context.draw_tasks(length=3), "length: got 3, expected a finite number from 0.4 to 1.5"),
    (lambda: in_context.train(n=1), "n: got 1, expected a whole number of at least 2"),
    (lambda: in_context.InContextAttention()(torch.ones(2, 2), torch.ones(3, 2), torch.ones(3)),
     "got 2 features, expected 1"),
    (lambda: yardstick.replay("run"), "run: got str, expected what workbook.labs.in_context.train returns"),
    (lambda: sequences.draw(count=0), "count: got 0, expected a whole number of at least 1"),
    (lambda: sequences.draw(lengths=(5, 13)), "lengths: got 13, expected a whole number from 5 to 12"),
    (lambda: induction.train(steps=0), "steps: got 0, expected a whole number from 1 to 2000"),
    (lambda: induction.shipped().models[0].without([(2, 0)]), "layer: got 2, expected a whole number from 0 to 1"),
    (lambda: letters.model().without([(0, 4)]), "head: got 4, expected a whole number from 0 to 3"),
    *((lambda text=text: letters.encode(text), f"text: got {got} letters that the model knows, expected 2 to 64")
      for text, got in (("x", 1), ("y" * 65, 65), ("€€", 0))),
    (lambda: consistency.Regression(d=0), "d: got"), (lambda: consistency.Regression(noise=-1), "noise: got"),
    (lambda: consistency.measure(consistency.Regression(), 50, 0.0, 0), "h: got"),
    (lambda: consistency.measure(consistency.Regression(), 0, 1.0, 0), "n: got"),
])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
