"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
from __future__ import annotations

import math

import numpy as np

from nwlab.exercises.bug_museum import back
from nwlab.exercises.bug_museum import bugs
from nwlab.exercises.bug_museum import figures
from nwlab.exercises.bug_museum import rooms
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item, Mistake
from nwlab.exercises.bug_museum.rooms import left_out, softmax, table

# --- room 1


SOFTMAX_ROWS = Item(
    name="softmax_rows", title="Room 1: the wrong axis", points=1,
    returns="the softmax of each row, (m, n): every row sums to one, also where all its scores are far below 0",
    arguments=("scores",), make_problems=rooms.score_problems, oracle=rooms.true_softmax,
    mistakes=(
        Mistake(bugs.itself(bugs.AXIS[0]), bugs.AXIS[1], lambda scores: bugs.divided(scores, 0, 0)),
        Mistake(bugs.itself(bugs.AXIS[0]) + ", and the shift is gone", bugs.AXIS[1] + " And keep the shift", lambda scores:
                bugs.divided(scores, False, 0)),
        Mistake("half repaired: the largest score is still taken over the queries", "the sum is right. The shift has to be one "
                "number for each row too, or it does not cancel", lambda scores: bugs.divided(scores, 0, 1)),
        Mistake("half repaired: the sum still runs over the queries", "the shift is right. Now the other line: which axis "
                "should be summed?", lambda scores: bugs.divided(scores, 1, 0)),
        Mistake("the shift is gone: 0/0 in rows far below 0", "exp(−1500) is 0 in the computer. Subtract each row's largest "
                "score before exp: it cancels, and then one exponential is 1", lambda scores: bugs.divided(scores, False, 1)),
        Mistake("the shift is the smallest score of a row, not the largest", "it cancels too, but a minimum may be −∞, where a "
                "score is masked, and then ∞/∞ is NaN. With the largest score no exponential exceeds 1", lambda scores:
                bugs.divided(scores - scores.min(axis=1, keepdims=True), False, 1)),
        Mistake("one shift for the whole table: 0/0 in a row far below the others", "each row needs a shift of its own: the "
                "largest score of that row", lambda scores: bugs.divided(scores, None, 1)),
        Mistake("keepdims is gone: (m, n) / (m,) divides columns, not rows", "with m = n it runs and is wrong, otherwise it "
                "stops. A sum of shape (m, 1) divides each row by its own", lambda scores:
                bugs.divided(scores, 1, 1, keepdims=False)),
        Mistake("the whole table sums to one, not each row", "every query shares out a weight of 1. A sum without axis runs over "
                "everything", lambda scores: bugs.divided(scores, 1, None)),
        Mistake("nothing is divided: these are no weights yet", "each row has to sum to one", lambda scores:
                np.exp(scores - scores.max(axis=1, keepdims=True))),
    ))

# --- room 2

POOL_COLUMN = Item(
    name="pool_column", title="Room 2: w cancels", points=2, may_use=("masked_softmax",),
    returns="one answer for each query, (m,): the average of the values, weighted by the softmax over the keys",
    arguments=("queries", "keys", "values", "w"), make_problems=rooms.column_problems, oracle=rooms.true_pool,
    mistakes=(
        Mistake(bugs.itself(bugs.CANCELS[0]), "what is the shape of the scores in the exhibit, and along which of its axes do they differ?",
                bugs.copied),
        Mistake("no shift: 0/0 for a query far from all keys", "far away every exponential is 0 in the computer. Subtract each "
                "row's largest score before exp, as in room 1, or take nwlab.masked_softmax", bugs.unshifted),
        Mistake("every answer is the mean of the values: w still has no effect", "weights of 1/n look mended, as they sum to one. "
                "But an answer has to depend on its query", lambda queries, keys, values, w: np.full(len(queries), values.mean())),
        *bugs.pooling_mistakes(lambda weights, values, **_: weights @ values, but=(bugs.CANCELS,))))

# --- room 3

WEIGHTS_INSIDE = Item(
    name="weights_inside", title="Room 3: w outside the square", points=1, may_use=("masked_softmax",),
    returns="the weights softmax(−½ ((q − k_i) w)²), (m, n): rows are queries and sum to one",
    arguments=("queries", "keys", "w"), make_problems=rooms.inside_problems, oracle=rooms.true_weights,
    mistakes=(
        Mistake(bugs.itself(bugs.OUTSIDE[0]), bugs.OUTSIDE[1], lambda queries, keys, w: softmax(table(queries, keys, w, outside=True))),
        *bugs.pooling_mistakes(lambda weights, **_: weights, but=(bugs.OUTSIDE,))))

# --- room 4


