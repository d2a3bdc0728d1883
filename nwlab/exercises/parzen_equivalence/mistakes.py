"""The mistakes that `parzen_equivalence` knows by name, beside what any item knows."""
import math

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.parzen_equivalence.problems import (
    in_reach, true_conditional as conditional, true_density as density, true_joint as joint, true_kernel as table,
)


def average(**at):
    return joint(**at) / density(**at)


def per_side(**at):
    """The joint densities of the two classes."""
    return tuple((joint(**at) * side + density(**at)) / 2 for side in (1, -1))


def nearest(x, keys, labels, bandwidth):
    """The label of the nearest key."""
    flat = [points.reshape(len(points), -1) for points in (x, keys)]
    return labels[np.sum((flat[0][:, None] - flat[1]) ** 2, axis=2).argmin(axis=1)]


def per_other_class(**at):
    """Each class divided by the number of the other's keys."""
    counts = [np.sum(at["labels"] == side) for side in (1, -1)]
    one, other = (len(at["keys"]) * side for side in per_side(**at))
    return one / counts[1] - other / counts[0]


def per_class_twice(**at):
    """Each class-conditional density divided by the number of the class's keys once more."""
    counts = [np.sum(at["labels"] == side) for side in (1, -1)]
    one, other = (len(at["keys"]) * side for side in per_side(**at))
    return one / counts[0] ** 2 - other / counts[1] ** 2


def within_both(**at):
    """NaN where one of the two classes is out of reach."""
    one, other = per_side(**at)
    return np.where((one > 0) & (other > 0), conditional(**at), math.nan)


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
    ("the window is the wrong way round: the parabola counts beyond the bandwidth",
     {"shape": lambda u: (1 - u**2) * (u > 1)}),
    ("the parabola is folded up outside its window", {"shape": lambda u: abs(1 - u**2)}),
    ("every key within the bandwidth counts the same", {"shape": lambda u: 1.0 * (u < 1)}),
    ("another kernel: the parabola is squared", {"shape": lambda u: np.maximum(0, 1 - u**2) ** 2}),
    ("another kernel: the Gaussian", {"shape": lambda u: np.exp(-u**2 / 2)}),
    ("another kernel: the Gaussian", {"shape": lambda u: np.exp(-u**2 / 2) * (u < 1)}),
    ("u is not divided by the bandwidth",
     lambda x, keys, bandwidth: table(x, keys, 1.0) / bandwidth**x.ndim),
    ("a key at x itself does not count", {"shape": lambda u: np.maximum(0, 1 - u**2) * (u > 0)}),
    ("the weights are normalised", lambda **at: table(**at) / table(**at).sum(axis=1, keepdims=True)),
    ("the constant in front is missing", lambda **at: table(**at) / (0.75 if at["x"].ndim == 1 else 2 / math.pi)),
    *(("the difference is squared, not u", {"shape": shape})
      for shape in (lambda u: np.maximum(0, 1 - u) ** 2, lambda u: (1 - u) ** 2)),
    ("right on the line, wrong in the plane: the mean of the squares, not their sum",
     {"length": lambda gaps: np.sqrt(np.mean(gaps**2, axis=2))}),
    ("the bandwidth stands under the root", lambda x, keys, bandwidth: table(
        x, keys, bandwidth**0.5) / bandwidth ** (x.ndim / 2)),
    ("a plus where a minus belongs", {"shape": lambda u: (1 + u**2) * (u < 1)}),
    ("a product with the bandwidth where a division belongs",
     lambda x, keys, bandwidth: table(x, keys, 1 / bandwidth) / bandwidth ** (2 * x.ndim)),
    ("a product with the bandwidth where a division belongs",
     lambda x, keys, bandwidth: table(x, keys, bandwidth) * bandwidth ** (2 * x.ndim)),
    ("u is compared with the bandwidth, not with 1", lambda x, keys, bandwidth: table(
        x, keys, bandwidth, shape=lambda u: (1 - u**2) * (u < bandwidth))), right=table)

DENSITY = named(
    ("divided by n − 1, not by n", lambda **at: table(**at).sum(axis=1) / (len(at["keys"]) - 1)),
    ("NaN for an empty window", lambda **at: in_reach(density(**at), **at)),
    ("divided by the number of queries", lambda **at: table(**at).sum(axis=1) / len(at["x"])),
    ("the densities sum to one over the queries", lambda **at: density(**at) / density(**at).sum()),
    ("only the keys in reach are counted", lambda **at: table(**at).sum(axis=1) / np.sum(table(**at) > 0, axis=1)),
    ("only the keys in reach are counted",
     lambda **at: table(**at).sum(axis=1) / np.maximum(1, np.sum(table(**at) > 0, axis=1))),
    ("the highest hill, not the mean of the hills", lambda **at: table(**at).max(axis=1)),
    ("the median of the hills, not their mean", lambda **at: np.median(table(**at), axis=1)),
    ("equal keys count only once", lambda keys, **at: density(keys=np.unique(keys, axis=0), **at)))

