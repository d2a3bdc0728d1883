"""The mistakes of `consistency_rate`, item by item: powers and logarithms; in the simulation borders and weights."""
import math

import numpy as np

from nwlab.checks.item import named
from nwlab.exercises.consistency_rate.problems import SIDE, true_needed, true_simulation


def of_ratio(formula):
    """formula: of r = d b / (4 a n), which is the best width to the power d + 4, and d."""
    return lambda n, d, a, b: formula(d * b / (4 * a * n), d)


def of_logarithms(formula):
    """formula: of the logarithms of sizes and errors."""
    return lambda ns, errors: formula(np.log(ns), np.log(errors))


def measured(inside=None, score=None, pool=None, error=None):
    """A simulation with one thing wrong: which x (m, d) are inside, scores, pooling, or the error of gaps of m."""
    def wrong(queries, truth, keys, values, h, margin):
        kept = (inside or is_inside)(queries, margin)                                       # (m,)
        squares = ((queries[:, None] - keys) ** 2).sum(axis=2)                              # (m, n)
        weights = np.exp(score(squares, h) if score else -squares / (2 * h**2))
        answers = pool(weights, values) if pool else weights @ values / weights.sum(axis=1)
        gap = (answers - truth)[kept]
        return error(gap, len(truth)) if error else np.mean(gap**2)

    return wrong


def is_inside(x, margin):
    return np.all((x >= margin) & (x <= SIDE - margin), axis=1)


def middle_keys_only(queries, truth, keys, values, h, margin):
    middle = is_inside(keys, margin)
    return true_simulation(queries, truth, keys[middle], values[middle], h, margin)


LAW = named(
    ("the bias is not squared: h² for h⁴", "the bias goes with h². Its square is what counts in a squared error: which "
     "power of h is that?", lambda h, n, d, a, b: a * h**2 + b / (n * h**d)),
    ("the dimension is forgotten: n·h for n·h^d", "on a line a window holds a number of keys like n·h. In the plane it "
     "is a disc, in space a ball", lambda h, n, d, a, b: a * h**4 + b / (n * h)),
    ("the keys are raised to the power d too", "there are n keys, in any dimension. Only the window's size grows with "
     "d", lambda h, n, d, a, b: a * h**4 + b / (n * h) ** d),
    ("b / n * h**d divides by n and multiplies by the rest", "Python works from left to right: put what stands below "
     "the line into brackets", lambda h, n, d, a, b: a * h**4 + b / n * h**d),
    ("the variance grows with the number of keys", "more keys average more noise away: the number of keys in the "
     "window is below the line", lambda h, n, d, a, b: a * h**4 + b * n * h**d),
    ("the bias is divided by n too", "more keys at the same width see the same bend: only the variance falls with n",
     lambda h, n, d, a, b: (a * h**4 + b / h**d) / n),
    ("a is squared again", "a is the square of c already", lambda h, n, d, a, b: (a * h**2) ** 2 + b / (n * h**d)),
    ("the squared bias alone", "the error has two parts. What does the noise add?", lambda h, n, d, a, b: a * h**4),
    ("the variance alone", "the error has two parts. What does the bend of the truth add?",
     lambda h, n, d, a, b: b / (n * h**d)),
    ("the root of the error", "the mean squared error is asked for, so no root",
     lambda h, n, d, a, b: np.sqrt(a * h**4 + b / (n * h**d))))

WIDTH = named(
    ("the two parts are set equal", "at the best width not the parts but their slopes cancel: take the derivative of "
     "each. What comes down in front of h to the power −d?", lambda r, d: (4 * r / d) ** (1 / (d + 4))),
    ("the 4 is missing", "what is the derivative of h⁴?", lambda r, d: (4 * r) ** (1 / (d + 4))),
    ("the d in front is missing", "the derivative of h to the power −d brings a factor down. On a line it is 1, and "
     "nobody sees it", lambda r, d: (r / d) ** (1 / (d + 4))),
    ("the answer for a line, in every dimension: 1/5",
     "the worked one has d = 1. Which of its numbers are d, or d + something?", lambda r, d: (r / d) ** 0.2),
    ("the power is 1/5 in every dimension", "multiply the equation by h to the power d + 1: what becomes of h³?",
     lambda r, d: r ** 0.2),
    ("this is the best width for a bias of h, not of h²", "the first part of the law is a·h⁴: what is its derivative?",
     lambda r, d: (2 * r) ** (1 / (d + 2))),
    ("the sign of the power is lost: the width grows with n",
     "more keys, narrower windows. Is your fraction upside down?", lambda r, d: (1 / r) ** (1 / (d + 4))),
    ("the root is not taken: this is h to the power d + 4", "one step is left: solve for h", lambda r, d: r),
    ("** (1 / d + 4) without brackets around d + 4", "Python divides before it adds: put d + 4 into brackets",
     lambda r, d: r ** (1 / d + 4)),
    ("** 1 / (d + 4) without brackets: first to the power 1, then divided",
     "Python takes powers before it divides: put the power into brackets", lambda r, d: r / (d + 4)),
    of=of_ratio) + named(
    ("a and b are left out: this is the power of n alone", "the power is right. The constants of the law belong to the "
     "width too: solve for h step by step", lambda n, d, a, b: np.asarray(n, float) ** (-1 / (d + 4))),
    ("/ 4 * a * n without brackets below the line", "Python works from left to right: put what stands below the line "
     "into brackets", lambda n, d, a, b: (d * b / 4 * a * n) ** (1 / (d + 4))))

