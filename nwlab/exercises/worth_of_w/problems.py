"""What the inputs of `worth_of_w` are, and the traps of its subject. A sample is the pair keys (n,), values (n,)."""
from dataclasses import replace

import numpy as np

from workbook.checks.inputs import Inputs, number, numbers, positive, until
from workbook.checks.item import posed
from nwlab.exercises.common import BY_HAND, sample
from nwlab.exercises.worth_of_w import model

THREE_KEYS = tuple(BY_HAND.values())
SPECIALS = number().specials + positive().specials                  # w may be 0, below 0, very small, very large
W, FACTOR = replace(number(), specials=SPECIALS), number()
LARGE_W = replace(W, specials=SPECIALS[:2] + SPECIALS[3:])       # a logsumexp, a right way, has few digits of a tiny w
SAMPLE = {"keys": numbers("n"), "values": numbers("n", low=-3)}
SEVERAL = {"n": (3, 1000)}             # with one key nothing is left, and with two nothing changes with w
UNITS = "in other units: w is one over a width, in the unit of the keys"

ERRORS = Inputs({"queries": numbers("m"), "targets": numbers("m", low=-3), **SAMPLE, "w": W},
                units=("queries keys 1/w", "targets values"))
LEFT_OUT = Inputs({"ws": replace(positive("g", low=0.3, high=5), specials=SPECIALS), **SAMPLE},
                  units=("keys 1/ws", "values"), sizes=SEVERAL)
GAPS = Inputs({"query": number(), "keys": numbers("n"), "w": LARGE_W}, units=("query keys 1/w",))
SLOPES = Inputs({"w": W, **SAMPLE, "factor": FACTOR}, units=("values", "factor"), sizes=SEVERAL)


def mixed(rng, n):
    """A sample in no order, around 0."""
    order, drawn = rng.permutation(n), sample(rng, n)
    return {"keys": drawn["keys"][order] - 2.5, "values": drawn["values"][order] - 2}


def stands_out(ws, keys, values):
    """Whether rounding cannot decide which w has the smallest leave-one-out error."""
    least, *others = sorted(model.left_out_errors(ws, keys, values))
    return all(error > 1.0001 * least for error in others)


def choices(rng, g, n):
    ws = rng.permutation(np.geomspace(0.4, 30, g))
    return until(stands_out, lambda: {"ws": ws, **mixed(rng, n)})


def rows_of_samples(rng, s, n, m, g):
    ws = rng.permutation(np.geomspace(0.6, 14, g))
    rows = [until(lambda **row: stands_out(ws, **row), lambda: mixed(rng, n)) for _ in range(s)]
    return {"queries": rng.uniform(-2.3, 2.3, m), "targets": rng.normal(0, 2, m),
            **{name: np.stack([row[name] for row in rows]) for name in ("keys", "values")},
            "fixed_w": float(rng.uniform(0.7, 2)), "ws": ws}


def steady(w, **rest):
    """Whether each step moves, and a nudge of the start is not blown up, so that rounding is not either."""
    path, nudged = model.steps(w, **rest), model.steps(w + 1e-6, **rest)
    return np.all(np.abs(nudged - path) < 3e-6) and np.all(np.abs(np.diff(path)) > 1e-4)


def runs(rng, n):
    return until(steady, lambda: {"w": rng.uniform(0.7, 1.5), **mixed(rng, n), "learning_rate": 0.02 / n,
                                  "factor": rng.uniform(0.4, 1.5)})


CHOICES = Inputs(choices, units=("keys 1/ws", "values"), sizes={"n": (4, 1000)})
SAMPLES = Inputs(rows_of_samples, units=("queries keys 1/fixed_w 1/ws", "targets values"),
                 sizes={"n": (4, 12)})           # who puts all samples into one has a table of (s n)^2
RUNS = Inputs(runs, units=("factor 1/learning_rate",), sizes=SEVERAL)


def yardsticks(rng):
    return posed(
        ("queries", "targets", "keys", "values", "w"),
        ("two queries, three keys", [0.5, 2.5], [1.0, 4.0], *THREE_KEYS, 2.0))


def left_out(rng):
    return posed(
        ("ws", "keys", "values"),
        ("three keys, two widths", [0.5, 2.0], *THREE_KEYS))


def valleys(rng):
    return posed(
        ("ws", "keys", "values"),
        ("five keys, three widths", [4.0, 0.25, 1.5], [0.0, 1, 2, 4, 5], [0.0, 1.0, 3.0, 4.0, 4.5]))


def gaps(rng):
    return posed(
        ("query", "keys", "w"),
        ("three keys", 1.25, THREE_KEYS[0], 2.0))


def slopes(rng):
    keys, values = mixed(rng, 7).values()
    return posed(
        ("w", "keys", "values", "factor"),
        ("three keys", 0.5, *THREE_KEYS, 1.0),
        ("large keys", 0.012, 100 * keys, values, 1.0, UNITS),
        ("small keys", -1200.0, 0.001 * keys, values, 1.0, UNITS))


def paths(rng):
    w, keys, values, rate, factor = runs(rng, 7).values()
    return posed(
        ("w", "keys", "values", "learning_rate", "factor"),
        ("three keys", 0.5, *THREE_KEYS, 0.02, 1.0),
        ("large keys and values", -w / 100, 100 * keys, 1e4 * values, 1e-12 * rate, factor, UNITS),
        ("small keys", 1000 * w, keys / 1000, values, 1e6 * rate, factor, UNITS))
