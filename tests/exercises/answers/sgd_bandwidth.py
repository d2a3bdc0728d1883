"""Right and wrong answers to `nwlab.exercises.sgd_bandwidth`; test_answers.py says how they are written."""
import numpy as np
import torch

import nwlab.training

INF = torch.inf


def stub(name):
    raise NotImplementedError(f"write {name}")


def scores(w, queries, keys):
    return -0.5 * ((queries[:, None] - keys) * w) ** 2


def scores_by_loop(w, queries, keys):
    return torch.stack([torch.stack([-((q - k) * w) ** 2 / 2 for k in keys]) for q in queries])


def naive_loss(w, keys, values):
    weights = torch.softmax(scores(w, keys, keys), dim=1)
    return ((weights @ values - values) ** 2).sum()


def naive_by_loop(w, keys, values):
    total = 0.0
    for query, value in zip(keys, values):
        total = total + (torch.softmax(-0.5 * ((query - keys) * w) ** 2, 0) @ values - value) ** 2
    return total


def leave_one_out_mask(n):
    return ~torch.eye(n, dtype=torch.bool)


def mask_by_loop(n):
    mask = torch.ones(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i] = False
    return mask


def leave_one_out_loss(w, keys, values):
    table, itself = scores(w, keys, keys), torch.eye(len(keys), dtype=torch.bool)
    table = table.masked_fill(itself, -INF)
    return ((torch.softmax(table, dim=1) @ values - values) ** 2).sum()


def left_out_by_deleting(w, keys, values):
    total = 0.0
    for i in range(len(keys)):
        others = [j for j in range(len(keys)) if j != i]
        alpha = torch.softmax(-0.5 * ((keys[i] - keys[others]) * w) ** 2, dim=0)
        total = total + (alpha @ values[others] - values[i]) ** 2
    return total


def loss_of(leave_one_out):
    return leave_one_out_loss if leave_one_out else naive_loss


def slope(rho, keys, values, leave_one_out):
    rho = rho.detach().clone().requires_grad_()
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    return rho.grad


def slope_by_differences(rho, keys, values, leave_one_out):
    loss, step = loss_of(leave_one_out), 1e-5
    return (loss((rho + step).exp(), keys, values) - loss((rho - step).exp(), keys, values)) / (2 * step)


