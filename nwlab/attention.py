"""Learned poolings: the width first, then the similarity itself. Every one answers `module(queries, keys, values)`.

    scores   a(q, k), with parameters that can be learned        (m, n)
    weights  alpha = softmax of the scores over the keys         (m, n), kept as `module.attention_weights`
    answer   f(q)  = sum over i of alpha(q, k_i) v_i             (m,)

This is `nwlab.pooling` with another first line; the softmax is the same `masked_softmax`. Shapes: m queries, n keys,
d features, c columns of values, h hidden units. Leaving a point out is a mask, so the keys stay where they are.
"""
import math

import torch
from torch import nn

from nwlab._engine.arrays import NotFiniteError, holds, namespace_of
from nwlab._engine.extremes import length, quiet
from nwlab._engine.inputs import CheckedInputs, check_count, check_inputs, check_number
from nwlab._engine.weights import feature_gaps, pool, relative_scores
from nwlab.pooling import masked_softmax


class OutOfReachError(NotFiniteError):
    """Queries whose scores are minus infinity at every key that they may attend to: out_of_reach (m,), True there."""

    remedy = "a kernel that never is zero, or a start that keeps the width above the gap around a point that is alone"

    def __init__(self, out_of_reach):
        super().__init__(f"scores: got minus infinity at every key that query {int(out_of_reach.int().argmax())} may "
                         f"attend to ({int(out_of_reach.sum())} of {len(out_of_reach)} queries are so), expected a key "
                         "within reach of each")


class LearnedPooling(nn.Module):
    """What all learned poolings share. A new one says how it scores: `scores(queries, keys, mask)`.

    queries (m,) or (m, d), keys (n,) or (n, d), values (n,) or (n, c): floating torch tensors on one device; mask
    broadcasts to (m, n), True = may attend. The estimate is (m,), or (m, c) for values (n, c). Parameters are used in
    the dtype of the inputs. `attention_weights` (m, n) are those of the last call, without gradients; None before.
    ValueError for shapes that do not fit, NaN or infinity, other dtypes, a mask that hides every key of a query, and
    scores that are NaN, plus infinity, or minus infinity at every key of a query.
    """

    attention_weights: torch.Tensor | None = None

    def scores(self, queries, keys, mask=None):
        """a(q, k) for queries (m, d) and keys (n, d): (m, n). Only differences within a row matter.

        `mask` (m, n) or None is for those who measure from the nearest allowed key; the softmax masks all the same.
        """
        raise NotImplementedError(f"a pooling must define {type(self).__name__}.scores(queries, keys, mask=None)")

    def forward(self, queries, keys, values, mask=None):
        inputs = self._checked(queries, keys, values, mask)
        scores = self.scores(inputs.queries, inputs.keys, inputs.mask)               # (m, n)
        m, n, _ = inputs.shape
        if tuple(scores.shape) != (m, n):
            raise ValueError(f"scores: got shape {tuple(scores.shape)}, expected ({m}, {n}), queries by keys")
        seen = scores.detach() if inputs.mask is None else scores.detach().masked_fill(~inputs.mask, -math.inf)
        if m and not holds(torch.isfinite(highest := seen.amax(dim=1)).all(), otherwise=True):
            if (out_of_reach := highest == -math.inf).any():
                raise OutOfReachError(out_of_reach)
            raise NotFiniteError("scores: got NaN or infinity, expected finite numbers; the parameters may have grown "
                                 "too large")
        weights = masked_softmax(scores, inputs.mask)                                # (m, n)
        self.attention_weights = weights.detach()
        return inputs.answer(pool(weights, inputs.values, inputs.xp))                # (m, n) @ (n, c) -> (m, c)

    def reset_parameters(self, seed=None):
        """Draw all parameters anew: the same seed gives the same ones; None takes torch's own generator."""
        generator = torch.default_generator if seed is None else torch.Generator()
        if seed is not None:
            generator.manual_seed(check_count("seed", seed, 0, 2**63 - 1))
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                # As torch.rand gives them in float32 on the CPU, whatever they are kept in afterwards.
                drawn = torch.rand(parameter.shape, generator=generator, dtype=torch.float32, device="cpu")
                parameter.copy_(self._draw(name, drawn))

    def _draw(self, name: str, uniform):
        """The start of a parameter from numbers uniform on 0..1. Here: +-1 / sqrt(inputs), like torch.nn.Linear."""
        return (2 * uniform - 1) / math.sqrt(uniform.shape[-1] if uniform.ndim else 1)

    def _checked(self, queries, keys, values, mask) -> CheckedInputs:
        for name, x in {"keys": keys, "values": values, "queries": queries}.items():     # in training keys are queries
            if not isinstance(x, torch.Tensor) or not x.dtype.is_floating_point:
                kind = f"dtype {x.dtype}" if isinstance(x, torch.Tensor) else type(x).__name__
                raise ValueError(f"{name}: got {kind}, expected a floating torch tensor; torch.as_tensor makes one")
        inputs = check_inputs(queries, keys, values, mask=mask)
        if inputs.mask is not None and holds((hidden := ~inputs.mask.any(dim=1)).any(), otherwise=False):     # (m,)
            raise ValueError(f"mask: got {int(hidden.sum())} of {len(hidden)} queries without a key to attend to (the "
                             f"first is query {int(hidden.int().argmax())}), expected at least one True in each row")
        return inputs


