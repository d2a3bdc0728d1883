"""The bugs that more than one room of `bug_museum` may show: a name, and the option of `weights_of_w`."""
from functools import partial

import numpy as np

from nwlab.exercises.bug_museum import problems

EPSILONS = 1e-6, 1e-8, 1e-9, 1e-10, 1e-12


def with_more(powers, epsilon):
    """The sums of the rows, and a little more."""
    return powers.sum(axis=-1, keepdims=True) + epsilon


AXIS = "the bug of room 1: the softmax runs over the queries", {"axis": 0}
OUTSIDE = "the bug of room 3: w stands outside the square", {"outside": True}
LOST = "the bug of room 6: w is lost, and these are the weights of w = 1", {"of_w": np.ones_like}
NO_HALF = "the squares are not halved", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}
DIVIDED = "1/w stands where w belongs", {"of_w": partial(np.divide, 1.0)}
NO_SQUARE = (("the square is missing", {"square": lambda gaps: gaps * np.sign(gaps.real)}),
             ("the square is missing", {"square": lambda gaps: gaps}))
ONE_ALONE = (("w multiplies the keys alone, not the difference",
              {"scaled": lambda queries, keys, w: np.subtract.outer(queries, keys * w)}),
             ("w multiplies the queries alone, not the difference",
              {"scaled": lambda queries, keys, w: np.subtract.outer(queries * w, keys)}))
SCORES = (*NO_SQUARE, *ONE_ALONE,
          ("the minus and the ½ stand inside the square: far keys weigh most", {"half": 0.25, "sign": 1.0}),
          ("the distance is squared twice",
           {"scaled": lambda queries, keys, w: np.subtract.outer(queries, keys) ** 2 * w}),
          ("e to the power of the scores goes into the softmax, which takes it itself",
           {"square": lambda gaps: -2 * np.exp(-(gaps**2) / 2)}))
SQUARED_TWICE = "w is squared twice", {"of_w": np.square}
TWICE = "a softmax of a softmax", {"twice": True}
UNDIVIDED = "nothing is divided: the weights do not sum to one", {"shift": lambda scores: 0.0, "total": np.ones_like}
POOLING = (AXIS, ("w stands outside the square, as |w|", {"outside": True, "of_w": abs}),
           LOST, NO_HALF, NO_MINUS,
           ("the squares are not halved, and the minus is missing: far keys weigh most", {"half": 1.0, "sign": 1.0}),
           SQUARED_TWICE, DIVIDED, *SCORES, UNDIVIDED, TWICE,
           ("the scores are used as weights: the softmax is missing", {"softmax": lambda scores, *how: scores}),
           *(("an ε below the line: where all exponentials are tiny, it is the larger part",
              {"shift": lambda scores: 0.0, "total": partial(with_more, epsilon=epsilon)}) for epsilon in EPSILONS),
           ("the ½ stands inside the square and is squared too", {"half": 0.25}),
           ("the nearest key alone answers", {"of_w": lambda w: 1e6 * w}))
LOSS = (TWICE, OUTSIDE, AXIS,
        ("the point itself is not left out", {"itself": None}), NO_HALF, NO_MINUS, *SCORES, SQUARED_TWICE, DIVIDED)
OWN, MIXED, RAW, JOINED, TIMES, VARIANCE, ONE_LESS = (      # room 5: a mean and a spread, from test inputs x and keys
    lambda x, keys: (x.mean(), x.std()), lambda x, keys: (x.mean(), keys.std()), lambda x, keys: (0.0, 1.0),
    lambda *both: (np.concatenate(both).mean(), np.concatenate(both).std()),
    lambda x, keys: (keys.mean(), 1 / keys.std()), lambda x, keys: (keys.mean(), keys.var()),
    lambda x, keys: (keys.mean(), keys.std(ddof=1)))
STANDARDISED = tuple((name, {"of_inputs": of_inputs, "of_keys": of_keys}) for name, of_inputs, of_keys in (
    ("the colleague's repair: the test inputs are standardised with their own mean and spread", OWN, None),
    ("the test inputs are taken from their own mean, not from that of the keys", MIXED, None),
    ("divided by the variance, not by the standard deviation", VARIANCE, VARIANCE),
    ("nothing is divided by the spread of the keys, but w was learned for standardised keys", RAW, RAW),
    ("only the keys are standardised, the test inputs are not", RAW, None),
    ("only the test inputs are standardised, the keys are not", None, RAW),
    ("keys and test inputs are standardised together", JOINED, JOINED),
    ("both are standardised with the test inputs' mean and spread", OWN, OWN),
    ("a product with the spread, where a division by it belongs", TIMES, TIMES),
    ("divided by n − 1 in the spread", ONE_LESS, ONE_LESS)))
LOW = -1e4, -1e5, -1e6, -1e9, -1e10, -1e20, -1e30              # what a student may take for −∞


def shifted(ws, by=0):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] (by=-1: ws[1:]) meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), np.roll(ws, by), np.roll(ws, by + 1))


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = problems.step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w


def step_with_rho_as_w(**at):
    """Room 7 without the exponential, but for the w that comes back."""
    new = problems.step_of_rho(**at, exp=float, chain=False)[0]
    return new, float(np.exp(new))
