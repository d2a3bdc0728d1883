"""The items of `bug_museum`, their inputs, and the poolings of its rooms: right as they stand, or with a bug.

Throughout the weights are softmax over i of -1/2 ((q - k_i) w)^2, rows are queries (m) and columns are keys (n). The
rooms come first; `bug` stands for the options of `weights_of_w`, which is room 3, and `softmax` is room 1.
"""
import math
from dataclasses import replace
from functools import partial

import numpy as np

from workbook.checks.inputs import Inputs, number, numbers
from workbook.checks.item import Exercise, Item, Problem
from workbook.exercises.common import sample, score_traps, softmax, with_slope
from workbook.exercises.common import weights_of_w as weights
from workbook.language import say


def pool(queries, keys, values, w, **bug):
    """Room 2: answers (m,)."""
    return weights(queries.ravel(), keys, w, **bug) @ values


def predict_at(test_inputs, keys, values, w, of_inputs=None, **bug):
    """Room 5: answers (m,). May be wrong: whose mean and spread the inputs are standardised with."""
    by = keys if of_inputs is None else of_inputs(test_inputs)
    return pool((test_inputs - by.mean()) / by.std(), (keys - keys.mean()) / keys.std(), values, w, **bug)


def answers_per_key(ws, keys, values, itself=-math.inf, **bug):
    """Room 4: answers (n,) when no point attends to itself."""
    return weights(keys, keys, ws, itself=itself, **bug) @ values


def shifted(ws):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), ws, np.roll(ws, 1))


def loss_and_slope(w, keys, values, **bug):
    """Room 6: the leave-one-out loss, and its slope."""
    return with_slope(lambda w: ((answers_per_key(w, keys, values, **bug) - values) ** 2).sum(), w)


def step_of_rho(rho, keys, values, rate, exp=np.exp, chain=True):
    """Room 7: rho, moved against its slope by rate times as much, and its w."""
    w = float(exp(rho))
    new = float(rho) - rate * (w if chain else 1.0) * loss_and_slope(w, keys, values)[1]
    return new, float(exp(new))


FAR = say("exp(−700 000) is 0 in the computer: the row has to be shifted by its largest score first, however low that "
          "is, and no score may be cut off")

BY_HAND = {"keys": np.array([0.0, 1.0, 3.0]), "values": np.array([1.0, 2.0, 6.0])}
SAMPLE = {"keys": numbers("n", low=-1.0, high=4.0), "values": numbers("n", low=-3.0, high=3.0)}
POOLS = {"queries": numbers("m", low=-1.5, high=4.5), **SAMPLE, "w": number(0.6, 2.0)}
UNITS = ("queries keys 1/w", "values")
SCORES = Inputs({"scores": numbers("m", "n", low=-5.0, high=0.0)})
COLUMN = Inputs(POOLS | {"queries": numbers("m", 1, low=-1.5, high=4.5)}, units=UNITS)
INSIDE = Inputs({name: POOLS[name] for name in ("queries", "keys", "w")}, units=UNITS[:1])
TWO_ALIKE = numbers("n").specials[:1]
AT_TEST = Inputs({"test_inputs": replace(POOLS["queries"], specials=TWO_ALIKE), "values": SAMPLE["values"],
                  "keys": replace(SAMPLE["keys"], specials=TWO_ALIKE), "w": number(0.6, 2.0)},
                 units=("test_inputs keys", "values"), sizes={"n": (3, 200)})
WS = Inputs({"ws": numbers("n", low=0.5, high=2.0), **SAMPLE}, units=("keys 1/ws", "values"), sizes={"n": (2, 200)})
SLOPE = Inputs({"w": numbers(low=0.5, high=2.0), **SAMPLE}, units=("keys 1/w", "values"), sizes={"n": (2, 200)})


def tables_of_scores(rng):
    far = -2000 - rng.uniform(0, 3, (4, 4))
    far[0, :3] = far[1, 2] = -math.inf
    far[2:] = [-200_000, -math.inf, -200_001, -200_002], [-4e12, -math.inf, -3e12, -math.inf]
    yield say("two queries, three keys"), [[0.0, -2.0, -0.5], [-1.0, 0.0, -3.0]]
    yield (say("masked scores far below 0"), far,
           say("a score of −∞ is a weight of exactly 0, however low the others are, and one that is left alone gets "
               "all the weight"))
    yield from score_traps(rng)


def pools(rng, inputs, queries="queries", nearest=(4.0, 4.001)):
    """What rooms 2, 3 and 5 have in common."""
    far = inputs.draw(rng, m=3, n=5)
    far[queries].flat[1:3], far["keys"][:2] = (600.0, -1e6), nearest       # far away two share still
    yield Problem(say("two queries, three keys"), inputs.draw(rng, m=2, n=3) | BY_HAND | {"w": 1.5})
    yield Problem(say("one query far from all keys"), far, FAR)


def own_ws(rng):
    distant = WS.draw(rng, n=6)
    lowest, twin = distant["keys"].argsort()[:2]
    twin = twin if twin != 3 else distant["keys"].argmax()
    distant["keys"][[3, twin]] = 9e5, distant["keys"][lowest]
    distant["ws"][[lowest, twin]] = 0.2                        # not the nearest wins, and two share
    yield say("three keys"), [1.0, 0.5, 2.0], *BY_HAND.values()
    yield (say("two keys with very large ws"), [2e50, 2e50], [0, 1], [1, 4],
           say("only the other one is left, even if its score is below −10¹⁰⁰"))
    yield Problem(LONELY, distant, say("each e to the power of its scores is 0 in the computer: the row has to be "
                                       "shifted by its largest score first, and the point itself is not the largest"))


