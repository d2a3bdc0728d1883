"""The mistakes that `one_head` knows by name, a tuple for each item. Most are the model with one thing changed."""
import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import softmax
from nwlab.exercises.one_head.model import (
    attend, before, by_distance, gaps, induction_head, loss, many_heads, mask, scores_of, trained,
)


MASK = named(
    ("the mask is the wrong way round", lambda t: ~mask(t)), ("the mask is the wrong way round", lambda t: mask(t).T),
    ("no token may attend to itself", lambda t: ~mask(t).T),
    ("scores, not truth values", lambda t: np.where(mask(t), 0.0, -np.inf)))

BIAS = named(
    ("the distance is j − i", {"at": lambda gap, reach: (-gap).clip(0, reach - 1)}),
    ("distances beyond the last number fall off its end", {"at": lambda gap, reach: gap.clip(0)}),
    ("distances beyond the last number fall off its end", {"at": lambda gap, reach: abs(gap)}),
    ("distances beyond the last number get 0",
     lambda bias, t: np.where(gaps(t) < len(bias), by_distance(bias, t), 0)), right=by_distance)


def scaled(root):
    return {"scores_of": lambda q, k, bias: scores_of(q, k, bias, root)}


ATTEND = named(
    ("the mask is missing", {"mask": lambda t: np.ones((t, t), bool)}),
    ("the mask is the wrong way round", {"mask": lambda t: ~mask(t)}),
    ("the mask comes after the softmax: the rows do not sum to one",
     lambda q, k, v, bias: (softmax(scores_of(q, k, bias)) * mask(len(bias))) @ v),
    ("a later key has score 0, not weight 0", {"hidden": 0.0}),
    ("the softmax runs over the queries", {"axis": -2}),
    ("the scores are divided by d, not by √d", scaled(lambda d: d)),
    ("the scores are not divided by √d", scaled(lambda d: 1)), right=attend)

HEADS = named(
    ("the numbers go to the heads in turns", {"split": lambda x, h: x.reshape(len(x), -1, h).transpose(2, 0, 1)}),
    ("reshaped without swapping axes: tokens are torn apart", {"split": lambda x, h: x.reshape(h, len(x), -1)}),
    ("√ of the whole width, not of a head's",
     lambda bias, **at: many_heads(**at, bias=bias, **scaled(lambda d: np.sqrt(d * len(bias))))),
    ("put side by side without swapping back", {"join": lambda answers: answers.reshape(answers.shape[1], -1)}),
    right=many_heads)


INDUCTION = named(
    ("the keys are the tokens themselves", lambda x, bias, match: attend(x @ match, x, x, 0)),
    ("queries and keys have changed places", lambda x, bias, match: attend(before(x, bias) @ match, x, x, 0)),
    ("match is turned round", lambda x, bias, match: induction_head(x, bias, match.T)))

LOSS = named(
    ("the token itself, not the next", {"then": slice(-1)}),
    ("all places count, also where nothing can be known", {"end": lambda right, known: -np.mean(np.log(right))}),
    ("the places that do not count make the mean smaller",
     {"end": lambda right, known: -np.log(right[known]).sum() / known.size}), right=loss)

TRAIN = named(
    ("gradients add up: they are never emptied", {"summed": True}), ("it climbs", {"sign": -1}), right=trained)
