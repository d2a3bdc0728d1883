"""The mistakes of `consistency_rate`, item by item: powers and logarithms; in the simulation borders and weights."""
import math

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.consistency_rate.problems import SIDE, is_inside, true_needed, true_simulation


def of_ratio(formula):
    """formula: of r = d b / (4 a n), which is the best width to the power d + 4, and d."""
    return lambda n, d, a, b: formula(d * b / (4 * a * n), d)


def of_logarithms(formula):
    """formula: of the logarithms of sizes and errors."""
    return lambda ns, errors: formula(np.log(ns), np.log(errors))


LAW = named(
    ("the bias is not squared: h² for h⁴", lambda h, n, d, a, b: a * h**2 + b / (n * h**d)),
    ("the dimension is forgotten: n·h for n·h^d", lambda h, n, d, a, b: a * h**4 + b / (n * h)),
    ("the keys are raised to the power d too", lambda h, n, d, a, b: a * h**4 + b / (n * h) ** d),
    ("b / n * h**d divides by n and multiplies by the rest", lambda h, n, d, a, b: a * h**4 + b / n * h**d),
    ("the variance grows with the number of keys", lambda h, n, d, a, b: a * h**4 + b * n * h**d),
    ("the bias is divided by n too", lambda h, n, d, a, b: (a * h**4 + b / h**d) / n),
    ("the factor a is squared again", lambda h, n, d, a, b: (a * h**2) ** 2 + b / (n * h**d)),
    ("the bias itself, not its square", lambda h, n, d, a, b: np.sqrt(a) * h**2 + b / (n * h**d)),
    ("h times 4, not h to the power 4", lambda h, n, d, a, b: a * h * 4 + b / (n * h**d)),
    ("the bias goes with h^d, not with h⁴", lambda h, n, d, a, b: a * h**d + b / (n * h**d)),
    ("the window is a disc in every dimension: n·h² for n·h^d", lambda h, n, d, a, b: a * h**4 + b / (n * h**2)),
    ("h times d, not h to the power d", lambda h, n, d, a, b: a * h**4 + b / (n * h * d)),
    ("d to the power h, not h to the power d", lambda h, n, d, a, b: a * h**4 + b / (n * d**h)),
    ("n is missing below the line", lambda h, n, d, a, b: a * h**4 + b / h**d),
    ("the size of the window is missing below the line", lambda h, n, d, a, b: a * h**4 + b / n),
    ("the variance is squared", lambda h, n, d, a, b: a * h**4 + (b / (n * h**d)) ** 2),
    ("the sum of bias and variance is squared", lambda h, n, d, a, b: (np.sqrt(a) * h**2 + b / (n * h**d)) ** 2),
    ("the variance is squared, and the bias has a, not c", lambda h, n, d, a, b: (a * h**2 + b / (n * h**d)) ** 2),
    ("the root of the variance", lambda h, n, d, a, b: a * h**4 + np.sqrt(b / (n * h**d))),
    ("the variance is upside down", lambda h, n, d, a, b: a * h**4 + n * h**d / b),
    ("the variance is subtracted", lambda h, n, d, a, b: a * h**4 - b / (n * h**d)),
    ("both parts are divided by n·h^d", lambda h, n, d, a, b: (a * h**4 + b) / (n * h**d)),
    ("the factor a multiplies the variance too", lambda h, n, d, a, b: a * (h**4 + b / (n * h**d))),
    ("the root of the number of keys", lambda h, n, d, a, b: a * h**4 + b / np.sqrt(n * h**d)),
    ("the two parts are multiplied", lambda h, n, d, a, b: a * h**4 * b / (n * h**d)),
    ("the squared bias alone", lambda h, n, d, a, b: a * h**4),
    ("the variance alone", lambda h, n, d, a, b: b / (n * h**d)))

