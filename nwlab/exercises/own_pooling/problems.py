"""The problems of `own_pooling`, and what its judges measure by: Nadaraya-Watson at the leave-one-out width.

A design of the student's own has no one right answer. So a function is run on problems that belong together (the same
keys in another order, other values, other parameters), and the judges compare its answers with each other. Two
functions take a pooling as an argument: they get one of ours, and then there is a right answer.
"""
from dataclasses import replace

import numpy as np

import nwlab
from workbook.checks.inputs import Inputs, flags, numbers, one_of, until
from workbook.checks.item import Problem
from nwlab.exercises.common import score_traps, size, softmax
from nwlab.data import linear_truth, power_truth
from nwlab.exercises.own_pooling.given import OURS, scores_of

PARAMETERS = 24
BASE, ORDER, VALUES = "a hundred keys and more", "the same keys in another order", "the same keys, other values"
ALONE, OTHERS, FAR = "the first query alone", "other parameters", "far from all keys"
EQUAL, START, TALL = "queries on keys, two of them equal", "the slopes before training", "more queries than keys"
SQUARE, ITSELF = "as many queries as keys", "no point for itself"
AT_ONCE, NO_STEP, AGAIN = "fifty steps", "no step", "the first sample in another order"
SAMPLES = {                                             # name: truth, noise. They have their keys and queries in common
    "forty points of 2 sin x + x^0.8": (power_truth, 0.5),
    "forty points of cos 3x + 0.3 x": (lambda x: np.cos(3 * x) + 0.3 * x, 0.25),
}
WIDTHS = np.geomspace(0.03, 3.0, 30)
BY_HAND = {"queries": np.array([1.0, 2.5]), "keys": np.array([0.0, 1.25, 3.0]), "values": np.array([1.0, 4.0, 2.0]),
           "parameters": np.zeros(PARAMETERS), "mask": None}
NEAREST, AVERAGE = 3.2, 4.0             # in each sample the two ends of pooling are at least so many times as wrong

TABLES = tuple(Inputs({"scores": numbers("m", "n", low=-4, high=1), "mask": mask})
               for mask in (one_of(None), flags("m", "n")))
LOSSES = Inputs({"attend": one_of(OURS),
                 "keys": replace(numbers("n", low=-3, high=4), specials=numbers("n").specials[:1]),     # two alike
                 "values": numbers("n", low=-40, high=90),
                 "parameters": replace(numbers(PARAMETERS, low=-0.5, high=1.5), specials=())},
                units=("values",), sizes={"n": (2, 200)})


FEW_POINTS = (                          # losses that can be worked out with a pen, with a pooling of ours
    ("two points", OURS, [1, 2], [3, 5], [0] * PARAMETERS, "each point can only ask the other: both are off by 2"),
    ("three points", OURS, [1, 2, 4], [3, 5, 5], [0] * PARAMETERS),
    ("three points far apart", OURS, [1e9, 2e9, 4e9], [3, 5, 5], [-10.3] * PARAMETERS, "keys may be in any unit"))


def designs(rng):
    """Problems of any design: `own_scores` takes the first three arguments, `attend` all of them."""
    start, n, few = np.zeros(PARAMETERS), size(rng, 121), size(rng, 5)
    keys, values, queries = rng.uniform(0, 5, n), rng.normal(2, 1, n), rng.uniform(0.2, 4.8, 7)
    queries[0], queries[4:] = 2.5, keys[:3]                 # alone, in the middle, it has no large distance
    base = {"queries": queries, "keys": keys, "parameters": rng.normal(0, 0.5, PARAMETERS), "values": values,
            "mask": None}
    zero = base | {"queries": keys[:4], "keys": np.append(keys[:5], keys[:1]), "parameters": start,
                   "values": values[:6]}
    near = 1e-5 * rng.choice([-1, 1], PARAMETERS) * rng.uniform(0.5, 1.5, PARAMETERS)     # a tiny step from the start
    tall = {"queries": rng.uniform(-1.5, 2.5, size(rng, 121)), "keys": rng.uniform(-2, 3, few),
            "parameters": rng.normal(0, 0.3, PARAMETERS), "values": rng.uniform(100, 400, few), "mask": None}
    order = rng.permutation(n)
    yield Problem("three keys by hand", BY_HAND)
    yield Problem(BASE, base)
    yield Problem(ORDER, base | {"keys": keys[order], "values": values[order]},
                  f"the keys are a set: where a key stands in the tensor says nothing, and nothing may be tied to one "
                  f"key. There are more keys than parameters ({PARAMETERS})")
    yield Problem(VALUES, base | {"queries": keys, "values": 1e9 * rng.normal(-5, 9, n)},
                  "weights come from queries and keys. Here the queries are the keys, as in training")
    yield Problem(ALONE, base | {"queries": queries[:1]}, "a query's weights do not depend on who else is asking")
    yield Problem(OTHERS, base | {"parameters": start}, "what can be learned has to matter")
    yield Problem(FAR, base | {"queries": np.array([1e3, -1e3, 2.0]), "parameters": start},
                  "two queries are a thousand away from every key")
    yield Problem(EQUAL, zero | {"parameters": near}, "distances of 0 are among them")
    yield Problem(TALL, tall)
    yield Problem(SQUARE, tall | {"queries": tall["queries"][:few], "mask": np.tri(few) > 0},
                  "a table with as many rows as columns: rows are queries still")
    yield Problem(ITSELF, base | {"queries": keys, "mask": ~np.eye(n, dtype=bool)},
                  "no key may attend to itself")
    yield Problem(START, zero, "training begins with zeros: where every slope is 0, no step leads away")


