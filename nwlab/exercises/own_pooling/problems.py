"""The problems of `own_pooling`, and what its judges measure by: Nadaraya-Watson at the leave-one-out width.

A design of the student's own has no one right answer. So a function is run on problems that belong together (the same
keys in another order, other values, other parameters), and the judges compare its answers with each other. Two
functions take a pooling as an argument: they get one of ours, and then there is a right answer.
"""
import itertools

import numpy as np

import nwlab
from workbook.checks.item import Problem
from nwlab.exercises.common import softmax
from nwlab.data import linear_truth, power_truth
from nwlab.exercises.own_pooling.given import GAUSSIAN, RATIONAL, SPREAD, scores_of

PARAMETERS = 24
BASE, ORDER, ALONE = "a hundred keys and more", "the same keys in another order", "the first query alone"
OTHERS, VALUES, FAR = "other parameters", "the same keys, other values", "far from all keys"
TALL, SQUARE, AGAIN = "more queries than keys", "as many queries as keys", "the first sample in another order"
MASKED, ITSELF = "a mask", "no point for itself"
EQUAL, SLOPES, START = "queries on keys, two of them equal", "the slopes", "the slopes before training"
AT_ONCE, NO_STEP, ONE_STEP = "fifty steps", "no step", "one step"
SAMPLES = {                                             # name: truth, noise. They have their keys and queries in common
    "forty points of 2 sin x + x^0.8": (power_truth, 0.5),
    "forty points of cos 3x + 0.3 x": (lambda x: np.cos(3 * x) + 0.3 * x, 0.25),
}
WIDTHS = np.geomspace(0.03, 3.0, 30)
BY_HAND = {"queries": np.array([1.0, 2.5]), "keys": np.array([0.0, 1.25, 3.0]), "parameters": np.zeros(PARAMETERS)}
NEAREST, AVERAGE = 3.2, 4.0             # in each sample the two ends of pooling are at least so many times as wrong
ENOUGH = 1.2                            # and two learned numbers at most so many times


def size(rng, least):
    """One of three sizes, so that no size is the same for every seed."""
    return int(rng.integers(least, least + 3))


def score_problems(rng):
    """Problems without values."""
    start, keys, queries = np.zeros(PARAMETERS), rng.uniform(0, 5, size(rng, 121)), rng.uniform(0.2, 4.8, 7)
    queries[0] = 2.5                                        # alone, in the middle, it has no large distance
    base = {"queries": queries, "keys": keys, "parameters": rng.normal(0, 0.5, PARAMETERS)}
    zero = {"queries": keys[:4], "keys": np.append(keys[:5], keys[:1]), "parameters": start}
    near = 1e-5 * rng.choice([-1, 1], PARAMETERS) * rng.uniform(0.5, 1.5, PARAMETERS)     # a tiny step from the start
    yield Problem("three keys by hand", BY_HAND)
    yield Problem(BASE, base)
    yield Problem(ORDER, base | {"keys": rng.permutation(keys)},
                  f"the keys are a set: where a key stands in the tensor says nothing, and nothing may be tied to one "
                  f"key. There are more keys than parameters ({PARAMETERS})")
    yield from asked_otherwise(base)
    yield Problem(EQUAL, zero | {"parameters": near}, "distances of 0 are among them")
    yield from tall_and_square(rng)
    yield Problem(SLOPES, {"queries": keys[:5], "keys": keys[:5], "parameters": rng.normal(0, 0.3, PARAMETERS)},
                  "training needs the slope by each parameter, and its queries are the keys themselves")
    yield Problem(START, zero, "training begins with zeros: where every slope is 0, no step leads away")


def asked_otherwise(base):
    """The same keys for other queries and other parameters."""
    start = {"parameters": np.zeros(PARAMETERS)}
    first = {"queries": base["queries"][:1]}
    yield Problem(ALONE, base | first, "a query's weights do not depend on who else is asking")
    yield Problem(OTHERS, base | start, "what can be learned has to matter")
    yield Problem(FAR, base | start | {"queries": np.array([1e3, -1e3, 2.0])},
                  "two queries are a thousand away from every key")


