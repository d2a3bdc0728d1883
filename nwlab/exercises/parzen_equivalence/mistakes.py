"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""
import math
from functools import partial

import numpy as np

from nwlab.checks.item import named


def table(x, keys, bandwidth, labels=None, power=None,
          length=lambda gaps: np.sqrt(np.sum(gaps**2, axis=2)), shape=lambda u: np.maximum(0, 1 - u**2)):
    """The kernel table; without labels. May be wrong: length, of the gaps (m, n, d); shape, of u; the power of h."""
    d = x.shape[1] if x.ndim == 2 else 1
    gaps = x.reshape(len(x), 1, d) - keys.reshape(1, len(keys), d)
    constant = 0.75 if d == 1 else 2 / math.pi
    return constant * shape(length(gaps) / bandwidth) / bandwidth ** (d if power is None else power)


def density(**at):
    return table(**at).mean(axis=1)


def joint(**at):
    return table(**at) @ at["labels"] / len(at["keys"])


def average(**at):
    return joint(**at) / density(**at)


def conditional(x, keys, labels, bandwidth, absent=math.nan, sign=-1):
    """The class-conditional difference. absent: the density of a class without keys."""
    positive, negative = (density(x=x, keys=keys[own], bandwidth=bandwidth) if own.any() else absent
                          for own in (labels > 0, labels < 0))
    return positive + sign * negative


def in_reach(verdict, **at):
    """NaN where the window is empty."""
    return np.where(density(**at) > 0, verdict, math.nan)


DISTANCE = "|x − x_i| is the length of the difference: squares, their sum over the features, the root"

KERNEL_TABLE = named(
    ("the parabola is negative outside its window", "beyond one bandwidth the kernel is 0, and 1 − u² is negative "
     "there: what should become of u > 1?", partial(table, shape=lambda u: 1 - u**2)),
    ("the division by the bandwidth is missing", "a density has to integrate to one: a window twice as wide is half as "
     "high, and in the plane a quarter", partial(table, power=0)),
    ("the triangular kernel, 1 − u, instead of 1 − u²", "Epanechnikov's kernel is a parabola: which part is squared?",
     partial(table, shape=lambda u: np.maximum(0, 1 - u))),
    ("right on the line, wrong in the plane: the sum of the features' distances, not the distance", DISTANCE,
     partial(table, length=lambda gaps: abs(gaps).sum(axis=2))),
    ("right on the line, wrong in the plane: the differences are added up without squares", "a difference of +1 "
     f"and one of −1 cancel. {DISTANCE}", partial(table, length=lambda gaps: gaps.sum(axis=2))),
    ("the root is missing: u is the squared distance over h", f"{DISTANCE}. Only then the bandwidth comes in",
     partial(table, length=lambda gaps: np.sum(gaps**2, axis=2))),
    ("the root is missing: what you square is u² already", f"{DISTANCE}. Or leave out the root and the second "
     "square", partial(table, shape=lambda u: np.maximum(0, 1 - u**4))),
    ("the weights are normalised", "each row sums to one here: those are attention weights. A density is asked for, so "
     "nothing is divided by the row's sum", lambda **at: table(**at) / table(**at).sum(axis=1, keepdims=True)))

DENSITY = named(
    ("NaN for an empty window", "no key in reach means that the density there is 0: that is an answer. Nothing has to "
     "be divided by it", lambda **at: in_reach(density(**at), **at)))

JOINT = named(
    ("the weights are normalised: this is f_NW",
     "that is Nadaraya-Watson's average, which comes next. Here the sum is divided by n, not by Σ k", average),
    ("the class priors are gone: each class is divided by its own number of keys", "p̂(x, +1) is a joint density: it "
     "is smaller for a rarer class. Divide both sums by the same n", lambda **at: conditional(**at, absent=0.0)),
    ("the labels are left out", "without y_i this is the density p̂ of all keys. Where do the labels come in?",
     density),
    ("only the keys with label +1 count", "a label of −1 takes away: as a number, not as true or false",
     lambda **at: table(**at) @ (at["labels"] > 0) / len(at["keys"])),
    ("the mean of the labels times the density", "each label belongs to its own kernel value: multiply first, then "
     "take the mean", lambda **at: density(**at) * at["labels"].mean()))

CLASSIFY = named(
    ("0 for an empty window", "no key is in reach, so there is no verdict. 0 would say “exactly undecided”, which is a "
     "statement about data that are not there", lambda **at: np.sign(joint(**at))),
    ("NaN for a tie", "the joint difference is 0 in two cases: no key is in reach, or the keys in reach weigh the "
     "same. Which of your functions tells them apart?", lambda **at: joint(**at) / abs(joint(**at))),
    ("NaN where a key is only just in reach", "a small density is still a density: only where it is exactly 0 is there "
     "nothing to be said. With what do you compare it?",
     lambda **at: np.where(density(**at) > 1e-3, np.sign(joint(**at)), math.nan)),
    ("the average itself, not its sign", "f_NW lies between −1 and +1. A class is its sign", average),
    ("the class-conditional verdict", "each class was divided by its own number of keys. Nadaraya-Watson knows one sum "
     "over all keys", lambda **at: in_reach(np.sign(conditional(**at, absent=0.0)), **at)))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", "p̂(x | +1) is the density of the keys of one "
     "class, as if the others did not exist: divide by how many there are of that class", joint),
    ("a class without keys has density 0", "an average over no keys is 0/0. Nobody knows that density: say NaN",
     lambda **at: conditional(**at, absent=0.0)),
    ("NaN for an empty window", "both densities are 0 there, and 0 − 0 is 0. Nothing is divided by the density here, "
     "as it was in classify", lambda **at: in_reach(conditional(**at), **at)),
    ("the sum of the two densities, not their difference", "one of the two counts against the other",
     lambda **at: conditional(**at, sign=+1)),
    ("the sums are not divided", "two sums of kernel values are no densities: each needs its own 1/n_c",
     lambda **at: table(**at) @ at["labels"]))

DISAGREE = named(
    ("true where they agree", "the opposite is asked for: where do the verdicts differ?",
     lambda **at: ~(joint(**at) * conditional(**at) < 0)),
    ("NaN counts as a disagreement", "NaN differs from everything, even from NaN. Where a verdict is missing the two "
     "do not contradict each other", lambda **at: in_reach(np.sign(joint(**at)), **at) != np.sign(conditional(**at))),
    ("an empty window counts as a disagreement", "both differences are 0 there, and 0 has no side: ask for a product "
     "below 0, not for one that is not above", lambda **at: joint(**at) * conditional(**at) <= 0),
    ("only one direction: joint below 0, conditional above", "is the other direction possible too?",
     lambda **at: (joint(**at) < 0) & (conditional(**at) > 0)))
