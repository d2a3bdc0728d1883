"""The problems of `bug_museum`, and the poolings of its rooms: right as they stand, wrong with a bug switched on.

Throughout the weights are softmax over i of -1/2 ((q - k_i) w)^2, rows are queries (m) and columns are keys (n). The
rooms come first; `bug` stands for the options of `weights_of_w`, which is room 3, and `softmax` is room 1.
"""
import math

import numpy as np

from workbook.checks.item import Problem
from nwlab.exercises.common import BY_HAND, sample, single, weights_of_w as weights, with_slope


def pool(queries, keys, values, w, **bug):
    """Room 2: answers (m,)."""
    return weights(queries.ravel(), keys, w, **bug) @ values


def predict_at(test_inputs, keys, values, w, of_inputs=None, of_keys=None, **bug):
    """Room 5: answers (m,). May be wrong: the mean and the spread that inputs and keys are standardised with."""
    (mean, spread), (other, width) = (of(test_inputs, keys) if of else (keys.mean(), keys.std())
                                      for of in (of_inputs, of_keys))
    return pool((test_inputs - mean) / spread, (keys - other) / width, values, w, **bug)


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
    ("more queries than keys", (13, 16), (4, 7), 1.1, ""),
    ("more keys than queries", (2, 5), (13, 16), 1.9, ""),
    ("more than a hundred of both", (121, 124), (131, 134), 1.3, ""),
    ("one query", 1, 5, 0.7, "one query has one row of weights, and one answer"),
    ("one key", (10, 13), 1, 1.4, "a single key gets all the weight, from every query"),
    ("w below zero", 3, 5, -1.7, "w is squared: −1.7 and 1.7 are the same model, and near keys weigh more"),
    ("w = 0", 3, 7, 0.0, "no distance counts: every key gets the same weight"))
FAR = "exp(−700 000) is 0 in the computer: the row has to be shifted by its largest score first"


def size(rng, of):
    """A number, or one of a range, so that no size is the same for every seed."""
    return of if isinstance(of, int) else int(rng.integers(*of))


def shuffled(rng, n, below=0.0):
    """Keys in no order, some of them below 0 if asked for, and their values, some below 0 too."""
    drawn, order = sample(rng, n), rng.permutation(n)
    return {"keys": drawn["keys"][order] - below, "values": drawn["values"][order] - 2.0}


def score_problems(rng):
    """Room 1: tables of scores."""
    yield Problem("two queries, three keys", {"scores": np.array([[0.0, -2.0, -0.5], [-1.0, 0.0, -3.0]])})
    yield Problem("as many queries as keys", {"scores": -rng.uniform(0, 4, (5, 5))},
                  "m = n: the shapes agree whichever axis is taken, only the sums tell")
    yield Problem("four queries, seven keys", {"scores": -rng.uniform(0, 5, (4, 7))})
    yield Problem("more queries than keys", {"scores": -rng.uniform(0, 5, (size(rng, (13, 16)), size(rng, (3, 6))))})
    yield Problem("more keys than queries", {"scores": -rng.uniform(0, 5, (size(rng, (2, 5)), size(rng, (13, 16))))})
    yield Problem("more than a hundred of both", {"scores": -rng.uniform(0, 5, (size(rng, (121, 124)), 131))})
    yield Problem("small weights", {"scores": -rng.uniform(0, 2, (3, 4)) - [0, 0, 14, 20]}, "a small weight is not 0")
    yield Problem("one query", {"scores": -rng.uniform(0, 3, (1, 5))}, "one query shares out a weight of 1 in all")
    yield Problem("one key", {"scores": -rng.uniform(1, 3, (8, 1))}, "a single key gets all the weight")
    yield Problem("one row far below the others", {"scores": -rng.uniform(0, 3, (3, 4)) - [[0], [0], [1500]]},
                  "exp(−1500) is 0 in the computer: the row has to be shifted by its own largest score first")
    yield Problem("every row far below 0", {"scores": -2000 - rng.uniform(0, 3, (2, 5))},
                  "exp(−2000) is 0 in the computer: each row has to be shifted by its own largest score first")
    high = "exp(1500) is infinite in the computer: each row has to be shifted by its own largest score first"
    yield Problem("far above 0", {"scores": 1500 + rng.uniform(0, 3, (2, 4)) * [[1], [-1]]}, high)
    wide = np.array([[0.0, -1.0, -9000.0, -9000.5], [-9001.0, -2.0, -9000.0, -1.0]])
    yield Problem("near and far in one row", {"scores": wide},
                  "only the largest score of a row makes every exponent 0 or less, not their mean, median or smallest")
    masked = -rng.uniform(0, 3, (3, 4))
    masked[0, 1] = masked[2, 3] = -math.inf
    yield Problem("two masked scores", {"scores": masked}, "a score of −∞ is a weight of exactly 0")
    masked = -2000 - rng.uniform(0, 3, (3, 4))
    masked[0, :3] = masked[1, 2] = -math.inf
    masked[2] = [-200_000, -math.inf, -200_001, -200_002]
    yield Problem("masked scores far below 0", {"scores": masked}, "a score of −∞ is a weight of exactly 0, however "
                  "low the others are, and one that is left alone gets all the weight")
    yield Problem("float32", single({"scores": -rng.uniform(0, 4, (3, 5))}))


