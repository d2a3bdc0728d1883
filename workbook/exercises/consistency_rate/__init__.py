"""How fast the width has to shrink as samples grow, in any dimension: derived, measured, and what it costs."""
import math
from functools import partial

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.consistency_rate import figures
from workbook.exercises.consistency_rate import problems as p

EXERCISE = Exercise(__name__, "How fast should the width shrink?", (
    Item("mean_squared_error", oracle=p.law, inputs=p.LAW, mistakes=(
        ("the bias is not squared: h² for h⁴", lambda h, n, d, a, b: a * h**2 + b / (n * h**d)),
        ("b / n * h**d divides by n and multiplies by the rest", lambda h, n, d, a, b: a * h**4 + b / n * h**d))),
    Item("best_width", points=2, by_hand=p.WIDTH_BY_HAND, oracle=p.best_width, inputs=p.WIDTH, mistakes=(
        ("the two parts are set equal", lambda n, d, a, b: (b / (a * n)) ** (1 / (d + 4))),
        ("the power 1/5 is that of a line", lambda n, d, a, b: (d * b / (4 * a * n)) ** (1 / 5)),
        ("the power 1/5 is that of a line", lambda n, d, a, b: (b / (4 * a * n)) ** (1 / 5)),
        ("the d before b is missing", lambda n, d, a, b: (b / (4 * a * n)) ** (1 / (d + 4))),
        ("the 4 is missing", lambda n, d, a, b: (d * b / (a * n)) ** (1 / (d + 4))),
        ("** (1 / d + 4) without brackets around d + 4", lambda n, d, a, b: (d * b / (4 * a * n)) ** (1 / d + 4)))),
    Item("rates", oracle=lambda d: (-1 / (4 + d), -4 / (4 + d)), inputs=(p.RATES,), mistakes=(
        ("the two powers changed places", lambda d: (-4 / (d + 4), -1 / (d + 4))),)),
    Item("slope", by_hand=p.SLOPE_BY_HAND, oracle=p.slope, inputs=(p.SLOPE,), mistakes=(
        ("the line's height at 0, not its slope", lambda ns, errors: np.polyfit(np.log(ns), np.log(errors), 1)[1]),
        ("no logarithms at all", lambda ns, errors: np.polyfit(ns, errors, 1)[0])),
         tolerance=1e-6),              # an iterative fit is right too, if not to the last digits
    Item("simulated_error", points=3, by_hand=p.SIMULATION_BY_HAND, oracle=p.simulated_error, inputs=(p.SIMULATION,),
         mistakes=(
             ("the queries near the border count too", {"inside": lambda x, margin: np.full(len(x), True)}),
             ("one feature inside is taken for all", {"inside": partial(p.is_inside, over=np.any)}),
             ("divided by the number of all queries", lambda queries, margin, **at: np.mean(
                 p.is_inside(queries, margin)) * p.simulated_error(queries, margin=margin, **at)),
             ("the squares are not halved", {"score": lambda squares, h: -squares / h**2}),
             ("the wrong axis: the weights sum to one over the queries",
              {"pool": lambda weights, values: weights / weights.sum(axis=0) @ values}))),
    Item("error_exponent", points=2, by_hand=p.exponents, inputs=(p.EXPONENT,),
         oracle=lambda alpha, d: min(0.0, max(-4 * alpha, alpha * d - 1)), mistakes=(
        ("the quicker part is taken", lambda alpha, d: min(-4 * alpha, alpha * d - 1)),
        ("the bias is not squared", lambda alpha, d: min(0.0, max(-2 * alpha, alpha * d - 1))),
        ("windows that run empty are forgotten", lambda alpha, d: max(-4 * alpha, alpha * d - 1)))),
    Item("keys_needed", by_hand=p.NEEDED_BY_HAND, oracle=p.keys_needed, inputs=(p.NEEDED,), mistakes=(
        ("the power is upside down", lambda ratio, d: ratio ** (-4 / (d + 4))),
        ("** -(d + 4) / 4 without brackets: first the power, then divided by 4",
         lambda ratio, d: ratio ** -(d + 4) / 4),
        ("rounded down", lambda ratio, d: math.floor(p.keys_needed(ratio, d))),
        ("rounded up", lambda ratio, d: math.ceil(p.keys_needed(ratio, d)))))))
sample = p.sample
publish(globals(), EXERCISE, figures)
