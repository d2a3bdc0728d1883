"""The items of `sgd_bandwidth`, their inputs, the traps of its subject, and its oracles: an option makes one wrong.

Throughout the weights are softmax_i(-1/2 ((q - k_i) w)^2), and w = exp(rho). No automatic differentiation has a say in
what slope is right.
"""
from dataclasses import replace
from functools import partial

import numpy as np

from workbook.checks.inputs import Inputs, count, numbers, one_of
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises import common
from workbook.exercises.common import UNITS, best_w, choices, left_out_errors, scores_of_w, weights_of_w, with_slope
from workbook.language import say

HOUSES = {"keys": np.array([6.0, 9.0, 13.0]), "values": np.array([150.0, 300.0, 360.0])}
SMALL = {"keys": np.array([0.0, 0.9, 2.0]), "values": np.array([1.0, 2.0, 4.0])}
ISOLATED = say("one point lies far from all others: every weight that another key could get underflows beside its own. "
               "First put −∞ into the scores, then subtract each row's largest score before e to the power: "
               "torch.softmax does the second")


def wave(rng, n, noise=0.3):
    """Keys on 0..3, at least 0.1 apart, and noisy values of a wave."""
    keys = rng.permutation(np.linspace(0.0, 3.0, n) + rng.uniform(-0.3, 0.3, n) * min(3.0 / n, 0.6))
    return {"keys": keys, "values": np.sin(2.5 * keys) + rng.normal(0.0, noise, n)}


def in_units(data, of_keys, of_values):
    """The same data in other units: where w was the best, w / of_keys is."""
    return data | {"keys": of_keys * data["keys"], "values": of_values * data["values"]}


def run(w, data, leave_one_out, learning_rate, steps):
    return {"rho": np.array(np.log(w)), **data, "leave_one_out": leave_one_out, "learning_rate": learning_rate,
            "steps": steps}


def walked(rng, n):
    """A few steps that stay on one side of the valley."""
    return run(rng.uniform(1.5, 2.0), wave(rng, n), bool(rng.integers(2)), 0.1 / n, int(rng.integers(2, 5)))


def grid_of(rng, g, n):
    drawn = choices(rng, g, n)
    return {"grid": drawn.pop("ws"), **drawn}


W = numbers(low=0.8, high=2.5)
POINTS = {"keys": numbers("n", low=-1.0, high=2.0), "values": numbers("n", low=-1.5, high=1.5)}
TWO_POINTS = {"n": (2, 200)}
ANY_SIZE = replace(W, specials=(*W.specials, (say("large"), lambda x: 1e5 * x,
                                              say("w may be large, and scores far below 0"))))
SCORES = Inputs({"w": ANY_SIZE, "queries": numbers("m", low=-1.0, high=2.0), "keys": POINTS["keys"]},
                units=("queries keys 1/w",))
LOSS = Inputs({"w": W, **POINTS}, units=("keys 1/w", "values"), sizes=TWO_POINTS)
MASK = Inputs({"n": count(2, 14)})
SLOPE = Inputs({"rho": numbers(low=-0.2, high=0.5), **POINTS, "leave_one_out": one_of(True, False)}, sizes=TWO_POINTS)
WALK = Inputs(walked, sizes={"n": (3, 200)})
GRID = Inputs(grid_of, units=("keys 1/grid", "values"), sizes={"g": (3, 130), "n": (5, 130)})
ERROR = Inputs({"w": W, **POINTS, "queries": numbers("m", low=-1.0, high=2.0), "truth": numbers("m")},
               units=("queries keys 1/w", "values truth"))


NEW_QUERIES = ((say("a query far from all keys"), np.array(2.0), [0, 1, 1], [1, 2, 4], [6e6, 0.5], [3, 1],
                say("exp of its scores is 0 in the computer. The two nearest keys are equally far away, and share the "
                    "weight")),)


def houses(rng):
    far = wave(rng, 6)
    far["keys"][5] = -3e4
    yield say("three houses"), np.array(0.5), *HOUSES.values()
    yield say("an isolated point"), np.array(3.1), *far.values(), ISOLATED


def slopes(rng):
    for words, unit, w, leave_one_out in ((say("large areas, large values"), 1e9, 1.5, True),
                                          (say("small areas, small values"), 1e-9, 3.0, False)):
        data = in_units(wave(rng, 6), unit, unit)
        yield words, np.array(np.log(w / unit)), *data.values(), leave_one_out, UNITS


