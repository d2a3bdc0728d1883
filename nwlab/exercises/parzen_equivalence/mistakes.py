"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""
import math

import numpy as np

from workbook.checks.item import named
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
    ("the root is missing: u is the squared distance over h", {"length": lambda gaps: np.sum(gaps**2, axis=2)}),
    ("every key within the bandwidth counts the same", {"shape": lambda u: 1.0 * (u < 1)}),
    ("right on the line, wrong in the plane: divided by h, not by h²", {"power": 1}),
    ("the weights are normalised", lambda **at: table(**at) / table(**at).sum(axis=1, keepdims=True)),
    ("the constant in front is missing", lambda **at: table(**at) / (0.75 if at["x"].ndim == 1 else 2 / math.pi)),
    right=table)

DENSITY = named(
    ("NaN for an empty window", lambda **at: in_reach(density(**at), **at)),
    ("divided by the number of queries", lambda **at: table(**at).sum(axis=1) / len(at["x"])),
    ("only the keys in reach are counted", lambda **at: table(**at).sum(axis=1) / np.sum(table(**at) > 0, axis=1)),
    ("only the keys in reach are counted",
     lambda **at: table(**at).sum(axis=1) / np.maximum(1, np.sum(table(**at) > 0, axis=1))),
    ("equal keys count only once", lambda keys, **at: density(keys=np.unique(keys, axis=0), **at)))

JOINT = named(
    ("the weights are normalised: this is f_NW", average),
    ("the class priors are gone: each class is divided by its own number of keys",
     lambda **at: conditional(**at, absent=0.0)),
    ("the labels are left out", density),
    ("only the keys with label +1 count", lambda **at: table(**at) @ (at["labels"] > 0) / len(at["keys"])),
    ("NaN for an empty window", lambda **at: in_reach(joint(**at), **at)))

CLASSIFY = named(
    ("0 for an empty window", lambda **at: np.sign(joint(**at))),
    ("NaN for a tie", lambda **at: joint(**at) / abs(joint(**at))),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) >= 0, 1, -1), **at)),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) > 0, 1, -1), **at)),
    ("an empty window and a tie are given to one side", lambda **at: np.where(joint(**at) >= 0, 1, -1)),
    ("an empty window and a tie are given to one side", lambda **at: np.where(joint(**at) > 0, 1, -1)),
    ("the average itself, not its sign", average),
    ("the class-conditional verdict", lambda **at: in_reach(np.sign(conditional(**at, absent=0.0)), **at)))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", joint),
    ("a class without keys has density 0", lambda **at: conditional(**at, absent=0.0)),
    ("NaN for an empty window", lambda **at: in_reach(conditional(**at), **at)),
    ("this is f_NW, the joint difference divided by p̂(x)", average),
    ("the sum of the two densities, not their difference", lambda **at: conditional(**at, sign=+1)))

DISAGREE = named(
    ("true where they agree", lambda **at: ~(joint(**at) * conditional(**at) < 0)),
    ("NaN counts as a disagreement", lambda **at: in_reach(np.sign(joint(**at)), **at) != np.sign(conditional(**at))),
    ("0 and NaN count as one of the two sides", lambda **at: (joint(**at) > 0) != (conditional(**at) > 0)),
    ("0 and NaN count as one of the two sides", lambda **at: (joint(**at) >= 0) != (conditional(**at) >= 0)),
    ("an empty window counts as a disagreement", lambda **at: joint(**at) * conditional(**at) <= 0),
    ("the product itself, not whether it is below 0", lambda **at: joint(**at) * conditional(**at)),
    ("only one direction", lambda **at: (joint(**at) < 0) & (conditional(**at) > 0)),
    ("only one direction", lambda **at: (joint(**at) > 0) & (conditional(**at) < 0)))
