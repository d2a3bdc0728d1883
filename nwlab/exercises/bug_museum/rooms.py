"""The problems and the oracles of `bug_museum`, and the pooling from which its mistakes are made.

Throughout the weights are softmax over i of -1/2 ((q - k_i) w)^2, rows are queries (m) and columns are keys (n).
"""
from __future__ import annotations

import math

import numpy as np

from nwlab.checks.item import Problem

# --- a pooling that can be wrong in many ways


def softmax(scores, axis=-1):
    """Shifted by the largest score along the axis. Complex scores are allowed, for `slope`."""
    e = np.exp(scores - scores.real.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def table(queries, keys, w, outside=False, half=0.5, sign=-1.0):
    """Scores (m, n). w: a number, (n,) or (m, 1)."""
    gaps = np.subtract.outer(queries, keys)
    return sign * half * (gaps**2 * w if outside else (gaps * w) ** 2)


def left_out(scores, values, axis=-1, itself=-math.inf):
    """Answers (n,) when no point attends to itself: the scores (n, n) on the diagonal become `itself`."""
    return softmax(np.where(np.eye(len(values), dtype=bool), itself, scores), axis) @ values


def loss(w, keys, values, axis=-1, keep_itself=False, twice=False, **how):
    """The sum of squared leave-one-out residuals. twice: of weights taken for scores."""
    scores = table(keys, keys, w, **how)
    scores = softmax(scores) if twice else scores
    answers = softmax(scores, axis) @ values if keep_itself else left_out(scores, values, axis)
    return ((answers - values) ** 2).sum()


def slope(w, keys, values, **how):
    """d loss / d w by a complex step (Squire and Trapp 1998): exact to the last digits, for any of the wrong losses."""
    return float(loss(complex(w, 1e-30), keys, values, **how).imag / 1e-30)


# --- problems


def sample(rng, n):
    """Keys (n,) in 0..5, sorted, no two of them close, and values (n,)."""
    keys = 5 * (np.arange(n) + rng.uniform(0.1, 0.9, n)) / n
    return keys, 2 * np.sin(keys) + keys**0.8 + 0.5 * rng.standard_normal(n)


def single(inputs):
    """The arrays in float32."""
    return {name: x.astype(np.float32) if isinstance(x, np.ndarray) else x for name, x in inputs.items()}


def score_problems(rng):
    """Room 1: tables of scores."""
    yield Problem("two queries, three keys", {"scores": np.array([[0.0, -2.0, -0.5], [-1.0, 0.0, -3.0]])})
    yield Problem("as many queries as keys", {"scores": -rng.uniform(0, 4, (5, 5))},
                  why="m = n: the shapes agree whichever axis is taken, only the sums tell")
    yield Problem("four queries, seven keys", {"scores": -rng.uniform(0, 5, (4, 7))})
    yield Problem("one query", {"scores": -rng.uniform(0, 3, (1, 5))}, why="one query shares out a weight of 1 in all")
    far = -rng.uniform(0, 3, (3, 4))
    far[2] -= 1500
    yield Problem("one row far below the others", {"scores": far},
                  why="exp(−1500) is 0 in the computer: the row has to be shifted by its own largest score first")
    yield Problem("every row far below 0", {"scores": -2000 - rng.uniform(0, 3, (2, 5))})
    masked = -rng.uniform(0, 3, (3, 4))
    masked[0, 1] = masked[2, 3] = -math.inf
    yield Problem("two masked scores", {"scores": masked}, why="a score of −∞ is a weight of exactly 0")
    yield Problem("float32", single({"scores": -rng.uniform(0, 4, (3, 5))}))


def pool_inputs(rng, m, n, w, values=True, name="queries", column=False):
    """m queries over n keys, called `name`, as a column (m, 1) or as (m,)."""
    keys, y = sample(rng, n)
    queries = rng.uniform(-0.5, 5.5, m)
    inputs = {name: queries[:, None] if column else queries, "keys": keys} | ({"values": y} if values else {})
    return inputs | {"w": w}


def column_problems(rng):
    """Room 2: queries (m, 1)."""
    yield Problem("two queries, three keys", {"queries": np.array([[1.0], [2.5]]), "keys": np.array([0.0, 1.0, 3.0]),
                                              "values": np.array([1.0, 2.0, 6.0]), "w": 1.5})
    for name, m, n, w, why in (
            ("as many queries as keys", 6, 6, 2.0, "m = n: no shape complains, whatever meets"),
            ("seven queries, four keys", 7, 4, 1.3, ""),
            ("one query", 1, 5, 0.7, "one query is (1, 1), and one answer is (1,)"),
            ("w below zero", 3, 5, -1.7, "w is squared, so −1.7 and 1.7 are the same model"),
            ("w = 0", 3, 7, 0.0, "no distance counts: every answer is the mean of the values")):
        yield Problem(name, pool_inputs(rng, m, n, w, column=True), why=why)
    far = pool_inputs(rng, 3, 5, 2.0, column=True)
    far["queries"][1] = 60.0
    yield Problem("one query far from all keys", far,
                  why="exp(−6000) is 0 in the computer: the row has to be shifted by its largest score first")
    yield Problem("float32", single(pool_inputs(rng, 4, 6, 0.8, column=True)))


def inside_problems(rng):
    """Room 3: all kinds of w."""
    yield Problem("two queries, three keys", {"queries": np.array([1.0, 2.5]), "keys": np.array([0.0, 1.0, 3.0]), "w": 2.0})
    for name, m, n, w, why in (
            ("w = 1", 4, 6, 1.0, "1² is 1: here nobody can see on which side of the square w stands"),
            ("w below zero", 3, 5, -2.0, "w is squared: −2 and 2 give the same weights, and near keys weigh more"),
            ("w = 0", 3, 7, 0.0, "no distance counts: every key gets the same"),
            ("w below one", 4, 7, 0.4, "w below 1 makes the weights wider, and 0.4² is less than 0.4"),
            ("one query", 1, 4, 1.6, ""),
            ("as many queries as keys", 6, 6, 2.5, "m = n: no shape complains, whatever meets")):
        yield Problem(name, pool_inputs(rng, m, n, w, values=False), why=why)
    yield Problem("float32", single(pool_inputs(rng, 3, 5, 1.7, values=False)))


def ws_problems(rng):
    """Room 4: a w for each key."""
    def inputs(n, low=0.5, high=2.0):
        keys, values = sample(rng, n)
        return {"ws": rng.uniform(low, high, n), "keys": keys, "values": values}

    yield Problem("three keys", {"ws": np.array([1.0, 0.5, 2.0]), "keys": np.array([0.0, 1.0, 3.0]),
                                 "values": np.array([1.0, 2.0, 6.0])})
    yield Problem("eight keys", inputs(8))
    equal = inputs(5)
    yield Problem("equal ws", equal | {"ws": np.full(5, 1.2)},
                  why="all w_i are equal: a shifted column does no harm here")
    silent = inputs(6)
    silent["ws"][2] = 40.0
    yield Problem("one huge w", silent, why="the key with w_i = 40 is next to silent: nobody else should hear it")
    mixed = inputs(7)
    order = rng.permutation(7)
    yield Problem("keys in no order, some ws below zero",
                  {"ws": mixed["ws"] * np.where(np.arange(7) % 2, -1, 1)} | {k: mixed[k][order] for k in ("keys", "values")})
    yield Problem("two keys", inputs(2), why="only the other one is left: each answer is the other's value")
    yield Problem("two keys with very large ws", {"ws": np.array([2000.0, 2000.0]), "keys": np.array([0.0, 1.0]),
                                                  "values": np.array([1.0, 4.0])},
                  why="only the other one is left, even if its score is −2 000 000")
    yield Problem("float32", single(inputs(6)))


def predict_problems(rng):
    """Room 5: inputs to predict at."""
    yield Problem("two test inputs, three keys", {"test_inputs": np.array([0.5, 2.5]), "keys": np.array([0.0, 1.0, 3.0]),
                                                  "values": np.array([1.0, 2.0, 6.0]), "w": 1.5})
    for name, m, n, w, why in (
            ("as many test inputs as keys", 6, 6, 2.0, "m = n: the wrong queries have the right shape"),
            ("nine test inputs, five keys", 9, 5, 1.3, ""), ("four test inputs, seven keys", 4, 7, 2.2, ""),
            ("one test input, w below zero", 1, 5, -0.7, "w is squared, so −0.7 and 0.7 are the same model")):
        yield Problem(name, pool_inputs(rng, m, n, w, name="test_inputs"),
                      why=why or "one answer for each test input, in the order of the test inputs")
    itself = pool_inputs(rng, 5, 5, 1.8, name="test_inputs")
    yield Problem("the training inputs, backwards", itself | {"test_inputs": itself["keys"][::-1].copy()},
                  why="at test time all keys may be used, the nearest one too, even if it lies at the very same place")
    yield Problem("float32", single(pool_inputs(rng, 4, 6, 0.8, name="test_inputs")))


def slope_problems(rng):
    """Room 6: w as a tensor of one number."""
    yield Problem("three keys", {"w": np.array(0.5), "keys": np.array([0.0, 1.0, 3.0]), "values": np.array([1.0, 2.0, 6.0])})
    for name, n, w, why in (("ten keys", 10, 1.6, ""), ("a small w", 7, 0.3, ""), ("w below zero", 8, -0.8, ""),
                            ("w = 1", 6, 1.0, "at w = 1 the loss is right even if w is not in it; its slope is not")):
        keys, values = sample(rng, n)
        yield Problem(name, {"w": np.array(w), "keys": keys, "values": values},
                      why=why or "the loss is a sum over all points, and its slope says how it changes with w")


def rho_problems(rng):
    """Room 7: one step. The rate is such that rho moves by 0.2 to 0.8, or less on the way down."""
    for name, n, rho, why in (("three keys", 3, -0.5, ""), ("ten keys", 10, 0.6, ""),
                              ("a small w", 6, -2.0, "w = exp(−2), a small number: a step cannot make it negative"),
                              ("rho = 0", 8, 0.0, "rho = 0 is w = 1"), ("a larger w", 12, 0.9, "")):
        keys, values = (np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 6.0])) if n == 3 else sample(rng, n)
        w = math.exp(rho)
        steep = w * slope(w, keys, values)
        longest = 1.0 if steep < 0 else min(1.0, 0.7 * w**2)         # so that a step made on w stays above 0
        rate = float(f"{rng.uniform(0.2, 0.8) * longest / abs(steep):.3g}")
        yield Problem(name, {"rho": np.array(rho), "keys": keys, "values": values, "rate": rate},
                      why=why or "the slope with respect to rho is w times the slope with respect to w")


