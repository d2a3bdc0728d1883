"""The mistakes of `consistency_rate`, item by item: what goes wrong with powers and logarithms."""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.consistency_rate.problems import true_needed, true_rates

# --- the law

LAW = (
    Mistake("the bias is not squared: h² for h⁴", "the bias goes with h². Its square is what counts in a squared error: which "
            "power of h is that?", lambda h, n, d, a, b: a * h**2 + b / (n * h**d)),
    Mistake("two powers of h are wrong: h² for h⁴, and h for h^d", "the bias goes with h², and its square counts. And a window holds "
            "n·h keys on a line only: what in the plane?", lambda h, n, d, a, b: a * h**2 + b / (n * h)),
    Mistake("b / n * h divides by n and multiplies by h, and the dimension is forgotten", "put what stands below the line into brackets; "
            "then ask how the size of a window goes with h in d dimensions", lambda h, n, d, a, b: a * h**4 + b / n * h),
    Mistake("h² for h⁴, and b / n * h**d without brackets", "the bias goes with h², and its square counts. And put what stands below the "
            "line into brackets", lambda h, n, d, a, b: a * h**2 + b / n * h**d),
    Mistake("the dimension is forgotten: n·h for n·h^d", "on a line a window holds a number of keys like n·h. In the plane it is a "
            "disc, in space a ball", lambda h, n, d, a, b: a * h**4 + b / (n * h)),
    Mistake("the keys are raised to the power d too", "there are n keys, in any dimension. Only the window's size grows with d",
            lambda h, n, d, a, b: a * h**4 + b / (n * h) ** d),
    Mistake("b / n * h**d divides by n and multiplies by the rest", "Python works from left to right: put what stands below the "
            "line into brackets", lambda h, n, d, a, b: a * h**4 + b / n * h**d),
    Mistake("the variance grows with the number of keys", "more keys average more noise away: the number of keys in the window is "
            "below the line", lambda h, n, d, a, b: a * h**4 + b * n * h**d),
    Mistake("the bias is divided by n too", "more keys at the same width see the same bend: only the variance falls with n",
            lambda h, n, d, a, b: (a * h**4 + b / h**d) / n),
    Mistake("the variance is divided by n twice", "the number of keys in the window holds one n, and that is all",
            lambda h, n, d, a, b: a * h**4 + b / (n * h**d) / n),
    Mistake("a is squared again", "a is the square of c already", lambda h, n, d, a, b: (a * h**2) ** 2 + b / (n * h**d)),
    Mistake("the squared bias alone", "the error has two parts. What does the noise add?", lambda h, n, d, a, b: a * h**4),
    Mistake("the variance alone", "the error has two parts. What does the bend of the truth add?", lambda h, n, d, a, b:
            b / (n * h**d)),
    Mistake("the difference of the two parts", "two causes of error: they add up", lambda h, n, d, a, b: a * h**4 - b / (n * h**d)),
    Mistake("the root of the error", "the mean squared error is asked for, so no root", lambda h, n, d, a, b:
            np.sqrt(a * h**4 + b / (n * h**d))),
)

# --- the best width


def root(n, d, a, b, factor=None, order=None):
    return ((d / 4 if factor is None else factor) * b / (a * n)) ** (1 / (d + 4 if order is None else order))


