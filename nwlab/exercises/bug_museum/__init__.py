"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
import math
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from nwlab.exercises.common import softmax
from nwlab.exercises.bug_museum import figures, mistakes as m, problems as p

EXERCISE = Exercise(__name__, "A museum of bugs", (
    Item("softmax_rows", "Room 1: the wrong axis",
         "the softmax of each row, (m, n): every row sums to one, also where all its scores are far below 0",
         ("scores",), p.tables_of_scores, softmax, (p.SCORES,), mistakes=named(
            ("the exhibit as it came: the softmax runs over the queries", {"axis": 0}),
            ("the whole table sums to one, not each row", {"total": np.sum}),
            ("the whole table sums to one, not each row", {"axis": None}),
            ("the shift is taken along the row, but the sum runs over the queries",
             {"total": lambda powers: powers.sum(axis=0)}),
            ("the sign: the lowest score gets the most", lambda scores: softmax(-scores)),
            ("the exponential is missing", lambda scores: scores / scores.sum(axis=1, keepdims=True)),
            ("not divided by the row's sum: these are not weights yet", {"total": np.ones_like}), right=softmax)),
    Item("pool_column", "Room 2: w cancels",
         "one answer for each query, (m,): the average of the values, weighted by the softmax over the keys",
         ("queries", "keys", "values", "w"), p.column, p.pool, (p.COLUMN,), points=2, may_use=("masked_softmax",),
         mistakes=named(
            ("the exhibit as it came: w has no effect, every weight is 1/m",
             lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
            ("every answer is the mean of the values: w still has no effect",
             lambda queries, keys, values, w: np.full(len(queries), values.mean())),
            m.OUTSIDE, *m.POOLING, right=p.pool)),
    Item("weights_inside", "Room 3: w outside the square",
         "the weights softmax(−½ ((q − k_i) w)²), (m, n): rows are queries and sum to one",
         ("queries", "keys", "w"), p.inside, p.weights, (p.INSIDE,), may_use=("masked_softmax",), mistakes=named(
            ("the exhibit as it came: w stands outside the square", {"outside": True}),
            m.SQUARED_TWICE, m.TWICE, *m.POOLING, right=p.weights)),
    Item("answers_per_key", "Room 4: shifted columns",
         "for each point the answer of all the others, (n,), the distance to key i multiplied by ws[i]",
         ("ws", "keys", "values"), p.own_ws, p.answers_per_key, (p.WS,), points=2, may_use=("masked_softmax",),
         mistakes=named(
            ("the exhibit as it came: a shifted column meets its neighbour's w", {"of_w": m.shifted}),
            ("the columns are shifted the other way", {"of_w": partial(m.shifted, by=-1)}),
            ("the point itself still counts", {"itself": None}),
            ("the score of the point itself is very low, but another may be lower", {"itself": -1e6}),
            ("the score of the point itself is very low, but another may be lower", {"itself": -1e9}),
            ("the w of the query, not of the key", {"of_w": lambda ws: ws[:, None]}),
            ("the mask is the wrong way round: each point hears only itself", lambda ws, keys, values: values.copy()),
            ("the mask comes after the softmax: the rows do not sum to one",
             lambda ws, keys, values: (p.weights(keys, keys, ws) * (1 - np.eye(len(ws)))) @ values),
            m.OUTSIDE, m.NO_HALF, right=p.answers_per_key)),
    Item("predict_at", "Room 5: the wrong queries",
         "one answer for each test input, (m,), in the order of the test inputs; all keys may be attended to",
         ("test_inputs", "keys", "values", "w"), p.at_test, p.predict_at, (p.AT_TEST,), may_use=("masked_softmax",),
         mistakes=named(
            ("the exhibit as it came: the queries are the keys",
             lambda keys, **at: p.predict_at(**at | {"keys": keys, "test_inputs": keys})),
            ("the answers at the keys, joined by straight lines", lambda test_inputs, keys, **at: np.interp(
                test_inputs, keys, p.predict_at(keys, keys, **at))),
            ("the test inputs were sorted",
             lambda test_inputs, **at: p.predict_at(np.sort(test_inputs), **at)),
            ("a diagonal is left out at test time too", {"itself": -math.inf}), *m.STANDARDISED,
            m.OUTSIDE, m.NO_HALF, m.AXIS, right=p.predict_at)),
    Item("loss_and_slope", "Room 6: w is lost",
         "two numbers: the leave-one-out loss at w, and its slope d loss / d w",
         ("w", "keys", "values"), p.slopes, p.loss_and_slope, (p.SLOPE,), points=2, library="torch", mistakes=named(
            ("the bug of this room: w has no effect", {"of_w": np.ones_like}),
            ("the number w reaches the scores, its gradient does not", {"of_w": np.real}), *m.LOSS,
            ("the slope that came is None: it is not the grad of the marked tensor", {"slope": lambda slope: None}),
            ("slope first, loss second", lambda **at: p.loss_and_slope(**at)[::-1]),
            ("half the loss", lambda **inputs: tuple(number / 2 for number in p.loss_and_slope(**inputs))),
            ("the mean of the squared errors, not their sum",
             lambda **inputs: tuple(number / len(inputs["keys"]) for number in p.loss_and_slope(**inputs))),
            right=p.loss_and_slope)),
    Item("step_of_rho", "Room 7: the root of w",
         "two numbers: rho after one step of gradient descent on the leave-one-out loss of w = exp(rho), and the w it "
         "makes", ("rho", "keys", "values", "rate"), p.steps, p.step_of_rho, (p.STEP,), points=2, library="torch",
         mistakes=named(
            ("the step is made on w, not on rho", m.step_on_w),
            ("the rate is missing", lambda **at: p.step_of_rho(**at | {"rate": 1.0})),
            ("the chain rule is missing: rho moved by the slope of w", {"chain": False}),
            ("the slope is multiplied by w once more", lambda rho, **at: p.step_of_rho(
                rho, **at | {"rate": at["rate"] * math.exp(rho)})),
            ("uphill: the loss grows", {"factor": 1.0}), ("nothing moved", {"factor": 0.0}),
            ("rho is used as w", {"exp": float, "chain": False}),
            ("the second number is rho, not w", lambda **at: (p.step_of_rho(**at)[0],) * 2),
            ("the w from before the step", lambda **inputs: (p.step_of_rho(**inputs)[0], math.exp(inputs["rho"]))),
            ("w first, rho second", lambda **inputs: p.step_of_rho(**inputs)[::-1]), right=p.step_of_rho))))
publish(globals(), EXERCISE, figures)