def tall_and_square(rng, **more):
    """Many queries for a few keys, some below 0, and as many of these queries as there are keys."""
    n = size(rng, 5)
    few = {"queries": rng.uniform(-1.5, 2.5, size(rng, 121)), "keys": rng.uniform(-2, 3, n),
           "parameters": rng.normal(0, 0.3, PARAMETERS)} | {name: make(n) for name, make in more.items()}
    square = few | {"queries": few["queries"][::-1][:n].copy()}
    yield Problem(TALL, few)
    if "mask" in more:
        square["mask"] = np.roll(np.tri(n, dtype=bool), 1, axis=1)         # neither symmetric nor only off the diagonal
    yield Problem(SQUARE, square, "a table with as many rows as columns: rows are queries still")


def weight_problems(rng):
    """Scores (m, n) and a mask, or None."""
    by_hand, m, n = np.log([[1.0, 2.0, 1.0], [3.0, 1.0, 4.0]]), size(rng, 14), size(rng, 5)

    def masked(m, n):
        """(m, n), True for at least one key of each query, and for one alone in the first row."""
        mask = rng.uniform(size=(m, n)) < 0.5
        mask[np.arange(m), rng.integers(0, n, m)] = True
        mask[0] = np.arange(n) == 2
        return mask

    for name, scores, mask, why in (
        ("three keys by hand", by_hand, None, ""),
        ("a mask by hand", by_hand, [[1, 1, 0], [1, 1, 1]], "the third key is hidden from the first query"),
        ("four queries", rng.normal(size=(4, size(rng, 13))), None, ""),
        ("a mask", 2 * rng.normal(size=(5, 14)), masked(5, 14), "the first query may attend to one key only"),
        ("more queries than keys", 2 * rng.normal(size=(m, n)), None, ""),
        ("more queries than keys, and a mask", 2 * rng.normal(size=(m, n)), masked(m, n), ""),
        ("many of both", rng.normal(size=(m + 107, n + 119)), None, ""),
        ("many of both, and a mask", rng.normal(size=(m + 107, n + 119)), masked(m + 107, n + 119), ""),
        ("as many queries as keys, and a mask", rng.normal(size=(n, n)), masked(n, n), ""),
        ("each point without itself", -rng.uniform(size=(5, 5)) * (1 - np.eye(5)), 1 - np.eye(5), ""),
        ("each point with itself and those after it", rng.normal(size=(n, n)), np.tri(n).T, ""),
        ("far from all keys", -1e6 + rng.normal(size=(3, 4)), None,
         "e to the power of −1000000 is 0 in the computer, for every key"),
        ("very large scores", [[1500, 1499, -2e4, 1477], [-2e3, 0, 1, -22]], None,
         "e to the power of 1500 is infinite in the computer, and what makes it smaller must not make the other row 0"),
        ("the nearest key hidden", [[0.0, -900, -901], [-800, 3, -801]], [[0, 1, 1], [1, 0, 1]],
         "the key that would get all is hidden, and the others share: so it is for a narrow kernel in training"),
        ("far from all keys, one of them hidden",
         [[-1e20, -2e20, -3e20, -1e20], [-1e20, -2e20, -3e20, -1e20]], [[1, 1, 1, 0], [0, 1, 1, 0]],
         "with steep scores a query far away has such numbers, and a hidden key must have a lower one"),
        ("one key", rng.normal(size=(3, 1)), None, "a single key gets all"),
        ("one query", rng.normal(size=(1, 5)), masked(1, 5), "one query is still a row of the table"),
        ("float32", rng.normal(size=(2, 5)).astype(np.float32), None, ""),
    ):
        yield Problem(name, {"scores": np.array(scores), "mask": mask if mask is None else np.array(mask, bool)}, why)