WIDTH = named(
    ("the two parts are set equal", lambda r, d: (4 * r / d) ** (1 / (d + 4))),
    ("the 4 is missing", lambda r, d: (4 * r) ** (1 / (d + 4))),
    ("the d in front is missing", lambda r, d: (r / d) ** (1 / (d + 4))),
    ("the answer for a line, in every dimension: 1/5", lambda r, d: (r / d) ** 0.2),
    ("the power is 1/5 in every dimension", lambda r, d: r ** 0.2),
    ("this is the best width for a bias of h, not of h²", lambda r, d: (2 * r) ** (1 / (d + 2))),
    ("the sign of the power is lost: the width grows with n", lambda r, d: (1 / r) ** (1 / (d + 4))),
    ("the root is not taken: this is h to the power d + 4", lambda r, d: r),
    ("** (1 / d + 4) without brackets around d + 4", lambda r, d: r ** (1 / d + 4)),
    ("** 1 / (d + 4) without brackets: first to the power 1, then divided", lambda r, d: r / (d + 4)),
    ("the power is 1/(d + 3)", lambda r, d: r ** (1 / (d + 3))),
    ("the power is 1/(d + 5)", lambda r, d: r ** (1 / (d + 5))),
    ("the power d + 4, where a root was asked", lambda r, d: r ** (d + 4)),
    ("the power is 4/(d + 4): that is the error's", lambda r, d: r ** (4 / (d + 4))),
    ("the power is 1/4, as if the window's h^d were not there", lambda r, d: r**0.25),
    ("the square root, in every dimension", lambda r, d: r**0.5),
    ("d + 1 comes down, where d does", lambda r, d: (r / d * (d + 1)) ** (1 / (d + 4))),
    ("d stands below the line", lambda r, d: (r / d / d) ** (1 / (d + 4))),
    ("2 comes down, where 4 does", lambda r, d: (2 * r) ** (1 / (d + 4))),
    ("the 4 stands outside the root", lambda r, d: (4 * r) ** (1 / (d + 4)) / 4),
    ("the d stands outside the root", lambda r, d: d * (r / d) ** (1 / (d + 4))),
    ("4 times d, where d + 4 belongs", lambda r, d: r ** (1 / (4 * d))),
    of=of_ratio) + named(
    ("n does not occur", lambda n, d, a, b: (d * b / (4 * a)) ** (1 / (d + 4))),
    ("n is raised to the power d", lambda n, d, a, b: (d * b / (4 * a * n**d)) ** (1 / (d + 4))),
    ("n stands above the line", lambda n, d, a, b: (d * b * n / (4 * a)) ** (1 / (d + 4))),
    ("n stands above the line, and the d in front is missing", lambda n, d, a, b: (b * n / (4 * a)) ** (1 / (d + 4))),
    ("the factors a and b are left out: this is the power of n alone",
     lambda n, d, a, b: np.asarray(n, float) ** (-1 / (d + 4))),
    ("/ 4 * a * n without brackets below the line", lambda n, d, a, b: (d * b / 4 * a * n) ** (1 / (d + 4))))

RATES = named(
    ("the powers for a line, in every dimension", lambda d: (-1 / 5, -4 / 5)),
    ("−1/d keeps the number of keys in a window as it is", lambda d: (-1 / d, -4 / d)),
    ("the error goes with h⁴, and here it goes with h²", lambda d: (-1 / (d + 4), -2 / (d + 4))),
    ("these are the powers for a bias of h, not of h²", lambda d: (-1 / (d + 2), -2 / (d + 2))),
    ("both signs are lost", lambda d: (1 / (d + 4), 4 / (d + 4))),
    ("the sign of the width's power is lost", lambda d: (1 / (d + 4), -4 / (d + 4))),
    ("the sign of the error's power is lost", lambda d: (-1 / (d + 4), 4 / (d + 4))),
    ("the two powers changed places", lambda d: (-4 / (d + 4), -1 / (d + 4))),
    ("the error goes with h to the power d", lambda d: (-1 / (d + 4), -d / (d + 4))),
    ("the error goes with h⁴, and here it goes with h⁸", lambda d: (-1 / (d + 4), -8 / (d + 4))),
    ("the power of a power is multiplied, not taken", lambda d: (-1 / (d + 4), (-1 / (d + 4)) ** 4)),
    ("the error's power is that on a line", lambda d: (-1 / (d + 4), -4 / 5)),
    ("4 times d, where d + 4 belongs", lambda d: (-1 / (4 * d), -1 / d)),
    ("the power on a line, divided by d", lambda d: (-1 / (5 * d), -4 / (5 * d))),
    ("the power on a line, times d", lambda d: (-d / 5, -4 * d / 5)),
    ("d + 2 for d + 4", lambda d: (-1 / (d + 2), -4 / (d + 2))),
    ("the error's power is that of b / n alone", lambda d: (-1 / (d + 4), -1.0)),
    ("the width's power is used for both", lambda d: (-1 / (d + 4), -1 / (d + 4))),
    ("−1 / d + 4 without brackets below the line", lambda d: (-1 / d + 4, -4 / d + 4)))

