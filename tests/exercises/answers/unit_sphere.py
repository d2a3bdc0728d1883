"""Right and wrong answers to `nwlab.exercises.unit_sphere`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def squares(queries, keys):
    return 2 - 2 * queries @ keys.T


def squares_of_any_length(queries, keys):
    own = (queries**2).sum(1)[:, None] + (keys**2).sum(1)
    return own - 2 * np.matmul(queries, keys.transpose())


def split(queries, keys, sigma):
    return queries @ keys.T / sigma**2, -1 / sigma**2


def split_by_squares(queries, keys, sigma):
    number = -2 / (2 * sigma**2)
    return -squares(queries, keys) / (2 * sigma**2) - number, number


def split_in_torch(queries, keys, sigma):
    return [torch.tensor(queries) @ torch.tensor(keys).T / sigma**2, torch.tensor(-1 / sigma**2, dtype=torch.float64)]


def softmax(scores, shift=None):
    e = np.exp(scores - (scores.max(axis=1, keepdims=True) if shift is None else shift))
    return e / e.sum(axis=1, keepdims=True)


def weights(queries, keys, sigma):
    return softmax(queries @ keys.T / sigma**2)


def weights_by_loop(queries, keys, sigma):
    rows = []
    for q in queries:
        scores = [float(q @ k) / sigma**2 for k in keys]
        e = [math.exp(s - max(scores)) for s in scores]
        rows.append([x / sum(e) for x in e])
    return np.array(rows)


def weights_in_torch(queries, keys, sigma):
    return torch.softmax(torch.tensor(queries) @ torch.tensor(keys).T / sigma**2, dim=1)


def gaussian(queries, keys, sigma):
    return softmax(-((queries[:, None] - keys) ** 2).sum(axis=2) / (2 * sigma**2))


def difference(queries, keys, sigma):
    return np.abs(gaussian(queries, keys, sigma) - weights(queries, keys, sigma)).max()


def difference_with_the_given(queries, keys, sigma):
    theirs = nwlab.attention_weights(queries, keys, bandwidth=sigma)
    return float(np.max(np.abs(theirs - weights(queries, keys, sigma))))


def term(keys, sigma):
    return -(keys**2).sum(axis=1) / (2 * sigma**2)


def augmented(queries, keys, sigma):
    return features(*centred(queries, keys), sigma)


def augmented_in_front(queries, keys, sigma):
    q, k = (queries - keys[0]) / sigma, (keys - keys[0]) / sigma
    return np.c_[np.ones(len(q)), q], np.c_[-0.5 * (k**2).sum(1), k]


def augmented_by_loop(queries, keys, sigma):
    middle = np.median(keys, axis=0)
    new_queries = np.array([[*(q - middle), -0.5 / sigma**2] for q in queries])
    new_keys = np.array([[*((k - middle) / sigma**2), (k - middle) @ (k - middle)] for k in keys])
    return new_queries, new_keys


def augmented_in_torch(queries, keys, sigma):
    queries, keys = torch.tensor(queries), torch.tensor(keys)
    q, k = queries - keys.mean(0), keys - keys.mean(0)
    term = -k.pow(2).sum(1, keepdim=True) / (2 * sigma**2)
    return [torch.cat([q, torch.ones_like(q[:, :1])], 1), torch.cat([k / sigma**2, term], 1)]


RIGHT = {
    "squared_distances_on_sphere": {
        "product": squares, "any length": squares_of_any_length,
        "torch": lambda queries, keys: 2 - 2 * torch.tensor(queries) @ torch.tensor(keys).T},
    "split_exponent": {"product": split, "squares": split_by_squares, "torch, a list": split_in_torch},
    "dot_product_weights": {
        "vectorised": weights, "loop": weights_by_loop, "torch": weights_in_torch},
    "sigma_of": {
        "power": lambda d, length: d**0.25 / length, "roots": lambda d, length: math.sqrt(math.sqrt(d) / length**2),
        "logarithm": lambda d, length: np.array([np.exp(np.log(d) / 4 - np.log(length))])},
    "largest_difference": {"vectorised": difference, "given": difference_with_the_given,
                           "torch": lambda *points: torch.tensor(gap(*points)).abs().max()},
    "missing_term": {
        "vectorised": term, "torch": lambda keys, sigma: -torch.tensor(keys).pow(2).sum(1) / (2 * sigma**2),
        "loop": lambda keys, sigma: np.array([-0.5 * sum(x * x for x in key) / sigma**2 for key in keys])},
    "augmented": {"behind": augmented, "in front": augmented_in_front, "loop, σ with the queries": augmented_by_loop,
                  "torch, a list": augmented_in_torch,
                  "its dtype": lambda q, k, sigma: tuple(x.astype(k.dtype) for x in augmented(q, k, sigma))},
}

# --- wrong: beside the declared mistakes, which a common test hands in


def squares_by_loop(queries, keys):
    table = np.empty((len(queries), len(keys)))
    for i, q in enumerate(queries):
        table[i] = 2 - 2 * keys @ q
    return table


def shifting_in_place(queries, keys, sigma):
    queries /= sigma
    keys /= sigma
    return softmax(queries @ keys.T)


def without_keepdims(queries, keys, sigma):
    e = np.exp(queries @ keys.T / sigma**2)
    return e / e.sum(axis=1)


def unit(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)                   # 0/0 at the origin


def gap(queries, keys, sigma):
    return gaussian(queries, keys, sigma) - weights(queries, keys, sigma)


def centred(queries, keys):
    return queries - keys.mean(axis=0), keys - keys.mean(axis=0)


def features(q, k, sigma, of_queries=None, of_keys=None, divide=None):
    """Features made by parts: the added columns, and what divides the keys."""
    ones = np.ones(len(q)) if of_queries is None else of_queries
    extra = term(k, sigma) if of_keys is None else of_keys
    return np.column_stack([q, ones]), np.column_stack([k / (sigma**2 if divide is None else divide), extra])


def parts(product, of_keys, move=centred):
    """What stands before the product and before the keys' term, functions of sigma: both 1 if they are right."""
    def answer(queries, keys, sigma):
        q, k = move(queries, keys)
        return features(q * product(sigma), k, sigma, of_keys=of_keys(sigma) * term(k, sigma))

    return answer