# --- oracles: plain loops


def shares(scores):
    """softmax of a list of scores."""
    largest = max(scores)
    e = [math.exp(s - largest) for s in scores]
    return [x / math.fsum(e) for x in e]


def true_softmax(scores):
    """(m, n)"""
    return np.array([shares(row) for row in scores.tolist()])


def true_weights(queries, keys, w):
    """(m, n)"""
    return np.array([shares([-0.5 * ((q - k) * w) ** 2 for k in keys.tolist()]) for q in queries.ravel().tolist()])


def true_pool(queries, keys, values, w):
    """(m,)"""
    return np.array([math.fsum(a * v for a, v in zip(row, values)) for row in true_weights(queries, keys, w)])


def true_per_key(ws, keys, values):
    """(n,)"""
    answers = []
    for i, query in enumerate(keys):
        others = [j for j in range(len(keys)) if j != i]
        alpha = shares([-0.5 * ((query - keys[j]) * ws[j]) ** 2 for j in others])
        answers.append(math.fsum(a * values[j] for a, j in zip(alpha, others)))
    return np.array(answers)


def true_loss_and_slope(w, keys, values):
    """Two numbers. The slope of a weight is -w alpha (s - mean of s), for squared distances s."""
    w, total, steepness = float(w), 0.0, 0.0
    for i, query in enumerate(keys):
        others = [j for j in range(len(keys)) if j != i]
        s = [float(query - keys[j]) ** 2 for j in others]
        alpha = shares([-0.5 * w * w * d for d in s])
        mean = math.fsum(a * d for a, d in zip(alpha, s))
        residual = math.fsum(a * values[j] for a, j in zip(alpha, others)) - float(values[i])
        total += residual**2
        steepness += 2 * residual * math.fsum(-w * a * (d - mean) * values[j] for a, d, j in zip(alpha, s, others))
    return total, steepness


def true_step(rho, keys, values, rate):
    """The new rho and its w."""
    w = math.exp(float(rho))
    new = float(rho) - rate * w * true_loss_and_slope(w, keys, values)[1]
    return new, math.exp(new)
