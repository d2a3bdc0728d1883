"""Right and wrong answers to `nwlab.exercises.own_pooling`. WRONG: the answer, and words its message contains.

A right design is whatever scores well, so there are many: each goes the whole way, from its scores to `predict`.
"""
import math

import numpy as np
import torch

import nwlab


def gaps(queries, keys):
    return queries[:, None] - keys[None, :]


# --- right: designs


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


def laplace(queries, keys, parameters):
    return -torch.abs(gaps(queries, keys)) * torch.exp(parameters[3])


def by_density(queries, keys, parameters):
    """A steepness for each query that grows with the density of the keys around it, by a learned power."""
    density = torch.exp(-2 * gaps(queries, keys) ** 2).mean(dim=1, keepdim=True) + 1e-6
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[0]) * density ** parameters[1]) ** 2


def along_x(queries, keys, parameters):
    steepness = torch.exp(parameters[0] + parameters[1] * (queries - keys.mean()))
    return -0.5 * (gaps(queries, keys) * steepness[:, None]) ** 2


def dot_product(queries, keys, parameters):
    """q k / s^2 - k^2 / (2 s^2), centred: the bridge, written as products."""
    queries, keys = queries - keys.mean(), keys - keys.mean()
    return torch.exp(2 * parameters[0]) * (queries[:, None] * keys[None, :] - 0.5 * keys[None, :] ** 2)


def by_loop(queries, keys, parameters):
    rows = [torch.stack([-0.5 * ((q - k) * torch.exp(parameters[0])) ** 2 for k in keys]) for q in queries]
    return torch.stack(rows)


def in_float32(queries, keys, parameters):
    return gaussian(queries.float(), keys.float(), parameters.float())


# --- right: the rest


def to_weights(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=1)


def to_weights_by_hand(scores, mask):
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return powers / powers.sum(dim=1, keepdim=True)


def to_weights_by_rows(scores, mask):
    weights = torch.zeros_like(scores)
    for i in range(len(scores)):
        allowed = torch.ones(scores.shape[1], dtype=torch.bool) if mask is None else mask[i]
        weights[i, allowed] = torch.softmax(scores[i, allowed], 0)
    return weights


def to_weights_renormalised(scores, mask):
    weights = torch.softmax(scores, dim=1)
    if mask is None:
        return weights
    weights = weights * mask
    return weights / weights.sum(dim=1, keepdim=True)


def pooling(scores, weights=to_weights):
    def attend(queries, keys, values, parameters, mask=None):
        shares = weights(scores(queries, keys, parameters), mask)
        return shares @ values, shares

    return attend


def attend_by_sum(queries, keys, values, parameters, mask=None):
    weights = to_weights_by_hand(two_widths(queries, keys, parameters), mask)
    return [(weights * values).sum(dim=1), weights]


def left_out_loss(attend, keys, values, parameters):
    others = ~torch.eye(len(keys), dtype=torch.bool)
    answers, _ = attend(keys, keys, values, parameters, others)
    return torch.mean((answers - values) ** 2)


def left_out_loss_by_loop(attend, keys, values, parameters):
    total = 0
    for i in range(len(keys)):
        others = torch.arange(len(keys)) != i
        answers, _ = attend(keys[i:i + 1], keys[others], values[others], parameters)
        total = total + (answers[0] - values[i]) ** 2
    return total / len(keys)


def left_out_loss_of_torch(attend, keys, values, parameters):
    mask = torch.ones(len(keys), len(keys)).fill_diagonal_(0).bool()
    return torch.nn.functional.mse_loss(attend(keys, keys, values, parameters, mask=mask)[0], values)


def left_out_loss_in_float32(attend, keys, values, parameters):
    return left_out_loss(attend, keys, values, parameters).float()


