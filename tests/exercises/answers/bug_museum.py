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


def softmax_by_logarithm(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=-1)[:, None])


def pool_column(queries, keys, values, w):
    return softmax_rows(-0.5 * ((queries - keys[None, :]) * w) ** 2) @ values


def pool_by_loop(queries, keys, values, w):
    answers = []
    for (q,) in queries:
        nearest = min(abs(q - k) for k in keys)
        alpha = [math.exp(0.5 * w**2 * (nearest**2 - (q - k) ** 2)) for k in keys]
        answers.append(sum(a * v for a, v in zip(alpha, values)) / sum(alpha))
    return np.array(answers)


def weights_inside(queries, keys, w):
    return softmax_rows(-0.5 * ((queries[:, None] - keys) * w) ** 2)


def weights_by_loop(queries, keys, w):
    table = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            table[i, j] = math.exp(-((q - k) * w) ** 2 / 2)
    return table / table.sum(axis=1)[:, None]


def answers_per_key(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    return softmax_rows(np.where(np.eye(len(keys), dtype=bool), -np.inf, scores)) @ values


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


def predict_at(test_inputs, keys, values, w):
    return softmax_rows(-0.5 * ((test_inputs[:, None] - keys) * w) ** 2) @ values


def predict_by_loop(test_inputs, keys, values, w):
    return np.array([np.average(values, weights=np.exp(-0.5 * ((x - keys) * w) ** 2)) for x in test_inputs])


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


def slope_by_func(w, keys, values):
    slope, loss = torch.func.grad_and_value(lambda w: left_out_loss(scores_of(w, keys), values))(w)
    return [loss, slope]


def slope_by_pen(w, keys, values):
    squares = (keys[:, None] - keys) ** 2
    alpha = torch.softmax((-0.5 * w**2 * squares).fill_diagonal_(-torch.inf), dim=1)
    residuals = alpha @ values - values
    mean = (alpha * squares).sum(dim=1, keepdim=True)
    return (residuals**2).sum(), 2 * residuals @ (-w * alpha * (squares - mean) @ values)


def step_of_rho(rho, keys, values, rate, scores=scores_of, loss_of=left_out_loss):
    rho = rho.clone().requires_grad_(True)
    return moved(rho, torch.exp(rho), keys, values, rate, scores, loss_of)


def moved(rho, w, keys, values, rate, scores=scores_of, loss_of=left_out_loss):
    """A step of rho, if w was made from it on record."""
    loss_of(scores(w, keys), values).backward()
    new = (rho - rate * rho.grad).detach()
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


def in_float32(function):
    """The same function on arrays of float32."""
    return lambda *inputs: function(*(np.asarray(x, np.float32) for x in inputs))


RIGHT = {
    "softmax_rows": {"vectorised": softmax_rows, "loop": softmax_by_loop, "logarithm": softmax_by_logarithm},
    "pool_column": {"broadcast": pool_column, "loop": pool_by_loop,
                    "package": lambda q, k, v, w: nwlab.masked_softmax(-0.5 * ((q - k) * w) ** 2) @ v},
    "weights_inside": {"inside": weights_inside, "loop": weights_by_loop,
                       "w² outside": lambda q, k, w: softmax_rows(-0.5 * np.subtract.outer(q, k) ** 2 * w**2)},
    "answers_per_key": {"np.where": answers_per_key, "loop": per_key_by_loop, "everything cut alike": per_key_all_cut},
    "predict_at": {"broadcast": predict_at, "loop": predict_by_loop, "float32": in_float32(predict_at)},
    "loss_and_slope": {"backward": loss_and_slope, "func, a list": slope_by_func, "pen": slope_by_pen},
    "step_of_rho": {"backward": step_of_rho, "SGD": step_by_sgd, "pen": step_by_pen},
}

# --- wrong: the exhibits as they hang there, and what may come of repairing them


def shifted(scores, by, axis, keepdims=True):
    e = np.exp(scores - by)
    return e / e.sum(axis=axis, keepdims=keepdims)


def broken_pool(queries, keys, values, w):
    copies = np.tile(keys, (len(queries), 1))
    return (softmax_rows(-0.5 * ((queries[:, None] - copies) * w) ** 2) * values).sum(axis=-1)[:, 0]


def broken_weights(queries, keys, w):
    return nwlab.masked_softmax(-0.5 * (queries[:, None] - keys) ** 2 * w)


def broken_per_key(ws, keys, values, columns=slice(None, -1)):
    n = len(keys)
    others = ~np.eye(n, dtype=bool)
    keys_cut = np.tile(keys, (n, 1))[others].reshape(n, n - 1)
    values_cut = np.tile(values, (n, 1))[others].reshape(n, n - 1)
    weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys_cut) * ws[columns]) ** 2)
    return (weights * values_cut).sum(axis=1)


def per_key(ws, keys, values, low):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    np.fill_diagonal(scores, low)
    return softmax_rows(scores) @ values


def masked_at_the_test(test_inputs, keys, values, w):
    scores = -0.5 * ((test_inputs[:, None] - keys) * w) ** 2
    return nwlab.masked_softmax(scores, mask=~np.eye(len(test_inputs), dtype=bool)) @ values


