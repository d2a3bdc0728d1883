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
    ("b / n * h**d divides by n and multiplies by the rest", lambda h, n, d, a, b: a * h**4 + b / n * h**d),
    ("the variance grows with the number of keys", lambda h, n, d, a, b: a * h**4 + b * n * h**d),
    ("h times d, not h to the power d", lambda h, n, d, a, b: a * h**4 + b / (n * h * d)))

WIDTH = named(
    ("the two parts are set equal", lambda r, d: (4 * r / d) ** (1 / (d + 4))),
    ("the 4 is missing", lambda r, d: (4 * r) ** (1 / (d + 4))),
    ("the d in front is missing", lambda r, d: (r / d) ** (1 / (d + 4))),
    ("the power is 1/5 in every dimension", lambda r, d: r ** 0.2),
    ("the sign of the power is lost: the width grows with n", lambda r, d: (1 / r) ** (1 / (d + 4))),
    ("** (1 / d + 4) without brackets around d + 4", lambda r, d: r ** (1 / d + 4)), of=of_ratio)

RATES = named(
    ("the powers for a line, in every dimension", lambda d: (-1 / 5, -4 / 5)),
    ("−1/d keeps the number of keys in a window as it is", lambda d: (-1 / d, -4 / d)),
    ("the error goes with h⁴, and here it goes with h²", lambda d: (-1 / (d + 4), -2 / (d + 4))),
    ("the sign of the width's power is lost", lambda d: (1 / (d + 4), -4 / (d + 4))),
    ("the two powers changed places", lambda d: (-4 / (d + 4), -1 / (d + 4))),
    ("the width's power is used for both", lambda d: (-1 / (d + 4), -1 / (d + 4))))

SLOPE = named(
    ("polyfit returns two numbers: which is the slope?", lambda x, y: np.polyfit(x, y, 1)),
    ("the line's height at 0, not its slope", lambda x, y: np.polyfit(x, y, 1)[1]),
    ("no logarithms at all", lambda x, y: np.polyfit(np.exp(x), np.exp(y), 1)[0]),
    ("only one of the two has a logarithm", lambda x, y: np.polyfit(np.exp(x), y, 1)[0]),
    ("only one of the two has a logarithm", lambda x, y: np.polyfit(x, np.exp(y), 1)[0]), of=of_logarithms)

EXPONENT = named(
    ("the quicker part is taken", lambda alpha, d: min(-4 * alpha, alpha * d - 1)),
    ("above 0: an error that grows without end", lambda alpha, d: max(-4 * alpha, alpha * d - 1)),
    ("the bias is not squared", lambda alpha, d: min(0.0, max(-2 * alpha, alpha * d - 1))),
    ("the dimension is forgotten", lambda alpha, d: min(0.0, max(-4 * alpha, alpha - 1))),
    ("only one part of the error is used", lambda alpha, d: -4 * alpha),
    ("only one part of the error is used", lambda alpha, d: alpha * d - 1))

NEEDED = named(
    ("the sign of the power is lost: fewer keys for a smaller error", lambda ratio, d: ratio ** ((d + 4) / 4)),
    ("the power is upside down", lambda ratio, d: ratio ** (-4 / (d + 4))),
    ("the price on a line, in every dimension", lambda ratio, d: ratio ** (-5 / 4)),
    ("** -(d + 4) / 4 without brackets: first the power, then divided by 4", lambda ratio, d: ratio ** -(d + 4) / 4),
    ("one over the ratio: as if the error went with 1/n", lambda ratio, d: 1 / ratio),
    ("rounded down", lambda ratio, d: math.floor(true_needed(ratio, d))))

SIMULATION = named(
    ("the queries near the border count too", {"inside": lambda x, margin: np.full(len(x), True)}),
    ("a query counts if any of its features is inside",
     {"inside": lambda x, margin: np.any((x >= margin) & (x <= SIDE - margin), axis=1)}),
    ("the queries outside are kept, those inside are not", {"inside": lambda x, margin: ~is_inside(x, margin)}),
    ("divided by all queries, not by those inside", {"error": lambda gap, m: np.sum(gap**2) / m}),
    ("h where h² belongs", {"score": lambda squares, h: -squares / (2 * h)}),
    ("the squares are not halved", {"score": lambda squares, h: -squares / h**2}),
    ("the weights are not normalised", {"pool": lambda weights, values: weights @ values}),
    ("the wrong axis: the weights sum to one over the queries",
     {"pool": lambda weights, values: weights / weights.sum(axis=0) @ values}), right=true_simulation)
