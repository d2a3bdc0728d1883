"""Right and wrong answers to `workbook.exercises.sgd_bandwidth`; test_answers.py says how they are written."""
import torch
from exercises.model_answers import sgd_bandwidth as model


def left_out_by_deleting(w, keys, values):
    total = 0.0
    for i in range(len(keys)):
        others = [j for j in range(len(keys)) if j != i]
        alpha = torch.softmax(-0.5 * ((keys[i] - keys[others]) * w) ** 2, dim=0)
        total = total + (alpha @ values[others] - values[i]) ** 2
    return total


def loss_of(leave_one_out):
    return model.leave_one_out_loss if leave_one_out else model.naive_loss


def slope_by_differences(rho, keys, values, leave_one_out):
    loss, step = loss_of(leave_one_out), 1e-5
    return (loss((rho + step).exp(), keys, values) - loss((rho - step).exp(), keys, values)) / (2 * step)


def descend_by_sgd(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    walker, path = torch.optim.SGD([rho], lr=learning_rate), [rho.exp().item()]
    for _ in range(steps):
        walker.zero_grad()
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        walker.step()
        path.append(rho.exp().item())
    return torch.tensor(path)


MASKED = ".masked_fill(~leave_one_out_mask(len(keys)), -torch.inf)"

RIGHT = {
    "scores": {"subtract": (
        model.scores, "queries[:, None] - keys[None, :]", "torch.subtract(queries.reshape(-1, 1), keys)")},
    "naive_loss": {"by hand": (
        model.naive_loss, "torch.softmax(scores(w, keys, keys), dim=1)", "torch.exp(scores(w, keys, keys))",
        "weights @ values", "weights @ values / weights.sum(dim=1)")},
    "leave_one_out_mask": {"compare": lambda n: torch.arange(n)[:, None] != torch.arange(n)},
    "leave_one_out_loss": {"loop": left_out_by_deleting,
                           "where": (model.leave_one_out_loss, MASKED, "", "torch.softmax(masked",
                                     "torch.softmax(torch.where(leave_one_out_mask(len(keys)), masked, -torch.inf)")},
    "slope": {"differences": slope_by_differences,
              "grad": (model.slope, "    loss_function(torch", "    return torch.autograd.grad(loss_function(torch",
                       ".backward()", ", marked)[0]"),
              "marks its input, and takes all back": (
                  model.slope, ".detach().clone()", "", "return marked.grad",
                  "found, rho.grad = rho.grad, None; rho.requires_grad_(False); return found")},
    "descend": {"torch.optim": descend_by_sgd},
    "best_w": {"min": lambda grid, *at: min(grid, key=lambda w: float(model.leave_one_out_loss(w, *at)))},
    "error_against_truth": {"mse_loss": (
        model.error_against_truth, "((answers - truth) ** 2).mean()",
        "torch.nn.functional.mse_loss(answers, truth)")},
}

WRONG = {"leave_one_out_mask": {"numbers": (lambda n: 1 - torch.eye(n), "numbers where truth values")}}


def on_the_grid(grid, keys, values, start):
    """Steps to a smaller neighbour, from a place in the sorted grid."""
    grid = grid.sort().values
    losses = [float(model.leave_one_out_loss(w, keys, values)) for w in grid]
    at = start(len(grid))
    while (lowest := min(range(max(0, at - 1), min(len(grid), at + 2)), key=losses.__getitem__)) != at:
        at = lowest
    return grid[at]


WRONG["best_w"] = {
    "from the middle": (lambda *at: on_the_grid(*at, start=lambda g: g // 2), "the deeper one on the left” does not"),
    "from the left": (lambda *at: on_the_grid(*at, start=lambda g: 0), "does not"),
    "above 0": (lambda grid, *at: model.best_w(grid[grid > 0] if any(grid > 0) else grid, *at), "“ws of both signs”")}
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
