"""What the problems and oracles of several exercises are made with."""
import numpy as np

from workbook.checks.inputs import until
from workbook.checks.item import LARGE, Problem
from workbook.language import say

UNITS = say("in other units: w is one over a width, in the unit of the keys")


def sample(rng, n):
    """Keys (n,) in 0..5, sorted, no two of them close, and values (n,)."""
    keys = 5 * (np.arange(n) + rng.uniform(0.15, 0.85, n)) / n
    return {"keys": keys, "values": 2 * np.sin(keys) + keys**0.8 + 0.5 * rng.standard_normal(n)}


def truth_values(cases):
    """A mask is asked for as truth values; ones and zeros compare equal to them."""
    for case in cases:
        yield np.asarray(case.plain).dtype != bool, "numbers where truth values were expected", case


def softmax(scores, axis=-1):
    """Of each row, or along another axis. Complex scores are allowed, for a slope. Oracles use no course code."""
    powers = np.exp(scores - scores.real.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def score_traps(rng):
    """Tables of scores (m, n) for which a softmax of each row overflows, or loses digits, unless it is shifted well."""
    far = np.array([[-23.5, -0.1, -1.1, -1.1], [-5e5, -3e5, -2e5, -2e5], [-5e12, -3e12, -1e12, -2e12],
                    [2e12, 3e12, 5e12, 1e12]])
    yield Problem(say("a query far from all keys"), {"scores": far},
                  say("exp of a score below −746 is 0 in the computer, so a row of such scores sums to 0, and 0/0 is "
                      "NaN. Only differences of scores matter, however large the scores are: two nearest keys share "
                      "the weight"))
    far_apart = rng.uniform(-0.1, 0.1, (4, 13))
    far_apart[:, [0, 11, 12]] += [[-30000, 900.4, -1.3], [-1, 0, 2500], [1800, 0.2, 900.5], [1200.6, 1200, -900]]
    yield Problem(say("scores far apart in a row"), {"scores": far_apart},
                  say("the mean or the middle of such a row is far below its largest score, and exp of what lies more "
                      "than 710 above is infinite. Only a row's largest score leaves no exponential larger than 1"))


# Keys, values and ws whose leave-one-out errors have two valleys. The deeper one is first the left, then the right one.
TWO_VALLEYS = (
    ([-1.8, -1.3, -1.1, -0.8, 1.3, 1.8], [2, -1, 0, 2, -1, -2], [0.6, 0.95, 1.8, 3, 3.6, 4.2, 4.8, 5.4, 6.4, 9, 20]),
    ([-1.3, -0.6, 0, 0.8, 1, 1.7], [-3, -1, 1, -2, -1, 1], [0.05, 0.2, 0.32, 0.38, 0.5, 0.6, 0.7, 0.8, 1.3, 3.6, 20]))


def grid_traps(rng):
    """Rows (name, ws, keys, values, why) for the choice of a w by leave-one-out."""
    names = say("two valleys, the deeper one on the left"), say("two valleys, the deeper one on the right")
    for name, (keys, values, ws) in zip(names, TWO_VALLEYS):
        order, unit = rng.permutation(len(keys)), rng.uniform(0.5, 2)
        yield (name, rng.permutation(ws) / unit, unit * np.array(keys)[order],
               np.array(values, float)[order],
               say("there may be two valleys: only a look at every w finds the deeper one"))
    yield (say("ws of both signs"), [0.4, -1.5, 6.0], [0, 0.9, 2, 3.1], [1, 2, 4, 5],
           say("−w gives the same weights as w, and a w below 0 may be chosen like any other"))
    yield (say("two points at each place"), [0.3, 2.5, 0.8], [0, 1, 3, 0, 1, 3], [1, 4, 2, 1, 4, 2],
           say("two points at one place are two points: each of them may ask the other"))


def with_slope(loss, w, *at, **how):
    """loss(w, ...) and its slope by a complex step (Squire and Trapp 1998), exact to the last digits."""
    stepped = loss(complex(w, 1e-30), *at, **how)
    return float(stepped.real), stepped.imag / 1e-30


def scores_of_w(queries, keys, w, outside=False, half=0.5, sign=-1.0, of_w=None, square=np.square):
    """-1/2 ((q - k) w)^2 for all pairs, (m, n). May be wrong: w outside of the square, or any of the other parts."""
    gaps = np.subtract.outer(queries, keys)
    w = of_w(w) if of_w else w
    return sign * half * (square(gaps) * w if outside else square(gaps * w))


def weights_of_w(queries, keys, w, axis=-1, itself=None, **wrong):
    """Softmax of `scores_of_w`, (m, n). w: a number, (n,), (m, 1) or (m, n). itself: the score on the diagonal."""
    scores = scores_of_w(queries, keys, w, **wrong)
    if itself is not None:
        scores = np.where(np.eye(*scores.shape, dtype=bool), itself, scores)
    return softmax(scores, axis)


def left_out_errors(ws, keys, values, itself=-np.inf, late=1.0, end=np.square, **how):
    """(g,). May be wrong: late, by which the diagonal is multiplied after the softmax; end, of the residuals."""
    factor = np.where(np.eye(len(keys)), late, 1.0)
    weights = [factor * weights_of_w(keys, keys, w, itself=itself, **how) for w in ws]
    return np.array([np.mean(end(each @ values - values)) for each in weights])


def best_w(ws, keys, values, **how):
    """The w with the smallest leave-one-out error, a number."""
    return ws[np.argmin(left_out_errors(ws, keys, values, **how))]


def stands_out(ws, keys, values):
    """Whether rounding cannot decide which w has the smallest leave-one-out error."""
    least, *others = sorted(left_out_errors(ws, keys, values))
    return all(error > 1.0001 * least for error in others)


def mixed(rng, n):
    """A sample in no order, around 0. Of many values the last ones are the largest."""
    order, drawn = rng.permutation(n), sample(rng, n)
    return {"keys": drawn["keys"][order] - 2.5,
            "values": (drawn["values"][order] - 2) * np.where(np.arange(n) < LARGE - 5, 1, 4)}


def choices(rng, g, n):
    """ws and a sample that choose one of them. Of many ws the last is the best."""
    ws = rng.permutation(np.geomspace(0.4, 30, g))
    drawn = until(stands_out, lambda: {"ws": ws, **mixed(rng, n)})
    best = np.argmin(left_out_errors(**drawn))
    return drawn | {"ws": np.append(np.delete(ws, best), ws[best])} if g >= LARGE else drawn
