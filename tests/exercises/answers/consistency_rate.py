"""Right and wrong answers to `nwlab.exercises.consistency_rate`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab

# --- right


def law(h, n, d, a, b):
    return a * h**4 + b / (n * h**d)


def law_by_loop(h, n, d, a, b):
    if np.ndim(h) == 0:
        return a * h**4 + b / n / h**d
    errors = np.zeros(len(h))
    for i, width in enumerate(h):
        errors[i] = law_by_loop(float(width), n, d, a, b)
    return errors


def law_by_parts(h, n, d, a, b):
    bias, keys_in_window = np.sqrt(a) * np.square(h), n * np.power(h, float(d))
    return bias**2 + b / keys_in_window


def width(n, d, a, b):
    return (b * d / (4 * a * n)) ** (1 / (d + 4))


def width_by_logs(n, d, a, b):
    return np.exp((np.log(b * d) - np.log(4 * a * n)) / (d + 4))


def width_by_loop(n, d, a, b):
    def one(size):
        h = 1.0
        for _ in range(100):                        # Newton's method on the derivative, times h to the power d + 1
            h -= (4 * a * h ** (d + 4) - d * b / size) / (4 * a * (d + 4) * h ** (d + 3))
        return h

    return np.array([one(float(size)) for size in n]) if np.ndim(n) else one(n)


def rates_from_width(d):
    power = math.log(width(100.0, d, 1, 1) / width(1.0, d, 1, 1)) / math.log(100)
    return power, 4 * power


def rates_from_law(d):
    power = -1 / (4 + d)
    return power, -1 - d * power


def slope(ns, errors):
    return np.polyfit(np.log(ns), np.log(errors), 1)[0]


def slope_by_lstsq(ns, errors):
    table = np.stack([np.log10(ns), np.ones(len(ns))], axis=1)
    return np.linalg.lstsq(table, np.log10(errors), rcond=None)[0][0]


def slope_by_cov(ns, errors):
    table = np.cov(np.log(ns), np.log(errors))
    return table[0, 1] / table[0, 0]


def answers_of(queries, keys, values, h, scale=-0.5):
    squares = ((queries[:, None, :] - keys[None, :, :])**2).sum(axis=2)
    weights = np.exp(scale * squares / h**2)
    return weights @ values / weights.sum(axis=1)


def inside_of(queries, margin):
    return ((queries >= margin) & (queries <= 5 - margin)).all(axis=1)


def simulated(queries, truth, keys, values, h, margin):
    return np.mean((answers_of(queries, keys, values, h) - truth)[inside_of(queries, margin)]**2)


def simulated_inside_first(queries, truth, keys, values, h, margin):
    inside = (queries.min(axis=1) >= margin) & (queries.max(axis=1) <= 5 - margin)
    queries, truth = queries[inside], truth[inside]
    scores = -0.5 * (np.linalg.norm(queries[:, None] - keys, axis=-1) / h)**2
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.square(weights @ values - truth).sum() / inside.sum()


def simulated_by_loop(queries, truth, keys, values, h, margin):
    total = count = 0
    for query, right in zip(queries, truth):
        if np.all(np.abs(query - 2.5) <= 2.5 - margin):
            above = below = 0.0
            for key, value in zip(keys, values):
                weight = math.exp(-0.5 * float(np.sum((query - key)**2)) / h**2)
                above, below = above + weight * value, below + weight
            total, count = total + (above / below - right)**2, count + 1
    return total / count


def exponent(alpha, d):
    return min(0, max(-4 * alpha, alpha * d - 1))


def exponent_by_cases(alpha, d):
    if alpha * d >= 1:
        return 0.0
    return -4 * alpha if alpha <= 1 / (d + 4) else -(1 - alpha * d)


def exponent_in_numpy(alpha, d):
    return -np.clip(np.minimum(4 * alpha, 1 - alpha * d), 0, None)


def needed(ratio, d):
    return ratio**(-(d + 4) / 4)


def needed_by_logs(ratio, d):
    return np.exp(np.log(ratio) / (-4 / (d + 4)))


def needed_by_search(ratio, d):
    low, high = 1e-9, 1e9
    for _ in range(300):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if middle**(-4 / (d + 4)) > ratio else (low, middle)
    return middle


RIGHT = {
    "mean_squared_error": {"formula": law, "loop": law_by_loop, "parts": law_by_parts},
    "best_width": {"formula": width, "logarithms": width_by_logs, "loop": width_by_loop},
    "rates": {"a list": lambda d: [-(d + 4)**-1, -4 * (d + 4)**-1], "width": rates_from_width, "law": rates_from_law},
    "slope": {"polyfit": slope, "lstsq": slope_by_lstsq, "cov": slope_by_cov},
    "simulated_error": {"mask last": simulated, "mask first": simulated_inside_first, "loop": simulated_by_loop},
    "error_exponent": {"min and max": exponent, "cases": exponent_by_cases, "numpy": exponent_in_numpy},
    "keys_needed": {"power": needed, "logarithms": needed_by_logs, "search": needed_by_search},
}

# --- wrong: beside the declared mistakes, which a common test hands in


def changes_values(queries, truth, keys, values, h, margin):
    right = simulated(queries, truth, keys, values, h, margin)
    values -= values.mean()
    return right


def only_h(h, n, d, a, b):
    h *= h
    return a * h**2 + b / (n * h**(d / 2))


def with_mask(mask):
    return lambda queries, truth, keys, values, h, margin: np.mean(
        (answers_of(queries, keys, values, h) - truth)[mask(queries, margin)]**2)


def with_error(error):
    return lambda queries, truth, keys, values, h, margin: error(
        (answers_of(queries, keys, values, h) - truth)[inside_of(queries, margin)])


def rows_not_kept(queries, truth, keys, values, h, margin):
    weights = np.exp(-0.5 * ((queries[:, None] - keys)**2).sum(axis=2) / h**2)
    return np.mean(((weights / weights.sum(axis=1)) @ values - truth)[inside_of(queries, margin)]**2)


def divided_by_all(queries, truth, keys, values, h, margin):
    gaps = np.where(inside_of(queries, margin), answers_of(queries, keys, values, h) - truth, 0)
    return np.mean(gaps**2)


WRONG = {
    "mean_squared_error": {
        "n twice": (lambda h, n, d, a, b: a * h**4 + b / (n**2 * h**d), "of 8 problems hold"),
        "line only": (lambda h, n, d, a, b: law(h, n, d, a, b) if d == 1 else np.full(np.shape(h), 0.5), "hold"),
        "in place": (only_h, "changes its inputs (h)"),
        "mean": (lambda h, n, d, a, b: np.mean(law(h, n, d, a, b)), "one number where an array was asked"),
    },
    "best_width": {
        "upside down": (lambda n, d, a, b: width(n, d, a, b)**-1, "the sign of the power is lost"),
        "2 for 4": (lambda n, d, a, b: (d * b / (2 * a * n))**(1 / (d + 4)), "a factor is wrong that changes"),
        "torch": (lambda n, d, a, b: torch.as_tensor(width(n, d, a, b)), "torch where NumPy"),
    },
    "rates": {
        "signs": (lambda d: (1 / (d + 4), 4 / (d + 4)), "the numbers differ"),
        "one": (lambda d: -1 / (d + 4), "a number where a tuple"),
        "three": (lambda d: (-1 / (d + 4), -4 / (d + 4), d), "3 things where 2"),
    },
    "slope": {
        "two logs": (lambda ns, errors: np.polyfit(np.log(ns), np.log10(errors), 1)[0], "0.4343 times the right one"),
        "height in log10": (lambda ns, errors: np.polyfit(np.log10(ns), np.log10(errors), 1)[1], "the numbers differ"),
        "both, base 10": (lambda ns, errors: np.polyfit(np.log10(ns), np.log10(errors), 1), "an array where one"),
        "ddof": (lambda ns, errors: slope(ns, errors) * len(ns) / (len(ns) - 1), "np.cov divides by n − 1"),
        "sign": (lambda ns, errors: -slope(ns, errors), "the sign is flipped"),
        "hard-coded": (lambda ns, errors: -0.8, "the same answer to every problem"),
    },
    "simulated_error": {
        "strict below": (with_mask(lambda queries, margin: ((queries > margin) & (queries <= 5 - margin)).all(axis=1)),
                         "8 of 9 problems hold"),
        "strict": (with_mask(lambda queries, margin: (np.abs(queries - 2.5) < 2.5 - margin).all(axis=1)), "8 of 9"),
        "outside": (with_mask(lambda queries, margin: ~inside_of(queries, margin)), "NaN where a number was asked"),
        "margin - 5": (with_mask(lambda queries, margin: ((queries >= margin) & (queries <= margin - 5)).all(axis=1)),
                       "your mask keeps no query"),
        "all m": (divided_by_all, "divided by all queries"),
        "mean squared": (with_error(lambda gap: gap.mean()**2), "the mean is squared"),
        "per query": (with_error(np.square), "an array where one number was asked"),
        "rows": (rows_not_kept, "raises ValueError"),
        "nwlab": (lambda q, truth, k, v, h, margin: nwlab.nadaraya_watson(q, k, v, bandwidth=h), "own nadaraya_"),
        "in place": (changes_values, "changes its inputs (values)"),
    },
    "error_exponent": {
        "product": (lambda alpha, d: np.log10(10**(-4 * alpha) * 10**(alpha * d - 1)), "the two powers are added"),
        "max 0": (lambda alpha, d: max(0, -4 * alpha, alpha * d - 1), "of 9 problems hold"),
        "sign": (lambda alpha, d: -exponent(alpha, d), "the sign is flipped"),
    },
    "keys_needed": {
        "log": (lambda ratio, d: np.log(ratio) / (-4 / (d + 4)), "the logarithm of the factor"),
        "half only": (lambda ratio, d: 2**((d + 4) / 4), "the ratio is left out"),
        "rounded": (lambda ratio, d: round(needed(ratio, d)), "of 7 problems hold"),
    },
}
