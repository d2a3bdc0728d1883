"""Right and wrong answers to `nwlab.exercises.sgd_bandwidth`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab
import nwlab.attention
import nwlab.training

INF = torch.inf


def stub(name):
    def write(*arguments):
        raise NotImplementedError(f"write {name}")

    return write


# --- right


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


def scores_in_float32(w, queries, keys):
    return scores(w.float(), queries.float(), keys.float())


def scores_by_cdist(w, queries, keys):
    return -0.5 * torch.cdist(queries[:, None] * w, keys[:, None] * w) ** 2


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


def naive_in_float32(w, keys, values):
    return naive_loss(w.float(), keys.float(), values.float())


def naive_by_mse(w, keys, values):
    answers = torch.softmax(scores(w, keys, keys), -1) @ values[:, None]
    return torch.nn.functional.mse_loss(answers[:, 0], values, reduction="sum")


def leave_one_out_mask(n):
    return ~torch.eye(n, dtype=torch.bool)


def mask_by_comparing(n):
    return torch.arange(n)[:, None] != torch.arange(n)


def mask_by_loop(n):
    mask = torch.ones(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i] = False
    return mask


def mask_by_fill(n):
    mask = torch.full((n, n), True)
    mask.fill_diagonal_(False)
    return mask


def leave_one_out_loss(w, keys, values):
    masked = scores(w, keys, keys).masked_fill(~leave_one_out_mask(len(keys)), -INF)
    errors = torch.softmax(masked, dim=1) @ values - values
    return (errors**2).sum()


def left_out_by_where(w, keys, values):
    table = torch.where(leave_one_out_mask(len(keys)), scores(w, keys, keys), -INF)
    return torch.sum((torch.softmax(table, -1) @ values - values) ** 2)


def left_out_by_deleting(w, keys, values):
    total = 0.0
    for i in range(len(keys)):
        others = [j for j in range(len(keys)) if j != i]
        alpha = torch.softmax(-0.5 * ((keys[i] - keys[others]) * w) ** 2, dim=0)
        total = total + (alpha @ values[others] - values[i]) ** 2
    return total


def left_out_by_copies(w, keys, values):
    n, others = len(keys), leave_one_out_mask(len(keys))
    table = scores(w, keys, keys)[others].reshape(n, n - 1)
    own = values.repeat(n, 1)[others].reshape(n, n - 1)
    return (((torch.softmax(table, dim=1) * own).sum(1) - values) ** 2).sum()


def left_out_in_float32(w, keys, values):
    return leave_one_out_loss(w.float(), keys.float(), values.float())


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


def slope_by_chain_rule(rho, keys, values, leave_one_out):
    w = torch.exp(rho).detach().requires_grad_()
    loss_of(leave_one_out)(w, keys, values).backward()
    return (w * w.grad).detach()


def slope_by_formula(rho, keys, values, leave_one_out):
    w, squares = torch.exp(rho), (keys[:, None] - keys) ** 2
    table = -0.5 * squares * w**2
    if leave_one_out:
        table.fill_diagonal_(-INF)
    alpha = torch.softmax(table, dim=1)
    spread = squares - (alpha * squares).sum(1, keepdim=True)
    return torch.sum(2 * (alpha @ values - values) * ((-w**2 * alpha * spread) @ values))


def slope_by_differences(rho, keys, values, leave_one_out):
    loss, step = loss_of(leave_one_out), 1e-5
    return (loss((rho + step).exp(), keys, values) - loss((rho - step).exp(), keys, values)) / (2 * step)


def slope_in_float32(rho, keys, values, leave_one_out):
    return slope(rho.float(), keys, values, leave_one_out)


def slope_as_a_number(rho, keys, values, leave_one_out):
    return slope(rho, keys, values, leave_one_out).item()


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


def descend_with_numbers(rho, keys, values, leave_one_out, learning_rate, steps):
    place, path = rho.item(), [math.exp(rho)]
    for _ in range(steps):
        place -= learning_rate * float(slope(torch.tensor(place), keys, values, leave_one_out))
        path.append(math.exp(place))
    return torch.tensor(path)


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


def best_by_number(grid, keys, values):
    losses = [left_out_by_copies(w, keys, values).item() for w in grid]
    return grid[int(np.argmin(losses))].item()


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


def error_in_float32(w, keys, values, queries, truth):
    return error_against_truth(*(x.float() for x in (w, keys, values, queries, truth)))


RIGHT = {
    "scores": {"broadcast": scores, "outer": scores_by_outer, "loop": scores_by_loop, "float32": scores_in_float32,
               "cdist": scores_by_cdist},
    "naive_loss": {"softmax": naive_loss, "loop": naive_by_loop, "by hand": naive_by_hand, "float32": naive_in_float32,
                   "mse_loss": naive_by_mse},
    "leave_one_out_mask": {"not eye": leave_one_out_mask, "compare": mask_by_comparing, "loop": mask_by_loop,
                           "fill": mask_by_fill},
    "leave_one_out_loss": {"masked_fill": leave_one_out_loss, "where": left_out_by_where, "loop": left_out_by_deleting,
                           "copies": left_out_by_copies, "float32": left_out_in_float32},
    "slope": {"backward": slope, "autograd.grad": slope_by_grad, "chain rule": slope_by_chain_rule,
              "formula": slope_by_formula, "differences": slope_by_differences, "float32": slope_in_float32,
              "a number": slope_as_a_number, "cleans up": slope_cleans_up},
    "descend": {"slope": descend, "torch.optim": descend_by_sgd, "in w": descend_in_w, "numbers": descend_with_numbers},
    "best_w": {"argmin": best_w, "loop": best_by_loop, "min": best_by_min, "number": best_by_number},
    "error_against_truth": {"softmax": error_against_truth, "loop": error_by_loop, "mse_loss": error_by_mse,
                            "float32": error_in_float32},
}

# --- wrong


def with_scores(table, leave_one_out=False):
    """A loss that is right but for its scores."""
    def loss(w, keys, values):
        scores = table(w, keys[:, None] - keys)
        if leave_one_out:
            scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), -INF)
        return ((torch.softmax(scores, 1) @ values - values) ** 2).sum()

    return loss


def outside(w, differences):
    return -0.5 * differences**2 * w


def naive_weights(w, keys):
    return torch.softmax(scores(w, keys, keys), 1)


def left_weights(w, keys, dim=1):
    return torch.softmax(scores(w, keys, keys).masked_fill(torch.eye(len(keys), dtype=torch.bool), -INF), dim)


def ending(weights, end):
    return lambda w, keys, values: end(weights(w, keys) @ values, values)


ENDINGS = {
    "mean": (lambda f, v: ((f - v) ** 2).mean(), "the mean of the squared errors"),
    "half": (lambda f, v: ((f - v) ** 2).sum() / 2, "half of the loss"),
    "table": (lambda f, v: ((f[:, None] - v) ** 2).sum(), "a table of all pairs"),
    "sum first": (lambda f, v: (f - v).sum() ** 2, "added up first"),
    "norm": (lambda f, v: torch.linalg.norm(f - v), "the root of the sum"),
    "absolute": (lambda f, v: (f - v).abs().sum(), "absolute errors"),
    "no sum": (lambda f, v: (f - v) ** 2, "one error for each point"),
}


def renormalised(w, keys, values):
    weights = naive_weights(w, keys) * leave_one_out_mask(len(keys))
    return ((weights / weights.sum(1, keepdim=True) @ values - values) ** 2).sum()


def cut_values(start):
    def loss(w, keys, values):
        n = len(keys)
        rows = left_weights(w, keys)[leave_one_out_mask(n)].reshape(n, n - 1)
        return ((rows @ values[start:start + n - 1] - values) ** 2).sum()

    return loss


def zero_scores(w, keys, values):
    table = scores(w, keys, keys) * leave_one_out_mask(len(keys))
    return ((torch.softmax(table, 1) @ values - values) ** 2).sum()


def packaged_loss(w, keys, values):
    return torch.tensor(nwlab.training.loss_landscape((keys, values), [w.item()])[0])


def mutating_loss(w, keys, values):
    keys *= w
    return leave_one_out_loss(1.0, keys, values)


def slope_marks_its_input(rho, keys, values, leave_one_out):
    rho.requires_grad_()
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    return rho.grad


def slope_marks_and_empties(rho, keys, values, leave_one_out):
    rho.requires_grad_()
    rho.grad = None
    loss_of(leave_one_out)(torch.exp(rho), keys, values).backward()
    return rho.grad.item()


def slope_with_an_axis(rho, keys, values, leave_one_out):
    rho = torch.tensor([rho.item()], requires_grad=True, dtype=torch.float64)
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    return rho.grad


def slope_at(w_of):
    """A slope with another way from rho to w."""
    def slope(rho, keys, values, leave_one_out):
        rho = rho.detach().clone().requires_grad_()
        loss_of(leave_one_out)(w_of(rho), keys, values).backward()
        return rho.grad

    return slope


def own_softmax(w, keys, values):
    parts = torch.exp(scores(w, keys, keys).masked_fill(~leave_one_out_mask(len(keys)), -INF))
    return ((parts / parts.sum(1, keepdim=True) @ values - values) ** 2).sum()


def filled_with_plus(w, keys, values):
    table = scores(w, keys, keys).masked_fill(~leave_one_out_mask(len(keys)), INF)
    return ((torch.softmax(table, dim=1) @ values - values) ** 2).sum()


def forgotten_fill(w, keys, values):
    table = scores(w, keys, keys)
    table.masked_fill(~leave_one_out_mask(len(keys)), -INF)
    return ((torch.softmax(table, dim=1) @ values - values) ** 2).sum()


def masked_answers(end):
    return lambda w, keys, values: (end(leave_one_out_mask(len(keys)).to(values.dtype), naive_weights(w, keys) @ values, values)
                                    ** 2).sum()


def unrecorded(function):
    """As with torch.no_grad() in it."""
    def without(*inputs):
        with torch.no_grad():
            return function(*inputs)

    return without


def descend_marks_its_start(rho, keys, values, leave_one_out, learning_rate, steps):
    rho.requires_grad_()
    place, path = rho, [rho.exp().detach()]
    for _ in range(steps):
        step, = torch.autograd.grad(loss_of(leave_one_out)(place.exp(), keys, values), place)
        place = place - learning_rate * step
        path.append(place.exp().detach())
    return torch.stack(path)


def asks_slope_at_w(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [rho.exp()]
    for _ in range(steps):
        rho = rho - learning_rate * slope(torch.exp(rho), keys, values, leave_one_out)
        path.append(rho.exp())
    return torch.stack(path)


def changed_places(w, keys, values, queries, truth):
    return ((torch.softmax(scores(w, keys, queries), dim=1) @ values - truth) ** 2).mean()


def slope_of_w(rho, keys, values, leave_one_out):
    w = torch.tensor(math.exp(rho), requires_grad=True, dtype=torch.float64)
    loss_of(leave_one_out)(w, keys, values).backward()
    return w.grad


def slope_twice(rho, keys, values, leave_one_out):
    rho = rho.clone().requires_grad_()
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    return rho.grad


def slope_without_exp(rho, keys, values, leave_one_out):
    rho = rho.clone().requires_grad_()
    loss_of(leave_one_out)(rho, keys, values).backward()
    return rho.grad


def slope_unmarked(rho, keys, values, leave_one_out):
    loss_of(leave_one_out)(rho.exp(), keys, values).backward()
    return rho.grad


def slope_cut(rho, keys, values, leave_one_out):
    rho = rho.clone().requires_grad_()
    torch.tensor(loss_of(leave_one_out)(rho.exp(), keys, values).item()).backward()
    return rho.grad


def slope_never_asked(rho, keys, values, leave_one_out):
    rho = rho.clone().requires_grad_()
    loss_of(leave_one_out)(rho.exp(), keys, values)
    return rho.grad


def slope_of_backward(rho, keys, values, leave_one_out):
    return loss_of(leave_one_out)(rho.requires_grad_().exp(), keys, values).backward()


def walk(change, start=True, end=True, what=torch.exp):
    """A descent whose step is change(rho, slope, learning_rate)."""
    def descend(rho, keys, values, leave_one_out, learning_rate, steps):
        path = [what(rho)] if start else []
        for step in range(steps):
            rho = change(rho, slope(rho, keys, values, leave_one_out), learning_rate)
            if end or step < steps - 1:
                path.append(what(rho))
        return torch.stack(path)

    return descend


def right_step(rho, slope, rate):
    return rho - rate * slope


def accumulating(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    path = [rho.exp().item()]
    for _ in range(steps):
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        with torch.no_grad():
            rho -= learning_rate * rho.grad
        path.append(rho.exp().item())
    return torch.tensor(path)


def in_place_on_a_leaf(rho, keys, values, leave_one_out, learning_rate, steps):
    rho = rho.clone().requires_grad_()
    for _ in range(steps):
        loss_of(leave_one_out)(rho.exp(), keys, values).backward()
        rho -= learning_rate * rho.grad
    return rho.exp()


def changes_its_rho(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [rho.exp()]
    for _ in range(steps):
        rho -= learning_rate * slope(rho, keys, values, leave_one_out)
        path.append(rho.exp())
    return torch.stack(path)


def same_tensor(rho, keys, values, leave_one_out, learning_rate, steps):
    w = rho.exp()
    path = [w]
    for _ in range(steps):
        w *= torch.exp(-learning_rate * slope(w.log(), keys, values, leave_one_out))
        path.append(w)
    return torch.stack(path)


def slope_of_the_start(rho, keys, values, leave_one_out, learning_rate, steps):
    step = slope(rho, keys, values, leave_one_out)
    return torch.stack([(rho - learning_rate * t * step).exp() for t in range(steps + 1)])


def with_slope_of_w(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [rho.exp()]
    for _ in range(steps):
        rho = rho - learning_rate * slope_of_w(rho, keys, values, leave_one_out)
        path.append(rho.exp())
    return torch.stack(path)


def steps_of_w(rho, keys, values, leave_one_out, learning_rate, steps):
    w = rho.exp().clone().requires_grad_()
    walker, path = torch.optim.SGD([w], lr=learning_rate), [w.detach().clone()]
    for _ in range(steps):
        walker.zero_grad()
        loss_of(leave_one_out)(w, keys, values).backward()
        walker.step()
        path.append(w.detach().clone())
    return torch.stack(path)


def slope_of_rho_from_w(rho, keys, values, leave_one_out, learning_rate, steps):
    path = [rho.exp()]
    for _ in range(steps):
        path.append(path[-1] - learning_rate * slope(path[-1].log(), keys, values, leave_one_out))
    return torch.stack(path)


def grid_losses(grid, keys, values, loss=leave_one_out_loss):
    return torch.stack([loss(w, keys, values) for w in grid])


def leaves_out(w, keys, values, queries, truth):
    table = scores(w, queries, keys).masked_fill(~leave_one_out_mask(len(keys)), -INF)
    return ((torch.softmax(table, 1) @ values - truth) ** 2).mean()


def unshifted_error(w, keys, values, queries, truth):
    parts = torch.exp(scores(w, queries, keys))
    return ((parts / parts.sum(1, keepdim=True) @ values - truth) ** 2).mean()


def at_test(end):
    return lambda w, keys, values, queries, truth: end(torch.softmax(scores(w, queries, keys), 1) @ values, truth)


def packaged_error(w, keys, values, queries, truth):
    return ((nwlab.nadaraya_watson(queries, keys, values, bandwidth=1 / w.item()) - truth) ** 2).mean()


def not_added_up(weights):
    return lambda w, keys, values: ((weights(w, keys) * values - values) ** 2).sum()


WRONG = {
    "scores": {
        "outside": (lambda w, queries, keys: outside(w, queries[:, None] - keys), "w stands outside"),
        "no half": (lambda w, queries, keys: 2 * scores(w, queries, keys), "the ½ is missing"),
        "no minus": (lambda w, queries, keys: -scores(w, queries, keys), "the minus is missing"),
        "bare square": (lambda w, queries, keys: ((queries[:, None] - keys) * w) ** 2, "½ and minus are both"),
        "divided": (lambda w, queries, keys: -0.5 * ((queries[:, None] - keys) / w) ** 2, "divided by w"),
        "distance": (lambda w, queries, keys: -0.5 * torch.abs((queries[:, None] - keys) * w), "the square is missing"),
        "difference": (lambda w, queries, keys: -0.5 * (queries[:, None] - keys) * w, "a difference has a sign"),
        "weights": (lambda w, queries, keys: torch.softmax(scores(w, queries, keys), 1), "the weights, not the scores"),
        "exp": (lambda w, queries, keys: torch.exp(scores(w, queries, keys)), "e to the power"),
        "transposed": (lambda w, queries, keys: scores(w, queries, keys).T, "the wrong axis"),
        "NumPy": (lambda w, queries, keys: scores(w, queries, keys).numpy(), "NumPy where torch was asked"),
        "one axis": (lambda w, queries, keys: -0.5 * ((queries - keys) * w) ** 2, "raises RuntimeError"),
        "another stub": (lambda w, queries, keys: stub("naive_loss")(), "it calls naive_loss, which is not written"),
        "item": (lambda w, queries, keys: scores(w.item(), queries, keys), "the way back to w is cut"),
        "NumPy on the way": (lambda w, queries, keys: scores(torch.from_numpy(np.asarray(w)), queries, keys),
                             "the way back to w is cut"),
        "item and no half": (lambda w, queries, keys: 2 * scores(w.item(), queries, keys), "the ½ is missing"),
    },
    "naive_loss": {name: (ending(naive_weights, end), words) for name, (end, words) in ENDINGS.items()} | {
        "left out": (leave_one_out_loss, "left out already"),
        "no @": (not_added_up(naive_weights), "were not added up"),
        "wrong axis": (ending(lambda w, keys: torch.softmax(scores(w, keys, keys), 0), lambda f, v: ((f - v) ** 2).sum()),
                       "the softmax runs over the queries"),
        "no softmax": (ending(lambda w, keys: torch.exp(scores(w, keys, keys)), lambda f, v: ((f - v) ** 2).sum()),
                       "do not sum to one"),
        "keys": (lambda w, keys, values: ((naive_weights(w, keys) @ keys - values) ** 2).sum(), "the keys are averaged"),
        "scores": (lambda w, keys, values: ((scores(w, keys, keys) @ values - values) ** 2).sum(), "scores instead of weights"),
        "outside": (with_scores(outside), "w stands outside"),
        "no half": (with_scores(lambda w, differences: -(differences * w) ** 2), "the ½ is missing"),
        "no minus": (with_scores(lambda w, differences: (differences * w) ** 2 / 2), "the minus is missing"),
        "hard-coded": (lambda w, keys, values: torch.tensor(29.93), "the same answer to every problem"),
        "NumPy": (lambda w, keys, values: naive_loss(w, keys, values).numpy(), "NumPy where torch was asked"),
        "nothing": (lambda w, keys, values: None, "it returns nothing"),
        "item at the end": (lambda w, keys, values: naive_loss(w, keys, values).item(), "the way back to w is cut"),
        "item of w": (lambda w, keys, values: naive_loss(w.item(), keys, values), "the way back to w is cut"),
        "a new tensor": (lambda w, keys, values: torch.tensor(naive_loss(w, keys, values).item(), requires_grad=True),
                         "the way back to w is cut"),
        "a new leaf": (lambda w, keys, values: naive_loss(w.detach().requires_grad_(), keys, values), "the way back to w is cut"),
        "no_grad": (unrecorded(naive_loss), "the way back to w is cut"),
    },
    "leave_one_out_mask": {
        "turned": (lambda n: torch.eye(n, dtype=torch.bool), "the wrong way round"),
        "turned numbers": (lambda n: torch.eye(n), "the wrong way round"),
        "ones": (lambda n: torch.ones(n, n, dtype=torch.bool), "everybody may attend"),
        "earlier": (lambda n: torch.ones(n, n).tril(-1).bool(), "only earlier points"),
        "later": (lambda n: torch.ones(n, n).triu(1).bool(), "only later points"),
        "scores": (lambda n: torch.zeros(n, n).fill_diagonal_(-INF), "scores, not truth values"),
        "cut": (lambda n: torch.ones(n, n - 1, dtype=torch.bool), "the diagonal is cut out"),
        "one row": (lambda n: torch.ones(n, dtype=torch.bool), "one truth value for each point"),
        "numbers": (lambda n: 1 - torch.eye(n), "numbers where truth values"),
        "NumPy": (lambda n: ~np.eye(n, dtype=bool), "NumPy where torch was asked"),
        "three": (lambda n: ~torch.eye(3, dtype=torch.bool), "the same answer to every problem"),
        "not eye": (lambda n: ~torch.eye(n), "because ~ meets numbers"),
        "not eye int": (lambda n: ~torch.eye(n, dtype=torch.int64), "−1 and −2"),
    },
    "leave_one_out_loss": {name: (ending(left_weights, end), words) for name, (end, words) in ENDINGS.items()} | {
        "naive": (naive_loss, "still attends to itself"),
        "forgotten fill": (forgotten_fill, "still attends to itself"),
        "own softmax": (own_softmax, "all that it may attend to underflows"),
        "plus infinity": (filled_with_plus, "NaN for every input: +∞"),
        "masked answers": (masked_answers(lambda mask, f, v: mask * f - v), "the answers are multiplied by the mask"),
        "masked errors": (masked_answers(lambda mask, f, v: mask * (f - v)), "the errors are multiplied by the mask"),
        "mask at answers": (masked_answers(lambda mask, f, v: mask @ f - v), "added up by the mask"),
        "item at the end": (lambda w, keys, values: leave_one_out_loss(w, keys, values).item(), "the way back to w is cut"),
        "detached": (lambda w, keys, values: leave_one_out_loss(w, keys, values).detach(), "the way back to w is cut"),
        "no @": (not_added_up(left_weights), "were not added up"),
        "score 0": (zero_scores, "still attends to itself"),
        "turned": (lambda w, keys, values: ((torch.softmax(scores(w, keys, keys).masked_fill(
            leave_one_out_mask(len(keys)), -INF), 1) @ values - values) ** 2).sum(), "the wrong way round"),
        "late": (lambda w, keys, values: (((naive_weights(w, keys) * leave_one_out_mask(len(keys))) @ values - values) ** 2).sum(),
                 "after the softmax, and the rows do not sum to one"),
        "renormalised": (renormalised, "0/0 for the lonely point"),
        "0 times infinity": (lambda w, keys, values: ((torch.softmax(scores(w, keys, keys) - torch.eye(len(keys)) * INF, 1)
                                                       @ values - values) ** 2).sum(), "or 0 times ∞ among the scores"),
        "wrong axis": (lambda w, keys, values: ((left_weights(w, keys, 0) @ values - values) ** 2).sum(),
                       "the softmax runs over the queries"),
        "cut the last": (cut_values(0), "cut out of the weights, and the last value"),
        "cut the first": (cut_values(1), "cut out of the weights, and the first value"),
        "outside": (with_scores(outside, True), "w stands outside"),
        "no half": (with_scores(lambda w, differences: -(differences * w) ** 2, True), "the ½ is missing"),
        "no minus": (with_scores(lambda w, differences: (differences * w) ** 2 / 2, True), "the minus is missing"),
        "nwlab": (packaged_loss, "calls nwlab's own loss_landscape"),
        "mutates": (mutating_loss, "changes its inputs (keys)"),
        "another stub": (lambda w, keys, values: stub("leave_one_out_mask")(), "it calls leave_one_out_mask, which"),
    },
    "slope": {
        "of w": (slope_of_w, "with respect to w, not to ρ"),
        "no exp": (slope_without_exp, "the exponential is missing"),
        "divided": (lambda rho, *rest: slope_of_w(rho, *rest) / rho.exp(), "divided by w"),
        "naive": (lambda rho, keys, values, leave_one_out: slope(rho, keys, values, False), "always the slope of the naive"),
        "left out": (lambda rho, keys, values, leave_one_out: slope(rho, keys, values, True), "always the slope of the leave"),
        "swapped": (lambda rho, keys, values, leave_one_out: slope(rho, keys, values, not leave_one_out), "are swapped"),
        "loss": (lambda rho, keys, values, leave_one_out: loss_of(leave_one_out)(rho.exp(), keys, values), "the loss, not"),
        "minus": (lambda *at: -slope(*at), "minus the slope"),
        "twice": (slope_twice, "gradients add up"),
        "unmarked": (slope_unmarked, "the way from the loss back to ρ is cut"),
        "cut": (slope_cut, "the way from the loss back to ρ is cut"),
        "no backward": (slope_never_asked, "it returns nothing: None"),
        "returns backward": (slope_of_backward, "it returns nothing: None"),
        "half": (lambda *at: slope(*at) / 2, "every answer is 0.5 times"),
        "marks its input": (slope_marks_its_input, "it marks the ρ of the caller"),
        "marks and empties": (slope_marks_and_empties, "it marks the ρ of the caller"),
        "marks, minus": (lambda *at: -slope_marks_its_input(*at), "minus the slope"),
        "an axis": (slope_with_an_axis, "an axis of length 1 too many"),
        "log": (slope_at(torch.log), "the logarithm of ρ is taken"),
        "exp of log": (slope_at(lambda rho: rho.log().exp()), "the exponential is missing"),
        "mean": (lambda rho, keys, *rest: slope(rho, keys, *rest) / len(keys), "1/len(keys) times"),
        "zero": (lambda *at: torch.tensor(0.0), "the same answer to every problem"),
    },
    "descend": {
        "uphill": (walk(lambda rho, slope, rate: rho + rate * slope), "it walks uphill"),
        "no start": (walk(right_step, start=False), "the path has no start"),
        "no end": (walk(right_step, end=False), "the path has no end"),
        "too far": (lambda rho, keys, values, leave_one_out, learning_rate, steps:
                    descend(rho, keys, values, leave_one_out, learning_rate, steps + 1), "one step too many"),
        "rho": (walk(right_step, what=torch.clone), "the path of ρ"),
        "last": (lambda *at: descend(*at)[-1], "only the last w"),
        "same tensor": (same_tensor, "every entry of the path is the last w"),
        "list": (lambda *at: list(descend(*at)), "a list where a tensor was asked"),
        "accumulating": (accumulating, "gradients add up"),
        "in place": (in_place_on_a_leaf, "torch stops with a RuntimeError"),
        "mutates": (changes_its_rho, "changes its inputs (rho)"),
        "first slope": (slope_of_the_start, "the slope of the start"),
        "slope of w": (with_slope_of_w, "the slope with respect to w is used for ρ"),
        "in w": (steps_of_w, "the steps are taken in w"),
        "marks its start": (descend_marks_its_start, "it marks the ρ of the caller"),
        "slope at w": (asks_slope_at_w, "slope is asked at w, not at ρ"),
        "exp twice": (lambda rho, *at: descend(rho.exp(), *at), "exp is taken twice"),
        "w minus slope of rho": (slope_of_rho_from_w, "the slope of ρ is subtracted from w"),
        "no rate": (walk(lambda rho, slope, rate: rho - slope), "the learning rate is missing"),
        "mean": (lambda rho, keys, values, leave_one_out, learning_rate, steps: descend(
            rho, keys, values, leave_one_out, learning_rate / len(keys), steps), "divided by the number of points"),
        "naive": (lambda rho, keys, values, leave_one_out, *rest: descend(rho, keys, values, False, *rest),
                  "always the naive loss"),
        "left out": (lambda rho, keys, values, leave_one_out, *rest: descend(rho, keys, values, True, *rest),
                     "always the leave-one-out loss"),
        "losses": (lambda rho, keys, values, leave_one_out, *rest: torch.stack([
            loss_of(leave_one_out)(w, keys, values) for w in descend(rho, keys, values, leave_one_out, *rest)]),
            "the losses along the way"),
    },
    "best_w": {
        "index": (lambda *at: grid_losses(*at).argmin(), "the place in the grid"),
        "loss": (lambda *at: grid_losses(*at).min(), "the smallest loss"),
        "naive": (lambda grid, *at: grid[grid_losses(grid, *at, loss=naive_loss).argmin()], "the naive loss is minimised"),
        "worst": (lambda grid, *at: grid[grid_losses(grid, *at).argmax()], "the w with the largest loss"),
        "sigma": (lambda *at: 1 / best_w(*at), "1/w, the bandwidth"),
        "all": (grid_losses, "the losses of the whole grid"),
        "sorted": (lambda grid, *at: grid.sort().values[grid_losses(grid, *at).argmin()], "the grid was sorted"),
        "middle": (lambda grid, *at: grid[len(grid) // 2], "does not hold yet"),
        "smallest": (lambda grid, *at: grid.min(), "the smallest w of the grid"),
        "largest": (lambda grid, *at: grid.max(), "so the largest w wins"),
        "nwlab": (lambda grid, keys, values: grid[int(np.argmin(nwlab.training.loss_landscape((keys, values), grid)))],
                  "calls nwlab's own loss_landscape"),
        "list": (lambda *at: [best_w(*at)], "a list where a number was asked"),
    },
    "error_against_truth": {
        "leaves out": (leaves_out, "left out here too"),
        "keys ask": (lambda w, keys, values, queries, truth: ((naive_weights(w, keys) @ values - truth) ** 2).mean(),
                     "the keys ask"),
        "values": (lambda w, keys, values, queries, truth: error_against_truth(w, keys, values, queries, values),
                   "compared with the values"),
        "wrong axis": (lambda w, keys, values, queries, truth: ((torch.softmax(scores(w, queries, keys), 0) @ values - truth)
                                                                ** 2).mean(), "the softmax runs over the queries"),
        "unshifted": (unshifted_error, "NaN for a query far away"),
        "sum": (at_test(lambda f, t: ((f - t) ** 2).sum()), "the sum, not the mean"),
        "by n": (lambda w, keys, *at: error_against_truth(w, keys, *at) * len(at[1]) / len(keys), "divided by the number of keys"),
        "changed places": (changed_places, "queries and keys have changed places"),
        "root": (at_test(lambda f, t: ((f - t) ** 2).mean().sqrt()), "the root of the mean"),
        "absolute": (at_test(lambda f, t: (f - t).abs().mean()), "absolute differences"),
        "square of mean": (at_test(lambda f, t: (f - t).mean() ** 2), "the square of the mean"),
        "table": (at_test(lambda f, t: ((f[:, None] - t) ** 2).mean()), "a table of all pairs"),
        "half": (at_test(lambda f, t: ((f - t) ** 2).mean() / 2), "every answer is 0.5 times"),
        "nwlab": (packaged_error, "calls nwlab's own nadaraya_watson"),
        "each": (at_test(lambda f, t: (f - t) ** 2), "an array where one number was asked"),
    },
}
