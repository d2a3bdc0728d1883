"""The problems of `worth_of_w`, drawn until no choice of w hangs by a thread, and until mistakes choose otherwise."""
import numpy as np

from nwlab.checks.item import Problem
from nwlab.checks.problems import BY_HAND, sample, single, softmax
from nwlab.exercises.worth_of_w import model

TWO_KEYS = {"keys": np.array([1.0, 2.5]), "values": np.array([1.0, 4.0])}
EVEN = "w is squared, so w and −w are the same model"
NEAREST = ("a query may be left with its nearest key alone, whose exponential must not round to 0 as the others do: "
           "take each row's largest score away before exp, as `nwlab.masked_softmax` does")
TWINS = "two keys at one place are two points: each is left out for itself, its twin still counts"


def apart(rng):
    """Six keys, each with a nearest other: at a very large w that one takes all."""
    keys = rng.permutation(np.cumsum(rng.uniform(0.7, 0.8, 6) + 0.12 * np.arange(6)))
    return {"keys": keys, "values": rng.normal(2, 1, 6)}


def twins(rng):
    """Six keys at four places."""
    keys = rng.permutation(np.repeat(rng.uniform(0, 1, 4) + [0, 1.5, 3, 4.5], [2, 1, 1, 2]))
    return {"keys": keys, "values": rng.normal(0, 2, 6)}


def size(rng, least):
    """One of three sizes, so that no size is the same for every seed."""
    return int(rng.integers(least, least + 3))


def mixed(rng, n, noise=0.5):
    """A sample whose keys come in no order."""
    order, data = rng.permutation(n), sample(rng, n, noise)
    return {name: x[order] for name, x in data.items()}


def scaled(data, keys=1.0, values=1.0):
    """The same in other units."""
    return data | {"keys": keys * data["keys"], "values": values * data["values"]}


def shifted(data, by):
    return data | {"keys": data["keys"] + by}


def asked(rng, m):
    queries = rng.uniform(0.2, 4.8, m)
    return {"queries": queries, "targets": 2 * np.sin(queries) + queries**0.8}


def error_problems(rng):
    yield Problem("two queries, three keys", {"queries": np.array([0.5, 2.5]), "targets": np.array([1.0, 4.0]),
                                              **BY_HAND, "w": 2.0})
    yield Problem("seven queries, twenty keys", {**asked(rng, 7), **mixed(rng, 20), "w": 3.0})
    yield Problem("more queries than keys", {**asked(rng, size(rng, 14)), **mixed(rng, size(rng, 5)), "w": 0.6})
    yield Problem("more keys than queries", {**asked(rng, size(rng, 3)), **mixed(rng, size(rng, 13)), "w": 1.9})
    yield Problem("as many queries as keys", {**asked(rng, 7), **mixed(rng, 7), "w": 1.1},
                  "m = n: no shape tells rows from columns")
    yield Problem("one query", {**asked(rng, 1), **mixed(rng, 5), "w": 0.7}, "the mean of one square is that square")
    yield Problem("one key", {**asked(rng, 3), "keys": np.array([2.0]), "values": np.array([1.5]), "w": 0.9},
                  "the only key has all the weight at every query")
    yield Problem("queries on keys, and keys that come twice",
                  {"queries": np.array([1.0, 2.0]), "targets": np.array([3.0, 1.0]), "w": 1.3,
                   "keys": np.array([1.0, 2.0, 1.0, 4.0]), "values": rng.normal(2, 1, 4)},
                  "two keys at one place are two keys, and a distance may be 0")
    yield Problem("w below zero", {**asked(rng, 4), **mixed(rng, 9), "w": -1.6}, EVEN)
    yield Problem("a very small w", {**asked(rng, 4), **mixed(rng, 6), "w": 1e-5}, "all keys weigh nearly alike")
    far = asked(rng, 5)
    yield Problem("large values, and keys below 0", {
        "queries": far["queries"] - 6, "targets": rng.normal(0, 60, 5),
        **shifted(scaled(mixed(rng, 8), values=30.0), -6), "w": 0.3}, "an error may be large")
    near = asked(rng, 4)
    yield Problem("keys close together", {**near, "queries": near["queries"] / 100, **scaled(mixed(rng, 9), 0.01),
                                          "w": 150.0}, "keys close together want a large w")
    keys = np.array([0.0, 1.0, 2.0, 3.5])
    yield Problem("a very large w", {"queries": keys + [0.4, 0.3, 0.4, -0.4], "targets": rng.normal(2, 1, 4),
                                     "keys": keys, "values": rng.normal(2, 1, 4), "w": 300.0}, NEAREST)
    yield Problem("a query far away", {"queries": np.array([1.2, 90.0]), "targets": np.array([1.0, 2.0]),
                                       **mixed(rng, 5), "w": 1.5}, NEAREST)
    yield Problem("float32", single({**asked(rng, 5), **mixed(rng, 12), "w": 1.8}))


