"""Wrong answers to `workbook.exercises.sgd_bandwidth`; test_answers.py says how they are written."""
import torch
from exercises.model_answers import sgd_bandwidth as model

MASKED = ".masked_fill(~leave_one_out_mask(len(keys)), -torch.inf)"

WRONG = {"leave_one_out_mask": {"numbers": (lambda n: 1 - torch.eye(n), "numbers where truth values")}}
WRONG["best_w"] = {"above 0": (
    lambda grid, *at: model.best_w(grid[grid > 0] if any(grid > 0) else grid, *at), "“ws of both signs”")}
NO_ZERO = "scores(w, {0}, keys).masked_fill({0}[:, None] == keys, -torch.inf)"

ALTERED = {
    "scores": [(model.scores, "-0.5 * (differences * w) ** 2", "torch.clamp(-0.5 * (differences * w) ** 2, min=-1e4)",
                "17 of 18 problems hold")],
    "leave_one_out_loss": [(model.leave_one_out_loss, "scores(w, keys, keys)" + MASKED, NO_ZERO.format("keys"),
                            "all but those in which keys has equal numbers")],
    "descend": [(model.descend, "learning_rate * slope(rho, keys, values, leave_one_out)",
                 "(learning_rate * slope(rho, keys, values, leave_one_out)).clamp(-10, 10)", "“far too far” does not"),
                (model.descend, "rho = rho", "rho = rho if slope(rho, keys, values, leave_one_out).abs() < 1e-6 "
                 "else rho", "“sixty steps, tiny values” does not"),
                (model.descend, "rho = rho - learning_rate * slope(rho, keys, values, leave_one_out)",
                 "step = learning_rate * slope(rho, keys, values, leave_one_out)\n"
                 "        rho = rho - step * (step.abs() > 1e-6)", "“many short steps” does not")],
    "error_against_truth": [(model.error_against_truth, "keys), dim", "keys).clamp(min=-1e9), dim",
                             "“a query far from all keys” does not"),
                            (model.error_against_truth, "scores(w, queries, keys)", NO_ZERO.format("queries"),
                             "among the keys” does not")],
}
