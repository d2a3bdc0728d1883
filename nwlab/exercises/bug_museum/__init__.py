"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
import math
from functools import partial

import numpy as np

from nwlab.checks.item import Exercise, Item, Mistake
from nwlab.checks.notebook import publish
from nwlab.exercises.bug_museum import figures, mistakes as m, problems as p

SOFTMAX_ROWS = Item(
    name="softmax_rows", title="Room 1: the wrong axis", points=1, arguments=("scores",),
    returns="the softmax of each row, (m, n): every row sums to one, also where all its scores are far below 0",
    make_problems=p.score_problems, oracle=p.softmax, mistakes=m.with_bugs(
        p.softmax,
        ("the exhibit as it came: the softmax runs over the queries", *m.AXIS[1:]),
        ("the whole table sums to one, not each row", "every query shares out a weight of 1. A sum without axis runs "
         "over everything", {"total": np.sum}),
        ("nothing is divided: these are no weights yet", "each row has to sum to one", {"total": np.ones_like})))

POOL_COLUMN = Item(
    name="pool_column", title="Room 2: w cancels", points=2, arguments=("queries", "keys", "values", "w"),
    returns="one answer for each query, (m,): the average of the values, weighted by the softmax over the keys",
    make_problems=p.column_problems, oracle=p.pool, may_use=("masked_softmax",), mistakes=(
        Mistake("the exhibit as it came: w has no effect, every weight is 1/m", "what is the shape of the scores in "
                "the exhibit, and along which of its axes do they differ?",
                lambda queries, keys, values, w: np.full(len(queries), values.sum() / len(queries))),
        Mistake("every answer is the mean of the values: w still has no effect", "weights of 1/n look mended, as they "
                "sum to one. But an answer has to depend on its query",
                lambda queries, keys, values, w: np.full(len(queries), values.mean())),
        *m.with_bugs(p.pool, m.OUTSIDE, *m.POOLING)))

WEIGHTS_INSIDE = Item(
    name="weights_inside", title="Room 3: w outside the square", points=1, arguments=("queries", "keys", "w"),
    returns="the weights softmax(−½ ((q − k_i) w)²), (m, n): rows are queries and sum to one",
    make_problems=p.inside_problems, oracle=p.weights, may_use=("masked_softmax",), mistakes=m.with_bugs(
        p.weights, ("the exhibit as it came: w stands outside the square", *m.OUTSIDE[1:]), *m.POOLING))

ANSWERS_PER_KEY = Item(
    name="answers_per_key", title="Room 4: shifted columns", points=2, arguments=("ws", "keys", "values"),
    returns="for each point the answer of all the others, (n,), the distance to key i multiplied by ws[i]",
    make_problems=p.ws_problems, oracle=p.answers_per_key, may_use=("masked_softmax",), mistakes=(*m.with_bugs(
        p.answers_per_key,
        ("the exhibit as it came: a shifted column meets its neighbour's w", "as long as the diagonal is deleted, "
         "column i is key i in some rows and key i + 1 in the others. Delete nothing: mask", {"of_w": m.shifted}),
        ("the columns are shifted the other way", "ws[1:] is right above the diagonal only, ws[:-1] below it only. "
         "Delete nothing: mask", {"of_w": partial(m.shifted, by=-1)}),
        ("the point itself still counts", "its score has to be minus infinity. A score of 0 on the diagonal is no "
         "mask: 0 is the highest score there is", {"itself": None}),
        ("the w of the query, not of the key", "ws[i] belongs to key i, so to column i: (n, n) times (n,) does that",
         {"of_w": lambda ws: ws[:, None]}),
        m.AXIS, m.OUTSIDE, m.LOST, m.NO_HALF, m.DIVIDED),
        Mistake("the mask is the wrong way round: each point hears itself alone", "every answer is the point's own "
                "value. What is deleted is the diagonal, and all else is kept. For nwlab.masked_softmax True means: "
                "may be attended to", lambda ws, keys, values: values.copy()),
        Mistake("the mask comes after the softmax: the rows do not sum to one", "what the point itself had is lost. "
                "Mask the scores; the softmax then shares all of it out among the others",
                lambda ws, keys, values: (p.weights(keys, keys, ws) * (1 - np.eye(len(ws)))) @ values)))

