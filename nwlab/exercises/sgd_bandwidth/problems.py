"""The problems and the oracles of `sgd_bandwidth`.

Throughout the weights are softmax_i(-1/2 ((q - k_i) w)^2), and w = exp(rho). The oracles are loops over points; the slope
is worked out by hand, so no automatic differentiation has a say in what is right.
"""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Problem
from nwlab.exercises.sgd_bandwidth.probes import MARKED, MARKED_W, TWICE, TWICE_RHO

HOUSES = {"keys": np.array([6.0, 9.0, 13.0]), "values": np.array([150.0, 300.0, 360.0])}
EVEN = "w is squared, so w and −w are the same model"
WAY_BACK = "w is marked here, as a slope needs it: torch has to find the way back to it from the answer"
CALLED_TWICE = "the function is called twice with the same ρ, and the second answer counts: ρ belongs to the caller"
LONELY = "one point lies far from all others: every weight that another key could get underflows beside its own"

# --- problems: w and rho are tensors of shape (), as a gradient needs them


def number(x):
    return np.array(float(x))


def wave(rng, n, noise=0.3):
    """Keys on 0..3, at least 0.1 apart, and noisy values of a wave."""
    keys = rng.permutation(np.linspace(0.0, 3.0, n) + rng.uniform(-0.3, 0.3, n) * min(3.0 / n, 0.6))
    return {"keys": keys, "values": np.sin(2.5 * keys) + rng.normal(0.0, noise, n)}


def score_problems(rng):
    yield Problem("one house asks three", {"w": number(0.5), "queries": np.array([10.0]), "keys": HOUSES["keys"]})
    yield Problem("five queries, eight keys", {"w": number(rng.uniform(1.4, 2.5)), "queries": rng.uniform(0, 3, 5),
                                               "keys": rng.uniform(0, 3, 8)})
    yield Problem("w = 0", {"w": number(0.0), "queries": rng.uniform(0, 3, 2), "keys": rng.uniform(0, 3, 4)},
                  why="no distance counts, so every score is 0")
    yield Problem("a negative w", {"w": number(-1.7), "queries": rng.uniform(0, 3, 3), "keys": rng.uniform(0, 3, 2)}, why=EVEN)
    yield Problem("float32", {"w": number(2.2).astype(np.float32), "queries": rng.uniform(0, 3, 4).astype(np.float32),
                              "keys": rng.uniform(0, 3, 6).astype(np.float32)})
    yield Problem(MARKED, {"w": number(MARKED_W), "queries": np.array([1.0, 2.5]), "keys": np.array([0.0, 1.0, 3.0])}, why=WAY_BACK)


def sized_scores(rng, n):
    return {"w": number(1.3), "queries": rng.uniform(0, 3, n), "keys": rng.uniform(0, 3, n + 1)}


def loss_problems(rng):
    yield Problem("three houses", {"w": number(0.5)} | HOUSES)
    yield Problem("twelve points", {"w": number(rng.uniform(1.4, 2.5))} | wave(rng, 12))
    yield Problem("two points", {"w": number(1.5), "keys": np.array([1.0, 1.6]), "values": rng.permutation([2.0, 5.0])})
    yield Problem("w = 0", {"w": number(0.0)} | wave(rng, 5), why="all keys weigh alike, whatever their distance")
    yield Problem("a negative w", {"w": number(-1.7)} | wave(rng, 9), why=EVEN)
    far = wave(rng, 6)
    far["keys"][2], far["values"][2] = 20.0, 3.0
    yield Problem("a lonely point", {"w": number(5.0)} | far, why=LONELY)
    twin = wave(rng, 7)
    twin["keys"][4] = twin["keys"][0]
    yield Problem("two points at one place", {"w": number(2.5)} | twin, why="each of the two is still a key for the other")
    yield Problem("float32", {name: x.astype(np.float32) for name, x in ({"w": number(2.2)} | wave(rng, 8)).items()})
    yield Problem(MARKED, {"w": number(MARKED_W), "keys": np.array([0.0, 1.0, 3.0]), "values": np.array([1.0, 3.0, 2.0])},
                  why=WAY_BACK)


def mask_problems(rng):
    for n in (3, 2, 5, int(rng.integers(6, 10))):
        yield Problem(f"{n} points", {"n": n})
    yield Problem("one point", {"n": 1}, why="a single point has nobody else to attend to")


def slope_problems(rng):
    def at(rho, data, leave_one_out):
        return {"rho": number(rho)} | data | {"leave_one_out": leave_one_out}

    data = wave(rng, 10)
    left = rng.uniform(0.25, 0.45)
    yield Problem("three houses", at(math.log(0.5), HOUSES, True))
    yield Problem("three houses, each attends to itself too", at(math.log(0.5), HOUSES, False))
    yield Problem("ten points, leave-one-out", at(left, data, True))
    yield Problem("ten points, naive", at(left, data, False))
    yield Problem("a large w", at(math.log(6.0), wave(rng, 8), True))
    yield Problem("w = 1", at(0.0, wave(rng, 6), True), why="rho = 0 means w = 1")
    yield Problem(TWICE, at(TWICE_RHO, wave(rng, 6), True), why=CALLED_TWICE)


