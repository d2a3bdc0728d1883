"""Right and wrong answers to `nwlab.exercises.sgd_bandwidth`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab.training

INF = torch.inf


def stub(name):
    raise NotImplementedError(f"write {name}")


def scores(w, queries, keys):
    return -0.5 * ((queries[:, None] - keys[None, :]) * w) ** 2


def scores_by_outer(w, queries, keys):
    return -torch.square(torch.subtract(queries.reshape(-1, 1), keys) * w) / 2


def scores_by_loop(w, queries, keys):
    table = torch.zeros(len(queries), len(keys), dtype=keys.dtype)
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            table[i, j] = -((q - k) * w) ** 2 / 2
    return table


def naive_loss(w, keys, values):
    weights = torch.softmax(scores(w, keys, keys), dim=1)
    return ((weights @ values - values) ** 2).sum()


def naive_by_loop(w, keys, values):
    total = 0.0
    for query, value in zip(keys, values):
        alpha = torch.softmax(-0.5 * ((query - keys) * w) ** 2, 0)
        total = total + (torch.sum(alpha * values) - value) ** 2
    return total


def naive_by_hand(w, keys, values):
    parts = torch.exp(scores(w, keys, keys))
    answers = (parts * values).sum(1) / parts.sum(1)
    return torch.sum(torch.square(values - answers))


def leave_one_out_mask(n):
    return ~torch.eye(n, dtype=torch.bool)


def mask_by_comparing(n):
    return torch.arange(n)[:, None] != torch.arange(n)


def mask_by_loop(n):
    mask = torch.ones(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i] = False
    return mask


def leave_one_out_loss(w, keys, values):
    masked = scores(w, keys, keys).masked_fill(~leave_one_out_mask(len(keys)), -INF)
    errors = torch.softmax(masked, dim=1) @ values - values
    return (errors**2).sum()


def left_out_by_deleting(w, keys, values):
    total = 0.0
    for i in range(len(keys)):
        others = [j for j in range(len(keys)) if j != i]
        alpha = torch.softmax(-0.5 * ((keys[i] - keys[others]) * w) ** 2, dim=0)
        total = total + (alpha @ values[others] - values[i]) ** 2
    return total


def left_out_by_where(w, keys, values):
    table = torch.where(leave_one_out_mask(len(keys)), scores(w, keys, keys), -INF)
    return torch.sum((torch.softmax(table, -1) @ values - values) ** 2)


def loss_of(leave_one_out):
    return leave_one_out_loss if leave_one_out else naive_loss


def slope(rho, keys, values, leave_one_out):
    rho = rho.detach().clone().requires_grad_()
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    return rho.grad


def slope_by_grad(rho, keys, values, leave_one_out):
    rho = torch.tensor(rho.item(), requires_grad=True, dtype=torch.float64)
    found, = torch.autograd.grad(loss_of(leave_one_out)(rho.exp(), keys, values), rho)
    return found


def slope_by_differences(rho, keys, values, leave_one_out):
    loss, step = loss_of(leave_one_out), 1e-5
    return (loss((rho + step).exp(), keys, values) - loss((rho - step).exp(), keys, values)) / (2 * step)


def slope_cleans_up(rho, keys, values, leave_one_out):
    """Marks its input, and takes all of it back."""
    rho.requires_grad_()
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    found, rho.grad = rho.grad, None
    rho.requires_grad_(False)
    return found


def descend(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [torch.exp(rho)]
    for _ in range(steps):
        rho = rho - learning_rate * slope(rho, keys, values, leave_one_out)
        path.append(torch.exp(rho))
    return torch.stack(path)


def descend_by_sgd(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    walker, path = torch.optim.SGD([rho], lr=learning_rate), torch.zeros(steps + 1, dtype=torch.float64)
    path[0] = rho.exp().detach()
    for step in range(1, steps + 1):
        walker.zero_grad()
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        walker.step()
        path[step] = rho.exp().detach()
    return path


def descend_in_w(rho, keys, values, leave_one_out, learning_rate, steps):
    """A step of rho multiplies w."""
    w = [torch.exp(rho)]
    while len(w) <= steps:
        w.append(w[-1] * torch.exp(-learning_rate * slope(torch.log(w[-1]), keys, values, leave_one_out)))
    return torch.tensor(w)


def best_w(grid, keys, values):
    losses = torch.stack([leave_one_out_loss(w, keys, values) for w in grid])
    return grid[losses.argmin()]


def best_by_loop(grid, keys, values):
    best, lowest = None, math.inf
    for w in grid:
        loss = leave_one_out_loss(w, keys, values)
        if loss < lowest:
            best, lowest = w, loss
    return best


def best_by_min(grid, keys, values):
    return min(grid, key=lambda w: float(leave_one_out_loss(w, keys, values)))


def error_against_truth(w, keys, values, queries, truth):
    weights = torch.softmax(scores(w, queries, keys), dim=1)
    return ((weights @ values - truth) ** 2).mean()


def error_by_loop(w, keys, values, queries, truth):
    errors = []
    for query, true in zip(queries, truth):
        alpha = torch.softmax(-0.5 * ((query - keys) * w) ** 2, dim=0)
        errors.append((alpha @ values - true) ** 2)
    return sum(errors) / len(errors)


def error_by_mse(w, keys, values, queries, truth):
    return torch.nn.functional.mse_loss(torch.softmax(scores(w, queries, keys), -1).mv(values), truth)


RIGHT = {
    "scores": {"broadcast": scores, "outer": scores_by_outer, "loop": scores_by_loop},
    "naive_loss": {"softmax": naive_loss, "loop": naive_by_loop, "by hand": naive_by_hand},
    "leave_one_out_mask": {"not eye": leave_one_out_mask, "compare": mask_by_comparing, "loop": mask_by_loop},
    "leave_one_out_loss": {"masked_fill": leave_one_out_loss, "loop": left_out_by_deleting, "where": left_out_by_where},
    "slope": {"backward": slope, "autograd.grad": slope_by_grad, "differences": slope_by_differences,
              "cleans up": slope_cleans_up},
    "descend": {"slope": descend, "torch.optim": descend_by_sgd, "in w": descend_in_w},
    "best_w": {"argmin": best_w, "loop": best_by_loop, "min": best_by_min},
    "error_against_truth": {"softmax": error_against_truth, "loop": error_by_loop, "mse_loss": error_by_mse},
}

# --- wrong: what torch makes easy to get wrong, and declared mistakes written otherwise


def own_softmax(w, keys, values):
    parts = torch.exp(scores(w, keys, keys)) * leave_one_out_mask(len(keys))
    return ((parts / parts.sum(1, keepdim=True) @ values - values) ** 2).sum()


def forgotten_fill(w, keys, values):
    table = scores(w, keys, keys)
    table.masked_fill(~leave_one_out_mask(len(keys)), -INF)
    return ((torch.softmax(table, dim=1) @ values - values) ** 2).sum()


def with_table(change):
    """A leave-one-out loss whose scores are masked by change(scores, eye)."""
    return lambda w, keys, values: ((torch.softmax(change(
        scores(w, keys, keys), torch.eye(len(keys))), 1) @ values - values) ** 2).sum()


def mutating_loss(w, keys, values):
    keys *= w.detach()
    return leave_one_out_loss(1.0, keys, values)


@torch.no_grad()
def unrecorded_loss(w, keys, values):
    return naive_loss(w, keys, values)


def slope_marks_its_input(rho, keys, values, leave_one_out):
    rho.requires_grad_()
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    return rho.grad


def slope_with_an_axis(rho, keys, values, leave_one_out):
    rho = torch.tensor([rho.item()], requires_grad=True, dtype=torch.float64)
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    return rho.grad


def slope_unmarked(rho, keys, values, leave_one_out):
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    return rho.grad


def slope_never_asked(rho, keys, values, leave_one_out):
    rho = rho.clone().requires_grad_()
    loss_of(leave_one_out)(rho.exp(), keys, values)
    return rho.grad


def accumulating(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    path = [rho.exp().item()]
    for _ in range(steps):
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        with torch.no_grad():
            rho -= learning_rate * rho.grad
        path.append(rho.exp().item())
    return torch.tensor(path)


def same_tensor(rho, keys, values, leave_one_out, learning_rate, steps):
    w = rho.exp()
    path = [w]
    for _ in range(steps):
        w *= torch.exp(-learning_rate * slope(w.log(), keys, values, leave_one_out))
        path.append(w)
    return torch.stack(path)


WRONG = {
    "scores": {
        "no half": (lambda w, queries, keys: 2 * scores(w, queries, keys), "2 times the right one"),
        "no minus": (lambda w, queries, keys: -scores(w, queries, keys), "the sign is flipped"),
        "transposed": (lambda w, queries, keys: scores(w, queries, keys).T, "the wrong axis"),
        "one axis": (lambda w, queries, keys: -0.5 * ((queries - keys) * w) ** 2, "raises RuntimeError"),
        "another stub": (lambda w, queries, keys: stub("naive_loss"), "it calls naive_loss, which is not written"),
        "item": (lambda w, queries, keys: scores(w.item(), queries, keys), "the way back to w is cut"),
        "NumPy": (lambda w, queries, keys: scores(torch.tensor(np.sqrt(w)), queries, keys), "a function of NumPy"),
        "item and no half": (lambda w, queries, keys: 2 * scores(w.item(), queries, keys), "2 times the right one"),
        "half cut": (lambda w, queries, keys: -0.5 * (queries[:, None] - keys) ** 2 * w * w.item(),
                     "the gradient with respect to w is wrong"),
    },
    "naive_loss": {
        "mean": (lambda w, keys, values: naive_loss(w, keys, values) / len(keys), "1/len(keys) times the right one"),
        "nothing": (lambda w, keys, values: None, "it returns nothing"),
        "item at the end": (lambda w, keys, values: naive_loss(w, keys, values).item(), "the way back to w is cut"),
        "a new tensor": (lambda w, keys, values: torch.tensor(naive_loss(w, keys, values).item(), requires_grad=True),
                         "the way back to w is cut"),
        "a new leaf": (lambda w, *data: naive_loss(w.detach().requires_grad_(), *data), "the way back to w is cut"),
        "no_grad": (unrecorded_loss, "the way back to w is cut"),
    },
    "leave_one_out_mask": {
        "turned numbers": (lambda n: torch.eye(n), "the wrong way round"),
        "later": (lambda n: torch.ones(n, n).triu(1).bool(), "does not hold yet"),
        "numbers": (lambda n: 1 - torch.eye(n), "numbers where truth values"),
        "NumPy": (lambda n: ~np.eye(n, dtype=bool), "NumPy where torch was asked"),
        "not eye": (lambda n: ~torch.eye(n), "it raises TypeError"),
    },
    "leave_one_out_loss": {
        "forgotten fill": (forgotten_fill, "still attends to itself"),
        "score 0": (with_table(lambda table, eye: table * (1 - eye)), "still attends to itself"),
        "plus infinity": (with_table(lambda table, eye: table.masked_fill(eye.bool(), INF)), "NaN for every input: +∞"),
        "0 times infinity": (with_table(lambda table, eye: table - eye * INF), "or 0 times ∞ among the scores"),
        "turned": (with_table(lambda table, eye: table.masked_fill(~eye.bool(), -INF)), "the wrong way round"),
        "own softmax": (own_softmax, "NaN where a number was asked"),
        "nwlab": (lambda w, keys, values: torch.tensor(nwlab.training.loss_landscape((keys, values), [w.item()])[0]),
                  "calls nwlab's own loss_landscape"),
        "mutates": (mutating_loss, "changes its inputs (keys)"),
    },
    "slope": {
        "unmarked": (slope_unmarked, "something cut the way back to rho"),
        "no backward": (slope_never_asked, "it returns nothing: None"),
        "marks its input": (slope_marks_its_input, "it marks the rho of the caller"),
        "marks, minus": (lambda *at: -slope_marks_its_input(*at), "the sign is flipped"),
        "an axis": (slope_with_an_axis, "an axis of length 1 too many"),
        "swapped": (lambda *at: slope(*at[:3], not at[3]), "does not hold yet"),
    },
    "descend": {
        "same tensor": (same_tensor, "every entry of the path is the last w"),
        "accumulating": (accumulating, "gradients add up"),
        "no start": (lambda *at: descend(*at)[1:], "shape (1,) where (2,) was asked"),
        "list": (lambda *at: list(descend(*at)), "a list where an array was asked"),
        "exp twice": (lambda rho, *at: descend(rho.exp(), *at), "does not hold yet"),
    },
    "best_w": {
        "largest": (lambda grid, *at: grid.max(), "so the largest w wins"),
        "smallest": (lambda grid, *at: grid.min(), "does not hold yet"),
        "nwlab": (lambda grid, keys, values: grid[int(np.argmin(nwlab.training.loss_landscape((keys, values), grid)))],
                  "calls nwlab's own loss_landscape"),
        "list": (lambda *at: [best_w(*at)], "a list where a number was asked"),
    },
    "error_against_truth": {
        "values": (lambda *at: error_against_truth(*at[:4], at[2]), "it raises RuntimeError"),
        "sum": (lambda *at: error_against_truth(*at) * len(at[3]), "len(queries) times the right one"),
    },
}