SLOPE = named(
    ("polyfit returns two numbers: which is the slope?", lambda x, y: np.polyfit(x, y, 1)),
    ("polyfit returns two numbers, of log10 as well: which is the slope?",
     lambda x, y: np.polyfit(x / math.log(10), y / math.log(10), 1)),
    ("the line's height at 0, not its slope", lambda x, y: np.polyfit(x, y, 1)[1]),
    ("a parabola, not a line", lambda x, y: np.polyfit(x, y, 2)[0]),
    ("a constant, not a line", lambda x, y: np.polyfit(x, y, 0)[0]),
    ("the logarithm comes after the fit", lambda x, y: np.log(np.polyfit(np.exp(x), np.exp(y), 1)[0])),
    ("log(error) divided by log(n)", lambda x, y: np.mean(y / x)),
    *(("the covariance, not yet the slope", lambda x, y, ddof=ddof: np.sum((x - x.mean()) * (y - y.mean())) / (
        len(x) - ddof if ddof < 2 else 1)) for ddof in (0, 1, 2)),
    ("only the first and the last size are used, without logarithms",
     lambda x, y: (np.exp(y[-1]) - np.exp(y[0])) / (np.exp(x[-1]) - np.exp(x[0]))),
    ("no logarithms at all", lambda x, y: np.polyfit(np.exp(x), np.exp(y), 1)[0]),
    ("the logarithm of the errors alone", lambda x, y: np.polyfit(np.exp(x), y, 1)[0]),
    ("the logarithm of the sizes alone", lambda x, y: np.polyfit(x, np.exp(y), 1)[0]),
    ("only the first and the last size are used", lambda x, y: (y[-1] - y[0]) / (x[-1] - x[0])),
    ("the mean of the slopes from size to size", lambda x, y: np.mean(np.diff(y) / np.diff(x))),
    ("the line is forced through 0", lambda x, y: np.sum(x * y) / np.sum(x**2)),
    ("the correlation, not the slope", lambda x, y: np.corrcoef(x, y)[0, 1]),
    ("np.cov divides by n − 1, np.var by n", lambda x, y: np.cov(x, y)[0, 1] / np.var(x)),
    of=of_logarithms)

EXPONENT = named(
    ("the quicker part is taken", lambda alpha, d: min(-4 * alpha, alpha * d - 1)),
    ("above 0: an error that grows without end", lambda alpha, d: max(-4 * alpha, alpha * d - 1)),
    ("the bias is not squared", lambda alpha, d: min(0.0, max(-2 * alpha, alpha * d - 1))),
    ("the dimension is forgotten", lambda alpha, d: min(0.0, max(-4 * alpha, alpha - 1))),
    ("the shrinking windows help against noise", lambda alpha, d: max(-4 * alpha, -alpha * d - 1)),
    ("0 everywhere: as if neither part could shrink", lambda alpha, d: 0.0),
    ("0 or more: an error that never shrinks", lambda alpha, d: max(0.0, -4 * alpha, alpha * d - 1)),
    ("the window's size does not count: 1/n", lambda alpha, d: max(-4 * alpha, -1.0)),
    ("the bias has a d", lambda alpha, d: min(0.0, max(-4 * alpha * d, alpha * d - 1))),
    ("the bias goes like h", lambda alpha, d: min(0.0, max(-alpha, alpha * d - 1))),
    ("0 as soon as the variance is the slower part", lambda alpha, d: -4 * alpha if alpha < 1 / (d + 4) else 0.0),
    ("the mean of the two powers", lambda alpha, d: (-4 * alpha + alpha * d - 1) / 2),
    ("the bias alone", lambda alpha, d: -4 * alpha),
    ("the variance alone", lambda alpha, d: alpha * d - 1),
    ("the slope at the best power, whatever alpha is", lambda alpha, d: -4 / (d + 4)),
    ("the two powers are added", lambda alpha, d: -4 * alpha + alpha * d - 1),
    ("the keys of a window stand above the line", lambda alpha, d: min(0.0, max(-4 * alpha, 1 - alpha * d))))

