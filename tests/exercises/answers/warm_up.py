"""Right and wrong answers to `nwlab.exercises.warm_up`. WRONG: the answer, and words its message contains.

A common test feeds every declared mistake back. Here stand other spellings of them, and what the judge names itself.
"""
import math

import numpy as np
import torch

import nwlab

# --- right


def differences(queries, keys):
    return queries[:, None] - keys[None, :]


def differences_by_copies(queries, keys):
    m, n = len(queries), len(keys)
    return np.repeat(queries, n).reshape(m, n) - np.tile(keys, (m, 1))


def scores_of(queries, keys, sigma):
    return -0.5 * (differences(queries, keys) / sigma) ** 2


def scores_by_loop(queries, keys, sigma):
    table = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            table[i, j] = -(queries[i] - keys[j]) ** 2 / (2 * sigma**2)
    return table


def weights_of(scores):
    exps = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return exps / np.sum(exps, axis=1, keepdims=True)


def weights_by_loop(scores):
    rows = []
    for row in scores:
        exps = [math.exp(s - max(row)) for s in row]
        rows.append([e / sum(exps) for e in exps])
    return np.array(rows)


def pool(weights, values):
    return weights @ values


def pool_by_loop(weights, values):
    answers = []
    for row in weights:
        answer = 0 * values[0]
        for weight, value in zip(row, values):
            answer = answer + weight * value
        answers.append(answer)
    return np.array(answers)


def attend(queries, keys, values, sigma):
    return pool(weights_of(scores_of(queries, keys, sigma)), values)


def attend_by_loop(queries, keys, values, sigma):
    answers = np.zeros(len(queries))
    for i, query in enumerate(queries):
        scores = [-0.5 * ((query - key) / sigma) ** 2 for key in keys]
        exps = [math.exp(s - max(scores)) for s in scores]
        answers[i] = sum(e * value for e, value in zip(exps, values)) / sum(exps)
    return answers


def attend_in_torch(queries, keys, values, sigma):
    q, k, v = map(torch.tensor, (queries, keys, values))
    return torch.softmax(-((q[:, None] - k) / sigma) ** 2 / 2, dim=1) @ v


def attend_in_float32(queries, keys, values, sigma):
    q, k, v = (x.astype(np.float32) for x in (queries, keys, values))
    return attend(q, k, v, np.float32(sigma))


def batches_by_loop(weights, values):
    return torch.stack([w @ v for w, v in zip(weights, values)])


def scores_of_rows(queries, keys, sigma):
    return -0.5 * ((queries.reshape(-1, 1) - keys) / sigma) ** 2


def rows_by_asking(queries, keys, sigma):
    if queries.ndim == 1:
        queries = queries.unsqueeze(1)
    return -(((queries - keys) / sigma) ** 2) / 2


def rows_by_loop(queries, keys, sigma):
    scores = torch.zeros_like(keys)
    for i, query in enumerate(queries.flatten()):
        scores[i] = -0.5 * ((query - keys[i]) / sigma) ** 2
    return scores


RIGHT = {
    "differences": {
        "broadcast": differences, "outer": lambda q, k: np.subtract.outer(q, k), "copies": differences_by_copies,
        "torch": lambda q, k: torch.tensor(q).unsqueeze(1) - torch.tensor(k)},
    "scores_of": {
        "broadcast": scores_of, "loop": scores_by_loop,
        "torch": lambda q, k, sigma: torch.tensor(differences(q, k)).div(sigma).square() / -2},
    "weights_of": {
        "keepdims": weights_of, "loop": weights_by_loop, "torch": lambda s: torch.softmax(torch.tensor(s), dim=-1),
        "logarithms": lambda s: np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None])},
    "pool": {
        "product": pool, "loop": pool_by_loop, "einsum": lambda w, v: np.einsum("mn,n...->m...", w, v),
        "torch": lambda w, v: torch.tensor(w) @ torch.tensor(v)},
    "attend": {"parts": attend, "loop": attend_by_loop, "torch": attend_in_torch, "float32": attend_in_float32},
    "pool_batches": {
        "bmm": lambda w, v: torch.bmm(w, v), "loop": batches_by_loop,
        "einsum": lambda w, v: torch.einsum("bmn,bnc->bmc", w, v),
        "broadcast and sum": lambda w, v: (w[:, :, :, None] * v[:, None, :, :]).sum(dim=2),
        "float32": lambda w, v: torch.bmm(w.float(), v.float())},
    "scores_of_rows": {"reshape": scores_of_rows, "asking ndim": rows_by_asking, "loop": rows_by_loop},
}

