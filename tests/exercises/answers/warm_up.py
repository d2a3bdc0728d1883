"""Wrong answers to `workbook.exercises.warm_up`; test_answers.py says how they are written."""
import numpy as np
import torch
from exercises.model_answers import nearest_where_nan
from exercises.model_answers import warm_up as model


def nan_for_0(name):
    return lambda *at: (answer := getattr(model, name)(*at)) / (answer != 0)


WRONG = {name: {"NaN for 0": (nan_for_0(name), "NaN where a number was expected")}
         for name in ("differences", "scores_of", "scores_of_rows")}
WRONG["scores_of_rows"]["squeeze"] = lambda *at: model.scores_of_rows(*at).squeeze(), "axis of length 1 is missing: ("
WRONG["pool_batches"] = {
    "NumPy": (lambda w, v: torch.from_numpy(np.matmul(w.numpy(), v.numpy())), "a function of NumPy met a tensor"),
    "a list": (lambda w, v: torch.tensor((w @ v).tolist(), dtype=torch.float64), "the way back to weights is cut")}
WRONG["scores_of_rows"]["detached"] = (
    lambda q, k, sigma: model.scores_of_rows(q.detach(), k, sigma), "the way back to queries is cut")


ALTERED = {"weights_of": [(model.weights_of, "scores - scores", f"scores.clip({ends}) - scores.clip({ends})",
                            "“a query far from all keys” does not") for ends in ("-1e9", "None, 1e9")]}
WRONG["attend"] = {
    "the nearest where it is NaN": (lambda queries, keys, values, sigma: nearest_where_nan(
        model.scores_of(queries, keys, sigma), values), "“a query far from all keys” does not"),
    "a key at the query's place left out": (lambda q, k, v, sigma: model.weights_of(np.where(
        q[:, None] == k, -1e300, model.scores_of(q, k, sigma))) @ v, "“one query on a key” does not")}
