"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.worth_of_w import figures, mistakes, model, problems

item = partial(Item, may_use=("masked_softmax",), twice=200)      # what has many widths, keys or samples is asked once

EXERCISE = Exercise(__name__, "More data, and what w is worth", items=(
    item(name="error_against_truth", title="The error against the truth", points=1,
         returns="the mean over the queries of (answer − target)², one number",
         arguments=("queries", "targets", "keys", "values", "w"),
         make_problems=problems.error_problems, oracle=model.error, mistakes=mistakes.ERROR),
    item(name="leave_one_out_errors", title="Leave-one-out errors", points=2, arguments=("ws", "keys", "values"),
         returns="for each w the mean of the squared residuals when no point may attend to itself, (g,)",
         make_problems=problems.left_out_problems, oracle=model.left_out_errors, mistakes=mistakes.LEFT_OUT,
         sized=lambda rng, n: {"ws": np.array([0.7, 2.0]), **problems.sample(rng, n)}),
    item(name="best_w", title="The chosen w", points=1, arguments=("ws", "keys", "values"),
         returns="the one of the ws with the smallest leave-one-out error, one number",
         make_problems=problems.choice_problems, oracle=model.best, mistakes=mistakes.BEST),
    item(name="two_rules", title="Two rules, many samples", points=2,
         returns="the error against the truth of each sample, (s, 2): at the fixed w, and at the w that leave-one-out "
                 "chooses for it",
         arguments=("queries", "targets", "keys", "values", "fixed_w", "ws"),
         make_problems=problems.rule_problems, oracle=model.rules, mistakes=mistakes.RULES),
    item(name="log_weight_gaps", title="Gaps between log-weights", points=1, arguments=("query", "keys", "w"),
         returns="for each key how far its log-weight lies below the nearest key's, (n,): log α of the nearest − log "
                 "α_i, never below 0",
         make_problems=problems.gap_problems, oracle=model.gaps, mistakes=mistakes.GAPS,
         loops="refused", sized=lambda rng, n: {"query": 2.4, "keys": problems.sample(rng, n)["keys"], "w": 1.3}),
    item(name="loss_slope", title="The slope of the loss", points=2, arguments=("w", "keys", "values", "factor"),
         returns="d/dw of factor · Σ_i (f_i − v_i)², where f_i is point i's leave-one-out answer; one number",
         make_problems=problems.slope_problems, oracle=model.slope, mistakes=mistakes.SLOPE,
         sized=lambda rng, n: {"w": 0.9, **problems.sample(rng, n), "factor": 0.5},
         tolerance=1e-4),              # a difference of two losses is a slope too, if not an exact one
    item(name="five_steps", title="Five steps", points=1, arguments=("w", "keys", "values", "learning_rate", "factor"),
         returns="w at the start and after each of five gradient steps, (6,)",
         make_problems=problems.step_problems, oracle=model.steps, mistakes=mistakes.STEPS, tolerance=1e-4),
))
publish(globals(), EXERCISE, figures)
