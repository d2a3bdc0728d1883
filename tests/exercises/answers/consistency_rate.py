"""Right and wrong answers to `nwlab.exercises.consistency_rate`. WRONG: the answer, and words its message contains."""
import math

import numpy as np
import torch

import nwlab


def _stub(name):
    raise NotImplementedError(f"write {name}")


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


def law_in_float32(h, n, d, a, b):
    return law(np.float32(h), n, d, np.float32(a), np.float32(b))


def width(n, d, a, b):
    return (b * d / (4 * a * n)) ** (1 / (d + 4))


def width_by_logs(n, d, a, b):
    return np.exp((np.log(b * d) - np.log(4 * a * n)) / (d + 4))


def width_by_loop(n, d, a, b):
    def one(size):
        h = 1.0
        for _ in range(100):                                # Newton's method on the derivative, times h to the power d + 1
            h -= (4 * a * h ** (d + 4) - d * b / size) / (4 * a * (d + 4) * h ** (d + 3))
        return h

    return np.array([one(float(size)) for size in n]) if np.ndim(n) else one(n)


def width_in_float32(n, d, a, b):
    return width(np.float32(n), d, np.float32(a), np.float32(b))


def rates_from_width(d):
    power = math.log(width(100.0, d, 1, 1) / width(1.0, d, 1, 1)) / math.log(100)
    return power, 4 * power


def rates_from_law(d):
    power = -1 / (4 + d)
    return power, -1 - d * power


def slope(ns, errors):
    return np.polyfit(np.log(ns), np.log(errors), 1)[0]


def slope_base_two(ns, errors):
    x, y = np.log2(ns), np.log2(errors)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean())**2)


def slope_by_lstsq(ns, errors):
    table = np.stack([np.log10(ns), np.ones(len(ns))], axis=1)
    return np.linalg.lstsq(table, np.log10(errors), rcond=None)[0][0]


def slope_by_loop(ns, errors):
    x, y = [math.log(n) for n in ns], [math.log(e) for e in errors]
    sx, sy, sxx, sxy, k = sum(x), sum(y), 0.0, 0.0, len(x)
    for p, q in zip(x, y):
        sxx, sxy = sxx + p * p, sxy + p * q
    return (k * sxy - sx * sy) / (k * sxx - sx * sx)


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


def simulated_in_float32(queries, truth, keys, values, h, margin):
    return simulated(*(x.astype(np.float32) for x in (queries, truth, keys, values)), np.float32(h), margin)


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
    "mean_squared_error": {"formula": law, "loop": law_by_loop, "parts": law_by_parts, "float32": law_in_float32},
    "best_width": {"formula": width, "logarithms": width_by_logs, "loop": width_by_loop, "float32": width_in_float32},
    "rates": {"formula": lambda d: (-1 / (d + 4), -4 / (d + 4)), "width": rates_from_width, "law": rates_from_law,
              "list": lambda d: [-(d + 4)**-1, -4 * (d + 4)**-1]},
    "slope": {"polyfit": slope, "base 2": slope_base_two, "lstsq": slope_by_lstsq, "loop": slope_by_loop, "cov": slope_by_cov},
    "simulated_error": {"mask last": simulated, "mask first": simulated_inside_first, "loop": simulated_by_loop,
                        "float32": simulated_in_float32},
    "error_exponent": {"min and max": exponent, "cases": exponent_by_cases, "numpy": exponent_in_numpy},
    "keys_needed": {"power": needed, "logarithms": needed_by_logs, "search": needed_by_search},
}

# --- wrong


def changes_values(queries, truth, keys, values, h, margin):
    right = simulated(queries, truth, keys, values, h, margin)
    values -= values.mean()
    return right


def per_query(queries, truth, keys, values, h, margin):
    return (answers_of(queries, keys, values, h) - truth)[inside_of(queries, margin)]**2


def rows_not_kept(queries, truth, keys, values, h, margin):
    weights = np.exp(-0.5 * ((queries[:, None] - keys)**2).sum(axis=2) / h**2)
    return np.mean(((weights / weights.sum(axis=1)) @ values - truth)[inside_of(queries, margin)]**2)


