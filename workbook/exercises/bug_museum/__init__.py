"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
import math
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.bug_museum import figures
from workbook.exercises.bug_museum import problems as p
from workbook.exercises.common import softmax

NO_HALF = "the squares are not halved", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = p.step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w


pooling = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__name__, "A museum of bugs", (
    Item("softmax_rows", by_hand=p.tables_of_scores, oracle=softmax, inputs=(p.SCORES,), mistakes=(
        ("the exhibit, not repaired: the softmax runs over the queries", {"axis": 0}),)),
    pooling("pool_column", points=2, by_hand=p.column, oracle=p.pool, inputs=(p.COLUMN,), mistakes=(
        ("the exhibit, not repaired: w has no effect, every weight is 1/m",
         lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
        ("the bug of room 1: the softmax runs over the queries", {"axis": 0}), NO_HALF, NO_MINUS)),
    pooling("weights_inside", by_hand=p.inside, oracle=p.weights, inputs=(p.INSIDE,), mistakes=(
        ("the exhibit, not repaired: w stands outside the square", {"outside": True}), NO_HALF, NO_MINUS)),
    pooling("answers_per_key", points=2, by_hand=p.own_ws, oracle=p.answers_per_key, inputs=(p.WS,), mistakes=(
        ("the exhibit, not repaired: a shifted column meets its neighbour's w", {"of_w": p.shifted}),
        ("the point itself still counts", {"itself": None}),
        ("the w of the query, not of the key", {"of_w": lambda ws: ws[:, None]}), NO_HALF)),
    pooling("predict_at", by_hand=p.at_test, oracle=p.predict_at, inputs=(p.AT_TEST,), mistakes=(
        ("the exhibit, not repaired: the queries are the keys",
         lambda keys, **at: p.predict_at(**at | {"keys": keys, "test_inputs": keys})),
        ("a diagonal is left out at test time too", {"itself": -math.inf}),
        ("the colleague's repair: the test inputs are standardised with their own mean and spread",
         {"of_inputs": np.asarray}),
        ("the standard deviation is divided by n − 1, not by n",
         lambda keys, w, **at: p.predict_at(keys=keys, w=w * math.sqrt(1 - 1 / len(keys)), **at)), NO_HALF)),
    Item("loss_and_slope", points=2, by_hand=p.slopes, oracle=p.loss_and_slope, inputs=(p.SLOPE,), library="torch",
         mistakes=(
             ("the bug of this room: w has no effect", {"of_w": np.ones_like}),
             ("the bug of room 3: w stands outside the square", {"outside": True}),
             ("the point itself is not left out", {"itself": None}), NO_HALF)),
    Item("step_of_rho", points=2, by_hand=p.steps, oracle=p.step_of_rho, inputs=(p.STEP,), library="torch", mistakes=(
        ("the step is made on w, not on rho", step_on_w),
        ("the chain rule is missing: rho moved by the slope of w", {"chain": False}),
        ("the second number is the old w, not the new one",
         lambda rho, **at: (p.step_of_rho(rho, **at)[0], float(np.exp(rho))))))))
publish(globals(), EXERCISE, figures)
