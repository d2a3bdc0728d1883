"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.consistency_rate import figures, mistakes, problems

EXERCISE = Exercise(__name__, "How fast should the width shrink?", (
    Item("mean_squared_error", "The law of the error",
         "squared bias plus variance for each width: a number, or (k,) where h is (k,)", ("h", "n", "d", "a", "b"),
         problems.laws, problems.true_law, problems.LAW, mistakes=mistakes.LAW),
    Item("best_width", "The best width", "the width at which the law is lowest: a number, or (k,) where n is (k,)",
         ("n", "d", "a", "b"), problems.widths, problems.true_width, problems.WIDTH, points=2,
         mistakes=mistakes.WIDTH),
    Item("rates", "The two powers", "two numbers: the power of n with which the best width goes, and the one with "
         "which the error at that width goes",
         ("d",), None, problems.true_rates, (problems.RATES,), mistakes=mistakes.RATES),
    Item("slope", "A slope on log–log axes",
         "the slope of the least-squares line through log(error) over log(n), one number", ("ns", "errors"),
         problems.logarithms, problems.true_slope, (problems.SLOPE,), mistakes=mistakes.SLOPE),
    Item("simulated_error", "The measured error", "the mean squared error of Nadaraya–Watson against the truth, over "
         "the queries that are inside: one number", problems.MEASURED, problems.simulations,
         problems.true_simulation, (problems.SIMULATION,), points=3, mistakes=mistakes.SIMULATION),
    Item("error_exponent", "Every other power", "the slope of log(error) over log(n) for very large n, where h goes "
         "like n to the power −alpha: one number, never above 0", ("alpha", "d"),
         problems.speeds, problems.true_exponent, (problems.EXPONENT,), points=2, mistakes=mistakes.EXPONENT),
    Item("keys_needed", "The price",
         "the factor by which n has to grow so that the error is multiplied by ratio: one number, not rounded",
         ("ratio", "d"), problems.prices, problems.true_needed, (problems.NEEDED,), mistakes=mistakes.NEEDED)))
sample = problems.sample
publish(globals(), EXERCISE, figures)