def walks(rng):
    small, huge = in_units(SMALL, 1.0, 1e-3), in_units(SMALL, 1e9, 1e9)
    yield Problem(say("no step"), run(0.6, SMALL, True, 0.02, 0), say("the path holds the start alone"))
    for words, unit in (say("sixty steps"), 1.0), (say("sixty steps, tiny values"), 1e-4):
        data = in_units(small, 1.0, unit)
        yield Problem(words, run(0.6, data, True, 5e3 / unit**2, 60),
                      say("a walk takes all of its steps, with one learning rate, even where the slope is small"))
    yield Problem(say("many short steps"), run(0.6, SMALL, True, 3e-7, 300),
                  say("a walk takes all of its steps, however short"))
    yield Problem(say("large areas, large values"), run(6e-10, huge, True, 2e-20, 4), UNITS)
    for words, w, rate in (say("too far and back"), 1.9, 0.52), (say("far too far"), 0.6, 4.0):
        yield Problem(words, run(w, SMALL, True, rate, 4),
                      say("a large step may go too far, and make the loss larger: the walk goes on from there, with "
                          "the same learning rate"))


def grids(rng):
    yield from common.grid_traps(rng)
    yield say("three houses"), [0.1, 0.3, 0.6, 1.2], *HOUSES.values()
    yield (say("one width"), np.array([1.3]), *wave(rng, 5).values(),
           say("there is no other, and it is still a tensor"))


def loss(w, keys, values, leave_one_out=False, **how):
    """A number."""
    return len(keys) * left_out_errors([w], keys, values, itself=-np.inf if leave_one_out else None, **how)[0]


def slope_in_w(w, *at, **how):
    """d loss / d w."""
    return with_slope(loss, w, *at, **how)[1]


def slope(rho, keys, values, leave_one_out):
    """d loss / d rho, by d w / d rho = w."""
    w = np.exp(np.clip(rho, -300.0, 300.0))                  # where a mistake runs away, not beyond what a float holds
    return w * slope_in_w(w, keys, values, leave_one_out)


def descend(rho, keys, values, leave_one_out, learning_rate, steps, slope=slope, w_of=np.exp):
    """The w on the way, (steps + 1,). May be wrong: the slope, and how w follows from what is moved."""
    places = [float(rho)]
    for _ in range(steps):
        places.append(places[-1] - learning_rate * slope(places[-1], keys, values, leave_one_out))
    return w_of(places)


def error(w, keys, values, queries, truth, axis=1, end=np.square):
    """A number. May be wrong: end, of the residuals."""
    return np.mean(end(weights_of_w(queries, keys, w, axis) @ values - truth))


ANY_LOSS = (("the softmax runs over the queries", {"axis": 0}), ("the square is forgotten", {"end": np.positive}))

item = partial(Item, library="torch")

EXERCISE = Exercise(__package__, say("Learn the width by gradient descent"), (
    item("scores", arguments=("w", "queries", "keys"), oracle=scores_of_w, inputs=(SCORES,), slope="w", mistakes=(
        ("w stands outside the square", {"outside": True}),
        ("the square is missing", {"square": np.abs}),
        ("the square is missing", {"square": np.asarray}))),
    item("naive_loss", by_hand=houses, oracle=loss, inputs=(LOSS,), mistakes=ANY_LOSS, slope="w"),
    item("leave_one_out_mask", by_hand=((say("one point"), 1, say("a single point has no other point to attend to")),),
         oracle=lambda n: ~np.eye(n, dtype=bool), inputs=(MASK,), own_judge=common.truth_values),
    item("leave_one_out_loss", points=2, by_hand=houses, oracle=partial(loss, leave_one_out=True), inputs=(LOSS,),
         slope="w", mistakes=(
             ("each point still attends to itself: this is the naive loss", loss),
             ("the mask is the wrong way round: each point attends only to itself", lambda **at: 0.0),
             ("the diagonal is set to 0 after the softmax, and the rows do not sum to one", partial(loss, late=0.0)),
             *ANY_LOSS)),
    item("slope", points=2, by_hand=slopes, oracle=slope, inputs=(SLOPE,), tolerance=1e-4, mistakes=(
        ("the slope with respect to w, not to ρ", lambda rho, **at: slope_in_w(np.exp(rho), **at)),
        ("the exponential is missing: ρ is used as w", lambda rho, **at: slope_in_w(rho, **at)))),
    item("descend", points=2, by_hand=walks, oracle=descend, inputs=(WALK,), tolerance=1e-4, mistakes=(
        ("the steps are taken in w, not in ρ",
         lambda rho, **at: descend(np.exp(rho), **at, slope=slope_in_w, w_of=np.array)),)),
    item("best_w", by_hand=grids, oracle=lambda grid, keys, values, **how: best_w(grid, keys, values, **how),
         inputs=(GRID,), mistakes=(
        ("the place in the grid, not the w that stands there", lambda grid, **at: left_out_errors(grid, **at).argmin()),
        ("the smallest loss, not the w that has it",
         lambda grid, keys, values: len(keys) * left_out_errors(grid, keys, values).min()),
        ("the largest w wins, as if no point were left out", {"itself": None}))),
    item("error_against_truth", by_hand=NEW_QUERIES, oracle=error, inputs=(ERROR,), mistakes=ANY_LOSS)))
