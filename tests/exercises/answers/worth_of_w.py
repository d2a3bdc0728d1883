"""Right and wrong answers to `nwlab.exercises.worth_of_w`; test_answers.py says how they are written."""
import math

import numpy as np

import nwlab


def left_out_weights(keys, w):
    return nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2, mask=~np.eye(len(keys), dtype=bool))


def error_against_truth(queries, targets, keys, values, w):
    weights = nwlab.masked_softmax(-0.5 * ((queries[:, None] - keys) * w) ** 2)
    return np.mean((weights @ values - targets) ** 2)


def error_by_loop(queries, targets, keys, values, w):
    total = 0.0
    for query, target in zip(queries, targets):
        scores = [-0.5 * (query - key) ** 2 * w**2 for key in keys]
        shares = [math.exp(score - max(scores)) for score in scores]
        total += (sum(a * v for a, v in zip(shares, values)) / sum(shares) - target) ** 2
    return total / len(queries)


def error_with_nearest_shift(queries, targets, keys, values, w):
    d = np.abs(np.subtract.outer(queries, keys)) * abs(w)
    e = np.exp((d.min(axis=1, keepdims=True) ** 2 - d**2) / 2)
    return np.square((e * values).sum(axis=1) / e.sum(axis=1) - targets).sum() / queries.size


def leave_one_out_errors(ws, keys, values):
    return np.array([np.mean((left_out_weights(keys, w) @ values - values) ** 2) for w in ws])


def left_out_by_delete(ws, keys, values):
    errors = np.zeros(len(ws))
    for g, w in enumerate(ws):
        for i in range(len(keys)):
            weights = nwlab.masked_softmax(-0.5 * ((keys[i] - np.delete(keys, i)) * w) ** 2)
            errors[g] += (weights @ np.delete(values, i) - values[i]) ** 2 / len(keys)
    return errors


def left_out_all_at_once(ws, keys, values):
    table = -0.5 * ((keys[:, None] - keys) * ws[:, None, None]) ** 2
    table[:, np.arange(len(keys)), np.arange(len(keys))] = -np.inf
    e = np.exp(table - table.max(axis=2, keepdims=True))
    return ((e @ values / e.sum(axis=2) - values) ** 2).mean(axis=1)


def best_w(ws, keys, values):
    return ws[np.argmin(leave_one_out_errors(ws, keys, values))]


def best_by_loop(ws, keys, values):
    best, least = None, math.inf
    for w, error in zip(ws, left_out_by_delete(ws, keys, values)):
        best, least = (float(w), error) if error < least else (best, least)
    return best


def two_rules(queries, targets, keys, values, fixed_w, ws):
    return np.array([[error_against_truth(queries, targets, k, v, w) for w in (fixed_w, best_w(ws, k, v))]
                     for k, v in zip(keys, values)])


def log_weight_gaps(query, keys, w):
    scores = -0.5 * ((query - keys) * w) ** 2
    return scores.max() - scores


def gaps_by_distance(query, keys, w):
    d = np.abs(query - keys)
    return w**2 / 2 * (d - d.min()) * (d + d.min())


def gaps_by_logsumexp(query, keys, w):
    scores = -((w * (keys - query)) ** 2) / 2
    log_weights = scores - np.logaddexp.reduce(scores)
    return log_weights[np.argmin((keys - query) ** 2)] - log_weights


def loss_slope(w, keys, values, factor):
    s = (keys[:, None] - keys) ** 2
    alpha = left_out_weights(keys, w)
    found, mean = alpha @ values, (alpha * s).sum(axis=1, keepdims=True)
    change = -w * (alpha * (s - mean)) @ values
    return factor * np.sum(2 * (found - values) * change)


def slope_by_loop(w, keys, values, factor):
    slope = 0.0
    for i in range(len(keys)):
        s, v = (np.delete(keys, i) - keys[i]) ** 2, np.delete(values, i)
        alpha = nwlab.masked_softmax(-0.5 * w**2 * s)
        slope += 2 * factor * (alpha @ v - values[i]) * -w * (alpha @ (s * v) - (alpha @ s) * (alpha @ v))
    return slope


def loss_itself(w, keys, values, factor):
    return factor * np.sum((left_out_weights(keys, w) @ values - values) ** 2)


def slope_by_differences(w, *at):
    return (loss_itself(w + 1e-6, *at) - loss_itself(w - 1e-6, *at)) / 2e-6


def five_steps(w, keys, values, learning_rate, factor):
    path = [w]
    for _ in range(5):
        path.append(path[-1] - learning_rate * loss_slope(path[-1], keys, values, factor))
    return np.array(path)


