"""The problems of `sgd_bandwidth`."""
import numpy as np

from workbook.checks.item import Problem
from nwlab.exercises.common import single, size
from nwlab.exercises.sgd_bandwidth import model

HOUSES = {"keys": np.array([6.0, 9.0, 13.0]), "values": np.array([150.0, 300.0, 360.0])}
SMALL = {"keys": np.array([0.0, 0.9, 2.0]), "values": np.array([1.0, 2.0, 4.0])}
UNITS = "in other units: w is one over a width, in the unit of the keys"
ALL_THE_WAY = "a walk is as long as it was asked to be, with one learning rate, even where the slope is small"
EVEN = "w is squared, so w and −w are the same model"
LONELY = ("one point lies far from all others: every weight that another key could get underflows beside its own. "
          "First put −∞ into the scores, then subtract each row's largest score before e to the power: torch.softmax "
          "does the second")


def number(x):
    """w and rho are tensors of shape (), as a gradient needs them."""
    return np.array(float(x))


def wave(rng, n, noise=0.3):
    """Keys on 0..3, at least 0.1 apart, and noisy values of a wave."""
    keys = rng.permutation(np.linspace(0.0, 3.0, n) + rng.uniform(-0.3, 0.3, n) * min(3.0 / n, 0.6))
    return {"keys": keys, "values": np.sin(2.5 * keys) + rng.normal(0.0, noise, n)}


def close(data, scale=0.01):
    """The same data with all keys times scale: what was the best w is now w / scale."""
    return data | {"keys": scale * data["keys"]}


def in_units(data, of_keys, of_values):
    """The same data in other units."""
    return data | {"keys": of_keys * data["keys"], "values": of_values * data["values"]}


def asked(rng, w, m, n):
    return {"w": number(w), "queries": rng.uniform(0, 3, m), "keys": rng.uniform(0, 3, n)}


def score_problems(rng):
    yield Problem("one house asks three", {"w": number(0.5), "queries": np.array([10.0]), "keys": HOUSES["keys"]})
    some = asked(rng, rng.uniform(1.4, 2.5), size(rng, 4), size(rng, 22))
    yield Problem("more keys than queries", some)
    yield Problem("more queries than keys", asked(rng, rng.uniform(1.4, 2.5), size(rng, 22), size(rng, 5)))
    far = asked(rng, 310.0, 4, 4)
    far |= {"queries": np.array([-1.5, 0.5, 40.0, 2.0]), "keys": far["keys"] - 1}
    yield Problem("far below and far above", far, "areas may be large, and below 0, and so may scores")
    yield Problem("many of both", asked(rng, rng.uniform(1.4, 2.5), size(rng, 124), size(rng, 121)))
    yield Problem("areas in thousandths of a square millimetre", {
        "w": number(2e-9), "queries": np.array([-4e9, 1e9, 6e9]), "keys": rng.uniform(-5e9, 5e9, 4)}, UNITS)
    yield Problem("areas in square kilometres", {"w": number(-3e9), "queries": np.array([-1e-9, 0, 2e-9]),
                                                 "keys": rng.uniform(-2e-9, 2e-9, 4)}, UNITS)
    yield Problem("very far, and w large", {"w": number(1e6), "queries": np.array([-2e7, 1.0, 3e7]),
                                            "keys": rng.uniform(-1e7, 1e7, 5)}, "a score may be as low as you like")
    yield Problem("keys on the queries, nearly", {"w": number(0.4), "queries": np.array([0.0, 1e-8]),
                                                  "keys": np.array([3e-8, 0.0, -2e-8])}, "a tiny score is not 0")
    yield Problem("keys close to the queries", {"w": number(0.4), "queries": np.array([1.0, 1.0005]),
                                                "keys": np.array([1.0, 0.9998, 1.0007])},
                  "a score near 0 is not 0, nor is its slope")
    yield Problem("w = 0", some | {"w": number(0.0)}, "no distance counts, so every score is 0")
    yield Problem("a negative w", asked(rng, -170.0, 3, 2), EVEN)
    yield Problem("float32", single(asked(rng, 2.2, 4, 6)))
    yield Problem("two queries, three keys", {"w": number(0.8), "queries": np.array([1.0, 2.5]),
                                              "keys": np.array([0.0, 1.0, 3.0])})


