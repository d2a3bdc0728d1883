"""Right and wrong answers to `nwlab.exercises.own_pooling`; test_answers.py says how they are written.

A right design is whatever scores well, so there are many: each goes the whole way, from its scores to `predict`.
"""
from functools import partial

import torch

import nwlab


def gaps(queries, keys):
    return queries[:, None] - keys[None, :]


def gaussian(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[0])) ** 2


def rational(queries, keys, parameters):
    steepness, tail = torch.exp(parameters[0]), torch.exp(parameters[1])
    return -tail * torch.log1p((gaps(queries, keys) * steepness) ** 2 / (2 * tail))


def two_widths(queries, keys, parameters):
    squares = gaps(queries, keys) ** 2
    narrow = torch.nn.functional.logsigmoid(parameters[2]) - 0.5 * squares * torch.exp(2 + 2 * parameters[0])
    wide = torch.nn.functional.logsigmoid(-parameters[2]) - 0.5 * squares * torch.exp(2 * parameters[1])
    return torch.logaddexp(narrow, wide)


def additive(queries, keys, parameters):
    """v . tanh(W_q q + W_k k), eight hidden units; the start is a row of switches from -1 to 1."""
    start = torch.linspace(-1, 1, 8, dtype=torch.float64)
    w_q, w_k, v = 1 + start + parameters[:8], start - 1 + parameters[8:16], start + parameters[16:]
    return torch.tanh(queries[:, None, None] * w_q + keys[None, :, None] * w_k) @ v


def along_x(queries, keys, parameters):
    steepness = torch.exp(parameters[0] + parameters[1] * (queries - keys.mean()))
    return -0.5 * (gaps(queries, keys) * steepness[:, None]) ** 2


def to_weights(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=1)


def to_weights_by_hand(scores, mask):
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return powers / powers.sum(dim=1, keepdim=True)


def attend(queries, keys, values, parameters, mask=None, scores_of=gaussian, weights_of=to_weights):
    scores = scores_of(queries, keys, parameters)
    weights = weights_of(scores, mask)
    return weights @ values, weights


def residuals(attend, keys, values, parameters, mask=None):
    return attend(keys, keys, values, parameters, mask)[0] - values


def others(keys):
    return ~torch.eye(len(keys), dtype=torch.bool)


def left_out_loss(attend, keys, values, parameters):
    return torch.mean(residuals(attend, keys, values, parameters, others(keys)) ** 2)


def naive_loss(*inputs):
    return torch.mean(residuals(*inputs) ** 2)


def left_out_loss_by_loop(attend, keys, values, parameters):
    total = 0
    for i, (key, value) in enumerate(zip(keys, values)):
        rest = torch.arange(len(keys)) != i
        total = total + (attend(key[None], keys[rest], values[rest], parameters)[0][0] - value) ** 2
    return total / len(keys)


