"""The items of `worth_of_w`, their inputs, the traps of its subject, and its oracles: an option makes one thing wrong.

A sample is the pair keys (n,), values (n,). A query's weights are softmax over i of -1/2 ((q - k_i) w)^2.
"""
from dataclasses import replace
from functools import partial

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, number, numbers, positive, until
from workbook.checks.item import Exercise, Item
from workbook.exercises import common
from workbook.exercises.common import best_w, choices, left_out_errors, mixed, stands_out, weights_of_w
from workbook.exercises.common import scores_of_w as scores
from workbook.language import say

SPECIALS = number().specials + positive().specials                  # w may be 0, below 0, very small, very large
W, FACTOR = replace(number(), specials=SPECIALS), number()
LARGE_W = replace(W, specials=SPECIALS[:2] + SPECIALS[3:])      # right ways have few digits of a tiny w: a logsumexp,
#                                                                 a forward difference
SAMPLE = {"keys": numbers("n"), "values": numbers("n", low=-3)}
SEVERAL = {"n": (3, 1000)}             # with one key nothing is left, and with two nothing changes with w

ERRORS = Inputs({"queries": numbers("m"), "targets": numbers("m", low=-3), **SAMPLE, "w": W},
                units=("queries keys 1/w", "targets values"))
LEFT_OUT = Inputs({"ws": replace(positive("g", low=0.3, high=5), specials=SPECIALS), **SAMPLE},
                  units=("keys 1/ws", "values"), sizes=SEVERAL)
GAPS = Inputs({"query": number(), "keys": numbers("n"), "w": LARGE_W}, units=("query keys 1/w",))
SLOPES = Inputs({"w": LARGE_W, **SAMPLE, "factor": FACTOR}, units=("values", "factor"), sizes=SEVERAL)


def rows_of_samples(rng, s, n, m, g):
    ws = rng.permutation(np.geomspace(0.6, 14, g))
    rows = [until(lambda **row: stands_out(ws, **row), lambda: mixed(rng, n)) for _ in range(s)]
    return {"queries": rng.uniform(-2.3, 2.3, m), "targets": rng.normal(0, 2, m),
            **{name: np.stack([row[name] for row in rows]) for name in ("keys", "values")},
            "fixed_w": float(rng.uniform(0.7, 2)), "ws": ws}


def steady(w, **rest):
    """Whether each step moves, and a nudge of the start is not blown up, so that rounding is not either."""
    path, nudged = steps(w, **rest), steps(w + 1e-6, **rest)
    return np.all(np.abs(nudged - path) < 3e-6) and np.all(np.abs(np.diff(path)) > 1e-4)


def runs(rng, n):
    return until(steady, lambda: {"w": rng.uniform(0.7, 1.5), **mixed(rng, n), "learning_rate": 0.02 / n,
                                  "factor": rng.uniform(0.4, 1.5)})


CHOICES = Inputs(choices, units=("keys 1/ws", "values"), sizes={"n": (4, 1000)})
SAMPLES = Inputs(rows_of_samples, units=("queries keys 1/fixed_w 1/ws", "targets values"),
                 sizes={"n": (4, 12)})           # who puts all samples into one has a table of (s n)^2
RUNS = Inputs(runs, units=("factor 1/learning_rate",), sizes=SEVERAL)

MIDDLE = say("in the middle between two keys both share the weight, however large w is")
WHOLE_SAMPLES = (say("whole numbers"), np.array([1, 2]), np.array([0, 1]), np.array([[0, 1, 3], [1, 2, 5]]),
                 np.array([[1, 4, 2], [0, 3, 1]]), 1.5, [0.5, 3], WHOLE),


def slopes(rng):
    """Units in which a difference quotient with a step of 10⁻⁶ still has four digits."""
    keys, values = mixed(rng, 7).values()
    yield say("large keys"), 0.24, 5 * keys, values, 1.0, common.UNITS
    yield say("small keys"), -1200.0, 0.001 * keys, values, 1.0, common.UNITS


def paths(rng):
    yield (say("too far and back"), rng.uniform(1.45, 1.55), [0, 0.9, 2], [1, 2, 4], 1.3, 1.0,
           say("a large step may go too far, and make the loss larger: the walk goes on from there, with the same "
               "learning rate"))
    yield (say("far too far"), rng.uniform(1.45, 1.55), [0, 0.9, 2], [3, 6, 12], 1.3, 1.0,
           say("a long step is a step too"))
    yield say("whole numbers"), 1, np.array([0, 1, 3]), np.array([1, 4, 2]), 0.02, 1.0, WHOLE
    w, keys, values, rate, factor = runs(rng, 7).values()
    tiny = 5e-18 * rate / np.ptp(steps(w, keys, values, rate, factor)[:2])              # its first step is 5e-7
    yield (say("large keys and values"), -w / 1000, 1000 * keys, 1e4 * values, tiny, factor,
           say("{units}. Where it is small, so are its steps", units=common.UNITS))
    yield say("small keys"), 1000 * w, keys / 1000, values, 1e6 * rate, factor, common.UNITS