def loss_problems(rng):
    yield Problem("three houses", {"w": number(0.5), **HOUSES})
    some = {"w": number(rng.uniform(1.4, 2.5)), **wave(rng, size(rng, 22))}
    yield Problem("some points", some)
    yield Problem("many points", {"w": number(rng.uniform(2.0, 4.0)), **wave(rng, size(rng, 121))})
    large, tiny = (in_units(wave(rng, 7), *units) for units in ((1e9, 1e9), (1e-9, 1e-9)))
    yield Problem("large areas, large values", {"w": number(2e-9), **large}, UNITS)
    yield Problem("small areas, small values", {"w": number(-2e9), **tiny}, UNITS)
    small = wave(rng, size(rng, 5))
    yield Problem("small values", {"w": number(1.9), "keys": small["keys"] - 4, "values": 1e-4 * small["values"]},
                  "values near 0 have a small loss, and that is a loss too")
    yield Problem("equal values", {"w": number(1.3), "keys": wave(rng, 4)["keys"], "values": np.zeros(4)},
                  "all answers are right, so the loss is 0, and so is its slope")
    yield Problem("two points", {"w": number(1.5), "keys": np.array([1.0, 1.6]), "values": rng.permutation([2.0, 5.0])})
    yield Problem("w = 0", some | {"w": number(0.0)}, "all keys weigh alike, whatever their distance")
    yield Problem("a negative w", {"w": number(-170.0), **close(wave(rng, 9))}, EVEN)
    far, twin = wave(rng, 6), close(wave(rng, 7))
    farther = in_units(far, 1.0, 1.0)
    farther["keys"][5] = -3e4
    far["keys"][2], far["values"][2], twin["keys"][4] = 190.0, 3.0, twin["keys"][0]
    yield Problem("a lonely point", {"w": number(3.1), **far}, LONELY)
    yield Problem("a point that is lonelier still", {"w": number(3.1), **farther}, LONELY)
    yield Problem("two points at one place", {"w": number(250.0), **twin},
                  "each of the two is still a key for the other")
    yield Problem("float32", single({"w": number(2.2), **wave(rng, 8)}))
    yield Problem("three points", {"w": number(0.8), "keys": np.array([0.0, 1.0, 3.0]),
                                   "values": np.array([1.0, 3.0, 2.0])})


def mask_problems(rng):
    for n in (3, 2, 5, size(rng, 6), size(rng, 31), size(rng, 121), size(rng, 124)):
        yield Problem(f"{n} points", {"n": n})
    yield Problem("one point", {"n": 1}, "a single point has nobody else to attend to")


def slope_problems(rng):
    def at(w, data, leave_one_out):
        return {"rho": number(np.log(w)), **data, "leave_one_out": leave_one_out}

    data, left = wave(rng, size(rng, 22)), rng.uniform(1.28, 1.57)
    yield Problem("three houses", at(0.5, HOUSES, True))
    yield Problem("three houses, each attends to itself too", at(0.5, HOUSES, False))
    yield Problem("some points, leave-one-out", at(left, data, True))
    yield Problem("some points, naive", at(left, data, False))
    many, w = wave(rng, size(rng, 121)), rng.uniform(2.0, 4.0)
    yield Problem("many points, leave-one-out", at(w, many, True))
    yield Problem("many points, naive", at(w, many, False))
    for name, units, w in (("large areas, large values", 1e9, 1.5e-9), ("small areas, small values", 1e-9, 3e9)):
        some = in_units(wave(rng, 6), units, units)
        yield Problem(f"{name}, leave-one-out", at(w, some, True), UNITS)
        yield Problem(f"{name}, naive", at(w, some, False), UNITS)
    still = {"keys": data["keys"], "values": np.zeros(len(data["keys"]))}
    yield Problem("equal values", at(1.4, still, True), "all answers are right, whatever w is: the slope is 0")
    small = {"keys": 100 * data["keys"] - 400, "values": 1e-6 * data["values"]}
    yield Problem("small values", at(0.014, small, True), "a slope near 0 is not 0")
    yield Problem("close to the best w", at(2.03, SMALL, True), "a small slope has to be right, too: the difference of "
                  "two losses that lie far apart is none")
    yield Problem("a large w", at(600.0, close(wave(rng, 8)), True))
    yield Problem("w = 1", at(1.0, wave(rng, 6), True), "rho = 0 means w = 1")
    yield Problem("w = 1, naive", at(1.0, wave(rng, 6), False), "rho = 0 means w = 1")
    yield Problem("six points", at(1.22, wave(rng, 6), True))