RIGHT = {
    "error_against_truth": {"arrays": error_against_truth, "loop": error_by_loop, "shift": error_with_nearest_shift},
    "leave_one_out_errors": {"mask": leave_one_out_errors, "delete": left_out_by_delete, "once": left_out_all_at_once},
    "best_w": {"argmin": best_w, "loop": best_by_loop,
               "min": lambda ws, *sample: min(ws, key=lambda w: leave_one_out_errors([w], *sample)[0])},
    "two_rules": {"rows": two_rules,
                  "loops": (two_rules, "error_against_truth", "error_by_loop", "best_w", "best_by_loop"),
                  "shift": (two_rules, "error_against_truth", "error_with_nearest_shift", "np.array", "np.stack")},
    "log_weight_gaps": {"scores": log_weight_gaps, "distances": gaps_by_distance, "logsumexp": gaps_by_logsumexp},
    "loss_slope": {"arrays": loss_slope, "loop": slope_by_loop, "differences": slope_by_differences},
    "five_steps": {"list": five_steps, "loop": (five_steps, "loss_slope", "slope_by_loop"),
                   "differences": (five_steps, "loss_slope", "slope_by_differences")},
}

# --- wrong: what the exercise does not declare, and declared mistakes written otherwise


def twins_out(ws, keys, values):
    gaps = keys[:, None] - keys
    tables = [nwlab.masked_softmax(-0.5 * (gaps * w) ** 2, mask=gaps != 0) for w in ws]
    return np.array([np.mean((table @ values - values) ** 2) for table in tables])


def unshifted(queries, targets, keys, values, w):
    e = np.exp(-0.5 * ((queries[:, None] - keys) * w) ** 2)
    return np.mean((e @ values / e.sum(axis=1) - targets) ** 2)


def _stub(name):
    raise NotImplementedError(f"write {name}")


WRONG = {
    "error_against_truth": {
        "unshifted": (unshifted, "NaN where a number was expected"),
        "nwlab": (lambda queries, targets, keys, values, w: np.mean(
            (nwlab.nadaraya_watson(queries, keys, values, bandwidth=1 / abs(w)) - targets) ** 2), "own nadaraya"),
    },
    "leave_one_out_errors": {
        "twins": (twins_out, "9 of 10 problems hold"),
        "first only": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values)[0], "one number where an array"),
        "sum": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values) * len(keys), "len(keys) times"),
        "nwlab": (lambda ws, keys, values: nwlab.loo_error(keys, values, 1 / ws), "calls nwlab's own loo_error"),
    },
    "best_w": {
        "errors sorted": (lambda ws, keys, values: ws[np.argmin(sorted(leave_one_out_errors(ws, keys, values)))],
                          "problems hold"),
        "nwlab": (lambda ws, keys, values: 1 / nwlab.select_bandwidth(keys, values, 1 / ws), "own select_bandwidth"),
        "hard-coded": (lambda ws, keys, values: 4.93, "the same answer to every problem"),
        "another stub": (lambda ws, keys, values: _stub("leave_one_out_errors"), "it calls leave_one_out_errors"),
    },
    "two_rules": {
        "fixed": (lambda *inputs: two_rules(*inputs)[:, [0, 0]], "does not hold yet"),
        "mean": (lambda *inputs: two_rules(*inputs).mean(axis=0), "shape (2,) where (3, 2) was expected"),
    },
    "log_weight_gaps": {
        "sorted": (lambda *inputs: np.sort(log_weight_gaps(*inputs)), "does not hold yet"),
        "loop": (lambda query, keys, w: np.array([-0.5 * min(((query - keys) * w) ** 2) + 0.5 * ((query - key) * w) ** 2
                                                  for key in keys]), "a loop in Python"),
    },
    "loss_slope": {
        "factor": (lambda w, keys, values, factor: loss_slope(w, keys, values, 1.0), "1/factor times the right one"),
        "half": (lambda *inputs: loss_slope(*inputs) / 2, "0.5 times the right one"),
        "loss": (loss_itself, "does not hold yet"),
    },
    "five_steps": {
        "half slope": (lambda w, k, v, rate, factor: five_steps(w, k, v, rate / 2, factor), "not hold yet"),
        "no start": (lambda *inputs: five_steps(*inputs)[1:], "shape (5,) where (6,) was expected"),
        "another stub": (lambda *inputs: _stub("loss_slope"), "it calls loss_slope, which is not"),
    },
}

ALTERED = {
    "error_against_truth": [(error_against_truth, "np.mean(", "np.sum(", "len(queries) times the right one"),
                            (error_against_truth, "weights =", "values -= 1; weights =", "changes its inputs")],
    "log_weight_gaps": [(log_weight_gaps, ") ** 2", ") ** 2; scores = scores - np.log(np.exp(scores).sum())",
                         "NaN where a number was expected")],
}
