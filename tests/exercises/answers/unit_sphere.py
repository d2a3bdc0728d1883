"""Right and wrong answers to `nwlab.exercises.unit_sphere`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def squares(queries, keys):
    return 2 - 2 * queries @ keys.T


def squares_by_einsum(queries, keys):
    return 2 * (1 - np.einsum("md,nd->mn", queries, keys))


def squares_of_any_length(queries, keys):
    own = (queries**2).sum(1)[:, None] + (keys**2).sum(1)
    return own - 2 * np.matmul(queries, keys.transpose())


def squares_in_torch(queries, keys):
    return 2 - 2 * torch.tensor(queries) @ torch.tensor(keys).T


def squares_clipped(queries, keys):
    return np.clip(2 - 2 * np.inner(queries, keys), 0, 4)


def split(queries, keys, sigma):
    return queries @ keys.T / sigma**2, -1 / sigma**2


def split_by_loop(queries, keys, sigma):
    table = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            table[i, j] = sum(a * b for a, b in zip(q, k)) / sigma**2
    return table, -(sigma**-2)


def split_by_squares(queries, keys, sigma):
    number = -2 / (2 * sigma**2)
    return -squares(queries, keys) / (2 * sigma**2) - number, number


def split_in_torch(queries, keys, sigma):
    return [torch.tensor(queries) @ torch.tensor(keys).T / sigma**2, torch.tensor(-1 / sigma**2, dtype=torch.float64)]


def split_in_float32(queries, keys, sigma):
    return queries.astype(np.float32) @ keys.astype(np.float32).T / np.float32(sigma**2), np.array([-1 / sigma**2])


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
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


def weights_by_logarithm(queries, keys, sigma):
    scores = queries @ keys.T / sigma**2
    return np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])


def weights_in_torch(queries, keys, sigma):
    return torch.softmax(torch.tensor(queries) @ torch.tensor(keys).T / sigma**2, dim=1)


def weights_by_columns(queries, keys, sigma):
    scores = keys @ queries.T / sigma**2
    e = np.exp(scores - scores.max(axis=0))
    return (e / e.sum(axis=0)).T


def gaussian(queries, keys, sigma):
    return softmax(-((queries[:, None] - keys) ** 2).sum(axis=2) / (2 * sigma**2))


def difference(queries, keys, sigma):
    return np.abs(gaussian(queries, keys, sigma) - weights(queries, keys, sigma)).max()


def difference_with_the_given(queries, keys, sigma):
    return float(np.max(np.abs(nwlab.attention_weights(queries, keys, bandwidth=sigma) - weights(queries, keys, sigma))))


def difference_by_loop(queries, keys, sigma):
    worst = 0.0
    for row, other in zip(gaussian(queries, keys, sigma), weights(queries, keys, sigma)):
        for a, b in zip(row, other):
            worst = max(worst, abs(a - b))
    return worst


def difference_in_torch(queries, keys, sigma):
    return (torch.tensor(gaussian(queries, keys, sigma)) - weights_in_torch(queries, keys, sigma)).abs().max()


def difference_in_float32(queries, keys, sigma):
    return difference(queries.astype(np.float32), keys.astype(np.float32), np.float32(sigma))


def term(keys, sigma):
    return -(keys**2).sum(axis=1) / (2 * sigma**2)


def term_by_loop(keys, sigma):
    return np.array([-0.5 * sum(x * x for x in key) / sigma**2 for key in keys])


def term_by_norm(keys, sigma):
    return -0.5 * (np.linalg.norm(keys, axis=1) / sigma) ** 2


def term_in_torch(keys, sigma):
    return -torch.tensor(keys).pow(2).sum(1) / (2 * sigma**2)


def term_in_float32(keys, sigma):
    return term(keys.astype(np.float32), np.float32(sigma))


def augmented(queries, keys, sigma):
    middle = keys.mean(axis=0)
    q, k = queries - middle, keys - middle
    return np.hstack([q, np.ones((len(q), 1))]), np.hstack([k / sigma**2, term(k, sigma)[:, None]])


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
    return (torch.cat([q, torch.ones_like(q[:, :1])], 1),
            torch.cat([k / sigma**2, -k.pow(2).sum(1, keepdim=True) / (2 * sigma**2)], 1))


def augmented_as_a_list(queries, keys, sigma):
    return list(augmented(queries, keys, sigma))


def augmented_in_its_dtype(queries, keys, sigma):
    q, k = augmented(queries, keys, sigma)
    return q.astype(queries.dtype), k.astype(keys.dtype)


RIGHT = {
    "squared_distances_on_sphere": {"product": squares, "einsum": squares_by_einsum, "any length": squares_of_any_length,
                                    "torch": squares_in_torch, "clipped": squares_clipped},
    "split_exponent": {"product": split, "loop": split_by_loop, "squares": split_by_squares, "torch, a list": split_in_torch,
                       "float32": split_in_float32},
    "dot_product_weights": {"vectorised": weights, "loop": weights_by_loop, "logarithm": weights_by_logarithm,
                            "torch": weights_in_torch, "columns": weights_by_columns},
    "sigma_of": {"power": lambda d, length: d**0.25 / length, "roots": lambda d, length: math.sqrt(math.sqrt(d) / length**2),
                 "numpy": lambda d, length: np.sqrt(np.sqrt(d)) / np.float64(length),
                 "torch": lambda d, length: torch.tensor(float(d), dtype=torch.float64) ** 0.25 / length,
                 "logarithm": lambda d, length: np.array([np.exp(np.log(d) / 4 - np.log(length))])},
    "largest_difference": {"vectorised": difference, "given": difference_with_the_given, "loop": difference_by_loop,
                           "torch": difference_in_torch, "float32": difference_in_float32},
    "missing_term": {"vectorised": term, "loop": term_by_loop, "norm": term_by_norm, "torch": term_in_torch,
                     "float32": term_in_float32},
    "augmented": {"behind": augmented, "in front": augmented_in_front, "loop, σ with the queries": augmented_by_loop,
                  "torch": augmented_in_torch, "a list": augmented_as_a_list, "its dtype": augmented_in_its_dtype},
}

# --- wrong


def squares_by_loop(queries, keys):
    table = np.empty((len(queries), len(keys)))
    for i, q in enumerate(queries):
        table[i] = 2 - 2 * keys @ q
    return table


def shifted(scores, by, axis=1):
    e = np.exp(scores - by)
    return e / e.sum(axis=axis, keepdims=True)


def shifting_in_place(queries, keys, sigma):
    queries /= sigma
    keys /= sigma
    return softmax(queries @ keys.T)


def unit(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths == 0, 1, lengths)


def gaussian_by_the_sphere(queries, keys, sigma):
    return softmax(-squares(queries, keys) / (2 * sigma**2))


def gap(queries, keys, sigma):
    return gaussian(queries, keys, sigma) - weights(queries, keys, sigma)


def features(q, k, sigma, of_queries=None, of_keys=None, divide=None):
    """Features made by parts: the added columns, and what divides the keys."""
    ones = np.ones(len(q)) if of_queries is None else of_queries
    extra = term(k, sigma) if of_keys is None else of_keys
    return np.column_stack([q, ones]), np.column_stack([k / (sigma**2 if divide is None else divide), extra])


def centred(queries, keys):
    return queries - keys.mean(axis=0), keys - keys.mean(axis=0)


def one_mean(queries, keys, sigma, dtype=None):
    q, k = (x.astype(dtype or x.dtype) - keys.astype(dtype or keys.dtype).mean() for x in (queries, keys))
    return features(q, k, sigma)


def lost_axes(queries, keys, sigma, shift_keeps, sum_keeps):
    scores = queries @ keys.T / sigma**2
    e = np.exp(scores - scores.max(axis=1, keepdims=shift_keeps))
    return e / e.sum(axis=1, keepdims=sum_keeps)


def divided_to_nan(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def two_columns(queries, keys, sigma):
    q, k = augmented(queries, keys, sigma)
    return np.hstack([q, term(queries, sigma)[:, None]]), np.hstack([k, np.ones((len(k), 1))])


def stacked_flat(queries, keys, sigma):
    return np.hstack([queries, np.ones(len(queries))]), np.hstack([keys / sigma**2, term(keys, sigma)])


WRONG = {
    "squared_distances_on_sphere": {
        "stub": (lambda q, k: _stub("squared_distances_on_sphere"), "not written yet"),
        "half": (lambda q, k: 1 - q @ k.T, "half of it"),
        "one product": (lambda q, k: 2 - q @ k.T, "the 2 before the product"),
        "one length": (lambda q, k: 1 - 2 * q @ k.T, "one of the two lengths"),
        "no lengths": (lambda q, k: -2 * q @ k.T, "both lengths are missing"),
        "sign": (lambda q, k: 2 + 2 * q @ k.T, "sign of the product"),
        "root": (lambda q, k: np.sqrt(2 - 2 * np.clip(q @ k.T, -1, 1)), "the distance, not its square"),
        "products": (lambda q, k: q @ k.T, "the products themselves"),
        "turned": (lambda q, k: 2 - 2 * k @ q.T, "the wrong axis"),
        "loop": (squares_by_loop, "a loop in Python"),
        "elementwise": (lambda q, k: 2 - 2 * q * k, "raises ValueError"),
        "rows": (lambda q, k: 2 - 2 * np.sum(q * k, axis=1), "each query has met one key only"),
        "list": (lambda q, k: squares(q, k).tolist(), "a list where an array"),
        "nothing": (lambda q, k: None, "returns nothing"),
    },
    "split_exponent": {
        "no half": (lambda q, k, s: (2 * q @ k.T / s**2, -2 / s**2), "the ½ is lost"),
        "half, number": (lambda q, k, s: (q @ k.T / s**2, -2 / s**2), "the ½ has not reached the number"),
        "half, product": (lambda q, k, s: (2 * q @ k.T / s**2, -1 / s**2), "the ½ has not reached the product"),
        "lost 2": (lambda q, k, s: (q @ k.T / (2 * s**2), -1 / s**2), "the 2 of 2 q·k is lost"),
        "all half": (lambda q, k, s: (q @ k.T / (2 * s**2), -1 / (2 * s**2)), "everything is half as large"),
        "sigma": (lambda q, k, s: (q @ k.T / s, -1 / s), "σ where σ² belongs"),
        "sigma gone": (lambda q, k, s: (q @ k.T, -1), "σ² is missing"),
        "plus": (lambda q, k, s: (q @ k.T / s**2, 1 / s**2), "the sign of the number"),
        "minus": (lambda q, k, s: (-q @ k.T / s**2, 1 / s**2), "the minus of the exponent"),
        "zero": (lambda q, k, s: (q @ k.T / s**2, 0), "the number is 0"),
        "whole": (lambda q, k, s: (-squares(q, k) / (2 * s**2), -1 / s**2), "the table is the whole exponent"),
        "full": (lambda q, k, s: (q @ k.T / s**2, np.full((len(q), len(k)), -1 / s**2)), "the number is a table"),
        "swapped": (lambda q, k, s: (-1 / s**2, q @ k.T / s**2), "are swapped"),
        "one": (lambda q, k, s: q @ k.T / s**2, "an array where a tuple was asked"),
        "three": (lambda q, k, s: (q @ k.T / s**2, -1 / s**2, s), "3 things where 2 were asked"),
    },
    "dot_product_weights": {
        "queries": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).max(0), axis=0), "the softmax runs over the queries"),
        "no shift": (lambda q, k, s: shifted(q @ k.T / s**2, 0), "exp without a shift"),
        "one shift": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).max()), "one shift for the whole table"),
        "constant": (lambda q, k, s: shifted(q @ k.T / s**2, 1 / s**2), "one shift for the whole table"),
        "exponent": (lambda q, k, s: shifted(-squares(q, k) / (2 * s**2), 0), "one shift for the whole table"),
        "mean": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).mean(1, keepdims=True)), "each row's mean is subtracted"),
        "smallest": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).min(1, keepdims=True)), "or its smallest score"),
        "size": (lambda q, k, s: shifted(q @ k.T / s**2, np.abs(q @ k.T / s**2).max(1, keepdims=True)), "each row's largest |score|"),
        "size of all": (lambda q, k, s: shifted(q @ k.T / s**2, np.abs(q @ k.T / s**2).max()), "one shift for the whole table"),
        "lost sum": (lambda q, k, s: lost_axes(q, k, s, True, False), "the sum has lost its axis"),
        "lost maximum": (lambda q, k, s: lost_axes(q, k, s, False, True), "the maximum has lost its axis"),
        "lost both": (lambda q, k, s: lost_axes(q, k, s, False, False), "maximum and sum have lost"),
        "rows": (lambda q, k, s: np.exp(np.sum(q * k, axis=1) / s**2), "raises ValueError"),
        "column shift": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).max(0)), "the shift is taken over the queries"),
        "sigma": (lambda q, k, s: softmax(q @ k.T / s), "σ where σ² belongs"),
        "no sigma": (lambda q, k, s: softmax(q @ k.T), "σ² is missing"),
        "times": (lambda q, k, s: softmax(q @ k.T * s**2), "multiplied by σ²"),
        "half": (lambda q, k, s: softmax(q @ k.T / (2 * s**2)), "the ½ is still there"),
        "double": (lambda q, k, s: softmax(2 * q @ k.T / s**2), "twice as large"),
        "minus": (lambda q, k, s: softmax(-q @ k.T / s**2), "a minus too many"),
        "root d too": (lambda q, k, s: softmax(q @ k.T / s**2 / np.sqrt(q.shape[1])), "the scores are divided by √d"),
        "root d": (lambda q, k, s: softmax(q @ k.T / np.sqrt(q.shape[1])), "√d instead of σ²"),
        "gaussian": (gaussian, "these are the Gaussian's weights"),
        "normalised": (lambda q, k, s: weights(unit(q), unit(k), s), "you normalised the points"),
        "normalised, NaN": (lambda q, k, s: weights(divided_to_nan(q), divided_to_nan(k), s), "you normalised the points"),
        "undivided": (lambda q, k, s: np.exp(q @ k.T / s**2 - (q @ k.T / s**2).max(1, keepdims=True)), "nothing is divided"),
        "table": (lambda q, k, s: shifted(q @ k.T / s**2, (q @ k.T / s**2).max(), axis=None), "the whole table sums to one"),
        "no exp": (lambda q, k, s: q @ k.T / (q @ k.T).sum(1, keepdims=True), "shares of the scores"),
        "scores": (lambda q, k, s: q @ k.T / s**2, "the scores, not the weights"),
        "in place": (shifting_in_place, "changes its inputs (queries, keys)"),
        "package": (lambda q, k, s: nwlab.masked_softmax(q @ k.T / s**2), "calls nwlab's own masked_softmax"),
        "keepdims": (lambda q, k, s: weights(q, k, s)[:, :, None], "an axis of length 1 too many"),
        "turned": (lambda q, k, s: weights(q, k, s).T, "the wrong axis"),
    },
    "sigma_of": {
        "variance": (lambda d, length: d**0.5 / length**2, "this is σ², not σ"),
        "root d": (lambda d, length: d**0.5 / length, "√d for σ"),
        "root d alone": (lambda d, length: np.sqrt(d), "√d, and no length"),
        "no length": (lambda d, length: d**0.25, "the length has no effect"),
        "times length": (lambda d, length: d**0.25 * length, "the length is on the wrong side"),
        "length squared": (lambda d, length: d**0.25 / length**2, "squared once too often"),
        "length unsquared": (lambda d, length: (d**0.5 / length) ** 0.5, "missing a square"),
        "inverse": (lambda d, length: length / d**0.25, "upside down"),
        "d": (lambda d, length: d / length, "d where √d belongs"),
        "constant": (lambda d, length: 2.0, "the same answer to every problem"),
        "negative": (lambda d, length: -(d**0.25) / length, "the sign is flipped"),
    },
    "largest_difference": {
        "sphere": (lambda q, k, s: np.abs(gaussian_by_the_sphere(q, k, s) - weights(q, k, s)).max(), "it is always 0"),
        "mean": (lambda q, k, s: np.abs(gap(q, k, s)).mean(), "the mean, not the largest"),
        "sum": (lambda q, k, s: np.abs(gap(q, k, s)).sum(), "the sum of all"),
        "signed": (lambda q, k, s: gap(q, k, s).max(), "missing: Gaussian − products"),
        "signed, other": (lambda q, k, s: (-gap(q, k, s)).max(), "missing: products − Gaussian"),
        "squared": (lambda q, k, s: (gap(q, k, s) ** 2).max(), "the square of the difference"),
        "normalised": (lambda q, k, s: np.abs(gaussian(q, k, s) - weights(unit(q), unit(k), s)).max(),
                       "normalised for the products"),
        "both normalised": (lambda q, k, s: np.abs(gap(unit(q), unit(k), s)).max(), "it is always 0"),
        "scores": (lambda q, k, s: np.abs(-((q[:, None] - k) ** 2).sum(2) / (2 * s**2) - q @ k.T / s**2).max(),
                   "scores were compared"),
        "rows": (lambda q, k, s: np.abs(gap(q, k, s)).max(axis=1), "the largest of each row"),
        "columns": (lambda q, k, s: np.abs(gap(q, k, s)).max(axis=0), "the largest of each column"),
        "table": (lambda q, k, s: np.abs(gap(q, k, s)), "the whole table, not the largest"),
        "zero": (lambda q, k, s: 0, "it is always 0"),
        "package": (lambda q, k, s: np.abs(gaussian(q, k, s) - nwlab.masked_softmax(q @ k.T / s**2)).max(), "masked_softmax"),
        "other stub": (lambda q, k, s: _stub("dot_product_weights"), "it calls dot_product_weights, which is not written"),
    },
    "missing_term": {
        "plus": (lambda k, s: -term(k, s), "the minus is missing"),
        "half": (lambda k, s: 2 * term(k, s), "the ½ is missing"),
        "sigma": (lambda k, s: term(k, s) * s, "σ where σ² belongs"),
        "no sigma": (lambda k, s: -0.5 * (k**2).sum(1), "σ² is missing"),
        "length": (lambda k, s: -np.linalg.norm(k, axis=1) / (2 * s**2), "the length where its square"),
        "sum squared": (lambda k, s: -(k.sum(1) ** 2) / (2 * s**2), "the sum is squared"),
        "axis": (lambda k, s: -(k**2).sum(0) / (2 * s**2), "the wrong axis"),
        "pairs": (lambda k, s: -k @ k.T / (2 * s**2), "a table of all pairs of keys"),
        "pairs, no half": (lambda k, s: -k @ k.T / s**2, "a shape that broadcasts by accident"),
        "mean": (lambda k, s: -(k**2).mean(1) / (2 * s**2), "the mean of the squares"),
        "one off": (lambda k, s: (1 - (k**2).sum(1)) / (2 * s**2), "0 on the sphere"),
        "keepdims": (lambda k, s: -(k**2).sum(1, keepdims=True) / (2 * s**2), "an axis of length 1 too many"),
        "all": (lambda k, s: -(k**2).sum() / (2 * s**2), "one number where an array"),
        "not summed": (lambda k, s: -(k**2) / (2 * s**2), "a shape that broadcasts by accident"),
    },
    "augmented": {
        "stub": (lambda q, k, s: _stub("augmented"), "not written yet"),
        "not centred": (features, "the keys are not centred"),
        "not centred, in its dtype": (lambda q, k, s: tuple(x.astype(k.dtype) for x in features(q, k, s)), "not centred"),
        "one mean": (one_mean, "one mean for all features"),
        "one mean, float64": (lambda q, k, s: one_mean(q, k, s, float), "one mean for all features"),
        "one mean, float32": (lambda q, k, s: tuple(x.astype(k.dtype) for x in one_mean(q, k, s)), "one mean for all features"),
        "one mean, no half": (lambda q, k, s: features(q - k.mean(), k - k.mean(), s, of_keys=2 * term(k - k.mean(), s)),
                              "the ½ of the keys' term"),
        "zeros": (lambda q, k, s: features(q, k, s, of_queries=np.zeros(len(q))), "still missing"),
        "term of the queries": (lambda q, k, s: features(*centred(q, k), s, of_queries=term(centred(q, k)[0], s),
                                                         of_keys=np.ones(len(k))), "swapped sides"),
        "raw term of the queries": (lambda q, k, s: features(q, k, s, of_queries=term(q, s), of_keys=np.ones(len(k))), "swapped sides"),
        "σ, product": (lambda q, k, s: features(q / s, k, s, of_keys=term(k, s)), "the product is divided by σ once too often"),
        "σ, term": (lambda q, k, s: features(*centred(q, k), s, of_keys=term(centred(q, k)[1], s) / s), "term is divided by σ once"),
        "σ, both": (lambda q, k, s: tuple(x / y for x, y in zip(augmented(q, k, s), (1, s))), "and the keys' term are divided by σ once"),
        "of scaled keys": (lambda q, k, s: features(q / s, k / s, s, divide=1), "the keys' term is divided by σ² twice"),
        "of divided keys": (lambda q, k, s: features(q, k / s**2, s, divide=1), "keys that were divided by σ² before"),
        "one sum": (lambda q, k, s: features(q, k, s, of_keys=np.full(len(k), -(k**2).sum() / (2 * s**2))), "still missing"),
        "plus": (lambda q, k, s: features(*centred(q, k), s, of_keys=-term(centred(q, k)[1], s)), "the wrong sign"),
        "half": (lambda q, k, s: features(q, k, s, of_keys=2 * term(k, s)), "the ½ of the keys' term"),
        "both halves": (lambda q, k, s: features(*centred(q, k), s, divide=s**2 / 2, of_keys=2 * term(centred(q, k)[1], s)),
                        "every score is twice"),
        "sigma": (lambda q, k, s: features(q, k, s, divide=s, of_keys=s * term(k, s)), "in both terms"),
        "sigma, product": (lambda q, k, s: features(*centred(q, k), s, divide=s), "σ where σ² belongs, in the product"),
        "sigma, term": (lambda q, k, s: features(q, k, s, of_keys=s * term(k, s)), "σ where σ² belongs, in the keys' term"),
        "undivided": (lambda q, k, s: features(*centred(q, k), s, divide=1), "division by σ² is missing in the product"),
        "term undivided": (lambda q, k, s: features(q, k, s, of_keys=-0.5 * (k**2).sum(1)), "missing in the keys' term"),
        "no sigma": (lambda q, k, s: features(q, k, 1.0), "σ is nowhere"),
        "twice": (lambda q, k, s: features(q / s**2, k, s), "the product is divided by σ² twice"),
        "all twice": (lambda q, k, s: features(*centred(q, k), s, divide=s**4, of_keys=term(centred(q, k)[1], s) / s**2),
                      "the keys' term are divided by σ² twice"),
        "length": (lambda q, k, s: features(q, k, s, of_keys=-np.linalg.norm(k, axis=1) / (2 * s**2)), "the length where its"),
        "normalised": (lambda q, k, s: features(unit(q), unit(k), s), "the vectors were normalised"),
        "for √d": (lambda q, k, s: tuple(x * q.shape[1]**0.25 for x in augmented(q, k, s)), "multiplied by √d"),
        "by √d": (lambda q, k, s: tuple(x / q.shape[1]**0.25 for x in augmented(q, k, s)), "divided by √d"),
        "apart": (lambda q, k, s: features(q - q.mean(0), k - k.mean(0), s), "shifted by different points"),
        "keys only": (lambda q, k, s: features(q, k - k.mean(0), s), "only the keys were centred"),
        "raw term": (lambda q, k, s: features(*centred(q, k), s, of_keys=term(k, s)), "the term stands with the raw keys"),
        "swapped": (lambda q, k, s: augmented(q, k, s)[::-1], "queries and keys are swapped"),
        "unchanged": (lambda q, k, s: (q, k / s**2), "no feature was added"),
        "two": (two_columns, "two features were added"),
        "flat": (stacked_flat, "raises ValueError"),
        "weights": (gaussian, "two arrays are asked for"),
        "infinite": (lambda q, k, s: features(q, k, s, of_keys=np.full(len(k), np.inf)), "NaN or infinity"),
        "package": (lambda q, k, s: _package(q, k, s), "calls nwlab's own augmented"),
    },
}


def _stub(name):
    raise NotImplementedError(f"write {name}")


def _package(queries, keys, sigma):
    from nwlab.attention import augmented as theirs

    return theirs(torch.tensor(queries), torch.tensor(keys), sigma)
