"""The problems and the oracles of `unit_sphere`.

Throughout: queries (m, d), keys (n, d), sigma the width of the Gaussian kernel exp(-|q - k|^2 / (2 sigma^2)). The oracles
are plain loops over the pairs; they measure distances, so they know nothing of products but where products are asked for.
"""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Problem

# --- points


def on_sphere(rng, n, d):
    """n points (n, d) of length 1."""
    points = rng.normal(size=(n, d))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def anywhere(rng, n, d, low=0.4, high=1.8):
    """n points (n, d), their lengths spread evenly and shuffled, so that they are never close to equal."""
    return on_sphere(rng, n, d) * rng.permutation(np.linspace(low, high, n))[:, None]


def pair(rng, m, n, d, points=on_sphere):
    return {"queries": points(rng, m, d), "keys": points(rng, n, d)}


BY_HAND = {"queries": np.array([[1.0, 0.0], [0.0, 1.0]]), "keys": np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]])}
LINE = {"queries": np.array([[1.0], [-1.0], [1.0]]), "keys": np.array([[1.0], [-1.0], [1.0], [1.0], [-1.0], [1.0], [1.0]])}


# --- problems


def sphere(rng):
    """Seven problems on the unit sphere."""
    yield Problem("two queries, three keys by hand", dict(BY_HAND), why="all lengths are 1; the first query's dot products are 1, 0 and −0.6")
    yield Problem("four queries, seven keys", pair(rng, 4, 7, 3))
    yield Problem("one feature", dict(LINE), why="on the line the unit sphere is two points: −1 and 1")
    yield Problem("one key", pair(rng, 5, 1, 4), why="one key is still a table with one column")
    yield Problem("as many queries as keys", pair(rng, 6, 6, 2))
    q = on_sphere(rng, 3, 3)
    yield Problem("keys opposite to the queries", {"queries": q, "keys": np.vstack([-q, q])},
                  why="each query has a key at itself and one at the other end of the sphere")
    single = pair(rng, 5, 8, 3)
    yield Problem("float32", {name: x.astype(np.float32) for name, x in single.items()})


def sphere_with_sigma(rng):
    """The same with a width that is never 1 and never the same twice."""
    for problem, sigma in zip(sphere(rng), (0.5, 0.8, 1.6, 0.7, 2.5, 0.4, 0.6)):
        yield Problem(problem.name, problem.inputs | {"sigma": sigma}, problem.why)


def products(rng):
    """Eleven problems for weights from dot products: on the sphere, off it, and with scores so large that exp overflows."""
    yield Problem("two queries, three keys by hand", BY_HAND | {"sigma": 0.5}, why="the first query's scores are 4, 0 and −2.4")
    yield Problem("four queries, seven keys", pair(rng, 4, 7, 3) | {"sigma": 0.8})
    yield Problem("a wide kernel", pair(rng, 6, 5, 2) | {"sigma": 2.5})
    yield Problem("as many queries as keys", pair(rng, 5, 5, 6) | {"sigma": 0.6})
    yield Problem("keys of different lengths", pair(rng, 5, 8, 3, anywhere) | {"sigma": 0.7},
                  why="off the sphere the formula stays what it is: softmax of q·k/σ²")
    yield Problem("one key", pair(rng, 3, 1, 2, anywhere) | {"sigma": 0.7}, why="one key gets all the attention")
    pole = np.array([0.0, 0.0, 1.0]) + 0.05 * rng.normal(size=(6, 3))
    pole /= np.linalg.norm(pole, axis=1, keepdims=True)
    both_ends = np.vstack([pole[:3], -pole[2:3]])
    yield Problem("a narrow kernel", {"queries": both_ends, "keys": pole[3:], "sigma": 0.03},
                  why="the scores lie near 1100 for three queries, and near −1100 for the fourth, which has no key near. exp(710) "
                      "is too large for a float, and exp(−750) is 0")
    both_signs = np.vstack([pole[3:], -pole[:3]])
    yield Problem("scores of both signs", {"queries": np.vstack([pole[:2], [[1.0, 0.0, 0.0]]]), "keys": both_signs, "sigma": 0.03},
                  why="in the first two rows half of the scores lie near 1100 and half near −1100, in the third all lie near 0: "
                      "no row may have an exp that is infinite, or all of them 0")
    q = on_sphere(rng, 4, 2)
    yield Problem("a query at the origin", {"queries": np.vstack([q, [[0.0, 0.0]]]), "keys": anywhere(rng, 6, 2), "sigma": 0.7},
                  why="every product with 0 is 0, so that query attends to all keys alike")
    single = pair(rng, 5, 8, 3)
    yield Problem("float32", {name: x.astype(np.float32) for name, x in single.items()} | {"sigma": 0.7})
    yield Problem("long keys", {"queries": on_sphere(rng, 4, 3), "keys": 3 * on_sphere(rng, 6, 3), "sigma": 1.3},
                  why="all keys have length 3")


