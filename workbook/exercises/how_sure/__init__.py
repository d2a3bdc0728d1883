"""How sure is an answer: its variance, the noise, how often its band holds the truth, and a next value."""
import math

import numpy as np

from workbook.checks.item import Exercise, Item
from workbook.checks.notebook import publish
from workbook.exercises.how_sure import figures
from workbook.exercises.how_sure import problems as p

EXERCISE = Exercise(__name__, "How sure?", items=(
    Item("effective_keys", by_hand=p.EFFECTIVE_BY_HAND, oracle=p.effective_keys, inputs=(p.WEIGHTS,), mistakes=(
        ("the sum of the squares, not 1 over it", lambda weights: np.sum(weights**2, axis=1)),
        ("the keys with a weight are counted", lambda weights: np.sum(weights != 0, axis=1)),
        ("1 over the largest weight", lambda weights: 1 / weights.max(axis=1)))),
    Item("answer_variances", points=2, by_hand=p.VARIANCES_BY_HAND, oracle=p.answer_variances, inputs=(p.WEIGHTS,),
         mistakes=(
             ("the weights are not squared", {"of_weights": np.array}),
             ("the noise is not squared", {"of_noise": np.array}),
             ("added first and squared then", lambda weights, noise: (weights @ noise) ** 2),
             ("the standard error, not the variance", lambda **at: np.sqrt(p.answer_variances(**at))),
             ("one noise for all keys", lambda weights, noise: np.mean(noise**2) * np.sum(weights**2, axis=1)))),
    Item("noise_level", points=2, by_hand=p.NOISE_BY_HAND, oracle=p.noise_level, inputs=(p.AT_KEYS,), mistakes=(
        ("divided by n", {"divisor": len}),
        ("a term of the divisor is missing", {"divisor": lambda s: len(s) - np.trace(s)}),
        ("a term of the divisor is missing", {"divisor": lambda s: len(s) - 2 * np.trace(s)}),
        ("the diagonal squared for tr SSᵀ", {"divisor": lambda s: len(s) - 2 * np.trace(s) + np.sum(np.diag(s)**2)}),
        ("the variance of the noise", lambda **at: p.noise_level(**at) ** 2))),
    Item("coverage", points=2, by_hand=p.COVERAGE_BY_HAND, oracle=p.coverage, inputs=(p.SIMULATED,), mistakes=(
        ("one standard error on each side", {"times": 1.0}),
        ("the band is as wide as the noise", {"error": lambda weights, noise: noise}),
        ("the band holds the mean of the answers, not the truth", {"centre": lambda weights, truth: weights @ truth}),
        ("draws that are not multiplied by the noise",
         lambda noise, draws, **at: p.coverage(noise=noise, draws=draws / noise, **at)),
        ("the share that miss", lambda **at: 1 - p.coverage(**at)))),
    Item("bias_in_errors", by_hand=p.BIAS_BY_HAND, oracle=p.bias_in_errors, inputs=(p.SIMULATED,), mistakes=(
        ("the truth minus the answer", lambda **at: -p.bias_in_errors(**at)),
        ("without its sign", lambda **at: np.abs(p.bias_in_errors(**at))),
        ("divided by the noise", {"error": lambda weights, noise: noise}),
        ("divided by the variance", {"error": lambda weights, noise: noise**2 * np.sum(weights**2, axis=1)}))),
    Item("interval", points=2, by_hand=p.INTERVAL_BY_HAND, oracle=p.interval, inputs=(p.LEFT_OUT,), mistakes=(
        ("each point helps to predict itself", {"itself": lambda s: 0.0}),
        ("the residuals keep their signs", {"size": np.array}),
        ("the rank is level · n, rounded up", {"rank": lambda level, n: math.ceil(level * n)}),
        ("the rank is rounded down", {"rank": lambda level, n: max(1, math.floor(level * (n + 1)))}),
        ("the largest residual where none is large enough",
         {"rank": lambda level, n: min(n, math.ceil(level * (n + 1)))}),
        ("a quantile between two residuals", {"half": np.quantile}),
        ("two standard deviations of the residuals", {"half": lambda residuals, level: 2 * np.std(residuals)}))),
))
publish(globals(), EXERCISE, figures)