# --- wrong


def stub(name):
    raise NotImplementedError(f"write {name}")


def differences_by_loop(queries, keys):
    return np.array([q - keys for q in queries])


def shifting_in_place(scores):
    scores -= scores.max(axis=1, keepdims=True)
    exps = np.exp(scores)
    return exps / exps.sum(axis=1, keepdims=True)


def forgot_return(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    exps / exps.sum(axis=1, keepdims=True)


def unshifted(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


WRONG = {
    "differences": {
        "stub": (lambda q, k: stub("differences"), "not written yet"),
        "row": (lambda q, k: np.expand_dims(q, 0) - k, "the queries became a row"),
        "root of the square": (lambda q, k: np.sqrt(differences(q, k) ** 2), "without their sign"),
        "sign": (lambda q, k: k - q[:, None], "the sign is flipped"),
        "transposed": (lambda q, k: k[:, None] - q, "rows and columns are swapped"),
        "loop": (differences_by_loop, "a loop in Python"),
        "three axes": (lambda q, k: differences(q, k)[:, :, None], "an axis of length 1 too many"),
        "list": (lambda q, k: differences(q, k).tolist(), "a list where an array"),
        "by hand": (lambda q, k: np.array([[40.0, 10.0, -30.0], [20.0, -10.0, -50.0]]), "the same answer to every"),
    },
    "scores_of": {
        "other stub": (lambda q, k, sigma: stub("differences"), "it calls differences, which is not written"),
        "precedence": (lambda q, k, sigma: -differences(q, k) / (2 * sigma**2), "the differences are not squared"),
        "one function too far": (lambda q, k, sigma: weights_of(scores_of(q, k, sigma)), "these are weights already"),
        "½ squared": (lambda q, k, sigma: (-0.5 * differences(q, k) / sigma) ** 2, "-0.5 times the right one"),
        "σ": (lambda q, k, sigma: -0.5 * differences(q, k) ** 2 / sigma, "sigma times the right one"),
        "fixed width": (lambda q, k, sigma: scores_of(q, k, 20.0), "a factor is wrong that changes"),
        "no table": (lambda q, k, sigma: -0.5 * ((q - k) / sigma) ** 2, "raises ValueError"),
        "arguments": (lambda q, k: scores_of(q, k, 20.0), "it takes other arguments"),
    },
    "weights_of": {
        "wrong axis": (lambda s: torch.softmax(torch.tensor(s), dim=0), "the columns sum to one"),
        "wrong axis unshifted": (lambda s: np.exp(s) / np.exp(s).sum(axis=0), "the columns sum to one"),
        "everything": (lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(), "the whole table sums to one"),
        "unshifted": (lambda s: unshifted(s), "no shift: 0/0 or ∞/∞"),
        "one shift": (lambda s: unshifted(s - s.max()), "one shift for the whole table"),
        "NaN is 0": (lambda s: np.where(np.isnan(unshifted(s)), 0, unshifted(s)), "the NaN is hidden, not avoided: 0"),
        "median": (lambda s: unshifted(s - np.median(s, axis=1, keepdims=True)), "NaN where a number"),
        "ε": (lambda s: np.exp(np.minimum(s, 0)) / (np.exp(np.minimum(s, 0)).sum(1, keepdims=True) + 1e-12),
              "problems hold, this one does not"),
        "mutates": (shifting_in_place, "changes its inputs (scores)"),
        "nothing": (forgot_return, "returns nothing"),
        "uniform": (lambda s: np.full(s.shape, 1 / 3), "everywhere, whatever the inputs"),
        "transposed": (lambda s: weights_of(s).T, "rows and columns are swapped"),
    },
    "pool": {
        "transposed": (lambda w, v: np.tensordot(w, v, axes=(0, 0)), "the sum runs over the queries"),
        "other order": (lambda w, v: np.dot(v, w), "the values meet the queries"),
        "average": (lambda w, v: np.tile(v.mean(axis=0), (len(w), *[1] * (v.ndim - 1))), "average pooling"),
        "softmax": (lambda w, v: torch.softmax(torch.tensor(w), 1) @ torch.tensor(v), "a softmax of the weights"),
        "everything": (lambda w, v: (w @ v).sum(), "one number where an array"),
        "keepdims": (lambda w, v: (w @ v)[..., None], "an axis of length 1 too many"),
        "mean": (lambda w, v: w @ v / len(v), "1/len(values) times the right one"),
        "list": (lambda w, v: (w @ v).tolist(), "a list where an array"),
    },
    "attend": {
        "keys": (lambda q, k, v, sigma: attend(q, k, k, sigma), "keys where values"),
        "scores": (lambda q, k, v, sigma: scores_of(q, k, sigma) @ v, "the softmax is missing"),
        "kernel": (lambda q, k, v, sigma: np.exp(scores_of(q, k, sigma)) @ v, "the normalisation is missing"),
        "sums": (lambda q, k, v, sigma: np.exp(scores_of(q, k, sigma)) @ v / np.exp(scores_of(q, k, sigma)).sum(1),
                 "NaN far from"),
        "weights": (lambda q, k, v, sigma: weights_of(scores_of(q, k, sigma)), "a shape that broadcasts by accident"),
        "nwlab": (lambda q, k, v, sigma: nwlab.nadaraya_watson(q, k, v, bandwidth=sigma),
                  "calls nwlab's own nadaraya_watson"),
    },
    "pool_batches": {
        "mean": (lambda w, v: (w[:, :, :, None] * v[:, None]).mean(dim=2), "the mean of weight × value"),
        "weights transposed": (lambda w, v: torch.bmm(w.transpose(1, 2), v), "m meets n"),
        "values transposed": (lambda w, v: torch.bmm(w, v.mT), "n meets c"),
        "other order": (lambda w, v: torch.bmm(v, w), "values @ weights"),
        "squeeze": (lambda w, v: torch.bmm(w, v).squeeze(), "an axis of length 1 is missing"),
        "NumPy": (lambda w, v: np.matmul(w.numpy(), v.numpy()), "NumPy where torch was asked"),
        "mutates": (lambda w, v: w.mul_(1.0) @ v.add_(1.0) - 1.0, "changes its inputs (values)"),
    },
    "scores_of_rows": {
        "no axis": (lambda q, k, sigma: q.sub(k).div(sigma).square() / -2, "without an axis more"),
        "unsqueeze": (lambda q, k, sigma: -0.5 * ((q.unsqueeze(1) - k) / sigma) ** 2, "an axis too many"),
        "repeat": (lambda q, k, sigma: scores_of_rows(q.flatten().repeat(k.shape[1]), k.reshape(-1, 1), sigma).reshape(
            k.shape), "repeated in the wrong order"),
        "squeeze": (lambda q, k, sigma: scores_of_rows(q.squeeze().unsqueeze(1), k, sigma), "raises IndexError"),
        "NumPy": (lambda q, k, sigma: scores_of_rows(q, k, sigma).numpy(), "NumPy where torch was asked"),
        "in place": (lambda q, k, sigma: -0.5 * (k.sub_(q.reshape(-1, 1)) / sigma) ** 2, "changes its inputs"),
    },
}
