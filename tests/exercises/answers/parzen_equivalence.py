"""Right and wrong answers to `nwlab.exercises.parzen_equivalence`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def kernel_table(x, keys, bandwidth):
    d = 1 if x.ndim == 1 else x.shape[1]
    differences = x.reshape(-1, 1, d) - keys.reshape(1, -1, d)
    u = np.sqrt((differences**2).sum(axis=2)) / bandwidth
    return (0.75 if d == 1 else 2 / np.pi) * np.maximum(0, 1 - u**2) / bandwidth**d


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


def kernel_table_in_float32(x, keys, bandwidth):
    return kernel_table_by_norm(x.astype(np.float32), keys.astype(np.float32), np.float32(bandwidth))


def kernel_table_by_loop(x, keys, bandwidth):
    table = np.zeros((len(x), len(keys)))
    for i in range(len(x)):
        table[i] = kernel_table(x[i:i + 1], keys, bandwidth)[0]
    return table


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


def density_in_torch(x, keys, bandwidth):
    return kernel_table_in_torch(x, keys, bandwidth).sum(1) / len(keys)


def density_in_float32(x, keys, bandwidth):
    return density(x.astype(np.float32), keys.astype(np.float32), bandwidth)


def joint_difference(x, keys, labels, bandwidth):
    return kernel_table(x, keys, bandwidth) @ labels / len(labels)


def joint_by_loop(x, keys, labels, bandwidth):
    joint = np.empty(len(x))
    for i, row in enumerate(kernel_table(x, keys, bandwidth)):
        joint[i] = sum(k * y for k, y in zip(row, labels)) / len(keys)
    return joint


def joint_of_densities(x, keys, labels, bandwidth):
    parts = {}
    for y in (1, -1):
        own = keys[labels == y]
        parts[y] = density(x, own, bandwidth) * len(own) / len(keys) if len(own) else 0
    return parts[1] - parts[-1]


def joint_in_torch(x, keys, labels, bandwidth):
    return (kernel_table_in_torch(x, keys, bandwidth) * torch.tensor(labels)[None, :]).mean(1)


def joint_in_float32(x, keys, labels, bandwidth):
    return joint_difference(x.astype(np.float32), keys.astype(np.float32), labels.astype(np.float32), bandwidth)


def classify(x, keys, labels, bandwidth):
    verdict = np.sign(joint_difference(x, keys, labels, bandwidth))
    return np.where(density(x, keys, bandwidth) > 0, verdict, np.nan)


def classify_by_dividing(x, keys, labels, bandwidth):
    k = kernel_table(x, keys, bandwidth)
    with np.errstate(invalid="ignore"):
        return np.sign(k @ labels / k.sum(axis=1))


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
    return classify(x.astype(np.float32), keys.astype(np.float32), labels.astype(np.float32), bandwidth).astype(np.float32)


def conditional_difference(x, keys, labels, bandwidth):
    positive, negative = keys[labels > 0], keys[labels < 0]
    if len(positive) == 0 or len(negative) == 0:
        return np.full(len(x), np.nan)
    return density(x, positive, bandwidth) - density(x, negative, bandwidth)


def conditional_by_weights(x, keys, labels, bandwidth):
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.where(labels > 0, 1 / np.sum(labels > 0), -1 / np.float64(np.sum(labels < 0)))
        missing = np.nan if np.all(labels == labels[0]) else 0.0
        return kernel_table(x, keys, bandwidth) @ weights + missing


def conditional_by_loop(x, keys, labels, bandwidth):
    answer = []
    for row in kernel_table(x, keys, bandwidth):
        sums, counts = {1: 0.0, -1: 0.0}, {1: 0, -1: 0}
        for k, y in zip(row, labels):
            sums[int(y)] += k
            counts[int(y)] += 1
        answer.append(sums[1] / counts[1] - sums[-1] / counts[-1] if counts[1] and counts[-1] else float("nan"))
    return np.array(answer)


def conditional_in_torch(x, keys, labels, bandwidth):
    k, y = kernel_table_in_torch(x, keys, bandwidth), torch.tensor(labels)
    return k[:, y > 0].mean(1) - k[:, y < 0].mean(1)


def conditional_warns(x, keys, labels, bandwidth):
    return kernel_table(x, keys[labels > 0], bandwidth).mean(1) - kernel_table(x, keys[labels < 0], bandwidth).mean(1)


def disagree(x, keys, labels, bandwidth):
    return joint_difference(x, keys, labels, bandwidth) * conditional_difference(x, keys, labels, bandwidth) < 0


def disagree_by_loop(x, keys, labels, bandwidth):
    joint, conditional = joint_by_loop(x, keys, labels, bandwidth), conditional_by_loop(x, keys, labels, bandwidth)
    return np.array([(j > 0 and c < 0) or (j < 0 and c > 0) for j, c in zip(joint, conditional)])


def disagree_in_torch(x, keys, labels, bandwidth):
    return joint_in_torch(x, keys, labels, bandwidth) * conditional_in_torch(x, keys, labels, bandwidth) < 0


def disagree_as_numbers(x, keys, labels, bandwidth):
    return disagree(x, keys, labels, bandwidth).astype(float)


RIGHT = {
    "kernel_table": {"broadcast": kernel_table, "norm": kernel_table_by_norm, "torch": kernel_table_in_torch,
                     "float32": kernel_table_in_float32},
    "density": {"loop": density_by_loop, "vectorised": density, "torch": density_in_torch, "float32": density_in_float32},
    "joint_difference": {"loop": joint_by_loop, "vectorised": joint_difference, "densities": joint_of_densities,
                         "torch": joint_in_torch, "float32": joint_in_float32},
    "classify": {"loop": classify_by_loop, "vectorised": classify, "dividing": classify_by_dividing,
                 "torch": classify_in_torch, "float32": classify_in_float32},
    "conditional_difference": {"loop": conditional_by_loop, "vectorised": conditional_difference,
                               "weights": conditional_by_weights, "torch": conditional_in_torch, "warns": conditional_warns},
    "disagree": {"loop": disagree_by_loop, "vectorised": disagree, "torch": disagree_in_torch, "numbers": disagree_as_numbers},
}

# --- wrong


def mutating(x, keys, bandwidth):
    x -= x.mean()
    return kernel_table(x, keys, bandwidth)


def looked_up(x, keys, bandwidth):
    return nwlab.parzen_density(x, keys, kernel="epanechnikov", bandwidth=bandwidth)


def forgot_return(x, keys, labels, bandwidth):
    joint_difference(x, keys, labels, bandwidth)


def column(x, keys, labels, bandwidth):
    return kernel_table(x, keys, bandwidth) @ labels[:, None] / len(keys)


def by_accident(x, keys, bandwidth):
    k = kernel_table(x, keys, bandwidth)
    return k.sum(axis=1, keepdims=True) / np.full(len(x), len(keys))


def with_a_typo(x, keys, labels, bandwidth):
    return np.sign(joint_diference(x, keys, labels, bandwidth))  # noqa: F821


def absent_is_zero(x, keys, labels, bandwidth):
    k = kernel_table(x, keys, bandwidth)
    return k @ (labels > 0) / max(1, (labels > 0).sum()) - k @ (labels < 0) / max(1, (labels < 0).sum())


WRONG = {
    "kernel_table": {
        "stub": (lambda x, keys, bandwidth: _stub("kernel_table"), "not written yet"),
        "unclipped": (lambda x, keys, bandwidth: _profile(x, keys, bandwidth, lambda u: 1 - u**2), "negative outside"),
        "no width": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth) * bandwidth**x[0].size, "division by the bandw"),
        "h for h²": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth) * bandwidth**(x[0].size - 1), "h where h²"),
        "¾ in the plane": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth)
                           * (1 if x.ndim == 1 else 0.75 * np.pi / 2), "constant ¾"),
        "triangle": (lambda x, keys, bandwidth: _profile(x, keys, bandwidth, lambda u: np.maximum(0, 1 - u)), "triangular"),
        "city blocks": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth) if x.ndim == 1 else
                        2 / np.pi * np.maximum(0, 1 - (np.abs(x[:, None] - keys).sum(2) / bandwidth)**2) / bandwidth**2,
                        "the sum of the features' distances"),
        "the line's formula": (lambda x, keys, bandwidth: 0.75 * np.maximum(0, 1 - _u(x, keys, bandwidth)**2) / bandwidth,
                               "right on the line, wrong in the plane: ¾ and 1/h"),
        "the plane's constant": (lambda x, keys, bandwidth: _hill(_u(x, keys, bandwidth), x, bandwidth, 2 / np.pi),
                                 "the constant 2/π"),
        "features not summed": (lambda x, keys, bandwidth: _hill(np.abs(_gaps(x, keys)) / bandwidth, x, bandwidth),
                                "the features are not added up"),
        "features not summed, u < 1": (lambda x, keys, bandwidth: (lambda u: (0.75 if x.ndim == 1 else 2 / np.pi)
                                       * (1 - u**2) * (u < 1) / bandwidth**x[0].size)(np.abs(_gaps(x, keys)) / bandwidth),
                                       "the features are not added up"),
        "no squares": (lambda x, keys, bandwidth: _hill(_gaps(x, keys).sum(-1) / bandwidth, x, bandwidth), "without squares"),
        "no root": (lambda x, keys, bandwidth: _hill((_gaps(x, keys)**2).sum(2) / bandwidth, x, bandwidth),
                    "the root is missing: u is the squared distance over h"),
        "no root, h inside": (lambda x, keys, bandwidth: _hill(((_gaps(x, keys) / bandwidth)**2).sum(2), x, bandwidth),
                              "the root is missing: what you square is u² already"),
        "norm without axis": (lambda x, keys, bandwidth: _hill(np.linalg.norm(_gaps(x, keys)) / bandwidth, x, bandwidth),
                              "the norm has no axis"),
        "norm over the keys": (lambda x, keys, bandwidth: _hill(np.linalg.norm(_gaps(x, keys), axis=1) / bandwidth, x, bandwidth),
                               "the length runs over the keys"),
        "Python's max": (lambda x, keys, bandwidth: 0.75 * max(0, 1 - _u(x, keys, bandwidth)**2) / bandwidth, "raises ValueError"),
        "normalised": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth)
                       / kernel_table(x, keys, bandwidth).sum(1, keepdims=True), "weights are normalised"),
        "transposed": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).T, "the wrong axis"),
        "doubled": (lambda x, keys, bandwidth: 2 * kernel_table(x, keys, bandwidth), "2 times the right one"),
        "loop": (kernel_table_by_loop, "a loop in Python"),
        "mutates": (mutating, "changes its inputs (x)"),
        "line only": (lambda x, keys, bandwidth: 0.75 * np.maximum(0, 1 - (np.subtract(x[:, None], keys) / bandwidth)**2)
                      / bandwidth if x.ndim == 1 else x[:, None] @ keys, "raises ValueError on some of the problems"),
    },
    "density": {
        "stub": (lambda x, keys, bandwidth: _stub("density"), "not written yet"),
        "another stub": (lambda x, keys, bandwidth: _stub("kernel_table"), "it calls kernel_table, which is not written"),
        "sum": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).sum(1), "the sum, not the mean"),
        "over m": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).sum(1) / len(x), "number of queries"),
        "wrong axis": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).mean(0), "the wrong axis"),
        "nan": (lambda x, keys, bandwidth: np.where(density(x, keys, bandwidth) > 0, density(x, keys, bandwidth), np.nan),
                "NaN for an empty window"),
        "max": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).max(1), "only the largest"),
        "unique": (lambda x, keys, bandwidth: density(x, np.unique(keys, axis=0), bandwidth), "each place counts once"),
        "accident": (by_accident, "broadcasts by accident"),
        "keepdims": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).mean(1, keepdims=True), "an axis of length 1"),
        "nwlab": (looked_up, "calls nwlab's own parzen_density"),
        "list": (lambda x, keys, bandwidth: density(x, keys, bandwidth).tolist(), "a list where an array was asked"),
        "one number": (lambda x, keys, bandwidth: kernel_table(x, keys, bandwidth).mean(), "one number where an array"),
        "constant": (lambda x, keys, bandwidth: np.full(len(x), 0.25), "0.25 everywhere"),
    },
    "joint_difference": {
        "sum": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ labels, "the sum, not the mean"),
        "f_NW": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ labels
                 / kernel_table(x, keys, bandwidth).sum(1), "this is f_NW"),
        "no priors": (absent_is_zero, "the class priors are gone"),
        "no labels": (lambda x, keys, labels, bandwidth: density(x, keys, bandwidth), "labels are left out"),
        "only +1": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ (labels == 1) / len(keys),
                    "only the keys with label +1"),
        "flipped": (lambda x, keys, labels, bandwidth: -joint_difference(x, keys, labels, bandwidth), "the sign is flipped"),
        "sign": (lambda x, keys, labels, bandwidth: np.sign(joint_difference(x, keys, labels, bandwidth)), "only the sign"),
        "mean label": (lambda x, keys, labels, bandwidth: density(x, keys, bandwidth) * labels.mean(), "mean of the labels"),
        "nothing": (forgot_return, "returns nothing"),
        "column": (column, "an axis of length 1 too many"),
        "arguments": (lambda x, keys, bandwidth: density(x, keys, bandwidth), "it takes other arguments"),
    },
    "classify": {
        "zero": (lambda x, keys, labels, bandwidth: np.sign(joint_difference(x, keys, labels, bandwidth)),
                 "0 for an empty window"),
        "epsilon": (lambda x, keys, labels, bandwidth: np.sign(joint_difference(x, keys, labels, bandwidth)
                                                               / (density(x, keys, bandwidth) + 1e-12)),
                    "0 for an empty window"),
        "torch.sign": (lambda x, keys, labels, bandwidth: torch.sign(torch.tensor(
            _profile(x, keys, bandwidth, lambda u: np.maximum(0, 1 - u**2)) @ labels / _zero_to_nan(density(x, keys, bandwidth)))),
            "0 for an empty window"),
        "minus": (lambda x, keys, labels, bandwidth: np.where(joint_difference(x, keys, labels, bandwidth) > 0, 1, -1),
                  "−1 for an empty window"),
        "plus": (lambda x, keys, labels, bandwidth: np.where(joint_difference(x, keys, labels, bandwidth) < 0, -1, 1),
                 "+1 for an empty window"),
        "tie −1": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, np.where(joint_difference(x, keys, labels, bandwidth) > 0, 1, -1), np.nan),
            "−1 for a tie"),
        "tie +1": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, np.where(joint_difference(x, keys, labels, bandwidth) >= 0, 1, -1), np.nan),
            "+1 for a tie"),
        "tie NaN": (lambda x, keys, labels, bandwidth: np.sign(_zero_to_nan(joint_difference(x, keys, labels, bandwidth))),
                    "NaN for a tie"),
        "p > 1e-3": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 1e-3, np.sign(joint_difference(x, keys, labels, bandwidth)), np.nan),
            "NaN where a key is only just in reach"),
        "isclose": (lambda x, keys, labels, bandwidth: np.where(
            np.isclose(density(x, keys, bandwidth), 0), np.nan, np.sign(joint_difference(x, keys, labels, bandwidth))),
            "NaN where a key is only just in reach"),
        "average": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ labels
                    / kernel_table(x, keys, bandwidth).sum(1), "the average itself"),
        "flipped": (lambda x, keys, labels, bandwidth: -classify(x, keys, labels, bandwidth), "the sign is flipped"),
        "conditional": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, np.sign(absent_is_zero(x, keys, labels, bandwidth)), np.nan),
            "the class-conditional verdict"),
        "majority": (lambda x, keys, labels, bandwidth: np.where(density(x, keys, bandwidth) > 0, np.sign(labels.sum()), np.nan),
                     "the majority of all keys"),
        "nearest": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, labels[_nearest(x, keys)], np.nan), "the nearest key alone"),
        "fallback": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, classify(x, keys, labels, bandwidth), labels[_nearest(x, keys)]),
            "the nearest key decides where"),
        "typo": (with_a_typo, "raises NameError"),
        "nwlab": (lambda x, keys, labels, bandwidth: np.sign(nwlab.nadaraya_watson(x, keys, labels, "epanechnikov", bandwidth)),
                  "calls nwlab's own nadaraya_watson"),
    },
    "conditional_difference": {
        "joint": (joint_difference, "the class priors are still in it"),
        "absent": (absent_is_zero, "a class without keys has density 0"),
        "nan": (lambda x, keys, labels, bandwidth: np.where(
            density(x, keys, bandwidth) > 0, conditional_difference(x, keys, labels, bandwidth), np.nan), "NaN for an empty window"),
        "sum": (lambda x, keys, labels, bandwidth: conditional_difference(x, keys, labels, bandwidth) if labels.min() > 0 else
                density(x, keys[labels > 0], bandwidth) + density(x, keys[labels < 0], bandwidth), "the sum of the two"),
        "undivided": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ labels, "the sums are not divided"),
        "f_NW": (lambda x, keys, labels, bandwidth: kernel_table(x, keys, bandwidth) @ labels
                 / kernel_table(x, keys, bandwidth).sum(1), "this is f_NW"),
        "sign": (lambda x, keys, labels, bandwidth: np.sign(conditional_difference(x, keys, labels, bandwidth)),
                 "only the sign"),
        "swapped": (lambda x, keys, labels, bandwidth: -conditional_difference(x, keys, labels, bandwidth),
                    "the sign is flipped"),
        "both": (lambda x, keys, labels, bandwidth: (density(x, keys[labels > 0], bandwidth), 0.0),
                 "a tuple where an array was asked"),
    },
    "disagree": {
        "agree": (lambda x, keys, labels, bandwidth: ~disagree(x, keys, labels, bandwidth), "true where they agree"),
        "nan": (lambda x, keys, labels, bandwidth: classify(x, keys, labels, bandwidth)
                != np.sign(conditional_difference(x, keys, labels, bandwidth)), "NaN counts as"),
        "signs": (lambda x, keys, labels, bandwidth: np.sign(joint_difference(x, keys, labels, bandwidth))
                  != np.sign(conditional_difference(x, keys, labels, bandwidth)), "a class without keys counts"),
        "values": (lambda x, keys, labels, bandwidth: ~np.isclose(
            joint_difference(x, keys, labels, bandwidth), conditional_difference(x, keys, labels, bandwidth)),
            "the values are compared"),
        "empty": (lambda x, keys, labels, bandwidth: joint_difference(x, keys, labels, bandwidth)
                  * conditional_difference(x, keys, labels, bandwidth) <= 0, "an empty window counts"),
        "one way": (lambda x, keys, labels, bandwidth: (joint_difference(x, keys, labels, bandwidth) < 0)
                    & (conditional_difference(x, keys, labels, bandwidth) > 0), "only one direction"),
        "places": (lambda x, keys, labels, bandwidth: np.flatnonzero(disagree(x, keys, labels, bandwidth)), "the places"),
        "any": (lambda x, keys, labels, bandwidth: disagree(x, keys, labels, bandwidth).any(), "one number where an array"),
        "never": (lambda x, keys, labels, bandwidth: np.zeros(len(x), bool), "everywhere, whatever the inputs"),
    },
}


def _stub(name):
    raise NotImplementedError(f"write {name}")


def _profile(x, keys, bandwidth, shape):
    d = x[0].size
    u = np.linalg.norm(x.reshape(-1, 1, d) - keys.reshape(1, -1, d), axis=2) / bandwidth
    return (0.75 if d == 1 else 2 / np.pi) * shape(u) / bandwidth**d


def _gaps(x, keys):
    d = x[0].size
    return x.reshape(-1, 1, d) - keys.reshape(1, -1, d)


def _u(x, keys, bandwidth):
    return np.sqrt((_gaps(x, keys)**2).sum(axis=2)) / bandwidth


def _hill(u, x, bandwidth, constant=None):
    return (constant or (0.75 if x.ndim == 1 else 2 / np.pi)) * np.maximum(0, 1 - u**2) / bandwidth**x[0].size


def _zero_to_nan(x):
    return np.where(x == 0, np.nan, x)


def _nearest(x, keys):
    return np.linalg.norm(x.reshape(len(x), 1, -1) - keys.reshape(1, len(keys), -1), axis=2).argmin(axis=1)
