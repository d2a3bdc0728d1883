"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from nwlab.exercises.worth_of_w import figures
from nwlab.exercises.worth_of_w import problems
from nwlab.exercises.worth_of_w import wrong
from nwlab.checks.notebook import publish
from nwlab.checks.item import Exercise, Item, Mistake
from nwlab.exercises.worth_of_w.search import GAPS, MAY_USE, SLOPE, STEPS


def _earlier(mistakes, name):
    """The same mistakes, which may stand in a function written before."""
    return tuple(replace(m, look=f"{m.look}{'' if m.look[-1] in '?.' else '.'} If you call {name} here: does it hold?")
                 for m in mistakes)


def _weights(answer):
    """The mistakes in the weights, for an item whose answer takes them as options."""
    return (
        Mistake("w stands outside the square", "the distance is multiplied by w first, then squared: a distance and a width are "
                "compared, and their ratio is what counts", lambda **p: answer(**p, outside=True)),
        Mistake("it divides by w: that is σ, not w", "w = 1/σ. Where σ divides the distance, w multiplies it",
                lambda **p: answer(**p, divide=True)),
        Mistake("the ½ is missing in the scores", "the kernel is exp(−½ u²) with u = (q − k) w",
                lambda **p: answer(**p, half=1.0)),
        Mistake("the minus is missing in the scores: the farthest key gets most", "the nearer a key, the larger its score should "
                "be", lambda **p: answer(**p, sign=1.0)),
        Mistake("the softmax runs over the queries, not the keys", "rows are queries. Each row has to sum to one: along which "
                "axis do you divide?", lambda **p: answer(**p, axis=0)))


def _measures(answer, what):
    """The mistakes in the mean of the squares."""
    return (
        Mistake("the sum of the squares, not their mean", f"{what} should not grow with the number of questions asked",
                lambda **p: answer(**p, measure=wrong.total)),
        Mistake("the square is forgotten", "errors of opposite sign cancel in a plain mean: square each one first",
                lambda **p: answer(**p, measure=np.mean)),
        Mistake("the square of the mean, not the mean of the squares", "errors of opposite sign cancel in a plain mean: square each "
                "one first", lambda **p: answer(**p, measure=wrong.mean_squared)),
        Mistake("the mean of the absolute errors", "squares are asked for, so large misses count more",
                lambda **p: answer(**p, measure=wrong.absolute)),
        Mistake("the root of the mean square", "no root here: bias² and variance add up in the mean square itself",
                lambda **p: answer(**p, measure=wrong.root)))


ERROR = Item(
    name="error_against_truth", title="The error against the truth", points=1, may_use=MAY_USE,
    returns="the mean over the queries of (answer − target)², one number",
    arguments=("queries", "targets", "keys", "values", "w"), make_problems=problems.error_problems, oracle=problems.true_error,
    mistakes=(
        *_weights(wrong.error), *_measures(wrong.error, "an error"),
        Mistake("it asks at the keys and compares with the noisy values", "there each point meets its own value again, and the "
                "noise is on both sides. Ask at the queries, and compare with the targets: they have no noise",
                lambda queries, targets, keys, values, w: wrong.error(keys, values, keys, values, w)),
        Mistake("it leaves each key out and compares with the noisy values", "that is leave-one-out, which comes next. Here the "
                "truth is known: ask at the queries, and compare with the targets",
                lambda queries, targets, keys, values, w: wrong.left_out_errors([w], keys, values)[0]),
        Mistake("the weights do not sum to one", "an average divides by the sum of its weights. A softmax does that",
                lambda queries, targets, keys, values, w: np.mean(
                    (np.exp(wrong.scores(queries, keys, w)) @ values - targets) ** 2)),
        Mistake("0/0 at a very large w: all exponentials round to 0", "take each row's largest score away before exp. It cancels "
                "in the division, and `nwlab.masked_softmax` does it for you", lambda **p: wrong.error(**p, shift=False)),
        Mistake("the answers are not compared with the targets", "an error is about a difference",
                lambda queries, targets, keys, values, w: np.mean(wrong.answers(queries, keys, values, w) ** 2)),
    ))

