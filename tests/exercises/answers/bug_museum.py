"""Right and wrong answers to `nwlab.exercises.bug_museum`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_by_loop(scores):
    rows = []
    for row in scores:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows)


def softmax_by_columns(scores):
    turned = scores.T
    e = np.exp(turned - turned.max(axis=0))
    return (e / e.sum(axis=0)).T


def softmax_by_logarithm(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1)[:, None])


def softmax_in_float32(scores):
    return softmax_rows(scores.astype(np.float32))


def pool_column(queries, keys, values, w):
    return softmax_rows(-0.5 * ((queries - keys[None, :]) * w) ** 2) @ values


def pool_by_loop(queries, keys, values, w):
    answers = []
    for (q,) in queries:
        nearest = min(abs(q - k) for k in keys)
        alpha = [math.exp(0.5 * w**2 * (nearest**2 - (q - k) ** 2)) for k in keys]
        answers.append(sum(a * v for a, v in zip(alpha, values)) / sum(alpha))
    return np.array(answers)


def pool_by_package(queries, keys, values, w):
    return nwlab.masked_softmax(-0.5 * (np.subtract.outer(queries[:, 0], keys) * w) ** 2) @ values


def pool_wastefully(queries, keys, values, w):
    copies = np.tile(keys, (len(queries), 1))
    scores = -0.5 * ((queries[:, None] - copies) * w) ** 2                  # (m, m, n)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return ((e / e.sum(axis=-1, keepdims=True)) * values).sum(axis=-1)[:, 0]


def pool_in_float32(queries, keys, values, w):
    return pool_column(queries.astype(np.float32), keys.astype(np.float32), values.astype(np.float32), np.float32(w))


def weights_inside(queries, keys, w):
    return softmax_rows(-0.5 * ((queries[:, None] - keys) * w) ** 2)


def weights_outside_but_squared(queries, keys, w):
    return nwlab.masked_softmax(-0.5 * np.subtract.outer(queries, keys) ** 2 * w**2)


def weights_by_loop(queries, keys, w):
    table = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            table[i, j] = math.exp(-((q - k) * w) ** 2 / 2)
    return table / table.sum(axis=1)[:, None]


def weights_in_float32(queries, keys, w):
    return weights_inside(queries.astype(np.float32), keys.astype(np.float32), np.float32(w))


def answers_per_key(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    return softmax_rows(np.where(np.eye(len(keys), dtype=bool), -np.inf, scores)) @ values


def per_key_by_package(ws, keys, values):
    return nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys) * ws) ** 2, mask=~np.eye(len(keys), dtype=bool)) @ values


def per_key_by_loop(ws, keys, values):
    answers = []
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        scores = -0.5 * ((keys[i] - keys[others]) * ws[others]) ** 2
        alpha = np.exp(scores - scores.max())
        answers.append(alpha @ values[others] / alpha.sum())
    return np.array(answers)


def per_key_all_cut(ws, keys, values):
    n = len(keys)

    def cut(x):
        return np.tile(x, (n, 1))[~np.eye(n, dtype=bool)].reshape(n, n - 1)

    return (softmax_rows(-0.5 * ((keys[:, None] - cut(keys)) * cut(ws)) ** 2) * cut(values)).sum(axis=1)


def per_key_very_low(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    scores[np.diag_indices(len(keys))] = -1e9
    return softmax_rows(scores) @ values


def predict_at(test_inputs, keys, values, w):
    return softmax_rows(-0.5 * ((test_inputs[:, None] - keys) * w) ** 2) @ values


def predict_by_loop(test_inputs, keys, values, w):
    return np.array([np.average(values, weights=np.exp(-0.5 * ((x - keys) * w) ** 2)) for x in test_inputs])


def predict_by_package(test_inputs, keys, values, w):
    return nwlab.masked_softmax(-0.5 * ((test_inputs.reshape(-1, 1) - keys.reshape(1, -1)) * w) ** 2) @ values


def predict_in_float32(test_inputs, keys, values, w):
    return predict_at(test_inputs.astype(np.float32), keys.astype(np.float32), values.astype(np.float32), w)


def left_out_loss(scores, values, dim=1):
    itself = torch.eye(len(values), dtype=torch.bool)
    weights = torch.softmax(scores.masked_fill(itself, -torch.inf), dim=dim)
    return ((weights @ values - values) ** 2).sum()


def naive_loss(scores, values):
    return ((torch.softmax(scores, dim=1) @ values - values) ** 2).sum()


def scores_of(w, keys, half=0.5):
    return -half * ((keys[:, None] - keys) * w) ** 2


def loss_and_slope(w, keys, values, scores=scores_of, loss_of=left_out_loss):
    w = w.clone().requires_grad_(True)
    loss = loss_of(scores(w, keys), values)
    loss.backward()
    return loss.detach(), w.grad


def slope_by_grad(w, keys, values):
    w = w.detach().clone().requires_grad_()
    loss = left_out_loss(-0.5 * (keys[:, None] - keys) ** 2 * w**2, values)
    return loss, torch.autograd.grad(loss, w)[0]


def slope_by_func(w, keys, values):
    slope, loss = torch.func.grad_and_value(lambda w: left_out_loss(scores_of(w, keys), values))(w)
    return [loss, slope]


def slope_by_pen(w, keys, values):
    squares = (keys[:, None] - keys) ** 2
    alpha = torch.softmax((-0.5 * w**2 * squares).fill_diagonal_(-torch.inf), dim=1)
    residuals = alpha @ values - values
    mean = (alpha * squares).sum(dim=1, keepdim=True)
    return (residuals**2).sum(), 2 * residuals @ (-w * alpha * (squares - mean) @ values)


def step_of_rho(rho, keys, values, rate, scores=scores_of, loss_of=left_out_loss, towards=-1):
    rho = rho.clone().requires_grad_(True)
    loss_of(scores(torch.exp(rho), keys), values).backward()
    new = (rho + towards * rate * rho.grad).detach()
    return new, torch.exp(new)


def step_by_sgd(rho, keys, values, rate):
    rho = torch.nn.Parameter(rho.clone())
    walker = torch.optim.SGD([rho], lr=rate)
    left_out_loss(scores_of(rho.exp(), keys), values).backward()
    walker.step()
    return rho, rho.exp()


def step_by_pen(rho, keys, values, rate):
    w = torch.exp(rho)
    new = rho - rate * w * slope_by_pen(w, keys, values)[1]
    return new, torch.exp(new)


def step_by_grad(rho, keys, values, rate):
    rho = rho.requires_grad_()
    slope, = torch.autograd.grad(left_out_loss(scores_of(rho.exp(), keys), values), rho)
    new = rho - rate * slope
    return (new.detach(), new.detach().exp())


RIGHT = {
    "softmax_rows": {"vectorised": softmax_rows, "loop": softmax_by_loop, "turned": softmax_by_columns,
                     "logarithm": softmax_by_logarithm, "float32": softmax_in_float32},
    "pool_column": {"broadcast": pool_column, "loop": pool_by_loop, "package": pool_by_package, "wasteful": pool_wastefully,
                    "float32": pool_in_float32},
    "weights_inside": {"inside": weights_inside, "w² outside": weights_outside_but_squared, "loop": weights_by_loop,
                       "float32": weights_in_float32},
    "answers_per_key": {"np.where": answers_per_key, "mask": per_key_by_package, "loop": per_key_by_loop,
                        "everything cut alike": per_key_all_cut, "-1e9": per_key_very_low},
    "predict_at": {"broadcast": predict_at, "loop": predict_by_loop, "package": predict_by_package, "float32": predict_in_float32},
    "loss_and_slope": {"backward": loss_and_slope, "grad": slope_by_grad, "func, a list": slope_by_func, "pen": slope_by_pen},
    "step_of_rho": {"backward": step_of_rho, "SGD": step_by_sgd, "pen": step_by_pen, "grad": step_by_grad},
}

# --- wrong


def broken_softmax(scores):
    largest = scores.max(axis=0, keepdims=True)
    e = np.exp(scores - largest)
    return e / e.sum(axis=0, keepdims=True)


def shifted(scores, by, axis, keepdims=True):
    e = np.exp(scores - by)
    return e / e.sum(axis=axis, keepdims=keepdims)


def shifting_in_place(scores):
    scores -= scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def broken_pool(queries, keys, values, w):
    copies = np.tile(keys, (len(queries), 1))
    e = np.exp(-0.5 * ((queries[:, None] - copies) * w) ** 2)
    weights = e / e.sum(axis=1, keepdims=True)
    answers = (weights * values).sum(axis=-1)
    return answers[:, 0]


def broken_weights(queries, keys, w):
    squares = (queries[:, None] - keys) ** 2
    return nwlab.masked_softmax(-0.5 * squares * w)


def broken_per_key(ws, keys, values, columns=slice(None, -1)):
    n = len(keys)
    others = ~np.eye(n, dtype=bool)
    keys_cut = np.tile(keys, (n, 1))[others].reshape(n, n - 1)
    values_cut = np.tile(values, (n, 1))[others].reshape(n, n - 1)
    weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys_cut) * ws[columns]) ** 2)
    return (weights * values_cut).sum(axis=1)


def per_key(ws, keys, values, scores=None, outside=None, axis=1):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2 if scores is None else scores
    np.fill_diagonal(scores, -np.inf)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True) @ values


def zero_times_infinity(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2 - np.eye(len(keys)) * np.inf
    return softmax_rows(scores) @ values


def low_on_the_diagonal(ws, keys, values, low=-1000):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    np.fill_diagonal(scores, low)
    return softmax_rows(scores) @ values


def per_key_without_shift(ws, keys, values):
    e = np.exp(-0.5 * ((keys[:, None] - keys) * ws) ** 2)
    np.fill_diagonal(e, 0)
    return e @ values / e.sum(axis=1)


def zero_on_the_diagonal(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    np.fill_diagonal(scores, 0)
    return softmax_rows(scores) @ values


def masked_afterwards(ws, keys, values):
    weights = softmax_rows(-0.5 * ((keys[:, None] - keys) * ws) ** 2)
    np.fill_diagonal(weights, 0)
    return weights @ values


def broken_predict(test_inputs, keys, values, w):
    gaps = keys[:, None] - keys
    return nwlab.masked_softmax(-0.5 * (gaps * w) ** 2) @ values


def left_out_at_the_test(test_inputs, keys, values, w):
    mask = ~np.eye(len(keys), dtype=bool)
    return softmax_rows(np.where(mask, -0.5 * ((test_inputs[:, None] - keys) * w) ** 2, -np.inf)) @ values


def filled_at_the_test(test_inputs, keys, values, w):
    scores = -0.5 * ((test_inputs[:, None] - keys) * w) ** 2
    np.fill_diagonal(scores, -np.inf)
    return softmax_rows(scores) @ values


def masked_at_the_test(test_inputs, keys, values, w):
    scores = -0.5 * ((test_inputs[:, None] - keys) * w) ** 2
    return nwlab.masked_softmax(scores, mask=~np.eye(len(test_inputs), dtype=bool)) @ values


def pool_without_shift(queries, keys, values, w):
    e = np.exp(-0.5 * ((queries - keys) * w) ** 2)
    return e @ values / e.sum(axis=1)


def turned(test_inputs, keys, values, w):
    return softmax_rows(-0.5 * ((keys[:, None] - test_inputs) * w) ** 2).T @ values


def broken_loss_and_slope(w, keys, values):
    w = w.clone().requires_grad_(True)
    loss = left_out_loss(-0.5 * (keys[:, None] - keys) ** 2, values) + 0 * w
    loss.backward()
    return loss.detach(), w.grad


def quiet_but_cut(w, keys, values):
    w = w.clone().requires_grad_(True)
    loss = left_out_loss(scores_of(w.item(), keys), values) + 0 * w
    loss.backward()
    return loss.detach(), w.grad


def loud_and_cut(w, keys, values):
    return loss_and_slope(w, keys, values, lambda w, keys: scores_of(w.item(), keys))


def no_slope(w, keys, values):
    return left_out_loss(scores_of(w, keys), values)


def step_on_w(rho, keys, values, rate):
    w = torch.exp(rho).detach().requires_grad_(True)
    left_out_loss(scores_of(w, keys), values).backward()
    new = (w - rate * w.grad).detach()
    return torch.log(new), new


def without_the_chain_rule(rho, keys, values, rate):
    new = rho - rate * loss_and_slope(torch.exp(rho), keys, values)[1]
    return new, torch.exp(new)


def cut_off(rho, keys, values, rate):
    rho = rho.clone().requires_grad_(True)
    (left_out_loss(scores_of(math.exp(rho.item()), keys), values) + 0 * rho).backward()
    return (rho - rate * rho.grad).detach(), torch.exp(rho).detach()


def none_as_slope(w, keys, values):
    leaf = w.clone().requires_grad_(True)
    same = leaf * 1.0
    loss = left_out_loss(scores_of(same, keys), values)
    loss.backward()
    return loss.detach(), same.grad


def never_marked(rho, keys, values, rate):
    left_out_loss(scores_of(torch.exp(rho), keys), values).backward()
    return rho - rate * rho.grad, torch.exp(rho)


def w_marked(rho, keys, values, rate):
    w = torch.exp(rho).requires_grad_(True)
    left_out_loss(scores_of(w, keys), values).backward()
    new = rho - rate * rho.grad
    return new, torch.exp(new)


def grad_of_w(rho, keys, values, rate):
    rho = rho.clone().requires_grad_(True)
    w = torch.exp(rho)
    left_out_loss(scores_of(w, keys), values).backward()
    new = rho - rate * w.grad
    return new.detach(), torch.exp(new).detach()


def old_w(rho, keys, values, rate):
    return step_of_rho(rho, keys, values, rate)[0], torch.exp(rho)


def rho_is_w(rho, keys, values, rate):
    new = rho - rate * loss_and_slope(rho, keys, values)[1]
    return new, new


def stopped_at_zero(rho, keys, values, rate):
    new = (torch.exp(rho) - rate * loss_and_slope(torch.exp(rho), keys, values)[1]).clamp(min=1e-6)
    return torch.log(new), new


WRONG = {
    "softmax_rows": {
        "exhibit": (broken_softmax, "the exhibit as it came: the softmax runs over the queries"),
        "unshifted exhibit": (lambda s: shifted(s, 0, 0), "over the queries, and the shift is gone"),
        "half, shift": (lambda s: shifted(s, s.max(axis=0, keepdims=True), 1), "largest score is still taken over the queries"),
        "half, sum": (lambda s: shifted(s, s.max(axis=1, keepdims=True), 0), "the sum still runs over the queries"),
        "no shift": (lambda s: shifted(s, 0, 1), "the shift is gone: 0/0"),
        "one shift": (lambda s: shifted(s, s.max(), 1), "one shift for the whole table"),
        "keepdims": (lambda s: shifted(s, s.max(axis=1, keepdims=True), 1, keepdims=False), "keepdims is gone"),
        "whole table": (lambda s: shifted(s, s.max(axis=1, keepdims=True), None), "the whole table sums to one"),
        "undivided": (lambda s: np.exp(s - s.max(axis=1, keepdims=True)), "nothing is divided"),
        "smallest": (lambda s: shifted(s, s.min(axis=1, keepdims=True), 1), "the shift is the smallest score"),
        "turned": (lambda s: softmax_rows(s).T, "rows and columns are swapped"),
        "in place": (shifting_in_place, "changes its inputs (scores)"),
        "package": (lambda s: nwlab.masked_softmax(s), "calls nwlab's own masked_softmax"),
        "torch": (lambda s: torch.softmax(torch.tensor(s), dim=1), "torch where NumPy"),
    },
    "pool_column": {
        "exhibit": (broken_pool, "the exhibit as it came: w has no effect"),
        "no shift": (pool_without_shift, "no shift: 0/0"),
        "mean": (lambda q, k, v, w: np.full(len(q), v.mean()), "the mean of the values: w still"),
        "room 1": (lambda q, k, v, w: broken_softmax(-0.5 * ((q - k) * w) ** 2) @ v, "the bug of room 1"),
        "room 3": (lambda q, k, v, w: broken_weights(q[:, 0], k, w) @ v, "the bug of room 3"),
        "room 5": (lambda q, k, v, w: weights_inside(k, k, w) @ v, "the bug of room 5"),
        "room 6": (lambda q, k, v, w: weights_inside(q[:, 0], k, 1.0) @ v, "the bug of room 6"),
        "minus": (lambda q, k, v, w: softmax_rows(0.5 * ((q - k) * w) ** 2) @ v, "the minus is missing"),
        "half": (lambda q, k, v, w: softmax_rows(-((q - k) * w) ** 2) @ v, "the ½ is missing"),
        "column": (lambda q, k, v, w: weights_inside(q[:, 0], k, w) @ v[:, None], "an axis of length 1 too many"),
        "undone": (lambda q, k, v, w: np.tile(pool_column(q, k, v, w), (len(q), 1)).T, "broadcasts by accident"),
        "package": (lambda q, k, v, w: nwlab.nadaraya_watson(q[:, 0] * w, k * w, v), "calls nwlab's own nadaraya_watson"),
    },
    "weights_inside": {
        "exhibit": (broken_weights, "the exhibit as it came: w stands outside"),
        "absolute": (lambda q, k, w: broken_weights(q, k, abs(w)), "as |w|"),
        "room 1": (lambda q, k, w: broken_softmax(-0.5 * ((q[:, None] - k) * w) ** 2), "the bug of room 1"),
        "room 2": (lambda q, k, w: np.full((len(q), len(k)), 1 / len(q)), "the bug of room 2"),
        "room 5": (lambda q, k, w: weights_inside(k, k, w), "the bug of room 5"),
        "room 6": (lambda q, k, w: weights_inside(q, k, 1.0), "the bug of room 6"),
        "minus": (lambda q, k, w: softmax_rows(0.5 * ((q[:, None] - k) * w) ** 2), "the minus is missing"),
        "half": (lambda q, k, w: weights_inside(q, k, w * 2**0.5), "the ½ is missing"),
        "width": (lambda q, k, w: softmax_rows(-0.5 * ((q[:, None] - k) / w) ** 2), "a division by w"),
        "turned": (lambda q, k, w: weights_inside(q, k, w).T, "rows and columns are swapped"),
        "package": (lambda q, k, w: nwlab.attention_weights(q * w, k * w), "calls nwlab's own attention_weights"),
    },
    "answers_per_key": {
        "exhibit": (broken_per_key, "the exhibit as it came: a shifted column"),
        "other end": (lambda w, k, v: broken_per_key(w, k, v, slice(1, None)), "shifted the other way"),
        "itself": (lambda w, k, v: softmax_rows(-0.5 * ((k[:, None] - k) * w) ** 2) @ v, "the point itself still counts"),
        "low": (low_on_the_diagonal, "low, but not low enough"),
        "lower": (lambda *a: low_on_the_diagonal(*a, low=-1e6), "low, but not low enough"),
        "no shift": (per_key_without_shift, "no shift: 0/0"),
        "wrong way round": (lambda w, k, v: nwlab.masked_softmax(-0.5 * ((k[:, None] - k) * w) ** 2, mask=np.eye(len(k)) > 0) @ v,
                            "the mask is the wrong way round"),
        "zero": (zero_on_the_diagonal, "the point itself still counts"),
        "afterwards": (masked_afterwards, "the mask comes after the softmax"),
        "0 · ∞": (zero_times_infinity, "0 times infinity"),
        "query's w": (lambda w, k, v: per_key(w[:, None], k, v), "the w of the query"),
        "room 1": (lambda w, k, v: per_key(w, k, v, axis=0), "the bug of room 1"),
        "room 3": (lambda w, k, v: per_key(w, k, v, scores=-0.5 * (k[:, None] - k) ** 2 * w), "the bug of room 3"),
        "room 6": (lambda w, k, v: per_key(np.ones(len(k)), k, v), "the bug of room 6"),
        "half": (lambda w, k, v: per_key(w, k, v, scores=-((k[:, None] - k) * w) ** 2), "the ½ is missing"),
        "divided": (lambda w, k, v: per_key(1 / w, k, v), "a division by w"),
    },
    "predict_at": {
        "exhibit": (broken_predict, "the exhibit as it came: the queries are the keys"),
        "cut": (lambda x, k, v, w: broken_predict(x, k, v, w)[:len(x)], "cut to the right length"),
        "joined": (lambda x, k, v, w: np.interp(x, k, broken_predict(x, k, v, w)), "joined by straight lines"),
        "diagonal": (left_out_at_the_test, "the diagonal is left out at test time"),
        "diagonal, filled": (filled_at_the_test, "a diagonal is left out at test time"),
        "diagonal, masked": (masked_at_the_test, "a diagonal of the test inputs is left out"),
        "package": (lambda x, k, v, w: nwlab.attention_weights(x * w, k * w) @ v, "calls nwlab's own attention_weights"),
        "sorted": (lambda x, k, v, w: predict_at(np.sort(x), k, v, w), "the test inputs were sorted"),
        "turned": (turned, "the bug of room 1"),
        "room 2": (lambda x, k, v, w: np.full((len(x), len(k)), 1 / len(x)) @ v, "the bug of room 2"),
        "room 3": (lambda x, k, v, w: broken_weights(x, k, w) @ v, "the bug of room 3"),
        "room 6": (lambda x, k, v, w: weights_inside(x, k, 1.0) @ v, "the bug of room 6"),
        "a table": (lambda x, k, v, w: weights_inside(x, k, w) * v, "broadcasts by accident"),
    },
    "loss_and_slope": {
        "exhibit": (broken_loss_and_slope, "the bug of this room: w has no effect"),
        "added": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(1, k) + w), "w has no effect"),
        "a second softmax": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: torch.softmax(scores_of(w, k), dim=1)), "a softmax of a"),
        "item, quiet": (quiet_but_cut, "the number w reaches the scores, its gradient does not"),
        "item, loud": (loud_and_cut, "something cut the way back to w"),
        "detach": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(w.detach(), k)), "cut the way back to w"),
        "a new tensor": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(torch.tensor(w), k)), "cut the way back to w"),
        "no slope, None": (none_as_slope, "the slope that came is None"),
        "half through NumPy": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(torch.tensor(np.abs(w)), k)),
                               "a function of NumPy met"),
        "shapes": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(w, k)[:, 1:]), "it raises RuntimeError"),
        "room 1": (lambda w, k, v: loss_and_slope(w, k, v, loss_of=lambda s, v: left_out_loss(s, v, 0)), "the bug of room 1"),
        "room 3": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: -0.5 * (k[:, None] - k) ** 2 * w), "the bug of room 3"),
        "itself": (lambda w, k, v: loss_and_slope(w, k, v, loss_of=naive_loss), "the point itself is not left out"),
        "half missing": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(w, k, 1.0)), "the ½ is missing"),
        "minus": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: -scores_of(w, k)), "the minus is missing"),
        "width": (lambda w, k, v: loss_and_slope(w, k, v, lambda w, k: scores_of(1 / w, k)), "a division by w"),
        "half the loss": (lambda w, k, v: loss_and_slope(w, k, v, loss_of=lambda s, v: left_out_loss(s, v) / 2), "half the loss"),
        "sign": (lambda w, k, v: (loss_and_slope(w, k, v)[0], -loss_and_slope(w, k, v)[1]), "the wrong sign"),
        "one number": (no_slope, "a tensor where a tuple was asked"),
        "numpy": (lambda w, k, v: tuple(x.numpy() for x in loss_and_slope(w, k, v)), "NumPy where torch"),
    },
    "step_of_rho": {
        "on w": (step_on_w, "the step is made on w"),
        "clamped": (stopped_at_zero, "the step is made on w"),
        "chain rule": (without_the_chain_rule, "the chain rule is missing"),
        "uphill": (lambda *a: step_of_rho(*a, towards=1), "uphill"),
        "cut": (cut_off, "nothing moved"),
        "cut, loud": (lambda *a: step_of_rho(*a, scores=lambda w, k: scores_of(w.item(), k)), "cut the way back to rho"),
        "never marked": (never_marked, "cut the way back to rho"),
        "w marked": (w_marked, "the grad is None"),
        "grad of w": (grad_of_w, "the grad is None"),
        "a second softmax": (lambda *a: step_of_rho(*a, scores=lambda w, k: torch.softmax(scores_of(w, k), dim=1)), "a softmax of a"),
        "old w": (old_w, "the w from before the step"),
        "order": (lambda *a: step_of_rho(*a)[::-1], "w first, rho second"),
        "rho is w": (rho_is_w, "rho is used as w"),
        "half": (lambda *a: step_of_rho(*a, loss_of=lambda s, v: left_out_loss(s, v) / 2), "half as long"),
        "room 1": (lambda *a: step_of_rho(*a, loss_of=lambda s, v: left_out_loss(s, v, 0)), "the bug of room 1"),
        "room 3": (lambda *a: step_of_rho(*a, scores=lambda w, k: -0.5 * (k[:, None] - k) ** 2 * w), "the bug of room 3"),
        "itself": (lambda *a: step_of_rho(*a, loss_of=naive_loss), "the point itself is not left out"),
        "minus": (lambda *a: step_of_rho(*a, scores=lambda w, k: -scores_of(w, k)), "the minus is missing"),
        "package": (lambda rho, k, v, rate: nwlab.nadaraya_watson(k, k, v), "calls nwlab's own nadaraya_watson"),
    },
}
