"""The items of `one_head`, their inputs, the traps of its subject, and its oracles, whose options let them err.

They are formulas of the text in NumPy, for t tokens, ... anything before. Only training is in torch, for its optimiser.
nwlab/block.py has the same head with weights of its own.
"""
import math
from functools import partial

import numpy as np

from workbook.checks.inputs import Inputs, count, numbers
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises.common import softmax, truth_values
from workbook.language import say

REACH, RATE = 8, 0.3                        # distances that the bias tells apart, learning rate
BIAS = Inputs({"bias": numbers("r"), "t": count(1, 12)})
HEAD = Inputs({"q": numbers("t", "d"), "k": numbers("t", "d"), "v": numbers("t", "c"), "bias": numbers("t", "t")})


def several(rng, t, d, h):
    """Tokens of width h d, and a table of biases for each head."""
    return {name: rng.normal(size=(t, h * d)) for name in "qkv"} | {"bias": rng.normal(size=(h, t, t))}


def one_hot(tokens, s):
    return np.eye(s)[tokens]


def repeated(rng, b, t, s):
    """b sequences of t tokens, (b, t, s), each of which repeats a random block of 3 to s symbols; and `known`."""
    lengths = rng.integers(3, s + 1, b)
    tokens = np.array([rng.permutation(s)[np.arange(t) % n] for n in lengths])
    return {"x": one_hot(tokens, s), "known": np.arange(t - 1) >= lengths[:, None]}


def tokens_and_heads(rng, t, s):
    """A sequence, and numbers of both heads."""
    return {"x": one_hot(rng.integers(0, s, t), s), "bias": rng.normal(size=5), "match": 3 * rng.normal(size=(s, s))}


def judged(rng, b, t, s):
    """Shares of each symbol at each place, and what the sequences are."""
    shares = rng.uniform(0.1, 1, (b, t, s))
    known = rng.uniform(size=(b, t - 1)) < 0.6
    known[:, -1] = True
    return {"shares": shares / shares.sum(axis=-1, keepdims=True), "known": known,
            "x": one_hot(rng.integers(0, s, (b, t)), s)}


FOUR_TOKENS = ((say("four tokens"), 4), (say("one token"), 1, say("a single token attends to itself")))
DISTANCES = (
    (say("four tokens, three numbers"), [0, 5, -1], 4),
    (say("thirteen tokens, eleven numbers"), [0.3, 2, -1.2, 0.7, -0.4, 1.1, 3, -2, 0.9, 1.6, -0.8], 13),
    (say("more numbers than tokens"), [1, -2, 0.5, 3, -1, 2, 4, 6, -3], 4,
     say("distances that do not occur need no number")))


def heads(rng):
    five = HEAD.draw(rng, t=5, d=3, c=2)
    yield say("two tokens"), [[1], [2]], [[0], [1]], [[4], [8]], np.zeros((2, 2))
    for name, *before in (say("three sequences at once"), 3), (say("two sequences, two heads"), 2, 2):
        yield Problem(name, {x: rng.normal(size=(*before, 6, 4)) for x in "qkv"} | {
            "bias": rng.normal(size=(*before[1:], 6, 6))}, say("there may be axes before t and d: sequences, heads"))
    yield Problem(say("scores below −10¹²"), five | {"bias": five["bias"] - 3e12},
                  say("a later key gets no weight, however low the scores of the earlier ones are"))
    yield Problem(say("later keys with scores of 10¹²"),
                  five | {"bias": five["bias"] + np.triu(np.full((5, 5), 1e12), 1)},
                  say("a later key gets no weight, however high its score is"))
    yield Problem(say("scores around 1000, 0 and −1000"), five | {
        "bias": five["bias"] + [[1e3], [0], [-1e3], [2e3], [-2e3]]},
                  say("e^1000 is infinite and e^−1000 is 0: each query has a largest score of its own"))