NEEDED = named(
    ("the sign of the power is lost: fewer keys for a smaller error", lambda ratio, d: ratio ** ((d + 4) / 4)),
    ("the power is upside down", lambda ratio, d: ratio ** (-4 / (d + 4))),
    ("the price on a line, in every dimension", lambda ratio, d: ratio ** (-5 / 4)),
    ("** -(d + 4) / 4 without brackets: first the power, then divided by 4", lambda ratio, d: ratio ** -(d + 4) / 4),
    ("1 / -4 / (d + 4) without brackets below the line", lambda ratio, d: ratio ** (1 / -4 / (d + 4))),
    ("one over the ratio: as if the error went with 1/n", lambda ratio, d: 1 / ratio),
    ("the width's power, not the error's", lambda ratio, d: ratio ** -(d + 4.0)),
    ("this is the price for the root of the error", lambda ratio, d: ratio ** (-(d + 4) / 2)),
    ("rounded down", lambda ratio, d: math.floor(true_needed(ratio, d))),
    ("rounded up", lambda ratio, d: math.ceil(true_needed(ratio, d))),
    ("the power is upside down, and its sign is lost", lambda ratio, d: ratio ** (4 / (d + 4))),
    ("the width's power, upside down", lambda ratio, d: ratio ** (-1 / (d + 4))),
    ("the width's power, not the error's, and its sign is lost", lambda ratio, d: ratio ** (d + 4.0)),
    ("−d + 4 / 4 without brackets around d + 4", lambda ratio, d: ratio ** (-d + 4 / 4)),
    ("times the power, not to the power", lambda ratio, d: ratio * (-(d + 4) / 4)),
    ("the power alone", lambda ratio, d: (d + 4) / 4),
    ("the ratio is left out: half the error, whatever ratio is", lambda ratio, d: true_needed(0.5, d)))

SIMULATION = named(
    ("the queries near the border count too", {"inside": lambda x, margin: np.full(len(x), True)}),
    ("a query counts if any of its features is inside",
     {"inside": lambda x, margin: np.any((x >= margin) & (x <= SIDE - margin), axis=1)}),
    ("the upper border keeps no query out", {"inside": lambda x, margin: np.all(x >= margin, axis=1)}),
    ("the lower border keeps no query out", {"inside": lambda x, margin: np.all(x <= SIDE - margin, axis=1)}),
    ("the queries are kept all together, or none",
     {"inside": lambda x, margin: np.all((x >= margin) & (x <= SIDE - margin))}),
    ("the queries outside are kept, those inside are not", {"inside": lambda x, margin: ~is_inside(x, margin)}),
    ("every answer is NaN, as if your mask keeps no query", lambda **inputs: np.nan),
    ("the keys near the border are thrown away", {"keys_inside": True}),
    ("divided by all queries, not by those inside", {"error": lambda gap, m: np.sum(gap**2) / m}),
    ("the sum, not the mean", {"error": lambda gap, m: np.sum(gap**2)}),
    ("the absolute error, not the squared one", {"error": lambda gap, m: np.mean(np.abs(gap))}),
    ("the differences are not squared", {"error": lambda gap, m: np.mean(gap)}),
    ("the mean is squared, not the differences", {"error": lambda gap, m: np.mean(gap) ** 2}),
    ("the variance of the differences: the bias is lost", {"error": lambda gap, m: np.var(gap)}),
    ("h where h² belongs", {"score": lambda squares, h: -squares / (2 * h)}),
    *(("squares is already squared, and you square it again",
       {"score": lambda squares, h, power=power: -((squares / h**power) ** 2) / 2}) for power in (1, 2)),
    ("h² multiplies, where it should divide", {"score": lambda squares, h: -squares / 2 * h**2}),
    ("/ h*2 divides by h and multiplies by 2", {"score": lambda squares, h: -squares / 2 / h * 2}),
    ("the distance is not squared", {"score": lambda squares, h: -np.sqrt(squares) / h / 2}),
    ("the squares are not halved", {"score": lambda squares, h: -squares / h**2}),
    ("the ½ stands there twice", {"score": lambda squares, h: -squares / h**2 / 4}),
    ("the minus is missing: the farthest keys weigh most", {"score": lambda squares, h: squares / (2 * h**2)}),
    ("the scores are used as weights: no e to the power of them",
     {"pool": lambda weights, values: np.log(weights) @ values / np.log(weights).sum(axis=1)}),
    ("a table of all pairs, by accident: the row sums are (m, 1)",
     {"pool": lambda weights, values: weights @ values / weights.sum(axis=1, keepdims=True)}),
    ("the whole table of weights sums to one", {"pool": lambda weights, values: weights @ values / weights.sum()}),
    ("divided by the number of keys, not by the sum of the weights",
     {"pool": lambda weights, values: weights @ values / len(values)}),
    ("the weights are not normalised", {"pool": lambda weights, values: weights @ values}),
    ("the weights sum to one, and then a mean divides by the number of keys once more",
     {"pool": lambda weights, values: weights @ values / weights.sum(axis=1) / len(values)}),
    *(("an ε below the line: where all weights are tiny, it is the larger part", {"pool": lambda weights, values, e=e: (
        weights @ values / (weights.sum(axis=1) + e))}) for e in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12)),
    ("the wrong axis: the weights sum to one over the queries",
     {"pool": lambda weights, values: weights / weights.sum(axis=0) @ values}),
    right=true_simulation)