def error(queries, targets, keys, values, w, **how):
    """A number."""
    return np.mean((weights_of_w(queries, keys, w, **how) @ values - targets) ** 2)


def rules(queries, targets, keys, values, fixed_w, ws, choose=best_w, measured=error):
    """(s, 2). choose(ws, keys, values): the w of one sample; measured: the judge of both rules."""
    return np.array([[measured(queries, targets, *pair, w) for w in (fixed_w, choose(ws, *pair))]
                     for pair in zip(keys, values)])


def gaps(query, keys, w, **how):
    """(n,)"""
    below = scores(query, keys, w, **how)
    return below.max() - below


def slope(w, keys, values, factor, mean=lambda weights, s: (weights * s).sum(axis=1, keepdims=True),
          inner=np.positive, itself=-np.inf):
    """The slope of the summed loss, a number, by the formula of the notebook. mean: of s, in each row; inner: of w."""
    s, weights = np.subtract.outer(keys, keys) ** 2, weights_of_w(keys, keys, w, itself=itself)
    change = -(weights * (s - mean(weights, s))) @ values * inner(w)
    return 2 * factor * np.sum((weights @ values - values) * change)


def steps(w, keys, values, learning_rate, factor):
    """(6,)"""
    path = [float(w)]
    for _ in range(5):
        path.append(path[-1] - learning_rate * slope(path[-1], keys, values, factor))
    return np.array(path)


IN_BOTH_ERRORS = (
    ("w stands outside the square", {"outside": True}),
    ("the squares are not halved in the scores", {"half": 1.0}),
    ("the softmax runs over the queries, not the keys", {"axis": 0}))

item = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__package__, say("More data, and what w is worth"), items=(
    item("error_against_truth", oracle=error, inputs=(ERRORS,), mistakes=IN_BOTH_ERRORS,
         by_hand=((say("between two keys"), [2, 5.5], [0, 1], [1, 3, 6], [1, 4, 2], 1e5, MIDDLE),)),
    item("leave_one_out_errors", points=2, oracle=left_out_errors, inputs=(LEFT_OUT,),
         by_hand=((say("between two keys"), [1, 1e5], [1, 2, 3], [1, 4, 2], MIDDLE),), mistakes=(
        ("no point is left out: each one attends to itself", {"itself": None}),
        ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one",
         {"itself": None, "late": 0.0}),
        *IN_BOTH_ERRORS)),
    item("best_w", by_hand=common.grid_traps, oracle=best_w, inputs=(CHOICES,), mistakes=(
        ("the place of the best w, not w itself", lambda **at: np.argmin(left_out_errors(**at))),
        ("the smallest error, not the w that has it", lambda **at: np.min(left_out_errors(**at))),
        ("the largest w wins, as if no point were left out", {"itself": None}))),
    item("two_rules", points=2, by_hand=WHOLE_SAMPLES, oracle=rules, inputs=(SAMPLES,), mistakes=(
        ("no point is left out when w is chosen", {"choose": partial(best_w, itself=None)}),
        ("the errors at the sample's own keys",
         {"measured": lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)}))),
    item("log_weight_gaps", oracle=gaps, inputs=(GAPS,), loops=False, mistakes=(
        ("measured from the farthest key, not from the nearest", lambda **at: gaps(**at) - gaps(**at).max()),
        *IN_BOTH_ERRORS[:2])),
    item("loss_slope", points=2, by_hand=slopes, oracle=slope, inputs=(SLOPES,), mistakes=(
        ("the w of the inner derivative is missing", {"inner": lambda w: 1.0}),
        ("the mean s̄ is not subtracted", {"mean": lambda weights, s: 0.0}),
        ("no point is left out: each one attends to itself", {"itself": None})),
         tolerance=1e-4),              # a difference of two losses is a slope too, if not an exact one
    item("five_steps", by_hand=paths, oracle=steps, inputs=(RUNS,), tolerance=1e-4, mistakes=(
        ("the path begins after the first step", lambda w, **at: steps(steps(w, **at)[1], **at)),)),
))
