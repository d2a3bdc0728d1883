"""Right and wrong answers to `nwlab.exercises.bug_museum`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import bug_museum as model

import nwlab


def softmax_by_loop(scores):
    rows = [np.exp(row - row.max()) for row in scores]
    return np.array([e / e.sum() for e in rows])


def pool_by_loop(queries, keys, values, w):
    answers = []
    for (q,) in queries:
        nearest = min(abs(q - k) for k in keys)
        alpha = [math.exp(0.5 * w**2 * (nearest**2 - (q - k) ** 2)) for k in keys]
        answers.append(sum(a * v for a, v in zip(alpha, values)) / sum(alpha))
    return np.array(answers)


def weights_by_loop(queries, keys, w):
    nearest = [min(abs(q - k) for k in keys) for q in queries]
    table = np.array([[math.exp(w**2 * (d**2 - (q - k) ** 2) / 2) for k in keys] for q, d in zip(queries, nearest)])
    return table / table.sum(axis=1)[:, None]


def per_key_by_loop(ws, keys, values):
    answers = []
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        scores = -0.5 * ((keys[i] - keys[others]) * ws[others]) ** 2
        answers.append(model.softmax_rows(scores[None])[0] @ values[others])
    return np.array(answers)


def per_key_all_cut(ws, keys, values):
    def cut(x):
        return np.tile(x, (len(x), 1))[~np.eye(len(x), dtype=bool)].reshape(len(x), -1)

    return (model.softmax_rows(-0.5 * ((keys[:, None] - cut(keys)) * cut(ws)) ** 2) * cut(values)).sum(axis=1)


def scores_of(w, keys):
    return -0.5 * ((keys[:, None] - keys) * w) ** 2


def slope_by_pen(w, keys, values):
    squares = (keys[:, None] - keys) ** 2
    alpha = torch.softmax((-0.5 * w**2 * squares).fill_diagonal_(-torch.inf), dim=1)
    residuals = alpha @ values - values
    mean = (alpha * squares).sum(dim=1, keepdim=True)
    return (residuals**2).sum(), 2 * residuals @ (-w * alpha * (squares - mean) @ values)


RIGHT = {
    "softmax_rows": {"loop": softmax_by_loop,
                     "logarithm": lambda s: np.exp(s - np.logaddexp.reduce(s, axis=-1)[:, None])},
    "pool_column": {"loop": pool_by_loop, "own softmax": (model.pool_column, "nwlab.masked_softmax", "softmax_rows")},
    "weights_inside": {"loop": weights_by_loop, "w² outside": lambda q, k, w: model.softmax_rows(
        -0.5 * np.subtract.outer(q, k) ** 2 * w**2)},
    "answers_per_key": {"loop": per_key_by_loop, "everything cut alike": per_key_all_cut},
    "predict_at": {"float32": lambda *at: model.predict_at(*(np.asarray(x, np.float32) for x in at)),
                   "loop": lambda x, k, v, w: pool_by_loop(x[:, None], k, v, w / k.std())},
    "loss_and_slope": {"pen": slope_by_pen, "func, a list": lambda w, k, v: list(
        torch.func.grad_and_value(lambda w: model.left_out_loss(scores_of(w, k), v))(w))[::-1],
                       "NumPy numbers": lambda *a: tuple(x.numpy() for x in model.loss_and_slope(*a))},
    "step_of_rho": {
        "SGD": (model.step_of_rho, "    new_rho = (rho - rate * rho.grad).detach()",
                "    torch.optim.SGD([rho], lr=rate).step(); new_rho = rho"),
        "pen": (model.step_of_rho, "    left_out_loss(scores, values).backward()\n", "",
                "rho.grad)", "w * slope_by_pen(w, keys, values)[1])")},
}


WRONG = {                                                              # the exhibits as they hang there, and others
    "softmax_rows": {
        "exhibit": (model.broken_softmax, "the exhibit as it came"),
        "package": (lambda s: nwlab.masked_softmax(s), "calls nwlab's own masked_softmax"),
    },
    "pool_column": {
        "exhibit": (model.broken_pool, "the exhibit as it came: w has no effect"),
        "room 5": (lambda q, k, v, w: model.weights_inside(k, k, w) @ v, "one number for each of keys"),
    },
    "weights_inside": {
        "exhibit": (model.broken_weights, "the exhibit as it came"),
        "package": (lambda q, k, w: nwlab.attention_weights(q * w, k * w), "calls nwlab's own attention_weights"),
    },
    "answers_per_key": {"exhibit": (model.broken_per_key, "the exhibit as it came: a shifted column")},
    "predict_at": {
        "exhibit": (model.broken_predict, "the exhibit as it came: the queries are the keys"),
        "cut": (lambda x, *at: model.broken_predict(x, *at)[:len(x)], "one number for each of keys"),
        "a table": (lambda x, k, v, w: model.weights_inside(x, k, w) * v, "a table where one axis"),
        "colleague": (model.colleagues_predict, "the colleague's repair"),
    },
    "loss_and_slope": {
        "exhibit": (model.broken_loss_and_slope, "the bug of this room: w has no effect"),
        "one number": (lambda w, k, v: model.left_out_loss(scores_of(w, k), v), "a tensor where a tuple was expected"),
    },
}

LOSS, STEP = model.loss_and_slope, model.step_of_rho

ALTERED = {
    "predict_at": [(model.predict_at, "(scores", "(scores, ~np.eye(*scores.shape, dtype=bool)",
                    "a diagonal is left out at test time")],
    "softmax_rows": [
        (model.softmax_rows, " - scores.max(axis=1, keepdims=True)", "", "NaN where a number was expected"),
        (model.softmax_rows, ".sum(axis=1, keepdims=True)", ".sum(axis=1)", "it raises ValueError on")],
    "answers_per_key": [
        (model.answers_per_key, "-np.inf", "-1e6", "very low, but another may be lower"),
        (model.broken_per_key, ":-1", "1:", "the other way"),
        (model.answers_per_key, "np.fill_diagonal(scores, -np.inf)", "scores -= np.eye(len(keys)) * np.inf",
         "nwlab.masked_softmax", "softmax_rows", "NaN where a number was expected")],
    "loss_and_slope": [
        (LOSS, "* w) ** 2", ") ** 2 + w", "w has no effect"),
        (LOSS, "loss(scores", "loss(torch.softmax(scores, dim=1)", "a softmax of a"),
        (LOSS, "-0.5", "0 * w - 0.5", "* w)", "* w.item())", "the number w reaches the scores, its"),
        (LOSS, "* w)", "* w.item())", "cut the way back to w"),
        (LOSS, "* w)", "* torch.tensor(w))", "cut the way back to w"),
        (LOSS, "* w)", "* torch.tensor(np.abs(w)))", "a function of NumPy met"),
        (LOSS, ", values)\n", ", values) / 2\n", "half the loss")],
    "step_of_rho": [
        (STEP, "* w)", "* w.item())", "cut the way back to rho"),
        (STEP, ".requires_grad_(True)", "", "cut the way back to rho"),
        (STEP, ".requires_grad_(True)", "", "exp(rho)\n", "exp(rho).requires_grad_(True)\n", "the grad is None"),
        (STEP, "rho.clone()", "torch.exp(rho)", "w = torch.exp(rho)", "w = rho", "new_rho, torch.exp(new_rho)",
         "torch.log(new_rho), new_rho", "the step is made on w")],
}