def train(attend, keys, values, steps):
    parameters = torch.zeros(24, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([parameters], lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        left_out_loss(attend, keys, values, parameters).backward()
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


def train_keeping_the_best(attend, keys, values, steps):
    """Float32 parameters, another optimiser, and the best of all steps."""
    parameters = torch.zeros(24, requires_grad=True)
    optimiser = torch.optim.RMSprop([parameters], lr=0.03)
    best = math.inf, parameters.detach().clone()
    for step in range(steps + 1):
        optimiser.zero_grad()
        loss = left_out_loss(attend, keys, values, parameters)
        if loss.item() < best[0]:
            best = loss.item(), parameters.detach().clone()
        if step < steps:
            loss.backward()
            optimiser.step()
    return best[1]


def predictor(scores, steps=100, training=train, weights=to_weights):
    def predict(keys, values, queries):
        attend = pooling(scores, weights)
        return attend(queries, keys, values, training(attend, keys, values, steps))

    return predict


RIGHT = {
    "own_scores": {"rational": rational, "Gaussian": gaussian, "two widths": two_widths, "additive": additive, "Laplace": laplace,
                   "by density": by_density, "along x": along_x, "dot product": dot_product, "loop": by_loop},
    "to_weights": {"masked_fill": to_weights, "by hand": to_weights_by_hand, "row by row": to_weights_by_rows},
    "attend": {"rational": pooling(rational), "sum of two widths": attend_by_sum, "additive": pooling(additive),
               "density, row by row": pooling(by_density, to_weights_by_rows)},
    "left_out_loss": {"mask": left_out_loss, "loop": left_out_loss_by_loop, "torch's mse": left_out_loss_of_torch,
                      "float32": left_out_loss_in_float32},
    "train": {"Adam": train, "by hand": train_by_hand, "keeping the best": train_keeping_the_best},
    "predict": {"Gaussian, sixty steps": predictor(gaussian, 60), "rational": predictor(rational), "two widths": predictor(two_widths),
                "additive": predictor(additive), "Laplace": predictor(laplace), "by density": predictor(by_density),
                "along x": predictor(along_x), "dot product": predictor(dot_product),
                "trained by hand": predictor(gaussian, 150, train_by_hand)},
}


# --- wrong


def stub(name):
    raise NotImplementedError(f"write {name}, then run this cell again")


def constant(queries, keys, parameters):
    return torch.zeros(len(queries), len(keys), dtype=torch.float64) + parameters[0]


def of_keys_alone(queries, keys, parameters):
    return (-(keys - 2) ** 2 * torch.exp(parameters[0])).repeat(len(queries), 1)


def per_key(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[:len(keys)])) ** 2


def for_fifty(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[0]) * torch.linspace(1, 2, 50)) ** 2


def by_place(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[0])) ** 2 - 0.1 * torch.arange(len(keys))


def over_queries(queries, keys, parameters):
    scores = gaussian(queries, keys, parameters)
    return scores - torch.logsumexp(scores, dim=0, keepdim=True)


def log_of_kernel(queries, keys, parameters):
    return torch.log(torch.exp(gaussian(queries, keys, parameters)))


def over_distance(queries, keys, parameters):
    return torch.exp(parameters[0]) / torch.abs(gaps(queries, keys))


def by_root(queries, keys, parameters):
    return -torch.sqrt((gaps(queries, keys) * torch.exp(parameters[0])) ** 2)


def cut(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * math.exp(parameters[0])) ** 2


def detached(queries, keys, parameters):
    return torch.tensor(-((gaps(queries, keys).numpy() * np.exp(parameters.numpy()[0])) ** 2))


def in_steps(queries, keys, parameters):
    return -torch.abs(gaps(queries, keys)) * (30 + torch.round(parameters.sum()))


def ranks(queries, keys, parameters):
    return -torch.argsort(torch.argsort(torch.abs(gaps(queries, keys)), dim=1), dim=1).double()


def already_weights(queries, keys, parameters):
    return torch.softmax(gaussian(queries, keys, parameters), dim=1)


def bare_additive(queries, keys, parameters):
    return torch.tanh(queries[:, None, None] * parameters[:8] + keys[None, :, None] * parameters[8:16]) @ parameters[16:]