def repeats(rng):
    yield say("B A C B, by hand"), one_hot([1, 0, 2, 1], 3), [-30, 30, -30, -30], 60 * np.eye(3)
    yield Problem(say("four sequences at once"),
                  tokens_and_heads(rng, 8, 5) | {"x": one_hot(rng.integers(0, 5, (4, 8)), 5)},
                  say("there may be an axis before t and s: sequences"))
    low = tokens_and_heads(rng, 7, 4)
    yield Problem(say("low numbers in bias"), low | {"bias": low["bias"] - 3e4},
                  say("a later key gets no weight, however low the numbers in bias are"))
    yield Problem(say("two groups of three sequences"), tokens_and_heads(rng, 6, 4) | {
        "x": one_hot(rng.integers(0, 4, (2, 3, 6)), 4)}, say("there may be more axes than one before t and s"))


def shares(rng):
    drawn = judged(rng, 3, 6, 4)
    zero = drawn["shares"].copy()
    zero[:, :-1][~drawn["known"]] = 0
    yield Problem(say("one sequence of three tokens"), judged(rng, 1, 3, 2))
    yield Problem(say("small shares"), drawn | {"shares": 1e-6 * drawn["shares"]}, say("a share may be very small"))
    yield Problem(say("shares of 0 where nothing can be known"), drawn | {"shares": zero},
                  say("log 0 is −∞: what cannot be known has to be left out before the logarithm"))


def runs(rng):
    for steps, *sizes in (2, 4, 12, 6), (12, 5, 16, 7), (40, 9, 18, 5):
        yield Problem(say("{n} steps", n=steps), repeated(rng, *sizes) | {"steps": steps})
    yield Problem(say("no step"), repeated(rng, 3, 9, 4) | {"steps": 0},
                  say("before the first step bias is {n} zeros, and so is all of match", n=REACH))


def mask(t):
    """(t, t), true where j <= i."""
    return np.tri(t, dtype=bool)


def gaps(t):
    """i - j, (t, t)"""
    return np.subtract.outer(np.arange(t), np.arange(t))


def by_distance(bias, t):
    """(t, t)"""
    return bias[gaps(t).clip(0, len(bias) - 1)]


def scores_of(q, k, bias, root=np.sqrt):
    return q @ k.swapaxes(-1, -2) / root(q.shape[-1]) + bias


def attend(q, k, v, bias, mask=mask, hidden=-np.inf, axis=-1, scores_of=scores_of):
    """(..., t, c). May be wrong: mask, the score of what it hides, the axis of the softmax, the scores."""
    return softmax(np.where(mask(q.shape[-2]), scores_of(q, k, bias), hidden), axis) @ v


def split(x, h):
    """(t, w) -> (h, t, w / h)"""
    return x.reshape(len(x), h, -1).swapaxes(0, 1)


def join(answers):
    """(h, t, d) -> (t, h d)"""
    return answers.swapaxes(0, 1).reshape(answers.shape[1], -1)


def many_heads(q, k, v, bias, split=split, join=join, **wrong):
    """(t, w). May be wrong: how numbers are shared among the heads, and put back."""
    h = len(bias)
    return join(attend(split(q, h), split(k, h), split(v, h), bias, **wrong))


def before(x, bias):
    """What a head answers that looks at distance alone, (..., t, s)."""
    return attend(0 * x, x, x, by_distance(bias, x.shape[-2]))


def induction_head(x, bias, match):
    """(..., t, s)"""
    return attend(x @ match, before(x, bias), x, 0)


def loss(shares, x, known, end=lambda right, known: -np.mean(np.log(right[known])), then=slice(1, None)):
    """May be wrong: end, of the shares of what is right (b, t - 1), and the places of tokens."""
    return end((shares[:, :-1] * x[:, then]).sum(axis=-1), known)


def trained(x, known, steps, summed=False, sign=1):
    """(bias, match). May be wrong: gradients that add up, the sign of the loss."""
    import torch

    x, known, gap = (torch.as_tensor(each) for each in (x, known, gaps(x.shape[1])))
    hidden = torch.where(gap < 0, -torch.inf, 0.0)
    bias, match = (torch.zeros(shape, dtype=x.dtype, requires_grad=True) for shape in (REACH, [x.shape[-1]] * 2))
    optimiser = torch.optim.Adam([bias, match], lr=RATE)
    for _ in range(steps):
        if not summed:
            optimiser.zero_grad()
        earlier = torch.softmax(bias[gap.clamp(0, REACH - 1)] + hidden, dim=-1) @ x
        scores = x @ match @ earlier.mT / math.sqrt(x.shape[-1])
        shares = torch.softmax(scores + hidden, dim=-1) @ x
        right = (shares[:, :-1] * x[:, 1:]).sum(dim=-1)[known]
        (-sign * right.log().mean()).backward()
        optimiser.step()
    return bias.detach().numpy(), match.detach().numpy()


