"""Right and wrong answers to `workbook.exercises.unit_sphere`; test_answers.py says how they are written."""
import math

import numpy as np
import torch
from exercises.model_answers import unit_sphere as model


def weights_by_loop(queries, keys, sigma):
    rows = []
    for q in queries:
        scores = [float(q @ k) / sigma**2 for k in keys]
        e = [math.exp(s - max(scores)) for s in scores]
        rows.append([x / sum(e) for x in e])
    return np.array(rows)


def gaussian_by_hand(queries, keys, sigma):
    kernel = np.exp(-((queries[:, None] - keys) ** 2).sum(axis=2) / (2 * sigma**2))
    return kernel / kernel.sum(axis=1, keepdims=True)


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
        "any length": (model.squared_distances_on_sphere, "2 - 2 *",
                       "(queries**2).sum(1)[:, None] + (keys**2).sum(1) - 2 *"),
        "torch": lambda queries, keys: 2 - 2 * torch.tensor(queries) @ torch.tensor(keys).T},
    "split_exponent": {
        "squares": (model.split_exponent, "queries @ keys.T", "(1 - squared_distances_on_sphere(queries, keys) / 2)"),
        "torch, a list": lambda *at: [torch.tensor(part, dtype=torch.float64) for part in model.split_exponent(*at)]},
    "dot_product_weights": {
        "loop": weights_by_loop,
        "2 − 2 q·k": (model.dot_product_weights, "queries @ keys.T / sigma**2",
                      "-(2 - 2 * queries @ keys.T) / (2 * sigma**2)")},
    "sigma_of": {
        "logarithm": lambda d, length: np.array([np.exp(np.log(d) / 4 - np.log(length))])},
    "largest_difference": {
        "measured": lambda *at: float(np.max(np.abs(gaussian_by_hand(*at) - weights_by_loop(*at)))),
        "torch": lambda *points: torch.tensor(model.gaussian_weights(*points) - model.dot_product_weights(*points)).abs(
            ).max()},
    "missing_term": {
        "torch": lambda keys, sigma: -torch.tensor(keys).pow(2).sum(1) / (2 * sigma**2)},
    "augmented": {"in front": augmented_in_front, "loop, σ with the queries": augmented_by_loop,
                  "torch, a list": lambda *at: [torch.tensor(x) for x in model.augmented(*at)],
                  "its dtype": lambda q, k, sigma: tuple(
                      x.astype(np.result_type(k, np.float32)) for x in model.augmented(q, k, sigma))},
}

WRONG = {
    "augmented": {
        "unchanged": (lambda q, k, s: (q, k / s**2), "no feature was added"),
        "flat": (lambda q, k, s: (q.ravel(), k.ravel()), "the shapes are (4,) and (6,)"),
        "weights": (lambda *at: model.dot_product_weights(*at), "two arrays are asked for"),
    },
}

FEATURES = model.augmented
FAR, ONE_MEAN = (FEATURES, "keys.mean(axis=0)", "0"), (FEATURES, "keys.mean(axis=0)", "keys.mean()")
TERM = "missing_term(centred_keys, sigma)"

ALTERED = {
    "dot_product_weights": [(model.dot_product_weights, "sigma**2", "max(sigma, 1e-6)**2",
                             "“a very narrow kernel” does not")],
    "augmented": [
        (*FAR, "digits are lost far from the origin"), (*ONE_MEAN, "digits are lost far from the origin"),
        (FEATURES, "queries - middle", "queries - queries.mean(axis=0)", "not yet the Gaussian's"),
        (*FAR, TERM, "-np.linalg.norm(keys, axis=1)", "not yet the Gaussian's"),
        (FEATURES, TERM, "np.full(len(keys), np.inf)", "NaN or infinity")],
}
