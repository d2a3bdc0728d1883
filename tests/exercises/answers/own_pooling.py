"""Right and wrong answers to `nwlab.exercises.own_pooling`. WRONG: the answer, and words its message contains.

A right design is whatever scores well, so there are many: each goes the whole way, from its scores to `predict`.
"""
import math
from functools import partial

import numpy as np
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


def pooling(scores, weights=to_weights):
    def attend(queries, keys, values, parameters, mask=None):
        shares = weights(scores(queries, keys, parameters), mask)
        return shares @ values, shares

    return attend


def attend_by_sum(queries, keys, values, parameters, mask=None):
    weights = to_weights_by_hand(two_widths(queries, keys, parameters), mask)
    return [(weights * values).sum(dim=1), weights]


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


def good_step(optimiser, loss, **how):
    optimiser.zero_grad()
    loss.backward(**how)
    optimiser.step()


def loop_of(step, loss=left_out_loss, rate=0.1, anew=True):
    """A training loop, whose steps or loss may be wrong. anew: the loss is computed in each step."""
    def training(attend, keys, values, steps):
        parameters, now = torch.zeros(24, dtype=torch.float64, requires_grad=True), None
        optimiser = torch.optim.Adam([parameters], lr=rate)
        for _ in range(steps):
            now = loss(attend, keys, values, parameters) if anew or now is None else now
            step(optimiser, now)
        return parameters.detach()

    return training


train = loop_of(good_step)


def train_by_hand(attend, keys, values, steps):
    """Plain descent, each step as long as a tenth at most."""
    parameters = torch.zeros(24, dtype=torch.float64)
    for _ in range(steps):
        parameters.requires_grad_()
        slope, = torch.autograd.grad(left_out_loss(attend, keys, values, parameters), parameters)
        parameters = parameters.detach() - 0.1 * slope / max(1.0, float(slope.norm()))
    return parameters


def train_keeping_the_best(attend, keys, values, steps):
    """Float32 parameters, another optimiser, and the best of all steps."""
    parameters, seen = torch.zeros(24, requires_grad=True), []
    optimiser = torch.optim.RMSprop([parameters], lr=0.03)
    for _ in range(steps):
        loss = left_out_loss(attend, keys, values, parameters)
        seen.append((loss.item(), parameters.detach().clone()))
        good_step(optimiser, loss)
    return min(seen, key=lambda pair: pair[0])[1] if seen else parameters.detach()


def predictor(scores, steps=100, training=train, weights=to_weights):
    def predict(keys, values, queries):
        attend = pooling(scores, weights)
        return attend(queries, keys, values, training(attend, keys, values, steps))

    return predict


