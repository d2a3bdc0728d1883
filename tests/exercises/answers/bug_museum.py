"""Wrong answers to `workbook.exercises.bug_museum`; test_answers.py says how they are written."""
import numpy as np
from exercises.model_answers import bug_museum as model
from exercises.model_answers import nearest_where_nan

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
                      "problems hold, “")],
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

WRONG["answers_per_key"]["the nearest where it is NaN"] = (lambda ws, keys, values: nearest_where_nan(
    np.where(np.eye(len(keys)), -np.inf, -0.5 * ((keys[:, None] - keys) * ws) ** 2), values), LONELY)
