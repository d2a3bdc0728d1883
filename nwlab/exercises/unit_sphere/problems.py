"""The problems and the oracles of `unit_sphere`: queries (m, d), keys (n, d), and sigma, the Gaussian kernel's width.

The oracles measure distances, and know of products only where these are asked for.
"""
import functools
import math

import numpy as np

from workbook.checks.item import posed
from nwlab.exercises.common import float32, size, softmax

PAIRED = ("queries", "keys", "sigma")
UNITS = "in other units: σ has the unit of the points"
paired = functools.partial(posed, PAIRED)


def unit(points):
    """The points (n, d) shrunk or stretched to length 1; one at the origin stays there."""
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / np.where(lengths > 0, lengths, 1)


def on_sphere(rng, n, d):
    """n points (n, d) of length 1."""
    return unit(rng.normal(size=(n, d)))


def anywhere(rng, n, d, low=0.4, high=1.8):
    """n points (n, d), their lengths spread evenly and shuffled, so that they are never close to equal."""
    return on_sphere(rng, n, d) * rng.permutation(np.linspace(low, high, n))[:, None]


def pair(rng, m, n, d, points=on_sphere):
    """m queries and n keys with d features."""
    return points(rng, m, d), points(rng, n, d)


def tables(rng, points):
    """Pairs of more queries than keys and fewer, of many features, one query, and a narrow and a wide kernel."""
    return (("many of all", *pair(rng, size(rng, 121), size(rng, 121), size(rng, 121), points), rng.uniform(0.2, 0.3)),
            ("many queries, few keys, many features", *pair(rng, size(rng, 13), size(rng, 4), 8, points),
             rng.uniform(0.5, 0.9)),
            ("few queries, many keys", *pair(rng, size(rng, 2), size(rng, 26), 3, points), rng.uniform(0.5, 0.9)),
            ("as many keys as features", *pair(rng, 3, 5, 5, points), 0.6),
            ("as many queries as features", *pair(rng, 4, 6, 4, points), 0.9),
            ("one query", *pair(rng, 1, 6, 4, points), 0.7, "one query is still a table with one row"))


def in_units(rng, short=("10⁻⁹", 1e-9)):
    """Pairs of points that are very long and very short, and as long as the kernel is wide."""
    return [(f"points of length {words}", *(length * points for points in pair(rng, 5, 7, 3, anywhere)), 0.6 * length,
             UNITS) for words, length in (("10⁹", 1e9), short)]


def sphere(rng):
    """Problems on the unit sphere, with a width that is never 1."""
    q, angles = on_sphere(rng, 3, 3), rng.uniform(0, 6, 4)
    close = [np.column_stack([np.cos(turned), np.sin(turned)]) for turned in (angles, [*(angles + 3e-5), 0, 2, 4])]
    return paired(
        ("two queries, three keys by hand", [[1, 0], [0, 1]], [[1, 0], [0, 1], [-0.6, 0.8]], 0.5,
         "all lengths are 1; the first query's dot products are 1, 0 and −0.6"),
        ("four queries, seven keys", *pair(rng, 4, 7, 3), 0.8),
        ("one feature", [[1], [-1], [1]], [[1], [-1], [1], [1], [-1], [1], [1]], 1.6,
         "on the line the unit sphere is two points: −1 and 1"),
        ("one key", *pair(rng, 5, 1, 4), 0.7, "one key is still a table with one column"),
        ("as many queries as keys", *pair(rng, 6, 6, 2), 2.53),
        ("keys opposite to the queries", q, [*-q, *q], 0.4,
         "each query has a key at itself and one at the other end of the sphere"),
        *tables(rng, on_sphere),
        ("keys close to the queries", *close, 0.7, "a small distance is not 0"),
        ("keys that nearly touch the queries", [[1, 0], [0, 1]], [[1, 1e-8], [1e-8, 1], [1, 0]], 1e-6,
         "a product may be a millionth of a millionth"),
        ("a narrow kernel", *pair(rng, 4, 7, 3), 0.03, "1/σ² is above a thousand"),
        ("a very narrow kernel", *pair(rng, 4, 7, 3), 2e-8, "1/σ² is above a million millions"),
        ("a wide kernel", *pair(rng, 4, 5, 3), 2000.0, "the exponent is close to 0 for all pairs"),
        ("a very wide kernel", *pair(rng, 4, 5, 3), 3e8, "the exponent is close to 0 for all pairs, and is not 0"),
        ("float32", *float32(*pair(rng, 5, 8, 3)), 0.6))


