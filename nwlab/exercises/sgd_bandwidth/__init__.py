"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import scores_of_w, truth_values
from nwlab.exercises.sgd_bandwidth import figures, mistakes, model, problems

TORCH, SLOPE_IN_W = {"library": "torch"}, {"library": "torch", "slope": "w"}

EXERCISE = Exercise(__name__, "Learn the width by gradient descent", (
    Item("scores", "The scores",
         "−½ ((q − k_i) w)² for every query and key, (m, n): rows are queries, columns are keys",
         ("w", "queries", "keys"), problems.pairs, scores_of_w, (problems.SCORES,), mistakes=mistakes.SCORES,
         **SLOPE_IN_W),
    Item("naive_loss", "The naive loss",
         "the sum of the squared errors of all points when each attends to all of them, a tensor of shape ()",
         ("w", "keys", "values"), problems.houses, model.loss, (problems.LOSS,), mistakes=mistakes.NAIVE,
         **SLOPE_IN_W),
    Item("leave_one_out_mask", "The mask", "true where a point may attend, false where it meets itself, (n, n)",
         ("n",), problems.one_point, model.mask, (problems.MASK,), mistakes=mistakes.MASK,
         own_judge=truth_values, **TORCH),
    Item("leave_one_out_loss", "The leave-one-out loss",
         "the sum of the squared errors of all points when each attends to all the others, a tensor of shape ()",
         ("w", "keys", "values"), problems.houses, partial(model.loss, leave_one_out=True), (problems.LOSS,), points=2,
         mistakes=mistakes.LEFT_OUT, **SLOPE_IN_W),
    Item("slope", "The slope", "the slope of the loss at w = exp(ρ), with respect to ρ, a tensor of shape ()",
         ("rho", "keys", "values", "leave_one_out"), problems.slopes, model.slope, (problems.SLOPE,), points=2,
         tolerance=1e-4, exact_shape=True, mistakes=mistakes.SLOPE, **TORCH),
    Item("descend", "Gradient descent", "the w of the start and after each step, (steps + 1,); a step takes ρ to "
         "ρ − learning_rate · slope, and w = exp(ρ)",
         ("rho", "keys", "values", "leave_one_out", "learning_rate", "steps"), problems.walks, model.path,
         (problems.WALK,), points=2, tolerance=1e-4, mistakes=mistakes.DESCEND, **TORCH),
    Item("best_w", "The best w of a grid",
         "the w of the grid at which the leave-one-out loss is smallest, a tensor of shape ()",
         ("grid", "keys", "values"), problems.grids, model.best, (problems.GRID,),
         mistakes=mistakes.BEST, **TORCH),
    Item("error_against_truth", "The error against the truth",
         "the mean squared difference between answers and truth at new queries, a tensor of shape ()",
         ("w", "keys", "values", "queries", "truth"), problems.errors, model.error, (problems.ERROR,),
         mistakes=mistakes.ERROR, **TORCH)))
publish(globals(), EXERCISE, figures)