def tables(rng):
    """The traps of a softmax, without a mask and with one."""
    by_hand, far = np.log([[1.0, 2.0, 1.0], [3.0, 1.0, 4.0]]), np.array([[-1e20, -2e20, -3e20, -1e20]] * 2)
    yield "three keys by hand", by_hand, None
    yield from ((trap.name, trap.inputs["scores"], None, trap.why) for trap in score_traps(rng))
    yield ("a mask by hand", by_hand, np.array([[1, 1, 0], [1, 1, 1]], bool),
           "the third key is hidden from the first query")
    yield ("far from all keys, one of them hidden", far, np.array([[1, 1, 1, 0], [0, 1, 1, 0]], bool),
           "with steep scores a query far away has such numbers, and a hidden key must have a lower one")


def training_problems(rng):
    """Two samples, one of them with no step too."""
    first = {"attend": OURS, **one_valley(rng, power_truth, size(rng, 30), 0.4)}
    yield Problem(AT_ONCE, first | {"steps": 50})
    yield Problem(NO_STEP, first | {"steps": 0}, f"after no step the parameters are what they were: {PARAMETERS} zeros")
    yield Problem("sixty steps, another sample", {"attend": OURS, "steps": 60} | one_valley(
        rng, linear_truth, size(rng, 34), 0.6))


def predict_problems(rng):
    """Two samples with the same keys and queries, and the first of them in another order."""
    samples, cycle = telling(rng, 40), rng.permutation(40)
    order = np.empty_like(cycle)
    order[cycle] = np.roll(cycle, 1)                        # one cycle through all: no part of the places stays a part
    for name, inputs in zip(SAMPLES, samples):
        yield Problem(name, inputs)
    first = samples[0]
    yield Problem(AGAIN, first | {name: first[name][order] for name in ("keys", "values")},
                  "the same points: learned from all of them, the weights are the same, in their order")
    yield Problem("the first sample, one query", first | {"queries": first["queries"][:1]}, "one query is still an "
                  "array of shape (1,): one answer, (1,), and one row of weights, (1, n)")


def sample(rng, truth, n, noise):
    """Keys (n,), uniform on 0..5 and in no order, and values (n,)."""
    keys = rng.uniform(0, 5, n)
    return keys, truth(keys) + noise * rng.standard_normal(n)


def one_valley(rng, truth, n, noise):
    """A sample on which every descent from w = 1 ends at the best w."""
    def good(keys, values):
        losses = left_out(keys, values, np.linspace(-0.7, 3.4, 60))
        best = int(np.argmin(losses))
        return 20 < best < 34 and np.all(np.diff(losses[: best + 1]) < 0) and losses[best] < 0.6 * losses[10]

    return until(good, lambda: dict(zip(("keys", "values"), sample(rng, truth, n, noise))))


def telling(rng, n):
    """A sample of each curve on the same keys: neither end of pooling does well on it."""
    while True:
        keys, queries = rng.uniform(0, 5, n), rng.uniform(0.1, 4.9, size(rng, 41))
        values = [truth(keys) + noise * rng.standard_normal(n) for truth, noise in SAMPLES.values()]
        errors = [yardsticks(keys, each, queries, truth(queries)) for (truth, _), each in zip(SAMPLES.values(), values)]
        if all(NEAREST < error["nearest"] / error["width"] and AVERAGE < error["average"] / error["width"]
               for error in errors):
            return [{"keys": keys, "values": each, "queries": queries} for each in values]


def left_out(keys, values, log_w):
    """The leave-one-out loss of a Gaussian for each log w."""
    return nwlab.loo_error(keys, values, bandwidths=np.exp(-np.asarray(log_w)))


def best_width(keys, values) -> float:
    """The width on a coarse grid with the smallest leave-one-out error."""
    return float(WIDTHS[np.argmin(nwlab.loo_error(keys, values, bandwidths=WIDTHS))])


def yardsticks(keys, values, queries, targets) -> dict[str, float]:
    """Errors against the truth: "width" (Nadaraya-Watson, leave-one-out width), "nearest" and "average"."""
    answers = {"width": nwlab.nadaraya_watson(queries, keys, values, bandwidth=best_width(keys, values)),
               "nearest": nwlab.nearest_pooling(queries, keys, values), "average": values.mean()}
    return {name: float(np.mean((answer - targets) ** 2)) for name, answer in answers.items()}


def kept(table, mask, otherwise):
    """The table (m, n) where the mask is True, or where there is no mask."""
    return table if mask is None else np.where(mask, table, otherwise)


def weights_of(scores, mask=None, axis=-1):
    """The softmax of each row over the keys that the mask allows, (m, n)."""
    return softmax(kept(scores, mask, -np.inf), axis)


def loss(attend, keys, values, parameters, itself=False, end=lambda gaps: np.mean(gaps**2)):
    """The leave-one-out loss of the pooling that is handed over, a number.

    May be wrong: itself, each point attends to itself too; end, of the gaps between answers and values, (n,).
    """
    squares = np.subtract.outer(keys, keys) ** 2
    others = None if itself else ~np.eye(len(keys), dtype=bool)
    return end(weights_of(scores_of(squares, parameters), others) @ values - values)
