"""The block of today's models: heads of attention that look at content and at distance, then a hidden layer.

Shapes: t tokens of w numbers each, h heads side by side. With reach=0 `Heads` is `torch.nn.MultiheadAttention`, and
`Block` is `torch.nn.TransformerEncoderLayer(norm_first=True)` (Vaswani and others 2017). The bias of distance is that
of Raffel and others (2020), with a number of its own for each distance.
"""
import math

import torch
from torch import nn

from nwlab.pooling import masked_softmax


class Heads(nn.Module):
    """h heads, each softmax(q . k / sqrt(w / h) + bias[i - j]) @ v. W_o mixes what they answer.

    reach: how many distances i - j the bias tells apart: "0 or less", 1, ..., "reach - 1 or more"; 0 for no bias.
    attention_weights (..., h, t, t) are those of the last call.
    """

    def __init__(self, width=32, heads=2, reach=0):
        super().__init__()
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(width, width) for _ in range(4))
        self.bias = nn.Parameter(torch.zeros(heads, reach))

    def split(self, x):
        """(..., t, w) -> (..., h, t, w / h)"""
        return x.unflatten(-1, (len(self.bias), -1)).transpose(-2, -3)

    def forward(self, x, mask=None):
        """(..., t, w) -> (..., t, w). mask: True where query i may attend to key j, (t, t) or (..., h, t, t)."""
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])                   # (..., h, t, t)
        if self.bias.shape[1]:
            place = torch.arange(x.shape[-2], device=x.device)
            distance = (place[:, None] - place).clamp(0, self.bias.shape[1] - 1)    # (t, t), i - j
            scores = scores + self.bias[:, distance]
        self.attention_weights = masked_softmax(scores, mask)
        answers = self.attention_weights @ v                                        # (..., h, t, w / h)
        return self.w_o(answers.transpose(-2, -3).flatten(-2))                      # heads side by side


class Block(nn.Module):
    """x + heads(norm(x)), then x + hidden layer(norm(x)): (..., t, w) -> (..., t, w)."""

    def __init__(self, width=32, heads=2, reach=0):
        super().__init__()
        self.heads = Heads(width, heads, reach)
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))

    def forward(self, x, mask=None):
        x = x + self.heads(self.norms[0](x), mask)
        return x + self.mlp(self.norms[1](x))
