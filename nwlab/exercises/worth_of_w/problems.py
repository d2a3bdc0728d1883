"""The problems of `worth_of_w`, drawn until no choice of w hangs by a thread, and until mistakes choose otherwise."""
import numpy as np

from nwlab.checks.item import Problem
from nwlab.checks.problems import BY_HAND, sample, single
from nwlab.exercises.worth_of_w import model

TWO_KEYS = {"keys": np.array([1.0, 2.5]), "values": np.array([1.0, 4.0])}
EVEN = "w is squared, so w and −w are the same model"
TWINS = "two keys at one place are two points: each is left out for itself, its twin still counts"


def apart(rng):
    """Six keys, each with a nearest other: at a very large w that one takes all."""
    return {"keys": np.cumsum(rng.uniform(0.7, 0.8, 6) + 0.12 * np.arange(6)), "values": rng.normal(2, 1, 6)}


def twins(rng):
    """Six keys at four places."""
    return {"keys": np.repeat(rng.uniform(0, 1, 4) + [0, 1.5, 3, 4.5], [2, 1, 1, 2]), "values": rng.normal(0, 2, 6)}


def asked(rng, m):
    queries = rng.uniform(0.2, 4.8, m)
    return {"queries": queries, "targets": 2 * np.sin(queries) + queries**0.8}


def error_problems(rng):
    yield Problem("two queries, three keys", {"queries": np.array([0.5, 2.5]), "targets": np.array([1.0, 4.0]),
                                              **BY_HAND, "w": 2.0})
    yield Problem("seven queries, twenty keys", {**asked(rng, 7), **sample(rng, 20), "w": 3.0})
    yield Problem("more queries than keys", {**asked(rng, 12), **sample(rng, 6), "w": 0.6})
    yield Problem("one query", {**asked(rng, 1), **sample(rng, 5), "w": 0.7}, "the mean of one square is that square")
    yield Problem("w below zero", {**asked(rng, 4), **sample(rng, 9), "w": -1.6}, EVEN)
    keys = np.array([0.0, 1.0, 2.0, 3.5])
    yield Problem("a very large w", {"queries": keys + [0.4, 0.3, 0.4, -0.4], "targets": rng.normal(2, 1, 4),
                                     "keys": keys, "values": rng.normal(2, 1, 4), "w": 300.0},
                  "each query is left with its nearest key alone, whose exponential must not round to 0 as the others "
                  "do: take each row's largest score away before exp, as `nwlab.masked_softmax` does")
    yield Problem("float32", single({**asked(rng, 5), **sample(rng, 12), "w": 1.8}))


def left_out_problems(rng):
    yield Problem("three keys, two widths", {"ws": np.array([0.5, 2.0]), **BY_HAND})
    yield Problem("twenty keys, five widths", {"ws": rng.uniform(0.6, 6, 5), **sample(rng, 20)})
    yield Problem("as many widths as keys", {"ws": rng.uniform(0.6, 3, 6), **sample(rng, 6)},
                  "g = n: no shape tells them apart")
    yield Problem("one width", {"ws": np.array([1.7]), **sample(rng, 8)},
                  "one w is still an array, and one error is (1,)")
    yield Problem("keys that come twice", {"ws": np.array([0.8, 2.2]), **twins(rng)}, TWINS)
    yield Problem("two keys", {"ws": np.array([0.4, 3.0]), **TWO_KEYS},
                  "each point has one other, which takes all, whatever w is")
    yield Problem("a very large w", {"ws": np.array([1.5, 300.0]), **apart(rng)},
                  "each point is left with its nearest other alone, whose exponential must not round to 0 as the rest "
                  "do. After a softmax with the diagonal in it the point itself has all the weight: mask first")
    yield Problem("float32", single({"ws": rng.uniform(0.6, 4, 3), **sample(rng, 12)}))


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
    def plain(p):
        return clear(model.left_out_errors(**p))

    def telling(p):
        wrong = ({}, {"outside": True}, {"of_w": np.reciprocal}, {"itself": None, "late": 0.0}, {"itself": None})
        errors = [model.left_out_errors(**p, **how) for how in wrong]
        chosen = [each.argmin() for each in errors] + [errors[0].argmax()]
        inside = min(p["ws"]) < p["ws"][chosen[0]] < max(p["ws"])
        return all(map(clear, errors)) and len(set(chosen)) == len(chosen) and inside and chosen[0] > 0

    yield Problem("five keys, three widths", {"ws": np.array([4.0, 0.25, 1.5]), "keys": np.array([0.0, 1, 2, 4, 5]),
                                              "values": np.array([0.0, 1.0, 3.0, 4.0, 4.5])})
    yield Problem("nine widths in any order", drawn(telling, lambda: {"ws": widths(rng, 9, 0.1), **sample(rng, 20)}),
                  "the widths come in no order, so a place among them says nothing")
    yield Problem("as many widths as keys", drawn(plain, lambda: {"ws": widths(rng, 8), **sample(rng, 8, 0.2)}))
    yield Problem("values that go up and down", {"ws": np.array([2.0, 0.05, 6.0, 1.0]), "keys": np.arange(6.0),
                                                 "values": np.array([1.0, -1, 1.2, -0.9, 1, -1.1])},
                  "the neighbours mislead: the farther one looks, the better, so it is the smallest w")
    yield Problem("one width", {"ws": np.array([1.4]), **sample(rng, 5)}, "there is no other")
    yield Problem("float32", single(drawn(plain, lambda: {"ws": widths(rng, 5), **sample(rng, 10)})))


