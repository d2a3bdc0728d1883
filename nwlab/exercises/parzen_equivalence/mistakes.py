"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""
import math

import numpy as np

from nwlab.checks.item import named
from nwlab.exercises.parzen_equivalence.problems import (
    in_reach, true_conditional as conditional, true_density as density, true_joint as joint, true_kernel as table,
)


def average(**at):
    return joint(**at) / density(**at)


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