WIDTH = (
    Mistake("the two parts are set equal", "at the best width not the parts but their slopes cancel: take the derivative of each. "
            "What comes down in front of h to the power −d?", lambda n, d, a, b: root(n, d, a, b, 1)),
    Mistake("the 4 is missing", "what is the derivative of h⁴?", lambda n, d, a, b: root(n, d, a, b, d)),
    Mistake("a 2 stands where the 4 belongs", "what is the derivative of h⁴?", lambda n, d, a, b: root(n, d, a, b, d / 2)),
    Mistake("the d in front is missing", "the derivative of h to the power −d brings a factor down. On a line it is 1, and nobody "
            "sees it", lambda n, d, a, b: root(n, d, a, b, 1 / 4)),
    Mistake("the d in front and the 4 changed places", "4 came down from h⁴ and stands with a; d came down from h to the power −d and "
            "stands with b", lambda n, d, a, b: root(n, d, a, b, 4 / d)),
    Mistake("the d in front stands below the line", "which part of the law brought it down, the one with a or the one with b?",
            lambda n, d, a, b: root(n, d, a, b, 1 / (4 * d))),
    Mistake("a and b are left out: this is the power of n alone", "the power is right. The constants of the law belong to the width too: solve "
            "for h step by step", lambda n, d, a, b: np.asarray(n, float) ** (-1 / (d + 4))),
    Mistake("** (1 / d + 4) without brackets around d + 4", "Python divides before it adds: put d + 4 into brackets", lambda n, d, a, b:
            (d * b / (4 * a * n)) ** (1 / d + 4)),
    Mistake("the answer for a line, in every dimension: 1/5", "the worked one has d = 1. Which of its numbers are d, or d + something?",
            lambda n, d, a, b: root(n, d, a, b, 1 / 4, 5)),
    Mistake("the power is 1/5 in every dimension", "multiply the equation by h to the power d + 1: what becomes of h³?",
            lambda n, d, a, b: root(n, d, a, b, order=5)),
    Mistake("the sign of the power is lost: the width grows with n", "more keys, narrower windows. Is your fraction upside down?",
            lambda n, d, a, b: 1 / root(n, d, a, b)),
    Mistake("the root is not taken: this is h to the power d + 4", "one step is left: solve for h", lambda n, d, a, b:
            d * b / (4 * a * n)),
    Mistake("** 1 / (d + 4) without brackets: first to the power 1, then divided", "Python takes powers before it divides: put the "
            "power into brackets", lambda n, d, a, b: d * b / (4 * a * n) / (d + 4)),
    Mistake("/ 4 * a * n without brackets below the line", "Python works from left to right: put what stands below the line into "
            "brackets", lambda n, d, a, b: (d * b / 4 * a * n) ** (1 / (d + 4))),
    Mistake("the power of h is d + 3: one h was lost on the way", "h³ on one side, one over h to the power d + 1 on the other: "
            "multiply them", lambda n, d, a, b: root(n, d, a, b, order=d + 3)),
    Mistake("the power of h is d + 5: one h too many", "h³ on one side, one over h to the power d + 1 on the other: multiply them",
            lambda n, d, a, b: root(n, d, a, b, order=d + 5)),
    Mistake("this is the best width for a bias of h, not of h²", "the first part of the law is a·h⁴: what is its derivative?",
            lambda n, d, a, b: root(n, d, a, b, d / 2, d + 2)),
    Mistake("n is left out", "the best width depends on the number of keys: where is n in the law?", lambda n, d, a, b:
            root(np.ones_like(n), d, a, b)),
    Mistake("n counts twice", "the law divides by n once", lambda n, d, a, b: root(np.asarray(n, float) ** 2, d, a, b)),
    Mistake("the error at the best width, not the width", "this is the law at its lowest point. Where does that point lie?",
            lambda n, d, a, b: (lambda h: a * h**4 + b / (n * h**d))(root(n, d, a, b))),
)

# --- the two powers