def scaled(root):
    return {"scores_of": lambda q, k, bias: scores_of(q, k, bias, root)}


TURNS = {"split": lambda x, h: x.reshape(len(x), -1, h).transpose(2, 0, 1)}
item = partial(Item, library="torch")

EXERCISE = Exercise(__package__, say("One head of your own"), (
    item("causal_mask", by_hand=FOUR_TOKENS, oracle=mask, inputs=(Inputs({"t": count(2, 9)}),), own_judge=truth_values),
    item("distance_bias", by_hand=DISTANCES, oracle=by_distance, inputs=(BIAS,), slope="bias", mistakes=(
        ("distances beyond the last number get 0",
         lambda bias, t: np.where(gaps(t) < len(bias), by_distance(bias, t), 0)),)),
    item("attend", points=2, by_hand=heads, oracle=attend, inputs=(HEAD,), mistakes=(
        ("the mask is missing", {"mask": lambda t: np.ones((t, t), bool)}),
        ("the mask comes after the softmax: the rows do not sum to one",
         lambda q, k, v, bias: (softmax(scores_of(q, k, bias)) * mask(len(bias))) @ v),
        ("a later key has score 0, not weight 0", {"hidden": 0.0}),
        ("the softmax runs over the queries", {"axis": -2}),
        ("the scores are divided by d, not by √d", scaled(lambda d: d)),
        ("the scores are not divided by √d", scaled(lambda d: 1)),
        ("the bias is divided by √d too",
         {"scores_of": lambda q, k, bias: (q @ k.swapaxes(-1, -2) + bias) / np.sqrt(q.shape[-1])}))),
    item("many_heads", points=2, oracle=many_heads, inputs=(Inputs(several),), mistakes=(
        ("the numbers go to the heads in turns", TURNS),
        ("the numbers go to the heads in turns",
         TURNS | {"join": lambda answers: answers.transpose(1, 2, 0).reshape(answers.shape[1], -1)}),
        ("reshaped without swapping axes: tokens are torn apart", {"split": lambda x, h: x.reshape(h, len(x), -1)}),
        ("√ of the whole width, not of a head's",
         lambda bias, **at: many_heads(**at, bias=bias, **scaled(lambda d: np.sqrt(d * len(bias))))))),
    item("induction_head", points=3, by_hand=repeats, oracle=induction_head, inputs=(Inputs(tokens_and_heads),),
         slope="bias", mistakes=(
        ("the keys are the tokens themselves", lambda x, bias, match: attend(x @ match, x, x, 0)),
        ("queries and keys have changed places",
         lambda x, bias, match: attend(before(x, bias) @ match, x, x, 0)),
        ("match is turned round", lambda x, bias, match: induction_head(x, bias, match.T)))),
    item("next_token_loss", points=2, by_hand=shares, oracle=loss, inputs=(Inputs(judged, sizes={"t": (3, np.inf)}),),
         slope="shares", mistakes=(
        ("the token itself, not the next", {"then": slice(-1)}),
        ("all places count, also where nothing can be known", {"end": lambda right, known: -np.mean(np.log(right))}),
        ("the places that do not count make the mean smaller",
         {"end": lambda right, known: -np.log(right[known]).sum() / known.size}),
        ("the mean of the sequences' means",
         {"end": lambda right, known: -np.mean([np.log(row[at]).mean() for row, at in zip(right, known)])}))),
    item("train", points=2, by_hand=runs, oracle=trained, tolerance=1e-4, mistakes=(
        ("gradients add up: they are never emptied", {"summed": True}), ("it climbs", {"sign": -1})))))