def only_h(h, n, d, a, b):
    h *= 1.0
    h **= 2
    return a * h**2 + b / (n * h**(d / 2))


def with_mask(mask):
    return lambda queries, truth, keys, values, h, margin: np.mean(
        (answers_of(queries, keys, values, h) - truth)[mask(queries, margin)]**2)


def with_error(error):
    return lambda queries, truth, keys, values, h, margin: error(
        (answers_of(queries, keys, values, h) - truth)[inside_of(queries, margin)])


def with_scale(scale):
    return lambda queries, truth, keys, values, h, margin: np.mean(
        (answers_of(queries, keys, values, 1.0, scale(h)) - truth)[inside_of(queries, margin)]**2)


def with_score(score):
    def answer(queries, truth, keys, values, h, margin):
        weights = np.exp(score(((queries[:, None] - keys)**2).sum(axis=2), h))
        return np.mean((weights @ values / weights.sum(axis=1) - truth)[inside_of(queries, margin)]**2)

    return answer


def not_normalised(queries, truth, keys, values, h, margin):
    weights = np.exp(-0.5 * ((queries[:, None] - keys)**2).sum(axis=2) / h**2)
    return np.mean((weights @ values - truth)[inside_of(queries, margin)]**2)


def wrong_axis(queries, truth, keys, values, h, margin):
    weights = np.exp(-0.5 * ((queries[:, None] - keys)**2).sum(axis=2) / h**2)
    weights = weights / weights.sum(axis=0, keepdims=True)
    return np.mean((weights @ values - truth)[inside_of(queries, margin)]**2)


def middle_keys(queries, truth, keys, values, h, margin):
    kept = inside_of(keys, margin)
    return simulated(queries, truth, keys[kept], values[kept], h, margin)


def by_nwlab(queries, truth, keys, values, h, margin):
    inside = inside_of(queries, margin)
    return np.mean((nwlab.nadaraya_watson(queries[inside], keys, values, bandwidth=h) - truth[inside])**2)


