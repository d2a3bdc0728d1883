"""Right and wrong answers to `nwlab.exercises.unit_sphere`; test_answers.py says how they are written."""
import math

import numpy as np
import torch

import nwlab

# --- right


def squares(queries, keys):
    return 2 - 2 * queries @ keys.T


def split(queries, keys, sigma):
    return queries @ keys.T / sigma**2, -1 / sigma**2


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def weights(queries, keys, sigma):
    scores = queries @ keys.T / sigma**2
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def weights_by_loop(queries, keys, sigma):
    rows = []
    for q in queries:
        scores = [float(q @ k) / sigma**2 for k in keys]
        e = [math.exp(s - max(scores)) for s in scores]
        rows.append([x / sum(e) for x in e])
    return np.array(rows)


def gaussian(queries, keys, sigma):
    return softmax(-((queries[:, None] - keys) ** 2).sum(axis=2) / (2 * sigma**2))


def gap(queries, keys, sigma):
    return gaussian(queries, keys, sigma) - weights(queries, keys, sigma)


def difference(queries, keys, sigma):
    return np.abs(gap(queries, keys, sigma)).max()


def term(keys, sigma):
    return -(keys**2).sum(axis=1) / (2 * sigma**2)


def augmented(queries, keys, sigma):
    middle = keys.mean(axis=0)
    q, k = queries - middle, keys - middle
    return np.column_stack([q, np.ones(len(q))]), np.column_stack([k / sigma**2, term(k, sigma)])


def augmented_in_front(queries, keys, sigma):
    q, k = (queries - keys[0]) / sigma, (keys - keys[0]) / sigma
    return np.c_[np.ones(len(q)), q], np.c_[-0.5 * (k**2).sum(1), k]


def augmented_by_loop(queries, keys, sigma):
    middle = np.median(keys, axis=0)
    new_queries = np.array([[*(q - middle), -0.5 / sigma**2] for q in queries])
    new_keys = np.array([[*((k - middle) / sigma**2), (k - middle) @ (k - middle)] for k in keys])
    return new_queries, new_keys


RIGHT = {
    "squared_distances_on_sphere": {
        "product": squares, "any length": (
            squares, "2 - 2 *", "(queries**2).sum(1)[:, None] + (keys**2).sum(1) - 2 *"),
        "torch": lambda queries, keys: 2 - 2 * torch.tensor(queries) @ torch.tensor(keys).T},
    "split_exponent": {"product": split, "squares": (split, "queries @ keys.T", "(1 - squares(queries, keys) / 2)"),
                       "torch, a list": lambda *at: [torch.tensor(part, dtype=torch.float64) for part in split(*at)]},
    "dot_product_weights": {
        "vectorised": weights, "loop": weights_by_loop, "torch": lambda q, k, s: torch.softmax(
            torch.tensor(q) @ torch.tensor(k).T / s**2, dim=1)},
    "sigma_of": {
        "power": lambda d, length: d**0.25 / length, "roots": lambda d, length: math.sqrt(math.sqrt(d) / length**2),
        "logarithm": lambda d, length: np.array([np.exp(np.log(d) / 4 - np.log(length))])},
    "largest_difference": {"vectorised": difference, "given": lambda q, k, s: float(np.max(np.abs(
        nwlab.attention_weights(q, k, bandwidth=s) - weights(q, k, s)))),
                           "torch": lambda *points: torch.tensor(gap(*points)).abs().max()},
    "missing_term": {
        "vectorised": term, "torch": lambda keys, sigma: -torch.tensor(keys).pow(2).sum(1) / (2 * sigma**2),
        "loop": lambda keys, sigma: np.array([-0.5 * sum(x * x for x in key) / sigma**2 for key in keys])},
    "augmented": {"behind": augmented, "in front": augmented_in_front, "loop, σ with the queries": augmented_by_loop,
                  "torch, a list": lambda *at: [torch.tensor(x) for x in augmented(*at)],
                  "its dtype": lambda q, k, sigma: tuple(x.astype(k.dtype) for x in augmented(q, k, sigma))},
}

# --- wrong: beside the declared mistakes, which a common test hands in


def unit(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)                   # 0/0 at the origin


def _stub(name):
    raise NotImplementedError(f"write {name}")