def products(rng):
    """Problems for weights from dot products: on the sphere, off it, and with scores that overflow in exp."""
    pole = unit(np.array([0.0, 0.0, 1.0]) + 0.05 * rng.normal(size=(6, 3)))
    return paired(
        ("two queries, three keys by hand", [[1, 0], [0, 1]], [[1, 0], [0, 1], [-0.6, 0.8]], 0.5,
         "the first query's scores are 4, 0 and −2.4"),
        ("four queries, seven keys", *pair(rng, 4, 7, 3), 0.8),
        ("a wide kernel", *pair(rng, 6, 5, 2), 2.5),
        ("as many queries as keys", *pair(rng, 5, 5, 6), 0.6),
        ("keys of different lengths", *pair(rng, 5, 8, 3, anywhere), 0.7,
         "off the sphere the formula stays what it is: softmax of q·k/σ²"),
        ("one key", *pair(rng, 3, 1, 2, anywhere), 0.7, "one key gets all the attention"),
        ("a narrow kernel", [*pole[:3], -pole[2]], pole[3:], 0.03, "the scores lie near 1100 for three queries, and "
         "near −1100 for the fourth, which has no key near. exp(710) is too large for a float, and exp(−750) is 0"),
        ("scores of both signs", [*pole[:2], -pole[2], [1, 0, 0]], [*pole[3:], *-pole[:3]], 0.03,
         "in the first three rows half of the scores lie near 1100 and half near −1100, in the last all lie near 0: no "
         "row may have an exp that is infinite, or all of them 0"),
        *tables(rng, anywhere),
        ("one feature, off the sphere", *pair(rng, 5, 4, 1, anywhere), 0.8),
        ("keys in a row", [[1, 0], [-1, 0.3]], [[x, 0.4] for x in rng.permutation(np.linspace(-4.3, 4.3, 13))], 0.6,
         "the smallest weight is about exp(−24), and that is not 0"),
        ("a kernel as narrow as can be", *([[1, 0, 0], *points] for points in pair(rng, 3, 6, 3)), 1e-5,
         "scores may be above a thousand million"),
        ("a very wide kernel", *pair(rng, 5, 8, 3, anywhere), 60.0, "all weights are nearly alike"),
        *in_units(rng, short=("10⁻²", 0.01)),                  # 2 − 2 q·k, a right way, has few digits of shorter ones
        ("a query at the origin", [*on_sphere(rng, 4, 2), [0, 0]], anywhere(rng, 6, 2), 0.7,
         "every product with 0 is 0, so that query attends to all keys alike"),
        ("float32", *float32(*pair(rng, 5, 8, 3)), 0.7),
        ("long keys", on_sphere(rng, 4, 3), 3 * on_sphere(rng, 6, 3), 1.3, "all keys have length 3"))


def off_sphere(rng):
    """Problems with a known answer to: do the two kinds of weights agree? In four of them they do."""
    def late():
        """The largest difference stands in the last row and the last column."""
        queries, keys = pair(rng, size(rng, 121), size(rng, 121), 12, anywhere)
        gaps = np.abs(gap(true_gaussian(queries, keys, 0.5), true_weights(queries, keys, 0.5)))
        row, column = np.unravel_index(gaps.argmax(), gaps.shape)
        queries[[row, -1]], keys[[column, -1]] = queries[[-1, row]], keys[[-1, column]]
        return queries, keys

    crowd = 2.2 * on_sphere(rng, 40, 8)[:, :2] * [1, 0.1] + [[1.2, 0.0]]
    crowd *= np.linspace(2.0, 2.2, 40)[:, None] / np.linalg.norm(crowd, axis=1, keepdims=True)
    return paired(
        ("two queries, three keys by hand", [[1, 0], [0, -1]], [[1, 0], [2, 0], [0, 1]], 0.8,
         "the first key lies at the first query; the second has length 2, and the largest dot product with it"),
        ("on the sphere", *pair(rng, 5, 8, 3), 0.5, "all keys have length 1, so the two agree"),
        ("keys of different lengths", *pair(rng, 5, 8, 3, anywhere), 0.7),
        ("a narrower kernel", *pair(rng, 4, 9, 2, anywhere), 0.4),
        ("one short key and many long ones", [[0.4, 0], [0.5, 0.1]], [[0.3, 0], *crowd], 0.6,
         "the Gaussian gives nearly everything to the short key, which is near"),
        ("only the queries differ in length", anywhere(rng, 6, 3), on_sphere(rng, 7, 3), 0.6,
         "the query's own term is one number for its row, and cancels"),
        ("all keys of length 3", on_sphere(rng, 4, 4), 3 * on_sphere(rng, 6, 4), 1.4,
         "the keys' term is the same for all keys, and cancels"),
        ("a wide kernel", *pair(rng, 6, 6, 2, anywhere), 2.5),
        ("many of both", *late(), 0.5),
        *tables(rng, anywhere),
        ("one feature", *pair(rng, 5, 6, 1, anywhere), 0.6),
        ("one key", *pair(rng, 3, 1, 2, anywhere), 0.7, "one key has all the weight, of either kind"),
        ("a very long key", [[1, 0]], [[1, 0.2], [30, 0]], 0.5, "products give everything to the long key, and the "
         "Gaussian gives everything to the near one"),
        *in_units(rng),
        ("near the origin", *(0.2 * points for points in pair(rng, 5, 8, 3, anywhere)), 0.06),
        ("far from the origin", [[100, 0], [99, 1]], [[100, 0], [100.01, 0.5], [99.9, -1]], 1.0,
         "the scores of the products lie near 10 000, and exp of these is infinite: does your own "
         "dot_product_weights take care of that?"),
        ("a very wide kernel", *pair(rng, 5, 8, 3, anywhere), 60.0, "all weights are nearly alike, but not quite"),
        ("float32", *float32(*pair(rng, 4, 6, 3, anywhere)), 0.9))


