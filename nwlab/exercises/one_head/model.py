"""The oracles of `one_head`: formulas of the text in NumPy, whose options let them err. t tokens, ... anything before.

Only training is in torch, for its optimiser. nwlab/block.py has the same head with weights of its own.
"""
import math

import numpy as np

from nwlab.exercises.common import softmax

REACH, RATE = 8, 0.3                        # distances that the bias tells apart, learning rate


def mask(t):
    """(t, t), true where j <= i."""
    return np.tri(t, dtype=bool)


def gaps(t):
    """i - j, (t, t)"""
    return np.subtract.outer(np.arange(t), np.arange(t))


def by_distance(bias, t, at=lambda gap, reach: gap.clip(0, reach - 1)):
    """(t, t). May be wrong: at, the place in `bias` for a gap i - j."""
    return bias[at(gaps(t), len(bias))]


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