LEFT_OUT = Item(
    name="leave_one_out_errors", title="Leave-one-out errors", points=2, may_use=MAY_USE,
    returns="for each w the mean of the squared residuals when no point may attend to itself, (g,)",
    arguments=("ws", "keys", "values"), make_problems=problems.left_out_problems, oracle=problems.true_left_out,
    sized=problems.sized,
    mistakes=(
        Mistake("no point is left out: each one attends to itself", "at a large w each point repeats its own value, and the "
                "error falls to 0, whatever the values are. Take the diagonal out",
                lambda **p: wrong.left_out_errors(**p, itself="keep")),
        Mistake("the mask is the wrong way round: each point attends to itself alone", "true means: may attend. Which entries of "
                "(n, n) should be true?", lambda ws, keys, values: np.zeros(len(ws))),
        Mistake("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", "what is left of a row has to "
                "be shared out anew. A score of −∞ before the softmax, or a mask, does both",
                lambda **p: wrong.left_out_errors(**p, itself="zero")),
        Mistake("all keys at a point's own place are left out, not the point alone", "two keys at one place are two points. The "
                "diagonal says which one is the point itself, the distance 0 does not",
                lambda **p: wrong.left_out_errors(**p, itself="twins")),
        *_earlier((*_weights(wrong.left_out_errors), *_measures(wrong.left_out_errors, "an error that compares widths"),
                   Mistake("the weights do not sum to one", "an average divides by the sum of its weights",
                           lambda **p: wrong.left_out_errors(**p, normalise=False)),
                   Mistake("every other point gets the weight 1", "a softmax along the wrong axis of a (1, n − 1) does that",
                           lambda **p: wrong.left_out_errors(**p, ones=True))), "error_against_truth"),
        Mistake("0/0 at a very large w", "either the row's largest score is not taken away before exp, or the point is taken "
                "out only after the softmax, when it has all the weight (so does the shortcut 1 − αᵢᵢ). Mask first: "
                "`nwlab.masked_softmax(scores, mask=...)`", lambda **p: wrong.left_out_errors(**p, shift=False)),
        Mistake("only the error of the first w", "does `return` stand inside the loop? Collect all errors first",
                lambda **p: wrong.left_out_errors(**p)[0]),
    ))

BEST = Item(
    name="best_w", title="The chosen w", points=1, may_use=MAY_USE,
    returns="the one of the ws with the smallest leave-one-out error, one number",
    arguments=("ws", "keys", "values"), make_problems=problems.choice_problems, oracle=problems.true_best,
    mistakes=(
        Mistake("the place of the best w, not w itself", "argmin says where in ws the best one stands. Look it up there",
                lambda ws, keys, values: np.argmin(wrong.left_out_errors(ws, keys, values))),
        Mistake("the smallest error, not the w that has it", "a w is asked for: argmin says where it stands in ws",
                lambda ws, keys, values: np.min(wrong.left_out_errors(ws, keys, values))),
        Mistake("the w with the largest error", "is a large error good?",
                lambda ws, keys, values: ws[np.argmax(wrong.left_out_errors(ws, keys, values))]),
        Mistake("no point is left out, so the largest w wins", "when each point may repeat its own value, sharper is always "
                "better. Use your leave_one_out_errors", lambda ws, keys, values: wrong.best(ws, keys, values, itself="keep")),
        Mistake("σ is returned, not w", "w = 1/σ: the candidates are ws, so the answer is one of them",
                lambda ws, keys, values: 1 / wrong.best(ws, keys, values)),
        Mistake("w stands outside the square in the errors", "does leave_one_out_errors hold? Call it here",
                lambda ws, keys, values: wrong.best(ws, keys, values, outside=True)),
        Mistake("the errors divide by w: that is σ, not w", "does leave_one_out_errors hold? Call it here",
                lambda ws, keys, values: wrong.best(ws, keys, values, divide=True)),
        Mistake("the diagonal is set to 0 and nothing is renormalised", "does leave_one_out_errors hold? Call it here",
                lambda ws, keys, values: wrong.best(ws, keys, values, itself="zero")),
        Mistake("the first w: the errors are sorted before argmin looks", "sorted, the smallest always stands first. Sort nothing: the "
                "errors belong to the ws as they came", lambda ws, keys, values: ws[0]),
        Mistake("the errors are those of the sorted ws, the w is looked up in the unsorted ones", "sort both or neither",
                lambda ws, keys, values: ws[np.argmin(wrong.left_out_errors(np.sort(ws), keys, values))]),
        Mistake("the widths are sorted before the errors are looked up", "sort both or neither: the errors belong to the ws as "
                "they came", lambda ws, keys, values: np.sort(ws)[np.argmin(wrong.left_out_errors(ws, keys, values))]),
    ))


def _peek(queries, targets, keys, values, fixed_w, ws):
    return wrong.rules(queries, targets, keys, values, fixed_w, ws, choose=lambda ws, k, v: ws[np.argmin(
        [wrong.error(queries, targets, k, v, w) for w in ws])])


def _first_chooses(queries, targets, keys, values, fixed_w, ws):
    return wrong.rules(queries, targets, keys, values, fixed_w, ws, choose=lambda *_: wrong.best(ws, keys[0], values[0]))


def _judged(**how):
    return lambda **p: wrong.rules(**p, measured=lambda *inputs: wrong.error(*inputs, **how))


def _chosen(choose):
    return lambda **p: wrong.rules(**p, choose=choose)


BAD_ERRORS = (("w stands outside the square", {"outside": True}), ("it divides by w", {"divide": True}),
              ("the ½ is missing", {"half": 1.0}), ("the minus is missing", {"sign": 1.0}), ("a softmax over the queries", {"axis": 0}),
              ("the sum of the squares", {"measure": wrong.total}), ("absolute errors", {"measure": wrong.absolute}),
              ("a root", {"measure": wrong.root}), ("the square is forgotten", {"measure": np.mean}),
              ("the square of the mean", {"measure": wrong.mean_squared}))