def train(attend, keys, values, steps, loss_of=left_out_loss):
    parameters = torch.zeros(24, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([parameters], lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = loss_of(attend, keys, values, parameters)
        loss.backward()
        optimiser.step()
    return parameters.detach()


def train_by_hand(attend, keys, values, steps):
    """Plain descent, each step as long as a tenth at most."""
    parameters = torch.zeros(24, dtype=torch.float64)
    for _ in range(steps):
        parameters.requires_grad_()
        slope, = torch.autograd.grad(left_out_loss(attend, keys, values, parameters), parameters)
        parameters = parameters.detach() - 0.1 * slope / max(1.0, float(slope.norm()))
    return parameters


def predictor(scores, steps=100, training=train, weights=to_weights):
    def predict(keys, values, queries):
        mine = partial(attend, scores_of=scores, weights_of=weights)
        return mine(queries, keys, values, training(mine, keys, values, steps))

    return predict


RIGHT = {
    "own_scores": {"rational": rational, "Gaussian": gaussian, "two widths": two_widths, "additive": additive,
                   "along x": along_x},
    "to_weights": {"masked_fill": to_weights, "by hand": to_weights_by_hand,
                   "row by row": lambda s, m: torch.cat([to_weights(s[i:i + 1], None if m is None else m[i:i + 1])
                                                         for i in range(len(s))])},
    "attend": {"Gaussian": attend, "additive": partial(attend, scores_of=additive), "a sum, a list": (
        attend, "weights @ values, weights", "[(weights * values).sum(dim=1), weights]",
        "=to_weights", "=to_weights_by_hand")},
    "left_out_loss": {"mask": left_out_loss, "loop": left_out_loss_by_loop,
                      "float32": lambda *inputs: left_out_loss(*inputs).float()},
    "train": {"Adam": train, "by hand": train_by_hand,
              "RMSprop, float32": (train, ", dtype=torch.float64", "", "Adam([parameters], lr=0.1)",
                                   "RMSprop([parameters], lr=0.03)")},
    "predict": {"Gaussian, sixty steps": predictor(gaussian, 60), "rational": predictor(rational, 60),
                "additive": predictor(additive, 60),
                "trained by hand": predictor(gaussian, 100, train_by_hand)},
}


def over_queries(queries, keys, parameters):
    scores = gaussian(queries, keys, parameters)
    return scores - torch.logsumexp(scores, dim=0, keepdim=True)


def local_linear(queries, keys, values, parameters, mask=None):
    kernel = torch.exp(gaussian(queries, keys, parameters + 1)) + 1e-12
    kernel = kernel if mask is None else kernel * mask
    d = -gaps(queries, keys)
    s1, s2 = (kernel * d).sum(1, keepdim=True), (kernel * d**2).sum(1, keepdim=True)
    weights = kernel * (s2 - d * s1)
    weights = weights / weights.sum(1, keepdim=True)
    return weights @ values, weights


def farthest(keys, values, queries):
    weights = torch.softmax(torch.abs(gaps(queries, keys)) * (1 + values.std()), dim=1)
    return weights @ values, weights


def stub(*inputs):
    raise NotImplementedError("write own_scores, then run this cell again")


WRONG = {
    "own_scores": {
        "normalised over the queries": (over_queries, "depend on the other queries"),
        "logarithm of a kernel": (lambda q, k, p: torch.log(torch.exp(gaussian(q, k, p))),
                                  "minus infinity far from the keys"),
        "root of a square": (lambda q, k, p: -torch.sqrt((gaps(q, k) * torch.exp(p[0])) ** 2),
                             "the slope is NaN where a query"),
        "one over a distance": (lambda q, k, p: torch.exp(p[0]) / abs(gaps(q, k)), "infinity where a query lies on a"),
        "rounded": (lambda q, k, p: -abs(gaps(q, k)) * (30 + torch.round(p.sum())), "at the start every slope is 0"),
        "triangle": (lambda q, k, p: torch.log(torch.clamp(1 - abs(gaps(q, k)) * torch.exp(p[0]), min=0)),
                     "minus infinity"),
        "weights": (lambda q, k, p: torch.softmax(gaussian(q, k, p), dim=1), "these are weights already"),
        "flat": (lambda q, k, p: gaussian(q, k, p).ravel(), "scores of shape (6,) where (2, 3) was expected"),
    },
    "to_weights": {
        "no shift": (lambda s, m: (lambda e: e / e.sum(1, keepdim=True))(torch.exp(s) * (1 if m is None else m)),
                     "NaN where"),
        "if mask": (lambda s, m: to_weights(s, m) if m else to_weights(s, None), "a whole mask met `if`"),
    },
    "attend": {"local linear": (local_linear, "negative weights")},
    "left_out_loss": {
        "attends to itself": (naive_loss, "each point attends to itself"),
        "half detached": (lambda at, k, v, p: (left_out_loss(at, k, v, p) + left_out_loss(at, k, v, p.detach())) / 2,
                          "the gradient with respect to parameters is wrong"),
    },
    "predict": {
        "untrained": (predictor(rational, 0), "nothing is learned: other values, the same weights"),
        "average pooling": (predictor(lambda q, k, p: 0 * gaps(q, k) + p[0], 0), "average pooling in disguise"),
        "attends to itself": (predictor(gaussian, 100, partial(train, loss_of=naive_loss)), "needles"),
        "farthest": (farthest, "far keys get more attention than near ones"),
        "a step of nothing": (predictor(lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2, 2),
                              "average pooling in disguise"),
        "few steps": (predictor(gaussian, 3), "its error is"),
        "rows do not sum to one": (predictor(gaussian, 2, weights=lambda s, m: torch.sigmoid(s)), "do not sum to one"),
        "asks at the keys": (lambda k, v, q: predictor(gaussian, 2)(k, v, k), "where (40, 50) was expected"),
        "nwlab": (lambda k, v, q: nwlab.select_bandwidth(k.numpy(), v.numpy()), "nwlab's own select_bandwidth"),
        "NumPy": (lambda *at: tuple(x.detach().numpy() for x in predictor(gaussian, 0)(*at)), "NumPy where torch was"),
    },
}

OWN = attend
WEIGHTS, BOTH, WIDTH = "weights_of(scores, mask)", "weights @ values, weights", "torch.exp(parameters[0])"
BEFORE = "        loss = loss_of(attend, keys, values, parameters)\n"
EARLY = train, BEFORE, "", "    for", f"{BEFORE[4:]}    for"

ALTERED = {
    "own_scores": [
        (gaussian, "gaps(", "1 + 0 * gaps(", "average pooling in disguise: every query gets the same weights"),
        (gaussian, WIDTH, "torch.exp(parameters[:len(keys)])", "it raises RuntimeError on some"),
        (gaussian, "** 2", "** 2 - torch.arange(len(keys)) / 9", "depends on the order of the keys"),
        (gaussian, "-0.5", "0.5", "the sign: the farther a key, the higher its score"),
        (gaussian, "parameters[0]", "parameters[0].detach()", "the way back to parameters is cut"),
        (gaussian, "parameters[0]", "torch.tensor(parameters.numpy()[0])", "a function of NumPy met a tensor"),
        (gaussian, WIDTH, "1 + 0 * parameters[0]", "the parameters play no part"),
        (gaussian, WIDTH, "parameters[0]", "at the start every slope is 0"),
        (gaussian, WIDTH, "parameters[0]", "** 2", "** 2 + parameters[1]", "at the start every slope is 0"),
        (gaussian, f"* {WIDTH}", "/ parameters[0]", "minus infinity among the scores"),
        (gaussian, "keys) *", "keys).float() *", "the scores are in float32, float64 was expected"),
        (gaussian, "** 2", "** 2 + 1e-6 * torch.rand(1)", "each call gives another answer"),
        (gaussian, "gaps(queries, keys)", "gaps(keys, queries)", "rows and columns are swapped"),
        (gaussian, "gaps(queries", "gaps(queries.sub_(1)", "it changes its inputs (queries)")],
    "to_weights": [
        (to_weights, "if mask is not None", "if True", "it raises TypeError on some"),
        (to_weights, "-torch.inf", "-1e9", "9 of 10 problems hold"),
        (to_weights, "masked_fill", "masked_fill_", "changes its inputs")],
    "attend": [
        (attend, WEIGHTS, "torch.softmax(scores, 1) * (1 if mask is None else mask)", "of a query do not sum to one"),
        (attend, WEIGHTS, "weights_of(scores, None)", "the mask is not obeyed"),
        (attend, WEIGHTS, "torch.exp(scores)\n    weights = weights / weights.sum(1, keepdim=True)",
         "NaN among the weights far from the keys"),
        (attend, WEIGHTS, "torch.softmax(scores, 0)", "do not sum to one"),
        (attend, "parameters)", "parameters) - (values - 2) ** 2 / 9", "the weights depend on the values"),
        (attend, "scores_of(queries", "scores_of(0 * queries", "average pooling in disguise"),
        (attend, "keys, parameters)", "keys, 0 * parameters)", "the parameters play no part"),
        (attend, "scores_of(q", "over_queries(q", "depend on the other queries"),
        (attend, "parameters)", "parameters) - torch.arange(len(keys)) / 9", "it depends on the order of the keys"),
        (attend, BOTH, "weights @ values", "two things were expected: answers and weights"),
        (attend, BOTH, "weights, weights @ values", "weights of shape (2,) where (2, 3) was expected"),
        (attend, BOTH, "weights @ values, weights.T", "rows and columns are swapped"),
        (attend, BOTH, "weights @ values[:, None], weights", "answers of shape (2, 1) where (2,) was expected"),
        (attend, "(queries, keys, p", "(keys, keys, p", "weights of shape (3, 3)"),
        (attend, BOTH, "weights @ values / len(keys), weights", "not the weighted averages")],
    "left_out_loss": [
        (left_out_loss, "torch.mean(", "(", "an array where one number was expected"),
        (left_out_loss, "** 2)", "** 2).item()", "the way back to parameters is cut"),
        (left_out_loss, "s, parameters,", "s, parameters.detach(),", "the way back to parameters is cut"),
        (left_out_loss, "residuals(attend", "residuals(OWN", "does not use the pooling"),
        (left_out_loss, "others(keys)", "1 - torch.eye(len(keys))", "the mask must have dtype bool")],
    "train": [
        (train, "optimiser.zero_grad()", "pass", "it has not arrived"),
        (*EARLY, "the loss must be computed anew in each step"),
        (*EARLY, "backward()", "backward(retain_graph=True)", "the loss must be computed anew in each step"),
        (train, "loss.backward()", "pass", "nothing was learned"), (train, "loss = ", "loss = -", "it walks uphill"),
        (train, "=left_out_loss", "=naive_loss", "w runs away: each point attends to itself"),
        (train, "lr=0.1", "lr=0.001", "it has not arrived"),
        (train, "range(steps)", "range(min(steps, 1))", "a hundred steps end where one step ends"),
        (train, "s.detach()", "s.detach() + 1", "it does not begin with zeros"),
        (train, "loss_of(attend", "loss_of(OWN", "does not use the pooling that is handed over"),
        (train, "s.detach()", "s.detach(), 0.1", "the 24 parameters were expected"),
        (train, "return ", "return 0 * ", "nothing was learned")],
}