def pool_inputs(rng, m, n, w):
    """m queries over n keys."""
    m, keys = size(rng, m), shuffled(rng, size(rng, n), below=1.0)
    return {"queries": rng.uniform(-1.5, 4.5, m), **keys, "w": w}


def pools(rng, special, of_room):
    """What rooms 2, 3 and 5 have in common, and one problem of their own. of_room: what a room makes of the inputs."""
    rows = [(name, pool_inputs(rng, m, n, w), why) for name, m, n, w, why in POOLS]
    first = "two queries, three keys", {"queries": np.array([1.0, 2.5]), "w": 1.5} | BY_HAND, ""
    far, twins, still = pool_inputs(rng, 3, 5, 2.0), pool_inputs(rng, 4, 5, 1.2), pool_inputs(rng, 3, 6, 1.1)
    far["queries"][1], twins["keys"][3] = 600.0, twins["keys"][0]
    far["keys"][:3] = 4.0, 4.0, -60.0                        # far away two share still, and one lies much farther
    more = (("one query far from all keys", far, FAR),
            ("two keys at one place", twins, "each of the two counts, with its own value"),
            ("keys close together", stretched(pool_inputs(rng, 5, 6, 1.6), 0.005), "keys may lie close together"),
            ("in another unit", stretched(pool_inputs(rng, 3, 4, 1.6), 3000.0), "keys may be in thousands"),
            ("values of 0", still | {"values": np.zeros(6)}, "all values are 0, so every answer is"), special,
            ("float32", single(pool_inputs(rng, 4, 6, 0.8)), ""))
    for name, inputs, why in (first, *rows, *more):
        yield Problem(name, of_room(**inputs), why)


def stretched(inputs, by):
    """The same picture in another unit of length, and of values."""
    lengths = {name: by * inputs[name] for name in ("queries", "keys", "values") if name in inputs}
    return inputs | lengths | {name: inputs[name] / by for name in ("w", "ws") if name in inputs}


def column_problems(rng):
    """Room 2: queries (m, 1)."""
    twice = pool_inputs(rng, 5, 4, 1.5)
    twice["queries"][3] = twice["queries"][0]
    return pools(rng, ("the same query twice", twice, "two queries may be the same, and each wants its own answer"),
                 lambda queries, **rest: {"queries": queries[:, None], **rest})


def inside_problems(rng):
    """Room 3: no values."""
    why = "w below 1 makes the weights wider, and 0.4² is less than 0.4"
    yield from pools(rng, ("w below one", pool_inputs(rng, 4, 7, 0.4), why), lambda queries, keys, values, w: {
        "queries": queries, "keys": keys, "w": w})
    near = {"queries": np.array([60.0, 1.5]), "keys": np.array([4.0, 4 - 2.0**-9, 0.5, 2.0]), "w": 2.0}
    yield Problem("two keys nearly as far", near, "far away the nearest key has the most weight, not all of it")


def predict_problems(rng):
    """Room 5: the queries are test inputs."""
    itself = pool_inputs(rng, 5, 5, 1.8)
    itself["queries"] = itself["keys"][::-1].copy()
    why = "at test time all keys may be used, the nearest one too, even if it lies at the very same place"
    for problem in pools(rng, ("the training inputs, backwards", itself, why), lambda queries, keys, w, **rest: {
            "test_inputs": queries, "keys": keys, "w": w * float(keys.std()), **rest}):
        if problem.name != "one key":                         # it has no spread
            yield problem


