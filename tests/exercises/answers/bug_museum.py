"""Right and wrong answers to `nwlab.exercises.bug_museum`; test_answers.py says how they are written."""
import math

import numpy as np
import torch

import nwlab

# --- right


def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_by_loop(scores):
    rows = [np.exp(row - row.max()) for row in scores]
    return np.array([e / e.sum() for e in rows])


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
    table = np.array([[math.exp(-((q - k) * w) ** 2 / 2) for k in keys] for q in queries])
    return table / table.sum(axis=1)[:, None]


def answers_per_key(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    return softmax_rows(np.where(np.eye(len(keys), dtype=bool), -np.inf, scores)) @ values


def per_key_by_loop(ws, keys, values):
    answers = []
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        scores = -0.5 * ((keys[i] - keys[others]) * ws[others]) ** 2
        answers.append(softmax_rows(scores[None])[0] @ values[others])
    return np.array(answers)


def per_key_all_cut(ws, keys, values):
    def cut(x):
        return np.tile(x, (len(x), 1))[~np.eye(len(x), dtype=bool)].reshape(len(x), -1)

    return (softmax_rows(-0.5 * ((keys[:, None] - cut(keys)) * cut(ws)) ** 2) * cut(values)).sum(axis=1)


def predict_at(test_inputs, keys, values, w):
    return weights_inside(test_inputs, keys, w) @ values


def left_out_loss(scores, values):
    itself = torch.eye(len(values), dtype=torch.bool)
    return ((torch.softmax(scores.masked_fill(itself, -torch.inf), dim=1) @ values - values) ** 2).sum()


def scores_of(w, keys):
    return -0.5 * ((keys[:, None] - keys) * w) ** 2


def loss_and_slope(w, keys, values):
    w = w.clone().requires_grad_(True)
    loss = left_out_loss(scores_of(w, keys), values)
    loss.backward()
    return loss.detach(), w.grad


def slope_by_pen(w, keys, values):
    squares = (keys[:, None] - keys) ** 2
    alpha = torch.softmax((-0.5 * w**2 * squares).fill_diagonal_(-torch.inf), dim=1)
    residuals = alpha @ values - values
    mean = (alpha * squares).sum(dim=1, keepdim=True)
    return (residuals**2).sum(), 2 * residuals @ (-w * alpha * (squares - mean) @ values)


def step_of_rho(rho, keys, values, rate):
    rho = rho.clone().requires_grad_(True)
    w = torch.exp(rho)
    left_out_loss(scores_of(w, keys), values).backward()
    new = (rho - rate * rho.grad).detach()
    return new, torch.exp(new)


RIGHT = {
    "softmax_rows": {"vectorised": softmax_rows, "loop": softmax_by_loop,
                     "logarithm": lambda s: np.exp(s - np.logaddexp.reduce(s, axis=-1)[:, None])},
    "pool_column": {"broadcast": pool_column, "loop": pool_by_loop,
                    "package": lambda q, k, v, w: nwlab.masked_softmax(-0.5 * ((q - k) * w) ** 2) @ v},
    "weights_inside": {"inside": weights_inside, "loop": weights_by_loop,
                       "w² outside": lambda q, k, w: softmax_rows(-0.5 * np.subtract.outer(q, k) ** 2 * w**2)},
    "answers_per_key": {"np.where": answers_per_key, "loop": per_key_by_loop, "everything cut alike": per_key_all_cut},
    "predict_at": {"broadcast": predict_at, "float32": lambda *at: predict_at(*(np.asarray(x, np.float32) for x in at)),
                   "loop": lambda x, k, v, w: np.array([np.average(v, weights=np.exp(-0.5 * ((q - k) * w) ** 2))
                                                        for q in x])},
    "loss_and_slope": {"backward": loss_and_slope, "pen": slope_by_pen, "func, a list": lambda w, k, v: list(
        torch.func.grad_and_value(lambda w: left_out_loss(scores_of(w, k), v))(w))[::-1]},
    "step_of_rho": {
        "backward": step_of_rho,
        "SGD": (step_of_rho, "    new = (rho - rate * rho.grad).detach()",
                "    torch.optim.SGD([rho], lr=rate).step(); new = rho"),
        "pen": (step_of_rho, "    left_out_loss(scores_of(w, keys), values).backward()\n", "",
                "rho.grad)", "w * slope_by_pen(w, keys, values)[1])")},
}

# --- wrong: the exhibits as they hang there, and what may come of repairing them


def broken_per_key(ws, keys, values):
    others = ~np.eye(len(keys), dtype=bool)
    keys_cut, values_cut = (np.tile(x, (len(x), 1))[others].reshape(len(x), -1) for x in (keys, values))
    weights = nwlab.masked_softmax(-0.5 * ((keys[:, None] - keys_cut) * ws[:-1]) ** 2)
    return (weights * values_cut).sum(axis=1)


def broken_pool(queries, keys, values, w):
    copies = np.tile(keys, (len(queries), 1))
    return (softmax_rows(-0.5 * ((queries[:, None] - copies) * w) ** 2) * values).sum(axis=-1)[:, 0]


WRONG = {
    "softmax_rows": {
        "package": (lambda s: nwlab.masked_softmax(s), "calls nwlab's own masked_softmax"),
    },
    "pool_column": {
        "exhibit": (broken_pool, "the exhibit as it came: w has no effect"),
        "room 5": (lambda q, k, v, w: weights_inside(k, k, w) @ v, "one number for each of keys"),
    },
    "weights_inside": {
        "exhibit": (lambda q, k, w: nwlab.masked_softmax(-0.5 * (q[:, None] - k) ** 2 * w), "the exhibit as it came"),
        "package": (lambda q, k, w: nwlab.attention_weights(q * w, k * w), "calls nwlab's own attention_weights"),
    },
    "answers_per_key": {"exhibit": (broken_per_key, "the exhibit as it came: a shifted column")},
    "predict_at": {
        "exhibit": (lambda x, k, v, w: weights_inside(k, k, w) @ v, "the exhibit as it came: the queries are the keys"),
        "cut": (lambda x, k, v, w: (weights_inside(k, k, w) @ v)[:len(x)], "one number for each of keys"),
        "a table": (lambda x, k, v, w: weights_inside(x, k, w) * v, "broadcasts by accident"),
    },
    "loss_and_slope": {
        "one number": (lambda w, k, v: left_out_loss(scores_of(w, k), v), "a tensor where a tuple was expected"),
        "numpy": (lambda *a: tuple(x.numpy() for x in loss_and_slope(*a)), "NumPy where torch"),
    },
}

ALTERED = {
    "predict_at": [(predict_at, "weights_inside(test_inputs, keys, w)",
                    "nwlab.masked_softmax(-0.5 * ((test_inputs[:, None] - keys) * w) ** 2, "
                    "mask=~np.eye(len(test_inputs), dtype=bool))", "a diagonal is left out at test time")],
    "softmax_rows": [(softmax_rows, "axis=1", "axis=0", "the exhibit as it came"),
                     (softmax_rows, " - scores.max(axis=1, keepdims=True)", "", "NaN where a number was expected"),
                     (softmax_rows, ".sum(axis=1, keepdims=True)", ".sum(axis=1)", "it raises ValueError on some")],
    "answers_per_key": [
        (answers_per_key, "-np.inf", "-1e6", "7 of 8 problems hold"), (broken_per_key, ":-1", "1:", "the other way"),
        (answers_per_key, "np.where(np.eye(len(keys), dtype=bool), -np.inf, scores)",
         "scores - np.eye(len(keys)) * np.inf", "NaN where a number was expected")],
    "loss_and_slope": [
        (loss_and_slope, "scores_of(w, keys)", "scores_of(1, keys) + 0 * w", "the bug of this room: w has no effect"),
        (loss_and_slope, "scores_of(w, keys)", "scores_of(1, keys) + w", "w has no effect"),
        (loss_and_slope, "scores_of(w, keys)", "torch.softmax(scores_of(w, keys), dim=1)", "a softmax of a"),
        (loss_and_slope, "scores_of(w,", "0 * w + scores_of(w.item(),", "the number w reaches the scores, its"),
        (loss_and_slope, "scores_of(w,", "scores_of(w.item(),", "cut the way back to w"),
        (loss_and_slope, "scores_of(w,", "scores_of(torch.tensor(w),", "cut the way back to w"),
        (loss_and_slope, "scores_of(w,", "scores_of(torch.tensor(np.abs(w)),", "a function of NumPy met"),
        (loss_and_slope, ", values)\n", ", values) / 2\n", "half the loss")],
    "step_of_rho": [
        (step_of_rho, "scores_of(w,", "scores_of(w.item(),", "cut the way back to rho"),
        (step_of_rho, ".requires_grad_(True)", "", "cut the way back to rho"),
        (step_of_rho, ".requires_grad_(True)", "", "exp(rho)\n", "exp(rho).requires_grad_(True)\n", "the grad is None"),
        (step_of_rho, "rho.clone()", "torch.exp(rho)", "w = torch.exp(rho)", "w = rho", "new, torch.exp(new)",
         "torch.log(new), new", "the step is made on w"),
        (step_of_rho, "values).backward", "values).div(2).backward", "half as long")],
}
