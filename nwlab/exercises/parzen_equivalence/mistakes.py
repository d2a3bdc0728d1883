"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""

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
    ("right on the line, wrong in the plane: the sum of the features' distances, not the distance",
     {"length": lambda gaps: abs(gaps).sum(axis=2)}),
    right=table)

DENSITY = named(
    ("NaN for an empty window", lambda **at: in_reach(density(**at), **at)),
    ("divided by the number of queries", lambda **at: table(**at).sum(axis=1) / len(at["x"])))

JOINT = named(
    ("the weights are normalised: this is f_NW", average),
    ("the class priors are gone: each class is divided by its own number of keys",
     lambda **at: conditional(**at, absent=0.0)),
    ("the labels are left out", density),
    ("NaN for an empty window", lambda **at: in_reach(joint(**at), **at)))

CLASSIFY = named(
    ("0 for an empty window", lambda **at: np.sign(joint(**at))),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) >= 0, 1, -1), **at)),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) > 0, 1, -1), **at)),
    ("the average itself, not its sign", average))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", joint),
    ("a class without keys has density 0", lambda **at: conditional(**at, absent=0.0)),
    ("NaN for an empty window", lambda **at: in_reach(conditional(**at), **at)))

DISAGREE = named(
    ("true where they agree", lambda **at: ~(joint(**at) * conditional(**at) < 0)),
    ("NaN counts as a disagreement", lambda **at: in_reach(np.sign(joint(**at)), **at) != np.sign(conditional(**at))),
    ("an empty window counts as a disagreement", lambda **at: joint(**at) * conditional(**at) <= 0))
