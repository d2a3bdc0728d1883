"""Right answers to `workbook.exercises.bug_museum`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import bug_museum as model


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


def per_key_by_loop(ws, keys, values):
    answers = []
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        scores = -0.5 * ((keys[i] - keys[others]) * ws[others]) ** 2
        answers.append(model.softmax_rows(scores[None])[0] @ values[others])
    return np.array(answers)


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
    "weights_inside": {"w² outside": lambda q, k, w: model.softmax_rows(
        -0.5 * np.subtract.outer(q, k) ** 2 * w**2)},
    "answers_per_key": {"loop": per_key_by_loop},
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

# The exhibits as they hang, which students hand in unchanged.
EXHIBITS = {"softmax_rows": model.broken_softmax, "pool_column": model.broken_pool,
            "weights_inside": model.broken_weights, "answers_per_key": model.broken_per_key,
            "predict_at": model.broken_predict, "loss_and_slope": model.broken_loss_and_slope}
WRONG = {name: {"the exhibit": (exhibit, "w has no effect" if "slope" in name else "the exhibit, not repaired")}
         for name, exhibit in EXHIBITS.items()}

AMONG, LONELY = "among the keys” does not", "“one point far from all others” does not"
FAR, CUT = "“one query far from all keys” does not", ("masked_softmax(scores)", "masked_softmax(scores.clip(-1e9))")
OFF_KEY = "np.where({} == 0, -np.inf, -0.5 * ({} * w) ** 2)"

ALTERED = {
    "softmax_rows": [(model.softmax_rows, "shifted =", "scores = np.maximum(scores, -1e9); shifted =",
                      "all but those in which max(abs(scores)) >=")],
    "pool_column": [(model.pool_column, *CUT, FAR),
                    (model.pool_column, "-0.5 * ((queries - keys) * w) ** 2",
                     OFF_KEY.format("queries - keys", "(queries - keys)"), AMONG),
                    (model.pool_column, "    return nwlab.masked_softmax(scores)", "    e = np.exp(scores)\n    e = "
                     "np.where(e.any(1, keepdims=True), e, scores == scores.max(1, keepdims=True))\n    "
                     "return e / e.sum(1, keepdims=True)", FAR)],
    "loss_and_slope": [(model.loss_and_slope, "* w) ** 2", "* w).square().clamp(max=1e9)", LONELY)],
    "step_of_rho": [(model.step_of_rho, "* w) ** 2", "* w).square().clamp(max=1400)", LONELY),
                    (model.step_of_rho, "torch.exp(rho)\n", "torch.exp(rho.clamp(min=-5))\n",
                     "“large keys and values” does not")],
    "answers_per_key": [(model.answers_per_key, "np.fill_diagonal", "scores = scores.clip(-1e9); np.fill_diagonal",
                         "“one point far from all others” does not")],
    "weights_inside": [(model.weights_inside, "-0.5 * (distances * w) ** 2",
                        "np.maximum(-1e9, -0.5 * (distances * w) ** 2)", FAR),
                       (model.weights_inside, "-0.5 * (distances * w) ** 2",
                        OFF_KEY.format("distances", "distances"), AMONG)],
    "predict_at": [(model.predict_at, *CUT, FAR),
                   (model.predict_at, "-0.5 * ((queries[:, None] - points) * w) ** 2", OFF_KEY.format(
                       "queries[:, None] - points", "(queries[:, None] - points)"), AMONG)],
}


def nearest_where_nan(ws, keys, values):
    scores = -0.5 * ((keys[:, None] - keys) * ws) ** 2
    np.fill_diagonal(scores, -np.inf)
    powers = np.exp(scores)
    return np.where(powers.any(axis=1), powers @ values / powers.sum(axis=1), values[scores.argmax(axis=1)])


WRONG["answers_per_key"]["the nearest where it is NaN"] = (
    nearest_where_nan, LONELY)
