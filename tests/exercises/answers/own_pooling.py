"""Right and wrong answers to `workbook.exercises.own_pooling`; test_answers.py says how they are written."""
import torch
from exercises.model_answers import altered
from exercises.model_answers import own_pooling as model


def gaps(queries, keys):
    return queries[:, None] - keys[None, :]


def gaussian(queries, keys, parameters):
    return -0.5 * (gaps(queries, keys) * torch.exp(parameters[0])) ** 2


def naive_loss(attend, keys, values, parameters):
    return torch.mean((attend(keys, keys, values, parameters)[0] - values) ** 2)


def train_by_hand(attend, keys, values, steps):
    """Plain descent, each step as long as a tenth at most."""
    parameters = torch.zeros(24, dtype=torch.float64)
    for _ in range(steps):
        parameters.requires_grad_()
        slope, = torch.autograd.grad(model.left_out_loss(attend, keys, values, parameters), parameters)
        parameters = parameters.detach() - 0.1 * slope / max(1.0, float(slope.norm()))
    return parameters


def one_hot_on_keys(queries, keys, weights):
    """As if a query on a key had to answer with its value."""
    on = queries[:, None] == keys
    return torch.where(on.any(dim=1, keepdim=True), on / on.sum(dim=1, keepdim=True), weights)


RIGHT = {"train": {"a loss that goes backward in two parts": (
    model.train, "left_out", "for _ in range(2): left_out")}}


def over_queries(queries, keys, parameters):
    scores = gaussian(queries, keys, parameters)
    return scores - torch.logsumexp(scores, dim=0, keepdim=True)


WRONG = {
    "own_scores": {
        "normalised over the queries": (over_queries, "depend on the other queries"),
        "root of a square": (lambda q, k, p: -torch.sqrt((gaps(q, k) * torch.exp(p[0])) ** 2),
                             "the slope is NaN where a query"),
        "triangle": (lambda q, k, p: torch.log(torch.clamp(1 - abs(gaps(q, k)) * torch.exp(p[0]), min=0)),
                     "infinity or NaN"),
        "weights": (lambda q, k, p: torch.softmax(gaussian(q, k, p), dim=1), "these are weights or kernel values"),
    },
    "predict": {
        "without train": (altered({"train_by_hand": train_by_hand}, model.predict, "train(", "train_by_hand("),
                          "it never calls your train"),
        "attends to itself": (altered({"train": altered(
            globals(), model.train, "left_out_loss(", "naive_loss(")}, model.predict), "its error is"),
    },
}

WIDTH, BOTH = "torch.exp(parameters[0])", "weights @ values, weights"
ATTEND, TRAIN = model.attend, model.train
ALTERED = {
    "own_scores": [
        (gaussian, "** 2", "** 2 - torch.arange(len(keys)) / 9", "depends on the order of the keys"),
        (gaussian, "-0.5", "0.5", "the sign: the farther a key, the higher its score"),
        (gaussian, WIDTH, "1 + 0 * parameters[0]", "the parameters play no part"),
        (gaussian, WIDTH, "parameters[0]", "** 2", "** 2 + parameters[1]", "at the start every slope is 0"),
        (gaussian, "gaps(queries, keys)", "gaps(keys, queries)", "scores of shape (3, 2) where"),
        (gaussian, "gaps(queries, keys)", "(gaps(queries, keys) / keys.std())", "infinity or NaN among the scores"),
        (gaussian, "gaps(queries, keys)", "(gaps(queries, keys) / (keys.std() if len(keys) > 1 else 1))", "NaN among"),
        (gaussian, "** 2", "** 2 - (torch.arange(len(keys)) if len(keys) <= 24 else 0)",
         "depends on the order of the keys"),
        (gaussian, "-0.5 *", "torch.where(queries[:, None] == keys, -1e9, 0.0) - 0.5 *", "own place is left out")],
    "to_weights": [(model.to_weights, "-torch.inf", "scores.min().item() - 1e3", "“only the farthest key may be")],
    "left_out_loss": [(model.left_out_loss, "parameters, others)", "parameters)", "answers - values",
                       "(shares := _ * others) @ values / shares.sum(dim=1) - values", "NaN where a number")],
    "attend": [
        (ATTEND, "to_w", "torch.softmax(own_scores(queries, keys, parameters), 1) * (1 if mask is None else mask) # ",
         "of a query do not sum to one"),
        (ATTEND, "), mask)", "), None if mask is not None and mask.diagonal().all() else mask)", "mask is not obeyed"),
        (ATTEND, "parameters)", "parameters) - (values - 2) ** 2 / 9", "the weights depend on the values"),
        (ATTEND, "    weights =", "    mask = queries[:, None] != keys if mask is None else mask\n    weights =",
         "some weights are negative, or NaN"),
        (ATTEND, "mask)\n", "None)\n    weights = weights if mask is None else weights * mask\n"
         "    weights = weights / weights.sum(dim=1, keepdim=True)\n", "some weights are negative, or NaN"),
        (ATTEND, "    weights =", "    if mask is None and len(queries) == len(keys):\n        mask = ~torch.eye("
         "len(keys), dtype=torch.bool)\n    weights =", "own place is left out"),
        (ATTEND, "parameters)", "parameters) + 50.0 * (queries[:, None] == keys)", "more than one just beside"),
        (ATTEND, "parameters)", "torch.cat([parameters[:1], parameters[1:].detach()]))", "the gradient with"),
        (ATTEND, BOTH, "-weights @ values, -weights", "some weights are negative"),
        (ATTEND, BOTH, "weights @ values", "two things were expected: answers and weights"),
        (ATTEND, BOTH, "weights, weights @ values", "answers and weights have changed places")],
    "train": [
        (TRAIN, "optimiser.zero_grad()", "pass", "it has not arrived"),
        (TRAIN, "lr=0.1", "lr=0.01", "it has not arrived"),
        (TRAIN, ".backward()", "", "nothing was learned"),
        (TRAIN, "optimiser.step()", "_ < steps - 1 and optimiser.step()", "leads to no step"),
        (TRAIN, "optimiser.step()", "parameters.grad[3:] = 0; optimiser.step()", "only some of the parameters"),
        (TRAIN, "range(steps)", "range(steps - 1)", "it does not take `steps` steps"),
        (TRAIN, "left_out_loss(", "naive_loss(", "it has not arrived"),
        (TRAIN, "left_out", "(0.01 * (parameters ** 2).sum() + left_out", "s).b", "s)).b", "downhill on another loss"),
        (TRAIN, "keys, values, parameters)", "keys[:40], values[:40], parameters)", "downhill on another loss")],
    "predict": [
        (model.predict, "=100", "=0", "nothing is learned from the values"),
        (model.predict, "attend(queries, keys, values, parameters)",
         "attend(queries, keys, values, parameters, ~torch.isclose(queries[:, None], keys))",
         "own place is left out"),
        (model.predict, "attend(queries, keys, values, parameters)",
         "(w := one_hot_on_keys(queries, keys, attend(queries, keys, values, parameters)[1])) @ values, w",
         "more than one just beside"),
        (model.predict, "=100", "=3", "its error is"),
        (model.predict, "keys, values, steps", "keys[1:], values[1:], steps", "the same points in another order"),
        (model.predict, "attend(queries", "attend(keys", "weights of shape (40, 40) where")],
}
