"""The problems and the oracles of `consistency_rate`, and the small world in which its figures measure.

The law: error = a h^4 + b / (n h^d), bias squared plus variance, for n keys in d dimensions and a width h.
"""
import math
from typing import NamedTuple

import numpy as np

from workbook.checks.item import posed
from nwlab.exercises.common import float32

SIDE = 5.0                             # keys lie in the cube from 0 to SIDE
NOISE = 0.5
EMPTY = "alpha · d is above 1: the windows run empty, the noise of the nearest key stays"
BOTH = "some queries are far from the border in one feature and close to it in the other: they are not inside"
MEASURED = ("queries", "truth", "keys", "values", "h", "margin")


class Drawn(NamedTuple):
    """queries (m, d), truth at the queries (m,), keys (n, d), values (n,)."""

    queries: np.ndarray
    truth: np.ndarray
    keys: np.ndarray
    values: np.ndarray


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


def many(rng, least=5):
    """A number of features that is not the same for every seed."""
    return int(rng.integers(least, least + 5))


def law_problems(rng):
    def more():
        return rng.uniform(0.3, 0.9), rng.uniform(1.2, 3)

    d = many(rng, 11)
    return posed(
        ("h", "n", "d", "a", "b"),
        ("three widths on a line", rng.uniform(0.3, 0.9, 3), 400, 1, 0.7, 1.8),
        ("three other widths on a line", np.array([0.4, 0.03, rng.uniform(0.1, 0.9)]), 70, 1, 1.4, 0.2),
        ("one width by hand", 0.5, 100, 1, 2.0, 3.0),
        ("one width in space", rng.uniform(0.3, 0.9), 250, 3, *more()),
        ("four widths in the plane", rng.uniform(0.1, 1, 4), 300, 2, *more()),
        ("an array with one width", rng.uniform(0.3, 0.9, 1), 500, 4, *more(),
         "an array of one width has one error, (1,)"),
        ("five features and more", rng.uniform(0.3, 0.9, 107), 5000, many(rng), *more()),
        ("many features", rng.uniform(0.6, 0.9, 13), 200_000, d, *more(), f"d is {d}"),
        ("widths above 1", rng.uniform(1.2, 3, 7), 40, 3, *more(),
         "above 1 the powers of h change places: h⁴ is larger than h²"),
        ("very wide", rng.uniform(3, 9, 4), 7, 2, 1.3, 2.0, "wide windows have a large bias: the error is above 100"),
        ("no noise", rng.uniform(0.2, 0.8, 5), 50, 2, 1.7, 0.0,
         "without noise b is 0, and only the squared bias is left"),
        ("a straight line", rng.uniform(0.2, 0.8, 5), 60, 2, 0.0, 1.6,
         "a straight line does not bend: a is 0, and only the variance is left"),
        ("float32", rng.uniform(0.2, 0.8, 9).astype(np.float32), 200, 2, 0.6, 1.4))


def width_problems(rng):
    def sizes(d, k=4):
        return rng.choice(np.arange(50, 20000), k, replace=False), d, rng.uniform(0.3, 0.9), rng.uniform(1.2, 3)

    return posed(
        ("n", "d", "a", "b"),
        ("three sizes on a line", np.array([100, 400, 1600]), 1, 0.6, 2.0),
        ("on a line, by hand", 100, 1, 0.5, 6.25, "4 · 0.5 · h⁵ = 6.25 / 100 at h = ½"),
        ("in the plane, by hand", 40, 2, 0.8, 1.0, "try h = ½ in the derivative of the law: it is 0"),
        ("one size in space", 3000, 3, 1.9, 0.3),
        *((f"four sizes, d = {d}", *sizes(d)) for d in (1, 2, 3, 4)),
        ("four sizes, more features", *sizes(many(rng))),
        ("many sizes, many features", *sizes(many(rng, 11), 113), "d may be any number"),
        ("an array with one size", *sizes(2, 1), "an array of one size has one best width, (1,)"),
        ("nearly straight", np.array([40, 10, 25]), 3, 2e-5, 60.0,
         "where the truth hardly bends, a wide window does little harm: the best width is above 1"),
        ("float32", np.array([60, 100, 400, 900, 2000, 5000], np.float32), 2, 0.4, 1.9))


