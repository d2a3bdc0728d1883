"""Wrong answers to `workbook.exercises.parzen_equivalence`; test_answers.py says how they are written."""
import numpy as np
from exercises.model_answers import parzen_equivalence as model

LENGTH = model.kernel_table, "((queries - points) ** 2).sum(-1) ** 0.5"

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