def descent_problems(rng):
    def run(w, data, leave_one_out, learning_rate, steps):
        return {"rho": number(math.log(w))} | data | {"leave_one_out": leave_one_out, "learning_rate": learning_rate,
                                                      "steps": steps}

    small = {"keys": np.array([0.0, 0.9, 2.0]), "values": np.array([1.0, 2.0, 4.0])}
    yield Problem("one step", run(0.6, small, True, 0.02, 1), why="the path holds the start and one more w")
    yield Problem("three steps, leave-one-out", run(0.6, small, True, 0.02, 3))
    yield Problem("three steps, naive", run(0.6, small, False, 0.02, 3))
    data = wave(rng, 10)
    yield Problem("from the left", run(rng.uniform(0.9, 1.2), data, True, 0.04, 4))
    yield Problem("from the right", run(rng.uniform(5.0, 6.0), data, False, 0.04, 5))
    yield Problem(TWICE, run(1.0, small, True, 0.02, 2) | {"rho": number(TWICE_RHO)}, why=CALLED_TWICE)


def grid_problems(rng):
    """Minima that rounding cannot move: the second smallest loss is clearly larger."""
    yield Problem("three houses", {"grid": np.array([0.1, 0.3, 0.6, 1.2])} | HOUSES)
    for name, n, g in (("twelve points", 12, 9), ("twenty points", 20, 13)):
        yield Problem(name, _clear(rng, n, lambda g=g: np.geomspace(0.3, 12.5, g) * rng.uniform(0.95, 1.05)))
    yield Problem("a grid from large to small", _clear(rng, 10, lambda: np.geomspace(9.5, 0.2, 8) * rng.uniform(0.95, 1.05)))
    keys = np.arange(6.0) + rng.uniform(-0.05, 0.05, 6)
    yield Problem("neighbours contradict each other", {"grid": np.array([0.0, 0.7, 1.5, 3.5]), "keys": keys,
                                                       "values": np.array([1.0, -1.0] * 3)},
                  why="every neighbour is wrong, so the best is to listen to none of them more than to the others")


def _clear(rng, n, make_grid):
    while True:
        data, grid = wave(rng, n), make_grid()
        losses = sorted((true_loss(w, **data, leave_one_out=True), w) for w in grid)
        if losses[1][0] - losses[0][0] > 0.01 * losses[0][0] and 0.5 < losses[0][1] < 8:
            return {"grid": grid} | data


def error_problems(rng):
    def truth(queries):
        return np.sin(2.5 * queries)

    def asked(w, data, queries):
        return {"w": number(w)} | data | {"queries": queries, "truth": truth(queries)}

    yield Problem("two queries, three keys", {"w": number(0.5)} | HOUSES | {"queries": np.array([8.0, 10.0]),
                                                                            "truth": np.array([220.0, 310.0])})
    yield Problem("nine queries, six keys", asked(rng.uniform(1.4, 2.5), wave(rng, 6), rng.uniform(0, 3, 9)))
    yield Problem("as many queries as keys", asked(2.5, wave(rng, 7), rng.uniform(0, 3, 7)),
                  why="a query is no key, even if there are as many of both")
    yield Problem("one query", asked(1.8, wave(rng, 5), rng.uniform(1, 2, 1)))
    yield Problem("a query far away", asked(6.0, wave(rng, 5), np.array([1.0, 20.0])),
                  why="each e to the power of a score underflows, yet the nearest key still has the largest weight")
    single = asked(2.2, wave(rng, 8), rng.uniform(0, 3, 4))
    yield Problem("float32", {name: x.astype(np.float32) for name, x in single.items()})


# --- oracles: one loop over queries, one over keys


def true_scores(w, queries, keys):
    """(m, n)"""
    return np.array([[-((q - k) * float(w)) ** 2 / 2 for k in keys] for q in queries])


def shares(w, query, keys):
    """The attention weights of one query, a list."""
    scores = [-((query - k) * float(w)) ** 2 / 2 for k in keys]
    parts = [math.exp(max(score - max(scores), -700.0)) for score in scores]
    return [part / math.fsum(parts) for part in parts]


def each_asks(keys, values, leave_one_out):
    """For each point: the query, the keys and values it may attend to, its own value."""
    for i, (query, value) in enumerate(zip(keys, values)):
        others = [j for j in range(len(keys)) if j != i or not leave_one_out]
        yield query, keys[others], values[others], value


def true_loss(w, keys, values, leave_one_out=False):
    return math.fsum((math.fsum(a * v for a, v in zip(shares(w, query, k), v_i)) - value) ** 2
                     for query, k, v_i, value in each_asks(keys, values, leave_one_out))


def true_mask(n):
    """(n, n)"""
    return np.array([[row != column for column in range(n)] for row in range(n)])


def true_slope(rho, keys, values, leave_one_out, log=True):
    """d loss / d rho, by d alpha_i / d w = -w alpha_i (s_i - mean s) and d w / d rho = w. log=False: d loss / d w."""
    w, total = math.exp(rho), 0.0
    for query, k, v_i, value in each_asks(keys, values, leave_one_out):
        alpha, squares = shares(w, query, k), [(query - key) ** 2 for key in k]
        mean = math.fsum(a * s for a, s in zip(alpha, squares))
        answer = math.fsum(a * v for a, v in zip(alpha, v_i))
        total += 2 * (answer - value) * math.fsum(-w * a * (s - mean) * v for a, s, v in zip(alpha, squares, v_i))
    return float(total * w if log else total)


def true_path(rho, keys, values, leave_one_out, learning_rate, steps):
    """(steps + 1,)"""
    rho, path = float(rho), [math.exp(rho)]
    for _ in range(steps):
        rho -= learning_rate * true_slope(rho, keys, values, leave_one_out)
        path.append(math.exp(rho))
    return np.array(path)


def true_best(grid, keys, values):
    return float(min(grid, key=lambda w: true_loss(w, keys, values, leave_one_out=True)))


def true_error(w, keys, values, queries, truth):
    return math.fsum((math.fsum(a * v for a, v in zip(shares(w, query, keys), values)) - t) ** 2
                     for query, t in zip(queries, truth)) / len(queries)
