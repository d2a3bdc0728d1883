"""Softmax's sparse relatives: attention weights that are exactly zero for keys with a low score.

    softmax     weights ∝ exp(score)                                           every key keeps some weight
    entmax      weights = ((alpha - 1) score - tau)₊ ^ (1 / (alpha - 1))       x₊ is x above zero, and else 0
    sparsemax   weights = (score - tau)₊                                       alpha = 2

tau is the threshold at which a row sums to one. On the scores of a Gaussian, -u²/2, these are kernels of compact
support with a radius for each query, which always reaches a key: sparsemax is Epanechnikov's kernel, and entmax with
alpha = 1 + 1/p is (1 - u²)^p: the biweight for p = 2, the triweight for p = 3.

Martins and Astudillo 2016 (sparsemax); Peters, Niculae and Martins 2019 (entmax). Shapes: scores (..., n) for n keys.
"""
import math

from nwlab._engine.arrays import detached, holds, is_traced, namespace_of, wants_gradient
from nwlab._engine.empty import NO_KEY_LEFT, report_empty
from nwlab._engine.extremes import in_dtype, quiet
from nwlab._engine.inputs import check_number, check_scores
from nwlab.pooling import masked_softmax

STEPS = 60                              # of Newton's method at most; rows of a thousand scores have needed 12


def sparsemax(scores, mask=None):
    """The weights nearest to the scores, as points: (..., n), rows sum to one, and many weights are exactly zero.

    scores (..., n), real or minus infinity; mask broadcasts to it, True = may attend. Differentiable in torch and JAX.
    A row in which nothing is left is NaN, with one EmptyWindowWarning. ValueError for inputs that do not fit.
    """
    return _sparse(scores, mask, 2.0, _threshold_by_sorting)


def entmax(scores, mask=None, *, alpha=1.5):
    """Between softmax (alpha = 1) and sparsemax (alpha = 2): weights (..., n), rows sum to one.

    alpha: a number from 1 to 2, or a tensor with one, learned above 1 (Correia, Niculae and Martins 2019). Everything
    else as for `sparsemax`; in torch, first derivatives only.
    """
    learned = wants_gradient(alpha)
    number = 1.5 if is_traced(alpha) else check_number("alpha", detached(alpha))      # traced, it is not known
    if not 1 <= number <= 2 or (learned and number == 1):
        raise ValueError(f"alpha: got {number:g}, expected a number from 1 (softmax) to 2 (sparsemax), and more than 1 "
                         "where it is learned")
    if number == 1:
        return masked_softmax(scores, mask)
    if number == 2 and not learned:
        return sparsemax(scores, mask)
    return _sparse(scores, mask, alpha if learned else number, _threshold_by_newton)


@quiet
def _sparse(scores, mask, alpha, threshold):
    """The weights (..., n), with the warning for rows that are empty."""
    scores, mask, dtype = check_scores(scores, mask)
    xp, power = namespace_of(scores), 1 / (alpha - 1)
    scores = scores if mask is None else xp.where(mask, scores, -math.inf)
    highest = xp.max(scores, axis=-1, keepdims=True)                                 # (..., 1)
    empty = highest == -math.inf
    below, lowest = xp.where(empty, 0.0, scores) - xp.where(empty, 0.0, highest), -2 / (detached(alpha) - 1)
    gaps = (alpha - 1) * xp.where(below > lowest, below, lowest)                     # no infinity: alpha may be learned
    # Whoever is 1 or more below the highest gets no weight. So minus infinity may count as -1 in what follows.
    gaps = xp.where(gaps > -1.0, gaps, -1.0)                                         # (..., n), from -1 to 0
    weights = _power(gaps - threshold(gaps, power, xp), power, xp)
    weights = weights / xp.sum(weights, axis=-1, keepdims=True)                      # what rounding has left
    report_empty(empty[..., 0], "nan", NO_KEY_LEFT)
    return in_dtype(xp.where(empty, math.nan, weights), dtype, xp)


def _power(x, power, xp):
    """x^power where x > 0, else 0; in a form whose derivative is never 0 times infinity."""
    above = x > 0
    return xp.where(above, xp.where(above, x, 1.0) ** power, 0.0)


def _threshold_by_sorting(gaps, power, xp):
    """tau (..., 1) with sum of (gap - tau)₊ = 1: from the k highest, where k is how many of them lie above tau."""
    ordered = -xp.sort(-gaps, axis=-1)                                              # (..., n), highest first
    counts = xp.cumulative_sum(xp.ones_like(gaps), axis=-1)                          # 1, 2, ... n
    taus = (xp.cumulative_sum(ordered, axis=-1) - 1) / counts                        # if the first 1, 2, ... n count
    k = xp.sum(xp.astype(ordered > taus, xp.int64), axis=-1, keepdims=True)          # (..., 1)
    return xp.take_along_axis(taus, k - 1, axis=-1)


def _threshold_by_newton(gaps, power, xp):
    """tau (..., 1) with sum of (gap - tau)₊^power = 1, by Newton's method on the power-norm of (gap - tau)₊.

    The norm is convex in tau, so from tau = -1 every step stays on the left of the solution. Automatic differentiation
    sees the last step alone, whose derivative is that of the solution.
    """
    def step(gaps, tau, power):
        total = xp.sum(_power(gaps - tau, power, xp), axis=-1, keepdims=True)        # norm^power
        slope = xp.sum(_power(gaps - tau, power - 1, xp), axis=-1, keepdims=True)
        return tau + (total - total ** (1 - 1 / power)) / slope

    tau, fixed = xp.full_like(gaps[..., :1], -1.0), detached(gaps)
    for _ in range(STEPS):
        before, tau = tau, step(fixed, tau, detached(power))
        if holds(xp.all(tau <= before), otherwise=False):
            break
    return step(gaps, detached(tau), power)
