"""The items of `how_sure`, their inputs, the traps of its subject, and its oracles: an option makes one thing wrong.

Weights (m, n) have rows that sum to one; some are below 0, as a local line's are. A smoother (n, n) has
those at the keys.
"""
import math

import numpy as np

from workbook.checks.inputs import WHOLE, Inputs, until
from workbook.checks.item import LARGE, Exercise, Item
from workbook.exercises.common import softmax
from workbook.language import say


def rows(rng, m, n):
    """Weights of which every second row has some below 0. Of many keys the last ones have the most."""
    scores = rng.normal(0, 1.2, (m, n)) + 2 * (np.arange(n) >= LARGE - 5)
    apart = rng.uniform(-0.2, 0.2, (m, n)) * (np.arange(m) % 2)[:, None]
    return softmax(scores) + apart - apart.mean(axis=1, keepdims=True)


def weighted(rng, m, n):
    return {"weights": rows(rng, m, n), "noise": rng.uniform(0.3, 2, n)}


def at_keys(rng, n):
    return {"smoother": rows(rng, n, n), "values": rng.normal(2, 3, n)}


def simulated(rng, s, m, n):
    """Answers that are up to three standard errors off, none of them just at the edge of its band."""
    def drawn():
        weights, truth, noise = rows(rng, m, n), rng.normal(1, 2, n), rng.uniform(0.4, 2)
        off = rng.uniform(-3, 3, m) * standard_errors(weights, noise)
        return {"weights": weights, "truth": truth, "targets": weights @ truth + off, "noise": float(noise),
                "draws": rng.standard_normal((s, n))}

    return until(lambda **at: np.all(np.abs(np.abs(gaps(**at)) - 2) > 1e-5), drawn)


def left_out(rng, m, n):
    """With a level that gives the same rank whatever rounding does."""
    level = until(lambda level: 0.05 < level * (n + 1) % 1 < 0.95, lambda: {"level": float(rng.uniform(0.5, 0.9))})
    return {"weights": rows(rng, m, n), **at_keys(rng, n), **level}


WEIGHTS = Inputs(weighted, units=("noise",))
AT_KEYS = Inputs(at_keys, units=("values",), sizes={"n": (2, 1000)})        # a single key attends to itself alone
SIMULATED = Inputs(simulated, units=("truth targets noise",))
LEFT_OUT = Inputs(left_out, units=("values",), sizes={"n": (4, 1000)})

LINE = say("a local line has weights below 0, and they count like any other")
EFFECTIVE_BY_HAND = (
    (say("one key, two, and something between"), [[1, 0, 0], [0.5, 0, 0.5], [0.5, 0.25, 0.25]]),
    (say("whole numbers"), np.array([[1, 0], [2, -1]]), say("{line}. {whole}", line=LINE, whole=WHOLE)))
VARIANCES_BY_HAND = (
    (say("two keys alike"), [[0.5, 0.5], [1, 0], [2, -1]], [2, 2], LINE),
    (say("one key without noise"), [[0.5, 0.5], [0.9, 0.1]], [0, 3], say("a key may be free of noise")),
    (say("whole numbers"), np.array([[1, 0], [2, -1]]), np.array([1, 3]), WHOLE))
NOISE_BY_HAND = (
    (say("the average of all"), np.full((3, 3), 1 / 3), [1, 2, 6],
     say("for a plain average n − 2 tr S + tr SSᵀ is n − 1, the divisor of every textbook")),
    (say("whole numbers"), np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([1, 4, 2]), WHOLE),
    (say("values far from 0"), [[0.6, 0.4, 0], [0.3, 0.4, 0.3], [0, 0.2, 0.8]], [1001, 1002, 1000],
     say("a constant that is added to all values is no noise")))
COVERAGE_BY_HAND = (
    (say("four draws by hand"), [[0.5, 0.5], [1, 0]], [1, 3], [2, 2], 1.0, [[0, 0], [2, 2], [-2, 0], [-1.5, 0.5]]),
    (say("one draw far off"), [[0.5, 0.5], [1, 0]], [1, 3], [2, 2], 0.5, [[0, 0], [0.4, 0], [0.2, -40]],
     say("each draw counts as held or not, however far off it is")),
    (say("whole numbers"), np.array([[1, 0], [2, -1]]), np.array([1, 3]), np.array([2, 2]), 1.0,
     np.array([[0, 0], [2, 2], [9, 0]]), WHOLE))
INTERVAL_BY_HAND = (
    (say("the average of all"), [[1 / 3] * 3, [0.5, 0.5, 0]], np.full((3, 3), 1 / 3), [1, 2, 6], 0.5,
     say("the residuals are −3, −1.5 and 4.5, and r is 2")),
    (say("the rank is n"), [[0.5, 0.25, 0.25]], np.full((3, 3), 1 / 3), [1, 2, 6], 0.75,
     say("r is 3: the largest of them")),
    (say("too few keys"), [[0.5, 0.25, 0.25]], np.full((3, 3), 1 / 3), [1, 2, 6], 0.9,
     say("with 3 keys r is 4: no residual is large enough, and nothing finite can be promised")),
    (say("whole numbers"), np.array([[1, 0, 0]]), np.array([[-1, 1, 1], [1, 0, 0], [0, 1, 0]]), np.array([1, 4, 3]),
     0.5, WHOLE))
