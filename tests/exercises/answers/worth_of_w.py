"""Right and wrong answers to `nwlab.exercises.worth_of_w`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


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


def in_float32(function):
    def called(*inputs):
        return function(*(x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in inputs))

    return called


def leave_one_out_errors(ws, keys, values):
    return np.array([np.mean((left_out_weights(keys, w) @ values - values) ** 2) for w in ws])


def left_out_by_delete(ws, keys, values):
    errors = np.zeros(len(ws))
    for g, w in enumerate(ws):
        for i in range(len(keys)):
            others, theirs = np.delete(keys, i), np.delete(values, i)
            errors[g] += (nwlab.masked_softmax(-0.5 * ((keys[i] - others) * w) ** 2) @ theirs - values[i]) ** 2 / len(keys)
    return errors


def left_out_all_at_once(ws, keys, values):
    table = -0.5 * ((keys[:, None] - keys) * ws[:, None, None]) ** 2
    table[:, np.arange(len(keys)), np.arange(len(keys))] = -np.inf
    e = np.exp(table - table.max(axis=2, keepdims=True))
    return ((e @ values / e.sum(axis=2) - values) ** 2).mean(axis=1)


def best_w(ws, keys, values):
    return ws[np.argmin(leave_one_out_errors(ws, keys, values))]


def best_by_min(ws, keys, values):
    return min(ws, key=lambda w: leave_one_out_errors([w], keys, values)[0])


def best_by_loop(ws, keys, values):
    best, least = None, math.inf
    for w, error in zip(ws, left_out_by_delete(ws, keys, values)):
        if error < least:
            best, least = float(w), error
    return best


def two_rules(queries, targets, keys, values, fixed_w, ws):
    return np.array([[error_against_truth(queries, targets, k, v, fixed_w),
                      error_against_truth(queries, targets, k, v, best_w(ws, k, v))] for k, v in zip(keys, values)])


def rules_by_column(queries, targets, keys, values, fixed_w, ws):
    fixed = [error_by_loop(queries, targets, k, v, fixed_w) for k, v in zip(keys, values)]
    chosen = [error_by_loop(queries, targets, k, v, best_by_loop(ws, k, v)) for k, v in zip(keys, values)]
    return np.stack([fixed, chosen], axis=1)


def rules_filled(queries, targets, keys, values, fixed_w, ws):
    errors = np.empty((len(keys), 2))
    for i in range(keys.shape[0]):
        for column, w in enumerate([fixed_w, best_by_min(ws, keys[i], values[i])]):
            errors[i, column] = error_with_nearest_shift(queries, targets, keys[i], values[i], w)
    return errors


def log_weight_gaps(query, keys, w):
    scores = -0.5 * ((query - keys) * w) ** 2
    return scores.max() - scores


def gaps_by_distance(query, keys, w):
    d = np.sort(np.abs(query - keys))[0]
    return w**2 / 2 * (np.abs(query - keys) - d) * (np.abs(query - keys) + d)


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
        e = np.exp(-0.5 * w**2 * (s - s.min()))
        alpha = e / e.sum()
        slope += 2 * factor * (alpha @ v - values[i]) * -w * (alpha @ (s * v) - (alpha @ s) * (alpha @ v))
    return slope


def slope_as_covariance(w, keys, values, factor):
    s, alpha = np.subtract.outer(keys, keys) ** 2, left_out_weights(keys, w)
    f = np.einsum("ij,j->i", alpha, values)
    covariance = np.einsum("ij,ij,ij->i", alpha, s - (alpha * s).sum(1)[:, None], values[None, :] - f[:, None])
    return float(-2 * w * factor * ((f - values) * covariance).sum())


def slope_by_differences(w, keys, values, factor):
    return (loss_itself(w + 1e-6, keys, values, factor) - loss_itself(w - 1e-6, keys, values, factor)) / 2e-6


def five_steps(w, keys, values, learning_rate, factor):
    path = [w]
    for _ in range(5):
        path.append(path[-1] - learning_rate * loss_slope(path[-1], keys, values, factor))
    return np.array(path)


def steps_filled(w, keys, values, learning_rate, factor):
    path = np.full(6, float(w))
    for step in range(1, 6):
        path[step] = path[step - 1] - learning_rate * factor * slope_by_loop(path[step - 1], keys, values, 1.0)
    return path


def steps_recursive(w, keys, values, learning_rate, factor, left=5):
    if left == 0:
        return np.array([w], dtype=float)
    after = w - learning_rate * slope_as_covariance(w, keys, values, factor)
    return np.concatenate([[w], steps_recursive(after, keys, values, learning_rate, factor, left - 1)])


def steps_by_differences(w, keys, values, learning_rate, factor):
    path = np.zeros(6) + w
    for step in range(5):
        path[step + 1:] -= learning_rate * slope_by_differences(path[step], keys, values, factor)
    return path


RIGHT = {
    "error_against_truth": {"vectorised": error_against_truth, "loop": error_by_loop, "shift": error_with_nearest_shift,
                            "float32": in_float32(error_against_truth)},
    "leave_one_out_errors": {"mask": leave_one_out_errors, "delete": left_out_by_delete, "at once": left_out_all_at_once,
                             "float32": in_float32(leave_one_out_errors)},
    "best_w": {"argmin": best_w, "min": best_by_min, "loop": best_by_loop},
    "two_rules": {"rows": two_rules, "columns": rules_by_column, "filled": rules_filled, "float32": in_float32(two_rules)},
    "log_weight_gaps": {"scores": log_weight_gaps, "distances": gaps_by_distance, "logsumexp": gaps_by_logsumexp},
    "loss_slope": {"arrays": loss_slope, "loop": slope_by_loop, "covariance": slope_as_covariance,
                   "differences": slope_by_differences},
    "five_steps": {"list": five_steps, "filled": steps_filled, "recursive": steps_recursive,
                   "differences": steps_by_differences},
}

# --- wrong: written as students write


def _pool(queries, keys, values, scores):
    return nwlab.masked_softmax(scores(queries[:, None] - keys)) @ values


def error_of(scores):
    return lambda queries, targets, keys, values, w: np.mean(
        (_pool(queries, keys, values, lambda gaps: scores(gaps, w)) - targets) ** 2)


def left_out_of(scores):
    def errors(ws, keys, values):
        others = ~np.eye(len(keys), dtype=bool)
        return np.array([np.mean((nwlab.masked_softmax(scores(keys[:, None] - keys, w), mask=others) @ values - values) ** 2)
                         for w in ws])

    return errors


def unshifted(queries, targets, keys, values, w):
    e = np.exp(-0.5 * ((queries[:, None] - keys) * w) ** 2)
    return np.mean((e @ values / e.sum(axis=1) - targets) ** 2)


def not_normalised(queries, targets, keys, values, w):
    return np.mean((np.exp(-0.5 * ((queries[:, None] - keys) * w) ** 2) @ values - targets) ** 2)


def sorting_in_place(queries, targets, keys, values, w):
    keys += 0.0
    values -= values.mean()
    return error_against_truth(queries, targets, keys, values, w)


def kept(ws, keys, values):
    tables = [-0.5 * ((keys[:, None] - keys) * w) ** 2 for w in ws]
    return np.array([np.mean((nwlab.masked_softmax(table) @ values - values) ** 2) for table in tables])


def zeroed(ws, keys, values):
    errors = []
    for w in ws:
        weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2)
        np.fill_diagonal(weights, 0)
        errors.append(np.mean((weights @ values - values) ** 2))
    return np.array(errors)


def twins_out(ws, keys, values):
    gaps = keys[:, None] - keys
    return np.array([np.mean((nwlab.masked_softmax(-0.5 * (gaps * w) ** 2, mask=gaps != 0) @ values - values) ** 2)
                     for w in ws])


def by_shortcut(ws, keys, values):
    errors = []
    for w in ws:
        weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2)
        errors.append(np.mean(((values - weights @ values) / (1 - np.diag(weights))) ** 2))
    return np.array(errors)


def renormalised_late(ws, keys, values):
    errors = []
    for w in ws:
        weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2)
        np.fill_diagonal(weights, 0)
        weights = weights / weights.sum(axis=1, keepdims=True)
        errors.append(np.mean((weights @ values - values) ** 2))
    return np.array(errors)


def measured(measure):
    return lambda ws, keys, values: np.array([measure(left_out_weights(keys, w) @ values - values) for w in ws])


def chosen_by(errors, pick=np.argmin):
    return lambda ws, keys, values: ws[pick(errors(ws, keys, values))]


def rules_with(choose, judge=error_against_truth):
    return lambda queries, targets, keys, values, fixed_w, ws: np.array(
        [[judge(queries, targets, k, v, w) for w in (fixed_w, choose(ws, k, v))] for k, v in zip(keys, values)])


def peeking(queries, targets, keys, values, fixed_w, ws):
    def choose(ws, k, v):
        return min(ws, key=lambda w: error_against_truth(queries, targets, k, v, w))

    return rules_with(choose)(queries, targets, keys, values, fixed_w, ws)


def one_for_all(queries, targets, keys, values, fixed_w, ws):
    w = ws[np.mean([leave_one_out_errors(ws, k, v) for k, v in zip(keys, values)], axis=0).argmin()]
    return rules_with(lambda *_: w)(queries, targets, keys, values, fixed_w, ws)


def ravelled(queries, targets, keys, values, fixed_w, ws):
    w = best_w(ws, keys.flatten(), values.flatten())
    return rules_with(lambda *_: w)(queries, targets, keys, values, fixed_w, ws)


def chosen_w_itself(queries, targets, keys, values, fixed_w, ws):
    return np.array([(error_against_truth(queries, targets, k, v, fixed_w), best_w(ws, k, v)) for k, v in zip(keys, values)])


def least_left_out(queries, targets, keys, values, fixed_w, ws):
    return np.array([(error_against_truth(queries, targets, k, v, fixed_w), min(leave_one_out_errors(ws, k, v)))
                     for k, v in zip(keys, values)])


def first_sample_only(queries, targets, keys, values, fixed_w, ws):
    return two_rules(queries, targets, keys[:1], values[:1], fixed_w, ws)[0]


def log_of_weights(query, keys, w):
    log_weights = np.log(nwlab.masked_softmax(-0.5 * ((query - keys) * w) ** 2))
    return log_weights.max() - log_weights


def gaps_by_loop(query, keys, w):
    scores = []
    for key in keys:
        scores.append(-0.5 * ((query - key) * w) ** 2)
    return np.array([max(scores) - score for score in scores])


def gaps_of(formula):
    return lambda query, keys, w: formula(np.abs(query - keys), np.abs(query - keys).min(), w)


def slope_of(w, keys, values, factor, alpha=None, centre=True, inner=None):
    s = (keys[:, None] - keys) ** 2
    alpha = left_out_weights(keys, w) if alpha is None else alpha
    found = alpha @ values
    s = s - (alpha * s).sum(axis=1, keepdims=True) if centre else s
    return factor * np.sum(2 * (found - values) * (-(w if inner is None else inner) * (alpha * s) @ values))


def slope_uncentred(axis, keepdims):
    def slope(w, keys, values, factor):
        s, alpha = (keys[:, None] - keys) ** 2, left_out_weights(keys, w)
        change = -w * (alpha * (s - (alpha * s).sum(axis=axis, keepdims=keepdims))) @ values
        return 2 * factor * np.sum((alpha @ values - values) * change)

    return slope


def slope_kept(w, keys, values, factor):
    return slope_of(w, keys, values, factor, nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * w) ** 2))


def slope_outside(w, keys, values, factor):
    alpha = nwlab.masked_softmax(-0.5 * (keys[:, None] - keys) ** 2 * w, mask=~np.eye(len(keys), dtype=bool))
    return slope_of(w, keys, values, factor, alpha, inner=0.5)


def slope_without_residual(w, keys, values, factor):
    s, alpha = (keys[:, None] - keys) ** 2, left_out_weights(keys, w)
    return 2 * factor * np.sum(-w * (alpha * (s - (alpha * s).sum(axis=1, keepdims=True))) @ values)


def loss_itself(w, keys, values, factor):
    return factor * np.sum((left_out_weights(keys, w) @ values - values) ** 2)


def slope_of_each(w, keys, values, factor):
    return np.array([loss_slope(w, keys, values, factor)] * len(keys))


def slope_by_autograd(w, keys, values, factor):
    w, keys, values = torch.tensor(w, dtype=torch.float64, requires_grad=True), torch.tensor(keys), torch.tensor(values)
    scores = (-0.5 * ((keys[:, None] - keys) * w) ** 2).masked_fill(torch.eye(len(keys), dtype=torch.bool), -torch.inf)
    loss = factor * ((torch.softmax(scores, dim=1) @ values - values) ** 2).sum()
    return torch.autograd.grad(loss, w)[0]


def steps_with(slope=loss_slope, sign=-1, count=5, stale=False):
    def walk(w, keys, values, learning_rate, factor):
        path = [w]
        for _ in range(count):
            path.append(path[-1] + sign * learning_rate * slope(path[0] if stale else path[-1], keys, values, factor))
        return np.array(path)

    return walk


def letter_by_letter(query, keys, w):
    s = -0.5 * ((query - keys) * w) ** 2
    log_alpha = s - np.log(np.exp(s).sum())
    return log_alpha.max() - log_alpha


def log_sum_once(query, keys, w):
    s = -0.5 * ((query - keys) * w) ** 2
    return s.max() - np.log(np.exp(s).sum()) - s


def log_sum_in_each(query, keys, w):
    s = -0.5 * ((query - keys) * w) ** 2
    return s.max() - (s - np.log(np.exp(s).sum()))


def gaps_from(scores, pick=np.argmax):
    return lambda query, keys, w: scores(query - keys, w)[pick(scores(query - keys, w))] - scores(query - keys, w)


def slope_unshifted(w, keys, values, factor):
    alpha = np.exp(-0.5 * ((keys[:, None] - keys) * w) ** 2)
    np.fill_diagonal(alpha, 0.0)
    return slope_of(w, keys, values, factor, alpha / alpha.sum(axis=1, keepdims=True))


def slope_w_once(w, keys, values, factor):
    alpha = nwlab.masked_softmax(-0.5 * (keys[:, None] - keys) ** 2 * w, mask=~np.eye(len(keys), dtype=bool))
    return slope_of(w, keys, values, factor, alpha)


def slope_plain_mean(w, keys, values, factor):
    s, alpha = (keys[:, None] - keys) ** 2, left_out_weights(keys, w)
    change = -w * (alpha * (s - s.mean(axis=1, keepdims=True))) @ values
    return factor * np.sum(2 * (alpha @ values - values) * change)


def slope_of_answers(w, keys, values, factor):
    s, alpha = (keys[:, None] - keys) ** 2, left_out_weights(keys, w)
    found, mean = alpha @ values, (alpha * s).sum(axis=1, keepdims=True)
    return factor * np.sum(2 * found * (-w * (alpha * (s - mean)) @ values))


def six_times_w(w, keys, values, learning_rate, factor):
    ws = [w] * 6
    for i in range(5):
        ws[i + 1] -= learning_rate * loss_slope(ws[i], keys, values, factor)
    return np.array(ws)


def six_times_itself(w, keys, values, learning_rate, factor):
    ws = [w] * 6
    for i in range(1, 6):
        ws[i] -= learning_rate * loss_slope(ws[i], keys, values, factor)
    return np.array(ws)


def whole_numbers(w, keys, values, learning_rate, factor):
    ws = np.array([0] * 6)
    ws[0] = w
    for i in range(5):
        ws[i + 1] = ws[i] - learning_rate * loss_slope(ws[i], keys, values, factor)
    return ws


def left_out_with(error):
    """Leave-one-out by calling error_against_truth for each point, as it came out."""
    def errors(ws, keys, values):
        return np.array([np.mean([error(keys[i:i + 1], values[i:i + 1], np.delete(keys, i), np.delete(values, i), w)
                                  for i in range(len(keys))]) for w in ws])

    return errors


def square_forgotten(queries, targets, keys, values, w):
    return np.mean(_pool(queries, keys, values, lambda gaps: -0.5 * (gaps * w) ** 2) - targets)


def squared_late(queries, targets, keys, values, w):
    return square_forgotten(queries, targets, keys, values, w) ** 2


def axis_of_queries(queries, targets, keys, values, w):
    e = np.exp(-0.5 * ((queries[:, None] - keys) * w) ** 2)
    e = np.exp(np.log(np.maximum(e, 1e-300)) - np.log(np.maximum(e, 1e-300)).max(axis=0))
    return np.mean((e / e.sum(axis=0) @ values - targets) ** 2)


def first_chooses(queries, targets, keys, values, fixed_w, ws):
    w = best_w(ws, keys[0], values[0])
    return rules_with(lambda *_: w)(queries, targets, keys, values, fixed_w, ws)


WRONG = {
    "error_against_truth": {
        "stub": (lambda queries, targets, keys, values, w: _stub("error_against_truth"), "not written yet"),
        "outside": (error_of(lambda gaps, w: -0.5 * gaps**2 * w), "w stands outside the square"),
        "divides": (error_of(lambda gaps, w: -0.5 * (gaps / w) ** 2), "it divides by w: that is σ"),
        "no half": (error_of(lambda gaps, w: -((gaps * w) ** 2)), "the ½ is missing"),
        "no minus": (error_of(lambda gaps, w: 0.5 * (gaps * w) ** 2), "the farthest key gets most"),
        "axis": (lambda queries, targets, keys, values, w: np.mean(
            (nwlab.masked_softmax((-0.5 * ((queries[:, None] - keys) * w) ** 2).T).T @ values - targets) ** 2),
            "the softmax runs over the queries"),
        "sum": (lambda queries, targets, keys, values, w: len(queries) * error_against_truth(queries, targets, keys, values, w),
                "the sum of the squares, not their mean"),
        "absolute": (lambda queries, targets, keys, values, w: np.mean(np.abs(
            _pool(queries, keys, values, lambda gaps: -0.5 * (gaps * w) ** 2) - targets)), "the mean of the absolute errors"),
        "root": (lambda *inputs: np.sqrt(error_against_truth(*inputs)), "the root of the mean square"),
        "no square": (square_forgotten, "the square is forgotten"),
        "squared late": (squared_late, "the square of the mean"),
        "noisy": (lambda queries, targets, keys, values, w: error_against_truth(keys, values, keys, values, w),
                  "it asks at the keys and compares with the noisy values"),
        "left out": (lambda queries, targets, keys, values, w: leave_one_out_errors([w], keys, values)[0],
                     "leaves each key out and compares with the noisy"),
        "sums": (not_normalised, "the weights do not sum to one"),
        "unshifted": (unshifted, "0/0 at a very large w"),
        "mutates": (sorting_in_place, "changes its inputs (values)"),
        "nwlab": (lambda queries, targets, keys, values, w: np.mean(
            (nwlab.nadaraya_watson(queries, keys, values, bandwidth=1 / abs(w)) - targets) ** 2), "nwlab's own nadaraya_watson"),
        "each query": (lambda queries, targets, keys, values, w: (
            _pool(queries, keys, values, lambda gaps: -0.5 * (gaps * w) ** 2) - targets) ** 2, "an array where one number"),
        "torch": (lambda *inputs: torch.tensor(error_against_truth(*inputs)), "torch where NumPy was asked"),
    },
    "leave_one_out_errors": {
        "kept": (kept, "no point is left out"),
        "mask": (lambda ws, keys, values: np.array([np.mean((nwlab.masked_softmax(
            -0.5 * ((keys[:, None] - keys) * w) ** 2, np.eye(len(keys), dtype=bool)) @ values - values) ** 2) for w in ws]),
            "the mask is the wrong way round"),
        "zeroed": (zeroed, "the diagonal is set to 0 after the softmax"),
        "twins": (twins_out, "all keys at a point's own place are left out"),
        "outside": (left_out_of(lambda gaps, w: -0.5 * gaps**2 * w), "w stands outside the square"),
        "divides": (left_out_of(lambda gaps, w: -0.5 * (gaps / w) ** 2), "it divides by w: that is σ"),
        "no half": (left_out_of(lambda gaps, w: -((gaps * w) ** 2)), "the ½ is missing"),
        "no minus": (left_out_of(lambda gaps, w: 0.5 * (gaps * w) ** 2), "the farthest key gets most"),
        "sum": (measured(lambda r: np.sum(r**2)), "the sum of the squares, not their mean"),
        "absolute": (measured(lambda r: np.mean(abs(r))), "the mean of the absolute errors"),
        "root": (measured(lambda r: np.mean(r**2) ** 0.5), "the root of the mean square"),
        "by error, outside": (left_out_with(error_of(lambda gaps, w: -0.5 * gaps**2 * w)), "w stands outside the square"),
        "by error, not normalised": (left_out_with(not_normalised), "the weights do not sum to one"),
        "by error, axis": (left_out_with(axis_of_queries), "every other point gets the weight 1"),
        "by error, no square": (left_out_with(square_forgotten), "the square is forgotten"),
        "shortcut": (by_shortcut, "0/0 at a very large w"),
        "late": (renormalised_late, "0/0 at a very large w"),
        "list": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values).tolist(), "a list where an array"),
        "first only": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values)[0], "only the error of the first w"),
        "half": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values) / 2, "0.5 times the right one"),
        "nwlab": (lambda ws, keys, values: nwlab.loo_error(keys, values, 1 / ws), "calls nwlab's own loo_error"),
        "each point": (lambda ws, keys, values: np.stack([(left_out_weights(keys, w) @ values - values) ** 2 for w in ws]),
                       "where (2,) was asked"),
    },
    "best_w": {
        "place": (lambda ws, keys, values: np.argmin(leave_one_out_errors(ws, keys, values)), "the place of the best w"),
        "error": (lambda ws, keys, values: leave_one_out_errors(ws, keys, values).min(), "the smallest error, not the w"),
        "argmax": (chosen_by(leave_one_out_errors, np.argmax), "the w with the largest error"),
        "kept": (chosen_by(kept), "no point is left out, so the largest w wins"),
        "sigma": (lambda ws, keys, values: 1 / best_w(ws, keys, values), "σ is returned, not w"),
        "outside": (chosen_by(left_out_of(lambda gaps, w: -0.5 * gaps**2 * w)), "w stands outside the square"),
        "divides": (chosen_by(left_out_of(lambda gaps, w: -0.5 * (gaps / w) ** 2)), "the errors divide by w"),
        "zeroed": (chosen_by(zeroed), "the diagonal is set to 0"),
        "errors sorted": (lambda ws, keys, values: ws[np.argmin(sorted(leave_one_out_errors(ws, keys, values)))], "the first w"),
        "errors of sorted": (lambda ws, keys, values: ws[leave_one_out_errors(np.sort(ws), keys, values).argmin()],
                             "the errors are those of the sorted ws"),
        "sorted": (lambda ws, keys, values: sorted(ws)[leave_one_out_errors(ws, keys, values).argmin()], "the widths are sorted"),
        "nothing": (lambda ws, keys, values: None, "returns nothing"),
        "nwlab": (lambda ws, keys, values: 1 / nwlab.select_bandwidth(keys, values, 1 / ws), "calls nwlab's own select_bandwidth"),
        "hard-coded": (lambda ws, keys, values: 4.93, "the same answer to every problem"),
        "another stub": (lambda ws, keys, values: _stub("leave_one_out_errors"), "it calls leave_one_out_errors, which is not"),
    },
    "two_rules": {
        "peeks": (peeking, "chosen by the error against the truth"),
        "first sample's": (first_chooses, "the first sample chooses for all"),
        "bad error, outside": (rules_with(best_w, error_of(lambda gaps, w: -0.5 * gaps**2 * w)), "the error is not: w stands outside"),
        "bad error, no half": (rules_with(best_w, error_of(lambda gaps, w: -((gaps * w) ** 2))), "the error is not: the ½"),
        "bad error, no square": (rules_with(best_w, square_forgotten), "the error is not: the square is forgotten"),
        "bad error, root": (rules_with(best_w, lambda *inputs: error_against_truth(*inputs) ** 0.5), "the error is not: a root"),
        "bad w, place": (rules_with(lambda ws, k, v: np.argmin(leave_one_out_errors(ws, k, v))), "the chosen w is not: it is the place"),
        "bad w, argmax": (rules_with(chosen_by(leave_one_out_errors, np.argmax)), "the chosen w is not: it has the largest"),
        "bad w, outside": (rules_with(chosen_by(left_out_of(lambda gaps, w: -0.5 * gaps**2 * w))), "the chosen w is not: w stands"),
        "one for all": (one_for_all, "one w is chosen for all samples"),
        "ravelled": (ravelled, "thrown into one"),
        "swapped": (lambda *inputs: two_rules(*inputs)[:, ::-1], "the columns are swapped"),
        "w": (chosen_w_itself, "the second column is the chosen w"),
        "loo": (rules_with(best_w, lambda q, t, k, v, w: leave_one_out_errors([w], k, v)[0]), "leave-one-out errors, not"),
        "least": (least_left_out, "the second column is a leave-one-out error"),
        "kept": (rules_with(chosen_by(kept)), "no point is left out when w is chosen"),
        "fixed": (lambda queries, targets, keys, values, fixed_w, ws: rules_with(lambda *_: fixed_w)(
            queries, targets, keys, values, fixed_w, ws), "both columns use the fixed w"),
        "mean": (lambda *inputs: two_rules(*inputs).mean(axis=0), "the mean over the samples"),
        "transposed": (lambda *inputs: two_rules(*inputs).T, "rows and columns are swapped"),
        "first only": (first_sample_only, "only the first sample"),
        "pairs": (lambda *inputs: tuple(two_rules(*inputs).T), "a tuple where an array was asked"),
    },
    "log_weight_gaps": {
        "logs": (log_of_weights, "infinity: the logarithm of a weight"),
        "outside": (gaps_of(lambda d, near, w: 0.5 * w * (d**2 - near**2)), "w stands outside the square"),
        "divides": (gaps_of(lambda d, near, w: 0.5 * ((d / w) ** 2 - (near / w) ** 2)), "it divides by w: that is σ"),
        "letter": (letter_by_letter, "the logarithm of 0 is −∞"),
        "log-sum once": (log_sum_once, "log Σ is taken from the nearest key's score only"),
        "log-sum in each": (log_sum_in_each, "log Σ is taken from each key's score"),
        "outside, max": (gaps_from(lambda gaps, w: -0.5 * gaps**2 * w), "w stands outside the square"),
        "no square": (gaps_from(lambda gaps, w: -0.5 * np.abs(gaps * w)), "the square is forgotten"),
        "no square, w signed": (gaps_from(lambda gaps, w: -0.5 * np.abs(gaps) * w), "the square is forgotten, and w keeps its sign"),
        "no square, w squared": (gaps_from(lambda gaps, w: -0.5 * np.abs(gaps) * w**2), "w is squared, the distance is not"),
        "argmin": (gaps_from(lambda gaps, w: -0.5 * (gaps * w) ** 2, np.argmin), "measured from the farthest key"),
        "above the farthest": (lambda query, keys, w: -gaps_from(lambda gaps, w: -0.5 * (gaps * w) ** 2, np.argmin)(query, keys, w),
                               "above the farthest one"),
        "sorted": (lambda query, keys, w: np.sort(log_weight_gaps(query, keys, w)), "the gaps are sorted"),
        "exp": (lambda query, keys, w: np.exp(-log_weight_gaps(query, keys, w)), "e to the power of minus the gap"),
        "no half": (gaps_of(lambda d, near, w: w**2 * (d**2 - near**2)), "the ½ is missing"),
        "squared late": (gaps_of(lambda d, near, w: 0.5 * ((d - near) * w) ** 2), "the difference of the distances is squared"),
        "from the first": (lambda query, keys, w: -0.5 * ((query - keys[0]) * w) ** 2 + 0.5 * ((query - keys) * w) ** 2,
                           "measured from the first key"),
        "ratio": (lambda query, keys, w: np.exp(log_weight_gaps(query, keys, w)), "the ratios of the weights"),
        "scores": (lambda query, keys, w: 0.5 * ((query - keys) * w) ** 2, "minus the scores, not their gaps"),
        "weights": (lambda query, keys, w: nwlab.masked_softmax(-0.5 * ((query - keys) * w) ** 2), "the weights themselves"),
        "sign": (lambda query, keys, w: -log_weight_gaps(query, keys, w), "the sign is flipped"),
        "log10": (lambda query, keys, w: log_weight_gaps(query, keys, w) / np.log(10), "0.4343 times"),
        "loop": (gaps_by_loop, "a loop in Python"),
    },
    "loss_slope": {
        "sign": (lambda *inputs: -loss_slope(*inputs), "the sign is flipped: minus the slope"),
        "factor": (lambda w, keys, values, factor: loss_slope(w, keys, values, 1.0), "the factor in front of the loss"),
        "half": (lambda *inputs: loss_slope(*inputs) / 2, "the 2 of the square is missing"),
        "inner": (lambda w, keys, values, factor: slope_of(w, keys, values, factor, inner=1.0), "the w of the inner derivative"),
        "unshifted": (slope_unshifted, "0/0 at a very large w"),
        "w once": (slope_w_once, "w is not squared in the softmax"),
        "plain mean": (slope_plain_mean, "s̄ is a plain mean"),
        "answers": (slope_of_answers, "the values are not taken away"),
        "no mean": (lambda w, keys, values, factor: slope_of(w, keys, values, factor, centre=False), "the mean s̄ is not"),
        "keepdims": (slope_uncentred(1, False), "keepdims is missing"),
        "axis": (slope_uncentred(0, True), "s̄ is taken along the wrong axis"),
        "kept": (slope_kept, "no point is left out"),
        "mean loss": (lambda w, keys, values, factor: loss_slope(w, keys, values, factor) / len(keys), "the mean over the points"),
        "residual": (slope_without_residual, "without their residuals"),
        "outside": (slope_outside, "w stands outside the square"),
        "loss": (loss_itself, "the loss, not its slope"),
        "twins": (lambda w, keys, values, factor: slope_of(w, keys, values, factor, nwlab.masked_softmax(
            -0.5 * ((keys[:, None] - keys) * w) ** 2, mask=keys[:, None] != keys)), "all keys at a point's own place"),
        "each": (slope_of_each, "an array where one number was asked"),
        "autograd": (slope_by_autograd, "torch where NumPy was asked"),
    },
    "five_steps": {
        "climbs": (steps_with(sign=1), "it climbs"),
        "factor": (steps_with(lambda w, keys, values, factor: loss_slope(w, keys, values, 1.0)), "the factor has no effect"),
        "factor twice": (steps_with(lambda w, keys, values, factor: factor * loss_slope(w, keys, values, factor)),
                         "the factor is used twice"),
        "six times w": (six_times_w, "each step sets out from the first w"),
        "six times itself": (six_times_itself, "one step, five times over"),
        "integers": (whole_numbers, "whole numbers"),
        "half slope": (steps_with(lambda *inputs: loss_slope(*inputs) / 2), "every step has half its length"),
        "bad slope, no mean": (steps_with(lambda w, keys, values, factor: slope_of(w, keys, values, factor, centre=False)),
                               "the slope is not: s̄ is not subtracted"),
        "bad slope, plain mean": (steps_with(slope_plain_mean), "the slope is not: s̄ is a plain mean"),
        "no rate": (lambda w, keys, values, learning_rate, factor: five_steps(w, keys, values, 1.0, factor),
                    "the learning rate is left out"),
        "stale": (steps_with(stale=True), "each step uses the slope at the start"),
        "last": (lambda *inputs: five_steps(*inputs)[-1], "only the last w"),
        "no start": (lambda *inputs: five_steps(*inputs)[1:], "the start is missing"),
        "four": (steps_with(count=4), "the last step is missing"),
        "six": (steps_with(count=6), "one step too many"),
        "mean loss": (steps_with(lambda w, keys, values, factor: loss_slope(w, keys, values, factor) / len(keys)),
                      "the slope of the mean loss"),
        "kept": (steps_with(slope_kept), "no point is left out"),
        "list": (lambda *inputs: five_steps(*inputs).tolist(), "a list where an array"),
        "another stub": (lambda w, keys, values, learning_rate, factor: _stub("loss_slope"), "it calls loss_slope, which is not"),
    },
}


def _stub(name):
    raise NotImplementedError(f"write {name}")
