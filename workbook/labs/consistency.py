"""How fast the error goes to 0 as samples grow: the theory's rates, and a simulation to compare with them.

Keys are uniform on the cube from 0 to 5 in each of d coordinates, the truth is 2 sin x + x^0.8 averaged over them, and
the queries stand inside, at least 1 from every border: the theory asks for a smooth truth that bends, and keys on all
sides. Then, for a width h and n keys (Ruppert and Wand 1994, theorem 2.1, for uniform keys),

    bias^2 ~ h^4    variance ~ 1 / (n h^d)    so h ~ n^(-1/(d+4)) is best, and the error goes like n^(-4/(d+4)).
"""
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nwlab._engine.inputs import check_count, check_number
from nwlab.data import TRUTHS

LOW, HIGH, MARGIN = 0.0, 5.0, 1.0
SIZES = tuple(50 * 2**k for k in range(9))              # 50, 100 ... 12800
LARGE = 800                                             # slopes are measured from here on: a rate is about large n


class MeanErrors(NamedTuple):
    """Mean squared error over the queries, for one sample or in arrays (sizes, seeds), and its two parts.

    The parts are computed for the keys that were drawn: the bias is sum alpha_i f(k_i) - f(q), the variance
    noise^2 sum alpha_i^2.
    """

    error: np.ndarray
    bias_squared: np.ndarray
    variance: np.ndarray


@dataclass(frozen=True)
class Regression:
    """The distribution of the samples, in d coordinates. noise: its standard deviation, above 0."""

    d: int = 1
    noise: float = 0.5

    def __post_init__(self):
        check_count("d", self.d, 1)
        check_number("noise", self.noise, above=0)

    def truth(self, points) -> np.ndarray:
        """The truth at points (n, d), (n,)."""
        return TRUTHS["power"](np.asarray(points)).mean(axis=1)

    @property
    def queries(self) -> np.ndarray:
        """Places inside the cube, (m, d): 16 in a row for d = 1, else 32 scattered ones, always the same."""
        if self.d == 1:
            return np.linspace(LOW + MARGIN, HIGH - MARGIN, 16)[:, None]
        return np.random.default_rng(self.d).uniform(LOW + MARGIN, HIGH - MARGIN, (32, self.d))

    def sample(self, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """keys (n, d), values (n,). With the same seed a larger sample begins with the smaller one."""
        return self.draw(n, seed)[:2]

    def draw(self, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A sample, and the truth at its keys, (n,)."""
        n, seed = check_count("n", n, 1), check_count("seed", seed, 0)
        keys = np.random.default_rng([seed, 0]).uniform(LOW, HIGH, (n, self.d))
        truth = self.truth(keys)
        return keys, truth + self.noise * np.random.default_rng([seed, 1]).standard_normal(n), truth

    def parts(self, n, h) -> tuple[float, float]:
        """A h^4 and B / (n h^d): bias^2 and variance for large n and small h, averaged over the queries.

        A is the mean square of half the sum of second derivatives. B is noise^2 R(K)^d / density, with the density
        1/5^d and R(K) = 1/(2 sqrt pi), the integral of the squared Gaussian kernel.
        """
        bend = (-2 * np.sin(self.queries) - 0.16 * self.queries**-1.2).mean(axis=1)                      # (m,)
        roughness = (HIGH - LOW) / (2 * math.sqrt(math.pi))
        return float(np.mean(bend**2)) / 4 * h**4, self.noise**2 * roughness**self.d / (n * h**self.d)

    def best_width(self, n) -> float:
        """The h with the smallest A h^4 + B / (n h^d): (d B / (4 A n))^(1/(d+4))."""
        a, b = self.parts(n, 1.0)
        return (self.d * b / (4 * a)) ** best_exponent(self.d)


def best_exponent(d: int) -> float:
    """The a for which h ~ n^(-a) is best in d dimensions: 1/(d+4)."""
    return 1 / (check_count("d", d, 1) + 4)


def theory_slope(exponent: float, d: int) -> float:
    """The slope of log error against log n for large n if h ~ n^(-exponent): the slower of bias^2 and variance.

    With a for the exponent, bias^2 has the slope -4a, and variance -(1 - ad). If ad > 1, windows become empty, only the
    nearest key counts, and the variance stays at noise^2: slope 0.
    """
    return -max(0.0, min(4 * check_number("exponent", exponent), 1 - exponent * check_count("d", d, 1)))


def shrinking(problem: Regression, exponent: float) -> Callable[[float], float]:
    """The rule h(n) = h50 (n/50)^(-exponent), where h50 is the theory's best width at n = 50 for all exponents."""
    start = problem.best_width(SIZES[0])
    return lambda n: start * (n / SIZES[0]) ** -exponent


def measure(problem: Regression, n: int, h: float, seed: int, drawn=None) -> MeanErrors:
    """The errors of one sample of n with width h. drawn: by `draw` with this seed, n or more; it is drawn if None."""
    keys, values, at_keys = (part[:n] for part in drawn or problem.draw(n, seed))
    queries = problem.queries
    weights = gaussian_weights(queries, keys, check_number("h", h, above=0))                     # (m, n)
    truth = problem.truth(queries)                                                               # (m,)
    return MeanErrors(float(np.mean((weights @ values - truth) ** 2)),
                      float(np.mean((weights @ at_keys - truth) ** 2)),
                      float(problem.noise**2 * np.mean(np.einsum("mn,mn->m", weights, weights))))


def run(problem: Regression, rule: Callable[[float], float], sizes=SIZES, seeds=40) -> MeanErrors:
    """`measure` for every size with the width rule(n) and every seed 0 ... seeds - 1: arrays (sizes, seeds)."""
    samples = (problem.draw(max(sizes), seed) for seed in range(seeds))
    found = [[measure(problem, n, rule(n), seed, drawn) for n in sizes] for seed, drawn in enumerate(samples)]
    return MeanErrors(*np.array(found).T)


def slope(sizes, errors) -> float:
    """The slope of log error against log n from n = 800 on, by least squares; both (sizes,)."""
    large = np.asarray(sizes) >= LARGE
    return float(np.polyfit(np.log(np.asarray(sizes)[large]), np.log(np.asarray(errors)[large]), 1)[0])


def gaussian_weights(queries, keys, h: float) -> np.ndarray:
    """`nwlab.attention_weights` for a Gaussian and points (m, d), (n, d), but three times as fast: |q|^2 cancels."""
    q, k = queries / h, np.ascontiguousarray(keys.T) / h  # (m, d), (d, n): contiguous, so three times as fast again
    scores = q @ k - 0.5 * np.sum(k * k, axis=0)                                                 # (m, n)
    scores -= scores.max(axis=1, keepdims=True)                                                  # no 0/0
    weights = np.exp(np.maximum(scores, -80.0, out=scores), out=scores)     # subnormal results are slow
    weights /= weights.sum(axis=1, keepdims=True)
    return weights