BIAS_BY_HAND = (
    (say("one above, one below"), [[0.5, 0.5], [1, 0]], [1, 3], [1.5, 2], 0.5),
    (say("whole numbers"), np.array([[1, 0], [2, -1]]), np.array([1, 3]), np.array([2, 2]), 2.0, WHOLE))


def answer_variances(weights, noise, of_weights=np.square, of_noise=np.square):
    return of_weights(weights) @ of_noise(noise)


def noise_level(smoother, values, divisor=lambda s: len(s) - 2 * np.trace(s) + np.sum(s * s)):
    return np.sqrt(np.sum((values - smoother @ values) ** 2) / divisor(smoother))


def standard_errors(weights, noise):
    return noise * np.linalg.norm(weights, axis=1)


def gaps(weights, truth, targets, noise, draws, centre=None, error=standard_errors):
    """How many standard errors the answers are off, (s, m). centre: what is compared with in place of the targets."""
    off = (truth + noise * draws) @ weights.T - (targets if centre is None else centre(weights, truth))
    return off / error(weights, noise)


def coverage(weights, truth, targets, noise, draws, times=2.0, **how):
    return np.mean(np.abs(gaps(weights, truth, targets, noise, draws, **how)) <= times, axis=0)


def bias_in_errors(weights, truth, targets, noise, error=standard_errors):
    return (weights @ truth - targets) / error(weights, noise)


def interval(weights, smoother, values, level, itself=np.diag, size=np.abs, half=None,
             rank=lambda level, n: math.ceil(level * (n + 1))):
    """May be wrong: the weight of each point in its own answer, the size of residuals, the rank, or all of `half`."""
    residuals = np.sort(size((values - smoother @ values) / (1 - itself(smoother))))
    r = rank(level, len(values))
    reach = half(residuals, level) if half else residuals[r - 1] if r <= len(values) else np.inf
    return weights @ values - reach, weights @ values + reach


EXERCISE = Exercise(__package__, say("How sure?"), items=(
    Item("effective_keys", by_hand=EFFECTIVE_BY_HAND, inputs=(WEIGHTS,),
         oracle=lambda weights: 1 / np.sum(weights**2, axis=1), mistakes=(
        ("the sum of the squares, not 1 over it", lambda weights: np.sum(weights**2, axis=1)),
        ("the keys with a weight are counted", lambda weights: np.sum(weights != 0, axis=1)),
        ("1 over the largest weight", lambda weights: 1 / weights.max(axis=1)))),
    Item("answer_variances", points=2, by_hand=VARIANCES_BY_HAND, oracle=answer_variances, inputs=(WEIGHTS,),
         mistakes=(
             ("the weights are not squared", {"of_weights": np.array}),
             ("the noise is not squared", {"of_noise": np.array}),
             ("added first and squared then", lambda weights, noise: (weights @ noise) ** 2),
             ("the standard error, not the variance", lambda **at: np.sqrt(answer_variances(**at))),
             ("one noise for all keys", lambda weights, noise: np.mean(noise**2) * np.sum(weights**2, axis=1)))),
    Item("noise_level", points=2, by_hand=NOISE_BY_HAND, oracle=noise_level, inputs=(AT_KEYS,), mistakes=(
        ("divided by n", {"divisor": len}),
        ("a term of the divisor is missing", {"divisor": lambda s: len(s) - np.trace(s)}),
        ("a term of the divisor is missing", {"divisor": lambda s: len(s) - 2 * np.trace(s)}),
        ("the diagonal squared for tr SSᵀ", {"divisor": lambda s: len(s) - 2 * np.trace(s) + np.sum(np.diag(s)**2)}),
        ("the variance of the noise", lambda **at: noise_level(**at) ** 2))),
    Item("coverage", points=2, by_hand=COVERAGE_BY_HAND, oracle=coverage, inputs=(SIMULATED,), mistakes=(
        ("one standard error on each side", {"times": 1.0}),
        ("the band is as wide as the noise", {"error": lambda weights, noise: noise}),
        ("the band holds the mean of the answers, not the truth", {"centre": lambda weights, truth: weights @ truth}),
        ("draws that are not multiplied by the noise",
         lambda noise, draws, **at: coverage(noise=noise, draws=draws / noise, **at)),
        ("the share that miss", lambda **at: 1 - coverage(**at)))),
    Item("bias_in_errors", by_hand=BIAS_BY_HAND, oracle=bias_in_errors, inputs=(SIMULATED,), mistakes=(
        ("the truth minus the answer", lambda **at: -bias_in_errors(**at)),
        ("without its sign", lambda **at: np.abs(bias_in_errors(**at))),
        ("divided by the noise", {"error": lambda weights, noise: noise}),
        ("divided by the variance", {"error": lambda weights, noise: noise**2 * np.sum(weights**2, axis=1)}))),
    Item("interval", points=2, by_hand=INTERVAL_BY_HAND, oracle=interval, inputs=(LEFT_OUT,), mistakes=(
        ("each point helps to predict itself", {"itself": lambda s: 0.0}),
        ("the residuals keep their signs", {"size": np.array}),
        ("the rank is level · n, rounded up", {"rank": lambda level, n: math.ceil(level * n)}),
        ("the rank is rounded down", {"rank": lambda level, n: max(1, math.floor(level * (n + 1)))}),
        ("the largest residual where none is large enough",
         {"rank": lambda level, n: min(n, math.ceil(level * (n + 1)))}),
        ("a quantile between two residuals", {"half": np.quantile}),
        ("two standard deviations of the residuals", {"half": lambda residuals, level: 2 * np.std(residuals)}))),
))