WRONG = {
    "mean_squared_error": {
        "stub": (lambda h, n, d, a, b: _stub("mean_squared_error"), "not written yet"),
        "h²": (lambda h, n, d, a, b: a * h**2 + b / (n * h**d), "h² for h⁴"),
        "no d": (lambda h, n, d, a, b: a * h**4 + b / (n * h), "the dimension is forgotten"),
        "n to the d": (lambda h, n, d, a, b: a * h**4 + b / (n * h)**d, "raised to the power d too"),
        "brackets": (lambda h, n, d, a, b: a * h**4 + b / n * h**d, "divides by n and multiplies"),
        "times n": (lambda h, n, d, a, b: a * h**4 + b * n * h**d, "grows with the number of keys"),
        "n for both": (lambda h, n, d, a, b: (a * h**4 + b / h**d) / n, "the bias is divided by n"),
        "n twice": (lambda h, n, d, a, b: a * h**4 + b / (n**2 * h**d), "divided by n twice"),
        "a²": (lambda h, n, d, a, b: (a * h**2)**2 + b / (n * h**d), "a is squared again"),
        "bias": (lambda h, n, d, a, b: a * h**4, "the squared bias alone"),
        "variance": (lambda h, n, d, a, b: b / n / h**d, "the variance alone"),
        "minus": (lambda h, n, d, a, b: a * h**4 - b / (n * h**d), "the difference of the two"),
        "root": (lambda h, n, d, a, b: law(h, n, d, a, b)**0.5, "the root of the error"),
        "line only": (lambda h, n, d, a, b: law(h, n, d, a, b) if d == 1 else np.full(np.shape(h), 0.5), "of 8 problems hold"),
        "h² and h": (lambda h, n, d, a, b: a * h**2 + b / (n * h), "two powers of h are wrong"),
        "b / n * h": (lambda h, n, d, a, b: a * h**4 + b / n * h, "b / n * h divides by n"),
        "h² and brackets": (lambda h, n, d, a, b: a * h**2 + b / n * h**d, "h² for h⁴, and b / n"),
        "array only": (lambda h, n, d, a, b: a * h[:]**4 + b / (n * h**d), "it raises TypeError"),
        "in place": (only_h, "changes its inputs (h)"),
        "doubled": (lambda h, n, d, a, b: 2 * law(h, n, d, a, b), "2 times the right one"),
        "mean": (lambda h, n, d, a, b: np.mean(law(h, n, d, a, b)), "one number where an array was asked"),
        "list": (lambda h, n, d, a, b: [law(x, n, d, a, b) for x in h] if np.ndim(h) else law(h, n, d, a, b), "a list where"),
    },
    "best_width": {
        "stub": (lambda n, d, a, b: _stub("best_width"), "not written yet"),
        "equal parts": (lambda n, d, a, b: (b / (a * n))**(1 / (d + 4)), "the two parts are set equal"),
        "no 4": (lambda n, d, a, b: (d * b / (a * n))**(1 / (d + 4)), "the 4 is missing"),
        "no d": (lambda n, d, a, b: (b / (4 * a * n))**(1 / (d + 4)), "the d in front is missing"),
        "swapped": (lambda n, d, a, b: (4 * b / (d * a * n))**(1 / (d + 4)), "changed places"),
        "2 for 4": (lambda n, d, a, b: (d * b / (2 * a * n))**(1 / (d + 4)), "a 2 stands where the 4"),
        "d below": (lambda n, d, a, b: (b / (4 * a * n * d))**(1 / (d + 4)), "the d in front stands below the line"),
        "power alone": (lambda n, d, a, b: n**(-1 / (d + 4)), "a and b are left out"),
        "brackets in the power": (lambda n, d, a, b: (d * b / (4 * a * n))**(1 / d + 4), "without brackets around d + 4"),
        "line": (lambda n, d, a, b: (b / (4 * a * n))**0.2, "the answer for a line"),
        "power 1/5": (lambda n, d, a, b: (d * b / (4 * a * n))**0.2, "the power is 1/5"),
        "sign": (lambda n, d, a, b: (d * b / (4 * a * n))**(-1 / (d + 4)), "the sign of the power is lost"),
        "upside down": (lambda n, d, a, b: (4 * a * n / (d * b))**(1 / (d + 4)), "the sign of the power is lost"),
        "no root": (lambda n, d, a, b: d * b / (4 * a * n), "the root is not taken"),
        "d + 3": (lambda n, d, a, b: (d * b / (4 * a * n))**(1 / (d + 3)), "d + 3"),
        "brackets of the power": (lambda n, d, a, b: (d * b / (4 * a * n))**1 / (d + 4), "1 / (d + 4) without brackets"),
        "brackets below": (lambda n, d, a, b: (d * b / 4 * a * n)**(1 / (d + 4)), "without brackets below the line"),
        "bias of h": (lambda n, d, a, b: (d * b / (2 * a * n))**(1 / (d + 2)), "a bias of h, not of h²"),
        "no n": (lambda n, d, a, b: (d * b / (4 * a))**(1 / (d + 4)) + 0 * n, "n is left out"),
        "n twice": (lambda n, d, a, b: (d * b / (4 * a * n * 1.0 * n))**(1 / (d + 4)), "n counts twice"),
        "error": (lambda n, d, a, b: law(width(n, d, a, b), n, d, a, b), "the error at the best width"),
        "torch": (lambda n, d, a, b: torch.as_tensor(width(n, d, a, b)), "torch where NumPy"),
        "nothing": (lambda n, d, a, b: None, "returns nothing"),
    },
    "rates": {
        "stub": (lambda d: _stub("rates"), "not written yet"),
        "signs": (lambda d: (1 / (d + 4), 4 / (d + 4)), "the signs are lost"),
        "one sign": (lambda d: (1 / (d + 4), -4 / (d + 4)), "sign of the width's power"),
        "other sign": (lambda d: (-1 / (d + 4), 4 / (d + 4)), "sign of the error's power"),
        "no d": (lambda d: (-0.2, -0.8), "the powers for a line"),
        "swapped": (lambda d: (-4 / (d + 4), -1 / (d + 4)), "the powers changed places"),
        "1/d": (lambda d: (-1 / d, -4 / d), "−1/d keeps the number of keys"),
        "not squared": (lambda d: (-1 / (d + 4), -2 / (d + 4)), "here it goes with h²"),
        "d + 2": (lambda d: (-1 / (d + 2), -2 / (d + 2)), "a bias of h"),
        "brackets": (lambda d: (-1 / d + 4, -4 / d + 4), "without brackets below the line"),
        "variance": (lambda d: (-1 / (d + 4), -1), "that of b / n alone"),
        "same": (lambda d: (-1 / (d + 4), -1 / (d + 4)), "the width's power is used for both"),
        "floor": (lambda d: (-1 // (d + 4), -4 // (d + 4)), "// rounds down"),
        "one": (lambda d: -1 / (d + 4), "a number where a tuple"),
        "three": (lambda d: (-1 / (d + 4), -4 / (d + 4), d), "3 things where 2"),
    },
    "slope": {
        "stub": (lambda ns, errors: _stub("slope"), "not written yet"),
        "no logs": (lambda ns, errors: np.polyfit(ns, errors, 1)[0], "no logarithms"),
        "log errors": (lambda ns, errors: np.polyfit(ns, np.log(errors), 1)[0], "the logarithm of the errors alone"),
        "log sizes": (lambda ns, errors: np.polyfit(np.log(ns), errors, 1)[0], "the logarithm of the sizes alone"),
        "two logs": (lambda ns, errors: np.polyfit(np.log(ns), np.log10(errors), 1)[0], "two different logarithms"),
        "swapped": (lambda ns, errors: np.polyfit(np.log(errors), np.log(ns), 1)[0], "changed places"),
        "height": (lambda ns, errors: np.polyfit(np.log(ns), np.log(errors), 1)[1], "height at 0"),
        "height in log10": (lambda ns, errors: np.polyfit(np.log10(ns), np.log10(errors), 1)[1], "height at 0"),
        "both": (lambda ns, errors: np.polyfit(np.log(ns), np.log(errors), 1), "polyfit returns two numbers: which is the slope?"),
        "both, base 10": (lambda ns, errors: np.polyfit(np.log10(ns), np.log10(errors), 1), "polyfit returns two numbers"),
        "both, base 2": (lambda ns, errors: np.polyfit(np.log2(ns), np.log2(errors), 1), "polyfit returns two numbers"),
        "both, no logs": (lambda ns, errors: np.polyfit(ns, errors, 1), "an array where one number"),
        "ends": (lambda ns, errors: np.log(errors[-1] / errors[0]) / np.log(ns[-1] / ns[0]), "only the first and the last"),
        "gaps": (lambda ns, errors: np.mean(np.diff(np.log(errors)) / np.diff(np.log(ns))), "from size to size"),
        "through 0": (lambda ns, errors: np.dot(np.log(ns), np.log(errors)) / np.dot(np.log(ns), np.log(ns)), "through 0"),
        "ratio": (lambda ns, errors: np.mean(np.log(errors) / np.log(ns)), "log(error) / log(n)"),
        "corr": (lambda ns, errors: np.corrcoef(np.log(ns), np.log(errors))[0, 1], "the correlation"),
        "ddof": (lambda ns, errors: np.cov(np.log(ns), np.log(errors))[0, 1] / np.var(np.log(ns)), "np.cov divides by n − 1"),
        "sign": (lambda ns, errors: -slope(ns, errors), "the sign is flipped"),
        "hard-coded": (lambda ns, errors: -0.8, "the same answer to every problem"),
    },
    "simulated_error": {
        "stub": (lambda queries, truth, keys, values, h, margin: _stub("simulated_error"), "not written yet"),
        "border": (with_mask(lambda queries, margin: np.full(len(queries), True)), "near the border count too"),
        "any": (with_mask(lambda queries, margin: ((queries >= margin) & (queries <= 5 - margin)).any(axis=1)), "if any of its"),
        "first": (with_mask(lambda queries, margin: (queries[:, 0] >= margin) & (queries[:, 0] <= 5 - margin)), "first feature"),
        "low end": (with_mask(lambda queries, margin: (queries >= margin).all(axis=1)), "the upper border is forgotten"),
        "high end": (with_mask(lambda queries, margin: (queries <= 5 - margin).all(axis=1)), "the lower border is forgotten"),
        "outside": (with_mask(lambda queries, margin: ~inside_of(queries, margin)), "the queries outside, not those inside"),
        "strict": (with_mask(lambda queries, margin: ((queries > margin) & (queries < 5 - margin)).all(axis=1)), "exactly on the edge"),
        "strict below": (with_mask(lambda queries, margin: ((queries > margin) & (queries <= 5 - margin)).all(axis=1)), "on the lower edge"),
        "strict above": (with_mask(lambda queries, margin: ((queries >= margin) & (queries < 5 - margin)).all(axis=1)), "on the upper edge"),
        "strict, from the middle": (with_mask(lambda queries, margin: (np.abs(queries - 2.5) < 2.5 - margin).all(axis=1)), "on the edge"),
        "margin - 5": (with_mask(lambda queries, margin: ((queries >= margin) & (queries <= margin - 5)).all(axis=1)),
                       "your mask keeps no query"),
        "middle": (with_mask(lambda queries, margin: (np.abs(queries - 2.5) <= margin).all(axis=1)), "compared with margin"),
        "same way": (with_mask(lambda queries, margin: ((queries >= margin) & (queries >= 5 - margin)).all(axis=1)), "same way: >="),
        "squared twice": (with_score(lambda squares, h: -0.5 * (squares / h)**2), "squares is already squared"),
        "squared twice, h too": (with_score(lambda squares, h: -0.5 * (squares / h**2)**2), "squares is already squared"),
        "middle keys": (middle_keys, "the keys near the border are thrown away"),
        "all m": (lambda queries, truth, keys, values, h, margin: np.mean(np.where(
            inside_of(queries, margin), answers_of(queries, keys, values, h) - truth, 0)**2), "divided by all queries"),
        "sum": (with_error(lambda gap: np.sum(gap**2)), "the sum, not the mean"),
        "root": (with_error(lambda gap: np.sqrt(np.mean(gap**2))), "the root of the error"),
        "absolute": (with_error(lambda gap: np.mean(np.abs(gap))), "the absolute error"),
        "unsquared": (with_error(np.mean), "the differences are not squared"),
        "mean squared": (with_error(lambda gap: gap.mean()**2), "the mean is squared"),
        "variance": (with_error(np.var), "the bias is lost"),
        "h for h²": (with_scale(lambda h: -0.5 / h), "h where h² belongs"),
        "no half": (with_scale(lambda h: -1 / h**2), "the ½ is missing"),
        "no minus": (with_scale(lambda h: 0.5 / h**2), "the minus is missing"),
        "times h²": (with_scale(lambda h: -0.5 * h**2), "multiplied by h²"),
        "no h": (with_scale(lambda h: -0.5), "the width is left out"),
        "not normalised": (not_normalised, "the weights are not normalised"),
        "axis": (wrong_axis, "the wrong axis: the weights sum to one over the queries"),
        "values": (lambda queries, truth, keys, values, h, margin: np.mean((values.mean() - truth)[inside_of(queries, margin)]**2),
                   "every answer is the mean of the values"),
        "per query": (per_query, "an array where one number was asked"),
        "rows": (rows_not_kept, "raises ValueError"),
        "nwlab": (by_nwlab, "calls nwlab's own nadaraya_watson"),
        "in place": (changes_values, "changes its inputs (values)"),
    },
    "error_exponent": {
        "stub": (lambda alpha, d: _stub("error_exponent"), "not written yet"),
        "quicker": (lambda alpha, d: min(-4 * alpha, -(1 - alpha * d)), "the quicker part"),
        "above 0": (lambda alpha, d: max(-4 * alpha, -(1 - alpha * d)), "above 0"),
        "not squared": (lambda alpha, d: min(0, max(-2 * alpha, -(1 - alpha * d))), "the bias is not squared"),
        "no d": (lambda alpha, d: min(0, max(-4 * alpha, alpha - 1)), "the dimension is forgotten"),
        "wrong way": (lambda alpha, d: max(-4 * alpha, -(1 + alpha * d)), "shrinking windows help"),
        "bias": (lambda alpha, d: -4 * alpha, "the bias alone"),
        "variance": (lambda alpha, d: alpha * d - 1, "the variance alone"),
        "best": (lambda alpha, d: -4 / (d + 4), "whatever alpha is"),
        "added": (lambda alpha, d: -4 * alpha - (1 - alpha * d), "the two powers are added"),
        "added, sign": (lambda alpha, d: -4 * alpha - (1 + alpha * d), "added, and the sign of alpha"),
        "product": (lambda alpha, d: np.log(10**(-4 * alpha) * 10**(alpha * d - 1)) / np.log(10), "the two powers are added"),
        "above the line": (lambda alpha, d: min(0, max(-4 * alpha, 1 - alpha * d)), "above the line"),
        "above the line, above 0": (lambda alpha, d: max(-4 * alpha, 1 - alpha * d), "the slope gets above 0"),
        "max 0": (lambda alpha, d: max(0, max(-4 * alpha, alpha * d - 1)), "never below 0"),
        "mean": (lambda alpha, d: np.mean([-4 * alpha, alpha * d - 1]), "the mean of the two"),
        "sign": (lambda alpha, d: -exponent(alpha, d), "the sign is flipped"),
        "both": (lambda alpha, d: (-4 * alpha, alpha * d - 1), "a tuple where a number"),
        "zero early": (lambda alpha, d: exponent(alpha, d) if alpha < 0.5 else 0.0, "of 9 problems hold"),
    },
    "keys_needed": {
        "stub": (lambda ratio, d: _stub("keys_needed"), "not written yet"),
        "sign": (lambda ratio, d: ratio**((d + 4) / 4), "the sign of the power is lost"),
        "upside down": (lambda ratio, d: ratio**(-4 / (d + 4)), "the power is upside down"),
        "both": (lambda ratio, d: ratio**(4 / (d + 4)), "upside down, and its sign lost"),
        "line": (lambda ratio, d: ratio**-1.25, "the price on a line"),
        "variance": (lambda ratio, d: 1 / ratio, "one over the ratio"),
        "width": (lambda ratio, d: ratio**-(d + 4), "the width's power"),
        "root": (lambda ratio, d: ratio**(-(d + 4) / 2), "the root of the error"),
        "ceil": (lambda ratio, d: np.ceil(needed(ratio, d) - 1e-9), "rounded up"),
        "rounded": (lambda ratio, d: round(needed(ratio, d)), "rounded to a whole number"),
        "floor": (lambda ratio, d: ratio**(-(d + 4) // 4), "// rounds down"),
        "log": (lambda ratio, d: np.log(ratio) / (-4 / (d + 4)), "the logarithm of the factor"),
        "log10": (lambda ratio, d: np.log10(ratio) / (-4 / (d + 4)), "the logarithm of the factor, to base 10"),
        "log2": (lambda ratio, d: np.log2(ratio) / (-4 / (d + 4)), "the logarithm of the factor, to base 2"),
        "brackets": (lambda ratio, d: ratio**-(d + 4) / 4, "first the power, then divided by 4"),
        "brackets below": (lambda ratio, d: ratio**(1 / -4 / (d + 4)), "1 / -4 / (d + 4) without"),
        "half only": (lambda ratio, d: 2**((d + 4) / 4), "the ratio is left out"),
        "doubled": (lambda ratio, d: 2 * needed(ratio, d), "2 times the right one"),
    },
}
