"""Right answers to `workbook.exercises.warm_up`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import warm_up as model


def differences_by_copies(queries, keys):
    m, n = len(queries), len(keys)
    return np.repeat(queries, n).reshape(m, n) - np.tile(keys, (m, 1))


def weights_by_loop(scores):
    rows = []
    for row in scores:
        exps = [math.exp(s - max(row)) for s in row]
        rows.append([e / sum(exps) for e in exps])
    return np.array(rows)


RIGHT = {
    "differences": {
        "outer": lambda q, k: np.subtract.outer(q, k), "copies": differences_by_copies,
        "torch": lambda q, k: torch.tensor(q).unsqueeze(1) - torch.tensor(k)},
    "scores_of": {
        "loop": lambda queries, keys, sigma: np.array(
            [[-(q - k) ** 2 / (2 * sigma**2) for k in keys] for q in queries]),
        "torch": lambda q, k, sigma: torch.tensor(model.differences(q, k)).div(sigma).square() / -2},
    "weights_of": {
        "loop": weights_by_loop, "torch": lambda s: torch.softmax(torch.tensor(s), dim=-1),
        "logarithms": lambda s: np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None])},
    "pool": {
        "loop": lambda weights, values: np.array(
            [sum(weight * value for weight, value in zip(row, values)) for row in weights]),
        "einsum": lambda w, v: np.einsum("mn,n...->m...", w, v),
        "torch": lambda w, v: torch.tensor(w) @ torch.tensor(v)},
    "attend": {"loop": (model.attend, "weights_of", "weights_by_loop"),
               "torch": (model.attend, "weights_of(scores_of(queries, keys, sigma))",
                         "torch.softmax(torch.tensor(scores_of(queries, keys, sigma)), dim=1)",
                         "weights, values", "weights, torch.tensor(values)"),
               "float32": lambda *at: model.attend(*(np.asarray(x, np.float32) for x in at))},
    "pool_batches": {
        "loop": lambda w, v: torch.stack([a @ b for a, b in zip(w, v)]),
        "einsum": lambda w, v: torch.einsum("bmn,bnc->bmc", w, v),
        "broadcast and sum": lambda w, v: (w[:, :, :, None] * v[:, None, :, :]).sum(dim=2),
        "float32": lambda w, v: torch.bmm(w.float(), v.float())},
    "scores_of_rows": {
        "asking ndim": (model.scores_of_rows, "queries.reshape(-1, 1)",
                        "queries.unsqueeze(1) if queries.ndim == 1 else queries"),
        "loop": lambda q, k, sigma: torch.stack([-0.5 * ((x - row) / sigma) ** 2 for x, row in zip(q.flatten(), k)])},
}


def nan_for_0(name):
    return lambda *at: (answer := getattr(model, name)(*at)) / (answer != 0)


WRONG = {name: {"NaN for 0": (nan_for_0(name), "NaN where a number was expected")}
         for name in ("differences", "scores_of", "scores_of_rows")}
WRONG["scores_of_rows"]["squeeze"] = lambda *at: model.scores_of_rows(*at).squeeze(), "axis of length 1 is missing: ("
WRONG["pool_batches"] = {
    "NumPy": (lambda w, v: torch.from_numpy(np.matmul(w.numpy(), v.numpy())), "a function of NumPy met a tensor"),
    "a list": (lambda w, v: torch.tensor((w @ v).tolist(), dtype=torch.float64), "the way back to weights is cut")}
WRONG["scores_of_rows"]["detached"] = (
    lambda q, k, sigma: model.scores_of_rows(q.detach(), k, sigma), "the way back to queries is cut")


def nearest_where_nan(queries, keys, values, sigma):
    powers = np.exp(model.scores_of(queries, keys, sigma))
    nearest = values[abs(queries[:, None] - keys).argmin(axis=1)]
    return np.where(powers.sum(axis=1) > 0, powers @ values / powers.sum(axis=1), nearest)


ALTERED = {"weights_of": [(model.weights_of, "scores - scores", f"scores.clip({ends}) - scores.clip({ends})",
                            "“a query far from all keys” does not") for ends in ("-1e9", "None, 1e9")]}
WRONG["attend"] = {
    "the nearest where it is NaN": (nearest_where_nan, "“a query far from all keys” does not"),
    "a key at the query's place left out": (lambda q, k, v, sigma: model.weights_of(np.where(
        q[:, None] == k, -1e300, model.scores_of(q, k, sigma))) @ v, "“one query on a key” does not")}
