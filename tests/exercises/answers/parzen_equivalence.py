"""Right answers to `workbook.exercises.parzen_equivalence`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import parzen_equivalence as model


def kernel_table_in_torch(x, keys, bandwidth):
    x, keys = torch.tensor(x), torch.tensor(keys)
    x, keys = (x[:, None], keys[:, None]) if x.ndim == 1 else (x, keys)
    d = x.shape[1]
    u = (x[:, None] - keys[None]).pow(2).sum(-1).sqrt() / bandwidth
    return (0.75 if d == 1 else 2 / math.pi) * torch.clamp(1 - u**2, min=0) / bandwidth**d


def density_by_loop(x, keys, bandwidth):
    constant = (0.75 if x.ndim == 1 else 2 / np.pi) / bandwidth**x[0].size / len(keys)
    hills = [[1 - np.sum((query - key)**2) / bandwidth**2 for key in keys] for query in x]
    return np.array([constant * sum(hill for hill in row if hill > 0) for row in hills])


def joint_of_densities(x, keys, labels, bandwidth):
    positive, negative = keys[labels == 1], keys[labels == -1]
    return sum(sign * model.density(x, own, bandwidth) * len(own) / len(keys)
               for sign, own in ((1, positive), (-1, negative)) if len(own))


def classify_by_loop(x, keys, labels, bandwidth):
    verdicts = np.full(len(x), np.nan)
    for i, row in enumerate(model.kernel_table(x, keys, bandwidth)):
        if row.any():
            f = (row * labels).sum()
            verdicts[i] = 1 if f > 0 else -1 if f < 0 else 0
    return verdicts


def difference_of_means(table, labels):
    return table[:, labels > 0].mean(1) - table[:, labels < 0].mean(1)


LENGTH = model.kernel_table, "((queries - points) ** 2).sum(-1) ** 0.5"

RIGHT = {
    "kernel_table": {
        "norm": (*LENGTH, "np.linalg.norm(queries - points, axis=-1)",
                 "(1 - u**2) * (u < 1)", "np.where(u < 1, (1 - u) * (1 + u), 0.0)"),
        "torch": kernel_table_in_torch},
    "density": {"loop": density_by_loop,
                "torch": lambda x, keys, bandwidth: kernel_table_in_torch(x, keys, bandwidth).sum(1) / len(keys)},
    "joint_difference": {"densities": joint_of_densities, "torch": lambda *at: (
        kernel_table_in_torch(*at[:2], at[3]) * torch.tensor(at[2])[None, :]).mean(1)},
    "classify": {"loop": classify_by_loop},
    "conditional_difference": {
        "warns": lambda x, keys, y, h: difference_of_means(model.kernel_table(x, keys, h), y),
        "torch": lambda x, keys, y, h: difference_of_means(kernel_table_in_torch(x, keys, h), y)},
    "disagree": {"sides": lambda *at: np.array(
        [(j > 0 > c) or (j < 0 < c) for j, c in zip(joint_of_densities(*at), model.conditional_difference(*at))]),
                 "torch": lambda *at: torch.tensor(model.disagree(*at))},
}

ALTERED = {
    "kernel_table": [(model.kernel_table, "(u < 1)", "(0 < u) * (u < 1)", "0 where another number was expected"),
                     (*LENGTH, "np.sqrt(np.maximum(0, (queries**2).sum(-1) + (points**2).sum(-1) - 2 * (queries * "
                      "points).sum(-1)))", "“far from the origin” does not")],
    "classify": [(model.classify, "density(x, keys, bandwidth) > 0", "(np.abs(x[:, None] - keys).reshape("
                  "len(x), len(keys), -1) < bandwidth).all(-1).any(1)", "a number where NaN was expected"),
                 (model.classify, "np.where(in_reach, ", "np.where(in_reach | (len(x) == 1), ", "a number where NaN")],
}


def only_plus_missing(x, keys, labels, bandwidth):
    """A class without keys is thought of on one side only."""
    ill, well = keys[labels > 0], keys[labels < 0]
    difference = -model.density(x, well, bandwidth) if len(ill) == 0 else model.density(x, ill, bandwidth)
    return difference if len(ill) == 0 else difference - model.density(x, well, bandwidth)


WRONG = {
    "conditional_difference": {"all labels −1": (only_plus_missing, "a number where NaN was expected")},
    "joint_difference": {"all labels −1": (lambda x, keys, labels, bandwidth: (
        model.density(x, keys, bandwidth) if (labels > 0).all() else model.density(x, keys[labels > 0], bandwidth)
        * np.mean(labels > 0) - model.density(x, keys[labels < 0], bandwidth) * np.mean(labels < 0)), "NaN where a")},
    "classify": {"a key at the border is in reach": (lambda *at: np.where(
        (abs(np.subtract.outer(*at[:2])) <= at[3]).any(1) if at[0].ndim == 1 else model.density(*at[:2], at[3]) > 0,
        np.sign(model.joint_difference(*at)), np.nan), "a number where NaN was expected"),
                 "rounded": (lambda *at: np.where(model.density(at[0], at[1], at[3]) > 0, np.sign(np.round(
        model.joint_difference(*at), 4)), np.nan), "does not")},
}