RATES = (
    Mistake("the signs are lost", "with more keys both shrink, the width and the error: what is the sign of a power that shrinks?",
            lambda d: (1 / (d + 4), 4 / (d + 4))),
    Mistake("the sign of the width's power is lost", "the best width shrinks with n", lambda d: (1 / (d + 4), -4 / (d + 4))),
    Mistake("the sign of the error's power is lost", "the error shrinks with n", lambda d: (-1 / (d + 4), 4 / (d + 4))),
    Mistake("the powers for a line, in every dimension", "d is an argument: where does it stand in your best_width?", lambda d:
            (-1 / 5, -4 / 5)),
    Mistake("the powers changed places", "first the width's, then the error's", lambda d: true_rates(d)[::-1]),
    Mistake("−1/d keeps the number of keys in a window as it is", "then the noise stays for ever. Read the power off your "
            "best_width", lambda d: (-1 / d, -4 / d)),
    Mistake("the error goes with h⁴, and here it goes with h²", "squared bias is what is left of the error: which power of h?",
            lambda d: (-1 / (d + 4), -2 / (d + 4))),
    Mistake("these are the powers for a bias of h, not of h²", "the first part of the law is a·h⁴", lambda d: (-1 / (d + 2), -2 / (d + 2))),
    Mistake("the error's power is the one of h⁴ at d = 1", "put your best width into a·h⁴: a power of a power multiplies",
            lambda d: (-1 / (d + 4), -4 / 5)),
    Mistake("the error's power is that of b / n alone", "the window shrinks as well: put your best width into n·h^d", lambda d:
            (-1 / (d + 4), -1.0)),
    Mistake("the width's power is used for both", "the error goes with h⁴: a power of a power multiplies", lambda d:
            (-1 / (d + 4), -1 / (d + 4))),
    Mistake("−1 / d + 4 without brackets below the line", "Python divides before it adds: put d + 4 into brackets", lambda d:
            (-1 / d + 4, -4 / d + 4)),
    Mistake("// rounds down to whole numbers", "/ divides, // divides and throws the rest away", lambda d: (-1 // (d + 4), -4 // (d + 4))),
)

# --- a slope


def fitted(x, y):
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)


def height(x, y):
    return y.mean() - fitted(x, y) * x.mean()


def last_over_first(x, y):
    return (y[-1] - y[0]) / (x[-1] - x[0])


def both(log):
    """What np.polyfit returns: slope and height."""
    return lambda ns, errors: np.array([fitted(log(ns), log(errors)), height(log(ns), log(errors))])


TWO = "the line is y = slope · x + height. np.polyfit returns the highest power first"
SLOPE = (
    Mistake("polyfit returns two numbers: which is the slope?", TWO, both(np.log)),
    Mistake("polyfit returns two numbers (here with base 10): which is the slope?", TWO, both(np.log10)),
    Mistake("polyfit returns two numbers (here with base 2): which is the slope?", TWO, both(np.log2)),
    Mistake("no logarithms at all", "a power law is a straight line on log–log axes only: both axes need one", lambda ns, errors:
            fitted(ns, errors)),
    Mistake("the logarithm of the errors alone", "log–log: the sizes need one too", lambda ns, errors: fitted(ns, np.log(errors))),
    Mistake("the logarithm of the sizes alone", "log–log: the errors need one too", lambda ns, errors: fitted(np.log(ns), errors)),
    Mistake("two different logarithms: base 10 for the errors alone", "any base will do, as long as it is the same for both",
            lambda ns, errors: fitted(np.log(ns), np.log10(errors))),
    Mistake("two different logarithms: base 10 for the sizes alone", "any base will do, as long as it is the same for both",
            lambda ns, errors: fitted(np.log10(ns), np.log(errors))),
    Mistake("sizes and errors changed places", "the error is the y of the line, n its x", lambda ns, errors:
            fitted(np.log(errors), np.log(ns))),
    Mistake("the line's height at 0, not its slope", "np.polyfit returns the highest power first", lambda ns, errors:
            height(np.log(ns), np.log(errors))),
    Mistake("the line's height at 0, not its slope (and base 10)", "np.polyfit returns the highest power first", lambda ns, errors:
            height(np.log10(ns), np.log10(errors))),
    Mistake("the mean of log(error) / log(n)", "that draws a line from 0 to each point. One line through all of them is asked for, with "
            "a height of its own", lambda ns, errors: np.mean(np.log(errors) / np.log(ns))),
    Mistake("only the first and the last size are used", "a least-squares line listens to all of them", lambda ns, errors:
            last_over_first(np.log(ns), np.log(errors))),
    Mistake("the mean of the slopes from size to size", "this weighs every gap alike, be it wide or narrow. Least squares fit one line",
            lambda ns, errors: np.mean(np.diff(np.log(errors)) / np.diff(np.log(ns)))),
    Mistake("the line is forced through 0", "a power law may have any constant in front: the line needs a height of its own",
            lambda ns, errors: np.sum(np.log(ns) * np.log(errors)) / np.sum(np.log(ns) ** 2)),
    Mistake("the correlation, not the slope", "the correlation has no units and never leaves −1 to 1", lambda ns, errors:
            np.corrcoef(np.log(ns), np.log(errors))[0, 1]),
    Mistake("np.cov divides by n − 1, np.var by n", "both need the same divisor, then it cancels: see ddof", lambda ns, errors:
            fitted(np.log(ns), np.log(errors)) * len(ns) / (len(ns) - 1)),
)

# --- any power

EXPONENT = (
    Mistake("the quicker part is taken", "after a long time the part that shrinks more slowly is all that is left", lambda alpha, d:
            min(-4 * alpha, -(1 - alpha * d))),
    Mistake("above 0: an error that grows without end", "where the windows run empty the nearest key still answers, and its noise "
            "does not grow: the slope is 0", lambda alpha, d: max(-4 * alpha, -(1 - alpha * d))),
    Mistake("the bias is not squared", "the bias goes with h², the error with its square", lambda alpha, d:
            min(0.0, max(-2 * alpha, -(1 - alpha * d)))),
    Mistake("the dimension is forgotten", "the window holds a number of keys like n·h^d: what does h^d become?", lambda alpha, d:
            min(0.0, max(-4 * alpha, -(1 - alpha)))),
    Mistake("the shrinking windows help against noise", "a narrower window holds fewer keys: put h into n·h^d and mind the sign of "
            "alpha", lambda alpha, d: max(-4 * alpha, -(1 + alpha * d))),
    Mistake("the bias alone", "the variance may be the slower part: what does it go with?", lambda alpha, d: -4 * alpha),
    Mistake("the variance alone", "the bias may be the slower part: what does it go with?", lambda alpha, d: -(1 - alpha * d)),
    Mistake("the variance alone, and 0 where it grows", "the bias may be the slower part: what does it go with?", lambda alpha, d:
            min(0.0, -(1 - alpha * d))),
    Mistake("the slope at the best power, whatever alpha is", "alpha is an argument: here h shrinks with another power", lambda alpha, d:
            -4 / (d + 4)),
    Mistake("the two powers are added", "the parts are added, not multiplied: the slower one is left", lambda alpha, d:
            -4 * alpha - (1 - alpha * d)),
    Mistake("the two powers are added, and the sign of alpha · d is lost", "the parts are added, not multiplied: the slower one is left. "
            "And a narrower window holds fewer keys", lambda alpha, d: -4 * alpha - 1 - alpha * d),
    Mistake("the keys of a window stand above the line", "the variance is b over the number of keys: one over a power turns its sign",
            lambda alpha, d: min(0.0, max(-4 * alpha, 1 - alpha * d))),
    Mistake("the keys of a window stand above the line, and the slope gets above 0", "the variance is b over the number of keys: one over a "
            "power turns its sign", lambda alpha, d: max(-4 * alpha, 1 - alpha * d)),
    Mistake("never below 0 instead of never above 0", "an error that shrinks has a slope below 0: which of min and max keeps it?",
            lambda alpha, d: max(0.0, -4 * alpha, -(1 - alpha * d))),
    Mistake("the mean of the two powers", "after a long time the quicker part is gone: it does not count at all", lambda alpha, d:
            (-4 * alpha - (1 - alpha * d)) / 2),
)

# --- the price

NEEDED = (
    Mistake("the sign of the power is lost: fewer keys for a smaller error", "less error costs more keys", lambda ratio, d:
            1 / true_needed(ratio, d)),
    Mistake("the power is upside down", "error goes with n to the power −4/(d + 4). Solve for n: the power is turned over",
            lambda ratio, d: ratio ** (-4 / (d + 4))),
    Mistake("the power is upside down, and its sign lost", "solve for n: the power is turned over and keeps its sign", lambda ratio, d:
            ratio ** (4 / (d + 4))),
    Mistake("the price on a line, in every dimension", "which power does the error have in d dimensions?", lambda ratio, d: ratio ** (-5 / 4)),
    Mistake("this is the logarithm of the factor", "log(ratio) = power · log(factor). One step is left: undo the logarithm",
            lambda ratio, d: -(d + 4) / 4 * math.log(ratio)),
    Mistake("this is the logarithm of the factor, to base 10", "log(ratio) = power · log(factor). One step is left: undo the logarithm",
            lambda ratio, d: -(d + 4) / 4 * math.log10(ratio)),
    Mistake("this is the logarithm of the factor, to base 2", "log(ratio) = power · log(factor). One step is left: undo the logarithm",
            lambda ratio, d: -(d + 4) / 4 * math.log2(ratio)),
    Mistake("** -(d + 4) / 4 without brackets: first the power, then divided by 4", "Python takes powers before it divides: put the whole "
            "power into brackets", lambda ratio, d: ratio ** -(d + 4) / 4),
    Mistake("1 / -4 / (d + 4) without brackets below the line", "Python works from left to right: put the power you divide by into brackets",
            lambda ratio, d: ratio ** (1 / -4 / (d + 4))),
    Mistake("one over the ratio: as if the error went with 1/n", "that is so for an average without bias. Here the width has to follow",
            lambda ratio, d: 1 / ratio),
    Mistake("the width's power, not the error's", "this is the price of a narrower window. Which power has the error?", lambda ratio, d:
            ratio ** -(d + 4.0)),
    Mistake("this is the price for the root of the error", "ratio is about the mean squared error itself", lambda ratio, d:
            ratio ** (-(d + 4) / 2)),
    Mistake("rounded up to a whole number", "how many *times* more: 2.4 is a fine answer", lambda ratio, d:
            float(math.ceil(true_needed(ratio, d) - 1e-9))),
    Mistake("rounded to a whole number", "how many *times* more: 2.4 is a fine answer", lambda ratio, d:
            float(round(true_needed(ratio, d)))),
    Mistake("the ratio is left out: half the error, whatever was asked", "ratio is an argument: a tenth costs more than a half",
            lambda ratio, d: true_needed(0.5, d)),
    Mistake("// rounds down to whole numbers", "/ divides, // divides and throws the rest away", lambda ratio, d:
            ratio ** float(-(d + 4) // 4)),
)