BAD_CHOICES = (("it is the place of the best w", lambda ws, k, v: np.argmin(wrong.left_out_errors(ws, k, v))),
               ("it is the smallest error", lambda ws, k, v: np.min(wrong.left_out_errors(ws, k, v))),
               ("it has the largest error", lambda ws, k, v: ws[np.argmax(wrong.left_out_errors(ws, k, v))]),
               ("it is σ", lambda ws, k, v: 1 / wrong.best(ws, k, v)), ("it is the first of the ws", lambda ws, k, v: ws[0]),
               ("the widths are sorted", lambda ws, k, v: np.sort(ws)[np.argmin(wrong.left_out_errors(ws, k, v))]),
               ("w stands outside the square", lambda ws, k, v: wrong.best(ws, k, v, outside=True)),
               ("the errors divide by w", lambda ws, k, v: wrong.best(ws, k, v, divide=True)))


def _one_for_all(queries, targets, keys, values, fixed_w, ws):
    together = sum(wrong.left_out_errors(ws, k, v) for k, v in zip(keys, values))
    return wrong.rules(queries, targets, keys, values, fixed_w, ws, choose=lambda *_: ws[np.argmin(together)])


def _all_together(queries, targets, keys, values, fixed_w, ws):
    w = wrong.best(ws, keys.ravel(), values.ravel())
    return wrong.rules(queries, targets, keys, values, fixed_w, ws, choose=lambda *_: w)


RULES = Item(
    name="two_rules", title="Two rules, many samples", points=2, may_use=MAY_USE,
    returns="the error against the truth of each sample, (s, 2): at the fixed w, and at the w that leave-one-out chooses for it",
    arguments=("queries", "targets", "keys", "values", "fixed_w", "ws"), make_problems=problems.rule_problems,
    oracle=problems.true_rules,
    mistakes=(
        Mistake("the w is chosen by the error against the truth", "that is peeking: whoever has data only does not know the "
                "targets. Let best_w choose, which sees the sample's keys and values alone", _peek),
        Mistake("one w is chosen for all samples together", "each sample has to choose for itself, from its own keys and values",
                _one_for_all),
        Mistake("all samples are thrown into one and choose together", "each sample has to choose for itself, from its own keys "
                "and values", _all_together),
        Mistake("the columns are swapped", "first the fixed w, then the chosen one", lambda **p: wrong.rules(**p)[:, ::-1]),
        Mistake("the second column is the chosen w, not the error there", "the w is a step on the way. What is its error against "
                "the truth?", lambda queries, targets, keys, values, fixed_w, ws: np.array(
                    [[wrong.error(queries, targets, k, v, fixed_w), wrong.best(ws, k, v)] for k, v in zip(keys, values)])),
        Mistake("leave-one-out errors, not errors against the truth", "leave-one-out chooses. The judge of both rules is "
                "error_against_truth", lambda **p: wrong.rules(**p, measured=lambda q, t, k, v, w: wrong.left_out_errors(
                    [w], k, v)[0])),
        Mistake("the second column is a leave-one-out error", "leave-one-out chooses the w. The judge of both rules is "
                "error_against_truth", lambda queries, targets, keys, values, fixed_w, ws: np.array(
                    [[wrong.error(queries, targets, k, v, fixed_w), wrong.left_out_errors(ws, k, v).min()]
                     for k, v in zip(keys, values)])),
        Mistake("no point is left out when w is chosen", "then the largest w always wins. Does best_w hold?",
                lambda **p: wrong.rules(**p, choose=lambda ws, k, v: wrong.best(ws, k, v, itself="keep"))),
        Mistake("both columns use the fixed w", "in the second column each sample chooses its own w from ws",
                lambda **p: wrong.rules(**p, choose=lambda *_: p["fixed_w"])),
        Mistake("the first sample chooses for all", "keys[0] and values[0] are one sample. Each has to choose for itself: is the loop's "
                "own sample handed to best_w?", _first_chooses),
        *(Mistake(f"the rules are right, the error is not: {what}", "does error_against_truth hold? Mend it first", _judged(**how))
          for what, how in BAD_ERRORS),
        *(Mistake(f"the rules are right, the chosen w is not: {what}", "do leave_one_out_errors and best_w hold? Mend them first",
                  _chosen(choose)) for what, choose in BAD_CHOICES),
        Mistake("the mean over the samples, not one row for each", "the spread over the samples is half of the answer, so keep "
                "them apart", lambda **p: wrong.rules(**p).mean(axis=0)),
        Mistake("only the first sample", "does `return` stand inside the loop? Collect all pairs first",
                lambda **p: wrong.rules(**p)[0]),
    ))

EXERCISE = Exercise("worth_of_w", "More data, and what w is worth",
                    items=(ERROR, LEFT_OUT, BEST, RULES, GAPS, SLOPE, STEPS))
publish(globals(), EXERCISE, figures)
