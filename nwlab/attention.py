"""Learned poolings: the width first, then the similarity itself. Every one answers `module(queries, keys, values)`.

    scores   a(q, k), with parameters that can be learned        (m, n)
    weights  alpha = softmax of the scores over the keys         (m, n), kept as `module.attention_weights`
    answer   f(q)  = sum over i of alpha(q, k_i) v_i             (m,)

This is `nwlab.pooling` with another first line; the softmax is the same `masked_softmax`. Shapes: m queries, n keys,
d features, c columns of values, h hidden units. Leaving a point out is a mask, so the keys stay where they are.
"""
from __future__ import annotations

import math

import torch
from torch import nn

from nwlab._engine.arrays import namespace_of
from nwlab._engine.inputs import Inputs, check_count, check_inputs
from nwlab._learned import LearnedPooling, check_features, start_at
from nwlab._engine.weights import distances, relative_scores
from nwlab.kernels import get_kernel

__all__ = [
    "AdditiveAttention", "DotProductAttention", "FeatureWidths", "KeyWidths", "LearnedLogWidth", "LearnedPooling",
    "LearnedWidth", "ProjectedAttention", "augmented",
]


class LearnedWidth(LearnedPooling):
    """Nadaraya-Watson with one learned width for all: softmax(-1/2 (|q - k| w)^2). Even in w; w = 1/sigma if w > 0.

    w: a number to start from; by default uniform on 0..1, as `torch.rand` draws it after `manual_seed(seed)`.
    """

    def __init__(self, w=None, seed=None, _shape=()):
        super().__init__()
        self.w = nn.Parameter(torch.empty(_shape))
        self.reset_parameters(seed)
        if w is not None:
            start_at("w", self.w, w)

    def scores(self, queries, keys, mask=None):
        distance = _distances(queries, keys)                                         # (m, n)
        return _gaussian_scores(distance * _usable(self.w, queries, keys), mask)     # w: () or (n,)

    def _draw(self, name, uniform):
        return uniform


class LearnedLogWidth(LearnedPooling):
    """`LearnedWidth` whose parameter is log w: w = exp(log_w) changes by factors, and is never zero or negative.

    w: a number above zero to start from; by default uniform on 0..1, the same for the same seed as in `LearnedWidth`.
    """

    def __init__(self, w=None, seed=None):
        super().__init__()
        self.log_w = nn.Parameter(torch.empty(()))
        self.reset_parameters(seed)
        if w is not None:
            if not float(w) > 0:
                raise ValueError(f"w: got {float(w):g}, expected a number above zero, as its logarithm is learned")
            start_at("w", self.log_w, math.log(w))

    @property
    def w(self):
        """exp(log_w), held below the largest number so that no gradient becomes 0 * infinity."""
        return torch.exp(self.log_w.clamp(max=math.log(torch.finfo(self.log_w.dtype).max) - 1))

    def scores(self, queries, keys, mask=None):
        return _gaussian_scores(_distances(queries, keys) * _usable(self.w, queries, keys), mask)

    def _draw(self, name, uniform):
        return torch.log(uniform.clamp(min=1e-8))                                    # w ~ U(0, 1), and never 0


class FeatureWidths(LearnedWidth):
    """A learned width for each feature: softmax(-1/2 sum over f of ((q_f - k_f) w_f)^2). A useless feature's w goes to 0.

    features: d. w: a number or (d,) to start from; by default uniform on 0..1. Equal ones are `LearnedWidth`.
    """

    def __init__(self, features, w=None, seed=None):
        super().__init__(w, seed, (check_count("features", features, 1),))

    def scores(self, queries, keys, mask=None):
        check_features(self.w, keys)
        w, middle = _usable(self.w, queries, keys), keys.detach().mean(dim=0)        # (d,); centred, digits are kept
        return _gaussian_scores(_distances((queries - middle) * w, (keys - middle) * w), mask)


class KeyWidths(LearnedWidth):
    """A learned width for each stored key: softmax over i of -1/2 (|q - k_i| w_i)^2. It ties the model to these n keys.

    keys: n. w: a number or (n,) to start from; by default uniform on 0..1. Equal ones are `LearnedWidth`.
    """

    def __init__(self, keys, w=None, seed=None):
        super().__init__(w, seed, (check_count("keys", keys, 1),))

    def scores(self, queries, keys, mask=None):
        if len(keys) != len(self.w):
            raise ValueError(f"keys: got {len(keys)}, expected {len(self.w)}, one for each learned width; leave points "
                             "out with a mask")
        return super().scores(queries, keys, mask)