def at_random(queries, keys, parameters):
    start = torch.randn(24, dtype=torch.float64)
    return additive(queries, keys, parameters + start)


def slightly_random(queries, keys, parameters):
    return gaussian(queries, keys, parameters) + 1e-6 * torch.rand(len(queries), 1, dtype=torch.float64)


def triangle(queries, keys, parameters):
    return torch.log(torch.clamp(1 - torch.abs(gaps(queries, keys)) * torch.exp(parameters[0]), min=0))


def mutating(queries, keys, parameters):
    queries -= keys.mean()
    return gaussian(queries, keys - keys.mean(), parameters)


def local_linear(queries, keys, values, parameters, mask=None):
    kernel = torch.exp(gaussian(queries, keys, parameters + 1)) + 1e-12
    kernel = kernel if mask is None else kernel * mask
    d = -gaps(queries, keys)
    s1, s2 = (kernel * d).sum(1, keepdim=True), (kernel * d**2).sum(1, keepdim=True)
    weights = kernel * (s2 - d * s1)
    weights = weights / weights.sum(1, keepdim=True)
    return weights @ values, weights


def masked_late(queries, keys, values, parameters, mask=None):
    weights = to_weights(gaussian(queries, keys, parameters), None)
    weights = weights if mask is None else weights * mask
    return weights @ values, weights


def unshifted(queries, keys, values, parameters, mask=None):
    kernel = torch.exp(gaussian(queries, keys, parameters))
    kernel = kernel if mask is None else kernel * mask
    weights = kernel / kernel.sum(1, keepdim=True)
    return weights @ values, weights


def down_the_columns(queries, keys, values, parameters, mask=None):
    weights = torch.softmax(gaussian(queries, keys, parameters), dim=0)
    return weights @ values, weights


def with_values(queries, keys, values, parameters, mask=None):
    scores = gaussian(queries, keys, parameters) - 0.1 * (values - values.mean()) ** 2
    weights = to_weights(scores, mask)
    return weights @ values, weights


def from_zeros(queries, keys, values, parameters, mask=None):
    return pooling(gaussian)(queries, keys, values, torch.zeros(24, dtype=torch.float64), mask)


def unnormalised(queries, keys, values, parameters, mask=None):
    weights = torch.exp(-torch.abs(gaps(queries, keys)))
    return weights @ values, weights


def loop_of(step, loss=left_out_loss, rate=0.1):
    """A training loop whose steps may go wrong."""
    def training(attend, keys, values, steps):
        parameters = torch.zeros(24, dtype=torch.float64, requires_grad=True)
        optimiser = torch.optim.Adam([parameters], lr=rate)
        for _ in range(steps):
            step(optimiser, loss(attend, keys, values, parameters))
        return parameters.detach()

    return training


def good_step(optimiser, loss):
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def adding_up(optimiser, loss):
    loss.backward()
    optimiser.step()


def not_backward(optimiser, loss):
    optimiser.zero_grad()
    optimiser.step()


def not_moving(optimiser, loss):
    optimiser.zero_grad()
    loss.backward()


def uphill(optimiser, loss):
    good_step(optimiser, -loss)


def naive_loss(attend, keys, values, parameters):
    answers, _ = attend(keys, keys, values, parameters)
    return torch.mean((answers - values) ** 2)


