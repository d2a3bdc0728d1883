"""The mistakes that `worth_of_w` knows by name, a tuple for each item. Most are the model with one option."""
from functools import partial

import numpy as np

from nwlab.checks.item import named
from nwlab.checks.problems import scores_of_w as scores
from nwlab.exercises.worth_of_w.model import best, error, gaps, left_out_errors, rules, slope, steps


def in_weights_and_measure(answer):
    """What can go wrong in the weights and in the mean of the squares, for an answer that takes these options."""
    return named(
        ("w stands outside the square", {"outside": True}),
        ("it divides by w: that is σ, not w", {"of_w": np.reciprocal}),
        ("the ½ is missing in the scores", {"half": 1.0}),
        ("the minus is missing in the scores: the farthest key gets most", {"sign": 1.0}),
        ("the softmax runs over the queries, not the keys", {"axis": 0}),
        ("the square is forgotten", {"measure": np.mean}),
        ("the root of the mean square", {"measure": lambda residuals: np.sqrt(np.mean(residuals**2))}),
        right=answer)


ERROR = in_weights_and_measure(error) + named(
    ("it asks at the keys and compares with the noisy values",
     lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)))

LEFT_OUT = named(
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the mask is the wrong way round: each point attends only to itself", lambda ws, **p: np.zeros(len(ws))),
    ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", {"itself": None, "late": 0.0}),
    right=left_out_errors) + in_weights_and_measure(left_out_errors)

BEST = named(
    ("the place of the best w, not w itself", lambda **p: np.argmin(left_out_errors(**p))),
    ("the smallest error, not the w that has it", lambda **p: np.min(left_out_errors(**p))),
    ("no point is left out, so the largest w wins", {"itself": None}),
    ("the widths are sorted before the errors are looked up",
     lambda **p: np.sort(p["ws"])[np.argmin(left_out_errors(**p))]),
    right=best)

RULES = named(
    ("the w is chosen by the error against the truth",
     lambda queries, targets, **p: rules(queries, targets, **p, choose=lambda ws, *sample: min(
         ws, key=lambda w: error(queries, targets, *sample, w)))),
    ("the columns are swapped", lambda **p: rules(**p)[:, ::-1]),
    ("leave-one-out errors, not errors against the truth",
     partial(rules, measured=lambda queries, targets, keys, values, w: left_out_errors([w], keys, values)[0])))

GAPS = named(
    ("measured from the farthest key, not from the nearest",
     lambda query, keys, w: scores(query, keys, w).min() - scores(query, keys, w)),
    ("minus the scores, not their gaps", lambda query, keys, w: -scores(query, keys, w)),
    ("e to the power of minus the gap: weights beside the nearest key's", lambda **p: np.exp(-gaps(**p))))

SLOPE = named(
    ("the w of the inner derivative is missing", {"times_w": False}),
    ("the mean s̄ is not subtracted", {"mean": False}),
    ("s̄ is subtracted from the columns: keepdims is missing", {"keepdims": False}),
    ("the slopes of the answers are added up without their residuals", {"residual": False}),
    ("w is not squared in the softmax", {"outside": True}),
    right=slope)

STEPS = named(
    ("it climbs: the sign of the step is flipped", {"sign": 1.0}),
    ("the factor has no effect", lambda factor, **p: steps(**p, factor=1.0)),
    ("the learning rate is left out", lambda learning_rate, **p: steps(**p, learning_rate=1.0)),
    ("each step uses the slope at the start", {"stale": True}),
    right=steps)
