"""Local linear regression: a straight line fitted around each query, where Nadaraya-Watson fits a constant.

Nadaraya-Watson is the constant c that minimises sum of alpha_i (v_i - c)^2. Near the border all keys lie on one side,
and the constant is drawn towards the inside: a bias of order h. A line has no such bias; its error there is of order
h^2 (Fan 1992). The estimate is still a weighted sum of the values, and the weights still sum to one, but some are
*negative*: what a softmax can never give, and exactly what mends the edge.
"""
import math

from nwlab._engine import blocks
from nwlab._engine.arrays import device_of, holds
from nwlab._engine.empty import EMPTY, report_empty, too_few_keys
from nwlab._engine.extremes import quiet
from nwlab._engine.inputs import check_choice, check_inputs
from nwlab._engine.weights import distances, nearest_allowed, pool, weights_of
from nwlab.kernels import get_kernel


def local_linear_weights(queries, keys, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False,
                         empty="nan"):
    """The weights (m, n) of local linear regression: rows sum to one, entries may be negative.

    Inputs as for `attention_weights`. A window with no key in reach, or whose keys do not span a line (a plane in two
    dimensions, ...), counts as empty. With one feature, alpha the attention weights, k' and s^2 the mean and variance
    of the keys under alpha, the weight of key i is alpha_i [1 + (q - k') (k_i - k') / s^2].
    """
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, bandwidth=bandwidth, mask=mask, leave_one_out=leave_one_out)
    weights, singular = _weights(inputs, kernel, empty)
    report_empty(singular, empty, too_few_keys, kernel, inputs)
    return inputs.cast(weights)


def local_linear(queries, keys, values, *, kernel="gaussian", bandwidth=1.0, mask=None, leave_one_out=False,
                 empty="nan"):
    """Local linear regression: (m,) for values (n,), (m, c) for values (n, c). See `local_linear_weights`."""
    kernel, empty = get_kernel(kernel), check_choice("empty", empty, EMPTY)
    inputs = check_inputs(queries, keys, values, bandwidth, mask, leave_one_out)

    def answers(inputs):
        weights, singular = _weights(inputs, kernel, empty)                          # (m, n)
        return pool(weights, inputs.values, inputs.xp), singular                     # (m, n) @ (n, c) -> (m, c)

    answer, singular = blocks.evaluate(answers, inputs)
    report_empty(singular, empty, too_few_keys, kernel, inputs)
    return inputs.answer(answer)


@quiet
def _weights(inputs, kernel, empty):
    """Weights (m, n) and which windows are singular (m,): rows of NaN, or the nearest key's."""
    xp, (m, n, d), allowed = inputs.xp, inputs.shape, inputs.allowed()
    alpha, unreached = weights_of(inputs, kernel)                                    # (m, n)
    alpha = xp.where(unreached[:, None], 0.0, alpha)
    distance, _ = distances(inputs)
    reachable = distance if allowed is None else xp.where(allowed, distance, math.inf)
    origin = xp.take(inputs.keys, xp.argmin(reachable, axis=1), axis=0)              # (m, d)
    # Measured from the nearest key in units of the window, so that keys at one and the same place give exactly zero.
    # Keys out of reach play no part.
    steps = xp.where((alpha > 0)[..., None], inputs.keys[None, :, :] - origin[:, None, :], 0.0)          # (m, n, d)
    unit = xp.max(xp.abs(steps), axis=1, keepdims=True)                              # (m, 1, d)
    unit = xp.where(unit > 0, unit, 1.0)
    steps, ahead = steps / unit, (inputs.queries - origin)[:, None, :] / unit        # (m, n, d), (m, 1, d)
    centre = xp.matmul(alpha[:, None, :], steps)                                     # (m, 1, d): k'
    around = steps - centre                                                          # (m, n, d)
    weighted = alpha[..., None] * around
    spread = xp.matmul(xp.matrix_transpose(weighted), around)                        # (m, d, d), a covariance matrix
    singular = unreached | _is_singular(spread, xp)
    spread = xp.where(singular[:, None, None], xp.eye(d, dtype=spread.dtype, device=device_of(spread)), spread)
    ahead = xp.matrix_transpose(ahead - centre)                                      # (m, d, 1)
    tilt = ahead / spread if d == 1 else xp.linalg.solve(spread, ahead)              # (m, d, 1): (q - k') / s^2
    weights = alpha + xp.matmul(weighted, tilt)[..., 0]                              # (m, n)
    # A row sums to one. If its entries are larger than 1 / eps, they cancel to nothing but rounding.
    singular = singular | ~(xp.max(xp.abs(weights), axis=1) < 1 / xp.finfo(weights.dtype).eps)
    if holds(xp.any(singular), otherwise=True):
        instead = nearest_allowed(inputs, distance) if empty == "nearest" else math.nan
        weights = xp.where(singular[:, None], instead, weights)
    return weights, singular


def _is_singular(spread, xp):
    """Whether the keys of a window fail to span all d directions, to working precision: (m,)."""
    d = spread.shape[-1]
    if d == 1:
        return ~(spread[:, 0, 0] >= xp.finfo(spread.dtype).smallest_normal)
    eigenvalues = xp.linalg.eigvalsh(spread)                                         # (m, d), ascending
    return ~(eigenvalues[:, 0] > d * xp.finfo(spread.dtype).eps * eigenvalues[:, -1])
