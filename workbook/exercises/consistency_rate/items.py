"""The items of `consistency_rate`, their inputs, its oracles, and the small world in which its figures measure.

The law: error = a h^4 + b / (n h^d), bias squared plus variance, for n keys in d dimensions and a width h.
"""
import math
from collections import namedtuple
from dataclasses import replace
from functools import partial

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, count, positive
from workbook.checks.item import Exercise, Item
from workbook.language import say

SIDE = 5.0                             # keys lie in the cube from 0 to SIDE
NOISE = 0.5
Drawn = namedtuple("Drawn", "queries truth keys values")      # (m, d), (m,), (n, d), (n,)


def bowl(points):
    """The truth at points (n, d), (n,): half the square of the distance to the middle, averaged over the features."""
    return np.mean((points - SIDE / 2) ** 2 / 2, axis=1)


def pairs_at(rng, queries, n) -> Drawn:
    """These queries, and n pairs with keys spread evenly over the cube."""
    keys = rng.uniform(0, SIDE, (n, queries.shape[1]))
    return Drawn(queries, bowl(queries), keys, bowl(keys) + NOISE * rng.standard_normal(n))


def sample(n: int, d: int = 1, seed: int = 0, m: int = 30) -> Drawn:
    """A sample of n pairs with d features, everything evenly spread from 0 to 5, and noise of 0.5 in the values."""
    rng = np.random.default_rng([seed, d, n])
    return pairs_at(rng, rng.uniform(0, SIDE, (m, d)), n)


def constants(d: int) -> tuple[float, float]:
    """a and b of the law in this world, for a Gaussian kernel (Ruppert and Wand 1994, theorem 2.1).

    The bowl's second derivatives sum to 1, so the bias is h^2 / 2. The squared kernel's integral is 1 / (2 sqrt pi).
    """
    return 0.25, NOISE**2 * (SIDE / (2 * math.sqrt(math.pi))) ** d


def exponents(rng):
    """A power between each two of those at which something else begins to count, or is thought to."""
    yield say("a width that stays"), 0.0, 2, say("with alpha = 0 the bias stays as it is")
    d = int(rng.integers(2, 8))
    ends = 0.0, 1 / (d + 4), 1 / (d + 2), 1 / d, 2 / d
    for low, high in zip(ends, ends[1:]):
        yield (say("alpha from {low} to {high}", low=f"{low:.3f}", high=f"{high:.3f}"),
               rng.uniform(0.8 * low + 0.2 * high, 0.2 * low + 0.8 * high), d)


def measured(rng, k):
    """Sizes, and errors near a power law."""
    ns = rng.choice(np.arange(50, 5000), k, replace=False)
    return {"ns": ns.astype(float), "errors": ns ** rng.uniform(-0.9, -0.3) * np.exp(rng.normal(0, 0.15, k))}


