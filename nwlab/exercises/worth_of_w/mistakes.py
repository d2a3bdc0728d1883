"""The mistakes that `worth_of_w` knows by name, a tuple for each item. Most are the model with one option."""
from functools import partial

import numpy as np

from workbook.checks.item import named
from nwlab.exercises.common import scores_of_w as scores, softmax
from nwlab.exercises.worth_of_w.model import best, error, gaps, left_out_errors, rules, slope, steps

IN_BOTH_ERRORS = (
    ("w stands outside the square", {"outside": True}),
    ("the squares are not halved in the scores", {"half": 1.0}),
    ("the softmax runs over the queries, not the keys", {"axis": 0}))

ERROR = named(*IN_BOTH_ERRORS, right=error)

LEFT_OUT = named(
    ("no point is left out: each one attends to itself", {"itself": None}),
    ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one", {"itself": None, "late": 0.0}),
    *IN_BOTH_ERRORS, right=left_out_errors)

BEST = named(
    ("the place of the best w, not w itself", lambda **p: np.argmin(left_out_errors(**p))),
    ("the smallest error, not the w that has it", lambda **p: np.min(left_out_errors(**p))),
    ("the largest w wins, as if no point were left out", {"itself": None}), right=best)

RULES = named(
    ("the columns are swapped", lambda **p: rules(**p)[:, ::-1]),
    ("no point is left out when w is chosen", {"choose": partial(best, itself=None)}),
    ("the errors at the sample's own keys",
     {"measured": lambda queries, targets, keys, values, w: error(keys, values, keys, values, w)}), right=rules)

GAPS = named(
    ("measured from the farthest key, not from the nearest", lambda s: s.min() - s),
    ("log of weights that are 0 in the computer", lambda s: -np.log(softmax(s) / softmax(s).max())),
    of=lambda formula: lambda query, keys, w: formula(scores(query, keys, w))) + named(
    ("w stands outside the square", {"outside": True}),
    ("the squares are not halved in the scores", {"half": 1.0}), right=gaps)

SLOPE = named(
    ("the w of the inner derivative is missing", {"inner": lambda w: 1.0}),
    ("the mean s̄ is not subtracted", {"mean": lambda weights, s: 0.0}),
    ("no point is left out: each one attends to itself", {"itself": None}), right=slope)

STEPS = named(
    ("it climbs: the sign of the step is flipped", {"sign": 1.0}),
    ("the path begins after the first step", lambda w, **p: steps(steps(w, **p)[1], **p)),
    ("each step begins at the start again", {"again": True}), right=steps)
