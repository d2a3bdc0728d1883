"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from nwlab.exercises.consistency_rate import figures, mistakes, problems

EXERCISE = Exercise(__name__, "How fast should the width shrink?", (
    Item("mean_squared_error", "The law of the error",
         "squared bias plus variance for each width: a number, or (k,) where h is (k,)", ("h", "n", "d", "a", "b"),
         problems.law_problems, problems.true_law, mistakes=mistakes.LAW),
    Item("best_width", "The best width", "the width at which the law is lowest: a number, or (k,) where n is (k,)",
         ("n", "d", "a", "b"), problems.width_problems, problems.true_width, points=2, mistakes=mistakes.WIDTH),
    Item("rates", "The two powers", "two numbers: the power of n with which the best width goes, and the one with "
         "which the error at that width goes",
         ("d",), problems.rates_problems, problems.true_rates, mistakes=mistakes.RATES),
    Item("slope", "A slope on log–log axes",
         "the slope of the least-squares line through log(error) over log(n), one number", ("ns", "errors"),
         problems.slope_problems, problems.true_slope, mistakes=mistakes.SLOPE),
    Item("simulated_error", "The measured error", "the mean squared error of Nadaraya–Watson against the truth, over "
         "the queries that are inside: one number", problems.MEASURED, problems.simulation_problems,
         problems.true_simulation, points=3, mistakes=mistakes.SIMULATION,
         sized=lambda rng, n: dict(zip(problems.MEASURED, problems.drawn(rng, n, n, 2, 1.2, 1.0)))),
    Item("error_exponent", "Every other power", "the slope of log(error) over log(n) for very large n, where h goes "
         "like n to the power −alpha: one number, never above 0", ("alpha", "d"),
         problems.exponent_problems, problems.true_exponent, points=2, mistakes=mistakes.EXPONENT),
    Item("keys_needed", "The price",
         "the factor by which n has to grow so that the error is multiplied by ratio: one number, not rounded",
         ("ratio", "d"), problems.needed_problems, problems.true_needed, mistakes=mistakes.NEEDED)))
sample = problems.sample
publish(globals(), EXERCISE, figures)
