"""The bugs that more than one room of `bug_museum` may show: a name, and the option of `weights_of_w`."""
import numpy as np

from nwlab.exercises.bug_museum import problems

AXIS = "the bug of room 1: the softmax runs over the queries", {"axis": 0}
OUTSIDE = "the bug of room 3: w stands outside the square", {"outside": True}
LOST = "the bug of room 6: w is lost, and these are the weights of w = 1", {"of_w": np.ones_like}
NO_HALF = "the squares are not halved", {"half": 1.0}
NO_MINUS = "the minus is missing: far keys weigh most", {"sign": 1.0}
NO_SQUARE = "the square is missing", {"square": lambda gaps: gaps * np.sign(gaps.real)}
SQUARED_TWICE = "w is squared twice", {"of_w": np.square}
TWICE = "a softmax of a softmax", {"twice": True}
UNDIVIDED = "nothing is divided: the weights do not sum to one", {"shift": lambda scores: 0.0, "total": np.ones_like}
NO_SOFTMAX = ("the scores are used as weights: the softmax is missing", {"softmax": lambda scores, *how: scores})
POOLING = AXIS, LOST, NO_HALF, NO_MINUS, NO_SQUARE, UNDIVIDED, NO_SOFTMAX
LOSS = TWICE, OUTSIDE, ("the point itself is not left out", {"itself": None}), NO_HALF


def of_test_inputs(test_inputs, keys):
    return test_inputs.mean(), test_inputs.std()


def untouched(test_inputs, keys):
    return 0.0, 1.0


STANDARDISED = (
    ("the colleague's repair: the test inputs are standardised with their own mean and spread",
     {"of_inputs": of_test_inputs}),
    ("nothing is divided by the spread of the keys, but w was learned for standardised keys",
     {"of_inputs": untouched, "of_keys": untouched}),
    ("only the keys are standardised, the test inputs are not", {"of_inputs": untouched}))


def shifted(ws, by=0):
    """Room 4, (n, n): the w that key i meets in each row if ws[:-1] (by=-1: ws[1:]) meets keys without the diagonal."""
    return np.where(np.tri(len(ws), k=-1, dtype=bool), np.roll(ws, by), np.roll(ws, by + 1))


def step_on_w(rho, keys, values, rate):
    """Room 7 with w in the place of rho."""
    w = problems.step_of_rho(np.exp(rho), keys, values, rate, exp=float, chain=False)[1]
    return float(np.log(w)), w
