"""Right and wrong answers to `nwlab.exercises.consistency_rate`; test_answers.py says how they are written."""
import math

import numpy as np
from exercises.model_answers import consistency_rate as model

import nwlab


def law_by_loop(h, n, d, a, b):
    return np.array([law_by_loop(width, n, d, a, b) for width in h]) if np.ndim(h) else a * h**4 + b / n / h**d


def width_by_loop(n, d, a, b):
    def one(size):
        h = 1.0
        for _ in range(100):                        # Newton's method on the derivative, times h to the power d + 1
            h -= (4 * a * h ** (d + 4) - d * b / size) / (4 * a * (d + 4) * h ** (d + 3))
        return h

    return np.array([one(float(size)) for size in n]) if np.ndim(n) else one(n)


def simulated_inside_first(queries, truth, keys, values, h, margin):
    inside = (queries.min(axis=1) >= margin) & (queries.max(axis=1) <= 5 - margin)
    scores = -0.5 * (np.linalg.norm(queries[inside][:, None] - keys, axis=-1) / h)**2
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.square(weights @ values / weights.sum(axis=1) - truth[inside]).sum() / inside.sum()


def simulated_by_loop(queries, truth, keys, values, h, margin):
    errors = []
    for query, right in zip(queries, truth):
        if np.all(np.abs(query - 2.5) <= 2.5 - margin):
            weights = [math.exp(-0.5 * float(np.sum((query - key)**2)) / h**2) for key in keys]
            errors.append((sum(w * v for w, v in zip(weights, values)) / sum(weights) - right)**2)
    return sum(errors) / len(errors)


def needed_by_search(ratio, d):
    low, high = 1e-9, 1e9
    for _ in range(300):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if middle**(-4 / (d + 4)) > ratio else (low, middle)
    return middle


RIGHT = {
    "mean_squared_error": {"loop": law_by_loop, "parts": lambda h, n, d, a, b: (
        np.sqrt(a) * np.square(h))**2 + b / (n * np.power(h, float(d)))},
    "best_width": {"loop": width_by_loop,
                   "logarithms": lambda n, d, a, b: np.exp((np.log(b * d) - np.log(4 * a * n)) / (d + 4))},
    "rates": {"a list": lambda d: [-(d + 4)**-1, -4 * (d + 4)**-1], "law": lambda d: (-1 / (4 + d), d / (4 + d) - 1),
              "width": lambda d: tuple(k * math.log10(model.best_width(10.0, d, 1, 1) / model.best_width(1.0, d, 1, 1))
                                       for k in (1, 4))},
    "slope": {"lstsq": lambda ns, errors: np.linalg.lstsq(
        np.stack([np.log10(ns), np.ones(len(ns))], axis=1), np.log10(errors), rcond=None)[0][0],
              "cov": lambda ns, errors: np.cov(np.log(ns), np.log(errors))[0, 1] / np.var(np.log(ns), ddof=1)},
    "simulated_error": {"mask first": simulated_inside_first, "loop": simulated_by_loop},
    "error_exponent": {"cases": lambda alpha, d: (
        0.0 if alpha * d >= 1 else -4 * alpha if alpha <= 1 / (d + 4) else alpha * d - 1),
                       "numpy": lambda alpha, d: -np.clip(np.minimum(4 * alpha, 1 - alpha * d), 0, None)},
    "keys_needed": {"search": needed_by_search,
                    "logarithms": lambda ratio, d: np.exp(np.log(ratio) / (-4 / (d + 4)))},
}


def only_h(h, n, d, a, b):
    h *= h
    return a * h**2 + b / (n * h**(d / 2))


WRONG = {
    "mean_squared_error": {
        "n twice": (lambda h, n, d, a, b: a * h**4 + b / (n**2 * h**d), " problems hold, “"),
        "line only": (lambda h, n, d, a, b: law_by_loop(h, n, 1, a, b) if d == 1 else 0.5 + 0 * h, "problems hold"),
        "in place": (only_h, "changes its inputs (h)"),
        "mean": (lambda h, n, d, a, b: np.mean(law_by_loop(h, n, d, a, b)), "one number where an array was expected"),
    },
    "best_width": {"2 for 4": (lambda n, d, a, b: (d * b / (2 * a * n))**(1 / (d + 4)), "2 comes down, where 4 does")},
    "rates": {
        "signs": (lambda d: (1 / (d + 4), 4 / (d + 4)), "both signs are lost"),
        "one": (lambda d: -1 / (d + 4), "a number where a tuple"),
        "three": (lambda d: (-1 / (d + 4), -4 / (d + 4), d), "3 things where 2"),
    },
    "slope": {
        "ddof": (lambda ns, errors: model.slope(ns, errors) * len(ns) / (len(ns) - 1), "np.cov divides by n − 1"),
        "hard-coded": (lambda ns, errors: -0.8, "the same answer to every problem"),
    },
    "simulated_error": {
        "nwlab": (lambda q, truth, k, v, h, margin: nwlab.nadaraya_watson(q, k, v, bandwidth=h), "own nadaraya_"),
    },
    "error_exponent": {"max 0": (lambda alpha, d: max(0, -4 * alpha, alpha * d - 1), "an error that never shrinks")},
    "keys_needed": {"rounded": (lambda ratio, d: round(model.keys_needed(ratio, d)),
                                " problems hold, “")},
}

SIMULATED = model.simulated_error

ALTERED = {
    "slope": [(model.slope, "log(errors)", "log10(errors)", "0.4343 times the right one"),
              (model.slope, "np.log(", "np.log10(", "[0]", "[1]", "the numbers differ"),
              (model.slope, "np.log(", "np.log10(", "[0]", "", "polyfit returns two numbers, of log10 as well")],
    "simulated_error": [
        (SIMULATED, ">=", ">", "<=", "<", "problems hold, “on the edge” does not"),
        (SIMULATED, "[inside]", "[~inside]", "the queries outside are kept"),
        (SIMULATED, "5 - margin", "margin - 5", "your mask keeps no query"),
        (SIMULATED, "np.mean(", "(", "an array where one number was expected"),
        (SIMULATED, "weights @ values / weights.sum(axis=1)", "weights / weights.sum(axis=1) @ values", "ValueError"),
        (SIMULATED, "squares =", "values -= 1; squares =", "changes its inputs (values)")],
}
