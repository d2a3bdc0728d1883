"""The problems of `bug_museum`, and the poolings of its rooms: right as they stand, wrong with a bug switched on.

Throughout the weights are softmax over i of -1/2 ((q - k_i) w)^2, rows are queries (m) and columns are keys (n). The
rooms come first; `bug` stands for the options of `weights_of_w`, which is room 3, and `softmax` is room 1.
"""
import math

import numpy as np

from nwlab.checks.item import Problem
from nwlab.checks.problems import BY_HAND, sample, single, weights_of_w as weights, with_slope


def pool(queries, keys, values, w, **bug):
    """Room 2: answers (m,)."""
    return weights(queries.ravel(), keys, w, **bug) @ values


def predict_at(test_inputs, keys, values, w, **bug):
    """Room 5: answers (m,)."""
    return pool(test_inputs, keys, values, w, **bug)


def answers_per_key(ws, keys, values, itself=-math.inf, **bug):
    """Room 4: answers (n,) when no point attends to itself."""
    return weights(keys, keys, ws, itself=itself, **bug) @ values


def loss_and_slope(w, keys, values, slope=float, **bug):
    """Room 6: the leave-one-out loss, and its slope."""
    loss, exact = with_slope(lambda w: ((answers_per_key(w, keys, values, **bug) - values) ** 2).sum(), w)
    return loss, slope(exact)


def step_of_rho(rho, keys, values, rate, factor=-1.0, exp=np.exp, chain=True, **bug):
    """Room 7: rho, moved by factor times rate times its slope, and its w."""
    w = float(exp(rho))
    new = float(rho) + factor * rate * (w if chain else 1.0) * loss_and_slope(w, keys, values, **bug)[1]
    return new, float(exp(new))


POOLS = (                                               # name, m, n, w, why
    ("as many queries as keys", 6, 6, 2.0, "m = n: no shape complains, whatever meets"),
    ("seven queries, four keys", 7, 4, 1.3, "one answer for each query, in the order of the queries"),
    ("one query", 1, 5, 0.7, "one query has one row of weights, and one answer"),
    ("w below zero", 3, 5, -1.7, "w is squared: −1.7 and 1.7 are the same model, and near keys weigh more"),
    ("w = 0", 3, 7, 0.0, "no distance counts: every key gets the same weight"))


def score_problems(rng):
    """Room 1: tables of scores."""
    yield Problem("two queries, three keys", {"scores": np.array([[0.0, -2.0, -0.5], [-1.0, 0.0, -3.0]])})
    yield Problem("as many queries as keys", {"scores": -rng.uniform(0, 4, (5, 5))},
                  "m = n: the shapes agree whichever axis is taken, only the sums tell")
    yield Problem("four queries, seven keys", {"scores": -rng.uniform(0, 5, (4, 7))})
    yield Problem("one query", {"scores": -rng.uniform(0, 3, (1, 5))}, "one query shares out a weight of 1 in all")
    yield Problem("one row far below the others", {"scores": -rng.uniform(0, 3, (3, 4)) - [[0], [0], [1500]]},
                  "exp(−1500) is 0 in the computer: the row has to be shifted by its own largest score first")
    yield Problem("every row far below 0", {"scores": -2000 - rng.uniform(0, 3, (2, 5))},
                  "exp(−2000) is 0 in the computer: each row has to be shifted by its own largest score first")
    masked = -rng.uniform(0, 3, (3, 4))
    masked[0, 1] = masked[2, 3] = -math.inf
    yield Problem("two masked scores", {"scores": masked}, "a score of −∞ is a weight of exactly 0")
    yield Problem("float32", single({"scores": -rng.uniform(0, 4, (3, 5))}))


def pool_inputs(rng, m, n, w):
    """m queries over n keys."""
    keys, values = sample(rng, n).values()
    return {"queries": rng.uniform(-0.5, 5.5, m), "keys": keys, "values": values, "w": w}


def pools(rng, special, of_room, rows=POOLS):
    """What rooms 2, 3 and 5 have in common, and one problem of their own. of_room: what a room makes of the inputs."""
    rows = [(name, pool_inputs(rng, m, n, w), why) for name, m, n, w, why in rows]
    first = "two queries, three keys", {"queries": np.array([1.0, 2.5]), "w": 1.5} | BY_HAND, ""
    for name, inputs, why in (first, *rows, special, ("float32", single(pool_inputs(rng, 4, 6, 0.8)), "")):
        yield Problem(name, of_room(**inputs), why)