RIGHT = {
    "own_scores": {"rational": rational, "Gaussian": gaussian, "two widths": two_widths, "additive": additive,
                   "along x": along_x},
    "to_weights": {"masked_fill": to_weights, "by hand": to_weights_by_hand,
                   "row by row": lambda s, m: torch.cat([to_weights(s[i:i + 1], None if m is None else m[i:i + 1])
                                                         for i in range(len(s))])},
    "attend": {"rational": pooling(rational), "sum of two widths": attend_by_sum,
               "additive": pooling(additive)},
    "left_out_loss": {"mask": left_out_loss, "loop": left_out_loss_by_loop,
                      "float32": lambda *inputs: left_out_loss(*inputs).float()},
    "train": {"Adam": train, "by hand": train_by_hand, "keeping the best": train_keeping_the_best},
    "predict": {"Gaussian, sixty steps": predictor(gaussian, 60), "rational": predictor(rational),
                "additive": predictor(additive), "along x": predictor(along_x),
                "trained by hand": predictor(gaussian, 150, train_by_hand)},
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


def weighted(of, by_values=0.0):
    """A pooling of weights made from the Gaussian's scores (m, n) and the mask, or True."""
    def attend(queries, keys, values, parameters, mask=None):
        scores = gaussian(queries, keys, parameters) - by_values * (values - values.mean()) ** 2
        weights = of(scores, torch.tensor(True) if mask is None else mask)
        return weights @ values, weights

    return attend


def changed(function, change):
    """Another function's answers and weights, changed."""
    return lambda *inputs: change(*function(*inputs))


def farthest(keys, values, queries):
    weights = torch.softmax(torch.abs(gaps(queries, keys)) * (1 + values.std()), dim=1)
    return weights @ values, weights


def in_numpy(keys, values, queries):
    weights = np.exp(-0.5 * (np.subtract.outer(queries.numpy(), keys.numpy()) / 0.25) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ values.numpy(), weights


def stub(*inputs):
    raise NotImplementedError("write own_scores, then run this cell again")


right = pooling(gaussian)

WRONG = {
    "own_scores": {
        "constant": (lambda q, k, p: 0 * gaps(q, k) + p[0],
                     "average pooling in disguise: every query gets the same weights"),
        "a parameter per key": (lambda q, k, p: -0.5 * (gaps(q, k) * torch.exp(p[:len(k)])) ** 2,
                                "it raises RuntimeError on some"),
        "by place": (lambda q, k, p: gaussian(q, k, p) - torch.arange(len(k)) / 9, "depends on the order of the keys"),
        "normalised over the queries": (over_queries, "depend on the other queries"),
        "minus missing": (lambda q, k, p: -gaussian(q, k, p), "the sign: the farther a key, the higher its score"),
        "logarithm of a kernel": (lambda q, k, p: torch.log(torch.exp(gaussian(q, k, p))),
                                  "minus infinity far from the keys"),
        "root of a square": (lambda q, k, p: -torch.sqrt((gaps(q, k) * torch.exp(p[0])) ** 2),
                             "the slope is NaN where a query"),
        "math.exp": (lambda q, k, p: -0.5 * (gaps(q, k) * math.exp(p[0])) ** 2, "the way back to parameters is cut"),
        "NumPy inside": (lambda q, k, p: -gaps(q, k) ** 2 * float(np.exp(p.numpy()[0])),
                         "a function of NumPy met a tensor"),
        "rounded": (lambda q, k, p: -abs(gaps(q, k)) * (30 + torch.round(p.sum())), "at the start every slope is 0"),
        "no parameters": (lambda q, k, p: -gaps(q, k) ** 2 + 0 * p[0], "the parameters play no part"),
        "no exp": (lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2, "at the start every slope is 0"),
        "no exp, and a shift": (lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2 + p[1],
                                "at the start every slope is 0"),
        "over a parameter": (lambda q, k, p: -0.5 * (gaps(q, k) / p[0]) ** 2, "minus infinity among the scores"),
        "triangle": (lambda q, k, p: torch.log(torch.clamp(1 - abs(gaps(q, k)) * torch.exp(p[0]), min=0)),
                     "minus infinity"),
        "float32": (lambda q, k, p: gaussian(q.float(), k.float(), p.float()),
                    "the scores are in float32, float64 was asked"),
        "a little random": (lambda q, k, p: gaussian(q, k, p) + 1e-6 * torch.rand(1), "each call gives another answer"),
        "weights": (lambda q, k, p: torch.softmax(gaussian(q, k, p), dim=1), "these are weights already"),
        "transposed": (lambda q, k, p: gaussian(k, q, p), "rows and columns are swapped"),
        "mutating": (lambda q, k, p: gaussian(q.sub_(1), k, p), "it changes its inputs (queries)"),
    },
    "to_weights": {
        "masked after": (lambda s, m: torch.softmax(s, 1) * (1 if m is None else m), "the rows do not sum to one"),
        "no shift": (lambda s, m: (lambda e: e / e.sum(1, keepdim=True))(torch.exp(s) * (1 if m is None else m)),
                     "NaN where"),
        "fails without a mask": (lambda s, m: torch.softmax(s.masked_fill(~m, -torch.inf), 1),
                                 "it raises TypeError on some"),
        "masked by -1e9": (lambda s, m: torch.softmax(s if m is None else s.masked_fill(~m, -1e9), 1),
                           "9 of 10 problems hold"),
        "if mask": (lambda s, m: to_weights(s, m) if m else to_weights(s, None), "a whole mask met `if`"),
        "in place": (lambda s, m: torch.softmax(s if m is None else s.masked_fill_(~m, -torch.inf), 1),
                     "changes its inputs"),
    },
    "attend": {
        "local linear": (local_linear, "negative weights"),
        "mask after": (weighted(lambda s, m: torch.softmax(s, 1) * m), "the weights of a query do not sum to one"),
        "mask forgotten": (lambda q, k, v, p, m: right(q, k, v, p), "the mask is not obeyed"),
        "NaN far away": (weighted(lambda s, m: torch.exp(s) * m / (torch.exp(s) * m).sum(1, keepdim=True)),
                         "NaN among the weights far from the keys"),
        "softmax over the queries": (weighted(lambda s, m: torch.softmax(s, 0)), "do not sum to one"),
        "values in the weights": (weighted(to_weights, by_values=0.1), "the weights depend on the values"),
        "ignores the query": (pooling(lambda q, k, p: (-(k - 2) ** 2 * torch.exp(p[0])).repeat(len(q), 1)),
                              "average pooling in disguise"),
        "zeros for parameters": (lambda q, k, v, p, m: right(q, k, v, 0 * p, m), "the parameters play no part"),
        "other queries": (pooling(over_queries), "depend on the other queries"),
        "answers alone": (changed(right, lambda a, w: a), "answers and weights were asked, two things"),
        "weights first": (changed(right, lambda a, w: (w, a)), "weights of shape (2,) where (2, 3) was asked"),
        "answers (m, 1)": (changed(right, lambda a, w: (a[:, None], w)),
                           "answers of shape (2, 1) where (2,) was asked"),
        "asks at the keys": (lambda q, k, v, p, m: right(k, k, v, p), "weights of shape (3, 3)"),
        "the mean of the products": (changed(right, lambda a, w: (a / w.shape[1], w)), "not the weighted averages"),
    },
    "left_out_loss": {
        "attends to itself": (naive_loss, "each point attends to itself"),
        "one for each": (lambda at, k, v, p: residuals(at, k, v, p, others(k)) ** 2,
                         "an array where one number was asked"),
        "no slope": (lambda at, k, v, p: left_out_loss(at, k, v, p).item(), "the way back to parameters is cut"),
        "detached": (lambda at, k, v, p: left_out_loss(at, k, v, p.detach()), "the way back to parameters is cut"),
        "half detached": (lambda at, k, v, p: (left_out_loss(at, k, v, p) + left_out_loss(at, k, v, p.detach())) / 2,
                          "the gradient with respect to parameters is wrong"),
        "its own pooling": (lambda at, k, v, p: left_out_loss(right, k, v, p), "does not use the pooling"),
        "a float mask": (lambda at, k, v, p: torch.mean(residuals(at, k, v, p, 1 - torch.eye(len(k))) ** 2),
                         "the mask must have dtype bool"),
    },
    "train": {
        "slopes add up": (loop_of(lambda optimiser, loss: (loss.backward(), optimiser.step())), "it has not arrived"),
        "the loss before the loop": (loop_of(good_step, anew=False), "the loss must be computed anew in each step"),
        "the loss before the loop, kept": (loop_of(partial(good_step, retain_graph=True), anew=False),
                                           "the loss must be computed anew in each step"),
        "no backward": (loop_of(lambda optimiser, loss: optimiser.step()), "nothing was learned"),
        "uphill": (loop_of(lambda optimiser, loss: good_step(optimiser, -loss)), "it walks uphill"),
        "attends to itself": (loop_of(good_step, naive_loss), "w runs away: each point attends to itself"),
        "tiny steps": (loop_of(good_step, rate=0.001), "it has not arrived"),
        "return inside the loop": (lambda at, k, v, steps: train(at, k, v, min(steps, 1)),
                                   "a hundred steps end where one step ends"),
        "another start": (lambda at, k, v, steps: train(at, k, v, steps) + 1, "it does not begin with zeros"),
        "its own pooling": (lambda at, k, v, steps: train(right, k, v, steps),
                            "does not use the pooling that is handed over"),
        "the loss too": (lambda at, k, v, steps: (train(at, k, v, steps), 0.1), "the 24 parameters were asked"),
        "a copy is trained": (lambda at, k, v, steps: 0 * train(at, k, v, steps), "nothing was learned"),
    },
    "predict": {
        "untrained": (predictor(rational, 0), "nothing is learned: other values, the same weights"),
        "average pooling": (predictor(lambda q, k, p: 0 * gaps(q, k) + p[0], 0), "average pooling in disguise"),
        "attends to itself": (predictor(gaussian, 100, loop_of(good_step, naive_loss)), "needles"),
        "farthest": (farthest, "far keys get more attention than near ones"),
        "a step of nothing": (predictor(lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2, 2),
                              "average pooling in disguise"),
        "few steps": (predictor(gaussian, 3), "its error is"),
        "rows do not sum to one": (predictor(gaussian, 2, weights=lambda s, m: torch.sigmoid(s)), "do not sum to one"),
        "the truth": (changed(predictor(gaussian, 2), lambda a, w: (a + 1, w)),
                      "not the weighted averages of the values"),
        "asks at the keys": (lambda k, v, q: predictor(gaussian, 2)(k, v, k), "where (40, 50) was asked"),
        "nwlab": (lambda k, v, q: nwlab.select_bandwidth(k.numpy(), v.numpy()), "nwlab's own select_bandwidth"),
        "NumPy": (in_numpy, "NumPy where torch was asked"),
    },
}
