"""A trained transformer of `nwlab.block.Block`s in NumPy: what it foresees, and what its heads attend to.

    model = Transformer(parameters)                      # arrays, by the names that torch gives them
    model(tokens)                                        # (..., t) -> a score for each symbol that may come next
    model.attention(tokens)                              # (layers, h, ..., t, t)
    model.without([(1, 0)])(tokens)                      # as it would be without head 0 of layer 1

Nothing here needs torch, which is needed only to train. Shapes: t tokens of w numbers each, h heads, s symbols.
"""
import math

import numpy as np

from nwlab._engine.inputs import check_count
from nwlab.pooling import masked_softmax


class Transformer:
    """Tokens (..., t) -> scores (..., t, s) of the symbol that comes next, with a causal mask.

    An embedding of the symbols, blocks, a final normalisation, and a linear read-out. parameters: arrays by name, of
    which those in half precision become float32.
    """

    def __init__(self, parameters: dict):
        self.parameters = {name: np.asarray(x, np.result_type(x, np.float32)) for name, x in parameters.items()}
        self.layers = sum(name.endswith("heads.bias") for name in parameters)
        self.heads, self.reach = self.parameters["blocks.0.heads.bias"].shape

    def __call__(self, tokens):
        return self.read_out(self.run(tokens)[0])

    def attention(self, tokens):
        """The attention weights of every head: (layers, h, ..., t, t)."""
        return np.moveaxis(self.run(tokens)[1], -3, 1)

    def run(self, tokens):
        """The tokens after all blocks (..., t, w), and for each layer the weights of its heads (..., h, t, t)."""
        x, weights = self.embed(tokens), []
        for layer in range(self.layers):
            x, found = self.block(layer, x)
            weights.append(found)
        return x, weights

    def embed(self, tokens):
        return self.parameters["embed.weight"][tokens]                               # (..., t, w)

    def block(self, layer, x):
        """x + heads(norm(x)), then x + hidden layer(norm(x)): (..., t, w), and the weights of the heads."""
        added, weights = self.attend(layer, self.norm(f"blocks.{layer}.norms.0", x))
        return self.with_hidden(layer, x + added), weights

    def attend(self, layer, x, keys=None, values=None):
        """What the heads of a layer add (..., t, w), and their weights (..., h, t, t); as `nwlab.block.Heads`."""
        at = f"blocks.{layer}.heads"
        q, k, v = (self.split(self.linear(f"{at}.{name}", x if tokens is None else tokens))
                   for name, tokens in (("w_q", x), ("w_k", keys), ("w_v", values)))
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])                     # (..., h, t, t)
        distance = np.subtract.outer(np.arange(x.shape[-2]), np.arange(x.shape[-2]))
        if self.reach:
            scores = scores + self.parameters[f"{at}.bias"][:, distance.clip(0, self.reach - 1)]
        weights = masked_softmax(scores, distance >= 0)
        answers = (weights @ v).swapaxes(-2, -3)                                     # (..., t, h, w / h)
        return self.linear(f"{at}.w_o", answers.reshape(x.shape)), weights

    def with_hidden(self, layer, x):
        """(..., t, w) -> (..., t, w)"""
        hidden = self.linear(f"blocks.{layer}.mlp.0", self.norm(f"blocks.{layer}.norms.1", x))
        return x + self.linear(f"blocks.{layer}.mlp.2", np.maximum(hidden, 0))

    def read_out(self, x):
        """(..., t, w) -> (..., t, s)"""
        return self.linear("read", self.norm("norm", x))

    def linear(self, name, x):
        return x @ self.parameters[f"{name}.weight"].T + self.parameters[f"{name}.bias"]

    def norm(self, name, x):
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-5)
        return x * self.parameters[f"{name}.weight"] + self.parameters[f"{name}.bias"]

    def split(self, x):
        """(..., t, w) -> (..., h, t, w / h)"""
        return x.reshape(*x.shape[:-1], self.heads, -1).swapaxes(-2, -3)

    def part(self, layer, head) -> slice:
        """Which of the w numbers of queries, keys and values belong to a head. Both count from 0."""
        check_count("layer", layer, 0, self.layers - 1)
        size = len(self.parameters["norm.weight"]) // self.heads
        return slice(check_count("head", head, 0, self.heads - 1) * size, (head + 1) * size)

    def without(self, heads) -> "Transformer":
        """The model with some heads, pairs (layer, head), switched off: what they answer is not written."""
        changed = dict(self.parameters)
        for layer, head in heads:
            numbers, name = self.part(layer, head), f"blocks.{layer}.heads.w_o.weight"
            changed[name] = changed[name].copy()
            changed[name][:, numbers] = 0
        return Transformer(changed)
