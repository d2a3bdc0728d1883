"""The items of `parzen_equivalence`, their inputs, the traps of its subject, and its oracles.

The oracles are right as they stand, and wrong with an option. Throughout k(x, x_i) is the Epanechnikov density:
3/4 (1 - u^2) / h on the line and 2/pi (1 - u^2) / h^2 in the plane, for u = |x - x_i| / h < 1 and 0 beyond. It is
compact, so windows can be empty. Labels are -1 and +1.
"""
import math
from functools import partial

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, numbers, positive
from workbook.checks.item import Exercise, Item, Problem, posed
from workbook.language import say

GIVEN = ("x", "keys", "labels", "bandwidth")
ONE_UNIT = ("x keys bandwidth",)
PLANE = say("each point has two features, so x is (m, 2) and keys are (n, 2)")


def labelled(rng, m, n, features=(), bandwidth=1.2):
    """Points of two classes, and queries at which neither difference is so close to 0 that rounding decides."""
    keys = rng.uniform(-2, 2, (n, *features))
    labels = rng.permutation(np.where(np.arange(n) < max(1, round(0.3 * n)), 1.0, -1.0))
    x = rng.uniform(-2.3, 2.3, (40 * m + 40, *features))
    joint, conditional = (difference(x, keys, labels, bandwidth)
                          for difference in (joint_difference, conditional_difference))
    clear = (abs(joint) > 1e-3) & (abs(conditional) > 1e-3)
    differ = x[clear & (joint * conditional < 0)][:m // 3]               # some verdicts differ, if there are any
    agree = x[clear & (joint * conditional > 0)][:m - len(differ)]
    return {"x": np.concatenate([agree, differ]), "keys": keys, "labels": labels, "bandwidth": bandwidth}


UNLABELLED = tuple(Inputs({"x": numbers("m", *d), "keys": numbers("n", *d), "bandwidth": positive(low=0.8)}, ONE_UNIT)
                   for d in ((), (2,)))
LABELLED = tuple(Inputs(draw, ONE_UNIT, sizes={"m": (1, 130), "n": (3, 130)})
                 for draw in (labelled, partial(labelled, features=(2,), bandwidth=1.6)))

# One class has 2 keys, the other 4, and the bandwidth is a power of 2: so both zeros are exact, in whichever order they
# are computed, and in float32 too. So is the tie below, of 4 keys with u = 0 against 5.
BORDERS = [0, 20, 40], [1, -1, 19, -1, 21, 40], [-1, 1, 1, -1, -1, -1], 4.0
TIE = [0, 40, 30], [2, 0, 0, 1, -1, 30, 0, 1, 0, 3, 31, 29], [-1, 1, 1, -1, -1, -1, 1, -1, 1, -1, -1, -1], 4.0


def windows(rng):
    """By hand, and windows in which nothing lies."""
    far = LABELLED[0].draw(rng, m=4, n=10)
    yield from posed(
        GIVEN,
        (say("three keys by hand"), [-0.6, 1.4], [-1, 0, 2], [1, -1, 1], 1.25),
        (say("three keys in the plane"), [[0, 0], [2, 1.5]], [[0.6, 0.8], [-0.3, 0.4], [2, 1.5]], [1, -1, 1], 1.25,
         say("{plane}. The first x is 1, 0.5 and 2.5 away from the keys, the second on one", plane=PLANE)),
        (say("one x in the plane, no key in reach"), [[0, 0]], [[0.8, -0.8], [3, 1]], [1, -1], 1.0,
         say("{plane}. The first key is 1.13 away: the window is round, not square", plane=PLANE)))
    yield Problem(say("an empty window"), far | {"x": np.append(far["x"], [9.0, -7.5])},
                  say("no key is within one bandwidth of the last two x"))


def without_labels(rng):
    """Also points whose squares have no digits left for distances."""
    yield from windows(rng)
    yield Problem(say("far from the origin"),
                  {"x": 1e8 + np.array([0, 1.5]), "keys": 1e8 + np.array([-0.5, 1, 3]), "bandwidth": 1.25},
                  say("take differences before anything is squared"))


def two_classes(rng):
    """Also a class without keys, and places where a difference is 0."""
    yield from windows(rng)
    only = LABELLED[0].draw(rng, m=9, n=27)
    for words, label in ("+1", 1.0), ("−1", -1.0):
        yield Problem(say("only {label}", label=words),
                      only | {"labels": np.full(27, label), "x": np.append(only["x"], 6.0)},
                      say("every label is {label}: the other class has no key at all", label=words))
    yield (say("whole numbers"), np.array([0, 2, 5]), np.array([1, -1, 3]), np.array([1, -1, 1]), 2.5, WHOLE)
    yield (say("at the borders"), *BORDERS,
           say("at the first x the class-conditional difference is exactly 0, at the second the joint one, as there "
               "the labels within reach weigh the same"))


def ties(rng):
    """Also windows in which both sides weigh the same."""
    yield from two_classes(rng)
    yield (say("a tie"), [0, 0.5, -0.75], [1, -1, 7, -6], [1, -1, 1, -1], 2.0,
           say("at the first x the keys in reach weigh exactly the same on both sides, so f is 0 there, as x lies in "
               "the middle between a key with +1 and one with −1"))
    yield (say("a key exactly one bandwidth away"), [0, 3, 6], [2, 3, 8], [1, -1, 1], 2.0,
           say("u = 1 there, and the key does not count: for the first and the last x no key is in reach"))
    yield (say("nearly a tie"), [3e-5, -3e-5], [1, -1, 1, -1], [1, -1, 1, -1], 2.0,
           say("f is small at both x, and it is not 0"))
    yield (say("four keys with +1 against five with −1"), *TIE,
           say("at the first x the keys in reach weigh exactly the same on both sides, so f is 0 there, although −1 "
               "has more keys"))


def kernel_table(x, keys, bandwidth, labels=None, power=None,
                length=lambda gaps: np.sqrt(np.sum(gaps**2, axis=2)), shape=lambda u: np.maximum(0, 1 - u**2)):
    """(m, n), without labels. May be wrong: length, of the gaps (m, n, d); shape, of u; the power of the bandwidth."""
    d = x.shape[1] if x.ndim == 2 else 1
    gaps = x.reshape(len(x), 1, d) - keys.reshape(1, len(keys), d)
    constant = 0.75 if d == 1 else 2 / math.pi
    return constant * shape(length(gaps) / bandwidth) / bandwidth ** (d if power is None else power)


def density(x, keys, bandwidth, labels=None):
    return kernel_table(x, keys, bandwidth).mean(axis=1)                            # (m,), without labels


def joint_difference(x, keys, labels, bandwidth):
    return kernel_table(x, keys, bandwidth) @ labels / len(keys)                    # (m,)


def in_reach(verdict, x, keys, labels=None, bandwidth=None):
    """NaN where the window is empty."""
    return np.where(density(x, keys, bandwidth) > 0, verdict, math.nan)


def classify(*at, **named):
    return in_reach(np.sign(joint_difference(*at, **named)), *at, **named)               # (m,), 0 at a tie


def conditional_difference(x, keys, labels, bandwidth, absent=math.nan):
    """(m,). May be wrong: the density of a class without keys."""
    plus, minus = (density(x, keys[own], bandwidth) if own.any() else np.full(len(x), absent)
                   for own in (labels > 0, labels < 0))
    return plus - minus


def disagree(*at, **named):
    return joint_difference(*at, **named) * conditional_difference(*at, **named) < 0           # (m,), true or false


def average(**at):
    return joint_difference(**at) / density(**at)


def both(**at):
    return joint_difference(**at) * conditional_difference(**at)


ONLY_KEYS = {"by_hand": without_labels, "inputs": UNLABELLED, "library": "any"}
CLASSES = {"inputs": LABELLED, "library": "any"}

EXERCISE = Exercise(__package__, say("Parzen windows and the Nadaraya–Watson classifier"), (
    Item("kernel_table", points=2, oracle=kernel_table, loops=False, **ONLY_KEYS, mistakes=(
        ("the parabola is negative outside its window", {"shape": lambda u: 1 - u**2}),
        ("the division by the bandwidth is missing", {"power": 0}),
        ("right on the line, wrong in the plane: the sum of the features' distances, not the distance",
         {"length": lambda gaps: abs(gaps).sum(axis=2)}))),
    Item("density", oracle=density, **ONLY_KEYS, mistakes=(
        ("divided by the number of keys in reach", lambda **at: kernel_table(**at).sum(axis=1) / np.maximum(
            1, (kernel_table(**at) > 0).sum(axis=1))),)),
    Item("joint_difference", points=2, by_hand=two_classes, oracle=joint_difference, **CLASSES, mistakes=(
        ("the weights are normalised: this is f_NW", average),
        ("the class priors are gone: each class is divided by its own number of keys",
         lambda **at: conditional_difference(**at, absent=0.0)),
        ("the labels are left out", density))),
    Item("classify", arguments=GIVEN, points=2, by_hand=ties, oracle=classify, **CLASSES,
         mistakes=(("the average itself, not its sign", average),)),
    Item("conditional_difference", points=2, by_hand=two_classes, oracle=conditional_difference, **CLASSES,
         mistakes=(("the class priors are still in it: this is the joint difference", joint_difference),)),
    Item("disagree", arguments=GIVEN, points=2, by_hand=two_classes, oracle=disagree, **CLASSES, mistakes=(
        ("NaN counts as a disagreement",
         lambda **at: in_reach(np.sign(joint_difference(**at)), **at) != np.sign(conditional_difference(**at))),
        ("0 counts as a side of its own", lambda **at: (both(**at) < 0) | (
            (joint_difference(**at) == 0) != (conditional_difference(**at) == 0)) & np.isfinite(both(**at))),
        ("an empty window counts as a disagreement", lambda **at: both(**at) <= 0)))))