def descent_problems(rng):
    def run(w, data, leave_one_out, learning_rate, steps):
        return {"rho": number(np.log(w)), **data, "leave_one_out": leave_one_out, "learning_rate": learning_rate,
                "steps": steps}

    data, many = wave(rng, size(rng, 22)), wave(rng, size(rng, 121))
    below = data | {"keys": data["keys"] - 1.5}
    small, large = (in_units(SMALL, 1.0, of_values) for of_values in (1e-3, 1e3))
    tiny, huge = (in_units(SMALL, scale, scale) for scale in (1e-9, 1e9))
    yield Problem("one step", run(0.6, SMALL, True, 0.02, 1), "the path holds the start and one more w")
    yield Problem("no step", run(0.6, SMALL, True, 0.02, 0), "the path holds the start alone")
    yield Problem("sixty steps", run(0.6, small, True, 5e3, 60), ALL_THE_WAY)
    yield Problem("210 steps, naive", run(6e8, tiny, False, 1e17, 210), ALL_THE_WAY)
    yield Problem("forty tiny steps", run(0.6, SMALL, True, 3e-6, 40), "a step may be as small as the rate makes it")
    yield Problem("one large step", run(0.01, SMALL, True, 5400.0, 1), "a step may be as large as the rate makes it")
    yield Problem("large slopes", run(150.0, close(large), True, 3e-8, 3), "keys close together want a large w, and "
                  "large values have large slopes")
    yield Problem("large areas, large values", run(6e-10, huge, True, 2e-20, 4), UNITS)
    yield Problem("too far and back", run(1.9, SMALL, True, 0.52, 4), "a large step may go too far, and make the loss "
                  "larger: the walk goes on from there, with the same learning rate")
    yield Problem("three steps, leave-one-out", run(0.6, SMALL, True, 0.02, 3))
    yield Problem("three steps, naive", run(0.6, SMALL, False, 0.02, 3))
    yield Problem("many points, leave-one-out", run(rng.uniform(1.5, 2.0), many, True, 0.004, 3))
    yield Problem("many points, naive", run(rng.uniform(1.5, 2.0), many, False, 0.004, 3))
    yield Problem("from the left", run(rng.uniform(0.009, 0.012), close(below, 100), True, 0.04, 4))
    yield Problem("from the right", run(rng.uniform(5.0, 6.0), data, False, 0.04, 5))
    yield Problem("two steps", run(1.22, SMALL, True, 0.02, 2))


