"""Right answers to `workbook.exercises.consistency_rate`; test_answers.py says how they are written."""
import math

import numpy as np
from exercises.model_answers import consistency_rate as model


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
    "simulated_error": {"mask first": simulated_inside_first},
    "error_exponent": {"cases": lambda alpha, d: (
        0.0 if alpha * d >= 1 else -4 * alpha if alpha <= 1 / (d + 4) else alpha * d - 1),
                       "numpy": lambda alpha, d: -np.clip(np.minimum(4 * alpha, 1 - alpha * d), 0, None)},
    "keys_needed": {"logarithms": lambda ratio, d: np.exp(np.log(ratio) / (-4 / (d + 4)))},
}

def fitted(ns, errors):
    """SciPy's fit on the logarithms stops a little earlier than the least-squares line."""
    from scipy.optimize import curve_fit
    return curve_fit(lambda x, slope, height: slope * x + height, np.log(ns), np.log(errors))[0][0]


RIGHT["slope"]["curve_fit"] = fitted
WRONG = {
    "slope": {"one error a size": (lambda ns, errors: model.slope(*map(np.array, zip(*dict(zip(ns, errors)).items()))),
                                   "“a size that comes three times” does not")},
    "error_exponent": {"the rates change at 1/(d + 2)": (lambda alpha, d: (
        -4 * alpha if alpha <= 1 / (d + 2) else min(0.0, alpha * d - 1)), "does not")},
    "best_width": {"1/5": (lambda n, d, a, b: (d * b / (4 * a * n)) ** 0.2, "the power 1/5 is that of a line"),
                   "the line's": (lambda n, d, a, b: (b / (4 * a * n)) ** 0.2, "the power 1/5 is that of a line"),
                   "no d": (lambda n, d, a, b: (b / (4 * a * n)) ** (1 / (d + 4)), "the d before b is missing")}}
