"""Measurements of attention heads: which kernel of position they are, what they match, and what they copy.

    weights = model.attention(tokens)                                # (layers, h, b, t, t) of a `Transformer`
    instruments.prefix_matching(weights, tokens)                     # (layers, h)
    instruments.circuits(model, head=1)                              # from the weights alone

Shapes: h heads, b sequences, t tokens, w numbers a token, s symbols.
"""
import numpy as np

from nwlab._engine.inputs import check_choice


def circuits(model, head: int) -> dict[str, np.ndarray]:
    """What a head of the second layer looks for and copies, from weights alone: no sequence, no MLP of layer 1.

    (s, s) each. "written": how well the query of a symbol (row) matches the key of a token into which the first layer
    wrote a symbol (column), and nothing else; "own": how well it matches the key of a symbol's own embedding. "copied":
    how a symbol that the head attends to (row) raises the score of each next symbol (column). Elhage and others (2021)
    call the first two QK circuits and the last an OV circuit.
    """
    part, symbols = model.part(1, head), model.embed(np.arange(len(model.parameters["embed.weight"])))       # (s, w)

    def moved(layer, x, part=slice(None)):
        """W_o W_v x: what the heads write of tokens x that they attend to."""
        values = model.linear(f"blocks.{layer}.heads.w_v", model.norm(f"blocks.{layer}.norms.0", x))
        return values[:, part] @ model.parameters[f"blocks.{layer}.heads.w_o.weight"][:, part].T

    def read(name, x):
        return model.linear(f"blocks.1.heads.{name}", model.norm("blocks.1.norms.0", x))[:, part]

    asked = read("w_q", symbols)                                                     # (s, w / h)
    return {"written": asked @ read("w_k", moved(0, symbols)).T, "own": asked @ read("w_k", symbols).T,
            "copied": model.read_out(moved(1, symbols, part))}


def read_without(model, tokens, heads, what: str) -> np.ndarray:
    """The answers of a model whose second and last layer makes its "queries", "keys" or "values" without some heads.

    heads: pairs (0, head) of the first layer. Everything else is unchanged: only these projections of the second layer
    read tokens to which the heads added nothing (path patching, for what Elhage and others 2021 call composition).
    """
    check_choice("what", what, ("queries", "keys", "values"))
    whole, lacking = (each.block(0, model.embed(tokens))[0] for each in (model, model.without(heads)))
    queries, keys, values = (model.norm("blocks.1.norms.0", lacking if name == what else whole)
                             for name in ("queries", "keys", "values"))
    return model.read_out(model.with_hidden(1, whole + model.attend(1, queries, keys, values)[0]))


def previous_token(weights) -> np.ndarray:
    """The weight that a head gives to the previous token, mean over all queries but the first: (..., h).

    weights (..., h, b, t, t).
    """
    return np.diagonal(weights, -1, axis1=-2, axis2=-1).mean(axis=(-2, -1))


def prefix_matching(weights, tokens) -> np.ndarray:
    """The weight that a head gives to tokens after earlier copies of the query's symbol, mean over queries: (..., h).

    weights (..., h, b, t, t), tokens (b, t). Only queries whose symbol has come before count. For an induction head
    this is near 1 (Olsson and others 2022).
    """
    after = np.zeros((*tokens.shape, tokens.shape[1]), dtype=bool)                   # (b, t, t)
    after[:, :, 1:] = tokens[:, :, None] == tokens[:, None, :-1]                     # key j follows the query's symbol
    after = np.tril(after)
    return (weights * after).sum(axis=(-3, -2, -1)) / after.any(axis=-1).sum()


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
