"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever a key is in reach."""
import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.parzen_equivalence import figures
from workbook.exercises.parzen_equivalence import problems as p


def average(**at):
    return p.joint_difference(**at) / p.density(**at)


def both(**at):
    return p.joint_difference(**at) * p.conditional_difference(**at)


UNLABELLED = {"by_hand": p.without_labels, "inputs": p.UNLABELLED, "library": "any"}
LABELLED = {"inputs": p.LABELLED, "library": "any"}

EXERCISE = Exercise(__name__, "Parzen windows and the Nadaraya–Watson classifier", (
    Item("kernel_table", points=2, oracle=p.kernel_table, loops=False, **UNLABELLED, mistakes=(
        ("the parabola is negative outside its window", {"shape": lambda u: 1 - u**2}),
        ("the division by the bandwidth is missing", {"power": 0}),
        ("right on the line, wrong in the plane: the sum of the features' distances, not the distance",
         {"length": lambda gaps: abs(gaps).sum(axis=2)}))),
    Item("density", oracle=p.density, **UNLABELLED, mistakes=(
        ("divided by the number of keys in reach", lambda **at: p.kernel_table(**at).sum(axis=1) / np.maximum(
            1, (p.kernel_table(**at) > 0).sum(axis=1))),)),
    Item("joint_difference", points=2, by_hand=p.two_classes, oracle=p.joint_difference, **LABELLED, mistakes=(
        ("the weights are normalised: this is f_NW", average),
        ("the class priors are gone: each class is divided by its own number of keys",
         lambda **at: p.conditional_difference(**at, absent=0.0)),
        ("the labels are left out", p.density))),
    Item("classify", arguments=p.GIVEN, points=2, by_hand=p.ties, oracle=p.classify, **LABELLED,
         mistakes=(("the average itself, not its sign", average),)),
    Item("conditional_difference", points=2, by_hand=p.two_classes, oracle=p.conditional_difference, **LABELLED,
         mistakes=(("the class priors are still in it: this is the joint difference", p.joint_difference),)),
    Item("disagree", arguments=p.GIVEN, points=2, by_hand=p.two_classes, oracle=p.disagree, **LABELLED, mistakes=(
        ("NaN counts as a disagreement",
         lambda **at: p.in_reach(np.sign(p.joint_difference(**at)), **at) != np.sign(p.conditional_difference(**at))),
        ("0 counts as a side of its own", lambda **at: (both(**at) < 0) | (
            (p.joint_difference(**at) == 0) != (p.conditional_difference(**at) == 0)) & np.isfinite(both(**at))),
        ("an empty window counts as a disagreement", lambda **at: both(**at) <= 0)))))
publish(globals(), EXERCISE, figures)
