"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""
import math

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


KERNEL_TABLE = named(
    ("the parabola is negative outside its window", {"shape": lambda u: 1 - u**2}),
    ("the division by the bandwidth is missing", {"power": 0}),
    ("the triangular kernel, 1 − u, instead of 1 − u²", {"shape": lambda u: np.maximum(0, 1 - u)}),
    ("right on the line, wrong in the plane: the sum of the features' distances, not the distance",
     {"length": lambda gaps: abs(gaps).sum(axis=2)}),
    ("right on the line, wrong in the plane: the differences are added up without squares",
     {"length": lambda gaps: gaps.sum(axis=2)}),
    ("the root is missing: u is the squared distance over h",
     {"length": lambda gaps: np.sum(gaps**2, axis=2)}),
    ("the root is missing: what you square is u² already", {"shape": lambda u: np.maximum(0, 1 - u**4)}),
    ("the weights are normalised", lambda **at: table(**at) / table(**at).sum(axis=1, keepdims=True)), right=table)

DENSITY = named(("NaN for an empty window", lambda **at: in_reach(density(**at), **at)))

JOINT = named(
    ("the weights are normalised: this is f_NW", average),
    ("the class priors are gone: each class is divided by its own number of keys",
     lambda **at: conditional(**at, absent=0.0)),
    ("the labels are left out", density),
    ("only the keys with label +1 count", lambda **at: table(**at) @ (at["labels"] > 0) / len(at["keys"])),
    ("the mean of the labels times the density", lambda **at: density(**at) * at["labels"].mean()))

CLASSIFY = named(
    ("0 for an empty window", lambda **at: np.sign(joint(**at))),
    ("NaN for a tie", lambda **at: joint(**at) / abs(joint(**at))),
    ("NaN where a key is only just in reach",
     lambda **at: np.where(density(**at) > 1e-3, np.sign(joint(**at)), math.nan)),
    ("the average itself, not its sign", average),
    ("the class-conditional verdict", lambda **at: in_reach(np.sign(conditional(**at, absent=0.0)), **at)))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", joint),
    ("a class without keys has density 0", lambda **at: conditional(**at, absent=0.0)),
    ("NaN for an empty window", lambda **at: in_reach(conditional(**at), **at)),
    ("the sum of the two densities, not their difference", lambda **at: conditional(**at, sign=+1)),
    ("the sums are not divided", lambda **at: table(**at) @ at["labels"]))

DISAGREE = named(
    ("true where they agree", lambda **at: ~(joint(**at) * conditional(**at) < 0)),
    ("NaN counts as a disagreement", lambda **at: in_reach(np.sign(joint(**at)), **at) != np.sign(conditional(**at))),
    ("an empty window counts as a disagreement", lambda **at: joint(**at) * conditional(**at) <= 0),
    ("only one direction: joint below 0, conditional above", lambda **at: (joint(**at) < 0) & (conditional(**at) > 0)))
