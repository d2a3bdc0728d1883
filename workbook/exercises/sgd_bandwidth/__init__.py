"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item, named
from workbook.checks.notebook import publish
from workbook.exercises.common import scores_of_w, truth_values
from workbook.exercises.sgd_bandwidth import figures
from workbook.exercises.sgd_bandwidth import problems as p

SCORES = named(
    ("w stands outside the square", {"outside": True}),
    ("the square is missing", {"square": np.abs}), ("the square is missing", {"square": np.asarray}),
    right=lambda w, queries, keys, **how: scores_of_w(queries, keys, w, **how))

ANY_LOSS = (("the softmax runs over the queries", {"axis": 0}), ("the square is forgotten", {"end": np.positive}))
LOSS_WITHOUT_ITSELF = partial(p.loss, leave_one_out=True)

NAIVE = named(*ANY_LOSS, right=p.loss)

LEFT_OUT = named(
    ("each point still attends to itself: this is the naive loss", p.loss),
    ("the mask is the wrong way round: each point attends only to itself", lambda **at: 0.0),
    ("the diagonal is set to 0 after the softmax, and the rows do not sum to one", partial(p.loss, late=0.0)),
    *ANY_LOSS, right=LOSS_WITHOUT_ITSELF)

SLOPE = named(
    ("the slope with respect to w, not to ρ", lambda rho, **at: p.slope_in_w(np.exp(rho), **at)),
    ("the exponential is missing: ρ is used as w", lambda rho, **at: p.slope_in_w(rho, **at)))

DESCEND = named(
    ("the steps are taken in w, not in ρ", lambda rho, **at: p.walk(np.exp(rho), **at, slope=p.slope_in_w)))

BEST = named(
    ("the place in the grid, not the w that stands there", lambda **at: p.losses(**at).argmin()),
    ("the smallest loss, not the w that has it", lambda **at: p.losses(**at).min()),
    ("the largest w wins, as if no point were left out", {"leave_one_out": False}), right=p.best)

ERROR = named(*ANY_LOSS, right=p.error)

TORCH, SLOPE_IN_W = {"library": "torch"}, {"library": "torch", "slope": "w"}

EXERCISE = Exercise(__name__, "Learn the width by gradient descent", (
    Item("scores", arguments=("w", "queries", "keys"), oracle=scores_of_w, inputs=(p.SCORES,), mistakes=SCORES,
         **SLOPE_IN_W),
    Item("naive_loss", by_hand=p.houses, oracle=p.loss, inputs=(p.LOSS,), mistakes=NAIVE, **SLOPE_IN_W),
    Item("leave_one_out_mask", by_hand=p.ONE_POINT, oracle=p.mask, inputs=(p.MASK,), own_judge=truth_values, **TORCH),
    Item("leave_one_out_loss", points=2, by_hand=p.houses, oracle=LOSS_WITHOUT_ITSELF, inputs=(p.LOSS,),
         mistakes=LEFT_OUT, **SLOPE_IN_W),
    Item("slope", arguments=("rho", "keys", "values", "leave_one_out"), points=2, by_hand=p.slopes, oracle=p.slope,
         inputs=(p.SLOPE,), tolerance=1e-4, exact_shape=True, mistakes=SLOPE, **TORCH),
    Item("descend", arguments=("rho", "keys", "values", "leave_one_out", "learning_rate", "steps"), points=2,
         by_hand=p.walks, oracle=p.path, inputs=(p.WALK,), tolerance=1e-4, mistakes=DESCEND, **TORCH),
    Item("best_w", by_hand=p.grids, oracle=p.best, inputs=(p.GRID,), mistakes=BEST, **TORCH),
    Item("error_against_truth", by_hand=p.new_queries, oracle=p.error, inputs=(p.ERROR,), mistakes=ERROR, **TORCH)))
publish(globals(), EXERCISE, figures)