JOINT = named(
    ("the weights are normalised: this is f_NW", average),
    ("the class priors are gone: each class is divided by its own number of keys",
     lambda **at: conditional(**at, absent=0.0)),
    ("the labels are left out", density),
    *(("divided by the number of keys of one class", lambda sign=sign, **at: table(**at) @ at["labels"] / np.sum(
        at["labels"] == sign)) for sign in (1, -1)),
    ("only the keys with label +1 count", lambda **at: table(**at) @ (at["labels"] > 0) / len(at["keys"])),
    ("the mean of the labels times the density", lambda **at: density(**at) * at["labels"].mean()),
    ("divided by the number of queries", lambda **at: table(**at) @ at["labels"] / len(at["x"])),
    ("NaN for an empty window", lambda **at: in_reach(joint(**at), **at)),
    ("divided by the sum of the labels", lambda **at: table(**at) @ at["labels"] / at["labels"].sum()))

CLASSIFY = named(
    ("0 for an empty window", lambda **at: np.sign(joint(**at))),
    ("NaN for a tie", lambda **at: joint(**at) / abs(joint(**at))),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) >= 0, 1, -1), **at)),
    ("a tie is given to one side", lambda **at: in_reach(np.where(joint(**at) > 0, 1, -1), **at)),
    ("an empty window and a tie are given to one side", lambda **at: np.where(joint(**at) >= 0, 1, -1)),
    ("an empty window and a tie are given to one side", lambda **at: np.where(joint(**at) > 0, 1, -1)),
    *(("NaN where a key is only just in reach",
       lambda least=least, **at: np.where(density(**at) > least, np.sign(joint(**at)), math.nan))
      for least in (1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12)),
    ("every key in reach has one vote, near or far",
     lambda **at: in_reach(np.sign((table(**at) > 0) @ at["labels"]), **at)),
    ("the label of the nearest key", nearest),
    ("the label of the nearest key", lambda **at: in_reach(nearest(**at), **at)),
    ("the average itself, not its sign", average),
    ("the joint difference itself, not its sign", lambda **at: in_reach(joint(**at), **at)),
    ("the joint difference itself, not its sign", joint),
    ("true and false, not +1 and −1", lambda **at: in_reach(joint(**at) > 0, **at)),
    ("true and false, not +1 and −1", lambda **at: joint(**at) > 0),
    ("the class-conditional verdict", lambda **at: in_reach(np.sign(conditional(**at, absent=0.0)), **at)))

CONDITIONAL = named(
    ("the class priors are still in it: this is the joint difference", joint),
    ("a class without keys has density 0", lambda **at: conditional(**at, absent=0.0)),
    ("NaN for an empty window", lambda **at: in_reach(conditional(**at), **at)),
    ("divided by p̂(x) once more", lambda **at: conditional(**at) / density(**at)),
    ("this is f_NW, the joint difference divided by p̂(x)", average),
    ("each class is divided by its number of keys twice", per_class_twice),
    ("the sum of the two densities, not their difference", lambda **at: conditional(**at, sign=+1)),
    ("the sums are not divided", lambda **at: table(**at) @ at["labels"]),
    ("each class is divided by the number of the other's keys", per_other_class),
    ("NaN where only one of the two classes is in reach", within_both),
    ("one density alone: nothing is subtracted", lambda **at: (conditional(**at) + conditional(**at, sign=+1)) / 2),
    ("the quotient of the two densities, not their difference", lambda **at: (
        conditional(**at, sign=+1) + conditional(**at)) / (conditional(**at, sign=+1) - conditional(**at))))

DISAGREE = named(
    ("true where they agree", lambda **at: ~(joint(**at) * conditional(**at) < 0)),
    ("NaN counts as a disagreement", lambda **at: in_reach(np.sign(joint(**at)), **at) != np.sign(conditional(**at))),
    ("0 and NaN count as a side of their own", lambda **at: np.sign(joint(**at)) != np.sign(conditional(**at))),
    *(("0 and NaN count as one of the two sides",
       lambda above=above, **at: above(joint(**at)) != above(conditional(**at)))
      for above in (lambda p: p > 0, lambda p: p >= 0)),
    ("an empty window counts as a disagreement", lambda **at: joint(**at) * conditional(**at) <= 0),
    ("the two differences are compared with each other, not with 0", lambda **at: joint(**at) < conditional(**at)),
    ("the two differences are compared with each other, not with 0", lambda **at: joint(**at) > conditional(**at)),
    ("the numbers are compared, not their signs", lambda **at: joint(**at) != conditional(**at)),
    ("the product itself, not whether it is below 0", lambda **at: joint(**at) * conditional(**at)),
    ("the difference of the two signs, not whether they are opposite",
     lambda **at: np.sign(joint(**at)) - np.sign(conditional(**at))),
    ("true where only one of the two conditions holds", lambda **at: (joint(**at) > 0) | (conditional(**at) < 0)),
    ("true where only one of the two conditions holds", lambda **at: (joint(**at) < 0) | (conditional(**at) > 0)),
    ("only one direction: joint below 0, conditional above", lambda **at: (joint(**at) < 0) & (conditional(**at) > 0)),
    ("only one direction: joint above 0, conditional below", lambda **at: (joint(**at) > 0) & (conditional(**at) < 0)))