WRONG = {
    "squared_distances_on_sphere": {
        "half": (lambda q, k: 1 - q @ k.T, "0.5 times the right one"),
        "loop": (lambda queries, keys: np.array([2 - 2 * keys @ q for q in queries]), "a loop in Python"),
        "rows": (lambda q, k: 2 - 2 * np.sum(q * k, axis=1), "raises ValueError"),
    },
    "split_exponent": {"one": (lambda q, k, s: q @ k.T / s**2, "an array where a tuple was expected")},
    "dot_product_weights": {
        "normalised, NaN": (lambda q, k, s: weights(unit(q), unit(k), s), "you normalised the points"),
        "package": (lambda q, k, s: nwlab.masked_softmax(q @ k.T / s**2), "calls nwlab's own masked_softmax"),
    },
    "sigma_of": {"no length": (lambda d, length: d**0.25, "length times the right one")},
    "largest_difference": {
        "table": (lambda q, k, s: np.abs(gap(q, k, s)), "an array where one number was expected"),
        "package": (lambda q, k, s: np.abs(gaussian(q, k, s) - nwlab.masked_softmax(q @ k.T / s**2)).max(), "masked_"),
        "other stub": (lambda q, k, s: _stub("dot_product_weights"), "calls dot_product_weights, which is"),
    },
    "missing_term": {
        "sigma": (lambda k, s: term(k, s) * s, "every answer is sigma times"),
        "axis": (lambda k, s: -(k**2).sum(0) / (2 * s**2), "the wrong axis"),
        "pairs": (lambda k, s: -k @ k.T / (2 * s**2), "a shape that broadcasts by accident"),
    },
    "augmented": {
        "for √d": (lambda q, k, s: tuple(x * q.shape[1]**0.25 for x in augmented(q, k, s)), "the product is √d times"),
        "swapped": (lambda q, k, s: augmented(q, k, s)[::-1], "queries and keys are swapped"),
        "unchanged": (lambda q, k, s: (q, k / s**2), "no feature was added"),
        "two": (lambda q, k, s: tuple(np.c_[x, x[:, :1]] for x in augmented(q, k, s)), "two features were added"),
        "flat": (lambda q, k, s: (q.ravel(), k.ravel()), "the shapes are (4,) and (6,)"),
        "weights": (gaussian, "two arrays are asked for"),
    },
}

FAR = augmented, "keys.mean(axis=0)", "0"
ONE_MEAN = augmented, "keys.mean(axis=0)", "keys.mean()"

ALTERED = {
    "dot_product_weights": [
        (weights, "scores.max(axis=1, keepdims=True)", "1 / sigma**2", "one shift for the whole table"),
        (weights, "scores.max(axis=1, keepdims=True)", "scores.max(axis=0)", "NaN where a number was expected"),
        (weights, "e.sum(axis=1, keepdims=True)", "e.sum(axis=1)", "raises ValueError"),
        (weights, "scores =", "queries /= 2; keys /= 2; scores = 4 *", "changes its inputs (queries, keys)")],
    "augmented": [
        (*FAR, "the keys are not centred"), (*ONE_MEAN, "one mean for all features"),
        (*ONE_MEAN, "term(k, sigma)])", "term(k, sigma)]).astype(k.dtype)", "one mean for all features"),
        (*FAR, "np.ones(", "np.zeros(", "still missing"),
        (*FAR, "term(k, sigma)", "np.full(len(k), -(k**2).sum())", "still missing"),
        (*FAR, "np.ones(len(q))", "term(q, sigma)", "term(k, sigma)", "np.ones(len(k))", "swapped sides"),
        (augmented, "term(k", "-term(k", "is right, the keys' term is −1 times"),
        (*FAR, "term(k", "2 * term(k", "is right, the keys' term is 2 times"),
        (*ONE_MEAN, "term(k", "2 * term(k", "is right, the keys' term is 2 times"),
        (augmented, "k / s", "2 * k / s", "term(k", "2 * term(k", "the product is 2 times what it should be, the"),
        (*FAR, "k / s", "sigma * k / s", "term(k", "sigma * term(k", "the product is σ times what it"),
        (*FAR, "sigma**2", "1", "sigma)]", "1.0)]", "the product is σ² times what it should be, the"),
        (*FAR, "sigma**2", "sigma**3", "the product is 1/σ times what it should"),
        (augmented, "queries - middle, keys - middle", "unit(queries + 1e-9), unit(keys)", "the vectors were"),
        (augmented, "queries - middle", "queries - queries.mean(axis=0)", "shifted by different points"),
        (augmented, "queries - middle", "queries", "shifted by different points"),
        (augmented, "term(k", "term(keys", "shifted by different points"),
        (*FAR, "term(k, sigma)", "-np.linalg.norm(k, axis=1)", "not yet the Gaussian's"),
        (augmented, "term(k, sigma)", "np.full(len(k), np.inf)", "NaN or infinity")],
}