RATES = named(
    ("the powers for a line, in every dimension", "d is an argument: where does it stand in your best_width?",
     lambda d: (-1 / 5, -4 / 5)),
    ("−1/d keeps the number of keys in a window as it is",
     "then the noise stays for ever. Read the power off your best_width", lambda d: (-1 / d, -4 / d)),
    ("the error goes with h⁴, and here it goes with h²", "squared bias is what is left of the error: which power of h?",
     lambda d: (-1 / (d + 4), -2 / (d + 4))),
    ("these are the powers for a bias of h, not of h²", "the first part of the law is a·h⁴",
     lambda d: (-1 / (d + 2), -2 / (d + 2))),
    ("the error's power is that of b / n alone", "the window shrinks as well: put your best width into n·h^d",
     lambda d: (-1 / (d + 4), -1.0)),
    ("the width's power is used for both", "the error goes with h⁴: a power of a power multiplies",
     lambda d: (-1 / (d + 4), -1 / (d + 4))),
    ("−1 / d + 4 without brackets below the line", "Python divides before it adds: put d + 4 into brackets",
     lambda d: (-1 / d + 4, -4 / d + 4)))

SLOPE = named(
    ("polyfit returns two numbers: which is the slope?", "the line is y = slope · x + height. np.polyfit returns the "
     "highest power first", lambda x, y: np.polyfit(x, y, 1)),
    ("the line's height at 0, not its slope", "np.polyfit returns the highest power first",
     lambda x, y: np.polyfit(x, y, 1)[1]),
    ("no logarithms at all", "a power law is a straight line on log–log axes only: both axes need one",
     lambda x, y: np.polyfit(np.exp(x), np.exp(y), 1)[0]),
    ("the logarithm of the errors alone", "log–log: the sizes need one too",
     lambda x, y: np.polyfit(np.exp(x), y, 1)[0]),
    ("the logarithm of the sizes alone", "log–log: the errors need one too",
     lambda x, y: np.polyfit(x, np.exp(y), 1)[0]),
    ("sizes and errors changed places", "the error is the y of the line, n its x", lambda x, y: np.polyfit(y, x, 1)[0]),
    ("only the first and the last size are used", "a least-squares line listens to all of them",
     lambda x, y: (y[-1] - y[0]) / (x[-1] - x[0])),
    ("the mean of the slopes from size to size", "this weighs every gap alike, be it wide or narrow. Least squares fit "
     "one line", lambda x, y: np.mean(np.diff(y) / np.diff(x))),
    ("the line is forced through 0", "a power law may have any constant in front: the line needs a height of its own",
     lambda x, y: np.sum(x * y) / np.sum(x**2)),
    ("the correlation, not the slope", "the correlation has no units and never leaves −1 to 1",
     lambda x, y: np.corrcoef(x, y)[0, 1]),
    ("np.cov divides by n − 1, np.var by n", "both need the same divisor, then it cancels: see ddof",
     lambda x, y: np.cov(x, y)[0, 1] / np.var(x)),
    of=of_logarithms)

EXPONENT = named(
    ("the quicker part is taken", "after a long time the part that shrinks more slowly is all that is left",
     lambda alpha, d: min(-4 * alpha, alpha * d - 1)),
    ("above 0: an error that grows without end", "where the windows run empty the nearest key still answers, and its "
     "noise does not grow: the slope is 0", lambda alpha, d: max(-4 * alpha, alpha * d - 1)),
    ("the bias is not squared", "the bias goes with h², the error with its square",
     lambda alpha, d: min(0.0, max(-2 * alpha, alpha * d - 1))),
    ("the dimension is forgotten", "the window holds a number of keys like n·h^d: what does h^d become?",
     lambda alpha, d: min(0.0, max(-4 * alpha, alpha - 1))),
    ("the shrinking windows help against noise", "a narrower window holds fewer keys: put h into n·h^d and mind the "
     "sign of alpha", lambda alpha, d: max(-4 * alpha, -alpha * d - 1)),
    ("the bias alone", "the variance may be the slower part: what does it go with?", lambda alpha, d: -4 * alpha),
    ("the variance alone", "the bias may be the slower part: what does it go with?", lambda alpha, d: alpha * d - 1),
    ("the slope at the best power, whatever alpha is", "alpha is an argument: here h shrinks with another power",
     lambda alpha, d: -4 / (d + 4)),
    ("the two powers are added", "the parts are added, not multiplied: the slower one is left",
     lambda alpha, d: -4 * alpha + alpha * d - 1),
    ("the keys of a window stand above the line", "the variance is b over the number of keys: one over a power turns "
     "its sign", lambda alpha, d: min(0.0, max(-4 * alpha, 1 - alpha * d))))