class AdditiveAttention(LearnedPooling):
    """v . tanh(W_q q + W_k k), no biases (Bahdanau et al. 2014). Not a function of q - k: a shift of all points changes it.

    features: d. hidden: h, the rows of w_q (h, d) and w_k (h, d) and the length of v (h,).
    """

    def __init__(self, features=1, hidden=8, seed=None):
        super().__init__()
        h, d = check_count("hidden", hidden, 1), check_count("features", features, 1)
        self.w_q, self.w_k = nn.Parameter(torch.empty(h, d)), nn.Parameter(torch.empty(h, d))
        self.v = nn.Parameter(torch.empty(h))
        self.reset_parameters(seed)

    def scores(self, queries, keys, mask=None):
        check_features(self.w_q, keys)
        w_q, w_k, v = (x.to(keys.dtype) for x in (self.w_q, self.w_k, self.v))
        hidden = torch.tanh((queries @ w_q.T)[:, None, :] + (keys @ w_k.T)[None, :, :])          # (m, n, h)
        return hidden @ v


class DotProductAttention(LearnedPooling):
    """scale * q . k (Luong et al. 2015). On the unit sphere scale = 1/sigma^2 is Nadaraya-Watson.

    scale: a number, None for 1/sqrt(d) (Vaswani et al. 2017), or "learned": a parameter `scale` that starts at 1.
    Below zero the least similar key gets the most attention.
    """

    def __init__(self, scale=None):
        super().__init__()
        if scale == "learned":
            scale = nn.Parameter(torch.empty(()))
        elif scale is not None and (isinstance(scale, str) or not math.isfinite(scale)):
            raise ValueError(f"scale: got {scale!r}, expected a finite number, None for 1/sqrt(d), or 'learned'")
        self.scale = scale
        self.reset_parameters()

    def scores(self, queries, keys, mask=None):
        scale = keys.shape[1] ** -0.5 if self.scale is None else self.scale
        if isinstance(scale, torch.Tensor):
            scale = scale.to(keys.dtype)
        return (queries * scale) @ keys.T                                            # (m, d) @ (d, n) -> (m, n)

    def _draw(self, name, uniform):
        return torch.ones_like(uniform)


class ProjectedAttention(LearnedPooling):
    """(W_q q) . (W_k k) / sqrt(h): scaled dot products of learned projections, the attention of today's models.

    features: d. hidden: h, the rows of w_q (h, d) and w_k (h, d).
    """

    def __init__(self, features=1, hidden=8, seed=None):
        super().__init__()
        h, d = check_count("hidden", hidden, 1), check_count("features", features, 1)
        self.w_q, self.w_k = nn.Parameter(torch.empty(h, d)), nn.Parameter(torch.empty(h, d))
        self.reset_parameters(seed)

    def scores(self, queries, keys, mask=None):
        check_features(self.w_q, keys)
        w_q, w_k = self.w_q.to(keys.dtype), self.w_k.to(keys.dtype)
        return (queries @ w_q.T / math.sqrt(len(w_q))) @ (keys @ w_k.T).T            # (m, h) @ (h, n) -> (m, n)


def augmented(queries, keys, bandwidth=1.0):
    """Queries (m, d+1) and keys (n, d+1) whose plain dot products are a Gaussian's scores, up to a number per query.

        [q, 1] . [k / s^2, -|k|^2 / (2 s^2)]  =  -|q - k|^2 / (2 s^2)  +  |q|^2 / (2 s^2)

    so that softmax attention over them with scale=1 is Nadaraya-Watson, for any keys. Both are first centred at the mean
    of the keys, which changes no distance and keeps |k|^2 small: the scores grow like 1/s^2, and what is small beside
    them is lost to rounding. bandwidth: a number or (d,) per feature. NumPy or torch; ValueError as in
    `attention_scores`, and for widths per query or per key.
    """
    inputs = check_inputs(queries, keys, bandwidth=bandwidth)
    xp, q, k = inputs.xp, inputs.queries, inputs.keys
    if inputs.kind not in ("number", "feature"):
        raise ValueError(f"bandwidth: got one per {inputs.kind}, expected a number or one per feature")
    middle = xp.mean(k, axis=0)                                                      # (d,)
    q, k = q - middle, (k - middle) / inputs.width                                   # the keys in widths
    half_squares = xp.sum(k * k, axis=1, keepdims=True) / 2                          # (n, 1)
    return (xp.concat([q, xp.ones_like(q[:, :1])], axis=1),                          # (m, d + 1)
            xp.concat([k / inputs.width, -half_squares], axis=1))                    # (n, d + 1)


def _distances(queries, keys):
    return distances(Inputs(namespace_of(keys), queries, keys))[0]                   # width 1


def _gaussian_scores(u, mask):
    """-u^2 / 2 relative to the nearest allowed key, for u (m, n): exact where the Gaussian itself underflows."""
    return relative_scores(u, 1.0, get_kernel("gaussian"), mask, namespace_of(u))


def _usable(w, queries, keys):
    """|w| in the dtype of the keys, held so small that no distance times w overflows: there weights are settled anyway."""
    largest = max((float(x.detach().abs().max()) for x in (queries, keys) if x.numel()), default=0.0)
    return w.to(keys.dtype).abs().clamp(max=torch.finfo(keys.dtype).max / (16 * keys.shape[1] * max(1.0, largest)))