def off_sphere(rng):
    """Nine problems with a known answer to: do the two kinds of weights agree? In three of them they do."""
    by_hand = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    yield Problem("two queries, three keys by hand", {"queries": np.array([[1.0, 0.0], [0.0, -1.0]]), "keys": by_hand, "sigma": 0.8},
                  why="the first key lies at the first query; the second has length 2, and the largest dot product with it")
    yield Problem("on the sphere", pair(rng, 5, 8, 3) | {"sigma": 0.5}, why="all keys have length 1, so the two agree")
    yield Problem("keys of different lengths", pair(rng, 5, 8, 3, anywhere) | {"sigma": 0.7})
    yield Problem("a narrower kernel", pair(rng, 4, 9, 2, anywhere) | {"sigma": 0.4})
    crowd = 2.2 * on_sphere(rng, 40, 8)[:, :2] * [1, 0.1] + [[1.2, 0.0]]
    crowd = np.vstack([[[0.3, 0.0]], crowd / np.linalg.norm(crowd, axis=1, keepdims=True) * np.linspace(2.0, 2.2, 40)[:, None]])
    yield Problem("one short key and many long ones", {"queries": np.array([[0.4, 0.0], [0.5, 0.1]]), "keys": crowd,
                                                       "sigma": 0.6},
                  why="the Gaussian gives nearly everything to the short key, which is near")
    yield Problem("only the queries differ in length", {"queries": anywhere(rng, 6, 3), "keys": on_sphere(rng, 7, 3),
                                                        "sigma": 0.6},
                  why="the query's own term is one number for its row, and cancels")
    yield Problem("all keys of length 3", {"queries": on_sphere(rng, 4, 4), "keys": 3 * on_sphere(rng, 6, 4), "sigma": 1.4},
                  why="the keys' term is the same for all keys, and cancels")
    yield Problem("a wide kernel", pair(rng, 6, 5, 2, anywhere) | {"sigma": 2.5})
    single = pair(rng, 4, 6, 3, anywhere)
    yield Problem("float32", {name: x.astype(np.float32) for name, x in single.items()} | {"sigma": 0.9})


def keys_alone(rng):
    """Seven problems for the term that belongs to the keys."""
    yield Problem("three keys by hand", {"keys": np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]]), "sigma": 2.0},
                  why="the lengths are 5, 1 and 0, and 2σ² = 8")
    yield Problem("nine keys", {"keys": anywhere(rng, 9, 3), "sigma": 0.6})
    yield Problem("one feature", {"keys": rng.uniform(1.2, 4, (9, 1)), "sigma": 1.7})
    yield Problem("one key", {"keys": anywhere(rng, 1, 15, low=1.6), "sigma": 0.3}, why="one key is still an array, of shape (1,)")
    yield Problem("as many keys as features", {"keys": anywhere(rng, 4, 4), "sigma": 2.2})
    yield Problem("on the sphere", {"keys": on_sphere(rng, 6, 2), "sigma": 0.7},
                  why="all lengths are 1, so the term is the same for all keys")
    yield Problem("float32", {"keys": anywhere(rng, 5, 3).astype(np.float32), "sigma": 0.8})


def dimensions(rng):
    """Eight problems for the width that attention's √d stands for."""
    yield Problem("16 features, length 1", {"d": 16, "length": 1.0}, why="σ² = √16 = 4")
    yield Problem("16 features, length 4", {"d": 16, "length": 4.0},
                  why="shrunk to the unit sphere, 16 u·u′/4 = u·u′/σ² has to hold, so σ² = 1/4")
    for d, length in ((81, 1.0), (64, 8.0), (2, 1.0), (1, 3.0)):
        yield Problem(f"{d} features, length {length:g}" if d > 1 else "one feature, length 3", {"d": d, "length": length})
    yield Problem("many features", {"d": int(rng.integers(200, 2000)), "length": float(rng.uniform(1.5, 30))})
    yield Problem("short points", {"d": int(rng.integers(3, 12)), "length": float(rng.uniform(0.2, 0.8))})


def sized(rng, n):
    """n queries and n + 3 keys on the sphere: as in most problems, not as many, so that a lost axis does not go unseen."""
    return pair(rng, n, n + 3, 3)


def sized_with_sigma(rng, n):
    return sized(rng, n) | {"sigma": 0.7}


def sized_keys(rng, n):
    return {"keys": anywhere(rng, n, 3), "sigma": 0.7}


# --- oracles


def table(queries, keys, of_pair):
    """of_pair(q, k) for all pairs, (m, n)."""
    return np.array([[of_pair(q, k) for k in keys.tolist()] for q in queries.tolist()])


def dot(q, k):
    return math.fsum(a * b for a, b in zip(q, k))


def true_squares(queries, keys):
    """(m, n), measured"""
    return table(queries, keys, lambda q, k: math.dist(q, k) ** 2)


def true_split(queries, keys, sigma):
    """(m, n) and a number"""
    return table(queries, keys, lambda q, k: dot(q, k) / sigma**2), -1 / sigma**2


def shares(scores):
    """Each row's softmax, (m, n)."""
    rows = [[math.exp(s - max(row)) for s in row] for row in scores.tolist()]
    return np.array([[e / math.fsum(row) for e in row] for row in rows])


def true_weights(queries, keys, sigma):
    """(m, n)"""
    return shares(table(queries, keys, lambda q, k: dot(q, k) / sigma**2))


def true_gaussian(queries, keys, sigma):
    """(m, n), from distances"""
    return shares(table(queries, keys, lambda q, k: -math.dist(q, k) ** 2 / (2 * sigma**2)))


def true_difference(queries, keys, sigma):
    """A number; what is rounding only is 0."""
    gap = np.max(np.abs(true_gaussian(queries, keys, sigma) - true_weights(queries, keys, sigma)))
    return float(gap) if gap > 1e-6 else 0.0


def true_term(keys, sigma):
    """(n,)"""
    return np.array([-dot(k, k) / (2 * sigma**2) for k in keys.tolist()])


def true_sigma(d, length):
    """A number"""
    return math.sqrt(math.sqrt(d)) / length