def step_on_w(rho, keys, values, rate):
    w = torch.exp(rho).requires_grad_(True)
    new = moved(w, w, keys, values, rate)[0]
    return torch.log(new), new


WRONG = {
    "softmax_rows": {
        "exhibit": (lambda s: shifted(s, s.max(axis=0), 0), "the exhibit as it came: the softmax runs over"),
        "no shift": (lambda s: shifted(s, 0, 1), "NaN where a number was asked"),
        "keepdims": (lambda s: shifted(s, s.max(axis=1, keepdims=True), 1, keepdims=False),
                     "it raises ValueError on some"),
        "whole table": (lambda s: shifted(s, s.max(axis=1, keepdims=True), None), "the whole table sums to one"),
        "package": (lambda s: nwlab.masked_softmax(s), "calls nwlab's own masked_softmax"),
        "torch": (lambda s: torch.softmax(torch.tensor(s), dim=1), "torch where NumPy"),
    },
    "pool_column": {
        "exhibit": (broken_pool, "the exhibit as it came: w has no effect"),
        "room 1": (lambda q, k, v, w: shifted(-0.5 * ((q - k) * w) ** 2, 0, 0) @ v, "the bug of room 1"),
        "room 5": (lambda q, k, v, w: weights_inside(k, k, w) @ v, "one number for each of keys"),
        "room 6": (lambda q, k, v, w: weights_inside(q[:, 0], k, 1.0) @ v, "the bug of room 6"),
        "column": (lambda q, k, v, w: weights_inside(q[:, 0], k, w) @ v[:, None], "an axis of length 1 too many"),
    },
    "weights_inside": {
        "exhibit": (broken_weights, "the exhibit as it came: w stands outside"),
        "absolute": (lambda q, k, w: broken_weights(q, k, abs(w)), "as |w|"),
        "width": (lambda q, k, w: softmax_rows(-0.5 * ((q[:, None] - k) / w) ** 2), "a division by w"),
        "turned": (lambda q, k, w: weights_inside(q, k, w).T, "rows and columns are swapped"),
        "package": (lambda q, k, w: nwlab.attention_weights(q * w, k * w), "calls nwlab's own attention_weights"),
    },
    "answers_per_key": {
        "exhibit": (broken_per_key, "the exhibit as it came: a shifted column"),
        "other end": (lambda w, k, v: broken_per_key(w, k, v, slice(1, None)), "shifted the other way"),
        "low": (lambda w, k, v: per_key(w, k, v, low=-1e6), "7 of 8 problems hold"),
        "zero": (lambda w, k, v: per_key(w, k, v, low=0), "the point itself still counts"),
        "0 · ∞": (lambda w, k, v: softmax_rows(-0.5 * ((k[:, None] - k) * w) ** 2 - np.eye(len(k)) * np.inf) @ v,
                  "NaN where a number was asked"),
    },
    "predict_at": {
        "exhibit": (lambda x, k, v, w: weights_inside(k, k, w) @ v, "the exhibit as it came: the queries are the keys"),
        "cut": (lambda x, k, v, w: (weights_inside(k, k, w) @ v)[:len(x)], "one number for each of keys"),
        "diagonal": (masked_at_the_test, "a diagonal is left out at test time"),
        "a table": (lambda x, k, v, w: weights_inside(x, k, w) * v, "broadcasts by accident"),
    },
    "loss_and_slope": {
        "exhibit": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(1, k) + 0 * w),
                    "the bug of this room: w has no effect"),
        "added": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(1, k) + w), "w has no effect"),
        "a second softmax": (lambda *a: loss_and_slope(*a, lambda w, k: torch.softmax(scores_of(w, k), dim=1)),
                             "a softmax of a"),
        "item, quiet": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(w.item(), k) + 0 * w),
                        "the number w reaches the scores, its gradient does not"),
        "item": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(w.item(), k)), "cut the way back to w"),
        "a new tensor": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(torch.tensor(w), k)),
                         "cut the way back to w"),
        "half through NumPy": (lambda *a: loss_and_slope(*a, lambda w, k: scores_of(torch.tensor(np.abs(w)), k)),
                               "a function of NumPy met"),
        "half the loss": (lambda *a: loss_and_slope(*a, loss_of=lambda s, v: left_out_loss(s, v) / 2), "half the loss"),
        "one number": (lambda w, k, v: left_out_loss(scores_of(w, k), v), "a tensor where a tuple was asked"),
        "numpy": (lambda *a: tuple(x.numpy() for x in loss_and_slope(*a)), "NumPy where torch"),
    },
    "step_of_rho": {
        "on w": (step_on_w, "the step is made on w"),
        "cut": (lambda *a: step_of_rho(*a, scores=lambda w, k: scores_of(w.item(), k)), "cut the way back to rho"),
        "never marked": (lambda rho, *a: moved(rho, torch.exp(rho), *a), "cut the way back to rho"),
        "w marked": (lambda rho, *a: moved(rho, torch.exp(rho).requires_grad_(True), *a), "the grad is None"),
        "half": (lambda *a: step_of_rho(*a, loss_of=lambda s, v: left_out_loss(s, v) / 2), "half as long"),
        "itself": (lambda *a: step_of_rho(*a, loss_of=naive_loss), "the point itself is not left out"),
    },
}
