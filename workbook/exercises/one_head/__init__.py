"""One head of attention: its mask, its bias, several of them, two in a row that continue a sequence, and training."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.common import softmax, truth_values
from workbook.exercises.one_head import figures
from workbook.exercises.one_head import problems as p


def scaled(root):
    return {"scores_of": lambda q, k, bias: p.scores_of(q, k, bias, root)}


TURNS = {"split": lambda x, h: x.reshape(len(x), -1, h).transpose(2, 0, 1)}
item = partial(Item, library="torch")

EXERCISE = Exercise(__name__, "One head of your own", (
    item("causal_mask", by_hand=p.FOUR_TOKENS, oracle=p.mask, inputs=(p.TOKENS,), own_judge=truth_values),
    item("distance_bias", by_hand=p.DISTANCES, oracle=p.by_distance, inputs=(p.BIAS,), slope="bias", mistakes=(
        ("distances beyond the last number get 0",
         lambda bias, t: np.where(p.gaps(t) < len(bias), p.by_distance(bias, t), 0)),)),
    item("attend", points=2, by_hand=p.heads, oracle=p.attend, inputs=(p.HEAD,), mistakes=(
        ("the mask is missing", {"mask": lambda t: np.ones((t, t), bool)}),
        ("the mask comes after the softmax: the rows do not sum to one",
         lambda q, k, v, bias: (softmax(p.scores_of(q, k, bias)) * p.mask(len(bias))) @ v),
        ("a later key has score 0, not weight 0", {"hidden": 0.0}),
        ("the softmax runs over the queries", {"axis": -2}),
        ("the scores are divided by d, not by √d", scaled(lambda d: d)),
        ("the scores are not divided by √d", scaled(lambda d: 1)),
        ("the bias is divided by √d too",
         {"scores_of": lambda q, k, bias: (q @ k.swapaxes(-1, -2) + bias) / np.sqrt(q.shape[-1])}))),
    item("many_heads", points=2, oracle=p.many_heads, inputs=(p.HEADS,), mistakes=(
        ("the numbers go to the heads in turns", TURNS),
        ("the numbers go to the heads in turns",
         TURNS | {"join": lambda answers: answers.transpose(1, 2, 0).reshape(answers.shape[1], -1)}),
        ("reshaped without swapping axes: tokens are torn apart", {"split": lambda x, h: x.reshape(h, len(x), -1)}),
        ("√ of the whole width, not of a head's",
         lambda bias, **at: p.many_heads(**at, bias=bias, **scaled(lambda d: np.sqrt(d * len(bias))))))),
    item("induction_head", points=3, by_hand=p.repeats, oracle=p.induction_head, inputs=(p.REPEATS,), slope="bias",
         mistakes=(
             ("the keys are the tokens themselves", lambda x, bias, match: p.attend(x @ match, x, x, 0)),
             ("queries and keys have changed places",
              lambda x, bias, match: p.attend(p.before(x, bias) @ match, x, x, 0)),
             ("match is turned round", lambda x, bias, match: p.induction_head(x, bias, match.T)))),
    item("next_token_loss", points=2, by_hand=p.shares, oracle=p.loss, inputs=(p.SHARES,), slope="shares", mistakes=(
        ("the token itself, not the next", {"then": slice(-1)}),
        ("all places count, also where nothing can be known", {"end": lambda right, known: -np.mean(np.log(right))}),
        ("the places that do not count make the mean smaller",
         {"end": lambda right, known: -np.log(right[known]).sum() / known.size}),
        ("the mean of the sequences' means",
         {"end": lambda right, known: -np.mean([np.log(row[at]).mean() for row, at in zip(right, known)])}))),
    item("train", points=2, by_hand=p.runs, oracle=p.trained, tolerance=1e-4, mistakes=(
        ("gradients add up: they are never emptied", {"summed": True}), ("it climbs", {"sign": -1})))))
publish(globals(), EXERCISE, figures)
