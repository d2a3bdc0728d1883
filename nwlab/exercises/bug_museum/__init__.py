"""A museum of bugs: seven pieces of code that run, look right and are wrong. The visitor repairs them."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import softmax
from nwlab.exercises.bug_museum import figures, mistakes, problems as p

pooling = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__name__, "A museum of bugs", (
    Item("softmax_rows", "Room 1: the wrong axis",
         "the softmax of each row, (m, n): every row sums to one, also where all its scores are far below 0",
         ("scores",), p.tables_of_scores, softmax, (p.SCORES,), mistakes=mistakes.ROWS),
    pooling("pool_column", "Room 2: w cancels",
            "one answer for each query, (m,): the average of the values, weighted by the softmax over the keys",
            ("queries", "keys", "values", "w"), p.column, p.pool, (p.COLUMN,), points=2, mistakes=mistakes.COLUMN),
    pooling("weights_inside", "Room 3: w outside the square",
            "the weights softmax(−½ ((q − k_i) w)²), (m, n): rows are queries and sum to one",
            ("queries", "keys", "w"), p.inside, p.weights, (p.INSIDE,), mistakes=mistakes.INSIDE),
    pooling("answers_per_key", "Room 4: shifted columns",
            "for each point the answer of all the others, (n,), the distance to key i multiplied by ws[i]",
            ("ws", "keys", "values"), p.own_ws, p.answers_per_key, (p.WS,), points=2, mistakes=mistakes.PER_KEY),
    pooling("predict_at", "Room 5: the wrong queries",
            "one answer for each test input, (m,), in the order of the test inputs; all keys may be attended to",
            ("test_inputs", "keys", "values", "w"), p.at_test, p.predict_at, (p.AT_TEST,), mistakes=mistakes.AT_TEST),
    Item("loss_and_slope", "Room 6: w is lost",
         "two numbers: the leave-one-out loss at w, and its slope d loss / d w",
         ("w", "keys", "values"), p.slopes, p.loss_and_slope, (p.SLOPE,), points=2, library="torch",
         mistakes=mistakes.SLOPE),
    Item("step_of_rho", "Room 7: the root of w",
         "two numbers: rho after one step of gradient descent on the leave-one-out loss of w = exp(rho), and the w it "
         "makes", ("rho", "keys", "values", "rate"), p.steps, p.step_of_rho, (p.STEP,), points=2, library="torch",
         mistakes=mistakes.STEP)))
publish(globals(), EXERCISE, figures)
