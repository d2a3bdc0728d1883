"""Right answers to `workbook.exercises.worth_of_w`; test_answers.py says how they are written."""
import math

import numpy as np
from exercises.model_answers import worth_of_w as model

import nwlab


def error_by_loop(queries, targets, keys, values, w):
    total = 0.0
    for query, target in zip(queries, targets):
        scores = [-0.5 * (query - key) ** 2 * w**2 for key in keys]
        shares = [math.exp(score - max(scores)) for score in scores]
        total += (sum(a * v for a, v in zip(shares, values)) / sum(shares) - target) ** 2
    return total / len(queries)


def left_out_by_delete(ws, keys, values):
    errors = np.zeros(len(ws))
    for g, w in enumerate(ws):
        for i in range(len(keys)):
            weights = nwlab.masked_softmax(-0.5 * ((keys[i] - np.delete(keys, i)) * w) ** 2)
            errors[g] += (weights @ np.delete(values, i) - values[i]) ** 2 / len(keys)
    return errors


def best_by_loop(ws, keys, values):
    best, least = None, math.inf
    for w, error in zip(ws, left_out_by_delete(ws, keys, values)):
        best, least = (float(w), error) if error < least else (best, least)
    return best


def gaps_by_distance(query, keys, w):
    d = np.abs(query - keys)
    return w**2 / 2 * (d - d.min()) * (d + d.min())


def slope_by_loop(w, keys, values, factor):
    slope = 0.0
    for i in range(len(keys)):
        s, v = (np.delete(keys, i) - keys[i]) ** 2, np.delete(values, i)
        alpha = nwlab.masked_softmax(-0.5 * w**2 * s)
        slope += 2 * factor * (alpha @ v - values[i]) * -w * (alpha @ (s * v) - (alpha @ s) * (alpha @ v))
    return slope


def loss_itself(w, keys, values, factor):
    return factor * len(keys) * model.leave_one_out_errors([w], keys, values)[0]


def slope_by_differences(w, *at):
    return (loss_itself(w + 1e-6, *at) - loss_itself(w - 1e-6, *at)) / 2e-6


RIGHT = {
    "error_against_truth": {"loop": error_by_loop},
    "leave_one_out_errors": {"delete": left_out_by_delete},
    "best_w": {"loop": best_by_loop,
               "min": lambda ws, *sample: min(ws, key=lambda w: model.leave_one_out_errors([w], *sample)[0])},
    "two_rules": {
        "loops": (model.two_rules, "error_against_truth", "error_by_loop", "best_w", "best_by_loop")},
    "log_weight_gaps": {"distances": gaps_by_distance},
    "loss_slope": {"loop": slope_by_loop, "differences": slope_by_differences},
    "five_steps": {"loop": (model.five_steps, "loss_slope", "slope_by_loop"),
                   "differences": (model.five_steps, "loss_slope", "slope_by_differences")},
}
