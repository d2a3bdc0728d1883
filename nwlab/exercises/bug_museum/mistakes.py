"""The bugs that more than one room of `bug_museum` may show, each a room's right code with an option switched on."""
from functools import partial

import numpy as np

from nwlab.checks.item import Mistake
from nwlab.exercises.bug_museum import problems

# each: its name, where to look next, and the option of `problems.weights`
AXIS = ("the bug of room 1: the softmax runs over the queries", "rows are queries, columns are keys. Each row has to "
        "sum to one: along which axis is that?", {"axis": 0})
OUTSIDE = ("the bug of room 3: w stands outside the square", "in ((q − k) w)² the square is taken last. At w = 1 "
           "nobody sees the difference", {"outside": True})
ABSOLUTE = ("w stands outside the square, as |w|", "outside the square |w| still is another model: 0.4² is not 0.4",
            {"outside": True, "of_w": abs})
LOST = ("the bug of room 6: w is lost, and these are the weights of w = 1", "w multiplies the distance. What is only "
        "added to a whole row of scores cancels in the softmax", {"of_w": np.ones_like})
TWICE = ("a softmax of a softmax", "left_out_loss takes scores, and makes the weights itself: hand it the scores as "
         "they are", {"twice": True})
SELF = ("the point itself is not left out", "left_out_loss masks the diagonal: hand it the scores of all n × n pairs",
        {"itself": None})
NO_HALF = ("the ½ is missing", "the scores are minus one half of the square", {"half": 1.0})
NO_MINUS = ("the minus is missing: far keys weigh most", "a near key has to have the highest score, and that is 0",
            {"sign": 1.0})
DIVIDED = ("a division by w where a product belongs", "w is 1/σ: it multiplies the distance. A large w makes narrow "
           "weights", {"of_w": partial(np.divide, 1.0)})
POOLING, LOSS = (AXIS, ABSOLUTE, LOST, NO_HALF, NO_MINUS, DIVIDED), (TWICE, OUTSIDE, AXIS, SELF, NO_HALF, NO_MINUS)


def with_bugs(right, *bugs):
    """The mistakes that come of a room's right function with each of the bugs."""
    return tuple(Mistake(name, look, partial(right, **bug)) for name, look, bug in bugs)


def shifted(ws, by=0):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] (by=-1: ws[1:]) meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), np.roll(ws, by), np.roll(ws, by + 1))


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = problems.step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w
