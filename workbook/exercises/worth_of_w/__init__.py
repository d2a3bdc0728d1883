"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.common import best_w, grid_traps, left_out_errors
from workbook.exercises.worth_of_w import figures
from workbook.exercises.worth_of_w import problems as p

IN_BOTH_ERRORS = (
    ("w stands outside the square", {"outside": True}),
    ("the squares are not halved in the scores", {"half": 1.0}),
    ("the softmax runs over the queries, not the keys", {"axis": 0}))

item = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__name__, "More data, and what w is worth", items=(
    item("error_against_truth", by_hand=p.BETWEEN_QUERIES, oracle=p.error, inputs=(p.ERRORS,),
         mistakes=IN_BOTH_ERRORS),
    item("leave_one_out_errors", points=2, by_hand=p.BETWEEN_POINTS, oracle=left_out_errors, inputs=(p.LEFT_OUT,),
         mistakes=(
             ("no point is left out: each one attends to itself", {"itself": None}),
             ("the diagonal is set to 0 after the softmax, so the weights no longer sum to one",
              {"itself": None, "late": 0.0}),
             *IN_BOTH_ERRORS)),
    item("best_w", by_hand=grid_traps, oracle=best_w, inputs=(p.CHOICES,), mistakes=(
        ("the place of the best w, not w itself", lambda **at: np.argmin(left_out_errors(**at))),
        ("the smallest error, not the w that has it", lambda **at: np.min(left_out_errors(**at))),
        ("the largest w wins, as if no point were left out", {"itself": None}))),
    item("two_rules", points=2, by_hand=p.WHOLE_SAMPLES, oracle=p.rules, inputs=(p.SAMPLES,), mistakes=(
        ("no point is left out when w is chosen", {"choose": partial(best_w, itself=None)}),
        ("the errors at the sample's own keys",
         {"measured": lambda queries, targets, keys, values, w: p.error(keys, values, keys, values, w)}))),
    item("log_weight_gaps", oracle=p.gaps, inputs=(p.GAPS,), loops=False, mistakes=(
        ("measured from the farthest key, not from the nearest", lambda **at: p.gaps(**at) - p.gaps(**at).max()),
        *IN_BOTH_ERRORS[:2])),
    item("loss_slope", points=2, by_hand=p.slopes, oracle=p.slope, inputs=(p.SLOPES,), mistakes=(
        ("the w of the inner derivative is missing", {"inner": lambda w: 1.0}),
        ("the mean s̄ is not subtracted", {"mean": lambda weights, s: 0.0}),
        ("no point is left out: each one attends to itself", {"itself": None})),
         tolerance=1e-4),              # a difference of two losses is a slope too, if not an exact one
    item("five_steps", by_hand=p.paths, oracle=p.steps, inputs=(p.RUNS,), tolerance=1e-4, mistakes=(
        ("the path begins after the first step", lambda w, **at: p.steps(p.steps(w, **at)[1], **at)),)),
))
publish(globals(), EXERCISE, figures)