NEEDED = named(
    ("the sign of the power is lost: fewer keys for a smaller error", "less error costs more keys",
     lambda ratio, d: ratio ** ((d + 4) / 4)),
    ("the power is upside down", "error goes with n to the power −4/(d + 4). Solve for n: the power is turned over",
     lambda ratio, d: ratio ** (-4 / (d + 4))),
    ("the price on a line, in every dimension", "which power does the error have in d dimensions?",
     lambda ratio, d: ratio ** (-5 / 4)),
    ("this is the logarithm of the factor", "log(ratio) = power · log(factor). One step is left: undo the logarithm",
     lambda ratio, d: -(d + 4) / 4 * math.log(ratio)),
    ("** -(d + 4) / 4 without brackets: first the power, then divided by 4", "Python takes powers before it divides: "
     "put the whole power into brackets", lambda ratio, d: ratio ** -(d + 4) / 4),
    ("1 / -4 / (d + 4) without brackets below the line", "Python works from left to right: put the power you divide by "
     "into brackets", lambda ratio, d: ratio ** (1 / -4 / (d + 4))),
    ("one over the ratio: as if the error went with 1/n",
     "that is so for an average without bias. Here the width has to follow", lambda ratio, d: 1 / ratio),
    ("the width's power, not the error's", "this is the price of a narrower window. Which power has the error?",
     lambda ratio, d: ratio ** -(d + 4.0)),
    ("this is the price for the root of the error", "ratio is about the mean squared error itself",
     lambda ratio, d: ratio ** (-(d + 4) / 2)),
    ("the ratio is left out: half the error, whatever was asked",
     "ratio is an argument: a tenth costs more than a half", lambda ratio, d: true_needed(0.5, d)))

SIMULATION = named(
    ("the queries near the border count too", "near a border the keys are on one side only, and the law does not hold: "
     "keep the queries that are inside", lambda x, margin: np.full(len(x), True)),
    ("a query counts if any of its features is inside", "it has to be inside in every one of them: all, not any",
     lambda x, margin: np.any((x >= margin) & (x <= SIDE - margin), axis=1)),
    ("the upper border is forgotten", "the cube ends at 5 as well: at least margin away from both ends",
     lambda x, margin: np.all(x >= margin, axis=1)),
    ("the lower border is forgotten", "the cube begins at 0: at least margin away from both ends",
     lambda x, margin: np.all(x <= SIDE - margin, axis=1)),
    of=lambda inside: measured(inside=inside)) + named(
    ("every answer is NaN, as if your mask keeps no query", "a mean over no query is NaN. Print your mask, and the two "
     "ends between which a query has to lie: can any number pass both comparisons?", lambda **inputs: np.nan),
    ("the keys near the border are thrown away", "all keys may answer. It is the queries that have to be inside",
     middle_keys_only)) + named(
    ("divided by all queries, not by those inside", "the mean runs over the queries that count: how many are these?",
     lambda gap, m: np.sum(gap**2) / m),
    ("the sum, not the mean", "it is a mean over queries", lambda gap, m: np.sum(gap**2)),
    ("the root of the error", "the mean squared error is asked for, so no root",
     lambda gap, m: np.sqrt(np.mean(gap**2))),
    ("the absolute error, not the squared one", "square each difference", lambda gap, m: np.mean(np.abs(gap))),
    ("the differences are not squared", "errors of opposite signs cancel: square each of them first",
     lambda gap, m: np.mean(gap)),
    ("the mean is squared, not the differences", "errors of opposite signs cancel: square first, then average",
     lambda gap, m: np.mean(gap) ** 2),
    ("the variance of the differences: the bias is lost",
     "np.var takes the mean away first, and that is part of the error", lambda gap, m: np.var(gap)),
    of=lambda error: measured(error=error)) + named(
    ("h where h² belongs", "the distance is divided by h before it is squared", lambda squares, h: -squares / (2 * h)),
    ("squares is already squared, and you square it again",
     "squares holds the distance squared. Only h is still to be squared", lambda squares, h: -((squares / h) ** 2) / 2),
    ("the ½ is missing", "a Gaussian of width h has ½ in front of the square", lambda squares, h: -squares / h**2),
    ("the minus is missing: the farthest keys weigh most", "a weight has to fall with the distance",
     lambda squares, h: squares / (2 * h**2)),
    of=lambda score: measured(score=score)) + named(
    ("the weights are not normalised", "the weights of a query have to sum to one",
     lambda weights, values: weights @ values),
    ("the wrong axis: the weights sum to one over the queries", "each query shares out a weight of 1 among the keys",
     lambda weights, values: weights / weights.sum(axis=0) @ values),
    of=lambda pool: measured(pool=pool))