ANSWERS_PER_KEY = Item(
    name="answers_per_key", title="Room 4: shifted columns", points=2, may_use=("masked_softmax",),
    returns="for each point the answer of all the others, (n,), the distance to key i multiplied by ws[i]",
    arguments=("ws", "keys", "values"), make_problems=rooms.ws_problems, oracle=rooms.true_per_key,
    mistakes=(
        Mistake("the exhibit as it came: a shifted column meets its neighbour's w", "as long as the diagonal is deleted, "
                "column i is key i in some rows and key i + 1 in the others. Delete nothing: mask", lambda ws, keys, values:
                bugs.cut(ws, keys, values, lambda w: w[:-1])),
        Mistake("the columns are shifted the other way", "ws[1:] is right above the diagonal only, ws[:-1] below it only. "
                "Delete nothing: mask", lambda ws, keys, values: bugs.cut(ws, keys, values, lambda w: w[1:])),
        Mistake("the mask is the wrong way round: each point hears itself alone", "every answer is the point's own value. What is "
                "deleted is the diagonal, and all else is kept. For nwlab.masked_softmax True means: may be attended to",
                lambda ws, keys, values: values.copy()),
        Mistake("the score on the diagonal is low, but not low enough", "other scores may be lower still, and then the point "
                "hears itself. Only −∞ is below all of them", lambda ws, keys, values:
                left_out(table(keys, keys, ws), values, itself=-1000.0)),
        Mistake("no shift: 0/0 where all others are far", "there every exponential is 0 in the computer. Subtract each row's "
                "largest score before exp, as in room 1, or take nwlab.masked_softmax", bugs.unshifted_per_key),
        Mistake("the point itself still counts", "its score has to be minus infinity. A score of 0 on the diagonal is no mask: 0 "
                "is the highest score there is", lambda ws, keys, values: softmax(table(keys, keys, ws)) @ values),
        Mistake("the mask comes after the softmax: the rows do not sum to one", "what the point itself had is lost. Mask the "
                "scores; the softmax then shares all of it out among the others", bugs.masked_late),
        Mistake("NaN: 0 times infinity", "an eye matrix times infinity has NaN off its diagonal, as 0 · ∞ is NaN. Put −∞ in its "
                "place by np.where or np.fill_diagonal", lambda ws, keys, values: np.full(len(keys), math.nan)),
        Mistake("the w of the query, not of the key", "ws[i] belongs to key i, so to column i: (n, n) times (n,) does that",
                lambda ws, keys, values: left_out(table(keys, keys, ws[:, None]), values)),
        Mistake(*bugs.AXIS, lambda ws, keys, values: left_out(table(keys, keys, ws), values, axis=0)),
        Mistake(*bugs.OUTSIDE, lambda ws, keys, values: left_out(table(keys, keys, ws, outside=True), values)),
        Mistake("the bug of room 6: ws is lost, these are the answers for w = 1", "w_i multiplies the distance to key i. What is only "
                "added to a whole row cancels in the softmax", lambda ws, keys, values:
                left_out(table(keys, keys, 1.0), values)),
        Mistake(*bugs.NO_HALF, lambda ws, keys, values: left_out(table(keys, keys, ws, half=1.0), values)),
        Mistake(*bugs.DIVIDED, lambda ws, keys, values: left_out(table(keys, keys, 1 / ws), values)),
    ))

# --- room 5

PREDICT_AT = Item(
    name="predict_at", title="Room 5: the wrong queries", points=1, may_use=("masked_softmax",),
    returns="one answer for each test input, (m,), in the order of the test inputs; all keys may be attended to",
    arguments=("test_inputs", "keys", "values", "w"), make_problems=rooms.predict_problems,
    oracle=lambda test_inputs, keys, values, w: rooms.true_pool(test_inputs, keys, values, w),
    mistakes=(
        Mistake(bugs.itself(bugs.WRONG_QUERIES[0]), "the test inputs are an argument of the exhibit. In which line are they used?",
                lambda test_inputs, keys, values, w: softmax(table(keys, keys, w)) @ values),
        Mistake("the answers at the keys, cut to the right length", "the shape is right, the places are not: each answer belongs "
                "to a key. Let the test inputs ask", lambda test_inputs, keys, values, w:
                (softmax(table(keys, keys, w)) @ values)[:len(test_inputs)]),
        Mistake("the answers at the keys, joined by straight lines", "that looks right in a plot. The pooling can answer any "
                "query itself: let the test inputs ask", lambda test_inputs, keys, values, w:
                np.interp(test_inputs, keys, softmax(table(keys, keys, w)) @ values)),
        Mistake("the diagonal is left out at test time too", "a test input is no key, so it has no 'itself'. Leave-one-out "
                "belongs to training", lambda test_inputs, keys, values, w: softmax(np.where(
                    np.eye(len(keys), dtype=bool), -math.inf, table(test_inputs, keys, w))) @ values),
        Mistake("a diagonal is left out at test time too", "the j-th key is not the j-th test input: nothing is to be masked "
                "here. Leave-one-out belongs to training", lambda test_inputs, keys, values, w: softmax(np.where(
                    np.eye(len(test_inputs), len(keys), dtype=bool), -math.inf, table(test_inputs, keys, w))) @ values),
        Mistake("a diagonal of the test inputs is left out", "nothing is to be masked here, as a test input is no key. "
                "Leave-one-out belongs to training", lambda test_inputs, keys, values, w: softmax(np.where(
                    np.eye(len(test_inputs), dtype=bool), -math.inf, table(test_inputs, keys, w))) @ values),
        Mistake("the test inputs were sorted", "answers come in the order of the questions", lambda test_inputs, keys, values, w:
                softmax(table(np.sort(test_inputs), keys, w)) @ values),
        *bugs.pooling_mistakes(lambda weights, values, **_: weights @ values, queries="test_inputs", but=(bugs.WRONG_QUERIES,))))