def drawn(rng, m, n, d):
    """A sample with queries of each kind: inside, inside in one feature only, and outside in all."""
    h, margin = rng.uniform(0.6, 0.9) * math.sqrt(d), rng.uniform(0.6, 1.5)
    queries = rng.uniform(margin + 0.1, SIDE - margin - 0.1, (m, d))
    outside = rng.choice([margin / 2, SIDE - margin / 2], m // 2)
    where = np.append([0, 0, d - 1], rng.integers(0, d, m // 2 - 3))           # one in the first, one in the last
    queries[np.arange(m // 2), where] = outside + rng.uniform(-0.2, 0.2, m // 2)
    queries[0, :] = margin / 2                                                 # and one of them in every feature
    return pairs_at(rng, rng.permutation(queries), n)._asdict() | {"h": h, "margin": margin}


FACTORS = {"a": positive(), "b": positive(high=3.0)}
LAW = tuple(Inputs({"h": positive(*axes, low=0.2, high=0.9), "n": count(40, 5000), "d": count(1, 8), **FACTORS})
            for axes in ((), ("k",)))
WIDTH = tuple(Inputs({"n": positive(*axes, low=50.0, high=20_000.0), "d": count(1, 12), **FACTORS})
              for axes in ((), ("k",)))
EXPONENT = Inputs({"alpha": positive(low=0.02, high=0.3), "d": count(1, 12)})
NEEDED = Inputs({"ratio": replace(positive(low=0.2, high=0.8), specials=()), "d": replace(count(1, 20), specials=())})


WIDTH_BY_HAND = (
    (say("on a line, by hand"), 100, 1, 0.5, 6.25, say("4 · 0.5 · h⁵ = 6.25 / 100 at h = ½")),
    (say("nearly straight"), np.array([40, 10, 25]), 3, 2e-5, 60.0,
     say("where the truth hardly bends, a wide window does little harm: the best width is above 1")))
SLOPE_BY_HAND = (
    (say("two sizes by hand"), [10, 1000], [0.5, 0.005],
     say("n grows a hundredfold, and the error falls to a hundredth")),
    (say("a size that comes three times"), [10, 100, 10, 1000, 10], [0.5, 0.1, 0.2, 0.01, 0.4],
     say("each pair counts, also where a size has come before")),
    (say("an error that grows"), [20, 50, 90, 700], [1.0, 6.0, 21.0, 1100.0], say("then the slope is above 0")))
SIMULATION_BY_HAND = (
    (say("two queries by hand"), [[0.2], [2]], [2, 1], [[1], [2], [4]], [1, 0, 3], 0.8, 1.0,
     say("only the second query is inside; the first is less than 1 from 0")),
    (say("on the edge"), [[0.5], [1], [2.5], [4]], [2, 0.3, 0.6, 1.7], [[1.5], [2], [4.5]], [1, 0.5, 3], 0.9, 1.0,
     say("the queries 1.0 and 4.0 are exactly margin away from an end. At least margin: they are inside")),
    (say("whole numbers"), np.array([[2], [4], [1]]), np.array([2, 1, 0]), np.array([[1], [2], [4]]),
     np.array([1, 0, 3]), 0.8, 1.0, WHOLE),
    (say("a narrow window"), [[2.2], [4.9], [2.9], [4]], [-1, 2, -3, 2], [[3.5], [2.29], [4.8]], [3, -1, 2], 0.08, 0.3,
     say("even the nearest key has a tiny e to the power of its score. Divided by their sum, the weights sum to one")))
NEEDED_BY_HAND = (
    (say("half the error, d = 4"), 0.5, 4),
    (say("much more error"), 300.0, 6, say("more error is allowed: a tiny part of the keys will do")))


def best_width(n, d, a, b):
    return (d * b / (4 * a * n)) ** (1 / (d + 4))


def keys_needed(ratio, d):
    return ratio ** (-(d + 4) / 4)


def slope(ns, errors):
    x, y = np.log(ns) - np.mean(np.log(ns)), np.log(errors) - np.mean(np.log(errors))
    return np.sum(x * y) / np.sum(x**2)


def is_inside(x, margin, over=np.all):
    return over((x >= margin) & (x <= SIDE - margin), axis=1)


def simulated_error(queries, truth, keys, values, h, margin, inside=is_inside,
                    score=lambda squares, h: -squares / (2 * h**2),
                    pool=lambda weights, values: weights @ values / weights.sum(axis=1)):
    """May be wrong: which x (m, d) are inside, scores, pooling."""
    squares = ((queries[:, None] - keys) ** 2).sum(axis=2)                              # (m, n)
    gap = pool(np.exp(score(squares, h)), values) - truth
    return np.mean(gap[inside(queries, margin)] ** 2)


EXERCISE = Exercise(__package__, say("How fast should the width shrink?"), (
    Item("mean_squared_error", inputs=LAW, oracle=lambda h, n, d, a, b: a * h**4 + b / (n * h**d), mistakes=(
        ("the bias is not squared: h² for h⁴", lambda h, n, d, a, b: a * h**2 + b / (n * h**d)),
        ("b / n * h**d divides by n and multiplies by the rest", lambda h, n, d, a, b: a * h**4 + b / n * h**d))),
    Item("best_width", points=2, by_hand=WIDTH_BY_HAND, oracle=best_width, inputs=WIDTH, mistakes=(
        ("the two parts are set equal", lambda n, d, a, b: (b / (a * n)) ** (1 / (d + 4))),
        ("the power 1/5 is that of a line", lambda n, d, a, b: (d * b / (4 * a * n)) ** (1 / 5)),
        ("the power 1/5 is that of a line", lambda n, d, a, b: (b / (4 * a * n)) ** (1 / 5)),
        ("the d before b is missing", lambda n, d, a, b: (b / (4 * a * n)) ** (1 / (d + 4))),
        ("the 4 is missing", lambda n, d, a, b: (d * b / (a * n)) ** (1 / (d + 4))),
        ("** (1 / d + 4) without brackets around d + 4", lambda n, d, a, b: (d * b / (4 * a * n)) ** (1 / d + 4)))),
    Item("rates", oracle=lambda d: (-1 / (4 + d), -4 / (4 + d)), inputs=(Inputs({"d": count(1, 12)}),), mistakes=(
        ("the two powers changed places", lambda d: (-4 / (d + 4), -1 / (d + 4))),)),
    Item("slope", by_hand=SLOPE_BY_HAND, oracle=slope,
         inputs=(Inputs(measured, units=("ns", "errors"), sizes={"k": (2, 200)}),), mistakes=(
        ("the line's height at 0, not its slope", lambda ns, errors: np.polyfit(np.log(ns), np.log(errors), 1)[1]),
        ("no logarithms at all", lambda ns, errors: np.polyfit(ns, errors, 1)[0])),
         tolerance=1e-6),              # an iterative fit is right too, if not to the last digits
    Item("simulated_error", points=3, by_hand=SIMULATION_BY_HAND, oracle=simulated_error,
         inputs=(Inputs(drawn, units=("values truth",), sizes={"m": (7, 200), "d": (1, 9)}),), mistakes=(
        ("the queries near the border count too", {"inside": lambda x, margin: np.full(len(x), True)}),
        ("one feature inside is taken for all", {"inside": partial(is_inside, over=np.any)}),
        ("divided by the number of all queries", lambda queries, margin, **at: np.mean(
            is_inside(queries, margin)) * simulated_error(queries, margin=margin, **at)),
        ("the squares are not halved", {"score": lambda squares, h: -squares / h**2}),
        ("the wrong axis: the weights sum to one over the queries",
         {"pool": lambda weights, values: weights / weights.sum(axis=0) @ values}))),
    Item("error_exponent", points=2, by_hand=exponents, inputs=(EXPONENT,),
         oracle=lambda alpha, d: min(0.0, max(-4 * alpha, alpha * d - 1)), mistakes=(
        ("the quicker part is taken", lambda alpha, d: min(-4 * alpha, alpha * d - 1)),
        ("the bias is not squared", lambda alpha, d: min(0.0, max(-2 * alpha, alpha * d - 1))),
        ("windows that run empty are forgotten", lambda alpha, d: max(-4 * alpha, alpha * d - 1)))),
    Item("keys_needed", by_hand=NEEDED_BY_HAND, oracle=keys_needed, inputs=(NEEDED,), mistakes=(
        ("the power is upside down", lambda ratio, d: ratio ** (-4 / (d + 4))),
        ("** -(d + 4) / 4 without brackets: first the power, then divided by 4",
         lambda ratio, d: ratio ** -(d + 4) / 4),
        ("rounded down", lambda ratio, d: math.floor(keys_needed(ratio, d))),
        ("rounded up", lambda ratio, d: math.ceil(keys_needed(ratio, d)))))))