PREDICT_AT = Item(
    name="predict_at", title="Room 5: the wrong queries", points=1, arguments=("test_inputs", "keys", "values", "w"),
    returns="one answer for each test input, (m,), in the order of the test inputs; all keys may be attended to",
    make_problems=p.predict_problems, oracle=p.predict_at, may_use=("masked_softmax",), mistakes=(
        Mistake("the exhibit as it came: the queries are the keys", "the test inputs are an argument of the exhibit. "
                "In which line are they used?", lambda test_inputs, keys, values, w: p.pool(keys, keys, values, w)),
        Mistake("the answers at the keys, joined by straight lines", "that looks right in a plot. The pooling can "
                "answer any query itself: let the test inputs ask",
                lambda test_inputs, keys, values, w: np.interp(test_inputs, keys, p.pool(keys, keys, values, w))),
        Mistake("the test inputs were sorted", "answers come in the order of the questions",
                lambda test_inputs, keys, values, w: p.pool(np.sort(test_inputs), keys, values, w)),
        *m.with_bugs(p.predict_at, (
            "a diagonal is left out at test time too", "the j-th key is not the j-th test input: nothing is to be "
            "masked here. Leave-one-out belongs to training", {"itself": -math.inf}), m.OUTSIDE, *m.POOLING)))

LOSS_AND_SLOPE = Item(
    name="loss_and_slope", title="Room 6: w is lost", points=2, library="torch", arguments=("w", "keys", "values"),
    returns="two numbers: the leave-one-out loss at w, and its slope d loss / d w",
    make_problems=p.slope_problems, oracle=p.loss_and_slope, mistakes=(
        *m.with_bugs(
            p.loss_and_slope,
            ("the bug of this room: w has no effect", "the loss is the one of w = 1, and its slope is 0, at every w. "
             "Either w is not in the scores, as in the exhibit, or it cancels: what is added to every score of a row "
             "is gone after the softmax. In which line, and how, should w come in?", {"of_w": np.ones_like}),
            ("the number w reaches the scores, its gradient does not", "the loss is right, the slope is 0. .item(), "
             "float(w), detach() and torch.tensor(w) cut the record that backward needs", {"of_w": np.real}),
            *m.LOSS, m.DIVIDED),
        Mistake("the slope that came is None: it is not the grad of the marked tensor", "backward leaves grad only at "
                "the tensor marked requires_grad, not at what is made from it. Return the grad of that one",
                lambda **inputs: (p.loss_and_slope(**inputs)[0], None)),
        Mistake("half the loss", "the loss is the sum of all squared errors, without a ½ in front",
                lambda **inputs: tuple(number / 2 for number in p.loss_and_slope(**inputs))),
        Mistake("the slope has the wrong sign", "the slope itself is asked for, not the step against it",
                lambda **inputs: (p.loss_and_slope(**inputs)[0], -p.loss_and_slope(**inputs)[1]))))

STEP_OF_RHO = Item(
    name="step_of_rho", title="Room 7: the root of w", points=2, library="torch",
    arguments=("rho", "keys", "values", "rate"),
    returns="two numbers: rho after one step of gradient descent on the leave-one-out loss of w = exp(rho), and the w "
            "it makes",
    make_problems=p.rho_problems, oracle=p.step_of_rho, mistakes=(
        Mistake("the step is made on w, not on rho", "w itself was moved by its slope: so it can jump below zero "
                "again. Ask for the gradient of rho, and move rho", m.step_on_w),
        *m.with_bugs(
            p.step_of_rho,
            ("the chain rule is missing: rho moved by the slope of w", "d loss / d rho is w times d loss / d w. "
             "Autograd knows, if rho is what requires the gradient", {"chain": False}),
            ("uphill: the loss grows", "descent goes against the slope", {"factor": 1.0}),
            ("nothing moved", "w is cut off from rho, or the step is missing: math.exp(rho), .item() and detach() end "
             "the record", {"factor": 0.0}),
            ("rho is used as w", "w = exp(rho) is what keeps w above zero", {"exp": float, "chain": False}),
            ("the step is half as long", "the whole loss and its whole slope, times the rate", {"factor": -0.5}),
            *m.LOSS),
        Mistake("the w from before the step", "rho moved, w did not: make w from the new rho",
                lambda **inputs: (p.step_of_rho(**inputs)[0], math.exp(inputs["rho"]))),
        Mistake("w first, rho second", "the new rho comes first", lambda **inputs: p.step_of_rho(**inputs)[::-1])))

EXERCISE = Exercise("bug_museum", "A museum of bugs", items=(
    SOFTMAX_ROWS, POOL_COLUMN, WEIGHTS_INSIDE, ANSWERS_PER_KEY, PREDICT_AT, LOSS_AND_SLOPE, STEP_OF_RHO))
publish(globals(), EXERCISE, figures)
