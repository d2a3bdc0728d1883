"""The mistakes that `worth_of_w` knows by name, a tuple for each item. Most are the model with one option."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import scores_of_w as scores, softmax, weights_of_w
from nwlab.exercises.worth_of_w.model import best, error, gaps, left_out_errors, rules, slope, steps

IN_BOTH_ERRORS = (
    ("w stands outside the square", {"outside": True}),
    ("it divides by w: that is σ, not w", {"of_w": np.reciprocal}),
    ("the squares are not halved in the scores", {"half": 1.0}),
    ("the softmax runs over the queries, not the keys", {"axis": 0}),
    ("the root of the mean square", {"measure": lambda residuals: np.sqrt(np.mean(residuals**2))}))

ERROR = named(*IN_BOTH_ERRORS, right=error) + named(
    ("the queries are the keys, and the targets the noisy values",
     lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)),
    ("the exponentials of a row do not sum to one", lambda queries, targets, keys, values, w: np.mean(
        (np.exp(scores(queries, keys, w)) @ values - targets) ** 2)),
    ("a table of all pairs, by accident: the answers are (m, 1)", lambda queries, targets, keys, values, w: np.mean(
        ((weights_of_w(queries, keys, w) @ values)[:, None] - targets) ** 2)))

LEFT_OUT = named(
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the mask is the wrong way round: each point attends only to itself", lambda ws, **p: np.zeros(len(ws))),
    ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", {"itself": None, "late": 0.0}),
    *IN_BOTH_ERRORS, right=left_out_errors)

BEST = named(
    ("the place of the best w, not w itself", lambda **p: np.argmin(left_out_errors(**p))),
    ("the smallest error, not the w that has it", lambda **p: np.min(left_out_errors(**p))),
    ("the largest w wins, as if no point were left out", {"itself": None}),
    ("either the errors or the ws are sorted", lambda ws, **p: np.sort(ws)[np.argmin(left_out_errors(ws, **p))]),
    ("either the errors or the ws are sorted", lambda ws, **p: ws[np.argmin(left_out_errors(np.sort(ws), **p))]),
    right=best)

RULES = named(
    ("the w is chosen by the error against the truth",
     lambda queries, targets, **p: rules(queries, targets, **p, choose=lambda ws, *sample: min(
         ws, key=lambda w: error(queries, targets, *sample, w)))),
    ("the same w in both columns", lambda **p: rules(**p)[:, [0, 0]]),
    ("the same w in both columns", lambda **p: rules(**p)[:, [1, 1]]),
    ("the columns are swapped", lambda **p: rules(**p)[:, ::-1]),
    ("one w is chosen for all samples", lambda keys, values, ws, **p: rules(
        keys=keys, values=values, ws=ws, **p, choose=lambda *_: best(ws, keys[0], values[0]))),
    ("no point is left out when w is chosen", {"choose": partial(best, itself=None)}),
    ("the errors at the sample's own keys",
     {"measured": lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)}), right=rules)

GAPS = named(
    ("measured from the farthest key, not from the nearest", lambda s: s.min() - s),
    ("log of weights that are 0 in the computer", lambda s: -np.log(softmax(s) / softmax(s).max())),
    ("gaps of weights, not of log-weights", lambda s: softmax(s).max() - softmax(s)),
    of=lambda formula: lambda query, keys, w: formula(scores(query, keys, w))) + named(
    ("w stands outside the square", {"outside": True}),
    ("the squares are not halved in the scores", {"half": 1.0}), right=gaps)

SLOPE = named(
    ("the w of the inner derivative is missing", {"inner": lambda w: 1.0}),
    ("the mean s̄ is not subtracted", {"mean": lambda weights, s: 0.0}),
    ("s̄ is subtracted from the columns: keepdims is missing", {"mean": lambda weights, s: (weights * s).sum(axis=1)}),
    ("s̄ is a mean without the weights", {"mean": lambda weights, s: s.mean(axis=1, keepdims=True)}),
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the factor has no effect", lambda factor, **p: slope(**p, factor=1.0)), right=slope)

STEPS = named(
    ("it climbs: the sign of the step is flipped", {"sign": 1.0}),
    ("the learning rate is left out", lambda learning_rate, **p: steps(**p, learning_rate=1.0)),
    ("the path begins after the first step", lambda w, **p: steps(steps(w, **p)[1], **p)),
    ("each step begins at the start again", {"again": True}),
    ("each step uses the slope at the start", {"stale": True}), right=steps)