def left_out_problems(rng):
    yield Problem("three keys, two widths", {"ws": np.array([0.5, 2.0]), **BY_HAND})
    yield Problem("twenty keys, five widths", {"ws": rng.uniform(0.6, 6, 5), **mixed(rng, 20)})
    yield Problem("more widths than keys", {"ws": widths(rng, size(rng, 13)), **mixed(rng, size(rng, 7))})
    yield Problem("more keys than widths", {"ws": widths(rng, size(rng, 3)), **mixed(rng, size(rng, 13))})
    yield Problem("as many widths as keys", {"ws": rng.uniform(0.6, 3, 6), **mixed(rng, 6)},
                  "g = n: no shape tells them apart")
    yield Problem("one width", {"ws": np.array([1.7]), **mixed(rng, 8)},
                  "one w is still an array, and one error is (1,)")
    yield Problem("keys that come twice", {"ws": np.array([0.8, 2.2]), **twins(rng)}, TWINS)
    yield Problem("two keys", {"ws": np.array([0.4, 3.0]), **TWO_KEYS},
                  "each point has one other, which takes all, whatever w is")
    yield Problem("keys below 0, and a very small w", {"ws": np.array([1.4, 1e-4]), **shifted(mixed(rng, 9), -7.0)},
                  "where w is small, all others weigh nearly alike")
    yield Problem("small values", {"ws": np.array([1.4, 0.3]), **scaled(mixed(rng, 7), values=1e-4)},
                  "values near 0 have a small error, and that is an error too")
    yield Problem("large values, and keys close together",
                  {"ws": np.array([40.0, 250.0, 90.0]), **scaled(mixed(rng, 7), 0.01, 40.0)},
                  "keys close together want a large w")
    yield Problem("a very large w", {"ws": np.array([1.5, 300.0]), **apart(rng)},
                  "each point is left with its nearest other alone, whose exponential must not round to 0 as the rest "
                  "do. After a softmax with the diagonal in it the point itself has all the weight: mask first")
    yield Problem("a lonely point", {"ws": np.array([2.5, 5.0]), "keys": np.array([1.0, 30.0, 1.4, 2.1]),
                                     "values": rng.normal(2, 1, 4)},
                  "one point lies far from all others: the largest score of its row is that of its nearest other")
    yield Problem("float32", single({"ws": rng.uniform(0.6, 4, 3), **mixed(rng, 12)}))


def widths(rng, g, low=0.5, high=24.0):
    return rng.permutation(np.geomspace(low, high, g))


def clear(errors):
    """Whether the smallest stands out."""
    low, next_low = np.sort(errors)[:2]
    return next_low > 1.005 * low


def drawn(good, make):
    """The first draw that is good."""
    return next(filter(good, iter(make, None)))