def rates_problems(rng):
    several = (2, 3, 4, many(rng), int(rng.integers(11, 30)))
    return posed(("d",), ("one dimension", 1), *((f"{d} dimensions", d) for d in several))


def slope_problems(rng):
    def near(power, *ns):
        """Sizes, and errors near a power law."""
        return np.array(ns), rng.uniform(1, 4) * np.array(ns) ** power * np.exp(rng.normal(0, 0.15, len(ns)))

    return posed(
        ("ns", "errors"),
        ("two sizes by hand", [10, 1000], [0.5, 0.005], "n grows a hundredfold, and the error falls to a hundredth"),
        ("three sizes", *near(-0.7, 100, 200, 800)),
        ("six sizes", *near(-0.8, 50, 100, 200, 400, 800, 1600)),
        ("six other sizes", *near(-0.5, 1, 3, 9, 40, 90, 200)),
        ("uneven sizes", *near(-0.6, 60, 75, 500, 3000, 4000)),
        ("sizes out of order", *near(-0.4, 900, 30, 2500, 120, 400), "the largest n does not stand last"),
        ("sizes that come twice", *near(-0.5, 100, 100, 400, 400, 1600), "each size was measured twice"),
        ("fourteen sizes", *near(-0.3, *rng.choice(np.arange(50, 5000), 14, replace=False)),
         "more sizes, in no order, are more points on the same two axes"),
        ("a steep fall to tiny errors", *near(-3.0, 100, 3000, 10_000, 70_000),
         "a slope may be below −1, and an error of 1e-14 has a logarithm too"),
        ("an error that grows", *near(0.3, 20, 50, 90, 1000, 1300), "the error grows, so the slope is above 0"),
        ("an error that grows fast", *near(2.0, 20, 50, 90, 700), "the error grows, so the slope is above 0"),
        ("an error that stays", [50, 200, 300, 900], [0.3, 0.3, 0.3, 0.3], "where the error stays, the slope is 0"),
        ("float32", np.array([100, 300, 500, 900, 2700, 5000, 8000], np.float32),
         rng.uniform(0.1, 0.9, 7).astype(np.float32)))


