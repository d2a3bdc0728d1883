"""The bugs that more than one room of `bug_museum` may show: a name, and the option of `weights_of_w`."""
from functools import partial

import numpy as np

from nwlab.exercises.bug_museum import problems

AXIS = "the bug of room 1: the softmax runs over the queries", {"axis": 0}
OUTSIDE = "the bug of room 3: w stands outside the square", {"outside": True}
LOST = "the bug of room 6: w is lost, and these are the weights of w = 1", {"of_w": np.ones_like}
NO_HALF = "the ½ is missing", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}
DIVIDED = "a division by w where a product belongs", {"of_w": partial(np.divide, 1.0)}
NO_SQUARE = "the square is missing", {"square": lambda gaps: gaps * np.sign(gaps.real)}
SQUARED_TWICE = "w is squared twice", {"of_w": np.square}
TWICE = "a softmax of a softmax", {"twice": True}
UNDIVIDED = "nothing is divided: the weights do not sum to one", {"shift": lambda scores: 0.0, "total": np.ones_like}
POOLING = (AXIS, ("w stands outside the square, as |w|", {"outside": True, "of_w": abs}),
           LOST, NO_HALF, NO_MINUS,
           ("the minus and the ½ are missing: far keys weigh most", {"half": 1.0, "sign": 1.0}),
           SQUARED_TWICE, DIVIDED, NO_SQUARE, UNDIVIDED, TWICE,
           ("the ½ stands inside the square and is squared too", {"half": 0.25}),
           ("the nearest key alone answers", {"of_w": lambda w: 1e6 * w}))
LOSS = (TWICE, OUTSIDE, AXIS,
        ("the point itself is not left out", {"itself": None}), NO_HALF, NO_MINUS, NO_SQUARE, SQUARED_TWICE)
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
