"""More data, and what w is worth: the three questions of the older edition, answered with numbers."""
from functools import partial

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.worth_of_w import figures, mistakes, model, problems

item = partial(Item, may_use=("masked_softmax",))

EXERCISE = Exercise(__name__, "More data, and what w is worth", items=(
    item("error_against_truth", "The error against the truth",
         "the mean over the queries of (answer − target)², one number",
         ("queries", "targets", "keys", "values", "w"),
         problems.yardsticks, model.error, (problems.ERRORS,), mistakes=mistakes.ERROR),
    item("leave_one_out_errors", "Leave-one-out errors",
         "for each w the mean of the squared residuals when no point may attend to itself, (g,)",
         ("ws", "keys", "values"),
         problems.left_out, model.left_out_errors, (problems.LEFT_OUT,), points=2, mistakes=mistakes.LEFT_OUT),
    item("best_w", "The chosen w", "the one of the ws with the smallest leave-one-out error, one number",
         ("ws", "keys", "values"),
         problems.valleys, model.best, (problems.CHOICES,), mistakes=mistakes.BEST),
    item("two_rules", "Two rules, many samples",
         "the error against the truth of each sample, (s, 2): at the fixed w, and at the w that leave-one-out "
         "chooses for it",
         ("queries", "targets", "keys", "values", "fixed_w", "ws"),
         None, model.rules, (problems.SAMPLES,), points=2, mistakes=mistakes.RULES),
    item("log_weight_gaps", "Gaps between log-weights",
         "for each key how far its log-weight lies below the nearest key's, (n,): log α of the nearest − log α_i, "
         "never below 0",
         ("query", "keys", "w"),
         problems.gaps, model.gaps, (problems.GAPS,), mistakes=mistakes.GAPS, loops=False),
    item("loss_slope", "The slope of the loss",
         "d/dw of factor · Σ_i (f_i − v_i)², where f_i is point i's leave-one-out answer; one number",
         ("w", "keys", "values", "factor"),
         problems.slopes, model.slope, (problems.SLOPES,), points=2, mistakes=mistakes.SLOPE,
         tolerance=1e-4),              # a difference of two losses is a slope too, if not an exact one
    item("five_steps", "Five steps", "w at the start and after each of five gradient steps, (6,)",
         ("w", "keys", "values", "learning_rate", "factor"),
         problems.paths, model.steps, (problems.RUNS,), mistakes=mistakes.STEPS, tolerance=1e-4),
))
publish(globals(), EXERCISE, figures)