def ws_problems(rng):
    """Room 4: a w for each key."""
    def inputs(n):
        n = size(rng, n)
        return {"ws": rng.uniform(0.5, 2.0, n), **shuffled(rng, n, below=1.5)}

    yield Problem("three keys", {"ws": np.array([1.0, 0.5, 2.0])} | BY_HAND)
    yield Problem("eight keys", inputs(8))
    yield Problem("many keys", inputs((13, 16)))
    yield Problem("more than a hundred keys", inputs((121, 124)))
    yield Problem("equal ws", inputs(5) | {"ws": np.full(5, 1.2)},
                  "all w_i are equal: a shifted column does no harm here")
    silent = inputs(6)
    silent["ws"][2] = 40.0
    yield Problem("one huge w", silent, "the key with w_i = 40 is next to silent: nobody else should hear it")
    mixed = inputs(7)
    yield Problem("some ws below zero", mixed | {"ws": mixed["ws"] * [1, -1, 1, -1, 1, -1, 1]})
    flat = inputs(6)
    flat["ws"][1] = 0.0
    yield Problem("one w is 0", flat, "no distance counts for the key with w_i = 0: all the others hear it fully")
    twins = inputs(6)
    twins["keys"][4] = twins["keys"][1]
    yield Problem("two points at one place", twins, "a point hears the other one at its place, and not itself")
    yield Problem("keys close together", stretched(inputs(7), 0.0004), "keys close together want a large w each")
    yield Problem("in another unit", stretched(inputs(5), 200.0), "keys may be in the hundreds, and ws small for that")
    yield Problem("values of 0", inputs(4) | {"values": np.zeros(4)}, "all values are 0, so every answer is")
    yield Problem("two keys", inputs(2), "only the other one is left: each answer is the other's value")
    large = {"ws": np.full(2, 2e50), "keys": np.array([0.0, 1.0]), "values": np.array([1.0, 4.0])}
    yield Problem("two keys with very large ws", large,
                  "only the other one is left, even if its score is below −10¹⁰⁰")
    distant = inputs(6)
    distant["keys"][3], distant["ws"][distant["keys"].argmin()] = 90.0, 0.2                    # not the nearest wins
    yield Problem("one point far from all others", distant, "each e to the power of its scores is 0 in the computer: "
                  "the row has to be shifted by its largest score first, and the point itself is not the largest")
    yield Problem("float32", single(inputs(6)))


def slope_problems(rng):
    """Room 6: w as a tensor of one number."""
    yield Problem("three keys", {"w": np.array(0.5)} | BY_HAND)
    for name, n, w, why in (("ten keys", (9, 12), 1.6, ""), ("many keys", (14, 17), 2.1, ""), ("a small w", 7, 0.3, ""),
                            ("w below zero", 8, -0.8, ""),
                            ("w = 1", 6, 1.0, "at w = 1 the loss is right even if w is not in it; its slope is not"),
                            ("w = 0", 5, 0.0, "at w = 0 all keys weigh alike, and the slope is 0")):
        yield Problem(name, {"w": np.array(w), **shuffled(rng, size(rng, n), below=1.0)}, why)
    for name, w, data, why in unusual(rng):
        yield Problem(name, {"w": np.array(w), **data}, why)
    yield Problem("float32", single({"w": np.array(1.2), **shuffled(rng, 8)}))


def unusual(rng):
    """Rooms 6 and 7: name, w, keys and values, and why."""
    def data(n):
        return shuffled(rng, n, below=1.0)

    small, lonely, twins = data(7), data(6), data(6)
    lonely["keys"][2], twins["keys"][4] = 90.0, twins["keys"][0]
    lost = "each e to the power of its scores is 0 in the computer: left_out_loss takes care of it"
    for name, w, at, by, why in (
            ("small values", 1.4, small | {"values": 1e-4 * small["values"]}, 1, "values near 0 have a small loss, and "
             "that is a loss too"),
            ("in another unit", 1.4, data(6), 200.0, "keys and values may be in the hundreds, and w small for that"),
            ("keys close together", 1.3, data(7), 0.005, "keys close together want a large w"),
            ("one point far from all others", 1.4, lonely, 1, lost),
            ("two points at one place", 1.7, twins, 1, "each of the two is a key for the other, and not for itself")):
        at = stretched(at | {"w": w}, by)
        yield name, at.pop("w"), at, why


def rho_problems(rng):
    """Room 7: one step. The rate is such that rho moves by 0.3 to 0.8, farther from a small w, or less on its way down.

    So a step that is made on w stays above 0.
    """
    def posed(name, rho, data, why=""):
        w = math.exp(rho)
        steep = w * loss_and_slope(w, **data)[1]
        longest = min(4.0, max(1.0, -2 * rho)) if steep < 0 else min(1.0, 0.7 * w**2)
        rate = float(f"{rng.uniform(0.3, 0.8) * longest / abs(steep):.3g}")
        return Problem(name, {"rho": np.array(rho), **data, "rate": rate}, why)

    yield posed("three keys", -0.5, BY_HAND)
    for name, n, rho, why in (("ten keys", (9, 12), 0.6, ""), ("many keys", (14, 17), 0.4, ""),
                              ("a small w", 6, -2.0, "w = exp(−2), a small number: a step cannot make it negative"),
                              ("rho = 0", 8, 0.0, "rho = 0 is w = 1"), ("a larger w", 12, 0.9, "")):
        yield posed(name, rho, shuffled(rng, size(rng, n), below=1.0), why)
    for name, w, data, why in unusual(rng):
        yield posed(name, math.log(w), data, why)
    still = posed("no step", 0.0, shuffled(rng, 5))
    yield Problem("a tiny rate", still.inputs | {"rate": 1e-4 * still.inputs["rate"]}, "a short step is a step too")
    yield Problem("a rate of 0", still.inputs | {"rate": 0.0}, "with a rate of 0 nothing moves: w is still exp(rho)")
    yield Problem("float32", single(posed("", 0.2, shuffled(rng, 6)).inputs))