def grid_problems(rng):
    """Minima that rounding cannot move: the second smallest loss is clearly larger."""
    def clear(n, low, high, g, tells=lambda inputs: True):
        while True:
            inputs = {"grid": np.geomspace(low, high, g) * rng.uniform(0.95, 1.05), **wave(rng, n)}
            first, second = np.sort(model.losses(**inputs))[:2]
            if second > 1.01 * first and 0.5 < model.best(**inputs) < 8 and tells(inputs):
                return inputs

    def last_counts(inputs):
        other = inputs["values"].copy()
        other[-1] = other[-2]
        twelve = {name: inputs[name][:12] for name in ("keys", "values")}
        return model.best(**inputs) not in (model.best(**inputs | {"values": other}), model.best(**inputs | twelve))

    def late(inputs):
        return model.best(**inputs) in inputs["grid"][10:]

    def many(g, n, scale, turned):
        """g widths and n points. Points that come last have large values, and want a larger w than the others."""
        first, last = wave(rng, n - 14), 4.0 + np.linspace(0.0, 1.0, 14) + rng.uniform(-0.01, 0.01, 14)
        data = {"keys": np.append(first["keys"], last),
                "values": np.append(first["values"], 20 * np.sin(8 * last) + rng.normal(0.0, 1.0, 14))}
        grid = rng.permutation(np.geomspace(0.3, 40.0, g))
        best, next_best = np.argsort(losses := model.losses(grid, **data))[:2]
        if losses[next_best] < (1 + 1e-5) * losses[best]:
            return many(g, n, scale, turned)
        grid[[best, -3]] = grid[[-3, best]]
        return {"grid": (grid[::-1] if turned else grid) / scale} | in_units(data, scale, scale)

    yield Problem("three houses", {"grid": np.array([0.1, 0.3, 0.6, 1.2]), **HOUSES})
    yield Problem("nine widths", clear(size(rng, 13), 0.3, 12.5, 9, last_counts))
    yield Problem("thirteen widths", clear(size(rng, 18), 0.02, 5.0, 13, late))
    yield Problem("a grid from large to small", clear(10, 9.5, 0.2, 8))
    yield Problem("a grid in no order", {
        "grid": np.array([8, 4, 1, 2, 0.2, 16, 0.5]), "keys": np.array([2.5, 0.5, 40, 1.5, 4.5, 5, 0.5]),
        "values": np.array([-9.0, 2, 9, -4, -4, -4, -4])}, "the grid comes in no order")
    yield Problem("keys below 0, small values", {
        "grid": np.array([4, 0.5, 0.2, 2, 1]), "keys": np.array([-0.5, 35, -1.5, -1.5, -1.5, -5, -1.5]),
        "values": np.array([-0.07, 0, -0.02, -0.02, -0.06, 0.09, 0.06])}, "areas may be measured from their mean")
    yield Problem("many widths, many points", many(124, 112, 1e-9, False), UNITS)
    yield Problem("as many, turned round", many(70, 68, 1e9, True), UNITS)
    pair = {"keys": np.array([0.0, 1.0, 2.0, 3.0]), "values": np.array([1, 1, 3, 3.2])}
    yield Problem("the largest is best", pair | {"grid": np.array([0.1, 0.4, 1.3])}, "the best may stand last")
    yield Problem("a best w above a hundred", close(pair) | {"grid": np.array([20.0, 50.0, 130.0])})
    yield Problem("two valleys", {"grid": np.array([0.1, 0.3, 0.6, 1, 2, 4, 8]), "keys": np.array(
        [2.4, 4.9, 0.5, 3.7, 3.3, 1.5, 2.0]), "values": np.array([50.0, -90, -62, -73, -47, -43, 61])},
        "the squares decide, of all points, and of the whole grid")
    alternating = {"keys": np.arange(6.0) + rng.uniform(-0.05, 0.05, 6), "values": np.array([1.0, -1.0] * 3)}
    yield Problem("one width", {"grid": np.array([1.3]), **wave(rng, 5)}, "there is no other, and it is still a tensor")
    yield Problem("neighbours contradict each other", {"grid": np.array([0.0, 0.7, 1.5, 3.5]), **alternating},
                  "every neighbour is wrong, so the best is to listen to none of them more than to the others")


def queries(rng, least):
    return rng.uniform(0, 3, size(rng, least))


def error_problems(rng):
    def at(w, data, queries):
        return {"w": number(w), **data, "queries": queries, "truth": np.sin(2.5 * queries)}

    yield Problem("two queries, three keys", {"w": number(0.5), **HOUSES, "queries": np.array([8.0, 11.5]),
                                              "truth": np.array([220.0, 310.0])})
    yield Problem("more queries than keys", at(rng.uniform(1.4, 2.5), wave(rng, size(rng, 5)), queries(rng, 22)))
    yield Problem("more keys than queries", at(rng.uniform(1.4, 2.5), wave(rng, size(rng, 22)), queries(rng, 3)))
    yield Problem("many of both", at(rng.uniform(2.0, 4.0), wave(rng, size(rng, 121)), queries(rng, 124)))
    for name, w, scale in (("large areas, large values", 2e-9, 1e9), ("small areas, small values", -3e9, 1e-9)):
        some = at(w * scale, wave(rng, 5), queries(rng, 3))
        yield Problem(name, {argument: x / scale if argument == "w" else x * scale for argument, x in some.items()},
                      UNITS)
    left = wave(rng, 6)
    yield Problem("below 0, and a negative w", at(-1.6, left | {"keys": left["keys"] - 2}, rng.uniform(-2, 1, 4)))
    yield Problem("as many queries as keys", at(2.5, wave(rng, 7), rng.uniform(0, 3, 7)),
                  "a query is not a key, even if there are as many of both")
    yield Problem("one query", at(1.8, wave(rng, 5), rng.uniform(1, 2, 1)) | {"truth": np.array([3.0])})
    yield Problem("a query far away", at(6.0, wave(rng, 5), np.array([1.0, 20.0])), "each e to the power of a score "
                  "underflows, yet the nearest key still has the largest weight: torch.softmax takes care of it")
    yield Problem("float32", single(at(2.2, wave(rng, 6), rng.uniform(0, 3, 4))))
