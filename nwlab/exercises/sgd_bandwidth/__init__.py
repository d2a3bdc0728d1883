"""Learn the width by gradient descent: the naive loss lets w run away, leave-one-out gives it a place to stop."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.common import scores_of_w
from nwlab.exercises.sgd_bandwidth import figures, mistakes, model, problems

EXERCISE = Exercise(__name__, "Learn the width by gradient descent", items=(
    Item(name="scores", title="The scores", points=1, library="torch", slope="w",
         returns="−½ ((q − k_i) w)² for every query and key, (m, n): rows are queries, columns are keys",
         arguments=("w", "queries", "keys"), make_problems=problems.score_problems,
         sized=lambda rng, n: problems.asked(rng, 1.3, n, n + 1), oracle=scores_of_w, mistakes=mistakes.SCORES),
    Item(name="naive_loss", title="The naive loss", points=1, library="torch", slope="w",
         returns="the sum of the squared errors of all points when each attends to all of them, a tensor of shape ()",
         arguments=("w", "keys", "values"), make_problems=problems.loss_problems,
         oracle=model.loss, mistakes=mistakes.NAIVE),
    Item(name="leave_one_out_mask", title="The mask", points=1, library="torch",
         returns="true where a point may attend, false where it meets itself, (n, n)",
         arguments=("n",), make_problems=problems.mask_problems,
         oracle=model.mask, mistakes=mistakes.MASK, own_judge=mistakes.truth_values),
    Item(name="leave_one_out_loss", title="The leave-one-out loss", points=2, library="torch", slope="w",
         returns="the sum of the squared errors of all points when each attends to all the others, a tensor of shape "
                 "()",
         arguments=("w", "keys", "values"), make_problems=problems.loss_problems,
         oracle=partial(model.loss, leave_one_out=True), mistakes=mistakes.LEFT_OUT),
    Item(name="slope", title="The slope", points=2, library="torch", tolerance=1e-4, exact_shape=True,
         returns="the slope of the loss at w = exp(ρ), with respect to ρ, a tensor of shape ()",
         arguments=("rho", "keys", "values", "leave_one_out"), make_problems=problems.slope_problems,
         oracle=model.slope, mistakes=mistakes.SLOPE),
    Item(name="descend", title="Gradient descent", points=2, library="torch", tolerance=1e-4,
         returns="the w of the start and after each step, (steps + 1,); a step takes ρ to ρ − learning_rate · slope, "
                 "and w = exp(ρ)",
         arguments=("rho", "keys", "values", "leave_one_out", "learning_rate", "steps"),
         make_problems=problems.descent_problems, oracle=model.path, mistakes=mistakes.DESCEND),
    Item(name="best_w", title="The best w of a grid", points=1, library="torch",
         returns="the w of the grid at which the leave-one-out loss is smallest, a tensor of shape ()",
         arguments=("grid", "keys", "values"), make_problems=problems.grid_problems,
         oracle=model.best, mistakes=mistakes.BEST),
    Item(name="error_against_truth", title="The error against the truth", points=1, library="torch",
         returns="the mean squared difference between answers and truth at new queries, a tensor of shape ()",
         arguments=("w", "keys", "values", "queries", "truth"), make_problems=problems.error_problems,
         oracle=model.error, mistakes=mistakes.ERROR),
))
publish(globals(), EXERCISE, figures)