class LearnedWidth(LearnedPooling):
    """Nadaraya-Watson with one learned width for all: softmax(-1/2 (|q - k| w)^2). Even in w; w = 1/sigma if w > 0.

    w: a number to start from; by default uniform on 0..1, as `torch.rand` draws it after `manual_seed(seed)`.
    """

    def __init__(self, w=None, seed=None, _shape=()):
        super().__init__()
        self.w = nn.Parameter(torch.empty(_shape))
        self.reset_parameters(seed)
        if w is not None:
            _start_at(self.w, w)

    def scores(self, queries, keys, mask=None):
        return _gaussian_scores(queries, keys, _usable(self.w, queries, keys), mask)

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
            _start_at(self.log_w, math.log(check_number("w", w, above=0)))

    @property
    def w(self):
        """exp(log_w), held below the largest number so that no gradient becomes 0 * infinity."""
        return torch.exp(self.log_w.clamp(max=math.log(torch.finfo(self.log_w.dtype).max) - 1))

    def scores(self, queries, keys, mask=None):
        return _gaussian_scores(queries, keys, _usable(self.w, queries, keys), mask)

    def _draw(self, name, uniform):
        return torch.log(uniform.clamp(min=1e-8))                                    # w ~ U(0, 1), and never 0


class FeatureWidths(LearnedWidth):
    """A learned width for each feature: softmax(-1/2 sum over f of ((q_f - k_f) w_f)^2). A useless one goes to 0.

    features: d. w: a number or (d,) to start from; by default uniform on 0..1. Equal ones are `LearnedWidth`.
    """

    def __init__(self, features, w=None, seed=None):
        super().__init__(w, seed, (check_count("features", features, 1),))

    def scores(self, queries, keys, mask=None):
        _check_features(self.w, keys)
        w, middle = _usable(self.w, queries, keys), keys.detach().mean(dim=0)        # (d,); centred, digits are kept
        return _gaussian_scores((queries - middle) * w, (keys - middle) * w, 1.0, mask)


class KeyWidths(LearnedWidth):
    """A learned width for each stored key: softmax over i of -1/2 (|q - k_i| w_i)^2. It ties the model to these n keys.

    keys: n. w: a number or (n,) to start from; by default uniform on 0..1. Equal ones are `LearnedWidth`.
    """

    def __init__(self, keys, w=None, seed=None):
        super().__init__(w, seed, (check_count("keys", keys, 1),))

    def scores(self, queries, keys, mask=None):
        if len(keys) != len(self.w):
            raise ValueError(f"keys: got {len(keys)}, expected {len(self.w)}, one for each learned width; to leave out "
                             "points, pass a mask")
        return super().scores(queries, keys, mask)


