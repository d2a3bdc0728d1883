"""Parzen windows and Nadaraya-Watson classification: the same sign, wherever a key is in reach."""
import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from workbook.exercises.parzen_equivalence import figures
from workbook.exercises.parzen_equivalence import problems as p


def average(**at):
    return p.true_joint(**at) / p.true_density(**at)


KERNEL_TABLE = named(
    ("the parabola is negative outside its window", {"shape": lambda u: 1 - u**2}),
    ("the division by the bandwidth is missing", {"power": 0}),
    ("right on the line, wrong in the plane: the sum of the features' distances, not the distance",
     {"length": lambda gaps: abs(gaps).sum(axis=2)}),
    right=p.true_kernel)

DENSITY = named(
    ("NaN for an empty window", lambda **at: p.in_reach(p.true_density(**at), **at)),
    ("divided by the number of queries", lambda **at: p.true_kernel(**at).sum(axis=1) / len(at["x"])))

JOINT = named(
    ("the weights are normalised: this is f_NW", average),
    ("the class priors are gone: each class is divided by its own number of keys",
     lambda **at: p.true_conditional(**at, absent=0.0)),
    ("the labels are left out", p.true_density),
    ("NaN for an empty window", lambda **at: p.in_reach(p.true_joint(**at), **at)))

CLASSIFY = named(
    ("0 for an empty window", lambda **at: np.sign(p.true_joint(**at))),
    ("a tie is given to one side", lambda **at: p.in_reach(np.where(p.true_joint(**at) >= 0, 1, -1), **at)),
    ("a tie is given to one side", lambda **at: p.in_reach(np.where(p.true_joint(**at) > 0, 1, -1), **at)),
    ("the average itself, not its sign", average))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", p.true_joint),
    ("a class without keys has density 0", lambda **at: p.true_conditional(**at, absent=0.0)),
    ("NaN for an empty window", lambda **at: p.in_reach(p.true_conditional(**at), **at)))

DISAGREE = named(
    ("true where they agree", lambda **at: ~(p.true_joint(**at) * p.true_conditional(**at) < 0)),
    ("NaN counts as a disagreement",
     lambda **at: p.in_reach(np.sign(p.true_joint(**at)), **at) != np.sign(p.true_conditional(**at))),
    ("an empty window counts as a disagreement", lambda **at: p.true_joint(**at) * p.true_conditional(**at) <= 0))

UNLABELLED = {"arguments": ("x", "keys", "bandwidth"), "by_hand": p.without_labels,
              "inputs": p.UNLABELLED, "library": "any"}
LABELLED = {"arguments": p.GIVEN, "inputs": p.LABELLED, "library": "any"}

EXERCISE = Exercise(__name__, "Parzen windows and the Nadaraya–Watson classifier", (
    Item("kernel_table", "The kernel of all pairs",
         "k(x, x_i) for every query and key, (m, n): rows are queries, columns are keys", points=2,
         oracle=p.true_kernel, loops=False, mistakes=KERNEL_TABLE, **UNLABELLED),
    Item("density", "The Parzen density", "p̂(x) = (1/n) Σ k(x, x_i) for every query, (m,)",
         oracle=p.true_density, mistakes=DENSITY, **UNLABELLED),
    Item("joint_difference", "The joint difference",
         "(1/n) Σ y_i k(x, x_i) = p̂(x, +1) − p̂(x, −1) for every query, (m,)", points=2,
         by_hand=p.two_classes, oracle=p.true_joint, mistakes=JOINT, **LABELLED),
    Item("classify", "The Nadaraya–Watson classifier", "the sign of f_NW(x), +1, −1, or 0 at a tie, for every query, "
         "(m,), and NaN where no key is in reach", points=2,
         by_hand=p.ties, oracle=p.true_class, mistakes=CLASSIFY, **LABELLED),
    Item("conditional_difference", "The class-conditional difference", "p̂(x | +1) − p̂(x | −1), each class divided by "
         "its own number of keys, (m,): 0 where no key is in reach, and NaN everywhere only if a class has no keys",
         points=2, by_hand=p.two_classes, oracle=p.true_conditional, mistakes=CONDITIONAL, **LABELLED),
    Item("disagree", "Where the verdicts differ", "for every query true where joint and class-conditional difference "
         "have opposite signs, (m,), true or false", points=2,
         by_hand=p.two_classes, oracle=p.true_disagree, mistakes=DISAGREE, **LABELLED)))
publish(globals(), EXERCISE, figures)