def column_problems(rng):
    """Room 2: queries (m, 1)."""
    far = pool_inputs(rng, 3, 5, 2.0)
    far["queries"][1] = 60.0
    why = "exp(−6000) is 0 in the computer: the row has to be shifted by its largest score first"
    return pools(rng, ("one query far from all keys", far, why), lambda queries, **rest: {
        "queries": queries[:, None], **rest})


def inside_problems(rng):
    """Room 3: no values."""
    why = "w below 1 makes the weights wider, and 0.4² is less than 0.4"
    return pools(rng, ("w below one", pool_inputs(rng, 4, 7, 0.4), why), lambda queries, keys, values, w: {
        "queries": queries, "keys": keys, "w": w})


def predict_problems(rng):
    """Room 5: the queries are test inputs."""
    itself = pool_inputs(rng, 5, 5, 1.8)
    itself["queries"] = itself["keys"][::-1].copy()
    why = "at test time all keys may be used, the nearest one too, even if it lies at the very same place"
    return pools(rng, ("the training inputs, backwards", itself, why), lambda queries, **rest: {
        **rest, "test_inputs": queries}, POOLS[:-1])


def ws_problems(rng):
    """Room 4: a w for each key."""
    def inputs(n):
        keys, values = sample(rng, n).values()
        return {"ws": rng.uniform(0.5, 2.0, n), "keys": keys, "values": values}

    yield Problem("three keys", {"ws": np.array([1.0, 0.5, 2.0])} | BY_HAND)
    yield Problem("eight keys", inputs(8))
    yield Problem("equal ws", inputs(5) | {"ws": np.full(5, 1.2)},
                  "all w_i are equal: a shifted column does no harm here")
    silent = inputs(6)
    silent["ws"][2] = 40.0
    yield Problem("one huge w", silent, "the key with w_i = 40 is next to silent: nobody else should hear it")
    mixed, order = inputs(7), rng.permutation(7)
    yield Problem("keys in no order, some ws below zero", {
        "ws": mixed["ws"] * [1, -1, 1, -1, 1, -1, 1], "keys": mixed["keys"][order], "values": mixed["values"][order]})
    yield Problem("two keys", inputs(2), "only the other one is left: each answer is the other's value")
    large = {"ws": np.full(2, 2000.0), "keys": np.array([0.0, 1.0]), "values": np.array([1.0, 4.0])}
    yield Problem("two keys with very large ws", large, "only the other one is left, even if its score is −2 000 000")
    yield Problem("float32", single(inputs(6)))


def slope_problems(rng):
    """Room 6: w as a tensor of one number."""
    yield Problem("three keys", {"w": np.array(0.5)} | BY_HAND)
    for name, n, w, why in (("ten keys", 10, 1.6, ""), ("a small w", 7, 0.3, ""), ("w below zero", 8, -0.8, ""),
                            ("w = 1", 6, 1.0, "at w = 1 the loss is right even if w is not in it; its slope is not")):
        keys, values = sample(rng, n).values()
        yield Problem(name, {"w": np.array(w), "keys": keys, "values": values},
                      why or "the loss is a sum over all points, and its slope says how it changes with w")


def rho_problems(rng):
    """Room 7: one step. The rate is such that rho moves by 0.2 to 0.8, or less on the way down."""
    for name, n, rho, why in (("three keys", 3, -0.5, ""), ("ten keys", 10, 0.6, ""),
                              ("a small w", 6, -2.0, "w = exp(−2), a small number: a step cannot make it negative"),
                              ("rho = 0", 8, 0.0, "rho = 0 is w = 1"), ("a larger w", 12, 0.9, "")):
        keys, values = (BY_HAND if n == 3 else sample(rng, n)).values()
        w = math.exp(rho)
        steep = w * loss_and_slope(w, keys, values)[1]
        longest = 1.0 if steep < 0 else min(1.0, 0.7 * w**2)         # so that a step made on w stays above 0
        rate = float(f"{rng.uniform(0.2, 0.8) * longest / abs(steep):.3g}")
        yield Problem(name, {"rho": np.array(rho), "keys": keys, "values": values, "rate": rate},
                      why or "the slope with respect to rho is w times the slope with respect to w")