def choice_problems(rng):
    def telling(p):
        wrong = ({}, {"outside": True}, {"of_w": np.reciprocal}, {"itself": None, "late": 0.0}, {"itself": None})
        errors = [model.left_out_errors(**p, **how) for how in wrong]
        chosen = [each.argmin() for each in errors] + [errors[0].argmax()]
        inside = min(p["ws"]) < p["ws"][chosen[0]] < max(p["ws"])
        return all(map(clear, errors)) and len(set(chosen)) == len(chosen) and inside and chosen[0] > 0

    def place(p, *changes):
        """Where the best stands, if it stands out, and if with each of these changes another would; otherwise −1."""
        errors = model.left_out_errors(**p)
        at, stands_out = errors.argmin(), clear(errors)
        return at if stands_out and all(model.left_out_errors(**p | one(p)).argmin() != at for one in changes) else -1

    def in_order(p):
        return {"keys": np.sort(p["keys"])}

    def turned(name):
        return lambda p: {name: p[name][::-1]}

    def ten(p):
        return {"keys": p["keys"][:10], "values": p["values"][:10]}

    def twelve(p):
        return {"keys": p["keys"][:12], "values": p["values"][:12]}

    def last_again(name):
        return lambda p: {name: np.append(p[name][:-1], p[name][-2])}

    def above_0(name):
        return lambda p: {name: p[name].clip(0)}

    changed = [change(name) for change in (turned, last_again) for name in ("keys", "values")]

    def twice(p):
        gaps = np.subtract.outer(p["keys"], p["keys"])
        apart = [softmax(np.where(gaps == 0, -np.inf, -0.5 * (gaps * w) ** 2)) @ p["values"] for w in p["ws"]]
        errors = np.mean((apart - p["values"]) ** 2, axis=1)
        return clear(errors) and place(p) not in (-1, errors.argmin())

    yield Problem("five keys, three widths", {"ws": np.array([4.0, 0.25, 1.5]), "keys": np.array([0.0, 1, 2, 4, 5]),
                                              "values": np.array([0.0, 1.0, 3.0, 4.0, 4.5])})
    yield Problem("five keys, three other widths", {
        "ws": np.array([0.02, 3.0, 0.5]), "keys": np.array([3.0, 0, 1, 5, 4]),
        "values": np.array([2.1, 2.0, -2.0, 2.2, 1.8])})
    yield Problem("nine widths in any order", drawn(telling, lambda: {"ws": widths(rng, 9, 0.1), **mixed(rng, 20)}),
                  "the widths come in no order, so a place among them says nothing")
    yield Problem("as many widths as keys", drawn(
        lambda p: place(p, *changed) >= 0,
        lambda: {"ws": widths(rng, 8), **mixed(rng, 8, 0.2)}))
    yield Problem("many widths", drawn(lambda p: place(p, in_order) > 11, lambda: {
        "ws": widths(rng, size(rng, 15), 0.1), **mixed(rng, 9, 0.2)}))
    yield Problem("the last is best", drawn(lambda p: place(p, in_order, ten, twelve) == 3, lambda: {
        "ws": widths(rng, 4, 0.1), **mixed(rng, size(rng, 18))}), "the best may stand last")
    yield Problem("the largest is best", drawn(lambda p: place(p, in_order) == p["ws"].argmax(), lambda: {
        "ws": rng.permutation([0.1, 0.4, 1.2]), **mixed(rng, size(rng, 13), 0.1)}), "the best may be the largest")
    yield Problem("keys close together, and a very large w", drawn(lambda p: p["ws"][place(p)] < 300, lambda: {
        "ws": rng.permutation([30.0, 90.0, 270.0, 100_000.0]), **scaled(mixed(rng, 9, 0.2), 0.01)}),
        "keys close together want a large w; and where w is very large, no error is NaN")
    yield Problem("keys that come twice", drawn(twice, lambda: {"ws": widths(rng, 4), **twins(rng)}), TWINS)
    yield Problem("small values, and keys below 0", drawn(lambda p: place(p, above_0("keys"), above_0("values")) > 0,
                  lambda: {"ws": widths(rng, 4), **shifted(scaled(mixed(rng, 9), values=1e-4) | {
                      "values": rng.normal(0, 1e-4, 9)}, -3.0)}), "small errors have a smallest too")
    yield Problem("values that go up and down", {"ws": np.array([2.0, 0.05, 6.0, 1.0]), "keys": np.arange(6.0),
                                                 "values": np.array([1.0, -1, 1.2, -0.9, 1, -1.1])},
                  "the neighbours mislead: the farther one looks, the better, so it is the smallest w")
    yield Problem("one width", {"ws": np.array([1.4]), **mixed(rng, 5)}, "there is no other")
    yield Problem("float32", single(drawn(lambda p: place(p) >= 0, lambda: {"ws": widths(rng, 5), **mixed(rng, 10)})))