class AdditiveAttention(LearnedPooling):
    """v . tanh(W_q q + W_k k), no biases (Bahdanau et al. 2014). No function of q - k: shifting all points changes it.

    features: d. hidden: h, the rows of w_q (h, d) and w_k (h, d) and the length of v (h,).
    """

    def __init__(self, features=1, hidden=8, seed=None):
        super().__init__()
        h, d = check_count("hidden", hidden, 1), check_count("features", features, 1)
        self.w_q, self.w_k = nn.Parameter(torch.empty(h, d)), nn.Parameter(torch.empty(h, d))
        self.v = nn.Parameter(torch.empty(h))
        self.reset_parameters(seed)

    def scores(self, queries, keys, mask=None):
        _check_features(self.w_q, keys)
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
        if isinstance(scale, str) and scale == "learned":
            scale = nn.Parameter(torch.empty(()))
        elif scale is not None and (getattr(scale, "ndim", 0) or not hasattr(scale, "__float__")
                                    or not math.isfinite(float(scale))):
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
        _check_features(self.w_q, keys)
        w_q, w_k = self.w_q.to(keys.dtype), self.w_k.to(keys.dtype)
        return (queries @ w_q.T / math.sqrt(len(w_q))) @ (keys @ w_k.T).T            # (m, h) @ (h, n) -> (m, n)


@quiet
def augmented(queries, keys, *, bandwidth=1.0):
    """Queries (m, d+1) and keys (n, d+1) whose plain dot products are a Gaussian's scores, up to a number per query.

        [q, 1] . [k / s^2, -|k|^2 / (2 s^2)]  =  -|q - k|^2 / (2 s^2)  +  |q|^2 / (2 s^2)

    so that softmax attention over them with scale=1 is Nadaraya-Watson, for any keys. Both are first centred at the
    mean of the keys, which changes no distance and keeps |k|^2 small: the scores grow like 1/s^2, and what is small
    beside them is lost to rounding. bandwidth: a number or (d,) per feature. NumPy or torch; ValueError as in
    `attention_scores`, and for widths per query or per key.
    """
    inputs = check_inputs(queries, keys, bandwidth=bandwidth)
    xp, q, k = inputs.xp, inputs.queries, inputs.keys
    if inputs.kind not in ("number", "feature"):
        raise ValueError(f"bandwidth: got one per {inputs.kind}, expected a number or one per feature")
    middle = xp.mean(k, axis=0)                                                      # (d,)
    q, k = q - middle, (k - middle) / inputs.width                                   # the keys in widths
    half_squares = xp.sum(k * k, axis=1, keepdims=True) / 2                          # (n, 1)
    return (inputs.cast(xp.concat([q, xp.ones_like(q[:, :1])], axis=1)),             # (m, d + 1)
            inputs.cast(xp.concat([k / inputs.width, -half_squares], axis=1)))       # (n, d + 1)


def _gaussian_scores(queries, keys, w, mask):
    """-1/2 (|q - k| w)^2 from the nearest allowed key on, (m, n): exact where a Gaussian underflows. w: () or (n,)."""
    xp = namespace_of(keys)
    u = length(feature_gaps(queries, keys), xp) * w                                  # (m, n)
    return relative_scores(u, 1.0, 2, mask, xp)


def _usable(w, queries, keys):
    """|w| in the dtype of the keys, at most so large that no distance times w overflows: more changes no weight."""
    largest = max((float(x.detach().abs().max()) for x in (queries, keys) if x.numel()), default=0.0)
    return w.to(keys.dtype).abs().clamp(max=torch.finfo(keys.dtype).max / (16 * keys.shape[1] * max(1.0, largest)))


def _start_at(parameter, w) -> None:
    """Set a parameter to a number or to numbers of its shape; ValueError for anything else."""
    try:
        value = torch.as_tensor(w, dtype=parameter.dtype, device=parameter.device).expand(parameter.shape)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(f"w: got {w!r}, expected a number"
                         f"{f' or shape {tuple(parameter.shape)}' if parameter.ndim else ''}") from None
    if not bool(torch.isfinite(value).all()):
        raise ValueError("w: got NaN or infinity, expected finite numbers")
    with torch.no_grad():
        parameter.copy_(value)


def _check_features(parameter, keys) -> None:
    if keys.shape[1] != parameter.shape[-1]:
        raise ValueError(f"queries, keys: got {keys.shape[1]} features, expected {parameter.shape[-1]}, as the pooling "
                         "was made for")
