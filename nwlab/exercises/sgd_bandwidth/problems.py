"""What the inputs of `sgd_bandwidth` are, and the traps of its subject."""
import numpy as np

from workbook.checks.inputs import Inputs, count, numbers, one_of, until
from workbook.checks.item import Problem
from nwlab.exercises.sgd_bandwidth import model

HOUSES = {"keys": np.array([6.0, 9.0, 13.0]), "values": np.array([150.0, 300.0, 360.0])}
SMALL = {"keys": np.array([0.0, 0.9, 2.0]), "values": np.array([1.0, 2.0, 4.0])}
UNITS = "in other units: w is one over a width, in the unit of the keys"
ISOLATED = ("one point lies far from all others: every weight that another key could get underflows beside its own. "
          "First put −∞ into the scores, then subtract each row's largest score before e to the power: torch.softmax "
          "does the second")


def number(x):
    """w and rho are tensors of shape (), as a gradient needs them."""
    return np.array(float(x))


def wave(rng, n, noise=0.3):
    """Keys on 0..3, at least 0.1 apart, and noisy values of a wave."""
    keys = rng.permutation(np.linspace(0.0, 3.0, n) + rng.uniform(-0.3, 0.3, n) * min(3.0 / n, 0.6))
    return {"keys": keys, "values": np.sin(2.5 * keys) + rng.normal(0.0, noise, n)}


def in_units(data, of_keys, of_values):
    """The same data in other units: where w was the best, w / of_keys is."""
    return data | {"keys": of_keys * data["keys"], "values": of_values * data["values"]}


def run(w, data, leave_one_out, learning_rate, steps):
    return {"rho": number(np.log(w)), **data, "leave_one_out": leave_one_out, "learning_rate": learning_rate,
            "steps": steps}


def walked(rng, n):
    """A few steps that stay on one side of the valley."""
    return run(rng.uniform(1.5, 2.0), wave(rng, n), bool(rng.integers(2)), 0.1 / n, int(rng.integers(2, 5)))


def clear(factor, **inputs):
    """Whether one w is the best by this factor: rounding cannot decide."""
    first, second = np.sort(model.losses(**inputs))[:2]
    return second > factor * first


def grid_of(rng, g, n):
    return until(lambda **inputs: clear(1.01, **inputs), lambda: {
        "grid": rng.permutation(np.geomspace(0.3, 12.5, g)) * rng.uniform(0.95, 1.05), **wave(rng, n)})


W = numbers(low=0.8, high=2.5)
POINTS = {"keys": numbers("n", low=-1.0, high=2.0), "values": numbers("n", low=-1.5, high=1.5)}
TWO_POINTS = {"n": (2, 200)}
SCORES = Inputs({"w": W, "queries": numbers("m", low=-1.0, high=2.0), "keys": POINTS["keys"]},
                units=("queries keys 1/w",))
LOSS = Inputs({"w": W, **POINTS}, units=("keys 1/w", "values"), sizes=TWO_POINTS)
MASK = Inputs({"n": count(2, 14)})
SLOPE = Inputs({"rho": numbers(low=-0.2, high=0.5), **POINTS, "leave_one_out": one_of(True, False)}, sizes=TWO_POINTS)
WALK = Inputs(walked, sizes={"n": (3, 200)})
GRID = Inputs(grid_of, units=("keys 1/grid", "values"), sizes={"g": (3, 10), "n": (5, 20)})
ERROR = Inputs({"w": W, **POINTS, "queries": numbers("m", low=-1.0, high=2.0), "truth": numbers("m")},
               units=("queries keys 1/w", "values truth"))


def pairs(rng):
    yield Problem("one query, three keys", {"w": number(0.5), "queries": np.array([10.0]), "keys": HOUSES["keys"]})


def houses(rng):
    far = wave(rng, 6)
    far["keys"][5] = -3e4
    yield Problem("three houses", {"w": number(0.5), **HOUSES})
    yield Problem("an isolated point", {"w": number(3.1), **far}, ISOLATED)


def one_point(rng):
    yield Problem("one point", {"n": 1}, "a single point has no other point to attend to")


def slopes(rng):
    def at(w, data, leave_one_out):
        return {"rho": number(np.log(w)), **data, "leave_one_out": leave_one_out}

    yield Problem("three houses", at(0.5, HOUSES, True))
    yield Problem("three houses, each attends to itself too", at(0.5, HOUSES, False))
    yield Problem("large areas, large values", at(1.5e-9, in_units(wave(rng, 6), 1e9, 1e9), True), UNITS)
    yield Problem("small areas, small values", at(3e9, in_units(wave(rng, 6), 1e-9, 1e-9), False), UNITS)


def walks(rng):
    small, huge = in_units(SMALL, 1.0, 1e-3), in_units(SMALL, 1e9, 1e9)
    yield Problem("no step", run(0.6, SMALL, True, 0.02, 0), "the path holds the start alone")
    yield Problem("sixty steps", run(0.6, small, True, 5e3, 60), "a walk takes all of its steps, with one learning "
                  "rate, even where the slope is small")
    yield Problem("large areas, large values", run(6e-10, huge, True, 2e-20, 4), UNITS)
    yield Problem("too far and back", run(1.9, SMALL, True, 0.52, 4), "a large step may go too far, and make the loss "
                  "larger: the walk goes on from there, with the same learning rate")
    yield Problem("three steps, leave-one-out", run(0.6, SMALL, True, 0.02, 3))


def grids(rng):
    """Minima that rounding cannot move: the second smallest loss is clearly larger."""
    def many():
        """Points that come last have large values, and want a larger w than the others."""
        first, last = wave(rng, 98), 4.0 + np.linspace(0.0, 1.0, 14) + rng.uniform(-0.01, 0.01, 14)
        data = {"keys": np.append(first["keys"], last) - 2.0,
                "values": np.append(first["values"], 20 * np.sin(8 * last) + rng.normal(0.0, 1.0, 14))}
        return {"grid": 1e9 * rng.permutation(np.geomspace(0.3, 40.0, 124)), **in_units(data, 1e-9, 1e-9)}

    yield Problem("three houses", {"grid": np.array([0.1, 0.3, 0.6, 1.2]), **HOUSES})
    yield Problem("many widths, many points", until(lambda **inputs: clear(1 + 1e-5, **inputs), many),
                  f"there may be more than a hundred of both, {UNITS}")
    yield Problem("one width", {"grid": np.array([1.3]), **wave(rng, 5)}, "there is no other, and it is still a tensor")


def errors(rng):
    yield Problem("two queries, three keys", {"w": number(0.5), **HOUSES, "queries": np.array([8.0, 11.5]),
                                              "truth": np.array([220.0, 310.0])})