def rule_problems(rng):
    def make(s, n, m, fixed_w, g):
        at, samples = asked(rng, m), [mixed(rng, n) for _ in range(s)]
        return {**at, **{name: np.stack([one[name] for one in samples]) for name in ("keys", "values")},
                "fixed_w": fixed_w, "ws": widths(rng, g, 0.6, 14.0)}

    def telling(p):
        pairs, at = list(zip(p["keys"], p["values"])), (p["queries"], p["targets"])
        left_out, kept = (np.array([model.left_out_errors(p["ws"], *pair, itself=how) for pair in pairs])
                          for how in (-np.inf, None))                                                        # (s, g)
        truth = np.array([[model.error(*at, *pair, w) for w in p["ws"]] for pair in pairs])                  # (s, g)
        together, best = left_out.mean(axis=0), left_out.argmin(axis=1)
        return (all(map(clear, [*left_out, *truth, together])) and np.any(best != truth.argmin(axis=1))
                and np.any(best != kept.argmin(axis=1)) and best[0] != 0
                and (len(pairs) == 1 or best[0] != together.argmin()))

    def plain(p):
        return all(clear(model.left_out_errors(p["ws"], *pair)) for pair in zip(p["keys"], p["values"]))

    yield Problem("one sample of six keys", drawn(telling, lambda: make(1, 6, 3, 1.2, 4)),
                  "one sample is still (1, n), so the answer is (1, 2)")
    yield Problem("four samples of twelve keys", drawn(telling, lambda: make(4, 12, 5, 1.5, 5)))
    yield Problem("three samples of eight keys", drawn(telling, lambda: make(3, 8, 8, 2.0, 6)))
    yield Problem("two samples", drawn(plain, lambda: make(2, 9, 12, -1.1, 5)),
                  "s = 2: no shape tells samples from rules. " + EVEN)
    yield Problem("more samples than keys", drawn(plain, lambda: make(size(rng, 13), size(rng, 6), 4, 0.7, 3)),
                  "the samples are in the rows, however many there are")
    close = drawn(plain, lambda: make(7, 7, 14, 1.5, 3))
    yield Problem("as many samples as keys, which are close together", scaled(close, 0.01) | {
        "queries": close["queries"] / 100, "ws": 100 * close["ws"], "fixed_w": 150.0},
        "each row is a sample; and keys close together want a large w")
    yield Problem("one w to choose from", make(3, 6, 4, 0.8, 1), "where ws has one w, that is the chosen one")
    large = drawn(plain, lambda: make(3, 10, 5, 0.9, 12))
    best = model.best(large["ws"], large["keys"][0], large["values"][0])
    yield Problem("large values", scaled(large, values=40.0) | {
        "targets": 40 * large["targets"], "ws": np.append(large["ws"][large["ws"] != best], best)},
        "errors may be above 100")
    yield Problem("float32", single(drawn(telling, lambda: make(5, 10, 4, 0.9, 4))))


def gap_problems(rng):
    yield Problem("three keys", {"query": 1.25, "keys": np.array([0.0, 1.0, 3.0]), "w": 2.0})
    yield Problem("nine keys", {"query": 2.2, "keys": mixed(rng, 9)["keys"], "w": 0.6},
                  "the keys come in no order: the nearest may be anywhere")
    yield Problem("many keys", {"query": rng.uniform(1, 4), "keys": mixed(rng, size(rng, 13))["keys"], "w": 2.3})
    yield Problem("some keys", {"query": rng.uniform(1, 4), "keys": mixed(rng, size(rng, 5))["keys"], "w": 0.9})
    yield Problem("w below zero", {"query": 3.1, "keys": mixed(rng, 5)["keys"], "w": -1.5}, EVEN)
    yield Problem("keys below 0", {"query": -1.3, "keys": mixed(rng, 5)["keys"] - 4, "w": 1.5})
    far = rng.permutation(np.arange(6) + rng.uniform(0.1, 0.3, 6))
    yield Problem("a very large w", {"query": 0.9, "keys": far, "w": 200.0}, "here most weights are 0 in the computer, "
                  "and the log of 0 is −∞. The gap itself is an ordinary number: do not make the weights at all")
    yield Problem("a very small w", {"query": 1.4, "keys": np.array([3.2, 2.1, 0.9, 4.1]), "w": 2e-3},
                  "all weights are nearly alike: the gaps are close to 0, and are not 0")
    yield Problem("w = 0", {"query": 1.4, "keys": mixed(rng, 4)["keys"], "w": 0.0}, "all weights are alike")
    yield Problem("a query far away", {"query": 250.0, "keys": mixed(rng, 4)["keys"], "w": 1.1},
                  "even the nearest key may be far: its gap is 0 all the same")
    yield Problem("one key", {"query": 1.4, "keys": np.array([2.5]), "w": 0.8}, "the only key is the nearest")
    yield Problem("two nearest keys", {"query": 1.5, "keys": np.array([3.0, 2.0, 1.0, 2.0]), "w": 1.2},
                  "keys that are as near as the nearest have a gap of 0 too")
    yield Problem("the query on a key", {"query": 2.0, "keys": np.array([3.5, 2.0, 0.5, 2.25]), "w": 1.4})
    yield Problem("float32", single({"query": 1.5, "keys": mixed(rng, 7)["keys"], "w": 1.7}))