def attend_problems(rng):
    """Problems with values."""
    n = size(rng, 121)
    keys, values = rng.uniform(0, 5, n), rng.normal(2, 1, n)
    queries = np.append(rng.uniform(0.2, 4.8, 4), keys[:4])
    order, parameters = rng.permutation(n), rng.normal(0, 0.5, PARAMETERS)
    some = rng.uniform(size=(n, n)) < 0.6
    some[:, 0] = some.flat[:: n + 1] = True                     # the diagonal too
    base = {"queries": queries, "keys": keys, "values": values, "parameters": parameters, "mask": None}
    yield Problem("three keys by hand", BY_HAND | {"values": np.array([1.0, 4.0, 2.0]), "mask": None})
    yield Problem(BASE, base)
    yield Problem(ORDER, base | {"keys": keys[order], "values": values[order]},
                  "keys and values moved together: the same pairs, so the same answers")
    yield Problem(VALUES, base | {"values": 1e9 * rng.normal(-5, 9, n)}, "weights come from queries and keys")
    yield from asked_otherwise(base)
    yield from tall_and_square(rng, values=lambda n: rng.uniform(100, 400, n), mask=lambda n: None)
    yield Problem(MASKED, base | {"queries": keys, "mask": some},
                  "the keys that may be seen share in the same proportions as without it")
    yield Problem(ITSELF, base | {"queries": keys, "mask": ~np.eye(n, dtype=bool), "values": values / 1e4},
                  "no key may attend to itself")


def loss_problems(rng):
    """They hand over a pooling of ours."""
    def problem(name, keys, values, first=0.0, second=0.0, others=0.5, attend=GAUSSIAN, why=""):
        parameters = np.concatenate([[first, second], others * rng.normal(size=PARAMETERS - 2)])
        return Problem(name, {"attend": attend, "keys": np.array(keys), "values": np.array(values),
                              "parameters": parameters}, why)

    keys, values = sample(rng, power_truth, size(rng, 9), 0.5)
    more = sample(rng, linear_truth, size(rng, 121), 0.5)
    yield problem("two points", [1.0, 2.0], [3.0, 5.0], others=0,
                  why="each point can only ask the other: both are off by 2")
    yield problem("three points", [1.0, 2.0, 4.0], [3.0, 5.0, 5.0], 1, others=0)
    yield problem("some points", keys, values, 0.8)
    yield problem("many points", *more, 1.1)
    yield problem("other parameters", keys, values, -0.9)
    yield problem("keys below 0, large values of both signs", keys - 3, 90 * (values - 2), 0.4)
    yield problem("large keys and values", 1e9 * keys, 1e9 * values, -20.3, why="in other units")
    yield problem("tiny keys and values", 1e-9 * keys, 1e-9 * values, 21.1, why="in other units")
    yield problem("small values", keys, 1e-4 * values, 0.4, why="a loss near 0 is not 0")
    yield problem("another pooling", keys, values, -0.5, 1.1, attend=RATIONAL,
                  why="the pooling is an argument: ask the one that is handed over")
    yield problem("a pooling with other parameters", keys, values, attend=SPREAD,
                  why=f"all {PARAMETERS} parameters go to the pooling. This one uses four of the later ones")
    yield problem("two at one place", [*keys[:7], keys[0]], [*values[:7], values[0] + 2], 1.2,
                  why="the last key lies on the first one. It is another point, so the two may ask each other")


