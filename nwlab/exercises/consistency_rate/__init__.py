"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
from __future__ import annotations

from nwlab.exercises.consistency_rate import borders
from nwlab.exercises.consistency_rate import figures
from nwlab.exercises.consistency_rate import mistakes
from nwlab.exercises.consistency_rate import problems
from nwlab.checks.item import Exercise, Item

LAW = Item(
    name="mean_squared_error", title="The law of the error", points=1,
    says="squared bias plus variance for each width: a number, or (k,) where h is (k,)",
    arguments=("h", "n", "d", "a", "b"), make_problems=problems.law_problems, oracle=problems.true_law, mistakes=mistakes.LAW,
    hints=("It has two parts. Which of them depends on n, and which does not?",
           "The first part is the square of c·h². The second is b over the number of keys in a window: how does that go with n, h and d?",
           "c² is a, so what is the square of h²? In the second part n and a power of h both stand below the line: mind the "
           "brackets in Python."))

WIDTH = Item(
    name="best_width", title="The best width", points=2,
    says="the width at which the law is lowest: a number, or (k,) where n is (k,)",
    arguments=("n", "d", "a", "b"), make_problems=problems.width_problems, oracle=problems.true_width, mistakes=mistakes.WIDTH,
    hints=("At its lowest point a curve is level. What is the derivative of each part of the law with respect to h?",
           "The second part is b/n times h to the power −d. Its derivative has a factor −d in front and the power −(d + 1).",
           "Set the derivative to zero and multiply by h to the power d + 1. Then one single power of h stands on the left; take "
           "that root. Compare with the worked one at d = 1."))

RATES = Item(
    name="rates", title="The two powers", points=1,
    says="two numbers: the power of n with which the best width goes, and the one with which the error at that width goes",
    arguments=("d",), make_problems=problems.rates_problems, oracle=problems.true_rates, mistakes=mistakes.RATES,
    hints=("Read the first one off your best_width: everything but n is a constant.",
           "n stands below the line, under a root. Which power is that, with its sign?",
           "For the second one, put h into the first part of the law: if h goes with a power of n, h⁴ goes with four times that "
           "power. The second part comes to the same."))

SLOPE = Item(
    name="slope", title="A slope on log–log axes", points=1,
    says="the slope of the least-squares line through log(error) over log(n), one number",
    arguments=("ns", "errors"), make_problems=problems.slope_problems, oracle=problems.true_slope, mistakes=mistakes.SLOPE,
    hints=("Draw it: what stands on the horizontal axis, what on the vertical one, and what do log–log axes do to both?",
           "np.polyfit(x, y, 1) fits a line and returns two numbers. Which of them is the slope?",
           "x and y are what the two axes show after you took logarithms, of the same base. Of the two numbers one belongs to x to the "
           "power 1, the other to x to the power 0: np.polyfit? says which comes first."))

SIMULATION = Item(
    name="simulated_error", title="The measured error", points=3,
    says="the mean squared error of Nadaraya–Watson against the truth, over the queries that are inside: one number",
    arguments=("queries", "truth", "keys", "values", "h", "margin"), make_problems=problems.simulation_problems,
    oracle=problems.true_simulation, mistakes=borders.SIMULATION, sized=problems.simulation_sized,
    hints=("Three steps: an answer for each query; which queries are inside; the mean of their squared errors.",
           "The squares are (m, n). Make Gaussian weights of them with width h, divide each row by its sum, and multiply by the "
           "values: (m,). For the second step compare queries, (m, d), with both ends.",
           "np.exp of −½ · squares / h² gives the weights, keepdims helps to divide by the row sums. A mask (m,) comes from "
           "comparisons and .all(axis=1); index the answers and the truth with it before you average."))

EXPONENT = Item(
    name="error_exponent", title="Every other power", points=2,
    says="the slope of log(error) over log(n) for very large n, where h goes like n to the power −alpha: one number, never above 0",
    arguments=("alpha", "d"), make_problems=problems.exponent_problems, oracle=problems.true_exponent, mistakes=mistakes.EXPONENT,
    hints=("Put h = n to the power −alpha into both parts of the law. With which power of n does each of them go?",
           "Two powers, both negative as long as the method learns. The part that is larger in the end is the one that falls more "
           "slowly: is that the larger or the smaller of the two numbers?",
           "For the bias: what is h⁴, if h is a power of n? For the variance: what is n times n to the power −alpha · d, and what "
           "becomes of that power below the line? Then choose between the two numbers, and try your choice at alpha = 0.5, d = 4."))

NEEDED = Item(
    name="keys_needed", title="The price", points=1,
    says="the factor by which n has to grow so that the error is multiplied by ratio: one number, not rounded",
    arguments=("ratio", "d"), make_problems=problems.needed_problems, oracle=problems.true_needed, mistakes=mistakes.NEEDED,
    hints=("If n grows by a factor t, by which factor does the error change? You have its power.",
           "Write down: ratio = t to the power that rates gives for the error. Solve it for t.",
           "Raise both sides to one over that power. It is negative, so t is above 1 where ratio is below 1."))

exercise = Exercise("consistency_rate", "How fast should the width shrink?",
                    items=(LAW, WIDTH, RATES, SLOPE, SIMULATION, EXPONENT, NEEDED))
sample = problems.sample
show_balance = exercise.figure(figures.show_balance)
show_rate = exercise.figure(figures.show_rate)
show_powers = exercise.figure(figures.show_powers)
show_price = exercise.figure(figures.show_price)
exercise.publish(globals())