def slope_problems(rng):
    yield Problem("three keys", {"w": 0.5, **BY_HAND, "factor": 1.0})
    yield Problem("half the loss", {"w": 0.8, **mixed(rng, 12), "factor": 0.5}, "half the loss has half the slope")
    yield Problem("three times the loss", {"w": 1.2, **mixed(rng, size(rng, 5)), "factor": 3.0},
                  "the factor may be any number")
    yield Problem("a small part of the loss", {"w": 1.9, **mixed(rng, size(rng, 7)), "factor": 0.07},
                  "the factor may be any number")
    yield Problem("twenty keys", {"w": 3.0, **mixed(rng, 20), "factor": 1.0})
    yield Problem("some keys", {"w": rng.uniform(0.7, 1.4), **mixed(rng, size(rng, 13)), "factor": 1.0})
    yield Problem("w below zero", {"w": -1.3, **mixed(rng, 9), "factor": 0.5},
                  "the loss is even in w, so its slope is odd")
    yield Problem("w = 0", {"w": 0.0, **mixed(rng, 6), "factor": 1.0},
                  "w = 0 is flat: a run that starts there never moves")
    yield Problem("a very large w", {"w": 300.0, **apart(rng), "factor": 1.0},
                  "the plateau: nearest others alone, and nothing that a step could change")
    yield Problem("too large a w", drawn(lambda p: model.slope(**p) > 0.05,
                                         lambda: {"w": 12.0, **mixed(rng, 20), "factor": 1.0}),
                  "where w is too large, the loss grows with it")
    yield Problem("keys close together", {"w": 130.0, **scaled(mixed(rng, 8), 0.01), "factor": 1.0},
                  "keys close together want a large w")
    yield Problem("small values, and keys below 0",
                  {"w": 1.1, **shifted(scaled(mixed(rng, 8), values=1e-4), -6.0), "factor": 1.0},
                  "a slope near 0 is not 0")
    yield Problem("large values", {"w": 0.7, **scaled(mixed(rng, 6), values=300.0), "factor": 1.0},
                  "a slope may be large")
    yield Problem("two keys", {"w": 0.7, **TWO_KEYS, "factor": 1.0},
                  "each point has one other, which takes all: nothing changes with w")
    yield Problem("keys that come twice", {"w": 1.1, **twins(rng), "factor": 1.0}, TWINS)


def step_problems(rng):
    def run(n, w, rate, factor, nudge, moves):
        """A nudge at the start is not blown up, so rounding is not either; and each step moves."""
        def steady(p):
            path, nudged = model.steps(**p), model.steps(**p | {"w": w + 1e-6})
            return np.all(np.abs(nudged - path) < nudge) and np.all(np.abs(np.diff(path)) > moves)

        return drawn(steady, lambda: {"w": w, **mixed(rng, n), "learning_rate": rate, "factor": factor})

    yield Problem("three keys", {"w": 0.5, **BY_HAND, "learning_rate": 0.02, "factor": 1.0})
    yield Problem("the older edition's rate", run(20, 0.5, 0.5, 1.0, 1e-4, 1e-5), "one jump, then a plateau")
    yield Problem("half the loss", run(16, 0.4, 0.05, 0.5, 1e-4, 1e-5), "half the loss takes half the step")
    yield Problem("three times the loss", run(size(rng, 6), 1.4, 0.001, 3.0, 1e-5, 1e-3),
                  "the factor may be any number")
    yield Problem("a small rate", run(9, 1.5, 0.003, 1.0, 3e-6, 1e-3))
    yield Problem("some keys", run(size(rng, 13), 1.1, 0.002, 1.0, 3e-6, 1e-3))
    yield Problem("from below zero", run(10, -0.8, 0.01, 0.5, 3e-6, 1e-3), "the mirror image of a start at +0.8")
    small = run(7, 1.2, 0.003, 1.0, 3e-6, 1e-3)
    yield Problem("small values, and a large rate", scaled(small, values=1e-3) | {"learning_rate": 3000.0},
                  "a small slope moves w too, if the rate is large")
    yield Problem("keys close together", scaled(small, 0.005) | {"w": 240.0, "learning_rate": 120.0},
                  "keys close together want a large w")
    yield Problem("from 0", {"w": 0.0, **mixed(rng, 5), "learning_rate": 0.1, "factor": 1.0},
                  "w = 0 is flat: a run that starts there never moves")
    yield Problem("two keys", {"w": 0.7, **TWO_KEYS, "learning_rate": 0.1, "factor": 1.0},
                  "each point has one other, which takes all: nothing changes with w")