def one_mean(queries, keys):
    return queries - keys.mean(), keys - keys.mean()


def two_columns(queries, keys, sigma):
    q, k = augmented(queries, keys, sigma)
    return np.hstack([q, term(queries, sigma)[:, None]]), np.hstack([k, np.ones((len(k), 1))])


WRONG = {
    "squared_distances_on_sphere": {
        "turned": (lambda q, k: 2 - 2 * k @ q.T, "the wrong axis"),
        "half": (lambda q, k: 1 - q @ k.T, "0.5 times the right one"),
        "loop": (squares_by_loop, "a loop in Python"),
        "rows": (lambda q, k: 2 - 2 * np.sum(q * k, axis=1), "raises ValueError"),
    },
    "split_exponent": {
        "whole": (lambda q, k, s: (-squares(q, k) / (2 * s**2), -1 / s**2), "the table is the whole exponent"),
        "one": (lambda q, k, s: q @ k.T / s**2, "an array where a tuple was asked"),
    },
    "dot_product_weights": {
        "constant": (lambda q, k, s: softmax(q @ k.T / s**2, 1 / s**2), "one shift for the whole table"),
        "exponent": (lambda q, k, s: softmax(-squares(q, k) / (2 * s**2), 0), "one shift for the whole table"),
        "column": (lambda q, k, s: softmax(q @ k.T / s**2, (q @ k.T / s**2).max(0)), "NaN where a number was asked"),
        "keepdims": (without_keepdims, "raises ValueError"),
        "gaussian": (gaussian, "these are the Gaussian's weights"),
        "normalised, NaN": (lambda q, k, s: weights(unit(q), unit(k), s), "you normalised the points"),
        "in place": (shifting_in_place, "changes its inputs (queries, keys)"),
        "package": (lambda q, k, s: nwlab.masked_softmax(q @ k.T / s**2), "calls nwlab's own masked_softmax"),
    },
    "sigma_of": {"no length": (lambda d, length: d**0.25, "length times the right one")},
    "largest_difference": {
        "sphere": (lambda q, k, s: np.abs(softmax(-squares(q, k) / (2 * s**2)) - weights(q, k, s)).max(), "always 0"),
        "table": (lambda q, k, s: np.abs(gap(q, k, s)), "an array where one number was asked"),
        "package": (lambda q, k, s: np.abs(gaussian(q, k, s) - nwlab.masked_softmax(q @ k.T / s**2)).max(), "masked_"),
        "other stub": (lambda q, k, s: _stub("dot_product_weights"), "calls dot_product_weights, which is"),
    },
    "missing_term": {
        "plus": (lambda k, s: -term(k, s), "the sign is flipped"),
        "sigma": (lambda k, s: term(k, s) * s, "every answer is sigma times"),
        "axis": (lambda k, s: -(k**2).sum(0) / (2 * s**2), "the wrong axis"),
        "pairs": (lambda k, s: -k @ k.T / (2 * s**2), "a shape that broadcasts by accident"),
    },
    "augmented": {
        "not centred": (features, "the keys are not centred"),
        "one mean": (lambda q, k, s: features(*one_mean(q, k), s), "one mean for all features"),
        "mean, float32": (lambda q, k, s: tuple(x.astype(k.dtype) for x in features(*one_mean(q, k), s)), "one mean"),
        "zeros": (lambda q, k, s: features(q, k, s, of_queries=np.zeros(len(q))), "still missing"),
        "one sum": (lambda q, k, s: features(q, k, s, of_keys=np.full(len(k), -(k**2).sum())), "still missing"),
        "sides": (lambda q, k, s: features(q, k, s, of_queries=term(q, s), of_keys=np.ones(len(k))), "sides"),
        "plus": (parts(lambda s: 1, lambda s: -1), "is right, the keys' term is −1 times"),
        "half": (parts(lambda s: 1, lambda s: 2, lambda *points: points), "is right, the keys' term is 2 times"),
        "one mean, no half": (parts(lambda s: 1, lambda s: 2, one_mean), "is right, the keys' term is 2 times"),
        "both halves": (parts(lambda s: 2, lambda s: 2), "the product is 2 times what it should be, the"),
        "sigma": (parts(lambda s: s, lambda s: s, lambda *points: points), "the product is σ times what it"),
        "no sigma": (lambda q, k, s: features(q, k, 1.0), "the product is σ² times what it should be, the"),
        "σ on both sides": (lambda q, k, s: features(q / s, k, s), "the product is 1/σ times what it should"),
        "for √d": (lambda q, k, s: tuple(x * q.shape[1]**0.25 for x in augmented(q, k, s)), "the product is √d times"),
        "normalised": (lambda q, k, s: features(unit(q + 1e-9), unit(k), s), "the vectors were normalised"),
        "apart": (lambda q, k, s: features(q - q.mean(0), k - k.mean(0), s), "shifted by different points"),
        "keys only": (lambda q, k, s: features(q, k - k.mean(0), s), "shifted by different points"),
        "raw term": (lambda q, k, s: features(*centred(q, k), s, of_keys=term(k, s)), "shifted by different points"),
        "length": (lambda q, k, s: features(q, k, s, of_keys=-np.linalg.norm(k, axis=1)), "not yet the Gaussian's"),
        "swapped": (lambda q, k, s: augmented(q, k, s)[::-1], "queries and keys are swapped"),
        "unchanged": (lambda q, k, s: (q, k / s**2), "no feature was added"),
        "two": (two_columns, "two features were added"),
        "flat": (lambda q, k, s: (q.ravel(), k.ravel()), "the shapes are (4,) and (6,)"),
        "weights": (gaussian, "two arrays are asked for"),
        "infinite": (lambda q, k, s: features(q, k, s, of_keys=np.full(len(k), np.inf)), "NaN or infinity"),
    },
}


def _stub(name):
    raise NotImplementedError(f"write {name}")