def drawn(rng, m, n, d, h, margin):
    """A sample with queries of each kind: inside, inside in one feature only, and outside."""
    queries = rng.uniform(margin + 0.1, SIDE - margin - 0.1, (m, d))
    if margin:
        outside = rng.choice([margin / 2, SIDE - margin / 2], m // 2)
        where = np.append([0, 0, d - 1], rng.integers(0, d, m // 2 - 3))       # one in the first, one in the last
        queries[np.arange(m // 2), where] = outside + rng.uniform(-0.2, 0.2, m // 2)
        queries[0, :] = margin / 2                                             # and one of them in every feature
    return *pairs_at(rng, rng.permutation(queries), n), h, margin


def simulation_problems(rng):
    def moved(queries, truth, keys, values, *more):
        """The values in another unit, from another zero: answers below 0, and errors in the thousands."""
        return queries, 300 * truth - 2000, keys, 300 * values - 2000, *more

    return posed(
        MEASURED,
        ("two queries by hand", [[0.2], [2]], [2, 1], [[1], [2], [4]], [1, 0, 3], 0.8, 1.0,
         "only the second query is inside; the first is less than 1 from 0"),
        ("on the edge", [[0.5], [1], [2.5], [4]], [2, 0.3, 0.6, 1.7], [[1.5], [2], [4.5]], [1, 0.5, 3], 0.9, 1.0,
         "the queries 1.0 and 4.0 are exactly margin away from an end. At least margin: they are inside"),
        ("twenty keys on a line", *drawn(rng, 9, 20, 1, 0.7, 1.0)),
        ("other twenty keys on a line", *drawn(rng, 8, 20, 1, 0.5, 1.3)),
        ("more queries than keys", *drawn(rng, many(rng, 24), many(rng), 1, 0.8, 0.7)),
        ("the plane", *drawn(rng, 10, 40, 2, 0.9, 1.2), BOTH),
        ("the plane, fewer keys", *drawn(rng, 30, many(rng, 11), 2, 1.0, 0.6), BOTH),
        ("three features", *drawn(rng, 12, 60, 3, 1.3, 0.8), "inside means: in every one of the three features"),
        ("more features", *drawn(rng, 20, 30, many(rng, 7), 2.5, 1.1), "inside means: in every one of the features"),
        ("every query is inside", *drawn(rng, 6, 30, 2, 1.1, 0.0), "with a margin of 0 every query counts"),
        ("one key", [[1.5], [3.5]], [2, 5], [[2]], [4], 0.6, 0.5, "the only key has all the weight at every query"),
        ("values below 0", *moved(*drawn(rng, 9, 15, 1, 0.9, 0.9)),
         "values and truth may be counted in any unit, from any zero"),
        ("a narrow window", [[2.2], [4.9], [2.9], [4]], [1, 2, 3, 2], [[3.5], [2.29], [4.8]], [3, 1, 2], 0.08, 0.3,
         "even the nearest key has a tiny e to the power of its score. Divided by their sum, the weights sum to one"),
        ("float32", *float32(*drawn(rng, 7, 25, 1, 0.6, 1.5))))


def exponent_problems(rng):
    d = many(rng, 11)
    return posed(
        ("alpha", "d"),
        ("a width that stays", 0.0, 2, "with alpha = 0 the bias stays as it is"),
        ("slowly, on a line", 0.1, 1), ("faster, on a line", 0.5, 1),
        ("slowly, in space", 0.12, 3), ("faster, in space", 0.22, 3),
        ("slowly, in the plane", rng.uniform(0.02, 0.15), 2), ("faster, in the plane", rng.uniform(0.2, 0.45), 2),
        ("just as fast as keys arrive", 0.25, 4, "the number of keys in a window stays"),
        ("windows run empty", 0.5, 4, EMPTY), ("windows run empty on a line", rng.uniform(1.1, 3), 1, EMPTY),
        ("any power, on a line", rng.uniform(0.25, 0.9), 1), ("any power, five features", rng.uniform(0.02, 0.1), 5),
        ("slowly, many features", 0.7 / (d + 4), d), ("faster, many features", 0.96 / d, d),
        ("far too fast, many features", rng.uniform(0.2, 0.4), d, EMPTY))


def needed_problems(rng):
    return posed(
        ("ratio", "d"),
        ("half the error, d = 4", 0.5, 4), ("half the error, on a line", 0.5, 1),
        ("a tenth, in the plane", 0.1, 2), ("a tenth, ten features", 0.1, 10),
        ("a third, many features", 1 / 3, many(rng, 11)), ("a hundredth, in space", 0.01, 3),
        ("no change", 1.0, 3, "the error may stay: no more keys are needed"),
        ("twice the error", 2.0, 2, "more error is allowed: fewer keys will do"),
        ("much more error", 300.0, 6, "more error is allowed: a tiny part of the keys will do"),
        ("any ratio", rng.uniform(0.2, 0.8), many(rng)))


# --- oracles


def true_law(h, n, d, a, b):
    return a * h**4 + b / (n * h**d)


def true_width(n, d, a, b):
    return (d * b / (4 * a * n)) ** (1 / (d + 4))


def true_rates(d):
    return -1 / (4 + d), -4 / (4 + d)


def true_exponent(alpha, d):
    bias, variance = -4 * alpha, alpha * d - 1
    return min(0.0, max(bias, variance))


def true_needed(ratio, d):
    return ratio ** (-(d + 4) / 4)


def true_slope(ns, errors):
    x, y = np.log(ns) - np.mean(np.log(ns)), np.log(errors) - np.mean(np.log(errors))
    return np.sum(x * y) / np.sum(x**2)


def is_inside(x, margin):
    return np.all((x >= margin) & (x <= SIDE - margin), axis=1)


def true_simulation(queries, truth, keys, values, h, margin, inside=is_inside, keys_inside=False,
                    score=lambda squares, h: -squares / (2 * h**2),
                    pool=lambda weights, values: weights @ values / weights.sum(axis=1),
                    error=lambda gap, m: np.mean(gap**2)):
    """May be wrong: which x (m, d) are inside, which keys stay, scores, pooling, the error of gaps."""
    if keys_inside:
        keys, values = keys[is_inside(keys, margin)], values[is_inside(keys, margin)]
    squares = ((queries[:, None] - keys) ** 2).sum(axis=2)                              # (m, n)
    gap = pool(np.exp(score(squares, h)), values) - truth
    return error(gap[inside(queries, margin)], len(truth))