def keys_alone(rng):
    """Problems for the term that belongs to the keys."""
    twice = anywhere(rng, 9, 3)
    twice[1] = twice[4]
    return posed(
        ("keys", "sigma"),
        ("three keys by hand", [[3, 4], [1, 0], [0, 0]], 2.0, "the lengths are 5, 1 and 0, and 2σ² = 8"),
        ("nine keys", anywhere(rng, 9, 3), 0.6),
        ("one feature", rng.uniform(1.2, 4, (9, 1)) * rng.permutation([[1], [-1]] * 4 + [[1]]), 1.7),
        ("many keys, many features", anywhere(rng, size(rng, 13), 8), rng.uniform(0.5, 0.9)),
        ("more features than keys", anywhere(rng, 4, 9), 2.3),
        ("many of both", anywhere(rng, size(rng, 121), size(rng, 121)), 0.7),
        ("keys of length 10⁹", 1e9 * anywhere(rng, 5, 3), 2e9, UNITS),
        ("keys of length 10⁻⁹", 1e-9 * anywhere(rng, 5, 3), 3e-10, UNITS),
        ("long keys, a very narrow kernel", 1e6 * anywhere(rng, 4, 2), 1e-6, "the term may be a large number"),
        ("short keys, a very wide kernel", 1e-6 * anywhere(rng, 4, 2), 1e6, "the term may be close to 0"),
        ("two keys alike", twice, 0.6, "each of the two has its term"),
        ("long keys, a narrow kernel", 40 * anywhere(rng, 5, 3), 0.06, "the term may be a large number"),
        ("short keys, a wide kernel", 0.01 * anywhere(rng, 5, 2), 20.0, "the term may be close to 0"),
        ("one key", anywhere(rng, 1, 15, low=1.6), 0.3, "one key is still an array, of shape (1,)"),
        ("as many keys as features", anywhere(rng, 4, 4), 2.2),
        ("on the sphere", on_sphere(rng, 6, 2), 0.7, "all lengths are 1, so the term is the same for all keys"),
        ("float32", anywhere(rng, 5, 3).astype(np.float32), 0.8))


def dimensions(rng):
    """Problems for the width that attention's √d stands for."""
    return posed(
        ("d", "length"),
        ("16 features, length 1", 16, 1.0, "σ² = √16 = 4"),
        ("16 features, length 4", 16, 4.0, "shrunk to the unit sphere, 16 u·u′/4 = u·u′/σ² has to hold, so σ² = 1/4"),
        ("81 features, length 1", 81, 1.0), ("64 features, length 8", 64, 8.0),
        ("12 288 features, length 0.01", 12288, 0.01), ("3 features, length 250", 3, 250.0),
        ("2 features, length 1", 2, 1.0), ("one feature, length 3", 1, 3.0),
        ("many features", int(rng.integers(200, 2000)), float(rng.uniform(1.5, 30))),
        ("a million features, length 10⁶", 10**6, 1e6), ("five features, length 10⁻⁶", 5, 1e-6),
        ("short points", int(rng.integers(3, 12)), float(rng.uniform(0.2, 0.8))))


def sized(rng, n, points=on_sphere):
    """n queries and n + 3 keys: as in most problems, not as many, so that a lost axis is seen."""
    return dict(zip(PAIRED, (*pair(rng, n, n + 3, 3, points), 0.7)))


# --- oracles


def true_squares(queries, keys):
    return np.sum((queries[:, None] - keys) ** 2, axis=2)                # (m, n), measured


def true_split(queries, keys, sigma):
    return queries @ keys.T / sigma**2, -1 / sigma**2                   # (m, n) and a number


def true_weights(queries, keys, sigma):
    return softmax(queries @ keys.T / sigma**2)                         # (m, n)


def true_scores(queries, keys, sigma):
    return -true_squares(queries, keys) / (2 * sigma**2)                # (m, n), from distances


def true_gaussian(queries, keys, sigma):
    return softmax(true_scores(queries, keys, sigma))                   # (m, n)


def true_sigma(d, length):
    return math.sqrt(math.sqrt(d)) / length


def gap(gaussian, products):
    """How far two tables of weights are apart, (m, n); what is rounding only is 0."""
    difference = gaussian - products
    return difference * (np.abs(difference).max() > 1e-6)


def true_difference(queries, keys, sigma):
    return np.abs(gap(true_gaussian(queries, keys, sigma), true_weights(queries, keys, sigma))).max()


def true_term(keys, sigma):
    return -np.sum(keys**2, axis=1) / (2 * sigma**2)                    # (n,)
