"""Measurements of attention heads: which kernel of position they are, and what the model loses without them.

    weights = instruments.attention(model, tokens)                   # (layers, h, b, t, t)
    instruments.prefix_matching(weights, tokens)                     # (layers, h)
    with instruments.without(model, [(1, 0)]): ...                   # the model without head 0 of layer 1

model: any that takes tokens (b, t) and has `blocks`, a list of `nwlab.block.Block`, with a causal mask.
Shapes: h heads, b sequences, t tokens, w numbers a token.
"""
from contextlib import ExitStack, contextmanager

import numpy as np
import torch

from nwlab._engine.inputs import check_choice, check_count


@torch.no_grad()
def attention(model, tokens) -> torch.Tensor:
    """The attention weights of every head, for tokens (b, t): (layers, h, b, t, t)."""
    model(tokens)
    return torch.stack([block.heads.attention_weights for block in model.blocks]).transpose(1, 2)


@contextmanager
def without(model, heads):
    """The model with some heads switched off, pairs (layer, head) from 0, until the end of the `with` block."""
    with ExitStack() as stack:
        for layer, head in heads:
            stack.enter_context(changed(model, layer, head, "kept", 0.0))
        yield model


@contextmanager
def changed(model, layer: int, head: int, name: str, value: float):
    """The model with another value of one head: "kept" (1 or 0), or "temperature", which divides its scores."""
    heads = model.blocks[check_count("layer", layer, 0, len(model.blocks) - 1)].heads
    numbers = getattr(heads, name)                                                   # (h,)
    before = float(numbers[check_count("head", head, 0, len(numbers) - 1)])
    numbers[head] = value
    try:
        yield model
    finally:
        numbers[head] = before


@torch.no_grad()
def read_without(model, tokens, heads, what: str) -> torch.Tensor:
    """The answers of a model whose second and last layer makes its "queries", "keys" or "values" without some heads.

    heads: pairs (0, head) of the first layer. Everything else is unchanged: only these projections of the second layer
    read tokens to which the heads added nothing (path patching, for what Elhage and others 2021 call composition).
    """
    check_choice("what", what, ("queries", "keys", "values"))
    first, second = model.blocks
    mask = torch.ones(tokens.shape[-1], tokens.shape[-1], dtype=torch.bool).tril()
    whole = first(model.embed(tokens), mask)
    with without(model, heads):
        lacking = first(model.embed(tokens), mask)
    queries, keys, values = (second.norms[0](lacking if name == what else whole)
                             for name in ("queries", "keys", "values"))
    x = whole + second.heads(queries, mask, keys, values)
    return model.read(model.norm(x + second.mlp(second.norms[1](x))))


def previous_token(weights) -> np.ndarray:
    """The weight that a head gives to the previous token, mean over all queries but the first: (..., h).

    weights (..., h, b, t, t).
    """
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=(-2, -1)).numpy()


def prefix_matching(weights, tokens) -> np.ndarray:
    """The weight that a head gives to tokens after earlier copies of the query's symbol, mean over queries: (..., h).

    weights (..., h, b, t, t), tokens (b, t). Only queries whose symbol has come before count. For an induction head
    this is near 1 (Olsson and others 2022).
    """
    after = torch.zeros(*tokens.shape, tokens.shape[1], dtype=torch.bool)            # (b, t, t)
    after[:, :, 1:] = tokens[:, :, None] == tokens[:, None, :-1]                     # key j follows the query's symbol
    after = after.tril()
    asked = after.any(dim=-1)                                                        # (b, t)
    return ((weights * after).sum(dim=-1) * asked).sum(dim=(-2, -1)).numpy() / int(asked.sum())


def by_distance(weights: np.ndarray) -> tuple[np.ndarray, float]:
    """The mean weight at each distance (t,) of causal weights (t, t), and the share of the weights that it explains.

    The share is 1 - |weights - kernel|² / |weights - even|². The kernel gives each pair the mean weight at its
    distance; even weights are equal for all keys that the mask allows.
    """
    t = len(weights)
    mean = np.array([np.diagonal(weights, -back).mean() for back in range(t)])
    kernel = np.tril(mean[np.abs(np.arange(t)[:, None] - np.arange(t))])                     # (t, t)
    kernel /= kernel.sum(axis=1, keepdims=True)
    even = np.tril(np.ones((t, t))) / np.arange(1, t + 1)[:, None]
    return mean, float(1 - np.sum((weights - kernel) ** 2) / max(np.sum((weights - even) ** 2), 1e-12))
