"""Right and wrong answers to `nwlab.exercises.parzen_equivalence`. WRONG: the answer, and words its message contains.

A common test feeds every declared mistake back. Here stand other spellings of them, and what the judge names itself.
"""
import math

import numpy as np
import torch

import nwlab

# --- right


def kernel_table(x, keys, bandwidth):
    return hill(distances(x, keys) / bandwidth, x, bandwidth)


def distances(x, keys):
    return np.sqrt((gaps(x, keys)**2).sum(axis=2))


def gaps(x, keys):
    return x.reshape(len(x), 1, -1) - keys.reshape(1, len(keys), -1)


def hill(u, x, bandwidth, constant=None):
    return (constant or (0.75 if x.ndim == 1 else 2 / np.pi)) * np.maximum(0, 1 - u**2) / bandwidth**x[0].size


def kernel_table_by_norm(x, keys, bandwidth):
    if x.ndim == 1:
        u = np.abs(np.subtract.outer(x, keys)) / bandwidth
        return np.where(u < 1, 0.75 * (1 - u) * (1 + u), 0.0) / bandwidth
    u = np.linalg.norm(x[:, None, :] - keys[None, :, :], axis=-1) / bandwidth
    return np.where(u < 1, 2 / np.pi * (1 - u) * (1 + u), 0.0) / bandwidth**2


def kernel_table_in_torch(x, keys, bandwidth):
    x, keys = torch.tensor(x), torch.tensor(keys)
    x, keys = (x[:, None], keys[:, None]) if x.ndim == 1 else (x, keys)
    d = x.shape[1]
    u = (x[:, None] - keys[None]).pow(2).sum(-1).sqrt() / bandwidth
    return (0.75 if d == 1 else 2 / math.pi) * torch.clamp(1 - u**2, min=0) / bandwidth**d


def density(x, keys, bandwidth):
    return kernel_table(x, keys, bandwidth).mean(axis=1)


def density_by_loop(x, keys, bandwidth):
    p = []
    for query in x:
        total = 0.0
        for key in keys:
            u = np.sqrt(np.sum((query - key)**2)) / bandwidth
            if u < 1:
                total += (0.75 if x.ndim == 1 else 2 / np.pi) * (1 - u**2) / bandwidth**x[0].size
        p.append(total / len(keys))
    return np.array(p)


def joint_difference(x, keys, labels, bandwidth):
    return kernel_table(x, keys, bandwidth) @ labels / len(labels)


def joint_of_densities(x, keys, labels, bandwidth):
    parts = {}
    for y in (1, -1):
        own = keys[labels == y]
        parts[y] = density(x, own, bandwidth) * len(own) / len(keys) if len(own) else 0
    return parts[1] - parts[-1]


def joint_in_torch(x, keys, labels, bandwidth):
    return (kernel_table_in_torch(x, keys, bandwidth) * torch.tensor(labels)[None, :]).mean(1)


def classify(x, keys, labels, bandwidth):
    verdict = np.sign(joint_difference(x, keys, labels, bandwidth))
    return np.where(density(x, keys, bandwidth) > 0, verdict, np.nan)


def classify_by_loop(x, keys, labels, bandwidth):
    verdicts = np.full(len(x), np.nan)
    for i, row in enumerate(kernel_table(x, keys, bandwidth)):
        if row.any():
            f = (row * labels).sum()
            verdicts[i] = 1 if f > 0 else -1 if f < 0 else 0
    return verdicts


def classify_in_torch(x, keys, labels, bandwidth):
    k = kernel_table_in_torch(x, keys, bandwidth)
    average = (k * torch.tensor(labels)).sum(1) / k.sum(1)
    return torch.where(average.isnan(), average, average.sign())        # torch.sign(NaN) is 0


def classify_in_float32(x, keys, labels, bandwidth):
    x, keys, labels = (each.astype(np.float32) for each in (x, keys, labels))
    return classify(x, keys, labels, bandwidth).astype(np.float32)


def conditional_difference(x, keys, labels, bandwidth):
    positive, negative = keys[labels > 0], keys[labels < 0]
    if len(positive) == 0 or len(negative) == 0:
        return np.full(len(x), np.nan)
    return density(x, positive, bandwidth) - density(x, negative, bandwidth)


def conditional_in_torch(x, keys, labels, bandwidth):
    k, y = kernel_table_in_torch(x, keys, bandwidth), torch.tensor(labels)
    return k[:, y > 0].mean(1) - k[:, y < 0].mean(1)


def conditional_warns(x, keys, labels, bandwidth):
    k = kernel_table(x, keys, bandwidth)
    return k[:, labels > 0].mean(axis=1) - k[:, labels < 0].mean(axis=1)


def disagree(x, keys, labels, bandwidth):
    return joint_difference(x, keys, labels, bandwidth) * conditional_difference(x, keys, labels, bandwidth) < 0


def disagree_by_loop(*at):
    return np.array([(j > 0 and c < 0) or (j < 0 and c > 0)
                     for j, c in zip(joint_of_densities(*at), conditional_warns(*at))])


RIGHT = {
    "kernel_table": {"broadcast": kernel_table, "norm": kernel_table_by_norm, "torch": kernel_table_in_torch},
    "density": {"vectorised": density, "loop": density_by_loop,
                "torch": lambda x, keys, bandwidth: kernel_table_in_torch(x, keys, bandwidth).sum(1) / len(keys)},
    "joint_difference": {"vectorised": joint_difference, "densities": joint_of_densities, "torch": joint_in_torch},
    "classify": {"vectorised": classify, "loop": classify_by_loop, "torch": classify_in_torch,
                 "float32": classify_in_float32},
    "conditional_difference": {"vectorised": conditional_difference, "torch": conditional_in_torch,
                               "warns": conditional_warns},
    "disagree": {"vectorised": disagree, "loop": disagree_by_loop, "numbers": lambda *at: disagree(*at).astype(float),
                 "torch": lambda *at: joint_in_torch(*at) * conditional_in_torch(*at) < 0},
}