# --- rooms 6 and 7: torch


LOSS_AND_SLOPE = back.WayBack(
    name="loss_and_slope", title="Room 6: w is lost", points=2, library="torch",
    returns="two numbers: the leave-one-out loss at w, and its slope d loss / d w",
    arguments=("w", "keys", "values"), make_problems=rooms.slope_problems, oracle=rooms.true_loss_and_slope,
    mistakes=(
        *back.mistakes("w"),
        Mistake("the slope that came is None: it is not the grad of the marked tensor", "backward leaves grad only at the tensor marked "
                "requires_grad, not at what is made from it. Return the grad of that one", lambda w, keys, values:
                (float(rooms.loss(float(w), keys, values)), None)),
        Mistake("the bug of this room: w has no effect", "the loss is the one of w = 1, and its slope is 0, at every w. Either w "
                "is not in the scores, as in the exhibit, or it cancels: what is added to every score of a row is gone after "
                "the softmax. In which line, and how, should w come in?", lambda w, keys, values: (float(rooms.loss(1.0, keys, values)), 0.0)),
        Mistake("the number w reaches the scores, its gradient does not", "the loss is right, the slope is 0. .item(), float(w), "
                "detach() and torch.tensor(w) cut the record that backward needs", bugs.slope(scale=0.0)),
        Mistake(*bugs.TWICE, bugs.slope(twice=True)),
        Mistake(*bugs.OUTSIDE, bugs.slope(outside=True)),
        Mistake(*bugs.AXIS, bugs.slope(axis=0)),
        Mistake(*bugs.SELF, bugs.slope(keep_itself=True)),
        Mistake(*bugs.NO_HALF, bugs.slope(half=1.0)),
        Mistake(*bugs.NO_MINUS, bugs.slope(sign=1.0)),
        Mistake(*bugs.DIVIDED, lambda w, keys, values: (float(rooms.loss(1 / float(w), keys, values)),
                                                   -rooms.slope(1 / float(w), keys, values) / float(w)**2)),
        Mistake("half the loss", "the loss is the sum of all squared errors, without a ½ in front", bugs.slope(value=0.5)),
        Mistake("the slope has the wrong sign", "the slope itself is asked for, not the step against it", bugs.slope(scale=-1.0)),
    ))

STEP_OF_RHO = back.WayBack(
    name="step_of_rho", title="Room 7: the root of w", points=2, library="torch",
    returns="two numbers: rho after one step of gradient descent on the leave-one-out loss of w = exp(rho), and the w it makes",
    arguments=("rho", "keys", "values", "rate"), make_problems=rooms.rho_problems, oracle=rooms.true_step,
    mistakes=(
        *back.mistakes("rho"),
        Mistake("the step is made on w, not on rho", "w itself was moved by its slope: so it can jump below zero again. Ask for "
                "the gradient of rho, and move rho", bugs.step_on_w),
        Mistake("the chain rule is missing: rho moved by the slope of w", "d loss / d rho is w times d loss / d w. Autograd knows, "
                "if rho is what requires the gradient", bugs.step(chain=False)),
        Mistake("uphill: the loss grows", "descent goes against the slope", bugs.step(direction=1.0)),
        Mistake("nothing moved", "w is cut off from rho, or the step is missing: math.exp(rho), .item() and detach() end the "
                "record", lambda rho, keys, values, rate: (float(rho), math.exp(rho))),
        Mistake("the w from before the step", "rho moved, w did not: make w from the new rho", lambda rho, keys, values, rate:
                (bugs.step()(rho, keys, values, rate)[0], math.exp(rho))),
        Mistake("w first, rho second", "the new rho comes first", lambda rho, keys, values, rate:
                bugs.step()(rho, keys, values, rate)[::-1]),
        Mistake("rho is used as w", "w = exp(rho) is what keeps w above zero", bugs.rho_is_w),
        Mistake("the step is half as long", "the whole loss and its whole slope, times the rate", bugs.step(direction=-0.5)),
        Mistake(*bugs.TWICE, bugs.step(twice=True)),
        Mistake(*bugs.OUTSIDE, bugs.step(outside=True)),
        Mistake(*bugs.AXIS, bugs.step(axis=0)),
        Mistake(*bugs.SELF, bugs.step(keep_itself=True)),
        Mistake(*bugs.NO_HALF, bugs.step(half=1.0)),
        Mistake(*bugs.NO_MINUS, bugs.step(sign=1.0)),
    ))

EXERCISE = Exercise("bug_museum", "A museum of bugs", items=(
    SOFTMAX_ROWS, POOL_COLUMN, WEIGHTS_INSIDE, ANSWERS_PER_KEY, PREDICT_AT, LOSS_AND_SLOPE, STEP_OF_RHO))
publish(globals(), EXERCISE, figures)
