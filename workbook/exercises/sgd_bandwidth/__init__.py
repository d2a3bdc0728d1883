"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.common import left_out_errors, scores_of_w, truth_values
from workbook.exercises.sgd_bandwidth import figures
from workbook.exercises.sgd_bandwidth import problems as p

ANY_LOSS = (("the softmax runs over the queries", {"axis": 0}), ("the square is forgotten", {"end": np.positive}))
LOSS_WITHOUT_ITSELF = partial(p.loss, leave_one_out=True)

TORCH, SLOPE_IN_W = {"library": "torch"}, {"library": "torch", "slope": "w"}

EXERCISE = Exercise(__name__, "Learn the width by gradient descent", (
    Item("scores", arguments=("w", "queries", "keys"), oracle=scores_of_w, inputs=(p.SCORES,), **SLOPE_IN_W, mistakes=(
        ("w stands outside the square", {"outside": True}),
        ("the square is missing", {"square": np.abs}),
        ("the square is missing", {"square": np.asarray}))),
    Item("naive_loss", by_hand=p.houses, oracle=p.loss, inputs=(p.LOSS,), mistakes=ANY_LOSS, **SLOPE_IN_W),
    Item("leave_one_out_mask", by_hand=p.ONE_POINT, oracle=lambda n: ~np.eye(n, dtype=bool), inputs=(p.MASK,),
         own_judge=truth_values, **TORCH),
    Item("leave_one_out_loss", points=2, by_hand=p.houses, oracle=LOSS_WITHOUT_ITSELF, inputs=(p.LOSS,), **SLOPE_IN_W,
         mistakes=(
             ("each point still attends to itself: this is the naive loss", p.loss),
             ("the mask is the wrong way round: each point attends only to itself", lambda **at: 0.0),
             ("the diagonal is set to 0 after the softmax, and the rows do not sum to one", partial(p.loss, late=0.0)),
             *ANY_LOSS)),
    Item("slope", arguments=("rho", "keys", "values", "leave_one_out"), points=2, by_hand=p.slopes, oracle=p.slope,
         inputs=(p.SLOPE,), tolerance=1e-4, **TORCH, mistakes=(
        ("the slope with respect to w, not to ρ", lambda rho, **at: p.slope_in_w(np.exp(rho), **at)),
        ("the exponential is missing: ρ is used as w", lambda rho, **at: p.slope_in_w(rho, **at)))),
    Item("descend", arguments=("rho", "keys", "values", "leave_one_out", "learning_rate", "steps"), points=2,
         by_hand=p.walks, oracle=p.path, inputs=(p.WALK,), tolerance=1e-4, **TORCH, mistakes=(
        ("the steps are taken in w, not in ρ", lambda rho, **at: p.walk(np.exp(rho), **at, slope=p.slope_in_w)),)),
    Item("best_w", by_hand=p.grids, oracle=p.best, inputs=(p.GRID,), **TORCH, mistakes=(
        ("the place in the grid, not the w that stands there", lambda grid, **at: left_out_errors(grid, **at).argmin()),
        ("the smallest loss, not the w that has it",
         lambda grid, keys, values: len(keys) * left_out_errors(grid, keys, values).min()),
        ("the largest w wins, as if no point were left out", {"itself": None}))),
    Item("error_against_truth", by_hand=p.NEW_QUERIES, oracle=p.error, inputs=(p.ERROR,), mistakes=ANY_LOSS, **TORCH)))
publish(globals(), EXERCISE, figures)