# --- wrong


def mutating(x, keys, bandwidth):
    x -= x.mean()
    return kernel_table(x, keys, bandwidth)


def absent_is_zero(x, keys, labels, bandwidth):
    k = kernel_table(x, keys, bandwidth)
    return k @ (labels > 0) / max(1, (labels > 0).sum()) - k @ (labels < 0) / max(1, (labels < 0).sum())


def stub(name):
    raise NotImplementedError(f"write {name}")


WRONG = {
    "kernel_table": {
        "stub": (lambda x, keys, h: stub("kernel_table"), "not written yet"),
        "no width": (lambda x, keys, h: kernel_table(x, keys, h) * h**x[0].size, "the division by the bandwidth"),
        "city blocks": (lambda x, keys, h: hill(np.linalg.norm(gaps(x, keys), ord=1, axis=2) / h, x, h),
                        "the sum of the features' distances"),
        "no root": (lambda x, keys, h: hill(((gaps(x, keys) / h)**2).sum(2), x, h), "what you square is u² already"),
        "h for h²": (lambda x, keys, h: kernel_table(x, keys, h) * h**(x[0].size - 1), "right on the line, wrong"),
        "the plane's constant": (lambda x, keys, h: hill(distances(x, keys) / h, x, h, 2 / np.pi), "wrong on the line"),
        "features not summed": (lambda x, keys, h: hill(abs(gaps(x, keys)) / h, x, h), "the axis of the features"),
        "norm without axis": (lambda x, keys, h: hill(np.linalg.norm(gaps(x, keys)) / h, x, h), "one number"),
        "Python's max": (lambda x, keys, h: 0.75 * max(0, 1 - (distances(x, keys) / h)**2) / h, "raises ValueError"),
        "transposed": (lambda x, keys, h: kernel_table(x, keys, h).T, "the wrong axis"),
        "doubled": (lambda x, keys, h: 2 * kernel_table(x, keys, h), "2 times the right one"),
        "loop": (lambda x, keys, h: np.stack([kernel_table(x[i:i + 1], keys, h)[0] for i in range(len(x))]), "a loop"),
        "mutates": (mutating, "changes its inputs (x)"),
    },
    "density": {
        "another stub": (lambda x, keys, h: stub("kernel_table"), "it calls kernel_table, which is not written"),
        "nan": (lambda x, keys, h: 1 / (1 / density(x, keys, h)) + 0 / density(x, keys, h), "NaN for an empty window"),
        "sum": (lambda x, keys, h: kernel_table(x, keys, h).sum(1), "len(keys) times the right one"),
        "wrong axis": (lambda x, keys, h: kernel_table(x, keys, h).mean(0), "one number for each of keys"),
        "accident": (lambda x, keys, h: kernel_table(x, keys, h).sum(1, keepdims=True) / np.full(len(x), len(keys)),
                     "broadcasts by accident"),
        "keepdims": (lambda x, keys, h: kernel_table(x, keys, h).mean(1, keepdims=True), "an axis of length 1"),
        "nwlab": (lambda x, keys, h: nwlab.parzen_density(x, keys, "epanechnikov", h), "nwlab's own parzen_density"),
    },
    "joint_difference": {
        "f_NW": (lambda x, keys, y, h: np.average(np.tile(y, (len(x), 1)), axis=1, weights=kernel_table(x, keys, h)),
                 "this is f_NW"),
        "no priors": (absent_is_zero, "the class priors are gone"),
        "only +1": (lambda x, keys, y, h: kernel_table(x, keys, h)[:, y == 1].sum(1) / len(keys), "only the keys with"),
        "flipped": (lambda *at: -joint_difference(*at), "the sign is flipped"),
        "column": (lambda x, keys, y, h: kernel_table(x, keys, h) @ y[:, None] / len(keys), "an axis of length 1"),
        "arguments": (lambda x, keys, bandwidth: density(x, keys, bandwidth), "it takes other arguments"),
    },
    "classify": {
        "ε": (lambda x, keys, y, h: np.sign(joint_difference(x, keys, y, h) / (density(x, keys, h) + 1e-12)),
              "0 for an empty window"),
        "isclose": (lambda x, keys, y, h: np.where(
            np.isclose(density(x, keys, h), 0), np.nan, np.sign(joint_difference(x, keys, y, h))),
            "NaN where a key is only just in reach"),
        "no third case": (lambda *at: np.where(joint_difference(*at) > 0, 1, -1), "a number where NaN was asked"),
        "no tie": (lambda *at: np.where(classify(*at) == 0, 1, classify(*at)), "15 of 16 problems hold"),
        "conditional": (lambda x, keys, y, h: np.where(
            density(x, keys, h) > 0, np.sign(absent_is_zero(x, keys, y, h)), np.nan), "the class-conditional verdict"),
        "typo": (lambda *at: np.sign(joint_diference(*at)), "raises NameError"),  # noqa: F821
    },
    "conditional_difference": {
        "absent": (absent_is_zero, "a class without keys has density 0"),
        "swapped": (lambda *at: -conditional_difference(*at), "the sign is flipped"),
        "both": (lambda *at: (conditional_difference(*at), 0.0), "a tuple where an array was asked"),
    },
    "disagree": {
        "product": (lambda *at: ~(joint_difference(*at) * conditional_difference(*at) > 0), "NaN counts as"),
        "any": (lambda *at: disagree(*at).any(), "one number where an array"),
        "never": (lambda x, keys, y, h: np.zeros(len(x), bool), "everywhere, whatever the inputs"),
    },
}
