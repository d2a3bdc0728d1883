"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
from __future__ import annotations

from nwlab.checks.item import Exercise, Item
from nwlab.checks.notebook import publish
from nwlab.exercises.consistency_rate import figures, mistakes, problems

LAW = Item(
    name="mean_squared_error", title="The law of the error", points=1,
    returns="squared bias plus variance for each width: a number, or (k,) where h is (k,)",
    arguments=("h", "n", "d", "a", "b"), make_problems=problems.law_problems, oracle=problems.true_law,
           mistakes=mistakes.LAW)

WIDTH = Item(
    name="best_width", title="The best width", points=2,
    returns="the width at which the law is lowest: a number, or (k,) where n is (k,)",
    arguments=("n", "d", "a", "b"), make_problems=problems.width_problems, oracle=problems.true_width,
             mistakes=mistakes.WIDTH)

RATES = Item(
    name="rates", title="The two powers", points=1,
    returns="two numbers: the power of n with which the best width goes, and the one with which the error at that "
             "width goes",
    arguments=("d",), make_problems=problems.rates_problems, oracle=problems.true_rates, mistakes=mistakes.RATES)

SLOPE = Item(
    name="slope", title="A slope on log–log axes", points=1,
    returns="the slope of the least-squares line through log(error) over log(n), one number",
    arguments=("ns", "errors"), make_problems=problems.slope_problems, oracle=problems.true_slope,
             mistakes=mistakes.SLOPE)

SIMULATION = Item(
    name="simulated_error", title="The measured error", points=3,
    returns="the mean squared error of Nadaraya–Watson against the truth, over the queries that are inside: one number",
    arguments=("queries", "truth", "keys", "values", "h", "margin"), make_problems=problems.simulation_problems,
    oracle=problems.true_simulation, mistakes=mistakes.SIMULATION, sized=problems.simulation_sized)

EXPONENT = Item(
    name="error_exponent", title="Every other power", points=2,
    returns="the slope of log(error) over log(n) for very large n, where h goes like n to the power −alpha: one "
                "number, "
            "never above 0",
    arguments=("alpha", "d"), make_problems=problems.exponent_problems, oracle=problems.true_exponent,
                mistakes=mistakes.EXPONENT)

NEEDED = Item(
    name="keys_needed", title="The price", points=1,
    returns="the factor by which n has to grow so that the error is multiplied by ratio: one number, not rounded",
    arguments=("ratio", "d"), make_problems=problems.needed_problems, oracle=problems.true_needed,
              mistakes=mistakes.NEEDED)

EXERCISE = Exercise("consistency_rate", "How fast should the width shrink?",
                    items=(LAW, WIDTH, RATES, SLOPE, SIMULATION, EXPONENT, NEEDED))
sample = problems.sample
publish(globals(), EXERCISE, figures)
