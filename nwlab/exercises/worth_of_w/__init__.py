"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
import numpy as np

from nwlab.checks.item import Exercise, Item
from nwlab.checks.notebook import publish
from nwlab.exercises.worth_of_w import figures, mistakes, model, problems

MAY_USE = ("masked_softmax",)

EXERCISE = Exercise("worth_of_w", "More data, and what w is worth", items=(
    Item(name="error_against_truth", title="The error against the truth", points=1, may_use=MAY_USE,
         returns="the mean over the queries of (answer − target)², one number",
         arguments=("queries", "targets", "keys", "values", "w"),
         make_problems=problems.error_problems, oracle=model.error, mistakes=mistakes.ERROR),
    Item(name="leave_one_out_errors", title="Leave-one-out errors", points=2, may_use=MAY_USE,
         returns="for each w the mean of the squared residuals when no point may attend to itself, (g,)",
         arguments=("ws", "keys", "values"),
         make_problems=problems.left_out_problems, oracle=model.left_out_errors, mistakes=mistakes.LEFT_OUT,
         sized=lambda rng, n: {"ws": np.array([0.7, 2.0]), **problems.sample(rng, n)}),
    Item(name="best_w", title="The chosen w", points=1, may_use=MAY_USE,
         returns="the one of the ws with the smallest leave-one-out error, one number",
         arguments=("ws", "keys", "values"),
         make_problems=problems.choice_problems, oracle=model.best, mistakes=mistakes.BEST),
    Item(name="two_rules", title="Two rules, many samples", points=2, may_use=MAY_USE,
         returns="the error against the truth of each sample, (s, 2): at the fixed w, and at the w that leave-one-out "
                 "chooses for it",
         arguments=("queries", "targets", "keys", "values", "fixed_w", "ws"),
         make_problems=problems.rule_problems, oracle=model.rules, mistakes=mistakes.RULES),
    Item(name="log_weight_gaps", title="Gaps between log-weights", points=1, may_use=MAY_USE,
         returns="for each key how far its log-weight lies below the nearest key's, (n,): log α of the nearest − log "
                 "α_i, never below 0",
         arguments=("query", "keys", "w"),
         make_problems=problems.gap_problems, oracle=model.gaps, mistakes=mistakes.GAPS,
         vectorised=True, sized=lambda rng, n: {"query": 2.4, "keys": problems.sample(rng, n)["keys"], "w": 1.3}),
    Item(name="loss_slope", title="The slope of the loss", points=2, may_use=MAY_USE,
         returns="d/dw of factor · Σ_i (f_i − v_i)², where f_i is point i's leave-one-out answer; one number",
         arguments=("w", "keys", "values", "factor"),
         make_problems=problems.slope_problems, oracle=model.slope, mistakes=mistakes.SLOPE,
         sized=lambda rng, n: {"w": 0.9, **problems.sample(rng, n), "factor": 0.5},
         tolerance=1e-4),              # a difference of two losses is a slope too, if not an exact one
    Item(name="five_steps", title="Five steps", points=1, may_use=MAY_USE,
         returns="w at the start and after each of five gradient steps, (6,)",
         arguments=("w", "keys", "values", "learning_rate", "factor"),
         make_problems=problems.step_problems, oracle=model.steps, mistakes=mistakes.STEPS, tolerance=1e-4),
))
publish(globals(), EXERCISE, figures)