def returning_early(attend, keys, values, steps):
    parameters = torch.zeros(24, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([parameters], lr=0.1)
    for _ in range(steps):
        good_step(optimiser, left_out_loss(attend, keys, values, parameters))
        return parameters.detach()
    return parameters.detach()


def from_one(attend, keys, values, steps):
    return train(attend, keys, values, steps) + 1


def always_hundred(attend, keys, values, steps):
    return train(attend, keys, values, 100)


def with_its_own(attend, keys, values, steps):
    return train(pooling(rational), keys, values, steps)


def loss_too(attend, keys, values, steps):
    parameters = train(attend, keys, values, steps)
    return parameters, left_out_loss(attend, keys, values, parameters)


def a_copy(attend, keys, values, steps):
    parameters = torch.zeros(24, dtype=torch.float64)
    copied = parameters.clone().requires_grad_()
    optimiser = torch.optim.Adam([copied], lr=0.1)
    for _ in range(steps):
        good_step(optimiser, left_out_loss(attend, keys, values, copied))
    return parameters


def untrained(keys, values, queries):
    return pooling(rational)(queries, keys, values, torch.zeros(24, dtype=torch.float64))


def upside_down(queries, keys, parameters):
    return -gaussian(queries, keys, parameters)


def farthest(keys, values, queries):
    weights = torch.softmax(torch.abs(gaps(queries, keys)) * (1 + values.std()), dim=1)
    return weights @ values, weights


def nearest(keys, values, queries):
    scores = -1e9 * gaps(queries, keys) ** 2
    weights = torch.softmax(scores, dim=1)
    return weights @ values, weights


def average(keys, values, queries):
    weights = torch.full((len(queries), len(keys)), 1 / len(keys), dtype=torch.float64)
    return weights @ values, weights


def truth(keys, values, queries):
    return 2 * torch.sin(queries) + queries, predictor(gaussian)(keys, values, queries)[1]


def linear_answers(keys, values, queries):
    return local_linear(queries, keys, values, torch.ones(24))


def answers_alone(keys, values, queries):
    return predictor(gaussian)(keys, values, queries)[0]


def at_the_keys(keys, values, queries):
    return predictor(gaussian)(keys, values, keys)


def in_numpy(keys, values, queries):
    width = nwlab.select_bandwidth(keys.numpy(), values.numpy())
    weights = np.exp(-0.5 * (np.subtract.outer(queries.numpy(), keys.numpy()) / width) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ values.numpy(), weights


def in_numpy_by_hand(keys, values, queries):
    weights = np.exp(-0.5 * (np.subtract.outer(queries.numpy(), keys.numpy()) / 0.25) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ values.numpy(), weights


def masked_by(number):
    return lambda scores, mask: torch.softmax(scores if mask is None else scores.masked_fill(~mask, number), 1)


def loss_once(again):
    """The loss computed before the loop, with or without torch's retain_graph."""
    def training(attend, keys, values, steps):
        parameters = torch.zeros(24, dtype=torch.float64, requires_grad=True)
        optimiser = torch.optim.Adam([parameters], lr=0.1)
        loss = left_out_loss(attend, keys, values, parameters)
        for _ in range(steps):
            optimiser.zero_grad()
            loss.backward(retain_graph=again)
            optimiser.step()
        return parameters.detach()

    return training


WRONG = {
    "own_scores": {
        "constant": (constant, "average pooling in disguise: every key has the same weight"),
        "ignores the query": (of_keys_alone, "average pooling in disguise: every query gets the same weights"),
        "a parameter per key": (per_key, "it works for some numbers of keys only"),
        "a parameter per key, cut to size": (lambda q, k, p: per_key(q, k, torch.cat([p, p])), "depends on the order of the keys"),
        "hard-coded for fifty": (for_fifty, "it works for some numbers of keys only"),
        "by place": (by_place, "depends on the order of the keys"),
        "normalised over the queries": (over_queries, "depend on the other queries"),
        "minus missing": (lambda q, k, p: -gaussian(q, k, p), "the sign: the farther a key, the higher its score"),
        "logarithm of a kernel of 0": (log_of_kernel, "minus infinity far from the keys"),
        "over the distance": (over_distance, "infinity where a query lies on a key"),
        "root of a square": (by_root, "the slope is NaN where a query lies on a key"),
        "math.exp": (cut, "the scores have no slope"),
        "NumPy inside": (detached, "the scores have no slope"),
        "rounded": (in_steps, "the slope is 0 for every parameter"),
        "no parameters": (lambda q, k, p: -gaps(q, k) ** 2, "the parameters play no part"),
        "no exp": (lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2, "at the start every slope is 0"),
        "additive, no constants": (bare_additive, "at the start every slope is 0"),
        "over a parameter": (lambda q, k, p: -0.5 * (gaps(q, k) / p[0]) ** 2, "minus infinity among the scores"),
        "triangle": (triangle, "minus infinity among the scores"),
        "float32": (in_float32, "the scores are in float32, float64 was asked"),
        "randn inside": (at_random, "it is random"),
        "a little random": (slightly_random, "it is random"),
        "ranks without parameters": (ranks, "the parameters play no part"),
        "weights": (already_weights, "these are weights already"),
        "transposed": (lambda q, k, p: gaussian(k, q, p), "rows and columns are swapped"),
        "one number": (lambda q, k, p: gaussian(q, k, p).sum(), "no table of scores"),
        "one for each query": (lambda q, k, p: gaussian(q, k, p).sum(1), "scores of shape (2,) where (2, 3) was asked"),
        "an axis too many": (lambda q, k, p: gaussian(q, k, p)[..., None], "scores of shape (2, 3, 1)"),
        "mutating": (mutating, "it changes its inputs (queries)"),
        "returns nothing": (lambda q, k, p: None, "returns nothing"),
        "nwlab": (lambda q, k, p: nwlab.attention_weights(q, k), "it calls nwlab's own attention_weights"),
        "NumPy": (lambda q, k, p: gaussian(q, k, p).detach().numpy(), "NumPy where torch was asked"),
    },
    "to_weights": {
        "over the queries": (lambda s, m: torch.softmax(s if m is None else s.masked_fill(~m, -torch.inf), 0), "over the queries"),
        "no mask": (lambda s, m: torch.softmax(s, 1), "the mask is ignored"),
        "mask upside down": (lambda s, m: torch.softmax(s if m is None else s.masked_fill(m, -torch.inf), 1), "upside down"),
        "masked after": (lambda s, m: torch.softmax(s, 1) * (1 if m is None else m), "the rows do not sum to one"),
        "masked by 0": (lambda s, m: torch.softmax(s if m is None else s * m, 1), "a hidden key has score 0, not weight 0"),
        "all of it": (lambda s, m: torch.softmax((s if m is None else s.masked_fill(~m, -torch.inf)).flatten(), 0).reshape(s.shape),
                      "the whole table sums to one"),
        "no shift": (lambda s, m: (lambda e: e / e.sum(1, keepdim=True))(torch.exp(s) * (1 if m is None else m)), "0/0 or ∞/∞"),
        "sigmoid": (lambda s, m: torch.sigmoid(s), "does not hold yet"),
        "not divided": (lambda s, m: torch.exp(s - s.max(1, keepdim=True).values) * (1 if m is None else m), "nothing is divided"),
        "no exponential": (lambda s, m: (lambda t: t / t.sum(1, keepdim=True))(s * (1 if m is None else m)),
                           "the exponential is missing"),
        "log_softmax": (lambda s, m: torch.log_softmax(s if m is None else s.masked_fill(~m, -torch.inf), 1), "the logarithm"),
        "fails without a mask": (lambda s, m: torch.softmax(s.masked_fill(~m, -torch.inf), 1), "it raises TypeError on some"),
        "masked by -1e9": (masked_by(-1e9), "a finite number can be beaten: a hidden key has a score like −1000000000"),
        "masked by -10000": (masked_by(-1e4), "a finite number can be beaten: a hidden key has a score like −1000000000"),
        "masked by -100": (masked_by(-100.0), "a finite number can be beaten: a hidden key has a score like −100"),
        "minus 1e9": (lambda s, m: torch.softmax(s if m is None else s - 1e9 * (~m), 1), "a finite number can be beaten"),
        "minus 100": (lambda s, m: torch.softmax(s if m is None else s - 100 * (~m), 1), "a finite number can be beaten"),
        "if mask": (lambda s, m: to_weights(s, m) if m else to_weights(s, None), "a whole mask met `if`"),
        "masked in place": (lambda s, m: torch.softmax(s if m is None else s.masked_fill_(~m, -torch.inf), 1), "changes its inputs"),
        "nwlab": (lambda s, m: nwlab.masked_softmax(s, m), "it calls nwlab's own masked_softmax"),
        "returns nothing": (lambda s, m: None, "returns nothing"),
        "divided too late": (to_weights_renormalised, "0/0 where a hidden key had all the attention"),
    },
    "attend": {
        "local linear": (local_linear, "negative weights"),
        "mask after": (masked_late, "the weights of a query do not sum to one"),
        "mask forgotten": (lambda q, k, v, p, m: pooling(gaussian)(q, k, v, p), "the mask is not obeyed"),
        "NaN far away": (unshifted, "NaN among the weights far from the keys"),
        "softmax over the queries": (down_the_columns, "the softmax runs over the queries"),
        "values in the weights": (with_values, "the weights depend on the values"),
        "average pooling": (pooling(constant), "average pooling in disguise"),
        "ignores the query": (pooling(of_keys_alone), "average pooling in disguise"),
        "zeros for parameters": (from_zeros, "the parameters play no part"),
        "order of the keys": (pooling(by_place), "depends on the order of the keys"),
        "other queries": (pooling(over_queries), "depend on the other queries"),
        "rows do not sum to one": (unnormalised, "the weights of a query do not sum to one"),
        "answers alone": (lambda q, k, v, p, m: pooling(gaussian)(q, k, v, p, m)[0], "answers and weights were asked, two things"),
        "weights first": (lambda q, k, v, p, m: pooling(gaussian)(q, k, v, p, m)[::-1], "answers first, then weights"),
        "answers (m, 1)": (lambda q, k, v, p, m: (lambda a, w: (a[:, None], w))(*pooling(gaussian)(q, k, v, p, m)),
                           "answers of shape (2, 1) where (2,) was asked"),
        "asks at the keys": (lambda q, k, v, p, m: pooling(gaussian)(k, k, v, p), "you answered at the keys"),
        "the mean of the products": (lambda q, k, v, p, m: (lambda w: ((w * v).mean(1), w))(to_weights(gaussian(q, k, p), m)),
                                     "not the weighted averages"),
        "weights transposed": (lambda q, k, v, p, m: (lambda a, w: (a, w.T))(*pooling(gaussian)(q, k, v, p, m)), "swapped"),
        "a stub inside": (lambda q, k, v, p, m: stub("own_scores"), "it calls own_scores, which is not written yet"),
    },
    "left_out_loss": {
        "attends to itself": (naive_loss, "each point attends to itself"),
        "mask upside down": (lambda attend, k, v, p: torch.mean(
            (attend(k, k, v, p, torch.eye(len(k), dtype=torch.bool))[0] - v) ** 2), "upside down"),
        "sum": (lambda attend, k, v, p: left_out_loss(attend, k, v, p) * len(k), "the sum, not the mean"),
        "half": (lambda attend, k, v, p: left_out_loss(attend, k, v, p) / 2, "0.5 times the right one"),
        "absolute": (lambda attend, k, v, p: torch.mean(torch.abs(
            attend(k, k, v, p, ~torch.eye(len(k), dtype=torch.bool))[0] - v)), "absolute residuals"),
        "root": (lambda attend, k, v, p: torch.sqrt(left_out_loss(attend, k, v, p)), "the root of the mean square"),
        "square of the mean": (lambda attend, k, v, p: torch.mean(
            attend(k, k, v, p, ~torch.eye(len(k), dtype=torch.bool))[0] - v) ** 2, "the squared mean residual"),
        "one for each point": (lambda attend, k, v, p: (attend(k, k, v, p, ~torch.eye(len(k), dtype=torch.bool))[0] - v) ** 2,
                               "one loss for each point"),
        "no slope": (lambda attend, k, v, p: left_out_loss(attend, k, v, p).item(), "no slope"),
        "detached": (lambda attend, k, v, p: left_out_loss(attend, k, v, p.detach()), "no slope"),
        "its own pooling": (lambda attend, k, v, p: left_out_loss(pooling(gaussian), k, v, p), "does not use the pooling"),
        "minus": (lambda attend, k, v, p: -left_out_loss(attend, k, v, p), "the sign is flipped"),
        "a float mask": (lambda attend, k, v, p: torch.mean((attend(k, k, v, p, 1 - torch.eye(len(k)))[0] - v) ** 2),
                         "the mask must have dtype bool"),
        "only earlier keys": (lambda attend, k, v, p: torch.mean(
            (attend(k, k, v, p, torch.ones(len(k), len(k)).tril(-1).bool())[0] - v) ** 2), "a point finds nobody to ask"),
    },
    "train": {
        "slopes add up": (loop_of(adding_up), "the slopes of all steps are added up"),
        "the loss before the loop": (loss_once(False), "the loss must be computed anew in each step"),
        "the loss before the loop, kept": (loss_once(True), "the loss must be computed anew in each step"),
        "no backward": (loop_of(not_backward), "nothing was learned"),
        "no step": (loop_of(not_moving), "nothing was learned"),
        "uphill": (loop_of(uphill), "it walks uphill"),
        "attends to itself": (loop_of(good_step, naive_loss), "w runs away: each point attends to itself"),
        "tiny steps": (loop_of(good_step, rate=0.001), "it has not arrived"),
        "return inside the loop": (returning_early, "a hundred steps end where one step ends"),
        "another start": (from_one, "it does not begin with zeros"),
        "ignores steps": (always_hundred, "ignores `steps`"),
        "its own pooling": (with_its_own, "does not use the pooling that is handed over"),
        "the loss too": (loss_too, "the 24 parameters were asked, something else came"),
        "a copy is trained": (a_copy, "nothing was learned"),
        "no gradient asked for": (lambda attend, k, v, steps: [left_out_loss(attend, k, v, torch.zeros(24)).backward()
                                                               for _ in range(steps)], "something cut the way back to the parameters"),
        "a stub inside": (lambda attend, k, v, steps: stub("left_out_loss"), "it calls left_out_loss, which is not written yet"),
    },
    "predict": {
        "untrained": (untrained, "nothing is learned: other values, the same weights"),
        "average pooling": (average, "average pooling in disguise"),
        "nearest neighbour": (nearest, "nothing is learned"),
        "attends to itself": (predictor(gaussian, 150, loop_of(good_step, naive_loss)), "needles"),
        "scores upside down": (predictor(upside_down), "far keys get more attention than near ones"),
        "farthest": (farthest, "far keys get more attention than near ones"),
        "training that does not move": (predictor(lambda q, k, p: -0.5 * (gaps(q, k) * p[0]) ** 2), "average pooling in disguise"),
        "few steps": (predictor(gaussian, 3), "its error is"),
        "a bounded kernel as score": (predictor(lambda q, k, p: torch.exp(gaussian(q, k, p))), "its error is"),
        "local linear": (linear_answers, "negative weights"),
        "rows do not sum to one": (predictor(gaussian, weights=lambda s, m: torch.sigmoid(s)), "do not sum to one"),
        "the truth": (truth, "not the weighted averages of the values"),
        "answers alone": (answers_alone, "answers and weights were asked, two things"),
        "asks at the keys": (at_the_keys, "you answered at the keys"),
        "nwlab": (in_numpy, "it calls nwlab's own select_bandwidth"),
        "NumPy": (in_numpy_by_hand, "NumPy where torch was asked"),
        "softmax over the queries": (predictor(gaussian, weights=lambda s, m: to_weights(
            s.T, None if m is None else m.T).T), "the softmax runs over the queries"),
    },
}