def descend(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [torch.exp(rho)]
    for _ in range(steps):
        rho = rho - learning_rate * slope(rho, keys, values, leave_one_out)
        path.append(torch.exp(rho))
    return torch.stack(path)


def descend_by_sgd(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    walker, path = torch.optim.SGD([rho], lr=learning_rate), [rho.exp().item()]
    for _ in range(steps):
        walker.zero_grad()
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        walker.step()
        path.append(rho.exp().item())
    return torch.tensor(path)


def descend_in_w(rho, keys, values, leave_one_out, learning_rate, steps):
    """A step of rho multiplies w."""
    w = torch.exp(rho)
    path = [w]
    for _ in range(steps):
        w = w * torch.exp(-learning_rate * slope(torch.log(w), keys, values, leave_one_out))
        path.append(w)
    return torch.stack(path)


def best_w(grid, keys, values):
    losses = torch.stack([leave_one_out_loss(w, keys, values) for w in grid])
    return grid[losses.argmin()]


def best_by_loop(grid, keys, values):
    best = grid[0]
    for w in grid[1:]:
        best = w if leave_one_out_loss(w, keys, values) < leave_one_out_loss(best, keys, values) else best
    return best


def error_against_truth(w, keys, values, queries, truth):
    weights = torch.softmax(scores(w, queries, keys), dim=1)
    return ((weights @ values - truth) ** 2).mean()


def error_by_loop(w, keys, values, queries, truth):
    errors = [torch.softmax(-0.5 * ((q - keys) * w) ** 2, dim=0) @ values - true for q, true in zip(queries, truth)]
    return sum(error**2 for error in errors) / len(errors)


RIGHT = {
    "scores": {"broadcast": scores, "loop": scores_by_loop, "subtract": (
        scores, "queries[:, None] - keys", "torch.subtract(queries.reshape(-1, 1), keys)")},
    "naive_loss": {"softmax": naive_loss, "loop": naive_by_loop, "by hand": (
        naive_loss, "torch.softmax(scores(w, keys, keys), dim=1)", "torch.exp(scores(w, keys, keys))",
        "weights @ values", "weights @ values / weights.sum(dim=1)")},
    "leave_one_out_mask": {"not eye": leave_one_out_mask, "loop": mask_by_loop,
                           "compare": lambda n: torch.arange(n)[:, None] != torch.arange(n)},
    "leave_one_out_loss": {"masked_fill": leave_one_out_loss, "loop": left_out_by_deleting,
                           "where": (leave_one_out_loss, "table.masked_fill(itself, -INF)",
                                     "torch.where(itself, -INF, table)")},
    "slope": {"backward": slope, "differences": slope_by_differences,
              "grad": (slope, "    loss_of", "    return torch.autograd.grad(loss_of", ".backward()", ", rho)[0]"),
              "marks its input, and takes all back": (
                  slope, ".detach().clone()", "", "return rho.grad",
                  "found, rho.grad = rho.grad, None; rho.requires_grad_(False); return found")},
    "descend": {"slope": descend, "torch.optim": descend_by_sgd, "in w": descend_in_w},
    "best_w": {"argmin": best_w, "loop": best_by_loop,
               "min": lambda grid, *at: min(grid, key=lambda w: float(leave_one_out_loss(w, *at)))},
    "error_against_truth": {"softmax": error_against_truth, "loop": error_by_loop, "mse_loss": (
        error_against_truth, "((weights @ values - truth) ** 2).mean()",
        "torch.nn.functional.mse_loss(weights.mv(values), truth)")},
}

# --- wrong: what torch makes easy to get wrong, and declared mistakes written otherwise


def own_softmax(w, keys, values):
    parts = torch.exp(scores(w, keys, keys)) * leave_one_out_mask(len(keys))
    return ((parts / parts.sum(1, keepdim=True) @ values - values) ** 2).sum()


def mutating_loss(w, keys, values):
    keys *= w.detach()
    return leave_one_out_loss(1.0, keys, values)


WRONG = {
    "scores": {
        "another stub": (lambda w, queries, keys: stub("naive_loss"), "it calls naive_loss, which is not written"),
        "NumPy": (lambda w, queries, keys: scores(torch.tensor(np.sqrt(w)), queries, keys), "a function of NumPy"),
        "item and no half": (lambda w, queries, keys: 2 * scores(w.item(), queries, keys), "2 times the right one"),
    },
    "naive_loss": {
        "nothing": (lambda w, keys, values: None, "it returns nothing"),
        "a new tensor": (lambda w, keys, values: torch.tensor(naive_loss(w, keys, values).item(), requires_grad=True),
                         "the way back to w is cut"),
        "a new leaf": (lambda w, *data: naive_loss(w.detach().requires_grad_(), *data), "the way back to w is cut"),
        "no_grad": (torch.no_grad()(naive_loss), "the way back to w is cut"),
    },
    "leave_one_out_mask": {
        "later": (lambda n: torch.ones(n, n).triu(1).bool(), "does not hold yet"),
        "numbers": (lambda n: 1 - torch.eye(n), "numbers where truth values"),
        "not eye": (lambda n: ~torch.eye(n), "it raises TypeError"),
    },
    "leave_one_out_loss": {
        "own softmax": (own_softmax, "NaN where a number was expected"),
        "nwlab": (lambda w, keys, values: torch.tensor(len(keys) * nwlab.loo_error(keys, values, 1 / w.item())),
                  "calls nwlab's own loo_error"),
        "mutates": (mutating_loss, "changes its inputs (keys)"),
    },
    "slope": {"swapped": (lambda *at: slope(*at[:3], not at[3]), "does not hold yet")},
    "descend": {
        "list": (lambda *at: list(descend(*at)), "a list where an array was expected"),
        "exp twice": (lambda rho, *at: descend(rho.exp(), *at), "does not hold yet"),
    },
    "best_w": {
        "smallest": (lambda grid, *at: grid.min(), "does not hold yet"),
        "nwlab": (lambda grid, keys, values: grid[int(np.argmin(nwlab.loo_error(keys, values, 1 / grid)))],
                  "calls nwlab's own loo_error"),
    },
    "error_against_truth": {"values": (lambda *at: error_against_truth(*at[:4], at[2]), "it raises RuntimeError")},
}

ALTERED = {
    "scores": [
        (scores, "[:, None]", "", "raises RuntimeError"), (scores, "* w)", "* w.item())", "the way back to w is cut"),
        (scores, "* w) ** 2", ") ** 2 * w * w.item()", "the gradient with respect to w is wrong")],
    "naive_loss": [(naive_loss, ".sum()", ".mean()", "1/len(keys) times the right one"),
                   (naive_loss, ".sum()", ".sum().item()", "the way back to w is cut")],
    "leave_one_out_loss": [
        (leave_one_out_loss, "table = table.masked", "table.masked", "still attends to itself"),
        (leave_one_out_loss, "masked_fill(itself, -INF)", "masked_fill(itself, 0)", "still attends to itself"),
        (leave_one_out_loss, "-INF", "INF", "NaN for every input: +∞"),
        (leave_one_out_loss, "table.masked_fill(itself, -INF)", "table - itself * INF", "or 0 times ∞ among the"),
        (leave_one_out_loss, "(itself,", "(~itself,", "the wrong way round")],
    "slope": [
        (slope, "rho.detach().clone().requires_grad_()", "rho", "something cut the way back to rho"),
        (slope, ".backward()", "", "it returns nothing: None"),
        (slope, ".detach().clone()", "", "it marks the rho of the caller"),
        (slope, ".detach().clone()", "", "return ", "return -", "the sign is flipped"),
        (slope, "rho.detach()", "rho.detach()[None]", "an axis of length 1 too many")],
    "descend": [
        (descend_in_w, "w = w *", "w *=", "every entry of the path is the last w"),
        (descend_by_sgd, "walker.zero_grad()", "pass", "gradients add up"),
        (descend, "torch.stack(path)", "torch.stack(path[1:])", "shape (1,) where (2,) was expected")],
    "best_w": [(best_w, "grid[losses.argmin()]", "[grid[losses.argmin()]]", "a list where a number was expected")],
    "error_against_truth": [(error_against_truth, ".mean()", ".sum()", "len(queries) times the right one")],
}
