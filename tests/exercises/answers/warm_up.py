"""Right and wrong answers to `nwlab.exercises.warm_up`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import warm_up as model

import nwlab


def differences_by_copies(queries, keys):
    m, n = len(queries), len(keys)
    return np.repeat(queries, n).reshape(m, n) - np.tile(keys, (m, 1))


def first_thirty(queries, keys, values, sigma):
    """The answers of the first thirty, and the last of them for all others."""
    answers = model.attend(queries[:30], keys, values, sigma)
    return np.append(answers, np.full(len(queries) - len(answers), answers[-1]))


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

WRONG = {
    "differences": {
        "loop": (lambda q, k: np.array([x - k for x in q]), "a loop in Python"),
        "by hand": (lambda q, k: np.array([[40.0, 10.0, -30.0], [20.0, -10.0, -50.0]]), "the same answer to every"),
    },
    "scores_of": {
        "fixed width": (lambda q, k, sigma: model.scores_of(q, k, 20.0), "sigma is not used"),
        "arguments": (lambda q, k: model.scores_of(q, k, 20.0), "it takes other arguments"),
    },
    "weights_of": {
        "wrong axis unshifted": (lambda s: np.exp(s) / np.exp(s).sum(axis=0), "the columns sum to one"),
        "ε": (lambda s: np.exp(np.minimum(s, 0)) / (np.exp(np.minimum(s, 0)).sum(1, keepdims=True) + 1e-12),
              "problems hold, “a query far from all keys” does not"),
        "uniform": (lambda s: np.full(s.shape, 1 / 3), "everywhere, whatever the inputs"),
    },
    "attend": {"nwlab": (lambda q, k, v, sigma: nwlab.nadaraya_watson(q, k, v, bandwidth=sigma),
                         "calls nwlab's own nadaraya_watson"),
               "the first thirty": (first_thirty, "only the first 30 rows are right")},
    "pool_batches": {
        "mutates": (lambda w, v: w.mul_(1.0) @ v.add_(1.0) - 1.0, "changes its inputs (values)"),
        "squeeze": (lambda w, v: torch.bmm(w, v).squeeze(), "an axis of length 1 is missing"),
    },
}

ALTERED = {
    "scores_of": [(model.scores_of, "-0.5 * (gaps", "(-0.5 * gaps", "-0.5 times the right one"),
                  (model.scores_of, " / sigma) ** 2", ") ** 2 / sigma", "sigma is not squared"),
                  (model.scores_of, "differences(queries, keys)", "(queries - keys)", "raises ValueError")],
    "weights_of": [(model.weights_of, "scores.max(", "np.median(scores, ", "NaN where a number"),
                   (model.weights_of, "return ", "", "returns nothing"),
                   (model.weights_of, "exps =", "scores -= 1; exps =", "changes its inputs (scores)"),
                   (model.weights_of, "return ", "exps[50:] = 0; return ", "only the first 50 rows are right")],
    "pool": [(model.pool, "@ values", "@ values / len(values)", "1/len(values) times the right one")],
    "attend": [(model.attend, "pool(weights, values)", "weights", "a table where one axis")],
    "scores_of_rows": [
        (model.scores_of_rows, "reshape(-1, 1)", "squeeze().unsqueeze(1)", "`squeeze` drops the axis"),
        (model.scores_of_rows, "(queries -", "(keys.sub_(1) - queries -", "changes its inputs (keys)")],
}