def lonely(rng):
    """A sample with a point far from all others, for which the two nearest of them share, and one farther still."""
    drawn = sample(rng, 7)
    drawn["keys"][[2, 4, 5, 6]] = 100.0, 4.8, 4.804, -1e6
    return drawn


LONELY = say("one point far from all others")
ALONE = say("each e to the power of its scores is 0 in the computer: left_out_loss takes care of it, if no score is "
            "cut off, however low it is")


def slopes(rng):
    """Room 6: w as a tensor of one number."""
    yield say("three keys"), np.array(0.5), *BY_HAND.values()
    yield LONELY, np.array(1.4), *lonely(rng).values(), ALONE
    yield Problem("w = 1", SLOPE.draw(rng, n=6) | {"w": np.array(1.0)},
                  say("at w = 1 the loss is right even if w is not in it; its slope is not"))


def one_step(rng, n, rho=None, data=None):
    """Room 7. The rate is such that rho moves by 0.3 to 0.8, farther from a small w, or less on its way down.

    So a step that is made on w stays above 0.
    """
    rho = rng.uniform(-0.5, 0.9) if rho is None else rho
    data = data or {name: kind.draw(rng, (n,)) for name, kind in SAMPLE.items()}
    w = math.exp(rho)
    steep = w * loss_and_slope(w, **data)[1]
    longest = min(4.0, max(1.0, -2 * rho)) if steep < 0 else min(1.0, 0.7 * w**2)
    rate = float(f"{rng.uniform(0.3, 0.8) * longest / abs(steep):.3g}")
    return {"rho": np.array(rho), **data, "rate": rate}


def steps(rng):
    unit = sample(rng, 6)
    yield Problem(say("three keys"), one_step(rng, 3, -0.5, BY_HAND))
    for name, rho, factor in (say("large keys and values"), -9.0, 1e4), (say("small keys and values"), 9.0, 1e-4):
        yield Problem(name, one_step(rng, 6, rho, {key: factor * x for key, x in unit.items()}),
                      say("in another unit: w is one over a width"))
    yield Problem(LONELY, one_step(rng, 6, 0.3, lonely(rng)), ALONE)


NO_HALF = "the squares are not halved", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w


pooling = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__package__, say("A museum of bugs"), (
    Item("softmax_rows", by_hand=tables_of_scores, oracle=softmax, inputs=(SCORES,), mistakes=(
        ("the exhibit, not repaired: the softmax runs over the queries", {"axis": 0}),)),
    pooling("pool_column", points=2, by_hand=partial(pools, inputs=COLUMN), oracle=pool, inputs=(COLUMN,), mistakes=(
        ("the exhibit, not repaired: w has no effect, every weight is 1/m",
         lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
        ("the bug of room 1: the softmax runs over the queries", {"axis": 0}), NO_HALF, NO_MINUS)),
    pooling("weights_inside", by_hand=partial(pools, inputs=INSIDE), oracle=weights, inputs=(INSIDE,), mistakes=(
        ("the exhibit, not repaired: w stands outside the square", {"outside": True}), NO_HALF, NO_MINUS)),
    pooling("answers_per_key", points=2, by_hand=own_ws, oracle=answers_per_key, inputs=(WS,), mistakes=(
        ("the exhibit, not repaired: a shifted column meets its neighbour's w", {"of_w": shifted}),
        ("the point itself still counts", {"itself": None}),
        ("the w of the query, not of the key", {"of_w": lambda ws: ws[:, None]}), NO_HALF)),
    pooling("predict_at", by_hand=partial(pools, inputs=AT_TEST, queries="test_inputs", nearest=4.0),
            oracle=predict_at, inputs=(AT_TEST,), mistakes=(
        ("the exhibit, not repaired: the queries are the keys",
         lambda keys, **at: predict_at(**at | {"keys": keys, "test_inputs": keys})),
        ("a diagonal is left out at test time too", {"itself": -math.inf}),
        ("the colleague's repair: the test inputs are standardised with their own mean and spread",
         {"of_inputs": np.asarray}),
        ("the standard deviation is divided by n − 1, not by n",
         lambda keys, w, **at: predict_at(keys=keys, w=w * math.sqrt(1 - 1 / len(keys)), **at)), NO_HALF)),
    Item("loss_and_slope", points=2, by_hand=slopes, oracle=loss_and_slope, inputs=(SLOPE,), library="torch",
         mistakes=(
             ("the bug of this room: w has no effect", {"of_w": np.ones_like}),
             ("the bug of room 3: w stands outside the square", {"outside": True}),
             ("the point itself is not left out", {"itself": None}), NO_HALF)),
    Item("step_of_rho", points=2, by_hand=steps, oracle=step_of_rho, inputs=(Inputs(one_step, sizes={"n": (3, 200)}),),
         library="torch", mistakes=(
        ("the step is made on w, not on rho", step_on_w),
        ("the chain rule is missing: rho moved by the slope of w", {"chain": False}),
        ("the second number is the old w, not the new one",
         lambda rho, **at: (step_of_rho(rho, **at)[0], float(np.exp(rho))))))))