def training_problems(rng):
    """Four problems: two samples, one of them with no step and with one step too."""
    first = {"attend": SPREAD, **one_valley(rng, power_truth, size(rng, 30), 0.4)}
    yield Problem(AT_ONCE, first | {"steps": 50})
    yield Problem(NO_STEP, first | {"steps": 0}, f"after no step the parameters are what they were: {PARAMETERS} zeros")
    yield Problem(ONE_STEP, first | {"steps": 1})
    yield Problem("sixty steps, another sample", {"attend": GAUSSIAN, "steps": 60} | one_valley(
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
    at = np.linspace(-0.7, 3.4, 60)
    while True:
        keys, values = sample(rng, truth, n, noise)
        losses = left_out(keys, values, at)
        best = int(np.argmin(losses))
        if 20 < best < 34 and np.all(np.diff(losses[: best + 1]) < 0) and losses[best] < 0.6 * losses[10]:
            return {"keys": keys, "values": values}


def telling(rng, n):
    """A sample of each curve on the same keys: neither end of pooling does well on it, and two learned numbers do."""
    while True:
        keys, queries = rng.uniform(0, 5, n), rng.uniform(0.1, 4.9, size(rng, 41))
        values = [truth(keys) + noise * rng.standard_normal(n) for truth, noise in SAMPLES.values()]
        if all(_tells(truth(queries), keys, each, queries) for (truth, _), each in zip(SAMPLES.values(), values)):
            return [{"keys": keys, "values": each, "queries": queries} for each in values]


def _tells(targets, *sample) -> bool:
    errors = yardsticks(*sample, targets)
    return (errors["nearest"] > NEAREST * errors["width"] and errors["average"] > AVERAGE * errors["width"]
            and all(np.mean((one - targets) ** 2) < ENOUGH * errors["width"] for one in two_numbers(*sample)))


def two_numbers(keys, values, queries):
    """Answers (m,) of a Gaussian whose log w is a line along x: where a descent from 0 ends, and of the best such line.

    Both are found by the leave-one-out loss. By chance a line follows the noise of a sample: there a good design would
    fail.
    """
    def scores(at, middle, slope):
        return -0.5 * (np.subtract.outer(at, keys) * np.exp(middle + slope * (at - keys.mean()))[:, None]) ** 2

    def loss(line):
        weights = softmax(np.where(np.eye(len(keys), dtype=bool), -np.inf, scores(keys, *line)))
        return np.mean((weights @ values - values) ** 2)

    best = min(itertools.product(np.linspace(0, 3, 10), np.linspace(-2, 2, 9)), key=loss)
    line, rate, last = np.zeros(2), 0.1, np.zeros(2)
    for _ in range(50):
        slope = np.array([loss(line + side) - loss(line - side) for side in 0.01 * np.eye(2)])
        rate = np.where(slope * last < 0, rate / 2, rate)                   # smaller steps where it has gone too far
        line, last = line - rate * np.sign(slope), slope
    return [softmax(scores(queries, *one)) @ values for one in (line, best)]


def left_out(keys, values, log_w):
    """The leave-one-out loss of a Gaussian for each log w."""
    squares = np.subtract.outer(keys, keys) ** 2                                            # (n, n)
    scores = -0.5 * np.exp(2 * np.asarray(log_w))[:, None, None] * squares                  # (g, n, n)
    weights = softmax(np.where(np.eye(len(keys), dtype=bool), -np.inf, scores))
    return np.mean((weights @ values - values) ** 2, axis=1)


def best_width(keys, values) -> float:
    """The width on a coarse grid with the smallest leave-one-out error."""
    return float(WIDTHS[np.argmin(left_out(keys, values, -np.log(WIDTHS)))])


def yardsticks(keys, values, queries, targets) -> dict[str, float]:
    """Errors against the truth: "width" (Nadaraya-Watson, leave-one-out width), "nearest" and "average"."""
    answers = {"width": nwlab.nadaraya_watson(queries, keys, values, bandwidth=best_width(keys, values)),
               "nearest": nwlab.nearest_pooling(queries, keys, values), "average": values.mean()}
    return {name: float(np.mean((answer - targets) ** 2)) for name, answer in answers.items()}


def kept(table, mask, otherwise):
    """The table (m, n) where the mask is True, or where there is no mask."""
    return table if mask is None else np.where(mask, table, otherwise)


def weights_of(scores, mask=None, axis=-1):
    """The softmax of each row over the keys that the mask allows."""
    return softmax(kept(scores, mask, -np.inf), axis)


def residuals(attend, keys, values, parameters, itself=False, equal=False, first=PARAMETERS):
    """Answers minus values, (n,), of the pooling that is handed over: each point asks the others.

    itself: and itself too; equal: but none at its own place; first: only so many parameters are handed on.
    """
    squares = np.subtract.outer(keys, keys) ** 2
    scores = scores_of(attend, squares, np.where(np.arange(PARAMETERS) < first, parameters, 0))
    others = squares > 0 if equal else ~np.eye(len(keys), dtype=bool)
    return weights_of(scores, None if itself else others) @ values - values


def loss(end=lambda gaps: np.mean(gaps ** 2), **inputs):
    """A number, of the same inputs and options. end(residuals): what is made of them."""
    return float(end(residuals(**inputs)))