def rule_problems(rng):
    def make(s, n, m, fixed_w, g):
        at, samples = asked(rng, m), [sample(rng, n) for _ in range(s)]
        return {**at, **{name: np.stack([one[name] for one in samples]) for name in ("keys", "values")},
                "fixed_w": fixed_w, "ws": widths(rng, g, 0.6, 14.0)}

    def telling(p):
        pairs, at = list(zip(p["keys"], p["values"])), (p["queries"], p["targets"])
        left_out, kept = (np.array([model.left_out_errors(p["ws"], *pair, itself=how) for pair in pairs])
                          for how in (-np.inf, None))                                                        # (s, g)
        truth = np.array([[model.error(*at, *pair, w) for w in p["ws"]] for pair in pairs])                  # (s, g)
        together, best = left_out.mean(axis=0), left_out.argmin(axis=1)
        return (all(map(clear, [*left_out, *truth, together])) and np.any(best != truth.argmin(axis=1))
                and np.any(best != kept.argmin(axis=1)) and (len(pairs) == 1 or best[0] != together.argmin()))

    yield Problem("one sample of six keys", drawn(telling, lambda: make(1, 6, 3, 1.2, 4)),
                  "one sample is still (1, n), so the answer is (1, 2)")
    yield Problem("four samples of twelve keys", drawn(telling, lambda: make(4, 12, 5, 1.5, 5)))
    yield Problem("three samples of eight keys", drawn(telling, lambda: make(3, 8, 8, 2.0, 6)),
                  "each sample has its own best w, and the fixed one is not among the ws")
    yield Problem("float32", single(drawn(telling, lambda: make(5, 10, 4, 0.9, 4))))


def gap_problems(rng):
    yield Problem("three keys", {"query": 1.25, "keys": np.array([0.0, 1.0, 3.0]), "w": 2.0})
    yield Problem("nine keys", {"query": 2.2, "keys": rng.permutation(sample(rng, 9)["keys"]), "w": 0.6},
                  "the keys come in no order: the nearest may be anywhere")
    yield Problem("w below zero", {"query": 3.1, "keys": rng.permutation(sample(rng, 5)["keys"]), "w": -1.5}, EVEN)
    far = rng.permutation(np.arange(6) + rng.uniform(0.1, 0.3, 6))
    yield Problem("a very large w", {"query": 0.9, "keys": far, "w": 200.0}, "here most weights are 0 in the computer, "
                  "and the log of 0 is −∞. The gap itself is an ordinary number: do not make the weights at all")
    yield Problem("the query on a key", {"query": 2.0, "keys": np.array([3.5, 2.0, 0.5, 2.25]), "w": 1.4})
    yield Problem("float32", single({"query": 1.5, "keys": rng.permutation(sample(rng, 7)["keys"]), "w": 1.7}))


def slope_problems(rng):
    yield Problem("three keys", {"w": 0.5, **BY_HAND, "factor": 1.0})
    yield Problem("half the loss", {"w": 0.8, **sample(rng, 12), "factor": 0.5}, "half the loss has half the slope")
    yield Problem("twenty keys", {"w": 3.0, **sample(rng, 20), "factor": 1.0})
    yield Problem("w below zero", {"w": -1.3, **sample(rng, 9), "factor": 0.5},
                  "the loss is even in w, so its slope is odd")
    yield Problem("w = 0", {"w": 0.0, **sample(rng, 6), "factor": 1.0},
                  "w = 0 is flat: a run that starts there never moves")
    yield Problem("a very large w", {"w": 300.0, **apart(rng), "factor": 1.0},
                  "the plateau: nearest others alone, and nothing that a step could change")
    yield Problem("keys that come twice", {"w": 1.1, **twins(rng), "factor": 1.0}, TWINS)


def step_problems(rng):
    def run(n, w, rate, factor, nudge, moves):
        """A nudge at the start is not blown up, so rounding is not either; and each step moves."""
        def steady(p):
            path, nudged = model.steps(**p), model.steps(**p | {"w": w + 1e-6})
            return np.all(np.abs(nudged - path) < nudge) and np.all(np.abs(np.diff(path)) > moves)

        return drawn(steady, lambda: {"w": w, **sample(rng, n), "learning_rate": rate, "factor": factor})

    yield Problem("three keys", {"w": 0.5, **BY_HAND, "learning_rate": 0.02, "factor": 1.0})
    yield Problem("the older edition's rate", run(20, 0.5, 0.5, 1.0, 1e-4, 1e-5), "one jump, then a plateau")
    yield Problem("half the loss", run(16, 0.4, 0.05, 0.5, 1e-4, 1e-5), "half the loss takes half the step")
    yield Problem("a small rate", run(9, 1.5, 0.003, 1.0, 3e-6, 1e-3))
    yield Problem("from below zero", run(10, -0.8, 0.01, 0.5, 3e-6, 1e-3), "the mirror image of a start at +0.8")
    yield Problem("two keys", {"w": 0.7, **TWO_KEYS, "learning_rate": 0.1, "factor": 1.0},
                  "each point has one other, which takes all: nothing changes with w")
